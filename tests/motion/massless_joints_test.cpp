// Bodies without moments of inertia, and links without any mass, that joints hold against turning: where
// nothing turns, no angular velocity tells how large one is.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "support/mechanisms.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using namespace test;

constexpr const char* methods[] = {"dop853", "dopri5", "extrapolation", "radau5", "taylor"};

/// How long a metre is and how heavy a kilogram, in what the model is told in.
struct Units {
  double length, mass;
};
constexpr Units all_units[] = {{1, 1}, {1e3, 1e-3}, {1e6, 1e-3}};

class Drawn {
 public:
  explicit Drawn(int seed) : engine_(static_cast<unsigned>(seed)) {}
  double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  Vector3d place(double size = 1) { return size * Vector3d(between(-1, 1), between(-1, 1), between(-1, 1)); }
  Vector3d direction() {
    std::normal_distribution<> normal;
    return Vector3d(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }

 private:
  std::mt19937 engine_;
};

Trajectory run(const Model& model, double until, const char* method = "dop853") {
  MotionOptions options;
  options.until = until;
  options.tolerance = 1e-9;
  options.integrator = integrator_named(method).value();
  return simulate(System(model), options);
}

BodyOptions point_at(double mass, const Vector3d& place, double moment = 0) {
  return {.mass = mass, .inertia = {moment, moment, moment, 0.0, 0.0, 0.0}, .position = numbers(place)};
}

/// A point mass on one rail with a spring: a cosine along it, wherever the joint is drawn.
TEST(MasslessJoints, APointMassOnARailSwingsAsItsSpringSays) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Units units = all_units[seed % 3];
    Drawn draw(seed);
    const Vector3d u = draw.direction(), g = draw.place(5 * units.length),
                   start = seed % 2 ? draw.place(units.length) : Vector3d::Zero(),
                   point = seed % 4 < 2 ? draw.place(units.length) : Vector3d::Zero();
    Model m;
    m.gravity(constant(g));
    const Body x = m.body("x", point_at(2 * units.mass, start));
    JointOptions rail{.type = JointType::prismatic, .point = numbers(point), .axis = numbers(u)};
    rail.stiffness = 3 * units.mass;
    m.joint("rail", Part(), x, rail);
    const Trajectory motion = run(m, 1, methods[seed % 5]);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    const double away = g.dot(u) * 2 / 3 * (1 - std::cos(std::sqrt(1.5)));
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(motion.last.q[k], start(k) + away * u(k), 1e-7 * units.length) << k;
  }
}

TEST(MasslessJoints, APointMassThatIsWeldedStaysWhereItIs) {
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Units units = all_units[seed % 3];
    Drawn draw(seed);
    const Vector3d place = draw.place(units.length);
    Model m;
    m.gravity(constant(draw.place(5 * units.length)));
    const Body x = m.body("x", point_at(2 * units.mass, place));
    m.joint("weld", Part(), x, {.type = JointType::weld, .point = numbers(draw.place(units.length))});
    const Trajectory motion = run(m, 1, methods[seed % 5]);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(motion.last.q[k], place(k), 1e-12 * units.length) << k;
  }
}

/// A body on two rails, one on the other, with springs: two cosines where the rails are at right angles.
void expect_two_cosines(int seed, double moment_between, double moment) {
  const Units units = all_units[seed % 3];
  const double M = units.mass, L = units.length;
  Drawn draw(seed);
  const Vector3d u = draw.direction(), w = u.cross(draw.direction()).normalized();
  Model m;
  const Vector3d place = draw.place(L);
  const Body link = m.body("link", point_at(0, draw.place(L), moment_between * M * L * L));
  const Body b = m.body("b", point_at(M, place, moment * M * L * L));
  JointOptions one{.type = JointType::prismatic, .axis = numbers(u)};
  one.stiffness = 4 * M;
  one.start = {{.value = 0.1 * L, .rate = 0.3 * L}};
  JointOptions two{.type = JointType::prismatic, .axis = numbers(w)};
  two.stiffness = 9 * M;
  two.start = {{.value = 0.2 * L, .rate = -0.5 * L}};
  m.joint("one", Part(), link, one);
  m.joint("two", link, b, two);
  const Trajectory motion = run(m, 2, methods[seed % 5]);
  if (motion.stop != Stop::end) {
    ADD_FAILURE() << motion.reason;
    return;
  }
  const double along = 0.1 * std::cos(4.0) + 0.15 * std::sin(4.0),
               across = 0.2 * std::cos(6.0) - 0.5 / 3 * std::sin(6.0);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(motion.last.q[7 + k], place(k) + L * (along * u(k) + across * w(k)), 1e-7 * L) << k;
}

