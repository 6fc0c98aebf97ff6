// Control forces at one instant: shares of unmarked and marked rows, and programmes that act by actuators.
#include "vinculum/system/control.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

/// A system of constant numbers: M q'' = Q with rows on accelerations, some of them programmes.
struct Numbers {
  Matrix M, A;
  Column Q, b;
  int programmes = 0;  // the last rows
  int size() const { return static_cast<int>(Q.size()); }
};

Numbers random_numbers(std::mt19937& random, int n, int others, int programmes) {
  std::uniform_real_distribution<double> part(-1, 1);
  const auto any = [&] { return part(random); };
  Numbers s;
  const Matrix root = Matrix::NullaryExpr(n, n, any);
  s.M = root * root.transpose() + Matrix::Identity(n, n);
  s.A = Matrix::NullaryExpr(others + programmes, n, any);
  s.Q = Column::NullaryExpr(n, any);
  s.b = Column::NullaryExpr(others + programmes, any);
  s.programmes = programmes;
  return s;
}

Model model_of(const Numbers& s, const std::vector<int>& actuators, bool marked = true) {
  Model m;
  std::vector<Coordinate> q;
  for (int i = 0; i < s.size(); ++i) q.push_back(m.coordinate("q" + std::to_string(i)));
  for (int i = 0; i < s.size(); ++i) {
    m.force(q[i], s.Q[i]);
    for (int j = 0; j < i; ++j) m.mass(q[i], q[j], s.M(i, j));
    m.mass(q[i], s.M(i, i));
  }
  ServoOptions options;
  for (const int v : actuators) options.actuators.emplace_back(q[v]);
  for (int r = 0; r < s.A.rows(); ++r) {
    Expr left = 0;
    for (int i = 0; i < s.size(); ++i) left = left + s.A(r, i) * q[i].acceleration();
    const std::string name = "c" + std::to_string(r);
    m.constrain(name, left, s.b[r]);
    if (marked && r >= s.A.rows() - s.programmes) m.servo(name, options);
  }
  return m;
}

Column column(const std::vector<double>& x) {
  return Eigen::Map<const Column>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Column j: the acceleration that a unit force on actuator j makes while the other rows hold.
Matrix responses(const Numbers& s, const std::vector<int>& actuators) {
  const int n = s.size(), p = static_cast<int>(s.A.rows()) - s.programmes;
  Matrix kkt = Matrix::Zero(n + p, n + p);
  kkt.topLeftCorner(n, n) = s.M;
  kkt.topRightCorner(n, p) = -s.A.topRows(p).transpose();
  kkt.bottomLeftCorner(p, n) = s.A.topRows(p);
  Matrix unit = Matrix::Zero(n + p, static_cast<Eigen::Index>(actuators.size()));
  for (std::size_t j = 0; j < actuators.size(); ++j) unit(actuators[j], static_cast<Eigen::Index>(j)) = 1;
  return kkt.fullPivLu().solve(unit).topRows(n);
}

TEST(ControlForce, ADrivenInstantObeysItsLawItsRowsAndGauss) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 4 + trial % 5, others = trial % 3, programmes = 1 + trial % 2;
    const Numbers s = random_numbers(random, n, others, programmes);
    std::vector<int> actuators;  // as many as programmes, or more than that
    for (int v = n - 1; v >= 0 && static_cast<int>(actuators.size()) < programmes + trial % 3; --v)
      actuators.push_back(v);
    const System system(model_of(s, actuators));
    const Solution found = solve(system, system.start());
    ASSERT_EQ(found.status, Status::solved) << describe(system, found);
    const Column q = column(found.acceleration), u = column(found.control_force);
    Column force = s.Q + u;
    for (int r = 0; r < others; ++r) force += s.A.row(r).transpose() * found.multipliers[r];
    // Responses are divided by the grip of the actuators, which may be small in a random system.
    const double size = 1 + q.norm() + u.norm();
    EXPECT_LT((s.M * q - force).norm(), 1e-11 * size);
    EXPECT_LT((s.A * q - s.b).norm(), 1e-10 * size);
    for (int v = 0; v < n; ++v) {
      if (std::find(actuators.begin(), actuators.end(), v) == actuators.end()) {
        EXPECT_EQ(u[v], 0);
      }
    }
    for (int r = others; r < others + programmes; ++r) EXPECT_TRUE(std::isnan(found.multipliers[r]));
    // Gauss's function is stationary over all forces of the actuators that keep the programmes.
    const Matrix R = responses(s, actuators), G = s.A.bottomRows(programmes) * R;
    const Matrix still = G.fullPivLu().kernel();
    const Column a = s.M.llt().solve(s.Q);
    if (still.norm() > 0) {
      EXPECT_LT(((q - a).transpose() * s.M * R * still).norm(), 1e-9 * size * size);
    }
    EXPECT_NEAR(found.gaussian, (q - a).dot(s.M * (q - a)), 1e-10 * (1 + found.gaussian));
    EXPECT_LT((column(found.deviation) - (q - a)).norm(), 1e-11 * size);
    EXPECT_LT((column(found.dissatisfaction) - (s.b - s.A * a)).norm(), 1e-11 * size);
  }
}

