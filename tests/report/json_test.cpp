#include "vinculum/report/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/motion/verify.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

void expect_bits(const Json& list, std::span<const double> numbers) {
  ASSERT_EQ(list.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(list[i].get<double>()), std::bit_cast<std::uint64_t>(numbers[i]))
        << i;
}

/// A pendulum; "z" comes before "a" in the file, and so everywhere.
Model pendulum(double start = 1.0) {
  Model m;
  const Coordinate x = m.coordinate("z", {start, 0}), y = m.coordinate("a", {0, 0.3});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, -9.81);
  m.constrain("rod", x * x + y * y, 1.0);
  m.constrain("again", 2 * x * x + 2 * y * y, 2.0);
  m.output("place", Vector{x, y, 0.0});
  m.output("height", y);
  m.output("pull", m.multiplier("rod"));
  m.event("low", x, Model::Direction::falling);
  return m;
}

Trajectory move(const System& system, double until) {
  MotionOptions o;
  o.until = until;
  return simulate(system, o);
}

TEST(RunJson, HasTheKeysOfTheContractInItsOrder) {
  const System system(pendulum());
  const Json json = Json::parse(run_json(system, move(system, 0.7), "some/model.toml"));
  EXPECT_EQ(keys(json), (std::vector<std::string>{"status",
                                                  "reason",
                                                  "names",
                                                  "model",
                                                  "time",
                                                  "coordinates",
                                                  "velocities",
                                                  "q",
                                                  "v",
                                                  "acceleration",
                                                  "constraint_force",
                                                  "nonideal_force",
                                                  "multipliers",
                                                  "rank",
                                                  "energy",
                                                  "residual",
                                                  "residuals",
                                                  "integrators",
                                                  "steps",
                                                  "rejected",
                                                  "evaluations",
                                                  "seconds",
                                                  "outputs",
                                                  "events",
                                                  "rank_changes",
                                                  "verification",
                                                  "unverified",
                                                  "norm_dependent",
                                                  "passed_over",
                                                  "notes",
                                                  "worst",
                                                  "works"}));
  EXPECT_EQ(keys(json["energy"]), (std::vector<std::string>{"start", "end", "work", "drift"}));
  EXPECT_EQ(keys(json["residual"]), (std::vector<std::string>{"position", "velocity", "acceleration"}));
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["names"], Json::array());
  EXPECT_EQ(json["model"], "some/model.toml");
}

TEST(RunJson, VerificationHasADigitForEveryStatedCoordinateOrSaysWhyNot) {
  const System system(pendulum());
  MotionOptions o;
  o.until = 0.7;
  Trajectory motion = simulate(system, o);
  Json json = Json::parse(run_json(system, motion, "m.toml"));
  EXPECT_TRUE(json["verification"].is_null());
  motion.verification = verify(system, motion, o, 1);
  json = Json::parse(run_json(system, motion, "m.toml"));
  EXPECT_TRUE(json["verification"].is_null());
  EXPECT_EQ(json["unverified"], motion.verification.text);
  motion.verification = verify(system, motion, o);
  json = Json::parse(run_json(system, motion, "m.toml"));
  EXPECT_TRUE(json["unverified"].is_null());
  const Json& v = json["verification"];
  EXPECT_EQ(keys(v), (std::vector<std::string>{"digits", "trusted_until", "integrator", "tolerance", "events",
                                               "doubtful", "text"}));
  EXPECT_EQ(keys(v["digits"]), system.coordinate_names());
  for (std::size_t i = 0; i < motion.verification.digits.size(); ++i)
    EXPECT_EQ(v["digits"][system.coordinate_names()[i]], motion.verification.digits[i]);
  EXPECT_EQ(v["trusted_until"], 0.7);
  EXPECT_EQ(v["integrator"], "extrapolation");
  EXPECT_EQ(v["doubtful"], false);
  EXPECT_EQ(v["text"], motion.verification.text);
  motion.verification.outcome = Verification::Outcome::cut_short;
  motion.verification.digits.clear();
  json = Json::parse(run_json(system, motion, "m.toml"));
  for (const auto& [name, digits] : json["verification"]["digits"].items())
    EXPECT_TRUE(digits.is_null()) << name;
  EXPECT_EQ(json["unverified"], motion.verification.text);
}

