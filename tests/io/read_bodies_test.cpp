// Bodies and joints of model files: what they mean, and what does not fit.
#include <cmath>
#include <numbers>

#include "io/marked.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

const std::string body = "[bodies.b]\nmass = 2\ninertia = [1, 2, 2.5]\n";

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
    EXPECT_EQ(solution.status, Status::solved) << describe(system, solution);
    values_.resize(system.output_names().size());
    observe(system, system.start(), {}, solution, work, values_);
    names_ = system.output_names();
    coordinates = system.coordinate_names();
    velocities = system.velocity_names();
    rows = system.row_names();
    acceleration = solution.acceleration;
  }
  double operator[](const std::string& name) const {
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (names_[k] == name) return values_[k];
    ADD_FAILURE() << "no output " << name;
    return NAN;
  }
  void expect_vector(const std::string& name, double x, double y, double z, double tolerance = 1e-14) const {
    EXPECT_NEAR((*this)[name + ".x"], x, tolerance) << name;
    EXPECT_NEAR((*this)[name + ".y"], y, tolerance) << name;
    EXPECT_NEAR((*this)[name + ".z"], z, tolerance) << name;
  }
  std::vector<std::string> coordinates, velocities, rows;
  std::vector<double> acceleration;

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;
};

TEST(ReadBodies, NamesStandInTheOrderOfTheContract) {
  const Outputs o(
      "[joints.j]\ntype = 'spherical'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n"
      "[constraints]\nc = 'b.wz = 0'\n" +
      body + "[particles.p]\nmass = 1\n[coordinates]\ns = 1\n[mass]\ns = 1\n");
  EXPECT_EQ(o.coordinates, (std::vector<std::string>{"s", "p.x", "p.y", "p.z", "b.x", "b.y", "b.z", "b.qw",
                                                     "b.qx", "b.qy", "b.qz"}));
  EXPECT_EQ(o.velocities, (std::vector<std::string>{"s'", "p.x'", "p.y'", "p.z'", "b.x'", "b.y'", "b.z'",
                                                    "b.wx", "b.wy", "b.wz"}));
  EXPECT_EQ(o.rows, (std::vector<std::string>{"j[0]", "j[1]", "j[2]", "c"}));
}

/// A quarter turn about z: body x is world y. w in the world and in the body, points and their rates by hand.
TEST(ReadBodies, PointsAxesAndAngularVelocitiesAreThoseOfTheWorld) {
  const Outputs o(
      "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 2, 3]\nvelocity = [0.5, 0, 0]\n"
      "orientation = { axis = [0, 0, 5], angle = 'pi/2' }\nomega = [2, 0, 1]\n"
      "[forces]\n'b.torque' = [0, 0, 3]\n"
      "[outputs]\nat = 'b'\nmove = \"b'\"\npoint = 'b.point(1, 0, 0)'\naxis = 'b.axis(1, 0, 0)'\n"
      "fast = \"b.point(1, 0, 0)'\"\nturn = \"b.axis(1, 0, 0)'\"\nw = 'b.omega'\nwb = 'b.omega_body'\n"
      "wx = 'b.wx'\none = \"b.point(1, 0, 0)'.x\"\nsame = \"b.point(1, 0, 0).x'\"\nalpha = \"b.omega'\"\n"
      "gain = \"b.wz'\"\nlift = \"b.point(1, 0, 0)''\"\nomega_z = 'b.omega.z'\nq = 'b.qw^2 + b.qz^2'\n");
  o.expect_vector("at", 1, 2, 3);
  o.expect_vector("move", 0.5, 0, 0);
  o.expect_vector("point", 1, 3, 3);
  o.expect_vector("axis", 0, 1, 0);
  o.expect_vector("fast", 0.5 - 1, 0, 2);  // v + w x (0, 1, 0)
  o.expect_vector("turn", -1, 0, 2);
  o.expect_vector("w", 2, 0, 1);
  o.expect_vector("wb", 0, -2, 1);
  EXPECT_NEAR(o["wx"], 0, 1e-15);
  EXPECT_NEAR(o["one"], -0.5, 1e-15);
  EXPECT_EQ(o["one"], o["same"]);
  EXPECT_NEAR(o["omega_z"], 1, 1e-15);
  EXPECT_NEAR(o["q"], 1, 1e-15);
  o.expect_vector("alpha", 0, 0, 3);  // a sphere's inertia: torque alone
  EXPECT_NEAR(o["gain"], 3, 1e-14);
  // alpha x r + w x (w x r) with r = (0, 1, 0): (-3, 0, 0) + (w.r) w - w^2 r = (0, -5, 0)
  o.expect_vector("lift", -3, -5, 0);
}

