// Which laws read a share of a force that only a choice of norm determines.
#include "vinculum/system/norm_dependence.hpp"

#include <gtest/gtest.h>

#include "vinculum/expr/vector.hpp"

namespace vinculum {
namespace {

using Names = std::vector<std::string>;

/// A block of weight 9.81 on a table that is stated twice, at rest or not.
struct Table {
  Model model;
  Coordinate x, y;
  explicit Table(double speed = 3.0) {
    x = model.coordinate("x", {0, speed});
    y = model.coordinate("y");
    model.mass(x, 1);
    model.mass(y, 1);
    model.force(y, -9.81);
    model.constrain("table", y);
    model.constrain("again", 2 * y);
  }
  std::vector<NormDependence> found() const {
    const System system(model);
    return norm_dependences(system, system.start());
  }
};

TEST(NormDependence, ALawThatReadsAShareIsNamedWithThoseThatShare) {
  Table t;
  t.model.nonideal(t.x, -0.3 * abs(t.model.reaction("table", t.y)) * sign(t.x.rate()));
  const auto found = t.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].law, "the non-ideal force on 'x'");
  EXPECT_EQ(found[0].reads, Names{"table"});
  EXPECT_EQ(found[0].sharing, Names{"again"});
  EXPECT_EQ(describe(found[0]),
            "the motion depends on a choice of norm: the non-ideal force on 'x' reads the force of 'table', "
            "shared with "
            "'again': only the sum is determined, and the shares of least norm are taken");
  EXPECT_EQ(names_of(found), (Names{"table", "again"}));
}

TEST(NormDependence, ALawThatIsSilentAtRestIsNamedAllTheSame) {
  Table t(0.0);
  t.model.nonideal(t.x, -0.3 * abs(t.model.reaction("table", t.y)) * sign(t.x.rate()));
  EXPECT_EQ(t.found().size(), 1u);
}

TEST(NormDependence, ALawOfTheSumDependsOnNoChoice) {
  Table t;
  t.model.nonideal(
      t.x, -0.3 * abs(t.model.reaction("table", t.y) + t.model.reaction("again", t.y)) * sign(t.x.rate()));
  EXPECT_TRUE(t.found().empty());
  Table apart;  // both press the same way: so do their sizes add up
  apart.model.nonideal(
      apart.x,
      -0.3 * (abs(apart.model.reaction("table", apart.y)) + abs(apart.model.reaction("again", apart.y))) *
          sign(apart.x.rate()));
  EXPECT_TRUE(apart.found().empty());
}

TEST(NormDependence, AVectorEquationOfRankTwoHasAForceOfItsOwn) {
  // The plane z = 0 written as three rows of rank one, and a rail beside it that shares nothing.
  Model model;
  const Particle p = model.particle("p", {.mass = 1.0, .velocity = {1, 0, 0}});
  model.gravity({0, 0, -9.81});
  model.constrain("plane", Vector{p.z, 2 * p.z, -p.z});
  model.constrain("rail", p.y);
  const Expr press = model.reaction("plane", p.z);
  model.nonideal(p.x, -0.1 * abs(press) * sign(p.x.rate()) - 0.2 * abs(model.reaction("rail", p.y)));
  const System system(model);
  EXPECT_TRUE(norm_dependences(system, system.start()).empty());
  Model row = model;
  row.nonideal(p.x, -0.1 * abs(model.multiplier("plane", 0)));
  const System one(row);
  EXPECT_EQ(norm_dependences(one, one.start()).size(), 1u);
}

TEST(NormDependence, EventsThatStopCountAndOthersDoNot) {
  for (const bool stop : {true, false}) {
    Table t;
    t.model.event("heavy", t.model.multiplier("table") - 5, Model::Direction::both, stop);
    EXPECT_EQ(t.found().size(), stop ? 1u : 0u);
  }
}

TEST(NormDependence, IndependentRowsShareNothing) {
  Model model;
  const Coordinate x = model.coordinate("x", {0, 1}), y = model.coordinate("y");
  model.mass(x, 1);
  model.mass(y, 1);
  model.force(y, -9.81);
  model.constrain("table", y);
  model.nonideal(x, -0.3 * abs(model.reaction("table", y)) * sign(x.rate()));
  const System system(model);
  EXPECT_TRUE(norm_dependences(system, system.start()).empty());
}

TEST(NormDependence, FrictionsThatDifferOnOnePlaneAreNamed) {
  Model model;
  const Particle p = model.particle("p", {.mass = 1.0, .velocity = {1, 0, 0}});
  model.gravity({0, 0, -9.81});
  model.constrain("smooth", p.z);
  model.constrain("rough", 2 * p.z);
  model.friction("smooth", 0.1);
  model.friction("rough", 0.4);
  const System system(model);
  const auto found = norm_dependences(system, system.start());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].law, "the friction of 'smooth' and 'rough'");
  EXPECT_EQ(names_of(found), (Names{"smooth", "rough"}));
}

}  // namespace
}  // namespace vinculum
