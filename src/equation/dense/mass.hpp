// What kind of mass matrix it is: definite, singular but harmless, or with a negative direction.
#pragma once
#include "equation/dense/dense.hpp"

namespace vinculum::dense {

enum class MassKind { definite, semidefinite, indefinite };

struct Mass {
  MassKind kind = MassKind::definite;
  Vector scale;                  ///< S: 1 / sqrt(|M_ii|); a massless coordinate takes the mean of the others
  Matrix scaled;                 ///< S M S, with unit diagonal where there is mass
  Matrix factor;                 ///< definite: L with M = L L^T
  double noise = 0.0;            ///< eigenvalues of `scaled` of this size may be rounding
  std::vector<int> coordinates;  ///< indefinite: those with a part in the negative direction
};

/// Judged on S M S, so that a ratio of masses, however large, is no singularity.
Mass judge_mass(const Matrix& M);

/// A definite M with scales for which these coordinates are ones without mass, for roads that need no M^-1.
Mass without_mass_of(const Matrix& M, const Mass& judged, const std::vector<int>& coordinates);

/// Coordinates with a part in the space spanned by the columns.
std::vector<int> taking_part(const Matrix& directions);

}  // namespace vinculum::dense
