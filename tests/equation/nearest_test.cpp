// Corrections in the mass metric, and rows left out within a step.
#include <gtest/gtest.h>

#include <cmath>

#include "equation/sample.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

/// n masses in a row with couplings, and rows between neighbours: wide enough for the sparse and the KKT
/// form.
Equations ladder(int n, bool coupled) {
  std::vector<double> mass(static_cast<std::size_t>(n) * n, 0.0),
      rows(static_cast<std::size_t>(n - 1) * n, 0.0);
  for (int i = 0; i < n; ++i) {
    mass[i * n + i] = 2 + 0.1 * (i % 7);
    if (coupled && i + 1 < n) mass[i * n + i + 1] = mass[(i + 1) * n + i] = 0.5;
  }
  for (int r = 0; r + 1 < n; ++r) {
    rows[r * n + r] = 1 + 0.01 * r;
    rows[r * n + r + 1] = -1;
  }
  Equations e;
  e.M = SparseMatrix::from_dense(n, n, mass);
  e.A = SparseMatrix::from_dense(n - 1, n, rows);
  e.Q.assign(n, 0.0);
  e.b.assign(n - 1, 0.0);
  return e;
}

TEST(Nearest, IsTheAccelerationFromRestThatTheRowsAskFor) {
  // With Q = 0 and b = r the fundamental equation itself is the smallest x with A x = r.
  for (const int n : {3, 20, 120})
    for (const bool coupled : {false, true}) {
      Equations e = ladder(n, coupled);
      std::vector<double> r(n - 1);
      for (int i = 0; i + 1 < n; ++i) r[i] = std::sin(1.3 * i);
      const Structure structure(e.M, e.A);
      SolveWorkspace work(structure);
      std::vector<double> x;
      ASSERT_TRUE(nearest(structure, e, work, r, x));
      e.b = r;
      SolveOptions robust;
      robust.road = Road::robust;
      const Solution exact = solve(e, robust);
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(x[i], exact.acceleration[i], 1e-12 * n) << n << (coupled ? " coupled" : "");
      // Once more with the factors at hand.
      for (double& value : r) value *= -2;
      ASSERT_TRUE(nearest(structure, e, work, r, x, true));
      for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], -2 * exact.acceleration[i], 1e-12 * n);
    }
}

TEST(Nearest, RefusesAMassThatIsNotPositive) {
  Equations e = ladder(5, false);
  for (int k = 0; k < e.M.entries(); ++k) e.M.value[k] = k == 2 ? -1.0 : 1.0;
  const Structure structure(e.M, e.A);
  SolveWorkspace work(structure);
  std::vector<double> x;
  EXPECT_FALSE(nearest(structure, e, work, e.b, x));
}

TEST(Nearest, WithoutAMassOneIsPlacedByItsRowsAndRefusedWhereTheyLeaveIt) {
  for (const int n : {5, 120}) {
    Equations e = ladder(n, false);
    e.M.value[2] = 0.0;
    for (std::size_t r = 0; r < e.b.size(); ++r) e.b[r] = std::sin(1.3 * static_cast<double>(r));
    const Structure structure(e.M, e.A);
    SolveWorkspace work(structure);
    std::vector<double> x;
    ASSERT_TRUE(nearest(structure, e, work, e.b, x));
    const Solution exact = solve(e, {.road = Road::robust});
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], exact.acceleration[i], 1e-10) << n;
    for (int r = 1; r <= 2; ++r)  // the rows that hold it
      for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k) e.A.value[k] = 0.0;
    EXPECT_FALSE(nearest(structure, e, work, e.b, x));
  }
}

TEST(WithinStep, RowsThatDependOnOthersAreLeftOutInsteadOfCompared) {
  Equations e;
  e.M = SparseMatrix::diagonal(std::vector<double>{1, 2});
  e.Q = {0, 0};
  e.A = SparseMatrix::from_dense(2, 2, std::vector<double>{1, 1, 2, 2});
  e.b = {1, 2.001};  // disagree by a truncation error
  const Structure structure(e.M, e.A);
  SolveWorkspace work(structure);
  Solution out;
  SolveOptions options;
  options.detail = Detail::motion;
  solve(structure, e, work, out, options);
  EXPECT_EQ(out.status, Status::contradicting);
  options.within_step = true;
  solve(structure, e, work, out, options);
  EXPECT_EQ(out.status, Status::solved);
  EXPECT_EQ(out.road_used, Road::fast);
  EXPECT_NEAR(out.acceleration[0] + out.acceleration[1], 1, 1e-3);
}

}  // namespace
}  // namespace vinculum
