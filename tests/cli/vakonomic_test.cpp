// Vakonomic motion through the program: references, the JSON of the contract, files, pages, equations.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& text) { return std::stod(text.get<std::string>()); }

const std::string skate = R"toml(
mechanics = "vakonomic"
lagrangian = "(x'^2 + y'^2 + phi'^2)/2 + x"
[parameters]
mu0 = 0
[coordinates]
x = 0
y = 0
phi = { rate = 1 }
[constraints]
blade = "x'*sin(phi) = y'*cos(phi)"
[multipliers]
blade = "mu0"
[outputs]
u = "x'*cos(phi) + y'*sin(phi)"
phi_dot = "phi'"
mu = "multiplier(blade)"
sideways = "force(blade).x"
turning = "force(blade).phi"
size = "norm(force(blade))"
)toml";

const std::string particle = R"toml(
mechanics = "vakonomic"
[parameters]
mu0 = 0
[coordinates]
x = { rate = 1 }
y = { rate = 0.5 }
z = { start = 0.5, rate = 0.4 }
[mass]
x = 1
y = 1
z = 1
[constraints]
plane = "y' = z*x'"
[multipliers]
plane = "mu0"
[outputs]
vx = "x'"
vz = "z'"
mu = "multiplier(plane)"
)toml";

void expect_reference(const std::string& name, const std::string& model) {
  std::ifstream in(std::string(VINCULUM_TEST_DATA) + "/reference/" + name + ".json");
  const Json data = Json::parse(in);
  const Folder vinculum;
  vinculum.write("m.toml", model);
  int compared = 0;
  for (const Json& row : data["reference"]) {
    const std::string principle = row["principle"];
    const std::size_t mu = principle.find("mu(0)=");
    if (mu == principle.npos) continue;
    const Outcome run = vinculum("run m.toml --json --tolerance 1e-13 --until " +
                                 row["t"].get<std::string>() + " --set mu0=" + principle.substr(mu + 6));
    ASSERT_EQ(run.status, 0) << run.err;
    const Json json = Json::parse(run.out);
    for (const auto& [quantity, text] : row.items()) {
      if (quantity == "principle" || quantity == "t") continue;
      double found = NAN;
      for (std::size_t i = 0; i < json["coordinates"].size(); ++i)
        if (json["coordinates"][i] == quantity) found = json["q"][i];
      if (json["outputs"].contains(quantity)) found = json["outputs"][quantity];
      const double expected = number(text);
      EXPECT_NEAR(found, expected, 1e-11 * (1 + std::fabs(expected))) << row << quantity;
      ++compared;
    }
  }
  EXPECT_GE(compared, 12);
}

TEST(VakonomicRun, ReferencesAreReproduced) {
  expect_reference("h01-skate-vakonomic-vs-lda", skate);
  expect_reference("h02-heisenberg-particle", particle);
}

TEST(VakonomicRun, TheJsonNamesWhatWasStatedAndMuAmongTheMultipliers) {
  const Folder vinculum;
  vinculum.write("m.toml", skate);
  const Json json = Json::parse(vinculum("run m.toml --json --until 2 --set mu0=0.5").out);
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["coordinates"], Json({"x", "y", "phi"}));
  EXPECT_EQ(json["q"].size(), 3u);
  EXPECT_EQ(json["multipliers"]["blade"], json["outputs"]["mu"]);
  // M q'' - Q, M being 1 and Q the slope.
  EXPECT_NEAR(json["constraint_force"][0], json["acceleration"][0].get<double>() - 1, 1e-12);
  EXPECT_NEAR(json["constraint_force"][2], json["acceleration"][2], 1e-12);
  EXPECT_NEAR(json["outputs"]["sideways"], json["constraint_force"][0], 1e-12);
  EXPECT_NEAR(json["outputs"]["turning"], json["constraint_force"][2], 1e-12);
  double size = 0;
  for (const Json& f : json["constraint_force"]) size = std::hypot(size, f.get<double>());
  EXPECT_NEAR(json["outputs"]["size"], size, 1e-12);
  EXPECT_LT(std::fabs(json["energy"]["drift"].get<double>()), 1e-8);
  EXPECT_EQ(json["energy"]["work"], 0.0);
}

