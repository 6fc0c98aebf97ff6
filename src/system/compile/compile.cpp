// A model becomes a system: names, the patterns of M and A, and a kernel for each purpose.
#include <algorithm>
#include <numeric>

#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/lower/validate.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

constexpr std::size_t longest_switch = 80;  // of its text, which is for sentences

std::vector<double>& of(Constants& constants, Where where) { return constants[static_cast<int>(where)]; }

Parameters living_of(const Model& model, std::span<const std::string> names) {
  std::vector<std::string> known;
  for (const auto& p : model.parameters()) known.push_back(p.name);
  std::vector<double> values;
  for (const std::string& name : names) {
    if (std::ranges::count(names, name) > 1) fail("parameter '" + name + "' is asked to live twice");
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string near = nearest_name(name, known);
      fail("'" + name + "' is asked to live, and no parameter of the model has that name" +
           (near.empty() ? "" : " (did you mean '" + near + "'?)"));
    }
    const Model::ParameterData& parameter = model.parameters()[found - known.begin()];
    if (parameter.meaning)
      fail("parameter '" + name + "' is made of others and follows them: let these live");
    values.push_back(parameter.value);
  }
  return {{names.begin(), names.end()}, std::move(values)};
}

std::vector<int> places_of(const Model& model, const Parameters& living) {
  std::vector<int> places;
  for (const std::string& name : living.names()) {
    const auto same = [&](const Model::ParameterData& p) { return p.name == name; };
    const auto found = std::find_if(model.parameters().begin(), model.parameters().end(), same);
    places.push_back(static_cast<int>(found - model.parameters().begin()));
  }
  return places;
}

/// The symbols in exponents; of numbers that are made of parameters these.
std::vector<std::string> names_in_exponents(const Model& model) {
  std::vector<Expr> exponents;
  const std::vector<Expr> all = all_expressions(model);
  for (const NodeId id : model.stated().graph().reachable(all))
    if (const Expr e = model.stated().graph().at(id); e.op() == Op::power) exponents.push_back(e.operand(1));
  std::vector<std::string> names;
  std::vector<Expr> symbols = symbols_of(exponents);
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    const SymbolRole which = model.stated().role(symbols[k]);
    names.push_back(symbols[k].name());
    if (which.role != Role::made) continue;
    for (const Expr& s : model.stated().sources_of_made(which.index)) symbols.push_back(s);
  }
  return names;
}

/// Why parameters that are asked to live are numbers all the same: exponents decide how an expression is
/// differentiated, and a number that was made of a parameter does not follow it.
std::vector<std::string> why_fixed(const Model& model, const Parameters& living) {
  std::vector<std::string> why(living.names().size());
  if (why.empty()) return why;
  const std::vector<std::string> in_exponents = names_in_exponents(with_numbers(model, living.names()));
  for (std::size_t k = 0; k < why.size(); ++k)
    if (std::ranges::count(in_exponents, living.names()[k]) > 0)
      why[k] = "stands in an exponent, on which the derivatives depend";
  for (std::size_t p = 0; p < model.parameters().size(); ++p) {
    const std::string& used_in = model.parameters()[p].used_in;
    if (used_in.empty()) continue;
    for (const int source : model.stated().sources_of_parameter(static_cast<int>(p)))
      for (std::size_t k = 0; k < why.size(); ++k)
        if (living.names()[k] == model.parameters()[source].name && why[k].empty())
          why[k] = "stands in " + used_in + ", which is a number";
  }
  return why;
}

std::vector<std::string> left_alive(const Parameters& living, const std::vector<std::string>& fixed) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < fixed.size(); ++k)
    if (fixed[k].empty()) names.push_back(living.names()[k]);
  return names;
}

}  // namespace

