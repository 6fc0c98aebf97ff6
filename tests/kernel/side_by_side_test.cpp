#include "kernel/native/side_by_side.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernel/evaluation.hpp"
#include "kernel/native/code.hpp"

namespace vinculum::kernel::native {
namespace {
using test::Registers;
using test::same_bits;

using Function = Expr (*)(const Expr&);
constexpr Function functions[] = {
    [](const Expr& x) { return sin(x); },  [](const Expr& x) { return cos(x); },
    [](const Expr& x) { return exp(x); },  [](const Expr& x) { return tanh(x); },
    [](const Expr& x) { return atan(x); }, [](const Expr& x) { return sin(x) * cos(x); },
    [](const Expr& x) { return log(x); },  [](const Expr& x) { return pow(x * x + 1, sin(x)); },
};

struct Sample {
  Graph graph;
  std::vector<Expr> inputs, outputs;
  explicit Sample(int count) {
    for (int i = 0; i < count; ++i) inputs.push_back(graph.symbol("x" + std::to_string(i)));
  }
  Kernel kernel() const { return Kernel(outputs, inputs); }
};

/// `count` values of formulas, of inputs or of earlier values, and sums of them.
struct RandomSample : Sample {
  RandomSample(int count, std::mt19937& random) : Sample(6) {
    std::vector<Expr> values = inputs;
    const auto any = [&] { return values[random() % values.size()]; };
    for (int k = 0; k < count; ++k) {
      const Expr x = any();
      values.push_back(functions[random() % std::size(functions)](x));
      if (random() % 3 == 0) values.push_back(any() + 0.5 * any());
    }
    for (std::size_t k = 6; k < values.size(); ++k)
      if (k + 4 > values.size() || random() % 2 == 0) outputs.push_back(values[k]);
  }
};

/// Whether machine code for one lane gives the interpreter's bits; nothing where it was left.
testing::AssertionResult agrees(const Kernel& kernel, const std::vector<double>& x, int& left) {
  const auto code = Code::of(kernel, 1, 1);
  if (code == nullptr) return testing::AssertionFailure() << "no code";
  Registers native(kernel.register_count()), interpreted(kernel.register_count());
  for (Registers* file : {&native, &interpreted}) {
    prepare(kernel, file->data(), 1);
    std::copy(x.begin(), x.end(), file->data());
  }
  run(kernel, interpreted.data());
  if (!code->run(native.data())) {
    ++left;
    return testing::AssertionSuccess();
  }
  for (const std::uint32_t r : kernel.outputs())
    if (!same_bits(native[r], interpreted[r]))
      return testing::AssertionFailure() << native[r] << " instead of " << interpreted[r];
  return testing::AssertionSuccess();
}

TEST(SideBySide, FormulasOfAllKindsHaveTheBitsOfTheInterpreter) {
  if (widths(1).empty()) GTEST_SKIP() << "no code is written for this processor";
  std::mt19937 random(5);
  std::normal_distribution<double> normal(0, 1.5);
  int left = 0, runs = 0;
  for (int round = 0; round < 400; ++round) {
    const RandomSample sample(1 + static_cast<int>(random() % 24), random);
    const Kernel kernel = sample.kernel();
    for (int again = 0; again < 4; ++again, ++runs) {
      std::vector<double> x(6);
      for (double& value : x) value = normal(random);
      ASSERT_TRUE(agrees(kernel, x, left)) << "round " << round;
    }
  }
  EXPECT_LT(left, runs / 2);  // logarithms of what is negative, and the like: else this would say little
}

/// An angle that the formula does not reduce, or none, in one of four places.
TEST(SideBySide, ARareArgumentInAnyPlaceIsSeen) {
  if (widths(1).empty()) GTEST_SKIP() << "no code is written for this processor";
  for (int count = 2; count <= 9; ++count) {
    Sample s(count);
    for (const Expr& x : s.inputs) s.outputs.push_back(sin(x) + 2 * cos(x));
    const Kernel kernel = s.kernel();
    for (int place = 0; place < count; ++place)
      for (const double rare : {1e7, -3e300, double(INFINITY), double(NAN)}) {
        std::vector<double> x(count, 0.3);
        x[place] = rare;
        int left = 0;
        ASSERT_TRUE(agrees(kernel, x, left));
        EXPECT_EQ(left, 1) << count << " sines, " << rare << " in place " << place;
      }
    int left = 0;
    EXPECT_TRUE(agrees(kernel, std::vector<double>(count, -2.5), left));
    EXPECT_EQ(left, 0);
  }
}

/// How many steps one run takes.
std::size_t steps_side_by_side(const std::vector<Expr>& outputs, const std::vector<Expr>& inputs) {
  Steps steps = steps_of(Kernel(outputs, inputs));
  put_side_by_side(steps);
  return steps.steps.size();
}

TEST(SideBySide, FourSinesAreHardlyMoreStepsThanOne) {
  Graph graph;
  std::vector<Expr> inputs, sines, nested;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(graph.symbol("x" + std::to_string(i)));
    sines.push_back(sin(inputs.back()));
    nested.push_back(i == 0 ? sines[0] : sin(nested.back()));
  }
  const std::size_t one = steps_side_by_side({sines[0]}, inputs), four = steps_side_by_side(sines, inputs);
  EXPECT_GT(one, 20u);
  EXPECT_LE(four, one + 10);  // three steps put four numbers together, a few take them apart
  // Each waits for the one before: nothing can be done together.
  EXPECT_GE(steps_side_by_side({nested.back()}, inputs), 4 * one - 10);
}

/// The second of each two is a sine of the first: two groups of four, one behind the other.
TEST(SideBySide, FormulasThatNeedEachOtherStandInDifferentGroups) {
  Graph graph;
  std::vector<Expr> inputs, sines, both;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(graph.symbol("x" + std::to_string(i)));
    sines.push_back(sin(inputs.back()));
    both.push_back(sin(sines.back()) + sines.back());
  }
  const std::size_t four = steps_side_by_side(sines, inputs);
  EXPECT_LE(steps_side_by_side(both, inputs), 2 * four + 10);
}

}  // namespace
}  // namespace vinculum::kernel::native
