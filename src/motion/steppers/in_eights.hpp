// Numbers of a state in whole eights, and the sums that steppers make of them in vector registers.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "equation/sparse/eight.hpp"
#include "motion/steppers/fours.hpp"

namespace vinculum {

/// Rows of numbers: what is behind the last of a row is zero.
class InEights {
 public:
  InEights(int rows, int size)
      : eights_((size + 7) / 8), memory_(static_cast<std::size_t>(rows) * eights_, 0.0) {}
  double* row(int i) { return memory_[static_cast<std::size_t>(i) * eights_].lane; }
  Eight* eights(int i = 0) { return memory_.data() + static_cast<std::ptrdiff_t>(i) * eights_; }
  int count() const { return eights_; }
  Four* fours(int i = 0) { return reinterpret_cast<Four*>(eights(i)); }
  int count_of_fours() const { return 2 * eights_; }
  double* data() { return row(0); }
  double operator[](int n) const { return memory_[n / 8].lane[n % 8]; }

 private:
  int eights_;
  std::vector<Eight> memory_;
};

/// A part of a sum of slopes: its weight, and where the slope lies.
struct Summand {
  double weight;
  const Eight* slope;
};
/// sum = from + h sum weight_i k_i, summand by summand.
void add_slopes(std::span<const Summand> summands, double h, const Eight* from, int eights, Eight* sum);

}  // namespace vinculum
