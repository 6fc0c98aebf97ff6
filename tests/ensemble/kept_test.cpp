// What is kept of a motion, against closed forms: ends, extremes and means also between the steps.
#include "vinculum/ensemble/kept.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/message.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> keep(const System& system, const std::vector<std::string>& names, MotionOptions motion) {
  kept_of(system, names);  // it has them
  Keeper keeper(names);
  motion.samples = 1;
  keeper.follow(system, motion);
  const Trajectory t = simulate(system, motion);
  EXPECT_TRUE(t.stop == Stop::end || t.stop == Stop::event) << t.reason;
  std::vector<double> out(names.size());
  keeper.gather(t, out);
  return out;
}

MotionOptions until(double end, double tolerance = 1e-11) {
  MotionOptions o;
  o.until = end;
  o.tolerance = tolerance;
  return o;
}

/// x'' = -w^2 x, x(0) = 1, x'(0) = 0.
Model oscillator(double w) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.force(x, -w * w * x);
  m.output("size", abs(x));
  m.output("square", x * x);
  m.output("one", x * 0.0 + 1.0);
  m.output("power", x.rate() * (-w * w * x));
  m.event("through", x);
  m.event("never", x + 3.0);
  return m;
}

TEST(Kept, TheEndIsThatOfTheMotion) {
  const double w = 2, T = 3.3;
  const auto kept = keep(System(oscillator(w)), {"x", "x'", "square", "energy", "t"}, until(T));
  EXPECT_NEAR(kept[0], std::cos(w * T), 1e-9);
  EXPECT_NEAR(kept[1], -w * std::sin(w * T), 1e-9);
  EXPECT_NEAR(kept[2], std::pow(std::cos(w * T), 2), 1e-9);
  EXPECT_NEAR(kept[3], 0.5 * w * w * std::sin(w * T) * std::sin(w * T), 1e-8);  // the spring is a force here
  EXPECT_EQ(kept[4], T);
}

TEST(Kept, ExtremesLieBetweenTheSteps) {
  const double w = 2, T = 10;
  for (const Integrator method : {Integrator::dop853, Integrator::taylor, Integrator::radau5}) {
    MotionOptions how = until(T);
    how.integrator = method;
    const auto kept =
        keep(System(oscillator(w)), {"x.max", "x.min", "x'.max", "power.max", "square.min"}, how);
    EXPECT_NEAR(kept[0], 1, 1e-9);
    EXPECT_NEAR(kept[1], -1, 1e-8);
    EXPECT_NEAR(kept[2], w, 1e-8);
    EXPECT_NEAR(kept[3], 0.5 * w * w * w, 1e-7);  // w^3/2 sin(2wt)
    EXPECT_NEAR(kept[4], 0, 1e-12);               // its minimum is touched
  }
}

TEST(Kept, MeansAreOverTime) {
  const double w = 2, T = 10;
  const auto kept = keep(System(oscillator(w)), {"x.mean", "square.mean", "one.mean", "t.mean"}, until(T));
  EXPECT_NEAR(kept[0], std::sin(w * T) / (w * T), 1e-9);
  EXPECT_NEAR(kept[1], 0.5 + std::sin(2 * w * T) / (4 * w * T), 1e-9);
  EXPECT_NEAR(kept[2], 1, 1e-14);
  EXPECT_NEAR(kept[3], T / 2, 1e-12);
}

/// |cos| has corners which no step knows of.
TEST(Kept, CornersAreSeen) {
  const double w = 2, T = 10;
  const auto kept = keep(System(oscillator(w)), {"size.mean", "size.min", "size.max"}, until(T));
  const double halves = std::floor(w * T / pi + 0.5);  // whole arches behind the first half one
  const double whole = 2 * halves + std::pow(-1, halves) * std::sin(w * T);
  EXPECT_NEAR(kept[0], whole / (w * T), 1e-6);
  EXPECT_NEAR(kept[1], 0, 1e-6);
  EXPECT_NEAR(kept[2], 1, 1e-9);
}

TEST(Kept, BackwardInTime) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 3});
  m.mass(x, 2.0);
  m.force(x, -2 * 9.81);
  // x = 3 t - g t^2 / 2, looked at from 0 back to -1.
  const auto kept = keep(System(m), {"x.max", "x.min", "x.mean", "x'.max"}, until(-1));
  EXPECT_NEAR(kept[0], 0, 1e-12);
  EXPECT_NEAR(kept[1], -3 - 9.81 / 2, 1e-9);
  EXPECT_NEAR(kept[2], -1.5 - 9.81 / 6, 1e-9);
  EXPECT_NEAR(kept[3], 3 + 9.81, 1e-9);
}

