// Statements that do not fit: what may stand where, keys and kinds of values, numbers that are none.
#include "io/marked.hpp"

namespace vinculum {
namespace {

// --- What may stand where
// ---------------------------------------------------------------------------------------------------------

TEST(ReadModel, ThirdDerivativesAreRefusedAlsoThroughNames) {
  expect_faults(two + "[constraints]\nc = \"@x''' = 0\"\n",
                {"'x'''' is a third derivative; x' (velocity) and x'' (acceleration) are the only ones (in "
                 "constraint 'c')"});
  expect_faults(two + "[definitions]\nr = \"x''\"\n[outputs]\no = \"1 + @r'\"\n",
                {"a third derivative in output 'o': 'x''' would be differentiated"});
  expect_faults(point + "[outputs]\no = \"@p''.x'\"\n",
                {"'p''.x'' is a third derivative; x' (velocity) and x'' (acceleration) are the only ones (in "
                 "output 'o')"});
}

TEST(ReadModel, AccelerationsStandInConstraintsAndOutputsOnly) {
  const std::string rule = "; accelerations may stand in constraints and outputs only";
  expect_faults(two + "[forces]\nx = \"1 + @x''\"\n[events]\ne = \"@y''\"\n[nonideal]\ny = \"@y''\"\n",
                {"the force on 'x' contains the acceleration 'x'''" + rule,
                 "event 'e' contains the acceleration 'y'''" + rule,
                 "the non-ideal force on 'y' contains the acceleration 'y'''" + rule});
  expect_faults("kinetic = \"@x''\"\npotential = \"@x''\"\n[coordinates]\nx = 1\n",
                {"'kinetic' contains the acceleration 'x'''" + rule,
                 "'potential' contains the acceleration 'x'''" + rule});
  expect_faults(two + "[definitions]\nr = \"x'\"\n[forces]\nx = \"@r'\"\n",
                {"the force on 'x' contains the acceleration 'x''' (through 'r'')" + rule});
}

TEST(ReadModel, PotentialsAndMassesContainNoVelocities) {
  const std::string rule = "; it may depend on coordinates and t only";
  expect_faults(
      "potential = \"x*@x'\"\n[coordinates]\nx = 1\n[mass]\nx = \"1 + @x'\"\n",
      {"'potential' contains the velocity 'x''" + rule, "mass 'x' contains the velocity 'x''" + rule});
}

TEST(ReadModel, AConstraintIsLinearInItsAccelerations) {
  const std::string rule =
      "constraint 'c' is not linear in the accelerations: its coefficient of 'x''' contains "
      "'x'''; write it solved for them";
  expect_faults(two + "[constraints]\nc = \"y + @x''^2 = 1\"\n", {rule});
  expect_faults(two + "[constraints]\nc = '''\ny +\n   @x''^2 = 1'''\n", {rule});
  expect_faults(two + "[definitions]\nr = \"x''*x''\"\n[constraints]\nc = \"y + @r = 1\"\n", {rule});
  EXPECT_TRUE(read_model(two + "[constraints]\nc = \"x''*cos(x*x') + t = y''*y\"\n", "m").file);
}

TEST(ReadModel, AProgrammeWithActuatorsHasNoMultipliersToAskFor) {
  const std::string driven =
      "[constraints]\nc = { equation = 'x + y = t', servo = true, actuators = ['x'] }\n";
  const std::string why =
      ", and programme 'c' acts by its actuators: it has no multipliers (its force is in control_force)";
  expect_faults(two + driven + "[outputs]\no = '1 + @multiplier(c)'\n[events]\ne = '@force(c).x'\n",
                {"output 'o' contains multiplier(c)" + why, "event 'e' contains force(c)" + why});
  expect_faults(
      "[particles.p]\nmass = 1\n" + driven.substr(0, driven.find("c =")) +
          "table = { equation = 'p.z = 0', @friction = 0.3 }\n"
          "c = { equation = 'p.x = t', servo = true, actuators = ['p.x'] }\n",
      {"the friction of constraint 'table' stands beside programme 'c', which has actuators; whether "
       "it sticks is not known then: write it into [nonideal]"});
}

TEST(ReadModel, ForcesOfConstraintsStandInNonidealForcesOutputsAndEventsOnly) {
  const std::string rule = ", which may stand in outputs and events and in [nonideal] only";
  expect_faults(
      two + "[forces]\nx = '1 + @force(c).x'\ny = '@multiplier(c)'\n[constraints]\nc = 'x = 1'\n",
      {"the force on 'x' contains 'force'" + rule, "the force on 'y' contains 'multiplier'" + rule});
  expect_faults(two + "[forces]\nx = '@energy'\n[nonideal]\ny = '@energy'\n",
                {"the force on 'x' contains 'energy', which may stand in outputs and events only",
                 "the non-ideal force on 'y' contains 'energy', which may stand in outputs and events only"});
  // Through a definition, whichever of the two constraints comes first.
  const std::string used = "definition 'd' contains 'force'" + rule + "; it is used by constraint 'e'";
  expect_faults(two + "[definitions]\nd = '@force(c).x'\n[constraints]\ne = 'y = d'\nc = 'x = 1'\n", {used});
  expect_faults(two + "[definitions]\nd = '@force(c).x'\n[constraints]\nc = 'x = 1'\ne = 'y = d'\n", {used});
}

TEST(ReadModel, ForcesAskForConstraintsRowsAndPartsThatAreThere) {
  expect_faults(
      two +
          "[constraints]\nrod = 'x = 1'\n[outputs]\na = 'force(@rad).x'\nb = 'force(rod).@z'\n"
          "c = @'force(rod)'\nd = 'force(rod, @x)'\ne = 'multiplier(@rod[1])'\nf = '@rod'\ng = '@a'\n",
      {"there is no constraint 'rad' (did you mean 'rod'?)",
       "a generalised force has no component 'z'; its components are coordinates",
       "output 'c' is a generalised force; take a component (force(c).x) or its norm",
       "'x' in force(rod, x) is no particle and no body; the force on a coordinate is force(rod).x",
       "constraint 'rod' has 1 row, counted from 0; there is no row 1",
       "'rod' in output 'f' is a constraint; its force is force(rod), its multiplier multiplier(rod)",
       "'a' in output 'g' is an output, and no expression may use one; make it a definition"});
}

TEST(ReadModel, ADefinitionOfAForceHasItsComponents) {
  EXPECT_TRUE(read_model(two + "[constraints]\nrod = 'x = 1'\n[definitions]\nd = 'force(rod)'\n"
                               "[particles.p]\nmass = 1\n[outputs]\na = 'd.x + 2*d.p.y'\nb = 'norm(d)'\n",
                         "m")
                  .file);
  expect_faults(
      two + "[constraints]\nrod = 'x = 1'\n[definitions]\nd = 'force(rod)'\n[outputs]\na = '@d.z'\n",
      {"a generalised force has no component 'z'; its components are coordinates"});
}

TEST(ReadModel, ComparisonsStandOnlyInConditions) {
  const std::string rule =
      "'<' compares; a comparison stands only as the condition of if(a < b, then, else) (in ";
  expect_faults(two + "[forces]\nx = 'x @< 1'\n[constraints]\nc = '(x @< 1) = 2'\n",
                {rule + "the force on 'x')", rule + "constraint 'c')"});
  expect_faults(
      two + "[constraints]\nc = 'x @>= 0'\n",
      {"'>=' compares, and a constraint is an equation, left = right; a stop or a contact is a force "
       "with if(a < b, then, else), and [events] tells when it is reached (in constraint 'c')"});
  expect_faults(
      two + "[forces]\nx = '@if(x, 1, 2)'\n",
      {"the condition of 'if' needs a comparison, one of < <= > >=: if(a < b, then, else) (in the force on "
       "'x')"});
}

TEST(ReadModel, RatesInOtherSpellingsAreToldTheirOwn) {
  for (const auto& [word, rate] : std::vector<std::pair<std::string, std::string>>{{"x_dot", "x'"},
                                                                                   {"xdot", "x'"},
                                                                                   {"dx", "x'"},
                                                                                   {"xddot", "x''"},
                                                                                   {"x_ddot", "x''"},
                                                                                   {"ddx", "x''"}})
    expect_faults(two + "[constraints]\nc = '@" + word + " = 0'\n",
                  {"unknown name '" + word + "' in constraint 'c'; the rate of 'x' is " + rate});
  expect_faults(
      two + "[constraints]\nc = '@der(x) = 0'\n",
      {"'der' is no function: the rate of x is x', its second x''; a partial derivative is not to be "
       "had (in constraint 'c')"});
}

TEST(ReadModel, VectorsAndNumbersDoNotMix) {
  expect_faults(
      two + point + "[forces]\nx = @'p'\np = @'x'\n[constraints]\nc = 'p = @1'\nd = 'p = @0'\ne = 'x = @p'\n",
      {"the force on 'x' is a vector; a number is asked for",
       "the force on 'p' is a number; a vector is asked for, as in \"[0, 0, 1]\" or the name of a particle",
       "the left side is a vector and the right side a number (in constraint 'c')",
       "the left side is a vector and the right side a number; the zero vector is [0, 0, 0] (in constraint "
       "'d')",
       "the left side is a number and the right side a vector (in constraint 'e')"});
  expect_faults(
      point +
          "[constraints]\nc = 'p @* p = 1'\nd = 'p @+ 1 = p'\ne = '1 @/ p = 1'\nf = '@p^2 = 1'\n"
          "g = '@sin(p) = 1'\nh = '@norm(1) = 1'\ni = '@dot(p, 1) = 1'\nj = '@[1, 2] = p'\n",
      {"a product of vectors is written dot(a, b) or cross(a, b) (in constraint 'c')",
       "a vector and a number cannot be added (in constraint 'd')",
       "the divisor is a vector; divide by a number (in constraint 'e')",
       "the base of a power must be a number, and this is a vector (in constraint 'f')",
       "an argument of 'sin' must be a number, and this is a vector (in constraint 'g')",
       "function 'norm' works on vectors, and a number is given; write abs(...) for a number (in constraint "
       "'h')",
       "function 'dot' works on vectors, and a number is given (in constraint 'i')",
       "a vector has three components: [a, b, c] (in constraint 'j')"});
  expect_faults(two + point + "[definitions]\na = '@p.w'\nb = '@x.y'\nc = @[1, 2]\n",
                {"'p' in definition 'a' has no component 'w'; a vector has .x .y .z",
                 "'x' in definition 'b' is a number and has no component 'y'",
                 "definition 'c' has 2 components; a vector has three"});
}

TEST(ReadModel, SlipsOfExpressionsAreNamed) {
  const auto force = [](const std::string& marked, const std::string& text) {
    expect_faults(two + "[forces]\nx = \"" + marked + "\"\n", {text + " (in the force on 'x')"});
  };
  force("2@x", "no operator between '2' and 'x'; write '*' for a product");
  force("x@**2", "'**' is no operator; write a power as a^b");
  force("1 +@", "a number, a name or '(' is missing after '+': the text ends");
  force("@(1 + x", "'(' is never closed; a ')' is missing");
  force("1@)", "')' closes nothing; a '(' is missing");
  force("@sin x", "function 'sin' needs its arguments: sin(...)");
  force("@max(1)", "function 'max' takes 2 or more arguments, 1 is given");
  force("@atan2(1)", "function 'atan2' takes 2 arguments, 1 is given");
  force("x @'", "a prime (') stands alone; it follows its name without space, as in x'");
  force("(x)@'",
        "a prime (') follows a name or a component, as in x' or p.x'; name this expression in [definitions] "
        "to use its rate");
  force("@t'", "'t' is the time; it has no rate and no components");
  force("@1e400", "number too large: '1e400' is above 1.7976931348623157e308");
  force("x @= 1", "'=' makes an equation, and an expression is asked for here");
  force("@", "the expression is empty; write a number, a name or a formula");
  expect_faults("[parameters]\nm = 1\n" + two + "[forces]\nx = \"@m'\"\n",
                {"'m' in the force on 'x' is a parameter and has no rate"});
}

TEST(ReadModel, AnEquationHasOneEqualsSign) {
  expect_faults(
      two + "[constraints]\na = 'x = 1 @= 2'\nb = '@x'\nc = '@'\nd = '(x @= 1)'\ne = 'x @== 1'\n",
      {"the equation has a second '='; an equation has exactly one (in constraint 'a')",
       "the equation has no '='; write left = right (in constraint 'b')",
       "the equation is empty; write left = right (in constraint 'c')",
       "'=' stands inside parentheses; an equation has its '=' outside (in constraint 'd')",
       "'==' is no comparison; the comparisons of if are < <= > >=, and an equation has one '=' (in "
       "constraint 'e')"});
}

// --- Keys, tables and their kinds
// ---------------------------------------------------------------------------------------------------------

TEST(ReadModel, UnknownKeysAreRefusedInEveryTable) {
  expect_faults("@foo = 1\n[@bar]\n[@coordinate]\nx = 1\n",
                {"unknown key 'foo'", "unknown table [bar]",
                 "unknown table [coordinate] (did you mean 'coordinates'?)"});
  expect_faults(
      "[coordinates]\nx = { start = 1, @speed = 2 }\n[mass]\nx = 1\n[particles.p]\nmass = 1\n@pos = [0, 0, "
      "0]\n"
      "[springs.s]\nbetween = ['p', 'ground']\n@k = 1\n[constraints]\nc = { equation = 'x = 1', @foo = 2 }\n"
      "[events]\ne = { at = 'x', @when = 1 }\n[view]\n@foo = 1\n[simulate]\n@untill = 1\n",
      {"unknown key 'speed' in coordinate 'x' (keys are start and rate)",
       "unknown key 'pos' in particle 'p' (keys are mass, position and velocity)",
       "unknown key 'k' in spring 's' (keys are between, joint, angle, stiffness, damping and length)",
       "unknown key 'foo' in constraint 'c' (keys are equation, friction, servo, frequency, damping and "
       "actuators)",
       "unknown key 'when' in event 'e' (keys are at, direction and stop)",
       "unknown key 'foo' in [view] (keys are up, automatic, points, links, curves and arrows)",
       "unknown key 'untill' in [simulate] (did you mean 'until'?)"});
  expect_faults(two + "@z = 1\n@'x,z' = 1\n", {"unknown name 'z' in [mass]; masses belong to coordinates",
                                               "unknown name 'z' in [mass]; masses belong to coordinates"});
}

TEST(ReadModel, ValuesOfTheWrongKindAreRefusedEverywhere) {
  expect_faults("title = @1\ndescription = @[1]\nmechanics = @3\n" + two,
                {"'title' is a number; a text in quotes is asked for",
                 "'description' is an array; a text in quotes is asked for",
                 "'mechanics' is a number; it is one of dalembert, vakonomic and none"});
  const std::string form = "; a number or an expression in quotes is asked for";
  expect_faults(
      "[coordinates]\nx = @true\ny = @[1, 2]\nz = { start = @[1, 2, 3] }\nw = @1979-05-27\n[mass]\nx = "
      "@true\n"
      "y = @{ a = 1 }\nz = 1\nw = 1\n",
      {"the start of coordinate 'x' is a truth value" + form,
       "the start of coordinate 'y' is an array; a number is asked for",
       "the start of coordinate 'z' is an array; a number is asked for",
       "the start of coordinate 'w' is a date" + form, "mass 'x' is a truth value" + form,
       "mass 'y' is a table" + form});
  expect_faults("@coordinates = 1\n@mass = 'x'\n@particles = [1]\n",
                {"'coordinates' is a number; a table [coordinates] is asked for",
                 "'mass' is a text; a table [mass] is asked for",
                 "'particles' is an array; a table [particles] is asked for"});
  expect_faults(
      "[particles]\np = @1\n[springs]\ns = @1\n[forces]\np = 'p'\n",
      {"particle 'p' is a number; a table is asked for", "spring 's' is a number; a table is asked for"});
  const std::string equation = "; an equation in quotes is asked for: \"left = right\"";
  expect_faults(two + "[constraints]\nc = @1\nd = @true\ne = @['x = 1']\nf = { equation = @1 }\n",
                {"constraint 'c' is a number" + equation, "constraint 'd' is a truth value" + equation,
                 "constraint 'e' is an array" + equation, "constraint 'f' is a number" + equation});
  expect_faults(
      two + "[events]\ne = { at = 'x', direction = @1, stop = @1 }\nf = { at = 'x', direction = @'up' }\n",
      {"the direction of event 'e' is a number; it is one of rising, falling and both",
       "'stop' of event 'e' is a number; true or false is asked for",
       "the direction of event 'f' is 'up'; it is one of rising, falling and both"});
  expect_faults("gravity = @[0, 0]\n[particles.p]\nmass = @'[1, 2, 3]'\nposition = @1\n",
                {"'gravity' has 2 components; a vector has three",
                 "the mass of particle 'p' is a vector; a number is asked for",
                 "the position of particle 'p' is a number; a vector is asked for, as in [0, 0, 1]"});
}

TEST(ReadModel, WhatIsMissingIsSaidAtTheTableThatLacksIt) {
  const std::string text =
      " has no mass; state it in [mass] (0 makes it massless), or give a kinetic energy or a "
      "Lagrangian";
  expect_faults("@@[coordinates]\nb = 1\na = 1\n", {"coordinate 'b'" + text, "coordinate 'a'" + text});
  expect_faults("[coordinates]\nb = 1\na = 1\n@[mass]\nb = 1\n", {"coordinate 'a'" + text});
  expect_faults("@[particles.p]\nposition = [0, 0, 0]\n", {"particle 'p' has no 'mass'"});
  expect_faults("[particles]\np = @{ position = [0, 0, 0] }\n", {"particle 'p' has no 'mass'"});
  expect_faults(point + "@[springs.s]\nstiffness = 1\n", {"spring 's' has no 'between' and no 'joint'"});
  expect_faults(two + "[events]\ne = @{ stop = true }\n", {"event 'e' has no 'at'"});
  expect_faults(two + "[constraints]\nc = @{}\n", {"constraint 'c' has no 'equation'"});
}

TEST(ReadModel, WhatDoesNotGoTogetherIsRefused) {
  expect_faults("kinetic = \"x'^2 + y'^2\"\n[coordinates]\nx = 1\ny = 0\n[@mass]\nx = 1\n",
                {"[mass] beside 'kinetic': the energy stands instead of it"});
  expect_faults("lagrangian = \"x'^2\"\n[coordinates]\nx = 1\n[@mass]\nx = 1\n",
                {"[mass] beside 'lagrangian': the energy stands instead of it"});
  expect_faults("lagrangian = \"x'^2\"\n@potential = 'x'\n[coordinates]\nx = 1\n",
                {"'potential' beside 'lagrangian': put it into the Lagrangian, L = T - V"});
  expect_faults("lagrangian = \"x'^2\"\n@kinetic = \"x'^2\"\n[coordinates]\nx = 1\n",
                {"'kinetic' beside 'lagrangian': state L = T - V, or T and a potential"});
  expect_faults("title = 'T'\nkinetic = \"@p.x'^2 + p.y'^2\"\n" + point,
                {"'kinetic' contains the velocity of 'p', and a particle has a mass of its own"});
  const std::string idle =
      "gravity acts on particles and bodies, and the model has none; write the weight of a coordinate into "
      "[forces]";
  expect_faults("@gravity = [0, 0, 1]\n" + two, {idle});
  expect_faults("@gravity = [0, 0, 1]\n" + two + "[particles]\n", {idle});
  expect_faults("gravity = '[0, 0, @x]'\n" + two + point,
                {"'x' is a coordinate, and 'gravity' may use parameters only"});
  expect_faults(point + "[mass]\n@p = 1\n@'p.x' = 1\n",
                {"'p' in [mass] belongs to a particle; its mass stands in [particles.p]",
                 "'p.x' in [mass] belongs to a particle; its mass stands in [particles.p]"});
  expect_faults(two + "'x,y' = 1\n@'y,x' = 2\n@'x,x' = 1\n",
                {"the mass 'y,x' is stated twice", "the mass 'x,x' is stated twice"});
}

TEST(ReadModel, FaultsOfProgrammesAreSaidAtTheirPlaces) {
  const std::string alone = " of constraint 'c' belongs to a programme; say 'servo = true' beside it";
  expect_faults(
      two + "[constraints]\nc = { equation = 'x = t', @frequency = 1, @damping = 1, @actuators = ['x'] }\n",
      {"'frequency'" + alone, "'damping'" + alone, "'actuators'" + alone});
  expect_faults(two + "[constraints]\nc = { equation = 'x = t', servo = true, @damping = 1 }\n",
                {"'damping' of constraint 'c' stands beside 'frequency', and there is none"});
  expect_faults(two +
                    "[parameters]\nw = -2\n[constraints]\n"
                    "c = { equation = 'x = t', servo = true, frequency = @'w', damping = @-0.1 }\n"
                    "d = { equation = 'y = t', servo = @1, frequency = 0 }\n",
                {"the frequency of constraint 'c' is -2; it must be more than 0",
                 "the damping of constraint 'c' is -0.1; it must be 0 or more",
                 "'servo' of constraint 'd' is a number; true or false is asked for"});
  expect_faults(two + "[constraints]\nd = { equation = 'y = t', servo = true, frequency = @0 }\n",
                {"the frequency of constraint 'd' is 0; it must be more than 0"});
  expect_faults(
      two + "[constraints]\nc = { equation = \"x'' = t\", servo = true, @frequency = 2 }\n",
      {"programme 'c' is on accelerations, and nothing is left to stabilise; leave 'frequency' out"});
  const std::string act =
      " in the actuators of constraint 'c'; forces act on coordinates, particles, bodies and joints";
  expect_faults(two + point +
                    "[constraints]\nc = { equation = 'x = t', servo = true, actuators = ['x', @'xx', @'p.w', "
                    "'p', 'p.y', @1] }\n",
                {"unknown name 'xx'" + act + " (did you mean 'x'?)",
                 "unknown name 'p.w'" + act + " (did you mean 'p.x'?)",
                 "the actuators of constraint 'c': a number is no name; names stand in quotes"});
  const std::string brackets =
      "the actuators of constraint 'c' are names of coordinates and particles in brackets, as in [\"x\", "
      "\"p\"]";
  expect_faults(two + "[constraints]\nc = { equation = 'x = t', servo = true, actuators = @'x' }\n",
                {brackets});
  expect_faults(two + "[constraints]\nc = { equation = 'x = t', servo = true, actuators = @[] }\n",
                {brackets});
}

TEST(ReadModel, AProgrammeIsReadWithItsFrequencyAndItsActuators) {
  const ReadResult result =
      read_model("[parameters]\nw = 2\n" + two + point +
                     "[constraints]\nc = { equation = 'x = t', servo = true, frequency = 'w', damping = 0.5, "
                     "actuators = ['y', 'p', 'x', 'y'] }\nd = { equation = 'y = t', servo = false }\n",
                 "m.toml");
  ASSERT_TRUE(result.file) << (result.faults.empty() ? "" : result.faults.front().text);
  const Model& m = result.file->model;
  ASSERT_EQ(m.servos().size(), 1u);
  std::vector<std::string> driven;
  for (const Model::ActuatorData& actuator : m.servos()[0].actuators) driven.push_back(actuator.name);
  EXPECT_EQ(driven, (std::vector<std::string>{"y", "p.x", "p.y", "p.z", "x"}));
  // phi'' + 2 z w phi' + w^2 phi with phi = x - t
  EXPECT_EQ(System(m).constraints()[0].order, 2);
  EXPECT_FALSE(System(m).constraints()[1].servo);
}

TEST(ReadModel, FrictionIsANumberThatIsNotNegativeOnCoordinatesThatSlide) {
  const std::string particles = "[particles.p]\nmass = 1\n[particles.q]\nmass = 1\n";
  expect_faults(two + "[constraints]\nc = { equation = 'x + y = 0', friction = @-0.5 }\n",
                {"the coefficient of friction of constraint 'c' is -0.5; it must not be negative"});
  expect_faults(
      "mechanics = 'none'\n[coordinates]\nx = 1\ny = 0\n[constraints]\n"
      "c = { equation = 'x + y = 1', @friction = 0.1 }\n",
      {"without mechanics there is no friction; state s in [forces] and c in [nonideal]"});
  expect_faults(two + "[constraints]\nc = { equation = 'x + y = 0', friction = '@x' }\n",
                {"'x' is a coordinate, and the friction of constraint 'c' may use parameters only"});
  expect_faults(
      two + "[constraints]\nc = { equation = 'y = 0', @friction = 0.5 }\n",
      {"the friction of constraint 'c' has no direction to slide in: only 'y' stands in it, which it "
       "holds itself; use a particle, or write it into the non-ideal forces, where force(..) may be "
       "used"});
  expect_faults(
      two + particles + "[constraints]\nc = { equation = 'distance(p, q) = 1', @friction = 1 }\n" +
          "d = { equation = 'p.x = x', @friction = 1 }\n",
      {"the friction of constraint 'c' would act on several particles at once; write it into the "
       "non-ideal forces, where force(..) may be used",
       "the friction of constraint 'd' would act on a particle and coordinates at once; write it into "
       "the non-ideal forces, where force(..) may be used"});
}

// --- Numbers
// ---------------------------------------------------------------------------------------------------------

TEST(ReadModel, ConstantsAreFinite) {
  const std::string rule = "; it must be a finite number", part = "; constants must be finite";
  expect_faults(two + "[parameters]\na = @'1/0'\nb = @nan\nc = @-inf\nd = @'log(-1)'\ne = @'sqrt(-1)'\n",
                {"parameter 'a' is inf" + rule, "parameter 'b' is nan" + rule, "parameter 'c' is -inf" + rule,
                 "parameter 'd' is nan" + rule, "parameter 'e' is nan" + rule});
  expect_faults(
      "[parameters]\nz = 0\n" + two +
          "[forces]\nx = @'1/z'\ny = @'x + 1/0'\n[constraints]\nc = @'x = 1/z'\n[outputs]\no = @'log(-1)'\n"
          "[events]\ne = @'1/0'\n[definitions]\nd = @'0/z'\n",
      {"'1/z' in the force on 'x' is inf" + part, "'1/0' in the force on 'y' is inf" + part,
       "'1/z' in constraint 'c' is inf" + part, "'log(-1)' in output 'o' is nan" + part,
       "'1/0' in event 'e' is inf" + part, "'0/z' in definition 'd' is nan" + part});
  expect_faults(
      "gravity = [@'1/0', 0, @nan]\n[particles.p]\nmass = @'1/0'\nposition = @['1/0', 0, 0]\n"
      "velocity = [@nan, 0, 0]\n[springs.s]\nbetween = ['p', 'ground']\nstiffness = @'1/0'\nlength = @inf\n",
      {"'1/0' in 'gravity' is inf" + part, "'gravity' is nan" + rule,
       "'1/0' in the mass of particle 'p' is inf" + part,
       "the position of particle 'p' has the component inf" + rule,
       "the velocity of particle 'p' is nan" + rule, "'1/0' in the stiffness of spring 's' is inf" + part,
       "the length of spring 's' is inf" + rule});
  expect_faults("potential = @'x + 1/0'\n" + two, {"'1/0' in 'potential' is inf" + part});
}

TEST(ReadModel, SettingsOfARunAreChecked) {
  expect_faults(two +
                    "[simulate]\nfrom = @true\nuntil = '@x'\ntolerance = @-1\nstep = @0\nsamples = @0\n"
                    "integrator = @'euler'\n",
                {"'from' in [simulate] is a truth value; a number or an expression in quotes is asked for",
                 "'x' is a coordinate, and 'until' in [simulate] may use parameters only",
                 "'tolerance' in [simulate] is -1; it must lie between 0 and 1",
                 "'step' in [simulate] is 0; it must be positive",
                 "'samples' in [simulate] is 0; a whole number from 1 to 10000000 is asked for",
                 "'integrator' in [simulate] is 'euler'; it is one of auto, dop853, dopri5, rk4, radau5, "
                 "extrapolation and taylor"});
  expect_faults(
      two + "[simulate]\nuntil = @nan\nstep = @inf\nsamples = @1.5\ntolerance = @1\nintegrator = @'radau'\n",
      {"'until' in [simulate] is nan; it must be a finite number",
       "'step' in [simulate] is inf; it must be a finite number",
       "'samples' in [simulate] is 1.5; a whole number from 1 to 10000000 is asked for",
       "'tolerance' in [simulate] is 1; it must lie between 0 and 1",
       "'integrator' in [simulate] is 'radau'; it is one of auto, dop853, dopri5, rk4, radau5, extrapolation "
       "and "
       "taylor "
       "(did you mean 'radau5'?)"});
}

}  // namespace
}  // namespace vinculum
