// Constraints, their forces, and what is asked of a motion: outputs and events.
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

void Model::constrain(std::string_view name, const Expr& left, const Expr& right) {
  add_constraint({std::string(name), {left - right}});
}

void Model::constrain(std::string_view name, const Vector& left, const Vector& right) {
  add_constraint({std::string(name), {left.x - right.x, left.y - right.y, left.z - right.z}, true});
}

/// All checks come before the first change: a refused constraint leaves the model as it was.
void Model::add_constraint(ConstraintData constraint) {
  if (!is_name(constraint.name))
    fail("'" + constraint.name + "' cannot name a constraint: a name is letters, digits and _");
  for (const Expr& phi : constraint.rows) {
    require_no_function(phi, "constraint '" + constraint.name + "'");
    for (const Expr& s : symbols_of({&phi, 1}))
      if (is_observed(role(s).role))
        fail("constraint '" + constraint.name + "' contains '" + s.name() +
             "', which may stand in outputs and events only");
  }
  const int place = static_cast<int>(constraints_.size());
  if (!constraint_names_.emplace(constraint.name, place).second)
    fail("there are two constraints named '" + constraint.name + "'");
  for (std::size_t r = 0; r < constraint.rows.size(); ++r) {
    const std::string at = constraint.is_vector ? "[" + std::to_string(r) + "]" : "";
    multipliers_.push_back(new_symbol("multiplier(" + constraint.name + at + ")", Role::multiplier,
                                      static_cast<int>(multipliers_.size())));
    constraint.multipliers.push_back(multipliers_.back());
  }
  constraints_.push_back(std::move(constraint));
}

int Model::find_constraint(std::string_view name) const {
  const auto found = constraint_names_.find(std::string(name));
  if (found != constraint_names_.end()) return found->second;
  std::vector<std::string> names;
  for (const ConstraintData& c : constraints_) names.push_back(c.name);
  const std::string near = nearest_name(name, names);
  fail("there is no constraint '" + std::string(name) + "'" +
       (near.empty() ? "; state it before its force is used" : " (did you mean '" + near + "'?)"));
}

Expr Model::multiplier(std::string_view constraint, int row) {
  const ConstraintData& data = constraints_[find_constraint(constraint)];
  if (row < 0 || row >= static_cast<int>(data.rows.size()))
    fail("constraint '" + data.name + "' has " + std::to_string(data.rows.size()) +
         " rows, counted from 0; there is no row " + std::to_string(row));
  return data.multipliers[row];
}

Expr Model::multiplier_of_row(int row) const { return multipliers_.at(row); }

void Model::start_multiplier(std::string_view constraint, int row, const Expr& value) {
  const SymbolRole which = role(multiplier(constraint, row));
  number_of(value, "the start of '" + multipliers_[which.index].name() + "'");
  start_multipliers_.resize(multipliers_.size());
  start_multipliers_[which.index] = value;
}

Model Model::with_mechanics(Mechanics mechanics) const {
  Model other = *this;
  other.mechanics_ = mechanics;
  if (mechanics != Mechanics::vakonomic) other.start_multipliers_.clear();
  return other;
}

Expr Model::add_multiplier_coordinate(int row, const Expr& start) {
  std::string name = multipliers_.at(row).name();
  name.replace(0, name.find('('), "mu");
  const int place = static_cast<int>(coordinates_.size());
  const Expr mu = new_symbol(name, Role::coordinate, place);
  coordinates_.push_back({name, mu, 0.0, number_of(start, "the start of '" + name + "'"), start});
  multiplier_coordinates_.emplace(row, place);
  return mu;
}

int Model::multiplier_coordinate(int row) const {
  const auto found = multiplier_coordinates_.find(row);
  return found == multiplier_coordinates_.end() ? -1 : found->second;
}

/// What a force on a velocity is said to act on: x for x', b.wz for itself.
std::string Model::name_on(int velocity) const {
  const std::string& name = velocities_[velocity].name;
  return name.back() == '\'' ? name.substr(0, name.size() - 1) : name;
}

Expr Model::reaction(std::string_view constraint, const Expr& coordinate, int row) {
  const int c = find_constraint(constraint), v = velocity_of(coordinate, "a reaction");
  if (row >= 0) multiplier(constraint, row);  // an error where there is no such row
  const std::string at = row < 0 ? "" : "[" + std::to_string(row) + "]";
  const Expr symbol = graph_->symbol("force(" + constraints_[c].name + at + ")." + name_on(v));
  if (!roles_.contains(symbol.id())) {
    roles_.emplace(symbol.id(), SymbolRole{Role::reaction, static_cast<int>(reactions_.size())});
    reactions_.push_back({c, v, row});
  }
  return symbol;
}

Expr Model::energy() { return new_symbol("energy", Role::energy, 0); }

Expr Model::gauss() { return new_symbol("gauss()", Role::gauss, 0); }

Expr Model::dissatisfaction(std::string_view constraint, int row) {
  const Expr lambda = multiplier(constraint, row);
  std::string name = lambda.name();
  name.replace(0, name.find('('), "dissatisfaction");
  return new_symbol(name, Role::dissatisfaction, role(lambda).index);
}

Expr Model::on_velocity(const char* what, Role role, const Expr& coordinate) {
  const int v = velocity_of(coordinate, "what is looked at");
  return new_symbol(std::string(what) + "(" + name_on(v) + ")", role, v);
}

Expr Model::deviation(const Expr& coordinate) {
  return on_velocity("deviation", Role::deviation, coordinate);
}
Expr Model::nonideal_force(const Expr& coordinate) {
  return on_velocity("nonideal_force", Role::nonideal_force, coordinate);
}

void Model::claim_observation(std::string_view name, const char* what, const Expr& value) {
  if (!is_name(name))
    fail("'" + std::string(name) + "' cannot name an " + what + ": a name is letters, digits and _");
  for (const Expr& s : symbols_of({&value, 1})) role(s);  // names an unknown symbol
  const auto [where, is_new] = observations_.emplace(name, what);
  if (!is_new) fail("the name '" + std::string(name) + "' is already that of an " + where->second);
}

void Model::output(std::string_view name, const Expr& value) {
  claim_observation(name, "output", value);
  outputs_.push_back({std::string(name), value});
}

void Model::output(std::string_view name, const Vector& value) {
  output(std::string(name) + ".x", value.x);
  output(std::string(name) + ".y", value.y);
  output(std::string(name) + ".z", value.z);
}

void Model::event(std::string_view name, const Expr& value, Direction direction, bool stop) {
  for (const Expr& s : symbols_of({&value, 1}))
    if (role(s).role == Role::acceleration)
      fail("event '" + std::string(name) + "' contains the acceleration '" + s.name() +
           "'; accelerations may stand in constraints and outputs only");
  claim_observation(name, "event", value);
  events_.push_back({std::string(name), value, direction, stop});
}

}  // namespace vinculum
