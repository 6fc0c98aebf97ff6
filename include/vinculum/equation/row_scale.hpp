// By what the rows of A are measured where M itself is not at hand, or says nothing: a mass for every
// coordinate.
#pragma once
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// For each coordinate the number of its kin: those told in one unit, as the three of a place are. Empty:
/// each has a unit of its own.
using Kin = std::vector<int>;

/// Gives every coordinate whose mass is 0 the mass it moves by its rows:
///     m_i = sum_r A_ri^2 / (sum_j A_rj^2 / m_j),   j: coordinates of row r that have a mass
/// so that s in x = u s weighs u^2 m_x, in whatever unit it is told. Kin weigh alike: what of them has a
/// mass, or moves the most, speaks for the others, whose entries in A may be rounding. Rows without any mass
/// lend what others have lent before; what hangs together with no mass at all has only its own numbers to be
/// measured by, and begins with the geometric mean of the masses.
VINCULUM_EXPORT void lend_masses(const SparseMatrix& A, const Kin& kin, std::vector<double>& mass);

/// The diagonal of M, and what is lent where it is 0.
VINCULUM_EXPORT std::vector<double> masses_of(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin);
/// 1 over these.
VINCULUM_EXPORT std::vector<double> inverse_masses(const SparseMatrix& M, const SparseMatrix& A);

/// The length of each row in the metric of these weights.
VINCULUM_EXPORT std::vector<double> row_lengths(const SparseMatrix& A, const std::vector<double>& weight);

}  // namespace vinculum
