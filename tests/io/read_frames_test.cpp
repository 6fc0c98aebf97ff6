// Orientations in every way they are told, and bodies and joints told in the frame of another body; beside
// Eigen's rotations.
#include <Eigen/Geometry>

#include "io/marked.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const std::string solid = "mass = 2\ninertia = [1, 2, 2.5]\n";

System system_of(const std::string& text, const Overrides& overrides = {}) {
  const ReadResult read = read_model(text, "m.toml", overrides);
  for (const Fault& fault : read.faults) ADD_FAILURE() << fault.text;
  return System(read.file->model);
}

struct Pose {
  Vector3d position, velocity, omega_body;
  Quaterniond turn;
  Pose(const State& s, int body)
      : position(s.q.data() + 7 * body),
        velocity(s.v.data() + 6 * body),
        omega_body(s.v.data() + 6 * body + 3) {
    const double* const q = s.q.data() + 7 * body + 3;
    turn = Quaterniond(q[0], q[1], q[2], q[3]);
  }
};

Matrix3d turned(const std::string& orientation) {
  const System system = system_of("[bodies.b]\n" + solid + "orientation = " + orientation + "\n");
  return Pose(system.start(), 0).turn.toRotationMatrix();
}

Matrix3d about(char axis, double angle) {
  return AngleAxisd(angle, Vector3d::Unit(axis - 'x')).toRotationMatrix();
}

TEST(ReadFrames, RollPitchAndYawAreAboutAxesThatDoNotTurnAlong) {
  const Matrix3d expected = about('z', -0.4) * about('y', 1.1) * about('x', 0.3);
  EXPECT_LE((turned("{ rpy = [0.3, 1.1, -0.4] }") - expected).norm(), 1e-15);
}

TEST(ReadFrames, EulersAnglesAreAboutAxesThatDo) {
  EXPECT_LE((turned("{ euler = 'zxz', angles = [0.3, 1.1, -0.4] }") -
             about('z', 0.3) * about('x', 1.1) * about('z', -0.4))
                .norm(),
            1e-15);
  EXPECT_LE((turned("{ euler = 'xyz', angles = [0.3, 1.1, -0.4] }") -
             about('x', 0.3) * about('y', 1.1) * about('z', -0.4))
                .norm(),
            1e-15);
}

TEST(ReadFrames, AMatrixIsItsOwnOrientation) {
  EXPECT_LE((turned("{ matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }") - about('z', M_PI / 2)).norm(), 1e-15);
  // A half turn about a slanted axis: the trace tells nothing of it.
  const Vector3d axis = Vector3d(2, 3, 6) / 7;
  const Matrix3d half = AngleAxisd(M_PI, axis).toRotationMatrix();
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += (i > 0 ? ", [" : "[[") + std::to_string(half(i, 0)) + ", " + std::to_string(half(i, 1)) + ", " +
            std::to_string(half(i, 2)) + "]";
  EXPECT_LE((turned("{ matrix = " + text + "] }") - half).norm(), 1e-6);  // six digits were written
}

const std::string carried = "[bodies.hand]\n" + solid +
                            "frame = 'arm'\nposition = [0.5, 0, 0.1]\norientation = { rpy = [0, 'a', 0] }\n"
                            "velocity = [0.2, 0, 0]\nomega = [0, 0.3, 0]\n"
                            "[bodies.arm]\n" +
                            solid +
                            "frame = 'base'\nposition = [1, 0, 0]\norientation = { axis = [0, 0, 1], angle = "
                            "0.4 }\nomega_body = [0, 0, 2]\n"
                            "[bodies.base]\n" +
                            solid +
                            "position = [1, 2, 3]\norientation = { axis = [1, 1, 0], angle = 0.7 }\nvelocity "
                            "= [0, 1, 0]\nomega = [0.5, 0, "
                            "1]\n[parameters]\na = 0.6\n";

