#include "vinculum/lower/validate.hpp"

#include <algorithm>

#include "lower/breaches.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

void judge_contents(const Model& model, std::vector<Breach>& out) {
  for (const std::string& name : model.open_names())
    out.push_back(
        {Rule::parameters_have_values, -1, -1,
         "'" + name + "' has no value, and nothing can be computed without one: only 'derive' does"});
  if (model.coordinates().empty() && model.velocities().empty())
    out.push_back({Rule::has_coordinates, -1, -1, "the model has no coordinates"});
  if (model.stated().has_idle_gravity())
    out.push_back(
        {Rule::gravity_has_weights, -1, -1,
         "gravity acts on particles and bodies, and the model has none; use force() on coordinates"});
}

bool contains_accelerations(const Model& model, std::span<const Expr> rows) {
  return std::ranges::any_of(
      symbols_of(rows), [&](const Expr& s) { return model.stated().role(s).role == Role::acceleration; });
}

void judge_rows(const Model& model, std::vector<Breach>& out) {
  for (std::size_t c = 0; c < model.constraints().size(); ++c)
    if (contains_accelerations(model, model.constraints()[c].rows))
      for (const Expr& phi : model.constraints()[c].rows)
        if (std::string text = nonlinearity(model, model.constraints()[c].name, phi); !text.empty())
          out.push_back({Rule::linear_in_accelerations, static_cast<int>(c), -1, std::move(text)});
}

/// The programme with actuators whose multiplier or reaction the symbol is; -1 for none.
int driven_by(const Model& model, const Expr& symbol) {
  const SymbolRole role = model.stated().role(symbol);
  if (role.role == Role::reaction) {
    const int constraint = model.stated().reactions[role.index].constraint;
    return acts_by_actuators(model, constraint) ? constraint : -1;
  }
  if (role.role != Role::multiplier) return -1;
  for (std::size_t c = 0; c < model.constraints().size(); ++c)
    for (const Expr& m : model.constraints()[c].multipliers)
      if (m.id() == symbol.id())
        return acts_by_actuators(model, static_cast<int>(c)) ? static_cast<int>(c) : -1;
  return -1;
}

}  // namespace

bool acts_by_actuators(const Model& model, int constraint) {
  return std::ranges::any_of(model.servos(), [&](const Model::ServoData& servo) {
    return servo.constraint == constraint && !servo.actuators.empty();
  });
}

/// A coordinate without any statement of its inertia is an oversight; mass 0 says "massless" aloud. Two of
/// different kinds are one as well: an energy stands instead of a mass. (What mu adds to M is no mass of a
/// coordinate.)
void judge_masses(const Model& model, std::vector<Breach>& out) {
  if (model.mechanics() == Mechanics::none) return;  // M is the identity
  std::vector<bool> moves(model.velocities().size(), false), stated(moves);
  for (const Expr& l : model.lagrangians())
    for (const Expr& v : symbols_with_role(model, l, Role::velocity))
      moves[model.stated().role(v).index] = true;
  for (const auto& m : model.masses())
    if (m.i == m.j) stated[m.i] = true;
  const auto name = [&](std::size_t v) { return "'" + model.velocities()[v].name + "'"; };
  for (const auto& m : model.masses())
    if (m.i == m.j && moves[m.i])
      out.push_back({Rule::one_inertia, m.i, -1,
                     name(m.i) + " has a mass and stands in an energy of motion; state one of the two"});
  for (std::size_t v = 0; v < stated.size(); ++v)
    if (!stated[v] && !moves[v])
      out.push_back(
          {Rule::has_inertia, static_cast<int>(v), -1,
           name(v) +
               " has no mass: state its diagonal entry of M, or a kinetic energy; 0 makes it massless"});
}

void judge_programmes(const Model& model, std::vector<Breach>& out) {
  const auto has_actuators = [](const Model::ServoData& servo) { return !servo.actuators.empty(); };
  const auto driven = std::ranges::find_if(model.servos(), has_actuators);
  if (driven == model.servos().end()) return;
  const auto name = [&](int constraint) { return "'" + model.constraints()[constraint].name + "'"; };
  const auto look = [&](const std::string& what, const Expr& value) {
    for (const Expr& s : symbols_of({&value, 1}))
      if (const int c = driven_by(model, s); c >= 0)
        out.push_back({Rule::no_multipliers_of_actuators, c, -1,
                       what + " contains '" + s.name() + "', and programme " + name(c) +
                           " acts by its actuators: it has no multipliers (its force is in control_force)"});
  };
  for (const auto& o : model.outputs()) look("output '" + o.name + "'", o.value);
  for (const auto& e : model.events()) look("event '" + e.name + "'", e.value);
  for (const auto& f : model.nonideal_forces()) look("a non-ideal force", f.value);
  for (const Model::FrictionData& f : model.frictions())
    if (!f.coefficient.is_constant(0))
      out.push_back({Rule::no_friction_beside_actuators, f.constraint, driven->constraint,
                     "the friction of constraint " + name(f.constraint) + " stands beside programme " +
                         name(driven->constraint) +
                         ", which has actuators; whether it sticks is not known then: write it into the "
                         "non-ideal forces"});
}

std::vector<Breach> validate(const Model& model) {
  std::vector<Breach> found;
  judge_vakonomic(model, found);
  judge_contents(model, found);
  judge_rows(model, found);
  judge_masses(model, found);
  judge_programmes(model, found);
  return found;
}

void require_valid(const Model& model) {
  if (const std::vector<Breach> found = validate(model); !found.empty()) fail(found.front().text);
}

}  // namespace vinculum
