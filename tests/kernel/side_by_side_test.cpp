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

/// Sums of products as series have them, of factors that many of them share, and sums of these sums.
struct Sums {
  static constexpr std::uint32_t factors = 48;  // numbers given
  std::vector<Instruction> code;
  std::uint32_t registers = factors;
  std::vector<std::uint32_t> outputs;

  Sums(int sums, int products, bool later, std::mt19937& random) {
    std::vector<std::uint32_t> made;
    for (int round = 0; round < (later ? 2 : 1); ++round)
      for (int s = 0; s < sums; ++s) {
        const std::uint32_t to = registers++;
        for (int k = 0; k < products; ++k) {
          const std::uint32_t a = round == 0 ? (6 * s + k) % factors : made[random() % sums],
                              b = (5 * s + 2 * k) % factors;
          const Opcode op = k == 0              ? Opcode::multiply
                            : random() % 8 == 0 ? Opcode::subtract_multiply
                                                : Opcode::multiply_add;
          code.push_back({op, to, a, b, to});
        }
        made.push_back(to);
      }
    for (const std::uint32_t r : made)
      if (random() % 3 > 0) outputs.push_back(r);
  }
  Kernel kernel() const {
    return Kernel::of_code(code, registers, outputs, static_cast<int>(outputs.size()));
  }
};

TEST(SideBySide, SumsOfProductsHaveTheBitsOfTheInterpreter) {
  if (widths(1).empty()) GTEST_SKIP() << "no code is written for this processor";
  std::mt19937 random(8);
  std::normal_distribution<double> normal(0, 1);
  for (int round = 0; round < 300; ++round) {
    const Sums sums(1 + static_cast<int>(random() % 15), 1 + static_cast<int>(random() % 12), round % 2 == 0,
                    random);
    const Kernel kernel = sums.kernel();
    Registers native(sums.registers), interpreted(sums.registers);
    for (std::uint32_t r = 0; r < Sums::factors; ++r) native[r] = interpreted[r] = normal(random);
    std::vector<double> out(sums.outputs.size());
    run(kernel, interpreted.data());
    ASSERT_TRUE(Code::of(kernel, 1, 1)->run(native.data(), nullptr, out.data()));
    for (std::size_t k = 0; k < out.size(); ++k)
      ASSERT_TRUE(same_bits(out[k], interpreted[sums.outputs[k]])) << "round " << round << ", sum " << k;
  }
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

TEST(SideBySide, SumsThatShareFactorsAreDoneTogetherAndShortOnesOfTheirOwnAreNot) {
  const auto steps = [](std::uint32_t sums, std::uint32_t products, std::uint32_t shared) {
    std::vector<Instruction> code;
    std::vector<std::uint32_t> outputs;
    const std::uint32_t factors = sums / shared * products;
    for (std::uint32_t s = 0; s < sums; ++s) {
      outputs.push_back(2 * factors + s);
      for (std::uint32_t k = 0; k < products; ++k) {  // every fourth sum has its factors once more
        const std::uint32_t of = (s / (4 * shared) * 4 + s % 4) * products;
        code.push_back({k == 0 ? Opcode::multiply : Opcode::multiply_add, 2 * factors + s, of + k,
                        factors + of + (k + s / 4) % products, 2 * factors + s});
      }
    }
    Steps made = steps_of(Kernel::of_code(code, 2 * factors + sums, outputs, static_cast<int>(sums)));
    const std::size_t before = made.steps.size();
    put_side_by_side(made);
    return static_cast<double>(made.steps.size()) / static_cast<double>(before);
  };
  EXPECT_LT(steps(16, 8, 4), 0.55);
  EXPECT_EQ(steps(4, 2, 1), 1.0);
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
