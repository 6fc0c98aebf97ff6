#include "equation/sparse/massless.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// The square of the part of a column, over rows of length one, that the columns before it do not have: far
/// above rounding. Below it other roads have the word.
constexpr double surely_held = 1e-8;

bool is_nothing(const SparseRow& row) {
  for (const auto [column, value] : row)
    if (value != 0.0) return false;
  return true;
}

/// Whether one told in the same unit has a mass, and so lends it whatever the rows are.
bool have_massive_kin(const std::vector<int>& massless, const SparseMatrix& M, const Kin& kin) {
  if (kin.empty()) return false;
  std::vector<char> massive(kin.size(), 0);
  for (int i = 0; i < M.rows; ++i)
    if (row_of(M, i).entry(i) > 0.0) massive[kin[i]] = 1;
  return std::all_of(massless.begin(), massless.end(), [&](int i) { return massive[kin[i]] != 0; });
}

}  // namespace

bool Massless::find(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin) {
  found_.clear();
  for (int i = 0; i < M.rows; ++i)
    if (is_nothing(row_of(M, i))) found_.push_back(i);
  coordinates_ = found_;
  if (A.rows == 0) coordinates_.clear();
  if (coordinates_.empty()) return false;
  if (planned_ != coordinates_) {
    planned_ = coordinates_;
    find_columns(A);
    plan_products(A);
    left_.resize(coordinates_.size());
    per_root_.resize(coordinates_.size());
  }
  lent_by_rows_ = !have_massive_kin(coordinates_, M, kin);
  masses_of(M, A, kin, mass_);
  per_mass_.resize(mass_.size());
  for (std::size_t i = 0; i < mass_.size(); ++i) per_mass_[i] = 1.0 / mass_[i];
  for (std::size_t k = 0; k < coordinates_.size(); ++k) per_root_[k] = std::sqrt(per_mass_[coordinates_[k]]);
  weighted_ = M.value;
  for (const int i : coordinates_)
    for (int k = M.start[i]; k < M.start[i + 1]; ++k)
      if (M.column[k] == i) weighted_[k] = weight(i);
  return true;
}

void Massless::find_columns(const SparseMatrix& A) {
  std::vector<int> place(A.columns, -1);
  for (std::size_t k = 0; k < coordinates_.size(); ++k) place[coordinates_[k]] = static_cast<int>(k);
  std::vector<std::vector<std::pair<int, int>>> columns(coordinates_.size());
  rows_.clear();
  for (int r = 0; r < A.rows; ++r) {
    bool meets = false;
    for (int e = A.start[r]; e < A.start[r + 1]; ++e)
      if (const int k = place[A.column[e]]; k >= 0) {
        columns[k].emplace_back(r, e);
        meets = true;
      }
    if (meets) rows_.push_back(r);
  }
  start_.assign(1, 0);
  row_.clear();
  entry_.clear();
  for (const auto& column : columns) {
    for (const auto& [row, entry] : column) {
      row_.push_back(row);
      entry_.push_back(entry);
    }
    start_.push_back(static_cast<int>(row_.size()));
  }
}

void Massless::plan_products(const SparseMatrix& A) {
  const int count = static_cast<int>(coordinates_.size());
  std::vector<std::vector<std::pair<int, int>>> in_row(A.rows);  // (which of them, entry)
  for (int k = 0; k < count; ++k)
    for (int e = start_[k]; e < start_[k + 1]; ++e) in_row[row_[e]].emplace_back(k, entry_[e]);
  struct Product {
    int column, row_of_product, row, a, b;
  };
  std::vector<Product> products;
  for (const int r : rows_)
    for (const auto& [j, a] : in_row[r])
      for (const auto& [i, b] : in_row[r])
        if (i >= j) products.push_back({j, i, r, a, b});
  std::stable_sort(products.begin(), products.end(), [](const Product& x, const Product& y) {
    return std::pair(x.column, x.row_of_product) < std::pair(y.column, y.row_of_product);
  });
  LowerPattern pattern;
  pattern.size = count;
  std::vector<int> of_entry;  // for each product
  std::size_t next = 0;
  for (int j = 0; j < count; ++j) {
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
    pattern.row.push_back(j);
    for (; next < products.size() && products[next].column == j; ++next) {
      if (products[next].row_of_product != pattern.row.back())
        pattern.row.push_back(products[next].row_of_product);
      of_entry.push_back(static_cast<int>(pattern.row.size()) - 1);
    }
  }
  pattern.start.push_back(static_cast<int>(pattern.row.size()));
  ldl_ = SparseLdl(pattern);
  factor_ = ldl_.make_factor();
  terms_.clear();
  for (std::size_t p = 0; p < products.size(); ++p)
    terms_.push_back({ldl_.slots()[of_entry[p]], products[p].row, products[p].a, products[p].b,
                      products[p].column, products[p].row_of_product});
  one_by_square_.assign(A.rows, 0.0);
  ones_.assign(count, 1.0);
}

bool Massless::are_held(const SparseMatrix& A) {
  // Of a column the part in the metric of what is lent counts: a pure number.
  for (const int r : rows_) {
    double square = 0.0;
    for (const auto [column, value] : row_of(A, r)) square += value * value * per_mass_[column];
    one_by_square_[r] = square > 0.0 ? 1.0 / square : 0.0;
  }
  ldl_.clear(factor_);
  for (const Term& t : terms_)
    factor_.value[t.slot] +=
        A.value[t.a] * per_root_[t.i] * (A.value[t.b] * per_root_[t.j]) * one_by_square_[t.row];
  ldl_.factorize(factor_, ones_, surely_held);
  return factor_.dropped == 0;
}

bool Massless::are_balanced(const SparseMatrix& A, std::span<const double> Q,
                            std::span<const double> lambda) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  bool all = true;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    double force = Q[coordinates_[k]], terms = std::fabs(force);
    for (int e = start_[k]; e < start_[k + 1]; ++e) {
      const double term = A.value[entry_[e]] * lambda[row_[e]];
      force += term;
      terms += std::fabs(term);
    }
    left_[k] = force;
    all = all && std::fabs(force) <= (4 + start_[k + 1] - start_[k]) * eps * terms;
  }
  return all;
}

bool Massless::is_left_of_rounding(std::span<const double> Q, std::span<const double> force, bool first) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double largest = 0.0, left = 0.0;  // squares
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    const double terms = std::fabs(Q[i]) + std::fabs(force[i]);
    largest = std::max(largest, terms * terms * per_mass_[i]);
  }
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    left = std::max(left, left_[k] * left_[k] * per_mass_[coordinates_[k]]);
  // Where passes take little away, this rounding is more of q'': as long as they take any, it is not yet all.
  constexpr double quick = 1e-4 * 1e-4, stalls = 0.25;
  const double before = std::exchange(left_before_, left);
  return !first && left <= 16.0 * eps * eps * largest && (left <= quick * before || left > stalls * before);
}

void Massless::put_back(const SparseMatrix& A, std::span<double> q, std::span<double> r) const {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const double moved = left_[k] / weight(coordinates_[k]);
    q[coordinates_[k]] += moved;
    for (int e = start_[k]; e < start_[k + 1]; ++e) r[row_[e]] -= A.value[entry_[e]] * moved;
  }
}

}  // namespace vinculum
