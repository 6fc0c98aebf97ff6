#include "vinculum/model/joint.hpp"

#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {
namespace {

using test::message;

std::vector<std::string> rows_of(const Model& m, int constraint = 0) {
  std::vector<std::string> out;
  for (const Expr& row : m.constraints()[constraint].rows) out.push_back(to_text(row));
  return out;
}

TEST(Joint, EveryTypeHasItsWord) {
  const char* const words[] = {"spherical", "revolute", "prismatic", "cylindrical", "planar",
                               "universal", "weld",     "distance",  "screw",       "rolling"};
  for (const char* word : words) {
    ASSERT_TRUE(joint_type(word).has_value()) << word;
    EXPECT_EQ(joint_word(*joint_type(word)), word);
  }
  EXPECT_FALSE(joint_type("hinge").has_value());
}

TEST(Joint, ReadsAsTheEquationsItIs) {
  Model m;
  const Body b = m.body("b", {.position = {1, 0, 0}});
  m.joint("pin", {}, b, {.type = JointType::spherical});
  m.joint("slide", {}, b, {.type = JointType::planar});
  EXPECT_EQ(rows_of(m, 0), (std::vector<std::string>{"b.axis(1, 0, 0).x - b.x", "b.axis(1, 0, 0).y - b.y",
                                                     "b.axis(1, 0, 0).z - b.z"}));
  EXPECT_EQ(rows_of(m, 1),
            (std::vector<std::string>{"b.axis(1, 0, 0).z - b.z", "b.axis(0, 0, 1).x", "b.axis(0, 0, 1).y"}));
}

TEST(Joint, KeepsTheOrderOfItsPartsAndRows) {
  Model m;
  const Body a = m.body("a"), b = m.body("b");
  m.joint("hinge", a, b, {.type = JointType::revolute});
  const JointData& joint = m.joints()[0];
  EXPECT_EQ(joint.part_names[0], "a");
  EXPECT_EQ(joint.part_names[1], "b");
  EXPECT_EQ(m.constraints()[joint.constraint].name, "hinge");
  EXPECT_EQ(m.constraints()[joint.constraint].rows.size(), 5u);
}

TEST(Joint, RefusesWhatIsNoJoint) {
  Model m, other;
  const Body b = m.body("b"), stranger = other.body("stranger");
  m.joint("pin", {}, b, {.type = JointType::spherical});
  EXPECT_EQ(message([&] { m.joint("self", b, b, {}); }),
            "joint 'self' is between 'b' and itself; a joint has two parts");
  EXPECT_EQ(message([&] { m.joint("none", {}, {}, {}); }),
            "joint 'none' is between 'ground' and itself; a joint has two parts");
  EXPECT_EQ(message([&] { m.joint("far", {}, stranger, {}); }),
            "joint 'far' is given a body of another model");
  EXPECT_EQ(message([&] { m.joint("pin", {}, b, {}); }), "there are two joints named 'pin'");
  EXPECT_EQ(
      message([&] { m.joint("hinge", {}, b, {.type = JointType::revolute, .axis = {0, 0, 0}}); }),
      "'axis' of joint 'hinge' has the length 0; a direction of any finite length but zero is asked for");
  EXPECT_EQ(message([&] { m.joint("wheel", {}, b, {.type = JointType::rolling}); }),
            "the radius of joint 'wheel' is 0; it must be more than 0");
  EXPECT_EQ(message([&] { m.joint("wheel", b, {}, {.type = JointType::rolling, .radius = 1.0}); }),
            "joint 'wheel': the second part is what rolls, and the ground does not");
}

TEST(Joint, HasTheCoordinatesItsTypeLeavesOpen) {
  Model m;
  const Body b = m.body("b");
  m.joint("hinge", {}, b, {.type = JointType::revolute, .angle = 0.5});
  m.joint("rail", {}, b, {.type = JointType::prismatic});
  const Expr angle = m.joint_angle("hinge");
  EXPECT_EQ(to_text(angle), "hinge.angle");
  EXPECT_TRUE(identical(m.joint_angle("hinge"), angle)) << "asked for twice it is the same coordinate";
  EXPECT_EQ(m.coordinates().back().start, 0.5);
  EXPECT_EQ(
      message([&] { m.joint_angle("rail"); }),
      "joint 'rail' is prismatic and has no angle; revolute, cylindrical, screw and planar joints have one");
  EXPECT_EQ(
      message([&] { m.joint_distance("hinge"); }),
      "joint 'hinge' is revolute and has no distance; prismatic, cylindrical, screw and distance joints "
      "have one");
  EXPECT_EQ(message([&] { m.joint_angle("hing"); }), "there is no joint 'hing' (did you mean 'hinge'?)");
}

}  // namespace
}  // namespace vinculum
