// Through singular positions: the four-bars lie flat, and all their rows but one freedom's depend on each
// other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/systems.hpp"

namespace vinculum {
namespace {

struct Outcome {
  Trajectory motion;
  double miss = 0;  // of the upper end of the first upright, against the exact motion [m]
};

Outcome run(const System& system, const test::Upright& exact, MotionOptions options) {
  options.until = 10;
  options.samples = 1;
  Outcome o{simulate(system, options)};
  o.miss = std::hypot(o.motion.last.q[0] - std::sin(exact.theta), o.motion.last.q[1] - std::cos(exact.theta));
  return o;
}

void expect_passed(const Outcome& o, const std::string& what) {
  EXPECT_EQ(o.motion.stop, Stop::end) << what << ": " << o.motion.reason;
  EXPECT_LT(o.miss, 1e-6) << what;
  EXPECT_LT(std::fabs(o.motion.drift()), 1e-4) << what;
}

TEST(SingularPosition, OneFourBarPassesAtAHundredTolerances) {
  const System system(test::four_bars(1));
  const test::Upright exact = test::exact_upright(1, 10);
  for (const Integrator integrator : {Integrator::dop853, Integrator::taylor})
    for (int k = 0; k < 100; ++k) {
      MotionOptions options;
      options.integrator = integrator;
      options.tolerance = 1e-7 * std::pow(10, -0.05 * k);
      expect_passed(run(system, exact, options),
                    std::string(integrator_name(integrator)) + ", number " + std::to_string(k));
    }
}

TEST(SingularPosition, OneFourBarPassesWithEveryAdaptiveMethod) {
  const System system(test::four_bars(1));
  const test::Upright exact = test::exact_upright(1, 10);
  for (const char* name : {"dopri5", "extrapolation", "radau5"})
    for (int k = 0; k < 20; ++k) {
      MotionOptions options;
      options.integrator = integrator_named(name).value();
      options.tolerance = 1e-8 * std::pow(10, -0.1 * k);
      expect_passed(run(system, exact, options), std::string(name) + " " + std::to_string(k));
    }
}

TEST(SingularPosition, FixedStepsNeverFailWhereverTheyFall) {
  // Truncation of order 4 at the largest of these steps is 1e-4 m; a branch missed would be 1 m.
  const System system(test::four_bars(1));
  const test::Upright exact = test::exact_upright(1, 10);
  for (int k = 0; k < 100; ++k) {
    MotionOptions options;
    options.integrator = Integrator::rk4;
    options.step = 1e-2 * (1 + 0.002 * (k - 50));
    const Outcome o = run(system, exact, options);
    EXPECT_EQ(o.motion.stop, Stop::end) << options.step << ": " << o.motion.reason;
    EXPECT_LT(o.miss, 1e-3) << options.step;
    EXPECT_LT(std::fabs(o.motion.drift()), 1e-3) << options.step;
  }
}

TEST(SingularPosition, EveryPassageIsLoggedWithItsTimeAndNames) {
  const System system(test::four_bars(2));
  MotionOptions options;
  options.until = 1.4;
  options.tolerance = 1e-11;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.rank_changes.size(), 2u);
  const RankChange& first = motion.rank_changes[0];
  EXPECT_NEAR(first.time, 0.714355529292960472, 1e-9);  // reference case a02, N = 2
  EXPECT_EQ(first.before, 5);
  EXPECT_EQ(first.at, 3);
  EXPECT_EQ(first.after, 5);
  EXPECT_EQ(first.constraints,
            (std::vector<std::string>{"upright0", "upright1", "upright2", "coupler0", "coupler1"}));
}

bool says(const Trajectory& motion, const std::string& words) {
  return std::ranges::any_of(motion.notes,
                             [&](const std::string& note) { return note.find(words) != note.npos; });
}

/// A crank-rocker of rods whose transmission angle, by the law of cosines, stays between 34 and 68 degrees,
/// and a bar that lies flat: only the second comes near a singular position, and only there a run says so.
TEST(SingularPosition, OnlyOneThatIsNearIsCalledSo) {
  const double crank = 0.3, coupler = 1.25, rocker = 1.05;
  const auto transmission = [&](double diagonal) {
    return std::acos((coupler * coupler + rocker * rocker - diagonal * diagonal) / (2 * coupler * rocker));
  };
  ASSERT_GT(std::min(std::sin(transmission(1 - crank)), std::sin(transmission(1 + crank))), 0.5);
  Model model;
  const auto rod = [&](const char* name, double mass, double length, std::array<double, 3> at, double angle) {
    const double radius = 0.01, across = mass * (3 * radius * radius + length * length) / 12;
    return model.body(name, {.mass = mass,
                             .inertia = {mass * radius * radius / 2, across, across},
                             .position = at,
                             .orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
  };
  const double upright = std::acos(-1.0) / 2;
  const Body a = rod("crank", 0.3, crank, {0, crank / 2, 0}, upright);
  const Body b = rod("coupler", 1.25, coupler, {0.5, (crank + rocker) / 2, 0}, std::atan2(rocker - crank, 1));
  const Body c = rod("rocker", 1.05, rocker, {1, rocker / 2, 0}, upright);
  const auto pin = [&](const char* name, const Part& from, const Part& to, std::array<double, 3> at) {
    model.joint(name, from, to, {.type = JointType::revolute, .point = at});
  };
  pin("crank_pin", {}, a, {0, 0, 0});
  pin("coupler_pin", a, b, {0, crank, 0});
  pin("rocker_pin", b, c, {1, rocker, 0});
  pin("ground_pin", {}, c, {1, 0, 0});
  model.gravity({0, -9.81, 0});
  model.force_along(model.joint_angle("crank_pin"), 2.0);
  MotionOptions options;
  options.until = 1;
  const Trajectory turning = simulate(System(model), options);
  ASSERT_EQ(turning.stop, Stop::end) << turning.reason;
  EXPECT_FALSE(says(turning, "near a singular position"));
  options.until = 1.4;
  EXPECT_TRUE(says(simulate(System(test::four_bars(2)), options), "near a singular position"));
}

/// A light bead between two rods swings far faster than the weight below it. The rods are in one line at
/// times, which is no singular position, whatever the masses: each has a bead of its own.
TEST(SingularPosition, ALightBeadBetweenRodsIsNone) {
  for (const double light : {1.0, 1e-2, 1e-4}) {
    Model model;
    const Particle a = model.particle("a", {.mass = light, .position = {1, 0, 0}});
    const Particle b = model.particle("b", {.mass = 1.0, .position = {2, 0, 0}});
    model.gravity({0, 0, -9.81});
    model.constrain("rod1", norm(a.position()), 1.0);
    model.constrain("rod2", norm(b.position() - a.position()), 1.0);
    MotionOptions options;
    options.until = 0.5;
    const Trajectory motion = simulate(System(model), options);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_FALSE(says(motion, "near a singular position")) << light;
  }
}

/// The same of a light weight between heavy ones, stated by plain coordinates and by bodies.
TEST(SingularPosition, ALightWeightBetweenHeavyOnesIsNone) {
  MotionOptions options;
  options.until = 0.5;
  Model plain;
  const double x[] = {0.8, 1.8, 2.4}, y[] = {-0.6, -0.6, -1.4}, mass[] = {1, 1e-3, 1};
  Expr before_x = 0.0, before_y = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Coordinate a = plain.coordinate("x" + std::to_string(i), {x[i], 0});
    const Coordinate b = plain.coordinate("y" + std::to_string(i), {y[i], 0});
    plain.mass(a, mass[i]);
    plain.mass(b, mass[i]);
    plain.force(b, -9.81 * mass[i]);
    plain.constrain("r" + std::to_string(i), pow(a - before_x, 2) + pow(b - before_y, 2), 1.0);
    before_x = a;
    before_y = b;
  }
  Model bodies;
  Part before;
  for (int i = 0; i < 2; ++i) {
    const double m = i == 0 ? 1e-6 : 1.0;
    const Body b =
        bodies.body("b" + std::to_string(i),
                    {.mass = m, .inertia = {m / 100, m / 12, m / 12}, .position = {i + 0.5, 0, 0}});
    bodies.joint("j" + std::to_string(i), before, b,
                 {.type = JointType::revolute, .point = {1.0 * i, 0, 0}, .axis = {0, 1, 0}});
    before = Part(b);
  }
  bodies.gravity({0, 0, -9.81});
  for (const Model* model : {&plain, &bodies}) {
    const Trajectory motion = simulate(System(*model), options);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_FALSE(says(motion, "near a singular position"));
  }
}

/// The fast swing of the light bead is resolved to the tolerance however the bead is stated. The truth:
/// angles of a double pendulum, without any constraint.
TEST(SingularPosition, ALightBeadIsFollowedToTheTolerance) {
  const double light = 1e-6, g = 9.81;
  Model beads, angles;
  const Particle a = beads.particle("a", {.mass = light, .position = {0.6, -0.8, 0}});
  const Particle b = beads.particle("b", {.mass = 1.0, .position = {1.4, -1.4, 0}});
  beads.gravity({0, -g, 0});
  beads.constrain("rod1", norm(a.position()), 1.0);
  beads.constrain("rod2", norm(b.position() - a.position()), 1.0);
  beads.constrain("flat_a", a.z);
  beads.constrain("flat_b", b.z);
  const Coordinate p = angles.coordinate("p", {std::atan2(0.6, 0.8), 0}),
                   q = angles.coordinate("q", {std::atan2(0.8, 0.6), 0});
  const Expr all = 1 + light;
  angles.lagrangian(0.5 * all * p.rate() * p.rate() + 0.5 * q.rate() * q.rate() +
                    cos(p - q) * p.rate() * q.rate() + all * g * cos(p) + g * cos(q));
  MotionOptions options;
  options.until = 0.5;
  options.samples = 1;
  const Trajectory motion = simulate(System(beads), options);
  options.tolerance = 1e-12;
  const Trajectory truth = simulate(System(angles), options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  ASSERT_EQ(truth.stop, Stop::end) << truth.reason;
  // A thousand steps, each to a part of the tolerance.
  EXPECT_NEAR(motion.last.q[0], std::sin(truth.last.q[0]), 1e-7);
  EXPECT_NEAR(motion.last.q[3], std::sin(truth.last.q[0]) + std::sin(truth.last.q[1]), 1e-7);
}

TEST(SingularPosition, FortyFourBarsKeepTheirMotionAndTheirEnergy) {
  const System system(test::four_bars(40));
  const test::Upright exact = test::exact_upright(40, 10);
  MotionOptions options;
  options.tolerance = 1e-7;
  const Outcome o = run(system, exact, options);
  expect_passed(o, "forty");
  ASSERT_EQ(o.motion.rank_changes.size(), 10u);
  for (const RankChange& change : o.motion.rank_changes) {
    EXPECT_EQ(change.before, 81);
    EXPECT_EQ(change.at, 41);
    EXPECT_EQ(change.after, 81);
    EXPECT_EQ(change.constraints.size(), 81u);
  }
}

TEST(SingularPosition, ARowThatTurnsWithoutVanishingIsNoPassage) {
  // The pendulum's row (x, y) turns around in half a period and keeps its length.
  const System system(test::pendulum(0, 1, 5, 0));
  for (const char* name : {"dop853", "extrapolation"}) {
    MotionOptions options;
    options.until = 20;
    options.integrator = integrator_named(name).value();
    options.tolerance = 1e-6;
    EXPECT_TRUE(simulate(system, options).rank_changes.empty()) << name;
  }
}

TEST(SingularPosition, AMotionThatEndsInItIsRecorded) {
  const System system(test::four_bars(2));
  MotionOptions options;
  options.until = 0.714355529292960472;
  const Trajectory motion = simulate(system, options);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.last.q[0], 1, 1e-7);
}

/// A parallelogram of rods that starts flat, where its three rows depend on each other, on the way into one
/// of its two branches: both masses keep the angle of a pendulum of their own, 2 th'' = -cos th.
TEST(SingularPosition, AMotionThatBeginsInItGoesOn) {
  Model m;
  const Particle a = m.particle("a", {1.0, {1, 0, 0}, {0, 1, 0}}),
                 b = m.particle("b", {1.0, {3, 0, 0}, {0, 1, 0}});
  m.constrain("crank", norm(a.position()), 1);
  m.constrain("rocker", distance(b, {2, 0, 0}), 1);
  m.constrain("coupler", distance(a, b), 2);
  m.constrain("plane_a", a.z);
  m.constrain("plane_b", b.z);
  m.force(a.y, -1);
  Model angle;
  const Coordinate th = angle.coordinate("th", {0.0, 1.0});
  angle.mass(th, 2);
  angle.force(th, -cos(th));
  MotionOptions options;
  options.until = 1.2;  // before it is flat again
  const System system(m), reduced(angle);
  const Trajectory motion = simulate(system, options), expected = simulate(reduced, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double turned = expected.last.q[0];
  EXPECT_NEAR(motion.last.q[0], std::cos(turned), 1e-7);
  EXPECT_NEAR(motion.last.q[1], std::sin(turned), 1e-7);
  EXPECT_NEAR(motion.last.q[3], 2 + std::cos(turned), 1e-7);
  EXPECT_NEAR(motion.last.q[4], std::sin(turned), 1e-7);
}

/// N rods hinged to a regular polygon in a plane, which hangs from one of its hinges.
Model hanging_ring(int bodies, JointType type) {
  const double pi = std::acos(-1.0), radius = 0.5 / std::sin(pi / bodies);
  Model m;
  m.gravity({0, -9.81, 0});
  std::vector<Body> body;
  for (int i = 0; i < bodies; ++i) {
    const double turn = 2 * pi * (i + 0.5) / bodies, half = 0.5 * (turn + pi / 2);
    BodyOptions rod;
    rod.inertia = {0.01, 0.08, 0.08, 0, 0, 0};
    rod.position = {radius * std::cos(pi / bodies) * std::cos(turn),
                    radius * std::cos(pi / bodies) * std::sin(turn), 0};
    rod.orientation = {std::cos(half), 0, 0, std::sin(half)};
    body.push_back(m.body("b" + std::to_string(i), rod));
  }
  const auto corner = [&](int i) {
    return std::array<double, 3>{radius * std::cos(2 * pi * i / bodies),
                                 radius * std::sin(2 * pi * i / bodies), 0};
  };
  m.joint("hook", {}, body[0], {.type = type, .point = corner(0)});
  for (int i = 0; i < bodies; ++i)
    m.joint("j" + std::to_string(i), body[(i + bodies - 1) % bodies], body[i],
            {.type = type, .point = corner(i)});
  return m;
}

/// Hinges across the plane leave three rows that follow from the others; ball joints leave none there, and in
/// the plane both are the same mechanism.
TEST(SingularPosition, ARingOfThreeHundredHingedBodiesMovesAsOneWithBallJointsDoes) {
  const System hinged(hanging_ring(300, JointType::revolute)), free(hanging_ring(300, JointType::spherical));
  MotionOptions options;
  options.until = 0.1;
  const Trajectory motion = simulate(hinged, options), expected = simulate(free, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  ASSERT_EQ(expected.stop, Stop::end) << expected.reason;
  EXPECT_LT(motion.steps, 3 * expected.steps);
  EXPECT_EQ(motion.back().rank, 5 * 300 + 2);
  for (std::size_t k = 0; k < motion.last.q.size(); ++k)
    EXPECT_NEAR(motion.last.q[k], expected.last.q[k], 1e-6)
        << k;  // some 100 steps of 1e-9 each, of a ring of 95 m
}

/// A quarter of the period of a pendulum of length 1 that swings up to the horizontal.
double quarter_period() {
  double a = 1, b = std::sqrt(0.5);
  for (int k = 0; k < 8; ++k) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2 * a) / std::sqrt(test::gravity);
}

/// Two cranks and a coupler as long as the ground, flat and at rest: they fall side by side, come to rest
/// flat on the other side, and fall back. The rank drops there without any row turning around.
TEST(SingularPosition, AParallelogramComesToRestInItAndFallsBack) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 0}),
                   u = m.coordinate("u", {3, 0}), v = m.coordinate("v", {0, 0});
  for (const Coordinate& c : {x, y, u, v}) m.mass(c, 1.0);
  for (const Coordinate& c : {y, v}) m.potential(test::gravity * c);
  m.constrain("a", pow(x, 2) + pow(y, 2), 1.0);
  m.constrain("b", pow(u - 2, 2) + pow(v, 2), 1.0);
  m.constrain("c", pow(u - x, 2) + pow(v - y, 2), 4.0);
  const System system(std::move(m));
  const double half = 2 * quarter_period();
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    MotionOptions options;
    options.integrator = integrator_named(name).value();
    options.until = 2.5 * half;  // hanging down, halfway back again
    const Trajectory motion = simulate(system, options);
    ASSERT_EQ(motion.stop, Stop::end) << name << ": " << motion.reason;
    const double fastest = std::sqrt(2 * test::gravity);
    const double expected[] = {0, -1, 2, -1, -fastest, 0, -fastest, 0};
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(motion.last.q[k], expected[k], 1e-6) << name;
      EXPECT_NEAR(motion.last.v[k], expected[4 + k], 1e-5) << name;
    }
    ASSERT_EQ(motion.rank_changes.size(), 3u) << name;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(motion.rank_changes[k].time, k * half, 1e-6) << name;
      EXPECT_EQ(motion.rank_changes[k].at, 2) << name;
      EXPECT_EQ(motion.rank_changes[k].constraints.size(), 3u) << name;
    }
  }
}

