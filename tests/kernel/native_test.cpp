#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "kernel/evaluation.hpp"
#include "kernel/native/code.hpp"
#include "kernel/random_program.hpp"

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#endif

namespace vinculum::kernel::native {
namespace {
using test::random_inputs;
using test::RandomProgram;
using test::Registers;
using test::same_bits;

/// A register file with inputs in it, for one lane or eight.
Registers file_of(const Kernel& kernel, const std::vector<std::vector<double>>& points, int lanes) {
  Registers file(kernel.register_count());
  prepare(kernel, file.data(), lanes);
  for (int lane = 0; lane < lanes; ++lane)
    for (std::size_t i = 0; i < points[lane].size(); ++i) file[lanes * i + lane] = points[lane][i];
  return file;
}

/// Whether machine code of that width gives the bits of the interpreter; how often it was left in `left`.
testing::AssertionResult agrees(const Kernel& kernel, const std::vector<std::vector<double>>& points,
                                int lanes, int width, int& left) {
  const auto code = Code::of(kernel, lanes, width);
  if (code == nullptr) return testing::AssertionFailure() << "no code";
  Registers native = file_of(kernel, points, lanes), interpreted = file_of(kernel, points, lanes);
  lanes == 1 ? run(kernel, interpreted.data()) : run_lanes(kernel, interpreted.data());
  if (!code->run(native.data())) {
    ++left;
    return testing::AssertionSuccess();
  }
  const std::size_t given = kernel.input_count() + kernel.constants().size();
  for (std::size_t i = 0; i < given * lanes; ++i)
    if (!same_bits(native[i], interpreted[i]))
      return testing::AssertionFailure() << "wrote over what was given";
  for (const std::uint32_t r : kernel.outputs())
    for (int lane = 0; lane < lanes; ++lane) {
      const double got = native[lanes * std::size_t{r} + lane],
                   want = interpreted[lanes * std::size_t{r} + lane];
      if (!same_bits(got, want))
        return testing::AssertionFailure()
               << "width " << width << ", lane " << lane << ": " << got << " instead of " << want;
    }
  return testing::AssertionSuccess();
}

testing::AssertionResult agrees_on_every_width(const Kernel& kernel,
                                               const std::vector<std::vector<double>>& points, int& left) {
  for (const int lanes : {1, lane_count})
    for (const int width : widths(lanes))
      if (const auto result = agrees(kernel, points, lanes, width, left); !result) return result;
  return testing::AssertionSuccess();
}

TEST(Native, RandomProgramsHaveTheBitsOfTheInterpreter) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0, 1);
  int left = 0, tame_left = 0;
  for (int round = 0; round < 1500; ++round) {
    const RandomProgram sample(random);
    const Kernel kernel(sample.outputs, sample.inputs);
    std::vector<std::vector<double>> points, tame(lane_count, std::vector<double>(sample.inputs.size()));
    for (int lane = 0; lane < lane_count; ++lane)
      points.push_back(random_inputs(sample.inputs.size(), random));
    for (auto& point : tame)
      for (double& x : point) x = normal(random);
    ASSERT_TRUE(agrees_on_every_width(kernel, points, left)) << "round " << round;
    ASSERT_TRUE(agrees_on_every_width(kernel, tame, tame_left)) << "round " << round;
  }
  EXPECT_GT(left, 0);          // some angles are beyond what the formulas reduce
  EXPECT_LT(tame_left, 3500);  // of 4500: else the comparison would say little
}

