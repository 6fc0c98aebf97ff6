// The mechanisms of others: models after public libraries, with the numbers these publish. Where each number
// comes from stands beside it, in tests/data/mechanisms/*.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "support/data.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/motion/assemble.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path folder() { return fs::path(test_data()) / "mechanisms"; }

std::vector<std::string> named_with(const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

ModelFile mechanism(const std::string& name, const Overrides& changed = {}) {
  ReadResult read = read_model(text_of(folder() / (name + ".toml")), name + ".toml", changed);
  for (const Fault& fault : read.faults) ADD_FAILURE() << Error(fault.text, fault.place).what();
  if (!read.file) throw std::runtime_error(name + " cannot be read");
  return std::move(*read.file);
}

/// What an output is at an instant: one number, or the three of a vector.
std::vector<double> output_at(const System& system, const Sample& sample, const std::string& name) {
  std::vector<double> found;
  const std::vector<std::string>& names = system.output_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name || names[k] == name + ".x" || names[k] == name + ".y" || names[k] == name + ".z")
      found.push_back(sample.outputs[k]);
  EXPECT_FALSE(found.empty()) << "no output " << name;
  return found;
}

using nlohmann::json;

std::vector<double> numbers_of(const json& value) {
  return value.is_array() ? value.get<std::vector<double>>() : std::vector<double>{value.get<double>()};
}

/// The largest size that a quantity has along the source's motion: what its errors are judged by. A quantity
/// that stays small is judged as if it were 1, in the units of the model.
double size_of(const json& values) {
  double largest = 1;
  for (const json& value : values)
    for (const double x : numbers_of(value)) largest = std::max(largest, std::fabs(x));
  return largest;
}

/// One case of the source: other parameters, instants and what was seen there.
void expect_case(const std::string& name, const json& known, const json& one) {
  Overrides changed;
  if (one.contains("set"))
    for (const auto& [key, value] : one["set"].items()) changed.emplace_back(key, value.get<std::string>());
  const ModelFile file = mechanism(name, changed);
  const System system(file.model);
  MotionOptions options = motion_options(file.simulate);
  const auto times = one["times"].get<std::vector<double>>();
  for (const double t : times)
    if (t > file.simulate.from) options.instants.push_back(t);
  options.until = times.back();
  // Some sources give guesses of a start, and so does the drawing here.
  const bool drawn = one.value("assemble", false);
  const Assembly closed = assemble(system, system.start());
  ASSERT_TRUE(drawn ? closed.repaired : closed.consistent) << closed.text;
  const Trajectory motion = simulate(system, drawn ? closed.state : system.start(), options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const int before = motion.size() - static_cast<int>(times.size());  // the start is always recorded
  ASSERT_GE(before, 0);
  for (const auto& [quantity, values] : one["values"].items()) {
    const double own = known["tolerance"].is_object() ? known["tolerance"].value(quantity, 0.0)
                                                      : known["tolerance"].get<double>();
    ASSERT_GT(own, 0) << "no tolerance of " << quantity;
    const double allowed = own * size_of(values);
    double worst = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Sample sample = motion[before + static_cast<int>(k)];
      ASSERT_NEAR(sample.t, times[k], 1e-12);
      const std::vector<double> here = output_at(system, sample, quantity), there = numbers_of(values[k]);
      ASSERT_EQ(here.size(), there.size()) << quantity;
      for (std::size_t i = 0; i < here.size(); ++i) {
        EXPECT_NEAR(here[i], there[i], allowed) << quantity << " at " << times[k];
        worst = std::max(worst, std::fabs(here[i] - there[i]) / size_of(values));
      }
    }
    testing::Test::RecordProperty(quantity, std::to_string(worst));
  }
}

class Mechanisms : public testing::TestWithParam<std::string> {};

