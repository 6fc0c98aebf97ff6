// What forces load and constraints hold still: structures, brakes, motors that wait.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <string>

#include "support/mechanisms.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using namespace test;

/// It stands where it was put, to rounding, and the certificate of its start holds.
void expect_still(const Model& m, double until = 2) {
  const System system(m);
  const Solution start = solve(system, system.start());
  const Check& held = start.certificate.constraint_residual;
  EXPECT_LE(held.value, held.bound);
  MotionOptions options;
  options.until = until;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (std::size_t i = 0; i < motion.last.q.size(); ++i)
    EXPECT_NEAR(motion.last.q[i], system.start().q[i], 1e-14) << system.coordinate_names()[i];
}

TEST(Rest, AWeldedBodyStands) {
  for (int k = 0; k < 20; ++k) {
    const auto number = [k](int salt) { return std::sin(12.9898 * (k + 1) + 78.233 * salt); };
    Model m;
    m.gravity({number(1), number(2), 9 * number(3)});
    const Body b = m.body("b", {.inertia = {1, 1.2, 1.5, 0.0, 0.0, 0.0},
                                .position = {number(4), number(5), number(6)},
                                .orientation = {number(7), number(8), number(9), number(10)}});
    m.joint("weld", Part(), b, {.type = JointType::weld, .point = {0.0, number(11), 0.0}});
    expect_still(m);
  }
}

TEST(Rest, AParticleStandsOnThreeRodsThatCarryItsWeight) {
  Model m;
  const Vector3d at(0.3, 0.1, 1.2), foot[3] = {{1, 0, 0}, {0, 1, 0}, {-1, -1, 0}};
  m.gravity({0, 0, -9.81});
  const Particle p = m.particle("p", {.mass = 2.0, .position = numbers(at)});
  Eigen::Matrix3d along;
  for (int k = 0; k < 3; ++k) {
    const Vector3d d = at - foot[k];
    m.constrain("rod" + std::to_string(k), norm(p.position() - constant(foot[k])), d.norm());
    along.col(k) = d.normalized();
  }
  expect_still(m);
  // Statics: the pushes of the rods bear the weight.
  const Vector3d push = along.lu().solve(Vector3d(0, 0, 2 * 9.81));
  const System system(m);
  const Solution start = solve(system, system.start());
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(start.multipliers[k], push[k], 1e-13 * push.norm());
}

/// Two rods leaning against each other between two hinges of the ground.
TEST(Rest, AnArchOfThreeHingesStands) {
  Model m;
  m.gravity({0, 0, -9.81});
  const Vector3d left(-0.6, 0, 0), right(0.6, 0, 0), top(0, 0, 0.8);
  const Body l = m.body("l", straight_between(left, top, Straight::thin(2, 1)));
  const Body r = m.body("r", straight_between(right, top, Straight::thin(3, 1)));
  const auto hinge = [&](const char* name, Part a, Part b, const Vector3d& point) {
    m.joint(name, a, b, {.type = JointType::revolute, .point = numbers(point), .axis = {0, 1, 0}});
  };
  hinge("A", Part(), l, left);
  hinge("B", Part(), r, right);
  hinge("C", l, r, top);
  expect_still(m);
}

TEST(Rest, AMotorWaitsTurnsAndHolds) {
  Model m;
  m.gravity({1, 2, -9});
  const Body b = m.body("b", {.inertia = {1, 1.2, 1.5, 0.0, 0.0, 0.0}, .position = {0.2, 0.3, 0.4}});
  m.joint("j", Part(), b, {.type = JointType::revolute, .axis = {1, 1, 1}});
  const Expr t = m.time(), turn = (1 - cos(std::numbers::pi * (t - 1))) / 2;
  m.constrain("motor", m.joint_angle("j"), if_less(t, 1, 0, if_less(t, 2, turn, 1)));
  m.servo("motor");
  const System system(m);
  MotionOptions options;
  options.until = 3;
  options.samples = 7;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double angle[] = {0, 0, 0, 0.5, 1, 1, 1};
  const auto name = std::find(system.coordinate_names().begin(), system.coordinate_names().end(), "j.angle");
  for (int k = 0; k < 7; ++k)
    EXPECT_NEAR(motion[k].q[name - system.coordinate_names().begin()], angle[k], 1e-14);
}

/// Velocities of a thousandth of a rounding of the place they would move are no motion, and no jump.
TEST(Rest, AWeldHoldsABodyWhoseVelocityIsRounding) {
  for (const double v : {1e-12, 1e-15, 1e-20, 1e-200})
    for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
      Model m;
      BodyOptions body;
      body.mass = 1.0;
      body.inertia = {0.1, 0.2, 0.25};
      body.position = {1, 2, 3};
      body.velocity = {v, -v, v};
      body.omega_body = {v, 0, 0};
      const Body a = m.body("a", body);
      m.joint("w", Part(), a, {.type = JointType::weld, .point = {0.0, 0.0, 0.0}});
      MotionOptions o;
      o.until = 1;
      o.integrator = integrator_named(method).value();
      const Trajectory motion = simulate(System(m), o);
      EXPECT_EQ(motion.stop, Stop::end) << method << ", " << v << ": " << motion.reason;
    }
}

/// A coordinate that a programme moves, and where it ends.
struct Programme {
  const char* name;
  Expr (*of)(const Expr& t);
  double end, place;
};

