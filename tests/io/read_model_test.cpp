// Broken models: every fault at once, each in its words and at its true place.
#include "vinculum/io/read_model.hpp"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

using Texts = std::vector<std::string>;

struct Marked {
  std::string text;
  std::vector<std::pair<int, int>> places;
};

/// A model with an `@` before everything that is wrong with it: the marks are taken out and counted, so that
/// the places expected are those a reader of the test sees. `@@` marks a place with two faults.
Marked unmarked(const std::string& marked) {
  Marked result;
  int line = 1, column = 1;
  for (const char c : marked) {
    if (c == '@') {
      result.places.emplace_back(line, column);
      continue;
    }
    result.text += c;
    ++column;
    if (c == '\n') {
      ++line;
      column = 1;
    }
  }
  return result;
}

void expect_faults(const std::string& marked, const Texts& texts, const Overrides& overrides = {}) {
  const Marked model = unmarked(marked);
  const ReadResult result = read_model(model.text, "m.toml", overrides);
  EXPECT_FALSE(result.file) << model.text;
  Texts expected, found;
  ASSERT_EQ(model.places.size(), texts.size()) << "a test with a mark for each fault";
  for (std::size_t k = 0; k < texts.size(); ++k)
    expected.push_back("m.toml:" + std::to_string(model.places[k].first) + ":" +
                       std::to_string(model.places[k].second) + ": " + texts[k]);
  for (const Fault& fault : result.faults) found.emplace_back(Error(fault.text, fault.place).what());
  EXPECT_EQ(found, expected) << model.text;
}

/// What `--set` gave has no place in a file.
void expect_override_fault(const Overrides& overrides, const std::string& expected) {
  const ReadResult result = read_model(
      "[parameters]\nm = 1\nL = 2\n[coordinates]\nx = 0\n[mass]\nx = \"m\"\n", "m.toml", overrides);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(Error(result.faults[0].text, result.faults[0].place).what(), expected);
}

const std::string two = "[coordinates]\nx = 1\ny = 0\n[mass]\nx = 1\ny = 1\n";
const std::string point = "[particles.p]\nmass = 1\n";

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int k = 0; k < times; ++k) result += text;
  return result;
}

// --- Files that are no models
// ---------------------------------------------------------------------------------------------------------

TEST(ReadModel, AnEmptyFileIsRefusedWithAWayOut) {
  for (const char* text : {"@", "@ \n\t\n", "@\r\n", "@\xef\xbb\xbf"})
    expect_faults(text, {"the file is empty; 'vinculum new' writes a model to start from"});
}

TEST(ReadModel, AFileWithoutCoordinatesIsRefused) {
  for (const char* text : {"@# only a comment\n", "@title = \"nothing moves\"\n", "@[particles]\n"})
    expect_faults(text, {"the model has no coordinates; state [coordinates] or [particles]"});
}

TEST(ReadModel, BytesThatAreNoTextAreRefusedWhereTheyStand) {
  using namespace std::string_literals;
  expect_faults("title = \"a\"\nx@\0y\n"s, {"a NUL byte; a model is a text file"});
  const std::string rule = " is not UTF-8; a model is a text file in UTF-8";
  expect_faults("title = \"@\xff\"\n", {"byte 0xff" + rule});
  expect_faults("title = \"é @\xc3\x28\"\n", {"byte 0xc3" + rule});
  expect_faults("title = \"@\xed\xa0\x80\"\n", {"byte 0xed" + rule});  // half of a surrogate pair
  expect_faults("title = \"@\xc0\xaf\"\n", {"byte 0xc0" + rule});      // an overlong slash
  expect_faults("title = \"@\xf4\x90\x80\x80\"\n", {"byte 0xf4" + rule});
  expect_faults("# ends inside a character @\xe2\x82", {"byte 0xe2" + rule});
}

TEST(ReadModel, NestingBeyondTheLimitIsRefused) {
  const std::string deep = "nested deeper than 64 levels";
  expect_faults("a = " + repeated("[", 64) + "@[" + repeated("]", 65), {deep});
  expect_faults("a = " + repeated("{a = ", 64) + "@{}", {deep});
  expect_faults("@a" + repeated(".a", 100) + " = 1\n", {deep});
  expect_faults(repeated("[", 64) + "@[" + repeated("[", 100000), {deep});
  // Brackets inside strings and comments do not nest.
  EXPECT_TRUE(
      read_model("# " + repeated("[", 100) + "\ntitle = '" + repeated("{", 100) + "'\n" + two, "m").file);
}

