#include "kernel/native/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "kernel/evaluation.hpp"
#include "kernel/native/code.hpp"

namespace vinculum::kernel::native {
namespace {

/// Six symbols, and whether each of three pairs stands in order.
struct InOrder {
  Graph graph;
  std::vector<Expr> inputs;
  Expr all = 1;
  InOrder() {
    for (int i = 0; i < 6; ++i) inputs.push_back(graph.symbol("x" + std::to_string(i)));
    all = if_less(inputs[0], inputs[1], all, 0);
    all = if_less_equal(inputs[2], inputs[3], all, 0);
    all = if_less(inputs[4], inputs[5], all, 0);
  }
};

std::ptrdiff_t count(const Steps& steps, Act act) { return std::ranges::count(steps.steps, act, &Step::act); }

TEST(Steps, ConditionsInEachOtherAreMasksAndNoQuestionIsAskedTwice) {
  const InOrder order;
  const Steps steps = steps_of(Kernel({&order.all, 1}, order.inputs));
  EXPECT_EQ(count(steps, Act::less), 2);
  EXPECT_EQ(count(steps, Act::less_equal), 1);
  EXPECT_EQ(count(steps, Act::bits_and), 3);
  EXPECT_EQ(steps.steps.size(), 6u);
}

TEST(Steps, ConditionsInEachOtherHaveTheBitsOfTheInterpreter) {
  const InOrder order;
  const Expr outputs[] = {order.all, if_less(order.inputs[0], order.inputs[1], order.inputs[2], -0.0),
                          if_less(0, order.all, 3, order.inputs[4]), order.all * 2};
  const Kernel kernel(outputs, order.inputs);
  const double values[] = {0.0, -0.0, 1.0, -1.0, test::nan, test::inf, -test::inf, 1e-310};
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> x(6);
    for (double& value : x) value = values[random() % std::size(values)];
    for (const int lanes : {1, lane_count})
      for (const int width : widths(lanes)) {
        test::Registers native(kernel.register_count());
        prepare(kernel, native.data(), lanes);
        for (int i = 0; i < 6; ++i) std::fill_n(native.data() + lanes * i, lanes, x[i]);
        ASSERT_TRUE(Code::of(kernel, lanes, width)->run(native.data()));
        const std::vector<double> want = test::evaluate(kernel, x);
        for (std::size_t k = 0; k < want.size(); ++k)
          for (int lane = 0; lane < lanes; ++lane)
            ASSERT_TRUE(test::same_bits(native[lanes * std::size_t{kernel.outputs()[k]} + lane], want[k]))
                << "round " << round << ", output " << k << ", width " << width;
      }
  }
}

}  // namespace
}  // namespace vinculum::kernel::native
