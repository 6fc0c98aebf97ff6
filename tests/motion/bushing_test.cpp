// Bushings: closed forms about single axes, and what no force between two bodies may change.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/outputs_along.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using test::Along;

/// m x'' + c x' + k x = 0.
double oscillator(double m, double c, double k, double start, double speed, double t) {
  const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay);
  return std::exp(-decay * t) * (start * std::cos(w * t) + (speed + decay * start) / w * std::sin(w * t));
}

TEST(Bushing, AlongItsAxesItIsThreeOscillators) {
  Model model;
  const Body b = model.body("b", {.mass = 2, .inertia = {1, 1, 1}, .velocity = {0.3, -0.2, 0.5}});
  model.bushing(
      "mount", Part(), b,
      {.point = {-0.1, 0, 0}, .point2 = Triple{}, .stiffness = {8, 18, 50}, .damping = {0.4, 0, 1}});
  const Along run(model, 4);
  for (int i = 0; i < run.size(); ++i) {
    const double t = run.time(i);
    // Of x the bushing is 0.1 long at the start.
    EXPECT_NEAR(run.coordinate(i, "b.x") + 0.1, oscillator(2, 0.4, 8, 0.1, 0.3, t), 1e-10);
    EXPECT_NEAR(run.coordinate(i, "b.y"), oscillator(2, 0, 18, 0, -0.2, t), 1e-10);
    EXPECT_NEAR(run.coordinate(i, "b.z"), oscillator(2, 1, 50, 0, 0.5, t), 1e-10);
  }
}

/// About one axis the rotation vector is the angle: an oscillator whatever the angle is, here up to 3
/// radians.
TEST(Bushing, AboutAnAxisItIsAnOscillatorUpToHalfATurn) {
  for (int axis = 0; axis < 3; ++axis) {
    Model model;
    std::array<double, 3> spin{};
    spin[axis] = 6.0;
    const Body b = model.body("b", {.mass = 1, .inertia = {1.2, 1.4, 2}, .omega_body = Triple(spin)});
    const double moment = axis == 0 ? 1.2 : axis == 1 ? 1.4 : 2.0;
    model.bushing("mount", Part(), b,
                  {.stiffness = {1, 1, 1}, .rotational_stiffness = {4 * 1.2, 4 * 1.4, 4 * 2.0}});
    model.output("turn", model.bushings()[0].rotation);
    model.output("torque", model.bushings()[0].torque);
    const std::string name = axis == 0 ? ".x" : axis == 1 ? ".y" : ".z";
    const Along run(model, 5);
    for (int i = 0; i < run.size(); ++i) {
      EXPECT_NEAR(run.output(i, "turn" + name), 3 * std::sin(2 * run.time(i)), 1e-9);
      EXPECT_NEAR(run.output(i, "torque" + name), -4 * moment * 3 * std::sin(2 * run.time(i)), 1e-8);
    }
  }
}

TEST(Bushing, ATurnIsDampedByTheAngularVelocity) {
  Model model;
  const Body b = model.body("b", {.mass = 1, .inertia = {1, 1, 2}, .omega_body = {0, 0, 1.5}});
  model.bushing("mount", b, Part(), {.rotational_stiffness = {3, 3, 5}, .rotational_damping = {0, 0, 0.6}});
  model.output("turn", model.bushings()[0].rotation);
  const Along run(model, 5);
  for (int i = 0; i < run.size(); ++i)  // B is the ground, seen from the body
    EXPECT_NEAR(run.output(i, "turn.z"), -oscillator(2, 0.6, 5, 0, 1.5, run.time(i)), 1e-10);
}

/// The axes of the bushing, not those of the world: k along an axis that lies between x and y.
TEST(Bushing, ItsAxesAreTurned) {
  Model model;
  const double s = std::numbers::sqrt2 / 2;
  const Body b = model.body("b", {.mass = 1, .inertia = {1, 1, 1}, .velocity = {s, s, 0}});
  model.bushing("mount", Part(), b,
                {.orientation = roll_pitch_yaw(0.0, 0.0, std::numbers::pi / 4), .stiffness = {9, 100, 100}});
  const Along run(model, 2);
  for (int i = 0; i < run.size(); ++i) {
    EXPECT_NEAR(run.coordinate(i, "b.x"), s * std::sin(3 * run.time(i)) / 3, 1e-10);
    EXPECT_NEAR(run.coordinate(i, "b.y"), s * std::sin(3 * run.time(i)) / 3, 1e-10);
  }
}