TEST(ReadModel, ExpressionsNestedBeyondTheLimitAreRefused) {
  const std::string deep =
      "expression nested deeper than 200 levels; give its parts names of their own (in the force on 'x')";
  expect_faults(two + "[forces]\nx = '" + repeated("(", 200) + "@(1" + repeated(")", 201) + "'\n", {deep});
  expect_faults(two + "[forces]\nx = '" + repeated("-", 200) + "@-1'\n", {deep});
  expect_faults(two + "[forces]\nx = '" + repeated("(", 200) + "@" + repeated("(", 100000) + "'\n", {deep});
}

TEST(ReadModel, ChainsOfNamesBeyondTheLimitAreRefusedWithoutRecursionRunningAway) {
  std::string chain = two + "[definitions]\n";
  for (int k = 0; k < 5000; ++k) chain += "d" + std::to_string(k) + " = 'd" + std::to_string(k + 1) + "'\n";
  const ReadResult result = read_model(chain + "d5000 = 1\n", "m.toml");
  ASSERT_FALSE(result.faults.empty());
  EXPECT_EQ(result.faults[0].text, "definition 'd201' is the end of a chain of more than 200 definitions");
}

TEST(ReadModel, WhatIsNoTomlIsSaidAtItsPlace) {
  expect_faults("[coordinates@\nx = 1\n", {"not TOML: parsing table header: expected ']', saw '\\n'"});
  expect_faults("x = @\n", {"not TOML: parsing key-value pair: expected value, saw '\\n'"});
  expect_faults("x = 1 @2\n",
                {"not TOML: parsing key-value pair: expected a comment or whitespace, saw '2'"});
  expect_faults("x = @01\n", {"not TOML: parsing decimal integer: leading zeroes are prohibited"});
  expect_faults(
      "x = @99999999999999999999\n",
      {"not TOML: parsing decimal integer: '99999999999999999999' is not representable in 64 bits"});
}

TEST(ReadModel, AKeyThatIsThereTwiceIsNamedWhereItIsRepeated) {
  expect_faults(two + "[forces]\nx = 1\n@x = 2\n", {"the key 'x' is there twice"});
  expect_faults(two + "[forces]\n'x' = 1\n@\"x\" = 2\n", {"the key \"x\" is there twice"});
  expect_faults(two + "@[mass]\nx = 2\n", {"the table [mass] is there twice"});
  expect_faults("[coordinates]\nx = { start = 1, @start = 2 }\n", {"the key 'start' is there twice"});
}

// --- Places
// ---------------------------------------------------------------------------------------------------------

TEST(ReadModel, PlacesAreCountedInBytesThroughEverySpellingOfAText) {
  const std::string text = "unknown name 'zz' in constraint 'c'";
  const std::string head = two + "[constraints]\n";
  expect_faults(head + "c = \"x^2 + @zz = 1\"\n", {text});
  expect_faults(head + "c = 'x^2 + @zz = 1'\n", {text});
  expect_faults(head + "c = \"x \\t + @zz = 1\"\n", {text});                  // an escape of two bytes
  expect_faults(head + "c = \"\\u0078 + \\U00000079 + @zz = 1\"\n", {text});  // x + y by their numbers
  expect_faults(head + "c = \"\"\"\nx^2 +\n   @zz = 1\"\"\"\n", {text});
  expect_faults(head + "c = \"\"\"x^2 + \\\n\n     @zz = 1\"\"\"\n", {text});  // the line goes on
  expect_faults(head + "c = '''\nx^2 +\n   @zz = 1'''\n", {text});
  expect_faults(head + "c = '''x^2 +\n@zz = 1'''\n", {text});
}

