#include "vinculum/system/system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "equation/fast.hpp"
#include "system/expand.hpp"
#include "system/friction.hpp"
#include "system/sliding.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

constexpr std::size_t longest_switch = 80;  // of its text, which is for sentences

void require_size(std::size_t given, std::size_t wanted, const char* what) {
  if (given != wanted)
    fail("the state has " + std::to_string(given) + " " + what + " where the system has " +
         std::to_string(wanted));
}

}  // namespace

System::Impl::Impl(const Model& stated) : model(with_multiplier_coordinates(stated.with_numbers())) {
  if (model.coordinates().empty() && model.velocities().empty()) fail("the model has no coordinates");
  if (model.has_idle_gravity())
    fail("gravity acts on particles and bodies, and the model has none; use force() on coordinates");
  stated_coordinates = static_cast<int>(stated.coordinates().size());
  name_things();
  std::vector<Statement> statements = statements_of(model);
  find_contacts(statements);
  const std::vector<ShapeGroup> groups = group_by_shape(model, statements);
  const std::vector<LoweredGroup> lowered = lower(model, statements, groups, Purpose::equations);
  check_masses(lowered);
  lay_out(lowered);

  std::array<std::vector<double>, where_count> constants;
  const auto constant = [&constants](Where w) -> std::vector<double>& {
    return constants[static_cast<int>(w)];
  };
  constant(Where::mass).assign(pattern.M.entries(), 0.0);
  for (const Where w : {Where::force, Where::nonideal}) constant(w).assign(velocity_names.size(), 0.0);
  constant(Where::row).assign(pattern.A.entries(), 0.0);
  for (const Where w :
       {Where::right, Where::position, Where::velocity, Where::position_size, Where::velocity_size})
    constant(w).assign(row_names.size(), 0.0);
  constant(Where::rate).assign(coordinate_names.size(), 0.0);
  for (const Where w : {Where::energy, Where::power, Where::power_explicit}) constant(w).assign(1, 0.0);
  constant(Where::output).assign(output_names.size(), 0.0);
  constant(Where::event).assign(events.size(), 0.0);
  const auto index = [this](const Target& t) {
    if (t.where == Where::mass) return entry_of(pattern.M, t.i, t.j);
    return t.where == Where::row ? entry_of(pattern.A, t.i, t.j) : t.i;
  };
  const auto compile = [&](Purpose purpose) {
    return ElementKernels(model, lower(model, statements, groups, purpose), index, constants);
  };
  equations = ElementKernels(model, lowered, index, constants);
  residuals = compile(Purpose::residuals);
  sizes = compile(Purpose::sizes);
  rates = compile(Purpose::rates);
  energy = compile(Purpose::energy);
  pattern.M.value = constant(Where::mass);
  pattern.Q = constant(Where::force);
  pattern.A.value = constant(Where::row);
  pattern.b = constant(Where::right);
  if (has_nonideal) pattern.C = constant(Where::nonideal);
  constant_position = constant(Where::position);
  constant_velocity = constant(Where::velocity);
  constant_position_size = constant(Where::position_size);
  constant_velocity_size = constant(Where::velocity_size);
  constant_rate = constant(Where::rate);
  constant_energy = constant(Where::energy)[0];
  constant_power = constant(Where::power)[0];
  constant_power_explicit = constant(Where::power_explicit)[0];
  mass_constant = !equations.touches(Where::mass);
  if (late_nonideal) {  // all of C, what is known early included
    constant(Where::nonideal).assign(velocity_names.size(), 0.0);
    nonideal = compile(Purpose::nonideal);
    pattern.C = constant(Where::nonideal);
  }
  const auto compile_observed = [&](const std::vector<Statement>& observed) {
    return ElementKernels(model, lower(model, observed, group_by_shape(model, observed), Purpose::observe),
                          index, constants);
  };
  outputs = compile_observed(outputs_of(model));
  const std::vector<Statement> watched = events_of(model);
  for (const Statement& s : watched)
    events_by_multipliers = events_by_multipliers || depends_on_multipliers(model, s.roots[0]);
  event_kernels = compile_observed(watched);
  find_readings(statements, watched);
  const std::vector<Statement> switching = switches_of(model, statements);
  for (const Statement& s : switching) {
    switch_texts.push_back(to_short_text(s.roots[0], longest_switch));
    switches_by_multipliers = switches_by_multipliers || depends_on_multipliers(model, s.roots[0]);
  }
  constant(Where::switching).assign(switching.size(), 0.0);
  switches = compile_observed(switching);
  constant_output = constant(Where::output);
  constant_event = constant(Where::event);
  compile_programmes(index, constants);
  compile_angles(index, constants);
  find_free_turns(statements, lowered);
  // Contacts have sides of their own, actuators push as they must: with these, switches are only passed.
  if (contacts.empty() && !drive && model.mechanics() != Mechanics::vakonomic)
    sliding = sliding_switches(model, statements, switching);
  structure = std::make_unique<Structure>(pattern.M, pattern.A);
  compile_closed_forms(statements);
}

