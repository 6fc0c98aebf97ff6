#include "vinculum/motion/assemble.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/systems.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

TEST(Assemble, AConsistentStateStaysAsItIs) {
  const System system(test::pendulum());
  const Assembly a = assemble(system, system.start());
  EXPECT_TRUE(a.consistent);
  EXPECT_TRUE(a.repaired);
  EXPECT_TRUE(a.changes.empty());
  EXPECT_EQ(a.text, "");
  EXPECT_EQ(a.state.q, system.start().q);
}

TEST(Assemble, NamesWhatIsBrokenByHowMuchAndTheRepair) {
  const System system(test::pendulum(1.1, 0, 0.5, 1));
  const Assembly a = assemble(system, system.start());
  EXPECT_FALSE(a.consistent);
  EXPECT_TRUE(a.repaired);
  EXPECT_EQ(
      a.text,
      "the start breaks constraint 'rod' in its velocities by 1.1, constraint 'rod' by 0.21; the nearest "
      "consistent start moves 'x'' by -0.5, 'x' by -0.1 (--assemble applies it)");
  EXPECT_DOUBLE_EQ(a.state.q[0], 1);
  EXPECT_NEAR(a.state.v[0], 0, 1e-15);
  EXPECT_DOUBLE_EQ(a.state.v[1], 1);
}

/// A bar between two masses, too long by a tenth.
Model dumbbell() {
  Model m;
  const Coordinate a = m.coordinate("a", {0, 0}), b = m.coordinate("b", {1.1, 0});
  m.mass(a, 3.0);
  m.mass(b, 1.0);
  m.constrain("bar", b - a, 1.0);
  return m;
}

TEST(Assemble, MovesLightMassesMoreThanHeavyOnes) {
  const System system(dumbbell());
  const Assembly a = assemble(system, system.start());
  EXPECT_NEAR(a.state.q[0], 0.025, 1e-15);  // the change in the mass metric: 1/3 to 1
  EXPECT_NEAR(a.state.q[1], 1.025, 1e-15);
}

TEST(Assemble, KeepsFixedWhatTheUserWantsKept) {
  const System system(dumbbell());
  AssembleOptions options;
  options.fixed = {"b"};
  const Assembly a = assemble(system, system.start(), options);
  ASSERT_TRUE(a.repaired);
  EXPECT_EQ(a.state.q[1], 1.1);
  EXPECT_NEAR(a.state.q[0], 0.1, 1e-15);
  options.fixed = {"a", "b"};
  const Assembly stuck = assemble(system, system.start(), options);
  EXPECT_FALSE(stuck.repaired);
  EXPECT_EQ(stuck.fighting, std::vector<std::string>{"bar"});
  EXPECT_EQ(stuck.state.q, system.start().q);
}

TEST(Assemble, CoupledMassesDoNotMoveWhatIsFixed) {
  Model m = dumbbell();
  Model coupled;
  const Coordinate a = coupled.coordinate("a", {0, 0}), b = coupled.coordinate("b", {1.1, 0});
  coupled.mass(a, 3.0);
  coupled.mass(b, 1.0);
  coupled.mass(a, b, 0.5);
  coupled.constrain("bar", b - a, 1.0);
  const System system(coupled);
  AssembleOptions options;
  options.fixed = {"a"};
  const Assembly result = assemble(system, system.start(), options);
  ASSERT_TRUE(result.repaired);
  EXPECT_EQ(result.state.q[0], 0.0);
  EXPECT_NEAR(result.state.q[1], 1.0, 1e-15);
}

TEST(Assemble, AnUnknownNameToKeepIsAnErrorWithTheNearest) {
  const System system(dumbbell());
  AssembleOptions options;
  options.fixed = {"bb"};
  try {
    assemble(system, system.start(), options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "assemble: there is no coordinate or velocity 'bb' to keep fixed (did you mean 'b'?)");
  }
}

TEST(Assemble, SaysWhichConstraintsFight) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0}), y = m.coordinate("y", {0, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("left", x, 1.0);
  m.constrain("up", y, 0.5);
  m.constrain("right", x, 2.0);
  const System system(m);
  const Assembly a = assemble(system, system.start());
  EXPECT_FALSE(a.repaired);
  EXPECT_EQ(a.fighting, (std::vector<std::string>{"left", "right"}));
  EXPECT_NE(a.text.find("left and right cannot hold together"), std::string::npos) << a.text;
}

TEST(Assemble, OnlyWhatIsSoEverywhereIsAContradiction) {
  // Two lengths of one rod contradict; two rods from points that are too far apart only look so, here.
  for (const double apart : {0.0, 5.0}) {
    Model m;
    const Particle p = m.particle("p", {1.0, {1.0, 0.1, 0.0}});
    m.constrain("one", norm_squared(p.position()), 1.0);
    m.constrain("other", norm_squared(p.position() - Vector{apart, 0, 0}), 2.0);
    const System system(m);
    const Assembly a = assemble(system, system.start());
    EXPECT_FALSE(a.repaired);
    if (apart == 0.0) {
      EXPECT_EQ(a.fighting, (std::vector<std::string>{"one", "other"}));
      EXPECT_TRUE(a.open.empty());
    } else {
      EXPECT_TRUE(a.fighting.empty());
      ASSERT_EQ(a.open.size(), 2u);
      // On the line between the points, x: the least of (x^2 - 1)^2 + ((5 - x)^2 - 2)^2.
      double x = 2.5;
      for (int k = 0; k < 50; ++k) {
        const double f = x * x - 1, g = (5 - x) * (5 - x) - 2;
        x -= (f * 2 * x - g * 2 * (5 - x)) / (4 * x * x + 2 * f + 4 * (5 - x) * (5 - x) + 2 * g);
      }
      for (const Violation& v : a.open)
        EXPECT_NEAR(v.miss, v.constraint == "one" ? x * x - 1 : (5 - x) * (5 - x) - 2, 1e-6);
    }
  }
}

TEST(Assemble, AnEquationWithoutCoordinatesCannotBeRepaired) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0});
  m.mass(x, 1.0);
  m.constrain("clock", m.time(), 1.0);
  const System system(m);
  const Assembly a = assemble(system, system.start());
  EXPECT_FALSE(a.consistent);
  EXPECT_FALSE(a.repaired);
  EXPECT_EQ(a.fighting, std::vector<std::string>{"clock"});
}