TEST(RunJson, KeepsTheOrderOfTheModelAndEveryBit) {
  const System system(pendulum());
  const Trajectory motion = move(system, 0.7);
  const Json json = Json::parse(run_json(system, motion, ""));
  EXPECT_EQ(json["coordinates"], (Json{"z", "a"}));
  EXPECT_EQ(json["velocities"], (Json{"z'", "a'"}));
  EXPECT_EQ(keys(json["multipliers"]), (std::vector<std::string>{"rod", "again"}));
  const Sample end = motion.back();
  expect_bits(json["q"], end.q);
  expect_bits(json["v"], end.v);
  expect_bits(json["acceleration"], end.acceleration);
  expect_bits(json["constraint_force"], end.constraint_force);
  expect_bits(json["nonideal_force"], end.nonideal_force);
  EXPECT_EQ(json["multipliers"]["again"].get<double>(), end.multipliers[1]);
  EXPECT_EQ(json["time"], 0.7);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["energy"]["drift"].get<double>(), motion.drift());
  EXPECT_EQ(json["residuals"]["again"].get<double>(), motion.worst[1].position);
  EXPECT_EQ(json["residual"]["position"].get<double>(),
            std::max(motion.worst[0].position, motion.worst[1].position));
  EXPECT_FALSE(json["notes"].empty());  // the multipliers are not unique
}

TEST(RunJson, GivesVectorsAsListsAndEventsByTime) {
  const System system(pendulum());
  const Trajectory motion = move(system, 5);
  const Json json = Json::parse(run_json(system, motion, ""));
  EXPECT_EQ(keys(json["outputs"]), (std::vector<std::string>{"place", "height", "pull"}));
  expect_bits(json["outputs"]["place"], motion.back().outputs.subspan(0, 3));
  EXPECT_EQ(json["outputs"]["height"].get<double>(), motion.last.q[1]);
  ASSERT_GT(json["events"].size(), 1u);
  double before = 0;
  for (const Json& event : json["events"]) {
    EXPECT_EQ(keys(event), (std::vector<std::string>{"name", "time"}));
    EXPECT_GT(event["time"].get<double>(), before);
    before = event["time"];
  }
}

TEST(RunJson, ResidualsAreOfTheEquationsAsWritten) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y"), z = m.coordinate("z");
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1.0);
  m.constrain("place", y, sin(x));
  m.constrain("speed", x.rate(), 1.0 + 0.1 * sin(m.time()));
  m.constrain("push", z.acceleration(), cos(x));
  const System system(m);
  State start = system.start();
  start.v[1] = 1;
  MotionOptions o;
  o.until = 1;
  const Trajectory motion = simulate(system, start, o);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const Json json = Json::parse(run_json(system, motion, ""));
  EXPECT_EQ(json["residuals"]["place"].get<double>(), motion.worst[0].position);
  EXPECT_EQ(json["residuals"]["speed"].get<double>(), motion.worst[1].velocity);
  EXPECT_EQ(json["residuals"]["push"].get<double>(), motion.worst[2].acceleration);
}

TEST(RunJson, ARefusedStartStillSaysWhatWasReached) {
  const System system(pendulum(1.25));
  const Json json = Json::parse(run_json(system, move(system, 1), "m.toml"));
  EXPECT_EQ(json["status"], "start");
  EXPECT_EQ(json["names"], (Json{"rod", "again"}));
  EXPECT_NE(json["reason"].get<std::string>().find("'rod' by 0.562"), std::string::npos) << json["reason"];
  EXPECT_EQ(json["time"], 0.0);
  EXPECT_EQ(json["q"], (Json{1.25, 0.0}));
  EXPECT_EQ(json["v"], (Json{0.0, 0.3}));
  EXPECT_TRUE(json["acceleration"].is_null());
  EXPECT_TRUE(json["rank"].is_null());
  EXPECT_TRUE(json["energy"]["start"].is_null());
  EXPECT_TRUE(json["residual"]["position"].is_null());
  EXPECT_EQ(json["outputs"], Json::object());
  EXPECT_EQ(json["steps"], 0);
}

