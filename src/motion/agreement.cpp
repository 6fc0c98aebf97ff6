#include "motion/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// Two computations may come near each other by chance. Of what they were apart a while ago this much is
/// taken to be there still.
constexpr double remembered = 0.1, while_ago = 0.125;
/// The second computation has an error of its own; where only rounding is left both may have the same.
constexpr double margin = 2, margin_of_rounding = 10, rounding_alone = 1e-11;
/// What has moved by less than this part of what the others are is at rest: it has no size of its own, and
/// their rounding is in it. Nor has it begun to move before it is this part of what it will have moved.
constexpr double at_rest = 1e-13;
/// For this part of the time from where it begins to move the size is that of the whole part: what begins at
/// rest has none.
constexpr double first_part = 0.1;

double largest_of(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::fabs(value));
  return most;
}

/// The angle between two orientations; a quaternion and its opposite are one.
double angle_between(const double* a, const double* b) {
  const auto distance = [&](double sign) {
    return std::hypot(std::hypot(a[0] - sign * b[0], a[1] - sign * b[1]),
                      std::hypot(a[2] - sign * b[2], a[3] - sign * b[3]));
  };
  return 4 * std::asin(std::min(1.0, 0.5 * std::min(distance(1), distance(-1))));
}

/// Whether three coordinates are a place in space: p.x, p.y, p.z.
bool is_place(const std::vector<std::string>& names, int i) {
  if (i + 3 > static_cast<int>(names.size()) || !names[i].ends_with(".x")) return false;
  const std::string stem = names[i].substr(0, names[i].size() - 1);
  return names[i + 1] == stem + "y" && names[i + 2] == stem + "z";
}

}  // namespace

Agreement::Agreement(const System& system, const State& first, double until, double rounding, double resolved)
    : start_(first.q.begin(), first.q.begin() + system.stated_coordinates()),
      begin_(first.t),
      until_(until),
      rounding_(rounding),
      resolved_(resolved) {
  find_groups(system);
  weigh(system, first);
  moved_.resize(groups_.size());
  largest_.resize(groups_.size());
  value_.resize(start_.size());
  apart_.resize(start_.size());
}

void Agreement::find_groups(const System& system) {
  const int n = system.stated_coordinates();
  std::vector<char> turns(n, 0);
  for (const Rotation& r : system.rotations()) turns[r.coordinate] = 1;
  for (int i = 0; i < n; i += groups_.back().count) {
    if (turns[i])
      groups_.push_back({Kind::turning, i, 4});
    else if (is_place(system.coordinate_names(), i))
      groups_.push_back({Kind::place, i, 3});
    else
      groups_.push_back({Kind::plain, i, 1});
  }
}

void Agreement::weigh(const System& system, const State& first) {
  Workspace work(system);
  const SparseMatrix& mass = evaluate(system, first, work).M;
  std::vector<char> held(system.velocity_names().size(), 0);
  for (const int v : system.rows_pattern().column) held[v] = 1;
  for (Group& g : groups_)
    for (int i = g.first; i < g.first + g.count; ++i) {
      const int v = system.velocity_of_coordinate(i);
      g.in_rows = g.in_rows || (v >= 0 && held[v]);
      if (v >= 0) g.mass = std::max(g.mass, std::fabs(row_of(mass, v).entry(v)));
    }
}

void Agreement::compare(double t, std::span<const double> q, std::span<const double> other) {
  times_.push_back(t);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Group& g = groups_[k];
    double moved = 0;
    const bool turning = g.kind == Kind::turning;
    const double turned_apart = turning ? angle_between(&q[g.first], &other[g.first]) : 0;
    for (int i = g.first; i < g.first + g.count; ++i) {
      moved = std::max(moved, std::fabs(q[i] - start_[i]));
      value_[i].push_back(turning ? 1.0 : std::fabs(q[i]));
      apart_[i].push_back(turning ? turned_apart : std::fabs(q[i] - other[i]));
    }
    if (turning) moved = std::min(1.0, angle_between(&q[g.first], &start_[g.first]));
    moved_[k].push_back(moved);
    largest_[k].push_back(turning ? 1.0 : largest_of(q.subspan(g.first, g.count)));
  }
}