void System::Impl::find_readings(const std::vector<Statement>& statements,
                                 const std::vector<Statement>& observed) {
  const auto add = [&](Reading::Of of, int index, const Expr& law) {
    Reading reading{of, index, {}};
    for (const Expr& s : symbols_with_role(model, law, Model::Role::multiplier))
      reading.rows.push_back(model.role(s).index);
    if (!reading.rows.empty()) readings.push_back(std::move(reading));
  };
  for (const Statement& s : statements)
    if (s.kind == StatementKind::nonideal) add(Reading::force, model.role(s.targets[0]).index, s.roots[0]);
  for (const Statement& s : observed)
    if (s.kind == StatementKind::event && events[s.first_row].stop)
      add(Reading::event, s.first_row, s.roots[0]);
}

void System::Impl::compile_programmes(const std::function<int(const Target&)>& index,
                                      std::array<std::vector<double>, where_count>& constants) {
  require_no_driven_multipliers(model, contacts);
  std::vector<Statement> stated;
  for (const Model::ServoData& s : model.servos())
    for (const Expr& row : s.programme)
      stated.push_back({StatementKind::switching, {row}, {}, static_cast<int>(stated.size())});
  std::vector<double>& constant = constants[static_cast<int>(Where::switching)];
  constant.assign(stated.size(), 0.0);
  phi = ElementKernels(model, lower(model, stated, group_by_shape(model, stated), Purpose::observe), index,
                       constants);
  constant_phi = constant;
  for (const ProgrammeInfo& p : programmes)
    if (!p.actuators.empty() && !drive) drive = std::make_unique<Drive>(model, constraints, pattern);
}

void System::Impl::compile_closed_forms(const std::vector<Statement>& statements) {
  // The metric of corrections is the mass as stated, the road of vakonomic motion one with another M.
  if (model.mechanics() == Mechanics::vakonomic) return;
  const SymbolicEquations written = write_out(model, statements, pattern);
  if (written.force.empty()) return;
  // Friction at rest is no closed form, nor are the forces of actuators.
  if (contacts.empty() && !drive) closed = ClosedForm(model, written, pattern);
  std::vector<AskedRow> position, velocity;
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model, s, Purpose::residuals)) {
      const bool of_position = c.target.where == Where::position;
      (of_position ? position : velocity).push_back({s.first_row + c.target.i, c.value});
    }
  closed_position = ClosedForm(model, correction(written, position), correction_pattern(pattern, position));
  closed_velocity = ClosedForm(model, correction(written, velocity), correction_pattern(pattern, velocity));
}

std::mutex& compiling() {
  static std::mutex one;
  return one;
}

const Tangent& System::Impl::tangent() const {
  std::call_once(tangent_once_, [this] {
    const std::lock_guard lock(compiling());
    std::vector<Statement> statements = statements_of(model);
    const bool written_out =
        std::any_of(contacts.begin(), contacts.end(), [](const ContactInfo& c) { return !c.law.empty(); });
    if (written_out) take_rubbing(model, statements);
    tangent_ = std::make_unique<Tangent>(model, pattern, statements);
  });
  return *tangent_;
}

