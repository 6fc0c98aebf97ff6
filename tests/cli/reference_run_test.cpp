// Motions of the reference data, computed without any code of this project, through the program: models of
// tests/data/models, whose outputs have the names the reference lists.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/program.hpp"
#include "support/data.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  const char* reference;
  const char* model;
  std::string settings{};  ///< for what the reference states as a formula of time
  /// Quantities that are no outputs: where in the JSON object they stand.
  std::map<std::string, std::string> places{};
  double near = 2e-11;  ///< relative to 1 + |value|: what a tolerance of 1e-13 leaves over these times
  double until = 100;   ///< later rows are left to tests/motion
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.reference; }

const Case cases[] = {
    {"a01-simple-pendulum", "pendulum"},
    {"b02-car-axis", "car_axis"},
    {"b02b-car-axis-variant", "car_axis"},
    {"b03-fekete", "fekete"},
    {"b04-slider-crank", "slider_crank"},
    {"b05-pendulum-index3", "pendulum"},
    {"c01-chaplygin-sleigh", "chaplygin_sleigh"},
    {"c01b-chaplygin-sleigh", "chaplygin_sleigh"},
    {"c02-vertical-disk", "vertical_disk"},
    {"c03-rolling-coin", "rolling_coin"},
    {"c04-knife-edge-incline", "knife_edge"},
    {"c04b-knife-edge-incline", "knife_edge"},
    {"c05-seed-example3", "affine"},
    {"c07-ball-turntable", "turntable"},
    {"c08-snakeboard", "snakeboard", "--set W=2 --set s_psi=0.12 --set c_phi=0.02"},
    {"c08b-snakeboard", "snakeboard", "--set W=3 --set c_psi=-0.08 --set s_phi=0.03"},
    {"c09-appell-hamel", "appell_hamel"},
    {"c10-benenti-parallel", "parallel"},
    {"c11-constant-speed", "constant_speed"},
    {"d01-block-coulomb",
     "block",
     "",
     {{"FLx", "/constraint_force/0"},
      {"FLy", "/constraint_force/1"},
      {"FCx", "/nonideal_force/0"},
      {"FCy", "/nonideal_force/1"}}},
    {"d01-block-coulomb",
     "block_short",
     "",
     {{"FLx", "/constraint_force/0"},
      {"FLy", "/constraint_force/1"},
      {"FCx", "/nonideal_force/0"},
      {"FCy", "/nonideal_force/1"}}},
    {"d02-bead-vertical-ring-coulomb", "bead_on_ring"},
    {"d02-bead-vertical-ring-coulomb", "bead_on_ring_short"},
    {"d03-pendulum-quadratic-drag", "drag_pendulum"},
    {"d04-bead-helix-coulomb", "bead_on_helix"},
    {"d04-bead-helix-coulomb", "bead_on_helix_short"},
    {"e01-kapitza-pendulum", "kapitza"},
    {"e02-bead-rotating-hoop", "rotating_hoop"},
    {"e03-bead-rotating-rod", "rotating_rod"},
    {"e04-variable-length-pendulum", "changing_pendulum", "--set a=0.2 --set W=3"},
    {"e04b-lengthening-pendulum", "changing_pendulum", "--set L0=0.5 --set rate=0.3"},
    {"f06-seed1-spherical-pendulum-duplicated", "spherical_pendulum"},
    {"f06-seed1-spherical-pendulum-duplicated", "spherical_pendulum_thrice"},
    {"j01-kepler-both-constraints", "kepler"},
    {"j02-ellipse-only", "ellipse"},
    {"j03-areal-law-only", "areas"},
};

/// The number a text begins with: "-0.8 (speed along the heading)".
double number(const Json& text) { return std::stod(text.get<std::string>()); }