TEST(ReadModel, PlacesFollowCarriageReturnsMarksAndLongCharacters) {
  const std::string text = "unknown name 'zz' in the force on 'x'";
  std::string windows;
  for (const char c : two + "[forces]\nx = '''\n1 +\n @zz'''\n")
    windows += c == '\n' ? "\r\n" : std::string(1, c);
  expect_faults(windows, {text});
  expect_faults("\xef\xbb\xbf" + two + "[forces]\nx = '@zz'\n", {text});
  expect_faults("\xef\xbb\xbf@q = 1\n" + two, {"unknown key 'q'"});
  expect_faults("[coordinates]\nx = { start = 1, @'é€😀' = 2, rate = '@zz' }\n[mass]\nx = 1\n",
                {"unknown key 'é€😀' in coordinate 'x' (keys are start and rate)",
                 "unknown name 'zz' in the rate of coordinate 'x'"});
  expect_faults(two + "[forces]\nx = 'x @· y'\n",
                {"character '·' is not ASCII; write * (in the force on 'x')"});
}

TEST(ReadModel, PlacesInsideArraysAndInlineTables) {
  expect_faults("[particles.p]\nmass = 1\nposition = [0, '@zz', '1 + @yy']\n",
                {"unknown name 'zz' in the position of particle 'p'",
                 "unknown name 'yy' in the position of particle 'p'"});
  expect_faults(point + "[springs]\ns = { between = ['p', '@q'], stiffness = '@k' }\n",
                {"unknown name 'q' in spring 's'", "unknown name 'k' in the stiffness of spring 's'"});
  expect_faults(
      two + "[events]\ne = { at = '2*@zz', stop = @1 }\n",
      {"unknown name 'zz' in event 'e'", "'stop' of event 'e' is a number; true or false is asked for"});
}

TEST(ReadModel, ADottedKeyIsNamedFromItsFirstPart) {
  const std::string rule = "; forces act on coordinates and particles (did you mean 'p.x'?)";
  expect_faults(point + "[forces]\np.x = 1\n@p.w = 2\n@z.x = 3\n@'p.q' = 4\n",
                {"unknown name 'p.w' in [forces]" + rule, "unknown name 'z.x' in [forces]" + rule,
                 "unknown name 'p.q' in [forces]" + rule});
  expect_faults(point + "[nonideal.p]\nx = 1\n@w = 2\n", {"unknown name 'p.w' in [nonideal]" + rule});
  expect_faults(point + "[forces]\np.y = ' @zz'\n", {"unknown name 'zz' in the force on 'p.y'"});
}

TEST(ReadModel, EveryFaultOfAFileIsReportedInTheOrderOfItsText) {
  expect_faults(
      "@color = 'red'\n" + two +
          "[outputs]\no = '@ee'\n[forces]\nx = '@aa + @bb'\n[constraints]\nc = '@cc = @dd'\nd = 'x = 1 @2'\n",
      {"unknown key 'color'", "unknown name 'ee' in output 'o'", "unknown name 'aa' in the force on 'x'",
       "unknown name 'bb' in the force on 'x'", "unknown name 'cc' in constraint 'c'",
       "unknown name 'dd' in constraint 'c'",
       "no operator between '1' and '2'; write '*' for a product (in constraint 'd')"});
}

// --- Names
// ---------------------------------------------------------------------------------------------------------

TEST(ReadModel, UnknownNamesComeWithTheNearestOne) {
  expect_faults("[parameters]\nlength = 2\n" + two + "[constraints]\nrod = 'x^2 + y^2 = @lenght^2'\n",
                {"unknown name 'lenght' in constraint 'rod' (did you mean 'length'?)"});
  expect_faults(two + "[constraints]\nrod = '@xx = 1'\n",
                {"unknown name 'xx' in constraint 'rod' (did you mean 'x'?)"});
}

TEST(ReadModel, ReservedWordsNameNothing) {
  for (const char* word :
       {"t",    "pi",   "if",   "energy", "force", "multiplier", "ground", "sin",  "cos",     "tan",
        "asin", "acos", "atan", "atan2",  "sinh",  "cosh",       "tanh",   "exp",  "log",     "sqrt",
        "abs",  "sign", "min",  "max",    "hypot", "dot",        "cross",  "norm", "distance"}) {
    const std::string w = word, refused = "'" + w + "' is reserved and cannot name a ";
    expect_faults("[parameters]\n@" + w + " = 1\n" + two, {refused + "parameter"});
    expect_faults("[definitions]\n@" + w + " = 1\n" + two, {refused + "definition"});
    expect_faults("[coordinates]\n@" + w + " = 1\n", {refused + "coordinate"});
    expect_faults("[particles.@" + w + "]\nmass = 1\n", {refused + "particle"});
  }
}

