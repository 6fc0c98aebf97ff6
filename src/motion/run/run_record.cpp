// What a run records, how it reports, and how it ends.
#include <algorithm>
#include <cmath>

#include "motion/run/run.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

void Run::record(double t, const double* y) {
  observer_.record(state_of(t, y), flow_.work_done(y), singularity_, options_.sink, out_);
}

/// The instant to be recorded next, where instants are asked for.
std::optional<double> Run::next_due() const {
  if (!options_.instants.empty()) {
    const std::size_t next = next_sample_ - 1;  // the start is recorded
    return next < options_.instants.size() ? std::optional(options_.instants[next]) : std::nullopt;
  }
  if (next_sample_ >= options_.samples) return std::nullopt;
  if (next_sample_ == options_.samples - 1) return options_.until;
  const double part = static_cast<double>(next_sample_) / (options_.samples - 1);
  return t_start_ + part * (options_.until - t_start_);
}

/// Records what is due in the step, up to t; at the end of the step itself from the state itself.
void Run::record_until(double t, bool inclusive) {
  if (options_.instants.empty() && options_.samples == 0) {
    if (inclusive) record(t, t == t_new_ ? y_new_.data() : between_.data());
    return;
  }
  if (options_.instants.empty() && options_.samples == 1) {
    if (t == options_.until) record(t, y_new_.data());
    return;
  }
  while (const std::optional<double> next = next_due()) {
    const double due = *next;
    if (direction_ * (due - t) > 0) return;
    if (due == t_new_) {
      record(due, y_new_.data());
    } else if (interpolate()) {
      read_polynomial(due, between_.data());
      if (options_.keep == Stabilisation::projection && !project(due, between_.data()))
        out_.notes.push_back("the sample at t = " + number_text(due, 10) +
                             " misses its constraints: " + refusal_);
      record(due, between_.data());
    } else if (step_to(due)) {  // the polynomial needs f where there is none: a step of its own
      record(due, between_.data());
    } else {
      out_.notes.push_back("the sample at t = " + number_text(due, 10) +
                           " could not be computed and is left out");
    }
    ++next_sample_;
  }
}

/// Called after every attempt at a step; looks at the clock after sixteen of them, or after each where they
/// take long.
bool Run::report_progress() {
  if (!options_.progress || --attempts_to_look_ > 0) return true;
  const Clock::time_point now = Clock::now();
  attempts_to_look_ = now - looked_ > std::chrono::milliseconds(10) ? 1 : 16;
  looked_ = now;
  if (now - reported_ < std::chrono::milliseconds(50)) return true;
  reported_ = now;
  Progress p;
  p.t = t_;
  p.steps = out_.steps;
  p.fraction = (t_ - t_start_) / (options_.until - t_start_);
  const double spent = std::chrono::duration<double>(now - began_).count();
  p.seconds_left = p.fraction > 0 ? spent * (1 - p.fraction) / p.fraction : INFINITY;
  if (options_.progress(p)) return true;
  finish(Stop::cancelled, "cancelled at t = " + number_text(t_, 10));
  return false;
}

void Run::finish(Stop stop, const std::string& reason, std::vector<std::string> names) {
  finished_ = true;
  out_.stop = stop;
  out_.reason = reason;
  out_.names = std::move(names);
  // What was reached is part of the record, however the run ends.
  if ((out_.empty() || out_.times().back() != t_) && stop != Stop::end) record(t_, y_.data());
}

void Run::stop_unsolved(double t) {
  State at = t == t_ ? state_of(t_, y_.data()) : state_of(t, y_new_.data());
  Solution full = solve(system_, at);
  if (full.status == Status::solved && !flow_.failed_at().q.empty()) {  // it was inside the step
    at = flow_.failed_at();
    t = at.t;
    full = solve(system_, at);
  }
  std::vector<std::string> names;
  for (const int r : full.rows) {
    const std::string& name = system_.constraints()[system_.constraint_of_row(r)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const int c : full.coordinates) names.push_back(name_of_moving(system_, c));
  const Stop stop = full.status == Status::contradicting ? Stop::contradicting
                    : full.status == Status::not_finite  ? Stop::not_finite
                    : full.status == Status::solved      ? Stop::step_too_small
                                                         : Stop::singular;
  finished_ = true;
  out_.stop = stop;
  out_.reason = "at t = " + number_text(t, 10) + ": " +
                (full.status == Status::solved ? "the state grows beyond all numbers; the step is too long"
                                               : describe(system_, full));
  out_.names = names;
  if ((out_.empty() || out_.times().back() != t_) && t_ != t_start_) record(t_, y_.data());
}

void Run::write_notes() {
  const auto steps = [](long count, const std::string& where) {
    return std::to_string(count) + (count == 1 ? " step" : " steps") + where +
           (count == 1 ? " was " : " were ");
  };
  const bool near = nearest_when_careful_ < near_below;
  if (careful_steps_ > 0)
    out_.notes.push_back(steps(careful_steps_, near ? " near a singular position" : "") +
                         "made with every stage projected onto the constraints" +
                         (near ? ""
                               : ": a row had only " + number_text(nearest_when_careful_, 2) +
                                     " of its largest part beyond the others (in a singular position: 0)"));
  if (passed_steps_ > 0)
    out_.notes.push_back(
        steps(passed_steps_, "") +
        "made by dop853 in the place of radau5, whose iterates do not converge across a switch "
        "or a singular position");
  if (evasions_ > 0)
    out_.notes.push_back(steps(evasions_, "") + "shortened so as not to end in a singular position");
  if (noisy_steps_ > 0)
    out_.notes.push_back(steps(noisy_steps_, "") + "held to the rounding of the forces: up to " +
                         number_text(noisiest_, 2) + " times what the tolerance asks for");
  if (observer_.saw_saddle() && system_.mechanics() == Mechanics::dalembert)
    out_.notes.push_back(
        "the Lagrangian is not definite, M has a negative direction: Gauss's function is stationary along "
        "the "
        "motion, not least");
  if (observer_.saw_free_multipliers())
    out_.notes.push_back(system_.mechanics() == Mechanics::vakonomic
                             ? "the multipliers are not unique: those of least norm are taken, also for the "
                               "rates of mu"
                             : "the multipliers are not unique: those of least norm are given");
  for (const NormDependence& d : dependences_) out_.notes.push_back(describe(d));
  out_.norm_dependent = names_of(dependences_);
  for (const std::string& text : pressing_) out_.notes.push_back("friction: " + text);
  if (end_not_projected_)
    out_.notes.push_back(
        "the end lies in a singular position: its state was read from the last step and not projected");
  for (const std::string& note : observer_.complaints()) out_.notes.push_back(note);
  if (!singularity_.watching() && !system_.row_names().empty())
    out_.notes.push_back("the rank of A is not watched: A M^-1 A^T is too full");
  if (tolerance_.relative > part_of_step * options_.tolerance * 1.0001)
    out_.notes.push_back("a tolerance of " + number_text(options_.tolerance, 3) +
                         " is below rounding; steps were held to " + number_text(smallest_tolerance, 3));
}

}  // namespace vinculum