TEST(MasslessJoints, AMasslessLinkBetweenTwoRailsAtRightAnglesLetsEachSwingByItself) {
  for (int seed = 0; seed < 45; ++seed) {
    SCOPED_TRACE(seed);
    expect_two_cosines(seed, 0, 0.1);
    expect_two_cosines(seed, 0, 0);
  }
}

/// Moments so small that they would hide what others move.
TEST(MasslessJoints, ALinkWithoutMassThatHasTinyMomentsIsNoHindrance) {
  for (const double moment : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    SCOPED_TRACE(moment);
    for (int seed = 0; seed < 5; ++seed) expect_two_cosines(seed, moment, 0.1);
  }
}

/// A body behind a link, which is without mass or with hardly any.
Trajectory behind_a_link(JointType first, JointType second, int seed, double small) {
  Drawn draw(seed);
  Model m;
  m.gravity(constant(draw.place(5)));
  BodyOptions light = point_at(small, draw.place(), small);
  const Body link = m.body("link", light), b = m.body("b", point_at(1, draw.place(), 0.1));
  const auto join = [&](const char* name, JointType type, const Part& from, const Body& to) {
    JointOptions joint{.type = type, .point = numbers(draw.place()), .axis = numbers(draw.direction())};
    m.joint(name, from, to, joint);
  };
  join("first", first, Part(), link);
  join("second", second, link, b);
  return run(m, 0.3, methods[seed % 5]);
}

TEST(MasslessJoints, AMasslessLinkMovesAsOneWithHardlyAnyMassDoes) {
  constexpr JointType all[] = {JointType::prismatic, JointType::weld, JointType::revolute,
                               JointType::cylindrical};
  int seed = 0;
  for (const JointType first : all)
    for (const JointType second : all)
      for (int k = 0; k < 3; ++k) {
        SCOPED_TRACE(std::string(joint_word(first)) + ", " + std::string(joint_word(second)) + " " +
                     std::to_string(++seed));
        const Trajectory without = behind_a_link(first, second, seed, 0),
                         light = behind_a_link(first, second, seed, 1e-8);
        ASSERT_EQ(without.stop, Stop::end) << without.reason;
        ASSERT_EQ(light.stop, Stop::end) << light.reason;
        for (int i = 7; i < 10; ++i) EXPECT_NEAR(without.last.q[i], light.last.q[i], 1e-5) << i;
      }
}

/// What is open stays open: a link between two rails on one line, and a point mass on a ball that turns
/// about its arm.
TEST(MasslessJoints, WhatNothingHoldsIsRefusedByName) {
  Model rails;
  const Body link = rails.body("link", point_at(0, Vector3d::Zero())),
             b = rails.body("b", point_at(1, Vector3d::Zero(), 0.1));
  rails.joint("one", Part(), link, {.type = JointType::prismatic, .axis = {1, 0, 0}});
  rails.joint("two", link, b, {.type = JointType::prismatic, .axis = {1, 0, 0}});
  EXPECT_NE(run(rails, 1).reason.find("accelerations of 'link.x' are left open"), std::string::npos)
      << run(rails, 1).reason;
  Model ball;
  ball.gravity({0, 0, -9.81});
  const Body x = ball.body("x", point_at(1, Vector3d::UnitX()));
  ball.joint("ball", Part(), x, {});
  EXPECT_NE(run(ball, 1).reason.find("accelerations of 'x.wx' are left open"), std::string::npos)
      << run(ball, 1).reason;
}

}  // namespace
}  // namespace vinculum
