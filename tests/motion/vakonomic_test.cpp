// Vakonomic motion against references computed by others, closed forms, and the action itself.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "motion/until.hpp"
#include "support/data.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::json;
using test::until;

double number(const Json& text) { return std::stod(text.get<std::string>()); }

Json reference(const std::string& name) {
  std::ifstream file(test_data() + "/reference/" + name + ".json");
  return Json::parse(file);
}

/// m = I = G = w = 1: a blade on a slope that falls towards x.
Model skate(Mechanics mechanics, double mu = 0.0) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), phi = m.coordinate("phi", {0, 1});
  m.lagrangian((pow(x.rate(), 2) + pow(y.rate(), 2) + pow(phi.rate(), 2)) / 2 + x);
  m.constrain("blade", x.rate() * sin(phi), y.rate() * cos(phi));
  m.output("u", x.rate() * cos(phi) + y.rate() * sin(phi));
  m.output("phi_dot", phi.rate());
  m.set_mechanics(mechanics);
  if (mechanics != Mechanics::vakonomic) return m;
  m.start_multiplier("blade", 0, mu);
  m.output("mu", m.multiplier("blade"));
  return m;
}

/// A free particle with y' = z x'.
Model heisenberg(Mechanics mechanics, double mu = 0.0) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0.5}),
                   z = m.coordinate("z", {0.5, 0.4});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1);
  m.constrain("plane", y.rate(), z * x.rate());
  m.output("vx", x.rate());
  m.output("vz", z.rate());
  m.set_mechanics(mechanics);
  if (mechanics != Mechanics::vakonomic) return m;
  m.start_multiplier("plane", 0, mu);
  m.output("mu", m.multiplier("plane"));
  return m;
}

/// Every number of the row: a coordinate or an output of the system.
void expect_row(const System& system, const Trajectory& motion, const Json& row, double near) {
  for (const auto& [name, text] : row.items()) {
    if (name == "principle" || name == "t") continue;
    double found = NAN;
    for (std::size_t i = 0; i < system.coordinate_names().size(); ++i)
      if (system.coordinate_names()[i] == name) found = motion.last.q[i];
    for (std::size_t k = 0; k < system.output_names().size(); ++k)
      if (system.output_names()[k] == name) found = motion.back().outputs[k];
    const double expected = number(text);
    EXPECT_NEAR(found, expected, near * (1 + std::fabs(expected))) << row << " " << name;
  }
}

using Make = Model(Mechanics, double);
void expect_reference(const std::string& name, Make* make, const std::string& integrator, double tolerance,
                      double near) {
  int rows = 0;
  const Json data = reference(name);
  for (const Json& row : data["reference"]) {
    const std::string principle = row["principle"];
    const std::size_t mu = principle.find("mu(0)=");
    const bool vakonomic = mu != principle.npos;
    const System system(make(vakonomic ? Mechanics::vakonomic : Mechanics::dalembert,
                             vakonomic ? std::stod(principle.substr(mu + 6)) : 0.0));
    const Trajectory motion = simulate(system, until(number(row["t"]), tolerance, integrator));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    expect_row(system, motion, row, near);
    ++rows;
  }
  EXPECT_GE(rows, 4);
}

// What a tolerance of 1e-13 leaves over these times: h01 asks for 1e-11 where double precision holds it.
TEST(Vakonomic, TheSkateMovesAsTheReference) {
  expect_reference("h01-skate-vakonomic-vs-lda", skate, "dop853", 1e-13, 1e-11);
  expect_reference("h01-skate-vakonomic-vs-lda", skate, "extrapolation", 1e-13, 1e-11);
  expect_reference("h01-skate-vakonomic-vs-lda", skate, "radau5", 1e-9, 1e-7);
}

TEST(Vakonomic, TheHeisenbergParticleMovesAsTheReference) {
  expect_reference("h02-heisenberg-particle", heisenberg, "dop853", 1e-13, 1e-11);
  expect_reference("h02-heisenberg-particle", heisenberg, "extrapolation", 1e-13, 1e-11);
  expect_reference("h02-heisenberg-particle", heisenberg, "radau5", 1e-9, 1e-7);
}

