#include "equation/certificate/circuits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "equation/dense/factorise.hpp"

namespace vinculum::dense {
namespace {

/// Leaves out weights of at most `nothing`. Where more than rounding goes with them, the others take it over;
/// where they cannot, the small weights were real and stay.
Circuit without_small_weights(const RowSpace& rows, const Circuit& whole, double nothing) {
  const double rounding = 16.0 * static_cast<double>(rows.unit_rows.rows()) * epsilon;
  const auto larger_than = [&](double limit) {
    Circuit out{whole.row, {}, {}};
    for (std::size_t k = 0; k < whole.on.size(); ++k) {
      if (std::abs(whole.weight[k]) <= limit) continue;
      out.on.push_back(whole.on[k]);
      out.weight.push_back(whole.weight[k]);
    }
    return out;
  };
  Circuit safe = larger_than(rounding), small = larger_than(std::max(nothing, rounding));
  if (small.on.size() == safe.on.size()) return safe;
  const int count = static_cast<int>(small.on.size());
  Matrix kept(rows.unit_rows.rows(), count);
  for (int k = 0; k < count; ++k) kept.col(k) = rows.unit_rows.col(small.on[k]);
  const Vector row = rows.unit_rows.col(whole.row);
  const PivotedQr qr = pivoted_qr(kept, count);
  const Vector weight = solve_upper(qr.R, qr.Q.transpose() * row);
  for (int k = 0; k < count; ++k) small.weight[qr.order[k]] = weight(k);
  const Vector sum = kept * Eigen::Map<const Vector>(small.weight.data(), count);
  return (sum - row).norm() <= rounding * (1.0 + weight.lpNorm<1>()) + rows.dropped ? small : safe;
}

/// Gram-Schmidt over the rows in order, twice each, so that what is left of a dependent row is rounding.
class Taken {
 public:
  Taken(const RowSpace& rows, const std::vector<int>& order, double threshold)
      : all_(rows),
        basis_(rows.unit_rows.rows(), std::min(rows.unit_rows.rows(), rows.unit_rows.cols())),
        triangle_(Matrix::Zero(basis_.cols(), basis_.cols())) {
    const Eigen::Index n = basis_.rows();
    Vector part;
    for (int row : order) {
      Vector left = rows.unit_rows.col(row);
      part.setZero(count_);
      for (int pass = 0; pass < 2; ++pass) {
        const Vector more = basis_.leftCols(count_).transpose() * left;
        left -= basis_.leftCols(count_) * more;
        part += more;
      }
      const double length = left.norm();
      if (length > threshold && count_ < n)
        take(row, part, left, length);
      else
        follow(row, part);
    }
  }

  int count() const { return count_; }

  std::vector<Circuit> circuits() const {
    std::vector<Circuit> out;
    for (std::size_t k = 0; k < following_.size(); ++k) {
      const Vector& part = parts_[k];
      const Eigen::Index taken = part.size();
      const auto triangle = triangle_.topLeftCorner(taken, taken);
      const Vector weight = solve_upper(triangle, part);
      // The smallest pivot says how far rounding, or what the rank left out, can move a weight.
      const double smallest = taken > 0 ? triangle.diagonal().minCoeff() : 1.0;
      const double unit = std::max(all_.dropped, 64.0 * static_cast<double>(basis_.rows()) * epsilon);
      const Circuit whole{
          following_[k], {rows_.begin(), rows_.begin() + taken}, {weight.data(), weight.data() + taken}};
      out.push_back(without_small_weights(all_, whole, unit / smallest));
    }
    return out;
  }

 private:
  void take(int row, const Vector& part, const Vector& left, double length) {
    basis_.col(count_) = left / length;
    triangle_.col(count_).head(count_) = part;
    triangle_(count_, count_) = length;
    rows_.push_back(row);
    ++count_;
  }
  void follow(int row, const Vector& part) {
    following_.push_back(row);
    parts_.push_back(part);
  }

  const RowSpace& all_;
  Matrix basis_;     // orthonormal; unit row rows_[k] is basis * triangle column k
  Matrix triangle_;  // upper
  int count_ = 0;
  std::vector<int> rows_, following_;
  std::vector<Vector> parts_;
};

}  // namespace

std::vector<Circuit> circuits(const RowSpace& rows, const std::vector<int>& order, double rank_tolerance) {
  // Without pivoting what is left of a row is no singular value: move the threshold until the count is the
  // rank.
  double threshold = rank_tolerance;
  for (int attempt = 0, last = 0; attempt < 24; ++attempt) {
    const Taken taken(rows, order, threshold);
    const int side = taken.count() > rows.rank ? 1 : -1;
    if (taken.count() == rows.rank) return taken.circuits();
    if (last != 0 && side != last) break;
    last = side;
    threshold *= side > 0 ? 4.0 : 0.25;
  }
  // A spectrum without a gap: the choice of the factorisation stands.
  double smallest = rank_tolerance;
  for (int k = 0; k < rows.rank; ++k) smallest = std::min(smallest, std::abs(rows.R(k, k)));
  return Taken(rows, rows.order, std::max(0.5 * smallest, rows.dropped)).circuits();
}

std::vector<Dependency> dependencies(const RowSpace& rows, double rank_tolerance) {
  std::vector<Dependency> out;
  if (rows.rank == static_cast<int>(rows.order.size())) return out;
  std::vector<int> as_written(rows.order.size());
  std::iota(as_written.begin(), as_written.end(), 0);
  for (Circuit& circuit : circuits(rows, as_written, rank_tolerance)) {
    for (std::size_t k = 0; k < circuit.on.size(); ++k)
      circuit.weight[k] *= rows.scale(circuit.on[k]) / rows.scale(circuit.row);
    out.push_back({circuit.row, std::move(circuit.on), std::move(circuit.weight)});
  }
  std::sort(out.begin(), out.end(), [](const Dependency& x, const Dependency& y) { return x.row < y.row; });
  return out;
}

Matrix freedom(const std::vector<Dependency>& dependencies, int rows) {
  Matrix out = Matrix::Zero(rows, static_cast<Eigen::Index>(dependencies.size()));
  for (int k = 0; k < out.cols(); ++k) {
    const Dependency& dependency = dependencies[k];
    out(dependency.row, k) = 1.0;
    for (std::size_t i = 0; i < dependency.on.size(); ++i) out(dependency.on[i], k) = -dependency.weight[i];
    out.col(k).normalize();
  }
  return orthonormal(out);
}

}  // namespace vinculum::dense
