// L at a state: what the action is the integral of.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// T - V, or the Lagrangian as stated. Compiled when it is made; for one thread. The system must outlive it.
class VINCULUM_EXPORT Lagrangian {
 public:
  /// An error where there is no mechanics.
  explicit Lagrangian(const System& system);
  ~Lagrangian();
  Lagrangian(Lagrangian&&) noexcept;
  Lagrangian& operator=(Lagrangian&&) noexcept;

  double operator()(double t, std::span<const double> q, std::span<const double> v);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What acts on a system and has no part in its L, a sentence each: the action is not stationary for it.
VINCULUM_EXPORT std::vector<std::string> outside_lagrangian(const System& system);

}  // namespace vinculum