TEST(RunJson, AMotionThatEndsEarlyKeepsItsLastState) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.force(x, x * x * x);  // reaches infinity in finite time
  const System system(m);
  const Trajectory motion = move(system, 10);
  ASSERT_NE(motion.stop, Stop::end);
  const Json json = Json::parse(run_json(system, motion, ""));
  EXPECT_EQ(json["status"], std::string(status_word(motion.stop)));
  EXPECT_EQ(json["time"].get<double>(), motion.last.t);
  EXPECT_FALSE(json["reason"].get<std::string>().empty());
}

TEST(RunJson, WhatIsNotFiniteIsNull) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1});
  m.mass(x, 1.0);
  m.output("root", sqrt(-1 - x));
  const System system(m);
  const Json json = Json::parse(run_json(system, move(system, 1), ""));
  EXPECT_TRUE(json["outputs"].contains("root"));
  EXPECT_TRUE(json["outputs"]["root"].is_null());
}

TEST(RunJson, BytesThatAreNoTextDoNotBreakIt) {
  const System system(pendulum());
  EXPECT_EQ(Json::parse(run_json(system, move(system, 0), "a\xff.toml"))["model"], "a\xef\xbf\xbd.toml");
}

TEST(StatusWord, ALimitOfStepsIsAMatterOfTheStep) {
  EXPECT_EQ(status_word(Stop::step_limit), "step");
  EXPECT_EQ(status_word(Stop::step_too_small), "step");
  EXPECT_EQ(status_word(Stop::end), "done");
  EXPECT_EQ(status_word(Stop::contradicting), "contradiction");
}

TEST(ExplainJson, HasTheKeysOfTheContractInItsOrder) {
  const Model m = pendulum();
  const System system(m);
  const Json json = Json::parse(explain_json(system, examine(m, system, system.start())));
  EXPECT_EQ(keys(json), (std::vector<std::string>{"status",
                                                  "reason",
                                                  "names",
                                                  "time",
                                                  "coordinates",
                                                  "velocities",
                                                  "rows",
                                                  "q",
                                                  "v",
                                                  "mass",
                                                  "force",
                                                  "free_acceleration",
                                                  "A",
                                                  "b",
                                                  "dissatisfaction",
                                                  "constraint_matrix",
                                                  "constraint_matrix_inverse",
                                                  "K",
                                                  "K1",
                                                  "K2",
                                                  "scaled_deviation",
                                                  "virtual_displacements",
                                                  "spaces",
                                                  "acceleration",
                                                  "deviation",
                                                  "newton_force",
                                                  "constraint_force",
                                                  "nonideal_force",
                                                  "nonideal",
                                                  "orthogonality",
                                                  "multipliers",
                                                  "reactions",
                                                  "joints",
                                                  "rank",
                                                  "saddle",
                                                  "gaussian",
                                                  "extended_gaussian",
                                                  "certificate",
                                                  "certificate_bounds",
                                                  "certificate_failing",
                                                  "certificate_holds",
                                                  "energy",
                                                  "power",
                                                  "energy_rate",
                                                  "power_of_constraints",
                                                  "power_unique",
                                                  "workless",
                                                  "underdetermined",
                                                  "admissible",
                                                  "dependent",
                                                  "constraints",
                                                  "dependencies",
                                                  "singular_value_near",
                                                  "passed_over",
                                                  "mechanics",
                                                  "road",
                                                  "norm_dependent",
                                                  "notes"}));
  EXPECT_EQ(keys(json["multipliers"]),
            (std::vector<std::string>{"unique", "values", "freedom", "unique_rows"}));
  EXPECT_EQ(keys(json["certificate"]),
            (std::vector<std::string>{"constraint_residual", "virtual_work", "gauss_gap", "kkt_residual",
                                      "nonideal_work", "power_balance"}));
  EXPECT_EQ(keys(json["power"]),
            (std::vector<std::string>{"impressed", "constraint", "nonideal", "explicit_time"}));
  EXPECT_EQ(keys(json["certificate_bounds"]), keys(json["certificate"]));
  EXPECT_EQ(json["certificate_holds"], true);
  EXPECT_EQ(keys(json["workless"]),
            (std::vector<std::string>{"dimension", "empty", "holds_ideal", "example"}));
  EXPECT_EQ(keys(json["reactions"][0]), (std::vector<std::string>{"name", "force", "unique"}));
  EXPECT_EQ(keys(json["constraints"][0]),
            (std::vector<std::string>{"name", "order", "kind", "scleronomic", "ideal", "ideal_always",
                                      "redundant", "admissible", "reason"}));
  EXPECT_EQ(keys(json["constraints"][0]["reason"]),
            (std::vector<std::string>{"kind", "scleronomic", "admissible", "ideal"}));
}

