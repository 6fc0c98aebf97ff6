#include "vinculum/model/model.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"

namespace vinculum {
namespace {

/// Letters, digits and _, not starting with a digit; parts joined by dots.
bool is_name(std::string_view name) {
  bool at_start = true;
  for (const char c : name) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    if (at_start ? !letter : !(letter || std::isdigit(static_cast<unsigned char>(c)) || c == '.'))
      return false;
    at_start = c == '.';
  }
  return !name.empty() && !at_start;
}

void require_finite(double value, const std::string& what) {
  if (!std::isfinite(value)) fail(what + " is " + number_text(value) + "; it must be a finite number");
}

}  // namespace

Model::Model() : graph_(std::make_shared<Graph>()) { set_rate_of(new_symbol("t", Role::time, 0), 1); }

void Model::set_rate_of(const Expr& symbol, const Expr& rate) {
  rates_.set(symbol, rate);
  full_rates_.set(symbol, rate);
}

Expr Model::new_symbol(const std::string& name, Role role, int index) {
  const Expr symbol = graph_->symbol(name);
  roles_.emplace(symbol.id(), SymbolRole{role, index});
  return symbol;
}

void Model::claim_name(std::string_view name, const char* what) {
  if (!is_name(name))
    fail("'" + std::string(name) + "' cannot name a " + what +
         ": a name is letters, digits and _, and does not start with a digit");
  if (is_reserved_word(name)) fail("'" + std::string(name) + "' is reserved and cannot name a " + what);
  const auto [where, is_new] = names_.emplace(name, what);
  if (!is_new) fail("the name '" + std::string(name) + "' is already that of a " + where->second);
}

Coordinate Model::coordinate(std::string_view name, CoordinateStart start) {
  claim_name(name, "coordinate");
  const std::string text(name);
  require_finite(start.start, "the start of '" + text + "'");
  require_finite(start.rate, "the starting rate of '" + text + "'");
  const int velocity = static_cast<int>(velocities_.size());
  const Expr q = new_symbol(text, Role::coordinate, static_cast<int>(coordinates_.size()));
  const Expr v = new_symbol(text + "'", Role::velocity, velocity);
  const Expr a = new_symbol(text + "''", Role::acceleration, velocity);
  coordinates_.push_back({text, q, v, start.start});
  velocities_.push_back({text + "'", v, a, start.rate});
  velocity_of_coordinate_.emplace(q.id(), velocity);
  set_rate_of(q, v);
  full_rates_.set(v, a);
  return {q, v, a};
}

Particle Model::particle(std::string_view name, const ParticleOptions& options) {
  claim_name(name, "particle");
  const std::string text(name);
  Particle p;
  Coordinate* const axis[3] = {&p.x, &p.y, &p.z};
  const char* const suffix[3] = {".x", ".y", ".z"};
  for (int k = 0; k < 3; ++k) {
    *axis[k] = coordinate(text + suffix[k], {options.position[k], options.velocity[k]});
    mass(*axis[k], options.mass);
  }
  particles_.push_back(p);
  weights_.emplace_back(p.position(), options.mass);
  if (has_gravity_) add_weight(weights_.size() - 1);
  return p;
}

Speed Model::speed(std::string_view name, double start) {
  claim_name(name, "speed");
  const std::string text(name);
  require_finite(start, "the start of '" + text + "'");
  const int velocity = static_cast<int>(velocities_.size());
  const Expr v = new_symbol(text, Role::velocity, velocity);
  const Expr a = new_symbol(text + "'", Role::acceleration, velocity);
  velocities_.push_back({text, v, a, start});
  full_rates_.set(v, a);
  return {v, a};
}

/// q' = N(q) v: a rate is linear in the velocities.
void Model::require_rate(const std::string& name, const Expr& rate) const {
  std::vector<Expr> velocities;
  for (const Expr& s : symbols_of({&rate, 1})) {
    const Role level = role(s).role;
    if (level == Role::acceleration)
      fail("the rate of '" + name + "' contains the acceleration '" + s.name() + "'");
    if (level == Role::velocity) velocities.push_back(s);
  }
  for (const Expr& slope : gradient(rate, velocities))
    for (const Expr& s : symbols_of({&slope, 1}))
      if (role(s).role == Role::velocity)
        fail("the rate of '" + name + "' is not linear in the velocity '" + s.name() +
             "'; q' = N(q) v is asked for");
}

