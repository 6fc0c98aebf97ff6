#include "vinculum/ensemble/spread.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

constexpr int finest =
    52;  // a first value is so many bins from zero, as a power of two: what a double can tell
constexpr int smallest_exponent = -1074;

}  // namespace

double Histogram::low() const { return std::ldexp(static_cast<double>(first_), exponent_); }
double Histogram::width() const { return std::ldexp(1.0, exponent_); }

/// Bins 2k and 2k + 1 become bin k.
void Histogram::widen() {
  const std::int64_t first = first_ >> 1;
  std::vector<Bin> wide(
      static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(bins_.size()) - 1) >> 1) - first + 1));
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    Bin& bin = wide[static_cast<std::size_t>(((first_ + static_cast<std::int64_t>(i)) >> 1) - first)];
    bin.plain += bins_[i].plain;
    bin.marked += bins_[i].marked;
  }
  bins_ = std::move(wide);
  first_ = first;
  ++exponent_;
}

void Histogram::add(double value, bool marked) {
  if (!std::isfinite(value)) return;
  if (bins_.empty()) {
    exponent_ = value == 0 ? smallest_exponent : std::max(smallest_exponent, std::ilogb(value) - finest);
    first_ = static_cast<std::int64_t>(std::floor(std::ldexp(value, -exponent_)));
    bins_.resize(1);
  }
  // Its place may be beyond what an integer holds until bins are wide enough.
  const auto place = [&] { return std::floor(std::ldexp(value, -exponent_)); };
  const auto count = [&] {
    const double first = static_cast<double>(first_), last = first + static_cast<double>(bins_.size()) - 1;
    return std::max(place(), last) - std::min(place(), first) + 1;
  };
  while (count() > most) widen();
  const auto at = static_cast<std::int64_t>(place());
  if (at < first_) {
    bins_.insert(bins_.begin(), static_cast<std::size_t>(first_ - at), Bin{});
    first_ = at;
  }
  const auto index = static_cast<std::size_t>(at - first_);
  if (index >= bins_.size()) bins_.resize(index + 1);
  (marked ? bins_[index].marked : bins_[index].plain) += 1;
}

void Spread::add(double value, bool marked) {
  if (!std::isfinite(value)) {
    ++not_finite_;
    return;
  }
  ++finite_;
  linear_.add(value, marked);
  positive_ = positive_ && value > 0;
  if (positive_) logarithmic_.add(std::log10(value), marked);
  if (!few_) return;
  Histogram::Bin& bin = values_[value];
  (marked ? bin.marked : bin.plain) += 1;
  few_ = values_.size() <= most_values;
  if (!few_) values_.clear();
}

}  // namespace vinculum