TEST(ControlForce, WithEveryCoordinateDrivenTheMotionIsThatOfAFreeHand) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 3 + trial % 4;
    const Numbers s = random_numbers(random, n, trial % 2, 1 + trial % 2);
    std::vector<int> all(n);
    for (int v = 0; v < n; ++v) all[v] = v;
    const System plain(model_of(s, {}, false)), free(model_of(s, {})), driven(model_of(s, all));
    const Solution one = solve(plain, plain.start()), two = solve(free, free.start()),
                   three = solve(driven, driven.start());
    EXPECT_TRUE(one.control_force.empty());
    EXPECT_EQ(one.acceleration, two.acceleration);
    EXPECT_LT((column(one.acceleration) - column(three.acceleration)).norm(),
              1e-10 * (1 + column(one.acceleration).norm()));
    EXPECT_LT((column(one.constraint_force) - column(three.constraint_force)).norm(),
              1e-9 * (1 + column(one.constraint_force).norm()));
    Column share = Column::Zero(n);
    for (int r = static_cast<int>(s.A.rows()) - s.programmes; r < s.A.rows(); ++r)
      share += s.A.row(r).transpose() * two.multipliers[r];
    EXPECT_LT((column(two.control_force) - share).norm(), 1e-13 * (1 + share.norm()));
  }
}

TEST(ControlForce, RowsThatSayTheSameShareByTheLeastMultipliers) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  for (const Coordinate& q : {x, y}) m.mass(q, 2.0);
  m.force(x, -6.0);
  m.constrain("wall", x);
  m.constrain("hold", 2 * x);
  m.servo("hold");
  const System system(m);
  for (const Detail detail : {Detail::motion, Detail::full}) {
    SolveOptions options;
    options.detail = detail;
    const Solution s = solve(system, system.start(), options);
    // lambda (1, 2) / 5 * 6: of the force 6 the programme has four fifths.
    EXPECT_NEAR(s.constraint_force[0], 6, 1e-14);
    EXPECT_NEAR(s.control_force[0], 4.8, 1e-14);
    EXPECT_EQ(s.control_force[1], 0);
  }
}

TEST(ControlForce, AProgrammeWithoutALimitStandsBesideOneWithActuators) {
  Model m;  // two masses on a spring, one led by hand, the other by a motor on the first
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  for (const Coordinate& q : {x, y, z}) m.mass(q, 2.0);
  m.mass(x, y, 0.5);
  m.constrain("hand", z, 3 * pow(m.time(), 2));
  m.constrain("motor", y, pow(m.time(), 2));
  m.servo("hand");
  ServoOptions options;
  options.actuators = {x};
  m.servo("motor", options);
  const System system(m);
  Workspace work(system);
  Solution s;
  solve(system, system.start(), work, s);
  ASSERT_EQ(s.status, Status::solved);
  // y'' = 2 = -x''/4 by the coupling alone: x'' = -8, and the motor gives 2 x'' + y''/2 = -15.
  EXPECT_NEAR(s.acceleration[0], -8, 1e-13);
  EXPECT_NEAR(s.acceleration[1], 2, 1e-13);
  EXPECT_NEAR(s.control_force[0], -15, 1e-13);
  EXPECT_EQ(s.control_force[1], 0);
  EXPECT_NEAR(s.control_force[2], 12, 1e-13);
  std::vector<double> force;
  const Equations& at = evaluate(system, system.start(), work);
  programme_force(system, programmes(system)[0], system.start(), at, s, work, force);
  EXPECT_EQ(force[0], 0);
  EXPECT_NEAR(force[2], 12, 1e-13);
  programme_force(system, programmes(system)[1], system.start(), at, s, work, force);
  EXPECT_NEAR(force[0], -15, 1e-13);
  EXPECT_EQ(force[2], 0);
}

TEST(ControlForce, ActuatorsOfOneEffectAreNoTrouble) {
  Model m;  // a rod that two motors push along the same line
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("rod", x, y);
  m.constrain("go", x, pow(m.time(), 2));
  ServoOptions options;
  options.actuators = {x, y};
  m.servo("go", options);
  const System system(m);
  const Solution s = solve(system, system.start());
  ASSERT_EQ(s.status, Status::solved) << describe(system, s);
  EXPECT_NEAR(s.acceleration[0], 2, 1e-13);
  EXPECT_NEAR(s.control_force[0], 2, 1e-13);  // four newtons for two kilogrammes, shared
  EXPECT_NEAR(s.control_force[1], 2, 1e-13);
  EXPECT_NEAR(s.multipliers[0], 0, 1e-13);
}