/// From the node of a lemniscate, at a constant speed of the root of two: its loops have the
/// length 2.62205.., which is that root times what a pendulum takes for a quarter of its swing to the
/// horizontal.
TEST(SingularPosition, ABeadLeavesTheNodeOfALemniscateAndPassesItOnTime) {
  const double loop = quarter_period() * std::sqrt(test::gravity);
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 1});
  for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
  m.constrain("curve", pow(pow(x, 2) + pow(y, 2), 2), pow(x, 2) - pow(y, 2));
  const System system(std::move(m));
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation"})
    for (const double until : {3.0, 5.0, 10.0, 20.0}) {
      MotionOptions options;
      options.integrator = integrator_named(name).value();
      options.until = until;
      const Trajectory motion = simulate(system, options);
      ASSERT_EQ(motion.stop, Stop::end) << name << ": " << motion.reason;
      EXPECT_LT(std::fabs(motion.drift()), 1e-6) << name << " until " << until;
      ASSERT_EQ(static_cast<int>(motion.rank_changes.size()), 1 + static_cast<int>(until / loop))
          << name << " until " << until << ", the last at " << motion.rank_changes.back().time;
      for (std::size_t k = 0; k < motion.rank_changes.size(); ++k)
        EXPECT_NEAR(motion.rank_changes[k].time, static_cast<double>(k) * loop, 1e-6) << name << " " << k;
    }
}

