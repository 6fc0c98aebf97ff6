// Rods between every two of some particles: far more than it takes to make them one body. Any of them follow
// from the others, and how well they do depends on which are taken first.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "vinculum/equation/solution.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using Point = std::array<double, 3>;

/// Particles of one body that turns about a point.
struct Cloud {
  std::vector<double> mass;
  std::vector<Point> place, velocity;

  Cloud(int count, unsigned seed) {
    std::mt19937 source(seed);
    std::uniform_real_distribution<double> number(-1, 1), weight(0.5, 2);
    const Point w{number(source), number(source), number(source)};
    for (int i = 0; i < count; ++i) {
      const Point x{number(source), number(source), number(source)};
      mass.push_back(weight(source));
      place.push_back(x);
      velocity.push_back({w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]});
    }
  }
  int size() const { return static_cast<int>(mass.size()); }
  double apart(int i, int j) const {
    const Point &a = place[i], &b = place[j];
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  /// How far the first three are from a straight line, and the others from their plane: three rods that hold
  /// one in place hold it by that.
  double thickness() const {
    const auto from = [&](int i) {
      return Point{place[i][0] - place[0][0], place[i][1] - place[0][1], place[i][2] - place[0][2]};
    };
    const auto cross = [](const Point& a, const Point& b) {
      return Point{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    };
    const Point normal = cross(from(1), from(2));
    double least = std::hypot(normal[0], normal[1], normal[2]);
    for (int i = 3; i < size(); ++i) {
      const Point x = from(i);
      least = std::min(least, std::fabs(normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2]));
    }
    return least;
  }
};

/// With all rods, or with no more than it takes: each particle tied to the first three.
Model framework(const Cloud& cloud, bool all) {
  Model m;
  std::vector<Particle> p;
  for (int i = 0; i < cloud.size(); ++i)
    p.push_back(
        m.particle("p" + std::to_string(i),
                   {.mass = cloud.mass[i], .position = cloud.place[i], .velocity = cloud.velocity[i]}));
  for (int i = 1; i < cloud.size(); ++i)
    for (int j = 0; j < (all ? i : std::min(i, 3)); ++j)
      m.constrain("rod_" + std::to_string(i) + "_" + std::to_string(j), distance(p[i], p[j]),
                  cloud.apart(i, j));
  return m;
}

TEST(Framework, RodsToSpareChangeNothing) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Cloud cloud(4 + static_cast<int>(seed % 5), seed);
    const System system(framework(cloud, true));
    const char* const methods[] = {"dop853", "dopri5", "radau5", "extrapolation"};
    MotionOptions options;
    options.until = 2;
    options.integrator = integrator_named(methods[seed / 5 % 4]).value();
    const Trajectory motion = simulate(system, options);
    ASSERT_EQ(motion.stop, Stop::end)
        << seed << " " << integrator_name(options.integrator) << ": " << motion.reason;
    EXPECT_TRUE(motion.rank_changes.empty()) << seed << " at " << motion.rank_changes.front().time;
    EXPECT_EQ(motion.back().rank, 3 * cloud.size() - 6) << seed;
    if (cloud.thickness() < 0.05) continue;  // the few rods are near to a dead point
    MotionOptions exact;
    exact.until = 2;
    exact.tolerance = 1e-11;
    const Trajectory expected = simulate(System(framework(cloud, false)), exact);
    ASSERT_EQ(expected.stop, Stop::end) << seed << ": " << expected.reason;
    ++compared;
    for (std::size_t k = 0; k < motion.last.q.size(); ++k)
      EXPECT_NEAR(motion.last.q[k], expected.last.q[k], 1e-7)
          << seed << " " << integrator_name(options.integrator);
  }
  EXPECT_GT(compared, 100);
}

/// 435 rods of rank 84: what makes no force is taken out of the multipliers and leaves the force as it is.
TEST(Framework, MultipliersOfManyRodsMakeTheForceToRounding) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const System system(framework(Cloud(30, seed), true));
    const Solution instant = solve(system, system.start(), {});
    EXPECT_EQ(instant.rank, 84);
    EXPECT_TRUE(instant.certificate.holds()) << seed;
    const Check& balance = instant.certificate.kkt_residual;
    EXPECT_LT(balance.value, 0.1 * balance.bound) << seed;
  }
}

}  // namespace
}  // namespace vinculum