TEST(ExplainJson, GivesTheNumbersOfTheInstant) {
  // At (1, 0) with velocity (0, 0.3): A = (2, 0; 4, 0), b = (-0.18, -0.36), a = (0, -9.81), lambda = s_i / 5
  // of -0.09.
  const Model m = pendulum();
  const System system(m);
  const Json json = Json::parse(explain_json(system, examine(m, system, system.start())));
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["mass"], Json::parse("[[1.0,0.0],[0.0,1.0]]"));
  EXPECT_EQ(json["A"], Json::parse("[[2.0,0.0],[4.0,0.0]]"));
  EXPECT_EQ(json["force"], Json::parse("[0.0,-9.81]"));
  EXPECT_NEAR(json["acceleration"][0].get<double>(), -0.09, 1e-16);
  EXPECT_NEAR(json["acceleration"][1].get<double>(), -9.81, 1e-14);
  EXPECT_NEAR(json["multipliers"]["values"]["rod"].get<double>(), -0.045 / 5, 1e-17);
  EXPECT_NEAR(json["multipliers"]["values"]["again"].get<double>(), -0.045 * 2 / 5, 1e-17);
  EXPECT_EQ(json["multipliers"]["unique"], false);
  ASSERT_EQ(json["multipliers"]["freedom"].size(), 1u);
  const double f0 = json["multipliers"]["freedom"][0][0], f1 = json["multipliers"]["freedom"][0][1];
  EXPECT_NEAR(f0 * f0 + f1 * f1, 1, 1e-15);
  EXPECT_NEAR(2 * f0 + 4 * f1, 0, 1e-15);
  EXPECT_NEAR(json["gaussian"].get<double>(), 0.09 * 0.09, 1e-17);
  EXPECT_NEAR(json["energy"].get<double>(), 0.5 * 0.09, 1e-17);
  EXPECT_NEAR(json["power"]["impressed"].get<double>(), -9.81 * 0.3, 1e-15);
  for (const auto& [name, value] : json["certificate"].items()) EXPECT_LT(value.get<double>(), 1e-14) << name;
  EXPECT_EQ(json["admissible"], false);
  Json nature = json["constraints"][1];
  nature.erase("reason");
  EXPECT_EQ(
      nature,
      Json::parse(
          R"({"name":"again","order":0,"kind":"linear","scleronomic":true,"ideal":true,"ideal_always":true,"redundant":true,"admissible":true})"));
}

TEST(ExplainJson, AContradictionIsNamedAndSaysHowFarItMisses) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.constrain("soft", x.acceleration(), 1.0);
  m.constrain("hard", x.acceleration(), 3.0);
  const System system(m);
  const Json json = Json::parse(explain_json(system, examine(m, system, system.start())));
  EXPECT_EQ(json["status"], "contradiction");
  EXPECT_EQ(json["names"], (Json{"soft", "hard"}));
  EXPECT_NE(json["reason"], "");
  // Least squares: q'' = 2; |A q'' - b| = sqrt 2, |A| = sqrt 2, |b| = sqrt 10.
  EXPECT_NEAR(json["certificate"]["constraint_residual"].get<double>(),
              std::sqrt(2) / (std::sqrt(2) * 2 + std::sqrt(10)), 1e-14);
}