/// A bead slides along y^2 = x^3 at a constant speed, sqrt(13), into the cusp, where there is no row. No rank
/// is below that: what depends on others before an instant cannot come to do so in it.
TEST(SingularPosition, ACuspEndsTheMotionWhereItIs) {
  const double length = 8.0 / 27 * (std::pow(13.0 / 4, 1.5) - 1);
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-6, 1e-9}) {
      Model m;
      const Coordinate x = m.coordinate("x", {1, -2}), y = m.coordinate("y", {1, -3});
      for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
      m.constrain("cusp", pow(y, 2), pow(x, 3));
      MotionOptions options;
      options.until = 2;
      options.integrator = method.integrator;
      options.tolerance = tolerance;
      options.step = method.adaptive ? 0 : 0.001;
      const Trajectory motion = simulate(System(std::move(m)), options);
      EXPECT_EQ(motion.stop, Stop::step_too_small) << method.name;
      EXPECT_NEAR(motion.last.t, length / std::sqrt(13.0), 1e-3) << method.name << " " << tolerance;
      EXPECT_NE(std::find(motion.names.begin(), motion.names.end(), "cusp"), motion.names.end());
      EXPECT_LE(motion.rank_changes.size(), 1u) << method.name << " " << tolerance;
      for (const RankChange& change : motion.rank_changes) EXPECT_EQ(change.at, 0) << method.name;
    }
}

