// Friction along a run: where a contact comes to rest or lets go, the motion goes on as what it has become.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Behind a switch a contact is as far as a few roundings of time bring it.
constexpr double roundings_of_time = 1024 * std::numeric_limits<double>::epsilon();

}  // namespace

bool Run::watches_switches() const { return !switches(system_).empty() || contacts_.any(); }

void Run::switches_at(double t, const double* y, std::vector<double>& values) {
  const State& state = state_of(t, y);
  observer_.switches(state, passage_, values);
  slides_.watch(state, values);
  contacts_.watch(state, values);
}

std::string Run::switch_name(int k) const {
  const int expressions = static_cast<int>(switches(system_).size());
  if (k < expressions) return switches(system_)[k] + " = 0";
  const ContactInfo& contact = system_.contacts()[k - expressions];
  return contact.law.empty() ? "the rest of '" + names_of(system_, contact).front() + "'" : contact.law;
}

/// What is read inside a step is read with the contacts as they are in it.
void Run::use_contacts_of(double t) {
  if (contacts_.changed()) contacts_.use(direction_ * (t - t_new_) >= 0);
  if (slides_.changed()) slides_.use(direction_ * (t - t_new_) >= 0);
}

/// Velocities this small are none: they are well within the error of a step, or rounding.
std::span<const double> Run::rest_speeds() {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  rest_.resize(flow_.velocities());
  for (int i = 0; i < flow_.velocities(); ++i)
    rest_[i] = std::max(0.01 * (tolerance_.absolute + tolerance_.relative * sizes_[flow_.coordinates() + i]),
                        rounding * sizes_.fastest(i));
  return rest_;
}

/// Ways as small as that are none, over velocities.
std::span<const double> Run::reaches() {
  reach_.resize(flow_.velocities());
  for (int i = 0; i < flow_.velocities(); ++i)
    reach_[i] = 0.01 * (tolerance_.absolute + tolerance_.relative * sizes_.of_move(i));
  return reach_;
}

/// At the start: velocities of contacts that are nothing beside what the motion has or gains are rest.
void Run::rest_contacts() {
  if (!contacts_.any()) return;
  contacts_.begin(rest_speeds(), view_of(t_, y_), y_.data() + flow_.coordinates());
}

/// At the end of the step: contacts that have come to rest or let go.
void Run::change_contacts() {
  if (!contacts_.any()) return;
  const int nq = flow_.coordinates();
  const std::size_t first = switches(system_).size();
  if (switch_new_.size() < first + contacts_.count()) switches_at(t_new_, y_new_.data(), switch_new_);
  const Contacts::Nothing nothing{rest_speeds(), reaches(), smallest_instant(), std::fabs(h_)};
  std::vector<double> v(y_new_.begin() + nq, y_new_.begin() + nq + flow_.velocities());
  interpolate();  // while the contacts are those of the step
  contacts_.put_to_rest(view_of(t_new_, y_new_), v.data());
  if (!contacts_.change(std::span(switch_new_).subspan(first), nothing, view_of(t_new_, y_new_), v.data(),
                        f_new_.data() + nq)) {
    std::copy(v.begin(), v.end(), y_new_.begin() + nq);
    return;
  }
  if (direction_ < 0) {
    stop_at_rest(t_new_);
    return;
  }
  std::copy(v.begin(), v.end(), y_new_.begin() + nq);
  // What came to rest has taken a little velocity away; what is tied to it follows.
  if (options_.keep == Keep::projection) projector_(t_new_, y_new_.data(), y_new_.data() + nq, work_);
  contacts_.put_to_rest(view_of(t_new_, y_new_), y_new_.data() + nq);
  if (!flow_.at_accepted(t_new_, y_new_.data(), f_new_.data())) {
    stop_unsolved(t_new_);
    return;
  }
  note_contacts(t_new_, contacts_.settle_change());
  stepper_->restart();
}

/// Where what sticks and the rows cannot both be kept at the end of the step, rows begin to move a contact at
/// its start, however smoothly: it slides from there. True where that is so.
bool Run::tear_contacts() {
  if (!contradicts_ || !contacts_.any() || direction_ < 0) return false;
  State behind = state_of(t_, y_.data());
  behind.t = t_new_;
  const auto changes = contacts_.tear(behind);
  if (changes.empty() || !flow_.at_accepted(t_, y_.data(), f_.data())) return false;
  note_contacts(t_, changes);
  contacts_.accept(view_of(t_, y_), switch_values_.data() + switches(system_).size());
  stepper_->restart();
  return true;
}

