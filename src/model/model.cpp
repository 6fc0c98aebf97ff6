#include "vinculum/model/model.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

bool is_name(std::string_view name) {
  bool at_start = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (at_start ? !letter : !(letter || (c >= '0' && c <= '9') || c == '.')) return false;
    at_start = c == '.';
  }
  return !name.empty() && !at_start;
}

std::string name_fault(std::string_view name, const std::string& what) {
  return "'" + std::string(name) + "' cannot name " + what +
         ": a name is letters, digits and _, and does not start with a digit";
}

void require_name(std::string_view name, const std::string& what) {
  if (!is_name(name)) fail(name_fault(name, what));
}

void require_not_reserved(std::string_view name, const std::string& what) {
  if (is_reserved_word(name)) fail("'" + std::string(name) + "' is reserved and cannot name " + what);
}

void refuse_taken_name(std::string_view name, const std::string& by) {
  fail("the name '" + std::string(name) + "' is already that of " + by);
}

void require_finite(double value, const std::string& what) {
  if (!std::isfinite(value)) fail(what + " is " + number_text(value) + "; it must be a finite number");
}

bool is_reaction(Role role) { return role == Role::multiplier || role == Role::reaction; }
bool is_of_instant(Role role) { return role >= Role::energy && role <= Role::nonideal_force; }
bool is_observed(Role role) { return is_reaction(role) || is_of_instant(role); }

namespace {

/// q' = N(q) v: a rate is linear in the velocities.
void require_rate(const StatedModel& stated, const std::string& name, const Expr& rate) {
  if (rate.is_constant()) return;
  require_no_function(rate, "the rate of '" + name + "'");
  std::vector<Expr> velocities;
  for (const Expr& s : symbols_of({&rate, 1})) {
    const Role level = stated.role(s).role;
    if (level == Role::acceleration)
      fail("the rate of '" + name + "' contains the acceleration '" + s.name() + "'");
    if (level == Role::velocity) velocities.push_back(s);
  }
  for (const Expr& slope : gradient(rate, velocities))
    for (const Expr& s : symbols_of({&slope, 1}))
      if (stated.role(s).role == Role::velocity)
        fail("the rate of '" + name + "' is not linear in the velocity '" + s.name() +
             "'; q' = N(q) v is asked for");
}

/// The number that stands for what has none lies where masses and lengths may, and is another for every one:
/// what holds for it by chance holds for no other.
Expr add_open(StatedModel& stated, const std::string& name, Model::ParameterData::Kind kind,
              std::string_view made_of = "") {
  const int index = static_cast<int>(stated.parameters.size());
  const double any = 0.7 + 0.8 * std::fmod(0.6180339887498949 * (index + 1), 1.0);
  const Expr symbol = stated.new_symbol(name, Role::parameter, index);
  stated.parameters.push_back({name, symbol, any, kind, std::string(made_of)});
  return symbol;
}

}  // namespace

Model::Model() : stated_(std::make_unique<StatedModel>()) {}
Model::Model(const Model& other) : stated_(std::make_unique<StatedModel>(*other.stated_)) {}
Model::Model(Model&& other) noexcept = default;
Model& Model::operator=(const Model& other) { return *this = Model(other); }
Model& Model::operator=(Model&& other) noexcept = default;
Model::~Model() = default;

Coordinate Model::coordinate(std::string_view name, CoordinateStart start) {
  const Expr q = stated_->claim_name(name, "coordinate");
  const std::string text(name);
  const double place = stated_->number_of(start.start, [&] { return "the start of '" + text + "'"; }),
               pace = stated_->number_of(start.rate, [&] { return "the starting rate of '" + text + "'"; });
  const int velocity = static_cast<int>(stated_->velocities.size());
  stated_->give_role(q, Role::coordinate, static_cast<int>(stated_->coordinates.size()));
  const Expr v = stated_->new_symbol(text + "'", Role::velocity, velocity);
  const Expr a = stated_->new_symbol(text + "''", Role::acceleration, velocity);
  stated_->coordinates.push_back({text, q, v, place, start.start});
  stated_->velocities.push_back({text + "'", v, a, pace, start.rate});
  stated_->own_velocities.emplace(q.id(), velocity);
  stated_->rates.set(q, v);
  stated_->accelerations.set(v, a);
  return {q, v, a};
}

Particle Model::particle(std::string_view name, const ParticleOptions& options) {
  stated_->claim_name(name, "particle");
  const std::string text(name);
  Particle p;
  Coordinate* const axis[3] = {&p.x, &p.y, &p.z};
  const char* const suffix[3] = {".x", ".y", ".z"};
  for (int k = 0; k < 3; ++k) {
    *axis[k] = coordinate(text + suffix[k], {options.position[k], options.velocity[k]});
    mass(*axis[k], options.mass);
  }
  stated_->particles.push_back(p);
  stated_->weights.emplace_back(p.position(), options.mass);
  if (stated_->has_gravity) stated_->add_weight(stated_->weights.size() - 1);
  return p;
}

Speed Model::speed(std::string_view name, const Expr& start) {
  const Expr v = stated_->claim_name(name, "speed");
  const std::string text(name);
  const double pace = stated_->number_of(start, [&] { return "the start of '" + text + "'"; });
  const int velocity = static_cast<int>(stated_->velocities.size());
  stated_->give_role(v, Role::velocity, velocity);
  const Expr a = stated_->new_symbol(text + "'", Role::acceleration, velocity);
  stated_->velocities.push_back({text, v, a, pace, start});
  stated_->accelerations.set(v, a);
  return {v, a};
}