TEST(ExplainJson, WhatNeedsTheInverseOfASingularMassIsNull) {
  Model m;
  const Coordinate x = m.coordinate("x"), s = m.coordinate("s");
  m.mass(x, 1.0);
  m.mass(s, 0.0);
  m.force(x, 3.0);
  const System open(m);
  const Json left_open = Json::parse(explain_json(open, examine(m, open, open.start())));
  EXPECT_EQ(left_open["status"], "singular");
  EXPECT_EQ(left_open["names"], Json{"s"});
  EXPECT_TRUE(left_open["acceleration"][0].is_null());
  m.constrain("follows", s, 2 * x);
  const System system(m);
  const Json json = Json::parse(explain_json(system, examine(m, system, system.start())));
  EXPECT_EQ(json["status"], "done");
  EXPECT_TRUE(json["free_acceleration"].is_null());
  EXPECT_TRUE(json["dissatisfaction"].is_null());
  EXPECT_TRUE(json["deviation"].is_null());
  EXPECT_TRUE(json["gaussian"].is_null());
  EXPECT_TRUE(json["extended_gaussian"].is_null());
  EXPECT_TRUE(json["orthogonality"].is_null());
  EXPECT_TRUE(json["workless"]["dimension"].is_null());
  EXPECT_NEAR(json["acceleration"][1].get<double>(), 6, 1e-15);
}

TEST(ExplainJson, LargeMatricesAreGivenByTheirEntries) {
  Model m;
  std::vector<Coordinate> x;
  for (int i = 0; i < 1100; ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i)));
    m.mass(x.back(), 1.0 + i);
  }
  m.constrain("pair", x[0], 3 * x[1099]);
  const System system(m);
  const Json json = Json::parse(explain_json(system, examine(m, system, system.start())));
  EXPECT_EQ(json["mass"]["rows"], 1100);
  EXPECT_EQ(json["mass"]["columns"], 1100);
  EXPECT_EQ(json["mass"]["row"][7], 7);
  EXPECT_EQ(json["mass"]["column"][7], 7);
  EXPECT_EQ(json["mass"]["value"][7], 8.0);
  EXPECT_EQ(json["A"][0].size(), 1100u);
}

TEST(CheckJson, HasTheKeysOfTheContract) {
  const Model m = pendulum(1.25);
  const System system(m);
  const Json json = Json::parse(check_json(system, check(m, system, system.start())));
  EXPECT_EQ(keys(json), (std::vector<std::string>{"status",         "reason",
                                                  "names",          "degrees_of_freedom",
                                                  "rank",           "redundant",
                                                  "redundant_rows", "contradicting",
                                                  "admissible",     "dependent",
                                                  "start",          "start_consistent",
                                                  "start_misses",   "start_repair",
                                                  "passed_over",    "constraints",
                                                  "dependencies",   "singular_value_near",
                                                  "mechanics",      "norm_dependent",
                                                  "notes"}));
  EXPECT_EQ(json["status"], "start");
  EXPECT_EQ(json["degrees_of_freedom"], 1);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["redundant"], (Json{"rod", "again"}));
  EXPECT_EQ(json["contradicting"], Json::array());
  EXPECT_EQ(json["start"], Json::parse(R"({"position":1.125,"velocity":0.0})"));
  EXPECT_EQ(json["start_consistent"], false);
  ASSERT_EQ(json["start_misses"].size(), 2u);
  EXPECT_EQ(json["start_misses"][0]["of_velocity"], false);
  // The nearest point of the circle is straight ahead.
  ASSERT_TRUE(json["start_repair"].is_object());
  EXPECT_EQ(json["start_repair"]["changes"][0]["name"], "z");
  EXPECT_NEAR(json["start_repair"]["changes"][0]["by"].get<double>(), -0.25, 1e-12);
  EXPECT_NEAR(json["start_repair"]["changes"][0]["value"].get<double>(), 1.0, 1e-12);
}

}  // namespace
}  // namespace vinculum
