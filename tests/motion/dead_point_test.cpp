// Places that no motion leaves: dead points of a drive, and loads that no finite force holds.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "support/mechanisms.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using namespace test;

Trajectory run(const Model& model, double until, double tolerance) {
  MotionOptions options;
  options.until = until;
  options.tolerance = tolerance;
  return simulate(System(model), options);
}

/// Three rods and the ground, in a plane; the first is turned by t^2.
Model driven_loop() {
  const Vector3d corner[4] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1.2, 0, 0}};
  Model m;
  m.gravity({0, -9.81, 0});
  Part before;
  for (int k = 0; k < 4; ++k) {
    Part next;
    if (k < 3)
      next = m.body("rod" + std::to_string(k),
                    straight_between(corner[k], corner[k + 1],
                                     Straight::thin(0.5, (corner[k + 1] - corner[k]).norm())));
    m.joint("hinge" + std::to_string(k), before, next,
            {.type = JointType::revolute, .point = numbers(corner[k])});
    before = next;
  }
  m.constrain("motor", m.joint_angle("hinge0"), m.time() * m.time());
  m.servo("motor");
  return m;
}

/// A motor drives a crank whose coupler and rocker reach no farther than a straight line: there forces grow
/// beyond all limits, and the run ends soon, not in ever shorter steps.
TEST(DeadPoint, ADeadPointEndsTheRunWhereItIs) {
  const double reach = 1 + std::sqrt(1.04);
  const double turned = std::acos((1 + 1.44 - reach * reach) / 2.4) - std::numbers::pi / 2;
  for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
    const Trajectory motion = run(driven_loop(), 3, tolerance);
    EXPECT_EQ(motion.stop, Stop::step_too_small) << motion.reason;
    EXPECT_NEAR(motion.last.t, std::sqrt(turned), 1e-8);
    EXPECT_LT(motion.steps, 4000) << tolerance;
  }
}

/// Two rods in one line between two fixed hinges: no finite force holds them under a load, and none moves
/// them.
TEST(DeadPoint, TautRodsUnderALoadAreGivenUpSoon) {
  Model m;
  m.gravity({0, 0, -9.81});
  Part before;
  for (int k = 0; k <= 2; ++k) {
    Part next;
    const double x = k;
    if (k < 2)
      next =
          m.body("rod" + std::to_string(k), straight_between({x, 0, 0}, {x + 1, 0, 0}, Straight::thin(1, 1)));
    m.joint("hinge" + std::to_string(k), before, next,
            {.type = JointType::revolute, .point = {x, 0, 0}, .axis = {0, 1, 0}});
    before = next;
  }
  const Trajectory motion = run(m, 1, 1e-9);
  EXPECT_NE(motion.stop, Stop::end);
  EXPECT_LT(motion.last.t, 2e-3);  // in which a free rod would fall by a fiftieth of a millimetre
  EXPECT_LT(motion.steps, 5000);
}

}  // namespace
}  // namespace vinculum