TEST(Vakonomic, TheMomentaOfTheSkateAreThoseOfItsSymmetries) {
  // L + mu phi does not contain y, and x only as its slope: two momenta are known at all times.
  const double mu0 = 0.5;
  const System system(skate(Mechanics::vakonomic, mu0));
  ASSERT_EQ(system.coordinate_names(), (std::vector<std::string>{"x", "y", "phi", "mu(blade)"}));
  EXPECT_EQ(system.stated_coordinates(), 3);
  MotionOptions options = until(6, 1e-12);
  options.samples = 61;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.size(), 61);
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    const double phi = s.q[2], mu = s.q[3];
    EXPECT_NEAR(s.v[0] + mu * std::sin(phi), s.t, 1e-10);
    EXPECT_NEAR(s.v[1] - mu * std::cos(phi), -mu0, 1e-10);
    EXPECT_EQ(s.multipliers[0], mu);
    EXPECT_EQ(s.outputs[2], mu);
    // Linear in the velocities and without t: the force does no work.
    EXPECT_NEAR(
        s.constraint_force[0] * s.v[0] + s.constraint_force[1] * s.v[1] + s.constraint_force[2] * s.v[2], 0.0,
        1e-11);
  }
  EXPECT_NEAR(motion.drift(), 0.0, 1e-10);
}

/// Simpson's rule for the action of L + mu phi of the skate along samples shifted by e eta.
double action(const Trajectory& motion, double e) {
  double sum = 0;
  const int n = motion.size() - 1;
  const double end = motion.back().t;
  for (int i = 0; i <= n; ++i) {
    const Sample s = motion[i];
    const double w = M_PI / end;
    const double eta[3] = {std::sin(w * s.t), std::sin(2 * w * s.t), std::sin(3 * w * s.t)};
    const double rate[3] = {w * std::cos(w * s.t), 2 * w * std::cos(2 * w * s.t),
                            3 * w * std::cos(3 * w * s.t)};
    const double x = s.q[0] + e * eta[0], phi = s.q[2] + e * eta[2];
    const double vx = s.v[0] + e * rate[0], vy = s.v[1] + e * rate[1], turn = s.v[2] + e * rate[2];
    const double mu = s.q.size() > 3 ? s.q[3] : -s.multipliers[0];
    const double value =
        (vx * vx + vy * vy + turn * turn) / 2 + x + mu * (vx * std::sin(phi) - vy * std::cos(phi));
    sum += value * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum * end / n / 3;
}

TEST(Vakonomic, TheActionIsStationaryAndDAlembertsIsNot) {
  const auto slope = [](const System& system) {
    MotionOptions options = until(2, 1e-12);
    options.samples = 2001;
    const Trajectory motion = simulate(system, options);
    const double e = 1e-4;
    return (action(motion, e) - action(motion, -e)) / (2 * e);
  };
  // e^2 of the third variation, of size 1, is left of a central difference.
  EXPECT_NEAR(slope(System(skate(Mechanics::vakonomic, 0.3))), 0.0, 1e-6);
  EXPECT_GT(std::fabs(slope(System(skate(Mechanics::dalembert)))), 1e-2);
}

TEST(Vakonomic, ConstraintsOnPositionsMoveAsDAlemberts) {
  const auto pendulum = [](Mechanics mechanics) {
    Model m;
    const Coordinate x = m.coordinate("x", {0.6, 0}), y = m.coordinate("y", {-0.8, 0});
    m.mass(x, 2);
    m.mass(y, 2);
    m.force(y, -2 * 9.81);
    m.constrain("rod", x * x + y * y, 1);
    m.set_mechanics(mechanics);
    return m;
  };
  const System one(pendulum(Mechanics::vakonomic)), other(pendulum(Mechanics::dalembert));
  const Trajectory a = simulate(one, until(3, 1e-12)), b = simulate(other, until(3, 1e-12));
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-11);
    EXPECT_NEAR(a.last.v[i], b.last.v[i], 1e-11);
    EXPECT_NEAR(a.back().constraint_force[i], b.back().constraint_force[i], 1e-9);
  }
  EXPECT_NEAR(a.back().multipliers[0], b.back().multipliers[0], 1e-9);  // lambda, not mu
}

