// Through singular positions: the four-bars lie flat, and all their rows but one freedom's depend on each
// other.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/systems.hpp"

namespace vinculum {
namespace {

struct Outcome {
  Trajectory motion;
  double miss = 0;  // of the upper end of the first upright, against the exact motion [m]
};

Outcome run(const System& system, const test::Upright& exact, MotionOptions options) {
  options.until = 10;
  options.samples = 1;
  Outcome o{simulate(system, options)};
  o.miss = std::hypot(o.motion.last.q[0] - std::sin(exact.theta), o.motion.last.q[1] - std::cos(exact.theta));
  return o;
}

void expect_passed(const Outcome& o, const std::string& what) {
  EXPECT_EQ(o.motion.stop, Stop::end) << what << ": " << o.motion.reason;
  EXPECT_LT(o.miss, 1e-6) << what;
  EXPECT_LT(std::fabs(o.motion.drift()), 1e-4) << what;
}

TEST(SingularPosition, OneFourBarPassesAtAHundredTolerances) {
  const System system(test::four_bars(1));
  const test::Upright exact = test::exact_upright(1, 10);
  for (int k = 0; k < 100; ++k) {
    MotionOptions options;
    options.tolerance = 1e-7 * std::pow(10, -0.05 * k);
    expect_passed(run(system, exact, options), "tolerance " + std::to_string(options.tolerance));
  }
}

TEST(SingularPosition, OneFourBarPassesWithEveryAdaptiveMethod) {
  const System system(test::four_bars(1));
  const test::Upright exact = test::exact_upright(1, 10);
  for (const char* name : {"dopri5", "extrapolation", "radau5"})
    for (int k = 0; k < 20; ++k) {
      MotionOptions options;
      options.integrator = name;
      options.tolerance = 1e-8 * std::pow(10, -0.1 * k);
      expect_passed(run(system, exact, options), std::string(name) + " " + std::to_string(k));
    }
}

TEST(SingularPosition, FixedStepsNeverFailWhereverTheyFall) {
  // Truncation of order 4 at the largest of these steps is 1e-4 m; a branch missed would be 1 m.
  const System system(test::four_bars(1));
  const test::Upright exact = test::exact_upright(1, 10);
  for (int k = 0; k < 100; ++k) {
    MotionOptions options;
    options.integrator = "rk4";
    options.step = 1e-2 * (1 + 0.002 * (k - 50));
    const Outcome o = run(system, exact, options);
    EXPECT_EQ(o.motion.stop, Stop::end) << options.step << ": " << o.motion.reason;
    EXPECT_LT(o.miss, 1e-3) << options.step;
    EXPECT_LT(std::fabs(o.motion.drift()), 1e-3) << options.step;
  }
}

TEST(SingularPosition, EveryPassageIsLoggedWithItsTimeAndNames) {
  const System system(test::four_bars(2));
  MotionOptions options;
  options.until = 1.4;
  options.tolerance = 1e-11;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.rank_changes.size(), 2u);
  const RankChange& first = motion.rank_changes[0];
  EXPECT_NEAR(first.time, 0.714355529292960472, 1e-9);  // reference case a02, N = 2
  EXPECT_EQ(first.before, 5);
  EXPECT_EQ(first.at, 3);
  EXPECT_EQ(first.after, 5);
  EXPECT_EQ(first.constraints,
            (std::vector<std::string>{"upright0", "upright1", "upright2", "coupler0", "coupler1"}));
}

TEST(SingularPosition, FortyFourBarsKeepTheirMotionAndTheirEnergy) {
  const System system(test::four_bars(40));
  const test::Upright exact = test::exact_upright(40, 10);
  MotionOptions options;
  options.tolerance = 1e-7;
  const Outcome o = run(system, exact, options);
  expect_passed(o, "forty");
  ASSERT_EQ(o.motion.rank_changes.size(), 10u);
  for (const RankChange& change : o.motion.rank_changes) {
    EXPECT_EQ(change.before, 81);
    EXPECT_EQ(change.at, 41);
    EXPECT_EQ(change.after, 81);
    EXPECT_EQ(change.constraints.size(), 81u);
  }
}

TEST(SingularPosition, ARowThatTurnsWithoutVanishingIsNoPassage) {
  // The pendulum's row (x, y) turns around in half a period and keeps its length.
  const System system(test::pendulum(0, 1, 5, 0));
  for (const char* name : {"dop853", "extrapolation"}) {
    MotionOptions options;
    options.until = 20;
    options.integrator = name;
    options.tolerance = 1e-6;
    EXPECT_TRUE(simulate(system, options).rank_changes.empty()) << name;
  }
}

TEST(SingularPosition, AMotionThatEndsInItIsRecorded) {
  const System system(test::four_bars(2));
  MotionOptions options;
  options.until = 0.714355529292960472;
  const Trajectory motion = simulate(system, options);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.last.q[0], 1, 1e-7);
}

/// A parallelogram of rods that starts flat, where its three rows depend on each other, on the way into one
/// of its two branches: both masses keep the angle of a pendulum of their own, 2 th'' = -cos th.
TEST(SingularPosition, AMotionThatBeginsInItGoesOn) {
  Model m;
  const Particle a = m.particle("a", {1.0, {1, 0, 0}, {0, 1, 0}}),
                 b = m.particle("b", {1.0, {3, 0, 0}, {0, 1, 0}});
  m.constrain("crank", norm(a.position()), 1);
  m.constrain("rocker", distance(b, {2, 0, 0}), 1);
  m.constrain("coupler", distance(a, b), 2);
  m.constrain("plane_a", a.z);
  m.constrain("plane_b", b.z);
  m.force(a.y, -1);
  Model angle;
  const Coordinate th = angle.coordinate("th", {0.0, 1.0});
  angle.mass(th, 2);
  angle.force(th, -cos(th));
  MotionOptions options;
  options.until = 1.2;  // before it is flat again
  const System system(m), reduced(angle);
  const Trajectory motion = simulate(system, options), expected = simulate(reduced, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double turned = expected.last.q[0];
  EXPECT_NEAR(motion.last.q[0], std::cos(turned), 1e-7);
  EXPECT_NEAR(motion.last.q[1], std::sin(turned), 1e-7);
  EXPECT_NEAR(motion.last.q[3], 2 + std::cos(turned), 1e-7);
  EXPECT_NEAR(motion.last.q[4], std::sin(turned), 1e-7);
}

}  // namespace
}  // namespace vinculum
