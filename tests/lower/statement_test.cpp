// Rows and forces against finite differences of what was stated: a battery every kind of constraint must
// pass.
#include "vinculum/lower/statement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "vinculum/base/error.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

/// Two plain coordinates, a particle, and a quaternion with its angular velocity: coordinates and velocities
/// differ.
struct Playground {
  Model m;
  Coordinate x = m.coordinate("x", {.start = 0.7, .rate = -0.4});
  Coordinate y = m.coordinate("y", {.start = -0.3, .rate = 0.9});
  Particle p = m.particle("p", {.mass = 2, .position = {0.4, -0.8, 1.1}, .velocity = {0.3, 0.2, -0.6}});
  Speed wx = m.speed("wx", 0.5), wy = m.speed("wy", -0.7), wz = m.speed("wz", 0.2);
  Expr qw = m.coordinate_with_rate("qw", 0, 0.8), qx = m.coordinate_with_rate("qx", 0, 0.2);
  Expr qy = m.coordinate_with_rate("qy", 0, -0.4), qz = m.coordinate_with_rate("qz", 0, std::sqrt(0.16));
  Expr t = m.time();

  Playground() {
    m.set_rate(qw, 0.5 * (-qx * wx - qy * wy - qz * wz));
    m.set_rate(qx, 0.5 * (qw * wx + qy * wz - qz * wy));
    m.set_rate(qy, 0.5 * (qw * wy + qz * wx - qx * wz));
    m.set_rate(qz, 0.5 * (qw * wz + qx * wy - qy * wx));
    m.mass(x, 1);
    m.mass(y, 2);
    for (const Speed& w : {wx, wy, wz}) m.mass(w, 3);
  }
  /// World position of the body's point (0, 0, 1).
  Vector tip() const {
    return {2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy)};
  }
};

/// The state after a short time h along accelerations w: a quadratic path in v's coordinates is enough for
/// differences.
State moved(const System& system, const State& at, const std::vector<double>& w, double h) {
  // Heun-like: q' evaluated with the velocity of the middle keeps the error at h^3.
  Workspace work(system);
  State middle = at;
  std::vector<double> rate(at.q.size());
  rates(system, at, work, rate);
  for (std::size_t i = 0; i < at.q.size(); ++i) middle.q[i] += h / 2 * rate[i];
  for (std::size_t i = 0; i < at.v.size(); ++i) middle.v[i] += h / 2 * w[i];
  middle.t += h / 2;
  rates(system, middle, work, rate);
  State end = at;
  for (std::size_t i = 0; i < at.q.size(); ++i) end.q[i] += h * rate[i];
  for (std::size_t i = 0; i < at.v.size(); ++i) end.v[i] += h * w[i];
  end.t += h;
  return end;
}

std::vector<double> times(const SparseMatrix& a, const std::vector<double>& x) {
  std::vector<double> y(a.rows, 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) y[i] += a.value[k] * x[a.column[k]];
  return y;
}

/// Rows equal the derivative of the violation: A w - b = d/dt (velocity violation) for any accelerations w,
/// and the violation of velocities is the time derivative of that of positions.
void check_rows(const Model& model, int order) {
  const System system(model);
  ASSERT_EQ(system.constraints().back().order, order);
  State at = system.start();
  at.t = 0.37;
  Workspace work(system);
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> random(-1, 1);
  const double h = 1e-4;  // differences err by h^2 times third derivatives (about 100 here) and by 1e-16 / h
  const double tolerance = 5e-6;
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> w(at.v.size());
    for (double& a : w) a = random(engine);
    for (double& v : at.v) v += 0.1 * random(engine);
    const Equations& e = evaluate(system, at, work);
    std::vector<double> row = times(e.A, w);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] -= e.b[i];
    Residuals after, before;
    residuals(system, moved(system, at, w, h), work, after);
    residuals(system, moved(system, at, w, -h), work, before);
    Residuals here;
    residuals(system, at, work, here);
    for (std::size_t i = 0; i < row.size(); ++i) {
      EXPECT_NEAR((after.velocity[i] - before.velocity[i]) / (2 * h), row[i], tolerance);
      if (order == 0) {
        EXPECT_NEAR((after.position[i] - before.position[i]) / (2 * h), here.velocity[i], tolerance);
      }
    }
  }
}

