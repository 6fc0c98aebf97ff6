// Vakonomic motion through the program: references, the JSON of the contract, files, pages, equations.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "support/data.hpp"

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
  std::ifstream in(test_data() + "/reference/" + name + ".json");
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

/// z' = (x y' - y x')/2 with a z that has no mass: by stationary action circles with angular velocity mu, by
/// d'Alembert straight lines (tests/motion/principles_motion_test.cpp has the closed forms).
const std::string heisenberg = R"toml(
[coordinates]
x = { rate = 1.1 }
y = { rate = 0.4 }
z = 0
[mass]
x = 1
y = 1
z = 0
[constraints]
area = "z' = (x*y' - y*x')/2"
[simulate]
until = 1.5
samples = 31
)toml";
const std::string by_action = "mechanics = \"vakonomic\"\n" + heisenberg + "[multipliers]\narea = 0.9\n";

TEST(Compare, BothPrinciplesStandSideBySide) {
  const Folder vinculum;
  vinculum.write("line.toml", heisenberg);
  vinculum.write("circle.toml", by_action);
  const double turned = 0.9 * 1.5, square = 1.1 * 1.1 + 0.4 * 0.4;
  const Outcome run = vinculum("run circle.toml --compare --json");
  ASSERT_EQ(run.status, 0) << run.err;
  const Json json = Json::parse(run.out), &compare = json["compare"];
  EXPECT_EQ(compare["mechanics"], "dalembert");
  EXPECT_NEAR(json["q"][0].get<double>(), (1.1 * std::sin(turned) + 0.4 * (std::cos(turned) - 1)) / 0.9,
              1e-8);
  EXPECT_NEAR(compare["run"]["q"][0].get<double>(), 1.65, 1e-9);
  EXPECT_NEAR(compare["action"]["dalembert"].get<double>(), 0.75 * square, 1e-9);
  EXPECT_NEAR(compare["action"]["vakonomic"].get<double>(), 0.75 * square, 1e-9);
  EXPECT_NEAR(compare["apart"]["z"]["most"].get<double>(),
              0.5 * square / 0.9 * (1.5 - std::sin(turned) / 0.9), 1e-8);
  EXPECT_EQ(compare["apart"]["z"]["time"], 1.5);
  EXPECT_FALSE(compare["must_agree"].get<bool>());
  EXPECT_EQ(compare["run"]["verification"]["doubtful"], false);
  // The other way round mu begins with nothing, and the page says so.
  const Outcome page = vinculum("run line.toml --compare");
  ASSERT_EQ(page.status, 0) << page.err;
  EXPECT_NE(page.out.find("Both principles from one start, mu(area) = 0\n"), page.out.npos) << page.out;
  EXPECT_NE(page.out.find("apart at most"), page.out.npos);
  EXPECT_FALSE(Json::parse(vinculum("run line.toml --json").out).contains("compare"));
}

TEST(Compare, FilesAndTheReportHaveBoth) {
  const Folder vinculum;
  vinculum.write("m.toml", by_action);
  const Outcome run =
      vinculum("run m.toml --compare --quiet --out r.csv --out both/ --out one --report r.html");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(vinculum.read("r.csv").find("mu(area)"), std::string::npos);
  EXPECT_EQ(vinculum.read("r-dalembert.csv").find("mu(area)"), std::string::npos);
  const std::string straight = vinculum.read("r-dalembert.csv");
  EXPECT_NE(straight.find("\n1.5,1.65"), straight.npos) << straight;
  for (const char* folder : {"both", "both-dalembert", "one", "one-dalembert"})
    EXPECT_TRUE(vinculum.has(std::string(folder) + "/result.json")) << folder;
  const std::string page = vinculum.read("r.html");
  EXPECT_NE(page.find("\"key\":\"principles\""), page.npos);
  EXPECT_NE(page.find("x, vakonomic"), page.npos);
}

