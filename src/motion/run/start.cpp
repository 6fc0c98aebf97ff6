#include "motion/run/start.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {

Start::Start(Course& course, const Helpers& helpers)
    : course_(course),
      step_(course.step),
      system_(course.system),
      options_(course.options),
      out_(course.out),
      work_(course.work),
      modes_(course.modes),
      flow_(course.flow),
      sizes_(course.sizes),
      projector_(course.projector),
      singularity_(course.singularity),
      observer_(course.observer),
      landing_(helpers.landing),
      changes_(helpers.changes),
      lookout_(helpers.lookout),
      stall_(helpers.stall),
      recorder_(helpers.recorder),
      events_(helpers.events),
      maker_(helpers.maker),
      between_(course.flow.size()),
      later_f_(course.flow.size()) {}

bool Start::begin(const State& start) {
  step_.t = course_.t_start = start.t;
  std::copy(start.q.begin(), start.q.end(), step_.y.begin());
  std::copy(start.v.begin(), start.v.end(), step_.y.begin() + flow_.coordinates());
  out_.first = start;
  out_.waypoints.pass(step_.t, start.q);
  out_.energy_start = energy(system_, start, work_);
  landing_.begin(start);
  if (!flow_.at_accepted(step_.t, step_.y.data(), step_.f.data())) {
    course_.stop_unsolved(step_.t);
    return false;
  }
  const double span = options_.until - step_.t;
  size_start(span);
  modes_.begin(changes_.rest_speeds(), course_.view_of(step_.t, step_.y),
               {step_.y.data() + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())});
  flow_.at_accepted(step_.t, step_.y.data(),
                    step_.f.data());  // what it finds here is what the motion starts with
  modes_.settle_start();
  singularity_.look(course_.evaluate_at(start), step_.t);
  leave_singular_start();
  observe_start(start);
  watch_start(start);
  if (!is_within_limits()) return false;
  recorder_.begin();
  course_.direction = span < 0 ? -1 : 1;
  if (span == 0) {
    lookout_.look_at_shares();
    course_.finish(Stop::end, "the end is the start");
    return false;
  }
  if (course_.direction < 0 && modes_.hides_its_past(course_.view_of(step_.t, step_.y))) {
    std::vector<std::string> names;
    const std::string why = modes_.laws().front()->no_way_back({}, names);
    changes_.stop_without_past(step_.t, why, names);
    return false;
  }
  stall_.begin();
  return true;
}

/// How large the motion is as it begins, how long it stays what it is there, and the step for that.
void Start::size_start(double span) {
  lookout_.weigh(course_.evaluate_at(course_.state_at_start()));
  sizes_.begin(step_.y.data());
  maker_.measure_noise();
  const double scale =
      span == 0 ? 0.0 : time_scale(flow_, sizes_, step_.t, step_.y.data(), step_.f.data(), span);
  sizes_.set_start(step_.t, scale, span);
  sizes_.go_ahead(step_.y.data(), step_.f.data(), std::copysign(scale, span), between_.data());
  sizes_.lend(course_.evaluate_at(course_.state_of(step_.t + std::copysign(scale, span), between_.data())));
  sizes_.aim(step_.t, step_.y.data(), step_.f.data(), 0.0);
  expect_forces(span);
  step_.h_next = course_.stepper->first_step(scale);
}

/// What rests, or nearly so, has the size of forces to come: right behind the start, and along the run.
/// Forces that time does not change are those of the start.
void Start::expect_forces(double span) {
  const auto look = [&](double t) {
    if (flow_(t, step_.y.data(), later_f_.data())) sizes_.expect(later_f_.data());
  };
  const auto differs = [&] {
    return !std::equal(step_.f.begin(), step_.f.begin() + flow_.controlled(), later_f_.begin());
  };
  constexpr double golden = 0.6180339887498949;  // even, and in step with nothing that repeats
  look(step_.t + std::copysign(sizes_.moment(), span));
  bool by_time = differs();
  look(step_.t + golden * span);
  by_time = by_time || differs();
  if (!sizes_.any_at_rest() && !(by_time && sizes_.any_unmoved())) return;
  constexpr int looks = 32;
  for (int k = 1; k <= looks; ++k) look(step_.t + span * std::fmod(k * golden, 1.0));
}

