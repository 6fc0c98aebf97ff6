#include "vinculum/motion/assemble.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "motion/project.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Places of the names in the list; an error for one that is in none of the lists.
std::vector<char> mask_of(const std::vector<std::string>& fixed, const std::vector<std::string>& names,
                          std::vector<char>& known) {
  std::vector<char> mask(names.size(), 0);
  bool any = false;
  for (std::size_t k = 0; k < fixed.size(); ++k) {
    const auto found = std::find(names.begin(), names.end(), fixed[k]);
    if (found == names.end()) continue;
    mask[found - names.begin()] = 1;
    known[k] = 1;
    any = true;
  }
  return any ? mask : std::vector<char>();
}

struct Masks {
  std::vector<char> position, velocity;  // over velocities
};

Masks masks_of(const System& system, const std::vector<std::string>& fixed) {
  std::vector<char> known(fixed.size(), 0);
  Masks masks;
  const std::vector<char> coordinates = mask_of(fixed, system.coordinate_names(), known);
  masks.velocity = mask_of(fixed, system.velocity_names(), known);
  for (std::size_t k = 0; k < fixed.size(); ++k)
    if (!known[k]) {
      const std::string near = nearest_name(fixed[k], system.coordinate_names());
      fail("assemble: there is no coordinate or velocity '" + fixed[k] + "' to keep fixed" +
           (near.empty() ? "" : " (did you mean '" + near + "'?)"));
    }
  if (coordinates.empty()) return masks;
  masks.position.assign(system.velocity_names().size(), 0);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (!coordinates[i]) continue;
    const int velocity = system.velocity_of_coordinate(static_cast<int>(i));
    if (velocity < 0)
      fail("assemble: '" + system.coordinate_names()[i] +
           "' cannot be kept fixed: its rate is not a velocity of its own");
    masks.position[velocity] = 1;
  }
  return masks;
}

/// Terms may vanish by themselves where the numbers they are made of do not; a miss that rounding of those
/// can make is none.
void add_rounding_sizes(const System& system, const State& state, Workspace& work, Residuals& size) {
  const auto largest = [](std::span<const double> x) {
    double most = 0;
    for (const double value : x) most = std::max(most, std::fabs(value));
    return most;
  };
  constexpr double part = 1e-4;  // of |A| |x|: times the tolerance 1e-8 this is well above rounding
  const SparseMatrix& a = evaluate(system, state, work).A;
  // Where all numbers are nearly zero, as for sin(pi), they say nothing of their scale; 1e-15 is rounding
  // even so.
  constexpr double least = 1e-3;
  const std::span<const double> stated(state.q.data(), static_cast<std::size_t>(system.stated_coordinates()));
  const double q = part * std::max(least, largest(stated)), v = part * std::max(least, largest(state.v));
  for (int r = 0; r < a.rows; ++r) {
    double sum = 0;
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) sum += std::fabs(a.value[k]);
    if (system.order_of_row(r) == 0) size.position[r] = std::max(size.position[r], sum * q);
    if (system.order_of_row(r) <= 1) size.velocity[r] = std::max(size.velocity[r], sum * v);
  }
}

void find_violations(const System& system, const State& state, Workspace& work, double tolerance,
                     std::vector<Violation>& out) {
  Residuals miss, size;
  residuals(system, state, work, miss);
  residual_sizes(system, state, work, size);
  add_rounding_sizes(system, state, work, size);
  for (const ConstraintInfo& c : system.constraints())
    for (const bool of_velocity : {false, true}) {
      const std::vector<double>& phi = of_velocity ? miss.velocity : miss.position;
      const std::vector<double>& terms = of_velocity ? size.velocity : size.position;
      Violation worst{c.name, of_velocity, 0.0, 0.0};
      for (int r = c.first_row; r < c.first_row + c.row_count; ++r) {
        const double relative = phi[r] == 0 ? 0.0 : std::fabs(phi[r]) / std::max(terms[r], std::fabs(phi[r]));
        if (!(relative <= worst.relative)) worst.relative = relative;
        if (!(relative <= tolerance) && !(std::fabs(phi[r]) <= std::fabs(worst.miss))) worst.miss = phi[r];
      }
      if (!(worst.relative <= tolerance)) out.push_back(worst);
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Violation& a, const Violation& b) { return a.relative > b.relative; });
}

void list_changes(const std::vector<std::string>& names, const std::vector<double>& from,
                  const std::vector<double>& to, std::vector<Change>& out) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (to[i] != from[i]) out.push_back({names[i], to[i] - from[i]});
}

