#include "motion/steppers/sparse_lu.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <complex>

namespace vinculum {
namespace {

using Complex = std::complex<double>;

/// The diagonal is taken where it is no smaller than this part of its column: it keeps the factors sparse.
constexpr double good_pivot = 0.1;
/// Pivots are kept until one is smaller than this part, or numbers have grown by this factor: three digits of
/// sixteen, for one who iterates.
constexpr double poor_pivot = 1e-3, most_growth = 1e3;

/// Products of finite numbers, without a look at those that are not.
double product(double a, double b) { return a * b; }
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// As large as a number within a factor of the root of two.
double size_of(double x) { return std::fabs(x); }
double size_of(Complex x) { return std::max(std::fabs(x.real()), std::fabs(x.imag())); }

}  // namespace

template <class T>
bool SparseLu<T>::factorize(int size, std::span<const MatrixEntry<T>> entries) {
  if (!has_pattern(size, entries)) analyse(size, entries);
  std::fill(a_.value.begin(), a_.value.end(), T(0));
  for (std::size_t e = 0; e < entries.size(); ++e) a_.value[place_[e]] += entries[e].value;
  weigh_rows();
  if (!has_pivots_ || !refactor()) has_pivots_ = find_pivots();
  return has_pivots_;
}

template <class T>
bool SparseLu<T>::has_pattern(int size, std::span<const MatrixEntry<T>> entries) const {
  const auto same = [](const MatrixEntry<T>& e, const Place& p) {
    return e.row == p.row && e.column == p.column;
  };
  return size == size_ && std::equal(entries.begin(), entries.end(), pattern_.begin(), pattern_.end(), same);
}

/// The order of columns, and where each entry goes.
template <class T>
void SparseLu<T>::analyse(int size, std::span<const MatrixEntry<T>> entries) {
  size_ = size;
  has_pivots_ = false;
  pattern_.clear();
  std::vector<Eigen::Triplet<double>> ones;
  for (const MatrixEntry<T>& e : entries) {
    pattern_.push_back({e.row, e.column});
    ones.emplace_back(e.row, e.column, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(size, size);
  pattern.setFromTriplets(ones.begin(), ones.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  order_.assign(order.indices().begin(), order.indices().end());
  a_.start_over();
  std::vector<int> first(size);
  for (int k = 0; k < size; ++k) {
    first[order_[k]] = static_cast<int>(a_.row.size());
    for (Eigen::SparseMatrix<double>::InnerIterator it(pattern, order_[k]); it; ++it)
      a_.add(static_cast<int>(it.row()), T(0));
    a_.end_column();
  }
  place_.clear();
  for (const MatrixEntry<T>& e : entries)
    place_.push_back(
        static_cast<int>(std::find(a_.row.begin() + first[e.column], a_.row.end(), e.row) - a_.row.begin()));
  work_.assign(size, T(0));
  mark_.resize(size);
  pivot_row_.resize(size);
  inverse_pivot_.resize(size);
}

/// A pivot is compared with others as a part of its row: rows have units of their own.
template <class T>
void SparseLu<T>::weigh_rows() {
  weight_.assign(size_, 0.0);
  for (std::size_t i = 0; i < a_.row.size(); ++i)
    weight_[a_.row[i]] = std::max(weight_[a_.row[i]], size_of(a_.value[i]));
  for (double& weight : weight_) weight = weight > 0 ? 1.0 / weight : 1.0;
}

/// All rows that elimination leads to from this one, behind each the rows that it changes (Gilbert and
/// Peierls).
template <class T>
void SparseLu<T>::reach(int row, int mark) {
  if (mark_[row] == mark) return;
  mark_[row] = mark;
  stack_.assign(1, row);
  next_.assign(1, 0);
  while (!stack_.empty()) {
    const int step = step_of_[stack_.back()];
    const int first = step < 0 ? 0 : lower_.start[step],
              count = step < 0 ? 0 : lower_.start[step + 1] - first;
    while (next_.back() < count && mark_[lower_.row[first + next_.back()]] == mark) ++next_.back();
    if (next_.back() == count) {
      reached_.push_back(stack_.back());
      stack_.pop_back();
      next_.pop_back();
    } else {
      const int below = lower_.row[first + next_.back()];
      mark_[below] = mark;
      stack_.push_back(below);
      next_.push_back(0);
    }
  }
}

/// Of the rows reached that are no pivots yet: the largest, or the diagonal; -1 where there is none.
template <class T>
int SparseLu<T>::choose_pivot(int column) const {
  int best = -1;
  double largest = 0.0;
  for (const int row : reached_)
    if (const double size = weight_[row] * size_of(work_[row]); step_of_[row] < 0 && !(size <= largest)) {
      largest = size;
      best = row;
    }
  if (!(largest > 0 && std::isfinite(largest))) return -1;
  const bool diagonal =
      step_of_[column] < 0 && weight_[column] * size_of(work_[column]) >= good_pivot * largest;
  return diagonal ? column : best;
}

/// Column by column: x = L^-1 a is the column of U, and what is below it, over the pivot, that of L.
template <class T>
bool SparseLu<T>::find_pivots() {
  lower_.start_over();
  upper_.start_over();
  step_of_.assign(size_, -1);
  std::fill(mark_.begin(), mark_.end(), -1);
  std::fill(work_.begin(), work_.end(), T(0));
  for (int k = 0; k < size_; ++k) {
    reached_.clear();
    for (int i = a_.start[k]; i < a_.start[k + 1]; ++i) {
      reach(a_.row[i], k);
      work_[a_.row[i]] = a_.value[i];
    }
    for (auto row = reached_.rbegin(); row != reached_.rend(); ++row) {
      const int step = step_of_[*row];
      if (step < 0) continue;
      const T x = work_[*row];
      upper_.add(step, x);
      for (int i = lower_.start[step]; i < lower_.start[step + 1]; ++i)
        work_[lower_.row[i]] -= product(lower_.value[i], x);
    }
    const int pivot_row = choose_pivot(order_[k]);
    if (pivot_row < 0) return false;
    const T pivot = work_[pivot_row];
    inverse_pivot_[k] = T(1) / pivot;
    if (!std::isfinite(size_of(inverse_pivot_[k]))) return false;
    for (const int row : reached_) {
      if (step_of_[row] < 0 && row != pivot_row) lower_.add(row, work_[row] / pivot);
      work_[row] = T(0);
    }
    pivot_row_[k] = pivot_row;
    step_of_[pivot_row] = k;
    upper_.end_column();
    lower_.end_column();
  }
  for (int& row : lower_.row) row = step_of_[row];
  return true;
}

/// The same with the pivots and places that are known; false where they are no good any more.
template <class T>
bool SparseLu<T>::refactor() {
  std::fill(work_.begin(), work_.end(), T(0));
  const auto part_of_row = [this](int step, T x) { return weight_[pivot_row_[step]] * size_of(x); };
  const auto raise = [](double& largest, double size) {
    if (!(size <= largest)) largest = size;  // also to what is no number
  };
  for (int k = 0; k < size_; ++k) {
    double given = 0.0, above = 0.0, below = 0.0;
    for (int i = a_.start[k]; i < a_.start[k + 1]; ++i) {
      const int step = step_of_[a_.row[i]];
      work_[step] = a_.value[i];
      raise(given, part_of_row(step, a_.value[i]));
    }
    for (int j = upper_.start[k]; j < upper_.start[k + 1]; ++j) {
      const int step = upper_.row[j];
      const T x = work_[step];
      work_[step] = T(0);
      upper_.value[j] = x;
      raise(above, part_of_row(step, x));
      for (int i = lower_.start[step]; i < lower_.start[step + 1]; ++i)
        work_[lower_.row[i]] -= product(lower_.value[i], x);
    }
    const T pivot = work_[k];
    work_[k] = T(0);
    inverse_pivot_[k] = T(1) / pivot;
    for (int i = lower_.start[k]; i < lower_.start[k + 1]; ++i) {
      T& x = work_[lower_.row[i]];
      raise(below, part_of_row(lower_.row[i], x));
      lower_.value[i] = x / pivot;
      x = T(0);
    }
    const bool good =
        part_of_row(k, pivot) >= poor_pivot * below && std::isfinite(size_of(inverse_pivot_[k]));
    if (!good || !(std::max(above, below) <= most_growth * given)) return false;
  }
  return true;
}

template <class T>
void SparseLu<T>::solve(std::span<T> x) {
  for (int k = 0; k < size_; ++k) work_[k] = x[pivot_row_[k]];
  for (int k = 0; k < size_; ++k)
    for (int i = lower_.start[k]; i < lower_.start[k + 1]; ++i)
      work_[lower_.row[i]] -= product(lower_.value[i], work_[k]);
  for (int k = size_ - 1; k >= 0; --k) {
    work_[k] = product(work_[k], inverse_pivot_[k]);
    for (int j = upper_.start[k]; j < upper_.start[k + 1]; ++j)
      work_[upper_.row[j]] -= product(upper_.value[j], work_[k]);
    x[order_[k]] = work_[k];
  }
}

template class SparseLu<double>;
template class SparseLu<Complex>;

}  // namespace vinculum
