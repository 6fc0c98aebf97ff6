#include "vinculum/model/body.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "support/bodies.hpp"
#include "support/message.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/value.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using namespace test;

TEST(Body, NamesItsCoordinatesAndVelocities) {
  Model m;
  m.coordinate("s");
  m.body(
      "b",
      {.position = {1, 2, 3}, .velocity = {4, 5, 6}, .orientation = {0, 0, 2, 0}, .omega_body = {7, 8, 9}});
  const char* const coordinates[] = {"s", "b.x", "b.y", "b.z", "b.qw", "b.qx", "b.qy", "b.qz"};
  const double start[] = {0, 1, 2, 3, 0, 0, 1, 0};  // of unit length
  ASSERT_EQ(m.coordinates().size(), 8u);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(m.coordinates()[i].name, coordinates[i]);
    EXPECT_EQ(m.coordinates()[i].start, start[i]);
  }
  const char* const velocities[] = {"s'", "b.x'", "b.y'", "b.z'", "b.wx", "b.wy", "b.wz"};
  ASSERT_EQ(m.velocities().size(), 7u);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(m.velocities()[i].name, velocities[i]);
  for (int i = 1; i < 7; ++i) EXPECT_EQ(m.velocities()[i].start, 3 + i);
  EXPECT_EQ(m.bodies()[0].first_coordinate, 1);
  EXPECT_EQ(m.bodies()[0].first_velocity, 1);
  EXPECT_TRUE(m.constraints().empty()) << "the unit norm is no row";
}

TEST(Body, TakesItsNameAndItsPartsOnlyOnce) {
  Model m;
  m.body("b");
  EXPECT_EQ(message([&] { m.particle("b"); }), "the name 'b' is already that of a body");
}

/// By integration over the solid: a sum over cells of a grid, of second order in their size.
Matrix3d summed_inertia(const std::function<bool(const Vector3d&)>& inside, const Vector3d& half,
                        double mass) {
  constexpr int n = 60;
  Matrix3d sum = Matrix3d::Zero();
  int cells = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vector3d r = half.cwiseProduct(Vector3d(2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n) / n);
        if (!inside(r)) continue;
        ++cells;
        sum += r.squaredNorm() * Matrix3d::Identity() - r * r.transpose();
      }
  return sum * (mass / cells);
}

TEST(Solid, InertiaIsTheSumOverItsMass) {
  struct Given {
    Solid solid;
    Vector3d half;
    std::function<bool(const Vector3d&)> inside;
    double volume;
  };
  const double pi = std::numbers::pi;
  const Given all[] = {
      {{Solid::Kind::box, {0.4, 1.0, 1.6}}, {0.2, 0.5, 0.8}, [](const Vector3d&) { return true; }, 0.64},
      {{Solid::Kind::sphere, {0.7}},
       {0.7, 0.7, 0.7},
       [](const Vector3d& r) { return r.norm() < 0.7; },
       4.0 / 3 * pi * 0.343},
      {{Solid::Kind::cylinder, {0.5, 1.2}},
       {0.5, 0.5, 0.6},
       [](const Vector3d& r) { return r.head<2>().norm() < 0.5; },
       pi * 0.25 * 1.2},
      {{Solid::Kind::rod, {2.0, 0.3}},
       {1.0, 0.3, 0.3},
       [](const Vector3d& r) { return r.tail<2>().norm() < 0.3; },
       pi * 0.09 * 2}};
  for (const Given& given : all) {
    const BodyOptions options = body_of(given.solid, 3.0);
    const Matrix3d expected = summed_inertia(given.inside, given.half, 3.0);
    const Matrix3d found = matrix_of(options.inertia);
    // Cells at a curved surface are in or out: an error of some cells in 60^3.
    EXPECT_LE((found - expected).norm(), 3e-3 * expected.norm()) << static_cast<int>(given.solid.kind);
    EXPECT_NEAR(given.solid.volume().value(), given.volume, 1e-15);
    EXPECT_TRUE(options.mass.is_constant(3.0));
    ASSERT_TRUE(options.solid.has_value());
  }
}

