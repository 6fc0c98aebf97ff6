// vinculum explain, check and derive: their JSON against the arithmetic of one instant.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "support/data.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Outcome& outcome) {
  const Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.out << outcome.err;
  return json.is_object() ? json : Json::object();
}

void expect_near(const Json& found, const std::vector<double>& expected, double near = 1e-14) {
  ASSERT_EQ(found.size(), expected.size()) << found;
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found[k].get<double>(), expected[k], near) << found;
}

/// A bead on an inclined wire, stated twice, with friction of the non-ideal kind and a coupled mass.
const std::string bead = R"(
[coordinates]
x = { start = 1, rate = 3 }
y = { start = 2, rate = 6 }
[mass]
x = 2
y = 1
[forces]
y = -10
[constraints]
wire = "y = 2*x"
again = "2*y = 4*x"
[nonideal]
x = "-x'"
y = "-x'/2"
[simulate]
until = 1
)";

TEST(Explain, TheJsonHasEveryKeyOfTheManualWithItsValue) {
  const Folder vinculum;
  const Outcome outcome = vinculum("explain m.toml --json", bead);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json json = json_of(outcome);
  EXPECT_EQ(json["time"], 0.0);
  EXPECT_EQ(json["coordinates"], (Json{"x", "y"}));
  EXPECT_EQ(json["velocities"], (Json{"x'", "y'"}));
  EXPECT_EQ(json["rows"], (Json{"wire", "again"}));
  EXPECT_EQ(json["q"], (Json{1.0, 2.0}));
  EXPECT_EQ(json["v"], (Json{3.0, 6.0}));
  EXPECT_EQ(json["mass"], (Json{{2.0, 0.0}, {0.0, 1.0}}));
  EXPECT_EQ(json["force"], (Json{0.0, -10.0}));
  EXPECT_EQ(json["free_acceleration"], (Json{0.0, -10.0}));
  EXPECT_EQ(json["A"], (Json{{-2.0, 1.0}, {-4.0, 2.0}}));
  expect_near(json["b"], {0, 0});
  expect_near(json["dissatisfaction"], {10, 20});
  // Along the wire (1, 2): inertia 2 + 4 = 6, drive -20, friction -3 - 2*1.5 = -6.
  const double ideal = -20 / 6.0, actual = -26 / 6.0;
  expect_near(json["acceleration"], {actual, 2 * actual});
  expect_near(json["deviation"], {actual, 2 * actual + 10});
  // F^L = M a - Q of the ideal problem; F^C = what friction leaves of M q'' - Q.
  expect_near(json["constraint_force"], {2 * ideal, 2 * ideal + 10});
  expect_near(json["nonideal_force"], {2 * (actual - ideal), 2 * (actual - ideal)});
  const double lambda = (2 * ideal + 10) / 5;  // least norm: wire + 2 again = 5 lambda
  EXPECT_EQ(json["multipliers"]["unique"], false);
  EXPECT_NEAR(json["multipliers"]["values"]["wire"].get<double>(), lambda, 1e-14);
  EXPECT_NEAR(json["multipliers"]["values"]["again"].get<double>(), 2 * lambda, 1e-14);
  ASSERT_EQ(json["multipliers"]["freedom"].size(), 1u);
  const Json free = json["multipliers"]["freedom"][0];
  EXPECT_NEAR(free[0].get<double>() + 2 * free[1].get<double>(), 0, 1e-15);
  EXPECT_NEAR(std::hypot(free[0].get<double>(), free[1].get<double>()), 1, 1e-15);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_NEAR(json["gaussian"].get<double>(), 2 * actual * actual + std::pow(2 * actual + 10, 2), 1e-13);
  for (const char* key : {"constraint_residual", "virtual_work", "gauss_gap", "kkt_residual"})
    EXPECT_LT(std::abs(json["certificate"][key].get<double>()), 1e-14) << key;
  EXPECT_EQ(json["energy"], 9 + 18.0);
  EXPECT_NEAR(json["power"]["impressed"].get<double>(), -60, 1e-13);
  EXPECT_NEAR(json["power"]["constraint"].get<double>(), 0, 1e-13);
  EXPECT_NEAR(json["power"]["nonideal"].get<double>(), -18, 1e-13);
  EXPECT_EQ(json["admissible"], false);
  Json natures = json["constraints"];
  for (Json& nature : natures) nature.erase("reason");
  EXPECT_EQ(
      natures.dump(),
      R"([{"name":"wire","order":0,"kind":"linear","scleronomic":true,"ideal":true,"ideal_always":true,"redundant":true,"admissible":true},)"
      R"({"name":"again","order":0,"kind":"linear","scleronomic":true,"ideal":true,"ideal_always":true,"redundant":true,"admissible":true}])");
}

