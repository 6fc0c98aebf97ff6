// A compiled model: structure, index tables and kernels. Constant, and shared by threads.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/solve.hpp"
#include "vinculum/model/model.hpp"
#include "vinculum/system/parameters.hpp"
#include "vinculum/system/state.hpp"

namespace vinculum {

/// One constraint as compiled.
struct ConstraintInfo {
  std::string name;
  int order = 0;  ///< highest derivative in the equation: 0 position, 1 velocity, 2 acceleration
  int first_row = 0;
  int row_count = 1;
  bool servo = false;  ///< a programme: its force is a control force
};

/// Coulomb friction as compiled. Constraints that rub on the same velocities are one pair: their limits
/// add.
struct FrictionPair {
  std::vector<int> velocities;  ///< those that slide
  std::vector<int> constraints;
  std::vector<double> coefficients;  ///< of each of the constraints
  bool moves = false;                ///< the other side of it has a velocity of its own
  std::string law;                   ///< of a friction that was written out instead: "hypot(x', y') = 0"
};

/// One event as compiled.
struct EventInfo {
  std::string name;
  Model::Direction direction = Model::Direction::both;
  bool stop = false;
  bool limit = false;  ///< of a joint: a motion cannot start beyond it
};

/// Four coordinates from `coordinate` on that are a unit quaternion (body to world), turned by the three
/// velocities from `velocity` on (body axes).
struct Rotation {
  int coordinate = 0;
  int velocity = 0;
};

/// A value: copies share what is compiled.
class VINCULUM_EXPORT System {
 public:
  /// Compiles: differentiates each constraint until accelerations appear, groups statements of one shape,
  /// fixes the sparse structure. Faults of the model are errors that name the coordinate or constraint.
  /// Parameters become numbers, but for those that are `living`: these can be changed by with().
  explicit System(const Model& model, std::span<const std::string> living = {});
  ~System();

  /// The values of the living parameters.
  const Parameters& parameters() const;
  /// The same system with other values of its living parameters. Nothing is differentiated or compiled: what
  /// depends on them is computed anew, and the rest is shared. Values that the model cannot have, or for
  /// which it would be compiled in another way, are an error.
  System with(const Parameters& parameters) const;

  /// Those stated; behind them, in vakonomic motion, `mu(row)` of every row on velocities.
  const std::vector<std::string>& coordinate_names() const;
  int stated_coordinates() const;  ///< how many of the coordinates were stated
  const std::vector<std::string>& velocity_names() const;
  const std::vector<std::string>& row_names()
      const;  ///< "rod", or "pin[0]", "pin[1]", "pin[2]" of a vector equation
  const std::vector<ConstraintInfo>& constraints() const;
  const std::vector<FrictionPair>& frictions() const;
  Mechanics mechanics() const;
  /// Why its kernels do not run as machine code here although they were to; empty where they do.
  std::string why_interpreted() const;
  int constraint_of_row(int row) const;
  int order_of_row(int row) const;  ///< highest derivative in the row: 0, 1 or 2
  const std::vector<std::string>& output_names() const;
  const std::vector<EventInfo>& events() const;
  /// The velocity that is the rate of a plain coordinate; -1 where the rate is another expression.
  int velocity_of_coordinate(int coordinate) const;
  const std::vector<Rotation>& rotations() const;
  const std::vector<int>& joint_angles()
      const;  ///< coordinates that are angles of joints and count their turns
  /// The coordinate that is mu of a row in vakonomic motion; -1 where there is none.
  int multiplier_coordinate(int row) const;
  const State& start() const;
  const Structure& structure() const;
  const SparseMatrix& rows_pattern() const;  ///< of A
  bool mass_constant() const;
  /// How the model was laid out: statements that share kernels, and instructions in all kernels.
  int group_count() const;
  int instruction_count() const;

  struct Impl;    // what is compiled
  struct Values;  // what depends on the values of parameters
  const Impl& impl() const { return *impl_; }
  const Values& values() const { return *values_; }

 private:
  System(std::shared_ptr<const Impl> impl, std::shared_ptr<const Values> values);
  std::shared_ptr<const Impl> impl_;
  std::shared_ptr<const Values> values_;
};

/// Scratch memory of one thread for one system, and for others that with() makes of it. What is computed in
/// it depends on nothing it was used for before. The system must outlive it.
class VINCULUM_EXPORT Workspace {
 public:
  explicit Workspace(const System& system);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// What an evaluation finds. It lies in the workspace, until that is used again.
struct Evaluation {
  const Equations& equations;
  const Mode& found;  ///< what sticks and slides, with the limits and shares that say so
  operator const Equations&() const { return equations; }  // NOLINT: most ask for these alone
};

/// M, Q, A, b, C at a state. Allocates nothing. In vakonomic motion M and Q are those the motion is solved
/// with: M + mu phi_vv, and Q with what else mu phi adds to Lagrange's equations.
VINCULUM_EXPORT Evaluation evaluate(const System& system, const StateView& at, const Mode& mode,
                                    Workspace& work);
/// The equations alone, with everything open.
VINCULUM_EXPORT const Equations& evaluate(const System& system, const StateView& at, Workspace& work);

/// The same with M and Q as they were stated: what mu adds is left out.
VINCULUM_EXPORT const Equations& evaluate_stated(const System& system, const StateView& at, Workspace& work);

/// The motion at a state and all the theory says about it. In vakonomic motion mu is part of the state, and
/// the multipliers found are lambda = -mu'. The constraint force is M q'' - Q - F^C with M and Q as stated,
/// and a, e, q'' - a and Gauss's function are of these, too (with Detail::full; else they are not a number);
/// the certificate is that of the equations solved, with M + mu phi_vv and the force A^T lambda.
VINCULUM_EXPORT const Mode& solve(const System& system, const StateView& at, const Mode& mode,
                                  Workspace& work, Solution& out, const SolveOptions& options = {});
VINCULUM_EXPORT const Mode& solve(const System& system, const StateView& at, Workspace& work, Solution& out,
                                  const SolveOptions& options = {});
VINCULUM_EXPORT Solution solve(const System& system, const StateView& at, const SolveOptions& options = {});

/// The part of the constraint force that one constraint brings, over velocities: A^T lambda of its rows, and
/// in vakonomic motion what their mu adds. The solution must be that of the state.
VINCULUM_EXPORT std::vector<double> force_of_constraint(const System& system, const StateView& at,
                                                        const Solution& solution, int constraint,
                                                        Workspace& work);

/// q' = N(q) v; 0 for the mu of vakonomic motion, whose rates are the -lambda of its solution
VINCULUM_EXPORT void rates(const System& system, const StateView& at, Workspace& work,
                           std::span<double> q_rate);

/// How far a state misses its equations, row by row, in their own units.
struct Residuals {
  std::vector<double> position;  ///< phi of holonomic rows; 0 for the others
  std::vector<double>
      velocity;  ///< phi' of holonomic rows, phi of rows on velocities; 0 for rows on accelerations
};
VINCULUM_EXPORT void residuals(const System& system, const StateView& at, Workspace& work, Residuals& out);
/// The sums of the sizes of their terms: what a miss is small or large against.
VINCULUM_EXPORT void residual_sizes(const System& system, const StateView& at, Workspace& work,
                                    Residuals& out);

/// What moves with a velocity, by name: "x" for x'; a velocity that is the rate of no coordinate is its own
/// name.
VINCULUM_EXPORT std::string name_of_moving(const System& system, int velocity);

/// What a solution says when it is not solved, as one sentence with names; "" when it is.
VINCULUM_EXPORT std::string describe(const System& system, const Solution& solution);

}  // namespace vinculum
