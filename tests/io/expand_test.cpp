// Parts, repetition and files: what is written out is the model one would have written by hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "io/marked.hpp"
#include "support/allocations.hpp"
#include "support/growth.hpp"
#include "support/message.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

ModelFile read(const std::string& text, const Overrides& overrides = {}) {
  ReadResult result = read_model(text, "m.toml", overrides);
  for (const Fault& fault : result.faults) ADD_FAILURE() << Error(fault.text, fault.place).what();
  if (!result.file) throw std::runtime_error("a model that cannot be read");
  return std::move(*result.file);
}

std::string in_full(const std::string& text, const Overrides& overrides = {}) {
  const ExpandResult result = expand_model(text, "m.toml", overrides);
  for (const Fault& fault : result.faults) ADD_FAILURE() << Error(fault.text, fault.place).what();
  return result.text.value_or("");
}

/// The names of everything and a motion, to the bit.
struct Motion {
  std::vector<std::string> coordinates, rows, outputs;
  std::vector<double> q, v;
  bool operator==(const Motion&) const = default;
};

Motion motion_of(const ModelFile& file, double until = 0.2) {
  const System system(file.model);
  MotionOptions options = motion_options(file.simulate);
  options.until = until;
  const Trajectory motion = simulate(system, system.start(), options);
  Motion result{system.coordinate_names(), system.row_names(), {}, motion.last.q, motion.last.v};
  for (const auto& output : file.model.outputs()) result.outputs.push_back(output.name);
  return result;
}

/// Read as it is, read in full, and as written by hand: one model. The full text is its own.
void expect_same(const std::string& text, const std::string& by_hand, const Overrides& overrides = {}) {
  const std::string full = in_full(text, overrides);
  const Motion expected = motion_of(read(by_hand));
  EXPECT_EQ(motion_of(read(text, overrides)), expected) << full;
  EXPECT_EQ(motion_of(read(full)), expected) << full;
  EXPECT_EQ(in_full(full), full);
}

const std::string chain = R"toml(gravity = [0, 0, -9.81]
[parameters]
n = 3
a = 0.5
[particles.p]
for = "i = 1..n"
mass = "0.1*i"
position = ["i*a", 0, 0]
[constraints]
nail = "dot(p[1], p1) = a^2"
link = { for = "i = 2..n", equation = "dot(p[i] - p[i-1], p[i] - p[i - 1]) = a^2" }
[outputs]
pull = { for = "i = 2..n", value = "norm(force(link[i], p[i]))" }
)toml";

const std::string chain_by_hand = R"toml(gravity = [0, 0, -9.81]
[particles]
p1 = { mass = 0.1, position = [0.5, 0, 0] }
p2 = { mass = 0.2, position = [1, 0, 0] }
p3 = { mass = "0.1*3", position = [1.5, 0, 0] }
[constraints]
nail = "dot(p1, p1) = 0.5^2"
link2 = "dot(p2 - p1, p2 - p1) = 0.5^2"
link3 = "dot(p3 - p2, p3 - p2) = 0.5^2"
[outputs]
pull2 = "norm(force(link2, p2))"
pull3 = "norm(force(link3, p3))"
)toml";

TEST(Expand, AChainIsItsLinks) {
  // A parameter is a symbol where a number stands by hand: the same values, summed in the same order.
  const std::string symbols = [] {
    std::string text = chain_by_hand;
    for (std::size_t at; (at = text.find("= 0.5^2")) != text.npos;) text.replace(at, 7, "= a^2");
    return "parameters = { n = 3, a = 0.5 }\n" + text;
  }();
  expect_same(chain, symbols);
}

TEST(Expand, TheNumberOfLinksIsAParameter) {
  EXPECT_EQ(read(chain, {{"n", "5"}}).model.coordinates().size(), 15u);
  EXPECT_EQ(read(chain, {{"n", "1"}}).model.constraints().size(), 1u);
  EXPECT_EQ(in_full(chain, {{"n", "2"}}), R"toml(gravity = [0, 0, -9.81]

[parameters]
n = "2"
a = 0.5

[particles.p1]
mass = "0.1*1"
position = ["1*a", 0, 0]

[particles.p2]
mass = "0.1*2"
position = ["2*a", 0, 0]

[constraints]
nail = "dot(p1, p1) = a^2"
link2 = { equation = "dot(p2 - p1, p2 - p1) = a^2" }

[outputs]
pull2 = "norm(force(link2, p2))"
)toml");
}