TEST(ReadBodies, ShapesGiveMassAndInertia) {
  const Outputs o(
      "[parameters]\nr = 2\n"
      "[bodies.box]\nshape = { box = [1, 2, 3] }\ndensity = 2\n[bodies.ball]\nshape = { sphere = 'r/2' "
      "}\nmass = 5\n"
      "[bodies.can]\nshape = { cylinder = [1, 'r'] }\nmass = 6\n[bodies.rod]\nshape = { rod = ['r', 1] "
      "}\nmass = 6\n"
      "[forces]\nbox = [12, 0, 0]\n'box.torque' = [13, 10, 5]\n'ball.torque' = [2, 0, 0]\n"
      "can.torque = [3.5, 0, 3]\nrod.torque = [3, 3.5, 0]\n"
      "[outputs]\na = \"box'.x'\"\nbox = \"box.omega'\"\nball = \"ball.omega'\"\ncan = \"can.omega'\"\n"
      "rod = \"rod.omega'\"\n");
  EXPECT_NEAR(o["a"], 1, 1e-15);     // 12 / (2*6)
  o.expect_vector("box", 1, 1, 1);   // m/12 (b^2 + c^2) = 13, 10, 5
  o.expect_vector("ball", 1, 0, 0);  // 2/5 5 1
  o.expect_vector("can", 1, 0, 1);   // m (3 r^2 + h^2)/12 = 3.5 across, m r^2/2 = 3 along
  o.expect_vector("rod", 1, 1, 0);
}

/// The point (1, 0, 0) of a body turned by a quarter about z is at (0, 1, 0): (0, 1, 0) x (0, 0, 4) = (4, 0,
/// 0), which is (0, -4, 0) in body axes.
TEST(ReadBodies, ForcesActWhereTheyAreSaidTo) {
  const std::string turned = body + "orientation = { axis = [0, 0, 1], angle = 'pi/2' }\n";
  const std::string outputs = "[outputs]\na = \"b''\"\nx = \"b.wx'\"\ny = \"b.wy'\"\nz = \"b.wz'\"\n";
  for (const std::string table : {"[forces]\n", "[nonideal]\n"}) {
    const Outputs o(turned + table + "'b.point(1, 0, 0)' = [0, 0, 4]\nb.wy = 6\n" + outputs);
    o.expect_vector("a", 0, 0, 2);
    EXPECT_NEAR(o["x"], 0, 1e-15);
    EXPECT_NEAR(o["y"], (6.0 - 4) / 2, 1e-15);
    EXPECT_NEAR(o["z"], 0, 1e-15);
  }
  const Outputs spring(turned + "[springs.s]\nbetween = ['ground', 'b.point(1, 0, 0)']\nstiffness = 4\n" +
                       outputs);
  spring.expect_vector("a", 0, -2, 0);  // straight through the centre of mass: no torque
  EXPECT_NEAR(spring["z"], 0, 1e-15);
}

/// A beam on a wall: statics by hand.
TEST(ReadBodies, ReactionsAreForceAndTorqueAtTheJoint) {
  const std::string beam =
      "gravity = [0, 0, -10]\n[bodies.beam]\nmass = 3\ninertia = [0.1, 1, 1]\nposition = [1, 0, 0]\n";
  const std::string outputs =
      "[outputs]\nforce = 'force(wall, beam)'\ntorque = 'torque(wall, beam)'\nrow = 'multiplier(wall[2])'\n";
  const Outputs weld(
      beam + "[joints.wall]\ntype = 'weld'\nbetween = ['ground', 'beam']\npoint = [0, 0, 0]\n" + outputs);
  weld.expect_vector("force", 0, 0, 30, 1e-12);
  weld.expect_vector("torque", 0, -30, 0, 1e-12);  // what holds the weight 1 m out: about -y
  // d = P_A - P_B: its multiplier pushes the first part, the ground, along d.
  EXPECT_NEAR(weld["row"], -30, 1e-12);
  const Outputs hinge(beam +
                      "[joints.wall]\ntype = 'revolute'\nbetween = ['ground', 'beam']\npoint = [0, 0, 0]\n"
                      "axis = [0, 1, 0]\n" +
                      outputs + "fall = \"beam.z''\"\n");
  // I about the hinge 1 + 3, torque 30: z'' = -30/4
  EXPECT_NEAR(hinge["fall"], -7.5, 1e-12);
  hinge.expect_vector("force", 0, 0, 3 * (10 - 7.5), 1e-12);
  hinge.expect_vector("torque", 0, 0, 0, 1e-12);
}

