// By what the rows of A are measured where M itself is not at hand: its diagonal.
#pragma once
#include <vector>

#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// 1 over the diagonal of M; a coordinate without mass weighs as the lightest of the others do.
std::vector<double> inverse_masses(const SparseMatrix& M);

/// The length of each row in the metric of these weights.
std::vector<double> row_lengths(const SparseMatrix& A, const std::vector<double>& weight);

}  // namespace vinculum
