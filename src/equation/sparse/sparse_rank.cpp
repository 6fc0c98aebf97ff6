#include "equation/sparse/sparse_rank.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/rank_watch.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// Relative singular values from here on are told from rounding by A M^-1 A^T, which has their squares, and
/// are far from the rank tolerance of 1e-10. Where M is not diagonal its diagonal is no more than near to it.
constexpr double surely_independent = 5e-8, surely_independent_coupled = 1e-4;
/// A combination of unit rows that leaves no more than this vanishes.
constexpr double surely_nothing = 1e-12;
/// Parts of a combination that are rounding.
constexpr double no_part = 1e-11;
constexpr double most_work = 1e9;
constexpr int iterations = 16, most_rounds = 16;

using Numbers = std::vector<double>;

double norm(const Numbers& x) {
  double sum = 0.0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

bool is_diagonal(const SparseMatrix& M) {
  for (int i = 0; i < M.rows; ++i)
    for (const auto [column, value] : row_of(M, i))
      if (column != i && value != 0.0) return false;
  return true;
}

/// The rows of A, each of length one in the metric of the masses.
class UnitRows {
 public:
  explicit UnitRows(const Equations& at)
      : A_(at.A), weight_(inverse_masses(at.M, at.A)), length_(row_lengths(at.A, weight_)), watch_(at.A) {
    if (watch_.possible()) settle(is_diagonal(at.M) ? surely_independent : surely_independent_coupled);
  }
  /// Rows were found whose leaving out leaves rows that are independent by far.
  bool settled() const { return settled_; }
  const std::vector<int>& dropped() const { return dropped_; }
  double length(int row) const { return length_[row] > 0.0 ? length_[row] : 1.0; }
  double smallest() const { return smallest_; }

  /// u with 1 at a dropped row and A^T u = 0, as near as rounding allows: what is left is taken away by the
  /// rows kept.
  Numbers combination(int row) {
    Numbers u = watch_.null_vector(row);
    for (int pass = 0; pass < 2; ++pass) {
      Numbers left = times(transposed_times(u));
      watch_.solve(left);
      for (int r = 0; r < A_.rows; ++r) u[r] -= left[r];
    }
    return u;
  }
  /// The length of the combination beside those of its terms.
  double left_over(const Numbers& u) const {
    const Numbers force = transposed_times(u);
    double sum = 0.0, terms = 0.0;
    for (std::size_t i = 0; i < force.size(); ++i) sum += force[i] * force[i] / weight_[i];
    for (int r = 0; r < A_.rows; ++r) terms += std::fabs(u[r]) * length_[r];
    return sum == 0.0 ? 0.0 : std::sqrt(sum) / terms;
  }

 private:
  /// Leaves out rows until the others are independent: those whose pivots vanish, and where the smallest
  /// singular value of the others is still that of rounding, the row with the largest part in what is left.
  void settle(double enough) {
    Numbers x;
    const double largest = std::sqrt(iterate(x, [this](Numbers& y) {
      for (int r = 0; r < A_.rows; ++r) y[r] /= length(r);
      y = times(transposed_times(y));
      for (int r = 0; r < A_.rows; ++r) y[r] /= length(r);
    }));
    std::vector<char> out = watch_.dependent_rows(A_, weight_);
    out.resize(A_.rows, 0);
    for (int round = 0; round < most_rounds && !settled_; ++round) {
      watch_.leave_out(out);
      watch_.look(A_, weight_);
      bool more = false;
      for (int r = 0; r < A_.rows; ++r)
        if (!out[r] && watch_.parts()[r] <= 0.0) {
          out[r] = 1;
          more = true;
        }
      if (more) continue;
      if (watch_.rank() == 0) {
        settled_ = true;
        break;
      }
      smallest_ = 1.0 /
                  std::sqrt(iterate(x,
                                    [this](Numbers& y) {
                                      for (int r = 0; r < A_.rows; ++r) y[r] *= length(r);
                                      watch_.solve(y);
                                      for (int r = 0; r < A_.rows; ++r) y[r] *= length(r);
                                    })) /
                  largest;
      settled_ = smallest_ > enough;
      const auto largest_part = std::max_element(
          x.begin(), x.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
      if (!settled_) out[largest_part - x.begin()] = 1;
    }
    for (int r = 0; r < A_.rows; ++r)
      if (out[r]) dropped_.push_back(r);
  }

  template <class Step>
  double iterate(Numbers& x, const Step& step) const {
    x.resize(A_.rows);
    for (int r = 0; r < A_.rows; ++r) x[r] = 0.5 - std::fmod(0.6180339887498949 * (r + 1), 1.0);
    double value = norm(x);
    for (int pass = 0; pass < iterations && value > 0.0; ++pass) {
      for (double& v : x) v /= value;
      step(x);
      value = norm(x);
    }
    return value;
  }
  Numbers times(const Numbers& x) const {
    Numbers y(A_.rows);
    for (int r = 0; r < A_.rows; ++r) y[r] = row_of(A_, r).dot(x);
    return y;
  }
  /// W A^T x
  Numbers transposed_times(const Numbers& x) const {
    Numbers y(weight_.size(), 0.0);
    for (int r = 0; r < A_.rows; ++r) row_of(A_, r).add_to(y, x[r]);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= weight_[i];
    return y;
  }

  const SparseMatrix& A_;
  Numbers weight_, length_;
  RankWatch watch_;
  std::vector<int> dropped_;
  bool settled_ = false;
  double smallest_ = 1.0;
};

/// The combinations turned so that each has a row of its own, the last one written that can be: what is left
/// of it are rows before. Over unit rows, so that a part is a part whatever the scale of its row.
std::vector<int> own_rows(std::vector<Numbers>& all, int rows) {
  std::vector<int> own(all.size(), -1);
  std::size_t done = 0;
  for (int r = rows - 1; r >= 0 && done < all.size(); --r) {
    std::size_t best = done;
    for (std::size_t c = done; c < all.size(); ++c)
      if (std::fabs(all[c][r]) > std::fabs(all[best][r])) best = c;
    if (!(std::fabs(all[best][r]) > no_part * norm(all[best]))) continue;
    std::swap(all[done], all[best]);
    Numbers& chosen = all[done];
    const double pivot = chosen[r];
    for (double& v : chosen) v /= pivot;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const double part = all[c][r];
      if (c == done || part == 0.0) continue;
      for (int i = 0; i < rows; ++i) all[c][i] -= part * chosen[i];
      all[c][r] = 0.0;
    }
    own[done++] = r;
  }
  return own;
}

Dependency written(const Numbers& unit, int row, const UnitRows& rows) {
  Dependency out;
  out.row = row;
  double largest = 0.0;
  for (const double part : unit) largest = std::max(largest, std::fabs(part));
  for (int r = 0; r < static_cast<int>(unit.size()); ++r)
    if (r != row && std::fabs(unit[r]) > no_part * largest) {
      out.on.push_back(r);
      out.weight.push_back(-unit[r] * rows.length(row) / rows.length(r));
    }
  return out;
}

}  // namespace

SparseRank look_at_rank(const Equations& at) {
  SparseRank out;
  out.certain = out.combinations_known = at.rows() == 0;
  if (at.rows() == 0) return out;
  UnitRows rows(at);
  if (!rows.settled()) return out;
  const int m = at.rows(), count = static_cast<int>(rows.dropped().size());
  if (static_cast<double>(count) * m > most_work) return out;
  out.rank = m - count;
  out.smallest = rows.smallest();
  std::vector<Numbers> all;
  for (const int row : rows.dropped()) {
    all.push_back(rows.combination(row));
    if (!(rows.left_over(all.back()) <= surely_nothing)) return out;
    for (int r = 0; r < m; ++r) all.back()[r] *= rows.length(r);
  }
  out.certain = true;
  out.combinations_known = static_cast<double>(count) * count * m <= most_work;
  if (!out.combinations_known) return out;
  const std::vector<int> own = own_rows(all, m);
  for (std::size_t c = 0; c < all.size(); ++c) out.dependencies.push_back(written(all[c], own[c], rows));
  std::sort(out.dependencies.begin(), out.dependencies.end(),
            [](const Dependency& x, const Dependency& y) { return x.row < y.row; });
  return out;
}

}  // namespace vinculum
