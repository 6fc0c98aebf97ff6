// What mu adds to M and Q, against differences of L + mu phi; what is refused, word for word.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "vinculum/base/error.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

using Numbers = std::vector<double>;

/// Rows linear, affine and nonlinear in the velocities, with t, and one on positions.
Model mixed() {
  Model m;
  const Coordinate x = m.coordinate("x", {0.3, 0.7}), y = m.coordinate("y", {-0.2, 0.4}),
                   z = m.coordinate("z", {0.5, -0.6}), w = m.coordinate("w", {1.1, 0.2}),
                   u = m.coordinate("u", {0.3, 0.1});
  m.kinetic((2 + sin(x)) * pow(x.rate(), 2) / 2 + pow(y.rate(), 2) + pow(z.rate(), 2) / 2 +
            0.3 * x.rate() * y.rate() + pow(w.rate(), 2) + 2 * pow(u.rate(), 2));
  m.potential(x * y + cos(z) * w);
  m.constrain("linear", y.rate() * cos(z), sin(x + m.time()) * x.rate());
  m.constrain("curved", pow(z.rate(), 2) + x.rate() * y.rate() * w, 0.3 + 0.1 * y);
  m.constrain("rod", w * w + 0.2 * x * x, 1.3);
  m.constrain("pin", Vector{u.rate(), u, 0.0}, Vector{x * z.rate(), 0.4 * z, 0.0});
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("linear", 0, 0.4);
  m.start_multiplier("curved", 0, -0.3);
  m.start_multiplier("pin", 0, 0.25);
  return m;
}

/// L + mu phi of mixed(), by hand.
double function(double t, const Numbers& q, const Numbers& v) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double L = (2 + std::sin(x)) * v[0] * v[0] / 2 + v[1] * v[1] + v[2] * v[2] / 2 + 0.3 * v[0] * v[1] +
                   v[3] * v[3] + 2 * v[4] * v[4] - x * y - std::cos(z) * w;
  return L + q[5] * (v[1] * std::cos(z) - std::sin(x + t) * v[0]) +
         q[6] * (v[2] * v[2] + v[0] * v[1] * w - 0.3 - 0.1 * y) + q[7] * (v[4] - x * v[2]);
}

State somewhere(const System& system) {
  State at = system.start();
  at.t = 0.37;
  for (std::size_t i = 0; i < at.q.size(); ++i) at.q[i] += 0.1 * std::sin(2.3 * static_cast<double>(i) + 1);
  for (std::size_t i = 0; i < at.v.size(); ++i) at.v[i] += 0.1 * std::cos(1.9 * static_cast<double>(i));
  return at;
}

TEST(VakonomicSystem, CoordinatesAreFollowedByTheMuOfRowsOnVelocities) {
  const System system(mixed());
  EXPECT_EQ(system.coordinate_names(),
            (std::vector<std::string>{"x", "y", "z", "w", "u", "mu(linear)", "mu(curved)", "mu(pin[0])"}));
  EXPECT_EQ(system.stated_coordinates(), 5);
  EXPECT_EQ(system.start().q, (Numbers{0.3, -0.2, 0.5, 1.1, 0.3, 0.4, -0.3, 0.25}));
  EXPECT_EQ(system.multiplier_coordinate(0), 5);
  EXPECT_EQ(system.multiplier_coordinate(2), -1);
  EXPECT_EQ(system.multiplier_coordinate(3), 7);
  EXPECT_EQ(system.velocity_of_coordinate(5), -1);
  Numbers reported(6, 9.0);
  report_multipliers(system, system.start(), reported);
  EXPECT_EQ(reported, (Numbers{0.4, -0.3, 9.0, 0.25, 9.0, 9.0}));
}

