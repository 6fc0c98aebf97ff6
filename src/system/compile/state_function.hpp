// Expressions of a state behind one call, on one lane or on eight.
#pragma once
#include <span>
#include <vector>

#include "system/compile/living_numbers.hpp"
#include "vinculum/system/state.hpp"

namespace vinculum {

/// A state where it lies: time, coordinates, velocities, and where they are asked for what was found at it:
/// accelerations, multipliers, Gauss's function, dissatisfactions, deviations, F^C. With eight states side by
/// side, eight numbers each.
struct StateParts {
  const double* part[9];  // by StatePlace::part
};
inline StateParts parts_of(const StateView& at) { return {{&at.t, at.q.data(), at.v.data()}}; }
struct StatePlace {
  enum Part {
    time,
    coordinate,
    velocity,
    acceleration,
    multiplier,
    gauss,
    dissatisfaction,
    deviation,
    nonideal_force,
    parameter
  };
  Part part = parameter;  // `parameter`: no part of the state
  int index = 0;
};

/// Where a symbol of the model is found in a state; an error for one that is no part of it.
StatePlace place_of(const Model& model, const Expr& symbol);

/// A kernel and where its inputs come from. What depends on living parameters alone is an input as well,
/// written into its memory once, when it is bound to the values of the parameters.
class StateFunction {
 public:
  StateFunction() = default;
  /// Abbreviations must be written out. The first `written` outputs go where a run is told.
  StateFunction(const Model& model, std::span<const Expr> outputs, int written = 0);
  bool empty() const { return kernel_.outputs().empty(); }
  const Kernel& kernel() const { return kernel_; }
  const LivingNumbers& living() const { return living_; }  ///< the inputs behind those of the state

 private:
  friend class BoundFunction;
  Kernel kernel_;
  LivingNumbers living_;
};

/// For how many states at a time memory is made.
enum class States : std::uint8_t { one, eight, both };

/// A function with the memory it runs in, on one lane or on eight states side by side, bound to the values of
/// parameters.
class BoundFunction {
 public:
  BoundFunction() = default;
  /// The function must stay where it is.
  BoundFunction(const StateFunction& function, std::span<const double> parameters, int lanes = 1);
  /// To other values: all lanes, or one of eight.
  void bind(std::span<const double> parameters);
  void bind_lane(int lane, std::span<const double> parameters);

  /// At a state. `part` is that of a StateParts, or as much of it as the function reads; `out` is for the
  /// outputs that are written.
  void run(const double* const* part, double* out = nullptr, unsigned rounding = 0) {
    run_.run(part, out, rounding);
  }
  /// What it found there: on one lane, and the eight numbers of an output.
  KernelRun::Numbers numbers() const { return run_.numbers(); }
  const double* eight(std::size_t i) const { return run_.output(i); }
  /// The numbers of all outputs, until the next call.
  std::span<const double> operator()(const StateParts& at);

 private:
  const StateFunction* function_ = nullptr;
  int lanes_ = 1;
  KernelRun run_;
  std::vector<double> numbers_;
};

}  // namespace vinculum
