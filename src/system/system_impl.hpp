// The insides of System and Workspace: made in compile.cpp, used in evaluate.cpp and its neighbours.
#pragma once
#include <map>
#include <mutex>
#include <optional>

#include "system/compile/closed_form.hpp"
#include "system/compile/elements.hpp"
#include "system/compile/tangent.hpp"
#include "system/evaluate/control.hpp"
#include "system/modes/friction_law.hpp"
#include "system/series/motion_series.hpp"
#include "vinculum/equation/rank_watch.hpp"
#include "vinculum/lower/constants.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/observe.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// A switch that a motion can stay on, compiled: g, g' without accelerations, and its slopes by velocities
/// and coordinates.
struct SlidingSwitch {
  std::vector<int> places;  // among all switches; two of them where g and -g both stand
  StateFunction function;
  std::vector<int> velocities, coordinates;  // it contains these
};

/// A law that reads multipliers.
struct Reading {
  enum Of { force, event, friction } of = force;
  int index = 0;  // the velocity, the event, the pair
  std::vector<int> rows;
};

struct System::Impl {
  Impl(const Model& model, std::span<const std::string> living);

  Parameters living;                 // as the model states them
  std::vector<int> place_of_living;  // of each, among the parameters of the model
  std::vector<std::string> fixed;    // of each: why it is a number all the same; empty where it lives
  Model model;  // other parameters replaced by their values; for what is compiled when it is first asked for
  std::vector<std::string> coordinate_names, velocity_names, row_names;
  int stated_coordinates = 0;  // behind them: mu of vakonomic motion
  std::vector<ConstraintInfo> constraints;
  std::vector<FrictionPair> frictions;
  std::vector<FrictionLaw> friction_laws;  // one for each
  std::vector<int> constraint_of_row, order_of_row;
  std::vector<std::string> output_names;
  std::vector<EventInfo> events;
  State start;
  LivingNumbers stated_starts;                     // those that are expressions, and which they are
  std::vector<std::pair<bool, int>> start_places;  // a velocity or a coordinate, and its number
  struct Demand {                                  // on living parameters
    DemandData demand;
    LivingNumbers numbers;
  };
  std::vector<Demand> demands;
  Equations pattern;  // patterns of M and A
  Constants numbers;  // what depends neither on the state nor on living parameters
  std::unique_ptr<Structure> structure;
  std::vector<int> kin;  // of each velocity: its number among those told in one unit
  bool mass_constant = true, has_nonideal = false;
  bool nonideal_needs_reactions = false;  // C depends on the ideal constraint forces
  bool rows_may_work = false;             // some row is not homogeneous in the velocities
  bool programmes_may_work = false;       // the same of rows of programmes
  std::vector<ProgrammeInfo> programmes;
  std::unique_ptr<Drive> drive;  // where some programme may act on some velocities only
  ElementKernels phi;            // of programmes as stated, row by row
  std::vector<double> numbers_of_phi;
  OpenDerivatives open_derivatives;
  bool switches_by_multipliers = false;
  std::vector<std::string> switch_texts;
  std::vector<SlidingSwitch> sliding;
  bool events_by_multipliers = false;
  bool looks_at_free_motion = false;  // an output or an event asks for a, e, q'' - a or Gauss's function
  ElementKernels equations, residuals, sizes, rates, nonideal, energy, powers, outputs, event_kernels,
      switches;
  std::vector<Reading> readings;  // non-ideal forces and events that stop
  ClosedForm closed;              // small systems only
  ClosedCorrection closed_position, closed_velocity;
  std::vector<int> position_rows, velocity_rows;  // rows that can be corrected at each level
  std::vector<Rotation> rotations;
  std::vector<Rotation> free_turns;  // of bodies that nothing turns: their angular momenta stay
  bool stated_mass_may_be_negative = false;
  LivingNumbers stated_masses;          // those of living parameters
  LivingNumbers friction_coefficients;  // of all frictions, one after the other
  /// The coefficients of the highest derivatives of a row, where they are numbers of living parameters: with
  /// all of them zero it would be a row of another order.
  struct HighestTerms {
    std::string constraint;
    LivingNumbers coefficients;
  };
  std::vector<HighestTerms> highest_terms;
  std::vector<int> angles;  // coordinates that renormalise() sets ...
  LivingNumbers angle_starts;
  ElementKernels angle_kernels;            // ... from their sines and cosines
  std::vector<int> plain_rate;             // for each coordinate the velocity that is its rate, or -1
  std::vector<ConstantPart> living_parts;  // made of living parameters alone: they must be finite ...
  LivingNumbers living_part_numbers;       // ... as numbers