Expr Model::coordinate_with_rate(std::string_view name, const Expr& rate, double start) {
  require_rate(std::string(name), rate);
  claim_name(name, "coordinate");
  require_finite(start, "the start of '" + std::string(name) + "'");
  const Expr q = new_symbol(std::string(name), Role::coordinate, static_cast<int>(coordinates_.size()));
  coordinates_.push_back({std::string(name), q, rate, start});
  set_rate_of(q, rate);
  return q;
}

void Model::set_rate(const Expr& coordinate, const Expr& rate) {
  const SymbolRole which = role(coordinate);
  if (which.role != Role::coordinate || velocity_of_coordinate_.contains(coordinate.id()))
    fail("set_rate asks for a coordinate made by coordinate_with_rate");
  require_rate(coordinates_[which.index].name, rate);
  coordinates_[which.index].rate = rate;
  set_rate_of(coordinate, rate);
}

Expr Model::parameter(std::string_view name, double value) {
  claim_name(name, "parameter");
  require_finite(value, "parameter '" + std::string(name) + "'");
  const Expr symbol = new_symbol(std::string(name), Role::parameter, static_cast<int>(parameters_.size()));
  parameters_.push_back({std::string(name), symbol, value});
  return symbol;
}

Expr Model::time() { return graph_->symbol("t"); }

Model::SymbolRole Model::role(const Expr& symbol) const {
  if (!symbol.is_symbol() || symbol.graph() != graph_.get()) fail("a symbol of this model is asked for");
  const auto found = roles_.find(symbol.id());
  if (found == roles_.end()) fail("unknown name '" + symbol.name() + "'");
  return found->second;
}

int Model::velocity_of(const Expr& coordinate, const char* what) const {
  if (coordinate.is_symbol() && coordinate.graph() == graph_.get()) {
    const SymbolRole which = role(coordinate);
    if (which.role == Role::velocity) return which.index;
    if (const auto found = velocity_of_coordinate_.find(coordinate.id());
        found != velocity_of_coordinate_.end())
      return found->second;
  }
  fail(std::string(what) + " acts on a coordinate of this model or on a speed; something else was given");
}

namespace {

/// Not a function of the state alone: known only when the constraint forces or the energies are.
bool is_observed(Model::Role role) {
  return role == Model::Role::multiplier || role == Model::Role::reaction || role == Model::Role::energy;
}

}  // namespace

void Model::require_levels(const Expr& e, const std::string& what, bool velocities) const {
  for (const Expr& s : symbols_of({&e, 1})) {
    const Role level = role(s).role;
    if (level == Role::acceleration)
      fail(what + " contains the acceleration '" + s.name() +
           "'; accelerations may stand in constraints and outputs only");
    if (level == Role::velocity && !velocities)
      fail(what + " contains the velocity '" + s.name() + "'; it may depend on coordinates and t only");
    if (is_observed(level))
      fail(what + " contains '" + s.name() + "', which may stand in outputs and events only" +
           (level == Role::energy ? "" : ", and in non-ideal forces"));
  }
}

/// Lagrange's equations hold for velocities that are rates of coordinates; Euler's for angular velocities are
/// others.
void Model::require_plain(const Expr& energy, const char* what) const {
  for (const Expr& s : symbols_of({&energy, 1})) {
    const SymbolRole which = role(s);
    const bool odd_coordinate = which.role == Role::abbreviation ||
                                (which.role == Role::coordinate && velocity_of_coordinate(which.index) < 0);
    const bool odd_velocity = which.role == Role::velocity && s.name().back() != '\'';
    if (odd_coordinate || odd_velocity)
      fail(std::string(what) + " contains '" + s.name() +
           "', and Lagrange's equations ask for coordinates whose rates are the velocities; state mass() and "
           "force()");
  }
}

void Model::mass(const Expr& coordinate, const Expr& value) {
  require_levels(value, "a mass", false);
  const int i = velocity_of(coordinate, "a mass");
  masses_.push_back({i, i, value});
}

void Model::mass(const Expr& first, const Expr& second, const Expr& value) {
  require_levels(value, "a mass", false);
  const int i = velocity_of(first, "a mass"), j = velocity_of(second, "a mass");
  masses_.push_back({i, j, value});
}