/// Inputs in parts of a state, some outputs written where the run is told: against a kernel without either.
TEST(Native, ReadsInputsFromAStateAndWritesOutputsWhereItIsTold) {
  std::mt19937_64 random(16);
  std::normal_distribution<double> normal(0, 1);
  int compared = 0;
  for (int round = 0; round < 600; ++round) {
    RandomProgram sample(random);
    sample.outputs.push_back(sample.inputs[1]);  // an output may be an input, a constant, or come twice
    sample.outputs.insert(sample.outputs.begin(),
                          {sample.inputs[2], 0.5, sample.outputs.back(), sample.inputs[2]});
    const std::size_t parts = 1 + random() % 7, from_state = random() % (sample.inputs.size() + 1);
    std::vector<InputPlace> places;
    for (std::uint32_t i = 0; i < from_state; ++i)
      places.push_back(
          {static_cast<std::uint32_t>(random() % parts), static_cast<std::uint32_t>(random() % 40)});
    const int written = static_cast<int>(random() % (sample.outputs.size() + 1));
    const Kernel plain(sample.outputs, sample.inputs), kernel(sample.outputs, sample.inputs, places, written);
    for (const int lanes : {1, lane_count})
      for (const int width : widths(lanes)) {
        std::vector<std::vector<double>> state(parts, std::vector<double>(40 * lanes));
        std::vector<const double*> part;
        for (auto& numbers : state) {
          for (double& x : numbers) x = normal(random);
          part.push_back(numbers.data());
        }
        Registers file(kernel.register_count()), want(plain.register_count());
        prepare(kernel, file.data(), lanes);
        prepare(plain, want.data(), lanes);
        for (std::size_t i = 0; i < sample.inputs.size(); ++i)
          for (int lane = 0; lane < lanes; ++lane)
            file[lanes * i + lane] = want[lanes * i + lane] =
                i < from_state ? state[places[i].part][lanes * places[i].index + lane] : normal(random);
        std::vector<double> out(lanes * written + 1, -1.0);
        const auto code = Code::of(kernel, lanes, width);
        ASSERT_NE(code, nullptr);
        for (std::size_t i = 0; i < lanes * from_state; ++i) file[i] = test::nan;  // must not be read
        if (!code->run(file.data(), part.data(), out.data())) continue;
        lanes == 1 ? run(plain, want.data()) : run_lanes(plain, want.data());
        for (std::size_t k = 0; k < sample.outputs.size(); ++k)
          for (int lane = 0; lane < lanes; ++lane) {
            const double expected = want[lanes * std::size_t{plain.outputs()[k]} + lane];
            const double got = k < static_cast<std::size_t>(written)
                                   ? out[lanes * k + lane]
                                   : file[lanes * std::size_t{kernel.outputs()[k]} + lane];
            ASSERT_TRUE(same_bits(got, expected))
                << "round " << round << ", width " << width << ", output " << k;
            ++compared;
          }
        EXPECT_EQ(out.back(), -1.0);
      }
  }
  EXPECT_GT(compared, widths(1).empty() ? -1 : 10000);
}

TEST(Native, ProgramsThatNeedMoreThanAllRegistersHaveTheBitsOfTheInterpreter) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal(0, 1);
  for (int round = 0; round < 20; ++round) {
    Graph graph;
    std::vector<Expr> inputs;
    for (int i = 0; i < 200; ++i) inputs.push_back(graph.symbol("x" + std::to_string(i)));
    std::vector<Expr> values = inputs;
    for (int k = 0; k < 3000; ++k) {
      const auto pick = [&] { return values[random() % values.size()]; };
      values[random() % values.size()] = k % 100 == 0 ? sin(pick())
                                         : k % 3 == 0 ? pick() * pick()
                                         : k % 7 == 0 ? max(pick(), pick())
                                                      : pick() - 0.5 * pick();
    }
    const Kernel kernel(values, inputs);
    std::vector<std::vector<double>> points(lane_count, std::vector<double>(inputs.size()));
    for (auto& point : points)
      for (double& x : point) x = 0.3 * normal(random);
    int left = 0;
    ASSERT_TRUE(agrees_on_every_width(kernel, points, left)) << "round " << round;
  }
}

TEST(Native, EveryOperationByItselfHasTheBitsOfTheInterpreterForSpecialValues) {
  const double values[] = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           0.5,
                           2.0,
                           1e-310,
                           -1e-310,
                           1e300,
                           -1e300,
                           3.0,
                           0x1p20,
                           1e7,
                           test::inf,
                           -test::inf,
                           test::nan,
                           1.5707963267948966,
                           -40.0,
                           710.0,
                           -745.5,
                           1e-20};
  std::mt19937_64 random(13);
  int left = 0;
  for (int op = static_cast<int>(Op::add); op < op_count; ++op) {
    Graph graph;
    const std::vector<Expr> x = {graph.symbol("a"), graph.symbol("b"), graph.symbol("c"), graph.symbol("d")};
    const Expr e = static_cast<Op>(op) == Op::select       ? if_less(x[0], x[1], x[2], x[3])
                   : static_cast<Op>(op) == Op::less       ? if_less(x[0], x[1], 1, 0)
                   : static_cast<Op>(op) == Op::less_equal ? if_less_equal(x[0], x[1], 1, 0)
                                                           : graph.make(static_cast<Op>(op), x[0], x[1]);
    const Kernel kernel({&e, 1}, x);
    for (int round = 0; round < 60; ++round) {
      std::vector<std::vector<double>> points(lane_count, std::vector<double>(x.size()));
      for (auto& point : points)
        for (double& value : point) value = values[random() % std::size(values)];
      ASSERT_TRUE(agrees_on_every_width(kernel, points, left)) << op_name(static_cast<Op>(op));
    }
  }
}

