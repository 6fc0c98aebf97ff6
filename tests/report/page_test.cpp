#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "report/page_data.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/motion/verify.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* hostile = "</script><script>alert(1)</script><!-- & \"'";

/// A rod of length 1 that swings, with everything a page shows.
struct Swing {
  Model model;
  Coordinate x, y;
  Swing() : x(model.coordinate("x", {.start = 1})), y(model.coordinate("y")) {
    for (const Coordinate& q : {x, y}) model.mass(q, 2);
    model.force(y, -2 * 9.81);
    model.constrain("rod", x * x + y * y, 1);
    model.output("height", y);
    model.event("below", x);
  }
};

struct Swung {
  Swing swing;
  System system{swing.model};
  Trajectory motion;
  RunRecord record;
  explicit Swung(int samples, double until = 2) {
    MotionOptions options;
    options.until = until;
    options.samples = samples;
    motion = simulate(system, options);
    record.title = "A swing";
    record.path = "swing.toml";
    record.text = "title = \"A swing\"\n";
    record.version = "1.2.3";
    record.settings = {{"until", "2"}, {"tolerance", "1e-09"}};
  }
  Json data() const { return Json::parse(page_data(swing.model, system, {}, motion, record)); }
};

const Json& panel(const Json& data, const std::string& key) {
  for (const Json& p : data["panels"])
    if (p["key"] == key) return p;
  throw std::runtime_error("no panel " + key);
}

/// From rest at (1, 0) the speed is that of the fall, v^2 = -2 g y: e = 6 g y of the row (2x, 2y), and from
/// it the rest.
TEST(Page, WhatThePapersSayOfAnInstantIsPlotted) {
  Swung run(2);
  run.swing.model.output("G", run.swing.model.gauss());
  run.swing.model.output("e", run.swing.model.dissatisfaction("rod"));
  run.swing.model.output("dy", run.swing.model.deviation(run.swing.y));
  const System system(run.swing.model);
  MotionOptions options;
  options.until = 2;
  options.samples = 50;
  const Trajectory motion = simulate(system, options);
  const Json data = Json::parse(page_data(run.swing.model, system, {}, motion, run.record));
  std::map<std::string, std::vector<double>> drawn;
  for (const Json& series : panel(data, "outputs")["series"])
    drawn[series["name"]] = series["values"].get<std::vector<double>>();
  ASSERT_EQ(drawn["height"].size(), 50u);
  for (int i = 0; i < 50; ++i) {
    const double y = drawn["height"][i], e = 6 * 9.81 * y;
    // A plot has seven digits; the square doubles what they leave.
    EXPECT_NEAR(drawn["e"][i], e, 1e-5 * 60) << i;
    EXPECT_NEAR(drawn["dy"][i], e * y / 2, 1e-5 * 30) << i;
    EXPECT_NEAR(drawn["G"][i], e * e / 2, 1e-5 * 1700) << i;
  }
}

TEST(Page, NumbersInTablesAreThoseOfTheRunToTheLastBit) {
  const Swung run(50);
  const Json data = run.data();
  const Sample last = run.motion.back();
  EXPECT_EQ(data["run"]["time"].get<double>(), last.t);
  EXPECT_EQ(data["run"]["steps"].get<long>(), run.motion.steps);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(data["end"]["coordinates"][i]["value"].get<double>(), last.q[i]);
    EXPECT_EQ(data["end"]["velocities"][i]["value"].get<double>(), last.v[i]);
    EXPECT_EQ(data["end"]["velocities"][i]["acceleration"].get<double>(), last.acceleration[i]);
    EXPECT_EQ(data["end"]["velocities"][i]["constraint_force"].get<double>(), last.constraint_force[i]);
  }
  EXPECT_EQ(data["end"]["coordinates"][0]["name"], "x");
  EXPECT_EQ(data["end"]["multipliers"][0]["name"], "rod");
  EXPECT_EQ(data["end"]["multipliers"][0]["value"].get<double>(), last.multipliers[0]);
  EXPECT_EQ(data["end"]["outputs"][0]["value"].get<double>(), last.q[1]);
  EXPECT_EQ(data["residuals"][0]["position"].get<double>(), run.motion.worst[0].position);
  EXPECT_EQ(data["residuals"][0]["velocity"].get<double>(), run.motion.worst[0].velocity);
  EXPECT_EQ(data["energy"]["drift"].get<double>(), run.motion.drift());
  ASSERT_FALSE(run.motion.events.empty());
  EXPECT_EQ(data["events"][0]["time"].get<double>(), run.motion.events[0].time);
}