TEST(Solid, InertiaIsThatOfTheTables) {
  const auto principal = [](const Solid& solid) {
    const std::array<Expr, 3> i = solid.inertia(12.0);
    return Vector3d(i[0].value(), i[1].value(), i[2].value());
  };
  EXPECT_LE((principal({Solid::Kind::box, {1.0, 2.0, 3.0}}) - Vector3d(13, 10, 5)).norm(), 1e-14);
  EXPECT_LE((principal({Solid::Kind::sphere, {0.5}}) - 1.2 * Vector3d::Ones()).norm(), 1e-15);
  EXPECT_LE((principal({Solid::Kind::cylinder, {1.0, 3.0}}) - Vector3d(12, 12, 6)).norm(), 1e-14);
  EXPECT_LE((principal({Solid::Kind::rod, {3.0, 1.0}}) - Vector3d(6, 12, 12)).norm(), 1e-14);
}

TEST(Body, ASolidMayBeSizedByParameters) {
  Model m;
  const Expr r = m.parameter("r", 0.5);
  m.body("ball", body_of({Solid::Kind::sphere, {r}}, 2 * r));
  EXPECT_EQ(to_text(m.bodies()[0].inertia[0]), "2*(2*r)*r^2/5");
}

TEST(Body, RefusesWhatNoBodyCanHave) {
  const auto given = [](const BodyOptions& options) {
    return message([&] {
      Model m;
      m.body("top", options);
    });
  };
  EXPECT_EQ(given({.mass = -2}), "the mass of body 'top' is -2; it must not be negative");
  EXPECT_EQ(given({.inertia = {1, 2, 3.5, 0, 0, 0}}),
            "the principal moments of inertia of body 'top' are 1, 2, 3.5: the largest is more than the two "
            "others together, which no body can have");
  EXPECT_EQ(given({.inertia = {-1, 2, 2, 0, 0, 0}}),
            "the principal moments of inertia of body 'top' are -1, 2, 2; none may be negative");
  // A machine in a plane is told so.
  EXPECT_EQ(given({.inertia = {0, 0.5, 0, 0, 0, 0}}), "no error");
  // Physical on its diagonal alone.
  EXPECT_EQ(
      given({.inertia = {2, 2, 2, 1.5, 0, 0}}),
      "the principal moments of inertia of body 'top' are 0.5, 2, 3.5: the largest is more than the two "
      "others together, which no body can have");
  EXPECT_EQ(
      given({.orientation = {0, 0, 0, 0}}),
      "the orientation of body 'top' has the length 0; a quaternion [w, x, y, z] of any finite length but "
      "zero is asked for");
  EXPECT_EQ(given({.mass = std::nan("")}), "the mass of body 'top' is nan; it must be a finite number");
  EXPECT_EQ(given({.mass = 0, .inertia = {0, 0, 0, 0, 0, 0}}), "no error");  // massless: the motion judges
  EXPECT_EQ(given({.inertia = {1, 2, 3, 0, 0, 0}}), "no error");             // a flat plate is at the limit
  EXPECT_EQ(given({.inertia = {0, 1, 1, 0, 0, 0}}), "no error");             // so is a thin rod
}

TEST(Body, InertiaMayNotMove) {
  Model m;
  const Coordinate s = m.coordinate("s");
  EXPECT_EQ(message([&] { m.body("b", {.mass = s}); }),
            "the mass of body 'b' contains 's'; it may use parameters only");
}

/// The number an expression is at a state.
double value_at(const Model& m, const Expr& e, const std::vector<double>& q, const std::vector<double>& v) {
  return value_of(m.stated().written_out(e), [&](const Expr& symbol) {
    const SymbolRole which = m.stated().role(symbol);
    return which.role == Role::coordinate ? q[which.index] : v[which.index];
  });
}
Vector3d value_at(const Model& m, const Vector& e, const std::vector<double>& q,
                  const std::vector<double>& v) {
  return {value_at(m, e.x, q, v), value_at(m, e.y, q, v), value_at(m, e.z, q, v)};
}