TEST(Rows, HolonomicConstraintsAreDifferentiatedTwice) {
  Playground s;
  s.m.constrain("c", sin(s.x) * s.y + exp(s.p.x), norm(s.p));
  check_rows(s.m, 0);
}
TEST(Rows, MovingHolonomicConstraintsKeepTheirExplicitTime) {
  Playground s;
  s.m.constrain("c", s.x * cos(3 * s.t) + s.y, pow(s.t, 3) * s.p.z);
  check_rows(s.m, 0);
}
TEST(Rows, AnOrientationEntersThroughItsAngularVelocity) {
  Playground s;
  s.m.constrain("c", s.tip(), s.p);
  check_rows(s.m, 0);
}
TEST(Rows, NonholonomicConstraintsAreDifferentiatedOnce) {
  Playground s;
  s.m.constrain("c", s.y.rate() - s.x * s.p.z.rate(), sin(s.t));
  check_rows(s.m, 1);
}
TEST(Rows, ConstraintsNonlinearInTheVelocitiesAreTakenAsTheyAre) {
  Playground s;
  s.m.constrain("c", pow(s.x.rate(), 2) + pow(s.y.rate(), 2) + s.x * s.wx * s.wz, pow(s.p.x.rate(), 2) + 1);
  check_rows(s.m, 1);
}
TEST(Rows, SpeedsMayStandInConstraints) {
  Playground s;
  s.m.constrain("c", s.wz - 2 * s.wx * s.qw, s.t);
  check_rows(s.m, 1);
}

TEST(Rows, SecondOrderConstraintsAreNotDifferentiated) {
  Playground s;
  s.m.constrain("c", s.x * s.x.acceleration() + s.y.rate() * s.wz.acceleration() - 3 * s.p.y.acceleration(),
                s.t + 2);
  const System system(s.m);
  EXPECT_EQ(system.constraints()[0].order, 2);
  Workspace work(system);
  State at = system.start();
  at.t = 0.5;
  const Equations& e = evaluate(system, at, work);
  const std::vector<double> w{0.3, -0.2, 0.5, 0.7, -1.1, 0.4, 0.6, -0.9};
  EXPECT_NEAR(times(e.A, w)[0] - e.b[0], 0.7 * 0.3 + 0.9 * -0.9 - 3 * 0.7 - 2.5, 1e-14);
}

TEST(Rows, AConstraintNonlinearInTheAccelerationsIsRefusedByName) {
  Playground s;
  s.m.constrain("odd", pow(s.x.acceleration(), 2), 4);
  try {
    const System system(s.m);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.text(),
              "constraint 'odd' is not linear in the accelerations: its coefficient of 'x''' contains 'x'''; "
              "write it solved for them");
  }
}

TEST(Rows, AnAccelerationTimesZeroIsNoAcceleration) {
  Playground s;
  s.m.constrain("c", 0 * s.x.acceleration() + s.y.acceleration(), 2);
  const System system(s.m);
  Workspace work(system);
  const Equations& e = evaluate(system, system.start(), work);
  ASSERT_EQ(e.A.entries(), 1);
  EXPECT_EQ(e.A.value[0], 1);
  EXPECT_EQ(e.b[0], 2);
}

TEST(Rows, RatesMayHoldParametersAndDifferFromInstanceToInstance) {
  // u_i' = k_i gear w_i with six different k_i: constraints of one shape whose rows differ through the rates
  // alone.
  Model m;
  const Expr gear = m.parameter("gear", 3.0);
  for (int i = 0; i < 6; ++i) {
    const Speed w = m.speed("w" + std::to_string(i), 1.0);
    const Expr u = m.coordinate_with_rate("u" + std::to_string(i), (i + 2) * gear * w, 0.5 + i);
    m.mass(w, 1);
    m.constrain("c" + std::to_string(i), u * u, 4);
  }
  const System system(m);
  Workspace work(system);
  const State at = system.start();
  const Equations& e = evaluate(system, at, work);
  std::vector<double> rate(6);
  rates(system, at, work, rate);
  for (int i = 0; i < 6; ++i) {
    const double pace = (i + 2) * 3.0;
    EXPECT_NEAR(e.A.value[i], 2 * (0.5 + i) * pace, 1e-13);
    EXPECT_NEAR(e.b[i], -2 * pace * pace, 1e-12);
    EXPECT_EQ(rate[i], pace);
  }
}

TEST(Rows, RatesThatAreNumbersDifferFromInstanceToInstanceToo) {
  Model m;
  for (int i = 0; i < 5; ++i) {
    const Coordinate x = m.coordinate("x" + std::to_string(i));
    m.mass(x, 1);
    m.constrain("c" + std::to_string(i), x,
                sin(m.coordinate_with_rate("u" + std::to_string(i), i + 3.0, 0.5)));
  }
  const System system(m);
  Workspace work(system);
  const Equations& e = evaluate(system, system.start(), work);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(e.b[i], -(i + 3.0) * (i + 3.0) * std::sin(0.5), 1e-13);
}

