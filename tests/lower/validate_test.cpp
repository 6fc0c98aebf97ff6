// One model may break several rules: each is told, of what, in the words of C++.
#include "vinculum/lower/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

std::vector<Rule> rules_of(const Model& model) {
  std::vector<Rule> rules;
  for (const Breach& breach : validate(model)) rules.push_back(breach.rule);
  return rules;
}

TEST(Validate, ASoundModelBreaksNothing) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 2);
  m.constrain("c", x * x + y * y, 1);
  EXPECT_TRUE(validate(m).empty());
  EXPECT_NO_THROW(require_valid(m));
}

TEST(Validate, TellsEveryBreachAndOfWhat) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.mass(x, 1);
  m.kinetic(0.5 * x.rate() * x.rate());
  m.gravity({0, 0, -9.81});
  m.constrain("bent", pow(y.acceleration(), 2) - z.acceleration());
  EXPECT_EQ(rules_of(m), (std::vector<Rule>{Rule::gravity_has_weights, Rule::linear_in_accelerations,
                                            Rule::one_inertia, Rule::has_inertia, Rule::has_inertia}));
  const std::vector<Breach> found = validate(m);
  EXPECT_EQ(found[1].of, 0);
  EXPECT_EQ(found[2].of, 0);
  EXPECT_EQ(found[2].text, "'x'' has a mass and stands in an energy of motion; state one of the two");
  EXPECT_EQ(found[3].of, 1);
  EXPECT_EQ(found[4].of, 2);
}

TEST(Validate, TheErrorIsThatOfTheFirst) {
  const Model empty;
  try {
    require_valid(empty);
    FAIL() << "a model without coordinates is refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.text(), "the model has no coordinates");
  }
}

TEST(Validate, WhatLivesByStationaryActionHasItsOwnRules) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("place", x - y);
  m.constrain("blade", x.rate() - y * y.rate());
  m.start_multiplier("place", 0, 1.0);
  EXPECT_EQ(rules_of(m), std::vector<Rule>{Rule::start_of_mu_for_vakonomic});
  m.set_mechanics(Mechanics::vakonomic);
  const std::vector<Breach> found = validate(m);
  ASSERT_EQ(rules_of(m), (std::vector<Rule>{Rule::no_mu_of_positions, Rule::mu_has_start}));
  EXPECT_EQ(found[0].of, 0);
  EXPECT_EQ(found[1].of, 1);
}

TEST(Validate, AProgrammeWithActuatorsHasNoMultipliersAndNoFrictionBesideIt) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1});
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1);
  m.constrain("table", p.z, 0);
  m.constrain("go", x - p.x);
  m.friction("table", 0.3);
  EXPECT_FALSE(acts_by_actuators(m, 1));
  m.servo("go", {.actuators = {x}});
  m.output("push", m.multiplier("go"));
  EXPECT_TRUE(acts_by_actuators(m, 1));
  const std::vector<Breach> found = validate(m);
  ASSERT_EQ(rules_of(m),
            (std::vector<Rule>{Rule::no_multipliers_of_actuators, Rule::no_friction_beside_actuators}));
  EXPECT_EQ(found[0].of, 1);
  EXPECT_EQ(found[1].of, 0);
  EXPECT_EQ(found[1].beside, 1);
}

}  // namespace
}  // namespace vinculum
