// Gears and racks stated in C++.
#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {
namespace {

using test::message;

/// Two wheels about z, one of them at an angle of 0.5, and a bar that slides along x.
struct Workshop {
  Model m;
  Body one = m.body("one"), two = m.body("two", {.position = {1, 0, 0}}),
       bar = m.body("bar", {.position = {0, 2, 0}});
  Workshop() {
    m.joint("h", {}, one, {.type = JointType::revolute, .angle = 0.5});
    m.joint("k", {}, two, {.type = JointType::revolute, .point = {1, 0, 0}});
    m.joint("s", {}, bar, {.type = JointType::prismatic, .axis = {1, 0, 0}});
  }
  std::string row() const { return to_text(m.constraints().back().rows[0]); }
};

TEST(Coupling, AGearCountsBothAnglesFromTheStart) {
  Workshop w;
  w.m.gear("g", "h", "k", -3);
  EXPECT_EQ(w.m.constraints().back().name, "g");
  EXPECT_EQ(w.row(), "h.angle - 0.5 - (-3*k.angle)");
}

TEST(Coupling, ARackIsTheSameInEitherOrder) {
  Workshop w, turned;
  const Expr r = w.m.parameter("r", 0.2);
  w.m.rack("g", "s", "h", r);
  turned.m.rack("g", "h", "s", turned.m.parameter("r", 0.2));
  EXPECT_EQ(w.row(), turned.row());
  EXPECT_EQ(w.row(), to_text(w.m.joint_distance("s") - r * (w.m.joint_angle("h") - 0.5)));
}

TEST(Coupling, RefusesWhatWouldHoldAJointFast) {
  Workshop w;
  EXPECT_EQ(message([&] { w.m.gear("g", "h", "h", 2); }),
            "joint 'g' couples 'h' with itself, which would hold it fast; a gear is between two joints");
  EXPECT_EQ(message([&] { w.m.gear("g", "h", "k", 0); }),
            "the ratio of joint 'g' is 0, which would hold one joint fast and leave the other free");
  EXPECT_EQ(message([&] { w.m.rack("g", "s", "h", w.m.parameter("none", 0)); }),
            "the radius of joint 'g' is 0, which would hold one joint fast and leave the other free");
  EXPECT_EQ(message([&] { w.m.rack("g", "h", "k", 2); }),
            "joint 'g' couples a prismatic joint and one that turns");
  EXPECT_EQ(
      message([&] { w.m.gear("g", "h", "s", 2); }),
      "joint 's' is prismatic and has no angle; revolute, cylindrical, screw and planar joints have one");
  EXPECT_EQ(w.m.constraints().size(), 3u);  // none of them left anything behind
}

}  // namespace
}  // namespace vinculum