TEST(Rows, TheOrderIsThatOfTheCoefficientsNotOfTheLetters) {
  for (const double zero_at : {0, 3}) {  // alone, and among others of its shape
    Model m;
    for (int i = 0; i < (zero_at == 0 ? 1 : 6); ++i) {
      const std::string k = std::to_string(i);
      const Coordinate x = m.coordinate("x" + k), y = m.coordinate("y" + k);
      m.mass(x, 1);
      m.mass(y, 1);
      m.force(x, 3);
      m.constrain("c" + k, x + (i == zero_at ? 0.0 : 1.0 + i) * y.rate());
    }
    const System system(m);
    EXPECT_EQ(system.constraints()[static_cast<int>(zero_at)].order, 0);
    EXPECT_EQ(solve(system, system.start()).acceleration[2 * static_cast<int>(zero_at)], 0);
  }
  Playground s;
  s.m.force(s.x, 3);
  s.m.constrain("still", s.x.rate() + 0 * s.y.acceleration());
  s.m.constrain("sided", (s.p.x - 0.4) * sign(s.y.rate()));
  const System system(s.m);
  EXPECT_EQ(system.constraints()[0].order, 1);
  EXPECT_EQ(system.constraints()[1].order, 0);
  const Solution out = solve(system, system.start());
  EXPECT_EQ(out.acceleration[0], 0);
  EXPECT_NEAR(out.acceleration[2], 0, 1e-16);
}

TEST(Rows, AConstraintThatDecidesByAnAccelerationIsRefused) {
  for (const bool by_sign : {true, false}) {
    Playground s;
    const Expr a = s.x.acceleration();
    s.m.constrain("odd", a + (by_sign ? sign(a) : if_less(a, 1, 5, -5)), 2);
    try {
      const System system(s.m);
      FAIL() << "accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.text(), "constraint 'odd' is not linear in the accelerations: it decides by 'x'''");
    }
  }
}

TEST(Rows, ConstantsOfOneShapeMayCoincideInSomeInstances) {
  // k (x - c)^2 = d: where k, c or d are equal the graph shares a node, and the shape is another one.
  Model m;
  const double k[] = {2, 3, 3, 5, 7, 1, 2, 4, 9}, c[] = {1, 3, 2, 5, 0, 4, -1, 4, 9},
               d[] = {6, 3, 2, 5, 7, 2, 2, 8, 9};
  for (int i = 0; i < 9; ++i) {
    const Coordinate x = m.coordinate("x" + std::to_string(i), {.start = 0.3 * i, .rate = 1.0 + i});
    m.mass(x, k[i]);
    m.force(x, c[i] * x + d[i]);
    m.constrain("c" + std::to_string(i), k[i] * pow(x - c[i], 2), d[i]);
  }
  const System system(m);
  Workspace work(system);
  const Equations& e = evaluate(system, system.start(), work);
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(e.A.value[i], 2 * k[i] * (0.3 * i - c[i]), 1e-13);
    EXPECT_NEAR(e.b[i], -2 * k[i] * (1.0 + i) * (1.0 + i), 1e-11);
    EXPECT_NEAR(e.Q[i], c[i] * 0.3 * i + d[i], 1e-14);
    EXPECT_EQ(e.M.value[i], k[i]);
  }
}

// --- Energies
// -----------------------------------------------------------------------------------------------------

