#include "system/evaluate/control.hpp"

#include <algorithm>
#include <cmath>

#include "equation/sparse/fast.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/light.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

bool is_restricted(const Model& model, int constraint) {
  return std::any_of(model.servos().begin(), model.servos().end(), [&](const Model::ServoData& s) {
    return s.constraint == constraint && !s.actuators.empty();
  });
}

Equations without_rows(const Equations& all, const std::vector<int>& others) {
  Equations out{all.M, all.Q, chosen_rows(all.A, others), {}, {}};
  out.b.assign(others.size(), 0.0);
  return out;
}

std::vector<int> rows_where(const Model& model, const std::vector<ConstraintInfo>& constraints,
                            bool restricted) {
  std::vector<int> rows;
  for (std::size_t c = 0; c < constraints.size(); ++c)
    for (int r = 0; r < constraints[c].row_count; ++r)
      if (is_restricted(model, static_cast<int>(c)) == restricted)
        rows.push_back(constraints[c].first_row + r);
  return rows;
}

/// The numbers of the instant without the rows s.
void take_others(const Drive& d, const Equations& at, Equations& to) {
  to.M.value = at.M.value;
  to.Q = at.Q;
  to.C = at.C;
  for (std::size_t k = 0; k < d.others.size(); ++k) {
    const int r = d.others[k];
    std::ranges::copy(row_of(at.A, r).values, to.A.value.begin() + to.A.start[static_cast<int>(k)]);
    to.b[k] = at.b[r];
  }
}

/// The sizes of rows in the metric of the masses, as far as their diagonal tells: what a free hand could do.
void find_reach_of_rows(const Drive& d, const Equations& at, DriveScratch& w) {
  diagonal_of(at.M, w.mass);
  double largest = 1e-300;
  for (const double mass : w.mass) largest = std::max(largest, mass);
  for (double& mass : w.mass) mass = std::max(mass, 1e-6 * largest);
  w.least.reach.clear();
  for (const int row : d.rows) {
    double sum = 0;
    for (const auto [column, value] : row_of(at.A, row))
      sum = std::hypot(sum, value / std::sqrt(w.mass[column]));  // squares may be no numbers
    w.least.reach.push_back(sum > 0 ? sum : 1.0);
  }
}

void push(const std::vector<Drive::Effect>& effect, double by, std::vector<double>& force) {
  for (const Drive::Effect& part : effect) force[part.velocity] += by * part.force;
}

/// The responses R of the system without the rows s to unit forces of the actuators. False where it has none.
bool respond(const Drive& d, DriveScratch& w, Solution& out) {
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  w.at.C.clear();
  std::fill(w.at.b.begin(), w.at.b.end(), 0.0);
  w.responses.resize(d.actuators.size());
  for (std::size_t j = 0; j < d.actuators.size(); ++j) {
    std::fill(w.at.Q.begin(), w.at.Q.end(), 0.0);
    push(w.effects[j], 1.0, w.at.Q);
    solve(d.structure, w.at, w.solve, w.response, options);
    if (w.response.status != Status::solved) {
      out.status = w.response.status;
      out.rows = w.response.rows;
      out.coordinates = w.response.coordinates;
      out.term = w.response.term;
      return false;
    }
    w.responses[j] = w.response.acceleration;
  }
  return true;
}

/// For g in w.forces, into its place: the forces u with A_s R u = g that make u^T W u least, W = R^T M R =
/// B R: what they add to Gauss's function, since the motion without them is its minimum.
void find_drive(const Drive& d, const Equations& at, DriveScratch& w, double rank_tolerance) {
  const int count = static_cast<int>(d.actuators.size()), rows = static_cast<int>(d.rows.size());
  find_reach_of_rows(d, at, w);
  w.least.W.resize(count, count);
  w.least.G.resize(rows, count);
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i)
      for (const Drive::Effect& part : w.effects[i])
        w.least.W[j][i] += part.force * w.responses[j][part.velocity];
    for (int s = 0; s < rows; ++s) w.least.G[j][s] = row_of(at.A, d.rows[s]).dot(w.responses[j]);
  }
  w.least.factorise(rank_tolerance);
  w.least.solve(w.forces);
}

/// Rows of A_p by their places in A.
void name_rows(const Drive& d, Solution& out) {
  for (int& r : out.rows) r = d.others[r];
  for (Dependency& dependency : out.dependencies) {
    dependency.row = d.others[dependency.row];
    for (int& r : dependency.on) r = d.others[r];
  }
}

/// Vectors over the rows p as vectors over all rows.
void spread(const Drive& d, int rows, double rest, std::vector<double>& x) {
  if (x.size() != d.others.size()) return;
  x.resize(rows, rest);
  std::size_t k = d.others.size();  // places grow: from behind, nothing is overwritten
  for (int r = rows - 1; r >= 0; --r) x[r] = k > 0 && d.others[k - 1] == r ? x[--k] : rest;
}

