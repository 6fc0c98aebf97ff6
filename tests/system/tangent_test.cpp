// Derivatives of the equations against differences of the equations themselves.
#include "system/compile/tangent.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/particles.hpp"
#include "examples/cpp/gallery.hpp"
#include "system/system_impl.hpp"

namespace vinculum {
namespace {

/// F = M a - Q - C - A^T lambda and G = A a - b at a state, a and lambda held.
std::vector<double> remainder(const System& system, const State& at, const std::vector<double>& a,
                              const std::vector<double>& lambda, Workspace& work) {
  const Equations& e = evaluate(system, at, work);
  const int n = e.coordinates(), m = e.rows();
  std::vector<double> f(n + m, 0.0);
  for (int i = 0; i < n; ++i) {
    f[i] = -e.Q[i] - (e.C.empty() ? 0.0 : e.C[i]);
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k) f[i] += e.M.value[k] * a[e.M.column[k]];
  }
  for (int r = 0; r < m; ++r) {
    f[n + r] = -e.b[r];
    for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k) {
      f[n + r] += e.A.value[k] * a[e.A.column[k]];
      f[e.A.column[k]] -= e.A.value[k] * lambda[r];
    }
  }
  return f;
}

double entry(const SparseMatrix& m, int i, int j) {
  for (int k = m.start[i]; k < m.start[i + 1]; ++k)
    if (m.column[k] == j) return m.value[k];
  return 0.0;
}

void compare(const System& system) {
  State at = system.start();
  at.t = 0.3;
  for (std::size_t i = 0; i < at.q.size(); ++i)
    at.q[i] += 0.05 * std::sin(1.7 * static_cast<double>(i) + 0.4);
  for (std::size_t i = 0; i < at.v.size(); ++i) at.v[i] = std::cos(2.1 * static_cast<double>(i) + 0.2);
  std::vector<double> a(at.v.size()), lambda(system.row_names().size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(0.7 * static_cast<double>(i) + 1);
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = std::cos(1.1 * static_cast<double>(i));
  Workspace work(system);
  const Tangent& tangent = system.impl().tangent();
  Tangent::Scratch scratch(tangent);
  Tangent::Numbers numbers = tangent.pattern();
  tangent.evaluate(at.t, at.q.data(), at.v.data(), a.data(), lambda.data(), scratch, numbers);
  const int n = static_cast<int>(at.v.size()), m = static_cast<int>(lambda.size());
  const double step =
      1e-5;  // central differences: rounding 1e-11 and truncation 1e-10 of derivatives of size 1 to 100
  std::vector<double> up_rate(at.q.size()), down_rate(at.q.size());
  for (const bool by_q : {true, false}) {
    std::vector<double>& x = by_q ? at.q : at.v;
    for (int j = 0; j < static_cast<int>(x.size()); ++j) {
      const double here = x[j];
      x[j] = here + step;
      const auto up = remainder(system, at, a, lambda, work);
      rates(system, at, work, up_rate);
      x[j] = here - step;
      const auto down = remainder(system, at, a, lambda, work);
      rates(system, at, work, down_rate);
      x[j] = here;
      for (int i = 0; i < n + m; ++i) {
        const SparseMatrix& part = i < n ? (by_q ? numbers.force_by_q : numbers.force_by_v)
                                         : (by_q ? numbers.row_by_q : numbers.row_by_v);
        EXPECT_NEAR(entry(part, i < n ? i : i - n, j), (up[i] - down[i]) / (2 * step), 2e-7)
            << (by_q ? "by coordinate " : "by velocity ") << j << " equation " << i;
      }
      for (std::size_t i = 0; i < at.q.size(); ++i)
        EXPECT_NEAR(entry(by_q ? numbers.rate_by_q : numbers.rate_by_v, static_cast<int>(i), j),
                    (up_rate[i] - down_rate[i]) / (2 * step), 1e-9);
    }
  }
}

TEST(Tangent, IsTheDerivativeOfTheEquationsOfEveryExample) {
  for (const examples::Example& example : examples::gallery()) compare(System(example.model()));
}

TEST(Tangent, IsSharedByStatementsOfOneShape) {
  compare(System(bench::model_of(bench::chain(9))));
  compare(System(bench::model_of(bench::net(4, false))));
}

TEST(Tangent, KnowsMassesThatDependOnCoordinatesAndTime) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {2, 0});
  m.mass(x, 1 + pow(y, 2));
  m.mass(y, 2 + sin(x) * m.time());
  m.mass(x, y, 0.3 * x * y);
  m.force(x, -pow(x, 3) * y.rate());
  m.nonideal(y, -0.2 * y.rate() * abs(y.rate()));
  m.constrain("curve", x * y, 2 + m.time());
  m.constrain("slide", x.rate() * y - y.rate() * x + pow(y.rate(), 2), 0.1);
  compare(System(m));
}

}  // namespace
}  // namespace vinculum