System::Impl::Impl(const Model& stated, std::span<const std::string> names)
    : living(living_of(stated, names)),
      place_of_living(places_of(stated, living)),
      fixed(why_fixed(stated, living)),
      model(with_multiplier_coordinates(with_numbers(stated, left_alive(living, fixed)))) {
  require_valid(model);
  find_constants(stated);
  stated_coordinates = static_cast<int>(stated.coordinates().size());
  name_things();
  std::vector<Statement> statements = statements_of(model);
  find_frictions(statements);
  const std::vector<ShapeGroup> groups = group_by_shape(model, statements);
  const std::vector<LoweredGroup> lowered = lower_groups(model, statements, groups, Purpose::equations);
  judge_masses();
  lay_out(lowered);

  Constants constants = zero_constants();
  equations = kernels_of(lowered, constants);
  compile_purposes(statements, groups, constants);
  compile_observed(statements, constants);
  const std::vector<Statement> switching = switches_of(model, statements);
  compile_switches(switching, constants);
  open_derivatives = find_open_derivatives(model, switching);
  compile_programmes(constants);
  compile_angles(constants);
  find_free_turns(statements, lowered);
  // Contacts have sides of their own, actuators push as they must: with these, switches are only passed.
  if (frictions.empty() && !drive && model.mechanics() != Mechanics::vakonomic)
    sliding = sliding_switches(model, statements, switching);
  numbers = std::move(constants);
  find_kin();
  structure = std::make_unique<Structure>(pattern.M, pattern.A, kin);
  compile_closed_forms(statements);
}

void System::Impl::judge_masses() {
  std::vector<Expr> living_masses;
  for (const auto& m : model.masses())
    if (m.i == m.j && is_of_living(model, m.value))
      living_masses.push_back(m.value);
    else if (m.i != m.j || !m.value.is_constant() || m.value.value() < 0)
      stated_mass_may_be_negative = true;
  stated_masses = LivingNumbers(model, living_masses);
}

void System::Impl::name_things() {
  for (std::size_t i = 0; i < model.coordinates().size(); ++i) {
    const auto& c = model.coordinates()[i];
    coordinate_names.push_back(c.name);
    plain_rate.push_back(model.stated().velocity_of_coordinate(static_cast<int>(i)));
  }
  for (const auto& v : model.velocities()) {
    velocity_names.push_back(v.name);
  }
  find_starts();
  find_demands();
  name_rows();
  name_programmes();
  for (const auto& o : model.outputs()) output_names.push_back(o.name);
  for (const auto& e : model.events()) events.push_back({e.name, e.direction, e.stop, e.limit});
  for (const auto& c : model.nonideal_forces())
    nonideal_needs_reactions = nonideal_needs_reactions || depends_on_multipliers(model, c.value);
}

void System::Impl::find_starts() {
  std::vector<Expr> stated;
  const auto take = [&](const Expr& from, bool is_velocity, std::vector<double>& to) {
    if (!from.is_constant()) {
      stated.push_back(from);
      start_places.emplace_back(is_velocity, static_cast<int>(to.size()));
    }
    to.push_back(from.is_constant() ? from.value() : 0.0);
  };
  for (const auto& c : model.coordinates()) take(c.start_from, false, start.q);
  for (const auto& v : model.velocities()) take(v.start_from, true, start.v);
  stated_starts = LivingNumbers(model, stated);
}

void System::Impl::find_demands() {
  if (model.stated().is_of_numbers) return;  // judged when they were stated
  for (const DemandData& demand : model.stated().demands)
    if (!symbols_of(demand.asked.of).empty())
      demands.push_back({demand, LivingNumbers(model, demand.asked.of)});
}

/// Those that do not live are judged here, by the names they were stated with.
void System::Impl::find_constants(const Model& stated) {
  const auto numbers_of = [](const Model& of, const std::vector<ConstantPart>& parts) {
    std::vector<Expr> values;
    for (const ConstantPart& c : parts) values.push_back(c.part);
    return LivingNumbers(of, values);
  };
  const std::vector<ConstantPart> all = constant_parts(stated);
  if (all.empty()) return;
  require_finite(all, numbers_of(stated, all).at(stated.stated().numbers()));
  if (living.names().empty()) return;
  living_parts = constant_parts(model);
  std::erase_if(living_parts, [](const ConstantPart& c) { return symbols_of({&c.part, 1}).empty(); });
  living_part_numbers = numbers_of(model, living_parts);
}

/// The three of an angular velocity are kin, and those of a place in space: of coordinates p.x, p.y, p.z.
void System::Impl::find_kin() {
  const int nv = static_cast<int>(velocity_names.size());
  std::vector<int> of(nv, -1);  // the coordinate whose rate it is
  for (std::size_t i = 0; i < plain_rate.size(); ++i)
    if (plain_rate[i] >= 0) of[plain_rate[i]] = static_cast<int>(i);
  const auto is_place = [&](int v) {
    if (v + 3 > nv || of[v] < 0 || !coordinate_names[of[v]].ends_with(".x")) return false;
    const std::string name(coordinate_names[of[v]], 0, coordinate_names[of[v]].size() - 1);
    return of[v + 1] == of[v] + 1 && of[v + 2] == of[v] + 2 && coordinate_names[of[v] + 1] == name + "y" &&
           coordinate_names[of[v] + 2] == name + "z";
  };
  kin.resize(nv);
  std::iota(kin.begin(), kin.end(), 0);
  for (const Rotation& r : rotations) std::fill_n(kin.begin() + r.velocity, 3, r.velocity);
  for (int v = 0; v < nv; ++v)
    if (is_place(v)) std::fill_n(kin.begin() + v, 3, v);
}

