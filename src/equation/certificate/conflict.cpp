#include "equation/certificate/conflict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "equation/dense/factorise.hpp"

namespace vinculum::dense {
namespace {

constexpr int most_rows_for_pairs = 1000;
constexpr int most_rows_for_triples = 40;
constexpr int most_rows_for_shuffles = 300;
constexpr int shuffles = 8;

/// The last of the rows (unit, as columns) as a combination of the others; false when it is none, or when one
/// of the others has no part in it.
bool close_circuit(const Matrix& unit_rows, const std::vector<int>& set, double tolerance, Circuit& out) {
  const int others = static_cast<int>(set.size()) - 1;
  Matrix left(unit_rows.rows(), others);
  for (int k = 0; k < others; ++k) left.col(k) = unit_rows.col(set[k]);
  const Vector right = unit_rows.col(set.back());
  out = {set.back(), {set.begin(), set.end() - 1}, {}};
  if (others == 0) return right.isZero(0.0);
  if (others > unit_rows.rows()) return false;
  const PivotedQr qr = pivoted_qr(left, others);
  if (std::abs(qr.R(others - 1, others - 1)) <= tolerance) return false;
  const Vector turned = solve_upper(qr.R, qr.Q.transpose() * right);
  Vector weight(others);
  for (int k = 0; k < others; ++k) weight(qr.order[k]) = turned(k);
  if ((left * weight - right).norm() > tolerance) return false;
  out.weight.assign(weight.data(), weight.data() + others);
  return (weight.array().abs() > tolerance).all();
}

/// Looks at one set and keeps it if it contradicts.
bool try_set(const RowSpace& rows, const Agreement& agreement, const std::vector<int>& set, double tolerance,
             Conflict& out) {
  Circuit circuit;
  if (!close_circuit(rows.unit_rows, set, tolerance, circuit)) return false;
  if (!(agreement.disagreement(circuit) > 1.0)) return false;
  out = {set, agreement.gap(circuit) / rows.scale(circuit.row)};
  return true;
}

/// All sets of one, two and three rows. Lengths and angles filter; only what looks dependent is solved.
bool small_conflict(const RowSpace& rows, const Agreement& agreement, double tolerance, Conflict& out) {
  const int m = static_cast<int>(rows.order.size());
  for (int i = 0; i < m; ++i)
    if (rows.unit_rows.col(i).isZero(0.0) && try_set(rows, agreement, {i}, tolerance, out)) return true;
  if (m > most_rows_for_pairs) return false;
  const Matrix angle = rows.unit_rows.transpose() * rows.unit_rows;
  // sin^2 of an angle from its cosine is good to a few eps: anything truly parallel passes.
  const double parallel = std::max(1e-12, tolerance * tolerance);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < j; ++i)
      if (1.0 - angle(i, j) * angle(i, j) < parallel && try_set(rows, agreement, {i, j}, tolerance, out))
        return true;
  if (m > most_rows_for_triples) return false;
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < j; ++i) {
        const double ij = angle(i, j), ik = angle(i, k), jk = angle(j, k);
        const double volume = 1.0 + 2.0 * ij * ik * jk - ij * ij - ik * ik - jk * jk;  // squared
        if (volume < parallel && try_set(rows, agreement, {i, j, k}, tolerance, out)) return true;
      }
  return false;
}

/// As written, backwards, sparse rows first, and a few fixed shuffles: other orders show other circuits.
std::vector<std::vector<int>> row_orders(const RowSpace& rows) {
  const int m = static_cast<int>(rows.order.size());
  std::vector<int> order(m);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> out{order};
  std::vector<int> entries(m);
  for (int i = 0; i < m; ++i) entries[i] = static_cast<int>((rows.unit_rows.col(i).array() != 0.0).count());
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return entries[i] < entries[j]; });
  out.push_back(order);
  std::reverse(order.begin(), order.end());
  out.push_back({out.front().rbegin(), out.front().rend()});
  if (m > most_rows_for_shuffles) return out;
  std::uint64_t state = 0x9E3779B97F4A7C15u;  // fixed: the same rows give the same answer
  for (int k = 0; k < shuffles; ++k) {
    for (int i = m - 1; i > 0; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[i], order[static_cast<int>((state >> 33) % static_cast<std::uint64_t>(i + 1))]);
    }
    out.push_back(order);
  }
  return out;
}

}  // namespace

