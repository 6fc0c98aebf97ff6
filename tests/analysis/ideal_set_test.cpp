// "Ideal" for whom: at this state, or at every state that satisfies the constraint.
#include "analysis/instant/ideal_set.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "vinculum/analysis/check.hpp"
#include "vinculum/analysis/explain.hpp"

namespace vinculum {
namespace {

struct Space {
  Model m;
  Coordinate x, y, z;
  Expr u, v, w, t;
  Space(std::array<double, 3> place, std::array<double, 3> speed) {
    x = m.coordinate("x", {place[0], speed[0]});
    y = m.coordinate("y", {place[1], speed[1]});
    z = m.coordinate("z", {place[2], speed[2]});
    for (const Coordinate& q : {x, y, z}) m.mass(q, 1.0);
    u = x.rate(), v = y.rate(), w = z.rate(), t = m.time();
  }
  ConstraintNature nature(const Expr& left, const Expr& right) {
    m.constrain("c", left, right);
    const System system(m);
    return examine(m, system, system.start()).constraints.at(0);
  }
};

std::string line(const ConstraintNature& c, Space& s) {
  const System system(s.m);
  const std::string page = check_page(system, check(s.m, system, system.start()));
  const std::size_t at = page.find("  c          ");
  EXPECT_TRUE(c.name == "c" && at != page.npos) << page;
  return page.substr(at, page.find('\n', at) - at);
}

TEST(IdealSet, HomogeneousOfAnyDegreeIsIdealEverywhere) {
  const auto always = [](Space s, const std::function<std::pair<Expr, Expr>(Space&)>& equation) {
    const auto [left, right] = equation(s);
    const ConstraintNature c = s.nature(left, right);
    EXPECT_TRUE(c.ideal);
    EXPECT_EQ(c.ideal_always, true) << c.reason.ideal;
    EXPECT_NE(c.reason.ideal.find("(Euler)"), std::string::npos) << c.reason.ideal;
    const std::string said = line(c, s);
    EXPECT_NE(said.find(", ideal"), said.npos) << said;
    EXPECT_EQ(said.find("this state"), said.npos) << said;
  };
  always(Space({0, 0, 0}, {1, 0, 0.3}), [](Space& s) { return std::pair(s.v / s.u, tan(s.z)); });
  always(Space({0, 0, 0}, {1, 0, 0.3}), [](Space& s) { return std::pair(atan2(s.v, s.u), Expr(s.z)); });
  always(Space({0, 0, 0}, {1, 2, 2}), [](Space& s) { return std::pair(s.u * s.v / s.w, s.u); });
  always(Space({0, 0, 0}, {1, 1, 0}), [](Space& s) { return std::pair(s.u - s.v + 1.0 - 1.0, Expr(0.0)); });
  always(Space({0, 0, 0}, {3, 4, 5}), [](Space& s) { return std::pair(hypot(s.u, s.v), abs(s.w)); });
  always(Space({0, 0, 0}, {1, 1, 0}), [](Space& s) { return std::pair(s.u * exp(s.t), s.v * exp(s.t)); });
}

TEST(IdealSet, WhatIsIdealAtThisStateByChanceIsNotCalledIdeal) {
  const auto never = [](Space s, const std::function<std::pair<Expr, Expr>(Space&)>& equation) {
    const auto [left, right] = equation(s);
    const ConstraintNature c = s.nature(left, right);
    EXPECT_TRUE(c.ideal);
    EXPECT_EQ(c.ideal_always, false) << c.reason.ideal;
    EXPECT_NE(c.reason.ideal.find("at other states that satisfy it A v is not 0"), std::string::npos);
    const std::string said = line(c, s);
    EXPECT_NE(said.find("ideal at this state, not at others"), said.npos) << said;
  };
  never(Space({0, 0, 0}, {1, 1, 0}), [](Space& s) { return std::pair(s.u, s.v + sin(s.t)); });
  never(Space({0, 0, 0}, {1, 1, 0}), [](Space& s) { return std::pair(s.u, s.v + 1e-7 * sin(s.t)); });
  never(Space({0, 0, 0}, {0, 1, 0}), [](Space& s) { return std::pair(pow(s.u, 2), Expr(s.x)); });
  never(Space({1, 0, 0}, {0, 1, 0}), [](Space& s) { return std::pair(Expr(s.x), 1.0 + pow(s.t, 2)); });
  never(Space({0, 0, 0}, {1, -1, 0}),
        [](Space& s) { return std::pair(s.x.acceleration() + s.y.acceleration(), Expr(0.0)); });
}

TEST(IdealSet, WhatDoesWorkHereIsNotIdealEverywhere) {
  Space s({1, 0, 0}, {0.3, 2, 0});
  const ConstraintNature c = s.nature(s.x * sin(2.0 * s.t), s.y * cos(2.0 * s.t));
  EXPECT_FALSE(c.ideal);
  EXPECT_EQ(c.ideal_always, false);
}

TEST(IdealSet, WhatCannotBeDecidedIsSaidOfThisStateAlone) {
  // x' = y' in disguise: A v = 0 on the set, but no degree shows it, and no state denies it.
  Space s({0, 0, 0}, {1, 1, 0.3});
  const ConstraintNature c = s.nature(exp(s.u), exp(s.v));
  EXPECT_TRUE(c.ideal);
  EXPECT_FALSE(c.ideal_always.has_value());
  EXPECT_EQ(c.reason.ideal,
            "A v = 0 at this state; whether at every state that satisfies it could not be decided");
  const std::string said = line(c, s);
  EXPECT_NE(said.find(", ideal at this state"), said.npos) << said;
}

TEST(IdealSet, ADoubleZeroIsNoWork) {
  Space s({0, 0, 0}, {1, 1, 0});
  EXPECT_NE(s.nature(pow(exp(s.u) - exp(s.v), 2), 0.0).ideal_always, false);
}

TEST(IdealSet, ATimeFactorThatNeverVanishesIsNotTakenForWork) {
  Space s({0, 0, 0}, {1, 1, 0});
  EXPECT_NE(s.nature((s.x - s.y) * (1.0 + pow(s.t, 2)), 0.0).ideal_always, false);
}

}  // namespace
}  // namespace vinculum
