// Many states of one system that lie one behind the other, as rows of a table.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/system/batch.hpp"

namespace vinculum {

/// Coordinate i of state k is q[k * coordinates + i], its velocities likewise.
struct StateTable {
  const double *q = nullptr, *v = nullptr;
  const double* t = nullptr;
  bool one_time = true;  ///< t is one number, else one for each state
};

/// Goes through such tables, eight states at a time.
class VINCULUM_EXPORT TableWorkspace {
 public:
  explicit TableWorkspace(const System& system);
  /// The accelerations of states `first` to `last`, not that itself, at their rows of `acceleration`. The
  /// first without an answer; none where all have one.
  std::optional<std::size_t> accelerate(const System& system, const StateTable& table, std::size_t first,
                                        std::size_t last, double* acceleration);

 private:
  BatchWorkspace work_;
  StateBatch states_;
  std::vector<double> found_;
};

}  // namespace vinculum