TEST(VakonomicSystem, MAndQAreLagrangesEquationsOfLPlusMuPhi) {
  const System system(mixed());
  Workspace work(system);
  const State at = somewhere(system);
  const Equations e = evaluate(system, at, work);
  const Numbers M = e.M.dense();
  const double h = 1e-4;  // second differences: rounding 1e-8, and truncation 1e-8 times fourth derivatives
  const auto shifted = [&](int i, double a, int j,
                           double b) {  // i: a velocity; j: velocity, coordinate or time
    State s = at;
    s.v[i] += a;
    if (j < 5)
      s.v[j] += b;
    else if (j < 10)
      s.q[j - 5] += b;
    else
      s.t += b;
    return function(s.t, s.q, s.v);
  };
  const auto second = [&](int i, int j) {
    return (shifted(i, h, j, h) - shifted(i, h, j, -h) - shifted(i, -h, j, h) + shifted(i, -h, j, -h)) /
           (4 * h * h);
  };
  for (int i = 0; i < 5; ++i) {
    State up = at, down = at;
    up.q[i] += h;
    down.q[i] -= h;
    double Q = (function(at.t, up.q, at.v) - function(at.t, down.q, at.v)) / (2 * h) - second(i, 10);
    for (int j = 0; j < 5; ++j) {
      Q -= second(i, 5 + j) * at.v[j];
      EXPECT_NEAR(M[i * 5 + j], second(i, j), 3e-7) << i << " " << j;
    }
    EXPECT_NEAR(e.Q[i], Q, 3e-7) << i;
  }
  // As stated: the same without mu.
  State without = at;
  for (int k = 5; k < 8; ++k) without.q[k] = 0;
  const Equations stated = evaluate_stated(system, at, work);
  EXPECT_EQ(stated.M.dense(), evaluate(system, without, work).M.dense());
  EXPECT_EQ(stated.Q, evaluate(system, without, work).Q);
  EXPECT_EQ(stated.A.dense(), e.A.dense());
  EXPECT_NE(stated.M.dense(), e.M.dense());
}

TEST(VakonomicSystem, TheForceOfTheConstraintsIsWhatTheStatedMotionLacks) {
  const System system(mixed());
  Workspace work(system);
  const State at = somewhere(system);
  const Solution s = solve(system, at);
  ASSERT_EQ(s.status, Status::solved);
  EXPECT_TRUE(s.certificate.holds());
  const Equations stated = evaluate_stated(system, at, work);
  const Numbers M = stated.M.dense();
  Numbers sum(5, 0.0);
  for (int c = 0; c < 4; ++c) {
    const Numbers force = force_of_constraint(system, at, s, c, work);
    for (int i = 0; i < 5; ++i) sum[i] += force[i];
  }
  double gaussian = 0;
  for (int i = 0; i < 5; ++i) {
    double lacks = -stated.Q[i], free = -stated.Q[i], push = 0;
    for (int j = 0; j < 5; ++j) {
      lacks += M[i * 5 + j] * s.acceleration[j];
      free += M[i * 5 + j] * s.free_acceleration[j];
      push += M[i * 5 + j] * s.deviation[j];
    }
    gaussian += push * s.deviation[i];
    EXPECT_NEAR(s.constraint_force[i], lacks, 1e-12);
    EXPECT_NEAR(sum[i], lacks, 1e-12);
    EXPECT_NEAR(free, 0.0, 1e-13);
    EXPECT_NEAR(s.deviation[i], s.acceleration[i] - s.free_acceleration[i], 1e-14);
  }
  EXPECT_NEAR(s.gaussian, gaussian, 1e-12 * gaussian);
  // With Detail::motion the same motion and the same force.
  const Solution quick = solve(system, at, {.detail = Detail::motion});
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(quick.acceleration[i], s.acceleration[i], 1e-12);
    EXPECT_NEAR(quick.constraint_force[i], s.constraint_force[i], 1e-12);
  }
  EXPECT_TRUE(std::isnan(quick.gaussian));
}

TEST(VakonomicSystem, OutputsKnowMuAndTheForceOfEachRow) {
  Model m = mixed();
  for (int i = 0; i < 5; ++i) {
    const Expr v = m.velocities()[i].symbol;
    m.output("curved" + std::to_string(i), m.reaction("curved", v));
    m.output("pin" + std::to_string(i), m.reaction("pin", v, 0) + m.reaction("pin", v, 1));
  }
  m.output("mu", m.multiplier("curved"));
  m.output("lambda", m.multiplier("rod"));
  const System system(m);
  Workspace work(system);
  const State at = somewhere(system);
  const Solution s = solve(system, at);
  Numbers outputs(system.output_names().size());
  observe(system, at, {}, s, work, outputs);
  const Numbers curved = force_of_constraint(system, at, s, 1, work),
                pin = force_of_constraint(system, at, s, 3, work);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(outputs[2 * i], curved[i], 1e-12);
    EXPECT_NEAR(outputs[2 * i + 1], pin[i], 1e-12);
  }
  EXPECT_EQ(outputs[10], at.q[6]);
  EXPECT_EQ(outputs[11], s.multipliers[2]);
}