void System::Impl::name_rows() {
  for (const auto& c : model.constraints()) {
    ConstraintInfo info{c.name, 0, static_cast<int>(row_names.size()), static_cast<int>(c.rows.size())};
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const int order = order_of(model, c.rows[r]);
      info.order = std::max(info.order, order);
      const auto is_this = [&](const Model::ServoData& s) {
        return s.constraint == static_cast<int>(constraints.size());
      };
      const bool driven = std::any_of(model.servos().begin(), model.servos().end(), is_this);
      bool& may_work = driven ? programmes_may_work : rows_may_work;
      may_work = may_work || !is_workless(model, c.rows[r], order);
      find_highest_terms(c.name, c.rows[r], order);
      if (order == 0) position_rows.push_back(static_cast<int>(row_names.size()));
      if (order <= 1) velocity_rows.push_back(static_cast<int>(row_names.size()));
      order_of_row.push_back(order);
      row_names.push_back(c.is_vector ? c.name + "[" + std::to_string(r) + "]" : c.name);
      constraint_of_row.push_back(static_cast<int>(constraints.size()));
    }
    constraints.push_back(info);
  }
}

void System::Impl::find_highest_terms(const std::string& constraint, const Expr& row, int order) {
  if (order == 0) return;
  const Role level = order == 2 ? Role::acceleration : Role::velocity;
  std::vector<Expr> coefficients;
  for (const Expr& slope : gradient(row, symbols_with_role(model, row, level))) {
    if (slope.is_constant(0)) continue;
    if (!is_of_living(model, slope)) return;  // a number, or of the state: the order stays
    coefficients.push_back(slope);
  }
  highest_terms.push_back({constraint, LivingNumbers(model, coefficients)});
}

void System::Impl::name_programmes() {
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
  has_nonideal = !model.nonideal_forces().empty() || !frictions.empty();
  pattern.Q.assign(n, 0.0);
  pattern.b.assign(m, 0.0);
  if (has_nonideal) pattern.C.assign(n, 0.0);
}

ElementKernels System::Impl::kernels_of(const std::vector<LoweredGroup>& lowered,
                                        Constants& constants) const {
  const auto place = [this](const Target& t) {
    if (t.where == Where::mass) return entry_of(pattern.M, t.i, t.j);
    return t.where == Where::row ? entry_of(pattern.A, t.i, t.j) : t.i;
  };
  return ElementKernels(model, lowered, place, constants);
}

ElementKernels System::Impl::kernels_of_observed(const std::vector<Statement>& observed,
                                                 Constants& constants) const {
  return kernels_of(lower_groups(model, observed, group_by_shape(model, observed), Purpose::observe),
                    constants);
}

Constants System::Impl::zero_constants() const {
  Constants constants;
  of(constants, Where::mass).assign(pattern.M.entries(), 0.0);
  for (const Where w : {Where::force, Where::nonideal}) of(constants, w).assign(velocity_names.size(), 0.0);
  of(constants, Where::row).assign(pattern.A.entries(), 0.0);
  for (const Where w :
       {Where::right, Where::position, Where::velocity, Where::position_size, Where::velocity_size})
    of(constants, w).assign(row_names.size(), 0.0);
  of(constants, Where::rate).assign(coordinate_names.size(), 0.0);
  for (const Where w : {Where::energy, Where::power, Where::power_explicit}) of(constants, w).assign(1, 0.0);
  of(constants, Where::output).assign(output_names.size(), 0.0);
  of(constants, Where::event).assign(events.size(), 0.0);
  return constants;
}

