// Bushings, bodies in a plane, joints in a row and the efforts of joints in model files.
#include <gtest/gtest.h>

#include <cmath>

#include "io/marked.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

/// The outputs of a model at its start, by name.
class Outputs {
 public:
  explicit Outputs(const std::string& text) {
    const ReadResult read = read_model(text, "m.toml");
    for (const Fault& fault : read.faults) ADD_FAILURE() << fault.text;
    if (!read.file) return;
    const System system(read.file->model);
    Workspace work(system);
    Solution solution;
    solve(system, system.start(), work, solution);
    EXPECT_EQ(solution.status, Status::solved);
    names = system.output_names();
    coordinates = system.coordinate_names();
    velocities = system.velocity_names();
    rows = system.row_names();
    values.resize(names.size());
    observe(system, system.start(), {}, solution, work, values);
  }
  double operator[](const std::string& name) const {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) return values[k];
    ADD_FAILURE() << "no output " << name;
    return NAN;
  }
  std::vector<std::string> names, coordinates, velocities, rows;
  std::vector<double> values;
};

const std::string wheel =
    "[bodies.wheel]\nmass = 1\ninertia = [1, 1, 2]\nomega = [0, 0, 3]\n"
    "[joints.hinge]\ntype = 'revolute'\nbetween = ['ground', 'wheel']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";

TEST(ReadElements, EffortsOfAJointAreReadByName) {
  const Outputs o(wheel +
                  "stiffness = 5\nrest = 0.4\ndamping = 0.3\nfriction = 0.2\n"
                  "[forces]\nhinge.angle = 0.7\n[definitions]\nlaws = 'hinge.spring + hinge.damper'\n"
                  "[outputs]\nspring = 'hinge.spring'\ndamper = 'hinge.damper'\nfriction = 'hinge.friction'\n"
                  "motor = 'hinge.motor'\nall = 'hinge.torque'\nrest = 'hinge.torque - hinge.spring'\n"
                  "laws = 'laws'\n");
  EXPECT_NEAR(o["spring"], 2.0, 1e-15);
  EXPECT_NEAR(o["damper"], -0.9, 1e-15);
  EXPECT_NEAR(o["friction"], -0.2, 1e-15);
  EXPECT_NEAR(o["motor"], 0.7, 1e-15);
  EXPECT_NEAR(o["all"], 1.6, 1e-15);
  EXPECT_NEAR(o["rest"], -0.4, 1e-15);
  EXPECT_NEAR(o["laws"], 1.1, 1e-15);
}

TEST(ReadElements, EffortsThatAreNotThereOrNotYet) {
  expect_faults(wheel + "[outputs]\nf = '@hinge.force'\n[forces]\n@hinge.torque = 1\n",
                {"joint 'hinge' is revolute and has no force along an axis; prismatic, cylindrical and screw "
                 "joints have one",
                 "joint 'hinge' in [forces] has no part 'torque'; it has .angle and .distance"});
  expect_faults(wheel + "[forces]\nhinge.angle = '@hinge.torque'\n",
                {"the force on 'hinge.angle' contains 'hinge.torque', which may stand in outputs and events "
                 "only"});
}

const std::string flat =
    "[bodies.b]\nplane = 'xz'\nmass = 2\ninertia = 0.5\nposition = [0.1, 0, -0.2]\nangle = 0.3\n"
    "omega = [0, 1.5, 0]\n";

TEST(ReadElements, ABodyInAPlaneHasThreeCoordinates) {
  const Outputs o(
      flat +
      "[joints.pin]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0.1, 0, -0.2]\n"
      "[outputs]\nangle = 'b.angle'\nrate = \"b.angle'\"\nspin = 'b.omega'\naxis = 'b.axis(0, 0, 1)'\n"
      "y = 'b.y'\nq = 'b.qy'\nforce = 'force(pin, b)'\n");
  EXPECT_EQ(o.coordinates, (std::vector<std::string>{"b.x", "b.z", "b.angle"}));
  EXPECT_EQ(o.velocities, (std::vector<std::string>{"b.x'", "b.z'", "b.angle'"}));
  EXPECT_EQ(o.rows, (std::vector<std::string>{"pin[0]", "pin[1]"}));
  EXPECT_NEAR(o["angle"], 0.3, 1e-15);
  EXPECT_EQ(o["rate"], 1.5);
  EXPECT_EQ(o["spin.y"], 1.5);
  EXPECT_EQ(o["spin.x"], 0.0);
  EXPECT_NEAR(o["axis.x"], std::sin(0.3), 1e-15);  // from z to x
  EXPECT_NEAR(o["axis.z"], std::cos(0.3), 1e-15);
  EXPECT_NEAR(o["q"], std::sin(0.15), 1e-15);
  EXPECT_EQ(o["y"], 0.0);
  EXPECT_EQ(o["force.y"], 0.0);
}

