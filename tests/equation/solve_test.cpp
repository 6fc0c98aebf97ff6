#include "vinculum/equation/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/allocations.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

Equations pair_on_a_rod() {
  return {SparseMatrix::diagonal(std::vector<double>{1.0, 1.0, 3.0, 3.0}),
          {0.0, -1.0, 0.0, -3.0},
          SparseMatrix::from_dense(1, 4, std::vector<double>{-3.0, -4.0, 3.0, 4.0}),
          {-2.0},
          {}};
}

std::string message(const Equations& at, const SolveOptions& options = {}) {
  try {
    solve(at, options);
  } catch (const Error& error) {
    return error.text();
  }
  return "no error";
}

TEST(Solve, TheReportSaysWhichRoadWasAskedAndWhichWasUsed) {
  for (Road road : {Road::fast, Road::robust, Road::lagrange, Road::gauss}) {
    const Solution out = solve(pair_on_a_rod(), {.road = road});
    EXPECT_EQ(out.road_asked, road);
    EXPECT_EQ(out.road_used, road);
  }
  const Solution out = solve(pair_on_a_rod());
  EXPECT_EQ(out.road_asked, Road::automatic);
  EXPECT_EQ(out.road_used, Road::fast);
}

TEST(Solve, WhereTheFastRoadCannotAnswerTheRobustOneDoes) {
  // Singular, with masses everywhere: 1 1; 1 1.
  Equations at = pair_on_a_rod();
  at.M = SparseMatrix::from_dense(4, 4, std::vector<double>{1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3});
  for (Road road : {Road::automatic, Road::fast})
    for (Detail detail : {Detail::motion, Detail::full}) {
      const Solution out = solve(at, {.road = road, .detail = detail});
      EXPECT_EQ(out.status, Status::solved);
      EXPECT_EQ(out.road_asked, road);
      EXPECT_EQ(out.road_used, Road::robust);
    }
}

TEST(Solve, ASystemTooLargeForTheRobustRoadIsUncertifiedAndNamesItsWorstRow) {
  Equations at = pair_on_a_rod();
  at.A = SparseMatrix::from_dense(2, 4, std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0});
  at.b = {1.0, 2.0};
  const Solution out = solve(at, {.robust_limit = 3});
  EXPECT_EQ(out.status, Status::uncertified);
  EXPECT_EQ(out.road_used, Road::fast);
  EXPECT_EQ(out.rows.size(), 1u);
}

/// Rows nearer to each other than a coupled M lets A M^-1 A^T tell for certain.
Equations rank_in_doubt() {
  Equations at = pair_on_a_rod();
  at.M =
      SparseMatrix::from_dense(4, 4, std::vector<double>{1, .1, 0, 0, .1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3});
  at.A = SparseMatrix::from_dense(2, 4, std::vector<double>{1, 0, 0, 0, 1, 1e-5, 0, 0});
  at.b = {0.0, 0.0};
  return at;
}

TEST(Solve, TheFastAnswerOfALargeSystemStandsWithoutTheExtrasWhereItsRankIsInDoubt) {
  Solution out = solve(rank_in_doubt(), {.robust_limit = 3});
  EXPECT_EQ(out.status, Status::solved);
  EXPECT_EQ(out.road_used, Road::fast);
  EXPECT_TRUE(out.certificate.constraint_residual.holds());
  EXPECT_TRUE(out.certificate.kkt_residual.holds());
  EXPECT_TRUE(std::isnan(out.certificate.virtual_work.value));
  EXPECT_TRUE(std::isnan(out.certificate.gauss_gap.value));
}

TEST(Solve, TheFastAnswerOfALargeSystemHasItsExtrasWhereItsRankIsBeyondDoubt) {
  const Solution out = solve(pair_on_a_rod(), {.robust_limit = 3});
  EXPECT_EQ(out.road_used, Road::fast);
  EXPECT_EQ(out.rank, 1);
  EXPECT_TRUE(out.certificate.holds());
}

TEST(Solve, ACertificateThatWasNotMadeDoesNotHold) {
  EXPECT_FALSE(solve(pair_on_a_rod(), {.detail = Detail::motion}).certificate.holds());
}

TEST(Solve, AReportIsCleanOfTheInstantBefore) {
  Equations at = pair_on_a_rod();
  const Structure structure(at.M, at.A);
  SolveWorkspace work(structure);
  Solution out;
  at.Q[1] = NAN;
  solve(structure, at, work, out);
  ASSERT_EQ(out.status, Status::not_finite);
  solve(structure, pair_on_a_rod(), work, out);
  EXPECT_EQ(out.status, Status::solved);
  EXPECT_TRUE(out.coordinates.empty());
  EXPECT_EQ(out.term, ' ');
  EXPECT_TRUE(out.certificate.holds());
}

TEST(Solve, AStepOnTheFastRoadAllocatesNothing) {
  Equations at = pair_on_a_rod();
  at.C = {0.1, 0.0, 0.0, 0.0};
  const Structure structure(at.M, at.A);
  SolveWorkspace work(structure);
  Solution out;
  const SolveOptions options{.detail = Detail::motion};
  solve(structure, at, work, out, options);
  ASSERT_EQ(out.road_used, Road::fast);
  const long before = allocations();
  for (int step = 0; step < 10; ++step) {
    at.Q[0] += 0.1;
    solve(structure, at, work, out, options);
  }
  EXPECT_EQ(allocations() - before, 0);
}

