#include "vinculum/equation/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "equation/certificate/circuits.hpp"
#include "equation/certificate/finite.hpp"
#include "equation/dense/roads.hpp"
#include "equation/dense/units.hpp"
#include "equation/row_powers.hpp"
#include "equation/sparse/fast.hpp"
#include "equation/sparse/sparse_rank.hpp"
#include "equation/sparse/structure.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

void check_size(const char* what, std::size_t is, int should_be, const char* of) {
  if (is == static_cast<std::size_t>(should_be)) return;
  fail("solve: " + std::string(what) + " has " + std::to_string(is) + " entries; " + of + " asks for " +
       std::to_string(should_be));
}

/// Sizes that do not fit together are misuse, not a result.
void check_sizes(const Equations& at) {
  const int n = at.coordinates(), m = at.rows();
  if (at.M.columns != n)
    fail("solve: M has " + std::to_string(n) + " rows and " + std::to_string(at.M.columns) +
         " columns; it must be square");
  if (at.A.columns != n && m > 0)
    fail("solve: A has " + std::to_string(at.A.columns) + " columns; M asks for " + std::to_string(n));
  check_size("Q", at.Q.size(), n, "M");
  check_size("b", at.b.size(), m, "A");
  if (!at.C.empty()) check_size("C", at.C.size(), n, "M");
}

bool small_enough(const Equations& at, const SolveOptions& options) {
  return std::max(at.coordinates(), at.rows()) <= options.robust_limit;
}

bool has_answer(const Solution& out) {
  return out.status == Status::solved || (out.status == Status::contradicting && out.coordinates.empty());
}

/// Finite numbers may ask for an acceleration that no double holds.
void name_overflow(Solution& out) {
  if (out.status != Status::solved) return;
  for (std::size_t i = 0; i < out.acceleration.size(); ++i)
    if (!std::isfinite(out.acceleration[i])) out.coordinates.push_back(static_cast<int>(i));
  if (out.coordinates.empty()) return;
  out.status = Status::not_finite;
  out.term = 'q';
}

/// M is symmetric to rounding; said here because only one of its triangles may count on some road.
void check_symmetry(const SparseMatrix& m) {
  const std::vector<double> dense = m.dense();
  const std::size_t n = m.rows;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double a = dense[i * n + j], b = dense[j * n + i];
      if (std::abs(a - b) > 1e-12 * (std::abs(a) + std::abs(b)))
        fail("solve: M is not symmetric: entry (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
             std::to_string(a) + ", its mirror image " + std::to_string(b));
    }
}

/// One of the roads that work densely, with its certificate.
void solve_by_dense_road(const Structure& structure, const Equations& at, Road road,
                         const SolveOptions& options, Solution& out) {
  const dense::Vector unit = dense::units_of(at, structure.impl().kin);
  const dense::Problem problem = dense::to_problem(at, unit);
  out.road_used = road;
  const dense::Trace trace = road == Road::lagrange ? dense::lagrange_road(problem, options, out)
                             : road == Road::gauss  ? dense::gauss_road(problem, options, out)
                                                    : dense::robust_road(problem, options, out);
  if (road != Road::robust && (options.detail == Detail::full || out.status == Status::contradicting)) {
    // The witnesses answer; which rows depend on which, and which contradict, is looked up in one place for
    // all roads.
    Solution looked_up;
    dense::robust_road(problem, options, looked_up);
    out.rows = std::move(looked_up.rows);
    out.gap = looked_up.gap;
    out.singular_value_near = looked_up.singular_value_near;
    if (looked_up.rank == out.rank) out.dependencies = std::move(looked_up.dependencies);
  }
  if (options.detail == Detail::full && has_answer(out))
    dense::certify(problem, trace, options.rank_tolerance, out);
  dense::restore(unit, out);
  name_overflow(out);
}

