#include <algorithm>
#include <cmath>

#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {
namespace {

constexpr std::size_t most_named = 3;

Tally::Number number_of(double value) {
  return std::isfinite(value) ? Tally::Number{1, value, value, value, 0.0} : Tally::Number{};
}

/// Means are joined by their difference: nothing large is subtracted from something large.
void join(Tally::Number& n, const Tally::Number& other) {
  if (other.count == 0) return;
  if (n.count == 0) {
    n = other;
    return;
  }
  const double all = static_cast<double>(n.count + other.count),
               share = static_cast<double>(other.count) / all;
  const double off = other.mean - n.mean;
  n.mean += off * share;
  n.squares += other.squares + off * off * share * static_cast<double>(n.count);
  n.min = std::min(n.min, other.min);
  n.max = std::max(n.max, other.max);
  n.count += other.count;
}

Tally::Sum sum_of(const MemberRow& row, std::size_t kept) {
  Tally::Sum sum{1, 0, std::vector<Tally::Number>(kept), {}};
  if (is_reached(row.end)) {
    sum.reached = 1;
    for (std::size_t k = 0; k < kept; ++k) sum.numbers[k] = number_of(row.kept[k]);
  } else {
    sum.failures.push_back({row.end, 1, {{row.member, row.reason}}});
  }
  return sum;
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

void Tally::add(const MemberRow& row) {
  long first = row.member;
  Piece piece{1, sum_of(row, kept_)};
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