TEST(Page, TheCertificateIsThatOfTheFirstAndTheLastInstant) {
  const Swung run(50);
  const Json data = run.data();
  ASSERT_EQ(data["certificates"].size(), 2u);
  for (const int i : {0, 1}) {
    const Certificate truth =
        examine(run.swing.model, run.system, run.motion.state(i == 0 ? 0 : 49)).solution.certificate;
    const Json& checks = data["certificates"][i]["checks"];
    EXPECT_EQ(checks[0]["value"].get<double>(), truth.constraint_residual.value);
    EXPECT_EQ(checks[1]["bound"].get<double>(), truth.virtual_work.bound);
    EXPECT_EQ(checks[2]["value"].get<double>(), truth.gauss_gap.value);
    EXPECT_EQ(checks[3]["holds"].get<bool>(), truth.kkt_residual.holds());
    EXPECT_EQ(data["certificates"][i]["holds"].get<bool>(), truth.holds());
  }
}

TEST(Page, TheDigitsThatAgreeStandBesideTheEnergyAtTheInstantsThatWereCompared) {
  Swung run(50);
  EXPECT_THROW(panel(run.data(), "agreement"), std::runtime_error);
  MotionOptions options;
  options.until = 2;
  const Verification v = run.motion.verification = verify(run.system, run.motion, options);
  ASSERT_EQ(v.outcome, Verification::Outcome::compared) << v.text;
  const Json data = run.data(), &digits = panel(data, "agreement");
  ASSERT_EQ(digits["t"].size(), v.times.size());
  ASSERT_EQ(digits["series"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(digits["series"][i]["name"], run.system.coordinate_names()[i]);
    for (std::size_t k = 0; k < v.times.size(); ++k)
      EXPECT_NEAR(digits["series"][i]["values"][k], v.agreement[i][k], 1e-5);
  }
  EXPECT_EQ(data["verification"]["digits"], *std::ranges::min_element(v.digits));
  EXPECT_EQ(data["verification"]["text"], v.text);
  EXPECT_EQ(data["verification"]["doubtful"], false);
}

TEST(Page, TheConstraintsAndTheirForcesAreThoseOfTheLastInstant) {
  const Swung run(50);
  const Json geometry = run.data()["geometry"];
  const Instant truth = examine(run.swing.model, run.system, run.motion.state(49));
  EXPECT_EQ(geometry["time"].get<double>(), 2.0);
  const Json& rod = geometry["constraints"][0];
  EXPECT_EQ(rod["name"], "rod");
  EXPECT_EQ(rod["kind"], "linear");
  EXPECT_EQ(rod["reason"]["ideal"], truth.constraints[0].reason.ideal);
  EXPECT_EQ(rod["unique"], true);
  EXPECT_TRUE(geometry["split"].is_null());  // no C
  EXPECT_EQ(geometry["power"]["rate"].get<double>(), truth.energy_rate);
  EXPECT_EQ(geometry["power"]["impressed"].get<double>(), truth.power_impressed);
  EXPECT_EQ(geometry["workless"]["dimension"], 0);
}

TEST(Page, WithoutMechanicsThereIsNoEnergy) {
  Model model;
  model.set_mechanics(Mechanics::none);
  const Coordinate x = model.coordinate("x"), y = model.coordinate("y");
  model.force(x, 1.0);
  model.nonideal(y, 2.0);
  model.constrain("sum", x + y, 0.0);
  const System system(model);
  MotionOptions options;
  options.until = 1;
  const Trajectory motion = simulate(system, options);
  const Json data = Json::parse(page_data(model, system, {}, motion, {}));
  EXPECT_TRUE(data["energy"].is_null());
  for (const Json& p : data["panels"]) EXPECT_TRUE(p["key"] != "energy" && p["key"] != "drift");
  EXPECT_EQ(data["geometry"]["mechanics"], false);
  EXPECT_TRUE(data["geometry"]["power"].is_null());
  // s = (1, 0), v1 = (-1/2, -1/2), v2 = (-1, 1).
  EXPECT_NEAR(data["geometry"]["split"][0]["lagrange"].get<double>(), -0.5, 1e-15);
  EXPECT_NEAR(data["geometry"]["split"][1]["coulomb"].get<double>(), 1.0, 1e-15);
}

TEST(Page, ALargeSystemIsCertifiedByWhatNeedsNoDenseAlgebra) {
  Model model;
  std::vector<Particle> chain;
  for (int i = 0; i <= 340; ++i)
    chain.push_back(model.particle("p" + std::to_string(i), {.position = {1.0 * i, 0, 0}}));
  for (int i = 0; i < 340; ++i)
    model.constrain("rod" + std::to_string(i), norm_squared(chain[i + 1] - chain[i]), 1.0);
  model.gravity({0, 0, -9.81});
  const System system(model);
  MotionOptions options;
  options.until = 0.01;
  options.samples = 2;
  const Trajectory motion = simulate(system, options);
  const Json data = Json::parse(page_data(model, system, {}, motion, {}));
  ASSERT_EQ(data["certificates"].size(), 2u);
  for (const Json& certificate : data["certificates"]) {
    std::vector<std::string> names;
    for (const Json& check : certificate["checks"]) {
      names.push_back(check["name"]);
      EXPECT_GT(check["bound"].get<double>(), 0) << names.back();
    }
    ASSERT_EQ(names,
              (std::vector<std::string>{"constraint_residual", "virtual_work", "gauss_gap", "kkt_residual"}));
    EXPECT_TRUE(certificate["holds"].get<bool>());
  }
  EXPECT_TRUE(data["geometry"].is_null());
  EXPECT_FALSE(data["latex_note"].get<std::string>().empty());
  EXPECT_EQ(panel(data, "coordinates")["series"].size(), 1023u);
  EXPECT_EQ(panel(data, "coordinates")["note"], "");
}

TEST(Page, UnitsStandWhereTheyWereToldAndNowhereElse) {
  Swung run(20);
  const auto panel = [](const Json& data, const char* key) {
    for (const Json& p : data["panels"])
      if (p["key"] == key) return p;
    return Json();
  };
  EXPECT_EQ(panel(run.data(), "coordinates")["time"], "t");
  run.record.units.told = {{"t", "s"}, {"x", "m"}, {"energy", "J"}};
  const Json data = run.data();
  EXPECT_EQ(panel(data, "coordinates")["time"], "t [s]");
  EXPECT_EQ(panel(data, "coordinates")["series"][0]["name"], "x [m]");
  EXPECT_EQ(panel(data, "coordinates")["series"][1]["name"], "y");
  EXPECT_EQ(panel(data, "velocities")["series"][0]["name"], "x'");
  EXPECT_EQ(panel(data, "forces")["series"][0]["name"], "x");  // a force is not in metres
  EXPECT_EQ(panel(data, "energy")["series"][0]["name"], "energy [J]");
}

TEST(Page, PlotsHoldRecordedValuesWithSevenDigits) {
  const Swung run(50);
  const Json data = run.data();
  const Json& coordinates = panel(data, "coordinates");
  ASSERT_EQ(coordinates["t"].size(), 50u);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(coordinates["t"][i].get<double>(), run.motion.times()[i]);
    const double x = run.motion[i].q[0];
    EXPECT_NEAR(coordinates["series"][0]["values"][i].get<double>(), x, 5e-7 * std::fabs(x));
  }
  EXPECT_FALSE(data["thinned"].get<bool>());
  for (const char* key : {"velocities", "forces", "multipliers", "energy", "drift", "residuals", "outputs"})
    EXPECT_NO_THROW(panel(data, key)) << key;
}