/// The answer of the fast road drowns in the metric of a light coordinate: a row is missed by more than its
/// own terms know of, or rows were dropped beside one so light that they look alike (pivots are squares of
/// lengths: 1e-14 is beyond them). Where no coordinate is light this is not asked.
bool drowns(const Equations& at, SolveWorkspace& work, const Solution& out) {
  SolveWorkspace::Impl& w = work.impl();
  // Most systems are told apart at sight; of others the units may be to blame.
  if (!(w.lightest < drowned * w.heaviest) || at.rows() == 0) return false;
  diagonal_of(at.M, w.mass);
  const double least = least_part(w.mass, at.A, w.part);
  if (!(least < drowned)) return false;
  if (!out.multipliers_unique && least < 1e-14) return true;
  for (int i = 0; i < at.rows(); ++i) {
    double residual = -at.b[i], terms = std::abs(at.b[i]);
    for (const auto [column, value] : row_of(at.A, i)) {
      const double term = value * out.acceleration[column];
      residual += term;
      terms += std::abs(term);
    }
    if (!(std::abs(residual) <= 1e-12 * terms)) return true;
  }
  return false;
}

/// The row that the answer misses by the largest part of its terms.
int worst_row(const Equations& at, const std::vector<double>& acceleration) {
  int worst = 0;
  double largest = -1.0;
  for (int i = 0; i < at.rows(); ++i) {
    double residual = -at.b[i], terms = std::abs(at.b[i]);
    for (const auto [column, value] : row_of(at.A, i)) {
      const double term = value * acceleration[column];
      residual += term;
      terms += std::abs(term);
    }
    const double part = residual == 0.0 ? 0.0 : std::abs(residual) / terms;
    if (!(part <= largest)) {
      worst = i;
      largest = std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
    }
  }
  return worst;
}

void write_uncertified(const Equations& at, Solution& out) {
  out.status = Status::uncertified;
  out.road_used = Road::fast;
  if (at.rows() > 0 && out.acceleration.size() == at.Q.size())
    out.rows.assign(1, worst_row(at, out.acceleration));
}

/// What the fast road does not know - rank by singular values, least-norm multipliers, freedom, dependencies
/// - from the robust one. Where both disagree on the rank, or the certificate of the fast answer fails, the
/// robust answer stands.
void complete(const Structure& structure, const Equations& at, const SolveOptions& options, Solution& out) {
  const dense::Vector unit = dense::units_of(at, structure.impl().kin);
  const dense::Problem problem = dense::to_problem(at, unit);
  dense::restore(unit.cwiseInverse(), out);
  Solution exact;
  start_over(exact, out.road_asked);
  exact.road_used = Road::robust;
  const dense::Trace trace = dense::robust_road(problem, options, exact);
  // The fast road may leave the rank open (-1).
  if (exact.status == Status::solved && (out.rank < 0 || exact.rank == out.rank)) {
    Solution both = exact;
    both.road_used = Road::fast;
    both.free_acceleration = out.free_acceleration;
    both.dissatisfaction = out.dissatisfaction;
    both.acceleration = out.acceleration;
    both.deviation = out.deviation;
    both.gaussian = out.gaussian;
    dense::certify(problem, trace, options.rank_tolerance, both);
    if (both.certificate.holds()) {
      out = std::move(both);
      return dense::restore(unit, out);
    }
  }
  if (has_answer(exact)) dense::certify(problem, trace, options.rank_tolerance, exact);
  out = std::move(exact);
  dense::restore(unit, out);
}

/// (26) of Fan et al. without dense matrices: Gauss's function of a system that C pushes as Q does. Gives
/// that system, too.
dense::Pushed extend_gaussian(const Structure& structure, const Equations& at, Solution& out,
                              const SolveOptions& options) {
  out.extended_gaussian = out.gaussian;
  if (at.C.empty()) return {out.free_acceleration, {}};
  Equations pushed = at;
  for (std::size_t i = 0; i < at.C.size(); ++i) pushed.Q[i] += at.C[i];
  pushed.C.clear();
  Solution by_force;
  SolveWorkspace work(structure);
  start_over(by_force, options.road);
  const bool answered = fast_road(structure, pushed, work, by_force, options);
  out.extended_gaussian = answered ? by_force.gaussian : std::numeric_limits<double>::quiet_NaN();
  if (!answered) by_force.multipliers.clear();
  return {std::move(by_force.free_acceleration), std::move(by_force.multipliers)};
}