/// A formula that looks at its argument last, where the argument was in memory and its value goes there.
TEST(Native, ArgumentsOutsideAFormulaAreSeenHoweverManyValuesWait) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> number(-3, 6);
  for (const Op op : {Op::log, Op::exp, Op::tan, Op::sin, Op::sinh, Op::cosh, Op::power, Op::atan2})
    for (int count = 1; count <= 12; ++count) {
      Graph graph;
      std::vector<Expr> inputs, outputs;
      for (int i = 0; i <= count; ++i) inputs.push_back(graph.symbol("x" + std::to_string(i)));
      for (int i = 0; i < count; ++i)
        outputs.push_back(graph.make(op, inputs[i] * inputs[i + 1], inputs[i] + inputs[i + 1]));
      const Kernel kernel(outputs, inputs);
      int left = 0;
      for (int trial = 0; trial < 40; ++trial) {
        std::vector<std::vector<double>> points(lane_count, std::vector<double>(inputs.size()));
        for (auto& point : points)
          for (double& x : point) x = std::fabs(number(random));
        const double rare[] = {test::inf, -1.0, 0.0, 1e300, test::nan, 1e-310};
        if (trial % 2 == 0) points[random() % lane_count][random() % inputs.size()] = rare[random() % 6];
        if (trial % 4 == 0) points[0][random() % inputs.size()] = rare[random() % 6];
        ASSERT_TRUE(agrees_on_every_width(kernel, points, left)) << op_name(op) << ", " << count;
      }
    }
}

TEST(Native, TheRunOfAKernelHasTheBitsOfTheInterpreterAlsoWhereTheCodeIsLeft) {
  Graph graph;
  const Expr x = graph.symbol("x"), f = sin(x) + cos(3 * x);
  const Kernel kernel({&f, 1}, {&x, 1});
  KernelRun one(kernel, 1), eight(kernel, lane_count);
  for (const double at : {0.5, 1e6, 2e6, 1e300, -4e9, 1.0}) {
    *one.input(0) = at;
    for (int lane = 0; lane < lane_count; ++lane) eight.input(0)[lane] = lane % 2 == 0 ? 0.25 * lane : at;
    one.run();
    eight.run();
    const double want = test::value_at(f, {&x, 1}, {&at, 1});
    EXPECT_TRUE(same_bits(*one.output(0), want)) << at;
    EXPECT_TRUE(same_bits(eight.output(0)[3], want)) << at;
    const double tame = 0.5;
    EXPECT_TRUE(same_bits(eight.output(0)[2], test::value_at(f, {&x, 1}, {&tame, 1})));
  }
}

TEST(Native, AFunctionInCppMayThrow) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Function root = graph.add_function({.name = "root",
                                            .arguments = 1,
                                            .value =
                                                [](std::span<const double> at) {
                                                  if (at[0] < 0) throw std::domain_error("below zero");
                                                  return std::sqrt(at[0]);
                                                },
                                            .gradient = {}});
  const Expr f = 2 * root(x) + x;
  const Kernel kernel({&f, 1}, {&x, 1});
  for (const int lanes : {1, lane_count}) {
    KernelRun run(kernel, lanes);
    for (int lane = 0; lane < lanes; ++lane) run.input(0)[lane] = 4.0 + lane;
    run.run();
    for (int lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(run.output(0)[lane], 2 * std::sqrt(4.0 + lane) + (4.0 + lane));
    run.input(0)[lanes - 1] = -1;
    EXPECT_THROW(run.run(), std::domain_error);
    run.input(0)[lanes - 1] = 9;
    run.run();
    EXPECT_EQ(run.output(0)[lanes - 1], 15);
  }
}

