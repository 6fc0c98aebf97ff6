// Robots from their files: the model that is written, what is said of the rest, and what cannot be read.
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "io/marked.hpp"
#include "vinculum/io/import_robot.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

const std::string inertial =
    "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
const std::string base = "<link name=\"base\"/>\n";
const std::string arm = "<link name=\"arm\">" + inertial + "</link>\n";
const std::string hinge =
    "<joint name=\"hinge\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/></joint>\n";

std::string urdf(const std::string& inside) { return "<robot name=\"r\">\n" + inside + "</robot>\n"; }
std::string mjcf(const std::string& inside) { return "<mujoco>\n" + inside + "</mujoco>\n"; }

/// The model and what was said of it, a line for each remark.
struct Made {
  std::string toml, said;
};
Made import_text(const std::string& text, const ImportOptions& options = {},
                 const std::string& path = "r.xml") {
  const ImportResult result = import_robot(text, path, options);
  for (const Fault& fault : result.faults) ADD_FAILURE() << Error(fault.text, fault.place).what();
  Made made;
  if (!result.robot) return made;
  made.toml = result.robot->toml;
  for (const Remark& r : result.robot->remarks)
    made.said += std::to_string(r.place.line) + ": " + r.text + "\n";
  const ReadResult read = read_model(made.toml, "m.toml");
  for (const Fault& fault : read.faults)
    ADD_FAILURE() << Error(fault.text, fault.place).what() << "\n" << made.toml;
  return made;
}