TEST(Assemble, ClosesALoopDrawnRoughly) {
  // Five links between fixed ends, open by a tenth.
  Model m;
  std::vector<Particle> p;
  for (int i = 1; i <= 4; ++i)
    p.push_back(m.particle("p" + std::to_string(i), {1.0, {0.9 * i, 0.3 * (i % 2), 0.05 * i}}));
  const Vector from{0, 0, 0}, to{4, 0, 0};
  m.constrain("l0", norm_squared(p[0].position() - from), 1.0);
  for (int i = 0; i < 3; ++i) m.constrain("l" + std::to_string(i + 1), norm_squared(p[i + 1] - p[i]), 1.0);
  m.constrain("l4", norm_squared(to - p[3].position()), 1.0);
  const System system(m);
  const Assembly a = assemble(system, system.start());
  ASSERT_TRUE(a.repaired) << a.text;
  Workspace work(system);
  Residuals r;
  residuals(system, a.state, work, r);
  for (const double phi : r.position) EXPECT_NEAR(phi, 0, 1e-14);
}

TEST(Assemble, FindsTheNearestStateAlsoWhereConstraintsBend) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.5, 0}), y = m.coordinate("y", {0.4, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("ellipse", pow(x, 2) / 9 + pow(y, 2), 1.0);
  const System system(m);
  const Assembly a = assemble(system, system.start());
  ASSERT_TRUE(a.repaired);
  // The nearest point's difference is along the normal there: (dx, dy) x (x/9, y) = 0.
  const double dx = a.state.q[0] - 0.5, dy = a.state.q[1] - 0.4;
  EXPECT_NEAR(dx * a.state.q[1] - dy * a.state.q[0] / 9, 0, 1e-10);
  EXPECT_NEAR(a.state.q[0], 0.535, 1e-3);
}

TEST(Assemble, ComesFromFarAway) {
  const System circle(test::pendulum());
  State far = circle.start();
  far.q = {1000, 500};
  const Assembly a = assemble(circle, far);
  ASSERT_TRUE(a.repaired) << a.text;
  EXPECT_NEAR(a.state.q[0] / a.state.q[1], 2, 1e-12);
}

TEST(Assemble, MeetsConstraintsNonlinearInTheVelocities) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 1});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("speed", pow(x.rate(), 2) + pow(y.rate(), 2), 1.0);
  const System system(m);
  const Assembly a = assemble(system, system.start());
  ASSERT_TRUE(a.repaired);
  EXPECT_NEAR(a.state.v[0], std::sqrt(0.5), 1e-15);  // the nearest point of the circle
  EXPECT_NEAR(a.state.v[1], std::sqrt(0.5), 1e-15);
}

TEST(Assemble, PlacesMasslessCoordinatesByTheirConstraints) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), s = m.coordinate("s", {5, 0});
  m.mass(x, 1.0);
  m.mass(s, 0.0);
  m.constrain("follows", s, 2 * x);
  const System system(m);
  const Assembly a = assemble(system, system.start());
  ASSERT_TRUE(a.repaired) << a.text;
  EXPECT_NEAR(a.state.q[1], 2 * a.state.q[0], 1e-12);
  EXPECT_NEAR(a.state.q[0], 1, 1e-4);  // massless moves, the mass stays (weight 1e-6 against 1)
}

TEST(Assemble, AStartWhereRowsVanishIsRepairedAndNobodyIsBlamed) {
  for (const double length : {0.01, 1.0, 2.0, 50.0}) {
    Model m;
    const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z", {3, 4});
    for (const Coordinate& q : {x, y, z}) m.mass(q, 1.0);
    m.constrain("rod", pow(x, 2) + pow(y, 2), length * length);
    m.constrain("speed", pow(x.rate(), 2) + pow(y.rate(), 2), 4.0);
    const Assembly a = assemble(System(m), System(m).start());
    EXPECT_FALSE(a.consistent);
    EXPECT_TRUE(a.fighting.empty()) << length;
    ASSERT_TRUE(a.repaired) << length << " " << a.text;
    EXPECT_NEAR(std::hypot(a.state.q[0], a.state.q[1]), length, 1e-12 * length);
    EXPECT_NEAR(std::hypot(a.state.v[0], a.state.v[1]), 2.0, 1e-12);
    EXPECT_EQ(a.state.q[2], 3);  // what is not concerned stays
    EXPECT_EQ(a.state.v[2], 4);
  }
}

}  // namespace
TEST(Assemble, AStartOffByRoundingOfZeroIsConsistent) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = std::sin(3.14159265358979323846)}),
                   y = m.coordinate("y", {.start = 0, .rate = 1});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("c", x, y - m.time());
  const System system(m);
  AssembleOptions options;
  options.time = 1;  // in which y goes its way: beside that the miss is rounding
  EXPECT_TRUE(assemble(system, system.start(), options).consistent);
  State off = system.start();
  off.q[0] = 1e-12;  // no rounding makes this of zero
  EXPECT_FALSE(assemble(system, off, options).consistent);
}

}  // namespace vinculum