TEST(Explain, NumbersReadBackToTheBitsOfTheLibrary) {
  const Folder vinculum;
  const std::string text =
      "[coordinates]\nx = { start = 0.1, rate = 0.7 }\n[mass]\nx = 3\n[forces]\nx = 'sin(x)/7'\n";
  const Json json = json_of(vinculum("explain m.toml --json", text));
  const System system(read_model(text, "m.toml").file->model);
  const Solution s = solve(system, system.start());
  EXPECT_EQ(json["acceleration"][0].get<double>(), s.acceleration[0]);
  EXPECT_EQ(json["q"][0].get<double>(), 0.1);
}

TEST(Explain, TimeIsTheStateReachedThen) {
  const Folder vinculum;
  const std::string text = "[coordinates]\nx = { rate = 1 }\n[mass]\nx = 1\n[forces]\nx = '-x'\n";
  const Json json = json_of(vinculum("explain m.toml --json --time 1.5 --tolerance 1e-12", text));
  EXPECT_EQ(json["time"], 1.5);
  EXPECT_NEAR(json["q"][0].get<double>(), std::sin(1.5), 1e-11);
  EXPECT_NEAR(json["acceleration"][0].get<double>(), -std::sin(1.5), 1e-11);
}

TEST(Explain, AnEventThatStopsTheMotionBeforeTheTimeIsTold) {
  const Folder vinculum;
  const Outcome outcome = vinculum("explain m.toml --json --time 2",
                                   "[coordinates]\nx = { rate = 1 }\n[mass]\nx = 1\n"
                                   "[events]\nwall = { at = 'x - 0.5', stop = true }\n");
  EXPECT_EQ(outcome.status, 0);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], "event");
  EXPECT_EQ(json["names"], Json{"wall"});
  EXPECT_NEAR(json["time"].get<double>(), 0.5, 1e-14);
}

TEST(Explain, AnInstantThatCannotBeReachedSaysWhyAndShowsWhatWasReached) {
  const Folder vinculum;
  const Outcome outcome =
      vinculum("explain m.toml --json --time 2",
               "[coordinates]\nx = { start = 1, rate = 2 }\n[mass]\nx = 1\n[forces]\nx = '6*x^2'\n");
  EXPECT_EQ(outcome.status, 1);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], "step");
  EXPECT_EQ(json["names"], Json{"x'"});
  EXPECT_NEAR(json["time"].get<double>(), 1, 1e-3);
}

TEST(Check, TheJsonHasEveryKeyOfTheManual) {
  const Folder vinculum;
  const Outcome outcome = vinculum("check m.toml --json", bead);
  EXPECT_EQ(outcome.status, 0);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["degrees_of_freedom"], 1);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["redundant"], (Json{"wire", "again"}));
  EXPECT_EQ(json["contradicting"], Json::array());
  EXPECT_EQ(json["admissible"], false);
  EXPECT_EQ(json["start"]["position"], 0.0);
  EXPECT_EQ(json["start"]["velocity"], 0.0);
  EXPECT_EQ(json["constraints"], json_of(vinculum("explain m.toml --json"))["constraints"]);
}