void System::Impl::name_things() {
  for (std::size_t i = 0; i < model.coordinates().size(); ++i) {
    const auto& c = model.coordinates()[i];
    coordinate_names.push_back(c.name);
    start.q.push_back(c.start);
    plain_rate.push_back(model.velocity_of_coordinate(static_cast<int>(i)));
  }
  for (const auto& v : model.velocities()) {
    velocity_names.push_back(v.name);
    start.v.push_back(v.start);
  }
  for (const auto& c : model.constraints()) {
    ConstraintInfo info{c.name, 0, static_cast<int>(row_names.size()), static_cast<int>(c.rows.size())};
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      require_linear(model, c.name, c.rows[r]);
      const int order = order_of(model, c.rows[r]);
      info.order = std::max(info.order, order);
      const auto is_this = [&](const Model::ServoData& s) {
        return s.constraint == static_cast<int>(constraints.size());
      };
      const bool driven = std::any_of(model.servos().begin(), model.servos().end(), is_this);
      bool& may_work = driven ? programmes_may_work : rows_may_work;
      may_work = may_work || !is_workless(model, c.rows[r]);
      if (order == 0) position_rows.push_back(static_cast<int>(row_names.size()));
      if (order <= 1) velocity_rows.push_back(static_cast<int>(row_names.size()));
      order_of_row.push_back(order);
      row_names.push_back(c.is_vector ? c.name + "[" + std::to_string(r) + "]" : c.name);
      constraint_of_row.push_back(static_cast<int>(constraints.size()));
    }
    constraints.push_back(info);
  }
  const std::vector<Model::ActuatorData> actuators = actuators_of(model);
  for (const auto& s : model.servos()) {
    constraints[s.constraint].servo = true;
    programmes.push_back({s.constraint, {}, !s.frequency.is_constant(0)});
    for (const Model::ActuatorData& mine : s.actuators) {
      const auto is_mine = [&](const Model::ActuatorData& other) { return other.name == mine.name; };
      const auto found = std::find_if(actuators.begin(), actuators.end(), is_mine);
      programmes.back().actuators.push_back(static_cast<int>(found - actuators.begin()));
    }
    programmes_may_work = programmes_may_work || !s.actuators.empty();
  }
  for (const auto& o : model.outputs()) output_names.push_back(o.name);
  for (const auto& e : model.events()) events.push_back({e.name, e.direction, e.stop});
  for (const auto& c : model.nonideal_forces())
    late_nonideal = late_nonideal || depends_on_multipliers(model, c.value);
}

void System::Impl::check_masses(const std::vector<LoweredGroup>& lowered) const {
  // A coordinate without any statement of its inertia is an oversight; mass 0 says "massless" aloud. Two of
  // different kinds are one as well: an energy stands instead of a mass.
  std::vector<bool> moves(velocity_names.size(), false);
  for (const Expr& l : model.lagrangians())
    for (const Expr& symbol : symbols_of({&l, 1}))
      if (const auto role = model.role(symbol); role.role == Model::Role::velocity) moves[role.index] = true;
  for (const auto& m : model.masses())
    if (m.i == m.j && moves[m.i])
      fail("'" + velocity_names[m.i] +
           "' has a mass and stands in an energy of motion; state one of the two");
  std::vector<bool> stated(velocity_names.size(), false);
  for (const auto& m : model.masses())
    if (m.i == m.j) stated[m.i] = true;
  // What mu adds to M is no mass of a coordinate.
  const auto has_mu = [this](const Expr& e) {
    for (const Expr& s : symbols_of({&e, 1}))
      if (s.name().front() != '#' && model.role(s).role == Model::Role::coordinate &&
          model.role(s).index >= stated_coordinates)
        return true;
    return false;
  };
  for (const LoweredGroup& group : lowered)
    for (std::size_t c = 0; c < group.targets.size(); ++c)
      for (const Target& t : group.targets[c])
        if (t.where == Where::mass && t.i == t.j && !stated[t.i] && !has_mu(group.contributions[c].value))
          stated[t.i] = true;
  for (std::size_t i = 0; i < stated.size(); ++i)
    if (!stated[i] && !moves[i])
      fail("'" + velocity_names[i] +
           "' has no mass: state its diagonal entry of M, or a kinetic energy; 0 makes it massless");
}

