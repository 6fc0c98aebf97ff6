// Where between two looks the rank is less.
#include <algorithm>
#include <cmath>

#include "motion/run/bracket.hpp"
#include "motion/run/singularity_watch.hpp"

namespace vinculum {
namespace {

constexpr double passed_below = 1e-6;  // a part of a row, squared, at a place found to the digits there are
constexpr double vanished = 1e-3;      // where a row was found to pass zero, its part is at most this

/// In eight partial sums: no addition waits for the one before it.
double dot(std::span<const double> a, std::span<const double> b) {
  double sum[8] = {};
  const std::size_t whole = a.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8)
    for (std::size_t k = 0; k < 8; ++k) sum[k] += a[i + k] * b[i + k];
  for (std::size_t i = whole; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

}  // namespace

/// The part of a row at some instant along what it was before: it changes its sign where the row is passed.
double SingularityWatch::part_along(int row, const std::vector<double>& before, const Equations& at) {
  between_.look(at.A, weight_);
  between_.part_of(at.A, weight_, row, part_);
  return dot(before, part_);
}

std::vector<double> SingularityWatch::parts_along(const std::vector<Turn>& turns, const Equations& at) {
  between_.look(at.A, weight_);
  std::vector<double> out;
  for (const Turn& turn : turns) {
    between_.part_of(at.A, weight_, turn.row, part_);
    out.push_back(dot(turn.before, part_));
  }
  return out;
}

/// Whether a part as large as it is at an instant can vanish as near as that: not if it would have to change
/// ten times faster than over the whole step. The row then turns around without passing zero.
bool SingularityWatch::may_vanish(int row, double within) {
  const double part = std::sqrt(between_.parts()[row]);
  return part <= vanished ||
         part <= 10 * (s_before_[row] + s_now_[row]) * std::fabs(within / (t_now_ - t_before_));
}

/// The zero of part_along between the last two looks.
double SingularityWatch::locate(int row, const std::vector<double>& before,
                                const std::function<const Equations&(double)>& equations_at) {
  Bracket zero{t_before_, t_now_, dot(before, before), part_along(row, before, equations_at(t_now_))};
  const auto is_wide = [&] {
    return std::fabs(zero.to - zero.from) > 1e-13 * (std::fabs(zero.to) + std::fabs(zero.from));
  };
  for (int pass = 0; pass < 60 && is_wide(); ++pass) {
    const double t = zero.guess(pass, 8);
    const double f = part_along(row, before, equations_at(t));
    if (f == 0) return t;
    if ((f > 0) == (zero.at_to > 0))
      zero.move_to(t, f);
    else
      zero.move_from(t, f);
    if (!may_vanish(row, zero.to - zero.from)) return t;
    // Beyond this the part is rounding, and its sign with it.
    if (std::fabs(f) < 1e-9 * dot(before, before)) return t;
  }
  return zero.middle();
}

/// Rows that are kept may depend on each other where some that are left out do not: then no rank is lost.
bool SingularityWatch::others_make_up(const SparseMatrix& a) {
  if (!chosen_) return false;
  const std::vector<char> left_out = between_.dependent_rows(a, weight_, passed_below);
  return std::count(left_out.begin(), left_out.end(), 1) <=
         std::count(redundant_.begin(), redundant_.end(), 1);
}

/// A motion that comes to rest in a singular position and goes back leaves the parts of its rows as they
/// were: their roots go to zero with time, and from there on rise at the same pace.
bool SingularityWatch::may_touch(std::size_t row) const {
  if (redundant_[row] || looks_ < 3 || !(s_before_[row] < s_earlier_[row])) return false;
  if (!(s_before_[row] > 0 && s_now_[row] > 0)) return false;
  const double root = std::sqrt(s_before_[row]), fall = std::sqrt(s_earlier_[row]) - root;
  const double ahead = root / fall * (t_before_ - t_earlier_), step = t_now_ - t_before_;
  if (!(ahead / step < 1.2)) return false;
  const double pace = std::sqrt(s_now_[row]) * std::fabs(t_before_ - t_earlier_) / (fall * std::fabs(step));
  return pace < 2;  // it would be far away if it had not come near
}

/// The instant between the last two looks at which the part of a row is least.
double SingularityWatch::nearest_instant(int row,
                                         const std::function<const Equations&(double)>& equations_at) {
  constexpr double golden = 0.6180339887498949;
  const auto part = [&](double t) {
    between_.look(equations_at(t).A, weight_);
    return between_.parts()[row];
  };
  double from = t_before_, to = t_now_;
  double left = to - golden * (to - from), right = from + golden * (to - from);
  double at_left = part(left), at_right = part(right);
  for (int pass = 0; pass < 60 && left != right; ++pass) {
    if (at_left <= at_right) {
      to = right;
      right = left;
      at_right = at_left;
      at_left = part(left = to - golden * (to - from));
    } else {
      from = left;
      left = right;
      at_left = at_right;
      at_right = part(right = from + golden * (to - from));
    }
    if (std::min(at_left, at_right) == 0.0) break;
  }
  // So near to it the part is rounding; a little farther on either side its root is as far as it is.
  constexpr double clear = 1e-3;
  const double near = at_left <= at_right ? left : right;
  double aside = 0.5 * std::min(std::fabs(t_now_ - near), std::fabs(near - t_before_));
  const auto root = [&](double t) { return std::pow(part(t), 0.25); };
  double before = root(near - std::copysign(aside, t_now_ - t_before_)),
         behind = root(near + std::copysign(aside, t_now_ - t_before_));
  while (before * behind > clear && aside > 1e-9 * std::fabs(t_now_ - t_before_)) {
    aside *= 0.5;
    before = root(near - std::copysign(aside, t_now_ - t_before_));
    behind = root(near + std::copysign(aside, t_now_ - t_before_));
  }
  if (before + behind == 0.0) return near;
  return near + std::copysign(aside, t_now_ - t_before_) * (before - behind) / (before + behind);
}

void SingularityWatch::find_touch(const std::function<const Equations&(double)>& equations_at,
                                  std::vector<RankChange>& out) {
  for (std::size_t r = 0; r < s_now_.size(); ++r) {
    if (!may_touch(r)) continue;
    const double t = nearest_instant(static_cast<int>(r), equations_at);
    const SparseMatrix& there = equations_at(t).A;
    const auto touches = [&](std::size_t row) {
      return std::sqrt(between_.parts()[row]) <=
             std::min(vanished, 0.01 * std::min(s_before_[row], s_now_[row]));
    };
    between_.look(there, weight_);
    if (!touches(r) || others_make_up(there)) continue;
    RankChange change{t, before_.rank(), before_.rank(), now_.rank(), {}};
    std::vector<int> rows;
    for (std::size_t k = r; k < s_now_.size(); ++k)
      if (!redundant_[k] && touches(k)) {
        --change.at;
        for (const int other : between_.involved(static_cast<int>(k))) rows.push_back(other);
      }
    change.constraints = names_of(rows);
    out.push_back(change);
    return;
  }
}

void SingularityWatch::find(const std::function<const Equations&(double)>& equations_at,
                            std::vector<RankChange>& out) {
  if (!watching_ || looks_ < 2) return;
  const int first_new = static_cast<int>(out.size());
  const double pace = (t_now_ - t_before_) / (t_before_ - t_earlier_);  // used from the third look on
  rows_near_.clear();
  const std::span<const double> parts_now = now_.parts(), parts_before = before_.parts();
  for (int r = 0; r < static_cast<int>(s_now_.size()); ++r) {
    // One that depends on others at a look is counted there: it has nothing that could turn.
    if (redundant_[r] || !(parts_before[r] > 0 && parts_now[r] > 0)) continue;
    // A row that went straight on would be at or through zero by now; or this is the first step.
    const double ahead = looks_ == 2 ? 0 : s_before_[r] + 0.9 * (s_before_[r] - s_earlier_[r]) * pace;
    const bool straight = s_before_[r] + s_now_[r] > 1.9 || ahead > std::max(s_now_[r], 0.1 * widest_[r]);
    // Rows that change a lot need not go straight on.
    if (straight && !(turned_ > 0.3 && s_before_[r] + s_now_[r] < 2.5 * turned_)) continue;
    rows_near_.push_back(r);
  }
  before_.keep_turning(now_, change_, rows_near_);
  before_.products(a_before_, now_, a_now_, weight_, rows_near_, along_);
  std::vector<Turn> turns;
  for (std::size_t k = 0; k < rows_near_.size(); ++k)
    if (along_[k] < 0) {
      before_.part_of(a_before_, weight_, rows_near_[k], part_before_);
      turns.push_back({rows_near_[k], part_before_});
    }
  while (!turns.empty()) {
    const Turn first = turns.front();
    const double t = locate(first.row, first.before, equations_at);
    // A long step may turn a row around without passing zero: then its part is not small there.
    const SparseMatrix& there = equations_at(t).A;
    between_.look(there, weight_);
    if (std::sqrt(between_.parts()[first.row]) > vanished || others_make_up(there)) {
      turns.erase(turns.begin());
      continue;
    }
    RankChange change{t, before_.rank(), before_.rank(), now_.rank(), {}};
    // Others turn at the same instant: their parts point back on this side of it and on the other.
    const double near = 1e-6 * (t_now_ - t_before_);
    const std::vector<double> ahead = parts_along(turns, equations_at(t - near)),
                              behind = parts_along(turns, equations_at(t + near));
    std::vector<int> rows;
    std::vector<Turn> later;
    between_.look(equations_at(t).A, weight_);
    for (std::size_t k = 0; k < turns.size(); ++k) {
      if (turns[k].row != first.row && !(ahead[k] > 0 && behind[k] < 0)) {
        later.push_back(turns[k]);
        continue;
      }
      --change.at;
      for (const int r : between_.involved(turns[k].row)) rows.push_back(r);
    }
    change.constraints = names_of(rows);
    out.push_back(change);
    turns = std::move(later);
  }
  if (static_cast<int>(out.size()) == first_new) find_touch(equations_at, out);
  if (left_) out.push_back(*left_);
  left_.reset();
  if (now_.rank() != before_.rank() && static_cast<int>(out.size()) == first_new) {
    // Where the rank grows it was less up to the last look, and is more from there on.
    const double t = now_.rank() > before_.rank() ? t_before_ : t_now_;
    RankChange change{t, before_.rank(), std::min(now_.rank(), before_.rank()), now_.rank(), {}};
    std::vector<int> rows;
    for (int r = 0; r < static_cast<int>(s_now_.size()); ++r)
      if ((now_.parts()[r] == 0) != (before_.parts()[r] == 0)) {
        RankWatch& dependent = now_.parts()[r] == 0 ? now_ : before_;
        for (const int other : dependent.involved(r)) rows.push_back(other);
      }
    change.constraints = names_of(rows);
    out.push_back(change);
  }
  std::stable_sort(out.begin() + first_new, out.end(), [this](const RankChange& a, const RankChange& b) {
    return t_now_ > t_before_ ? a.time < b.time : a.time > b.time;
  });
}

}  // namespace vinculum