/// A contact that leaves its rest takes a step as long as the direction of its load is known well enough.
bool Run::refuse_departure() {
  if (!contacts_.any() || !contacts_.leaving()) return false;
  const double too_far =
      contacts_.departure(view_of(t_new_, y_new_), std::fabs(h_), rest_speeds(), reaches());
  if (too_far <= 1 || !stepper_->adaptive()) return false;
  ++out_.rejected;
  ++refusals_;
  // It grows with the fourth power of the step.
  h_next_ = h_ * std::clamp(0.9 * std::pow(too_far, -0.25), 0.05, 0.9);
  return true;
}

/// At the end of the step: switches that hold the motion from here on, or let it go.
void Run::change_slides() {
  if (!slides_.any()) return;
  const std::span<double> q(y_new_.data(), flow_.coordinates());
  const std::span<double> v(y_new_.data() + flow_.coordinates(), flow_.velocities());
  const auto evaluate_here = [this] {
    const bool solved = flow_.at_accepted(t_new_, y_new_.data(), f_new_.data());
    if (!solved) stop_unsolved(t_new_);
    return solved;
  };
  const double instant = smallest_instant();
  slides_.look({t_new_, q, v, std::span(f_new_).subspan(q.size(), v.size()), rest_speeds(), instant},
               switch_values_, switch_new_);
  // Back in time nothing is drawn to a switch that draws forward.
  if (direction_ > 0 ? !slides_.changes() : !slides_.lets_go()) {
    if (slides_.holds() && slides_.put_back(t_new_, q, v)) evaluate_here();
    return;
  }
  if (direction_ < 0) {
    finish(Stop::singular,
           "at t = " + number_text(t_new_, 10) + " forces hold the motion at " +
               switch_name(nearest_switch()) +
               ": it may have stood there for any time, so it cannot be followed further back",
           {switch_name(nearest_switch())});
    return;
  }
  interpolate();                                       // while the switches are those of the step
  switches_at(t_new_, y_new_.data(), between_steps_);  // what those that let go have found last
  slides_.open();
  if (!evaluate_here()) return;
  const auto changes = slides_.settle_change(t_new_, q, v);
  if (!evaluate_here()) return;
  for (const auto& [place, holds] : changes)
    out_.contact_changes.push_back({t_new_, switch_name(place), holds});
  switches_at(t_new_, y_new_.data(), between_steps_);
  slides_.take_values(between_steps_, switch_new_);
  if (!changes.empty()) stepper_->restart();
}

/// What rests under friction tells nothing of when it came to rest.
void Run::stop_at_rest(double t) {
  finish(Stop::singular,
         "at t = " + number_text(t, 10) +
             " a contact under friction is at rest, and rest is not followed backward in time",
         names_of_contacts());
}

/// Time is told apart to its own rounding, and no finer than steps can be on the scale of the run.
double Run::smallest_instant() const {
  return roundings_of_time *
         std::max({std::fabs(t_), std::fabs(t_new_), 1e-3 * std::fabs(options_.until - t_start_)});
}

void Run::note_contacts(double t, const std::vector<std::pair<int, bool>>& changes) {
  for (const auto& [contact, sticks] : changes)
    for (const std::string& name : names_of(system_, system_.contacts()[contact]))
      out_.contact_changes.push_back({t, name, sticks});
}

/// Whether some law reads a share of a force that is a matter of the norm: that is decided by which rows
/// depend on each other. A position that is singular for an instant decides nothing.
void Run::look_at_shares() {
  const int rank = passage_.watching() ? passage_.rank() : 0;
  if (rank == rank_of_shares_) return;
  rank_of_shares_ = rank;
  const State& state = state_of(t_, y_.data());
  for (NormDependence& found : norm_dependences(system_, state)) {
    const auto same = [&](const NormDependence& known) { return known.law == found.law; };
    if (std::none_of(dependences_.begin(), dependences_.end(), same))
      dependences_.push_back(std::move(found));
  }
  if (!contacts_.any()) return;
  evaluate(system_, state, work_);
  for (std::size_t k = 0; k < contacts_.count(); ++k) {
    const std::string text = contact_text(system_, system_.contacts()[k], vinculum::contacts_of(work_)[k]);
    if (!text.empty() && std::find(pressing_.begin(), pressing_.end(), text) == pressing_.end())
      pressing_.push_back(text);
  }
}

std::vector<std::string> Run::names_of_contacts() const {
  std::vector<std::string> names;
  for (const ContactInfo& contact : system_.contacts())
    for (const std::string& name : names_of(system_, contact)) names.push_back(name);
  return names;
}

}  // namespace vinculum
