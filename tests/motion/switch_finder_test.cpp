// What switches cost: one that is crossed a handful of steps, one that is not nothing; and no accuracy.
#include <gtest/gtest.h>

#include <cmath>

#include "systems.hpp"
#include "until.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

/// A step to the switch that is refused, one to just before it, a short one, and a hop: some fifty
/// evaluations of dop853. What lies between two crossings is smooth and is made in one or two steps here.
constexpr double usual_cost = 70;

long crossings_until(double end) { return std::lround(std::floor((end / std::sqrt(2.0) + 1) / 2)); }

/// Constant forces towards x = 0 from x = 1: parabolas of sqrt 2 to either side.
double thrown_to_and_fro(double end) {
  const double quarter = std::sqrt(2.0), since = std::fmod(end, 4 * quarter);
  const double turn = since < quarter ? 0 : since < 3 * quarter ? 2 * quarter : 4 * quarter;
  const double height = 1 - (since - turn) * (since - turn) / 2;
  return turn == 2 * quarter ? -height : height;
}

TEST(SwitchCost, ACrossingTakesAHandfulOfSteps) {
  const Model m = test::on_line(1, 0, [](auto& x, auto&) { return -sign(x); });
  const Trajectory motion = simulate(System(m), test::asked("dop853", 1e-9, 1001));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.last.q[0], thrown_to_and_fro(1001), 1e-9);
  EXPECT_LT(motion.evaluations, usual_cost * crossings_until(1001));
}

/// Looked for one by one, switches of one instant would be cut at in turn.
TEST(SwitchCost, SwitchesOfOneInstantAreCrossedTogether) {
  Model m;
  for (int k = 0; k < 8; ++k) {
    const Coordinate x = m.coordinate("x" + std::to_string(k), {k % 2 == 0 ? 1.0 : -1.0, 0});
    m.mass(x, 1.0 + k);
    m.force(x, -(1.0 + k) * sign(x));
  }
  const Trajectory motion = simulate(System(m), test::asked("dop853", 1e-9, 101));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (int k = 0; k < 8; ++k)
    EXPECT_NEAR(motion.last.q[k], (k % 2 == 0 ? 1 : -1) * thrown_to_and_fro(101), 1e-10) << k;
  EXPECT_LT(motion.evaluations, usual_cost * crossings_until(101));
}

/// Forces that set in one after the other, some of them nearly at once, all within what would be one step.
TEST(SwitchCost, SeveralThatLieInOneStepAreCrossedInTheirOrder) {
  const std::vector<double> begins{5, 5 + 1e-10, 5.0001, 5.01, 5.02, 5.02, 5.3};
  const Model m = test::on_line(0, 1, [&](auto&, auto& t) {
    Expr sum = 0.0;
    for (const double begin : begins) sum = sum + if_less(t, begin, 0.0, 1.0);
    return sum;
  });
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const Trajectory motion = simulate(System(m), test::asked(method, 1e-9, 100));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    double v = 1, x = 100;
    for (const double begin : begins) {
      v += 100 - begin;
      x += (100 - begin) * (100 - begin) / 2;
    }
    EXPECT_NEAR(motion.last.v[0], v, 1e-10 * v) << method;
    EXPECT_NEAR(motion.last.q[0], x, 1e-10 * x) << method;
  }
}