/// Sanitizers of calls look there for a mark, which must not be one.
TEST(Native, WhatStandsBeforeTheCodeCanBeReadAndIsZero) {
  if (widths(1).empty()) GTEST_SKIP() << "no code is written for this processor";
  Graph graph;
  const std::vector<Expr> inputs{graph.symbol("x")}, outputs{inputs[0] * inputs[0]};
  const Kernel kernel(outputs, inputs);
  const auto code = Code::of(kernel, 1, widths(1).back());
  ASSERT_NE(code, nullptr);
  std::uint64_t before[2];
  std::memcpy(before, reinterpret_cast<const char*>(code->whole()) - sizeof before, sizeof before);
  EXPECT_EQ(before[0] | before[1], 0u);
}

/// Registers that a function need not keep, and that a compiler seldom comes to.
void spoil_registers() {
#if defined(__aarch64__)
  asm volatile(
      "mov x9, 0; mov x10, 0; mov x11, 0; mov x12, 0; mov x13, 0;"
      "mov x14, 0; mov x15, 0; mov x16, 0; mov x17, 0" ::
          : "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17");
#elif defined(__x86_64__) && defined(__GNUC__)
  asm volatile("mov $0, %%r8; mov $0, %%r9; mov $0, %%r10; mov $0, %%r11" ::: "r8", "r9", "r10", "r11");
#endif
}

/// More than some instructions reach: 1 MB of code, 32 kB of inputs, outputs and registers.
TEST(Native, CodeOfMegabytesHasTheBitsOfTheInterpreter) {
  Graph graph;
  const Function root = graph.add_function({.name = "root",
                                            .arguments = 1,
                                            .value =
                                                [](std::span<const double> at) {
                                                  if (at[0] < 0) throw std::domain_error("below zero");
                                                  spoil_registers();
                                                  return std::sqrt(at[0]);
                                                },
                                            .gradient = {}});
  constexpr std::size_t count = 5000, written = count - 500;
  std::vector<Expr> inputs, outputs;
  std::vector<InputPlace> places;
  for (std::uint32_t i = 0; i < count; ++i) {
    inputs.push_back(graph.symbol("x" + std::to_string(i)));
    if (i < count / 2) places.push_back({i % 3, 2 * i});  // the others stand in registers
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Expr x = inputs[i * 7 % count], y = inputs[(i * 7 + count / 2) % count];
    const Expr value = sin(x) * y - exp(-x);
    outputs.push_back(i % 40 == 0 || i + 1 == count ? root(x) + value : value);
  }
  const Kernel plain(outputs, inputs), kernel(outputs, inputs, places, written);
  std::mt19937_64 random(18);
  std::uniform_real_distribution<double> number(0.1, 2);
  for (const int lanes : {1, lane_count}) {
    std::vector<std::vector<double>> state(3, std::vector<double>(lanes * count));
    const double* const part[] = {state[0].data(), state[1].data(), state[2].data()};
    Registers file(kernel.register_count()), want(plain.register_count());
    prepare(kernel, file.data(), lanes);
    prepare(plain, want.data(), lanes);
    const auto give = [&](std::size_t input, int lane, double x) {
      want[lanes * input + lane] = x;
      (input < places.size() ? state[places[input].part][lanes * places[input].index + lane]
                             : file[lanes * input + lane]) = x;
    };
    for (std::size_t i = 0; i < count; ++i)
      for (int lane = 0; lane < lanes; ++lane) give(i, lane, number(random));
    lanes == 1 ? run(plain, want.data()) : run_lanes(plain, want.data());
    for (const int width : widths(lanes)) {
      const auto code = Code::of(kernel, lanes, width);
      ASSERT_NE(code, nullptr);
      EXPECT_GT(code->size(), std::size_t{2} << 20);
      std::vector<double> out(lanes * written + 1, -1.0);
      const auto agrees = [&] {
        for (std::size_t k = 0; k < count; ++k)
          for (int lane = 0; lane < lanes; ++lane) {
            const double got =
                k < written ? out[lanes * k + lane] : file[lanes * std::size_t{kernel.outputs()[k]} + lane];
            if (!same_bits(got, want[lanes * std::size_t{plain.outputs()[k]} + lane]))
              return testing::AssertionFailure() << "width " << width << ", output " << k;
          }
        return testing::AssertionSuccess();
      };
      ASSERT_TRUE(code->run(file.data(), part, out.data()));
      ASSERT_TRUE(agrees());
      EXPECT_EQ(out.back(), -1.0);
      // The code is left from its beginning and from its end, by an angle and by a function that throws.
      for (const std::size_t output : {std::size_t{0}, count - 1}) {
        const std::size_t input = output * 7 % count;
        const double before = want[lanes * input];
        give(input, 0, 1e9);
        std::fill(out.begin(), out.end(), -1.0);
        EXPECT_FALSE(code->run(file.data(), part, out.data()));
        EXPECT_EQ(out[lanes * (written - 1)] == -1.0, output == 0);
        EXPECT_NO_THROW(rethrow_what_code_called());
        give(input, 0, -1);
        EXPECT_FALSE(code->run(file.data(), part, out.data()));
        EXPECT_THROW(rethrow_what_code_called(), std::domain_error);
        give(input, 0, before);
      }
      ASSERT_TRUE(code->run(file.data(), part, out.data()));
      ASSERT_TRUE(agrees());
    }
  }
}