TEST(ReadBodies, JointsHaveAnglesAndDistances) {
  const std::string wheel =
      "[bodies.w]\nmass = 1\ninertia = [1, 1, 2]\nomega = [0, 0, 3]\n"
      "[joints.axle]\ntype = 'revolute'\nbetween = ['ground', 'w']\npoint = [0, 0, 0]\naxis = [0, 0, 2]\n"
      "angle = 'pi'\n";
  const Outputs turn(
      wheel +
      "[forces]\naxle.angle = 10\n[springs.s]\njoint = 'axle'\nstiffness = 2\nangle = 'pi - 1'\n"
      "damping = 1\n[outputs]\na = 'axle.angle'\nv = \"axle.angle'\"\ng = \"axle.angle''\"\n");
  EXPECT_EQ(turn["a"], std::numbers::pi);
  EXPECT_NEAR(turn["v"], 3, 1e-15);
  EXPECT_NEAR(turn["g"], (10 - 2 * 1 - 3) / 2.0, 1e-14);
  EXPECT_EQ(turn.coordinates.back(), "axle.angle");
  const Outputs slide(
      "[bodies.b]\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 5, 0]\nvelocity = [0, 3, 0]\n"
      "[joints.rail]\ntype = 'prismatic'\nbetween = ['ground', 'b']\naxis = [0, 1, 0]\n"
      "[forces]\nrail.distance = 4\n"
      "[outputs]\nd = 'rail.distance'\nv = \"rail.distance'\"\ng = \"rail.distance''\"\n");
  EXPECT_EQ(slide["d"], 0);
  EXPECT_NEAR(slide["v"], 3, 1e-15);
  EXPECT_NEAR(slide["g"], 2, 1e-14);
}

/// One freedom is left; its inertia is the sum of what it moves.
TEST(ReadBodies, GearsAndRacksCoupleJointsInAnyOrder) {
  const auto wheel = [](const std::string& name, double at) {
    const std::string place = "[" + std::to_string(at) + ", 0, 0]\n";
    return "[bodies." + name + "]\nmass = 1\ninertia = [1, 1, 2]\nposition = " + place + "[joints." + name +
           "]\ntype = 'revolute'\nbetween = ['ground', '" + name + "']\naxis = [0, 0, 1]\npoint = " + place;
  };
  const Outputs gear("[joints.g]\ntype = 'gear'\njoints = ['one', 'two']\nratio = -3\n" + wheel("one", 0) +
                     wheel("two", 4) +
                     "[forces]\none.angle = 5\n[outputs]\na = \"one.angle''\"\nb = \"two.angle''\"\n");
  EXPECT_EQ(gear.rows.front(), "g");  // in the order of the file
  EXPECT_NEAR(gear["a"], 5 / (2 + 2 / 9.0), 1e-14);
  EXPECT_NEAR(gear["b"], -gear["a"] / 3, 1e-14);
  const std::string bar =
      "[bodies.bar]\nmass = 3\ninertia = [1, 1, 1]\n"
      "[joints.rail]\ntype = 'prismatic'\nbetween = ['ground', 'bar']\naxis = [1, 0, 0]\n";
  for (const std::string order : {"['one', 'rail']", "['rail', 'one']"}) {
    const Outputs rack(
        wheel("one", 0) + bar + "[joints.r]\ntype = 'rack'\nradius = 0.5\njoints = " + order +
        "\n[forces]\none.angle = 5\n[outputs]\na = \"one.angle''\"\nd = \"rail.distance''\"\n");
    EXPECT_NEAR(rack["a"], 5 / (2 + 3 * 0.25), 1e-14);
    EXPECT_NEAR(rack["d"], 0.5 * rack["a"], 1e-14);
  }
}