TEST(Page, WhatACurveSpansHasSevenDigits) {
  // The energy changes by some 1e-11 of itself: seven digits of its size would make it a staircase.
  const Swung run(50);
  const Json data = run.data();
  const auto drawn = panel(data, "energy")["series"][0]["values"].get<std::vector<double>>();
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 50; ++i) {
    low = std::min(low, run.motion[i].energy);
    high = std::max(high, run.motion[i].energy);
  }
  for (int i = 0; i < 50; ++i) EXPECT_NEAR(drawn[i], run.motion[i].energy, 1e-6 * (high - low)) << i;
}

TEST(Page, EverySeriesIsThereAndWhatSaysLittleIsFolded) {
  Model model;
  BodyOptions ball = body_of({Solid::Kind::sphere, {0.1}}, 1.0);
  ball.velocity = {1, 0, 0};
  for (int k = 0; k < 5; ++k) model.body("ball" + std::to_string(k), ball);
  const System system(model);
  MotionOptions options;
  options.until = 1;
  options.samples = 5;
  const Json data = Json::parse(page_data(model, system, {}, simulate(system, options), {}));
  const Json& series = panel(data, "coordinates")["series"];
  ASSERT_EQ(series.size(), 35u);
  for (const Json& s : series) {
    const std::string name = s["name"];
    EXPECT_EQ(s.contains("folded"), !name.ends_with(".x")) << name;  // y and z are zero throughout
  }
}