/// An instant that fails before the actuators are asked, said of all rows.
void give_up(const Drive& d, int rows, Solution& out) {
  name_rows(d, out);
  spread(d, rows, NAN, out.multipliers);
  spread(d, rows, NAN, out.dissatisfaction);
  for (std::vector<double>& n : out.freedom) spread(d, rows, 0.0, n);
  out.rank = -1;
}

/// (q''-a)^T M (q''-a)
double weigh(const SparseMatrix& M, const std::vector<double>& x) {
  double sum = 0;
  for (int i = 0; i < M.rows; ++i) sum += x[i] * row_of(M, i).dot(x);
  return sum;
}

/// What was solved with Q + B^T u, said of Q and of all rows.
void state_with_controls(const Drive& d, const Equations& at, DriveScratch& w, Solution& out) {
  const std::vector<double>& a = w.free;
  std::vector<double>& deviation = w.deviation;
  deviation = out.deviation;
  out.free_acceleration = a;
  for (std::size_t i = 0; i < a.size(); ++i) out.deviation[i] = out.acceleration[i] - a[i];
  const double gaussian = weigh(at.M, out.deviation);
  out.extended_gaussian += gaussian - out.gaussian;  // C^T M^-1 C is in both
  for (std::size_t i = 0; i < at.C.size(); ++i)
    out.extended_gaussian -= 2 * (out.deviation[i] - deviation[i]) * at.C[i];
  out.gaussian = gaussian;
  out.dissatisfaction.resize(at.rows());
  for (int r = 0; r < at.rows(); ++r) out.dissatisfaction[r] = at.b[r] - row_of(at.A, r).dot(a);
  for (std::size_t i = 0; i < a.size(); ++i) out.constraint_force[i] += out.control_force[i];
  spread(d, at.rows(), NAN, out.multipliers);
  for (std::vector<double>& n : out.freedom) spread(d, at.rows(), 0.0, n);
  out.rank = -1;
}

/// A_c^T lambda_c of one constraint.
void add_row_forces(const ConstraintInfo& c, const Equations& at, const std::vector<double>& multipliers,
                    double factor, std::vector<double>& force) {
  for (int r = c.first_row; r < c.first_row + c.row_count; ++r)
    for (const auto [column, value] : row_of(at.A, r)) force[column] += factor * value * multipliers[r];
}

/// The rows s that are missed by more than their terms allow contradict what the actuators can do.
void judge(const Drive& d, const Equations& at, const SolveOptions& options, Solution& out) {
  double worst = 0;
  std::vector<int> missed;
  for (const int r : d.rows) {
    double miss = at.b[r], terms = std::fabs(at.b[r]);
    for (const auto [column, value] : row_of(at.A, r)) {
      const double term = value * out.acceleration[column];
      miss -= term;
      terms += std::fabs(term);
    }
    if (miss != 0) worst = std::max(worst, std::fabs(miss) / terms);
    if (!(std::fabs(miss) <= options.contradiction_tolerance * terms)) {
      missed.push_back(r);
      out.gap = std::fabs(miss);
    }
  }
  if (!(worst <= out.certificate.constraint_residual.value))
    out.certificate.constraint_residual.value = worst;
  if (missed.empty() || options.within_step) return;
  out.status = Status::contradicting;
  out.rows = missed;
}

}  // namespace

std::vector<Model::ActuatorData> actuators_of(const Model& model) {
  std::vector<Model::ActuatorData> all;
  for (const Model::ServoData& s : model.servos())
    for (const Model::ActuatorData& actuator : s.actuators) {
      const auto same = [&](const Model::ActuatorData& other) { return other.name == actuator.name; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(actuator);
    }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.unit.front().velocity < b.unit.front().velocity;
  });
  return all;
}

Drive::Drive(const Model& model, const std::vector<ConstraintInfo>& constraints, const Equations& all)
    : rows(rows_where(model, constraints, true)),
      others(rows_where(model, constraints, false)),
      actuators(actuators_of(model)),
      pattern(without_rows(all, others)),
      structure(pattern.M, pattern.A) {
  std::vector<Expr> unit;
  for (const Model::ActuatorData& actuator : actuators)
    for (const Model::ForceData& part : actuator.unit) unit.push_back(model.stated().written_out(part.value));
  unit_forces = StateFunction(model, unit);
}

void Drive::find_effects(const StateView& at, BoundFunction& units, Effects& out) const {
  const std::span<const double> numbers = units(parts_of(at));
  out.resize(actuators.size());
  std::size_t next = 0;
  for (std::size_t j = 0; j < actuators.size(); ++j) {
    out[j].clear();
    for (const Model::ForceData& part : actuators[j].unit) out[j].push_back({part.velocity, numbers[next++]});
  }
}

