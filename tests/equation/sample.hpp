// Systems to test with: random ones of every kind the library promises to handle, and how to measure them.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "equation/dense/dense.hpp"
#include "equation/dense/factorise.hpp"
#include "equation/dense/mass.hpp"
#include "equation/dense/row_space.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum::sample {

using dense::Matrix;
using dense::Vector;

/// What a random system is like. Numbers come from the seed, so that shrinking a size keeps the rest.
struct Kind {
  int coordinates = 1;
  int rows = 0;
  int rank = 0;                   // of A; the other rows are copies, multiples, combinations and zeros
  bool sparse = false;            // few entries in a row
  bool full_mass = false;         // M couples coordinates
  bool row_scales = false;        // 1e-6 .. 1e6
  bool mass_ratios = false;       // up to 1e8
  bool nearly_dependent = false;  // one row differs from another by 1e-2 .. 1e-5
  bool nonideal = false;
  int massless = 0;  // coordinates without mass, each held by a row of its own
  std::uint64_t seed = 0;
};

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double between(double low, double high) { return low + (high - low) * uniform_(engine_); }
  int below(int limit) {
    return limit > 0 ? static_cast<int>(engine_() % static_cast<std::uint64_t>(limit)) : 0;
  }
  Vector vector(int size) {
    Vector out(size);
    for (double& x : out) x = normal();
    return out;
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

inline SparseMatrix sparse(const Matrix& from, bool keep_zeros = false) {
  std::vector<double> values;
  for (int i = 0; i < from.rows(); ++i)
    for (int j = 0; j < from.cols(); ++j) values.push_back(from(i, j));
  return SparseMatrix::from_dense(static_cast<int>(from.rows()), static_cast<int>(from.cols()), values,
                                  keep_zeros);
}
inline std::vector<double> plain(const Vector& from) { return {from.data(), from.data() + from.size()}; }

/// M positive definite but for the massless coordinates, which have rows and columns of zeros.
inline Matrix random_mass(const Kind& kind, Numbers& number) {
  const int n = kind.coordinates;
  Matrix M = Matrix::Identity(n, n);
  if (kind.full_mass) {
    Matrix G(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) G(i, j) = number.normal() / std::sqrt(n);
    M += G * G.transpose();
  }
  for (int i = 0; i < n; ++i) {
    const double scale =
        kind.mass_ratios ? std::pow(10.0, number.between(-2.0, 2.0)) : number.between(0.7, 1.4);
    M.row(i) *= scale;
    M.col(i) *= scale;
  }
  M = (0.5 * (M + M.transpose())).eval();
  for (int i = 0; i < kind.massless; ++i) {
    M.row(i).setZero();
    M.col(i).setZero();
  }
  return M;
}

/// `rank` rows that are independent, then rows that follow from them.
inline Matrix random_rows(const Kind& kind, Numbers& number) {
  const int n = kind.coordinates;
  Matrix A = Matrix::Zero(kind.rows, n);
  for (int i = 0; i < kind.rank; ++i) {
    if (kind.sparse) {
      // One coordinate of its own and up to three later ones: independent whatever the numbers.
      A(i, i) = number.below(2) ? 1.0 : -1.0;
      for (int k = number.below(4); k > 0; --k)
        A(i, i + number.below(n - i)) += 0.4 * number.normal() + (k == 1);
      if (std::abs(A(i, i)) < 0.3) A(i, i) = 1.0;
    } else {
      A.row(i) = number.vector(n).transpose();
    }
  }
  if (kind.nearly_dependent && kind.rank > 1 && !kind.sparse) {
    const double apart = std::pow(10.0, number.between(-5.0, -2.0));
    A.row(kind.rank - 1) = A.row(0) + apart * A.row(kind.rank - 1);
  }
  for (int i = kind.rank; i < kind.rows; ++i) {
    const int way = number.below(8);
    if (kind.rank == 0 || way == 0) continue;  // 0 = 0
    const int one = number.below(kind.rank), other = number.below(kind.rank);
    if (way <= 2)
      A.row(i) = A.row(one);
    else if (way == 3)
      A.row(i) = -3.0 * A.row(one);
    else if (way <= 5)
      A.row(i) = A.row(one) + number.normal() * A.row(other);
    else
      for (int k = 0; k < kind.rank; ++k) A.row(i) += number.normal() * A.row(k);
  }
  return A;
}

/// Consistent unless changed afterwards: b is what a random acceleration gives.
inline Equations make(const Kind& kind) {
  Numbers number(kind.seed * 2654435761u + 17u);
  const Matrix M = random_mass(kind, number);
  Matrix A = random_rows(kind, number);
  for (int i = A.rows() - 1; i > 0; --i) A.row(i).swap(A.row(number.below(i + 1)));
  if (kind.row_scales)
    for (int i = 0; i < A.rows(); ++i) A.row(i) *= std::pow(10.0, number.between(-6.0, 6.0));
  Equations at;
  at.M = sparse(M);
  at.A = sparse(A);
  at.Q = plain(number.vector(kind.coordinates));
  at.b = plain(A * number.vector(kind.coordinates));
  if (kind.nonideal) at.C = plain(number.vector(kind.coordinates));
  return at;
}

/// Lengths in the metric of M, and the condition of rows and masses: what rounding may grow by.
struct Measure {
  dense::Problem at;
  dense::Mass mass;
  dense::RowSpace rows;
  double condition = 1.0;       // of the unit rows in the metric of M
  double mass_condition = 1.0;  // of M with unit diagonal, what has no mass left aside

  explicit Measure(const Equations& equations)
      : at(dense::to_problem(equations)), mass(dense::judge_mass(at.M)), rows(turned(at, mass), 1e-10, true) {
    if (mass.kind != dense::MassKind::indefinite && at.coordinates() > 0) {
      const Vector values = dense::spectrum(mass.scaled).values;
      const double largest = values(values.size() - 1);
      for (const double value : values)
        if (value > mass.noise) mass_condition = std::max(mass_condition, largest / value);
    }
    if (rows.rank > 0) condition = 1.0 / dense::singular_values(rows.R)(rows.rank - 1);
  }
  static Matrix turned(const dense::Problem& at, const dense::Mass& mass) {
    if (mass.kind != dense::MassKind::definite) return mass.scale.asDiagonal() * at.A.transpose();
    return dense::solve_lower(mass.factor, at.A.transpose());
  }
  /// sqrt(q^T M q); by the diagonal alone where M is singular.
  double length(const Vector& q) const {
    if (mass.kind != dense::MassKind::definite) return q.cwiseQuotient(mass.scale).norm();
    return (mass.factor.transpose() * q).norm();
  }
  /// sqrt(F^T M^-1 F)
  double pull(const Vector& force) const {
    if (mass.kind != dense::MassKind::definite) return force.cwiseProduct(mass.scale).norm();
    return dense::solve_lower(mass.factor, force).norm();
  }
  /// A random virtual displacement, A v = 0 to rounding.
  Vector virtual_displacement(Numbers& number) const {
    const Vector turned_displacement =
        rows.complement * number.vector(static_cast<int>(rows.complement.cols()));
    if (mass.kind != dense::MassKind::definite) return mass.scale.cwiseProduct(turned_displacement);
    return dense::solve_lower_transposed(mass.factor, turned_displacement);
  }
};

}  // namespace vinculum::sample