TEST(Expand, AParameterThatCountsIsFixed) {
  const ModelFile file = read(chain);
  const System system(file.model, file.model.parameter_names());
  Parameters p = system.parameters();
  p["n"] = 4;
  EXPECT_EQ(
      test::message([&] { (void)system.with(p); }),
      "parameter 'n' stands in the range of 'i', which is a number: it was compiled as 3, and another value "
      "asks for another system");
}

const std::string legs = R"toml(gravity = [0, 0, -9.81]
[components.leg]
parameters = { at = [0, 0, 0], length = 0.4, mass = "length*2" }
names = { to = "ground" }
[components.leg.bodies.shank]
shape = { box = [0.05, 0.05, "length"] }
mass = "mass"
position = "at - [0, 0, length/2]"
[components.leg.joints]
hip = { type = "revolute", between = ["to", "shank"], point = "at", axis = [0, 1, 0] }
[components.leg.springs]
tendon = { joint = "hip", stiffness = 2 }
[components.leg.forces]
hip.angle = "0.1*sin(t)"
to = "[0, 0, 0.01]*t"
[components.leg.definitions]
foot = "shank.point(0, 0, -length/2)"
[components.leg.outputs]
push = "force(hip, shank).x + force(hip).shank.y"
height = "foot.z"
[components.leg.view]
points = { toe = "foot" }
links = { sole = ["toe", "shank"] }
[bodies.trunk]
mass = 5
inertia = [1, 1, 1]
[parts.left]
use = "leg"
to = "trunk"
at = [0, 0.1, 0]
[bodies.head]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 1]
[parts.right]
use = "leg"
to = "trunk"
at = [0, "-side", 0]
length = "2*side"
[parameters]
side = 0.1
[joints]
neck = { type = "weld", between = ["trunk", "head"], point = [0, 0, 0.9] }
[outputs]
stride = "left.foot.x - right.foot.x + left.hip.angle"
)toml";

const std::string legs_by_hand = R"toml(gravity = [0, 0, -9.81]
[parts]
left = {}
right = {}
[parameters]
"left.at.x" = 0
"left.at.y" = 0.1
"left.at.z" = 0
"left.length" = 0.4
"left.mass" = "left.length*2"
"right.at.x" = 0
"right.at.y" = "-side"
"right.at.z" = 0
"right.length" = "2*side"
"right.mass" = "right.length*2"
side = 0.1
[bodies.trunk]
mass = 5
inertia = [1, 1, 1]
[bodies."left.shank"]
shape = { box = [0.05, 0.05, "left.length"] }
mass = "left.mass"
position = "[left.at.x, left.at.y, left.at.z] - [0, 0, left.length/2]"
[bodies.head]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 1]
[bodies."right.shank"]
shape = { box = [0.05, 0.05, "right.length"] }
mass = "right.mass"
position = "[right.at.x, right.at.y, right.at.z] - [0, 0, right.length/2]"
[joints]
"left.hip" = { type = "revolute", between = ["trunk", "left.shank"], point = "[left.at.x, left.at.y, left.at.z]", axis = [0, 1, 0] }
"right.hip" = { type = "revolute", between = ["trunk", "right.shank"], point = "[right.at.x, right.at.y, right.at.z]", axis = [0, 1, 0] }
neck = { type = "weld", between = ["trunk", "head"], point = [0, 0, 0.9] }
[springs]
"left.tendon" = { joint = "left.hip", stiffness = 2 }
"right.tendon" = { joint = "right.hip", stiffness = 2 }
[forces]
"left.hip.angle" = "0.1*sin(t)"
trunk = "([0, 0, 0.01]*t) + ([0, 0, 0.01]*t)"
"right.hip.angle" = "0.1*sin(t)"
[definitions]
"left.foot" = "left.shank.point(0, 0, -left.length/2)"
"right.foot" = "right.shank.point(0, 0, -right.length/2)"
[outputs]
"left.push" = "force(left.hip, left.shank).x + force(left.hip).left.shank.y"
"left.height" = "left.foot.z"
"right.push" = "force(right.hip, right.shank).x + force(right.hip).right.shank.y"
"right.height" = "right.foot.z"
stride = "left.foot.x - right.foot.x + left.hip.angle"
[view.points]
"left.toe" = "left.foot"
"right.toe" = "right.foot"
[view.links]
"left.sole" = ["left.toe", "left.shank"]
"right.sole" = ["right.toe", "right.shank"]
)toml";