/// x = P + R p and v = V + W x (R p) + R v', frame after frame.
TEST(ReadFrames, BodiesAreCarriedAlongByTheFrameTheyAreToldIn) {
  const Quaterniond r_base(AngleAxisd(0.7, Vector3d(1, 1, 0).normalized()));
  const Vector3d w_base(0.5, 0, 1), base(1, 2, 3), v_base(0, 1, 0);
  const Quaterniond r_arm = r_base * Quaterniond(about('z', 0.4));
  const Vector3d arm = base + r_base * Vector3d(1, 0, 0), v_arm = v_base + w_base.cross(arm - base),
                 w_arm = w_base + r_arm * Vector3d(0, 0, 2);
  for (const double a : {0.6, -1.3}) {
    const System system = system_of(carried, {{"a", std::to_string(a)}});
    const Pose found_arm(system.start(), 1), found(system.start(), 0);
    EXPECT_LE((found_arm.position - arm).norm(), 1e-15 * 8);
    EXPECT_LE((found_arm.velocity - v_arm).norm(), 1e-14);
    const Quaterniond r_hand = r_arm * Quaterniond(about('y', a));
    const Vector3d hand = arm + r_arm * Vector3d(0.5, 0, 0.1);
    EXPECT_LE((found.position - hand).norm(), 1e-14);
    EXPECT_LE((found.turn.toRotationMatrix() - r_hand.toRotationMatrix()).norm(), 1e-14);
    EXPECT_LE((found.velocity - (v_arm + w_arm.cross(hand - arm) + r_arm * Vector3d(0.2, 0, 0))).norm(),
              1e-14);
    EXPECT_LE((r_hand * found.omega_body - (w_arm + r_arm * Vector3d(0, 0.3, 0))).norm(), 1e-14);
  }
}

/// The parameter lives: a system that was compiled once follows it.
TEST(ReadFrames, FramesFollowLivingParameters) {
  const ModelFile file = *read_model(carried, "m.toml").file;
  const System living(file.model, file.model.parameter_names()), other = system_of(carried, {{"a", "-1.3"}});
  Parameters changed = living.parameters();
  changed["a"] = -1.3;
  const System with = living.with(changed);
  for (std::size_t i = 0; i < with.start().q.size(); ++i)
    EXPECT_NEAR(with.start().q[i], other.start().q[i], 1e-15) << i;
}

/// One hinge, told in the world and in the frames of either part.
TEST(ReadFrames, AJointIsWhereEitherPartHasIt) {
  const std::string parts =
      "gravity = [0, 0, -9.81]\n[bodies.a]\n" + solid +
      "position = [1, 0, 0]\norientation = { axis = [0, 0, 1], angle = 'pi/2' }\n[bodies.b]\n" + solid +
      "position = [1, 2, 0]\norientation = { axis = [1, 0, 0], angle = 'pi/2' }\n[forces]\nb = [3, 1, 0]\n";
  const std::string joint = "[joints.j]\ntype = 'revolute'\nbetween = ['a', 'b']\n";
  std::vector<std::vector<double>> found;
  for (const std::string place :
       {"point = [1, 1, 0.5]\naxis = [0, 1, 0]\n", "frame = 'a'\npoint = [1, 0, 0.5]\naxis = [1, 0, 0]\n",
        "frame = 'b'\npoint = [0, 0.5, 1]\naxis = [0, 0, -1]\n",
        "frame = 'a'\npoint = [1, 0, 0.5]\naxis = [1, 0, 0]\nframe2 = 'b'\npoint2 = [0, 0.5, 1]\naxis2 = [0, "
        "0, -1]\n"}) {
    const System system = system_of(parts + joint + place);
    Workspace work(system);
    Solution solution;
    solve(system, system.start(), work, solution);
    ASSERT_EQ(solution.status, Status::solved) << place;
    found.push_back(solution.acceleration);
    for (std::size_t i = 0; i < found[0].size(); ++i)
      EXPECT_NEAR(found.back()[i], found[0][i], 1e-13) << place;
  }
}

/// Frames of parts are those of the part's own bodies, those of a chain the body before.
TEST(ReadFrames, FramesOfPartsAndChainsAreTheirOwn) {
  const System part = system_of("[components.pair.bodies.a]\n" + solid +
                                "position = [1, 0, 0]\n[components.pair.bodies.b]\n" + solid +
                                "frame = 'a'\nposition = [0, 2, 0]\n[parts.one]\nuse = 'pair'\n");
  EXPECT_EQ(Pose(part.start(), 1).position, Vector3d(1, 2, 0));
  const System chain =
      system_of("[bodies.link1]\n" + solid + "position = [1, 0, 0]\n[bodies.link]\n" + solid +
                "for = 'i = 2..4'\nframe = 'link[i-1]'\nposition = [1, 0, 0]\n"
                "orientation = { rpy = [0, 0, 'pi/2'] }\n");
  EXPECT_LE((Pose(chain.start(), 3).position - Vector3d(1, 1, 0)).norm(), 1e-15);
}

