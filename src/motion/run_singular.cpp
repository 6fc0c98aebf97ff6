// How a run passes singular positions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

/// A singular position that the next step would meet or come near: pass it with no stage close to it, all
/// stages on the constraints. A step too long for that first goes half the way.
void Run::plan_passage() {
  leaping_ = false;
  active_ = stepper_.get();
  if (!stepper_->adaptive() || options_.keep != Keep::projection || passage_.nearness() >= careful_below)
    return;
  const double ahead = passage_.time_to_singular();
  if (ahead > 1.5 * std::fabs(h_next_)) return;
  leaping_ = true;
  before_leap_ = h_next_;
  if (passer_) active_ = passer_.get();
  half_way_ = direction_ * 0.5 * ahead;
  h_next_ = direction_ * ahead / active_->quiet_part();
  flow_.set_careful(true);
}

/// A run that ends near a singular position ends because of it: its rows belong to the reason.
void Run::name_dependent_rows() {
  if (!passage_.watching() || passage_.nearness() > near_below) return;
  const std::vector<std::string> names = passage_.nearest_constraints();
  refusal_ +=
      "; " + list_text(names) + (names.size() == 1 ? " fades there" : " come to depend on each other there");
  for (const std::string& name : names)
    if (std::find(refusal_names_.begin(), refusal_names_.end(), name) == refusal_names_.end())
      refusal_names_.push_back(name);
}

/// An error that leaves the constraints does not stay: the projection takes it away. Near singular positions,
/// where constraints hold some directions only weakly, nearly all of an error may be of that kind.
bool Run::good_after_projection() {
  const int nq = flow_.coordinates(), nv = flow_.velocities();
  // What bends on the way is of the second order in the error: it must be less than is asked for.
  if (!leaping_ && attempt_.error > 0.003 / std::sqrt(tolerance_.relative)) return false;
  between_ = y_new_;
  if (!project(t_new_, between_.data())) return false;
  const std::span<const double> q(between_.data(), nq), v(between_.data() + nq, nv);
  const Filter filter = [&](double* error) {
    change_.assign(nv, 0.0);
    beside_.assign(q.begin(), q.end());
    for (int i = 0; i < nq; ++i) beside_[i] += error[i];
    way_between(system_, q, beside_, change_);
    keep_tangent_part(system_, Level::position, t_new_, q, v, work_, change_);
    rates(system_, t_new_, q, change_, work_, beside_);
    for (int i = 0; i < nq; ++i)
      if (system_.velocity_of_coordinate(i) >= 0) error[i] = beside_[i];
    for (const Rotation& r : system_.rotations())
      std::copy_n(beside_.begin() + r.coordinate, 4, error + r.coordinate);
    keep_tangent_part(system_, Level::velocity, t_new_, q, v, work_,
                      {error + nq, static_cast<std::size_t>(nv)});
  };
  const Attempt left = active_->filtered(attempt_, between_.data(), filter);
  if (!left.evaluated || left.error > 1) return false;
  attempt_ = left;
  y_new_.swap(between_);
  projected_ = true;
  return true;
}

/// Forces and accelerations are known to the rounding of S = A M^-1 A^T over what S has left of the nearest
/// row: towards a dead point, where they grow beyond all limits, their last digits are no motion. There, and
/// there alone, steps are shorter and shorter parts of the way that is left.
double Run::rounding_of_forces() const {
  if (!passage_.watching() || passage_.nearness() >= careful_below) return 0.0;
  const double ahead = passage_.time_to_singular();
  if (ahead < 4 * std::fabs(h_) || ahead > 1e-3 * std::fabs(t_new_ - t_start_)) return 0.0;
  const double left = passage_.nearness() * passage_.nearness();
  return std::min(0.01, 64 * std::numeric_limits<double>::epsilon() / left);
}

/// Steps end on either side of a singular position, not in it: what is lost there is never regained.
bool Run::near_singular_position() {
  // A row vanishes no faster than its part shrinks: far from a singular position there is nothing to look at.
  const bool may_evade = passage_.watching() && stepper_->adaptive() && options_.keep == Keep::projection &&
                         refusals_ < 20 && t_new_ != options_.until && passage_.nearness() > evade_below;
  if (!may_evade || passage_.time_to_singular() > 4 * std::fabs(h_)) return false;
  if (passage_.nearness_of(evaluate(system_, state_of(t_new_, y_new_.data()), work_)) >= evade_below)
    return false;
  ++refusals_;
  ++evasions_;
  h_next_ = 0.9 * h_;
  return true;
}

/// Rank, misses and masses at the state to be accepted.
void Run::look_around() {
  // Masses change slowly: without rows they alone are looked at, and only now and then.
  constexpr long now_and_then = 16;
  const bool weighs = !system_.mass_constant() && out_.steps % now_and_then == 0;
  if (!passage_.watching() && !weighs) return;
  const Equations& at = evaluate(system_, state_of(t_new_, y_new_.data()), work_);
  sizes_.weigh(at);
  if (!passage_.watching()) return;
  passage_.look(at, t_new_);
  observer_.watch_accelerations(at, std::span(f_new_).subspan(flow_.coordinates(), flow_.velocities()), out_);
}

/// A leap over a singular position went past the end: the end is read from its polynomial.
void Run::cut_at_end() {
  const bool read = interpolate();
  if (read) read_polynomial(options_.until, between_.data());
  if (read && project(options_.until, between_.data())) {
    y_new_ = between_;
  } else {  // the end is in the singular position itself
    if (read) y_new_ = between_;
    end_not_projected_ = true;
  }
  t_new_ = options_.until;
  h_ = t_new_ - t_;
  if (!flow_(t_new_, y_new_.data(), f_new_.data())) end_not_projected_ = true;
}

}  // namespace vinculum