TEST(ReadModel, NamesAreAsciiLettersDigitsAndUnderscores) {
  const std::string rule = ": a name is letters, digits and _, and does not start with a digit";
  expect_faults(two + "[definitions]\n@a-b = 1\n@1a = 2\n@'é' = 3\n@'p.x' = 4\n@'' = 5\n",
                {"'a-b' cannot name a definition" + rule, "'1a' cannot name a definition" + rule,
                 "'é' cannot name a definition" + rule, "'p.x' cannot name a definition" + rule,
                 "'' cannot name a definition" + rule});
  expect_faults(two + "[constraints]\n@a-b = 'x = 1'\n@'a.b' = 'x = 1'\n",
                {"'a-b' cannot name a constraint" + rule, "'a.b' cannot name a constraint" + rule});
  expect_faults(two + "[outputs]\n@a-b = 'x'\n@'a.b' = 'x'\n[events]\n@'c.d' = 'x'\n",
                {"'a-b' cannot name an output" + rule, "'a.b' cannot name an output" + rule,
                 "'c.d' cannot name an event" + rule});
}

TEST(ReadModel, ParametersDefinitionsCoordinatesAndParticlesShareOneSetOfNames) {
  expect_faults(
      "[coordinates]\n@x = 1\n@y = 0\n[mass]\nx = 1\ny = 1\n[parameters]\nx = 1\n[definitions]\ny = 2\n"
      "[particles.@x]\nmass = 1\n",
      {"the name 'x' is already that of a parameter", "the name 'y' is already that of a definition",
       "the name 'x' is already that of a parameter"});
  expect_faults(two + "[outputs]\na = 'x'\n[events]\n@a = 'y'\n",
                {"the name 'a' is already that of an output"});
}

TEST(ReadModel, ConstraintsAndOutputsHaveSetsOfNamesOfTheirOwn) {
  EXPECT_TRUE(
      read_model(two + "[constraints]\nx = 'x = 1'\n[outputs]\nx = 'x'\ny = 'force(x).x'\n", "m").file);
}

TEST(ReadModel, CirclesAreShown) {
  expect_faults(two + "[definitions]\n@a = 'b'\nb = 'a'\n", {"definition 'a' goes in a circle: a -> b -> a"});
  expect_faults(two + "[definitions]\n@a = '1 + a'\n", {"definition 'a' goes in a circle: a -> a"});
  expect_faults(two + "[parameters]\na = 'b'\n@b = 'c'\nc = 'b'\n",
                {"parameter 'b' goes in a circle: b -> c -> b"});
}

TEST(ReadModel, OverridesThatDoNotFitAreFaultsOfTheCommandLine) {
  expect_override_fault({{"q", "1"}},
                        "--set q=1: there is no parameter 'q' in 'm.toml'; parameters are m and L");
  expect_override_fault({{"x", "1"}},
                        "--set x=1: there is no parameter 'x' in 'm.toml'; parameters are m and L");
  expect_override_fault({{"LL", "1"}},
                        "--set LL=1: there is no parameter 'LL' in 'm.toml' (did you mean 'L'?)");
  expect_override_fault({{"m", "zz"}}, "--set m=zz: unknown name 'zz' in parameter 'm'");
  expect_override_fault({{"m", "1/0"}}, "--set m=1/0: parameter 'm' is inf; it must be a finite number");
  expect_override_fault({{"m", "[1, 2, 3]"}},
                        "--set m=[1, 2, 3]: parameter 'm' is a vector; a number is asked for");
  expect_override_fault({{"m", "x"}},
                        "--set m=x: 'x' is a coordinate, and parameter 'm' may use parameters only");
  expect_override_fault({{"m", "L"}, {"L", "m"}}, "m.toml:2:1: parameter 'm' goes in a circle: m -> L -> m");
  expect_override_fault({{"m", ""}},
                        "--set m=: the expression is empty; write a number, a name or a formula (in "
                        "parameter 'm')");
}

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
       "'x' in force(rod, x) is no particle; the force on a coordinate is force(rod).x",
       "constraint 'rod' has 1 row, counted from 0; there is no row 1",
       "'rod' in output 'f' is a constraint; its force is force(rod), its multiplier multiplier(rod)",
       "'a' in output 'g' is an output, and no expression may use one; make it a definition"});
}

