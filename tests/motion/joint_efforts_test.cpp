// The torque or force of a joint's laws, each and together, by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/outputs_along.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using test::Along;

/// A wheel of inertia 2 on a hinge of the ground, turning at `speed`.
Body wheel(Model& model, double speed, JointOptions joint) {
  const Body body = model.body("wheel", {.mass = 1, .inertia = {1, 1, 2}, .omega_body = {0, 0, speed}});
  joint.type = JointType::revolute;
  model.joint("hinge", Part(), body, joint);
  return body;
}

void look_at(Model& model, const std::string& joint, bool along) {
  for (const auto& [name, law] : {std::pair{"all", JointLaw::all},
                                  {"spring", JointLaw::spring},
                                  {"damper", JointLaw::damper},
                                  {"friction", JointLaw::friction},
                                  {"rotor", JointLaw::rotor},
                                  {"motor", JointLaw::motor}})
    model.output(name, along ? model.joint_force(joint, law) : model.joint_torque(joint, law));
}

TEST(JointEfforts, TogetherTheyAreWhatTurnsTheBody) {
  Model model;
  wheel(model, 3, {.stiffness = 5.0, .rest = 0.4, .damping = 0.3, .friction = 0.2, .armature = 0.5});
  model.force_along(model.joint_angle("hinge"), 0.7);
  model.spring(model.joint_angle("hinge"), {.stiffness = 0.4, .damping = 0.1, .length = 1.0});
  look_at(model, "hinge", false);
  const Along run(model, 0.3);
  for (int i = 0; i < run.size(); ++i) {
    const double x = run.coordinate(i, "hinge.angle"), rate = run.velocity(i, "wheel.wz"),
                 faster = run.acceleration(i, "wheel.wz");
    ASSERT_GT(rate, 0);
    EXPECT_NEAR(run.output(i, "spring"), -5 * (x - 0.4), 1e-12);
    EXPECT_NEAR(run.output(i, "damper"), -0.3 * rate, 1e-12);
    EXPECT_NEAR(run.output(i, "friction"), -0.2, 1e-15);
    EXPECT_NEAR(run.output(i, "rotor"), -0.5 * faster, 1e-12);
    EXPECT_NEAR(run.output(i, "motor"), 0.7 - 0.4 * (x - 1) - 0.1 * rate, 1e-12);
    EXPECT_NEAR(run.output(i, "all"), 2 * faster, 1e-11);  // nothing else turns it
  }
}

TEST(JointEfforts, OfASliderTheyAreForces) {
  Model model;
  const Body cart = model.body("cart", {.mass = 1.5, .inertia = {1, 1, 1}, .velocity = {0.7, 0, 0}});
  model.joint("rail", Part(), cart,
              {.type = JointType::prismatic, .axis = {1, 0, 0}, .stiffness = 5.0, .damping = 0.3});
  model.force_along(model.joint_distance("rail"), 2.0);
  look_at(model, "rail", true);
  const Along run(model, 1);
  for (int i = 0; i < run.size(); ++i) {
    const double x = run.coordinate(i, "cart.x"), rate = run.velocity(i, "cart.x'");
    EXPECT_NEAR(run.output(i, "spring"), -5 * x, 1e-12);
    EXPECT_NEAR(run.output(i, "damper"), -0.3 * rate, 1e-12);
    EXPECT_EQ(run.output(i, "motor"), 2.0);
    EXPECT_EQ(run.output(i, "friction"), 0.0);
    EXPECT_NEAR(run.output(i, "all"), 1.5 * run.acceleration(i, "cart.x'"), 1e-11);
  }
}

/// What holds a joint at rest is as large as what it takes, not as it would be when it slides.
TEST(JointEfforts, DryFrictionAtRestIsWhatHolds) {
  Model model;
  const Body body = wheel(model, 0, {.friction = 1.5});
  model.torque(body, {0, 0, 1.1});
  look_at(model, "hinge", false);
  const Along run(model, 1, 11);
  for (int i = 1; i < run.size(); ++i) {
    EXPECT_NEAR(run.output(i, "friction"), -1.1, 1e-9) << run.time(i);
    EXPECT_NEAR(run.output(i, "all"), -1.1, 1e-9);
  }
}

std::string fault(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Error& e) {
    return e.text();
  }
  return "";
}

TEST(JointEfforts, OnlyAnAxisHasThem) {
  Model model;
  const Body b = model.body("b");
  model.joint("rail", Part(), b, {.type = JointType::prismatic});
  model.joint("ball", Part(), b, {.type = JointType::spherical});
  EXPECT_EQ(
      fault([&] { model.joint_torque("rail"); }),
      "joint 'rail' is prismatic and has no torque about an axis; revolute, cylindrical, screw and planar "
      "joints have one");
  EXPECT_EQ(
      fault([&] { model.joint_force("ball"); }),
      "joint 'ball' is spherical and has no force along an axis; prismatic, cylindrical and screw joints "
      "have one");
}

}  // namespace
}  // namespace vinculum
