// One integration from start to stop.
#pragma once
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "motion/run/bracket.hpp"
#include "motion/run/curve.hpp"
#include "motion/run/observer.hpp"
#include "motion/run/zeros.hpp"
#include "motion/steppers/stepper.hpp"
#include "vinculum/system/norm_dependence.hpp"

namespace vinculum {

/// A row this near to depending on others makes f rough beside the constraints: steps there are careful.
inline constexpr double careful_below = 0.3;
/// This near, a position may be called near a singular one.
inline constexpr double near_below = 0.05;
/// A state this near to a singular position loses digits by their inverse: steps do not end there.
inline constexpr double evade_below = 1e-3;
/// No step is so long that its stages leave more than this part of the run unseen between them.
inline constexpr double most_unseen = 1.0 / 32;
/// Part of the tolerance a single step may use: errors of many steps add up.
inline constexpr double part_of_step = 0.03;
/// Below this a local error cannot be told from rounding.
inline constexpr double smallest_tolerance = 1e-15;
/// Instants nearer than this are not told apart: stages and ends of steps stand at t up to rounding.
inline double time_resolution(double t) { return 16 * std::numeric_limits<double>::epsilon() * std::fabs(t); }

struct SketchLanes;

/// The loop over steps (run.cpp), from a start (run_start.cpp). Each step: try, project, evaluate
/// (run_attempt.cpp; when trying has no end: run_stall.cpp), look at the rank (run_singular.cpp), end at a
/// switch (run_switch.cpp) or where something holds or lets go (run_modes.cpp), find events (run_event.cpp;
/// how both are watched along the step: run_watch.cpp), record (run_record.cpp).
class Run {
 public:
  Run(const System& system, const MotionOptions& options, Trajectory& out,
      std::vector<StepPolynomial>* dense);
  void go(const State& start);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Watch { events, switches };
  struct Watched {  // an event, or a switch of the equations
    Watch kind = Watch::events;
    int index = 0;
  };
  struct Crossing {  // of a switch by the step at hand
    Watched what;
    bool rising = false;
    double least = 0.0;  // times nearer than this are not told apart
  };
  struct Found {  // its zero in the step at hand
    Watched what;
    double t = 0.0;
    bool rising = false, touches = false;
    std::vector<double> y;
  };

  bool begin(const State& start);
  void observe_start(const State& start);
  void watch_start(const State& start);
  void leave_switches();
  void leave_singular_start();
  bool step();
  bool try_step();
  bool too_short() const;
  void stop_too_short();
  void word_noise();
  bool attempt_step();
  bool meets_constraints();
  bool refuse_hidden_switch();
  bool refuse_departure();
  void plan_passage();
  void name_dependent_rows();
  bool good_after_projection();
  bool project(double t, double* y);
  bool evaluate_accepted();
  bool near_singular_position();
  double rounding_of_forces() const;
  void size_start(double span);
  void expect_forces(double span);
  void measure_noise();
  void measure_rounding_of_rows(const State& at);
  const Residuals& terms_of_rows(const State& at);
  std::span<const double> rest_speeds();
  std::span<const double> reaches();
  void look_around();
  void look_inside(int parts);
  void weigh(const Equations& at);
  void find_rank_changes();
  void accept();
  void cut_at_end();
  bool teleports(const Projection& projection, double t, const double* before, const double* after);
  double changed(const double* from, const double* to) const;
  double changed(const double* from, const double* to, int first, int last) const;
  void read_polynomial(double t, double* y) const;
  void refuse(const std::string& what, bool halve);
  void refuse_error();
  void word_refusal();
  void stop_fixed_step();
  void try_shorter(bool halve);
  bool passes_for_implicit();
  double aim() const;
  double clipped(double h) const;
  bool interpolate();
  const State& state_of(double t, const double* y);
  StateView view_of(double t, const std::vector<double>& y) const {
    return {t,
            {y.data(), static_cast<std::size_t>(flow_.coordinates())},
            {y.data() + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())}};
  }
  Evaluation evaluate_at(const StateView& at) { return evaluate(system_, at, modes_.now(), work_); }
  const State& state_between(double t);

