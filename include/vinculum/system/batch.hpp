// Eight states of one system at once: the lanes of an ensemble.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Eight states side by side: q[8*i + lane] is coordinate i of state `lane`.
struct StateBatch {
  std::array<double, 8> t{};
  std::vector<double> q;
  std::vector<double> v;
};

/// Scratch memory of one thread for batches of one system.
class VINCULUM_EXPORT BatchWorkspace {
 public:
  explicit BatchWorkspace(const System& system);
  ~BatchWorkspace();
  BatchWorkspace(BatchWorkspace&&) noexcept;
  BatchWorkspace& operator=(BatchWorkspace&&) noexcept;
  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// What became of each lane.
struct BatchReport {
  std::array<Status, 8> status{};
  std::array<Road, 8> road_used{};
};

/// The acceleration of eight states: acceleration[8*i + lane]. Each lane has the bits of a single solve on
/// the fast road; lanes whose rows do not hold to rounding are solved one by one on the robust road, and the
/// report says so.
VINCULUM_EXPORT BatchReport accelerate(const System& system, const StateBatch& states, BatchWorkspace& work,
                                       std::span<double> acceleration);

}  // namespace vinculum