TEST_P(Mechanisms, MoveAsTheirSourcesSay) {
  const std::string name = GetParam();
  const json known = json::parse(text_of(folder() / (name + ".json")));
  for (const char* said : {"origin", "parameters", "made_by", "cause"})
    EXPECT_FALSE(known[said].get<std::string>().empty()) << said;
  for (const json& one : known["cases"]) {
    SCOPED_TRACE(one.value("name", ""));
    expect_case(name, known, one);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mechanisms, testing::ValuesIn(named_with(".json")),
                         [](const auto& tested) { return tested.param; });

// --- With forces that switch.

/// An engine whose gas pushes otherwise on the way in than on the way out: switches at every dead point, two
/// at a time where there are six cylinders. A crossing costs a handful of steps; what lies between is smooth.
/// The rates are those that a tolerance of 1e-12 gives, to as many digits as are told.
struct Engine {
  const char* name;
  const char* rate;
  double until, at_end, digits;
  long most;
};

TEST(MechanismsThatSwitch, CostAHandfulOfStepsForEachCrossing) {
  for (const Engine& engine : {Engine{"msl_engine_v6", "load_w", 1.01, 228.246233, 1e-6, 22'000},
                               Engine{"msl_engine_v6", "load_w", 0.1, 35.87540658, 1e-7, 700},
                               Engine{"msl_engine_gas", "inertia_w", 0.5, 137.0898969, 1e-6, 6000}}) {
    const ModelFile file = mechanism(engine.name);
    MotionOptions options = motion_options(file.simulate);
    options.until = engine.until;
    const System system(file.model);
    const Trajectory motion = simulate(system, options);
    ASSERT_EQ(motion.stop, Stop::end) << engine.name << ": " << motion.reason;
    EXPECT_NEAR(output_at(system, motion[motion.size() - 1], engine.rate).front(), engine.at_end,
                engine.digits)
        << engine.name;
    EXPECT_LT(motion.evaluations, engine.most) << engine.name;
  }
}

// --- Drawn roughly.

/// The size of a machine: from its middle to the farthest of its bodies and particles, or of the ends of its
/// joints.
double reach_of(const Model& model, const State& at) {
  std::vector<std::array<double, 3>> places;
  const auto add = [&](int first) { places.push_back({at.q[first], at.q[first + 1], at.q[first + 2]}); };
  for (const Model::BodyData& body : model.bodies()) add(body.first_coordinate);
  double reach = 0;
  for (const auto& a : places)
    for (const auto& b : places) reach = std::max(reach, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  return reach > 0 ? reach : 1;
}

/// Every body is drawn beside its place by a tenth of the machine, and turned by a tenth of a radian about
/// each axis.
State roughly(const Model& model, const State& drawn, std::mt19937& engine) {
  std::uniform_real_distribution<double> part(-0.1, 0.1);
  const double reach = reach_of(model, drawn);
  State rough = drawn;
  for (const Model::BodyData& body : model.bodies()) {
    double* const q = rough.q.data() + body.first_coordinate;
    for (int k = 0; k < 3; ++k) q[k] += reach * part(engine);
    for (int k = 3; k < 7; ++k) q[k] += part(engine) / 2;
    const double length = std::sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    for (int k = 3; k < 7; ++k) q[k] /= length;
  }
  return rough;
}

/// All rows but those that are passed over hold to rounding, those within what they may be open.
void expect_closed(const System& system, const Assembly& a, Workspace& work) {
  Residuals miss, size;
  residuals(system, a.state, work, miss);
  residual_sizes(system, a.state, work, size);
  std::vector<char> open(miss.position.size(), 0);
  for (const PassedOver& p : a.passed_over) {
    open[p.row] = 1;
    EXPECT_LE(p.gap, p.allowed) << p.name;
  }
  for (std::size_t k = 0; k < miss.position.size(); ++k) {
    if (open[k]) continue;
    EXPECT_LE(std::fabs(miss.position[k]), 1e-11 * (1 + size.position[k])) << system.row_names()[k];
  }
}

class RoughMechanisms : public testing::TestWithParam<std::string> {};

TEST_P(RoughMechanisms, CloseFromAHundredDrawings) {
  const ModelFile file = mechanism(GetParam());
  const System system(file.model);
  Workspace work(system);
  std::mt19937 engine(20);
  AssembleOptions how;
  how.closure = file.simulate.closure;
  // As drawn, which may be open; the others lie around what that closes to.
  const Assembly first = assemble(system, system.start(), how, work);
  ASSERT_TRUE(first.consistent || first.repaired) << first.text;
  expect_closed(system, first, work);
  int failed = 0;
  std::string example;
  for (int k = 0; k < 100; ++k) {
    const Assembly a = assemble(system, roughly(file.model, first.state, engine), how, work);
    if (a.repaired || a.consistent)
      expect_closed(system, a, work);
    else if (failed++ == 0)
      example = "drawing " + std::to_string(k) + ": " + a.text;
  }
  EXPECT_EQ(failed, 0) << example;
}

std::vector<std::string> with_joints() {
  std::vector<std::string> names = named_with(".toml");
  std::erase_if(names, [](const std::string& name) {
    return text_of(folder() / (name + ".toml")).find("[joints]") == std::string::npos;
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, RoughMechanisms, testing::ValuesIn(with_joints()),
                         [](const auto& tested) { return tested.param; });

/// Axes drawn against each other satisfy the rows of their joint; the way out is a half turn, which is not
/// found yet. Until it is, the start is refused, and the joints that stay open are named.
TEST(OpenMechanisms, ARodInTwoHalvesIsRefusedByTheNamesOfItsJoints) {
  const System system(mechanism("open/push_rod").model);
  const Assembly a = assemble(system, system.start());
  EXPECT_FALSE(a.repaired) << "it closes: the model belongs to those that do";
  EXPECT_NE(a.text.find("no consistent start was found nearby"), std::string::npos) << a.text;
  ASSERT_FALSE(a.open.empty());
  EXPECT_NE(a.text.find("'loop_y'"), std::string::npos) << a.text;
}

}  // namespace
}  // namespace vinculum