/// What else the statements say besides the equations, and the numbers of both that never change.
void System::Impl::compile_purposes(const std::vector<Statement>& statements,
                                    const std::vector<ShapeGroup>& groups, Constants& constants) {
  const auto compile = [&](Purpose purpose) {
    return kernels_of(lower_groups(model, statements, groups, purpose), constants);
  };
  residuals = compile(Purpose::residuals);
  sizes = compile(Purpose::sizes);
  rates = compile(Purpose::rates);
  // Motions ask for powers wherever they evaluate a state, for the energy where they record it.
  std::vector<LoweredGroup> of_energy = lower_groups(model, statements, groups, Purpose::energy);
  std::vector<LoweredGroup> of_powers = of_energy;
  const auto is_energy = [](const Target& t) { return t.where == Where::energy; };
  for (LoweredGroup& group : of_energy) group.keep(is_energy);
  for (LoweredGroup& group : of_powers) group.keep(std::not_fn(is_energy));
  energy = kernels_of(of_energy, constants);
  powers = kernels_of(of_powers, constants);
  mass_constant = !equations.touches(Where::mass);
  if (nonideal_needs_reactions) {  // all of C, what is known early included
    of(constants, Where::nonideal).assign(velocity_names.size(), 0.0);
    nonideal = compile(Purpose::nonideal);
  }
}

void System::Impl::compile_observed(const std::vector<Statement>& statements, Constants& constants) {
  const std::vector<Statement> recorded = outputs_of(model);
  outputs = kernels_of_observed(recorded, constants);
  const std::vector<Statement> watched = events_of(model);
  for (const Statement& s : watched)
    events_by_multipliers = events_by_multipliers || depends_on_multipliers(model, s.roots[0]);
  for (const auto* list : {&recorded, &watched})
    for (const Statement& s : *list)
      looks_at_free_motion = looks_at_free_motion || depends_on_free_motion(model, s.roots[0]);
  event_kernels = kernels_of_observed(watched, constants);
  find_readings(statements, watched);
}

void System::Impl::compile_switches(const std::vector<Statement>& switching, Constants& constants) {
  for (const Statement& s : switching) {
    switch_texts.push_back(to_short_text(s.roots[0], longest_switch));
    switches_by_multipliers = switches_by_multipliers || depends_on_multipliers(model, s.roots[0]);
  }
  of(constants, Where::switching).assign(switching.size(), 0.0);
  switches = kernels_of_observed(switching, constants);
}

void System::Impl::find_readings(const std::vector<Statement>& statements,
                                 const std::vector<Statement>& observed) {
  const auto add = [&](Reading::Of of, int index, const Expr& law) {
    Reading reading{of, index, {}};
    for (const Expr& s : symbols_with_role(model, law, Role::multiplier))
      reading.rows.push_back(model.stated().role(s).index);
    if (!reading.rows.empty()) readings.push_back(std::move(reading));
  };
  for (const Statement& s : statements)
    if (s.kind == StatementKind::nonideal)
      add(Reading::force, model.stated().role(s.targets[0]).index, s.roots[0]);
  for (const Statement& s : observed)
    if (s.kind == StatementKind::event && events[s.first_row].stop)
      add(Reading::event, s.first_row, s.roots[0]);
}

void System::Impl::compile_programmes(Constants& constants) {
  std::vector<Statement> stated;
  for (const Model::ServoData& s : model.servos())
    for (const Expr& row : s.programme)
      stated.push_back({StatementKind::switching, {row}, {}, static_cast<int>(stated.size())});
  of(constants, Where::switching).assign(stated.size(), 0.0);
  phi = kernels_of_observed(stated, constants);
  numbers_of_phi = of(constants, Where::switching);
  for (const ProgrammeInfo& p : programmes)
    if (!p.actuators.empty() && !drive) drive = std::make_unique<Drive>(model, constraints, pattern);
}

void System::Impl::compile_closed_forms(const std::vector<Statement>& statements) {
  // The metric of corrections is the mass as stated, the road of vakonomic motion one with another M.
  if (model.mechanics() == Mechanics::vakonomic) return;
  if (!may_be_written_out(pattern)) return;
  const SymbolicEquations written = symbolic_equations(model, statements);
  // Friction at rest is no closed form, nor are the forces of actuators.
  if (frictions.empty() && !drive) closed = ClosedForm(model, written, pattern);
  std::vector<AskedRow> position, velocity;
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model, s, Purpose::residuals)) {
      const bool of_position = c.target.where == Where::position;
      (of_position ? position : velocity).push_back({s.first_row + c.target.i, c.value});
    }
  closed_position = ClosedCorrection(model, written, pattern, position);
  closed_velocity = ClosedCorrection(model, written, pattern, velocity);
}

}  // namespace vinculum
