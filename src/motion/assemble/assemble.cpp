#include "vinculum/motion/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/assemble/assembly_search.hpp"
#include "motion/assemble/closure.hpp"
#include "motion/assemble/project.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/sparse_row.hpp"

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
/// can make is none. Velocities that are nearly zero are so beside what the motion has room for: its size
/// over the time that matters, and what its forces make of it. Where a whole start is nothing beside the
/// motion to come, as for sin(pi), rounding of that motion is none either.
/// `sizes` are memory.
void add_rounding_sizes(const System& system, const State& state, Workspace& work, double tolerance,
                        double time, Sizes& sizes, Residuals& size) {
  constexpr double rounding = 1e-12;  // of |A| |x|: well above that of any sum
  constexpr double nothing = 1e-15;   // of the motion to come
  // What is allowed is the tolerance times these sizes.
  const double part = rounding / std::max(tolerance, rounding),
               of_reach = nothing / std::max(tolerance, nothing);
  sizes.look_at(system, state, work);
  const SparseMatrix& a = evaluate(system, state, work).A;
  const int nv = static_cast<int>(state.v.size());
  std::vector<double> move(nv), velocity(nv), reach(nv, 0.0);
  bool all_nothing = time > 0;
  for (int i = 0; i < nv; ++i) {
    const Sizes::Kin kin = sizes.kin(i);
    move[i] = kin.move;
    velocity[i] = std::max(kin.velocity, std::sqrt(kin.move * kin.acceleration));
    if (time > 0) velocity[i] = std::max(velocity[i], kin.move / time);
    reach[i] = (kin.velocity + kin.acceleration * time) * time;
    all_nothing = all_nothing && kin.move <= nothing * reach[i];
  }
  for (int r = 0; r < a.rows; ++r) {
    double q = 0, v = 0;
    for (const auto [i, value] : row_of(a, r)) {
      q += std::fabs(value) * (part * move[i] + (all_nothing ? of_reach * reach[i] : 0.0));
      v += std::fabs(value) * part * velocity[i];
    }
    if (system.order_of_row(r) == 0) size.position[r] = std::max(size.position[r], q);
    if (system.order_of_row(r) <= 1) size.velocity[r] = std::max(size.velocity[r], v);
  }
}

/// Gaps of rows that break nothing, and rows whose velocities do not; may be empty.
struct Forgiven {
  std::vector<double> gap;
  std::vector<char> velocity;
  bool all_velocities = false;
  bool operator()(bool of_velocity, int row, double miss) const {
    if (of_velocity) return all_velocities || (!velocity.empty() && velocity[row]);
    return !gap.empty() && std::fabs(miss) <= gap[row];
  }
};