TEST(Expand, ALegUsedTwiceIsTwoLegs) {
  expect_same(legs, legs_by_hand);
  const Motion all = motion_of(read(legs));
  EXPECT_EQ(all.coordinates[7], "left.shank.x");  // where the part stands: between trunk and head
  EXPECT_EQ(all.coordinates[14], "head.x");
  EXPECT_EQ(all.outputs, (Texts{"left.push", "left.height", "right.push", "right.height", "stride"}));
}

TEST(Expand, WhatAPartWasGivenIsAParameterOfTheModel) {
  EXPECT_EQ(read(legs, {{"left.length", "0.6"}}).model.coordinates()[9].start, -0.3);
  EXPECT_EQ(read(legs, {{"left.at.z", "1"}}).model.coordinates()[9].start, 1 - 0.2);
  EXPECT_EQ(read(legs, {{"side", "0.3"}}).model.coordinates()[22].start, -0.3);
}

TEST(Expand, PartsOfPartsAndPartsThatAreRepeated) {
  const std::string text = R"toml(
[components.bead.parameters]
k = 1
[components.bead.coordinates]
x = "k"
[components.bead.mass]
x = "k"
[components.pair]
parameters = { first = 1, count = 2 }
potential = "bead1.x^2"
[components.pair.parts.bead]
use = "bead"
for = "i = 1..count"
k = "first + i"
[components.pair.constraints]
hold = { for = "i = 2..count", equation = "bead[i].x - bead[i-1].x = bead[i].k - bead[i-1].k" }
[parts.row]
use = "pair"
for = "j = 1..2"
first = "10*j"
count = "j + 1"
[outputs]
far = "row[2].bead[3].x + multiplier(row[2].hold[3])"
)toml";
  const std::string by_hand = R"toml(
potential = "(row1.bead1.x^2) + (row2.bead1.x^2)"
[parts]
row1 = {}
row2 = {}
[parameters]
"row1.bead1.k" = "10*1 + 1"
"row1.bead2.k" = "10*1 + 2"
"row2.bead1.k" = "10*2 + 1"
"row2.bead2.k" = "10*2 + 2"
"row2.bead3.k" = "10*2 + 3"
[coordinates]
"row1.bead1.x" = "row1.bead1.k"
"row1.bead2.x" = "row1.bead2.k"
"row2.bead1.x" = "row2.bead1.k"
"row2.bead2.x" = "row2.bead2.k"
"row2.bead3.x" = "row2.bead3.k"
[mass]
"row1.bead1.x" = "row1.bead1.k"
"row1.bead2.x" = "row1.bead2.k"
"row2.bead1.x" = "row2.bead1.k"
"row2.bead2.x" = "row2.bead2.k"
"row2.bead3.x" = "row2.bead3.k"
[constraints]
"row1.hold2" = "row1.bead2.x - row1.bead1.x = row1.bead2.k - row1.bead1.k"
"row2.hold2" = "row2.bead2.x - row2.bead1.x = row2.bead2.k - row2.bead1.k"
"row2.hold3" = "row2.bead3.x - row2.bead2.x = row2.bead3.k - row2.bead2.k"
[outputs]
far = "row2.bead3.x + multiplier(row2.hold3)"
)toml";
  expect_same(text, by_hand);
}

TEST(Expand, TwoIndicesAndKeysThatSayTheirNumbers) {
  const std::string text = R"toml(
[coordinates]
x = { for = "i = 0..2, j = 1..i", start = "i + j/10" }
[mass]
x = { for = "i = 0..2, j = 1..i", value = "i" }
"x[i,1],x[i+1,1]" = { for = "i = 1..1", value = 0.1 }
[forces]
"x[2,j]" = { for = "j = 1..2", value = "-x[2,j]' - x[1,1]" }
)toml";
  expect_same(text, R"toml(
[coordinates]
x1_1 = "1 + 1/10"
x2_1 = "2 + 1/10"
x2_2 = "2 + 2/10"
[mass]
x1_1 = 1
x2_1 = 2
x2_2 = 2
"x1_1,x2_1" = 0.1
[forces]
x2_1 = "-x2_1' - x1_1"
x2_2 = "-x2_2' - x1_1"
)toml");
}

TEST(Expand, RowsAndElementsAreToldApart) {
  const std::string text = R"toml(
[particles.p]
for = "i = 1..2"
mass = 1
[constraints]
pin = { for = "i = 1..2", equation = "p[i] = [0, 0, 0]" }
plain = "p1 - p2 = [0, 0, 0]"
[outputs]
a = "multiplier(pin[2][1]) + multiplier(plain[0])"
b = { for = "k = 0..2", value = "multiplier(plain[k])" }
)toml";
  expect_same(text, R"toml(
[particles]
p1.mass = 1
p2.mass = 1
[constraints]
pin1 = "p1 = [0, 0, 0]"
pin2 = "p2 = [0, 0, 0]"
plain = "p1 - p2 = [0, 0, 0]"
[outputs]
a = "multiplier(pin2[1]) + multiplier(plain[0])"
b0 = "multiplier(plain[0])"
b1 = "multiplier(plain[1])"
b2 = "multiplier(plain[2])"
)toml");
}

