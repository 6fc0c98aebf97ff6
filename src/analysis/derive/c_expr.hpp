// Expressions as C99 statements.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::derive {

/// Names that can stand in C, each for one thing: p.x -> p_x, x' -> x_dot; what is taken gets a _ behind it.
class NamesInC {
 public:
  NamesInC();
  std::string take(std::string_view name);

 private:
  std::unordered_set<std::string> taken_;
};

/// letters, digits and _, small, not starting with a digit; "model" where nothing is left.
std::string identifier(std::string_view text);
/// A comment's text: nothing in it ends the comment or begins another.
std::string comment_text(std::string_view text);

/// A constant of type double that reads back to the same bits.
std::string number_in_c(double value);

/// The statements that compute some expressions, what is used twice computed once. Remembers which helper
/// functions they call.
class StatementsInC {
 public:
  /// `from`: where a symbol's value lies: q[0], v[2], p[1], t, lambda[0].
  StatementsInC(const Model& model, std::function<std::string(const Expr& symbol)> from)
      : model_(model), from_(std::move(from)) {}

  /// `target = expression;` for each. Locals have names of their own in each call.
  std::string assign(const std::vector<std::pair<std::string, Expr>>& results);
  /// Definitions of the helpers called so far.
  std::string helpers() const;

 private:
  struct Text {
    std::string text;
    int level = 0;  // 0 sum, 1 product, 2 stands in any place
  };
  Text write(const Expr& e, const std::unordered_map<NodeId, Text>& known);
  Text write_power(const Text& base, const Expr& exponent, const Text& power);
  Text write_opaque(const Expr& call, const std::string& arguments);
  Text call(const char* function, const std::vector<std::string>& arguments);

  const Model& model_;
  std::function<std::string(const Expr&)> from_;
  std::set<std::string> helpers_;
  std::set<std::string> opaque_;  // prototypes of functions written in C++
};

}  // namespace vinculum::derive
