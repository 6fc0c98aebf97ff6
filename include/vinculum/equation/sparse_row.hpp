// One row of a sparse matrix: its entries, and the sums that are made of them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// The entries of one row, columns rising. It looks into its matrix and lives no longer than that.
///     for (const auto [column, value] : row_of(A, i)) ...
struct SparseRow {
  struct Entry {
    int column;
    double value;
  };
  struct Place {
    const int* column;
    const double* value;

    Entry operator*() const { return {*column, *value}; }
    Place& operator++() {
      ++column;
      ++value;
      return *this;
    }
    bool operator==(const Place& other) const { return column == other.column; }
  };
  std::span<const int> columns;
  std::span<const double> values;

  int size() const { return static_cast<int>(columns.size()); }
  Place begin() const { return {columns.data(), values.data()}; }
  Place end() const { return {columns.data() + columns.size(), values.data() + values.size()}; }

  /// from + A_i x, term by term.
  double dot(std::span<const double> x, double from = 0.0) const {
    for (const auto [column, value] : *this) from += value * x[column];
    return from;
  }
  /// y += A_i^T factor
  void add_to(std::span<double> y, double factor) const {
    for (const auto [column, value] : *this) y[column] += value * factor;
  }
  /// 0 where the row has none.
  double entry(int column) const {
    const auto at = std::lower_bound(columns.begin(), columns.end(), column);
    return at != columns.end() && *at == column ? values[at - columns.begin()] : 0.0;
  }
};

inline SparseRow row_of(const SparseMatrix& a, int row) {
  const auto first = static_cast<std::size_t>(a.start[row]);
  const auto size = static_cast<std::size_t>(a.start[row + 1]) - first;
  return {{a.column.data() + first, size}, {a.value.data() + first, size}};
}
SparseRow row_of(SparseMatrix&& a, int row) = delete;

/// These rows of a, in this order.
VINCULUM_EXPORT SparseMatrix chosen_rows(const SparseMatrix& a, std::span<const int> rows);

}  // namespace vinculum