TEST(Check, ContradictionsAndStartsEndWithOne) {
  const Folder vinculum;
  const std::string two = "[coordinates]\nx = 1\ny = 0\n[mass]\nx = 1\ny = 1\n";
  Outcome outcome =
      vinculum("check m.toml --json", two + "[constraints]\na = 'x = 1'\nb = 'y = 0'\nc = 'x = 2'\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json_of(outcome)["contradicting"], (Json{"a", "c"}));
  outcome = vinculum("check m.toml --json", two + "[constraints]\na = 'x = 3'\n");
  EXPECT_EQ(outcome.status, 1);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], "start");
  EXPECT_EQ(json["start"]["position"], 2.0);
  EXPECT_EQ(json["contradicting"], Json::array());
  outcome = vinculum("check m.toml --json", two + "[constraints]\na = \"x'' = 1\"\nb = \"x'' = 2\"\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json_of(outcome)["contradicting"], (Json{"a", "b"}));
}

TEST(Derive, EveryFormatIsPrintedAloneAndAsJson) {
  const Folder vinculum;
  vinculum.write("m.toml", bead);
  for (const char* format : {"text", "latex", "c"}) {
    const Outcome plain = vinculum(std::string("derive m.toml --format ") + format);
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_FALSE(plain.out.empty());
    const Json json = json_of(vinculum(std::string("derive m.toml --json --format ") + format));
    EXPECT_EQ(json["format"], format);
    EXPECT_EQ(json["text"], plain.out);
  }
  const Outcome compiled =
      vinculum.shell("vinculum derive m.toml --format c > m.c && cc -std=c99 -Wall -c m.c -o m.o");
  EXPECT_EQ(compiled.status, 0) << compiled.err;
}

// --- Instants of the reference data, stated as constraints on accelerations.
// ---------------------------------------------------------------------------------------------------------

Json reference(const std::string& name) {
  std::ifstream in(test_data() + "/reference/" + name + ".json");
  EXPECT_TRUE(in) << name;
  return Json::parse(in);
}

double fraction(const Json& text) {
  const std::string s = text.get<std::string>();
  const std::size_t slash = s.find('/');
  return slash == s.npos ? std::stod(s) : std::stod(s.substr(0, slash)) / std::stod(s.substr(slash + 1));
}

std::vector<double> fractions(const Json& list) {
  std::vector<double> result;
  for (const Json& text : list) result.push_back(fraction(text));
  return result;
}

/// M, Q, A, b, C as a model: its numbers stay the fractions they are.
std::string model_of(const Json& p) {
  const auto entry = [](const Json& text) { return " = \"" + text.get<std::string>() + "\"\n"; };
  const std::size_t n = p["Q"].size();
  std::string coordinates = "[coordinates]\n", mass = "[mass]\n", force = "[forces]\n", nonideal,
              rows = "[constraints]\n";
  for (std::size_t i = 0; i < n; ++i) {
    const std::string q = "q" + std::to_string(i);
    coordinates += q + " = 0\n";
    force += q + entry(p["Q"][i]);
    for (std::size_t j = i; j < n; ++j)
      mass += (i == j ? q : "\"" + q + ",q" + std::to_string(j) + "\"") + entry(p["M"][i][j]);
    if (p["C"].is_array()) nonideal += (i == 0 ? "[nonideal]\n" : "") + q + entry(p["C"][i]);
  }
  for (std::size_t r = 0; r < p["A"].size(); ++r) {
    rows += "r" + std::to_string(r) + " = \"";
    for (std::size_t j = 0; j < n; ++j)
      rows += "(" + p["A"][r][j].get<std::string>() + ")*q" + std::to_string(j) + "'' + ";
    rows += "0 = " + p["b"][r].get<std::string>() + "\"\n";
  }
  return coordinates + mass + force + nonideal + rows;
}

