// Of rows that depend on each other, which are passed over.
#pragma once
#include <vector>

namespace vinculum {

/// A combination of rows of length one that vanishes.
struct Combination {
  std::vector<int> row;
  std::vector<double> weight;
};

/// Cholesky's elimination of S = A W A^T, dense and by rows, each scaled to 1, the largest pivot first: marks
/// the rows that are left where no pivot is left, for they depend on those taken. Empty where none is.
std::vector<char> rows_without_pivot(std::vector<double>& s, int rows, double tolerance);

/// Marks one row for each combination, those with the largest parts: the volume of the rows that stay is that
/// of the combinations on the rows that go. Empty where there is none, or where too many hang together.
std::vector<char> rows_with_largest_parts(const std::vector<Combination>& all, int rows);

}  // namespace vinculum