std::string text_of(const std::string& path) {
  std::ifstream in(test_data() + "/" + path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

class ReferenceRun : public testing::TestWithParam<Case> {
 protected:
  ReferenceRun() {
    data_ = Json::parse(text_of("reference/" + std::string(GetParam().reference) + ".json"));
    model_ = text_of("models/" + std::string(GetParam().model) + ".toml");
    vinculum_.write("m.toml", model_);
  }

  /// The data of the case for every parameter the model has; those named start_x are initial values.
  std::string settings() const {
    const std::string from = model_.substr(model_.find("[parameters]"));
    const std::string parameters = from.substr(0, from.find("\n["));
    std::string out = " " + GetParam().settings;
    for (const auto& [part, prefix] : {std::pair{"parameters", ""}, {"initial", "start_"}})
      for (const auto& [name, value] : data_[part].items())
        if (parameters.find("\n" + (prefix + name) + " = ") != std::string::npos) {
          const std::string text = value.get<std::string>();
          out += " --set '" + (prefix + name) + "=" + text.substr(0, text.find(' ')) + "'";
        }
    return out;
  }

  Json result(const std::string& command, const std::string& tolerance = "1e-13") const {
    const Outcome outcome = vinculum_(command + " --json --tolerance " + tolerance + settings());
    EXPECT_EQ(outcome.status, 0) << command << settings() << "\n" << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json{};
  }

  const std::vector<Json> rows() const {
    std::vector<Json> out;
    for (const Json& row : data_["reference"])
      if (number(row["t"]) <= GetParam().until) out.push_back(row);
    return out;
  }

 private:
  Folder vinculum_;
  Json data_;
  std::string model_;
};

void expect_row(const Case& c, const Json& row, const Json& run) {
  const double near =
      row.contains("digits") ? std::max(c.near, std::pow(10.0, -number(row["digits"]))) : c.near;
  for (const auto& [name, expected_text] : row.items()) {
    if (name == "t" || name == "digits") continue;
    const auto place = c.places.find(name);
    const Json::json_pointer where(place == c.places.end() ? "/outputs/" + name : place->second);
    ASSERT_TRUE(run.contains(where)) << "the model does not say what '" << name << "' is";
    const double expected = number(expected_text), found = run[where];
    EXPECT_NEAR(found, expected, near * (1 + std::fabs(expected))) << name << " at t = " << row["t"];
  }
}

TEST_P(ReferenceRun, ReachesEveryRowOnItsConstraintsWithItsEnergyAccountedFor) {
  ASSERT_FALSE(rows().empty());
  for (const Json& row : rows()) {
    const Json run = result("run m.toml --until " + row["t"].get<std::string>());
    ASSERT_EQ(run["status"], "done");
    expect_row(GetParam(), row, run);
    // Projection ends at the rounding of terms of the order of 1 to 100.
    EXPECT_LT(run["residual"]["position"], 1e-12);
    EXPECT_LT(run["residual"]["velocity"], 1e-12);
    const double start = run["energy"]["start"], end = run["energy"]["end"], work = run["energy"]["work"];
    EXPECT_NEAR(run["energy"]["drift"].get<double>(), 0,
                GetParam().near * (1 + std::fabs(start) + std::fabs(end) + std::fabs(work)));
  }
}

TEST_P(ReferenceRun, SeriesReachEveryRow) {
  for (const Json& row : rows()) {
    const Json run = result("run m.toml --integrator taylor --until " + row["t"].get<std::string>());
    ASSERT_EQ(run["status"], "done");
    expect_row(GetParam(), row, run);
  }
}

TEST_P(ReferenceRun, IsExplainedAtItsLastRowAsItWasReached) {
  const std::string t = rows().back()["t"];
  const Json run = result("run m.toml --until " + t), page = result("explain m.toml --time " + t);
  ASSERT_TRUE(run.contains("q") && page.contains("q"));
  // The page solves the instant anew, by the road that says most: equal but for the loss of solving, which in
  // these cases is below a thousand roundings.
  for (const char* part : {"q", "v", "acceleration", "constraint_force", "nonideal_force"}) {
    ASSERT_EQ(run[part].size(), page[part].size()) << part;
    for (std::size_t i = 0; i < run[part].size(); ++i) {
      const double a = run[part][i], b = page[part][i];
      EXPECT_NEAR(a, b, 1e-12 * (1 + std::fabs(a))) << part << " " << i;
    }
  }
  for (const auto& [row, value] : page["multipliers"]["values"].items()) {
    const double a = run["multipliers"][row], b = value;
    EXPECT_NEAR(a, b, 1e-12 * (1 + std::fabs(a))) << row;
  }
  for (const auto& [name, value] : page["certificate"].items())
    EXPECT_LT(std::fabs(value.get<double>()), 1e-13) << name;
}

/// A row tells the coordinate by its name, or as an output that is nothing else.
TEST_P(ReferenceRun, HasAtLeastTheDigitsThatItsVerificationClaims) {
  const Json row = rows().back();
  const double known = row.contains("digits") ? std::pow(10.0, -number(row["digits"])) : 1e-14;
  for (const char* tolerance : {"1e-6", "1e-9"}) {
    const Json run = result("run m.toml --verify --until " + row["t"].get<std::string>(), tolerance);
    ASSERT_TRUE(run["verification"].is_object()) << run["unverified"];
    for (std::size_t i = 0; i < run["coordinates"].size(); ++i) {
      const std::string name = run["coordinates"][i];
      if (!row.contains(name) || run["outputs"].value(name, run["q"][i].get<double>()) != run["q"][i])
        continue;
      const double expected = number(row[name]), found = run["q"][i];
      const int digits = run["verification"]["digits"][name];
      EXPECT_LE(std::fabs(found - expected), std::pow(10.0, -digits) * (1 + std::fabs(expected)) + 10 * known)
          << name << ": " << digits << " digits at " << tolerance;
      EXPECT_GE(digits, tolerance == std::string("1e-6") ? 2 : 5)
          << name << ": " << run["verification"]["text"];
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const std::string reference = info.param.reference;
  return reference.substr(0, reference.find('-')) + "_" + info.param.model;
}
INSTANTIATE_TEST_SUITE_P(Cases, ReferenceRun, testing::ValuesIn(cases), name_of);

}  // namespace
}  // namespace vinculum::cli_test
