// What acts in a joint beside its equations: springs, dampers, dry friction and rotors, by closed forms and
// beside the same motion in coordinates of its own.
#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

Trajectory run(const Model& model, double until, Integrator method = Integrator::automatic) {
  const System system(model);
  MotionOptions options;
  options.until = until;
  options.tolerance = 1e-11;
  options.integrator = method;
  Trajectory motion = simulate(system, options);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  return motion;
}

double last(const Trajectory& motion, const System& system, const std::string& name) {
  const auto& q = system.coordinate_names();
  const auto& v = system.velocity_names();
  for (std::size_t i = 0; i < q.size(); ++i)
    if (q[i] == name) return motion.last.q[i];
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v[i] == name) return motion.last.v[i];
  ADD_FAILURE() << "nothing is called " << name;
  return NAN;
}

double last(const Trajectory& motion, const Model& model, const std::string& name) {
  return last(motion, System(model), name);
}

/// A wheel of inertia 2 on a hinge of the ground, turning at `speed`.
Body wheel(Model& model, double speed, JointOptions joint) {
  const Body body = model.body("wheel", {.mass = 1, .inertia = {1, 1, 2}, .omega_body = {0, 0, speed}});
  joint.type = JointType::revolute;
  model.joint("hinge", Part(), body, joint);
  return body;
}

/// 2 x'' + c x' + k (x - rest) = 0 from x = 0.
double oscillator(double c, double k, double rest, double speed, double t) {
  const double decay = c / 4, w = std::sqrt(k / 2 - decay * decay);
  const double a = -rest, b = (speed + decay * a) / w;
  return rest + std::exp(-decay * t) * (a * std::cos(w * t) + b * std::sin(w * t));
}

TEST(JointLaws, ASpringAndADamperMakeAnOscillator) {
  Model model;
  wheel(model, 0.7, {.stiffness = 5.0, .rest = 0.4, .damping = 0.3});
  EXPECT_NEAR(last(run(model, 3), model, "hinge.angle"), oscillator(0.3, 5, 0.4, 0.7, 3), 1e-10);
}

TEST(JointLaws, ASliderHasTheSameAlongItsAxis) {
  Model model;
  const Body cart = model.body("cart", {.mass = 1.5, .inertia = {1, 1, 1}, .velocity = {0.7, 0, 0}});
  model.joint("rail", Part(), cart,
              {.type = JointType::prismatic,
               .axis = {1, 0, 0},
               .stiffness = 5.0,
               .rest = 0.4,
               .damping = 0.3,
               .armature = 0.5});
  EXPECT_NEAR(last(run(model, 3), model, "cart.x"), oscillator(0.3, 5, 0.4, 0.7, 3), 1e-10);
}

TEST(JointLaws, ADampedBallJointSlowsEveryRotationDown) {
  Model model;
  const Body ball = model.body("ball", {.mass = 1, .inertia = {2, 2, 2}, .omega_body = {1, -2, 0.5}});
  model.joint("socket", Part(), ball, {.damping = 0.6});
  const Trajectory motion = run(model, 2);
  const double left = std::exp(-0.6 / 2 * 2);
  EXPECT_NEAR(last(motion, model, "ball.wx"), 1 * left, 1e-10);
  EXPECT_NEAR(last(motion, model, "ball.wy"), -2 * left, 1e-10);
  EXPECT_NEAR(last(motion, model, "ball.wz"), 0.5 * left, 1e-10);
}

/// 2 w' = -f until it stands, at t = 2 w / f, having turned by w^2 / f; there it stays.
TEST(JointLaws, DryFrictionStopsAWheelAndHoldsIt) {
  for (const Integrator method : {Integrator::automatic, Integrator::dopri5, Integrator::taylor}) {
    Model model;
    wheel(model, 3, {.friction = 1.5});
    model.joint_angle("hinge");
    const Trajectory motion = run(model, 6, method);
    EXPECT_NEAR(last(motion, model, "hinge.angle"), 9 / 1.5, 1e-9);
    EXPECT_NEAR(last(motion, model, "wheel.wz"), 0, 1e-10);
  }
}

TEST(JointLaws, DryFrictionHoldsUpToItsTorqueAndNoFurther) {
  for (const double torque : {1.4, 1.7}) {
    Model model;
    const Body body = wheel(model, 0, {.friction = 1.5});
    model.torque(body, {0, 0, torque});
    model.joint_angle("hinge");
    const double expected = torque > 1.5 ? 0.5 * (torque - 1.5) / 2 * 4 : 0;
    EXPECT_NEAR(last(run(model, 2), model, "hinge.angle"), expected, 1e-9) << torque;
  }
}