TEST(Page, ResidualsAreRelativeToTheirTermsAndHaveABound) {
  const Swung run(50);
  const Json data = run.data();
  const Json& residuals = panel(data, "residuals");
  EXPECT_EQ(residuals["bound"], 1e-12);
  ASSERT_EQ(residuals["series"].size(), 1u);
  // The rod has the length 1: the terms of x^2 + y^2 = 1 are never more than 2 together.
  double worst = 0;
  for (const double value : residuals["series"][0]["values"]) worst = std::max(worst, value);
  EXPECT_GT(worst, 0);
  EXPECT_LE(worst, 1e-14);
  EXPECT_GE(worst, 0.1 * run.motion.worst[0].position / 2);
}

TEST(Page, FrictionIsAnArrowOfItsOwnWhereItActs) {
  for (const double mu : {0.0, 0.3}) {
    Model model;
    const Coordinate x = model.coordinate("x", {.rate = 0.8}), y = model.coordinate("y", {.rate = 0.6});
    for (const Coordinate& q : {x, y}) model.mass(q, 2);
    model.force(y, -2 * 9.81);
    model.constrain("slope", y, 0.75 * x);
    model.friction("slope", mu);
    const System system(model);
    MotionOptions options;
    options.until = 0.1;
    options.samples = 3;
    const Trajectory motion = simulate(system, options);
    const Frames frames = frames_of(model, complete_view(model, {}), motion, 10);
    ASSERT_EQ(frames.arrows.size(), mu > 0 ? 2u : 1u);
    EXPECT_EQ(frames.arrows[0].name, "force on point");
    if (mu == 0) continue;
    EXPECT_EQ(frames.arrows[1].name, "friction on point");
    const double pressing = 2 * 9.81 * 0.8;  // across the slope
    EXPECT_NEAR(frames.arrows[1].xyz[3], -mu * pressing * 0.8, 1e-12);
    EXPECT_NEAR(frames.arrows[1].xyz[4], -mu * pressing * 0.6, 1e-12);
  }
}

TEST(Page, ForcesThatAreNotThereAreNoPlot) {
  const Json data = Swung(10).data();
  EXPECT_THROW(panel(data, "nonideal"), std::runtime_error);
}

TEST(Page, ALongRunIsThinnedWithItsEndsAndExtremes) {
  const Swung run(9001, 20);
  const Json data = run.data();
  EXPECT_TRUE(data["thinned"].get<bool>());
  EXPECT_EQ(data["run"]["samples"], 9001);
  EXPECT_LE(data["frames"]["t"].size(), 600u);
  const Json& forces = panel(data, "forces");
  const auto t = forces["t"].get<std::vector<double>>();
  EXPECT_LE(t.size(), 2000u);
  EXPECT_GE(t.size(), 1000u);
  EXPECT_EQ(t.front(), 0);
  EXPECT_EQ(t.back(), run.motion.times().back());
  EXPECT_TRUE(std::ranges::is_sorted(t));
  for (int k = 0; k < 2; ++k) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < run.motion.size(); ++i) {
      low = std::min(low, run.motion[i].constraint_force[k]);
      high = std::max(high, run.motion[i].constraint_force[k]);
    }
    const auto drawn = forces["series"][k]["values"].get<std::vector<double>>();
    EXPECT_EQ(std::ranges::min(drawn), rounded(low, 7));
    EXPECT_EQ(std::ranges::max(drawn), rounded(high, 7));
  }
}