/// A pendulum's rod pulls most at the bottom: m g (3 - 2 cos a) from rest at the angle a.
TEST(Kept, ForcesOfConstraintsAlongTheMotion) {
  Model m;
  const double a = 1.2, g = 9.81;
  const Coordinate x = m.coordinate("x", {std::sin(a), 0}), y = m.coordinate("y", {-std::cos(a), 0});
  m.mass(x, 1.5);
  m.mass(y, 1.5);
  m.force(y, -1.5 * g);
  m.constrain("rod", sqrt(x * x + y * y), 1.0);
  m.output("pull", abs(m.multiplier("rod")));  // along a gradient of length 1
  const auto kept = keep(System(m), {"pull.max", "pull.min", "y.min"}, until(5));
  EXPECT_NEAR(kept[0], 1.5 * g * (3 - 2 * std::cos(a)), 1e-7);
  EXPECT_NEAR(kept[1], 1.5 * g * std::cos(a), 1e-7);
  EXPECT_NEAR(kept[2], -1, 1e-10);
}

TEST(Kept, EventsHaveATimeAndACount) {
  const double w = 2;
  const auto kept =
      keep(System(oscillator(w)), {"through.time", "through.count", "never.time", "never.count"}, until(3));
  EXPECT_NEAR(kept[0], pi / 4, 1e-9);
  EXPECT_EQ(kept[1], 2);  // at pi/4 and 3 pi/4
  EXPECT_TRUE(std::isnan(kept[2]));
  EXPECT_EQ(kept[3], 0);
}

TEST(Kept, AMotionThatStopsIsLookedAtUpToThere) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1});
  m.mass(x, 1.0);
  m.output("twice", 2.0 * x);
  m.event("gate", x - 0.6, Model::Direction::both, true);
  const auto kept = keep(System(m), {"x.max", "x.mean", "twice.max", "twice", "t"}, until(5));
  EXPECT_NEAR(kept[0], 0.6, 1e-12);
  EXPECT_NEAR(kept[1], 0.3, 1e-12);
  EXPECT_NEAR(kept[2], 1.2, 1e-12);
  EXPECT_NEAR(kept[3], 1.2, 1e-12);
  EXPECT_NEAR(kept[4], 0.6, 1e-12);
}

TEST(Kept, NoMotionHasItsStart) {
  const auto kept = keep(System(oscillator(1)), {"x.max", "x.mean", "square"}, until(0));
  EXPECT_EQ(kept, (std::vector<double>{1, 1, 1}));
}

/// Looking changes nothing: the same steps, the same end to the bit.
void expect_the_same_whoever_looks(const Model& model, MotionOptions plain) {
  const System system(model);
  plain.samples = 1;
  MotionOptions watched = plain;
  Keeper keeper({"x.max", "x'.min", "energy.mean"});
  keeper.follow(system, watched);
  const Trajectory a = simulate(system, plain), b = simulate(system, watched);
  EXPECT_EQ(a.last.q, b.last.q);
  EXPECT_EQ(a.last.v, b.last.v);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.rejected, b.rejected);
  EXPECT_EQ(a.reason, b.reason);
}

TEST(Kept, WhoLooksDoesNotChangeTheMotion) {
  expect_the_same_whoever_looks(oscillator(1.3), until(20, 1e-9));
}

/// Where what is looked at is not on its constraints, and a projection there asks for what rounding is.
TEST(Kept, WhoLooksDoesNotChangeAMotionThatRoundingHolds) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.596997, 0.263067}), y = m.coordinate("y", {0.596997, 0.263067}),
                   z = m.coordinate("z", {1e12, 0.18127});
  for (const Coordinate& c : {x, y, z}) m.mass(c, 1.798968);
  m.force(x, -3.646698015545014 / pow(x - 0.2, 3));
  m.force(z, -1 / z);
  m.constrain("same", x * y, 0.596997 * 0.596997);
  expect_the_same_whoever_looks(m, until(3, 1e-9));
}

/// x(t) = cos 2t, looked at wherever: at both ends, between steps, where the motion has ended already.
TEST(Kept, ValuesAtInstants) {
  const double w = 2;
  const auto kept = keep(System(oscillator(w)),
                         {"x@0.7", "x@0", "x'@3", "square@1.1", "t@0.25", "x@3.01", "x@-1"}, until(3));
  EXPECT_NEAR(kept[0], std::cos(0.7 * w), 1e-9);
  EXPECT_EQ(kept[1], 1);
  EXPECT_NEAR(kept[2], -w * std::sin(3 * w), 1e-9);
  EXPECT_NEAR(kept[3], std::pow(std::cos(1.1 * w), 2), 1e-9);
  EXPECT_EQ(kept[4], 0.25);
  EXPECT_TRUE(std::isnan(kept[5]));
  EXPECT_TRUE(std::isnan(kept[6]));
}