TEST(ReadModel, ComparisonsStandOnlyInConditions) {
  const std::string rule =
      "'<' compares; a comparison stands only as the condition of if(a < b, then, else) (in ";
  expect_faults(two + "[forces]\nx = 'x @< 1'\n[constraints]\nc = 'x @< 1'\n",
                {rule + "the force on 'x')", rule + "constraint 'c')"});
  expect_faults(
      two + "[forces]\nx = '@if(x, 1, 2)'\n",
      {"the condition of 'if' needs a comparison, one of < <= > >=: if(a < b, then, else) (in the force on "
       "'x')"});
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
       "unknown key 'k' in spring 's' (keys are between, stiffness, damping and length)",
       "unknown key 'foo' in constraint 'c' (keys are equation, friction and servo)",
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
                 "'mechanics' is a number; it is one of dalembert and vakonomic"});
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
                 "the position of particle 'p' is a number; a vector is asked for, as in \"[0, 0, 1]\" or "
                 "the name of a "
                 "particle"});
}

TEST(ReadModel, WhatIsMissingIsSaidAtTheTableThatLacksIt) {
  const std::string text =
      " has no mass; state it in [mass] (0 makes it massless), or give a kinetic energy or a "
      "Lagrangian";
  expect_faults("@@[coordinates]\nb = 1\na = 1\n", {"coordinate 'b'" + text, "coordinate 'a'" + text});
  expect_faults("[coordinates]\nb = 1\na = 1\n@[mass]\nb = 1\n", {"coordinate 'a'" + text});
  expect_faults("@[particles.p]\nposition = [0, 0, 0]\n", {"particle 'p' has no 'mass'"});
  expect_faults("[particles]\np = @{ position = [0, 0, 0] }\n", {"particle 'p' has no 'mass'"});
  expect_faults(point + "@[springs.s]\nstiffness = 1\n", {"spring 's' has no 'between'"});
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
  expect_faults("title = 'T'\nkinetic = @\"p.x'^2 + p.y'^2\"\n" + point,
                {"'kinetic' contains the velocity of 'p', and a particle has a mass of its own"});
  const std::string idle =
      "gravity acts on particles, and the model has none; write the weight of a coordinate into [forces]";
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

TEST(ReadModel, WhatComesLaterIsRefusedWithASentence) {
  const std::string parts =
      " is not part of this version; state particles, or coordinates with their equations";
  expect_faults("mechanics = @'vakonomic'\n" + two +
                    "[@bodies.b]\nmass = 1\n[@joints.j]\ntype = 'weld'\n[@multipliers]\na = 1\n"
                    "[constraints]\nc = { equation = 'x = 1', @friction = 0.1, @servo = true }\n",
                {"'mechanics' = \"vakonomic\" is not part of this version; \"dalembert\" is the default",
                 "[bodies]" + parts, "[joints]" + parts, "[multipliers] is not part of this version",
                 "'friction' is not part of this version; write the friction force into [nonideal], where "
                 "force(..) may "
                 "be used",
                 "'servo' is not part of this version; without it the motion is the same"});
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
  expect_faults(
      two +
          "[simulate]\nfrom = @true\nuntil = '@x'\ntolerance = @-1\nstep = @0\nsamples = @0\n"
          "integrator = @'euler'\n",
      {"'from' in [simulate] is a truth value; a number or an expression in quotes is asked for",
       "'x' is a coordinate, and 'until' in [simulate] may use parameters only",
       "'tolerance' in [simulate] is -1; it must lie between 0 and 1",
       "'step' in [simulate] is 0; it must be positive",
       "'samples' in [simulate] is 0; a whole number from 1 to 10000000 is asked for",
       "'integrator' in [simulate] is 'euler'; it is one of dop853, dopri5, rk4, radau5 and extrapolation"});
  expect_faults(
      two + "[simulate]\nuntil = @nan\nstep = @inf\nsamples = @1.5\ntolerance = @1\nintegrator = @'radau'\n",
      {"'until' in [simulate] is nan; it must be a finite number",
       "'step' in [simulate] is inf; it must be a finite number",
       "'samples' in [simulate] is 1.5; a whole number from 1 to 10000000 is asked for",
       "'tolerance' in [simulate] is 1; it must lie between 0 and 1",
       "'integrator' in [simulate] is 'radau'; it is one of dop853, dopri5, rk4, radau5 and extrapolation "
       "(did you mean 'radau5'?)"});
}

}  // namespace
}  // namespace vinculum