/// A x = -phi with contradicting rows, where the projection came to its end: the heart knows a smallest set.
std::vector<std::string> fighting_at(const System& system, const State& state, Workspace& work,
                                     bool of_velocity, const Masks& masks) {
  Equations at = evaluate_stated(system, state, work);
  Residuals miss;
  residuals(system, state, work, miss);
  const std::vector<double>& phi = of_velocity ? miss.velocity : miss.position;
  const std::vector<char>& fixed = of_velocity ? masks.velocity : masks.position;
  at.C.clear();
  std::fill(at.Q.begin(), at.Q.end(), 0.0);
  for (int r = 0; r < at.rows(); ++r) {
    at.b[r] = -phi[r];
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k)
      if (system.order_of_row(r) > (of_velocity ? 1 : 0) || (!fixed.empty() && fixed[at.A.column[k]]))
        at.A.value[k] = 0.0;
  }
  SolveOptions options;
  options.road = Road::robust;
  std::vector<std::string> names;
  if (std::max(at.rows(), at.coordinates()) > options.robust_limit) return names;
  for (const int row : solve(at, options).rows) {
    const std::string& name = system.constraints()[system.constraint_of_row(row)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<double> holonomic_misses(const System& system, const State& at, Workspace& work) {
  Residuals miss;
  residuals(system, at, work, miss);
  return miss.position;
}

double squares_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

/// The step of Levenberg and Marquardt towards the least sum of squares of the misses: over velocities. The
/// gradient of that sum comes out, too.
std::vector<double> step_to_least(const System& system, const State& at, const std::vector<double>& phi,
                                  const std::vector<char>& fixed, double damping, Workspace& work,
                                  double& gradient) {
  const SparseMatrix& rows = evaluate(system, at, work).A;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows.rows, rows.columns);
  for (int r = 0; r < rows.rows; ++r)
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      if (system.order_of_row(r) == 0 && (fixed.empty() || !fixed[rows.column[k]]))
        A(r, rows.column[k]) = rows.value[k];
  const Eigen::VectorXd pull = A.transpose() * Eigen::Map<const Eigen::VectorXd>(phi.data(), A.rows());
  gradient = pull.norm() / std::max(A.norm(), 1e-300);
  Eigen::MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += damping * normal.diagonal().maxCoeff() + 1e-300;
  const Eigen::VectorXd x = -normal.ldlt().solve(pull);
  return {x.begin(), x.end()};
}

/// A loop too short for its links: where all its joints together are as nearly closed as they can be, those
/// that still miss are the ones that cannot hold.
std::vector<std::string> open_at_best(const System& system, State at, Workspace& work, const Masks& masks) {
  std::vector<double> phi = holonomic_misses(system, at, work);
  double damping = 1e-3, gradient = 0;
  for (int pass = 0; pass < 300 && damping < 1e12; ++pass) {
    const std::vector<double> x = step_to_least(system, at, phi, masks.position, damping, work, gradient);
    if (!(gradient > 1e-9 * std::sqrt(squares_of(phi)))) break;
    State trial = at;
    go_way(system, at.q, x, trial.q);
    keep(system, trial.q, work);
    const std::vector<double> there = holonomic_misses(system, trial, work);
    const bool better = squares_of(there) < squares_of(phi);
    damping *= better ? 0.2 : 4.0;
    if (!better) continue;
    at = trial;
    phi = there;
  }
  double largest = 0;
  for (const double miss : phi) largest = std::max(largest, std::fabs(miss));
  std::vector<std::string> names;
  for (const ConstraintInfo& c : system.constraints())
    for (int r = c.first_row; r < c.first_row + c.row_count; ++r)
      if (std::fabs(phi[r]) > 1e-4 * largest && (names.empty() || names.back() != c.name))
        names.push_back(c.name);
  return names;
}

/// The velocities that stand in constraints which are broken at one level.
std::vector<char> concerned(const System& system, const std::vector<Violation>& violations,
                            bool of_velocity) {
  std::vector<char> out(system.velocity_names().size(), 0);
  const SparseMatrix& rows = system.rows_pattern();
  for (const Violation& v : violations)
    for (const ConstraintInfo& c : system.constraints())
      if (v.of_velocity == of_velocity && v.constraint == c.name)
        for (int k = rows.start[c.first_row]; k < rows.start[c.first_row + c.row_count]; ++k)
          out[rows.column[k]] = 1;
  return out;
}

/// A rod of no length, a speed of nothing: where rows vanish the way back to them has no direction, and no
/// constraint is to blame. A state beside it, each number concerned moved by another part of `size`, has one.
State beside(const System& system, const State& state, const std::vector<Violation>& violations,
             const Masks& masks, double size) {
  State out = state;
  const std::vector<char> position = concerned(system, violations, false),
                          velocity = concerned(system, violations, true);
  const auto move = [size](double& x, std::size_t i) {
    x += size * (0.5 + std::fmod(0.618 * static_cast<double>(i), 1.0)) * (1 + std::fabs(x));
  };
  for (std::size_t i = 0; i < out.q.size(); ++i) {
    const int v = system.velocity_of_coordinate(static_cast<int>(i));
    if (v >= 0 && position[v] && (masks.position.empty() || !masks.position[v])) move(out.q[i], i);
  }
  for (std::size_t i = 0; i < out.v.size(); ++i)
    if (velocity[i] && (masks.velocity.empty() || !masks.velocity[i])) move(out.v[i], out.q.size() + i);
  return out;
}

/// What else can be done about a programme.
std::string way_out(const System& system, const Assembly& a) {
  for (const Violation& v : a.violations)
    for (const ConstraintInfo& c : system.constraints())
      if (c.servo && c.name == v.constraint)
        return "; '" + c.name + "' is a programme: with 'frequency = ..' beside 'servo' it may start off it";
  return "";
}

std::string sentence(const System& system, const Assembly& a) {
  std::string text = "the start breaks ";
  for (std::size_t k = 0; k < a.violations.size() && k < 8; ++k) {
    const Violation& v = a.violations[k];
    text += (k ? ", " : "") + std::string("constraint '") + v.constraint + "' " +
            (v.of_velocity ? "in its velocities " : "") + "by " + number_text(v.miss, 3);
  }
  if (a.violations.size() > 8) text += " and " + std::to_string(a.violations.size() - 8) + " more";
  if (!a.repaired) {
    text += "; no consistent start was found nearby";
    if (a.fighting.size() == 1) text += ": '" + a.fighting[0] + "' cannot hold";
    if (a.fighting.size() > 1) text += ": " + list_text(a.fighting) + " cannot hold together";
    return text + way_out(system, a);
  }
  text += "; the nearest consistent start moves ";
  for (std::size_t k = 0; k < a.changes.size() && k < 4; ++k)
    text +=
        (k ? ", " : "") + std::string("'") + a.changes[k].name + "' by " + number_text(a.changes[k].by, 3);
  if (a.changes.size() > 4) text += " and " + std::to_string(a.changes.size() - 4) + " more";
  return text + " (--assemble applies it)" + way_out(system, a);
}

}  // namespace

