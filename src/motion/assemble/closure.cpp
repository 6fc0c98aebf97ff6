#include "motion/assemble/closure.hpp"

#include <algorithm>
#include <cmath>

#include "motion/assemble/assembly_search.hpp"
#include "motion/assemble/project.hpp"
#include "system/system_impl.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// Noise of the size of the closure makes parts of rows beyond the others that are some times as large; parts
/// below a millionth are passed over inside steps in any case.
constexpr double part_of_noise = 10, least_part = 1e-6;
/// What is less than this of its terms is rounding: rows that follow from others so well are redundant, and
/// their gaps are nothing.
constexpr double rounding = 2e-14;
/// The gap of a row that is passed over is the noise times what the others have of it: where one has this
/// much more of the noise, it is passed over in its place.
constexpr double much_larger = 2;
/// Choosing rows beyond this takes too long.
constexpr int most_rows = 3000;

/// What a move of each velocity is, that is as large as the machine: its extent, a radian, and the size of a
/// coordinate. 0 where nothing tells.
std::vector<double> moves_of(const System& system, const State& at, const SparseMatrix& a, Workspace& work) {
  const Sizes sizes(system, at, work);
  const std::vector<int>& kin = system.impl().kin;
  const int n = static_cast<int>(at.v.size());
  enum class Kind { plain, place, turning };
  std::vector<Kind> kind(n, Kind::plain);
  for (const Rotation& r : system.rotations()) std::fill_n(kind.begin() + r.velocity, 3, Kind::turning);
  for (int i = 0; i + 1 < n; ++i)
    if (kind[i] == Kind::plain && kin[i] == i && kin[i + 1] == i)
      std::fill_n(kind.begin() + i, 3, Kind::place);
  // The extent of what has a place, and arms from there to where rows hold it.
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
  for (int c = 0; c < static_cast<int>(at.q.size()); ++c) {
    const int v = system.velocity_of_coordinate(c);
    if (v < 0 || kind[v] != Kind::place) continue;
    const int axis = v - kin[v];
    low[axis] = std::min(low[axis], at.q[c]);
    high[axis] = std::max(high[axis], at.q[c]);
  }
  for (int axis = 0; axis < 3; ++axis) extent = std::max(extent, high[axis] - low[axis]);
  for (int r = 0; r < a.rows; ++r) {
    double place = 0, turning = 0;
    for (const auto [i, value] : row_of(a, r)) {
      if (kind[i] == Kind::place) place = std::max(place, std::fabs(value));
      if (kind[i] == Kind::turning) turning = std::max(turning, std::fabs(value));
    }
    if (system.order_of_row(r) == 0 && place > 0) extent = std::max(extent, turning / place);
  }
  std::vector<double> moves(n);
  for (int i = 0; i < n; ++i)
    moves[i] = kind[i] == Kind::turning ? 1.0 : kind[i] == Kind::place ? extent : sizes.kin(i).move;
  return moves;
}

/// The rows of order 0; the others are nothing.
SparseMatrix rows_of_places(const System& system, const State& at, Workspace& work) {
  SparseMatrix a = evaluate_stated(system, at, work).A;
  for (int r = 0; r < a.rows; ++r)
    if (system.order_of_row(r) != 0)
      std::fill(a.value.begin() + a.start[r], a.value.begin() + a.start[r + 1], 0.0);
  return a;
}

std::vector<double> position_misses(const System& system, const State& at, Workspace& work) {
  Residuals miss;
  residuals(system, at, work, miss);
  return miss.position;
}

/// Onto the rows that are not passed over.
bool reach(const System& system, State& at, const Mode& mode, Workspace& work) {
  const Sizes sizes(system, at, work);
  Projector project(system, sizes, true);
  return project(at.t, at.q.data(), at.v.data(), mode, work).done;
}

bool within(const System& system, const State& at, const std::vector<char>& rows, double closure,
            Workspace& work) {
  const std::vector<double> miss = position_misses(system, at, work),
                            allowed = allowed_gaps(system, at, closure, work);
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r] && !(std::fabs(miss[r]) <= allowed[r])) return false;
  return true;
}

/// Rows that depend on each other here and nowhere else, as those of a stretched chain do, open as soon as
/// the state is another.
bool stay_closed(const System& system, const State& at, const Mode& mode, double closure, Workspace& work) {
  const std::vector<char> all(at.v.size(), 1), none(at.v.size(), 0);
  bool looked = false;
  for (const double size : {0.1, -0.03}) {
    State beside = moved_aside(system, at, all, none, size, work);
    if (!reach(system, beside, mode, work)) continue;
    looked = true;
    if (!within(system, beside, mode.passed_over, closure, work)) return false;
  }
  return looked;
}

/// Joints are drawn. An equation, or a programme, is meant as it is written.
bool may_pass(const System& system, int row) {
  const int constraint = system.constraint_of_row(row);
  const auto is_joint = [&](const JointData& joint) { return joint.constraint == constraint; };
  return system.order_of_row(row) == 0 && std::ranges::any_of(system.impl().model.joints(), is_joint);
}

}  // namespace

NearRows::NearRows(const System& system, const State& at, Workspace& work)
    : system_(system),
      a_(rows_of_places(system, at, work)),
      weight_(moves_of(system, at, a_, work)),
      watch_(a_) {
  for (double& w : weight_) w = w > 0 ? w * w : 1.0;
}

void NearRows::look(const State& at, Workspace& work) { a_ = rows_of_places(system_, at, work); }