/// Multipliers that make up for what A^T lambda has too little of a force in the span of the rows: against a
/// push the other way nothing moves.
dense::Vector missing_multipliers(const Structure& structure, const Equations& at,
                                  const dense::Vector& lambda, const Solution& out,
                                  const SolveOptions& options) {
  Equations held = at;
  for (std::size_t i = 0; i < held.Q.size(); ++i) held.Q[i] = -out.constraint_force[i];
  for (int r = 0; r < at.rows(); ++r) row_of(at.A, r).add_to(held.Q, lambda(r));
  held.b.assign(at.rows(), 0.0);
  held.C.clear();
  SolveWorkspace work(structure);
  Solution by_push;
  start_over(by_push, options.road);
  const bool answered = fast_road(structure, held, work, by_push, options);
  return answered ? dense::to_vector(by_push.multipliers) : dense::Vector::Zero(at.rows());
}

/// Multipliers of least norm and their freedom, from the combinations of rows that vanish: as far as rounding
/// goes, which is then made up for.
void take_freedom(const Structure& structure, const Equations& at, const SparseRank& found,
                  const SolveOptions& options, Solution& out) {
  out.multipliers_unique = found.rank == static_cast<int>(out.multipliers.size());
  out.dependencies = found.dependencies;
  if (out.dependencies.empty()) return;
  const dense::Matrix free = dense::freedom(out.dependencies, static_cast<int>(out.multipliers.size()));
  dense::Vector lambda = dense::to_vector(out.multipliers);
  const auto make_least = [&free](dense::Vector x) -> dense::Vector {
    return x - free * (free.transpose() * x);
  };
  lambda = make_least(make_least(lambda));
  lambda += make_least(missing_multipliers(structure, at, lambda, out, options));
  dense::store(lambda, out.multipliers);
  dense::write_freedom(free, out);
}

/// The same as complete() without dense matrices, where the rank is beyond doubt. Else false.
bool complete_sparsely(const Structure& structure, const Equations& at, const SolveOptions& options,
                       Solution& out) {
  const SparseRank found = look_at_rank(at);
  if (!found.certain) return false;
  out.rank = found.rank;
  out.singular_value_near = found.smallest < 1e3 * options.rank_tolerance ? found.smallest : 0.0;
  take_freedom(structure, at, found, options, out);
  const dense::Pushed pushed = extend_gaussian(structure, at, out, options);
  dense::certify_large(at, pushed, found.smallest, out);
  return true;
}

/// What Detail::full adds to the fast answer: densely where that costs nothing, sparsely where the rank is
/// beyond doubt, densely again where it is not and there is room.
void add_extras(const Structure& structure, const Equations& at, const SolveOptions& options, Solution& out) {
  constexpr int small_size = 120;
  const int size = std::max(at.coordinates(), at.rows());
  if (size > std::min(small_size, options.robust_limit) && complete_sparsely(structure, at, options, out))
    return;
  if (small_enough(at, options)) return complete(structure, at, options, out);
  dense::certify_large(at, extend_gaussian(structure, at, out, options), 0.0, out);
}

}  // namespace

void start_over(Solution& out, Road asked) {
  out.status = Status::solved;
  out.road_asked = asked;
  out.road_used = asked;
  out.doubt = Doubt::none;
  out.rank = 0;
  out.gaussian = out.extended_gaussian = 0.0;
  out.singular_value_near = 0.0;
  out.multipliers_unique = true;
  out.saddle = false;
  out.freedom.clear();
  out.dependencies.clear();
  const Check not_made{std::numeric_limits<double>::quiet_NaN(), 0.0};  // and so does not hold
  out.certificate = {not_made, not_made, not_made, not_made, not_made};
  out.rows.clear();
  out.coordinates.clear();
  out.term = ' ';
  out.gap = 0.0;
}

