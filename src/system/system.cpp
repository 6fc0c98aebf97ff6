#include "vinculum/system/system.hpp"

#include <algorithm>
#include <set>

#include "equation/fast.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

/// A pattern from pairs (row, column), each once, columns rising.
SparseMatrix pattern_of(int rows, int columns, std::vector<std::pair<int, int>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  SparseMatrix m;
  m.rows = rows;
  m.columns = columns;
  m.start.assign(rows + 1, 0);
  for (const auto& [i, j] : pairs) {
    ++m.start[i + 1];
    m.column.push_back(j);
  }
  for (int i = 0; i < rows; ++i) m.start[i + 1] += m.start[i];
  m.value.assign(m.column.size(), 0.0);
  return m;
}

int entry_of(const SparseMatrix& m, int i, int j) {
  const auto first = m.column.begin() + m.start[i], last = m.column.begin() + m.start[i + 1];
  return static_cast<int>(std::lower_bound(first, last, j) - m.column.begin());
}

void require_size(std::size_t given, std::size_t wanted, const char* what) {
  if (given != wanted)
    fail("the state has " + std::to_string(given) + " " + what + " where the system has " +
         std::to_string(wanted));
}

}  // namespace

System::Impl::Impl(const Model& stated) {
  const Model numbers = stated.parameters().empty() ? Model() : stated.with_numbers();
  const Model& model = stated.parameters().empty() ? stated : numbers;
  if (model.coordinates().empty() && model.velocities().empty()) fail("the model has no coordinates");
  if (model.has_idle_gravity())
    fail("gravity acts on particles, and the model has none; use force() on coordinates");
  name_things(model);
  const std::vector<Statement> statements = statements_of(model);
  const std::vector<ShapeGroup> groups = group_by_shape(model, statements);
  const std::vector<LoweredGroup> lowered = lower(model, statements, groups, Purpose::equations);
  check_masses(model, lowered);
  lay_out(model, lowered);

  std::array<std::vector<double>, where_count> constants;
  constants[static_cast<int>(Where::mass)].assign(pattern.M.entries(), 0.0);
  for (const Where w : {Where::force, Where::nonideal})
    constants[static_cast<int>(w)].assign(velocity_names.size(), 0.0);
  constants[static_cast<int>(Where::row)].assign(pattern.A.entries(), 0.0);
  for (const Where w : {Where::right, Where::position, Where::velocity})
    constants[static_cast<int>(w)].assign(row_names.size(), 0.0);
  constants[static_cast<int>(Where::rate)].assign(coordinate_names.size(), 0.0);
  const auto index = [this](const Target& t) {
    if (t.where == Where::mass) return entry_of(pattern.M, t.i, t.j);
    return t.where == Where::row ? entry_of(pattern.A, t.i, t.j) : t.i;
  };
  equations = ElementKernels(model, lowered, index, constants);
  residuals = ElementKernels(model, lower(model, statements, groups, Purpose::residuals), index, constants);
  rates = ElementKernels(model, lower(model, statements, groups, Purpose::rates), index, constants);

  pattern.M.value = constants[static_cast<int>(Where::mass)];
  pattern.Q = constants[static_cast<int>(Where::force)];
  pattern.A.value = constants[static_cast<int>(Where::row)];
  pattern.b = constants[static_cast<int>(Where::right)];
  if (has_nonideal) pattern.C = constants[static_cast<int>(Where::nonideal)];
  constant_position = constants[static_cast<int>(Where::position)];
  constant_velocity = constants[static_cast<int>(Where::velocity)];
  constant_rate = constants[static_cast<int>(Where::rate)];
  mass_constant = !equations.touches(Where::mass);
  structure = std::make_unique<Structure>(pattern.M, pattern.A);
  closed = ClosedForm(model, statements, groups, pattern);
}

void System::Impl::name_things(const Model& model) {
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
      info.order = std::max(info.order, order_of(model, c.rows[r]));
      require_linear(model, c.name, c.rows[r]);
      row_names.push_back(c.is_vector ? c.name + "[" + std::to_string(r) + "]" : c.name);
      constraint_of_row.push_back(static_cast<int>(constraints.size()));
    }
    constraints.push_back(info);
  }
}

void System::Impl::check_masses(const Model& model, const std::vector<LoweredGroup>& lowered) const {
  // A coordinate without any statement of its inertia is an oversight; mass 0 says "massless" aloud. Two of
  // different kinds are one as well: an energy stands instead of a mass.
  std::vector<bool> moves(velocity_names.size(), false);
  for (const Expr& energy : model.lagrangians())
    for (const Expr& symbol : symbols_of({&energy, 1}))
      if (const auto role = model.role(symbol); role.role == Model::Role::velocity) moves[role.index] = true;
  for (const auto& m : model.masses())
    if (m.i == m.j && moves[m.i])
      fail("'" + velocity_names[m.i] +
           "' has a mass and stands in an energy of motion; state one of the two");
  std::vector<bool> stated(velocity_names.size(), false);
  for (const auto& m : model.masses())
    if (m.i == m.j) stated[m.i] = true;
  for (const LoweredGroup& group : lowered)
    for (const auto& targets : group.targets)
      for (const Target& t : targets)
        if (t.where == Where::mass && t.i == t.j) stated[t.i] = true;
  for (std::size_t i = 0; i < stated.size(); ++i)
    if (!stated[i])
      fail("'" + velocity_names[i] +
           "' has no mass: state its diagonal entry of M, or a kinetic energy; 0 makes it massless");
}

