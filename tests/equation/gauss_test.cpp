// The pendulum of the equivalence paper, (26)-(43): Gauss's function by elimination gives (42) and (43).
#include <gtest/gtest.h>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

struct Pendulum {  // x2 points up
  double m, g, x1, x2, v1, v2;

  Equations equations() const {
    return {SparseMatrix::diagonal(std::vector<double>{m, m}),
            {0.0, -m * g},
            SparseMatrix::from_dense(1, 2, std::vector<double>{x1, x2}),
            {-(v1 * v1 + v2 * v2)},
            {}};
  }
  double square() const { return x1 * x1 + x2 * x2; }
  double speed2() const { return v1 * v1 + v2 * v2; }
  double a1() const { return (x2 * g - speed2()) * x1 / square(); }        // (43)
  double a2() const { return -(x1 * x1 * g + speed2() * x2) / square(); }  // (42)
  double lambda() const { return m * (x2 * g - speed2()) / square(); }
};

const Pendulum swinging{2.0, 9.81, 0.6, -0.8, 1.2, 0.9};
const Pendulum below{2.0, 9.81, 0.0, -1.0, 1.5, 0.0};  // x1 = 0: the elimination must take x2 instead

void expect_pendulum(const Pendulum& pendulum, Road road) {
  const Solution out = solve(pendulum.equations(), {.road = road});
  EXPECT_EQ(out.status, Status::solved);
  EXPECT_NEAR(out.acceleration[0], pendulum.a1(), 1e-14);
  EXPECT_NEAR(out.acceleration[1], pendulum.a2(), 1e-14);
  EXPECT_NEAR(out.multipliers[0], pendulum.lambda(), 4e-14);
  EXPECT_NEAR(out.constraint_force[0], pendulum.lambda() * pendulum.x1, 4e-14);
  EXPECT_NEAR(out.constraint_force[1], pendulum.lambda() * pendulum.x2, 4e-14);
  EXPECT_TRUE(out.certificate.holds());
}

TEST(Gauss, ThePendulumMovesAsThePaperSaysOnEveryRoad) {
  for (Road road : {Road::gauss, Road::lagrange, Road::robust, Road::fast}) {
    SCOPED_TRACE(road_name(road));
    expect_pendulum(swinging, road);
    expect_pendulum(below, road);
  }
}

TEST(Gauss, ABobAtItsLowestPointFeelsV2OverL) {
  const Solution out = solve(below.equations(), {.road = Road::gauss});
  EXPECT_NEAR(out.acceleration[1], 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(out.gaussian, 2.0 * (9.81 + 2.25) * (9.81 + 2.25), 1e-12);  // (q'' - a)^T M (q'' - a)
}

}  // namespace
}  // namespace vinculum
