// The examples of the papers against the papers' closed forms (misprints corrected: dots dropped in (27),
// (31), (36), (37)).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "examples/cpp/gallery.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

constexpr std::array all_roads{Road::automatic, Road::fast, Road::robust, Road::lagrange, Road::gauss};

// A handful of additions and one small solve: a few dozen roundings of numbers of the size of the result.
constexpr double rounding = 64 * 2.2e-16;

Solution on(Road road, const System& system, const State& at) {
  SolveOptions options;
  options.road = road;
  Solution s = solve(system, at, options);
  EXPECT_EQ(s.status, Status::solved) << describe(system, s);
  EXPECT_TRUE(s.certificate.holds()) << road_name(road);
  return s;
}

double scale(const std::vector<double>& v) {
  double largest = 1;
  for (const double x : v) largest = std::max(largest, std::fabs(x));
  return largest;
}

void expect_close(const std::vector<double>& is, const std::vector<double>& should) {
  ASSERT_EQ(is.size(), should.size());
  for (std::size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], should[i], rounding * scale(should)) << "entry " << i;
}

class Random {
 public:
  double operator()(double a = -2, double b = 2) {
    return std::uniform_real_distribution<double>(a, b)(engine_);
  }

 private:
  std::mt19937 engine_{20};
};

TEST(Papers, SphericalPendulumObeysEquation27) {
  const System system(examples::spherical_pendulum());
  const double m = 1.0, g = 9.81;
  Random random;
  for (int k = 0; k < 200; ++k) {
    // (27) holds off the sphere too: the rows know x, y, z, not L.
    const State at{0, {random(), random(), random(0.5, 2)}, {random(), random(), random()}};
    const double r2 = at.q[0] * at.q[0] + at.q[1] * at.q[1] + at.q[2] * at.q[2];
    const double v2 = at.v[0] * at.v[0] + at.v[1] * at.v[1] + at.v[2] * at.v[2];
    const double w = (-v2 - g * at.q[1]) / r2;
    for (const Road road : all_roads) {
      const Solution s = on(road, system, at);
      expect_close(s.acceleration, {w * at.q[0], g + w * at.q[1], w * at.q[2]});
      expect_close(s.constraint_force, {m * w * at.q[0], m * w * at.q[1], m * w * at.q[2]});
      // The row is 2(x x'' + ...), the paper's is half of it: our multiplier is half the paper's (28).
      expect_close(s.multipliers, {m * w / 2});
      EXPECT_TRUE(s.multipliers_unique);
    }
  }
}

TEST(Papers, KeplersTwoLawsNeedNewtonsForceEquation34) {
  const System system(examples::kepler());
  const double eps = 0.5, p = 1.5, c = 2.0, m = 2.0;
  for (double angle = 0; angle < 6.28; angle += 0.05) {
    const double r = p / (1 - eps * std::cos(angle)), x = r * std::cos(angle), y = r * std::sin(angle);
    // r r' = x x' + y y', r' = eps x', x y' - y x' = c: the velocity on the orbit.
    const double rate = c / (r * r), vr = -eps * std::sin(angle) * c / p;
    const State at{0,
                   {x, y},
                   {vr * std::cos(angle) - r * rate * std::sin(angle),
                    vr * std::sin(angle) + r * rate * std::cos(angle)}};
    const double force = -c * c / p * m / (r * r);
    for (const Road road : all_roads) {
      const Solution s = on(road, system, at);
      const std::vector<double> newton{force * x / r, force * y / r};
      for (int i = 0; i < 2; ++i)  // the state itself carries a few roundings, amplified by cond(A) < 10
        EXPECT_NEAR(s.constraint_force[i], newton[i], 10 * rounding * (1 + std::fabs(force)));
      EXPECT_EQ(s.rank, 2);
    }
  }
}

TEST(Papers, KeplersFirstLawAloneNeedsAForceThatIsNotCentral) {
  const System system(examples::kepler_first_law());
  const double eps = 0.5, p = 1.5, m = 2.0;
  bool off_centre = false;
  for (double angle = 0.1; angle < 6.28; angle += 0.1) {
    const double r = p / (1 - eps * std::cos(angle)), x = r * std::cos(angle), y = r * std::sin(angle);
    const double ax = x / r - eps, ay = y / r;         // gradient of r - eps x
    const State at{0, {x, y}, {-0.7 * ay, 0.7 * ax}};  // along the ellipse
    const double v2 = at.v[0] * at.v[0] + at.v[1] * at.v[1], rr = (x * at.v[0] + y * at.v[1]) / r;
    const double b = -(v2 - rr * rr) / r, w = m * b / (ax * ax + ay * ay);
    for (const Road road : all_roads) {
      const Solution s = on(road, system, at);
      EXPECT_NEAR(s.constraint_force[0], w * ax, 4 * rounding * (1 + std::fabs(w)));
      EXPECT_NEAR(s.constraint_force[1], w * ay, 4 * rounding * (1 + std::fabs(w)));
      const double moment = x * s.constraint_force[1] - y * s.constraint_force[0];
      off_centre = off_centre || std::fabs(moment) > 0.1;
    }
  }
  EXPECT_TRUE(off_centre);
}

