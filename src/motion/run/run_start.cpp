#include "motion/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

bool Run::begin(const State& start) {
  t_ = t_start_ = start.t;
  std::copy(start.q.begin(), start.q.end(), y_.begin());
  std::copy(start.v.begin(), start.v.end(), y_.begin() + flow_.coordinates());
  out_.first = start;
  out_.waypoints.pass(t_, start.q);
  out_.energy_start = energy(system_, start, work_);
  free_momenta(system_, start.q, start.v, momenta_);
  if (!flow_.at_accepted(t_, y_.data(), f_.data())) {
    stop_unsolved(t_);
    return false;
  }
  const double span = options_.until - t_;
  size_start(span);
  modes_.begin(rest_speeds(), view_of(t_, y_),
               {y_.data() + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())});
  flow_.at_accepted(t_, y_.data(), f_.data());  // what it finds here is what the motion starts with
  modes_.settle_start();
  singularity_.look(evaluate_at(start), t_);
  leave_singular_start();
  observe_start(start);
  watch_start(start);
  if (options_.samples != 1 || !options_.instants.empty()) record(t_, y_.data());
  next_sample_ = 1;
  direction_ = span < 0 ? -1 : 1;
  if (span == 0) {
    if (options_.samples == 1) record(t_, y_.data());
    look_at_shares();
    finish(Stop::end, "the end is the start");
    return false;
  }
  if (direction_ < 0 && modes_.hides_its_past(view_of(t_, y_))) {
    std::vector<std::string> names;
    const std::string why = modes_.laws().front()->no_way_back({}, names);
    stop_without_past(t_, why, names);
    return false;
  }
  longest_ = std::fabs(h_next_);
  return true;
}

void Run::observe_start(const State& start) {
  const Equations& at = evaluate_at(start);
  observer_.watch_accelerations(at, std::span(f_).subspan(flow_.coordinates(), flow_.velocities()), out_);
  Residuals miss;
  residuals(system_, start, work_, miss);
  observer_.watch_residuals(miss.position, miss.velocity, out_);
  observer_.watch_controls(start, singularity_, out_);
}

/// The values that events, switches and what holds begin with.
void Run::watch_start(const State& start) {
  if (!system_.events().empty()) {
    observer_.events(start, singularity_, event_values_);
    begin_events(start);
  }
  if (watches_switches()) switches_at(t_, y_.data(), switch_values_);
  smooth_ = !watches_switches() && system_.row_names().empty();
  sizes_.set_smooth(smooth_);
  if (modes_.any()) modes_.accept(view_of(t_, y_), switch_values_);
  leave_switches();
}

/// How large the motion is as it begins, how long it stays what it is there, and the step for that.
void Run::size_start(double span) {
  weigh(evaluate_at(state_of(t_, y_.data())));
  sizes_.begin(y_.data());
  measure_noise();
  const double scale = span == 0 ? 0.0 : time_scale(flow_, sizes_, t_, y_.data(), f_.data(), span);
  sizes_.set_start(t_, scale, span);
  sizes_.go_ahead(y_.data(), f_.data(), std::copysign(scale, span), between_.data());
  sizes_.lend(evaluate_at(state_of(t_ + std::copysign(scale, span), between_.data())));
  sizes_.aim(t_, y_.data(), f_.data(), 0.0);
  expect_forces(span);
  h_next_ = stepper_->first_step(scale);
}

/// What rests, or nearly so, has the size of forces to come: right behind the start, and along the run.
/// Forces that time does not change are those of the start.
void Run::expect_forces(double span) {
  const auto look = [&](double t) {
    if (flow_(t, y_.data(), noisy_f_.data())) sizes_.expect(noisy_f_.data());
  };
  const auto differs = [&] {
    return !std::equal(f_.begin(), f_.begin() + flow_.controlled(), noisy_f_.begin());
  };
  constexpr double golden = 0.6180339887498949;  // even, and in step with nothing that repeats
  look(t_ + std::copysign(sizes_.moment(), span));
  bool by_time = differs();
  look(t_ + golden * span);
  by_time = by_time || differs();
  if (!sizes_.any_at_rest() && !(by_time && sizes_.any_unmoved())) return;
  constexpr int looks = 32;
  for (int k = 1; k <= looks; ++k) look(t_ + span * std::fmod(k * golden, 1.0));
}

/// What rounding of the state and of time makes of f, unless it stands on a switch.
void Run::measure_noise() {
  if (leaves_singular_start_ && t_ == t_start_) return;  // f jumps there: that is no rounding
  std::vector<double>& beside = between_steps_;
  beside.resize(y_.size());
  sizes_.add_roundings(y_.data(), beside.data());
  if (!switch_values_.empty()) flow_.watch_switches(switch_values_);
  const double later = t_ + direction_ * 4 * eps * std::max(std::fabs(t_), std::fabs(t_ + h_));
  if (flow_(later, beside.data(), noisy_f_.data()) && !flow_.met_switch())
    sizes_.measure_noise(f_.data(), noisy_f_.data());
}

/// A start on a switch belongs to neither side: the motion goes on as it does just behind it.
void Run::leave_switches() {
  if (std::none_of(switch_values_.begin(), switch_values_.end(), [](double g) { return g == 0; })) return;
  const double hop = 1e-13 * (options_.until - t_);
  for (std::size_t i = 0; i < y_.size(); ++i) between_[i] = y_[i] + hop * f_[i];
  std::vector<double> f(f_.size());
  if (hop == 0 || !flow_(t_ + hop, between_.data(), f.data())) return;
  switches_at(t_ + hop, between_.data(), switch_new_);
  for (std::size_t k = 0; k < switch_values_.size(); ++k)
    if (switch_values_[k] == 0) switch_values_[k] = switch_new_[k];
  f_ = f;
}

}  // namespace vinculum