TEST(VakonomicSystem, ManyRowsOfOneShapeShareAKernel) {
  // Eight skates side by side, each with a mu of its own, move as one does.
  Model many, one;
  const auto add = [](Model& m, const std::string& name, double turn, double mu) {
    const Coordinate x = m.coordinate("x" + name, {0, 0.2}), y = m.coordinate("y" + name, {0, 0.1}),
                     phi = m.coordinate("phi" + name, {std::atan2(0.1, 0.2), turn});
    for (const Coordinate& q : {x, y, phi}) m.mass(q, 1);
    m.force(x, 1);
    m.constrain("blade" + name, x.rate() * sin(phi), y.rate() * cos(phi));
    m.set_mechanics(Mechanics::vakonomic);
    m.start_multiplier("blade" + name, 0, mu);
  };
  for (int k = 0; k < 8; ++k) add(many, std::to_string(k), 0.1 * k, 0.3 - 0.2 * k);
  add(one, "", 0.5, 0.3 - 0.2 * 5);
  const System all(many), alone(one);
  EXPECT_GE(all.group_count(), 2);
  const Solution a = solve(all, all.start()), b = solve(alone, alone.start());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.acceleration[15 + i], b.acceleration[i], 1e-14);
    EXPECT_NEAR(a.constraint_force[15 + i], b.constraint_force[i], 1e-14);
  }
  EXPECT_NEAR(a.multipliers[5], b.multipliers[0], 1e-14);
}

void expect_refused(const std::function<void(Model&, const Coordinate&, const Coordinate&)>& state,
                    const std::string& text) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 1);
  m.set_mechanics(Mechanics::vakonomic);
  state(m, x, y);
  try {
    const System system(m);
    ADD_FAILURE() << text;
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), text);
  }
}

TEST(VakonomicSystem, WhatHasNoPlaceInItIsRefused) {
  expect_refused([](Model& m, auto& x, auto& y) { m.constrain("c", x.rate(), y * y.rate()); },
                 "vakonomic motion needs the start of mu of row 'c'; see start_multiplier()");
  expect_refused([](Model& m, auto& x, auto& y) { m.constrain("c", Vector{x, y.rate(), 0.0}); },
                 "vakonomic motion needs the start of mu of row 'c[1]'; see start_multiplier()");
  expect_refused(
      [](Model& m, auto& x, auto&) { m.constrain("c", x.acceleration(), 1); },
      "constraint 'c' contains accelerations; vakonomic motion is for constraints on positions and "
      "velocities");
  expect_refused(
      [](Model& m, auto& x, auto&) {
        m.constrain("c", x, 0);
        m.start_multiplier("c", 0, 1);
      },
      "row 'c' is a constraint on positions and has no mu to start with; its lambda follows from the motion");
  expect_refused(
      [](Model& m, auto& x, auto& y) {
        m.constrain("c", x, 0);
        m.nonideal(y, m.multiplier("c"));
      },
      "the non-ideal force on 'y'' depends on constraint forces, which in vakonomic motion depend on mu and "
      "on it");
  expect_refused(
      [](Model& m, auto& x, auto&) {
        const Speed w = m.speed("w", 0.1);
        m.mass(w, 1);
        m.constrain("c", x.rate(), x * w);
        m.start_multiplier("c", 0, 1);
      },
      "constraint 'c' contains 'w', and the equations of vakonomic motion ask for coordinates whose rates "
      "are the "
      "velocities");
  expect_refused(
      [](Model& m, auto& x, auto& y) {
        m.set_mechanics(Mechanics::dalembert);
        m.constrain("c", x.rate(), y * y.rate());
        m.start_multiplier("c", 0, 1);
      },
      "a start of multipliers is for vakonomic motion alone; see set_mechanics()");
  expect_refused(
      [](Model& m, auto& x, auto& y) {
        m.constrain("c", x * x + y * y, 1);
        m.friction("c", 0.1);
      },
      "constraint 'c' has friction, which is a law for d'Alembert's reactions; vakonomic motion has none");
  expect_refused(
      [](Model& m, auto& x, auto& y) {
        m.constrain("c", x.rate() * y.rate(), 0);
        m.start_multiplier("c", 0, 1);
        m.servo("c");
      },
      "constraint 'c' is a programme to be followed, which is a matter of d'Alembert's forces and not of "
      "vakonomic "
      "motion");
}

TEST(VakonomicSystem, WhatMuAddsToMIsNoMassOfACoordinate) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.constrain("c", pow(x.rate(), 2) + pow(y.rate(), 2), 1);
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("c", 0, 1);
  try {
    const System system(m);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "'y'' has no mass: state its diagonal entry of M, or a kinetic energy; 0 makes it massless");
  }
}

}  // namespace
}  // namespace vinculum
