// Where joints start: keys, their shapes, their faults.
#include <gtest/gtest.h>

#include <cmath>

#include "io/marked.hpp"

namespace vinculum {
namespace {

const std::string pendulum =
    "[parameters]\na = 0.2\n[bodies.b]\nmass = 2\ninertia = [1, 2, 2.5]\nposition = [1, 0, 0]\n[joints.j]\n"
    "between = ['ground', 'b']\npoint = [0, 0, 0]\n";

ModelFile read(const std::string& text, const Overrides& overrides = {}) {
  ReadResult result = read_model(text, "m.toml", overrides);
  for (const Fault& fault : result.faults) ADD_FAILURE() << fault.text;
  return std::move(*result.file);
}
std::string fault_of(const std::string& text) {
  const ReadResult result = read_model(text, "m.toml");
  return result.faults.empty() ? "" : result.faults.front().text;
}

TEST(ReadStarts, OfParametersThatAreSetElsewhere) {
  const std::string text = pendulum + "type = 'revolute'\naxis = [0, 0, 1]\nstart = '2*a'\nrate = 'a'\n";
  for (const double a : {0.2, 0.5}) {
    const System s(read(text, {{"a", std::to_string(a)}}).model);
    EXPECT_NEAR(s.start().q[1], std::sin(2 * a), 1e-15);
    EXPECT_NEAR(s.start().v[5], a, 1e-15);
  }
}

TEST(ReadStarts, SeveralCoordinatesInTheirOrder) {
  const ModelFile file =
      read(pendulum +
           "type = 'cylindrical'\naxis = [0, 0, 1]\nstart = [0.3, -2]\nfixed = [true, false]\n"
           "[outputs]\na = 'j.angle'\nd = 'j.distance'\n");
  const auto& start = file.model.joints()[0].options.start;
  ASSERT_EQ(start.size(), 2u);
  EXPECT_TRUE(start[0].fixed);
  EXPECT_FALSE(start[1].fixed);
  EXPECT_FALSE(start[0].rate);
  const System s(file.model);
  EXPECT_NEAR(s.start().q[0], std::cos(0.3), 1e-15);
  EXPECT_EQ(s.start().q[2], -2.0);
}

TEST(ReadStarts, FaultsSayHowManyAndWhich) {
  const std::string hinge = pendulum + "type = 'revolute'\naxis = [0, 0, 1]\n";
  EXPECT_EQ(fault_of(hinge + "start = [1, 2]\n"), "'start' of joint 'j' is one value, for its angle");
  EXPECT_EQ(fault_of(pendulum + "type = 'spherical'\nstart = 1\n"),
            "'start' of joint 'j' is a list of 3, for angle1, angle2 and angle3");
  EXPECT_EQ(read_model(pendulum + "type = 'weld'\nstart = 1\n", "m.toml").faults.size(), 1u);
  EXPECT_EQ(fault_of(pendulum + "type = 'weld'\nstart = 1\n"),
            "'start' has no meaning in joint 'j', which is of type weld");
  EXPECT_NE(fault_of(hinge + "start = 'b.x'\n").find("may use parameters only"), std::string::npos);
  EXPECT_NE(fault_of(hinge + "fixed = 1\n").find("true or false"), std::string::npos);
}

TEST(ReadStarts, AnglesByTheirNames) {
  const std::string ball = pendulum + "type = 'spherical'\n[outputs]\no = ";
  EXPECT_EQ(fault_of(ball + "'j.angle3'\n"), "");
  EXPECT_EQ(fault_of(ball + "'j.angle'\n"),
            "joint 'j' is spherical and has angle1, angle2 and angle3; 'angle' is none of them");
  EXPECT_NE(fault_of(pendulum +
                     "type = 'universal'\naxis = [0, 1, 0]\naxis2 = [0, 0, 1]\n[outputs]\no = 'j.angle3'\n")
                .find("has angle1 and angle2; 'angle3' is none of them"),
            std::string::npos);
  EXPECT_NE(fault_of(pendulum + "type = 'revolute'\naxis = [0, 0, 1]\n[outputs]\no = 'j.angle2'\n")
                .find("it has 1"),
            std::string::npos);
  EXPECT_NE(fault_of(pendulum + "type = 'weld'\n[outputs]\no = 'j.angle1'\n").find("has no angle"),
            std::string::npos);
}

}  // namespace
}  // namespace vinculum