TEST(Expand, ResultsOfSeveralFilesHoldTheModelInFull) {
  const auto files = [](const std::string&) { return IncludedText{"[parameters]\nm = 1\n", ""}; };
  const std::string text = "include = ['a.toml']\n[coordinates]\nx = 0\n[mass]\nx = 'm'\n";
  const ReadResult result = read_model(text, "m.toml", {}, OpenNames::refused, files);
  ASSERT_TRUE(result.file);
  EXPECT_EQ(result.file->text, "\n[parameters]\nm = 1\n\n[coordinates]\nx = 0\n\n[mass]\nx = \"m\"\n");
  EXPECT_EQ(read(result.file->text).model.coordinates().size(), 1u);
}

/// Links that are parts, each with parameters of its own and a joint to the one before.
const std::string arm = R"toml(
[components.link]
parameters = { at = [0, 0, 0], l = 0.1 }
names = { to = "ground" }
[components.link.bodies.b]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = "at + [l/2, 0, 0]"
[components.link.joints]
pin = { type = "spherical", between = ["to", "b"], point = "at" }
[parameters]
n = 2
[parts.link1]
use = "link"
[parts.link]
for = "i = 2..n"
use = "link"
to = "link[i-1].b"
at = ["0.1*(i - 1)", 0, 0]
)toml";

/// Sliders in a row, each with a damper and a spring that have a parameter for all of them.
const std::string sliders = R"toml(
[parameters]
n = 2
c = 0.1
[bodies]
b0 = { mass = 1, inertia = [1, 1, 1] }
[bodies.b]
for = "i = 1..n"
mass = 1
inertia = [1, 1, 1]
[joints.rail]
for = "i = 1..n"
type = "prismatic"
between = ["b[i-1]", "b[i]"]
axis = [1, 0, 0]
damping = "c"
stiffness = "2*c"
)toml";

TEST(Expand, ReadingGrowsAsTheNumberOfParts) {
  // Four times as many take no more than twice four times as long; the square would take sixteen times.
  for (const std::string& text : {chain, arm, sliders})
    test::expect_growth_below(8, [&](bool large) {
      return test::seconds_of(
          [&] { EXPECT_TRUE(read_model(text, "m", {{"n", large ? "2000" : "500"}}).file); });
    });
}

/// What one more part takes, however many there are already.
TEST(Expand, OneMorePartTakesAsFewAllocationsAndNodesAsAnother) {
  if (!allocations_are_counted()) GTEST_SKIP() << "this build brings memory of its own";
  struct Taken {
    double allocations, nodes;
  };
  const auto taken = [](int parts) {
    const long before = allocations();
    const ReadResult result = read_model(arm, "m", {{"n", std::to_string(parts)}});
    const long after = allocations();
    EXPECT_TRUE(result.file);
    return Taken{static_cast<double>(after - before),
                 static_cast<double>(result.file->model.stated().graph().size())};
  };
  const Taken few = taken(100), some = taken(400), many = taken(1600);
  const double allocations_first = (some.allocations - few.allocations) / 300,
               allocations_then = (many.allocations - some.allocations) / 1200;
  EXPECT_LT(allocations_first, 300);
  EXPECT_NEAR(allocations_then, allocations_first, 5);  // tables that double now and then
  EXPECT_LT((some.nodes - few.nodes) / 300, 160);
  EXPECT_EQ((many.nodes - some.nodes) / 1200, (some.nodes - few.nodes) / 300);
}

TEST(Expand, NamesWithDotsBelongToParts) {
  const std::string rule = ": a name is letters, digits and _, and does not start with a digit";
  expect_faults(two + "[definitions]\n@\"leg.knee\" = 1\n", {"'leg.knee' cannot name a definition" + rule});
  EXPECT_TRUE(read_model(two + "[definitions]\n\"leg.knee\" = 1\n[parts]\nleg = {}\n", "m").file);
  expect_faults(two + "[definitions]\n@\"x.knee\" = 1\n[parts]\nx = {}\n",
                {"'x.knee' cannot be a name beside 'x', which is that of a coordinate"});
}

}  // namespace
}  // namespace vinculum
