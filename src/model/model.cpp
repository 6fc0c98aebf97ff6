#include "vinculum/model/model.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

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

bool is_reaction(Model::Role role) {
  return role == Model::Role::multiplier || role == Model::Role::reaction;
}
bool is_of_instant(Model::Role role) {
  return role >= Model::Role::energy && role <= Model::Role::nonideal_force;
}
bool is_observed(Model::Role role) { return is_reaction(role) || is_of_instant(role); }

Model::Model() : graph_(GraphRef::create()) { set_rate_of(new_symbol("t", Role::time, 0), 1); }

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
  const double place = number_of(start.start, "the start of '" + text + "'"),
               pace = number_of(start.rate, "the starting rate of '" + text + "'");
  const int velocity = static_cast<int>(velocities_.size());
  const Expr q = new_symbol(text, Role::coordinate, static_cast<int>(coordinates_.size()));
  const Expr v = new_symbol(text + "'", Role::velocity, velocity);
  const Expr a = new_symbol(text + "''", Role::acceleration, velocity);
  coordinates_.push_back({text, q, v, place, start.start});
  velocities_.push_back({text + "'", v, a, pace, start.rate});
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

Speed Model::speed(std::string_view name, const Expr& start) {
  claim_name(name, "speed");
  const std::string text(name);
  const double pace = number_of(start, "the start of '" + text + "'");
  const int velocity = static_cast<int>(velocities_.size());
  const Expr v = new_symbol(text, Role::velocity, velocity);
  const Expr a = new_symbol(text + "'", Role::acceleration, velocity);
  velocities_.push_back({text, v, a, pace, start});
  full_rates_.set(v, a);
  return {v, a};
}

/// q' = N(q) v: a rate is linear in the velocities.
void Model::require_rate(const std::string& name, const Expr& rate) const {
  require_no_function(rate, "the rate of '" + name + "'");
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

Expr Model::coordinate_with_rate(std::string_view name, const Expr& rate, const Expr& start) {
  require_rate(std::string(name), rate);
  claim_name(name, "coordinate");
  const double place = number_of(start, "the start of '" + std::string(name) + "'");
  const Expr q = new_symbol(std::string(name), Role::coordinate, static_cast<int>(coordinates_.size()));
  coordinates_.push_back({std::string(name), q, rate, place, start});
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
  parameters_.push_back({std::string(name), symbol, value, ParameterData::Kind::number});
  return symbol;
}

void Model::define(std::string_view parameter, const Expr& meaning) {
  const SymbolRole which = role(graph_->symbol(parameter));
  if (which.role != Role::parameter) fail("'" + std::string(parameter) + "' is no parameter");
  require_no_function(meaning, "parameter '" + std::string(parameter) + "'");
  for (const Expr& s : symbols_of({&meaning, 1}))
    if (const SymbolRole of = role(s); of.role != Role::parameter)
      fail("parameter '" + std::string(parameter) + "' is made of '" + s.name() + "', which is none");
    else if (const std::vector<int> all = sources_of_parameter(of.index);
             std::find(all.begin(), all.end(), which.index) != all.end())
      fail("parameter '" + std::string(parameter) + "' would be made of itself");
  parameters_[which.index].meaning = meaning;
}

void Model::use_as_number(std::string_view parameter, std::string_view what) {
  const SymbolRole which = role(graph_->symbol(parameter));
  if (which.role == Role::parameter && parameters_[which.index].used_in.empty())
    parameters_[which.index].used_in = what;
}

std::vector<int> Model::sources_of_parameter(int parameter) const {
  std::vector<int> all{parameter};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::optional<Expr>& meaning = parameters_[all[k]].meaning;
    if (!meaning) continue;
    for (const Expr& s : symbols_of({&*meaning, 1}))
      if (const int of = role(s).index; std::find(all.begin(), all.end(), of) == all.end()) all.push_back(of);
  }
  return all;
}

std::vector<std::string> Model::parameter_names() const {
  std::vector<std::string> names;
  for (const ParameterData& p : parameters_)
    if (p.kind == ParameterData::Kind::number && !p.meaning) names.push_back(p.name);
  return names;
}

/// The number that stands for what has none lies where masses and lengths may, and is another for every one:
/// what holds for it by chance holds for no other.
Expr Model::add_open(const std::string& name, ParameterData::Kind kind, std::string_view stated) {
  const int index = static_cast<int>(parameters_.size());
  const double any = 0.7 + 0.8 * std::fmod(0.6180339887498949 * (index + 1), 1.0);
  const Expr symbol = new_symbol(name, Role::parameter, index);
  parameters_.push_back({name, symbol, any, kind, std::string(stated)});
  return symbol;
}