TEST(Solve, TheDetailOfMotionGivesTheSameMotionAsTheFullOne) {
  Equations at = pair_on_a_rod();
  at.C = {0.1, 0.0, 0.0, 0.0};
  for (Road road : {Road::fast, Road::robust, Road::lagrange, Road::gauss}) {
    const Solution full = solve(at, {.road = road}),
                   motion = solve(at, {.road = road, .detail = Detail::motion});
    EXPECT_EQ(motion.acceleration, full.acceleration);
    EXPECT_EQ(motion.rank, full.rank);
  }
}

TEST(Solve, SizesThatDoNotFitAreAnError) {
  Equations at = pair_on_a_rod();
  at.Q.pop_back();
  EXPECT_EQ(message(at), "solve: Q has 3 entries; M asks for 4");
  at = pair_on_a_rod();
  at.b.push_back(0.0);
  EXPECT_EQ(message(at), "solve: b has 2 entries; A asks for 1");
  at = pair_on_a_rod();
  at.C = {1.0};
  EXPECT_EQ(message(at), "solve: C has 1 entries; M asks for 4");
  at = pair_on_a_rod();
  at.A.columns = 5;
  EXPECT_EQ(message(at), "solve: A has 5 columns; M asks for 4");
  at = pair_on_a_rod();
  at.M.columns = 3;
  EXPECT_EQ(message(at), "solve: M has 4 rows and 3 columns; it must be square");
}

TEST(Solve, ADenseRoadRefusesWhatIsTooLargeForIt) {
  EXPECT_EQ(
      message(pair_on_a_rod(), {.road = Road::gauss, .robust_limit = 3}),
      "solve: the road 'gauss' works densely and takes up to 3 rows and coordinates; here are 1 and 4 (raise "
      "robust_limit, or take the fast road)");
}

TEST(Solve, EveryRoadAndStatusHasAName) {
  EXPECT_EQ(road_name(Road::automatic), "automatic");
  EXPECT_EQ(road_name(Road::fast), "fast");
  EXPECT_EQ(road_name(Road::robust), "robust");
  EXPECT_EQ(road_name(Road::lagrange), "lagrange");
  EXPECT_EQ(road_name(Road::gauss), "gauss");
  EXPECT_EQ(status_name(Status::solved), "solved");
  EXPECT_EQ(status_name(Status::contradicting), "contradicting");
  EXPECT_EQ(status_name(Status::undetermined), "undetermined");
  EXPECT_EQ(status_name(Status::indefinite), "indefinite");
  EXPECT_EQ(status_name(Status::not_finite), "not_finite");
  EXPECT_EQ(status_name(Status::uncertified), "uncertified");
}

TEST(Solve, NothingAtAllIsSolved) {
  for (Road road : {Road::automatic, Road::robust, Road::lagrange, Road::gauss}) {
    const Solution out = solve(Equations{}, {.road = road});
    EXPECT_EQ(out.status, Status::solved);
    EXPECT_TRUE(out.acceleration.empty());
    EXPECT_EQ(out.rank, 0);
  }
}

/// Rows of which one has 1e-7 of itself beyond the others: the pushes of the multipliers are 1e13 times the
/// motion they add up to, and their rounding is no excuse for a miss.
TEST(Solve, RowsThatNearlyDependHoldToTheirOwnTerms) {
  const std::vector<double> A{1.6344956181240755,
                              0,
                              -1.0423581253849084,
                              0,
                              1491.0599180957086,
                              -0.67137999194013276,
                              1943.9365225674039,
                              0,
                              0,
                              -1.4653331634191014,
                              -803.50434705309829,
                              -0.45094599336342084,
                              0,
                              0,
                              -805.62814761906509,
                              0};
  const std::vector<double> M{
      29.618826020493831, 0.87435590297245014, 0, 0, 0.87435590297245014, 2.2908713962210876, 0, 0, 0, 0,
      9509975.8002441134, 1.8232720080454827,  0, 0, 1.8232720080454827,  6083091.832866068};
  const Equations at{SparseMatrix::from_dense(4, 4, M),
                     {0, -1709678.6660820819, -4.65354231232988, 7770.483593865787},
                     SparseMatrix::from_dense(4, 4, A),
                     {0.9999549156019194, -0.54357803655337922, 1487.0658431920451, -4.2935765564088051},
                     {}};
  for (const Detail detail : {Detail::motion, Detail::full}) {
    const Solution out = solve(at, {.detail = detail});
    ASSERT_EQ(out.status, Status::solved);
    for (int i = 0; i < 4; ++i) {
      double miss = at.b[i], terms = std::fabs(at.b[i]);
      for (int j = 0; j < 4; ++j) {
        miss -= A[4 * i + j] * out.acceleration[j];
        terms += std::fabs(A[4 * i + j] * out.acceleration[j]);
      }
      EXPECT_LE(std::fabs(miss), 1e-11 * terms) << i;  // once it was 1e-5
    }
  }
}

}  // namespace
}  // namespace vinculum