  /// Compiled on first use: only implicit methods ask for it.
  const Tangent& tangent() const;
  /// The same for motions: the work on the pattern of the rows is done once.
  const RankWatch& rank_watch() const;
  /// The same for methods that ask for power series, of one order or another.
  const SeriesKernels& series_kernels() const;
  std::shared_ptr<const SeriesPrograms> series(int order) const;
  std::shared_ptr<const SmallSeriesProgram> small_series(int order) const;
  /// Of these programs, as far as there are any.
  const std::optional<SeriesWork>& small_series_work() const;

  /// See take_workspace().
  mutable std::mutex shelf_lock;
  mutable std::vector<Workspace> shelf;

 private:
  void name_things();
  void find_starts();
  void find_demands();
  void find_constants(const Model& stated);
  void find_kin();
  void name_rows();
  void find_highest_terms(const std::string& constraint, const Expr& row, int order);
  void name_programmes();
  void find_frictions(std::vector<Statement>& statements);
  void judge_masses();
  void lay_out(const std::vector<LoweredGroup>& lowered);
  Constants zero_constants() const;
  ElementKernels kernels_of(const std::vector<LoweredGroup>& lowered, Constants& constants) const;
  ElementKernels kernels_of_observed(const std::vector<Statement>& observed, Constants& constants) const;
  void compile_purposes(const std::vector<Statement>& statements, const std::vector<ShapeGroup>& groups,
                        Constants& constants);
  void compile_observed(const std::vector<Statement>& statements, Constants& constants);
  void find_readings(const std::vector<Statement>& statements, const std::vector<Statement>& observed);
  void compile_switches(const std::vector<Statement>& switching, Constants& constants);
  void compile_programmes(Constants& constants);
  void compile_angles(Constants& constants);
  void find_free_turns(const std::vector<Statement>& statements, const std::vector<LoweredGroup>& lowered);
  void compile_closed_forms(const std::vector<Statement>& statements);

  mutable std::once_flag rank_once_;
  mutable std::unique_ptr<RankWatch> rank_watch_;
  mutable std::once_flag tangent_once_;
  mutable std::unique_ptr<Tangent> tangent_;
  mutable std::once_flag series_once_;
  mutable std::unique_ptr<SeriesKernels> series_kernels_;
  mutable std::mutex series_lock_;
  mutable std::map<int, std::shared_ptr<const SeriesPrograms>> series_;
  mutable std::map<int, std::shared_ptr<const SmallSeriesProgram>> small_series_;
  mutable std::once_flag series_work_once_;
  mutable std::optional<SeriesWork> series_work_;
};

/// All numbers of a system that do not depend on the state.
struct System::Values {
  /// `parameters` are those of the model, in its order; an error for values that the system cannot have.
  Values(const Impl& system, std::vector<double> parameters);

  std::uint64_t serial;         // of no other
  std::vector<double> numbers;  // all numbers of the model, in its order
  Parameters parameters;        // those that live
  State start;
  std::vector<double>
      angle_start;    // of each coordinate that renormalise() sets: its value where the joint has not turned
  Equations pattern;  // patterns of M and A, and all numbers of M, Q, A, b, C that do not depend on the state
  std::vector<FrictionPair> frictions;
  std::vector<double> constant_phi;
  std::vector<double> constant_position, constant_velocity;  // residual rows that are numbers
  std::vector<double> constant_position_size, constant_velocity_size;
  std::vector<double> constant_rate;
  double constant_energy = 0.0, constant_power = 0.0, constant_power_explicit = 0.0;
  std::vector<double> constant_output, constant_event;
  std::vector<std::array<double, 9>> free_inertia;  // of free turns
  bool stated_mass_may_be_negative = false;

 private:
  void require_structure(const Impl& system) const;
  void find_start(const Impl& system);
  void take(const Impl& system, Constants& numbers);
  void find_free_inertia(const Impl& system);
  void set_frictions(const Impl& system);
};

/// A workspace that an earlier motion has left, or a new one: most of what begins a short motion is memory.
Workspace take_workspace(const System& system);
/// For a motion to come. Those of large systems, and those that remember what held, are not kept.
void leave_workspace(const System& system, Workspace&& work);

class Friction;
class SwitchLaw;