TEST(JointLaws, ARotorAddsItsInertiaToTheJoint) {
  Model model;
  const Body body = wheel(model, 1, {.armature = 3.0});
  model.torque(body, {0, 0, 10});
  EXPECT_NEAR(last(run(model, 2), model, "wheel.wz"), 1 + 10.0 / 5 * 2, 1e-11);
  EXPECT_NEAR(last(run(model, 2), model, "hinge.rotor"), 5, 1e-11);
}

/// An arm that turns about z carries another about its own axis across, off the first axis: once with bodies
/// and rotors, once in two angles with T = 1/2 (J1 + m (r + l cos b)^2 + I cos^2 b) a'^2 + 1/2 (I + m l^2)
/// b'^2, where rotors add 1/2 a1 a'^2 + 1/2 a2 b'^2.
TEST(JointLaws, RotorsOfAnArmAreThoseOfItsEnergy) {
  constexpr double m = 0.8, r = 0.3, l = 0.5, I = 0.07, J = 0.4, rotor1 = 0.25, rotor2 = 0.6, a1 = 1.2,
                   b1 = -0.9;
  Model bodies;
  bodies.gravity({0, 0, -9.81});
  const Body base = bodies.body("base", {.mass = 1, .inertia = {1, 1, J}, .omega_body = {0, 0, a1}});
  // The second arm lies along x, its axis is y; its centre goes round with the first and up and down by
  // itself.
  const Body arm = bodies.body("arm", {.mass = m,
                                       .inertia = {0, I, I},
                                       .position = {r + l, 0, 0},
                                       .velocity = {0, a1 * (r + l), -b1 * l},
                                       .omega_body = {0, b1, a1}});
  bodies.joint("first", Part(), base, {.type = JointType::revolute, .armature = rotor1});
  bodies.joint("second", base, arm,
               {.type = JointType::revolute, .point = {r, 0, 0}, .axis = {0, 1, 0}, .armature = rotor2});
  bodies.joint_angle("first");
  bodies.joint_angle("second");

  Model angles;
  const Coordinate a = angles.coordinate("a", {0.0, a1}), b = angles.coordinate("b", {0.0, b1});
  const Expr reach = r + l * cos(b);
  angles.kinetic((J + rotor1 + m * reach * reach + I * cos(b) * cos(b)) * a.rate() * a.rate() / 2 +
                 (I + m * l * l + rotor2) * b.rate() * b.rate() / 2);
  angles.potential(-m * 9.81 * l * sin(b));

  const Trajectory one = run(bodies, 2), other = run(angles, 2);
  EXPECT_NEAR(last(one, bodies, "first.angle"), last(other, angles, "a"), 2e-9);
  EXPECT_NEAR(last(one, bodies, "second.angle"), last(other, angles, "b"), 2e-9);
  EXPECT_NEAR(one.energy_end - one.energy_start, other.energy_end - other.energy_start, 1e-8);
}

/// A wheel that speeds up from rest passes the limit at 1/2 (torque / 2) t^2 = limit.
TEST(JointLaws, ARunEndsWhereALimitIsPassed) {
  Model model;
  const Body body = wheel(model, 0, {.limits = {{-1.0, 0.75}}});
  model.torque(body, {0, 0, 3});
  const System system(model);
  MotionOptions options;
  options.until = 5;
  options.tolerance = 1e-11;
  const Trajectory motion = simulate(system, options);
  EXPECT_EQ(motion.stop, Stop::event);
  ASSERT_EQ(motion.events.size(), 1u);
  EXPECT_EQ(motion.events[0].name, "hinge.upper");
  EXPECT_NEAR(motion.events[0].time, std::sqrt(2 * 0.75 / 1.5), 1e-10);
}

/// However far away the other limit is.
TEST(JointLaws, ALimitIsWhereItIsSaid) {
  Model model;
  const Body cart = model.body("cart", {.velocity = {-1, 0, 0}});
  model.joint("rail", Part(), cart,
              {.type = JointType::prismatic, .axis = {1, 0, 0}, .limits = {{-0.5, 1e9}}});
  const System system(model);
  MotionOptions options;
  options.until = 5;
  const Trajectory motion = simulate(system, options);
  EXPECT_EQ(motion.stop, Stop::event);
  EXPECT_NEAR(motion.last.t, 0.5, 1e-12);
}

/// One that starts on its limit and is pushed beyond it ends at once, and not beyond; pushed back, it goes
/// on.
TEST(JointLaws, ALimitAtTheStartHoldsAsWell) {
  for (const double torque : {-3.0, 3.0}) {
    Model model;
    const Body body = wheel(model, 0, {.limits = {{0.0, 100.0}}});
    model.torque(body, {0, 0, torque});
    const System system(model);
    MotionOptions options;
    options.until = 1;
    const Trajectory motion = simulate(system, options);
    EXPECT_EQ(motion.stop, torque < 0 ? Stop::event : Stop::end);
    EXPECT_GE(last(motion, system, "hinge.angle"), -1.1e-11);
  }
}

}  // namespace
}  // namespace vinculum