// --- What does not fit
// ---------------------------------------------------------------------------------------------------------

TEST(ReadBodies, FaultsOfBodiesAreSaidAtTheirPlaces) {
  expect_faults("[bodies.b]\nmass = 1\ninertia = @[1, 1, 3]\n",
                {"the principal moments of inertia of body 'b' are 1, 1, 3: the largest is more than the two "
                 "others together, which no body can have"});
  expect_faults("[bodies.b]\nmass = 1\ninertia = @[1, -1, 1]\n",
                {"the principal moments of inertia of body 'b' are -1, 1, 1; none may be negative"});
  expect_faults("[bodies.b]\nmass = 1\ninertia = @[[1, 0.5, 0], [0.1, 1, 0], [0, 0, 1]]\n",
                {"the inertia of body 'b' is not symmetric: 0.5 stands across from 0.1"});
  expect_faults(
      body + "orientation = @[0, 0, 0, 0]\n",
      {"the orientation of body 'b' has the length 0; a quaternion [w, x, y, z] of any finite length but "
       "zero is asked for"});
  expect_faults(
      body + "orientation = @[1, 0, 0]\n",
      {"the orientation of body 'b' is a quaternion [w, x, y, z] or { axis = [x, y, z], angle = .. }"});
  expect_faults(body + "orientation = { axis = @[0, 0, 0], angle = 1 }\n",
                {"the axis of the orientation of body 'b' is zero; any other length will do"});
  expect_faults(body + "omega = [0, 0, 1]\n@omega_body = [0, 0, 1]\n",
                {"'omega_body' of body 'b' beside 'omega'; one of the two"});
  expect_faults("[bodies.b]\nmass = 1\nshape = { box = @[1, 2] }\n",
                {"the box of body 'b' has 2 numbers; three edges are asked for"});
  expect_faults("[bodies.b]\nmass = 1\n@density = 2\nshape = { sphere = @-1 }\n",
                {"'density' of body 'b' beside 'mass'; one of the two",
                 "the sphere of body 'b' has the size -1; it must be more than 0"});
}

TEST(ReadBodies, FaultsOfJointsAreSaidAtTheirPlaces) {
  const std::string pin = body + "[joints.j]\ntype = 'spherical'\npoint = [0, 0, 0]\n";
  expect_faults(
      body + "[joints.j]\ntype = 'weld'\nbetween = ['ground', '@bb']\npoint = [0, 0, 0]\n",
      {"joint 'j' connects body 'bb', which is not declared; bodies are: ground and b (did you mean "
       "'b'?)"});
  expect_faults(
      body + "[joints.j]\ntype = @'hinge'\n",
      {"the type of joint 'j' is 'hinge'; it is one of spherical, revolute, prismatic, cylindrical, "
       "planar, universal, weld, distance, screw, rolling, gear, rack and series (did you mean "
       "'revolute'?)"});
  expect_faults(pin + "between = ['b', '@b']\n",
                {"joint 'j' is between 'b' and itself; a joint has two parts"});
  expect_faults(body +
                    "[joints.j]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n"
                    "axis = @[0, 0, 0]\n",
                {"'axis' of joint 'j' has the length 0; a direction of any finite length but zero is asked "
                 "for"});
  expect_faults(
      body +
          "[joints.@j]\ntype = 'rolling'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\nradius = 1\n"
          "axis = [0, 0, -2]\n",
      {"the disc of joint 'j' lies flat on its plane, its axis along the normal: where it touches is "
       "not defined; tilt it (its 'axis' and the orientation of 'b'), or let a 'planar' joint hold it "
       "flat"});
}

/// A body that has a fault of its own is declared all the same.
TEST(ReadBodies, BodiesAreNamedAlsoWhereTheyHaveFaults) {
  expect_faults("[bodies.a]\nmass = @true\ninertia = [1, 1, 1]\n" + body +
                    "[joints.j]\ntype = 'spherical'\nbetween = ['ground', '@zzz']\npoint = [0, 0, 0]\n",
                {"the mass of body 'a' is a truth value; a number or an expression in quotes is asked for",
                 "joint 'j' connects body 'zzz', which is not declared; bodies are: ground, a and b"});
}

