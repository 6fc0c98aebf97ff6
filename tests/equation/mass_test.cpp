// Mass matrices that are singular or worse, on every road.
#include "equation/dense/mass.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

const Road all_roads[] = {Road::robust, Road::lagrange, Road::gauss, Road::fast};

Equations system(int n, const std::vector<double>& M, const std::vector<double>& Q, int m = 0,
                 const std::vector<double>& A = {}, const std::vector<double>& b = {}) {
  return {SparseMatrix::from_dense(n, n, M), Q, SparseMatrix::from_dense(m, n, A), b, {}};
}

void expect_no_answer(const Equations& at, Status status, const std::vector<int>& coordinates) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, status);
    EXPECT_EQ(out.coordinates, coordinates);
    EXPECT_TRUE(std::isnan(out.acceleration[0]));
  }
}

TEST(Mass, ARatioOfMassesIsNoSingularity) {
  dense::Matrix M = dense::Matrix::Zero(3, 3);
  M.diagonal() << 1e-20, 1.0, 1e20;
  EXPECT_EQ(dense::judge_mass(M).kind, dense::MassKind::definite);
  M(0, 2) = M(2, 0) = 0.5;
  EXPECT_EQ(dense::judge_mass(M).kind, dense::MassKind::definite);
}

/// Two rows leave three velocities one direction z = A_0 x A_1, so that the motion is written down at once:
///     q'' = p + z z.(Q - M p) / z.M z,   A p = b,
/// which holds for every mass that the direction feels, however small the others are.
std::array<double, 3> by_hand(const Equations& at) {
  const std::vector<double> A = at.A.dense(), M = at.M.dense();
  const double* r = A.data();
  const double* s = A.data() + 3;
  const std::array<double, 3> z{r[1] * s[2] - r[2] * s[1], r[2] * s[0] - r[0] * s[2],
                                r[0] * s[1] - r[1] * s[0]};
  const double square = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
  std::array<double, 3> p{};
  for (int i = 0; i < 3; ++i) {  // (b_0 s - b_1 r) x z / z.z, turned so that r.p = b_0 and s.p = b_1
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    p[i] = (at.b[0] * (s[j] * z[k] - s[k] * z[j]) - at.b[1] * (r[j] * z[k] - r[k] * z[j])) / square;
  }
  double push = 0, felt = 0;
  for (int i = 0; i < 3; ++i) {
    double moved = 0, mass = 0;
    for (int j = 0; j < 3; ++j) {
      moved += M[3 * i + j] * p[j];
      mass += M[3 * i + j] * z[j];
    }
    push += z[i] * (at.Q[i] - moved);
    felt += z[i] * mass;
  }
  for (int i = 0; i < 3; ++i) p[i] += z[i] * push / felt;
  return p;
}

/// In the metric of a light coordinate all rows that hold it look alike. They are not.
TEST(Mass, CoordinatesWithoutWeightThatRowsHoldMoveAsThoseWithoutMass) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int k = 0; k < 400; ++k) {
    const double light = std::pow(10.0, -10.0 - 20.0 * std::fabs(number(random)));
    std::vector<double> M(9, 0.0), Q(3), A(6), b(2);
    for (auto* list : {&Q, &A, &b})
      for (double& x : *list) x = number(random);
    const int which = k % 3;
    for (int i = 0; i < 3; ++i) M[4 * i] = i == which ? light : 1.0 + i;
    const int other = (which + 1) % 3;
    if (k % 2 == 1)  // coupled, as a full mass matrix is
      M[3 * which + other] = M[3 * other + which] = 0.5 * std::sqrt(light) * number(random);
    const Equations at = system(3, M, Q, 2, A, b);
    const std::array<double, 3> truth = by_hand(at);
    const double size = std::hypot(truth[0], truth[1], truth[2]);
    if (!(size < 1e3)) continue;  // rows nearly alike
    for (const Detail detail : {Detail::full, Detail::motion})
      for (const Road road : {Road::automatic, Road::robust}) {
        SolveOptions options;
        options.road = road;
        options.detail = detail;
        const Solution out = solve(at, options);
        ASSERT_EQ(out.status, Status::solved);
        EXPECT_EQ(out.rank, 2);
        // The fast road answers where rows are met to 1e-12 of their terms; rows nearly alike show in the
        // size.
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(out.acceleration[i], truth[i], 1e-11 * (1.0 + size * size)) << k;
        EXPECT_TRUE(detail == Detail::motion || out.certificate.holds()) << k;
      }
  }
}