Assembly assemble(const System& system, const State& state, const AssembleOptions& options) {
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    fail("assemble: the tolerance is " + number_text(options.tolerance) + "; it must lie between 0 and 1");
  if (!std::isfinite(state.t)) fail("assemble: the time is " + number_text(state.t) + "; it must be finite");
  Workspace work(system);
  Assembly result;
  result.state = state;
  const Masks masks = masks_of(system, options.fixed);
  find_violations(system, state, work, options.tolerance, result.violations);
  result.consistent = result.violations.empty();
  for (const Violation& v : result.violations)
    if (!std::isfinite(v.miss)) {
      result.not_finite = true;
      result.text = "constraint '" + v.constraint + "' is " + number_text(v.miss, 3) + " at the start" +
                    (v.of_velocity ? " in its velocities" : "") + "; it must be a finite number there";
      return result;
    }
  Projector project(system, true);
  Projection done;
  std::vector<Violation> left;
  const auto reach = [&](const State& from) {
    result.state = from;
    done =
        project(from.t, result.state.q.data(), result.state.v.data(), work, {masks.position, masks.velocity});
    left.clear();
    find_violations(system, result.state, work, 1e-11, left);
    return done.done && left.empty();
  };
  result.repaired = reach(state);
  if (!result.repaired) {
    const bool of_velocity = done.done ? !left.empty() && left.front().of_velocity : done.of_velocity;
    const std::vector<std::string> fighting = fighting_at(system, result.state, work, of_velocity, masks);
    for (const double size : {0.1, 100.0, 1e-4})
      if ((result.repaired = reach(beside(system, state, result.violations, masks, size)))) break;
    if (!result.repaired) {
      result.fighting = fighting;
      constexpr int most_dense = 1000;  // rows and velocities
      const std::size_t size = std::max(system.row_names().size(), system.velocity_names().size());
      if (fighting.empty() && !of_velocity && size <= most_dense)
        result.fighting = open_at_best(system, state, work, masks);
      result.state = state;
    }
  }
  if (result.repaired) {
    list_changes(system.coordinate_names(), state.q, result.state.q, result.changes);
    list_changes(system.velocity_names(), state.v, result.state.v, result.changes);
    std::stable_sort(result.changes.begin(), result.changes.end(),
                     [](const Change& a, const Change& b) { return std::fabs(a.by) > std::fabs(b.by); });
  }
  if (!result.consistent) result.text = sentence(system, result);
  return result;
}

}  // namespace vinculum