TEST(Energies, ALagrangianGivesTheMotionOfTheSameSystemInCartesianCoordinates) {
  const double m1 = 1.3, m2 = 0.7, l1 = 1.1, l2 = 0.6, g = 9.81;
  Model angles;
  const Coordinate a = angles.coordinate("a"), b = angles.coordinate("b");
  const Expr kinetic = 0.5 * (m1 + m2) * l1 * l1 * pow(a.rate(), 2) + 0.5 * m2 * l2 * l2 * pow(b.rate(), 2) +
                       m2 * l1 * l2 * a.rate() * b.rate() * cos(a - b);
  const Expr potential = -(m1 + m2) * g * l1 * cos(a) - m2 * g * l2 * cos(b);
  angles.lagrangian(kinetic - potential);
  Model rods;
  rods.gravity({0, -g, 0});
  const Particle p = rods.particle("p", {.mass = m1}), q = rods.particle("q", {.mass = m2});
  rods.constrain("plane_p", p.z);
  rods.constrain("plane_q", q.z);
  rods.constrain("upper", norm_squared(p), l1 * l1);
  rods.constrain("lower", norm_squared(q - p), l2 * l2);
  const System by_angle(angles), by_rod(rods);
  EXPECT_FALSE(by_angle.mass_constant());
  EXPECT_TRUE(by_rod.mass_constant());
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> random(-3, 3);
  for (int k = 0; k < 50; ++k) {
    const double A = random(engine), B = random(engine), u = random(engine), w = random(engine);
    const Solution one = solve(by_angle, State{0, {A, B}, {u, w}});
    const double x1 = l1 * std::sin(A), y1 = -l1 * std::cos(A), dx = l2 * std::sin(B), dy = -l2 * std::cos(B);
    const State at{
        0, {x1, y1, 0, x1 + dx, y1 + dy, 0}, {-y1 * u, x1 * u, 0, -y1 * u - dy * w, x1 * u + dx * w, 0}};
    const Solution two = solve(by_rod, at);
    ASSERT_EQ(one.status, Status::solved);
    ASSERT_EQ(two.status, Status::solved);
    // x'' of the upper mass from the angle: l (a'' cos a - a'^2 sin a)
    const double expected = l1 * (one.acceleration[0] * std::cos(A) - u * u * std::sin(A));
    EXPECT_NEAR(two.acceleration[0], expected, 1e-12 * (1 + std::fabs(expected) + u * u + w * w));
    const double lower = expected + l2 * (one.acceleration[1] * std::cos(B) - w * w * std::sin(B));
    EXPECT_NEAR(two.acceleration[3], lower, 1e-12 * (1 + std::fabs(lower) + u * u + w * w));
  }
}

TEST(Energies, ALagrangianMayContainTimeAndTermsLinearInTheVelocities) {
  // A bead in a plane that turns with w(t) = t: L = 1/2 |v + w x r|^2; in the turning frame
  //   x'' = 2 w y' + w^2 x + w' y,  y'' = -2 w x' + w^2 y - w' x
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  const Expr w = m.time();
  m.lagrangian(0.5 * pow(x.rate() - w * y, 2) + 0.5 * pow(y.rate() + w * x, 2));
  const System system(m);
  const State at{0.8, {0.3, -0.5}, {1.2, 0.7}};
  const Solution s = solve(system, at);
  EXPECT_NEAR(s.acceleration[0], 2 * 0.8 * 0.7 + 0.64 * 0.3 - 0.5, 1e-14);
  EXPECT_NEAR(s.acceleration[1], -2 * 0.8 * 1.2 + 0.64 * -0.5 - 0.3, 1e-14);
}

TEST(Energies, APotentialOfAnOrientationGivesItsTorqueInBodyAxes) {
  // V = f . tip, so the force on the tip is -f and the torque in body axes is e_z x R^T (-f).
  Playground s;
  const double f[3] = {0.4, -1.3, 0.8};
  const Vector tip = s.tip();
  s.m.potential(f[0] * tip.x + f[1] * tip.y + f[2] * tip.z);
  const System system(s.m);
  State at = system.start();
  double* q = at.q.data() + 5;  // qw qx qy qz
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) q[i] /= n;
  Workspace work(system);
  const Equations& e = evaluate(system, at, work);
  const double w = q[0], a = q[1], b = q[2], c = q[3];
  const double bx =
      (1 - 2 * (b * b + c * c)) * f[0] + 2 * (a * b + w * c) * f[1] + 2 * (a * c - w * b) * f[2];
  const double by =
      2 * (a * b - w * c) * f[0] + (1 - 2 * (a * a + c * c)) * f[1] + 2 * (b * c + w * a) * f[2];
  EXPECT_NEAR(e.Q[5], by, 1e-14);   // (e_z x -f)_x = f_y
  EXPECT_NEAR(e.Q[6], -bx, 1e-14);  // (e_z x -f)_y = -f_x
  EXPECT_NEAR(e.Q[7], 0, 1e-14);
}

TEST(Energies, MassMatricesMayDependOnCoordinatesAndTime) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0.5}), y = m.coordinate("y", {.start = 2});
  m.mass(x, 2 + cos(y));
  m.mass(y, 3 + m.time());
  m.mass(x, y, 0.5 * sin(x));
  m.force(x, 1);
  const System system(m);
  EXPECT_FALSE(system.mass_constant());
  const Solution s = solve(system, State{1.5, {0.5, 2}, {0, 0}});
  const double a = 2 + std::cos(2.0), b = 0.5 * std::sin(0.5), c = 4.5, det = a * c - b * b;
  EXPECT_NEAR(s.acceleration[0], c / det, 1e-15);
  EXPECT_NEAR(s.acceleration[1], -b / det, 1e-15);
}

}  // namespace
}  // namespace vinculum