/// A fall from 1 m, and half a swing on a spring: hundreds of switches, each known in closed form.
TEST(SwitchCost, ABallThatBouncesOnASpringKeepsItsTime) {
  const double g = 9.81, k = 1e4, v0 = std::sqrt(2 * g), w = std::sqrt(k);
  const double fall = v0 / g, phase = std::acos(g / k / std::hypot(g / k, v0 / w));
  const double period = 2 * fall + 2 * (M_PI - phase) / w;
  const Model m = test::on_line(1, 0, [&](auto& x, auto&) { return -g + if_less(x, 0.0, -k * x, 0.0); });
  const int bounces = 100;
  const double since = 0.2, end = bounces * period + since;
  const Trajectory motion = simulate(System(m), test::asked("dop853", 1e-10, end));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.last.q[0], 1 - g * since * since / 2, 1e-8);
  EXPECT_NEAR(motion.last.v[0], -g * since, 1e-7);
  // The swing and the fall are smooth, and take as many steps as they do without the switch.
  const auto without = [&](double x0, double v, double pull, double time) {
    const Model same = test::on_line(x0, v, [&](auto& x, auto&) { return -g - pull * x; });
    return simulate(System(same), test::asked("dop853", 1e-10, time)).evaluations;
  };
  const double smooth = without(0, -v0, k, period - 2 * fall) + without(0, v0, 0, 2 * fall);
  EXPECT_LT(motion.evaluations, bounces * (smooth + 2 * usual_cost));
}

/// A switch that is never crossed is only looked at, whether it is far or nearly met.
TEST(SwitchCost, OneThatIsNotCrossedIsFree) {
  const auto evaluations = [](double at) {
    const Model m = test::on_line(0, 1, [&](auto& x, auto&) { return if_less(x, at, -Expr(x), 7.0); });
    const Trajectory motion = simulate(System(m), test::asked("dop853", 1e-9, 50));
    EXPECT_NEAR(motion.last.q[0], std::sin(50), 1e-7) << at;
    return motion.evaluations;
  };
  EXPECT_EQ(evaluations(2), evaluations(1e9));
  EXPECT_LT(evaluations(1 + 1e-6), 1.5 * evaluations(1e9));
}

TEST(SwitchCost, ThatIsGrazedIsCrossedAndCrossedBack) {
  for (const double above : {1e-3, 1e-6, 1e-9}) {
    // Beyond x = 1 - above the pull is what it is there: the way through is a parabola instead of an arc.
    const Model m =
        test::on_line(0, 1, [&](auto& x, auto&) { return if_less(x, 1 - above, -Expr(x), -1 + above); });
    const Trajectory motion = simulate(System(m), test::asked("dop853", 1e-10, 2.5));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    const double in = std::asin(1 - above), up = std::sqrt(1 - (1 - above) * (1 - above)),
                 through = 2 * up / (1 - above);
    EXPECT_NEAR(motion.last.q[0], std::sin(2.5 - through + M_PI - 2 * in), 1e-8) << above;
    EXPECT_LT(motion.evaluations, 600) << above;
  }
}

/// Blocks that stick and slip: what holds the motion is met by steps of which no stage may stand beyond.
TEST(SwitchCost, BlocksThatStickAndSlipTakeAHandfulOfStepsEach) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}}),
                 q = m.particle("q", {.mass = 2, .position = {1, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.constrain("under_p", p.z);
  m.constrain("under_q", q.z);
  m.friction("under_p", 0.3);
  m.friction("under_q", 0.2);
  m.force(p, {4 * sin(3 * m.time()) + 5 * (q.x - p.x - 1.0), 0.0, 0.0});
  m.force(q, {-5 * (q.x - p.x - 1.0), 0.0, 0.0});
  const System system(m);
  const Trajectory motion = simulate(system, test::asked("dop853", 1e-9, 30)),
                   fine = simulate(system, test::asked("dop853", 1e-12, 30));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  ASSERT_EQ(motion.grip_changes.size(), fine.grip_changes.size());
  for (std::size_t k = 0; k < fine.grip_changes.size(); ++k)
    EXPECT_NEAR(motion.grip_changes[k].time, fine.grip_changes[k].time, 1e-7) << k;
  EXPECT_LT(motion.evaluations, 4 * usual_cost * static_cast<double>(fine.grip_changes.size()))
      << fine.grip_changes.size();
  EXPECT_NEAR(motion.last.q[0], fine.last.q[0], 1e-8);
}

}  // namespace
}  // namespace vinculum