/// They are what a run with these samples records, to the bit, forward and backward, whatever else is kept.
TEST(Kept, TrajectoriesAreThoseOfTheRecord) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0}), y = m.coordinate("y", {-0.8, 0});
  m.mass(x, 1.5);
  m.mass(y, 1.5);
  m.force(y, -1.5 * 9.81);
  m.constrain("rod", x * x + y * y, 1.0);
  m.output("pull", m.multiplier("rod"));
  const System system(m);
  for (const double end : {4.0, -2.5})
    for (const Integrator method :
         {Integrator::dop853, Integrator::taylor, Integrator::radau5, Integrator::rk4}) {
      MotionOptions how = until(end, 1e-9);
      how.integrator = method;
      if (method == Integrator::rk4) how.step = 0.013;
      constexpr int samples = 58;
      const std::vector<double> instants = even_instants(0, end, samples);
      const std::vector<std::string> asked{"pull.samples", "x.max", "y'.samples"};
      const std::vector<std::string> names = with_samples(asked, instants);
      ASSERT_EQ(names.size(), 2 * samples + 1u);
      const auto kept = keep(system, names, how);
      how.samples = samples;
      const Trajectory record = simulate(system, how);
      ASSERT_EQ(record.times().size(), samples + 0u);
      for (int k = 0; k < samples; ++k) {
        EXPECT_EQ(record[k].t, instants[k]);
        EXPECT_EQ(kept[k], record[k].outputs[0]) << end << " " << names[k];
        EXPECT_EQ(kept[samples + 1 + k], record[k].v[1]) << end << " " << names[samples + 1 + k];
      }
    }
}

TEST(Kept, BehindAStopThereIsNoValue) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1});
  m.mass(x, 1.0);
  m.event("gate", x - 0.5, Model::Direction::both, true);
  const auto kept = keep(System(m), {"x@0.4", "x@0.25", "x@0.75"}, until(5));
  EXPECT_NEAR(kept[0], 0.4, 1e-12);
  EXPECT_NEAR(kept[1], 0.25, 1e-12);
  EXPECT_TRUE(std::isnan(kept[2]));
  EXPECT_EQ(keep(System(oscillator(1)), {"x@0", "x@1"}, until(0))[0], 1);
}

TEST(Kept, TrajectoriesAmongWhatIsKept) {
  const std::vector<std::string> kept{"x@0", "y", "x@2", "z@1", "x@1", "x@3", "x@4", "x@5"};
  const auto all = kept_trajectories(kept);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "x");
  EXPECT_EQ(all[0].places, (std::vector<std::size_t>{0, 4, 2, 5, 6, 7}));
  EXPECT_EQ(all[0].instants, (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(all[1].places, std::vector<std::size_t>{3});
  EXPECT_EQ(told_one_by_one(kept), (std::vector<std::size_t>{0, 1, 3, 7}));
  EXPECT_FALSE(at_instant("x"));
  EXPECT_FALSE(at_instant("x@"));
  EXPECT_FALSE(at_instant("x@1s"));
  EXPECT_FALSE(at_instant("x@inf"));
  EXPECT_EQ(at_instant("m.x'@-2e3")->name, "m.x'");
  EXPECT_EQ(at_instant("m.x'@-2e3")->instant, -2000);
}

TEST(Kept, AnUnknownNameHasTheNearestOne) {
  const System system(oscillator(1));
  const auto said = [&](const std::string& name) {
    return test::message([&] { kept_of(system, std::vector{name}); });
  };
  EXPECT_NE(said("squar").find("did you mean 'square'?"), std::string::npos) << said("squar");
  EXPECT_NE(said("x.maxx").find("did you mean 'x.max'?"), std::string::npos) << said("x.maxx");
  EXPECT_NE(said("through.tim").find("did you mean 'through.time'?"), std::string::npos);
  EXPECT_NE(said("through.max").find("there is no 'through.max'"), std::string::npos);
}

TEST(Kept, WithoutWordsTheOutputsAreKept) {
  EXPECT_EQ(kept_unless_said(System(oscillator(1))),
            (std::vector<std::string>{"size", "square", "one", "power"}));
  Model m;
  m.mass(m.coordinate("x", {0, 1}), 1.0);
  EXPECT_EQ(kept_unless_said(System(m)), (std::vector<std::string>{"x", "x'"}));
}

}  // namespace
}  // namespace vinculum
