#include "equation/sparse/displacements.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// A without rows may come without columns.
Equations with_columns(Equations at) {
  at.A.columns = at.coordinates();
  return at;
}

}  // namespace

Displacements::Displacements(const Equations& at)
    : at_(with_columns(at)), structure_(at_.M, at_.A), work_(structure_), rows_(at.rows()) {}

/// Twice, so that what is left of the rows is that of rounding.
bool Displacements::keep_virtual(dense::Vector& x) {
  for (int pass = 0; pass < 2 && !rows_.empty(); ++pass) {
    for (int r = 0; r < at_.rows(); ++r) rows_[r] = row_of(at_.A, r).dot(dense::span_of(x));
    if (!nearest(structure_, at_, work_, rows_, part_, factorised_)) return false;
    factorised_ = true;
    x -= dense::to_vector(part_);
  }
  return true;
}

dense::Vector Displacements::force(const dense::Vector& x) const {
  dense::Vector out(x.size());
  for (int i = 0; i < at_.M.rows; ++i) out(i) = row_of(at_.M, i).dot(dense::span_of(x));
  return out;
}

double Displacements::length(const dense::Vector& x) const {
  return std::sqrt(std::max(x.dot(force(x)), 0.0));
}

}  // namespace vinculum