std::vector<char> NearRows::marked(double part) {
  if (!watch_.possible()) return {};
  std::vector<char> rows = watch_.dependent_rows(a_, weight_, part * part);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = rows[r] && length(static_cast<int>(r)) > 0;
  if (std::ranges::find(rows, 1) == rows.end()) return {};
  choose_better(rows);
  for (int r = 0; r < static_cast<int>(rows.size()); ++r)
    if (rows[r] && !may_pass(system_, r)) return {};
  return rows;
}

bool NearRows::choose_better(std::vector<char>& rows) {
  bool any = false;
  const long most_swaps = 4 * std::ranges::count(rows, 1) + 8;
  for (int swaps = 0; swaps < most_swaps; ++swaps) {
    leave_out(rows);
    int out = -1, in = -1;
    double most = much_larger;
    for (int r = 0; r < a_.rows; ++r) {
      if (!rows[r]) continue;
      const std::vector<double> u = watch_.null_vector(r);
      for (int other = 0; other < a_.rows; ++other) {
        if (rows[other] || u[other] == 0 || !may_pass(system_, other)) continue;
        const double part = std::fabs(u[other]) * length(other) / length(r);
        if (part > most) most = part, out = other, in = r;
      }
    }
    if (out < 0) break;
    rows[out] = 1;
    rows[in] = 0;
    any = true;
  }
  return any;
}

void NearRows::leave_out(const std::vector<char>& rows) {
  watch_.leave_out(rows);
  watch_.look(a_, weight_);
}

double NearRows::left_over(int row) {
  std::vector<double> u = watch_.null_vector(row);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> left = times(force_of(u));
    left[row] = 0.0;
    watch_.solve(left);
    for (int r = 0; r < a_.rows; ++r)
      if (r != row) u[r] -= left[r];
  }
  const std::vector<double> force = force_of(u);
  double sum = 0, terms = 0;
  for (std::size_t i = 0; i < force.size(); ++i) sum += force[i] * force[i] / weight_[i];
  for (int r = 0; r < a_.rows; ++r) terms += std::fabs(u[r]) * length(r);
  return sum > 0 ? std::sqrt(sum) / terms : 0.0;
}

double NearRows::length(int row) const {
  double sum = 0;
  for (const auto [i, value] : row_of(a_, row)) sum += value * value * weight_[i];
  return std::sqrt(sum);
}

/// W A^T u
std::vector<double> NearRows::force_of(const std::vector<double>& u) const {
  std::vector<double> y(weight_.size(), 0.0);
  for (int r = 0; r < a_.rows; ++r) row_of(a_, r).add_to(y, u[r]);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= weight_[i];
  return y;
}

std::vector<double> NearRows::times(const std::vector<double>& x) const {
  std::vector<double> y(a_.rows);
  for (int r = 0; r < a_.rows; ++r) y[r] = row_of(a_, r).dot(x);
  return y;
}

std::vector<double> allowed_gaps(const System& system, const State& state, double closure, Workspace& work) {
  const SparseMatrix a = rows_of_places(system, state, work);
  const std::vector<double> moves = moves_of(system, state, a, work);
  std::vector<double> allowed(a.rows, 0.0);
  for (int r = 0; r < a.rows; ++r)
    for (const auto [i, value] : row_of(a, r)) allowed[r] += closure * std::fabs(value) * moves[i];
  return allowed;
}

std::vector<char> rows_to_pass_over(const System& system, const State& near, double closure,
                                    Workspace& work) {
  const int rows = static_cast<int>(system.row_names().size());
  if (!(closure > 0) || rows == 0 || rows > most_rows || system.mechanics() == Mechanics::vakonomic ||
      system.impl().model.joints().empty())
    return {};
  NearRows found(system, near, work);
  Mode mode;
  mode.passed_over = found.marked(std::max(least_part, part_of_noise * closure));
  if (mode.passed_over.empty()) return {};
  State at = near;
  if (!reach(system, at, mode, work) || !within(system, at, mode.passed_over, closure, work)) return {};
  // At the state that the others are met at, noise shows in the rows or in their gaps.
  NearRows there(system, at, work);
  there.leave_out(mode.passed_over);
  const std::vector<double> miss = position_misses(system, at, work),
                            whole = allowed_gaps(system, at, 1.0, work);
  bool noisy = false;
  for (int r = 0; r < rows; ++r)
    if (mode.passed_over[r] && !(whole[r] > 0)) return {};  // nothing tells how large it is
  for (int r = 0; r < rows && !noisy; ++r)
    noisy =
        mode.passed_over[r] && (std::fabs(miss[r]) > rounding * whole[r] || there.left_over(r) > rounding);
  if (!noisy || !stay_closed(system, at, mode, closure, work)) return {};
  return mode.passed_over;
}

WiderClosure wider_closure(const System& system, const State& near, double closure, Workspace& work) {
  constexpr std::size_t most = 300;
  if (system.row_names().size() > most) return {};
  for (int power = -12; power <= -2; ++power)
    if (const double wider = std::pow(10.0, power); wider > closure)
      if (std::vector<char> rows = rows_to_pass_over(system, near, wider, work); !rows.empty())
        return {wider, std::move(rows)};
  return {};
}

std::vector<PassedOver> gaps_of(const System& system, const State& at, const std::vector<char>& rows,
                                double closure, Workspace& work) {
  std::vector<PassedOver> out;
  if (rows.empty()) return out;
  const std::vector<double> miss = position_misses(system, at, work),
                            allowed = allowed_gaps(system, at, closure, work);
  for (int r = 0; r < static_cast<int>(rows.size()); ++r)
    if (rows[r])
      out.push_back({r, system.row_names()[r], system.constraints()[system.constraint_of_row(r)].name,
                     std::fabs(miss[r]), allowed[r]});
  return out;
}

}  // namespace vinculum