TEST(Compare, WhatHasNoOtherPrincipleIsRefusedWithItsReason) {
  const Folder vinculum;
  vinculum.write(
      "m.toml",
      "[particles]\np = { mass = 1, position = [0,0,0], velocity = [1,0,0] }\n"
      "[constraints]\nfloor = { equation = \"p.z = 0\", friction = 0.3 }\n[simulate]\nuntil = 1\n");
  const Outcome run = vinculum("run m.toml --compare --json");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("'floor' has friction"), run.err.npos) << run.err;
  vinculum.write("none.toml",
                 "mechanics = \"none\"\n[coordinates]\nx = 0\n[forces]\nx = 1\n[simulate]\nuntil = 1\n");
  EXPECT_EQ(vinculum("run none.toml --compare").status, 2);
}

TEST(End, MuIsFoundForAGivenEnd) {
  const Folder vinculum;
  vinculum.write("m.toml", by_action);
  const double goal = 0.5 * 1.37 / 0.7 * (1.5 - std::sin(0.7 * 1.5) / 0.7);
  std::ostringstream end;
  end.precision(17);
  end << "run m.toml --json --end 'z=" << goal << "'";
  const Outcome run = vinculum(end.str());
  ASSERT_EQ(run.status, 0) << run.err;
  const Json json = Json::parse(run.out), &boundary = json["boundary"];
  EXPECT_TRUE(boundary["found"].get<bool>());
  EXPECT_NEAR(boundary["start"]["mu(area)"].get<double>(), 0.7, 1e-6);
  EXPECT_EQ(boundary["start"].size(), 1u);
  EXPECT_NEAR(json["q"][2].get<double>(), goal, 1e-7);
  EXPECT_EQ(json["notes"][0], boundary["text"]);
  // What is said of the end is said of this run, not of those that found its start.
  const Json loose = Json::parse(vinculum(end.str() + " --tolerance 1e-2 --integrator dopri5").out);
  EXPECT_EQ(loose["boundary"]["miss"].get<double>(), loose["q"][2].get<double>() - goal);
}

TEST(End, AnEndThatRoundingKeepsAwayIsNotFound) {
  const Folder vinculum;
  vinculum.write("m.toml",
                 "[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = \"100*x\"\n[simulate]\nuntil = 3\n");
  const Outcome run = vinculum("run m.toml --json --end x=0.5");
  EXPECT_EQ(run.status, 1) << run.out;  // e^30 times a rounding of x' is a thousandth
}

TEST(End, VelocitiesAreFoundToo) {
  const Folder vinculum;
  vinculum.write(
      "throw.toml",
      "[coordinates]\nx = 0\ny = 0\n[mass]\nx = 2\ny = 2\n[forces]\ny = -20\n[simulate]\nuntil = 2\n");
  const Json all = Json::parse(vinculum("run throw.toml --json --end 'x=3, y=1'").out);
  EXPECT_NEAR(all["boundary"]["start"]["x'"].get<double>(), 1.5, 1e-7);
  EXPECT_NEAR(all["boundary"]["start"]["y'"].get<double>(), 10.5, 1e-7);
  const Json one = Json::parse(vinculum("run throw.toml --json --end y=1 --free \"y'\"").out);
  EXPECT_EQ(one["boundary"]["start"].size(), 1u);
  EXPECT_EQ(one["q"][0], 0.0);
}

TEST(End, WhatIsNotReachedEndsWithItsReason) {
  const Folder vinculum;
  vinculum.write(
      "m.toml",
      "[coordinates]\nx = { start = 1, rate = 0 }\ny = { start = 0, rate = 1 }\n[mass]\nx = 1\ny = 1\n"
      "[constraints]\nrod = \"x^2 + y^2 = 1\"\n[simulate]\nuntil = 1\n");
  const Outcome run = vinculum("run m.toml --json --end 'x=0, y=3' --out r.csv");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(vinculum.has("r.csv"));  // with none of its instants, as where a start is refused
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["status"], "start");
  EXPECT_FALSE(json["boundary"]["found"].get<bool>());
  EXPECT_NE(json["reason"].get<std::string>().find("no start was found"), std::string::npos);
  EXPECT_NE(run.err.find("misses 'y'"), run.err.npos) << run.err;
  for (const char* wrong : {"--end w=1", "--end x", "--end 'x=1' --free q", "--free \"x'\"", "--end ''"})
    EXPECT_EQ(vinculum(std::string("run m.toml ") + wrong).status, 2) << wrong;
}

}  // namespace
}  // namespace vinculum::cli_test