/// Of each group, how large it would be if it were as large as the largest of the others. They may be told in
/// other units: what has one M q^2 is of one size, and so is what has one number; the smaller of both counts.
/// Angles of orientations are beside their like.
std::vector<double> Agreement::as_large_as_others(const std::vector<double>& largest) const {
  double plain = 0, weighed = 0, turned = 0;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const bool turning = groups_[k].kind == Kind::turning;
    (turning ? turned : plain) = std::max(turning ? turned : plain, largest[k]);
    if (!turning) weighed = std::max(weighed, groups_[k].mass * largest[k] * largest[k]);
  }
  std::vector<double> sizes;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Group& g = groups_[k];
    const double by_mass = g.mass > 0 ? std::sqrt(weighed / g.mass) : plain;
    sizes.push_back(g.kind == Kind::turning ? turned : std::max(largest[k], std::min(plain, by_mass)));
  }
  return sizes;
}

/// How far a group has moved until each instant; while it rests and for some time behind, until that is over.
std::vector<double> Agreement::moved_until(const std::vector<double>& moved) const {
  std::vector<double> until(moved.size());
  double most = 0;
  for (std::size_t at = 0; at < moved.size(); ++at) until[at] = most = std::max(most, moved[at]);
  const auto moves = std::find_if(until.begin(), until.end(), [&](double m) { return m > at_rest * most; });
  const double begins = moves == until.begin() ? begin_ : times_[moves - until.begin() - 1];
  const double early = std::fabs(begins - begin_) + std::fabs(first_part * (until_ - begin_));
  const auto moving = static_cast<std::size_t>(moves - until.begin());
  std::size_t first = 0;  // behind the early ones, of which the first that moves is one
  while (first < times_.size() && (first <= moving || std::fabs(times_[first] - begin_) <= early)) ++first;
  if (first > 0) std::fill_n(until.begin(), first, until[first - 1]);
  return until;
}

/// Of each group at each instant: how far it has moved from its start until then.
std::vector<std::vector<double>> Agreement::sizes() const {
  std::vector<std::vector<double>> sizes(groups_.size());
  for (std::size_t k = 0; k < groups_.size(); ++k) sizes[k] = moved_until(moved_[k]);
  std::vector<double> largest;
  for (const Group& g : groups_) largest.push_back(largest_of(std::span(start_).subspan(g.first, g.count)));
  const double early = std::fabs(first_part * (until_ - begin_));
  std::size_t seen = 0;
  for (std::size_t at = 0; at < times_.size(); ++at) {
    for (; seen < times_.size() && (seen <= at || std::fabs(times_[seen] - begin_) <= early); ++seen)
      for (std::size_t k = 0; k < groups_.size(); ++k) largest[k] = std::max(largest[k], largest_[k][seen]);
    const std::vector<double> whole = as_large_as_others(largest);
    for (std::size_t k = 0; k < groups_.size(); ++k)
      if (!(sizes[k][at] > at_rest * whole[k])) sizes[k][at] = whole[k];
  }
  return sizes;
}

double Agreement::digits_of(double apart, double value, double moved) const {
  const double size = std::min(moved, std::max(value, 0.1 * moved));
  if (!(size > 0)) return apart > 0 ? 0.0 : -std::log10(margin_of_rounding * rounding_);
  const double part = std::max(rounding_ * std::max(1.0, value / size), apart / size);
  const double doubted = part * (part < rounding_alone ? margin_of_rounding : margin);
  return doubted < 1 && std::isfinite(apart) ? -std::log10(doubted) : 0.0;
}

std::vector<char> Agreement::apart_by_rounding(std::size_t at) const {
  std::vector<double> largest;
  for (const std::vector<double>& of_group : largest_)
    largest.push_back(largest_of({of_group.data(), at + 1}));
  const std::vector<double> whole = as_large_as_others(largest);
  std::vector<char> rounding(start_.size());
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const double unresolved = groups_[k].in_rows ? resolved_ * whole[k] : 0.0;
    for (int i = groups_[k].first; i < groups_[k].first + groups_[k].count; ++i)
      rounding[i] =
          apart_[i][at] <= std::max(unresolved, margin_of_rounding * rounding_ * value_[i][at]) ? 1 : 0;
  }
  return rounding;
}

std::vector<std::vector<double>> Agreement::digits() const {
  const std::vector<std::vector<double>> sizes = this->sizes();
  const auto count = static_cast<int>(times_.size());
  const int window = static_cast<int>(while_ago * count);
  std::vector<std::vector<double>> digits(start_.size());
  for (std::size_t k = 0; k < groups_.size(); ++k)
    for (int i = groups_[k].first; i < groups_[k].first + groups_[k].count; ++i)
      for (int at = 0; at < count; ++at) {
        double apart = apart_[i][at];
        for (int before = std::max(0, at - window); before < at; ++before)
          apart = std::max(apart, remembered * apart_[i][before]);
        digits[i].push_back(digits_of(apart, value_[i][at], sizes[k][at]));
      }
  return digits;
}

}  // namespace vinculum