TEST(Page, ASpikeOfOneInstantSurvivesThinning) {
  const int size = 100'000;
  std::vector<std::vector<double>> series(3, std::vector<double>(size, 0.0));
  for (int i = 0; i < size; ++i) series[0][i] = std::sin(1e-3 * i);
  series[1][31'337] = 7;
  series[2][77'777] = -7;
  series[2][5] = NAN;  // no extreme
  const std::vector<int> chosen = thinned(series, size, 2000);
  EXPECT_LE(chosen.size(), 2000u);
  EXPECT_EQ(chosen.front(), 0);
  EXPECT_EQ(chosen.back(), size - 1);
  EXPECT_TRUE(std::ranges::binary_search(chosen, 31'337));
  EXPECT_TRUE(std::ranges::binary_search(chosen, 77'777));
  // Evenly spread besides: no gap is longer than twice the even distance.
  for (std::size_t i = 1; i < chosen.size(); ++i) EXPECT_LE(chosen[i] - chosen[i - 1], 2 * size / 999);
}

TEST(Page, AShortRunIsNotThinned) {
  const std::vector<std::vector<double>> series(1, std::vector<double>(5, 1.0));
  EXPECT_EQ(thinned(series, 5, 2000), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Page, RoundingKeepsDigitsNotPlaces) {
  EXPECT_EQ(rounded(1234.56789, 7), 1234.568);
  EXPECT_EQ(rounded(-1.23456789e-15, 3), -1.23e-15);
  EXPECT_EQ(rounded(0.0, 7), 0.0);
  EXPECT_TRUE(std::isnan(rounded(NAN, 7)));
}

TEST(Page, TheDataCannotEndTheirElement) {
  Swung run(5);
  run.record.title = run.record.description = run.record.text = run.record.path = hostile;
  run.record.settings = {{hostile, hostile}};
  run.motion.notes = {hostile, "broken UTF-8: \xff"};
  const std::string text = page_data(run.swing.model, run.system, {}, run.motion, run.record);
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json data = Json::parse(text);
  EXPECT_EQ(data["text"], hostile);
  EXPECT_EQ(data["settings"][0][1], hostile);
  EXPECT_EQ(data["notes"][0], hostile);
}

TEST(Page, TextInHtmlIsEscaped) {
  EXPECT_EQ(escape_html(hostile),
            "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; &quot;&#39;");
}

TEST(Page, AMotionThatNeverBeganHasAPageWithItsReason) {
  Swing swing;
  swing.model.constrain("other_rod", swing.x * swing.x + swing.y * swing.y, 4);
  const System system(swing.model);
  MotionOptions options;
  options.until = 1;
  const Trajectory motion = simulate(system, options);
  ASSERT_TRUE(motion.empty());
  const Json data = Json::parse(page_data(swing.model, system, {}, motion, {}));
  EXPECT_FALSE(data["run"]["fine"].get<bool>());
  EXPECT_EQ(data["run"]["reason"], motion.reason);
  EXPECT_TRUE(data["end"].is_null());
  EXPECT_TRUE(data["frames"].is_null());
  EXPECT_TRUE(data["panels"].empty());
}

TEST(Page, FramesShowTheRodWhereTheRunHadIt) {
  const Swung run(50);
  const Json data = run.data();
  const Json& frames = data["frames"];
  EXPECT_TRUE(frames["planar"].get<bool>());
  ASSERT_EQ(frames["points"].size(), 1u);
  ASSERT_EQ(frames["links"].size(), 1u);
  for (int i = 0; i < 50; ++i) {
    // Six digits of a length of 1.
    EXPECT_NEAR(frames["points"][0]["xyz"][3 * i].get<double>(), run.motion[i].q[0], 1e-6);
    EXPECT_NEAR(frames["points"][0]["xyz"][3 * i + 1].get<double>(), run.motion[i].q[1], 1e-6);
  }
}

TEST(Page, TheWholePageHoldsTitleAndData) {
  Swung run(5);
  run.record.title = hostile;
  std::string whole;
  try {
    whole = page(run.swing.model, run.system, {}, run.motion, run.record);
  } catch (const Error& error) {
    // A program without the page says so.
    EXPECT_EQ(error.text(),
              "this program was built without the report page; build it with -DVINCULUM_REPORT=ON");
    return;
  }
  EXPECT_NE(whole.find("<title>" + escape_html(hostile) + "</title>"), std::string::npos);
  EXPECT_NE(whole.find(page_data(run.swing.model, run.system, {}, run.motion, run.record)),
            std::string::npos);
  EXPECT_EQ(whole.find(hostile), std::string::npos);
  // A page from disk has nothing to fetch: no element of it names another file.
  EXPECT_NE(whole.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(whole.find(" src=\"http"), std::string::npos);
  EXPECT_EQ(whole.find("<link"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
