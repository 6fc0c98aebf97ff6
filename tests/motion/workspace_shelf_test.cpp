// A motion works in the memory that an earlier one has left, and nothing of that one is in it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "motion/series_models.hpp"
#include "motion/systems.hpp"
#include "support/allocations.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

/// A parallelogram in space, two rows of it redundant, which lie flat when they are passed; lengths live.
Model parallelogram() {
  Model m;
  const Expr length = m.parameter("length", 1.0);
  m.gravity({0, -9.81, 0});
  const Particle a = m.particle("a", {.mass = 1, .position = {0, 1, 0}, .velocity = {3, 0, 0}}),
                 b = m.particle("b", {.mass = 2, .position = {2, 1, 0}, .velocity = {3, 0, 0}});
  m.constrain("left", norm_squared(a), length * length);
  m.constrain("right", pow(b.x - 2, 2) + b.y * b.y + b.z * b.z, length * length);
  m.constrain("coupler", norm_squared(b - a), 4);
  m.constrain("coupler_again", b.x - a.x, 2);
  return m;
}

Model driven() {
  Model m;
  const Expr pace = m.parameter("pace", 2.0);
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 1});
  for (const Coordinate& q : {x, y}) m.mass(q, 1);
  m.constrain("circle", x * x + y * y, 1);
  m.force(x, sin(pace * m.time()));
  return m;
}

struct Asked {
  double value, until, tolerance;
  Integrator method;
  Stabilisation keep;
};
constexpr Asked asked[] = {
    {1.0, 1.5, 1e-9, Integrator::dop853, Stabilisation::projection},
    {1.1, 0.7, 1e-6, Integrator::taylor, Stabilisation::projection},
    {1.0, 0.9, 1e-8, Integrator::extrapolation, Stabilisation::projection},
    {1.0, -0.4, 1e-9, Integrator::dop853, Stabilisation::projection},
    {1.1, 0.5, 1e-9, Integrator::dopri5, Stabilisation::baumgarte},
    {1.2, 0.5, 1e-7, Integrator::radau5, Stabilisation::projection},
    {1.0, 0.5, 1e-9, Integrator::dop853, Stabilisation::none},
};

Trajectory motion_of(const System& system, const Asked& how) {
  MotionOptions options;
  options.until = how.until;
  options.tolerance = how.tolerance;
  options.integrator = how.method;
  options.keep = how.keep;
  options.samples = 20;
  options.start_tolerance = 0.5;  // other lengths, the same start
  return simulate(system, options);
}

testing::AssertionResult same(const Trajectory& one, const Trajectory& other) {
  if (one.reason != other.reason) return testing::AssertionFailure() << one.reason << "; " << other.reason;
  if (one.notes != other.notes) return testing::AssertionFailure() << "other notes";
  if (one.evaluations != other.evaluations || one.steps != other.steps || one.size() != other.size())
    return testing::AssertionFailure() << "other steps";
  for (int i = 0; i < one.size(); ++i) {
    const Sample a = one[i], b = other[i];
    for (const auto part : {&Sample::q, &Sample::v, &Sample::acceleration, &Sample::multipliers})
      for (std::size_t k = 0; k < (a.*part).size(); ++k)
        if (!((a.*part)[k] == (b.*part)[k]) && !(std::isnan((a.*part)[k]) && std::isnan((b.*part)[k])))
          return testing::AssertionFailure() << "other numbers at t = " << a.t;
  }
  return testing::AssertionSuccess();
}

/// Its first parameter has that value, where it has any.
System with(const System& system, double value) {
  Parameters living = system.parameters();
  if (living.names().empty()) return system;
  living.values()[0] = value;
  return system.with(living);
}

TEST(WorkspaceShelf, AMotionAfterOthersIsTheOneItIsAlone) {
  struct Case {
    Model model;
    std::vector<std::string> living;
  };
  for (const auto& [model, living] : {Case{parallelogram(), {"length"}}, Case{driven(), {"pace"}},
                                      Case{test::dragged(), {}}, Case{test::rubbed_on_a_ring(), {}}}) {
    const System system(model, living);
    for (int round = 0; round < 2; ++round)
      for (const Asked& how : asked) {
        const Trajectory after_others = motion_of(with(system, how.value), how);
        EXPECT_TRUE(same(after_others, motion_of(with(System(model, living), how.value), how)));
      }
  }
}

TEST(WorkspaceShelf, MotionsOfSeveralThreadsDoNotMeet) {
  const System system(driven());
  const Trajectory alone = motion_of(system, asked[0]);
  std::vector<std::thread> crew;
  std::vector<int> agreed(4, 0);
  for (int k = 0; k < 4; ++k)
    crew.emplace_back([&, k] {
      for (int round = 0; round < 50; ++round) agreed[k] += same(motion_of(system, asked[0]), alone) ? 1 : 0;
    });
  for (std::thread& one : crew) one.join();
  EXPECT_EQ(agreed, std::vector<int>(4, 50));
}

/// Most of a short motion is what begins and ends it, and most of that is memory.
TEST(WorkspaceShelf, WhatASecondMotionAllocatesIsLittle) {
  if (!allocations_are_counted()) GTEST_SKIP() << "a sanitizer brings memory of its own";
  const System system(driven());
  MotionOptions options;
  options.until = 0.001;
  options.samples = 1;
  options.integrator = Integrator::dop853;
  simulate(system, options);
  const long before = allocations();
  simulate(system, options);
  EXPECT_LT(allocations() - before, 260);  // it was some 400 before workspaces were left to others
}

}  // namespace
}  // namespace vinculum
