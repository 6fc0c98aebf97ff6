// Joints in a row: beside the joint that is the same, and by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/outputs_along.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using test::Along;

Body top(Model& model, const Triple& spin) {
  model.gravity({0, 0, -9.81});
  // Its centre is 0.4 below the joint: v = omega x r.
  return model.body("b", {.mass = 1.5,
                          .inertia = {0.2, 0.25, 0.1},
                          .position = {0, 0, -0.4},
                          .velocity = {-0.4 * spin[1], 0.4 * spin[0], 0},
                          .omega_body = spin});
}

TEST(Series, TwoHingesAreAUniversalJoint) {
  const std::array<double, 3> spin{0.8, -1.1, 0};
  Model one, other;
  const Body b = top(one, spin), c = top(other, spin);
  one.joint("hook", Part(), b, {.type = JointType::universal, .axis = {1, 0, 0}, .axis2 = Triple{0, 1, 0}});
  const NamedJoint joints[] = {{"roll", {.type = JointType::revolute, .axis = {1, 0, 0}}},
                               {"pitch", {.type = JointType::revolute, .axis = {0, 1, 0}}}};
  other.series("hook", Part(), c, joints);
  for (Model* model : {&one, &other}) model->output("at", model->bodies()[0].body.position());
  other.output("roll", other.joint_angle("hook.roll"));
  other.output("pitch", other.joint_angle("hook.pitch"));
  const Along universal(one, 3), series(other, 3);
  for (int i = 0; i < series.size(); ++i) {
    for (const char* name : {"at.x", "at.y", "at.z"})
      EXPECT_NEAR(universal.output(i, name), series.output(i, name), 1e-9) << name;
    const double roll = series.output(i, "roll"), pitch = series.output(i, "pitch");
    // R = Rx(roll) Ry(pitch)
    EXPECT_NEAR(series.output(i, "at.x"), -0.4 * std::sin(pitch), 1e-9);
    EXPECT_NEAR(series.output(i, "at.y"), 0.4 * std::sin(roll) * std::cos(pitch), 1e-9);
  }
}

/// A hinge and a slider along its axis are a cylindrical joint; each with laws of its own is an oscillator.
TEST(Series, EachHasItsOwnLaws) {
  Model model;
  const Body b =
      model.body("b", {.mass = 2, .inertia = {1, 1, 0.5}, .velocity = {0, 0, 0.3}, .omega_body = {0, 0, 2}});
  const NamedJoint joints[] = {
      {"turn", {.type = JointType::revolute, .axis = {0, 0, 1}, .stiffness = 4.5}},
      {"slide", {.type = JointType::prismatic, .axis = {0, 0, 1}, .stiffness = 8.0, .armature = 0.0}}};
  model.series("j", Part(), b, joints);
  model.output("turn", model.joint_angle("j.turn"));
  model.output("slide", model.joint_distance("j.slide"));
  model.output("torque", model.joint_torque("j.turn"));
  const Along run(model, 4);
  for (int i = 0; i < run.size(); ++i) {
    const double t = run.time(i);
    EXPECT_NEAR(run.output(i, "turn"), 2 * std::sin(3 * t) / 3, 1e-9);
    EXPECT_NEAR(run.output(i, "slide"), 0.3 * std::sin(2 * t) / 2, 1e-9);
    EXPECT_NEAR(run.output(i, "torque"), -4.5 * 2 * std::sin(3 * t) / 3, 1e-8);
  }
}

/// Between two bodies that both move: the links start so that every joint is kept.
TEST(Series, LinksStartAsTheirNeighboursLetThem) {
  Model model;
  const Body a = model.body(
      "a", {.mass = 3, .inertia = {1, 1, 1}, .velocity = {0.1, 0.2, 0.3}, .omega_body = {0, 0, 1}});
  // Off the axis by 0.5: it goes round with a, and turns about x and slides along y besides.
  const Body b = model.body("b", {.mass = 1,
                                  .inertia = {0.1, 0.2, 0.15},
                                  .position = {0.5, 0, 0},
                                  .velocity = {0.1, 0.2 + 0.5 + 0.7, 0.3},
                                  .omega_body = {-0.4, 0, 1}});
  const NamedJoint joints[] = {
      {"roll", {.type = JointType::revolute, .point = {0.5, 0, 0}, .axis = {1, 0, 0}}},
      {"slide", {.type = JointType::prismatic, .point = {0.5, 0, 0}, .axis = {0, 1, 0}}},
      {"pitch", {.type = JointType::revolute, .point = {0.5, 0, 0}, .axis = {0, 1, 0}, .damping = 0.1}}};
  model.series("wrist", a, b, joints);
  model.output("roll", model.rate(model.joint_angle("wrist.roll")));
  model.output("slide", model.rate(model.joint_distance("wrist.slide")));
  model.output("pitch", model.rate(model.joint_angle("wrist.pitch")));
  const Along run(model, 1);
  EXPECT_NEAR(run.output(0, "roll"), -0.4, 1e-13);
  EXPECT_NEAR(run.output(0, "slide"), 0.7, 1e-13);
  EXPECT_NEAR(run.output(0, "pitch"), 0.0, 1e-13);
  for (const WorstResidual& worst : run.motion.worst) EXPECT_LT(worst.position, 1e-9);
}

TEST(Series, WhatItCannotBe) {
  const auto fault = [](std::vector<NamedJoint> joints) -> std::string {
    Model model;
    try {
      model.series("s", Part(), model.body("b"), joints);
    } catch (const Error& e) {
      return e.text();
    }
    return "";
  };
  const NamedJoint hinge{"a", {.type = JointType::revolute}};
  EXPECT_EQ(fault({hinge}), "joint 's' has 1 joints in a row; two or more are asked for");
  EXPECT_EQ(fault({hinge, {"b", {.type = JointType::weld}}}),
            "joint 'b' of joint 's' is weld; joints in a row are revolute or prismatic");
  EXPECT_EQ(fault({hinge, hinge}), "there are two joints named 's.a'");
}

}  // namespace
}  // namespace vinculum