/// A mass alone is a number in some unit: where the rows see all coordinates alike, none is light.
TEST(Mass, SmallNumbersAloneMakeNoCoordinateLight) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-30, 30);
  for (int k = 0; k < 400; ++k) {
    std::vector<double> M(9, 0.0), Q(3), A(6), b(2);
    for (auto* list : {&Q, &A, &b})
      for (double& x : *list) x = number(random);
    for (int i = 0; i < 3; ++i) M[4 * i] = 1.0 + i;
    const std::array<double, 3> truth = by_hand(system(3, M, Q, 2, A, b));
    const double size = std::hypot(truth[0], truth[1], truth[2]);
    if (!(size < 1e3)) continue;  // rows nearly alike
    std::array<double, 3> unit;
    for (double& u : unit) u = std::ldexp(1.0, exponent(random));
    for (int i = 0; i < 3; ++i) {
      M[4 * i] *= unit[i] * unit[i];
      Q[i] *= unit[i];
      A[i] *= unit[i];
      A[3 + i] *= unit[i];
    }
    const Equations at = system(3, M, Q, 2, A, b);
    for (const Detail detail : {Detail::full, Detail::motion})
      for (const Road road : {Road::automatic, Road::robust}) {
        const Solution out = solve(at, {.road = road, .detail = detail});
        ASSERT_EQ(out.status, Status::solved);
        EXPECT_EQ(out.rank, 2);
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(out.acceleration[i] * unit[i], truth[i], 1e-11 * (1.0 + size * size)) << k;
        EXPECT_TRUE(detail == Detail::motion || out.certificate.holds()) << k;
      }
  }
}