struct Workspace::Impl {
  explicit Impl(const System& system);
  ~Impl();
  /// To the values of this system, which shares what is compiled with the one it was made for.
  void bind(const System& system);
  const System::Impl* owner;  // the system it was made for
  std::uint64_t serial;       // of the values it is bound to
  Equations equations;
  SolveWorkspace solve;
  ElementKernels::Scratch scratch, residual_scratch, size_scratch, rate_scratch, nonideal_scratch,
      energy_scratch, power_scratch, output_scratch, event_scratch, switch_scratch;
  ClosedForm::Scratch closed_scratch;
  ClosedCorrection::Scratch position_scratch, velocity_scratch;
  std::unique_ptr<DriveScratch> drive;
  ElementKernels::Scratch phi_scratch, angle_scratch;
  std::vector<double> angle_parts;  // sine and cosine of each
  std::vector<double> phi;
  Solution least;     // where multipliers are not unique: those that share a control force
  Solution solution;  // of accelerate() and of the ideal problem before a late C
  Equations changed;  // a copy with rows or masses changed, for corrections ...
  std::optional<SolveWorkspace> changed_solve;  // ... and what solves it, made when first needed
  std::vector<double> correction, right, residual_row;
  std::vector<double> stated_q;  // coordinates with every mu zero
  Residuals residual;
  std::vector<char> left_out;          // rows, as `solve` has them
  std::vector<char> passed_over;       // rows that are silent in `equations`
  Mode found;                          // by the last evaluation
  std::unique_ptr<Friction> friction;  // only where there is some
  std::unique_ptr<SwitchLaw> sliding;
};

/// b is what is left where terms of phi'' cancel; where all of it is zero but for rounding, dependent rows
/// disagree by that rounding, which their own size does not tell. True for a contradiction that changes no
/// velocity beyond its rounding in the time the motion itself takes; a true one shows in the velocities and
/// positions themselves before long.
bool is_rounding(const System& system, const StateView& at, Workspace& work, const Solution& contradicting);

/// An error with the sentence of the first that is not.
void require_finite(const std::vector<ConstantPart>& parts, std::span<const double> values);

/// The coordinates with every mu of vakonomic motion zero: where M is the mass and Q the force as stated.
std::span<const double> without_multipliers(const System::Impl& s, std::span<const double> q,
                                            Workspace::Impl& w);

/// A solution of vakonomic motion in stated terms, see solve(); the equations are then those stated.
void state_with_multipliers(const System& system, const StateView& at, Workspace& work, Solution& out,
                            Detail detail);

/// How a system is solved: M of vakonomic motion may have negative directions, and so may that of a stated
/// Lagrangian, which need only be regular (section 2 of Jalnapurkar). A stated mass may not.
inline SolveOptions options_for(const System& system, SolveOptions options) {
  const Model& model = system.impl().model;
  options.stationary = model.mechanics() == Mechanics::vakonomic ||
                       (!model.lagrangians().empty() && !system.values().stated_mass_may_be_negative);
  return options;
}

/// M, Q, A, b, C as the statements say, whether or not the state is on a switch.
void evaluate_as_stated(const System& system, const StateView& at, const Mode& mode, Workspace::Impl& w);

/// The workspace takes over the values of the system, where they are not those it has.
inline void fit(const System& system, Workspace::Impl& w) {
  if (w.serial != system.values().serial) w.bind(system);
}
void require_sizes(const System::Impl& s, const StateView& at);
/// The same, and an error unless workspace and sizes belong to the system.
inline void require_fit(const System& system, Workspace::Impl& w, const StateView& at) {
  fit(system, w);
  const System::Impl& s = system.impl();
  if (at.q.size() != s.coordinate_names.size() || at.v.size() != s.velocity_names.size())
    require_sizes(s, at);
}
void require_parts_of_mode(const System& system, const Mode& mode);
/// An error unless the mode is one of the system.
inline void require_mode(const System& system, const Mode& mode) {
  if (!(mode.frictions.empty() && mode.switches.empty() && mode.left_out.empty() && mode.passed_over.empty()))
    require_parts_of_mode(system, mode);
}
/// Rows that the mode leaves out are left out of what is solved.
void leave_out_rows(const Mode& mode, Workspace::Impl& w);
/// Rows that were passed over and are no more get back what is constant in them: before they are evaluated.
void restore_passed_rows(const System& system, const Mode& mode, Workspace::Impl& w);
/// Rows that the mode passes over ask for nothing: after they were evaluated.
void silence_passed_rows(Workspace::Impl& w);

}  // namespace vinculum