TEST(ControlForce, AMultiplierThatIsNoneIsRefusedByName) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("go", x + y, pow(m.time(), 2));
  ServoOptions options;
  options.actuators = {x};
  m.servo("go", options);
  m.output("push", m.reaction("go", x));
  try {
    const System system(m);
    FAIL() << "it was taken";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "output 'push' contains 'force(go).x', and programme 'go' acts by its actuators: it has no "
                 "multipliers (its force is in control_force)");
  }
}

TEST(ControlForce, WhatCannotBeAProgrammeIsRefused) {
  const auto refused = [](auto say) -> std::string {
    Model m;
    const Coordinate x = m.coordinate("x");
    m.mass(x, 1.0);
    m.constrain("go", x, m.time());
    m.constrain("push", x.acceleration(), 1.0);
    try {
      say(m, x);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const auto with = [](const Expr& frequency, const Expr& damping = 1.0) {
    ServoOptions options;
    options.frequency = frequency;
    options.damping = damping;
    return options;
  };
  EXPECT_EQ(refused([](Model& m, auto&) { m.servo("go"), m.servo("go"); }),
            "constraint 'go' is marked as a programme twice");
  EXPECT_EQ(refused([&](Model& m, auto&) { m.servo("go", with(-1.0)); }),
            "the frequency of programme 'go' is -1; it must be more than 0");
  EXPECT_EQ(refused([&](Model& m, auto&) { m.servo("go", with(1.0, -0.5)); }),
            "the damping of programme 'go' is -0.5; it must be 0 or more");
  EXPECT_EQ(refused([&](Model& m, const Coordinate& x) { m.servo("go", with(x)); }),
            "the frequency of programme 'go' contains 'x'; it may use parameters only");
  EXPECT_EQ(refused([&](Model& m, auto&) { m.servo("push", with(1.0)); }),
            "programme 'push' is on accelerations, and nothing is left to stabilise; leave 'frequency' out");
}

/// A rod in a hinge, 30 degrees up and pushed at its centre: what is along the rod the hinge would take up,
/// so that the least force is across it, m L/3 times the angular acceleration and the share of the weight.
TEST(Control, WhatJointsWouldTakeUpIsNotAskedOfActuators) {
  const double length = 1.2, mass = 2, angle = std::numbers::pi / 6, pace = 3, g = 9.81;
  const double c = std::cos(angle), s = std::sin(angle), across = mass * length * length / 12;
  Model m;
  const Body b = m.body("b", {.mass = mass,
                              .inertia = {1e-3, across, across},
                              .position = {length / 2 * c, length / 2 * s, 0},
                              .orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
  m.joint("hinge", {}, b, {.type = JointType::revolute, .angle = angle});
  m.gravity({0, -g, 0});
  m.constrain("swing", m.joint_angle("hinge"), angle + pace / 2 * pow(m.time(), 2));
  ServoOptions by_force;
  by_force.actuators = {b.x, b.y, b.z};
  m.servo("swing", by_force);
  const System system(m);
  const Solution found = solve(system, system.start());
  ASSERT_EQ(found.status, Status::solved);
  const double moment = mass * length * length / 3 * pace + mass * g * length / 2 * c;
  const double force = moment / (length / 2);
  EXPECT_NEAR(found.control_force[0], -force * s, 1e-12 * force);
  EXPECT_NEAR(found.control_force[1], force * c, 1e-12 * force);
  for (const int i : {2, 3, 4, 5}) EXPECT_NEAR(found.control_force[i], 0, 1e-12 * force);
}

/// Two carts on one rail, a motor between them: it pushes one forward and the other back.
TEST(Control, AMotorOfASlideActsOnBothOfItsParts) {
  Model m;
  const Body cart = m.body("cart", {.mass = 3.0}),
             load = m.body("load", {.mass = 2.0, .position = {1, 0, 0}});
  m.joint("rail", {}, cart, {.type = JointType::prismatic, .axis = {1, 0, 0}});
  m.joint("slide", cart, load, {.type = JointType::prismatic, .axis = {1, 0, 0}});
  const Expr way = m.joint_distance("slide");
  m.constrain("apart", way, 0.5 * 4 * pow(m.time(), 2));
  ServoOptions by_motor;
  by_motor.actuators = {way};
  m.servo("apart", by_motor);
  const System system(m);
  const Solution found = solve(system, system.start());
  ASSERT_EQ(found.status, Status::solved);
  const double force = 4 / (1 / 3.0 + 1 / 2.0);  // u/m1 + u/m2 = 4
  EXPECT_NEAR(found.control_force[0], -force, 1e-13);
  EXPECT_NEAR(found.control_force[6], force, 1e-13);
  EXPECT_NEAR(found.acceleration[0], -force / 3, 1e-13);
  EXPECT_NEAR(found.acceleration[6], force / 2, 1e-13);
}

}  // namespace
}  // namespace vinculum