TEST(ReadElements, WhatABodyInAPlaneCannotSay) {
  expect_faults("[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n@angle = 1\n",
                {"'angle' of body 'b' belongs to a body in a plane; in space it has an 'orientation'"});
  expect_faults("[bodies.b]\nplane = 'xy'\nmass = 1\ninertia = 1\n@angle = 1\norientation = [1, 0, 0, 0]\n",
                {"'angle' of body 'b' beside 'orientation'; one of the two"});
  expect_faults(
      "[bodies.b]\nplane = 'xy'\nmass = 1\ninertia = 1\n[joints.@b]\ntype = 'revolute'\n"
      "between = ['ground', 'b']\npoint = [0, 0, 0]\n",
      {"joint 'b' has the name of a body in a plane, and 'b.angle' would be either's; give one of them "
       "another name"});
}

const std::string block = "[bodies.b]\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, 1]\n";

TEST(ReadElements, PartsOfABushing) {
  const Outputs o(
      block +
      "[bushings.mount]\nbetween = ['ground', 'b']\npoint = [0, 0, 1]\npoint2 = [0.1, 0, 1]\n"
      "stiffness = [[10, 2, 0], [2, 20, 0], [0, 0, 30]]\nrotational_stiffness = 4\n"
      "orientation2 = { axis = [0, 0, 1], angle = 0.5 }\n"
      "[outputs]\nd = 'mount.offset'\nr = 'mount.rotation'\nf = 'mount.force'\nm = 'mount.torque.z'\n");
  EXPECT_NEAR(o["d.x"], 0.1, 1e-15);
  EXPECT_NEAR(o["r.z"], 0.5, 1e-15);
  EXPECT_NEAR(o["f.x"], -1.0, 1e-14);
  EXPECT_NEAR(o["f.y"], -0.2, 1e-14);
  EXPECT_NEAR(o["m"], -2.0, 1e-14);
}

TEST(ReadElements, FaultsOfBushings) {
  expect_faults(block + "[bushings.mount]\nbetween = ['b', '@b']\npoint = [0, 0, 0]\n",
                {"bushing 'mount' is between 'b' and itself; a bushing has two parts"});
  expect_faults(block +
                    "[bushings.mount]\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n"
                    "stiffness = @[[1, 2, 0], [3, 1, 0], [0, 0, 1]]\n",
                {"'stiffness' of bushing 'mount' is not symmetric: 2 stands across from 3"});
  expect_faults(
      block +
          "[bushings.mount]\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n"
          "[outputs]\nx = '@mount.length'\n",
      {"bushing 'mount' in output 'x' has no part 'length'; it has .offset .rotation .force .torque"});
}

const std::string row =
    "[joints.wrist]\ntype = 'series'\nbetween = ['ground', 'b']\npoint = [0, 0, 1]\n"
    "joints = [{ name = 'turn', type = 'revolute', axis = [0, 0, 1], stiffness = 3, angle = 0.2 }, "
    "{ name = 'slide', type = 'prismatic', axis = [1, 0, 0], damping = 1 }]\n";

TEST(ReadElements, JointsInARowAreJoints) {
  const Outputs o(block + row +
                  "[forces]\nwrist.slide.distance = 2\n[outputs]\nturn = 'wrist.turn.angle'\n"
                  "spring = 'wrist.turn.spring'\npush = 'wrist.slide.force'\nfar = 'wrist.slide.distance'\n"
                  "held = 'force(wrist.turn, b)'\n");
  EXPECT_NEAR(o["turn"], 0.2, 1e-15);
  EXPECT_NEAR(o["spring"], -0.6, 1e-15);
  EXPECT_EQ(o["push"], 2.0);
  EXPECT_EQ(o["far"], 0.0);
  EXPECT_EQ(o.rows.size(), 10u);
}

TEST(ReadElements, JointsInARowAreExpandedWithTheirPart) {
  const std::string text =
      block +
      "[components.c.joints.wrist]\ntype = 'series'\nbetween = ['ground', 'b']\npoint = [0, 0, 1]\n"
      "joints = [{ name = 'turn', type = 'revolute', axis = [0, 0, 1] }, "
      "{ name = 'slide', type = 'prismatic', axis = [1, 0, 0] }]\n"
      "[components.c.names]\nb = '?'\n[components.c.outputs]\na = 'wrist.turn.angle'\n"
      "[parts]\nleft = { use = 'c', b = 'b' }\n";
  const Outputs o(text);
  EXPECT_EQ(o.names, (std::vector<std::string>{"left.a"}));
  EXPECT_EQ(o.rows[0], "left.wrist.turn[0]");
  const ExpandResult full = expand_model(text, "m.toml");
  ASSERT_TRUE(full.text);
  EXPECT_EQ(Outputs(*full.text).rows, o.rows);
}