/// From rest, or after a rest, by laws of cams and servos. Rates that are zero at the start are so to the
/// rounding of their terms, and where a programme begins to move only its acceleration jumps.
TEST(Rest, ProgrammesLeaveIt) {
  constexpr double pi = std::numbers::pi;
  const Programme programmes[] = {
      {"cycloid", [](const Expr& t) { return 1.865 * (t / 1.09 - sin(2 * pi * t / 1.09) / (2 * pi)); }, 1.09,
       1.865},
      {"cycloid from elsewhere",
       [](const Expr& t) { return 1.572 + 1.865 * (t / 1.09 - sin(2 * pi * t / 1.09) / (2 * pi)); }, 1.09,
       3.437},
      {"two harmonics", [](const Expr& t) { return 0.1 * sin(3 * t) - 0.3 * sin(t); }, 3,
       0.1 * std::sin(9.0) - 0.3 * std::sin(3.0)},
      {"soft start", [](const Expr& t) { return -2.652 + 1.732 * t - 1.732 / 5.823 * tanh(5.823 * t); }, 3,
       -2.652 + 1.732 * 3 - 1.732 / 5.823 * std::tanh(5.823 * 3)},
      {"late", [](const Expr& t) { return if_less(1.0, t, 1 - cos(pi * (t - 1)), 0.0); }, 4, 2},
      {"dwell, rise, dwell",
       [](const Expr& t) {
         const Expr part = max(Expr(0.0), min(Expr(1.0), t - 1));
         return 3 * pow(part, 2) - 2 * pow(part, 3);
       },
       5, 1}};
  for (const Programme& p : programmes)
    for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"})
      for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
        SCOPED_TRACE(std::string(p.name) + " " + integrator + " " + std::to_string(std::log10(tolerance)));
        Model m;
        const Coordinate s = m.coordinate("s", {.start = value_of(p.of(0.0), {})});
        m.mass(s, 1);
        m.constrain("drive", s - p.of(m.time()));
        MotionOptions o;
        o.until = p.end;
        o.integrator = integrator_named(integrator).value();
        o.tolerance = tolerance;
        const Trajectory motion = simulate(System(m), o);
        ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
        EXPECT_NEAR(motion.last.q[0], p.place, 1e-14 * (1 + std::fabs(p.place)));
      }
}

/// Other rows hand on what the programme leaves unknown: they have no larger terms of their own at rest.
TEST(Rest, AMechanismThatAProgrammeMovesLeavesIt) {
  constexpr double pi = std::numbers::pi, way = 0.965, time = 2.113, from = 2.842, arm = 0.368;
  for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    Model m;
    const Coordinate th = m.coordinate("th", {.start = from}),
                     x = m.coordinate("x", {arm * std::cos(from), 0}),
                     y = m.coordinate("y", {2 * arm * std::cos(from), 0});
    m.mass(th, 0.3);
    m.mass(x, 1);
    m.mass(y, 0.5);
    m.force(x, -5 * x);
    const Expr part = m.time() / time;
    m.constrain("drive", th - from - way * (part - sin(2 * pi * part) / (2 * pi)));
    m.constrain("slot", x - arm * cos(th));
    m.constrain("yoke", y - 2 * x);
    MotionOptions o;
    o.until = time;
    o.integrator = integrator_named(integrator).value();
    o.tolerance = 3e-11;
    const Trajectory motion = simulate(System(m), o);
    ASSERT_EQ(motion.stop, Stop::end) << integrator << ": " << motion.reason;
    EXPECT_NEAR(motion.last.q[2], 2 * arm * std::cos(from + way), 1e-13) << integrator;
  }
}

/// The speed of a ramp that begins late: the row is one of velocities.
TEST(Rest, ASpeedThatBeginsLateLeavesIt) {
  for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    Model m;
    const Coordinate s = m.coordinate("s", {});
    m.mass(s, 1);
    m.constrain("drive", s.rate() - max(m.time() - 1, Expr(0.0)));
    MotionOptions o;
    o.until = 5;
    o.integrator = integrator_named(integrator).value();
    const Trajectory motion = simulate(System(m), o);
    ASSERT_EQ(motion.stop, Stop::end) << integrator << ": " << motion.reason;
    EXPECT_NEAR(motion.last.q[0], 8, 1e-8) << integrator;
  }
}

/// What neither moves nor is pushed at the first instant does not say how long the first step may be: steps
/// of 1e-11 would be shorter than a programme that begins as 1 - cos does can be told.
TEST(Rest, OneThatBeginsToMoveBesideAProgrammeThatBeginsSmoothly) {
  const auto programmes = {+[](const Expr& t) { return 0.02 * (1 - cos(20 * t)); },
                           +[](const Expr& t) { return exp(t) - 1 - t; }};
  const double end = 3, truth = 2.5 / 3 * end - 2.5 / 9 * std::sin(3 * end);
  for (const auto programme : programmes)
    for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"})
      for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
        Model m;
        const Coordinate x = m.coordinate("x", {}), y = m.coordinate("y", {});
        m.mass(x, 1);
        m.mass(y, 1);
        m.force(x, 2.5 * sin(3 * m.time()));
        m.constrain("lift", y - programme(m.time()));
        MotionOptions o;
        o.until = end;
        o.integrator = integrator_named(integrator).value();
        o.tolerance = tolerance;
        const Trajectory motion = simulate(System(m), o);
        ASSERT_EQ(motion.stop, Stop::end) << integrator << " " << tolerance << ": " << motion.reason;
        EXPECT_NEAR(motion.last.q[0], truth, 10 * tolerance * truth) << integrator << " " << tolerance;
      }
}

}  // namespace
}  // namespace vinculum
