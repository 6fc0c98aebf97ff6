// A symmetric matrix to be solved with: Gauss's function along the motions the rows allow.
#pragma once
#include <Eigen/Cholesky>
#include <cmath>

#include "equation/dense/factorise.hpp"
#include "equation/dense/mass.hpp"

namespace vinculum::dense {

/// By L D L^T; by its eigenvectors where M has a negative direction and L D L^T may break down.
class Curvature {
 public:
  void compute(const Matrix& H, MassKind kind) {
    if (kind == MassKind::indefinite)
      spectrum_ = spectrum(H);
    else
      factor_.compute(H);
  }
  Vector solve(const Vector& right) const {
    if (spectrum_.values.size() == 0) return factor_.solve(right);
    return spectrum_.vectors * (spectrum_.vectors.transpose() * right).cwiseQuotient(spectrum_.values);
  }

 private:
  Eigen::LDLT<Matrix> factor_;
  Spectrum spectrum_;
};

/// The directions in which H holds nothing: its value there is no more than noise.
inline Matrix loose_directions(const Matrix& H, double noise) {
  const auto [values, vectors] = spectrum(H);
  Matrix loose(H.rows(), 0);
  for (int k = 0; k < values.size(); ++k)
    if (std::abs(values(k)) <= noise) {
      loose.conservativeResize(Eigen::NoChange, loose.cols() + 1);
      loose.col(loose.cols() - 1) = vectors.col(k);
    }
  return loose;
}

}  // namespace vinculum::dense
