// How a run passes singular positions.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "motion/run/run.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

/// A singular position that the next step would meet or come near: pass it with no stage close to it, all
/// stages on the constraints. A step too long for that first goes half the way.
void Run::plan_passage() {
  leaping_ = false;
  active_ = stepper_.get();
  if (!stepper_->adaptive() || options_.keep != Stabilisation::projection ||
      singularity_.nearness() >= careful_below)
    return;
  const double ahead = singularity_.time_to_singular();
  if (ahead > 1.5 * std::fabs(h_next_)) return;
  leaping_ = true;
  before_leap_ = h_next_;
  if (passer_) active_ = passer_.get();
  half_way_ = direction_ * 0.5 * ahead;
  h_next_ = direction_ * ahead / active_->farthest_from_stages();
  flow_.set_careful(true);
}

/// Rows that depend on each other where the motion starts, and nowhere behind, leave more free there than the
/// motion has: its acceleration is the one that those behind the start tend to.
void Run::leave_singular_start() {
  const double span = options_.until - t_;
  if (!singularity_.watching() || singularity_.rank() == static_cast<int>(system_.row_names().size()) ||
      span == 0 || options_.keep != Stabilisation::projection)
    return;
  // Near enough for a parabola through three accelerations, far enough for what rows have left of each other.
  const double hop = 1e-4 * std::copysign(std::min(sizes_.time_scale(), std::fabs(span)), span);
  std::vector<double> ahead(y_.size()), limit(f_.size(), 0.0), f(f_.size());
  double apart = 0, weight[3] = {3, -3, 1};
  for (int k = 1; k <= 3; ++k) {
    sizes_.go_ahead(y_.data(), f_.data(), k * hop, ahead.data());
    if (!projector_(t_ + k * hop, ahead.data(), ahead.data() + flow_.coordinates(), modes_.now(), work_)
             .done ||
        !flow_(t_ + k * hop, ahead.data(), f.data()))
      return;
    const int rank = singularity_.rank_of(evaluate_at(state_of(t_ + k * hop, ahead.data())));
    if (rank <= singularity_.rank()) return;
    for (std::size_t i = 0; i < f.size(); ++i) limit[i] += weight[k - 1] * f[i];
    for (int i = flow_.coordinates(); i < flow_.controlled(); ++i)
      if (f[i] != f_[i]) apart = std::max(apart, std::fabs(f[i] - f_[i]) * sizes_.time_scale() / sizes_[i]);
  }
  if (apart > 1e-3) f_ = limit;
  leaves_singular_start_ = true;
  sizes_.forget_noise();
}

/// A run that ends near a singular position ends because of it: its rows belong to the reason.
void Run::name_dependent_rows() {
  if (!singularity_.watching()) return;
  // A run that never left its start may have begun in one.
  const bool at_start = t_ == t_start_ && singularity_.rank() < static_cast<int>(system_.row_names().size());
  if (!at_start && singularity_.nearness() > near_below) return;
  const std::vector<std::string> names =
      at_start ? singularity_.dependent_constraints() : singularity_.nearest_constraints();
  if (names.empty()) return;
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
  const StateView at = view_of(t_new_, between_);
  const std::span<const double> q = at.q;
  const auto filter = [&](double* error) {
    change_.assign(nv, 0.0);
    beside_.assign(q.begin(), q.end());
    for (int i = 0; i < nq; ++i) beside_[i] += error[i];
    displacement_between(system_, q, beside_, change_);
    keep_tangent_part(system_, Level::position, at, modes_.now(), work_, change_);
    rates(system_, {t_new_, q, change_}, work_, beside_);
    for (int i = 0; i < nq; ++i)
      if (system_.velocity_of_coordinate(i) >= 0) error[i] = beside_[i];
    for (const Rotation& r : system_.rotations())
      std::copy_n(beside_.begin() + r.coordinate, 4, error + r.coordinate);
    keep_tangent_part(system_, Level::velocity, at, modes_.now(), work_,
                      {error + nq, static_cast<std::size_t>(nv)});
  };
  const Attempt left = active_->filtered(attempt_, between_.data(), std::cref(filter));
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
  if (!singularity_.watching() || singularity_.nearness() >= careful_below) return 0.0;
  const double ahead = singularity_.time_to_singular();
  if (ahead < 4 * std::fabs(h_) || ahead > 1e-3 * std::fabs(t_new_ - t_start_)) return 0.0;
  const double left = singularity_.nearness() * singularity_.nearness();
  return std::min(0.01, 64 * std::numeric_limits<double>::epsilon() / left);
}

/// Steps end on either side of a singular position, not in it: what is lost there is never regained.
bool Run::near_singular_position() {
  // A row vanishes no faster than its part shrinks: far from a singular position there is nothing to look at.
  const bool may_evade = singularity_.watching() && stepper_->adaptive() &&
                         options_.keep == Stabilisation::projection && refusals_ < 20 &&
                         t_new_ != options_.until && singularity_.nearness() > evade_below;
  if (!may_evade || singularity_.time_to_singular() > 4 * std::fabs(h_)) return false;
  if (singularity_.nearness_of(evaluate_at(state_of(t_new_, y_new_.data()))) >= evade_below) return false;
  ++refusals_;
  ++evasions_;
  h_next_ = 0.9 * h_;
  return true;
}

/// A long step may turn rows around and back: its parts are looked at as steps are, on the cubic through both
/// ends.
void Run::look_inside(int parts) {
  const double h = t_new_ - t_;
  for (int k = 1; k < parts; ++k) {
    const double x = static_cast<double>(k) / parts, z = 1 - x;
    for (std::size_t i = 0; i < y_.size(); ++i)
      between_[i] =
          y_[i] + x * x * (3 - 2 * x) * (y_new_[i] - y_[i]) + h * x * z * (z * f_[i] - x * f_new_[i]);
    // Rows that depend on each other where the constraints hold need not do so beside it.
    if (options_.keep == Stabilisation::projection && !project(t_ + x * h, between_.data())) continue;
    singularity_.look(evaluate_at(state_of(t_ + x * h, between_.data())), t_ + x * h);
    find_rank_changes();
  }
}

void Run::find_rank_changes() {
  singularity_.find([this](double t) -> const Equations& { return evaluate_at(state_between(t)); },
                    out_.rank_changes);
}

/// Masses and forces; those on both sides of a switch that holds the motion, which cancel on it.
void Run::weigh(const Equations& at) {
  sizes_.weigh(at);
  modes_.add_forces(state_, sizes_);
}

/// Rank, misses and masses at the state to be accepted.
void Run::look_around() {
  // Masses change slowly: without rows they alone are looked at, and only now and then.
  constexpr long now_and_then = 16;
  const bool weighs =
      !system_.impl().sliding.empty() || (!system_.mass_constant() && out_.steps % now_and_then == 0);
  if (!singularity_.watching() && !weighs) return;
  const Equations& at = evaluate_at(state_of(t_new_, y_new_.data()));
  weigh(at);
  if (!singularity_.watching()) return;
  if (const int parts = singularity_.parts_to_look_at(at.A); parts > 1) {
    look_inside(parts);
    evaluate_at(state_of(t_new_, y_new_.data()));  // `at` is the new state again
  }
  singularity_.look(at, t_new_);
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
