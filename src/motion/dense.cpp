#include "vinculum/motion/dense.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "motion/assemble/project.hpp"
#include "motion/run/run.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/system/lagrangian.hpp"

namespace vinculum {

namespace {

/// What brings a state that was read back to its constraints.
struct Projecting {
  Projecting(const System& system, const State& at)
      : work(system), sizes(system, at, work), project(system, sizes) {}
  Workspace work;
  Sizes sizes;
  Projector project;
};

}  // namespace

struct DenseTrajectory::Impl {
  Impl(const System& s, const State& start, const MotionOptions& options)
      : system(s), keep(options.keep), trajectory(simulate(s, start, options, &steps)) {}
  const System& system;
  Stabilisation keep;
  std::vector<StepPolynomial> steps;
  Trajectory trajectory;
  std::mutex reading;                      // any thread may read; one at a time projects
  std::unique_ptr<Projecting> projecting;  // made when first asked for
};

DenseTrajectory::DenseTrajectory(const System& system, const State& start, const MotionOptions& options)
    : impl_(std::make_unique<Impl>(system, start, options)) {}
DenseTrajectory::~DenseTrajectory() = default;
DenseTrajectory::DenseTrajectory(DenseTrajectory&&) noexcept = default;
DenseTrajectory& DenseTrajectory::operator=(DenseTrajectory&&) noexcept = default;

const Trajectory& DenseTrajectory::trajectory() const { return impl_->trajectory; }

State DenseTrajectory::at(double t, bool projected) const {
  Impl& d = *impl_;
  if (t == d.trajectory.last.t) return d.trajectory.last;  // a run may end before its last step does
  if (d.steps.empty()) fail("the motion has no step to read: " + d.trajectory.reason);
  const double from = d.steps.front().t, to = d.trajectory.last.t, direction = to < from ? -1 : 1;
  if (!(direction * (t - from) >= 0 && direction * (to - t) >= 0))
    fail("the motion covers t = " + number_text(from) + " to " + number_text(to) + "; t = " + number_text(t) +
         " was asked for");
  const auto later = std::upper_bound(
      d.steps.begin(), d.steps.end(), t,
      [direction](double time, const StepPolynomial& step) { return direction * (step.t - time) > 0; });
  const StepPolynomial& step = *(later - 1);
  // A step whose polynomial could not be made has left a gap; the one before it says nothing about it.
  if (direction * (t - step.t) > (1 + 1e-9) * std::fabs(step.h))
    fail("the motion could not be read between its steps at t = " + number_text(t) +
         ": its forces are not finite everywhere there");
  std::vector<double> y(step.size);
  step.at((t - step.t) / step.h, y.data());
  State state;
  state.t = t;
  const auto nq = static_cast<std::ptrdiff_t>(d.system.coordinate_names().size());
  const auto nv = static_cast<std::ptrdiff_t>(d.system.velocity_names().size());
  state.q.assign(y.begin(), y.begin() + nq);
  state.v.assign(y.begin() + nq, y.begin() + nq + nv);
  if (!projected) return state;
  const std::lock_guard alone(d.reading);
  if (!d.projecting) d.projecting = std::make_unique<Projecting>(d.system, state);
  d.projecting->sizes = Sizes(d.system, state, d.projecting->work);
  if (const Projection p = d.projecting->project(t, state.q.data(), state.v.data(), {}, d.projecting->work);
      !p.done)
    fail("the state at t = " + number_text(t) + " could not be projected onto constraint '" +
         d.system.constraints()[d.system.constraint_of_row(p.row)].name + "'");
  return state;
}

namespace {

/// The integral of L along the polynomial of one step, halved where its halves do not agree with it.
class ActionOfStep {
 public:
  ActionOfStep(const System& system, Lagrangian& lagrangian, const StepPolynomial& step, double span)
      : nq_(system.coordinate_names().size()),
        nv_(system.velocity_names().size()),
        lagrangian_(lagrangian),
        step_(step),
        span_(std::fabs(span)),
        y_(step.size) {}
  double operator()(double from, double to) { return refined(from, to, quadrature(from, to), 0); }

 private:
  double refined(double from, double to, double whole, int depth) {
    const double middle = 0.5 * (from + to), first = quadrature(from, middle),
                 second = quadrature(middle, to);
    const bool agree = std::fabs(first + second - whole) <= 1e-13 * size_ * std::fabs(to - from);
    const bool fine = std::fabs(to - from) <= most_unseen * span_;
    if ((agree && fine) || depth == 30 || !std::isfinite(first + second)) return first + second;
    return refined(from, middle, first, depth + 1) + refined(middle, to, second, depth + 1);
  }
  /// Gauss's, of order 12; L is as smooth as the polynomial, of order 7, and as what it depends on.
  double quadrature(double from, double to) {
    static constexpr double node[] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
    static constexpr double weight[] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
    const double half = 0.5 * (to - from);
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      for (const double side : {-1.0, 1.0}) {
        const double t = from + half * (1 + side * node[i]);
        step_.at((t - step_.t) / step_.h, y_.data());
        const double value = lagrangian_(t, {y_.data(), nq_}, {y_.data() + nq_, nv_});
        size_ = std::max(size_, std::fabs(value));
        sum += half * weight[i] * value;
      }
    return sum;
  }
  static constexpr double most_unseen = 1.0 / 64;  // of the motion, without a look at L in between
  std::size_t nq_, nv_;
  Lagrangian& lagrangian_;
  const StepPolynomial& step_;
  double span_, size_ = 0;
  std::vector<double> y_;
};

}  // namespace

double DenseTrajectory::action() const {
  const Impl& d = *impl_;
  Lagrangian lagrangian(d.system);
  const double until = d.trajectory.last.t, span = until - d.trajectory.first.t;
  double sum = 0;
  for (std::size_t k = 0; k < d.steps.size(); ++k) {
    const StepPolynomial& step = d.steps[k];
    const double end = k + 1 < d.steps.size() ? d.steps[k + 1].t : until;
    if (std::fabs(end - step.t) > (1 + 1e-9) * std::fabs(step.h)) return NAN;
    sum += ActionOfStep(d.system, lagrangian, step, span)(step.t, end);
  }
  return sum;
}

}  // namespace vinculum
