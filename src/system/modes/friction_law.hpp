// What rubs: how the other side of a pair moves, and frictions written out as -L u/|u|.
#pragma once
#include <span>
#include <vector>

#include "system/compile/elements.hpp"
#include "vinculum/lower/statement.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// The velocity w of the other side of a pair, over the velocities of the pair, and its rate along the
/// motion. Equations tell how they move across themselves, A v = -r: along themselves they are taken to stand
/// still, w = -A^+ r.
class Drag {
 public:
  Drag() = default;  // it stands still
  Drag(const Model& model, const std::vector<Expr>& rows, const std::vector<int>& velocities);
  Drag(const Model& model, const std::vector<Expr>& stated);
  bool moves() const { return !function_.empty(); }
  const StateFunction& function() const { return function_; }
  /// From the numbers of the function at a state.
  void find(std::span<const double> numbers, std::vector<double>& velocity, std::vector<double>& rate) const;

 private:
  StateFunction function_;
  int rows_ = 0, width_ = 0;  // no rows: w itself is stated
};

/// A friction written out: -limit u_i/|u| on each of some velocities, u_i = v_i - drag_i.
struct Rubbing {
  std::vector<int> velocities;
  std::vector<Expr> drag;
  Expr limit, speed;
};

/// Such laws among the non-ideal forces; they are taken out of these.
std::vector<Rubbing> take_rubbing(const Model& model, std::vector<Statement>& statements);

/// What belongs to a pair beside its names.
struct FrictionLaw {
  Drag drag;
  StateFunction limit;  // of a law that was written out; empty: mu |force(c)|
};

}  // namespace vinculum