/// A drive x = t takes a bead on a ring to where the ring ends: by every method, at every tolerance, both are
/// named, and nothing that is no name of the model.
TEST(SingularPosition, ADriveBeyondItsReachIsNamedWithWhatHoldsItBack) {
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      Model m;
      const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {1, 0});
      for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
      m.force(y, -1.0);
      m.constrain("ring", pow(x, 2) + pow(y, 2), 1.0);
      m.constrain("drive", x, m.time());
      MotionOptions options;
      options.until = 2;
      options.integrator = method.integrator;
      options.tolerance = tolerance;
      options.step = method.adaptive ? 0 : 0.01;
      const Trajectory motion = simulate(System(std::move(m)), options);
      EXPECT_NEAR(motion.last.t, 1, 0.011) << method.name;
      for (const char* name : {"ring", "drive"})
        EXPECT_EQ(std::count(motion.names.begin(), motion.names.end(), name), 1)
            << method.name << " " << tolerance << ": " << motion.reason;
      EXPECT_EQ(std::count(motion.names.begin(), motion.names.end(), "work"), 0) << motion.reason;
    }
}

/// x^2 = 0 has no row at x = 0 and cannot be kept against a force: the run ends at once and says whose fault
/// it is.
TEST(SingularPosition, AConstraintThatIsNothingWhereTheMotionStartsIsNamed) {
  for (const bool of_velocities : {false, true}) {
    Model m;
    const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
    for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
    m.force(x, 1.0);
    m.constrain("squared", of_velocities ? pow(x.rate(), 2) + pow(y.rate(), 2) : pow(x, 2), 0.0);
    MotionOptions options;
    options.until = 1;
    const Trajectory motion = simulate(System(std::move(m)), options);
    EXPECT_EQ(motion.stop, Stop::step_too_small);
    EXPECT_NE(motion.reason.find("squared fades there"), std::string::npos) << motion.reason;
    EXPECT_NE(std::find(motion.names.begin(), motion.names.end(), "squared"), motion.names.end());
  }
}

}  // namespace
}  // namespace vinculum
