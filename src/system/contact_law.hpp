// What rubs: how the other side of a contact moves, and frictions written out as -L u/|u|.
#pragma once
#include <span>
#include <vector>

#include "system/elements.hpp"
#include "system/statement.hpp"
#include "vinculum/kernel/program.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Expressions of the state, and of the multipliers where these are known.
class StateFunction {
 public:
  StateFunction() = default;
  StateFunction(const Model& model, std::vector<Expr> outputs);
  bool empty() const { return count_ == 0; }
  /// The numbers of all outputs; valid until the next call with the same registers.
  void evaluate(const StateView& at, std::vector<double>& registers, std::vector<double>& out) const;

 private:
  Program program_;
  std::vector<StatePlace> inputs_;
  std::size_t count_ = 0;
};

/// The velocity w of the other side of a contact, over the velocities of the contact, and its rate along the
/// motion. Equations tell how they move across themselves, A v = -r: along themselves they are taken to stand
/// still, w = -A^+ r.
class Drag {
 public:
  Drag() = default;  // it stands still
  Drag(const Model& model, const std::vector<Expr>& rows, const std::vector<int>& velocities);
  Drag(const Model& model, const std::vector<Expr>& stated);
  bool moves() const { return !function_.empty(); }
  void at(const StateView& state, std::vector<double>& velocity, std::vector<double>& rate);

 private:
  StateFunction function_;
  int rows_ = 0, width_ = 0;  // no rows: w itself is stated
  std::vector<double> registers_, numbers_;
};

/// A friction written out: -limit u_i/|u| on each of some velocities, u_i = v_i - drag_i.
struct Rubbing {
  std::vector<int> velocities;
  std::vector<Expr> drag;
  Expr limit, speed;
};

/// Such laws among the non-ideal forces; they are taken out of these.
std::vector<Rubbing> take_rubbing(const Model& model, std::vector<Statement>& statements);

/// A force on a velocity that divides by a speed and is no such law.
struct SpeedDivision {
  std::string text;  // "the non-ideal force on 'x' divides by hypot(x', y')"
  int velocity = 0;
};
std::vector<SpeedDivision> laws_without_direction(const System& system);

/// What belongs to a contact beside its names.
struct ContactLaw {
  Drag drag;
  StateFunction limit;  // of a law that was written out; empty: mu |force(c)|
};

}  // namespace vinculum
