// A kernel as steps on power series: what each does to the coefficients of its operands.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::kernel::series {

using Place = std::uint32_t;  // of a series

/// Coefficient k of the target (`own`) from those of the operands up to k and its own below k.
enum class Act : std::uint8_t {
  add,
  subtract,
  negate,
  multiply,
  square,
  divide,          // a / b;  first = 1/b
  reciprocal,      // 1 / a
  root,            // of a;  first = 1/(2 own)
  exponential,     // own' = a' own
  logarithm,       // a own' = a';  first = 1/a
  integral,        // own' = a' b
  minus_integral,  // own' = -a' b
  quotient,        // b own' = a';  first = 1/b
  angle,           // c own' = b a' - a b';  first = 1/c
  power,           // a own' = b a' own with a constant b;  first = 1/a
  slope,           // a'
  choose,          // b or c, by the side a as it begins
  side,            // of a to b: no slope; first = 1/(a - b), which is no number where neither side is
};

struct Step {
  Act act;
  Place target;
  Place a = 0, b = 0, c = 0;
  Place first = 0;                                // a number that first coefficients make
  Place slope_a = 0, slope_b = 0, slope_own = 0;  // series of these slopes, each number k times k
};

struct Steps {
  std::vector<Step> steps;
  /// The first coefficients, by the table of operations: instructions on places instead of registers.
  std::vector<Instruction> beginning;
  Place count = 0;                                // inputs come first
  std::vector<std::pair<Place, double>> numbers;  // constants
  std::vector<Place> outputs;
};

/// The kernel must not call functions written in C++.
Steps steps_of(const Kernel& kernel);

}  // namespace vinculum::kernel::series