TEST(Native, TenThousandKernelsAreWrittenAndFreed) {
  std::mt19937_64 random(14);
  Graph graph;
  const Expr x = graph.symbol("x"), f = x * x + 3 * sin(x) - exp(x);
  const double at = 0.7, want = test::value_at(f, {&x, 1}, {&at, 1});
  std::vector<std::unique_ptr<std::pair<Kernel, KernelRun>>> alive(100);
  for (int k = 0; k < 10000; ++k) {
    auto& place = alive[random() % alive.size()];
    place = std::make_unique<std::pair<Kernel, KernelRun>>();
    place->first = Kernel({&f, 1}, {&x, 1});
    place->second = KernelRun(place->first, k % 2 == 0 ? 1 : lane_count);
    *place->second.input(0) = at;
    place->second.run();
    ASSERT_EQ(*place->second.output(0), want);
  }
}

TEST(Native, WritingIsLinear) {
  // Counted by the bytes of code, which no other process changes.
  std::mt19937_64 random(15);
  const auto bytes_per_instruction = [&](std::size_t size) {
    const RandomProgram sample(random, size);
    const Kernel kernel(sample.outputs, sample.inputs);
    return static_cast<double>(Code::of(kernel, 1, 1)->size()) / static_cast<double>(kernel.code().size());
  };
  if (widths(1).empty()) GTEST_SKIP() << "no code is written for this processor";
  EXPECT_NEAR(bytes_per_instruction(20000) / bytes_per_instruction(2000), 1.0, 0.3);
}

#ifdef __linux__
/// Refuses memory that can be run, as hardened systems do.
bool forbid_code() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(NativeDeathTest, WhereTheSystemRefusesCodeTheInterpreterRunsAndItIsSaid) {
  const auto interpreted = [] {
    if (!forbid_code()) std::exit(2);
    Graph graph;
    const Expr x = graph.symbol("x"), f = x * x;
    const Kernel kernel({&f, 1}, {&x, 1});
    KernelRun run(kernel, 1);
    *run.input(0) = 3;
    run.run();
    std::exit(*run.output(0) == 9 && kernel.native(1) == nullptr && !why_interpreted().empty() ? 0 : 1);
  };
  if (widths(1).empty()) GTEST_SKIP() << "no code is written for this processor";
  EXPECT_TRUE(why_interpreted().empty());
  bool has_no_filters = false;
  const auto well = [&](int status) {
    has_no_filters = testing::ExitedWithCode(2)(status);
    return has_no_filters || testing::ExitedWithCode(0)(status);
  };
  EXPECT_EXIT(interpreted(), well, "");
  if (has_no_filters) GTEST_SKIP() << "this system has no filters of system calls";
}
#endif

TEST(Native, TheInterpreterCanBeChosen) {
  Graph graph;
  const Expr x = graph.symbol("x"), f = x * x;
  const Kernel kernel({&f, 1}, {&x, 1});
  choose_kernel_road(KernelRoad::interpret);
  EXPECT_EQ(kernel.native(1), nullptr);
  choose_kernel_road(KernelRoad::native);
  EXPECT_EQ(kernel.native(1) == nullptr, widths(1).empty());
}

}  // namespace
}  // namespace vinculum::kernel::native