std::string faults_of(const std::string& text, const std::string& path = "r.xml") {
  const ImportResult result = import_robot(text, path);
  EXPECT_FALSE(result.robot);
  std::string all;
  for (const Fault& fault : result.faults) all += std::string(Error(fault.text, fault.place).what()) + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(Import, APendulumIsAModelThatAPersonCanRead) {
  const Made made = import_text(
      urdf(base +
           "<link name=\"arm\">\n<inertial><origin xyz=\"0 0 -0.5\"/><mass value=\"2\"/><inertia ixx=\"1\" "
           "iyy=\"1\" izz=\"0.5\"/></inertial>\n</link>\n"
           "<joint name=\"hinge\" type=\"revolute\">\n<parent link=\"base\"/><child link=\"arm\"/>\n"
           "<origin xyz=\"0 0 2\" rpy=\"0 0 1.5707963267948966\"/>\n<axis xyz=\"2 0 0\"/>\n"
           "<limit lower=\"-1\" upper=\"1\"/>\n<dynamics damping=\"0.1\" friction=\"0.2\"/>\n</joint>\n"));
  EXPECT_EQ(made.toml, R"(# Made by 'vinculum import' from the URDF file 'r.xml'.
# Part of the ground: base.
# What is not carried over, or otherwise than there:
#   r.xml:10: the limits of joint 'hinge' are a comment
title = "r"
gravity = [0, 0, -9.81]

[bodies.arm]
mass = 2
inertia = [1, 1, 0.5]
shape = { box = [1.22, 1.22, 2.12] }
position = [0, 0, 1.5]
orientation = { axis = [0, 0, 1], angle = "pi/2" }

[joints.hinge]
type = "revolute"
between = ["ground", "arm"]
point = [0, 0, 2]
axis = [0, 1, 0]
damping = 0.1
friction = 0.2
# limits = [-1, 1]  # as a key it ends the run there

[simulate]
until = 1
)");
}

TEST(Import, NamesAreMadeThoseOfModelsAndThatIsSaid) {
  const Made made = import_text(urdf(
      "<link name=\"world\"/>\n<link name=\"sin\">" + inertial + "</link>\n<link name=\"left-arm\">" +
      inertial + "</link>\n<link name=\"left arm\">" + inertial + "</link>\n<link name=\"2nd\">" + inertial +
      "</link>\n"
      "<joint name=\"a/b\" type=\"continuous\"><parent link=\"world\"/><child link=\"sin\"/></joint>\n"
      "<joint name=\"c\" type=\"continuous\"><parent link=\"sin\"/><child link=\"left-arm\"/></joint>\n"
      "<joint name=\"d\" type=\"continuous\"><parent link=\"sin\"/><child link=\"left arm\"/></joint>\n"
      "<joint name=\"e\" type=\"continuous\"><parent link=\"sin\"/><child link=\"2nd\"/></joint>\n"));
  EXPECT_EQ(
      made.said,
      "3: body 'sin' is called 'sin_' in the model\n4: body 'left-arm' is called 'left_arm' in the model\n"
      "5: body 'left arm' is called 'left_arm_2' in the model\n6: body '2nd' is called '_2nd' in the model\n"
      "7: joint 'a/b' is called 'a_b' in the model\n");
}

TEST(Import, WhatIsNotCarriedOverIsToldByLineAndTheSameOnce) {
  const std::string collision = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>\n";
  const Made made =
      import_text(urdf(base + "<link name=\"arm\">\n" + inertial + "\n" + collision + collision +
                       "</link>\n" + hinge + "<gazebo/>\n<transmission name=\"drive\"/>\n"));
  EXPECT_EQ(
      made.said,
      "5: contacts: a collision shape is not carried over (also in line 6)\n9: <gazebo> is not carried over\n"
      "10: <transmission> 'drive' is not carried over\n");
}

TEST(Import, ARootOfUrdfIsHeldUnlessItIsToFloat) {
  const std::string robot = urdf("<link name=\"base\">" + inertial + "</link>\n" + arm + hinge);
  const Made held = import_text(robot), floats = import_text(robot, {.floating = true});
  EXPECT_EQ(held.said,
            "2: the root link 'base' is held to the ground; 'vinculum import --floating' lets it move\n");
  EXPECT_TRUE(has(held.toml, "between = [\"ground\", \"arm\"]"));
  EXPECT_EQ(floats.said, "");
  EXPECT_TRUE(has(floats.toml, "between = [\"base\", \"arm\"]"));
}

TEST(Import, AMimicJointStartsWhereItsEquationHolds) {
  const std::string sliding = "type=\"prismatic\"><parent link=\"base\"/><child link=\"";
  const Made made =
      import_text(urdf(base + arm + "<link name=\"b\">" + inertial + "</link>\n<joint name=\"p\" " + sliding +
                       "arm\"/></joint>\n<joint name=\"q\" " + sliding +
                       "b\"/><mimic joint=\"p\" multiplier=\"-2\" offset=\"0.25\"/></joint>\n"));
  EXPECT_TRUE(has(made.toml,
                  "[bodies.b]\nmass = 2\ninertia = [1, 1, 1]\nshape = { box = [1.73, 1.73, 1.73] }\n"
                  "position = [0.25, 0, 0]\n"))
      << made.toml;
  EXPECT_TRUE(has(made.toml, "q_mimic = \"(q.distance + 0.25) = 0.25 - 2*p.distance\"")) << made.toml;
}

TEST(Import, AnOpenLoopIsWrittenWithBothOfItsEnds) {
  const Made made =
      import_text(urdf(base + arm + hinge +
                       "<joint name=\"again\" type=\"fixed\"><parent link=\"base\"/><child link=\"arm\"/>"
                       "<origin xyz=\"0 0 0.5\"/></joint>\n"));
  EXPECT_EQ(made.said, "5: the loop of joint 'again' is open at the start: --assemble closes it\n");
  EXPECT_TRUE(has(
      made.toml, "type = \"weld\"\nbetween = [\"ground\", \"arm\"]\npoint = [0, 0, 0.5]\npoint2 = [0, 0, 0]"))
      << made.toml;
}

TEST(Import, FaultsHaveTheirPlaceInTheRobotsFile) {
  EXPECT_EQ(
      faults_of(urdf(base + arm + "  <joint name=\"j\" type=\"bend\"><parent link=\"bass\"/></joint>\n")),
      "r.xml:4:3: joint 'j' is of type 'bend'; types are revolute, continuous, prismatic, fixed, floating, "
      "planar "
      "and spherical\n"
      "r.xml:4:31: there is no link 'bass' (did you mean 'base'?)\n"
      "r.xml:4:3: joint 'j' has no <child>\n");
  EXPECT_EQ(faults_of(urdf("<link name=\"a\"><inertial><mass value=\"heavy\"/></inertial></link>\n")),
            "r.xml:2:26: 'value' of <mass> is 'heavy'; a number is asked for\n");
  EXPECT_EQ(faults_of(urdf(base + arm)),
            "r.xml:3:1: link 'arm' hangs on no joint, and link 'base' is the root\n");
  EXPECT_EQ(faults_of(urdf(base)),
            "r.xml:1:1: nothing of this robot can move: every link is part of the ground\n");
  EXPECT_EQ(faults_of(urdf("<xacro:macro name=\"leg\"/>\n" + base)),
            "r.xml:2:1: <xacro:macro> is xacro: expand the file first ('xacro FILE > robot.urdf')\n");
  EXPECT_EQ(faults_of("<html/>\n"),
            "r.xml:1:1: <html> is no robot; URDF begins with <robot>, MJCF with <mujoco>, SDF with <sdf>\n");
  EXPECT_EQ(faults_of("<robot>\n<link>\n</robot>\n"),
            "r.xml:2:1: <link> is not closed: </robot> comes first\n");
  EXPECT_EQ(faults_of(""), "r.xml:1:1: there is no element in this file\n");
  EXPECT_EQ(faults_of("<robot name=\"\xff\"/>"), "r.xml:1:14: a byte that is no UTF-8\n");
}

TEST(Import, ElementsAreBounded) {
  std::string deep, wide = "<robot>";
  for (int k = 0; k < 300; ++k) deep += "<a>";
  EXPECT_TRUE(has(faults_of(deep), "more than 100 deep, the limit")) << faults_of(deep);
  for (int k = 0; k < 200'001; ++k) wide += "<a/>";
  EXPECT_TRUE(has(faults_of(wide + "</robot>"), "more than 200000 elements, the limit"));
}

TEST(Import, AFaultThatTheModelTellsOfIsAboutTheRobotsFile) {
  std::vector<Remark> remarks;
  const std::string thin =
      "<link name=\"arm\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" "
      "izz=\"9\"/></inertial></link>\n";
  const ReadResult read = read_robot(urdf(base + thin + hinge), "r.urdf", {}, OpenNames::refused, remarks);
  ASSERT_EQ(read.faults.size(), 1u);
  const std::string said = Error(read.faults[0].text, read.faults[0].place).what();
  EXPECT_TRUE(said.starts_with("r.urdf:3:1: ")) << said;
  EXPECT_TRUE(has(said, "body 'arm'")) << said;
}

TEST(Import, BodiesOfMjcfWeighWhatTheirGeomsDo) {
  const Made made = import_text(
      mjcf("<worldbody><body name=\"b\"><freejoint/><geom type=\"box\" size=\"0.5 1 1.5\" density=\"10\"/>"
           "</body></worldbody>\n"));
  EXPECT_TRUE(has(made.toml, "mass = 60\ninertia = [65, 50, 25]\nshape = { box = [1, 2, 3] }\n"))
      << made.toml;
  EXPECT_EQ(
      faults_of(mjcf("<worldbody><body><freejoint/>\n<geom type=\"mesh\" mesh=\"m\"/></body></worldbody>\n")),
      "r.xml:3:1: the inertia of this body follows from a mesh, and meshes are not read: give the body an "
      "<inertial>\n");
}

TEST(Import, TwoHingesAtRightAnglesAreOneUniversalJointOthersHaveABodyBetween) {
  const std::string weight = "<geom size=\"0.1\" pos=\"0 0 1\" contype=\"0\" conaffinity=\"0\"/>";
  const Made one = import_text(mjcf(
      "<worldbody><body name=\"b\"><joint name=\"h\" axis=\"1 0 0\"/><joint name=\"k\" axis=\"0 1 0\"/>" +
      weight + "</body></worldbody>\n"));
  EXPECT_EQ(one.said, "2: joints 'h' and 'k' are one universal joint 'h_k'\n");
  const Made two = import_text(mjcf(
      "<worldbody><body name=\"b\"><joint name=\"h\" axis=\"1 0 0\"/><joint name=\"k\" axis=\"1 1 0\"/>" +
      weight + "</body></worldbody>\n"));
  EXPECT_EQ(two.said, "2: body 'b' has 2 joints: between them stand bodies without mass\n");
  EXPECT_TRUE(has(two.toml, "[bodies.b_1]\nmass = 0\ninertia = [0, 0, 0]\n")) << two.toml;
}

TEST(Import, SectionsOfMjcfWithoutMechanicsOfOursAreListed) {
  const Made made = import_text(
      mjcf("<worldbody><body name=\"b\"><joint name=\"h\" range=\"-1 1\"/><geom size=\"1\" contype=\"0\" "
           "conaffinity=\"0\"/></body></worldbody>\n"
           "<actuator>\n<motor name=\"m\" joint=\"h\"/>\n</actuator>\n<sensor>\n<jointpos "
           "joint=\"h\"/>\n</sensor>\n"
           "<tendon>\n<fixed name=\"t\"/>\n</tendon>\n<keyframe>\n<key name=\"home\"/>\n</keyframe>\n"));
  EXPECT_EQ(made.said,
            "2: the limits of joint 'h' are a comment\n4: <motor> 'm' of <actuator> is not carried over\n"
            "7: <jointpos> of <sensor> is not carried over\n10: <fixed> 't' of <tendon> is not carried over\n"
            "13: <key> 'home' of <keyframe> is not carried over\n");
}

/// A folder of its own, gone with the test.
class IncludeFolder : public testing::Test {
 protected:
  IncludeFolder()
      : path_(std::filesystem::temp_directory_path() / ("vinculum_include_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_ / "robot" / "parts");
  }
  ~IncludeFolder() override { std::filesystem::remove_all(path_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  std::string robot() const { return (path_ / "robot" / "main.xml").string(); }
  static std::string including(const std::string& file) { return mjcf("<include file=\"" + file + "\"/>\n"); }
  std::filesystem::path path_;
};
const std::string part =
    "<mujocoinclude><worldbody><body name=\"b\"><freejoint/><geom "
    "size=\"1\"/></body></worldbody></mujocoinclude>\n";

TEST_F(IncludeFolder, OnlyFilesOfTheModelsFolderAreIncluded) {
  write("robot/parts/body.xml", part);
  write("outside.xml", part);
  std::filesystem::create_symlink(path_ / "outside.xml", path_ / "robot" / "link.xml");
  EXPECT_TRUE(has(import_text(including("parts/body.xml"), {}, robot()).toml, "[bodies.b]"));
  const std::string only = "only files in the folder of the model can\n";
  EXPECT_TRUE(has(faults_of(including("../outside.xml"), robot()), only));
  EXPECT_TRUE(has(faults_of(including("parts/../../outside.xml"), robot()), only));
  EXPECT_TRUE(has(faults_of(including((path_ / "robot/parts/body.xml").string()), robot()), only));
  EXPECT_TRUE(has(faults_of(including("link.xml"), robot()), "it leads out of the folder of the model\n"));
  EXPECT_TRUE(has(faults_of(including("none.xml"), robot()), "'none.xml' cannot be included: No such file"));
  EXPECT_TRUE(has(faults_of(including("parts"), robot()), "'parts' cannot be included: it is no file"));
}

TEST_F(IncludeFolder, FilesThatIncludeEachOtherEnd) {
  write("robot/round.xml", "<mujocoinclude><include file=\"round.xml\"/></mujocoinclude>\n");
  EXPECT_TRUE(has(faults_of(including("round.xml"), robot()), "more than 8 deep, the limit\n"));
}

TEST(Import, FramesOfSdfThatLeadBackAreRefused) {
  EXPECT_EQ(
      faults_of("<sdf version=\"1.7\"><model name=\"m\">\n<link name=\"a\"><pose relative_to=\"f\"/></link>\n"
                "<frame name=\"f\"><pose relative_to=\"a\"/></frame>\n</model></sdf>\n"),
      "r.xml:2:1: the pose of 'm::a' is told in frames that lead back to it\n");
}

TEST(Import, TheFormatIsToldByTheEndOfTheName) {
  for (const char* name : {"a.urdf", "b/a.SDF", "a.xml", "a.mjcf"}) EXPECT_TRUE(is_robot_file(name)) << name;
  for (const char* name : {"a.toml", "urdf", "a.xml.toml"}) EXPECT_FALSE(is_robot_file(name)) << name;
}

TEST(Import, AFixedJointHasNoUseForItsAxis) {
  const std::string hand = "<link name=\"hand\">" + inertial + "</link>\n";
  const Made made =
      import_text(urdf(base + arm + hand + hinge +
                       "<joint name=\"f\" type=\"fixed\"><parent link=\"arm\"/><child link=\"hand\"/><axis "
                       "xyz=\"0 0 0\"/></joint>\n"));
  EXPECT_NE(made.toml.find("mass = 4\n"), std::string::npos) << made.toml;
}

/// The frames of a fixed loop say how its links are turned: by 0.7 about z.
TEST(Import, AFixedLoopHoldsTheTurnOfItsFrames) {
  const Made made = import_text(
      urdf(base + arm +
           "<joint name=\"ball\" type=\"spherical\"><parent link=\"base\"/><child link=\"arm\"/></joint>\n"
           "<loop_joint name=\"loop\" type=\"fixed\"><link1 link=\"base\" rpy=\"0 0 0.7\"/><link2 "
           "link=\"arm\"/></loop_joint>\n"));
  EXPECT_NE(made.said.find("'loop' holds a pose that is not the one of the start"), std::string::npos)
      << made.said;
  const ReadResult read = read_model(made.toml, "m.toml");
  ASSERT_TRUE(read.file);
  const System system(read.file->model);
  const Assembly closed = assemble(system, system.start());
  ASSERT_TRUE(closed.repaired) << closed.text;
  EXPECT_NEAR(std::fabs(closed.state.q[3]), std::cos(0.35), 1e-12);
  EXPECT_NEAR(std::fabs(closed.state.q[6]), std::sin(0.35), 1e-12);
  EXPECT_GT(closed.state.q[3] * closed.state.q[6], 0);
}

TEST(Import, AttributesThatAreNotKnownAreTold) {
  const Made made =
      import_text(mjcf("<worldbody><body name=\"b\">\n<joint stifness=\"3\" springdamper=\"1 1\" "
                       "group=\"2\"/>\n<geom size=\"1\" "
                       "contype=\"0\" conaffinity=\"0\" rgba=\"1 0 0 1\"/></body></worldbody>\n"));
  EXPECT_EQ(made.said,
            "3: 'stifness' of <joint> is not carried over (did you mean 'stiffness'?)\n"
            "3: 'springdamper' of <joint> is not carried over\n");
}

TEST(Import, SlipsInUrdfAreToldByLineWithTheNearestName) {
  const Made made = import_text(urdf(
      base +
      "<link name=\"arm\">\n<inertial foo=\"3\"><mas value=\"2\"/><mass value=\"2\"/>\n<inertia ixx=\"1\" "
      "iyy=\"1\" izz=\"1\"/>\n<origin xzy=\"0 0 1\"/></inertial></link>\n"
      "<joint name=\"hinge\" type=\"continuous\" speed=\"2\"><parent link=\"base\"/><child link=\"arm\"/>\n"
      "<dynamics dampin=\"3\" frction=\"1\"/>\n<axs xyz=\"0 0 1\"/></joint>\n<jont name=\"k\"/>\n"));
  EXPECT_EQ(made.said,
            "4: 'foo' of <inertial> is not carried over\n"
            "4: <mas> of <inertial> is not carried over (did you mean <mass>?)\n"
            "6: 'xzy' of <origin> is not carried over (did you mean 'xyz'?)\n"
            "7: 'speed' of <joint> is not carried over\n"
            "8: 'dampin' of <dynamics> is not carried over (did you mean 'damping'?)\n"
            "8: 'frction' of <dynamics> is not carried over (did you mean 'friction'?)\n"
            "9: <axs> of joint 'hinge' is not carried over (did you mean <axis>?)\n"
            "10: <jont> 'k' is not carried over (did you mean <joint>?)\n");
}

TEST(Import, WhatOtherToolsPutIntoUrdfIsNotSearchedForSlips) {
  const Made made = import_text(
      "<robot name=\"r\" version=\"1.0\" xmlns:xacro=\"http://ros.org/xacro\">\n" + base +
      "<link name=\"arm\">" + inertial +
      "<visual name=\"v\"><origin foo=\"1\"/><geometry><sphere radius=\"1\" more=\"2\"/></geometry><material "
      "name=\"blue\"/></visual></link>\n<joint name=\"hinge\" type=\"continuous\"><parent "
      "link=\"base\"/><child "
      "link=\"arm\"/><limit effort=\"1\" velocity=\"2\"/></joint>\n"
      "<gazebo reference=\"arm\"><mu1>0.2</mu1><plugin file=\"f\"/></gazebo>\n<material name=\"blue\"><color "
      "rgba=\"0 0 1 1\"/></material>\n</robot>\n");
  EXPECT_EQ(made.said, "5: <gazebo> is not carried over\n");
}

TEST(Import, SlipsInSdfAreToldByLineWithTheNearestName) {
  const Made made = import_text(
      "<sdf version=\"1.7\"><model name=\"m\">\n<link name=\"a\"><inertial><mas>2</mas>\n"
      "<density>3</density></inertial>\n<sensr name=\"s\"/></link>\n"
      "<joint name=\"j\" type=\"revolute\"><parent>world</parent><child>a</child>\n"
      "<axis><dynamics><dampng>1</dampng></dynamics></axis></joint>\n</model></sdf>\n");
  EXPECT_EQ(made.said,
            "2: <mas> of <inertial> is not carried over (did you mean <mass>?)\n"
            "3: <density> of <inertial> is not carried over\n"
            "4: <sensr> of link 'a' is not carried over (did you mean <sensor>?)\n"
            "6: <dampng> of <dynamics> is not carried over (did you mean <damping>?)\n");
}

TEST(Import, SlipsInElementsOfMjcfAreToldToo) {
  const Made made =
      import_text(mjcf("<default><goem mass=\"1\"/></default>\n<worldbody><body name=\"b\"><freejoint/>"
                       "<geom size=\"1\" contype=\"0\" conaffinity=\"0\"/>\n<jont/></body></worldbody>\n"
                       "<equalty/>\n"));
  EXPECT_EQ(made.said,
            "2: <goem> of <default> is not carried over (did you mean <geom>?)\n"
            "4: <jont> is not carried over (did you mean <joint>?)\n"
            "5: <equalty> is not carried over (did you mean <equality>?)\n");
}

/// An angle that is taken as degrees for a slip is 57 times wrong.
TEST(Import, AWordThatIsNoneIsAFault) {
  EXPECT_EQ(faults_of(mjcf("<compiler angle=\"radia\" autolimits=\"tru\" inertiafromgeom=\"Auto\" "
                           "coordinate=\"globl\" balanceinertia=\"1\"/>\n")),
            "r.xml:2:1: 'angle' of <compiler> is 'radia'; degree or radian is asked for (did you mean "
            "'radian'?)\n"
            "r.xml:2:1: 'coordinate' of <compiler> is 'globl'; local or global is asked for (did you mean "
            "'global'?)\n"
            "r.xml:2:1: 'inertiafromgeom' of <compiler> is 'Auto'; true, false or auto is asked for (did you "
            "mean 'auto'?)\n"
            "r.xml:2:1: 'autolimits' of <compiler> is 'tru'; true or false is asked for (did you mean "
            "'true'?)\n"
            "r.xml:2:1: 'balanceinertia' of <compiler> is '1'; true or false is asked for\n");
  EXPECT_EQ(
      faults_of(mjcf("<option density=\"a\"><flag gravity=\"disabl\"/></option>\n<worldbody><body "
                     "mocap=\"no\">\n<joint type=\"hing\" limited=\"maybe\"/>\n<geom type=\"bx\"/>"
                     "</body></worldbody>\n<equality><connect body1=\"world\" active=\"no\"/></equality>\n")),
      "r.xml:2:21: 'gravity' of <flag> is 'disabl'; enable or disable is asked for (did you mean "
      "'disable'?)\n"
      "r.xml:3:12: 'mocap' of <body> is 'no'; true or false is asked for\n"
      "r.xml:4:1: 'limited' of <joint> is 'maybe'; true, false or auto is asked for\n"
      "r.xml:6:11: 'active' of <connect> is 'no'; true or false is asked for\n"
      "r.xml:2:1: 'density' of <option> is 'a'; a number is asked for\n"
      "r.xml:4:1: 'hing' is no type of <joint>; types are hinge, slide, ball and free (did you mean "
      "'hinge'?)\n"
      "r.xml:5:1: 'bx' is no type of <geom> that is known here (did you mean 'box'?)\n"
      "r.xml:6:11: both of its bodies are the same\n");
  EXPECT_EQ(faults_of("<sdf version=\"1,7\"><model name=\"m\"><static>no</static>\n<link name=\"a\"><pose "
                      "degrees=\"yes\" rotation_format=\"quat\">0 0 1 0 0 0</pose></link></model></sdf>\n"),
            "r.xml:1:36: <static> is 'no'; true, false, 1 or 0 is asked for\n"
            "r.xml:2:16: 'degrees' of <pose> is 'yes'; true, false, 1 or 0 is asked for\n"
            "r.xml:2:16: 'rotation_format' of <pose> is 'quat'; euler_rpy or quat_xyzw is asked for\n"
            "r.xml:1:1: 'version' of <sdf> is '1,7'; a version as 1.7 is asked for\n");
}

/// Before 1.5 axes are told in the frame of the model; 1.10 is five versions later.
TEST(Import, TheTenthVersionOfSdfComesAfterTheFifth) {
  const auto axis_of = [](const std::string& version) {
    const std::string toml =
        import_text(
            "<sdf version=\"" + version +
            "\"><model name=\"m\"><link name=\"a\"/><joint name=\"j\" "
            "type=\"revolute\"><parent>world</parent><child>a</child><pose>0 0 0 1.5707963267948966 0 "
            "0</pose><axis><xyz>0 0 1</xyz><limit><lower>-inf</lower><upper>inf</upper></limit></axis>"
            "</joint></model></sdf>\n")
            .toml;
    return toml.substr(toml.find("axis = "), 17);
  };
  EXPECT_EQ(axis_of("1.4"), "axis = [0, 0, 1]\n");
  EXPECT_EQ(axis_of("1.7"), "axis = [0, -1, 0]");
  EXPECT_EQ(axis_of("1.10"), "axis = [0, -1, 0]");
}

TEST(Import, AnElementThatIsLeftOpenIsToldWhereItBegins) {
  EXPECT_EQ(faults_of("<robot name=\"x\">\n  <link name=\"a\">"),
            "r.xml:2:3: <link> is not closed: the file ends before </link>\n");
  EXPECT_EQ(faults_of("<robot name=\"x\">\n  <link name=\"a>b\"/>\n"),
            "r.xml:1:1: <robot> is not closed: the file ends before </robot>\n");
  EXPECT_EQ(faults_of("<robot>\n<!-- <link>\n</robot>\n"),
            "r.xml:2:1: the file ends before '-->', which closes what begins here\n");
  EXPECT_EQ(faults_of("<robot>\n<link name=\"a\""),
            "r.xml:2:1: the file ends before '>', which closes what begins here\n");
}

/// What 'run' says of it, and no model that cannot be read.
TEST(Import, ARobotThatNoModelCanHaveIsRefusedAtItsLine) {
  EXPECT_EQ(faults_of(urdf(base +
                           "<link name=\"arm\"><inertial><mass value=\"-1\"/><inertia ixx=\"1\" iyy=\"1\" "
                           "izz=\"1\"/></inertial></link>\n" +
                           hinge)),
            "r.xml:3:1: the mass of body 'arm' is -1; it must not be negative\n");
  EXPECT_EQ(faults_of(urdf(base +
                           "<link name=\"arm\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
                           "izz=\"5\"/></inertial></link>\n" +
                           hinge)),
            "r.xml:3:1: the principal moments of inertia of body 'arm' are 1, 1, 5: the largest is more than "
            "the two others together, which no body can have\n");
}

TEST(Import, ABodyOfMjcfThatMovesWithoutMassIsTold) {
  const Made made = import_text(
      mjcf("<worldbody>\n<body name=\"a\"><joint name=\"j\"/>\n<body name=\"b\"><joint name=\"k\"/><geom "
           "size=\"1\" contype=\"0\" conaffinity=\"0\"/></body></body>\n"
           "<body name=\"c\"><joint name=\"l\"/><body><geom size=\"1\" contype=\"0\" "
           "conaffinity=\"0\"/></body></body>\n"
           "<body name=\"d\"><joint name=\"m\"/><inertial mass=\"1\" pos=\"1 0 0\"/></body></worldbody>\n"));
  EXPECT_EQ(made.said,
            "3: body 'a' moves and has no mass: neither <inertial> nor geom gives it any, and MuJoCo refuses "
            "such a body\n"
            "6: body 'd' moves and has no moments of inertia: its <inertial> gives none, and MuJoCo refuses "
            "such a body\n");
}

TEST(Import, ASecondElementBesideTheRobotIsAFault) {
  const ImportResult result =
      import_robot("<robot name=\"r\"><link name=\"a\"/></robot>\n<robot/>\n", "r.urdf");
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].text, "<robot> is a second element beside <robot>; a robot is one");
  EXPECT_EQ(result.faults[0].place.line, 2);
}

/// Between joints of one body stand links without mass, which nothing but the joints holds against turning.
TEST(Import, ABodyOfSeveralSlidesFallsFreelyAlongThem) {
  for (const int slides : {2, 3})
    for (const char* turn : {"0 0 0", "0 0 30", "20 45 90"}) {
      SCOPED_TRACE(std::to_string(slides) + ", " + turn);
      const Made made = import_text(mjcf(
          "<option gravity=\"1 2 -9.81\"/><worldbody><body name=\"b\" euler=\"" + std::string(turn) +
          "\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"y\" type=\"slide\" axis=\"0 1 "
          "0\"/>" +
          (slides == 3 ? "<joint name=\"z\" type=\"slide\" axis=\"1 1 1\"/>" : "") +
          "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/></body></worldbody>"));
      ReadResult read = read_model(made.toml, "m.toml");
      ASSERT_TRUE(read.file);
      const System system(read.file->model);
      MotionOptions options;
      options.until = 0.5;
      const Trajectory motion = simulate(system, options);
      ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
      double square = 0;
      for (int k = 0; k < 3; ++k) square += std::pow(motion.last.q[k], 2);
      if (slides == 3) {  // as if nothing held it
        EXPECT_NEAR(std::sqrt(square), 0.125 * std::hypot(1, 2, 9.81), 1e-7);
      }
    }
}

}  // namespace
}  // namespace vinculum