TEST(VakonomicExplain, TheInstantIsToldInStatedTerms) {
  const Folder vinculum;
  vinculum.write("m.toml", skate);
  const Json at = Json::parse(vinculum("explain m.toml --json --time 1 --set mu0=0.5").out);
  EXPECT_EQ(at["coordinates"], Json({"x", "y", "phi"}));
  EXPECT_EQ(at["q"].size(), 3u);
  EXPECT_EQ(at["mass"], Json({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}));
  EXPECT_EQ(at["force"], Json({1.0, 0.0, 0.0}));
  EXPECT_EQ(at["free_acceleration"], Json({1.0, 0.0, 0.0}));
  const double phi = at["q"][2], mu = at["multipliers"]["values"]["blade"];
  EXPECT_NEAR(mu, 1.115593034981809, 1e-8);
  // I phi'' = mu u is the reference's own equation.
  const double u = at["v"][0].get<double>() * std::cos(phi) + at["v"][1].get<double>() * std::sin(phi);
  EXPECT_NEAR(at["acceleration"][2], mu * u, 1e-12);
  double gaussian = 0;
  for (int i = 0; i < 3; ++i) {
    const double q = at["acceleration"][i], a = at["free_acceleration"][i];
    EXPECT_NEAR(at["constraint_force"][i], q - a, 1e-13);
    EXPECT_NEAR(at["deviation"][i], q - a, 1e-13);
    gaussian += (q - a) * (q - a);
  }
  EXPECT_NEAR(at["gaussian"], gaussian, 1e-13);
  EXPECT_NEAR(at["dissatisfaction"][0], at["b"][0].get<double>() - std::sin(phi), 1e-13);
  for (const auto& [name, value] : at["certificate"].items()) EXPECT_LT(value.get<double>(), 1e-13) << name;
  // d'Alembert's skate turns at a constant rate.
  EXPECT_NEAR(at["dalembert_acceleration"][2], 0.0, 1e-14);
  EXPECT_NEAR(at["power"]["constraint"], 0.0, 1e-13);
}

TEST(VakonomicPages, TheySayWhichPrincipleItIs) {
  const Folder vinculum;
  vinculum.write("m.toml", skate);
  const std::string page = vinculum("explain m.toml --set mu0=0.5").out;
  for (const char* part : {"The mechanics is vakonomic: the action of L + sum mu phi is stationary",
                           "d'Alembert's", "mu = 0.5, mu' = -lambda", "their Gauss's function is stationary"})
    EXPECT_NE(page.find(part), page.npos) << part << page;
  EXPECT_EQ(page.find("FAILS"), page.npos) << page;
  const std::string checked = vinculum("check m.toml").out;
  EXPECT_NE(
      checked.find(
          "Vakonomic mechanics: stationary action of L + sum mu phi, 1 row on velocities; the motion is "
          "not d'Alembert's, and mu is part of the state\n"),
      checked.npos)
      << checked;
  const std::string summary = vinculum("run m.toml --until 1").out;
  EXPECT_NE(summary.find("mu(blade)"), summary.npos) << summary;
}

TEST(VakonomicFiles, MuIsAColumnBehindTheCoordinates) {
  const Folder vinculum;
  vinculum.write("m.toml", skate);
  ASSERT_EQ(vinculum("run m.toml --until 1 --quiet --out a.csv --report r.html").status, 0);
  const std::string table = vinculum.read("a.csv");
  EXPECT_NE(table.find("\nt,x,y,phi,mu(blade),x',y',phi',"), table.npos) << table.substr(0, 900);
  EXPECT_NE(table.find(",multiplier:blade,"), table.npos);
  EXPECT_NE(vinculum.read("r.html").find("mu(blade)"), std::string::npos);
}

TEST(VakonomicDerive, TheEquationsContainMuAndItsRate) {
  const Folder vinculum;
  vinculum.write("m.toml", skate);
  const std::string text = vinculum("derive m.toml").out;
  EXPECT_NE(text.find("Vakonomic motion, L + sum mu phi:  M q'' = Q + A^T lambda, with mu in M and Q"),
            text.npos);
  EXPECT_NE(text.find("  mu_blade' = -lambda_blade\n"), text.npos) << text;
  EXPECT_NE(text.find("  lambda_blade = "), text.npos) << text;
  const std::string latex = vinculum("derive m.toml --format latex").out;
  EXPECT_NE(latex.find("\\dot{\\mu}_{\\mathrm{blade}} = -\\lambda_{\\mathrm{blade}}"), latex.npos) << latex;
}

}  // namespace
}  // namespace vinculum::cli_test
