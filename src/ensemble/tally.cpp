#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {
namespace {

constexpr std::size_t most_named = 3;

Tally::Number number_of(double value) {
  return std::isfinite(value) ? Tally::Number{1, value, value, value} : Tally::Number{};
}

struct Split {
  double value, rest;
};
/// A sum and what rounding takes from it (Knuth).
Split sum_in_full(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// Means are joined by their difference, and have digits below their last: what members differ by may be
/// small beside what they are.
void join(Tally::Number& n, const Tally::Number& other) {
  if (other.count == 0) return;
  if (n.count == 0) {
    n = other;
    return;
  }
  const double all = static_cast<double>(n.count + other.count),
               share = static_cast<double>(other.count) / all;
  const Split apart = sum_in_full(other.mean, -n.mean);
  const double off = apart.value + (apart.rest + (other.rest - n.rest));
  const Split moved = sum_in_full(n.mean, off * share);
  const Split mean = sum_in_full(moved.value, moved.rest + n.rest);
  n.mean = mean.value;
  n.rest = std::isfinite(mean.rest) ? mean.rest : 0.0;
  n.squares += other.squares + off * off * share * static_cast<double>(n.count);
  n.min = std::min(n.min, other.min);
  n.max = std::max(n.max, other.max);
  n.count += other.count;
}

void set(Tally::Sum& sum, const MemberRow& row, std::size_t kept) {
  sum.members = 1;
  sum.reached = is_reached(row.end) ? 1 : 0;
  sum.numbers.resize(kept);
  for (std::size_t k = 0; k < kept; ++k)
    sum.numbers[k] = sum.reached == 1 ? number_of(row.kept[k]) : Tally::Number{};
  sum.failures.clear();
  if (sum.reached == 0) sum.failures.push_back({row.end, 1, {{row.member, row.reason}}});
}

/// With members that all come behind those there are.
void join(Tally::Sum& sum, Tally::Sum&& next) {
  sum.members += next.members;
  sum.reached += next.reached;
  for (std::size_t k = 0; k < sum.numbers.size(); ++k) join(sum.numbers[k], next.numbers[k]);
  for (Tally::Failure& more : next.failures) {
    const auto same = std::ranges::find(sum.failures, more.end, &Tally::Failure::end);
    if (same == sum.failures.end()) {
      sum.failures.push_back(std::move(more));
      continue;
    }
    same->count += more.count;
    for (auto& named : more.first)
      if (same->first.size() < most_named) same->first.push_back(std::move(named));
  }
}

}  // namespace

double Tally::Number::deviation() const {
  return count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : 0.0;
}

/// Of a power of two rows that follow each other: in pairs, as everywhere.
Tally::Sum& Tally::sum_of(std::span<const MemberRow> rows) {
  const auto top = static_cast<std::size_t>(std::countr_zero(rows.size()));
  if (levels_.size() < top + 2) levels_.resize(top + 2);
  Sum& now = levels_.back();  // what goes up
  for (std::size_t i = 0; i < rows.size(); ++i) {
    set(now, rows[i], kept_);
    std::size_t level = 0;
    for (; ((i >> level) & 1) != 0; ++level) {
      join(levels_[level], std::move(now));
      std::swap(levels_[level], now);
    }
    std::swap(levels_[level], now);
  }
  return levels_[top];
}

void Tally::add(std::span<const MemberRow> rows) {
  while (!rows.empty()) {
    const long first = rows.front().member;
    std::size_t run = 1;
    while (run < rows.size() && rows[run].member == first + static_cast<long>(run)) ++run;
    // A piece begins at a multiple of its size.
    const std::size_t fits = first == 0
                                 ? std::numeric_limits<std::size_t>::max()
                                 : std::size_t{1} << std::countr_zero(static_cast<unsigned long>(first));
    const std::size_t size = std::min(fits, std::bit_floor(run));
    put(first, {static_cast<long>(size), sum_of(rows.first(size))});
    rows = rows.subspan(size);
  }
}

void Tally::put(long first, Piece piece) {
  for (;;) {
    const auto found = pieces_.find(first ^ piece.size);
    if (found == pieces_.end() || found->second.size != piece.size) break;
    Piece other = std::move(found->second);
    if (found->first > first) std::swap(piece, other);  // `other` comes first
    first = std::min(first, found->first);
    pieces_.erase(found);
    join(other.sum, std::move(piece.sum));
    piece = {2 * other.size, std::move(other.sum)};
  }
  pieces_.emplace(first, std::move(piece));
}

Tally::Sum Tally::sum() const {
  Sum all{0, 0, std::vector<Number>(kept_), {}};
  for (const auto& [first, piece] : pieces_) join(all, Sum(piece.sum));
  return all;
}

}  // namespace vinculum
