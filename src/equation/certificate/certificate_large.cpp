#include <algorithm>
#include <cmath>

#include "equation/dense/roads.hpp"
#include "equation/sparse/displacements.hpp"
#include "equation/sparse/fast.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum::dense {
namespace {

double length(const std::vector<double>& x) { return to_vector(x).norm(); }

bool has_inverse_mass(const Solution& out) {
  return out.free_acceleration.empty() || !std::isnan(out.free_acceleration.front());
}

/// The size of what q'' is reached from. Where M has no inverse, what has no mass is moved as the mass that
/// its rows lend it would be.
double released_by(const Equations& at, const Pushed& pushed, const Solution& out) {
  if (has_inverse_mass(out)) return length(out.free_acceleration) + length(pushed.free_acceleration);
  const std::vector<double> per_mass = inverse_masses(at.M, at.A);
  double square = 0.0;
  for (std::size_t i = 0; i < per_mass.size(); ++i) {
    const double push = 2.0 * std::abs(at.Q[i]) + (at.C.empty() ? 0.0 : std::abs(at.C[i]));
    square += push * push * per_mass[i] * per_mass[i];
  }
  return std::sqrt(square);
}

/// |A q'' - b| / (|A||q''| + |b|), the worst row. Bound: the terms of that row, and of b - A a, each rounded;
/// of a the part that C pushes, too.
Check constraint_residual(const Equations& at, const Pushed& pushed, const Solution& out) {
  const double moving = length(out.acceleration);
  const double released = released_by(at, pushed, out);
  Check worst{0.0, 64.0 * epsilon};
  for (int i = 0; i < at.rows(); ++i) {
    double residual = -at.b[i], square = 0.0;
    for (const auto [column, value] : row_of(at.A, i)) {
      residual += value * out.acceleration[column];
      square += value * value;
    }
    const double row = std::sqrt(square), size = row * moving + std::abs(at.b[i]);
    if (residual == 0.0) continue;
    const double unit = (64.0 + 2.0 * row_of(at.A, i).size()) * epsilon;
    if (size <= unit * row * released) continue;  // all its terms are rounding: 0/0
    const Check check = judged(std::abs(residual) / size, unit * (1.0 + row * released / size));
    if (!(check.value * worst.bound <= worst.value * check.bound)) worst = check;
  }
  return worst;
}

/// What the terms of F^C = C - A^T mu add, coordinate by coordinate: mu is the difference of two multipliers.
void add_terms_of_nonideal(const Equations& at, const Pushed& pushed, Vector& terms) {
  for (int i = 0; i < at.coordinates() && !at.C.empty(); ++i) terms(i) += std::abs(at.C[i]);
  for (int r = 0; r < at.rows() && !pushed.multipliers.empty(); ++r)
    for (const auto [column, value] : row_of(at.A, r))
      terms(column) += std::abs(value * pushed.multipliers[r]);
}

/// |M q'' - Q - A^T lambda - F^C| / (|M||q''| + |Q| + |C|). Bound: the terms of each coordinate, each
/// rounded.
Check kkt_residual(const Equations& at, const Pushed& pushed, const Solution& out) {
  const int n = at.coordinates();
  Vector residual = Vector::Zero(n), terms = Vector::Zero(n);
  const auto add = [&](int i, double term) {
    residual(i) += term;
    terms(i) += std::abs(term);
  };
  const bool definite = has_inverse_mass(out);
  double square = 0.0;
  int longest = 0;
  for (int i = 0; i < n; ++i) {
    add(i, -at.Q[i]);
    add(i, -out.nonideal_force[i]);
    for (const auto [column, value] : row_of(at.M, i)) {
      add(i, value * out.acceleration[column]);
      if (definite) terms(i) += std::abs(value * out.free_acceleration[column]);
      square += value * value;
    }
    longest = std::max(longest, row_of(at.M, i).size());
  }
  for (int r = 0; r < at.rows(); ++r)
    for (const auto [column, value] : row_of(at.A, r)) add(column, -value * out.multipliers[r]);
  add_terms_of_nonideal(at, pushed, terms);
  const double size = std::sqrt(square) * length(out.acceleration) + length(at.Q) + length(at.C);
  const double against = size > 0.0 ? size : 1.0;
  return judged(residual.norm() / against, (64.0 + 2.0 * longest) * epsilon * terms.norm() / against);
}

Equations with_unit_masses(const Equations& at) {
  return {SparseMatrix::diagonal(std::vector<double>(at.coordinates(), 1.0)),
          std::vector<double>(at.coordinates(), 0.0),
          at.A,
          std::vector<double>(at.rows(), 0.0),
          {}};
}

/// The sizes of the terms that F^L and F^C are made of, coordinate by coordinate.
double terms_of_forces(const Equations& at, const Pushed& pushed, const Solution& out) {
  Vector terms = Vector::Zero(at.coordinates());
  add_terms_of_nonideal(at, pushed, terms);
  for (int i = 0; i < at.coordinates(); ++i) {
    terms(i) += std::abs(at.Q[i]) + (at.C.empty() ? 0.0 : std::abs(at.C[i]));
    for (const auto [column, value] : row_of(at.M, i)) terms(i) += std::abs(value * out.acceleration[column]);
  }
  for (int r = 0; r < at.rows(); ++r)
    for (const auto [column, value] : row_of(at.A, r)) terms(column) += std::abs(value * out.multipliers[r]);
  return terms.norm();
}

/// |Z^T force| / size for the virtual displacements Z, whose unit length is that of numbers. Bound: rounding
/// turns them by one over the smallest singular value of the rows, and the force is rounded at its terms.
Check work_in_displacements(const Equations& at, const Pushed& pushed, const Solution& out, Vector force,
                            double size, double smallest) {
  const double unit = 64.0 * epsilon, whole = force.norm();
  if (size == 0.0 || whole == 0.0) return {0.0, unit};
  Displacements all(with_unit_masses(at));
  if (!all.keep_virtual(force)) return {not_a_number, 0.0};
  return judged(force.norm() / size, unit * (whole / smallest + terms_of_forces(at, pushed, out)) / size);
}

/// (G - smallest G) / (1 + G) for Gauss's function  G = (q'' - c)^T M (q'' - c),  c = M^-1 (Q + C): a virtual
/// displacement z changes it by 2 z^T M (q'' - c) + z^T M z, so that it lies above its minimum by the square
/// of the part of q'' - c along them. Bound as in the dense certificate.
Check gauss_gap(const Equations& at, const Solution& out, const std::vector<double>& pushed,
                double smallest) {
  const Vector c = to_vector(pushed), q = to_vector(out.acceleration);
  Displacements all(at);
  Vector part = q - c;
  const double now = all.length(part), G = now * now;
  if (!all.keep_virtual(part)) return {not_a_number, 0.0};
  const double above = all.length(part);
  const double rounding = 64.0 * epsilon / smallest * (all.length(q) + all.length(c));
  return judged(above * above / (1.0 + G), rounding * (2.0 * now + rounding) / (1.0 + G));
}

/// The same of a singular M, for the part of G without M^-1, q''^T M q'' - 2 (Q + C)^T q'': the displacement
/// x that leads to its minimum is what a push M q'' - Q - C would do under the rows, and G lies above it by
/// x^T M x.
Check gauss_gap_singular(const Equations& at, const Solution& out, double smallest) {
  const int n = at.coordinates();
  Equations down = at;
  down.C.clear();
  std::fill(down.b.begin(), down.b.end(), 0.0);
  double terms = 0.0;
  for (int i = 0; i < n; ++i) {
    const double push = at.Q[i] + (at.C.empty() ? 0.0 : at.C[i]), q = std::abs(out.acceleration[i]);
    down.Q[i] = row_of(at.M, i).dot(out.acceleration, -push);
    for (const auto [column, value] : row_of(at.M, i))
      terms += q * std::abs(value * out.acceleration[column]);
    terms += 2.0 * std::abs(push) * q;
  }
  const Structure structure(down.M, down.A);
  SolveWorkspace work(structure);
  Solution moved;
  if (!fast_road(structure, down, work, moved, {})) return {not_a_number, 0.0};
  const Vector x = to_vector(moved.acceleration);
  double above = 0.0;
  for (int i = 0; i < n; ++i) above += x(i) * row_of(at.M, i).dot(moved.acceleration);
  const double unit = 64.0 * epsilon / smallest;
  return judged(std::abs(above) / (1.0 + terms), 4.0 * unit * (terms + unit) / (1.0 + terms));
}

}  // namespace

void certify_large(const Equations& at, const Pushed& pushed, double smallest, Solution& out) {
  Certificate& c = out.certificate;
  c.constraint_residual = constraint_residual(at, pushed, out);
  c.kkt_residual = kkt_residual(at, pushed, out);
  if (at.C.empty()) c.nonideal_work = {0.0, 64.0 * epsilon};
  if (!(smallest > 0.0)) return;
  const Vector ideal = to_vector(out.constraint_force);
  c.virtual_work = work_in_displacements(at, pushed, out, ideal, ideal.norm(), smallest);
  c.gauss_gap = has_inverse_mass(out) ? gauss_gap(at, out, pushed.free_acceleration, smallest)
                                      : gauss_gap_singular(at, out, smallest);
  if (at.C.empty()) return;
  const Vector stated = to_vector(at.C);
  c.nonideal_work = work_in_displacements(at, pushed, out, ideal + to_vector(out.nonideal_force) - stated,
                                          stated.norm(), smallest);
}

}  // namespace vinculum::dense
