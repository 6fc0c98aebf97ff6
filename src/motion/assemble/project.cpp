#include "motion/assemble/project.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

constexpr int most_iterations = 12, most_patient_iterations = 60;
/// Newton's method squares the relative change: after a change this small the next one is rounding.
constexpr double last_change = 1e-9;
/// A change this small is rounding already.
constexpr double no_change = 4e-16;
/// More than this, relative to its terms, and a constraint is broken.
constexpr double contradiction_of_terms = 1e-8;

/// Rows that are passed over are watched by others.
void silence(const Mode& mode, std::vector<double>& residual) {
  for (std::size_t r = 0; r < mode.passed_over.size(); ++r)
    if (mode.passed_over[r]) residual[r] = 0.0;
}

int worst_of(const std::vector<double>& residual) {
  int worst = -1;
  double largest = -1;
  for (std::size_t r = 0; r < residual.size(); ++r)
    if (!(std::fabs(residual[r]) <= largest)) {
      largest = std::fabs(residual[r]);
      worst = static_cast<int>(r);
    }
  return worst;
}

}  // namespace

Projector::Projector(const System& system, const Sizes& sizes, bool patient)
    : system_(system), sizes_(sizes), patient_(patient) {
  x_.resize(system.velocity_names().size());
  coordinate_of_.assign(x_.size(), -1);
  for (int i = 0; i < static_cast<int>(system.coordinate_names().size()); ++i)
    if (const int v = system.velocity_of_coordinate(i); v >= 0) coordinate_of_[v] = i;
  rate_.resize(system.coordinate_names().size());
  plain_ = rate_.size() == x_.size();
  for (int i = 0; i < static_cast<int>(x_.size()); ++i) plain_ = plain_ && coordinate_of_[i] == i;
  position_.resize(system.row_names().size());
  velocity_.resize(system.row_names().size());
}

void Projector::move_positions(double t, double* q, Workspace& work) {
  if (!plain_) rates(system_, {t, {q, rate_.size()}, x_}, work, rate_);
  const std::vector<double>& by = plain_ ? x_ : rate_;
  for (std::size_t i = 0; i < by.size(); ++i) q[i] += by[i];
  renormalise(system_, {q, rate_.size()}, work);
}

/// The largest change in x, relative to the size of what it changes: along the motion, before and after it.
double Projector::change_of(Level level, const double* q, const double* v) const {
  const bool of_position = level == Level::position;
  double change = 0;
  for (int i = 0; i < static_cast<int>(x_.size()); ++i) {
    if (x_[i] == 0) continue;
    if (!std::isfinite(x_[i])) return INFINITY;
    const int own = of_position ? coordinate_of_[i] : i;
    const double at = own >= 0 ? (of_position ? q : v)[own] : 0.0;
    const double size = of_position ? sizes_.of_move(i) : sizes_.of_velocity(i);
    change = std::max(change, std::fabs(x_[i]) / (size + std::max(std::fabs(at), std::fabs(at + x_[i]))));
  }
  return change;
}

bool Projector::run(Level level, double t, double* q, double* v, const Mode& mode, Workspace& work,
                    std::span<const char> fixed, Projection& report) {
  const std::size_t nq = rate_.size(), nv = x_.size();
  const StateView at{t, {q, nq}, {v, nv}};
  const bool of_position = level == Level::position;
  std::vector<double>& residual = of_position ? position_ : velocity_;
  double before = INFINITY;
  const int most = patient_ ? most_patient_iterations : most_iterations;
  for (int pass = 0; pass <= most; ++pass) {
    if (!correction(system_, level, at, mode, work, x_, residual, fixed)) break;
    if (pass == 0 && report.row < 0) report.row = worst_of(residual);
    const double change = change_of(level, q, v);
    if (change <= no_change) return true;
    if (!std::isfinite(change) || (pass > 3 && change >= (patient_ ? 1.0 : 0.5) * before)) break;
    report.moved = std::max(report.moved, change);
    if (of_position)
      move_positions(t, q, work);
    else
      for (std::size_t i = 0; i < nv; ++i) v[i] += x_[i];
    if (change <= last_change) {
      residual_known_ = false;
      return true;
    }
    before = change;
  }
  if (is_rounding(of_position, at, mode, work, rounding_of_terms)) return true;
  report.row = worst_of(residual);
  report.miss = report.row >= 0 ? residual[report.row] : 0;
  report.of_velocity = !of_position;
  return false;
}