TEST(Reference, InstantsWithRedundantRowsAreThoseOfExactArithmetic) {
  const Folder vinculum;
  for (const char* name : {"f01-redundant-consistent", "f02-redundant-nonideal", "f04-zero-row"}) {
    const Json data = reference(name), row = data["reference"][0];
    const Outcome outcome = vinculum("explain m.toml --json", model_of(data["parameters"]));
    EXPECT_EQ(outcome.status, 0) << name << outcome.err;
    const Json json = json_of(outcome);
    // Entries of order one, condition numbers of order ten: some dozens of roundings.
    const double near = 1e-14;
    expect_near(json["acceleration"], fractions(row["acceleration"]), near);
    expect_near(json["constraint_force"], fractions(row["F_L"]), near);
    if (row.contains("F_C")) expect_near(json["nonideal_force"], fractions(row["F_C"]), near);
    Json lambda = Json::array();
    for (const auto& [key, value] : json["multipliers"]["values"].items()) lambda.push_back(value);
    expect_near(lambda, fractions(row["lambda_minimum_norm"]), near);
    EXPECT_EQ(json["rank"].dump(), row["rank_A"].get<std::string>());
    EXPECT_NEAR(json["gaussian"].get<double>(), fraction(row["Gaussian (x''-a)^T M (x''-a)"]), near);
    EXPECT_EQ(json["multipliers"]["unique"], false);
    EXPECT_EQ(json["multipliers"]["freedom"].size(),
              data["parameters"]["A"].size() - json["rank"].get<std::size_t>());
  }
}

TEST(Reference, ContradictingRowsAreNamedAndTheAnswerIsThatOfLeastSquares) {
  const Folder vinculum;
  const Json data = reference("f03-inconsistent"), row = data["reference"][0];
  const Outcome outcome = vinculum("explain m.toml --json", model_of(data["parameters"]));
  EXPECT_EQ(outcome.status, 1);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], "contradiction");
  EXPECT_EQ(json["names"], (Json{"r0", "r1"}));
  expect_near(json["acceleration"], fractions(row["acceleration"]));
  const Outcome check = vinculum("check m.toml --json");
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(json_of(check)["contradicting"], (Json{"r0", "r1"}));
}

TEST(Reference, TheFlatFourBarIsThatOfExactArithmetic) {
  const Folder vinculum;
  const Json row = reference("f05-flat-fourbar-instant")["reference"][0];
  std::string text = "[parameters]\ng = 9.81\nw = 1.5\n[coordinates]\n";
  std::string mass = "[mass]\n", force = "[forces]\n", rows = "[constraints]\n";
  const double coupled[] = {2.0, 3.0,
                            2.0};  // thirds of a rod on the diagonal: one upright, one or two couplers
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i), x = "x" + n, y = "y" + n;
    text += x + " = " + std::to_string(i + 1) + "\n" + y + " = { rate = '-w' }\n";
    for (const std::string& q : {x, y}) mass += q + " = '" + std::to_string(coupled[i]) + "/3'\n";
    force += y + " = '-g*" + std::to_string(coupled[i] / 2) + "'\n";
    rows += "up" + n + " = '((" + x + " - " + n + ")^2 + " + y + "^2 - 1)/2 = 0'\n";
    if (i == 0) continue;
    const std::string m = std::to_string(i - 1);
    for (const char* axis : {"x", "y"}) mass += "'" + (axis + m) + "," + axis + n + "' = '1/6'\n";
    rows += "across" + n + " = '((" + x + " - x" + m + ")^2 + (" + y + " - y" + m + ")^2 - 1)/2 = 0'\n";
  }
  const Outcome outcome = vinculum("explain m.toml --json", text + mass + force + rows);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json json = json_of(outcome);
  expect_near(json["acceleration"], fractions(row["formula_at_flat"]), 1e-13);
  EXPECT_EQ(json["rank"], 3);
}

