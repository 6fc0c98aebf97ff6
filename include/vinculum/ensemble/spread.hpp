// How values are distributed, without keeping them.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// Counts of values in bins of one width, a power of two, which begin at multiples of it. Whatever comes is
/// counted: where the bins would be more than `most`, their width doubles and two become one. So the counts
/// are exact, and the same in whatever order the values came; what they span has more than half of `most`
/// bins, unless it is a few digits of the last place.
class VINCULUM_EXPORT Histogram {
 public:
  static constexpr int most = 1024;

  /// `marked`: of a second kind, counted beside the others. What is not finite is left out.
  void add(double value, bool marked = false);

  struct Bin {
    long plain = 0, marked = 0;
  };
  /// From the first that is not empty to the last.
  const std::vector<Bin>& bins() const { return bins_; }
  double low() const;    ///< where the first one begins
  double width() const;  ///< of each

 private:
  void widen();
  std::vector<Bin> bins_;
  std::int64_t first_ = 0;  // the first bin is first_ * 2^exponent_
  int exponent_ = 0;
};

/// A number of a study over all of its members: its histogram; that of its decimal logarithm, where every
/// value is above zero; and the values themselves, where they are few.
class VINCULUM_EXPORT Spread {
 public:
  static constexpr std::size_t most_values = 64;

  void add(double value, bool marked = false);

  const Histogram& histogram() const { return linear_; }
  const Histogram* logarithmic() const { return positive_ ? &logarithmic_ : nullptr; }
  /// Counts of each value, in order; null where there were more than most_values of them.
  const std::map<double, Histogram::Bin>* values() const { return few_ ? &values_ : nullptr; }
  long finite() const { return finite_; }
  long not_finite() const { return not_finite_; }

 private:
  Histogram linear_, logarithmic_;
  std::map<double, Histogram::Bin> values_;
  bool positive_ = true, few_ = true;
  long finite_ = 0, not_finite_ = 0;
};

}  // namespace vinculum