void solve_driven(const Drive& d, const Equations& at, DriveScratch& w, Solution& out,
                  const SolveOptions& options) {
  SolveOptions quick = options;
  quick.detail = Detail::motion;
  take_others(d, at, w.at);
  solve(d.structure, w.at, w.solve, out, quick);
  out.control_force.assign(at.Q.size(), 0.0);
  if (out.status != Status::solved || !respond(d, w, out)) return give_up(d, at.rows(), out);
  w.free = out.free_acceleration;
  std::vector<double>& u = w.forces;
  u.clear();
  for (const int row : d.rows) u.push_back(at.b[row] - row_of(at.A, row).dot(out.acceleration));
  const auto finite = [](const std::vector<double>& x) {
    return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
  };
  if (!finite(u) || !std::ranges::all_of(w.responses, finite)) {
    out.status = Status::not_finite;
    out.term = 'b';
    give_up(d, at.rows(), out);
    out.rows = d.rows;
    return;
  }
  find_drive(d, at, w, options.rank_tolerance);
  take_others(d, at, w.at);
  for (std::size_t j = 0; j < d.actuators.size(); ++j) push(w.effects[j], u[j], w.at.Q);
  solve(d.structure, w.at, w.solve, out, options);
  out.control_force.assign(at.Q.size(), 0.0);
  for (std::size_t j = 0; j < d.actuators.size(); ++j) push(w.effects[j], u[j], out.control_force);
  out.actuator_force = u;
  if (out.status != Status::solved) return give_up(d, at.rows(), out);
  name_rows(d, out);
  state_with_controls(d, at, w, out);
  judge(d, at, options, out);
}

void solve_equations(const System::Impl& s, const Equations& at, Workspace::Impl& w, Solution& out,
                     const SolveOptions& options) {
  if (s.drive)
    solve_driven(*s.drive, at, *w.drive, out, options);
  else
    solve(*s.structure, at, w.solve, out, options);
}

namespace {

/// Redundant joints leave the force of a motor alone; and the robust road gives the least multipliers at
/// once.
bool control_is_known(const System::Impl& s, Workspace::Impl& w, const Solution& out) {
  if (s.drive) return false;
  if (out.road_used == Road::robust) return true;
  std::vector<int> rows;
  for (const ProgrammeInfo& p : s.programmes)
    for (int r = 0; r < s.constraints[p.constraint].row_count; ++r)
      rows.push_back(s.constraints[p.constraint].first_row + r);
  return are_unique(*s.structure, w.solve, rows);
}

}  // namespace

void split_control(const System::Impl& s, const Equations& at, Workspace::Impl& w, Solution& out,
                   const SolveOptions& options) {
  if (s.programmes.empty()) {
    out.control_force.clear();
    return;
  }
  if (!s.drive) out.control_force.assign(at.Q.size(), 0.0);
  if (out.multipliers.size() != s.row_names.size() || out.control_force.size() != at.Q.size()) return;
  const std::vector<double>* multipliers = &out.multipliers;
  if (!out.multipliers_unique && options.detail == Detail::motion && !control_is_known(s, w, out)) {
    SolveOptions full = options;
    full.detail = Detail::full;
    solve_equations(s, at, w, w.least, full);
    if (w.least.multipliers.size() == out.multipliers.size()) multipliers = &w.least.multipliers;
  }
  for (const ProgrammeInfo& p : s.programmes)
    if (p.actuators.empty())
      add_row_forces(s.constraints[p.constraint], at, *multipliers, 1.0, out.control_force);
}

const std::vector<ProgrammeInfo>& programmes(const System& system) { return system.impl().programmes; }
bool has_restricted_programmes(const System& system) { return system.impl().drive != nullptr; }

void programme_force(const System& system, const ProgrammeInfo& programme, const StateView& at,
                     const Equations& equations, const Solution& solution, Workspace& work,
                     std::vector<double>& force) {
  force.assign(system.velocity_names().size(), 0.0);
  if (solution.multipliers.size() != system.row_names().size()) return;
  if (programme.actuators.empty())
    return add_row_forces(system.constraints()[programme.constraint], equations, solution.multipliers, 1.0,
                          force);
  if (solution.actuator_force.size() != system.impl().drive->actuators.size()) return;
  DriveScratch& w = *work.impl().drive;
  fit(system, work.impl());
  system.impl().drive->find_effects(at, w.units, w.effects);
  for (const int j : programme.actuators) push(w.effects[j], solution.actuator_force[j], force);
}

void programme_misses(const System& system, const StateView& at, std::span<const double> acceleration,
                      Workspace& work, std::vector<double>& misses) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  w.phi = system.values().constant_phi;
  Numbers to{};
  to[static_cast<int>(Where::switching)] = w.phi.data();
  s.phi.evaluate({{&at.t, at.q.data(), at.v.data(), acceleration.data()}}, to, w.phi_scratch);
  misses.assign(s.programmes.size(), 0.0);
  std::size_t row = 0;
  for (std::size_t p = 0; p < misses.size(); ++p)
    for (int r = 0; r < s.constraints[s.programmes[p].constraint].row_count; ++r, ++row)
      if (!(std::fabs(w.phi[row]) <= misses[p])) misses[p] = std::fabs(w.phi[row]);
}

std::string actuators_text(const System& system, const ProgrammeInfo& programme) {
  std::vector<std::string> names;
  for (const int j : programme.actuators) names.push_back("'" + system.impl().drive->actuators[j].name + "'");
  return (names.size() == 1 ? "its actuator " : "its actuators ") + list_text(names);
}

}  // namespace vinculum
