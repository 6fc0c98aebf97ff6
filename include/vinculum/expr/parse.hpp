// Text to expression, by the grammar of the model file.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "vinculum/base/error.hpp"
#include "vinculum/base/export.hpp"
#include "vinculum/expr/value.hpp"

namespace vinculum {

/// Reads one expression:  + - * / ^, unary signs after any operator, parentheses, the functions, `pi`,
/// if(a < b, then, else); vectors [a, b, c], dot, cross, norm, distance and components (.x .y .z).
/// -x^2 is -(x^2); a^b^c is a^(b^c). Errors carry line and column, counted from `start`.
VINCULUM_EXPORT Value parse_value(Graph& graph, std::string_view text, Scope& scope,
                                  const Place& start = {"", 1, 1});

/// `left = right`, both of one kind. Exactly one `=` is asked for.
struct ValueEquation {
  Value left, right;
};
VINCULUM_EXPORT ValueEquation parse_value_equation(Graph& graph, std::string_view text, Scope& scope,
                                                   const Place& start = {"", 1, 1});

/// Words that name nothing of a user's: t, pi, if, energy, force, multiplier, ground and the functions.
VINCULUM_EXPORT bool is_reserved_word(std::string_view word);

/// What a name in the text stands for where all names are numbers. A resolver that does not know the name
/// raises an error with the place it is given.
using NameResolver = std::function<Expr(std::string_view name, const Place& place)>;

/// The same for an expression that must be a number.
VINCULUM_EXPORT Expr parse(Graph& graph, std::string_view text, const NameResolver& resolve,
                           const Place& start = {"", 1, 1});

/// The same, where every name is simply the symbol of that name.
VINCULUM_EXPORT Expr parse(Graph& graph, std::string_view text);

struct ParsedEquation {
  Expr left, right;
};
VINCULUM_EXPORT ParsedEquation parse_equation(Graph& graph, std::string_view text,
                                              const NameResolver& resolve, const Place& start = {"", 1, 1});

}  // namespace vinculum