void Model::force(const Expr& coordinate, const Expr& value) {
  require_levels(value, "a force", true);
  forces_.push_back({velocity_of(coordinate, "a force"), value});
}

void Model::force(const Particle& particle, const Vector& value) { force_at(particle, value); }

void Model::gravity(const Vector& acceleration) {
  if (has_gravity_) fail("gravity is stated twice");
  for (const Expr& g : {acceleration.x, acceleration.y, acceleration.z}) {
    if (g.is_constant()) require_finite(g.value(), "gravity");
    for (const Expr& s : symbols_of({&g, 1}))
      if (role(s).role != Role::parameter)
        fail("gravity contains '" + s.name() + "'; it may use parameters only");
  }
  has_gravity_ = true;
  gravity_ = acceleration;
  for (std::size_t k = 0; k < weights_.size(); ++k) add_weight(k);
}

void Model::add_weight(std::size_t k) {
  const auto& [at, m] = weights_[k];
  for (const auto& [g, axis] :
       {std::pair{gravity_.x, at.x}, std::pair{gravity_.y, at.y}, std::pair{gravity_.z, at.z}})
    if (!g.is_constant(0)) potentials_.push_back(-m * g * axis);
}

/// Along the line d between the ends: tension stiffness (|d| - length) + damping |d|'.
void Model::spring(const Vector& from, const Vector& to, const SpringOptions& options) {
  const Vector d = to - from;
  for (const Expr& part : {d.x, d.y, d.z}) require_levels(part, "the end of a spring", false);
  for (const Expr& constant : {options.stiffness, options.damping, options.length})
    require_levels(constant, "a constant of a spring", false);
  // Without a length the energy is smooth where the ends meet.
  const Expr stretch_squared =
      options.length.is_constant(0) ? norm_squared(d) : pow(norm(d) - options.length, 2);
  if (!options.stiffness.is_constant(0)) potentials_.push_back(options.stiffness * stretch_squared / 2);
  if (options.damping.is_constant(0)) return;
  const Vector rate{time_derivative(d.x, rates_), time_derivative(d.y, rates_), time_derivative(d.z, rates_)};
  // Where the ends meet there is no line; a motion through that point has its velocity along it.
  const Expr square = norm_squared(d), along = dot(d, rate);
  const auto pull = [&](const Expr& offset, const Expr& speed) {
    return if_less(0, square, -options.damping * (along / square) * offset, -options.damping * speed);
  };
  force_at(d, {pull(d.x, rate.x), pull(d.y, rate.y), pull(d.z, rate.z)});
}

void Model::spring(const Expr& along, const SpringOptions& options) {
  require_levels(along, "the end of a spring", false);
  if (!options.stiffness.is_constant(0))
    potentials_.push_back(options.stiffness * pow(along - options.length, 2) / 2);
  if (!options.damping.is_constant(0)) force_along(along, -options.damping * time_derivative(along, rates_));
}

int Model::velocity_of_coordinate(int coordinate) const {
  const auto found = velocity_of_coordinate_.find(coordinates_[coordinate].symbol.id());
  return found == velocity_of_coordinate_.end() ? -1 : found->second;
}

void Model::potential(const Expr& energy) {
  require_levels(energy, "a potential", false);
  if (has_lagrangian_) fail("a potential beside a Lagrangian: put it into the Lagrangian, L = T - V");
  has_potential_ = true;
  potentials_.push_back(energy);
}

void Model::kinetic(const Expr& energy) {
  require_levels(energy, "a kinetic energy", true);
  require_plain(energy, "a kinetic energy");
  if (has_lagrangian_) fail("a kinetic energy beside a Lagrangian: put it into the Lagrangian, L = T - V");
  has_kinetic_ = true;
  lagrangians_.push_back(energy);
}

void Model::lagrangian(const Expr& value) {
  require_levels(value, "a Lagrangian", true);
  require_plain(value, "a Lagrangian");
  if (has_kinetic_ || has_lagrangian_ || has_potential_)
    fail("a Lagrangian is stated once and stands for kinetic energy and potential together");
  has_lagrangian_ = true;
  lagrangians_.push_back(value);
}

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
  for (const Expr& phi : constraint.rows)
    for (const Expr& s : symbols_of({&phi, 1}))
      if (is_observed(role(s).role))
        fail("constraint '" + constraint.name + "' contains '" + s.name() +
             "', which may stand in outputs and events only");
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