TEST(Vakonomic, ARowThatCanBeIntegratedMovesAsDAlembertsWhateverMuIs) {
  // y' = k x' is a straight track: lambda = m g / (1 + k^2) all along.
  const double k = 0.75, g = 9.81, mass = 2, mu0 = -3, end = 1.5;
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, k});
  m.mass(x, mass);
  m.mass(y, mass);
  m.force(y, -mass * g);
  m.constrain("track", y.rate(), k * x.rate());
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("track", 0, mu0);
  const Trajectory motion = simulate(System(m), until(end, 1e-12));
  const double lambda = mass * g / (1 + k * k), a = -k * g / (1 + k * k);
  EXPECT_NEAR(motion.last.q[0], end + a * end * end / 2, 1e-11);
  EXPECT_NEAR(motion.last.v[1], k * (1 + a * end), 1e-11);
  EXPECT_NEAR(motion.last.q[2], mu0 - lambda * end, 1e-10);
  EXPECT_NEAR(motion.drift(), 0.0, 1e-10);
}

/// Constant speed c under the force (0, f): (m + 2 mu) v is a momentum P with P' = (0, f).
struct ConstantSpeed {
  double mass = 1.5, c = 2, f = -4, angle = 0.4, mu0 = 0;
  Model model() const {
    Model m;
    const Coordinate x = m.coordinate("x", {0, c * std::cos(angle)}),
                     y = m.coordinate("y", {0, c * std::sin(angle)});
    m.mass(x, mass);
    m.mass(y, mass);
    m.force(y, f);
    m.constrain("speed", pow(x.rate(), 2) + pow(y.rate(), 2), c * c);
    m.output("fx", m.reaction("speed", x));
    m.output("fy", m.reaction("speed", y));
    m.set_mechanics(Mechanics::vakonomic);
    m.start_multiplier("speed", 0, mu0);
    return m;
  }
  void expect_motion() const {
    const System system(model());
    const double end = 1.2;
    const Trajectory motion = simulate(system, until(end, 1e-12));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    const double inertia = mass + 2 * mu0, side = inertia > 0 ? 1 : -1;
    const double px = inertia * c * std::cos(angle), p0 = inertia * c * std::sin(angle), py = p0 + f * end;
    const double size = std::hypot(px, py), near = 1e-10;
    EXPECT_NEAR(motion.last.v[0], side * c * px / size, near);
    EXPECT_NEAR(motion.last.v[1], side * c * py / size, near);
    EXPECT_NEAR(motion.last.q[1], side * c / f * (size - std::hypot(px, p0)), near);
    EXPECT_NEAR(motion.last.q[0],
                side * c * px / f * (std::asinh(py / std::fabs(px)) - std::asinh(p0 / std::fabs(px))), near);
    EXPECT_NEAR(motion.last.q[2], (side * size / c - mass) / 2, near);
    // The force of a nonlinear row does work, and the balance of the stated energy has it.
    EXPECT_GT(std::fabs(motion.work.constraint), 1e-2);
    EXPECT_NEAR(motion.drift(), 0.0, near);
    const Sample last = motion.back();
    EXPECT_NEAR(last.outputs[0], last.constraint_force[0], 1e-11);
    EXPECT_NEAR(last.outputs[1], last.constraint_force[1], 1e-11);
    EXPECT_NEAR(last.constraint_force[1], mass * last.acceleration[1] - f, 1e-11);
  }
};

TEST(Vakonomic, AtConstantSpeedTheMomentumWithMuObeysTheForce) {
  for (const double mu0 : {0.0, 1.0, -0.3}) ConstantSpeed{.mu0 = mu0}.expect_motion();
}

TEST(Vakonomic, AMassMatrixWithNegativeDirectionsIsSolvedAsAStationaryPoint) {
  // m + 2 mu < 0: no minimum, and yet the equations have one answer.
  const ConstantSpeed backward{.mu0 = -2};
  backward.expect_motion();
  const System system(backward.model());
  const Solution s = solve(system, system.start());
  EXPECT_EQ(s.status, Status::solved);
  EXPECT_TRUE(s.certificate.holds());
  for (const Road road : {Road::robust, Road::lagrange, Road::gauss}) {
    const Solution other = solve(system, system.start(), {.road = road});
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(other.acceleration[i], s.acceleration[i], 1e-13) << road_name(road);
    EXPECT_NEAR(other.multipliers[0], s.multipliers[0], 1e-13) << road_name(road);
  }
}

TEST(Vakonomic, WhereMuTakesAllInertiaTheMotionIsOpenAndSaysSo) {
  const System system(ConstantSpeed{.mu0 = -0.75}.model());  // m + 2 mu = 0
  const Trajectory motion = simulate(system, until(1, 1e-12));
  EXPECT_EQ(motion.stop, Stop::singular);
  EXPECT_EQ(
      motion.reason,
      "at t = 0: the accelerations of 'x' and 'y' are left open: M + mu phi_vv is singular along what the "
      "constraints allow");
}