void System::Impl::lay_out(const std::vector<LoweredGroup>& lowered) {
  const int n = static_cast<int>(velocity_names.size()), m = static_cast<int>(row_names.size());
  std::vector<std::pair<int, int>> mass, row;
  for (int i = 0; i < n; ++i) mass.emplace_back(i, i);
  for (const LoweredGroup& group : lowered)
    for (const auto& targets : group.targets)
      for (const Target& t : targets) {
        if (t.where == Where::mass) mass.emplace_back(t.i, t.j);
        if (t.where == Where::row) row.emplace_back(t.i, t.j);
      }
  pattern.M = pattern_of(n, n, mass);
  pattern.A = pattern_of(m, n, row);
  has_nonideal = !model.nonideal_forces().empty() || !contacts.empty();
}

System::System(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
System::~System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;

const std::vector<std::string>& System::coordinate_names() const { return impl_->coordinate_names; }
const std::vector<std::string>& System::velocity_names() const { return impl_->velocity_names; }
const std::vector<std::string>& System::row_names() const { return impl_->row_names; }
const std::vector<ConstraintInfo>& System::constraints() const { return impl_->constraints; }
const std::vector<ContactInfo>& System::contacts() const { return impl_->contacts; }
Mechanics System::mechanics() const { return impl_->model.mechanics(); }
int System::constraint_of_row(int row) const { return impl_->constraint_of_row.at(row); }
int System::order_of_row(int row) const { return impl_->order_of_row.at(row); }
const std::vector<std::string>& System::output_names() const { return impl_->output_names; }
const std::vector<EventInfo>& System::events() const { return impl_->events; }
const std::vector<Rotation>& System::rotations() const { return impl_->rotations; }
int System::velocity_of_coordinate(int coordinate) const { return impl_->plain_rate.at(coordinate); }
const State& System::start() const { return impl_->start; }
const SparseMatrix& System::rows_pattern() const { return impl_->pattern.A; }
const Structure& System::structure() const { return *impl_->structure; }
bool System::mass_constant() const { return impl_->mass_constant; }
int System::group_count() const { return impl_->equations.group_count(); }
int System::instruction_count() const { return impl_->equations.instruction_count(); }

// --- Workspace and evaluation
// -------------------------------------------------------------------------------------

Workspace::Impl::Impl(const System& system)
    : owner(&system.impl()),
      equations(system.impl().pattern),
      solve(system.structure(), system.mass_constant()),
      scratch(system.impl().equations),
      residual_scratch(system.impl().residuals),
      size_scratch(system.impl().sizes),
      rate_scratch(system.impl().rates),
      nonideal_scratch(system.impl().nonideal),
      energy_scratch(system.impl().energy),
      output_scratch(system.impl().outputs),
      event_scratch(system.impl().event_kernels),
      switch_scratch(system.impl().switches),
      closed_scratch(system.impl().closed),
      position_scratch(system.impl().closed_position),
      velocity_scratch(system.impl().closed_velocity),
      phi_scratch(system.impl().phi),
      angle_scratch(system.impl().angle_kernels),
      angle_parts(2 * system.impl().angles.size()),
      changed(system.impl().pattern) {
  const System::Impl& s = system.impl();
  if (s.drive) drive = std::make_unique<DriveScratch>(*s.drive, s.mass_constant);
  at.q.resize(s.coordinate_names.size());
  at.v.resize(s.velocity_names.size());
  right.resize(s.row_names.size());
  residual_row.resize(s.row_names.size());
  correction.resize(s.velocity_names.size());
  if (!s.contacts.empty()) friction = std::make_unique<Friction>(system);
  if (!s.sliding.empty()) sliding = std::make_unique<Sliding>(system);
}
Workspace::Impl::~Impl() = default;

Workspace::Workspace(const System& system) : impl_(std::make_unique<Impl>(system)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
const Equations& Workspace::equations() const { return impl_->equations; }

void require_fit(const System::Impl& s, const Workspace::Impl& w, std::span<const double> q,
                 std::span<const double> v) {
  if (w.owner != &s) fail("the workspace was made for another system; make one for each");
  require_size(q.size(), s.coordinate_names.size(), "coordinates");
  require_size(v.size(), s.velocity_names.size(), "velocities");
}

namespace {

/// C where it depends on the ideal constraint forces: those come first, and do not depend on C. Multipliers
/// that are not unique are the least ones.
void evaluate_late_nonideal(const System& system, const StateView& at, Workspace::Impl& w) {
  const System::Impl& s = system.impl();
  Equations& e = w.equations;
  e.C.clear();
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  solve_equations(s, e, w, w.solution, options);
  if (!w.solution.multipliers_unique || w.solution.rank < 0) {
    options.detail = Detail::full;
    solve_equations(s, e, w, w.solution, options);
  }
  e.C = s.pattern.C;
  w.solution.multipliers.resize(s.row_names.size());
  const StateView with_forces{{at.part[0], at.part[1], at.part[2], nullptr, w.solution.multipliers.data()}};
  Numbers to{};
  to[static_cast<int>(Where::nonideal)] = e.C.data();
  s.nonideal.evaluate(with_forces, to, w.nonideal_scratch);
  if (w.friction) w.friction->resolve(system, with_forces, w);
}

}  // namespace

void evaluate_as_stated(const System& system, double t, std::span<const double> q, std::span<const double> v,
                        Workspace::Impl& w) {
  const System::Impl& s = system.impl();
  const StateView at{{&t, q.data(), v.data()}};
  Equations& e = w.equations;
  if (s.equations.sums(Where::mass)) e.M.value = s.pattern.M.value;
  if (s.equations.sums(Where::force)) e.Q = s.pattern.Q;
  if (s.equations.sums(Where::nonideal)) e.C = s.pattern.C;
  const Numbers to{e.M.value.data(), e.Q.data(), e.C.data(), e.A.value.data(), e.b.data()};
  s.equations.evaluate(at, to, w.scratch);
  if (s.drive) s.drive->effects(t, q, w.drive->effects);
  if (s.late_nonideal) evaluate_late_nonideal(system, at, w);
}

const Equations& evaluate(const System& system, double t, std::span<const double> q,
                          std::span<const double> v, Workspace& work) {
  Workspace::Impl& w = work.impl();
  require_fit(system.impl(), w, q, v);
  evaluate_as_stated(system, t, q, v, w);
  if (w.sliding && w.sliding->intervenes(t, q, v)) w.sliding->resolve(system, t, q, v, w);
  return w.equations;
}

const Equations& evaluate(const System& system, const State& state, Workspace& work) {
  return evaluate(system, state.t, state.q, state.v, work);
}

void solve(const System& system, const State& state, Workspace& work, Solution& out,
           const SolveOptions& options) {
  if (system.impl().closed.exists() && options.detail == Detail::motion && options.road <= Road::fast) {
    require_fit(system.impl(), work.impl(), state.q, state.v);
    start_over(out, options.road);
    Workspace::Impl& w = work.impl();
    const bool on_switch = w.sliding && w.sliding->intervenes(state.t, state.q, state.v);
    if (!on_switch && system.impl().closed.solve(state.t, state.q, state.v, w.closed_scratch, out)) {
      out.road_used = Road::fast;
      if (!system.impl().programmes.empty())
        split_control(system.impl(), evaluate(system, state, work), work.impl(), out, options);
      return;
    }
  }
  const Equations& e = evaluate(system, state, work);
  SolveOptions how = options_for(system, options);
  solve_equations(system.impl(), e, work.impl(), out, how);
  if (const auto& friction = work.impl().friction) friction->rest(out.acceleration);
  if (const auto& sliding = work.impl().sliding) sliding->rest(out.acceleration);
  if (out.status == Status::contradicting && is_rounding(system, state.t, state.q, state.v, work, out)) {
    how.contradiction_tolerance = std::numeric_limits<double>::infinity();
    solve_equations(system.impl(), e, work.impl(), out, how);
  }
  split_control(system.impl(), e, work.impl(), out, how);
  if (system.mechanics() == Mechanics::vakonomic) restate(system, state, work, out, options.detail);
}

bool is_rounding(const System& system, double t, std::span<const double> q, std::span<const double> v,
                 Workspace& work, const Solution& s) {
  constexpr double rounding =
      1e-13;  // some hundred roundings, of the terms of phi' at the pace of the motion
  if (s.rows.empty() || system.order_of_row(s.rows.back()) == 2) return false;
  const State state{t, {q.begin(), q.end()}, {v.begin(), v.end()}};
  Residuals size;
  residual_sizes(system, state, work, size);
  const int row = s.rows.back();
  // Terms may vanish by themselves where the velocities they are made of do not.
  double terms = size.velocity[row], pace = 0;
  const SparseMatrix& a = work.equations().A;
  for (int k = a.start[row]; k < a.start[row + 1]; ++k) terms += std::fabs(a.value[k] * v[a.column[k]]);
  for (std::size_t r = 0; r < size.position.size(); ++r)
    if (size.position[r] > 0) pace = std::max(pace, size.velocity[r] / size.position[r]);
  for (const Rotation& r : system.rotations())
    for (int i = r.velocity; i < r.velocity + 3; ++i) pace = std::max(pace, std::fabs(v[i]));
  double farthest = 0, fastest = 0;
  for (std::size_t i = 0; pace == 0 && i < q.size(); ++i)
    if (const int rate = system.velocity_of_coordinate(static_cast<int>(i)); rate >= 0) {
      farthest = std::max(farthest, std::fabs(q[i]));
      fastest = std::max(fastest, std::fabs(v[rate]));
    }
  if (pace == 0 && farthest > 0) pace = fastest / farthest;
  return s.gap <= rounding * pace * terms;
}

Solution solve(const System& system, const State& state, const SolveOptions& options) {
  Workspace work(system);
  Solution out;
  solve(system, state, work, out, options);
  return out;
}

void rates(const System& system, double t, std::span<const double> q, std::span<const double> v,
           Workspace& work, std::span<double> q_rate) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(s, w, q, v);
  require_size(q_rate.size(), s.coordinate_names.size(), "rates");
  for (std::size_t i = 0; i < q_rate.size(); ++i)
    q_rate[i] = s.plain_rate[i] >= 0 ? v[s.plain_rate[i]] : s.constant_rate[i];
  if (s.rates.empty()) return;
  Numbers to{};
  to[static_cast<int>(Where::rate)] = q_rate.data();
  s.rates.evaluate({{&t, q.data(), v.data()}}, to, w.rate_scratch);
}

void rates(const System& system, const State& state, Workspace& work, std::span<double> q_rate) {
  rates(system, state.t, state.q, state.v, work, q_rate);
}

void residuals(const System& system, const State& state, Workspace& work, Residuals& out) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(s, w, state.q, state.v);
  const StateView at{{&state.t, state.q.data(), state.v.data()}};
  out.position = s.constant_position;
  out.velocity = s.constant_velocity;
  Numbers to{};
  to[static_cast<int>(Where::position)] = out.position.data();
  to[static_cast<int>(Where::velocity)] = out.velocity.data();
  s.residuals.evaluate(at, to, w.residual_scratch);
}

void residual_sizes(const System& system, const State& state, Workspace& work, Residuals& out) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(s, w, state.q, state.v);
  out.position = s.constant_position_size;
  out.velocity = s.constant_velocity_size;
  Numbers to{};
  to[static_cast<int>(Where::position_size)] = out.position.data();
  to[static_cast<int>(Where::velocity_size)] = out.velocity.data();
  s.sizes.evaluate({{&state.t, state.q.data(), state.v.data()}}, to, w.size_scratch);
}

}  // namespace vinculum
