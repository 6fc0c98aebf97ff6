#include "equation/sparse/few_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vinculum {
namespace {

constexpr int most = FewRows::most;

/// S = L D L^T, all loops written out.
template <int Rows>
void eliminate(double* l, double* pivot) {
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i) {
    double* const row = l + i * Rows;
    double left = row[i], whole[most];  // L_ij D_j
#pragma GCC unroll 8
    for (int j = 0; j < i; ++j) {
      whole[j] = row[j];
#pragma GCC unroll 8
      for (int k = 0; k < j; ++k) whole[j] -= whole[k] * l[j * Rows + k];
      row[j] = whole[j] / pivot[j];
      left -= row[j] * whole[j];
    }
    pivot[i] = left;
  }
}

}  // namespace

FewRows::FewRows(const SparseMatrix& pattern, const SparseLdl& ldl) {
  if (pattern.rows > most) return;
  count_ = pattern.rows;
  column_ = pattern.column;
  for (int i = 0; i < count_; ++i) {
    position_.push_back(ldl.position(i));
    row_at_.push_back(ldl.row_at(i));
  }
  for (int i = 0; i < count_; ++i)
    for (int j = 0; j <= i; ++j) {
      const int one = row_at_[j], other = row_at_[i];
      const std::size_t before = terms_.size();
      for (int k = pattern.start[one]; k < pattern.start[one + 1]; ++k)
        for (int l = pattern.start[other]; l < pattern.start[other + 1]; ++l)
          if (column_[k] == column_[l]) terms_.push_back({k, l});
      entries_.push_back({i * count_ + j, static_cast<int>(terms_.size() - before)});
    }
}

FewRows::Look FewRows::make_look() const {
  Look made{};
  for (std::vector<double>* of_entries : {&made.a, &made.y}) of_entries->assign(column_.size(), 0.0);
  return made;
}

void FewRows::look(const SparseMatrix& A, std::span<const double> weight, Look& out) const {
  constexpr void (*of_size[])(double*, double*) = {eliminate<0>, eliminate<1>, eliminate<2>,
                                                   eliminate<3>, eliminate<4>, eliminate<5>,
                                                   eliminate<6>, eliminate<7>, eliminate<8>};
  static_assert(std::size(of_size) == most + 1);
  const std::size_t entries = column_.size();
  const int* const column = column_.data();
  const double* const value = A.value.data();
  double *const a = out.a.data(), *const y = out.y.data();
  for (std::size_t k = 0; k < entries; ++k) {
    a[k] = value[k];
    y[k] = weight[column[k]] * value[k];
  }
  assemble(out);
  of_size[count_](out.l.data(), out.pivot.data());
}

/// S into the memory of L.
void FewRows::assemble(Look& out) const {
  const double *const a = out.a.data(), *const y = out.y.data();
  double* const s = out.l.data();
  const Term* term = terms_.data();
  for (const Entry& entry : entries_) {
    double sum = 0.0;
    for (const Term* const end = term + entry.terms; term != end; ++term)
      sum += a[term->earlier] * y[term->later];
    s[entry.place] = sum;
  }
  for (int i = 0; i < count_; ++i) out.square[row_at_[i]] = s[i * count_ + i];
}

bool FewRows::are_parts_above(double least, const Look& at, std::span<const double> largest,
                              std::span<double> parts) const {
  bool above = true;
  for (int r = 0; r < count_; ++r) {
    parts[r] = at.pivot[position_[r]] / std::max(largest[r], at.square[r]);
    above = above && parts[r] > least;  // a row of zeros has no part
  }
  return above;
}

/// The part of a row is u = A^T n, n the null vector, and in the metric no row before it has anything along
/// u. So at the other look, where A' = A + dA,
///     (u, u') = (A'^T n, u') - (dA^T n, u') = |u'|^2 - (dA^T n, u') >= |u'| (|u'| - sum |n_j| |dA_j|)
/// which is above zero where the part is longer than the sum. The null vectors are the rows of L^-1, so that
/// the sums of all rows follow from L, one after the other. With the looks exchanged the same holds.
void FewRows::keep_turning(const Look& one, const Look& other, std::span<const double> change,
                           std::vector<int>& rows) const {
  constexpr double clearly = 0.99;  // rounding is far less
  if (rows.empty()) return;
  double moved[most], moved_back[most];  // what the combinations of rows have moved by, at most
  for (int i = 0; i < count_; ++i) {
    moved[i] = moved_back[i] = std::sqrt(change[row_at_[i]]);
    for (int j = 0; j < i; ++j) {
      moved[i] += std::fabs(one.l[i * count_ + j]) * moved[j];
      moved_back[i] += std::fabs(other.l[i * count_ + j]) * moved_back[j];
    }
  }
  std::erase_if(rows, [&](int row) {
    const int i = position_[row];
    return moved[i] < clearly * std::sqrt(other.pivot[i]) ||
           moved_back[i] < clearly * std::sqrt(one.pivot[i]);
  });
}

/// L^T u = e
void FewRows::null_vector(const Look& at, int position, double* u) const {
  std::fill_n(u, position, 0.0);
  u[position] = 1.0;
  for (int i = position; i > 0; --i)
    for (int j = 0; j < i; ++j) u[j] -= at.l[i * count_ + j] * u[i];
}

/// u^T (A W B^T) w
void FewRows::products(const Look& one, const Look& other, std::span<const int> rows,
                       std::vector<double>& out) const {
  double both[most * most], u[most], w[most];  // A W B^T
  const Term* term = terms_.data();
  for (const Entry& entry : entries_) {
    double below = 0.0, above = 0.0;
    for (const Term* const end = term + entry.terms; term != end; ++term) {
      below += one.y[term->later] * other.a[term->earlier];
      above += one.a[term->earlier] * other.y[term->later];
    }
    const int i = entry.place / count_, j = entry.place % count_;
    both[j * count_ + i] = above;
    both[i * count_ + j] = below;
  }
  out.clear();
  for (const int r : rows) {
    const int last = position_[r];
    null_vector(one, last, u);
    null_vector(other, last, w);
    double sum = 0.0;
    for (int i = 0; i <= last; ++i)
      for (int j = 0; j <= last; ++j) sum += u[i] * both[i * count_ + j] * w[j];
    out.push_back(sum);
  }
}

}  // namespace vinculum
