// What an integrator asks of a system.
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/manifold.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/particles.hpp"
#include "examples/cpp/gallery.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

TEST(Accelerate, IsTheAccelerationOfSolve) {
  for (const examples::Example& example : examples::gallery()) {
    const System system(example.model());
    Workspace work(system);
    const State& at = system.start();
    std::vector<double> a(at.v.size());
    ASSERT_EQ(accelerate(system, at, {}, work, a, false).status, Status::solved) << example.name;
    const Solution full = solve(system, at);
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], full.acceleration[i], 1e-12 * (1 + std::fabs(a[i]))) << example.name;
  }
}

/// The smallest change has A x = -phi and is a combination of M^-1 A^T.
TEST(Correction, MeetsTheRowsOfItsLevelToFirstOrder) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0.2}), y = m.coordinate("y", {0.1, 1}),
                   z = m.coordinate("z", {0, 3});
  m.mass(x, 1.0);
  m.mass(y, 2.0);
  m.mass(z, 4.0);
  m.constrain("circle", pow(x, 2) + pow(y, 2), 1.0);
  m.constrain("knife", y.rate() - z * x.rate(), 0.3);
  m.constrain("pushed", z.acceleration(), 1.0);
  const System system(m);
  Workspace work(system);
  const State& at = system.start();
  std::vector<double> change(3), residual(3);
  ASSERT_TRUE(correction(system, Level::position, at, {}, work, change, residual));
  EXPECT_NEAR(residual[0], 0.01, 1e-15);
  EXPECT_EQ(residual[1], 0);
  EXPECT_NEAR(2 * 1 * change[0] + 2 * 0.1 * change[1], -0.01, 1e-16);
  EXPECT_NEAR(change[1] / change[0], 0.1 / 2, 1e-14);  // M^-1 A^T: by the masses, and not by the knife
  EXPECT_EQ(change[2], 0);
  ASSERT_TRUE(correction(system, Level::velocity, at, {}, work, change, residual));
  EXPECT_NEAR(residual[0], 2 * 0.2 + 2 * 0.1, 1e-15);
  EXPECT_NEAR(residual[1], 1 - 0.3, 1e-15);
  EXPECT_EQ(residual[2], 0);
  EXPECT_NEAR(2 * change[0] + 0.2 * change[1], -residual[0], 1e-15);
  EXPECT_NEAR(change[1], -residual[1], 1e-15);
}

TEST(Correction, IsTheSameOnTheClosedAndTheGeneralRoad) {
  // Five pendulums are too many rows for a closed form, one is not.
  Model one, five;
  const auto add = [](Model& m, const std::string& name) {
    const Particle p = m.particle(name, {1.5, {1.01, 0.2, -0.1}, {0.3, 0.1, 0.7}});
    m.constrain("rod_" + name, norm_squared(p), 1.0);
  };
  add(one, "a");
  for (const char* name : {"a", "b", "c", "d", "e"}) add(five, name);
  const System small(one), large(five);
  Workspace small_work(small), large_work(large);
  std::vector<double> x(3), r(1), X(15), R(5);
  for (const Level level : {Level::position, Level::velocity}) {
    ASSERT_TRUE(correction(small, level, small.start(), {}, small_work, x, r));
    ASSERT_TRUE(correction(large, level, large.start(), {}, large_work, X, R));
    for (int k = 0; k < 15; ++k) EXPECT_NEAR(X[k], x[k % 3], 1e-16);
    for (int k = 0; k < 5; ++k) EXPECT_DOUBLE_EQ(R[k], r[0]);
  }
}

TEST(TangentPart, IsWhatAProjectionLetsThrough) {
  const System system(examples::spherical_pendulum());
  Workspace work(system);
  const State& at = system.start();
  std::vector<double> along(3), normal(at.q);
  along[2] = 1;
  bool factorised = false;
  ASSERT_TRUE(keep_tangent_part(system, Level::position, at, {}, work, along, factorised));
  EXPECT_NEAR(along[2], 1, 1e-15);
  EXPECT_TRUE(factorised);
  const std::vector<double> from = normal;
  ASSERT_TRUE(keep_tangent_part(system, Level::position, at, {}, work, normal, factorised));
  for (const double e : normal) EXPECT_NEAR(e, 0, 1e-14);
  std::vector<double> anew = from;
  factorised = false;
  ASSERT_TRUE(keep_tangent_part(system, Level::position, at, {}, work, anew, factorised));
  EXPECT_EQ(anew, normal);
}

TEST(Nonideal, MayDependOnTheIdealForceInClosedAndGeneralForm) {
  // A block on an inclined plane: the friction force is mu N against the motion, N = m g cos(alpha).
  const double alpha = 0.6, mu = 0.3, mass = 1.5, g = 9.81;
  const auto block = [&](int copies) {
    Model m;
    for (int k = 0; k < copies; ++k) {
      const std::string id = std::to_string(k);
      const Coordinate x = m.coordinate("x" + id, {0, std::cos(alpha)}),
                       y = m.coordinate("y" + id, {0, -std::sin(alpha)});
      m.mass(x, mass);
      m.mass(y, mass);
      m.force(y, -mass * g);
      m.constrain("slope" + id, std::tan(alpha) * x + y);
      const Expr n = hypot(m.reaction("slope" + id, x), m.reaction("slope" + id, y));
      const Expr v = hypot(x.rate(), y.rate());
      m.nonideal(x, -mu * n * x.rate() / v);
      m.nonideal(y, -mu * n * y.rate() / v);
    }
    return m;
  };
  for (const int copies : {1, 6}) {  // six rows are too many for a closed form
    const System system(block(copies));
    for (const Detail detail : {Detail::motion, Detail::full}) {
      SolveOptions options;
      options.detail = detail;
      const Solution s = solve(system, system.start(), options);
      ASSERT_EQ(s.status, Status::solved);
      for (int k = 0; k < copies; ++k) {
        const double down =
            s.acceleration[2 * k] * std::cos(alpha) - s.acceleration[2 * k + 1] * std::sin(alpha);
        EXPECT_NEAR(down, g * (std::sin(alpha) - mu * std::cos(alpha)), 1e-13);
        EXPECT_NEAR(std::hypot(s.nonideal_force[2 * k], s.nonideal_force[2 * k + 1]),
                    mu * mass * g * std::cos(alpha), 1e-13);
      }
    }
  }
}

TEST(MayWork, TellsByTheLookWhatCannotWork) {
  EXPECT_FALSE(may_work(System(examples::spherical_pendulum())).constraint);
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("knife", y.rate() - sin(x) * x.rate());
  EXPECT_FALSE(may_work(System(m)).constraint);
  m.constrain("moving", y, sin(m.time()));
  EXPECT_TRUE(may_work(System(m)).constraint);
  Model affine;
  const Coordinate u = affine.coordinate("u");
  affine.mass(u, 1.0);
  affine.constrain("driven", u.rate(), 1.0);
  EXPECT_TRUE(may_work(System(affine)).constraint);
}

}  // namespace
}  // namespace vinculum