void find_violations(const System& system, const State& state, Workspace& work, double tolerance, double time,
                     Sizes& sizes, std::vector<Violation>& out, const Forgiven& forgiven = {}) {
  Residuals miss, size;
  residuals(system, state, work, miss);
  residual_sizes(system, state, work, size);
  add_rounding_sizes(system, state, work, tolerance, time, sizes, size);
  for (const ConstraintInfo& c : system.constraints())
    for (const bool of_velocity : {false, true}) {
      const std::vector<double>& phi = of_velocity ? miss.velocity : miss.position;
      const std::vector<double>& terms = of_velocity ? size.velocity : size.position;
      Violation worst{c.name, of_velocity, 0.0, 0.0};
      for (int r = c.first_row; r < c.first_row + c.row_count; ++r) {
        if (forgiven(of_velocity, r, phi[r])) continue;
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

/// The velocities that stand in constraints which are broken at one level.
std::vector<char> concerned(const System& system, const std::vector<Violation>& violations,
                            bool of_velocity) {
  std::vector<char> out(system.velocity_names().size(), 0);
  const SparseMatrix& rows = system.rows_pattern();
  for (const Violation& v : violations)
    for (const ConstraintInfo& c : system.constraints())
      if (v.of_velocity == of_velocity && v.constraint == c.name)
        for (int r = c.first_row; r < c.first_row + c.row_count; ++r)
          for (const int column : row_of(rows, r).columns) out[column] = 1;
  return out;
}

/// A rod of no length, a speed of nothing: where rows vanish the way back to them has no direction, and no
/// constraint is to blame. A state beside it, each number concerned moved by another part of `size`, has one.
State beside(const System& system, const State& state, const std::vector<Violation>& violations,
             const Masks& masks, double size, Workspace& work) {
  const auto free = [](std::vector<char> moving, const std::vector<char>& fixed) {
    for (std::size_t i = 0; i < fixed.size(); ++i) moving[i] = moving[i] && !fixed[i];
    return moving;
  };
  return moved_aside(system, state, free(concerned(system, violations, false), masks.position),
                     free(concerned(system, violations, true), masks.velocity), size, work);
}

/// Loops that would close if they might stay open a little more.
std::string wider_text(const System& system, const WiderClosure& wider) {
  if (wider.closure == 0) return "";
  std::vector<std::string> names;
  for (std::size_t r = 0; r < wider.rows.size(); ++r)
    if (wider.rows[r]) names.push_back("'" + system.row_names()[r] + "'");
  return "; with a closure of " + number_text(wider.closure, 3) + " (--closure) " + list_text(names, 6) +
         " would be passed over";
}

/// What else can be done about a programme.
std::string way_out(const System& system, const Assembly& a) {
  for (const Violation& v : a.violations)
    for (const ConstraintInfo& c : system.constraints())
      if (c.servo && c.name == v.constraint)
        return "; '" + c.name + "' is a programme: with 'frequency = ..' beside 'servo' it may start off it";
  return "";
}

std::string misses_text(const std::vector<Violation>& list, const char* each) {
  std::string text;
  for (std::size_t k = 0; k < list.size() && k < 8; ++k)
    text += (k ? ", " : "") + (each + ("'" + list[k].constraint)) + "' " +
            (list[k].of_velocity ? "in its velocities " : "") + "by " + number_text(list[k].miss, 3);
  if (list.size() > 8) text += " and " + std::to_string(list.size() - 8) + " more";
  return text;
}

std::string sentence(const System& system, const Assembly& a, const WiderClosure& wider) {
  std::string text = "the start breaks " + misses_text(a.violations, "constraint ");
  if (!a.repaired) {
    text += "; no consistent start was found nearby";
    if (a.fighting.size() == 1) text += ": '" + a.fighting[0] + "' cannot hold";
    if (a.fighting.size() > 1) text += ": " + list_text(a.fighting) + " cannot hold together";
    if (!a.open.empty()) text += "; the best one misses " + misses_text(a.open, "");
    return text + wider_text(system, wider) + way_out(system, a);
  }
  text += a.by_detour ? "; a consistent start moves " : "; the nearest consistent start moves ";
  for (std::size_t k = 0; k < a.changes.size() && k < 4; ++k)
    text +=
        (k ? ", " : "") + std::string("'") + a.changes[k].name + "' by " + number_text(a.changes[k].by, 3);
  if (a.changes.size() > 4) text += " and " + std::to_string(a.changes.size() - 4) + " more";
  return text + " (--assemble applies it)" + way_out(system, a);
}

double total(const std::vector<Violation>& list) {
  double sum = 0;
  for (const Violation& v : list) sum += v.relative * v.relative;
  return sum;
}

bool all_finite(const State& state) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(state.q, finite) && std::ranges::all_of(state.v, finite);
}

/// How far it is from one place to another, in the metric of the masses; infinite where nothing measures it.
double distance(const System& system, const State& from, const State& to, Workspace& work) {
  std::vector<double> x(from.v.size());
  if (!displacement_between(system, from.q, to.q, x)) return INFINITY;
  const SparseMatrix& mass = evaluate(system, from, work).M;
  double sum = 0;
  for (int i = 0; i < mass.rows; ++i) sum += x[i] * row_of(mass, i).dot(x);
  return sum;
}

/// Onto the constraints: from the state itself, from states beside it, and from where all miss least. Gives
/// the state that came nearest where none was found.
State repair(const System& system, const State& state, const Masks& masks, const AssembleOptions& options,
             Workspace& work, Sizes& memory, Assembly& result) {
  const double time = options.time;
  const Sizes sizes(system, state, work);
  Projector project(system, sizes, true);
  Projection done;
  std::vector<Violation> left;
  const auto meet = [&](const State& from, const Mode& mode) {
    result.state = from;
    done = project(from.t, result.state.q.data(), result.state.v.data(), mode, work,
                   {masks.position, masks.velocity, !options.velocities});
    left.clear();
    Forgiven forgiven;
    forgiven.all_velocities = !options.velocities;
    forgiven.velocity = mode.passed_over;
    for (const char row : mode.passed_over) forgiven.gap.push_back(row ? INFINITY : -1.0);
    find_violations(system, result.state, work, 1e-11, time, memory, left, forgiven);
    return done.done && left.empty();
  };
  // Where rows are passed over the others decide where the state is.
  const auto reach = [&](const State& from) {
    const bool met = meet(from, {});
    if (!all_finite(result.state)) return met;
    const State as_all_rows = result.state;
    Mode mode;
    mode.passed_over = rows_to_pass_over(system, result.state, options.closure, work);
    if (mode.passed_over.empty()) return met;
    const Projection of_all = done;
    const std::vector<Violation> left_of_all = left;
    // From where all rows led to, and from the start itself: the nearer one of both.
    State best;
    for (const State* begin : {&as_all_rows, &from}) {
      if (!meet(*begin, mode)) continue;
      const auto gaps = gaps_of(system, result.state, mode.passed_over, options.closure, work);
      if (!std::ranges::all_of(gaps, [](const PassedOver& p) { return p.gap <= p.allowed; })) continue;
      if (!best.q.empty() && distance(system, from, result.state, work) >= distance(system, from, best, work))
        continue;
      best = result.state;
      result.passed_over = gaps;
    }
    result.state = best.q.empty() ? as_all_rows : best;
    if (!best.q.empty()) return true;
    done = of_all;
    left = left_of_all;
    return met;
  };
  if ((result.repaired = reach(state))) return result.state;
  State nearest = all_finite(result.state) ? result.state : state;
  const bool of_velocity = done.done ? !left.empty() && left.front().of_velocity : done.of_velocity;
  const std::vector<std::string> fighting =
      certain_contradiction(system, result.state, work, of_velocity, masks);
  const auto try_from = [&](const State& from) {
    return result.repaired = result.by_detour = fighting.empty() && reach(from);
  };
  // Downhill from the state as it was drawn leads less far than from a state beside it.
  constexpr int most_dense = 1000;  // rows and velocities
  const std::size_t size = std::max(system.row_names().size(), system.velocity_names().size());
  const auto downhill = [&](const State& from) {
    if (!fighting.empty() || of_velocity || size > most_dense) return false;
    const State best = least_open(system, from, work, masks);
    std::vector<Violation> open;
    find_violations(system, best, work, 1e-8, time, memory, open);
    std::erase_if(open, [](const Violation& v) { return v.of_velocity; });
    if (result.open.empty() || total(open) < total(result.open)) {
      result.open = open;
      nearest = best;
    }
    return try_from(best);
  };
  bool found = downhill(state);
  for (const double part : {0.1, 100.0, 1e-4})
    found = found || try_from(beside(system, state, result.violations, masks, part, work));
  if (found || downhill(beside(system, state, result.violations, masks, 0.1, work))) {
    result.open.clear();
    return result.state;
  }
  result.fighting = fighting;
  result.state = state;
  return nearest;
}

/// On a long way back to the constraints joints may go round and round: their angles are those nearest to
/// where they began, but for angles that stand in rows themselves.
void unwind(const System& system, const State& from, State& to, Workspace& work) {
  constexpr double turn = 2 * std::numbers::pi;
  Residuals before, after;
  for (const int angle : system.joint_angles()) {
    const double turns = std::round((from.q[angle] - to.q[angle]) / turn);
    if (turns == 0) continue;
    const double wound = to.q[angle];
    residuals(system, to, work, before);
    to.q[angle] += turns * turn;
    residuals(system, to, work, after);
    if (after.position != before.position || after.velocity != before.velocity) to.q[angle] = wound;
  }
}

/// Where loops may stay open a little, a start that misses them by no more is none that breaks them,
/// whichever of their rows has the gap.
void forgive_gaps(const System& system, const State& state, const AssembleOptions& options, Workspace& work,
                  Sizes& memory, Assembly& result) {
  if (result.passed_over.empty()) return;
  Forgiven forgiven{allowed_gaps(system, state, options.closure, work),
                    std::vector<char>(system.row_names().size(), 0), !options.velocities};
  for (const PassedOver& p : result.passed_over) forgiven.velocity[p.row] = 1;
  result.violations.clear();
  find_violations(system, state, work, options.tolerance, options.time, memory, result.violations, forgiven);
  result.consistent = result.violations.empty();
}

}  // namespace

Assembly assemble(const System& system, const State& state, const AssembleOptions& options) {
  Workspace work(system);
  return assemble(system, state, options, work);
}

Assembly assemble(const System& system, const State& state, const AssembleOptions& options, Workspace& work) {
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    fail("assemble: the tolerance is " + number_text(options.tolerance) + "; it must lie between 0 and 1");
  if (!std::isfinite(state.t)) fail("assemble: the time is " + number_text(state.t) + "; it must be finite");
  Assembly result;
  result.state = state;
  const Masks masks = masks_of(system, options.fixed);
  Sizes sizes(system);
  find_violations(system, state, work, options.tolerance, options.time, sizes, result.violations,
                  {{}, {}, !options.velocities});
  result.consistent = result.violations.empty();
  for (const Violation& v : result.violations)
    if (!std::isfinite(v.miss)) {
      result.not_finite = true;
      result.text = "constraint '" + v.constraint + "' is " + number_text(v.miss, 3) + " at the start" +
                    (v.of_velocity ? " in its velocities" : "") + "; it must be a finite number there";
      return result;
    }
  const State nearest = repair(system, state, masks, options, work, sizes, result);
  if (result.repaired) {
    unwind(system, state, result.state, work);
    forgive_gaps(system, state, options, work, sizes, result);
    list_changes(system.coordinate_names(), state.q, result.state.q, result.changes);
    list_changes(system.velocity_names(), state.v, result.state.v, result.changes);
    std::stable_sort(result.changes.begin(), result.changes.end(),
                     [](const Change& a, const Change& b) { return std::fabs(a.by) > std::fabs(b.by); });
  }
  if (result.consistent) return result;
  WiderClosure wider;
  if (!result.repaired && options.closure > 0) wider = wider_closure(system, nearest, options.closure, work);
  result.text = sentence(system, result, wider);
  return result;
}

}  // namespace vinculum
