#include "equation/dense/mass.hpp"

#include <algorithm>
#include <cmath>

#include "equation/dense/factorise.hpp"

namespace vinculum::dense {
namespace {

/// 1 / sqrt(|m_i|) of masses. A coordinate without mass has no scale of its own and takes the geometric mean
/// of the others.
Vector scale_of(const Vector& masses) {
  const int n = static_cast<int>(masses.size());
  double logarithms = 0.0;
  int massive = 0;
  for (int i = 0; i < n; ++i) {
    if (masses(i) == 0.0) continue;
    logarithms += std::log(std::abs(masses(i)));
    ++massive;
  }
  const double mean = massive > 0 ? std::exp(-0.5 * logarithms / massive) : 1.0;
  Vector scale(n);
  for (int i = 0; i < n; ++i) scale(i) = masses(i) != 0.0 ? 1.0 / std::sqrt(std::abs(masses(i))) : mean;
  return scale;
}

/// A diagonal entry below zero, or a zero one beside entries that are not, is a negative direction at sight:
/// the 2 x 2 minor (0, c; c, m) is -c^2.
std::vector<int> negative_at_sight(const Matrix& M) {
  std::vector<int> out;
  for (int i = 0; i < M.rows(); ++i) {
    if (M(i, i) < 0.0) return {i};
    if (M(i, i) > 0.0) continue;
    for (int j = 0; j < M.cols(); ++j)
      if (M(i, j) != 0.0 || M(j, i) != 0.0) out.push_back(j);
    if (out.empty()) continue;
    out.insert(std::lower_bound(out.begin(), out.end(), i), i);
    return out;
  }
  return out;
}

}  // namespace

std::vector<int> taking_part(const Matrix& directions) {
  // A direction is computed to about eps / gap; half of the digits is the line between a part and rounding.
  const double part = std::sqrt(epsilon);
  const Vector size = directions.rowwise().norm();
  std::vector<int> out;
  for (int i = 0; i < size.size(); ++i)
    if (size(i) > part * size.maxCoeff()) out.push_back(i);
  return out;
}

Mass judge_mass(const Matrix& M) {
  const int n = static_cast<int>(M.rows());
  Mass mass;
  mass.scale = scale_of(M.diagonal());
  mass.scaled = mass.scale.asDiagonal() * M * mass.scale.asDiagonal();
  if (n == 0) return mass;
  // Each entry of M carries a few roundings, and n of them meet in an eigenvalue.
  const double unit = 16.0 * n * epsilon;
  const double largest =
      mass.scaled.cwiseAbs().rowwise().sum().maxCoeff();  // Gershgorin: at least the eigenvalue
  mass.noise = unit * largest;
  mass.coordinates = negative_at_sight(M);
  if (!mass.coordinates.empty()) {
    mass.kind = MassKind::indefinite;
    return mass;
  }
  const Matrix lower = cholesky(mass.scaled);
  const bool factorised = lower.size() > 0;
  const auto keep_factor = [&] { mass.factor = mass.scale.cwiseInverse().asDiagonal() * lower; };
  // Pivots well above the noise settle it; sqrt of the noise leaves room for pivots that hide a small
  // eigenvalue.
  if (factorised && lower.diagonal().array().square().minCoeff() > std::sqrt(mass.noise)) {
    keep_factor();
    return mass;
  }
  const auto [values, vectors] = spectrum(mass.scaled);
  if (values(0) < -mass.noise) {
    const int negative = static_cast<int>((values.array() < -mass.noise).count());
    mass.kind = MassKind::indefinite;
    mass.coordinates = taking_part(vectors.leftCols(negative));
  } else if (values(0) <= mass.noise || !factorised) {
    mass.kind = MassKind::semidefinite;
  } else {
    keep_factor();
  }
  return mass;
}

Mass without_mass_of(const Matrix& M, const Mass& judged, const std::vector<int>& coordinates) {
  Vector masses = M.diagonal();
  for (const int i : coordinates) masses(i) = 0.0;
  Mass out;
  out.kind = MassKind::semidefinite;
  out.scale = scale_of(masses);
  out.scaled = out.scale.asDiagonal() * M * out.scale.asDiagonal();
  out.noise = judged.noise;
  return out;
}

}  // namespace vinculum::dense
