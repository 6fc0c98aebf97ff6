// The method that a run chooses for itself as it goes.
#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

std::vector<Integrator> methods_of(const Trajectory& motion) {
  std::vector<Integrator> list;
  for (const MethodUse& use : motion.methods) list.push_back(use.integrator);
  return list;
}

MotionOptions until(double t, double tolerance = 1e-9, Integrator integrator = Integrator::automatic) {
  MotionOptions o;
  o.until = t;
  o.tolerance = tolerance;
  o.samples = 1;
  o.integrator = integrator;
  return o;
}

/// x = cos t, to which everything beside it is drawn at the rate c.
Model drawn_to_cosine(const Expr& c, Model m = {}) {
  const Coordinate x = m.coordinate("x", {.start = 1});
  m.mass(x, 1);
  m.force(x, -c * (x.rate() + sin(m.time())) - c * (x - cos(m.time())) - cos(m.time()));
  return m;
}

Model spherical_pendulum() {
  Model m;
  const Coordinate x = m.coordinate("x", {1.2, 0.8}), y = m.coordinate("y", {1.6, -0.6}),
                   z = m.coordinate("z", {0.0, 0.5});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1.3);
  m.force(y, -9.81 * 1.3);
  m.constrain("rod", x * x + y * y + z * z, 4);
  return m;
}

TEST(Auto, IsTheDefault) {
  EXPECT_EQ(MotionOptions().integrator, Integrator::automatic);
  EXPECT_EQ(integrator_named("auto"), Integrator::automatic);
}

TEST(Auto, ShortMotionsAreThoseOfDop853ToTheBit) {
  const System system(spherical_pendulum());
  const Trajectory chosen = simulate(system, until(10)),
                   asked = simulate(system, until(10, 1e-9, Integrator::dop853));
  EXPECT_EQ(methods_of(chosen), std::vector{Integrator::dop853});
  EXPECT_EQ(chosen.last.q, asked.last.q);
  EXPECT_EQ(chosen.last.v, asked.last.v);
  EXPECT_EQ(chosen.steps, asked.steps);
}

TEST(Auto, StiffMotionIsLeftToTheImplicitMethod) {
  const System system(drawn_to_cosine(1e5));
  for (const double tolerance : {1e-4, 1e-6}) {
    const Trajectory chosen = simulate(system, until(20, tolerance));
    ASSERT_EQ(chosen.stop, Stop::end);
    EXPECT_EQ(methods_of(chosen), (std::vector{Integrator::dop853, Integrator::radau5})) << tolerance;
    EXPECT_NEAR(chosen.last.q[0], std::cos(20.0), 10 * tolerance);
    ASSERT_FALSE(chosen.notes.empty());
    EXPECT_NE(chosen.notes[0].find("radau5 made the steps: the motion is stiff there"), std::string::npos);
    // Explicit steps are held to 6 / c by stability: 20 s are more than 300 000 of them.
    EXPECT_LT(chosen.steps, 3000) << tolerance;
  }
}

TEST(Auto, FastOscillationThatIsSeenIsNotStiff) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1}), y = m.coordinate("y", {.start = 1});
  for (const Coordinate& q : {x, y}) m.mass(q, 1);
  m.force(x, -x);
  m.force(y, -1e6 * y);
  const Trajectory motion = simulate(System(m), until(2, 1e-7));
  for (const MethodUse& use : motion.methods) EXPECT_NE(use.integrator, Integrator::radau5);
  EXPECT_NEAR(motion.last.q[1], std::cos(2000.0), 1e-4);
}

TEST(Auto, GoesBackWhereTheMotionIsNotStiffAnyMore) {
  Model m;
  const Expr c = 1e5 / (1 + exp(20 * (m.time() - 3))) + 1;
  const System system(drawn_to_cosine(c, std::move(m)));
  const Trajectory motion = simulate(system, until(60, 1e-6));
  const std::vector<Integrator> used = methods_of(motion);
  ASSERT_GE(used.size(), 3u);
  EXPECT_EQ(used[0], Integrator::dop853);
  EXPECT_EQ(used[1], Integrator::radau5);
  EXPECT_EQ(used.back(), Integrator::dop853);
  EXPECT_NEAR(motion.last.q[0], std::cos(60.0), 1e-5);
}

