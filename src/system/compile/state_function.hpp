// Expressions of a state behind one call, on one lane or on eight.
#pragma once
#include <memory>
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

/// Memory aligned for eight lanes.
class Registers {
 public:
  explicit Registers(std::size_t doubles = 0);
  double* data() { return aligned_; }

 private:
  std::unique_ptr<double[]> memory_;
  double* aligned_ = nullptr;
};

/// A program and where its inputs come from. What depends on living parameters alone is an input as well,
/// written into the registers once, when they are bound to the values of the parameters.
class StateFunction {
 public:
  StateFunction() = default;
  /// Abbreviations must be written out.
  StateFunction(const Model& model, std::span<const Expr> outputs);
  bool empty() const { return program_.outputs().empty(); }
  const Kernel& program() const { return program_; }
  std::span<const StatePlace> inputs() const { return inputs_; }  ///< the first registers, in this order

  /// Constants and what follows from the parameters, into registers of one lane (stride 1) or of eight.
  void bind(std::span<const double> parameters, double* registers, int stride) const;
  /// The state into the registers of one lane, and of eight. `part` is that of a StateParts, or as much of it
  /// as the function reads.
  void load(const double* const* part, double* registers) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) registers[i] = part[inputs_[i].part][inputs_[i].index];
  }
  void load_eight(const StateParts& at, double* registers) const;

 private:
  Kernel program_;
  std::vector<StatePlace> inputs_;
  LivingNumbers living_;  // the inputs behind those of the state
};

/// A function with the memory of one lane that it runs in, bound to the values of parameters.
class BoundFunction {
 public:
  BoundFunction() = default;
  /// The function must outlive it.
  BoundFunction(const StateFunction& function, std::span<const double> parameters);
  /// The numbers of all outputs, until the next call.
  std::span<const double> operator()(const StateParts& at);

 private:
  const StateFunction* function_ = nullptr;
  std::vector<double> registers_, numbers_;
};

}  // namespace vinculum
