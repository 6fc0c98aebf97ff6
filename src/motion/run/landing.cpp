#include "motion/run/landing.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/clones.hpp"
#include "motion/steppers/fours.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {
namespace {

/// Some roundings of a place, or of the terms of a row.
constexpr double rounding_of_rest = 16 * std::numeric_limits<double>::epsilon();

struct Ends {
  const double *from, *to, *size;
};

/// The largest change of a number beside its size. `move`: of velocities, what each moves; one that moves
/// nothing by a rounding in this time is none.
VINCULUM_CLONES
void find_largest_change(const Ends& ends, int first, int last, const double* move, double time,
                         double& most) {
  Four of_fours = {};
  for_fours(first, last, [&]<class Many>(int at, Many) __attribute__((always_inline)) {
    using X = typename Many::Number;
    const X to = read<Many>(ends.to, at), by = magnitude_of(to - read<Many>(ends.from, at));
    X size = read<Many>(ends.size, at);
    if (move != nullptr && time != 0) size += rounding_of_rest * read<Many>(move, at - first) / time;
    const X part = by / (size + magnitude_of(to));
    const X e = by == 0 ? X{} : part;
    if constexpr (std::is_same_v<Many, OneByOne>)
      most = larger_of(most, e);
    else
      of_fours = larger_of(of_fours, e);
  });
  for (int k = 0; k < 4; ++k) most = larger_of(most, of_fours[k]);
}

}  // namespace

bool Landing::project(double t, double* y) { return land(projector_, t, y); }

bool Landing::project_to_look(double t, double* y) {
  const std::span<const double> known = sizes_.rounding_of_rows();
  known_rounding_.assign(known.begin(), known.end());
  if (!looker_) looker_.emplace(system_, sizes_);
  const bool there = land(*looker_, t, y);
  sizes_.restore_rounding_of_rows(known_rounding_);
  return there;
}

bool Landing::land(Projector& projector, double t, double* y) {
  course_.use_modes_of(t);
  before_.assign(y, y + flow_.controlled());
  Projection p = projector(t, y, y + flow_.coordinates(), modes_.now(), work_);
  keep_momenta(system_, momenta_, {y, static_cast<std::size_t>(flow_.coordinates())},
               {y + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())});
  jumps_ = p.done && teleports(p, t, before_.data(), y);
  if (p.done && !jumps_) return true;
  Refusal& refusal = step_.refusal;
  refusal.cause = Refusal::Cause::rows;
  refusal.contradicts = p.contradicting;
  refusal.forget_names();
  // Where shorter steps are tried, the reason of the last one names them (stall_watch.cpp).
  if (p.row >= 0 && (p.contradicting || !course_.stepper->adaptive()))
    refusal.names = singularity_.constraints_beside(p.row, course_.evaluate_at(course_.state_of(t, y)));
  if (jumps_) p.row = most_missed(course_.state_of(t, before_.data()));
  refusal.missed = p;
  refusal.jumps = jumps_;
  return false;
}

/// A projection takes away an error, a small part of what the step has moved. One that moves as much as the
/// step does has left the curve: the constraint jumps or turns too sharply for the step.
bool Landing::teleports(const Projection& projection, double t, const double* before, const double* after) {
  if (changed(before, after) <= options_.tolerance) return false;
  const double part = course_.stepper->adaptive() ? 0.25 : 1.0;  // fixed steps may be as coarse as one likes
  if (projection.moved <= part * changed(step_.y.data(), before) + 1000 * options_.tolerance) return false;
  // A programme is told to the rounding of its terms and of time, which may be more than it has moved yet.
  measure_rounding_of_rows(course_.state_of(t, before));
  for (int i = 0; i < flow_.controlled(); ++i)
    if (std::fabs(after[i] - before[i]) > sizes_.rounding_of_rows(i) &&
        changed(before, after, i, i + 1) > options_.tolerance)
      return true;
  return false;
}

/// What the rounding of rows is a part of: their own terms, and what they change by in the time itself.
const Residuals& Landing::terms_of_rows(const State& at) {
  Residuals& size = terms_;
  residual_sizes(system_, at, work_, size);
  const SparseMatrix& rows = course_.evaluate_at(at).equations.A;
  for (int r = 0; r < rows.rows; ++r) {
    size.position[r] += std::fabs(at.t) * size.velocity[r];
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      size.velocity[r] += std::fabs(at.t * rows.value[k] * step_.f[flow_.coordinates() + rows.column[k]]);
  }
  return size;
}

void Landing::measure_rounding_of_rows(const State& at) {
  if (!course_.projects() || system_.row_names().empty()) return;
  if (singularity_.nearness() < careful_below) return;
  const Residuals& size = terms_of_rows(at);
  const SparseMatrix& rows = course_.evaluate_at(at).equations.A;
  std::vector<double>&place = rounding_of_place_, &velocity = rounding_of_velocity_;
  place.assign(flow_.velocities(), 0.0);
  velocity.assign(flow_.velocities(), 0.0);
  for (int r = 0; r < rows.rows; ++r) {
    double square = 0;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) square += rows.value[k] * rows.value[k];
    for (int k = rows.start[r]; k < rows.start[r + 1] && square > 0; ++k) {
      const double share = rounding_of_rest * std::fabs(rows.value[k]) / square;
      const int i = rows.column[k];
      place[i] = std::max(place[i], share * size.position[r]);
      velocity[i] = std::max(velocity[i], share * size.velocity[r]);
    }
  }
  sizes_.set_rounding_of_rows(place, velocity);
}

double Landing::changed(const double* from, const double* to) const {
  return changed(from, to, 0, flow_.controlled());
}

double Landing::changed(const double* from, const double* to, int first, int last) const {
  const int nq = flow_.coordinates(), velocity = std::max(first, nq);
  const Ends ends{from, to, sizes_.all().data()};
  const double* const move = sizes_.all_moves().data() + (velocity - nq);
  double most = 0;
  find_largest_change(ends, first, std::min(last, nq), nullptr, 0.0, most);
  find_largest_change(ends, velocity, last, move, course_.span(), most);
  return most;
}

bool Landing::step_to(double t, std::vector<double>& y) {
  course_.use_modes_of(t);
  made_ = course_.active->attempt(step_.t, step_.y.data(), step_.f.data(), t - step_.t, y.data());
  return made_.evaluated && made_.error <= 1 && (!course_.projects() || project(t, y.data()));
}

int Landing::most_missed(const State& at) {
  if (system_.row_names().empty()) return -1;
  residuals(system_, at, work_, misses_);
  residual_sizes(system_, at, work_, terms_);
  double most = 0;
  int row = 0;
  for (std::size_t r = 0; r < misses_.position.size(); ++r)
    for (const auto part : {&Residuals::position, &Residuals::velocity})
      if (const double missed = std::fabs((misses_.*part)[r]); missed > most * (terms_.*part)[r]) {
        most = missed / (terms_.*part)[r];
        row = static_cast<int>(r);
      }
  return row;
}

}  // namespace vinculum