void System::Impl::lay_out(const Model& model, const std::vector<LoweredGroup>& lowered) {
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
  has_nonideal = !model.nonideal_forces().empty();
}

System::System(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
System::~System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;

const std::vector<std::string>& System::coordinate_names() const { return impl_->coordinate_names; }
const std::vector<std::string>& System::velocity_names() const { return impl_->velocity_names; }
const std::vector<std::string>& System::row_names() const { return impl_->row_names; }
const std::vector<ConstraintInfo>& System::constraints() const { return impl_->constraints; }
int System::constraint_of_row(int row) const { return impl_->constraint_of_row.at(row); }
const State& System::start() const { return impl_->start; }
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
      rate_scratch(system.impl().rates),
      closed_scratch(system.impl().closed) {}

Workspace::Workspace(const System& system) : impl_(std::make_unique<Impl>(system)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
const Equations& Workspace::equations() const { return impl_->equations; }

namespace {

void require_sizes(const System::Impl& s, std::span<const double> q, std::span<const double> v) {
  require_size(q.size(), s.coordinate_names.size(), "coordinates");
  require_size(v.size(), s.velocity_names.size(), "velocities");
}

void require_owner(const System::Impl& s, const Workspace::Impl& w) {
  if (w.owner != &s) fail("the workspace was made for another system; make one for each");
}

/// The state where it lies, after a look at its size.
StateView view(const System::Impl& s, const double& t, std::span<const double> q, std::span<const double> v) {
  require_sizes(s, q, v);
  return {{&t, q.data(), v.data()}};
}

}  // namespace

const Equations& evaluate(const System& system, double t, std::span<const double> q,
                          std::span<const double> v, Workspace& work) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_owner(s, w);
  const StateView at = view(s, t, q, v);
  Equations& e = w.equations;
  if (s.equations.sums(Where::mass)) e.M.value = s.pattern.M.value;
  if (s.equations.sums(Where::force)) e.Q = s.pattern.Q;
  if (s.equations.sums(Where::nonideal)) e.C = s.pattern.C;
  const Numbers to{e.M.value.data(), e.Q.data(), e.C.data(), e.A.value.data(),
                   e.b.data(),       nullptr,    nullptr,    nullptr};
  s.equations.evaluate(at, to, w.scratch);
  return e;
}

const Equations& evaluate(const System& system, const State& state, Workspace& work) {
  return evaluate(system, state.t, state.q, state.v, work);
}

void solve(const System& system, const State& state, Workspace& work, Solution& out,
           const SolveOptions& options) {
  if (system.impl().closed.exists() && options.detail == Detail::motion && options.road <= Road::fast) {
    require_owner(system.impl(), work.impl());
    require_sizes(system.impl(), state.q, state.v);
    start_over(out, options.road);
    if (system.impl().closed.solve(state.t, state.q, state.v, work.impl().closed_scratch, out)) {
      out.road_used = Road::fast;
      return;
    }
  }
  const Equations& e = evaluate(system, state, work);
  solve(system.structure(), e, work.impl().solve, out, options);
}

Solution solve(const System& system, const State& state, const SolveOptions& options) {
  Workspace work(system);
  Solution out;
  solve(system, state, work, out, options);
  return out;
}

void rates(const System& system, const State& state, Workspace& work, std::span<double> q_rate) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_owner(s, w);
  const StateView at = view(s, state.t, state.q, state.v);
  require_size(q_rate.size(), s.coordinate_names.size(), "rates");
  for (std::size_t i = 0; i < q_rate.size(); ++i)
    q_rate[i] = s.plain_rate[i] >= 0 ? state.v[s.plain_rate[i]] : s.constant_rate[i];
  Numbers to{};
  to[static_cast<int>(Where::rate)] = q_rate.data();
  s.rates.evaluate(at, to, w.rate_scratch);
}

void residuals(const System& system, const State& state, Workspace& work, Residuals& out) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_owner(s, w);
  const StateView at = view(s, state.t, state.q, state.v);
  out.position = s.constant_position;
  out.velocity = s.constant_velocity;
  Numbers to{};
  to[static_cast<int>(Where::position)] = out.position.data();
  to[static_cast<int>(Where::velocity)] = out.velocity.data();
  s.residuals.evaluate(at, to, w.residual_scratch);
}

}  // namespace vinculum