/// Two bodies that nothing else acts on, with all of K and K_r off the diagonal too.
Model two_bodies(bool damped) {
  Model model;
  const Inertia heavy = {0.5, 0.7, 0.9, 0.05, -0.04, 0.02}, light = {0.2, 0.3, 0.25, 0.0, 0.03, -0.01};
  const Body a = model.body("a", {.mass = 2,
                                  .inertia = heavy,
                                  .velocity = {0.1, 0.2, -0.1},
                                  .orientation = {0.9, 0.1, 0.3, -0.2},
                                  .omega_body = {0.4, -0.8, 0.3}});
  const Body b = model.body("b", {.mass = 1,
                                  .inertia = light,
                                  .position = {0.5, 0.3, 0.2},
                                  .velocity = {-0.3, 0, 0.4},
                                  .orientation = {-0.5, 0.4, 0.1, 0.6},
                                  .omega_body = {-0.9, 0.5, 1.3}});
  BushingOptions mount{.point = {0.2, 0.1, 0.3},
                       .orientation = {0.8, 0.2, -0.1, 0.3},
                       .point2 = Triple{0.25, 0.1, 0.2},
                       .orientation2 = Orientation(0.7, 0.3, -0.1, 0.3),
                       .stiffness = {20, 30, 25, 4, -3, 2},
                       .rotational_stiffness = {2, 3, 4, 0.5, -0.4, 0.3}};
  if (damped) {
    mount.damping = {1, 0.8, 0.5, 0.1, 0, 0};
    mount.rotational_damping = {0.1, 0.2, 0.15, 0, 0.02, 0};
  }
  model.bushing("mount", a, b, mount);
  const auto spin = [](const Body& body, const Inertia& i) {
    const Expr &x = body.wx, &y = body.wy, &z = body.wz;
    return body.axis(
        {i[0] * x + i[3] * y + i[4] * z, i[3] * x + i[1] * y + i[5] * z, i[4] * x + i[5] * y + i[2] * z});
  };
  model.output("momentum", 2 * a.velocity() + b.velocity());
  model.output("turning", 2 * cross(a.position(), a.velocity()) + cross(b.position(), b.velocity()) +
                              spin(a, heavy) + spin(b, light));
  // What is read of it is what moves B.
  const BushingData& mounted = model.bushings()[0];
  model.output("push", b.acceleration() - mounted.force);
  const auto rate = [&](const Vector& v) {
    return Vector{model.rate(v.x), model.rate(v.y), model.rate(v.z)};
  };
  model.output("twist", rate(spin(b, light)) - mounted.torque -
                            cross(mounted.points[1] - b.position(), mounted.force));
  model.output("opposite", 2 * a.acceleration() + mounted.force);
  return model;
}

TEST(Bushing, NoMomentumComesFromIt) {
  for (const bool damped : {false, true}) {
    SCOPED_TRACE(damped);
    const Along run(two_bodies(damped), 10);
    // Of the order of the tolerance along some dozens of oscillations.
    for (const char* name : {"momentum.x", "momentum.y", "momentum.z", "turning.x", "turning.y", "turning.z"})
      EXPECT_LT(run.wanders(name), 1e-9) << name;
    EXPECT_LT(std::fabs(run.motion.drift()), 1e-9);
    if (!damped) {
      EXPECT_EQ(run.motion.work.impressed, 0.0);  // all of it is an energy
    } else {
      EXPECT_LT(run.motion.work.impressed, -0.05);
    }
  }
}

TEST(Bushing, ItsForceAndTorqueAreThoseThatMoveTheBody) {
  for (const bool damped : {false, true}) {
    const Along run(two_bodies(damped), 3);
    for (int i = 0; i < run.size(); ++i)
      for (const char* name : {"push", "twist", "opposite"})
        for (const char* axis : {".x", ".y", ".z"})
          EXPECT_NEAR(run.output(i, std::string(name) + axis), 0, 1e-11) << name << axis;
  }
}

/// Small oscillations about two axes at once: at the corner of a plate, K of the place and of the turn
/// couple.
TEST(Bushing, SmallOscillationsOfACoupledMount) {
  // A body of mass m and moment I about z, held at a point l beside its centre: with y and phi of the centre,
  //   m y'' = -k (y + l phi),   I phi'' = -k l (y + l phi) - K phi.
  constexpr double m = 2, I = 0.3, k = 50, K = 4, l = 0.25;
  const double a = k / m, b = k * l / m, c = k * l / I, d = (k * l * l + K) / I;
  const double mean = (a + d) / 2, root = std::sqrt((a - d) * (a - d) / 4 + b * c), square = mean - root;
  const double ratio = (square - a) / b;  // phi / y in the slow mode
  constexpr double small = 1e-5;
  Model model;
  const Body body = model.body(
      "b", {.mass = m, .inertia = {I, I, I}, .velocity = {0, small, 0}, .omega_body = {0, 0, small * ratio}});
  model.bushing("mount", Part(), body,
                {.point = {l, 0, 0}, .stiffness = {k, k, k}, .rotational_stiffness = {K, K, K}});
  const double w = std::sqrt(square);
  const Along run(model, 3);
  for (int i = 0; i < run.size(); ++i)  // the next order is the square of the amplitude
    EXPECT_NEAR(run.coordinate(i, "b.y"), small / w * std::sin(w * run.time(i)), 10 * small * small);
}

TEST(Bushing, WhatItCannotBe) {
  Model model;
  const Body b = model.body("b");
  const auto fault = [&](const Part& one, const Part& other, const BushingOptions& options) -> std::string {
    try {
      model.bushing("mount", one, other, options);
    } catch (const Error& e) {
      return e.text();
    }
    return "";
  };
  EXPECT_EQ(fault(b, b, {}), "bushing 'mount' is between 'b' and itself; it has two parts");
  EXPECT_EQ(
      fault(Part(), b, {.orientation = {0.0, 0.0, 0.0, 0.0}}),
      "the orientation of bushing 'mount' has the length 0; a quaternion [w, x, y, z] of any finite length "
      "but zero is asked for");
  EXPECT_EQ(fault(Part(), b, {.stiffness = {NAN, 1, 1}}),
            "a constant of bushing 'mount' is nan; it must be a finite number");
}

}  // namespace
}  // namespace vinculum
