#include <algorithm>
#include <cmath>

#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {
namespace {

constexpr std::size_t most_named = 3;

void add(Tally::Number& n, double value) {
  if (!std::isfinite(value)) return;
  ++n.count;
  n.min = n.count == 1 ? value : std::min(n.min, value);
  n.max = n.count == 1 ? value : std::max(n.max, value);
  const double off = value - n.mean;  // Welford: nothing large is subtracted from something large
  n.mean += off / static_cast<double>(n.count);
  n.squares += off * (value - n.mean);
}

}  // namespace

double Tally::Number::deviation() const {
  return count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : 0.0;
}

void Tally::add(const MemberRow& row) {
  ++members_;
  if (is_reached(row.end)) {
    ++reached_;
    for (std::size_t k = 0; k < numbers_.size(); ++k) vinculum::add(numbers_[k], row.kept[k]);
    return;
  }
  auto failure = std::ranges::find(failures_, row.end, &Failure::end);
  if (failure == failures_.end()) failure = failures_.insert(failures_.end(), {row.end});
  ++failure->count;
  if (failure->first.size() < most_named) failure->first.push_back({row.member, row.reason});
}

}  // namespace vinculum
