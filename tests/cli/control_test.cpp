// Programmes through the program: what run, explain and check say of control forces.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "support/data.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

Json reference(const std::string& name) {
  std::ifstream in(test_data() + "/reference/" + name + ".json");
  return Json::parse(in);
}

std::string example(const std::string& name) {
  std::ifstream in(test_data() + "/../../examples/" + name + ".toml");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_control(const std::string& model, const std::string& data,
                    const std::vector<std::string>& names) {
  const Folder vinculum;
  vinculum.write("m.toml", example(model));
  for (const Json& row : reference(data)["reference"]) {
    const std::string t = row["t"].get<std::string>();
    const Outcome run = vinculum("run m.toml --json --tolerance 1e-13 --until " + t);
    const Outcome explain = vinculum("explain m.toml --json --tolerance 1e-13 --time " + t);
    ASSERT_EQ(run.status, 0) << run.err;
    ASSERT_EQ(explain.status, 0) << explain.err;
    for (const Json& json : {Json::parse(run.out), Json::parse(explain.out)}) {
      ASSERT_EQ(json["control_force"].size(), names.size());
      for (std::size_t k = 0; k < names.size(); ++k) {
        const double expected = std::stod(row[names[k]].get<std::string>());
        EXPECT_NEAR(json["control_force"][k].get<double>(), expected, 2e-11 * (1 + std::abs(expected)))
            << names[k] << " at t = " << t;
        EXPECT_NEAR(json["reaction_force"][k].get<double>(), 0, 1e-12);  // programmes are all there is
      }
    }
  }
}

TEST(ControlRun, ForcesAreThoseOfTheReference) {
  expect_control("servo_point_mass", "i01-servo-lissajous", {"Fx", "Fy", "Fz"});
  expect_control("servo_arm", "i02-servo-two-link-arm", {"tau1", "tau2"});
}

const std::string two_masses =
    "[coordinates]\nx = 0\ny = 0\n[mass]\nx = 1\ny = 1\n[simulate]\nuntil = 1\n[constraints]\n";

TEST(ControlRun, OnlyModelsWithProgrammesHaveTheirKeys) {
  const Folder vinculum;
  vinculum.write("plain.toml", two_masses + "lift = 'y = t^2/2'\n");
  vinculum.write("servo.toml", two_masses + "lift = { equation = 'y = t^2/2', servo = true }\n");
  for (const std::string& command : {std::string("run"), std::string("explain")}) {
    const Json plain = Json::parse(vinculum(command + " plain.toml --json").out),
               servo = Json::parse(vinculum(command + " servo.toml --json").out);
    for (const char* key : {"control_force", "reaction_force"}) {
      EXPECT_FALSE(plain.contains(key));
      EXPECT_TRUE(servo.contains(key));
    }
    EXPECT_EQ(plain["acceleration"], servo["acceleration"]);
    EXPECT_EQ(plain["constraint_force"], servo["constraint_force"]);
    std::vector<std::string> keys;
    for (const auto& [key, value] : servo.items()) keys.push_back(key);
    const auto at = std::find(keys.begin(), keys.end(), "constraint_force");
    EXPECT_EQ(at[1], "control_force");
    EXPECT_EQ(at[2], "reaction_force");
  }
  const Json run = Json::parse(vinculum("run servo.toml --json").out);
  // y = t^2/2: a force of 1 all along, its power t, its work 1/2.
  EXPECT_NEAR(run["control_work"].get<double>(), 0.5, 1e-10);
  EXPECT_NEAR(run["energy"]["work"].get<double>(), 0.5, 1e-10);
  EXPECT_NEAR(run["energy"]["drift"].get<double>(), 0, 1e-10);
  const Json& c = run["controls"][0];
  EXPECT_EQ(c["name"], "lift");
  EXPECT_NEAR(c["largest_force"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(c["largest_power"].get<double>(), 1, 1e-12);
  EXPECT_EQ(c["largest_power_time"], 1);
  EXPECT_EQ(c["miss_start"], 0);
}

TEST(ControlRun, AProgrammeThatCannotBeFollowedIsToldAlike) {
  const Folder vinculum;
  vinculum.write("m.toml",
                 two_masses + "lift = { equation = 'y = t^2/2', servo = true, actuators = ['x'] }\n");
  const std::string reason =
      "programme 'lift' cannot be followed with its actuator 'x': no force on what they drive keeps it, and "
      "it "
      "misses by 1";
  for (const std::string& command : {std::string("run"), std::string("explain"), std::string("check")}) {
    const Outcome outcome = vinculum(command + " m.toml --json");
    EXPECT_EQ(outcome.status, 1) << command;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["status"], "contradiction") << command;
    EXPECT_NE(json["reason"].get<std::string>().find(reason), std::string::npos) << json["reason"];
    EXPECT_EQ(json["names"], Json({"lift"})) << command;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
}

TEST(ControlRun, DrivenRowsHaveNoMultipliersAndTheirForceIsOnThePage) {
  const Folder vinculum;
  vinculum.write("m.toml", example("cart_pole"));
  const Json run = Json::parse(vinculum("run m.toml --json").out);
  EXPECT_TRUE(run["multipliers"]["nod"].is_null());
  EXPECT_EQ(run["control_force"][1], 0);
  EXPECT_NEAR(run["controls"][0]["miss_start"].get<double>(), 0.1, 1e-15);
  EXPECT_LT(run["controls"][0]["miss_end"].get<double>(), 1e-8);
  const Json explain = Json::parse(vinculum("explain m.toml --json").out);
  EXPECT_TRUE(explain["multipliers"]["values"]["nod"].is_null());
  EXPECT_EQ(explain["rank"], 1);
  EXPECT_LT(explain["certificate"]["constraint_residual"].get<double>(), 1e-14);
  EXPECT_LT(explain["certificate"]["kkt_residual"].get<double>(), 1e-14);
  EXPECT_EQ(explain["constraints"][0]["order"], 2);
  const std::string page = vinculum("explain m.toml").out;
  EXPECT_NE(page.find("control force of 'nod': "), std::string::npos) << page;
  EXPECT_NE(page.find("(by its actuator 'x')"), std::string::npos) << page;
  const std::string summary = vinculum("run m.toml").out;
  EXPECT_NE(summary.find("programme 'nod': missed by 0.1 at the start, "), std::string::npos) << summary;
  EXPECT_NE(summary.find("largest control force "), std::string::npos) << summary;
  for (const char* format : {"text", "latex", "c"}) {
    const Outcome derive = vinculum("derive m.toml --format " + std::string(format));
    EXPECT_EQ(derive.status, 2) << format;
    EXPECT_NE(derive.err.find("programme 'nod' acts by its actuators alone"), std::string::npos)
        << derive.err;
  }
}

TEST(ControlRun, FilesCarryTheControlForce) {
  const Folder vinculum;
  vinculum.write("m.toml", two_masses + "lift = { equation = 'y = t^2/2', servo = true }\nwall = 'x = 0'\n");
  ASSERT_EQ(vinculum("run m.toml --quiet --out m.csv").status, 0);
  const std::string csv = vinculum.read("m.csv");
  EXPECT_NE(csv.find(",force:x,force:y,control:x,control:y,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",work:explicit_time,work:control,"), std::string::npos) << csv;
  const Outcome derive = vinculum("derive m.toml");
  EXPECT_NE(derive.out.find("The force of the constraints (that of 'lift' is a control force)"),
            std::string::npos)
      << derive.out;
}

}  // namespace
}  // namespace vinculum::cli_test