TEST(ReadBodies, AllFaultsOfAJointAreSaidAtOnceAndAtItsKeys) {
  const std::string direction = " has the length 0; a direction of any finite length but zero is asked for";
  expect_faults(
      body + "[parameters]\nL = -3\n[particles.p]\nmass = 1\n" +
          "[joints.r]\ntype = 'rolling'\nbetween = ['ground', 'b']\nradius = @-2\nnormal = @[0, 0, 0]\n"
          "[joints.g]\ntype = 'rolling'\nbetween = ['b', '@ground']\nradius = 2\naxis = @[0, 0, 0]\n"
          "[joints.k]\ntype = 'distance'\nbetween = ['ground', '@bq']\nlength = @'L'\n"
          "[joints.u]\ntype = 'universal'\nbetween = ['@p', 'b']\npoint = [0, 0, 0]\naxis = [1, 0, 0]\n"
          "axis2 = @['L + 3', 0, 0]\n@lenght = 1\n"
          "[joints.v]\ntype = @'hinge'\nbetween = ['ground', '@c']\n",
      {"the radius of joint 'r' is -2; it must be more than 0", "'normal' of joint 'r'" + direction,
       "joint 'g': the second part is what rolls, and the ground does not", "'axis' of joint 'g'" + direction,
       "joint 'k' connects body 'bq', which is not declared; bodies are: ground and b (did you mean 'b'?)",
       "the length of joint 'k' is -3; it must be more than 0 (type \"spherical\" holds two points together)",
       "joint 'u' connects 'p', which is a particle; joints connect bodies, and these are: ground and b",
       "'axis2' of joint 'u'" + direction,
       "unknown key 'lenght' in joint 'u' (keys are type, between, point, axis, point2, axis2, "
       "start, rate, fixed, damping, frame and frame2)",
       "the type of joint 'v' is 'hinge'; it is one of spherical, revolute, prismatic, cylindrical, planar, "
       "universal, weld, distance, screw, rolling, gear, rack and series (did you mean 'revolute'?)",
       "joint 'v' connects body 'c', which is not declared; bodies are: ground and b"});
}

TEST(ReadBodies, WordsOfOtherProgramsAndKeysOfOtherJointsGetAHint) {
  expect_faults(body + "[joints.j]\ntype = 'weld'\nbetween = ['@world', 'b']\npoint = [0, 0, 0]\n",
                {"joint 'j' connects body 'world', which is not declared; bodies are: ground and b (did you "
                 "mean 'ground'?)"});
  expect_faults(
      body +
          "[joints.j]\ntype = 'screw'\n@parent = 'ground'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n" +
          "axis = [0, 0, 1]\npitch = 1\n[joints.k]\ntype = 'spherical'\n@axs = [1, 0, 0]\n" +
          "between = ['ground', 'b']\npoint = [0, 0, 0]\n",
      {"unknown key 'parent' in joint 'j' (keys are type, between, point, axis, point2, axis2, pitch, "
       "angle, start, rate, fixed, stiffness, rest, damping, friction, armature, limits, frame and frame2)",
       "unknown key 'axs' in joint 'k' (keys are type, between, point, point2, start, rate, fixed, damping, "
       "frame "
       "and frame2)"});
}

TEST(ReadBodies, TheAxesOfAUniversalJointAreNotParallel) {
  expect_faults(body +
                    "[joints.j]\ntype = 'universal'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n"
                    "axis = [1, 0, 2]\naxis2 = @[-2, 0, -4]\n",
                {"'axis2' of joint 'j' is parallel to 'axis'; the two axes of a universal joint are at right "
                 "angles"});
}

TEST(ReadBodies, ADistanceOfNothingIsNoDistance) {
  const std::string rule =
      "the length of joint 'j' is 0; it must be more than 0 (type \"spherical\" holds two points together)";
  const std::string rod = "type = 'distance'\nbetween = ['ground', 'b']\n";
  expect_faults(body + "[joints.@j]\n" + rod, {rule});
  expect_faults(body + "[joints.j]\n" + rod + "point = [1, 0, 0]\nlength = @0\n", {rule});
  // Points that meet but for the rounding of their places.
  expect_faults(body + "[joints.@j]\n" + rod + "point = ['0.1 + 0.2', 0, 0]\npoint2 = [0.3, 0, 0]\n", {rule});
}