Expr Model::open_parameter(std::string_view name, std::string_view stated) {
  claim_name(name, "parameter");
  return add_open(std::string(name), ParameterData::Kind::open, stated);
}

Expr Model::open_function(std::string_view name) {
  claim_name(name, "function");
  // An equation on positions may contain the second rate, and is differentiated twice.
  constexpr int highest = 4;
  std::string text(name);
  const Expr symbol = add_open(text, ParameterData::Kind::function);
  Expr last = symbol;
  for (int k = 0; k < highest; ++k) {
    text += '\'';
    const Expr rate = add_open(text, ParameterData::Kind::rate);
    set_rate_of(last, rate);
    last = rate;
  }
  return symbol;
}

std::vector<std::string> Model::open_names() const {
  std::vector<std::string> names;
  for (const ParameterData& p : parameters_)
    if (p.kind == ParameterData::Kind::open || p.kind == ParameterData::Kind::function)
      names.push_back(p.name);
  return names;
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

int Model::velocity_of_coordinate(int coordinate) const {
  const auto found = velocity_of_coordinate_.find(coordinates_[coordinate].symbol.id());
  return found == velocity_of_coordinate_.end() ? -1 : found->second;
}

/// Every expression that a system is compiled from.
template <class Stated, class Visit>
void Model::each_expression(Stated& model, const Visit& visit) {
  for (auto& c : model.coordinates_) {
    visit(c.rate);
    visit(c.start_from);
  }
  for (auto& v : model.velocities_) visit(v.start_from);
  for (auto& d : model.demands_)
    for (auto& number : d.asked.of) visit(number);
  for (auto& mu : model.start_multipliers_)
    if (mu) visit(*mu);
  for (auto& m : model.masses_) visit(m.value);
  for (auto* list : {&model.forces_, &model.gyroscopic_, &model.nonideal_})
    for (auto& f : *list) visit(f.value);
  for (auto& c : model.constraints_)
    for (auto& row : c.rows) visit(row);
  for (auto& f : model.frictions_) visit(f.coefficient);
  for (auto& s : model.servos_) {
    visit(s.frequency);
    visit(s.damping);
    for (auto& phi : s.programme) visit(phi);
    for (auto& actuator : s.actuators)
      for (auto& part : actuator.unit) visit(part.value);
  }
  for (auto* list : {&model.potentials_, &model.lagrangians_})
    for (auto& energy : *list) visit(energy);
  for (auto& j : model.joints_) {
    visit(j.contact.x);
    visit(j.contact.y);
    visit(j.contact.z);
  }
  for (auto& b : model.bodies_)
    if (b.solid)
      for (auto& size : b.solid->size) visit(size);
  for (auto& a : model.angles_) {
    visit(a.sine);
    visit(a.cosine);
    visit(a.start);
  }
  for (auto& o : model.outputs_) visit(o.value);
  for (auto& e : model.events_) visit(e.value);
}

std::vector<Expr> Model::expressions() const {
  std::vector<Expr> all;
  each_expression(*this, [&](const Expr& e) { all.push_back(e); });
  return all;
}

/// A force along what a lever has nothing of is none, as where it is stated with numbers.
bool Model::is_dropped(const Expr& stated, const Expr& now) const {
  if (!now.is_constant(0) || stated.is_constant()) return false;
  const std::vector<Expr> symbols = symbols_of({&stated, 1});
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Expr& s) { return role(s).role == Role::made; });
}

Model Model::replaced(const SymbolMap& values) const {
  Model result = *this;
  each_expression(result, [&](Expr& e) { e = substitute(e, values); });
  const auto drop = [this](const std::vector<ForceData>& stated, std::vector<ForceData>& now) {
    std::vector<ForceData> kept;
    for (std::size_t k = 0; k < now.size(); ++k)
      if (!is_dropped(stated[k].value, now[k].value)) kept.push_back(now[k]);
    now = std::move(kept);
  };
  if (!made_numbers_.empty()) {
    drop(forces_, result.forces_);
    drop(nonideal_, result.nonideal_);
    for (std::size_t s = 0; s < servos_.size(); ++s)
      for (std::size_t a = 0; a < servos_[s].actuators.size(); ++a)
        drop(servos_[s].actuators[a].unit, result.servos_[s].actuators[a].unit);
  }
  for (const CoordinateData& c : result.coordinates_) result.set_rate_of(c.symbol, c.rate);
  return result;
}

}  // namespace vinculum