/// Rows that depend on each other where the motion starts, and nowhere behind, leave more free there than the
/// motion has: its acceleration is the one that those behind the start tend to.
void Start::leave_singular_start() {
  const double span = options_.until - step_.t;
  if (!singularity_.watching() || singularity_.rank() == static_cast<int>(system_.row_names().size()) ||
      span == 0 || !course_.projects())
    return;
  // Near enough for a parabola through three accelerations, far enough for what rows have left of each other.
  const double hop = 1e-4 * std::copysign(std::min(sizes_.time_scale(), std::fabs(span)), span);
  std::vector<double> ahead(step_.y.size()), limit(step_.f.size(), 0.0), f(step_.f.size());
  double apart = 0, weight[3] = {3, -3, 1};
  for (int k = 1; k <= 3; ++k) {
    sizes_.go_ahead(step_.y.data(), step_.f.data(), k * hop, ahead.data());
    if (!projector_(step_.t + k * hop, ahead.data(), ahead.data() + flow_.coordinates(), modes_.now(), work_)
             .done ||
        !flow_(step_.t + k * hop, ahead.data(), f.data()))
      return;
    const int rank =
        singularity_.rank_of(course_.evaluate_at(course_.state_of(step_.t + k * hop, ahead.data())));
    if (rank <= singularity_.rank()) return;
    for (std::size_t i = 0; i < f.size(); ++i) limit[i] += weight[k - 1] * f[i];
    for (int i = flow_.coordinates(); i < flow_.controlled(); ++i)
      if (f[i] != step_.f[i])
        apart = std::max(apart, std::fabs(f[i] - step_.f[i]) * sizes_.time_scale() / sizes_[i]);
  }
  if (apart > 1e-3) step_.f = limit;
  leaves_singular_start_ = true;
  sizes_.forget_noise();
}

void Start::observe_start(const State& start) {
  const Equations& at = course_.evaluate_at(start);
  observer_.watch_accelerations(at, std::span(step_.f).subspan(flow_.coordinates(), flow_.velocities()),
                                out_);
  Residuals miss;
  residuals(system_, start, work_, miss);
  observer_.watch_residuals(miss.position, miss.velocity, out_);
  observer_.watch_controls(start, singularity_, out_);
}

/// The values that events, switches and what holds begin with.
void Start::watch_start(const State& start) {
  if (!system_.events().empty()) {
    observer_.events(start, singularity_, step_.events);
    events_.begin(start);
  }
  if (course_.watches_switches()) course_.switches_at(step_.t, step_.y.data(), step_.switches);
  const bool smooth = !course_.watches_switches() && system_.row_names().empty();
  sizes_.set_smooth(smooth);
  maker_.begin(smooth, leaves_singular_start_);
  if (modes_.any()) modes_.accept(course_.view_of(step_.t, step_.y), step_.switches);
  leave_switches();
}

/// Limits of joints are judged by the model where it states its start; assembly may have moved that.
bool Start::is_within_limits() {
  constexpr double beside = 1e-9;  // rad, or a length: what assembly may be off by
  for (std::size_t k = 0; k < system_.events().size(); ++k) {
    const EventInfo& event = system_.events()[k];
    const double beyond = event.direction == Model::Direction::falling ? -step_.events[k] : step_.events[k];
    if (!event.limit || !(beyond > beside)) continue;
    course_.finish(Stop::start,
                   "the start lies beyond the limit '" + event.name + "' by " + number_text(beyond, 3));
    out_.names = {event.name};
    return false;
  }
  return true;
}

/// A start on a switch belongs to neither side: the motion goes on as it does just behind it.
void Start::leave_switches() {
  if (std::none_of(step_.switches.begin(), step_.switches.end(), [](double g) { return g == 0; })) return;
  const double hop = 1e-13 * (options_.until - step_.t);
  for (std::size_t i = 0; i < step_.y.size(); ++i) between_[i] = step_.y[i] + hop * step_.f[i];
  std::vector<double> f(step_.f.size());
  if (hop == 0 || !flow_(step_.t + hop, between_.data(), f.data())) return;
  course_.switches_at(step_.t + hop, between_.data(), step_.switches_new);
  for (std::size_t k = 0; k < step_.switches.size(); ++k)
    if (step_.switches[k] == 0) step_.switches[k] = step_.switches_new[k];
  step_.f = f;
}

}  // namespace vinculum