Agreement::Agreement(const Problem& at, const RowSpace& rows, const Vector& acceleration, const Vector& free,
                     double tolerance_)
    : tolerance(tolerance_) {
  const Matrix size = at.A.cwiseAbs();
  b = rows.scale.cwiseProduct(at.b);
  terms = rows.scale.cwiseProduct(size * acceleration.cwiseAbs() + at.b.cwiseAbs());
  // e = b - A a and A q'' are rounded at the size of all accelerations they may contain. Velocities that are
  // zero but for rounding (1e-14) leave squares of 1e-28 in b, which no force and no other row need give a
  // scale to.
  const double moving = acceleration.norm() + (free.allFinite() ? free.norm() : 0.0);
  const double rounding = 64.0 * static_cast<double>(at.coordinates() + at.rows()) * epsilon;
  floor = rows.scale.cwiseProduct(at.A.rowwise().norm()) * (rounding * moving + 1e-28);
}

double Agreement::gap(const Circuit& circuit) const {
  double sum = b(circuit.row);
  for (std::size_t k = 0; k < circuit.on.size(); ++k) sum -= circuit.weight[k] * b(circuit.on[k]);
  return std::abs(sum);
}

double Agreement::disagreement(const Circuit& circuit) const {
  double made_of = terms(circuit.row), rounding = floor(circuit.row);
  for (std::size_t k = 0; k < circuit.on.size(); ++k) {
    made_of += std::abs(circuit.weight[k]) * terms(circuit.on[k]);
    rounding += std::abs(circuit.weight[k]) * floor(circuit.on[k]);
  }
  const double apart = gap(circuit);
  return apart <= rounding ? 0.0 : apart / (tolerance * made_of);
}

std::vector<Circuit> pivot_circuits(const RowSpace& rows) {
  const Matrix weights = rows.weights();
  std::vector<Circuit> out;
  for (int k = 0; k < weights.cols(); ++k) {
    Circuit circuit{rows.order[rows.rank + k], {rows.order.begin(), rows.order.begin() + rows.rank}, {}};
    circuit.weight.assign(weights.col(k).data(), weights.col(k).data() + rows.rank);
    out.push_back(std::move(circuit));
  }
  return out;
}

Conflict find_conflict(const RowSpace& rows, const Agreement& agreement, double rank_tolerance) {
  Conflict best;
  if (small_conflict(rows, agreement, rank_tolerance, best)) return best;
  std::vector<std::vector<Circuit>> found;
  for (const std::vector<int>& order : row_orders(rows))
    found.push_back(circuits(rows, order, rank_tolerance));
  found.push_back(pivot_circuits(rows));  // the one that decided is among these
  for (const std::vector<Circuit>& family : found)
    for (const Circuit& circuit : family) {
      if (!(agreement.disagreement(circuit) > 1.0)) continue;
      if (!best.rows.empty() && circuit.on.size() + 1 >= best.rows.size()) continue;
      std::vector<int> set = circuit.on;
      set.push_back(circuit.row);
      std::sort(set.begin(), set.end());
      // Turn the circuit so that the last row is the one that follows.
      const auto last = std::find(circuit.on.begin(), circuit.on.end(), set.back());
      const double weight = last == circuit.on.end() ? 1.0 : circuit.weight[last - circuit.on.begin()];
      best = {set, agreement.gap(circuit) / std::abs(weight) / rows.scale(set.back())};
    }
  return best;
}

}  // namespace vinculum::dense