Expr Model::coordinate_with_rate(std::string_view name, const Expr& rate, const Expr& start) {
  require_rate(*stated_, std::string(name), rate);
  const Expr q = stated_->claim_name(name, "coordinate");
  const double place = stated_->number_of(start, [&] { return "the start of '" + std::string(name) + "'"; });
  stated_->give_role(q, Role::coordinate, static_cast<int>(stated_->coordinates.size()));
  stated_->coordinates.push_back({std::string(name), q, rate, place, start});
  stated_->rates.set(q, rate);
  return q;
}

void Model::set_rate(const Expr& coordinate, const Expr& rate) {
  const SymbolRole which = stated_->role(coordinate);
  if (which.role != Role::coordinate || stated_->own_velocities.contains(coordinate.id()))
    fail("set_rate asks for a coordinate made by coordinate_with_rate");
  require_rate(*stated_, stated_->coordinates[which.index].name, rate);
  stated_->coordinates[which.index].rate = rate;
  stated_->rates.set(coordinate, rate);
}

Expr Model::parameter(std::string_view name, double value) {
  const Expr symbol = stated_->claim_name(name, "parameter");
  if (!std::isfinite(value)) require_finite(value, "parameter '" + std::string(name) + "'");
  stated_->give_role(symbol, Role::parameter, static_cast<int>(stated_->parameters.size()));
  stated_->parameters.push_back({std::string(name), symbol, value, ParameterData::Kind::number});
  return symbol;
}

void Model::define(std::string_view parameter, const Expr& meaning) {
  const SymbolRole which = stated_->role(stated_->graph().symbol(parameter));
  if (which.role != Role::parameter) fail("'" + std::string(parameter) + "' is no parameter");
  require_no_function(meaning, "parameter '" + std::string(parameter) + "'");
  for (const Expr& s : symbols_of({&meaning, 1}))
    if (const SymbolRole of = stated_->role(s); of.role != Role::parameter)
      fail("parameter '" + std::string(parameter) + "' is made of '" + s.name() + "', which is none");
    else if (const std::vector<int> all = stated_->sources_of_parameter(of.index);
             std::find(all.begin(), all.end(), which.index) != all.end())
      fail("parameter '" + std::string(parameter) + "' would be made of itself");
  stated_->parameters[which.index].meaning = meaning;
}

std::vector<std::string> Model::parameter_names() const {
  std::vector<std::string> names;
  for (const ParameterData& p : stated_->parameters)
    if (p.kind == ParameterData::Kind::number && !p.meaning) names.push_back(p.name);
  return names;
}

Expr Model::open_parameter(std::string_view name, std::string_view stated) {
  stated_->claim_name(name, "parameter");
  return add_open(*stated_, std::string(name), ParameterData::Kind::open, stated);
}

Expr Model::open_function(std::string_view name) {
  stated_->claim_name(name, "function");
  // An equation on positions may contain the second rate, and is differentiated twice.
  constexpr int highest = 4;
  std::string text(name);
  const Expr symbol = add_open(*stated_, text, ParameterData::Kind::function);
  Expr last = symbol;
  for (int k = 0; k < highest; ++k) {
    text += '\'';
    const Expr rate = add_open(*stated_, text, ParameterData::Kind::rate);
    stated_->rates.set(last, rate);
    last = rate;
  }
  return symbol;
}

std::vector<std::string> Model::open_names() const {
  std::vector<std::string> names;
  for (const ParameterData& p : stated_->parameters)
    if (p.kind == ParameterData::Kind::open || p.kind == ParameterData::Kind::function)
      names.push_back(p.name);
  return names;
}

Expr Model::rate(const Expr& e) const { return stated_->rate(e); }

Expr Model::time() { return stated_->graph().symbol("t"); }

const std::vector<Model::CoordinateData>& Model::coordinates() const { return stated_->coordinates; }
const std::vector<Model::VelocityData>& Model::velocities() const { return stated_->velocities; }
const std::vector<Model::BodyData>& Model::bodies() const { return stated_->bodies; }
const std::vector<JointData>& Model::joints() const { return stated_->joints; }
const std::vector<BushingData>& Model::bushings() const { return stated_->bushings; }
const std::vector<Model::ParameterData>& Model::parameters() const { return stated_->parameters; }
const std::vector<Model::MassData>& Model::masses() const { return stated_->masses; }
const std::vector<Model::ForceData>& Model::forces() const { return stated_->forces; }
const std::vector<Model::ForceData>& Model::nonideal_forces() const { return stated_->nonideal_forces; }
const std::vector<Model::ConstraintData>& Model::constraints() const { return stated_->constraints; }
const std::vector<Expr>& Model::potentials() const { return stated_->potentials; }
const std::vector<Expr>& Model::lagrangians() const { return stated_->lagrangians; }
const std::vector<Model::FrictionData>& Model::frictions() const { return stated_->frictions; }
const std::vector<Model::ServoData>& Model::servos() const { return stated_->servos; }
Mechanics Model::mechanics() const { return stated_->mechanics; }
const std::vector<Model::OutputData>& Model::outputs() const { return stated_->outputs; }
const std::vector<Model::EventData>& Model::events() const { return stated_->events; }

}  // namespace vinculum