TEST(Papers, TheNonintegrableMovingConstraintObeysEquation37) {
  const System system(examples::moving_plane());  // velocities in the order x, z, y
  const double m = 1.5;
  Random random;
  for (int k = 0; k < 200; ++k) {
    const double t = random(0, 5), z = random(), vx = random(), vz = random();
    const State at{t, {random(), z, random()}, {vx, vz, z * vx + std::sin(2 * t)}};
    const double X = std::cos(t), Y = 0.5, Z = -std::sin(t), alpha_rate = 2 * std::cos(2 * t);
    const double w = (m * (vz * vx + alpha_rate) + z * X - Y) / (z * z + 1);
    for (const Road road : all_roads) {
      const Solution s = on(road, system, at);
      expect_close(s.acceleration, {(X - z * w) / m, Z / m, (Y + w) / m});
      expect_close(s.multipliers, {w});
    }
  }
}

TEST(Papers, ThePlanePendulumIsTheSameByAllRoads26To43) {
  const System system(examples::pendulum());
  const double g = 9.81, m = 2.0;
  Random random;
  for (int k = 0; k < 200; ++k) {
    State at{0, {random(0.1, 2), random()}, {random(), random()}};
    if (k == 0) at.q[0] = 0;  // "these equations hold even if x_1 = 0"
    const double x1 = at.q[0], x2 = at.q[1], v2 = at.v[0] * at.v[0] + at.v[1] * at.v[1],
                 r2 = x1 * x1 + x2 * x2;
    const double lagrange35 = (x2 * g - v2) * x1 / r2, lagrange36 = -g + (x2 * g - v2) * x2 / r2;
    const double gauss42 = -(x1 * x1 * g + v2 * x2) / r2;
    EXPECT_NEAR(lagrange36, gauss42, rounding * (1 + std::fabs(gauss42) + g));
    for (const Road road : all_roads) {
      const Solution s = on(road, system, at);
      EXPECT_NEAR(s.acceleration[0], lagrange35, rounding * (g + v2 / std::sqrt(r2)));
      EXPECT_NEAR(s.acceleration[1], gauss42, rounding * (g + v2 / std::sqrt(r2)));
      // (34), with our row twice the paper's.
      EXPECT_NEAR(2 * s.multipliers[0], (x2 * g - v2) * m / r2, 4 * rounding * (g + v2) / std::sqrt(r2) * m);
    }
  }
}

TEST(Papers, StatingARodThreeTimesChangesNoForceAndSharesTheMultiplier) {
  const System once(examples::pendulum()), thrice(examples::pendulum_thrice());
  const Solution a = on(Road::automatic, once, once.start()), b = on(Road::automatic, thrice, thrice.start());
  expect_close(b.acceleration, a.acceleration);
  expect_close(b.constraint_force, a.constraint_force);
  EXPECT_EQ(b.rank, 1);
  EXPECT_FALSE(b.multipliers_unique);
  ASSERT_EQ(b.freedom.size(), 2u);
  const double s[] = {1, 2, -3};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(b.multipliers[i], s[i] * a.multipliers[0] / 14, rounding * 10);
  ASSERT_EQ(b.dependencies.size(), 2u);
  EXPECT_EQ(b.dependencies[0].row, 1);
  EXPECT_EQ(b.dependencies[0].on, std::vector<int>{0});
  EXPECT_NEAR(b.dependencies[1].weight.at(0), -3, 1e-13);
}

TEST(Papers, TheFlatFourBarReleasesItsVerticalAccelerations) {
  // Reference f05: exact rational values of the formula at the rank drop.
  const System system(examples::flat_four_bar());
  for (const Road road : all_roads) {
    const Solution s = on(road, system, system.start());
    expect_close(s.acceleration,
                 {-9.0 / 4, -26487.0 / 2200, -9.0 / 4, -2943.0 / 275, -9.0 / 4, -26487.0 / 2200});
    EXPECT_EQ(s.rank, 3);
  }
}

TEST(Papers, EveryExampleIsSolvedWithItsCertificate) {
  for (const auto& e : examples::gallery()) {
    SCOPED_TRACE(e.name);
    const System system(e.model());
    on(Road::automatic, system, system.start());
    EXPECT_FALSE(e.why.empty());
  }
}

}  // namespace
}  // namespace vinculum
