#include "kernel/schedule.hpp"

#include <gtest/gtest.h>

#include <random>

#include "kernel/evaluation.hpp"
#include "support/growth.hpp"

namespace vinculum {
namespace {
using test::evaluate;
using test::seconds_of;

int temporaries(const Kernel& program) {
  return program.register_count() - program.input_count() - static_cast<int>(program.constants().size());
}

TEST(Schedule, EveryStepFollowsWhatItReads) {
  Graph graph;
  std::mt19937 random(1);
  std::vector<Expr> inputs = {graph.symbol("x"), graph.symbol("y")}, pool = inputs;
  for (int i = 0; i < 2000; ++i) {
    const Expr a = pool[random() % pool.size()], b = pool[random() % pool.size()];
    pool.push_back(i % 3 == 0 ? sin(a) : i % 3 == 1 ? cos(a) * b : a - b);
  }
  const kernel::Lowered program = kernel::lower(pool, inputs);
  std::vector<bool> done(program.steps.size(), false);
  for (const kernel::StepId s : kernel::schedule(program)) {
    for (const kernel::ValueId v : program.steps[s].operand) {
      if (v != kernel::no_value && program.values[v].kind == kernel::Value::Kind::computed) {
        ASSERT_NE(program.values[v].step, kernel::no_step);
        ASSERT_TRUE(done[program.values[v].step]);
      }
    }
    ASSERT_FALSE(done[s]);
    done[s] = true;
  }
  for (const bool is_done : done) EXPECT_TRUE(is_done);
}

// Depth first a tree needs Sethi and Ullman's number of temporaries; drawing equal opcodes together within a
// window of 16 steps lets at most 16 results wait besides.
constexpr int window = 16;

TEST(Schedule, ASumOfAThousandTermsNeedsFewTemporaries) {
  Graph graph;
  std::vector<Expr> inputs;
  Expr from_left = 0, from_right = 0;
  for (int i = 0; i < 1000; ++i) {
    inputs.push_back(graph.symbol("x" + std::to_string(i)));
    from_left += sin(inputs[i] * inputs[i / 2]);
  }
  for (int i = 0; i < 1000; ++i) from_right = exp(inputs[i] * inputs[i / 2]) + from_right;
  EXPECT_LE(temporaries(Kernel({&from_left, 1}, inputs)), 2 + window);
  EXPECT_LE(temporaries(Kernel({&from_right, 1}, inputs)), 2 + window);
}

TEST(Schedule, ABalancedTreeNeedsAsManyTemporariesAsItIsHigh) {
  Graph graph;
  std::vector<Expr> inputs;
  for (int i = 0; i < 1024; ++i) inputs.push_back(graph.symbol("x" + std::to_string(i)));
  std::vector<Expr> level = inputs;
  while (level.size() > 1) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i < level.size(); i += 2) next.push_back(level[i] / (1 + exp(level[i + 1])));
    level = next;
  }
  EXPECT_LE(temporaries(Kernel(level, inputs)), 11 + window);
}

TEST(Schedule, ALopsidedTreeIsWalkedFromItsDeepSide) {
  // a_n = f(shallow, a_(n-1)): from the left, every shallow side would wait for the deep one.
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr deep = x;
  for (int i = 0; i < 1000; ++i) deep = atan2(exp(x * i), deep);
  EXPECT_LE(temporaries(Kernel({&deep, 1}, {&x, 1})), 2 + window);
}

TEST(Schedule, DrawsEqualOpcodesTogether) {
  Graph graph;
  std::vector<Expr> inputs, outputs;
  for (int i = 0; i < 64; ++i) {
    inputs.push_back(graph.symbol("x" + std::to_string(i)));
    outputs.push_back(exp(sqrt(-inputs[i])));
  }
  const Kernel program(outputs, inputs);
  int changes = 0;
  for (std::size_t i = 1; i < program.code().size(); ++i)
    changes += program.code()[i].op != program.code()[i - 1].op;
  EXPECT_LT(changes, 192 / 4);  // depth first alone: 191
}

TEST(Schedule, AChainOfAHundredThousandLinksIsCompiledAndRunInNoTime) {
  Graph graph;
  const Expr x = graph.symbol("x");
  Expr chain = x;
  for (int i = 0; i < 100'000; ++i) chain = i % 2 == 0 ? 1 / (chain + x) : sqrt(chain);
  Kernel program;
  double value = 0;
  const double seconds = seconds_of([&] {
    program = Kernel({&chain, 1}, {&x, 1});
    value = evaluate(program, std::vector<double>{2.0})[0];
  });
  double want = 2.0;
  for (int i = 0; i < 100'000; ++i) want = i % 2 == 0 ? 1 / (want + 2.0) : std::sqrt(want);
  EXPECT_EQ(value, want);
  EXPECT_LE(temporaries(program), 1);
  EXPECT_LT(seconds, 1.0);  // a twentieth of it is usual: room for sanitizers
}

TEST(Schedule, CompilingIsLinear) {
  const auto compile = [](bool large) {
    Graph graph;
    std::mt19937 random(1);
    std::vector<Expr> inputs = {graph.symbol("x"), graph.symbol("y")}, pool = inputs;
    for (int i = 0; i < (large ? 300'000 : 30'000); ++i) {
      const std::size_t recent = pool.size() - std::min<std::size_t>(pool.size(), 50);
      const Expr a = pool[recent + random() % (pool.size() - recent)], b = pool[random() % pool.size()];
      pool.push_back(i % 4 == 0 ? sin(a) : a * b + a);
    }
    return seconds_of([&] { Kernel({pool.data(), pool.size()}, inputs); });
  };
  // Ten times the size in ten times the time, and up to three times that where caches and pages run out and
  // others use them, too; 100 times if quadratic.
  test::expect_growth_below(50, compile);
}

}  // namespace
}  // namespace vinculum
