#include "vinculum/model/model.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/message.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using test::message;

TEST(Model, ACoordinateReadsAsItsPositionAndKnowsItsRates) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1.5, .rate = -2});
  EXPECT_EQ(to_text(x * x.rate() + x.acceleration()), "x*x' + x''");
  EXPECT_EQ(m.coordinates()[0].start, 1.5);
  EXPECT_EQ(m.velocities()[0].start, -2);
  EXPECT_EQ(m.velocities()[0].name, "x'");
}

/// Under the address sanitizer this reads freed memory where the expression does not hold its graph.
TEST(Model, AnExpressionOutlivesTheModelItWasBuiltFrom) {
  const auto kinetic = [] {
    Model m;
    const Coordinate x = m.coordinate("x", {.start = 1});
    return 0.5 * pow(x.rate(), 2) * m.parameter("mass", 3);
  };
  Expr kept = kinetic();
  Expr other = kept;
  kept = 0.0;
  EXPECT_EQ(to_text(other), "0.5*x'^2*mass");
  EXPECT_EQ(to_text(sqrt(std::move(other))), "sqrt(0.5*x'^2*mass)");
}

TEST(Model, AParticleIsThreeCoordinatesWithItsMass) {
  Model m;
  const Particle p = m.particle("p", {.mass = 2, .position = {1, 2, 3}, .velocity = {4, 5, 6}});
  EXPECT_EQ(to_text(dot(p, p.velocity())), "p.x*p.x' + p.y*p.y' + p.z*p.z'");
  ASSERT_EQ(m.masses().size(), 3u);
  EXPECT_TRUE(m.masses()[2].value.is_constant(2));
  EXPECT_EQ(m.coordinates()[1].name, "p.y");
  EXPECT_EQ(m.velocities()[2].start, 6);
}

TEST(Model, GravityActsOnParticlesStatedBeforeAndAfterIt) {
  Model m;
  m.particle("early", {.mass = 2});
  m.gravity({0, 0, -10});
  m.particle("late", {.mass = 3});
  ASSERT_EQ(m.potentials().size(), 2u);  // a weight has an energy
  EXPECT_EQ(to_text(m.potentials()[0]), "20*early.z");
  EXPECT_EQ(to_text(m.potentials()[1]), "30*late.z");
}

TEST(Model, AConstraintIsLeftMinusRight) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.constrain("line", x, 2 * y);
  EXPECT_EQ(to_text(m.constraints()[0].rows[0]), "x - 2*y");
}

TEST(Model, ParametersBecomeNumbersOnRequestAndStayNamesOtherwise) {
  Model m;
  const Expr k = m.parameter("k", 2.5);
  const Coordinate x = m.coordinate("x");
  m.force(x, -k * x);
  EXPECT_EQ(to_text(with_numbers(m).forces()[0].value), "-2.5*x");
  EXPECT_EQ(to_text(m.forces()[0].value), "-k*x");
}

TEST(Model, ACopyIsAModelOfItsOwn) {
  Model m;
  const Coordinate x = m.coordinate("x");
  Model copy = m;
  copy.force(x, -x);
  copy.coordinate("y");
  EXPECT_EQ(m.coordinates().size(), 1u);
  EXPECT_TRUE(m.forces().empty());
  EXPECT_EQ(copy.coordinates().size(), 2u);
  const Model moved = std::move(copy);
  EXPECT_EQ(moved.coordinates().size(), 2u);
  copy = m;  // what was moved from can be given something again
  EXPECT_EQ(copy.coordinates().size(), 1u);
  copy.force(x, 2 * x);
  EXPECT_EQ(to_text(copy.forces()[0].value), "2*x");
  EXPECT_EQ(to_text(moved.forces()[0].value), "-x");
}

TEST(Model, TheRateOfAnExpressionHasVelocitiesForCoordinatesAndAccelerationsForVelocities) {
  Model m;
  const Coordinate x = m.coordinate("x");
  EXPECT_TRUE(identical(m.rate(x), x.rate()));
  EXPECT_TRUE(identical(m.rate(3 * x.rate()), 3 * x.acceleration()));
  EXPECT_TRUE(m.rate(m.time()).is_constant(1));
}

TEST(Model, NamesAreCheckedWhenTheyAreGiven) {
  Model m;
  const Coordinate x = m.coordinate("x");
  EXPECT_EQ(message([&] { m.coordinate("x"); }), "the name 'x' is already that of a coordinate");
  EXPECT_EQ(message([&] { m.particle("x"); }), "the name 'x' is already that of a coordinate");
  EXPECT_EQ(message([&] { m.coordinate("t"); }), "'t' is reserved and cannot name a coordinate");
  EXPECT_EQ(message([&] { m.parameter("sin", 1); }), "'sin' is reserved and cannot name a parameter");
  EXPECT_EQ(
      message([&] { m.coordinate("2x"); }),
      "'2x' cannot name a coordinate: a name is letters, digits and _, and does not start with a digit");
  EXPECT_EQ(message([&] { m.coordinate(""); }),
            "'' cannot name a coordinate: a name is letters, digits and _, and does not start with a digit");
  m.constrain("c", x, 1);
  EXPECT_EQ(message([&] { m.constrain("c", x, 2); }), "there are two constraints named 'c'");
}