TEST(ReadBodies, AGearCouplesTwoJointsThatTurn) {
  const std::string wheels =
      body +
      "[bodies.c]\nmass = 1\ninertia = [1, 1, 1]\n[joints]\n"
      "h = { type = 'revolute', between = ['ground', 'b'], point = [0, 0, 0], axis = [0, 0, 1] }\n"
      "k = { type = 'revolute', between = ['ground', 'c'], point = [0, 0, 0], axis = [0, 0, 1] }\n";
  expect_faults(
      wheels + "g = { type = 'gear', joints = ['h', '@h'], ratio = 2 }\n",
      {"joint 'g' couples 'h' with itself, which would hold it fast; a gear is between two joints"});
  expect_faults(wheels + "g = { type = 'gear', joints = ['h', 'k'], ratio = @0 }\n",
                {"the ratio of joint 'g' is 0, which would hold one joint fast and leave the other free"});
  expect_faults(wheels + "g = { type = 'gear', joints = ['@hh', '@g'], ratio = 2 }\n",
                {"there is no joint 'hh' (did you mean 'h'?)",
                 "joint 'g' couples 'g', which is a gear itself; it couples joints that turn or slide"});
  expect_faults(wheels +
                    "s = { type = 'spherical', between = ['b', 'c'], point = @5 }\n"
                    "g = { type = 'gear', joints = ['h', 's'], ratio = 2 }\n",
                {"'point' of joint 's' is a number; a vector is asked for, as in [0, 0, 1]"});
}

TEST(ReadBodies, WhatAJointHasNotIsRefused) {
  const std::string pin =
      body + "[joints.j]\ntype = 'spherical'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n";
  expect_faults(pin + "@pitch = 1\n", {"'pitch' has no meaning in joint 'j', which is of type spherical"});
  expect_faults(pin + "[constraints]\n@j = 'b.x = 0'\n", {"the name 'j' is already that of a joint"});
  expect_faults(pin + "[outputs]\na = '@j.angle'\n",
                {"joint 'j' is spherical and has angle1, angle2 and angle3; 'angle' is none of them"});
  expect_faults(
      pin + "[outputs]\na = 'torque(j, @x)'\nb = '@b.spin'\nc = '@c.point(0, 0, 0)'\n",
      {"'x' in torque(j, x) is no body",
       "body 'b' in output 'b' has no part 'spin'; it has .x .y .z .qw .qx .qy .qz .wx .wy .wz .omega "
       ".omega_body .point(x, y, z) .axis(x, y, z)",
       "'c' in output 'c' is no body; only bodies have .point(x, y, z)"});
  expect_faults(
      body +
          "[joints.j]\ntype = 'weld'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n"
          "[outputs]\na = 'multiplier(@j)'\nb = '1 + @j'\n",
      {"'j' has 6 rows, and so many multipliers; take one, as in multiplier(j[0])",
       "'j' in output 'b' is a joint; its parts are j.angle and j.distance, its force is force(j)"});
}

TEST(ReadBodies, APrimeFollowsPointsAndAxes) {
  expect_faults(body + "[outputs]\na = \"b.point(0, 0, 1)@'''\"\n",
                {"a third derivative; ' (velocity) and '' (acceleration) are the only ones (in output 'a')"});
  expect_faults(body + "[forces]\nb = \"@b.point(0, 0, 1)''\"\n",
                {"the force on 'b' contains the acceleration 'b.x'''; accelerations may stand in constraints "
                 "and outputs only"});
  expect_faults(body + "[outputs]\na = \"norm(b)@'\"\n",
                {"a prime (') follows a name or a component, as in x' or p.x'; name this expression in "
                 "[definitions] to use its rate (in output 'a')"});
}

