// Which coordinates are so light that others are not seen beside them.
#pragma once
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// In the metric of M a row sees a coordinate by its part  A_ri^2 / m_i  of the square of the row's length: a
/// pure number, in whatever units the coordinates are told. Whose part is below this in all rows drowns
/// there, and rows that share the light one beside it look alike.
inline constexpr double drowned = 1e-10;

/// The largest part that each coordinate has in any row, into `part`; 0 where it stands in none or has no
/// finite mass. The least of those that are not 0; 1 where there is none.
VINCULUM_EXPORT double least_part(const std::vector<double>& mass, const SparseMatrix& A,
                                  std::vector<double>& part);

/// The coordinates beside which heavier ones drown; beside those that are left, none does.
VINCULUM_EXPORT std::vector<int> light_coordinates(const SparseMatrix& M, const SparseMatrix& A);

/// M_ii
VINCULUM_EXPORT void diagonal_of(const SparseMatrix& M, std::vector<double>& out);

}  // namespace vinculum
