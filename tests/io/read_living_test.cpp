// Parameters of a model file that live: what follows them, and what does not and says so.
#include <gtest/gtest.h>

#include <cmath>

#include "support/message.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {
namespace {

constexpr const char* text = R"toml(
[parameters]
L = 2
a = 0.5
m = "3*L"
side = 0.25
n = 0

[coordinates]
x = { start = "L*sin(a)", rate = "m" }

[particles]
p = { mass = "m", position = ["L", 0, "side"] }

[bodies]
b = { mass = "m", inertia = [1, 1, 1], position = ["side", 0, 0] }

[mass]
x = "m"

[springs]
s = { between = ["p", "ground"], stiffness = "L", length = "n" }
)toml";

ModelFile file() {
  const ReadResult result = read_model(text, "living.toml");
  for (const Fault& f : result.faults) ADD_FAILURE() << f.text;
  return *result.file;
}

TEST(ReadLiving, StartsAndParametersMadeOfOthersFollow) {
  const ModelFile read = file();
  const std::vector<std::string> names = read.model.parameter_names();
  EXPECT_EQ(names, (std::vector<std::string>{"L", "a", "side", "n"}));
  const System one(read.model, names);
  Parameters p = one.parameters();
  p["L"] = 4;
  const System two = one.with(p);
  const ReadResult again = read_model(text, "living.toml", {{"L", "4"}});
  const System numbers(again.file->model);
  EXPECT_EQ(two.start().q, numbers.start().q);
  EXPECT_EQ(two.start().v, numbers.start().v);
  Workspace work(two), own(numbers);
  EXPECT_EQ(evaluate(two, two.start(), work).M.value, evaluate(numbers, numbers.start(), own).M.value);
  EXPECT_EQ(evaluate(two, two.start(), work).Q, evaluate(numbers, numbers.start(), own).Q);
}

TEST(ReadLiving, WhatBecameANumberSaysSo) {
  const ModelFile read = file();
  const System s(read.model, read.model.parameter_names());
  Parameters p = s.parameters();
  p["n"] = 1;
  EXPECT_EQ(test::message([&] { (void)s.with(p); }),
            "parameter 'n' stands in the length of spring 's', which is a number: it was compiled as 0, and "
            "another "
            "value asks for another system");
}

/// Bodies and joints with a parameter in every place that may have one.
constexpr const char* mechanism = R"toml(
[parameters]
m = 1
side = 0.5
xy = 0.1
yx = "xy + skew"
skew = 0
turn = 0.3
way = 1
q = 0.5
spin = 0.2
az = 1
lean = 0.4
tilt = 1
length = 2
radius = 0.3
pitch = 0.1
ratio = 2
pinion = 0.5
start = 0.25
time = 10
fine = 1e-6
count = 100

[bodies]
crank = { mass = "m", shape = { box = ["abs(side)", 1, 1] }, position = ["side", 0, 0], orientation = { axis = [0, 0, "way"], angle = "turn" }, omega = [0, "spin", "spin"] }
arm = { mass = "m", inertia = [[1, "xy", 0], ["yx", 1, 0], [0, 0, 1]], position = [3, "side", 0], orientation = ["q", 0, 0, 0.5], velocity = ["spin", 0, 0] }
slider = { mass = "m", inertia = [1, 1, 1], position = ["2*side", 5, 0] }
bob = { mass = 1, inertia = [1, 1, 1], position = [7, 0, "-length"] }
coin = { mass = 1, inertia = [1, 1, 1], position = [0, 9, "radius"] }
nut = { mass = 1, inertia = [1, 1, 1], position = [0, -9, "side"] }

[joints]
hinge = { type = "revolute", between = ["ground", "crank"], point = ["side/2", 0, 0], axis = [0, 0, "az"], angle = "start" }
second = { type = "revolute", between = ["ground", "arm"], point = [3, 0, "side"], axis = ["side", 0, 1] }
rail = { type = "prismatic", between = ["ground", "slider"], axis = ["side", 1, 0] }
cross = { type = "universal", between = ["crank", "nut"], point = [0, "side", 0], axis = [0, 0, 1], axis2 = ["lean", 0, 1] }
rod = { type = "distance", between = ["ground", "bob"], point = [7, 0, 0], length = "length" }
floor = { type = "rolling", between = ["ground", "coin"], radius = "radius", axis = ["tilt", 0, 1] }
thread = { type = "screw", between = ["ground", "nut"], point = [0, -9, 0], axis = [0, "side", 1], pitch = "pitch" }
wheels = { type = "gear", joints = ["hinge", "second"], ratio = "ratio" }
teeth = { type = "rack", joints = ["rail", "hinge"], radius = "pinion" }

[simulate]
until = "2*time"
tolerance = "fine"
samples = "count"
)toml";

ReadResult read_with(const std::string& name, double value) {
  return read_model(mechanism, "mechanism.toml", {{name, number_text(value)}});
}

class Mechanism : public testing::Test {
 protected:
  ModelFile read = *read_model(mechanism, "mechanism.toml").file;
  System system{read.model, read.model.parameter_names()};
  Parameters with(const std::string& name, double value) const {
    Parameters p = system.parameters();
    p[name] = value;
    return p;
  }
};

void expect_near(std::span<const double> a, std::span<const double> b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  // Lengths of 10 and less, a few operations each.
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 2e-14) << what << " " << k;
}