TEST(Body, PointsAndAxesWrittenOutAreTurnedByTheRotationMatrix) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Draw draw(seed);
    Model m;
    const Body b = m.body("b");
    const Pose pose = draw.pose(2);
    std::vector<double> q(7), v(6);
    put(pose, q.data());
    for (double& x : v) x = draw.real();
    const Vector3d in_body = draw.vector(), w(v[3], v[4], v[5]);
    const Vector constant{in_body.x(), in_body.y(), in_body.z()};
    const double rounding = 1e-14;
    EXPECT_LE((value_at(m, b.axis(constant), q, v) - pose.turn * in_body).norm(), rounding);
    EXPECT_LE((value_at(m, b.point(constant), q, v) - pose * in_body).norm(), rounding);
    EXPECT_LE((value_at(m, b.omega(), q, v) - pose.turn * w).norm(), rounding);
    EXPECT_LE((value_at(m, b.in_body(constant), q, v) - pose.turn.conjugate() * in_body).norm(), rounding);
    // Velocity of a point: v + omega x r. Its acceleration without any of the body: omega x (omega x r).
    const SymbolMap& rates = m.stated().rates;
    const auto rate = [&](const Vector& e) {
      return Vector{time_derivative(e.x, rates), time_derivative(e.y, rates), time_derivative(e.z, rates)};
    };
    const Vector3d r = pose.turn * in_body, omega = pose.turn * w;
    const Vector velocity = rate(b.point(constant));
    EXPECT_LE((value_at(m, velocity, q, v) - (Vector3d(v[0], v[1], v[2]) + omega.cross(r))).norm(), rounding);
    EXPECT_LE((value_at(m, rate(velocity), q, v) - omega.cross(omega.cross(r))).norm(), 4 * rounding);
  }
}

TEST(Body, TurnsFreelyAsEulerSays) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Draw draw(seed);
    Model m;
    const Matrix3d inertia = draw.inertia();
    m.body("b", {.mass = 1.5, .inertia = inertia_of(inertia), .orientation = numbers(draw.turn())});
    const System system(m);
    State at = system.start();
    for (double& v : at.v) v = draw.real(-3, 3);
    const Vector3d w(at.v[3], at.v[4], at.v[5]);
    const Vector3d expected = inertia.inverse() * (inertia * w).cross(w);
    const Solution s = solve(system, at);
    ASSERT_EQ(s.status, Status::solved);
    const Vector3d found(s.acceleration[3], s.acceleration[4], s.acceleration[5]);
    EXPECT_LE((found - expected).norm(), 1e-12 * (1 + expected.norm()));
    EXPECT_EQ(s.acceleration[0], 0);
  }
}

TEST(Body, AForceWhereItActsPushesAndTurns) {
  Draw draw(3);
  const Pose pose = draw.pose();
  const Matrix3d inertia = draw.inertia();
  const Vector3d in_body = draw.vector(), force = draw.vector(), torque = draw.vector();
  Model m;
  const Body b = m.body("b", {.mass = 2.5,
                              .inertia = inertia_of(inertia),
                              .position = numbers(pose.position),
                              .orientation = numbers(pose.turn)});
  const auto constant = [](const Vector3d& v) { return Vector{v.x(), v.y(), v.z()}; };
  m.force_at(b.point(constant(in_body)), constant(force));
  m.torque(b, constant(torque));
  m.force(b, constant(torque));  // at the centre of mass
  const System system(m);
  const Solution s = solve(system, system.start());
  const Vector3d moment = pose.turn.conjugate() * (torque + (pose.turn * in_body).cross(force));
  const Vector3d turned = inertia.inverse() * moment, pushed = (force + torque) / 2.5;
  EXPECT_LE((Vector3d(s.acceleration[3], s.acceleration[4], s.acceleration[5]) - turned).norm(), 1e-13);
  EXPECT_LE((Vector3d(s.acceleration[0], s.acceleration[1], s.acceleration[2]) - pushed).norm(), 1e-15);
}

}  // namespace
}  // namespace vinculum
