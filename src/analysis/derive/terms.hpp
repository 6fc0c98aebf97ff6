// Sums as lists of terms: multiplied out, brought to one denominator, with one product replaced by others;
// and how long an expression is to read.
#pragma once
#include <optional>
#include <vector>

#include "analysis/derive/tidy.hpp"

namespace vinculum::derive {

using Terms = std::vector<Product>;

/// What may still be spent on looking for shorter forms, counted in terms that are made. The same in every
/// run: no clock is asked.
struct Effort {
  long left = 0;
  /// False when there was not enough left.
  bool spend(std::size_t terms) { return (left -= static_cast<long>(terms)) >= 0; }
};

/// How much there is to read: symbols, numbers, functions and signs, each 1, a fraction 2, since its parts
/// stand at two heights.
class Length {
 public:
  /// No function counts for more than `most_of_a_function`: one that is long and repeats gets a name.
  explicit Length(const Graph& graph, int most_of_a_function = longest)
      : graph_(graph), most_of_a_function_(most_of_a_function) {}
  int of(const Expr& e);
  /// A symbol that is read as what it stands for.
  void define(const Expr& symbol, const Expr& value);
  /// Of a sum of these terms, as if each was written out.
  int of(const Terms& terms);

 private:
  static constexpr int longest = 1 << 20;
  int of(const Product& term);
  const Graph& graph_;
  const int most_of_a_function_;
  std::vector<int> known_;  // by node; 0: not yet
};

inline constexpr std::size_t most_terms = 64;

/// The same sum without products of sums (a sum in a denominator stays); nothing where that is too long.
std::optional<Terms> multiplied_out(const Tidy& tidy, const Terms& terms, Effort& effort);

/// sum of terms = sum of above / below.
struct OverOne {
  Terms above;
  Product below;
};
/// Nothing where no term has a denominator or all have the same.
std::optional<OverOne> over_one_denominator(const Terms& terms);

/// The same sum with what several terms have in common in front of them, as long as that makes it shorter:
/// m1 g s + m2 g s + k is g s (m1 + m2) + k.
Terms grouped(Tidy& tidy, const Terms& terms, Length& length, Effort& effort);

/// part divides whole: every factor of it stands in whole with at least its power, and that is above 0.
bool divides(const Product& part, const Product& whole);

/// The same sum where lead = instead (a sum): lead is replaced wherever it divides a term, until it does so
/// no more. Nothing where that does not end soon.
std::optional<Terms> replaced(const Terms& terms, const Product& lead, const Terms& instead, Effort& effort);

}  // namespace vinculum::derive
