// Broken models: every fault at once, each in its words and at its true place.
#include "io/marked.hpp"
#include "vinculum/io/faults.hpp"

namespace vinculum {
namespace {

/// What `--set` gave has no place in a file.
void expect_override_fault(const Overrides& overrides, const std::string& expected) {
  const ReadResult result = read_model(
      "[parameters]\nm = 1\nL = 2\n[coordinates]\nx = 0\n[mass]\nx = \"m\"\n", "m.toml", overrides);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(Error(result.faults[0].text, result.faults[0].place).what(), expected);
}

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
    expect_faults(text, {"the model has no coordinates; state [coordinates], [particles] or [bodies]"});
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
  const std::string rule = "; forces act on coordinates, particles, bodies and joints (did you mean 'p.x'?)";
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

TEST(ReadModel, OfManyUnknownNamesTheFirstHundredComeWithTheNearestOne) {
  std::string text = "[coordinates]\n", mass = "[mass]\n", forces = "[forces]\n";
  for (int k = 0; k < 20000; ++k) {
    const std::string name = "coordinate" + std::to_string(k);
    text += name + " = 0\n";
    mass += name + " = 1\n";
    forces += name + " = '-cordinate" + std::to_string(k) + "'\n";
  }
  const ReadResult result = read_model(text + mass + forces, "m.toml");
  ASSERT_EQ(result.faults.size(), 20000u);
  for (std::size_t k = 0; k < result.faults.size(); ++k) {
    const std::string number = std::to_string(k);
    EXPECT_EQ(result.faults[k].text,
              "unknown name 'cordinate" + number + "' in the force on 'coordinate" + number + "'" +
                  (k < most_faults_shown ? " (did you mean 'coordinate" + number + "'?)" : ""));
  }
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

TEST(ReadModel, WithoutMechanicsNothingOfItMayBeStated) {
  const auto refused = [](const std::string& what) {
    return what +
           " beside 'mechanics' = \"none\": such a system has no mechanics; [coordinates] are what changes, "
           "[forces] is s and [nonideal] is c";
  };
  expect_faults(
      "mechanics = \"none\"\n@kinetic = \"x'^2\"\n@potential = \"x\"\n@gravity = [0, 0, 1]\n[coordinates]\nx "
      "= 0\n"
      "[@mass]\nx = 1\n[@springs.s]\nbetween = [\"ground\", \"[x, 0, 0]\"]\n[@particles.p]\nmass = 1\n",
      {refused("'kinetic'"), refused("'potential'"), refused("'gravity'"), refused("[mass]"),
       refused("[springs]"), refused("[particles]")});
  expect_faults("mechanics = \"none\"\n[coordinates]\nx = 0\n[outputs]\ne = \"@energy\"\n",
                {"'energy' beside 'mechanics' = \"none\": such a system has none"});
}

}  // namespace
}  // namespace vinculum