TEST(Model, NumbersMustBeFinite) {
  Model m;
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message([&] { m.coordinate("x", {.start = inf}); }),
            "the start of 'x' is inf; it must be a finite number");
  EXPECT_EQ(message([&] { m.parameter("k", -inf); }), "parameter 'k' is -inf; it must be a finite number");
}

TEST(Model, ReactionsMultipliersAndEnergyStandWhereTheyAreKnown) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.constrain("rod", x, 1);
  const Expr pull = m.reaction("rod", x), lambda = m.multiplier("rod"), energy = m.energy();
  EXPECT_EQ(pull.name(), "force(rod).x");
  EXPECT_EQ(lambda.name(), "multiplier(rod)");
  EXPECT_EQ(
      message([&] { m.force(x, pull); }),
      "a force contains 'force(rod).x', which may stand in outputs and events only, and in non-ideal forces");
  EXPECT_EQ(message([&] { m.potential(energy); }),
            "a potential contains 'energy', which may stand in outputs and events only");
  EXPECT_EQ(message([&] { m.constrain("more", lambda); }),
            "constraint 'more' contains 'multiplier(rod)', which may stand in outputs and events only");
  EXPECT_EQ(message([&] { m.nonideal(x, energy); }),
            "a non-ideal force contains 'energy'; it may depend on coordinates, velocities, t and ideal "
            "constraint forces");
  m.nonideal(x, -abs(pull));
  EXPECT_EQ(message([&] { m.multiplier("rood"); }), "there is no constraint 'rood' (did you mean 'rod'?)");
  EXPECT_EQ(message([&] { m.multiplier("rod", 1); }),
            "constraint 'rod' has 1 rows, counted from 0; there is no row 1");
  m.output("pull", pull);
  EXPECT_EQ(message([&] { m.event("pull", x); }), "the name 'pull' is already that of an output");
  EXPECT_EQ(
      message([&] { m.event("jerk", x.acceleration()); }),
      "event 'jerk' contains the acceleration 'x\'\''; accelerations may stand in constraints and outputs "
      "only");
}

TEST(Model, EachStatementTakesOnlyWhatItsMeaningAllows) {
  Model m;
  const Coordinate x = m.coordinate("x");
  const Speed w = m.speed("w");
  EXPECT_EQ(
      message([&] { m.force(x, x.acceleration()); }),
      "a force contains the acceleration 'x'''; accelerations may stand in constraints and outputs only");
  EXPECT_EQ(message([&] { m.mass(x, x.rate()); }),
            "a mass contains the velocity 'x''; it may depend on coordinates and t only");
  EXPECT_EQ(message([&] { m.potential(x.rate()); }),
            "a potential contains the velocity 'x''; it may depend on coordinates and t only");
  EXPECT_EQ(message([&] { m.force(2 * x, 1); }),
            "a force acts on a coordinate of this model or on a speed; something else was given");
  EXPECT_EQ(message([&] { m.kinetic(w * w); }),
            "a kinetic energy contains 'w', and Lagrange's equations ask for coordinates whose rates are the "
            "velocities; state masses and forces");
  m.lagrangian(x.rate() * x.rate());
  EXPECT_EQ(message([&] { m.potential(x); }),
            "a potential beside a Lagrangian: put it into the Lagrangian, L = T - V");
}

TEST(Model, ARefusedConstraintLeavesTheModelAsItWas) {
  Model a, b;
  const Coordinate x = a.coordinate("x"), y = b.coordinate("y");
  EXPECT_NE(message([&] { a.constrain("c", Vector{x, y, x}); }), "no error");
  EXPECT_TRUE(a.constraints().empty());
  EXPECT_EQ(message([&] { a.constrain("c", x); }), "no error");
}

TEST(Model, ARateIsLinearInTheVelocities) {
  Model m;
  const Speed w = m.speed("w");
  EXPECT_EQ(message([&] { m.coordinate_with_rate("u", w * w, 0); }),
            "the rate of 'u' is not linear in the velocity 'w'; q' = N(q) v is asked for");
  EXPECT_EQ(message([&] { m.coordinate_with_rate("u", w.acceleration(), 0); }),
            "the rate of 'u' contains the acceleration 'w''");
}

TEST(Model, ExpressionsOfTwoModelsDoNotMix) {
  Model a, b;
  const Coordinate x = a.coordinate("x"), y = b.coordinate("y");
  EXPECT_EQ(message([&] { x* y; }),
            "expressions of two models meet in one formula; build all its parts from the same model");
}

}  // namespace
}  // namespace vinculum
