// By what the rows of A are measured where M itself is not at hand, or says nothing: a mass for every
// coordinate.
#pragma once
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {

/// For each coordinate the number of its kin: those told in one unit, as the three of a place are. Empty:
/// each has a unit of its own.
using Kin = std::vector<int>;

/// Gives every coordinate whose mass is 0 the mass it moves by its rows:
///     m_i = sum_r A_ri^2 / (sum_j A_rj^2 / m_j),   j: coordinates of row r that have a mass
/// so that s in x = u s weighs u^2 m_x, in whatever unit it is told. Kin weigh alike: what of them has a
/// mass, or moves the most, speaks for the others, whose entries in A may be rounding. Rows without any mass
/// lend what others have lent before; what hangs together with no mass at all has only its own numbers to be
/// measured by, and begins with the geometric mean of the masses. Coefficients that are rounding of their row
/// lend nothing, and what is light lends as the part of it does that its rows tie it to.
VINCULUM_EXPORT void lend_masses(const SparseMatrix& A, const Kin& kin, std::vector<double>& mass);

/// The diagonal of M, and what is lent where it is 0.
VINCULUM_EXPORT std::vector<double> masses_of(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin);
VINCULUM_EXPORT void masses_of(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin,
                               std::vector<double>& mass);
/// 1 over these.
VINCULUM_EXPORT std::vector<double> inverse_masses(const SparseMatrix& M, const SparseMatrix& A);

/// Whether the largest coefficient of a row is so large or so small (2^400 is about 1e120) that its square,
/// beside a mass of any usual size, may be no number. Not for a row of zeros, nor for one that is not finite.
VINCULUM_EXPORT bool is_beyond_squares(const SparseRow& row);
/// The first such row; -1 where there is none.
VINCULUM_EXPORT int row_beyond_squares(const SparseMatrix& A);
/// For each row the power of two that brings its largest coefficient near one, where it is_beyond_squares(),
/// else 0. No entries where none is.
VINCULUM_EXPORT void find_powers(const SparseMatrix& A, std::vector<int>& power);
/// The rows times these powers: to the bit the same equations.
VINCULUM_EXPORT void multiply_rows(const std::vector<int>& power, SparseMatrix& A);

/// The length of each row in the metric of these weights.
VINCULUM_EXPORT std::vector<double> row_lengths(const SparseMatrix& A, const std::vector<double>& weight);

}  // namespace vinculum