void Model::nonideal(const Expr& coordinate, const Expr& value) {
  for (const Expr& s : symbols_of({&value, 1}))
    if (const Role level = role(s).role; level == Role::acceleration || level == Role::energy)
      fail("a non-ideal force contains '" + s.name() +
           "'; it may depend on coordinates, velocities, t and ideal constraint forces");
  nonideal_.push_back({velocity_of(coordinate, "a non-ideal force"), value});
}

void Model::nonideal(const Particle& particle, const Vector& value) { nonideal_at(particle, value); }

void Model::start_multiplier(std::string_view constraint, int row, double value) {
  const SymbolRole which = role(multiplier(constraint, row));
  require_finite(value, "the start of '" + multipliers_[which.index].name() + "'");
  start_multipliers_.resize(multipliers_.size(), NAN);
  start_multipliers_[which.index] = value;
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

Expr Model::add_multiplier_coordinate(int row, double start) {
  std::string name = multipliers_.at(row).name();
  name.replace(0, name.find('('), "mu");
  const int place = static_cast<int>(coordinates_.size());
  const Expr mu = new_symbol(name, Role::coordinate, place);
  coordinates_.push_back({name, mu, 0.0, start});
  multiplier_coordinates_.emplace(row, place);
  return mu;
}

int Model::multiplier_coordinate(int row) const {
  const auto found = multiplier_coordinates_.find(row);
  return found == multiplier_coordinates_.end() ? -1 : found->second;
}

Expr Model::reaction(std::string_view constraint, const Expr& coordinate, int row) {
  const int c = find_constraint(constraint), v = velocity_of(coordinate, "a reaction");
  if (row >= 0) multiplier(constraint, row);  // an error where there is no such row
  std::string on = velocities_[v].name;
  if (on.back() == '\'') on.pop_back();
  const std::string at = row < 0 ? "" : "[" + std::to_string(row) + "]";
  const Expr symbol = graph_->symbol("force(" + constraints_[c].name + at + ")." + on);
  if (!roles_.contains(symbol.id())) {
    roles_.emplace(symbol.id(), SymbolRole{Role::reaction, static_cast<int>(reactions_.size())});
    reactions_.push_back({c, v, row});
  }
  return symbol;
}

Expr Model::energy() { return new_symbol("energy", Role::energy, 0); }

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

Model Model::with_numbers() const {
  SymbolMap values;
  for (const ParameterData& p : parameters_) values.set(p.symbol, p.value);
  Model result = *this;
  for (CoordinateData& c : result.coordinates_) {
    c.rate = substitute(c.rate, values);
    result.set_rate_of(c.symbol, c.rate);
  }
  for (MassData& m : result.masses_) m.value = substitute(m.value, values);
  for (std::vector<ForceData>* list : {&result.forces_, &result.gyroscopic_, &result.nonideal_})
    for (ForceData& f : *list) f.value = substitute(f.value, values);
  for (ConstraintData& c : result.constraints_)
    for (Expr& row : c.rows) row = substitute(row, values);
  for (FrictionData& f : result.frictions_) f.coefficient = substitute(f.coefficient, values);
  for (ServoData& s : result.servos_) {
    s.frequency = substitute(s.frequency, values);
    s.damping = substitute(s.damping, values);
    for (Expr& phi : s.programme) phi = substitute(phi, values);
  }
  for (std::vector<Expr>* list : {&result.potentials_, &result.lagrangians_})
    for (Expr& energy : *list) energy = substitute(energy, values);
  for (JointData& j : result.joints_)
    j.contact = {substitute(j.contact.x, values), substitute(j.contact.y, values),
                 substitute(j.contact.z, values)};
  for (BodyData& b : result.bodies_)
    if (b.solid)
      for (Expr& size : b.solid->size) size = substitute(size, values);
  for (OutputData& o : result.outputs_) o.value = substitute(o.value, values);
  for (EventData& e : result.events_) e.value = substitute(e.value, values);
  return result;
}

}  // namespace vinculum