TEST(ReadElements, FaultsOfJointsInARow) {
  const std::string open =
      block + "[joints.wrist]\ntype = 'series'\nbetween = ['ground', 'b']\npoint = [0, 0, 1]\n";
  expect_faults(
      open + "joints = @['a', 'b']\n",
      {"'joints' of joint 'wrist' are two or more tables, as in [{ name = \"pitch\", type = \"revolute\", "
       "axis = [0, 1, 0] }, ..]"});
  expect_faults(
      open +
          "joints = [{ name = 'a', type = @'weld' }, { name = 'c', type = 'revolute', axis = [0, 0, 1] }]\n",
      {"joint 'wrist.a' is weld; joints in a row are revolute or prismatic"});
}

/// One moment alone: the motion is that of bodies which have the others too, since hinges hold those turns.
/// Motions that excite themselves are told so; a slip of the sign is as well.
TEST(ReadElements, DampingBelowZeroIsTakenWithAWord) {
  const std::string bodies =
      "[parameters]\nc = -2\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.b]\nmass = 1\ninertia = [1, "
      "1, "
      "1]\nposition = [1, 0, 0]\n";
  const ReadResult read = read_model(
      bodies +
          "[joints]\nk = { type = 'revolute', between = ['ground', 'a'], point = [0, 0, 0], axis "
          "= [0, 0, 1], "
          "damping = -1 }\nl = { type = 'revolute', between = ['ground', 'b'], point = [0, 0, 0], "
          "axis = [0, 0, "
          "1], damping = 1 }\n[springs]\ns = { between = ['a', 'b'], stiffness = 1, damping = "
          "'c', length = 1 }\n"
          "t = { joint = 'l', stiffness = 1, damping = 'c/2' }\n[bushings]\n"
          "m = { between = ['a', 'b'], point = [0, 0, 0], damping = [1, -3, 1], rotational_damping = 2 }\n",
      "m.toml");
  for (const Fault& fault : read.faults) ADD_FAILURE() << fault.text;
  ASSERT_TRUE(read.file);
  const std::string drives = ": below 0 it drives the motion instead of braking it";
  EXPECT_EQ(read.file->warnings,
            (Texts{"the damping of joint 'k' is -1" + drives, "the damping of spring 's' is -2" + drives,
                   "the damping of spring 't' is -1" + drives,
                   "'damping' of bushing 'm', along one of its axes, is -3" + drives}));
  const ReadResult open = read_model(
      "[parameters]\nd = '?'\n[particles]\np = { mass = 1 }\nq = { mass = 1, position = [1, 0, 0] }\n"
      "[springs]\ns = { between = ['p', 'q'], stiffness = 1, length = 1, damping = 'd' }\n",
      "m.toml", {}, OpenNames::allowed);
  for (const Fault& fault : open.faults) ADD_FAILURE() << fault.text;
  ASSERT_TRUE(open.file);
  EXPECT_TRUE(open.file->warnings.empty());
}

TEST(ReadElements, OneMomentAloneIsTakenWithAWord) {
  const auto chain = [](const std::string& inertia) {
    return "gravity = [0, -9.81, 0]\n[bodies.a]\nmass = 1\ninertia = " + inertia +
           "\nposition = [0.5, 0, 0]\n[bodies.b]\nmass = 1\ninertia = " + inertia +
           "\nposition = [1.5, 0, 0]\n[joints]\n"
           "p = { type = 'revolute', between = ['ground', 'a'], point = [0, 0, 0], axis = [0, 0, 1] }\n"
           "q = { type = 'revolute', between = ['a', 'b'], point = [1, 0, 0], axis = [0, 0, 1] }\n"
           "[outputs]\na = \"a.wz'\"\nb = \"b.wz'\"\n";
  };
  const ReadResult read = read_model(chain("[0, 0, 0.1]"), "m.toml");
  ASSERT_TRUE(read.file);
  EXPECT_EQ(read.file->warnings,
            (Texts{"body 'a' has a moment of inertia about z alone, which no body has: joints must hold its "
                   "other turns; with plane = \"xy\" it has none",
                   "body 'b' has a moment of inertia about z alone, which no body has: joints must hold its "
                   "other turns; with plane = \"xy\" it has none"}));
  const Outputs alone(chain("[0, 0, 0.1]")), whole(chain("[0.1, 0.1, 0.1]"));
  EXPECT_NEAR(alone["a"], whole["a"], 1e-12);
  EXPECT_NEAR(alone["b"], whole["b"], 1e-12);
}

}  // namespace
}  // namespace vinculum
