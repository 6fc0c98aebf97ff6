#include "system/evaluate/least_drive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum {
namespace {

/// Actuators whose effects agree to this part, in the metric of the masses, are one: the metric has the
/// squares.
constexpr double same_effect = 1e-14;
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_sweeps = 40;  // five or six are usual: they converge quadratically

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

void turn(std::span<double> x, std::span<double> y, double c, double s) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = x[i];
    x[i] = c * at - s * y[i];
    y[i] = s * at + c * y[i];
  }
}

/// Turns the columns of a until they are at right angles (Hestenes 1958): then a = a' V^T, the lengths of a'
/// are the singular values, and V, which `turns` becomes, has the vectors on the right. Columns of any sizes
/// keep their digits.
void make_orthogonal(Columns& a, Columns* turns) {
  if (turns != nullptr) {
    turns->resize(a.count, a.count);
    for (int k = 0; k < a.count; ++k) (*turns)[k][k] = 1.0;
  }
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (int p = 0; p < a.count; ++p)
      for (int q = p + 1; q < a.count; ++q) {
        const double alpha = dot(a[p], a[p]), beta = dot(a[q], a[q]), gamma = dot(a[p], a[q]);
        if (!(std::fabs(gamma) > eps * std::sqrt(alpha) * std::sqrt(beta))) continue;
        turned = true;
        const double zeta = (beta - alpha) / (2 * gamma);
        const double tangent = (zeta < 0 ? -1.0 : 1.0) / (std::fabs(zeta) + std::hypot(1.0, zeta));
        const double c = 1 / std::hypot(1.0, tangent);
        turn(a[p], a[q], c, c * tangent);
        if (turns != nullptr) turn((*turns)[p], (*turns)[q], c, c * tangent);
      }
  }
}

/// to = from with each row multiplied by its factor.
void scale_rows(std::span<const double> from, std::span<const double> factor, double by,
                std::span<double> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = factor[i] * from[i] * by;
}

}  // namespace

/// Of the modes of W those that move something: basis_ measures forces so that u^T W u = z^T z. Forces that
/// move nothing are W u = 0; what is at right angles to them is what W makes of any force. (A force without
/// effect by itself has no size, and no part here.)
void LeastDrive::find_basis() {
  const int count = W.count;
  size_.resize(count);
  // Forces and torques have other units: each actuator is measured by its own effect.
  for (int i = 0; i < count; ++i)
    size_[i] = W[i][i] > 0 && std::isfinite(W[i][i]) ? 1 / std::sqrt(W[i][i]) : 0.0;
  even_.resize(count, count);
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < count; ++i) even_[j][i] = size_[i] * (0.5 * (W[j][i] + W[i][j])) * size_[j];
  make_orthogonal(even_, &modes_);  // positive and symmetric: its singular vectors are its modes
  double largest = 0.0;
  part_.resize(count);
  for (int k = 0; k < count; ++k) largest = std::max(largest, part_[k] = std::sqrt(dot(even_[k], even_[k])));
  basis_.resize(count, count);
  moving_.resize(count, count);
  along_.resize(count);
  for (int i = 0; i < count; ++i) along_[i] = size_[i] > 0 ? 1 / size_[i] : 0.0;
  for (int k = 0; k < count; ++k) {
    if (!(part_[k] > same_effect * largest)) continue;
    scale_rows(modes_[k], size_, 1 / std::sqrt(part_[k]), basis_[k]);
    scale_rows(modes_[k], along_, 1.0, moving_[k]);
  }
  make_orthogonal(moving_, nullptr);
  for (int k = 0; k < count; ++k)
    if (const double length = std::sqrt(dot(moving_[k], moving_[k])); length > 0)
      for (double& x : moving_[k]) x /= length;
}

void LeastDrive::factorise(double rank_tolerance) {
  find_basis();
  const int count = W.count, rows = G.rows;
  measured_.resize(rows, count);
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < count; ++j)
      for (int s = 0; s < rows; ++s) measured_[k][s] += G[j][s] * basis_[k][j];
    for (int s = 0; s < rows; ++s) measured_[k][s] /= reach[s];
  }
  make_orthogonal(measured_, &turns_);
  // Rows are measured by what a free hand could do: an absolute threshold.
  inverse_.resize(count);
  for (int k = 0; k < count; ++k) {
    const double square = dot(measured_[k], measured_[k]);
    inverse_[k] = std::sqrt(square) > rank_tolerance ? 1 / square : 0.0;
  }
}

void LeastDrive::add_step() {
  const int count = W.count;
  for (int s = 0; s < G.rows; ++s) asked_[s] /= reach[s];
  for (int k = 0; k < count; ++k) part_[k] = inverse_[k] * dot(measured_[k], asked_);
  std::fill(along_.begin(), along_.end(), 0.0);  // z
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < count; ++i) along_[i] += turns_[k][i] * part_[k];
  std::fill(part_.begin(), part_.end(), 0.0);  // u
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < count; ++i) part_[i] += basis_[k][i] * along_[k];
  for (int k = 0; k < count; ++k) along_[k] = dot(moving_[k], part_);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < count; ++i) forces_[i] += moving_[k][i] * along_[k];
}

void LeastDrive::solve(std::vector<double>& g) {
  forces_.assign(W.count, 0.0);
  asked_ = g;
  add_step();
  asked_ = g;
  for (int j = 0; j < W.count; ++j)
    for (int s = 0; s < G.rows; ++s) asked_[s] -= G[j][s] * forces_[j];
  add_step();  // once more for what rounding left
  g = forces_;
}

}  // namespace vinculum
