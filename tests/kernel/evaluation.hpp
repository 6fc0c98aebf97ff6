// How the tests of the kernel run programs and compare numbers.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "kernel/evaluate.hpp"
#include "vinculum/kernel/kernel.hpp"

namespace vinculum::test {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The same bits, or both not a number: the sign and payload of a NaN depend on the order in which a compiler
/// adds.
inline bool same_bits(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) ||
         (std::isnan(x) && std::isnan(y));
}

/// |got - want| in units of the last place of `want` (64 bits of it or more).
inline double ulps(double got, long double want) {
  if (same_bits(got, static_cast<double>(want))) return 0;
  const int exponent = std::max(std::ilogb(want), std::numeric_limits<double>::min_exponent - 1);
  return static_cast<double>(std::abs(got - want) / std::ldexp(1.0L, exponent - 52));
}

/// A register file aligned as eight lanes need it.
class Registers {
 public:
  explicit Registers(std::size_t count)
      : memory_(static_cast<double*>(std::aligned_alloc(64, 64 * (count == 0 ? 1 : count))), std::free) {
    for (std::size_t i = 0; i < lane_count * count; ++i)
      memory_.get()[i] = -12345.0;  // no value may come from here
  }
  double* data() { return memory_.get(); }
  double& operator[](std::size_t i) { return memory_.get()[i]; }

 private:
  std::unique_ptr<double, decltype(&std::free)> memory_;
};

/// The outputs for one set of inputs, on one lane.
inline std::vector<double> evaluate(const Kernel& program, std::span<const double> inputs) {
  Registers file(program.register_count());
  prepare(program, file.data(), 1);
  for (std::size_t i = 0; i < inputs.size(); ++i) file[i] = inputs[i];
  run(program, file.data());
  std::vector<double> values;
  for (const std::uint32_t r : program.outputs()) values.push_back(file[r]);
  return values;
}

/// The outputs for eight sets of inputs, on eight lanes: result[lane][output].
inline std::vector<std::vector<double>> evaluate_lanes(const Kernel& program,
                                                       const std::vector<std::vector<double>>& inputs,
                                                       kernel::Executor execute) {
  Registers file(program.register_count());
  prepare(program, file.data(), lane_count);
  for (int lane = 0; lane < lane_count; ++lane) {
    for (std::size_t i = 0; i < inputs[lane].size(); ++i) file[lane_count * i + lane] = inputs[lane][i];
  }
  if (!program.code().empty()) execute(program.code().data(), file.data());
  std::vector<std::vector<double>> values(lane_count);
  for (int lane = 0; lane < lane_count; ++lane) {
    for (const std::uint32_t r : program.outputs())
      values[lane].push_back(file[lane_count * std::size_t{r} + lane]);
  }
  return values;
}

/// One expression at one point.
inline double value_at(const Expr& e, std::span<const Expr> symbols, std::span<const double> values) {
  return evaluate(Kernel({&e, 1}, symbols), values)[0];
}

}  // namespace vinculum::test