/// Few more evaluations than radau5 alone takes, which suits the motion best; the first looks are 96 steps
/// of dop853, those at a switch with many evaluations.
void expect_cheap(const System& system, MotionOptions o) {
  const Trajectory chosen = simulate(system, o);
  o.integrator = Integrator::radau5;
  const Trajectory best = simulate(system, o);
  EXPECT_EQ(chosen.stop, Stop::end);
  EXPECT_LT(chosen.evaluations, 3 * best.evaluations + 5000);
  for (std::size_t i = 0; i < best.last.q.size(); ++i)
    EXPECT_NEAR(chosen.last.q[i], best.last.q[i], 1e-4 * (1 + std::fabs(best.last.q[i])));
}

TEST(Auto, StiffnessThatComesAndGoesIsFollowed) {
  Model m;
  const Expr c = 1e5 / (1 + exp(-20 * sin(0.2 * m.time()))) + 1;
  expect_cheap(System(drawn_to_cosine(c, std::move(m))), until(1000, 1e-6));
}

TEST(Auto, AStiffImpactDoesNotSpoilTheChoice) {
  Model m = drawn_to_cosine(1e4);
  const Coordinate y = m.coordinate("y", {.start = 0, .rate = 1});
  m.mass(y, 1);
  m.force(y, -if_less(y, 0, 1e8 * y + 2e4 * y.rate(), 0) - 9.81);
  expect_cheap(System(m), until(3, 1e-7));
}

TEST(Auto, FrictionThatSlidesDoesNotHideStiffness) {
  Model m = drawn_to_cosine(1e4);
  const Particle p = m.particle("p", {.mass = 1, .velocity = {3, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.constrain("table", p.z);
  m.friction("table", 0.1);
  expect_cheap(System(m), until(20, 1e-7));
}

TEST(Auto, SeriesMakeManyStepsOfSmallSystems) {
  const System system(spherical_pendulum());
  const Trajectory chosen = simulate(system, until(200)),
                   exact = simulate(system, until(200, 1e-13, Integrator::taylor));
  EXPECT_EQ(methods_of(chosen), (std::vector{Integrator::dop853, Integrator::taylor}));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(chosen.last.q[i], exact.last.q[i], 1e-6);
  const Trajectory loose = simulate(system, until(400, 1e-6));
  EXPECT_EQ(methods_of(loose), std::vector{Integrator::dop853});
}

/// Steps cannot tell rows apart that differ by less than the root of rounding, states can: with a series of
/// the one and forces of the other (y = 0.15 t^2 and y = t^2/6) no run comes to its end.
TEST(Auto, RowsThatAllButDependEndTheRun) {
  Model m;
  const Coordinate x = m.coordinate("x", {}), y = m.coordinate("y", {});
  for (const Coordinate& q : {x, y}) m.mass(q, 1);
  const Expr t = m.time();
  m.constrain("a", x + y, 0.3 * t * t);
  m.constrain("b", x + (1 + 3e-8) * y, 0.3 * t * t + 0.5e-8 * t * t);
  const Trajectory by_series = simulate(System(m), until(2, 1e-5, Integrator::taylor));
  EXPECT_EQ(by_series.stop, Stop::step_too_small);
  EXPECT_EQ(by_series.names, (std::vector<std::string>{"a", "b"})) << by_series.reason;

  Model n;
  const Coordinate u = n.coordinate("u", {}), v = n.coordinate("v", {}), w = n.coordinate("w", {});
  for (const Coordinate& q : {u, v, w}) n.mass(q, 1);
  n.constrain("a", u.acceleration() + v.acceleration(), cos(n.time()));
  n.constrain("b", u.acceleration() + (1 + 3e-8) * v.acceleration() + 1e-9 * w.acceleration(),
              cos(n.time()) + 1e-8);
  const Trajectory chosen = simulate(System(n), until(2));
  EXPECT_EQ(chosen.stop, Stop::step_too_small) << chosen.methods.size();
}

TEST(Auto, ProgrammesThatTheImplicitMethodDoesNotKnowStayWithTheExplicitOne) {
  Model m = drawn_to_cosine(3e3);
  const Coordinate y = m.coordinate("y", {});
  m.mass(y, 1);
  m.constrain("held", y, 0.0);
  m.servo("held", {.actuators = {y}});
  const Trajectory motion = simulate(System(m), until(2, 1e-6));
  EXPECT_EQ(motion.stop, Stop::end);
  EXPECT_EQ(methods_of(motion), std::vector{Integrator::dop853});
}

}  // namespace
}  // namespace vinculum