TEST(ReadFrames, TheRowOfARotorHasAName) {
  const ReadResult read =
      read_model("[bodies.b]\n" + solid +
                     "[joints.j]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\naxis = "
                     "[0, 0, 1]\narmature = "
                     "3\n[forces]\nb.torque = [0, 0, 11]\n[outputs]\npush = 'multiplier(j.rotor)'\n",
                 "m.toml");
  for (const Fault& fault : read.faults) ADD_FAILURE() << fault.text;
  const System system(read.file->model);
  Workspace work(system);
  Solution solution;
  solve(system, system.start(), work, solution);
  std::vector<double> values(1);
  observe(system, system.start(), {}, solution, work, values);
  EXPECT_NEAR(values[0], 3 * 11 / (2.5 + 3), 1e-14);  // what speeds the rotor up
}

TEST(ReadFrames, VakonomicMotionKnowsNoRotors) {
  expect_faults(
      "mechanics = 'vakonomic'\n[bodies.b]\n" + solid +
          "[joints.j]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\naxis = [0, 0, "
          "1]\n@armature = 3\n",
      {"constraint 'j.rotor' contains 'j.rotor', and the equations of vakonomic motion ask for coordinates "
       "whose rates are the velocities"});
}

TEST(ReadFrames, FaultsStandAtTheirPlaces) {
  const std::string body = "[bodies.b]\n" + solid;
  expect_faults(body + "frame = '@arm'\n", {"'frame' of body 'b' is 'arm', which is no body"});
  expect_faults(body + "frame = @3\n", {"'frame' of body 'b' is a number; the name of a body is asked for"});
  expect_faults(body + "frame = '@c'\n[bodies.c]\n" + solid + "frame = 'b'\n",
                {"body 'b' is told in the frame of 'c', and that, in the end, in its own: a circle"});
  expect_faults(
      body + "[joints.j]\ntype = 'spherical'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\nframe = '@c'\n",
      {"'frame' of joint 'j' is 'c', which is no body"});
  expect_faults(
      body + "orientation = @{ axis = [0, 0, 1] }\n",
      {"the orientation of body 'b' is told in one way: { axis = [x, y, z], angle = .. }, { rpy = [..] }, { "
       "euler = \"zxz\", angles = [..] } or { matrix = [..] }"});
  expect_faults(body + "orientation = { euler = '@zzx', angles = [0, 0, 0] }\n",
                {"Euler's angles of the orientation of body 'b' are about 'zzx'; three axes are asked for, "
                 "as in \"zxz\" "
                 "or \"xyz\", no two neighbours the same"});
  expect_faults(
      body + "orientation = { matrix = @[[1, 0, 0], [0, 1, 0], [0, 0, -1]] }\n",
      {"the matrix of the orientation of body 'b' is no rotation: its rows are unit vectors at right angles, "
       "right-handed"});
}

TEST(ReadFrames, KeysOfJointsAreAskedForWithinTheirBounds) {
  const std::string hinge =
      "[bodies.b]\n" + solid +
      "[joints.j]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  expect_faults(hinge + "armature = @-1\n", {"the armature of joint 'j' is -1; it must be 0 or more"});
  expect_faults(hinge + "friction = @-2\n", {"the friction of joint 'j' is -2; it must be 0 or more"});
  expect_faults(hinge + "limits = @[1]\n", {"'limits' of joint 'j' are two numbers, the lower one first"});
  const std::string early =
      "[bodies.b]\n" + solid +
      "[joints.@j]\ntype = 'revolute'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  expect_faults(early + "limits = [1, -1]\n",
                {"the limits of joint 'j' are 1 to -1; the lower one stands first"});
  expect_faults(early + "limits = [0.5, 1]\n", {"joint 'j' starts at 0, beyond its limits 0.5 to 1"});
  const std::string weld =
      "[bodies.b]\n" + solid + "[joints.j]\ntype = 'weld'\nbetween = ['ground', 'b']\npoint = [0, 0, 0]\n";
  expect_faults(weld + "@stiffness = 1\n",
                {"'stiffness' has no meaning in joint 'j', which is of type weld"});
}

}  // namespace
}  // namespace vinculum
