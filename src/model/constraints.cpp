// Constraints, their forces, and what is asked of a motion: outputs and events.
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

/// What a force on a velocity is said to act on: x for x', b.wz for itself.
std::string name_on(const StatedModel& stated, int velocity) {
  const std::string& name = stated.velocities[velocity].name;
  return name.back() == '\'' ? name.substr(0, name.size() - 1) : name;
}

Expr on_velocity(StatedModel& stated, const char* what, Role role, const Expr& coordinate) {
  const int v = stated.velocity_of(coordinate, "what is looked at");
  return stated.new_symbol(std::string(what) + "(" + name_on(stated, v) + ")", role, v);
}

void claim_observation(StatedModel& stated, std::string_view name, const char* what, const Expr& value) {
  require_name(name, what);
  for (const Expr& s : symbols_of({&value, 1})) stated.role(s);  // names an unknown symbol
  const auto [where, is_new] = stated.observations.emplace(name, what);
  if (!is_new) refuse_taken_name(name, where->second);
}

}  // namespace

/// All checks come before the first change: a refused constraint leaves the model as it was.
void StatedModel::add_constraint(Model::ConstraintData constraint) {
  require_name(constraint.name, "a constraint");
  for (const Expr& phi : constraint.rows) require_no_function(phi, "constraint '" + constraint.name + "'");
  for (const Expr& s : symbols_of(constraint.rows))
    if (is_observed(role(s).role))
      fail("constraint '" + constraint.name + "' contains '" + s.name() +
           "', which may stand in outputs and events only");
  const int place = static_cast<int>(constraints.size());
  if (!constraint_names.emplace(constraint.name, place).second)
    fail("there are two constraints named '" + constraint.name + "'");
  constraint.multipliers.reserve(constraint.rows.size());
  for (std::size_t r = 0; r < constraint.rows.size(); ++r) {
    const std::string at = constraint.is_vector ? "[" + std::to_string(r) + "]" : "";
    multipliers.push_back(new_symbol("multiplier(" + constraint.name + at + ")", Role::multiplier,
                                     static_cast<int>(multipliers.size())));
    constraint.multipliers.push_back(multipliers.back());
  }
  constraints.push_back(std::move(constraint));
}

int StatedModel::find_constraint(std::string_view name) const {
  const auto found = constraint_names.find(name);
  if (found != constraint_names.end()) return found->second;
  std::vector<std::string> names;
  for (const Model::ConstraintData& c : constraints) names.push_back(c.name);
  const std::string near = nearest_name(name, names);
  fail("there is no constraint '" + std::string(name) + "'" +
       (near.empty() ? "; state it before its force is used" : " (did you mean '" + near + "'?)"));
}

Expr StatedModel::add_multiplier_coordinate(int row, const Expr& start) {
  std::string name = multipliers.at(row).name();
  name.replace(0, name.find('('), "mu");
  const int place = static_cast<int>(coordinates.size());
  const Expr mu = new_symbol(name, Role::coordinate, place);
  coordinates.push_back({name, mu, 0.0, number_of(start, "the start of '" + name + "'"), start});
  multiplier_coordinates.emplace(row, place);
  return mu;
}

int StatedModel::multiplier_coordinate(int row) const {
  const auto found = multiplier_coordinates.find(row);
  return found == multiplier_coordinates.end() ? -1 : found->second;
}

void Model::constrain(std::string_view name, const Expr& left, const Expr& right) {
  stated_->add_constraint({std::string(name), {left - right}});
}

void Model::constrain(std::string_view name, const Vector& left, const Vector& right) {
  stated_->add_constraint({std::string(name), {left.x - right.x, left.y - right.y, left.z - right.z}, true});
}

Expr Model::multiplier(std::string_view constraint, int row) {
  const ConstraintData& data = stated_->constraints[stated_->find_constraint(constraint)];
  if (row < 0 || row >= static_cast<int>(data.rows.size()))
    fail("constraint '" + data.name + "' has " + std::to_string(data.rows.size()) +
         " rows, counted from 0; there is no row " + std::to_string(row));
  return data.multipliers[row];
}

void Model::start_multiplier(std::string_view constraint, int row, const Expr& value) {
  const SymbolRole which = stated_->role(multiplier(constraint, row));
  stated_->number_of(value, "the start of '" + stated_->multipliers[which.index].name() + "'");
  stated_->start_multipliers.resize(stated_->multipliers.size());
  stated_->start_multipliers[which.index] = value;
}

void Model::set_mechanics(Mechanics mechanics) { stated_->mechanics = mechanics; }

Model Model::with_mechanics(Mechanics mechanics) const {
  Model other = *this;
  other.stated_->mechanics = mechanics;
  if (mechanics != Mechanics::vakonomic) other.stated_->start_multipliers.clear();
  return other;
}

Expr Model::reaction(std::string_view constraint, const Expr& coordinate, int row) {
  const int c = stated_->find_constraint(constraint), v = stated_->velocity_of(coordinate, "a reaction");
  if (row >= 0) multiplier(constraint, row);  // an error where there is no such row
  const std::string at = row < 0 ? "" : "[" + std::to_string(row) + "]";
  const Expr symbol =
      stated_->graph().symbol("force(" + stated_->constraints[c].name + at + ")." + name_on(*stated_, v));
  if (!stated_->roles.contains(symbol.id())) {
    stated_->roles.emplace(symbol.id(),
                           SymbolRole{Role::reaction, static_cast<int>(stated_->reactions.size())});
    stated_->reactions.push_back({c, v, row});
  }
  return symbol;
}

Expr Model::energy() { return stated_->new_symbol("energy", Role::energy, 0); }

Expr Model::gauss() { return stated_->new_symbol("gauss()", Role::gauss, 0); }

Expr Model::dissatisfaction(std::string_view constraint, int row) {
  const Expr lambda = multiplier(constraint, row);
  std::string name = lambda.name();
  name.replace(0, name.find('('), "dissatisfaction");
  return stated_->new_symbol(name, Role::dissatisfaction, stated_->role(lambda).index);
}

Expr Model::deviation(const Expr& coordinate) {
  return on_velocity(*stated_, "deviation", Role::deviation, coordinate);
}
Expr Model::nonideal_force(const Expr& coordinate) {
  return on_velocity(*stated_, "nonideal_force", Role::nonideal_force, coordinate);
}

void Model::output(std::string_view name, const Expr& value) {
  claim_observation(*stated_, name, "an output", value);
  stated_->outputs.push_back({std::string(name), value});
}

void Model::output(std::string_view name, const Vector& value) {
  output(std::string(name) + ".x", value.x);
  output(std::string(name) + ".y", value.y);
  output(std::string(name) + ".z", value.z);
}

void Model::event(std::string_view name, const Expr& value, Direction direction, bool stop) {
  for (const Expr& s : symbols_of({&value, 1}))
    if (stated_->role(s).role == Role::acceleration)
      fail("event '" + std::string(name) + "' contains the acceleration '" + s.name() +
           "'; accelerations may stand in constraints and outputs only");
  claim_observation(*stated_, name, "an event", value);
  stated_->events.push_back({std::string(name), value, direction, stop});
}

}  // namespace vinculum
