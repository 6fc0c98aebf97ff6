// States that satisfy their constraints: how far one misses, and the nearest that does not.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// One constraint that a state breaks.
struct Violation {
  std::string constraint;
  bool of_velocity = false;  ///< phi' (or phi of a constraint on velocities); else phi
  double miss = 0.0;         ///< in the units of the equation
  double relative = 0.0;     ///< to its terms
};
/// One number the repair changes.
struct Change {
  std::string name;  ///< of a coordinate or velocity
  double by = 0.0;
};

/// A row that follows from the others but for the noise of a drawing, and is passed over: they hold without
/// it, and it stays open by its gap.
struct PassedOver {
  int row = 0;
  std::string name;        ///< of the row
  std::string constraint;  ///< whose row it is
  double gap = 0.0;        ///< in the units of the equation
  double allowed = 0.0;    ///< what `closure` allows of it, in the same units
};

struct Assembly {
  bool consistent = false;  ///< the state as given satisfies every constraint within the tolerance
  bool not_finite = false;  ///< an equation is no finite number at the state: nothing can be repaired
  bool repaired = false;    ///< `state` satisfies every constraint to rounding, or is passed over
  bool by_detour = false;   ///< from the state as given there was no way: `state` need not be the nearest
  State state;              ///< the nearest consistent state, in the mass metric
  std::vector<Violation> violations;    ///< of the state as given, the worst first
  std::vector<Change> changes;          ///< from the state as given, the largest first
  std::vector<PassedOver> passed_over;  ///< rows that `state` need not satisfy
  std::vector<std::string> fighting;    ///< not repaired: constraints that contradict each other for certain
  std::vector<Violation> open;  ///< not repaired, none fighting: what misses where all together miss least
  std::string text;             ///< all of it in one sentence; "" when consistent
};

struct AssembleOptions {
  std::vector<std::string> fixed;  ///< coordinates and velocities that keep their values
  double tolerance = 1e-8;         ///< relative to the terms of each equation
  /// A time that matters, such as that of the run to come: a miss is small, too, beside what the motion gains
  /// in it. 0: none is known.
  double time = 0.0;
  /// How far a loop may stay open, of the size of the machine: rows that follow from the others but for that
  /// much are passed over. 0: none, loops close to rounding.
  double closure = 1e-8;
  bool velocities = true;  ///< else positions alone are looked at and moved
};

/// The smallest change, in the mass metric, of positions and then of velocities that makes a state satisfy
/// its constraints.
VINCULUM_EXPORT Assembly assemble(const System& system, const State& state,
                                  const AssembleOptions& options = {});
/// The same with a workspace at hand.
VINCULUM_EXPORT Assembly assemble(const System& system, const State& state, const AssembleOptions& options,
                                  Workspace& work);

/// The start of a model whose joints say where they start.
struct StartInJoints {
  Assembly assembly;  ///< of the start of the system
  /// Not repaired: the same model where the starts that are said and fixed are constraints, named
  /// `joint.angle.start` and `joint.angle.rate`: a motion of it from `assembly.state` tells what is in the
  /// way.
  struct Held {
    Model model;
    System system;
  };
  std::optional<Held> held;
};
/// Loops are closed on the way from where the joints are drawn to where they start, so that they stay on the
/// branch that is drawn. What is said and fixed holds; what is not said is solved for. `model` is the one of
/// the system.
VINCULUM_EXPORT StartInJoints assemble_in_joints(const Model& model, const System& system, double time,
                                                 const AssembleOptions& options = {});

}  // namespace vinculum