  bool handle_events();
  bool is_same_zero(const Found& found);
  void find_events(std::vector<Found>& found);
  bool approaches_zero(const Watched& what, const std::vector<Found>& found);
  bool turned_at_start(const Watched& what);
  bool is_in_noise(const Watched& what, double theta);
  bool any_in_noise_at_end();
  double noise_at_end(const Watched& what);
  bool any_near_zero_at_end();
  bool comes_to_zero_at_end(const Watched& what);
  double error_of_step() const;
  void note_not_finite();
  void locate(Found& found, const Zero& zero);
  double step_to_event(Found& found);
  bool is_pole(const Found& found);
  void locate_touch(const Watched& what, const Zero& zero, std::vector<Found>& found);
  bool read_curve(double theta, std::vector<double>& y);
  void polish(Found& found, double theta, double apart);
  double event_value(const Watched& what, double t, const double* y);

  const StatePlaces& places(Watch watch) const;
  void watch_state(Watch watch, const State& state, std::vector<double>& values, unsigned rounding = 0);
  double watched_at(const Watched& what, double theta);
  void sample(Watch watch);
  void lay_curve();
  void lay_lanes(std::span<const int> entries, const SketchLanes& at);
  void sketch(Watch watch, std::span<const int> entries);
  bool stays_clear(Watch watch, std::vector<int>& side);
  double noise_of(const Watched& what, const State& at, double off_curve);
  double noise_on_curve(const Watched& what, double theta);
  bool is_noise(const Watched& what, const Piece& whole);
  std::vector<Zero> zeros_of(const Watched& what, int& side);
  void note_unresolved(const Watched& what);
  void begin_events(const State& start);

  void end_before_return();
  void cut_at_switch();
  bool hides_a_switch();
  int nearest_switch() const;
  bool end_step_behind(const Crossing& crossing);
  bool take_between(double t);
  bool shorten_step(double t);
  double beyond(const Crossing& crossing, double t);
  double last_before(const Crossing& crossing);
  bool step_to_front(double front, std::vector<double>& f);
  bool hop_behind(const Crossing& crossing, const std::vector<double>& f, double& t, double& zero);
  void take_back_to(double zero, const Crossing& crossing, const std::vector<double>& slope);
  void back_to_zero(const Crossing& crossing, double zero, const std::vector<double>& f, double& t);
  bool land(double t, double hopped_for);
  bool is_made_by_forces(const std::vector<double>& before, double t, double time);
  void stop_at_jump();
  std::string most_missed(const State& at);
  bool hop_to_end(double front, std::vector<double>& f);
  bool step_to(double t);
  bool watches_switches() const;
  void switches_at(double t, const double* y, std::vector<double>& values);
  void use_modes_of(double t);
  StepEnd end_of_step();
  void change_modes();
  void change_mode(ModeLaw& law);
  bool evaluate_end();
  bool tear_modes();
  void stop_without_past(double t, const std::string& why, std::vector<std::string> names);
  double smallest_instant() const;
  void note_change(double t, const ModeLaw& law, const ModeChange& change);
  std::optional<double> next_due() const;
  void look_at_shares();
  bool stands_still();
  std::string laws_at_rest() const;
  void stop_standing_still();
  void record_until(double t, bool inclusive);
  void record(double t, const double* y);
  bool report_progress();
  void finish(Stop stop, const std::string& reason, std::vector<std::string> names = {});
  void stop_unsolved(double t);
  void write_notes();
  std::vector<std::string> names_at(int entry) const;
  std::string what_of(int entry) const;