/// Newton's method ends at a state that satisfies the constraints; the nearest one satisfies them and differs
/// from the start by a combination of their rows there. From any state: the smallest change from the start
/// that meets the constraints as they look here, again and again.
void Projector::approach_nearest(Level level, double t, double* q, double* v, const Mode& mode,
                                 Workspace& work, std::span<const char> fixed,
                                 const std::vector<double>& start) {
  const bool of_position = level == Level::position;
  const std::size_t nq = rate_.size(), nv = x_.size();
  double* const at = of_position ? q : v;
  std::vector<double>& residual = of_position ? position_ : velocity_;
  const std::vector<double> found(at, at + start.size());
  std::vector<double> from(nv);
  double before = INFINITY;
  for (int pass = 0; pass < most_patient_iterations; ++pass) {
    if (!of_position)
      for (std::size_t i = 0; i < nv; ++i) from[i] = v[i] - start[i];
    else if (!displacement_between(system_, start, {q, nq}, from))
      return;  // no measure of how far it is: what Newton's method found stands
    double change = 0;
    const bool good =
        correction(system_, level, {t, {q, nq}, {v, nv}}, mode, work, x_, residual, fixed, from);
    for (int i = 0; good && i < static_cast<int>(nv); ++i) {
      const double size = of_position ? sizes_.of_move(i) : sizes_.of_velocity(i);
      if (x_[i] != from[i]) change = std::max(change, std::fabs(x_[i] - from[i]) / (size + std::fabs(x_[i])));
      if (!of_position) v[i] = start[i] + x_[i];
    }
    if (good && of_position) {
      displace(system_, start, x_, {q, nq});
      renormalise(system_, {q, nq}, work);
    }
    if (!good || !(change < 2 * before)) {  // turns too sharply for this: what Newton's method found stands
      std::copy(found.begin(), found.end(), at);
      return;
    }
    if (change <= 1e-12) return;
    before = change;
  }
}

/// Near a singular position the last change is rounding divided by something small; the misses themselves
/// tell.
bool Projector::is_rounding(bool of_position, const StateView& at, const Mode& mode, Workspace& work,
                            double part) {
  residuals(system_, at, work, miss_);
  residual_sizes(system_, at, work, size_);
  (of_position ? position_ : velocity_) = of_position ? miss_.position : miss_.velocity;
  silence(mode, of_position ? position_ : velocity_);
  std::vector<double>& terms = of_position ? position_terms_ : velocity_terms_;
  terms = of_position ? size_.position : size_.velocity;
  // A change of any coordinate by its own rounding shows in the rows it stands in.
  const SparseMatrix& rows = evaluate(system_, at, mode, work).equations.A;
  for (int r = 0; r < rows.rows; ++r)
    for (const auto [i, value] : row_of(rows, r))
      terms[r] += std::fabs(value) * (of_position ? sizes_.of_move(i) : sizes_.of_velocity(i));
  return are_rounding(of_position, part);
}

/// Beside the terms as they were found last.
bool Projector::are_rounding(bool of_position, double part) const {
  const std::vector<double>& residual = of_position ? position_ : velocity_;
  const std::vector<double>& terms = of_position ? position_terms_ : velocity_terms_;
  for (std::size_t r = 0; r < residual.size(); ++r)
    if (residual[r] != 0 && (terms.empty() || !(std::fabs(residual[r]) <= part * terms[r]))) return false;
  return true;
}

/// Rows that depend on each other may disagree where no change of the state helps: what is left is then
/// judged by itself, as a start is.
bool Projector::agrees(const StateView& at, const Mode& mode, Workspace& work, Projection& report) {
  for (const bool of_position : {true, false}) {
    if (are_rounding(of_position, rounding_of_terms)) continue;
    if (is_rounding(of_position, at, mode, work, contradiction_of_terms)) continue;
    const std::vector<double>& residual = of_position ? position_ : velocity_;
    report.row = worst_of(residual);
    report.miss = residual[report.row];
    report.of_velocity = !of_position;
    return false;
  }
  return true;
}

bool Projector::agrees(std::span<const double> position, std::span<const double> velocity,
                       const StateView& at, const Mode& mode, Workspace& work) {
  position_.assign(position.begin(), position.end());
  velocity_.assign(velocity.begin(), velocity.end());
  Projection report;
  return agrees(at, mode, work, report);
}

Projection Projector::operator()(double t, double* q, double* v, const Mode& mode, Workspace& work,
                                 const Fixed& fixed) {
  const StateView at{t, {q, rate_.size()}, {v, x_.size()}};
  Projection report;
  residual_known_ = true;
  renormalise(system_, {q, rate_.size()}, work);
  const std::vector<double> start_q(patient_ ? q : q + rate_.size(), q + rate_.size());
  const std::vector<double> start_v(patient_ ? v : v + x_.size(), v + x_.size());
  const auto reach = [&](Level level, std::span<const char> held, const std::vector<double>& start) {
    if (!run(level, t, q, v, mode, work, held, report)) return false;
    if (!patient_ || report.moved <= last_change) return true;
    approach_nearest(level, t, q, v, mode, work, held, start);
    return run(level, t, q, v, mode, work, held, report);
  };
  report.done = reach(Level::position, fixed.position, start_q) &&
                (fixed.all_velocities || reach(Level::velocity, fixed.velocity, start_v));
  if (report.done && !residual_known_) {
    misses(system_, at, work, position_, velocity_);
    silence(mode, position_);
    silence(mode, velocity_);
  }
  if (report.done && !patient_ && !agrees(at, mode, work, report)) {
    report.done = false;
    report.contradicting = true;
  }
  return report;
}

}  // namespace vinculum
