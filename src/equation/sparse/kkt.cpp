#include "equation/sparse/kkt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "equation/row_powers.hpp"
#include "equation/sparse/schur.hpp"

namespace vinculum {
namespace {

constexpr double kkt_shift = 1e-8;  // part of A D^-1 A^T (D: diagonal of M) that keeps K quasi-definite
constexpr int most_kkt_refinements = 16;

/// M = L D L^T, all pivots safely positive.
bool factorize_mass(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w) {
  s.mass_ldl.clear(w.mass_factor);
  const int* slot = s.mass_ldl.slots().data();
  std::fill(w.reference.begin(), w.reference.end(), 0.0);
  for (int i = 0; i < s.coordinates; ++i)
    for (int k = at.M.start[i]; k < at.M.start[i + 1]; ++k) {
      if (at.M.column[k] == i) w.reference[i] = at.M.value[k];
      if (s.mass_lower[k] >= 0) w.mass_factor.value[slot[s.mass_lower[k]]] = at.M.value[k];
    }
  s.mass_ldl.factorize(w.mass_factor, w.reference, mass_tolerance);
  return std::all_of(w.mass_factor.pivot.begin(), w.mass_factor.pivot.end(), [](double d) { return d > 0; });
}

/// Where something has no mass and the rows hold it, there is no free acceleration; K takes weights there,
/// which the refinement takes away again as it does with the shift.
bool is_held_without_mass(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w) {
  if (!w.massless.find(at.M, at.A, s.kin) || !w.massless.are_held(at.A)) return false;
  for (const int i : w.massless.coordinates()) w.reference[i] = w.massless.weight(i);
  return true;
}

}  // namespace

bool factorize_kkt(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w) {
  s.ldl.clear(w.factor);
  const int* slot = s.ldl.slots().data();
  for (int k = 0; k < at.M.entries(); ++k)
    if (s.kkt_mass[k] >= 0) w.factor.value[slot[s.kkt_mass[k]]] = at.M.value[k];
  for (const int i : w.massless.coordinates()) w.factor.value[slot[s.kkt.start[i]]] = w.massless.weight(i);
  for (int k = 0; k < at.A.entries(); ++k) w.factor.value[slot[s.kkt_rows[k]]] = at.A.value[k];
  for (int r = 0; r < s.rows; ++r) {
    double size = 0;
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k)
      size += at.A.value[k] * at.A.value[k] / w.reference[at.A.column[k]];
    const bool is_number = size >= least_square && size <= 1.0 / least_square;
    if (!is_number && is_beyond_squares(row_of(at.A, r))) return false;
    w.factor.value[slot[s.kkt_shift[r]]] = -(size > 0 ? kkt_shift * size : 1.0);
  }
  std::fill(w.reference.begin() + s.coordinates, w.reference.end(), 0.0);
  s.ldl.factorize(w.factor, w.reference, mass_tolerance);
  const auto negative =
      std::count_if(w.factor.pivot.begin(), w.factor.pivot.end(), [](double d) { return d < 0; });
  return w.factor.dropped == 0 && negative == s.rows;
}

namespace {

/// out -= (the matrix) y, and whether the result is within rounding of its terms.
bool subtract_product(const SparseMatrix& a, const std::vector<double>& y, double* out,
                      const double* size_of = nullptr) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  bool good = true;
  for (int i = 0; i < a.rows; ++i) {
    double size = std::fabs(out[i]) + (size_of ? std::fabs(size_of[i]) : 0.0);
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const double term = a.value[k] * y[a.column[k]];
      out[i] -= term;
      size += std::fabs(term);
    }
    good = good && std::fabs(out[i]) <= (64 + 2 * (a.start[i + 1] - a.start[i])) * eps * size;
  }
  return good;
}

void transpose_times(const SparseMatrix& a, const std::vector<double>& x, std::vector<double>& y) {
  std::fill(y.begin(), y.end(), 0.0);
  add_transposed(a.rows, a.start.data(), a.column.data(), a.value.data(), x.data(), y.data());
}

}  // namespace

bool solve_kkt(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w,
               const std::vector<double>& force, const double* b, std::vector<double>& q,
               std::vector<double>& lambda) {
  const int n = s.coordinates;
  std::fill(q.begin(), q.end(), 0.0);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (int pass = 0; pass <= most_kkt_refinements; ++pass) {
    std::copy(force.begin(), force.end(), w.step.begin());
    add_transposed(s.rows, at.A.start.data(), at.A.column.data(), at.A.value.data(), lambda.data(),
                   w.step.data());
    for (int r = 0; r < s.rows; ++r) w.step[n + r] = b ? b[r] : 0.0;
    const bool forces = subtract_product(at.M, q, w.step.data(), force.data());
    const bool rows = subtract_product(at.A, q, w.step.data() + n);
    if (pass > 0 && forces && rows) return true;
    s.ldl.solve(w.factor, w.step);
    double moved = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      q[i] += w.step[i];
      moved = std::max(moved, std::fabs(w.step[i]));
      size = std::max(size, std::fabs(q[i]));
    }
    for (int r = 0; r < s.rows; ++r) lambda[r] -= w.step[n + r];
    // Rows that disagree keep pushing their multipliers apart; the motion is theirs in least squares.
    if (w.within_step && moved <= 1e-14 * size) return true;
  }
  return false;
}

bool kkt_road(const Structure::Impl& s, const Equations& at, SolveWorkspace::Impl& w, Solution& out) {
  w.massless.forget();
  const bool has_inverse = factorize_mass(s, at, w);
  if (!has_inverse && !is_held_without_mass(s, at, w)) {
    w.doubt = Doubt::mass;
    return false;
  }
  w.find_masses(at.M);
  out.free_acceleration = at.Q;
  if (has_inverse) s.mass_ldl.solve(w.mass_factor, out.free_acceleration);
  out.acceleration = out.free_acceleration;
  std::fill(out.multipliers.begin(), out.multipliers.end(), 0.0);
  w.dropped = 0;
  if (s.rows > 0) {
    residual(s.rows, at.A.start.data(), at.A.column.data(), at.A.value.data(), at.b.data(),
             out.free_acceleration.data(), out.dissatisfaction.data());
    if (!factorize_kkt(s, at, w) ||
        !solve_kkt(s, at, w, at.Q, at.b.data(), out.acceleration, out.multipliers))
      return false;
  }
  transpose_times(at.A, out.multipliers, out.constraint_force);
  if (at.C.empty()) return true;
  std::vector<double>&push = w.scratch, &mu = w.residual;
  if (s.rows > 0 && !solve_kkt(s, at, w, at.C, nullptr, push, mu)) return false;
  if (s.rows == 0) {
    push = at.C;
    s.mass_ldl.solve(w.mass_factor, push);
  }
  transpose_times(at.A, mu, out.nonideal_force);
  for (int i = 0; i < s.coordinates; ++i) {
    out.nonideal_force[i] += at.C[i];
    out.acceleration[i] += push[i];
  }
  return true;
}

}  // namespace vinculum
