// Parameters without value and functions of time that are only named: for derive, and refused elsewhere.
#include <gtest/gtest.h>

#include "vinculum/analysis/derive.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {
namespace {

const std::string plane = R"toml(
[parameters]
m = "?"
w = "2*m"

[coordinates]
x = { start = "m" }
y = 0
z = 0

[mass]
x = "m"
y = "m"
z = "m"

[definitions]
alpha = "?(t)"
X = "?(t)"

[forces]
x = "X"
z = "w*alpha'"

[constraints]
plane = "y' = z*x' + alpha"
)toml";

TEST(ReadOpen, NothingButDeriveDoesWithoutAValue) {
  const ReadResult read = read_model(plane, "m.toml");
  ASSERT_FALSE(read.file);
  ASSERT_EQ(read.faults.size(), 3u);
  EXPECT_EQ(
      Error(read.faults[0].text, read.faults[0].place).what(),
      std::string("m.toml:3:1: parameter 'm' has no value, and only 'derive' does without one: give it by "
                  "--set m=.., or here"));
  EXPECT_EQ(
      Error(read.faults[1].text, read.faults[1].place).what(),
      std::string("m.toml:17:1: 'alpha' is a function of t without an expression, and only 'derive' does "
                  "without one: write one here, alpha = \"sin(t)\" for example"));
}

/// (37) of the 1996 paper, letter by letter.
TEST(ReadOpen, DeriveLeavesTheLetters) {
  const ReadResult read = read_model(plane, "m.toml", {}, OpenNames::allowed);
  ASSERT_TRUE(read.file);
  const Derivation page = derivation(DeriveFormat::text, read.file->model, "");
  EXPECT_EQ(page.without_value, (std::vector<std::string>{"m", "w", "alpha", "X"}));
  for (const char* line : {"with w = 2*m\nwithout value: m\nfunctions of t: alpha, X\n",
                           "s1 = x'*z' + alpha'", "f = (m*s1 + X*z)/(z^2 + 1)", "z'' = w*alpha'/m"})
    EXPECT_NE(page.text.find(line), std::string::npos) << line << "\n" << page.text;
  EXPECT_NE(derive_latex(read.file->model, "").find("\\dot{\\alpha}"), std::string::npos);
  const std::string c = derive_c(read.file->model, "plane");
  EXPECT_NE(c.find("p must be given"), std::string::npos);
  EXPECT_EQ(c.find("_parameters["), std::string::npos);
  EXPECT_THROW(System(read.file->model), Error);
}

TEST(ReadOpen, AValueFromTheCommandLineFillsIt) {
  const ReadResult read = read_model(plane, "m.toml", {{"m", "3"}}, OpenNames::allowed);
  ASSERT_TRUE(read.file);
  EXPECT_EQ(read.file->model.open_names(), (std::vector<std::string>{"alpha", "X"}));
  EXPECT_EQ(read.file->model.parameters()[1].value, 6);
}

/// A length of a joint is a number of its rows: what stands for a value must not become one.
TEST(ReadOpen, ANumberOfAnEquationNeedsItsValue) {
  const ReadResult read = read_model(R"(
[parameters]
L = "?"
[bodies.b]
mass = 1
inertia = [1, 1, 1]
position = ["L", 0, 0]
[joints.pin]
type = "spherical"
between = ["ground", "b"]
point = [0, 0, 0]
)",
                                     "m.toml", {}, OpenNames::allowed);
  ASSERT_FALSE(read.file);
  EXPECT_EQ(
      Error(read.faults[0].text, read.faults[0].place).what(),
      std::string("m.toml:7:12: the position of body 'b' is a number, and 'L' in it has no value: give it "
                  "one by --set L=.., or in the file"));
}

}  // namespace
}  // namespace vinculum