TEST(ReadBodies, ForcesActOnPositionsAndNotOnVelocities) {
  const std::string hinged =
      body +
      "[joints.h]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  for (const std::string table : {"forces", "nonideal"}) {
    const std::string rule = " in [" + table + "] depends on velocities, and forces act on positions";
    const std::string torque =
        "; a torque is 'b.torque', a vector in world axes (b.axis(x, y, z) is one of the body's)";
    expect_faults(
        hinged + "[" + table +
            "]\n@'b.omega_body' = [0, 0, 5]\n@'b.omega' = [0, 0, 5]\n@'b.omega.z' = 5\n"
            "@\"b.omega_body.x'\" = 5\n@\"h.angle'\" = 5\n@\"b.x'\" = 5\n@\"b.wx'\" = 5\n"
            "@\"b.point(0, 1, 0)'\" = [0, 0, 5]\n@\"b.axis(0, 1, 0)'\" = [0, 0, 5]\n"
            "@'b.point(b.wx, 0, 0)' = [0, 0, 5]\n@'h.angle + b.wx' = 5\n",
        {"'b.omega_body'" + rule + torque, "'b.omega'" + rule + torque, "'b.omega.z'" + rule + torque,
         "'b.omega_body.x''" + rule + torque, "'h.angle''" + rule + " (did you mean 'h.angle'?)",
         "'b.x''" + rule + " (did you mean 'b.x'?)", "'b.wx''" + rule + " (did you mean 'b.wx'?)",
         "'b.point(0, 1, 0)''" + rule + " (did you mean 'b.point(0, 1, 0)'?)",
         "'b.axis(0, 1, 0)''" + rule + " (did you mean 'b.axis(0, 1, 0)'?)", "'b.point(b.wx, 0, 0)'" + rule,
         "'h.angle + b.wx'" + rule});
    expect_faults(hinged + "[" + table + "]\n@'b.torque_body' = [0, 0, 5]\n",
                  {"body 'b' in [" + table +
                   "] has no part 'torque_body'; it has .x .y .z .qw .qx .qy .qz .wx .wy .wz .omega "
                   ".omega_body .point(x, y, z) .axis(x, y, z) and, as a place of forces, .torque (world "
                   "axes)"});
    EXPECT_TRUE(read_model(hinged + "[" + table +
                               "]\n'b.torque' = [0, 0, 5]\n'b.wx' = 1\nh.angle = 2\n"
                               "'b.point(0, 1, 0)' = [0, 0, 5]\n'b.x' = \"-b.x'\"\n",
                           "m")
                    .faults.empty());
  }
}

TEST(ReadBodies, AJointMayHaveTheNameOfAParticle) {
  // A torque of 0.5 about the axis and no other: the moment of inertia about it is 2.5.
  const Outputs out(
      body +
      "[particles.h]\nmass = 1\n"
      "[joints.h]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n"
      "[forces]\n'h.angle' = 0.5\n'h.x' = 2\n'h' = [0, 1, 0]\n"
      "[outputs]\nturning = \"b.wz'\"\nparticle = \"h''\"\n");
  EXPECT_NEAR(out["turning"], 0.2, 1e-15);
  out.expect_vector("particle", 2, 1, 0);
}

TEST(ReadBodies, ASpringWhoseEndsMeetIsNamed) {
  const auto sentence = [](const std::string& springs) {
    const ReadResult read =
        read_model(body + "[particles.p]\nmass = 1\nposition = [1, 0, 0]\n" + springs, "m");
    const System system(read.file->model);
    return describe(system, solve(system, system.start()));
  };
  const std::string far = "[springs.far]\nbetween = ['p', [3, 0, 0]]\nstiffness = 4\nlength = 1\n";
  EXPECT_EQ(
      sentence("[springs.s]\nbetween = ['ground', 'b']\nstiffness = 4\nlength = 1\n" + far),
      "the force on 'b.x', 'b.y' and 'b.z' is not a finite number at this state; on it acts spring 's', and "
      "a spring with a length has no direction where its two ends meet");
  EXPECT_EQ(sentence("[springs.s]\nbetween = ['ground', 'b']\nstiffness = 4\n" + far), "");
  EXPECT_EQ(sentence("[forces]\n'b.x' = '1/b.x'\n" + far),
            "the force on 'b.x' is not a finite number at this state");
}

TEST(ReadBodies, WhereParametersStandNoParticleIsOffered) {
  const std::string rule = " is a number; a vector is asked for, as in [0, 0, 1]";
  expect_faults("gravity = @9.81\n[bodies.b]\nmass = 1\ninertia = @2\nomega = @3\n",
                {"'gravity'" + rule, "the inertia of body 'b'" + rule, "'omega' of body 'b'" + rule});
}