/// A light coordinate that rows leave free feels its own mass, as ever.
TEST(Mass, ALightCoordinateThatIsFreeKeepsItsMass) {
  const Equations at = system(3, {1e-30, 0, 0, 0, 1, 0, 0, 0, 2}, {3e-30, 1, 1}, 1, {0, 1, -1}, {0});
  for (const Road road : {Road::automatic, Road::robust}) {
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 3.0, 1e-14);
    EXPECT_NEAR(out.acceleration[1], 2.0 / 3.0, 1e-15);
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(Mass, OfLightCoordinatesThoseThatRowsHoldAndThoseThatAreFreeGoTogether) {
  // x'' = -1 and x'' + y'' + z'' = 0 share 8.81 - 1 among masses of 1 and 2; the fourth moves by itself.
  const Equations at = system(4, {1e-30, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1e-30},
                              {0.7, -9.81, 1, 3e-30}, 2, {2, 0, 0, 0, 1, 1, 1, 0}, {-2, 0});
  for (const Road road : {Road::automatic, Road::robust}) {
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, Status::solved);
    EXPECT_EQ(out.rank, 2);
    EXPECT_NEAR(out.acceleration[0], -1.0, 1e-14);
    EXPECT_NEAR(out.acceleration[1], -8.81 / 3.0, 1e-14);
    EXPECT_NEAR(out.acceleration[2], 1.0 + 8.81 / 3.0, 1e-14);
    EXPECT_NEAR(out.acceleration[3], 3.0, 1e-14);
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(Mass, AMasslessCoordinateHeldByARowIsDetermined) {
  // q0 has no mass, and q0'' = 2 q1'' + 1.
  const Equations at = system(2, {0, 0, 0, 3}, {0, 6}, 1, {1, -2}, {1});
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 5.0, 1e-14);
    EXPECT_NEAR(out.acceleration[1], 2.0, 1e-14);
    EXPECT_NEAR(out.multipliers[0], 0.0, 1e-14);
    EXPECT_TRUE(std::isnan(out.free_acceleration[0]));
    EXPECT_TRUE(std::isnan(out.dissatisfaction[0]));
    EXPECT_TRUE(std::isnan(out.deviation[1]));
    EXPECT_TRUE(std::isnan(out.gaussian));
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(Mass, AMasslessCoordinateMayBeToldInAnyUnit) {
  // u q0'' = 2 q1'' + 1, and a force on q0 that its row carries.
  for (const double u : {1e-100, 1e-12, 1e-6, 1e6, 1e12, 1e100}) {
    const Equations at = system(2, {0, 0, 0, 3}, {-3 * u, 6}, 1, {u, -2}, {1});
    for (Road road : all_roads) {
      SCOPED_TRACE(std::string(road_name(road)) + ", " + std::to_string(std::log10(u)));
      const Solution out = solve(at, {.road = road});
      ASSERT_EQ(out.status, Status::solved);
      EXPECT_NEAR(out.multipliers[0], 3.0, 1e-14);  // row of q0:  0 = -3 u + u lambda
      EXPECT_NEAR(out.acceleration[1], 0.0, 1e-14);
      EXPECT_NEAR(out.acceleration[0] * u, 1.0, 1e-14);
      EXPECT_TRUE(out.certificate.holds());
    }
  }
}

TEST(Mass, RowsThatContradictDoSoInAnyUnitOfWhatHasNoMass) {
  for (const double u : {1e-12, 1.0, 1e12}) {
    const Equations at = system(2, {0, 0, 0, 1}, {0, 1}, 2, {u, -1, u, -1}, {0, 1e-3});
    EXPECT_EQ(solve(at, {.road = Road::robust}).status, Status::contradicting);
  }
}

TEST(Mass, AForceOnAMasslessCoordinateIsCarriedByItsRow) {
  Equations at = system(2, {0, 0, 0, 3}, {4, 6}, 1, {1, -2}, {1});
  at.C = {1, 0};
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.multipliers[0], -4.0, 1e-14);         // row of q0:  0 = 4 + lambda
    EXPECT_NEAR(out.acceleration[1], 16.0 / 3.0, 1e-14);  // 3 q1'' = 6 - 2 lambda, and 2 more from C
    EXPECT_NEAR(out.nonideal_force[0], 0.0, 1e-14);
    EXPECT_NEAR(out.nonideal_force[1], 2.0, 1e-14);
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(Mass, ASingularMassMatrixWithRowsThatHoldTheRestIsDetermined) {
  // M = (1, 1)(1, 1)^T moves the sum only; the row fixes the difference.
  const Equations at = system(2, {1, 1, 1, 1}, {3, 3}, 1, {1, -1}, {1});
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 2.0, 1e-14);
    EXPECT_NEAR(out.acceleration[1], 1.0, 1e-14);
  }
}

TEST(Mass, CoordinatesThatNeitherMassNorRowsHoldAreNamed) {
  expect_no_answer(system(2, {0, 0, 0, 1}, {0, 0}, 1, {0, 1}, {0}), Status::undetermined, {0});
  expect_no_answer(system(2, {1, 1, 1, 1}, {0, 0}), Status::undetermined, {0, 1});
  expect_no_answer(system(3, {0, 0, 0, 0, 5, 0, 0, 0, 0}, {0, 0, 0}, 1, {1, 0, 1}, {2}), Status::undetermined,
                   {0, 2});
}

TEST(Mass, ANegativeDirectionIsNamed) {
  expect_no_answer(system(2, {1, 0, 0, -1}, {0, 0}), Status::indefinite, {1});
  expect_no_answer(system(2, {1, 2, 2, 1}, {0, 0}), Status::indefinite, {0, 1});
  expect_no_answer(system(3, {1, 0, 0, 0, 0, 1, 0, 1, 1}, {0, 0, 0}), Status::indefinite, {1, 2});
  expect_no_answer(system(3, {1e8, 0, 0, 0, 1, 2, 0, 2, 1}, {0, 0, 0}, 1, {1, 0, 0}, {0}), Status::indefinite,
                   {1, 2});
}

TEST(Mass, RowsThatContradictAreToldBeforeCoordinatesLeftOpen) {
  const Solution out =
      solve(system(2, {0, 0, 0, 1}, {0, 0}, 2, {0, 1, 0, 1}, {1, 2}), {.road = Road::robust});
  EXPECT_EQ(out.status, Status::contradicting);
  EXPECT_EQ(out.rows, (std::vector<int>{0, 1}));
  EXPECT_EQ(out.coordinates, std::vector<int>{0});
}

}  // namespace
}  // namespace vinculum