std::vector<double> dense(const SparseMatrix& m) {
  std::vector<double> all(static_cast<std::size_t>(m.rows) * m.columns, 0.0);
  for (int i = 0; i < m.rows; ++i)
    for (int k = m.start[i]; k < m.start[i + 1]; ++k) all[i * m.columns + m.column[k]] = m.value[k];
  return all;
}

TEST_F(Mechanism, FollowsEveryParameterOfItsGeometry) {
  const std::pair<const char*, double> changes[] = {
      {"m", 2.5},    {"side", 0.7},   {"side", -0.4},  {"xy", -0.2},   {"turn", 2.5},  {"way", -3},
      {"q", -0.7},   {"spin", 0.9},   {"az", 0.1},     {"az", -1},     {"lean", -2},   {"lean", 30},
      {"tilt", 0.1}, {"length", 1.5}, {"radius", 0.7}, {"pitch", 0.4}, {"ratio", -3},  {"pinion", 2},
      {"start", -1}, {"side", 40},    {"turn", 0},     {"tilt", -50},  {"start", 100},
  };
  Workspace work(system);
  for (const auto& [name, value] : changes) {
    SCOPED_TRACE(std::string(name) + " = " + std::to_string(value));
    const System living = system.with(with(name, value));
    const System numbers(read_with(name, value).file->model);
    expect_near(living.start().q, numbers.start().q, "q");
    expect_near(living.start().v, numbers.start().v, "v");
    Workspace own(numbers);
    const Equations &a = evaluate(living, living.start(), work), &b = evaluate(numbers, living.start(), own);
    const double size = std::max(1.0, std::fabs(value));
    EXPECT_EQ(a.A.rows, b.A.rows);
    const std::vector<double> one = dense(a.A), other = dense(b.A);
    for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(one[k], other[k], 1e-14 * size) << "A " << k;
    for (std::size_t k = 0; k < a.b.size(); ++k) EXPECT_NEAR(a.b[k], b.b[k], 1e-13 * size) << "b " << k;
    Residuals miss, other_miss;
    residuals(living, living.start(), work, miss);
    residuals(numbers, living.start(), own, other_miss);
    for (std::size_t k = 0; k < a.b.size(); ++k)
      EXPECT_NEAR(miss.position[k], other_miss.position[k], 1e-13 * size * size) << "phi " << k;
    State kept = living.start(), by_numbers = kept;
    renormalise(living, kept.q, work);
    renormalise(numbers, by_numbers.q, own);
    expect_near(kept.q, by_numbers.q, "angles");
  }
}

TEST_F(Mechanism, WhatItCannotHaveIsToldAsByTheReader) {
  const std::pair<const char*, double> refused[] = {
      {"m", -1},      {"side", 0},   {"skew", 0.5},  {"way", 0},   {"az", 0},     {"lean", 0}, {"tilt", 0},
      {"tilt", 1e-9}, {"length", 0}, {"radius", -1}, {"ratio", 0}, {"pinion", 0}, {"xy", 5},
  };
  for (const auto& [name, value] : refused) {
    SCOPED_TRACE(std::string(name) + " = " + std::to_string(value));
    const ReadResult again = read_model(mechanism, "mechanism.toml", {{name, number_text(value)}});
    ASSERT_FALSE(again.faults.empty());
    EXPECT_EQ(test::message([&] { (void)system.with(with(name, value)); }), again.faults.front().text);
  }
}

TEST_F(Mechanism, BackAndForthReturnsTheSameBits) {
  const System away = system.with(with("turn", 1.1)).with(with("side", 0.9));
  const System back = away.with(system.parameters());
  Workspace work(system);
  EXPECT_NE(away.start().q, system.start().q);
  EXPECT_EQ(back.start().q, system.start().q);
  const std::vector<double> before = evaluate(system, system.start(), work).A.value;
  EXPECT_EQ(evaluate(back, back.start(), work).A.value, before);
}

TEST_F(Mechanism, SettingsFollowToo) {
  EXPECT_EQ(settings_with(read, system.parameters()).until, 20.0);
  EXPECT_EQ(settings_with(read, with("time", 3)).until, 6.0);
  EXPECT_EQ(settings_with(read, with("fine", 1e-3)).tolerance, 1e-3);
  EXPECT_EQ(settings_with(read, with("count", 7)).samples, 7);
  const std::pair<const char*, double> refused[] = {{"fine", 0}, {"fine", 1}, {"count", 0}, {"count", 2.5}};
  for (const auto& [name, value] : refused)
    EXPECT_EQ(test::message([&] { (void)settings_with(read, with(name, value)); }),
              read_model(mechanism, "mechanism.toml", {{name, number_text(value)}}).faults.at(0).text);
}

TEST(ReadLiving, StartsOfMultipliersFollow) {
  constexpr const char* skate = R"toml(
mechanics = "vakonomic"
[parameters]
mu = 0.4
[coordinates]
x = { rate = 1 }
y = 0
a = 0
[mass]
x = 1
y = 1
a = 1
[constraints]
blade = "y'*cos(a) = x'*sin(a)"
[multipliers]
blade = "2*mu"
)toml";
  const ModelFile read = *read_model(skate, "skate.toml").file;
  const System system(read.model, read.model.parameter_names());
  EXPECT_EQ(system.start().q[3], 0.8);
  Parameters p = system.parameters();
  p["mu"] = -1;
  EXPECT_EQ(system.with(p).start().q[3], -2);
}

}  // namespace
}  // namespace vinculum
