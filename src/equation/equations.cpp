#include "vinculum/equation/equations.hpp"

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {

SparseMatrix SparseMatrix::from_dense(int rows, int columns, std::span<const double> values,
                                      bool keep_zeros) {
  SparseMatrix out;
  out.rows = rows;
  out.columns = columns;
  out.start.reserve(static_cast<std::size_t>(rows) + 1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double value = values[static_cast<std::size_t>(i) * columns + j];
      if (value == 0.0 && !keep_zeros) continue;
      out.column.push_back(j);
      out.value.push_back(value);
    }
    out.start.push_back(out.entries());
  }
  return out;
}

SparseMatrix SparseMatrix::diagonal(std::span<const double> values) {
  SparseMatrix out;
  out.rows = out.columns = static_cast<int>(values.size());
  out.value.assign(values.begin(), values.end());
  out.column.resize(values.size());
  out.start.resize(values.size() + 1);
  for (int i = 0; i < out.rows; ++i) {
    out.column[i] = i;
    out.start[i + 1] = i + 1;
  }
  return out;
}

std::vector<double> SparseMatrix::dense() const {
  std::vector<double> out(static_cast<std::size_t>(rows) * columns, 0.0);
  for (int i = 0; i < rows; ++i)
    for (const auto [j, entry] : row_of(*this, i)) out[static_cast<std::size_t>(i) * columns + j] += entry;
  return out;
}

SparseMatrix chosen_rows(const SparseMatrix& a, std::span<const int> rows) {
  SparseMatrix out;
  out.columns = a.columns;
  out.rows = static_cast<int>(rows.size());
  for (const int r : rows) {
    const SparseRow row = row_of(a, r);
    out.column.insert(out.column.end(), row.columns.begin(), row.columns.end());
    out.value.insert(out.value.end(), row.values.begin(), row.values.end());
    out.start.push_back(out.entries());
  }
  return out;
}

}  // namespace vinculum
