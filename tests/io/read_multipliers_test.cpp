// [multipliers] of vakonomic motion: what is read, and what is refused, each at its place.
#include <gtest/gtest.h>

#include "io/marked.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

const std::string vakonomic = "mechanics = 'vakonomic'\n[parameters]\nk = 2\n" + two;
const std::string rows = "[constraints]\nblade = \"x' = y*y'\"\nrod = 'x^2 + y^2 = 1'\n";

TEST(ReadMultipliers, EveryRowOnVelocitiesHasAStart) {
  const ReadResult read = read_model(vakonomic + "[particles.p]\nmass = 1\n" + rows +
                                         "roll = \"p' = [x', 0, y*y']\"\n[multipliers]\nblade = "
                                         "'k/4'\n'roll[0]' = 1\n'roll[1]' = -2\n'roll[2]' = 3e-1\n",
                                     "m.toml");
  ASSERT_TRUE(read.file) << read.faults.front().text;
  EXPECT_EQ(read.file->model.mechanics(), Mechanics::vakonomic);
  const System system(read.file->model);
  EXPECT_EQ(system.stated_coordinates(), 5);
  EXPECT_EQ(system.coordinate_names(),
            (Texts{"x", "y", "p.x", "p.y", "p.z", "mu(blade)", "mu(roll[0])", "mu(roll[1])", "mu(roll[2])"}));
  EXPECT_EQ(system.start().q, (std::vector<double>{1, 0, 0, 0, 0, 0.5, 1, -2, 0.3}));
}

TEST(ReadMultipliers, ParametersOfTheCommandLineReachThem) {
  const ReadResult read =
      read_model(vakonomic + rows + "[multipliers]\nblade = 'k'\n", "m.toml", {{"k", "-3"}});
  ASSERT_TRUE(read.file);
  EXPECT_EQ(System(read.file->model).start().q.back(), -3);
}

TEST(ReadMultipliers, AMissingOneIsAFaultOfTheTableThatLacksIt) {
  expect_faults(
      vakonomic + rows + "more = \"y' = x*x'\"\n@[multipliers]\nblade = 1\n",
      {"vakonomic motion needs the multiplier of 'more' at the start: more = 0 in [multipliers], or another "
       "value"});
  expect_faults(vakonomic + "[constraints]\n@blade = \"x' = y*y'\"\nrod = 'x^2 + y^2 = 1'\n",
                {"vakonomic motion needs the multiplier of 'blade' at the start: blade = 0 in [multipliers], "
                 "or another "
                 "value"});
  expect_faults(vakonomic +
                    "[particles.p]\nmass = 1\n[constraints]\nroll = \"p' = [x', 0, p.y]\"\n@@[multipliers]\n"
                    "'roll[1]' = 0\n",
                {"vakonomic motion needs the multiplier of 'roll[0]' at the start: \"roll[0]\" = 0 in "
                 "[multipliers], or "
                 "another value",
                 "vakonomic motion needs the multiplier of 'roll[2]' at the start: \"roll[2]\" = 0 in "
                 "[multipliers], or "
                 "another value"});
}

TEST(ReadMultipliers, KeysAreRowsOnVelocities) {
  expect_faults(
      vakonomic + rows + "[multipliers]\nblade = 1\n@rod = 0\n@blad = 2\n@xyz = 1\n@'blade[0]' = 1\n",
      {"'rod' is a constraint on positions: its multiplier follows from the motion and has no start",
       "there is no row 'blad' (did you mean 'blade'?)", "there is no row 'xyz'",
       "'blade' has one row, whose name is 'blade'"});
  expect_faults(vakonomic +
                    "[particles.p]\nmass = 1\n[constraints]\nroll = \"p' = [x', 0, p.y']\"\n[multipliers]\n"
                    "'roll[0]' = 0\n'roll[1]' = 0\n'roll[2]' = 0\n@roll = 1\n",
                {"'roll' has 3 rows, each with a multiplier of its own: \"roll[0]\" to \"roll[2]\""});
}

TEST(ReadMultipliers, ValuesAreFiniteNumbersMadeOfParameters) {
  expect_faults(vakonomic + rows + "[multipliers]\nblade = '@x'\n",
                {"'x' is a coordinate, and the multiplier of 'blade' may use parameters only"});
  expect_faults(vakonomic + rows + "[multipliers]\nblade = @inf\n",
                {"the multiplier of 'blade' is inf; it must be a finite number"});
  expect_faults(vakonomic + rows + "[multipliers]\nblade = @[1, 2, 3]\n",
                {"the multiplier of 'blade' is an array; a number is asked for"});
}

TEST(ReadMultipliers, AConstraintWithAFaultMakesNoSecondOne) {
  expect_faults(vakonomic + "[constraints]\nblade = \"x' = @zz*y'\"\n[multipliers]\nblade = 1\n",
                {"unknown name 'zz' in constraint 'blade'"});
}

TEST(ReadMultipliers, TheTableIsForVakonomicMotion) {
  expect_faults(
      two + "[constraints]\nblade = \"x' = y*y'\"\n[@multipliers]\nblade = 1\n",
      {"[multipliers] is for vakonomic motion; state 'mechanics' = \"vakonomic\", or leave it out"});
}

TEST(ReadMultipliers, AccelerationsHaveNoPlaceInVakonomicMotion) {
  expect_faults(
      vakonomic + "[constraints]\na = \"2*@x'' = y\"\n",
      {"constraint 'a' contains accelerations; vakonomic motion is for constraints on positions and "
       "velocities"});
}

TEST(ReadMultipliers, FrictionIsALawForDAlembertsReactions) {
  expect_faults(
      vakonomic + "[constraints]\nrod = { equation = 'x^2 + y^2 = 1', @friction = 0.1 }\n",
      {"'friction' of constraint 'rod' is a law for d'Alembert's reactions; vakonomic motion has none"});
}

TEST(ReadMultipliers, NonIdealForcesDoNotDependOnThoseOfConstraints) {
  const std::string rule = "; in vakonomic motion non-ideal forces cannot depend on those of constraints";
  expect_faults(vakonomic + rows +
                    "[multipliers]\nblade = 1\n[definitions]\npull = 'norm(@force(rod))'\n[nonideal]\nx = "
                    "'-@multiplier(rod)*y'\ny = 'pull'\n",
                {"definition 'pull' contains 'force'" + rule,
                 "the non-ideal force on 'x' contains 'multiplier'" + rule});
}

}  // namespace
}  // namespace vinculum
