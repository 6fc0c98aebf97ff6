// Text to expression, by the grammar of the model file.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "vinculum/base/error.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// What a name in the text stands for. `name` is as written, primes included: "x", "p.y", "x'", "x''".
/// A resolver that does not know the name raises an error with the place it is given.
using NameResolver = std::function<Expr(std::string_view name, const Place& place)>;

/// Reads one expression:  + - * / ^, unary signs after any operator, parentheses, the functions, `pi`, and
/// if(a < b, then, else). -x^2 is -(x^2); a^b^c is a^(b^c). Errors carry line and column, counted from
/// `start`.
Expr parse(Graph& graph, std::string_view text, const NameResolver& resolve, const Place& start = {"", 1, 1});

/// The same, where every name is simply the symbol of that name.
Expr parse(Graph& graph, std::string_view text);

/// `left = right` as two expressions. Exactly one `=` is asked for.
struct ParsedEquation {
  Expr left, right;
};
ParsedEquation parse_equation(Graph& graph, std::string_view text, const NameResolver& resolve,
                              const Place& start = {"", 1, 1});

}  // namespace vinculum
