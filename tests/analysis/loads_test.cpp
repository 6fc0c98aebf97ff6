// What joints carry, against statics by hand.
#include <gtest/gtest.h>

#include "vinculum/analysis/explain.hpp"

namespace vinculum {
namespace {

constexpr double g = 9.81, m = 25, half_width = 0.45;

/// A door that hangs on hinges along z at x = y = 0, its centre of mass half a width out and 1 m up.
Model door(const std::vector<double>& heights) {
  Model model;
  BodyOptions options = body_of({Solid::Kind::box, {2 * half_width, 0.04, 2.0}}, m);
  options.position = {half_width, 0, 1};
  const Body body = model.body("door", options);
  model.gravity({0, 0, -g});
  for (std::size_t k = 0; k < heights.size(); ++k) {
    JointOptions hinge{.type = JointType::revolute};
    hinge.point = {0, 0, heights[k]};
    model.joint("hinge_" + std::to_string(k + 1), Part(), body, hinge);
  }
  return model;
}

Instant at_start(const Model& model) {
  const System system(model);
  return examine(model, system, system.start());
}

TEST(Loads, OneHingeCarriesAllOfADoor) {
  const Instant at = at_start(door({0.3}));
  ASSERT_EQ(at.loads.size(), 1u);
  const JointLoad& load = at.loads[0];
  EXPECT_EQ(load.on, "door");
  EXPECT_EQ(load.from, "ground");
  EXPECT_EQ(load.type, JointType::revolute);
  EXPECT_NEAR(load.point[2], 0.3, 1e-15);                               // back from the centre of mass
  const double expected[6] = {0, 0, m * g, 0, -m * g * half_width, 0};  // the weight turns about +y
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(load.value[i], expected[i], 1e-11) << i;
    EXPECT_TRUE(load.unique[i]) << i;
  }
}

/// Two hinges on one axis: each could carry the weight and the moment alone. What neither can carry, a torque
/// about the axis, is unique; and so is what both carry together.
TEST(Loads, AreThoseOfTheValuesOfTheSystem) {
  Model model;
  const Expr height = model.parameter("height", 0.3), width = model.parameter("width", half_width);
  BodyOptions options = body_of({Solid::Kind::box, {2 * width, 0.04, 2.0}}, m);
  options.position = {width, 0.0, 1.0};
  const Body body = model.body("door", options);
  model.gravity({0, 0, -g});
  model.joint("hinge", Part(), body, {.type = JointType::revolute, .point = {0.0, 0.0, height}});
  const std::vector<std::string> names{"height", "width"};
  const System stated(model, names);
  Parameters p = stated.parameters();
  p["height"] = 0.7;
  p["width"] = 0.6;
  const System system = stated.with(p);
  const Instant at = examine(model, system, system.start());
  EXPECT_NEAR(at.loads.at(0).point[2], 0.7, 1e-15);
  EXPECT_NEAR(at.loads.at(0).value[2], m * g, 1e-12);
  EXPECT_NEAR(at.loads.at(0).value[4], -m * g * 0.6, 1e-12);
}

TEST(Loads, OfTwoHingesOnOneAxisOnlyTheSumIsUnique) {
  const Instant at = at_start(door({0.3, 1.7}));
  ASSERT_EQ(at.loads.size(), 2u);
  double force[3] = {0, 0, 0}, moment_y = 0;
  for (const JointLoad& load : at.loads) {
    for (int i = 0; i < 6; ++i) EXPECT_EQ(load.unique[i], i == 5) << load.name << " " << i;
    for (int i = 0; i < 3; ++i) force[i] += load.value[i];
    moment_y += load.value[4] + load.point[2] * load.value[0];  // about the origin: z F_x - x F_z
    EXPECT_NEAR(load.value[5], 0, 1e-11);
  }
  EXPECT_NEAR(force[0], 0, 1e-11);
  EXPECT_NEAR(force[2], m * g, 1e-11);
  EXPECT_NEAR(moment_y, -m * g * half_width, 1e-11);
  const Model model = door({0.3, 1.7});
  const System system(model);
  const std::string page = explain(system, at);
  EXPECT_NE(page.find("What the joints carry, in world axes: force and torque on a part, at the joint:\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("of these a matter of the norm: force.x, force.y, force.z, torque.x and torque.y\n"),
            std::string::npos)
      << page;
}

/// A joint whose second part is the ground is looked at from its first: the same load, the same sign.
TEST(Loads, TheOrderOfTheGroundDoesNotMatter) {
  Model model;
  BodyOptions options;
  options.mass = 2.0;
  options.position = {1, 0, 0};
  const Body body = model.body("b", options);
  model.gravity({0, 0, -g});
  JointOptions weld{.type = JointType::weld};
  model.joint("wall", body, Part(), weld);
  const Instant at = at_start(model);
  ASSERT_EQ(at.loads.size(), 1u);
  EXPECT_EQ(at.loads[0].on, "b");
  const double expected[6] = {0, 0, 2 * g, 0, -2 * g, 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(at.loads[0].value[i], expected[i], 1e-12) << i;
}

}  // namespace
}  // namespace vinculum