TEST(Reference, IdealAndAdmissibleConstraintsAreThoseOfK02) {
  const Folder vinculum;
  const Json rows = reference("k02-ideal-admissible-classification")["reference"];
  struct Stated {
    const char* equation;
    const char* kind;
  };
  const Stated stated[] = {{"x^2 + y^2 = 5", "linear"},      {"y' = z*x'", "linear"},
                           {"y' = z*x' + cos(t)", "affine"}, {"x'^2 + y'^2 = 5/9*z'^2", "nonlinear"},
                           {"x'*w' = u'*y'", "nonlinear"},   {"x'^2 + y'^2 + z'^2 = 14", "nonlinear"}};
  // A state that satisfies each: q = (2, -1, ..), v = (1, 2, 3, ..), and for the affine one z' = 1 + cos 0.
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string z = k == 1 ? "2" : "1";
    const std::string text =
        "[coordinates]\nx = { start = 1, rate = 1 }\ny = { start = 2, rate = " +
        std::string(k == 0 ? "-0.5" : "2") + " }\nz = { start = " + z +
        ", rate = 3 }\nu = { rate = 2 }\nw = { rate = 4 }\n[mass]\nx = 1\ny = 1\nz = 1\nu = 1\nw = "
        "1\n[constraints]\nc = \"" +
        stated[k].equation + "\"\n";
    const Outcome outcome = vinculum("check m.toml --json", text);
    EXPECT_EQ(outcome.status, 0) << stated[k].equation << outcome.err;
    const Json json = json_of(outcome), c = json["constraints"][0];
    EXPECT_EQ(c["kind"], stated[k].kind) << stated[k].equation;
    EXPECT_EQ(c["ideal"].get<bool>(), rows[k]["ideal"].get<std::string>().starts_with("yes"))
        << stated[k].equation;
    EXPECT_EQ(json["admissible"].get<bool>(), rows[k]["admissible"].get<std::string>().starts_with("yes"));
  }
}

/// Reference k03 with its relations on accelerations.
const std::string relations = R"(
mechanics = "none"
[coordinates]
x = 0
y = { start = 0, rate = 0.5 }
z = 0
[constraints]
first = "x'' + 2*y'' = 3"
second = "y'' - z'' = 1"
[forces]
x = 1
z = 2
[nonideal]
y = 1
z = 1
[simulate]
until = 2
)";

TEST(Explain, WithoutMechanicsTheAnswerIsThatOfReferenceK03) {
  const Folder vinculum;
  const Json json = json_of(vinculum("explain m.toml --json", relations));
  expect_near(json["acceleration"], {0, 1.5, 0.5});
  const Json& found = json["underdetermined"];
  expect_near(found["s"], {1, 0, 2});
  expect_near(found["v1"], {-1.0 / 3, 7.0 / 6, -11.0 / 6});
  expect_near(found["v2"], {-2.0 / 3, 1.0 / 3, 1.0 / 3});
  EXPECT_NEAR(found["orthogonality"].get<double>(), 0.0, 1e-15);
  EXPECT_TRUE(json["energy"].is_null());
  EXPECT_TRUE(json["energy_rate"].is_null());
  EXPECT_TRUE(json["power"]["impressed"].is_null());
  EXPECT_TRUE(json["certificate"]["power_balance"].is_null());
  EXPECT_LT(json["certificate"]["nonideal_work"].get<double>(), 1e-14);
  const std::string page = vinculum("explain m.toml", relations).out;
  EXPECT_NE(page.find("No mechanics: x'' = s + v1 + v2 (41)"), std::string::npos) << page;
  EXPECT_NE(page.find("v1 is at right angles to v2 (47)"), std::string::npos) << page;
  EXPECT_EQ(page.find("nergy"), std::string::npos) << page;
  EXPECT_EQ(page.find("FAILS"), std::string::npos) << page;
}

TEST(Run, WithoutMechanicsThereIsNoEnergyInAnyResult) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json --out r.csv", relations);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json json = json_of(outcome);
  expect_near(json["q"], {0, 0.5 * 2 + 0.5 * 1.5 * 4, 0.5 * 0.5 * 4}, 1e-12);
  for (const auto& [key, value] : json["energy"].items()) EXPECT_TRUE(value.is_null()) << key;
  EXPECT_EQ(vinculum.read("r.csv").find("energy"), std::string::npos);
  EXPECT_EQ(vinculum("run m.toml", relations).out.find("nergy"), std::string::npos);
}