  const System& system_;
  const MotionOptions& options_;
  Trajectory& out_;
  std::vector<StepPolynomial>* dense_;
  Workspace work_;
  Modes modes_;
  Flow flow_;
  Sizes& sizes_;
  Projector projector_;
  SingularityWatch singularity_;
  Observer observer_;
  std::unique_ptr<Stepper> stepper_, passer_;
  Stepper* active_ = nullptr;  // of the step at hand
  Tolerance tolerance_;
  double t_ = 0, t_new_ = 0, t_start_ = 0, h_ = 0, h_next_ = 0;
  double direction_ = 1;
  std::vector<double> momenta_;  // of bodies that nothing turns
  int next_sample_ = 0;
  int refusals_ = 0;     // of the step at hand
  bool smooth_ = false;  // neither switches nor rows
  int crawling_ = 0;     // steps in a row that are far too short for the run
  double longest_ = 0;   // step made so far, or meant to be made first
  long standing_ = 0;    // steps since a coordinate has moved by more than the tolerance ...
  double standing_since_ = 0;
  std::vector<double> stood_at_;     // ... from here
  int to_and_fro_ = 0;               // tiny steps in a row that end at a switch
  std::vector<long> switch_budget_;  // evaluations to spend on each along a step
  long careful_steps_ = 0, evasions_ = 0;
  long passed_steps_ = 0;            // made by the explicit method in the place of the implicit one
  double nearness_before_ = 1;       // at the start of the step
  double nearest_when_careful_ = 1;  // to a singular position, over the careful steps
  bool falls_short_ = false;         // steps to a switch fail before it
  bool jumps_ = false;               // the last projection left the curve
  std::string jump_;                 // the constraint that jumps at the end of the step
  bool finished_ = false, interpolated_ = false, end_not_projected_ = false;
  bool projected_ = false;  // y_new is on the constraints already
  bool noisy_ = false;      // the last step was one of ...
  long noisy_steps_ = 0;    // whose errors may be larger than the tolerance, because forces are rounded so
  double noisiest_ = 0;
  bool leaping_ = false;                // the step at hand passes a singular position
  bool leaves_singular_start_ = false;  // f there is what it is just behind it
  double half_way_ = 0, before_leap_ = 0;
  double tried_first_ = 0;  // the length of the step at hand before it was refused
  std::string refusal_;     // why the step was refused last
  std::vector<std::string> refusal_names_;
  bool error_refused_ = false;               // for its error, which is not put into words yet
  int rank_of_shares_ = -1;                  // when shares of forces were looked at last
  std::vector<NormDependence> dependences_;  // laws that read such shares
  std::vector<std::string> pressing_;        // and what frictions take instead
  bool contradicts_ = false;                 // it was refused because constraints cannot hold together
  Attempt attempt_;
  StepPolynomial polynomial_, cubic_;
  StepCurve curve_;
  StatePlaces event_places_, switch_places_;
  std::vector<int> event_entries_, switch_entries_;  // the same as places of y
  std::vector<Piece> pieces_;                        // what is watched, over the step
  std::vector<Sketch> sketches_;
  StateBatch lanes_;  // of a sketch
  std::vector<double> lane_values_;
  std::vector<int> event_side_, switch_side_, sides_seen_;
  std::vector<double> event_size_;  // the largest value each has had
  std::vector<char> event_near_;    // within noise of zero at the start of the step, and going there before
  double errors_ = 0;               // of all steps so far, in parts of what is allowed
  double off_curve_ = -1;  // the curve of the step from the motion at most, likewise; negative: not looked at
  State probe_;
  std::vector<std::string> unresolved_;  // what changed too wildly to be followed
  State state_;
  Clock::time_point began_, reported_, looked_;
  int attempts_to_look_ = 1;  // at the clock
  std::vector<double> y_, f_, y_new_, f_new_, between_, event_values_, event_new_, event_scratch_, change_,
      beside_, switch_values_, switch_new_, between_steps_, event_slope_, watched_, margins_, sketch_gap_,
      look_f_, rest_, reach_, noisy_f_;
  std::vector<double> rounding_of_place_, rounding_of_velocity_;
  Residuals miss_, terms_;
};

/// Whether a value that goes from `from` to `to` passes zero; a zero at the beginning does not count.
bool crosses(double from, double to);

/// The same as the public one, keeping the polynomial of every step where asked to.
Trajectory simulate(const System& system, const State& start, const MotionOptions& options,
                    std::vector<StepPolynomial>* dense);

}  // namespace vinculum