TEST(Vakonomic, TheWorkOfConstraintsThatDependOnTimeClosesTheBalance) {
  // Linear with t in it, and affine: the power is -mu dphi/dt and more.
  for (const bool affine : {false, true}) {
    Model m;
    const Coordinate x = m.coordinate("x", {0, 0.3}), y = m.coordinate("y", {0.2, 0}),
                     z = m.coordinate("z", {0, 0.7});
    m.lagrangian((pow(x.rate(), 2) + 2 * pow(y.rate(), 2) + pow(z.rate(), 2)) / 2 - y * y - x * z);
    if (affine)
      m.constrain("belt", y.rate() - sin(x) * z.rate(), 0.5 * y - 0.1);
    else
      m.constrain("belt", y.rate(), sin(x + m.time()) * z.rate());
    m.set_mechanics(Mechanics::vakonomic);
    m.start_multiplier("belt", 0, 0.8);
    const Trajectory motion = simulate(System(m), until(2, 1e-12));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_GT(std::fabs(motion.work.constraint), 1e-3);
    EXPECT_NEAR(motion.drift(), 0.0, 1e-10);
  }
}

TEST(Vakonomic, ForwardAndBackwardLeadsToTheStart) {
  for (const std::string integrator : {"dop853", "radau5"}) {
    const System system(heisenberg(Mechanics::vakonomic, 1.2));
    const double tolerance = integrator == "radau5" ? 1e-9 : 1e-12;
    const Trajectory there = simulate(system, until(3, tolerance, integrator));
    State turn = there.last;
    const Trajectory back = simulate(system, turn, until(0, tolerance, integrator));
    ASSERT_EQ(back.stop, Stop::end) << back.reason;
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(back.last.q[i], system.start().q[i], 100 * tolerance) << integrator;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(back.last.v[i], system.start().v[i], 100 * tolerance) << integrator;
  }
}

TEST(Vakonomic, ARowStatedTwiceSharesItsMuAndTheRunSaysSo) {
  Model twice = skate(Mechanics::vakonomic, 0.1);
  // The same row, doubled: of lambda = l1 + 2 l2 the least is l2 = 2 l1.
  twice.constrain("again", 2 * twice.velocities()[0].symbol * sin(twice.coordinates()[2].symbol),
                  2 * twice.velocities()[1].symbol * cos(twice.coordinates()[2].symbol));
  twice.start_multiplier("again", 0, 0.2);
  const System system(twice), once(skate(Mechanics::vakonomic, 0.5));
  const Trajectory a = simulate(system, until(3, 1e-12)), b = simulate(once, until(3, 1e-12));
  ASSERT_EQ(a.stop, Stop::end) << a.reason;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-10);
  EXPECT_NEAR(a.last.q[3] + 2 * a.last.q[4], b.last.q[3], 1e-10);
  EXPECT_NEAR(a.last.q[4] - 0.2, 2 * (a.last.q[3] - 0.1), 1e-10);
  EXPECT_EQ(a.notes,
            (std::vector<std::string>{
                "the multipliers are not unique: those of least norm are taken, also for the rates of mu"}));
}

TEST(Vakonomic, ANonIdealForceActsBesideTheForceOfTheConstraint) {
  // F^C is a force that the rows have let through: mu' = -lambda of the ideal problem.
  Model m = heisenberg(Mechanics::vakonomic, 0.4);
  for (int i = 0; i < 3; ++i) m.nonideal(m.velocities()[i].symbol, -0.5 * m.velocities()[i].symbol);
  const System system(m);
  const Trajectory motion = simulate(system, until(2, 1e-11));
  ASSERT_EQ(motion.stop, Stop::end);
  EXPECT_LT(motion.work.nonideal, -0.1);
  EXPECT_NEAR(motion.drift(), 0.0, 1e-9);
  const Sample end = motion.back();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(end.constraint_force[i], end.acceleration[i] - end.nonideal_force[i], 1e-12);
}

TEST(Vakonomic, BaumgartesForcesAreRefused) {
  const System system(skate(Mechanics::vakonomic));
  try {
    MotionOptions options = until(1, 1e-12);
    options.keep = Stabilisation::baumgarte;
    simulate(system, options);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "simulate: Baumgarte's forces would enter mu' = -lambda; vakonomic motion is kept by projection");
  }
}

}  // namespace
}  // namespace vinculum
