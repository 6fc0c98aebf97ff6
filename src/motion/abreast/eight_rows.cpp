#include "motion/abreast/eight_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "motion/run/course.hpp"

namespace vinculum {
namespace {

/// Roundings differ from those of a run: who is as near as this to what a run decides by goes alone.
constexpr double clearly = 1.01;
/// Rows with other numbers than these have squares that are watched in another way (equation/row_powers.hpp).
constexpr double longest = 1e100, shortest = 1e-100;

}  // namespace

EightRows::EightRows(const SparseMatrix& pattern, const SingularityWatch& like)
    : pattern_(pattern), count_(pattern.rows), order_(like.order()) {
  for (int i = 0; i < count_; ++i)
    for (int j = 0; j <= i; ++j) {
      std::vector<Pair>& products = pairs_.emplace_back();
      const int a = order_[i], b = order_[j];
      for (int k = pattern.start[a]; k < pattern.start[a + 1]; ++k)
        for (int l = pattern.start[b]; l < pattern.start[b + 1]; ++l)
          if (pattern.column[k] == pattern.column[l]) products.push_back({k, l, pattern.column[k]});
    }
  for (std::vector<Eight>* of_pairs : {&square_, &factor_}) of_pairs->assign(pairs_.size(), Eight(1.0));
  for (std::vector<Eight>* of_rows : {&part_, &widest_, &largest_, &largest_of_other_})
    of_rows->assign(count_, Eight(1.0));
  weight_.assign(pattern.columns, Eight(1.0));
  before_.assign(pattern.value.size(), Eight(1.0));
}

void EightRows::begin(int lane, const SingularityWatch& watch) {
  for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i].lane[lane] = watch.weights()[i];
  for (std::size_t k = 0; k < before_.size(); ++k) before_[k].lane[lane] = watch.rows().value[k];
  least_.lane[lane] = 1.0;
  for (int i = 0; i < count_; ++i) {
    double square = 0;
    for (const Pair& p : pairs_[entry(i, i)])
      square += weight_[p.velocity].lane[lane] * before_[p.first].lane[lane] * before_[p.second].lane[lane];
    largest_[i].lane[lane] = 0.0;
    largest_of_other_[i].lane[lane] = square;
    widest_[i].lane[lane] = watch.widest(order_[i]);
    least_.lane[lane] = std::min(least_.lane[lane], watch.part(order_[i]));
  }
}

/// The largest change of a row since it was looked at, relative to its length.
VINCULUM_CLONES
void EightRows::turn(const Eight* rows) {
  Eight most = 0.0;
  length_ = 1.0;
  for (int r = 0; r < count_; ++r) {
    Eight change = 0.0, from = 0.0, to = 0.0, widest = 0.0;
    for (int k = pattern_.start[r]; k < pattern_.start[r + 1]; ++k) {
      const Eight &a = before_[k], &b = rows[k], &w = weight_[pattern_.column[k]], by = b - a;
      change += w * by * by;
      from += w * a * a;
      to += w * b * b;
      widest = larger(widest, magnitude(b));
    }
    most = larger(most, change / larger(from, to));
    length_ = select(both(widest > Eight(shortest), Eight(longest) > widest), length_, Eight(0.0));
  }
  turned_ = root(most);
}

VINCULUM_CLONES
void EightRows::eliminate(const Eight* rows) {
  for (std::size_t e = 0; e < pairs_.size(); ++e) {
    Eight sum = 0.0;
    for (const Pair& p : pairs_[e]) sum += weight_[p.velocity] * rows[p.first] * rows[p.second];
    square_[e] = factor_[e] = sum;
  }
  for (int i = 0; i < count_; ++i)
    for (int j = 0; j <= i; ++j) {
      Eight left = factor_[entry(i, j)];
      for (int k = 0; k < j; ++k) left -= factor_[entry(i, k)] * factor_[entry(j, k)] / factor_[entry(k, k)];
      factor_[entry(i, j)] = left;
    }
}

VINCULUM_CLONES
void EightRows::judge() {
  nearness_ = 1.0;
  for (int i = 0; i < count_; ++i) {
    const Eight most = larger(largest_[i], square_[entry(i, i)]);
    part_[i] = root(larger(Eight(0.0), factor_[entry(i, i)]) / most);
    const Eight near = part_[i] / larger(widest_[i], part_[i]);
    nearness_ = select(nearness_ > near, near, nearness_);
  }
}

EightTruths EightRows::look(const Eight* rows) {
  constexpr double turns_far = 0.3;  // as a run has it
  turn(rows);
  eliminate(rows);
  judge();
  EightTruths good;
  for (int k = 0; k < 8; ++k)
    good.lane[k] = clearly * turned_.lane[k] <= std::max(turns_far, least_.lane[k]) &&
                           length_.lane[k] == 1.0 && nearness_.lane[k] >= clearly * careful_below
                       ? -1
                       : 0;
  return good;
}

VINCULUM_CLONES
void EightRows::accept(const EightTruths& lanes, const Eight* rows) {
  Eight least = 1.0;
  for (int i = 0; i < count_; ++i) {
    const Eight looked = larger(largest_[i], square_[entry(i, i)]);
    largest_[i] = select(lanes, largest_of_other_[i], largest_[i]);
    largest_of_other_[i] = select(lanes, looked, largest_of_other_[i]);
    widest_[i] = select(lanes, larger(widest_[i], part_[i]), widest_[i]);
    least = select(least > part_[i], part_[i], least);
  }
  least_ = select(lanes, least, least_);
  for (std::size_t k = 0; k < before_.size(); ++k) before_[k] = select(lanes, rows[k], before_[k]);
}

}  // namespace vinculum