std::string_view road_name(Road road) {
  switch (road) {
    case Road::automatic:
      return "automatic";
    case Road::fast:
      return "fast";
    case Road::robust:
      return "robust";
    case Road::lagrange:
      return "lagrange";
    case Road::gauss:
      return "gauss";
  }
  return "unknown";
}

std::string_view status_name(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::contradicting:
      return "contradicting";
    case Status::undetermined:
      return "undetermined";
    case Status::indefinite:
      return "indefinite";
    case Status::not_finite:
      return "not_finite";
    case Status::uncertified:
      return "uncertified";
  }
  return "unknown";
}

namespace {

/// The fast road, where it is asked for and answers.
bool solve_fast(const Structure& structure, const Equations& at, SolveWorkspace& work, Solution& out,
                const SolveOptions& options) {
  start_over(out, options.road);
  if (options.road != Road::automatic && options.road != Road::fast) return false;
  if (!fast_road(structure, at, work, out, options)) return false;
  if (small_enough(at, options) && drowns(at, work, out)) {
    work.impl().doubt = Doubt::light;
    return false;
  }
  out.road_used = Road::fast;
  if (options.detail == Detail::full) add_extras(structure, at, options, out);
  return true;
}

/// Another than the fast road, or the reason why there is none.
void solve_otherwise(const Structure& structure, const Equations& at, SolveWorkspace& work, Solution& out,
                     const SolveOptions& options) {
  start_over(out, options.road);
  if (options.road == Road::automatic || options.road == Road::fast) out.doubt = work.impl().doubt;
  const bool small = small_enough(at, options);
  if (!all_finite(at)) {  // such an instant never passes the checks of the fast road
    dense::write_nothing(at.coordinates(), at.rows(), out);
    name_not_finite(at, out);
    return;
  }
  if (options.road == Road::automatic || options.road == Road::fast) {
    if (small) {
      SolveOptions robust = options;
      if (options.within_step) robust.contradiction_tolerance = std::numeric_limits<double>::infinity();
      solve_by_dense_road(structure, at, Road::robust, robust, out);
    } else {
      write_uncertified(at, out);
    }
    return;
  }
  if (!small)
    fail("solve: the road '" + std::string(road_name(options.road)) + "' works densely and takes up to " +
         std::to_string(options.robust_limit) + " rows and coordinates; here are " +
         std::to_string(at.rows()) + " and " + std::to_string(at.coordinates()) +
         " (raise robust_limit, or take the fast road)");
  solve_by_dense_road(structure, at, options.road, options, out);
}

/// Rows whose squares are no numbers are solved as multiples of themselves. False where there are none.
bool solve_multiplied(const Structure& structure, const Equations& at, SolveWorkspace& work, Solution& out,
                      const SolveOptions& options) {
  std::vector<int>& power = work.impl().power;
  find_powers(at.A, power);
  if (power.empty()) return false;
  Equations& multiplied = work.impl().multiplied;
  multiplied = at;
  multiply_rows(power, multiplied);
  if (!solve_fast(structure, multiplied, work, out, options))
    solve_otherwise(structure, multiplied, work, out, options);
  restore_rows(power, out);
  return true;
}

}  // namespace

void solve(const Structure& structure, const Equations& at, SolveWorkspace& work, Solution& out,
           const SolveOptions& options) {
  check_sizes(at);
  // The fast road sees by itself where squares are no numbers; the extras do not.
  if (options.detail == Detail::full && solve_multiplied(structure, at, work, out, options)) return;
  work.impl().power.clear();
  if (solve_fast(structure, at, work, out, options)) return;
  if (options.detail == Detail::motion && solve_multiplied(structure, at, work, out, options)) return;
  solve_otherwise(structure, at, work, out, options);
}

Solution solve(const Equations& at, const SolveOptions& options) {
  check_sizes(at);
  if (at.coordinates() <= options.robust_limit) check_symmetry(at.M);
  SparseMatrix pattern = at.A;
  pattern.columns = at.coordinates();  // A without rows may come without columns
  const Structure structure(at.M, pattern);
  SolveWorkspace work(structure);
  Solution out;
  solve(structure, at, work, out, options);
  return out;
}

}  // namespace vinculum