TEST(Explain, TheJsonSplitsForcesPowersAndReactionsByName) {
  const Folder vinculum;
  // A bead on a wire that is driven upward, with a wall that carries its own load; C along and across the
  // wire.
  const Json json = json_of(vinculum("explain m.toml --json", R"(
[coordinates]
x = { start = 0, rate = 1 }
y = { start = 0, rate = 2 }
z = 0
[mass]
x = 2
y = 1
z = 1
[forces]
y = -10
z = 3
[constraints]
wire = "y = t + x"
again = "2*y = 2*t + 2*x"
wall = "z = 0"
[nonideal]
x = -1
)"));
  // A = (-1, 1, 0) of the wire, b = 0, a = (0, -10, 3): lambda = 10 / (1/2 + 1) = 20/3.
  expect_near(json["newton_force"], {0, -10, 3});
  expect_near(json["constraint_force"], {-20.0 / 3, 20.0 / 3, -3}, 1e-13);
  expect_near(json["nonideal"], {-1, 0, 0});
  expect_near(json["nonideal_force"], {-2.0 / 3, -1.0 / 3, 0});
  EXPECT_NEAR(json["orthogonality"].get<double>(), 0, 1e-15);
  EXPECT_EQ(json["multipliers"]["unique_rows"], (Json{{"wire", false}, {"again", false}, {"wall", true}}));
  EXPECT_EQ(json["reactions"][0]["unique"], false);
  EXPECT_EQ(json["reactions"][2]["name"], "wall");
  EXPECT_EQ(json["reactions"][2]["unique"], true);
  expect_near(json["reactions"][2]["force"], {0, 0, -3});
  // The wire moves upward at speed 1: its power is lambda.
  EXPECT_NEAR(json["power"]["constraint"].get<double>(), 20.0 / 3, 1e-13);
  EXPECT_NEAR(json["power_of_constraints"]["wire"].get<double>() +
                  json["power_of_constraints"]["again"].get<double>(),
              20.0 / 3, 1e-13);
  EXPECT_EQ(json["power_of_constraints"]["wall"], 0.0);
  EXPECT_EQ(json["power"]["explicit_time"], 0.0);
  EXPECT_NEAR(json["energy_rate"].get<double>(), -20 + 20.0 / 3 - 4.0 / 3, 1e-12);
  EXPECT_LT(json["certificate"]["power_balance"].get<double>(), 1e-14);
  EXPECT_LT(json["certificate"]["nonideal_work"].get<double>(), 1e-14);
  // q'' - a - M^-1 C = (-2/3 - 20/3 + 1)/2, .. : the same by hand.
  const double dx = (-20.0 / 3 - 2.0 / 3 + 1) / 2, dy = 20.0 / 3 - 1.0 / 3, dz = -3;
  EXPECT_NEAR(json["extended_gaussian"].get<double>(), 2 * dx * dx + dy * dy + dz * dz, 1e-12);
  EXPECT_EQ(json["workless"]["dimension"], 0);  // one freedom, and the motion is along it
  EXPECT_EQ(json["workless"]["empty"], false);
  EXPECT_EQ(json["admissible"], false);
  EXPECT_EQ(json["dependent"][0]["row"], "again");
  EXPECT_NEAR(json["dependent"][0]["on"]["wire"].get<double>(), 2.0, 1e-14);
  EXPECT_EQ(json["constraints"][0]["reason"]["ideal"],
            "A v = 1 here, since its derivative has the part '-1' free of velocities");
  EXPECT_EQ(json["constraints"][2]["admissible"], true);
  EXPECT_TRUE(json["underdetermined"].is_null());
}

}  // namespace
}  // namespace vinculum::cli_test