TEST(ReadBodies, TheMassOfABodyStandsWithIt) {
  expect_faults(body + "[mass]\n@b = 1\n@'b.x' = 1\n",
                {"'b' in [mass] belongs to a body; its mass stands in [bodies.b]",
                 "'b.x' in [mass] belongs to a body; its mass stands in [bodies.b]"});
}

TEST(ReadBodies, AnEnergyThatNamesABodyIsRefusedWhereItDoes) {
  const std::string plain = "[coordinates]\nx = 0\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n";
  const std::string way_out =
      ", and Lagrange's equations ask for coordinates whose rates are the velocities; a body has its mass "
      "and inertia in [bodies], and what acts on it stands in [forces] or in 'potential'";
  expect_faults("kinetic = \"x'^2 + @b.wx^2\"\n" + plain, {"'kinetic' contains 'b.wx'" + way_out});
  expect_faults("lagrangian = \"x'^2 - @b.qw\"\n" + plain, {"'lagrangian' contains 'b.qw'" + way_out});
  expect_faults("kinetic = \"x'^2 + @b.x'^2\"\n" + plain,
                {"'kinetic' contains the velocity of 'b', and a body has a mass of its own"});
}

TEST(ReadBodies, AForceAndATorqueBesideEachOtherAskForQuotes) {
  const std::string plain = "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[forces]\n";
  const std::string clash =
      "'b' and 'b.torque' stand beside each other, and to TOML 'b.torque' says that 'b' is a table; put it "
      "in quotes: \"b.torque\" = ..";
  expect_faults(plain + "b = [1, 0, 0]\n@b.torque = [1, 0, 0]\n", {clash});
  expect_faults(plain + "b.torque = [1, 0, 0]\n@b = [1, 0, 0]\n", {clash});
  expect_faults(plain + "b.torque = [1, 0, 0]\n@b.torque = [1, 0, 0]\n",
                {"the key 'b.torque' is there twice"});
  EXPECT_TRUE(read_model(plain + "b = [1, 0, 0]\n\"b.torque\" = [1, 0, 0]\n", "m").file);
}

TEST(ReadBodies, VakonomicRowsThatTurnAreRefusedWhereTheyDo) {
  expect_faults(
      "mechanics = \"vakonomic\"\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[constraints]\n"
      "c = \"b.x' + @b.wx = 0\"\n[multipliers]\nc = 0\n",
      {"constraint 'c' contains 'b.wx', and the equations of vakonomic motion ask for coordinates whose "
       "rates are the velocities"});
}

TEST(ReadBodies, CoordinatesOfJointsAreActuators) {
  const std::string pin = body +
                          "[joints.j]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [1, 0, 0]\n"
                          "axis = [0, 0, 1]\n[constraints]\n";
  const ReadResult result = read_model(
      pin + "c = { equation = 'j.angle = t^2', servo = true, actuators = ['j.angle', 'b.x', 'j.angle'] }\n",
      "m.toml");
  ASSERT_TRUE(result.file) << (result.faults.empty() ? "" : result.faults.front().text);
  const auto& driven = result.file->model.servos()[0].actuators;
  ASSERT_EQ(driven.size(), 2u);
  EXPECT_EQ(driven[0].name, "j.angle");
  EXPECT_EQ(driven[1].name, "b.x");
  expect_faults(
      pin + "c = { equation = 'j.angle = t^2', servo = true, actuators = ['@j.distance', '@j.turn'] }\n",
      {"joint 'j' is revolute and has no distance; prismatic, cylindrical, screw and distance joints "
       "have one",
       "joint 'j' in the actuators of constraint 'c' has no part 'turn'; it has .angle and .distance"});
}

TEST(ReadBodies, FrictionAsksForWhatSlides) {
  const ReadResult read =
      read_model(body + "[constraints]\nc = { equation = 'b.x^2 + b.y^2 = 0', friction = 0.1 }\n", "m");
  ASSERT_EQ(read.faults.size(), 1u);
  EXPECT_NE(read.faults[0].text.find("which is no plain coordinate; write it into the non-ideal forces"),
            std::string::npos)
      << read.faults[0].text;
}

}  // namespace
}  // namespace vinculum
