// What names in expressions stand for, and what may stand where.
#include <fmt/format.h>

#include <algorithm>

#include "io/reader_parts.hpp"
#include "system/statement.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Role = Model::Role;

std::vector<Expr> parts_of(const Value& value) {
  if (value.is(Value::Kind::vector)) return {value.vector.x, value.vector.y, value.vector.z};
  if (value.is(Value::Kind::scalar)) return {value.scalar};
  std::vector<Expr> parts;
  for (const auto& [velocity, component] : value.components) parts.push_back(component);
  return parts;
}

Reach reach_of(Role role) {
  switch (role) {
    case Role::parameter:
      return Reach::symbols;
    case Role::velocity:
      return Reach::velocities;
    case Role::acceleration:
      return Reach::accelerations;
    default:
      return Reach::positions;
  }
}

/// "p'.x'" -> "p.x" and 2.
std::pair<std::string, int> without_primes(std::string_view text) {
  std::pair<std::string, int> result;
  for (const char c : text) {
    if (c == '\'')
      ++result.second;
    else
      result.first += c;
  }
  return result;
}

}  // namespace

Value Reader::name(std::string_view text, const Place& place) {
  const auto [path, primes] = without_primes(text);
  const std::size_t dot = path.find('.');
  const std::string base = path.substr(0, dot);
  const auto known = names_.find(base);
  const bool of_body =
      dot != path.npos && known != names_.end() && std::string_view(known->second.what) == "body";
  // Nothing but a joint has these parts, so that its name may be that of something else as well.
  const bool joints_part =
      dot != path.npos && (path.substr(dot) == ".angle" || path.substr(dot) == ".distance");
  const bool of_joint = dot != path.npos && is_joint(base) && (known == names_.end() || joints_part);
  Value value = of_body && !of_joint ? part_of_body(base, path.substr(dot + 1), place)
                : of_joint           ? part_of_joint(base, path.substr(dot + 1), place)
                                     : base_value(base, place, primes > 0);
  if (dot != path.npos && !of_body && !of_joint && !value.is(Value::Kind::unknown)) {
    const std::string axis = path.substr(dot + 1);
    if (value.is(Value::Kind::generalised)) return component(value, axis, place);
    if (!value.is(Value::Kind::vector)) {
      note(place, fmt::format("'{}' in {} is {} and has no component '{}'", base, text_->context->what,
                              kind_name(value.kind), axis));
      return Value::unknown();
    }
    if (axis != "x" && axis != "y" && axis != "z") {
      note(place, fmt::format("'{}' in {} has no component '{}'; a vector has .x .y .z", base,
                              text_->context->what, axis));
      return Value::unknown();
    }
    value = axis == "x" ? value.vector.x : axis == "y" ? value.vector.y : value.vector.z;
  }
  for (int k = 0; k < primes; ++k) value = differentiated(value, place);
  require_reach(value, text, place);
  return value;
}

/// What stands before the first dot.
Value Reader::base_value(const std::string& base, const Place& place, bool primed) {
  const Context& context = *text_->context;
  if (base == "t") {
    if (context.reach >= Reach::positions) return model_.time();
    note(place, fmt::format("'t' stands in {}, which may use parameters only", context.what));
    return Value::unknown();
  }
  if (base == "energy" && model_.mechanics() == Mechanics::none) {
    note(place, "'energy' beside 'mechanics' = \"none\": such a system has none");
    return Value::unknown();
  }
  if (base == "energy") return observed_here("energy", place) ? Value(model_.energy()) : Value::unknown();
  if (base == "ground") {
    if (context.ground) return Vector{};
    note(place, fmt::format("'ground' has no value in {}; the origin is [0, 0, 0]", context.what));
    return Value::unknown();
  }
  if (context.view)
    if (const auto point = view_points_.find(base); point != view_points_.end()) return point->second;
  const auto found = names_.find(base);
  if (found == names_.end()) return unknown_name(base, place);
  const std::string_view what = found->second.what;
  if (what == "parameter") {
    if (primed) {
      note(place, fmt::format("'{}' in {} is a parameter and has no rate", base, context.what));
      return Value::unknown();
    }
    if (context.reach != Reach::parameters) {
      const auto symbol = parameter_symbols_.find(base);
      return symbol == parameter_symbols_.end() ? Value::unknown() : Value(symbol->second);
    }
    const double value = parameter_value(base);
    return parameters_.find(base)->second.known ? Value(Expr(value)) : Value::unknown();
  }
  if (context.reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a {}, and {} may use parameters only", base, what, context.what));
    return Value::unknown();
  }
  if (what == "definition") return definition(base);
  if (const auto c = coordinates_.find(base); c != coordinates_.end())
    return Value(static_cast<const Expr&>(c->second));
  if (const auto p = particles_.find(base); p != particles_.end()) return p->second.position();
  if (const auto b = bodies_.find(base); b != bodies_.end()) return b->second.position();
  return Value::unknown();  // declared, and refused for a fault of its own
}

bool Reader::is_joint(std::string_view name) const {
  const Entry* joints = root_.find("joints");
  return joints != nullptr && joints->find(name) != nullptr;
}

Value Reader::part_of_body(const std::string& name, const std::string& part, const Place& place) {
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a body, and {} may use parameters only", name, text_->context->what));
    return Value::unknown();
  }
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) return Value::unknown();  // it has a fault of its own
  const Body& b = found->second;
  const std::pair<std::string_view, Expr> scalars[] = {
      {"x", b.x},   {"y", b.y},   {"z", b.z},   {"qw", b.orientation[0]}, {"qx", b.orientation[1]},
      {"wx", b.wx}, {"wy", b.wy}, {"wz", b.wz}, {"qy", b.orientation[2]}, {"qz", b.orientation[3]}};
  for (const auto& [word, symbol] : scalars)
    if (word == part) return symbol;
  const std::string first = part.substr(0, part.find('.'));
  if (first == "omega" || first == "omega_body") {
    const Vector w = first == "omega" ? b.omega() : b.omega_body();
    if (first == part) return w;
    const std::string axis = part.substr(first.size() + 1);
    if (axis == "x" || axis == "y" || axis == "z") return axis == "x" ? w.x : axis == "y" ? w.y : w.z;
  }
  note(place,
       fmt::format("body '{}' in {} has no part '{}'; it has .x .y .z .qw .qx .qy .qz .wx .wy .wz .omega "
                   ".omega_body .point(x, y, z) .axis(x, y, z)",
                   name, text_->context->what, part));
  return Value::unknown();
}

Value Reader::part_of_joint(const std::string& name, const std::string& part, const Place& place) {
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a joint, and {} may use parameters only", name, text_->context->what));
    return Value::unknown();
  }
  if (part != "angle" && part != "distance") {
    note(place, fmt::format("joint '{}' in {} has no part '{}'; it has .angle and .distance", name,
                            text_->context->what, part));
    return Value::unknown();
  }
  const auto stated = [&](const JointData& j) { return j.name == name; };
  if (std::none_of(model_.joints().begin(), model_.joints().end(), stated)) {
    const Entry* entry = root_.find("joints")->find(name);
    if (const std::string type = type_of(*entry); type == "gear" || type == "rack")
      note(place, fmt::format("'{}' in {} is a {} and has no {}; the joints it couples have", name,
                              text_->context->what, type, part));
    return Value::unknown();  // or it has a fault of its own
  }
  try {
    return part == "angle" ? model_.joint_angle(name) : model_.joint_distance(name);
  } catch (const Error& e) {
    note(place, e.text());
    return Value::unknown();
  }
}

Value Reader::fixed_in(std::string_view body, std::string_view what, const Vector& in_body,
                       const Place& place) {
  const auto found = bodies_.find(body);
  if (found == bodies_.end()) {
    const auto known = names_.find(body);
    if (known != names_.end() && std::string_view(known->second.what) == "body") return Value::unknown();
    std::vector<std::string> names;
    for (const auto& [name, b] : bodies_) names.push_back(name);
    const std::string near = nearest_name(body, names);
    note(place,
         fmt::format("'{}' in {} is no body; only bodies have .{}(x, y, z){}", body, text_->context->what,
                     what, near.empty() ? "" : " (did you mean '" + near + "'?)"));
    return Value::unknown();
  }
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a body, and {} may use parameters only", body, text_->context->what));
    return Value::unknown();
  }
  return what == "point" ? found->second.point(in_body) : found->second.axis(in_body);
}

Value Reader::unknown_name(const std::string& name, const Place& place) {
  if (is_joint(name)) {
    note(place, fmt::format("'{0}' in {1} is a joint; its parts are {0}.angle and {0}.distance, its force is "
                            "force({0})",
                            name, text_->context->what));
    return Value::unknown();
  }
  if (constraints_.contains(name)) {
    note(place,
         fmt::format("'{0}' in {1} is a constraint; its force is force({0}), its multiplier multiplier({0})",
                     name, text_->context->what));
    return Value::unknown();
  }
  if (const Entry* outputs = top("outputs"); outputs != nullptr && outputs->find(name) != nullptr) {
    note(place, fmt::format("'{}' in {} is an output, and no expression may use one; make it a definition",
                            name, text_->context->what));
    return Value::unknown();
  }
  std::vector<std::string> known;
  for (const auto& [other, what] : names_)
    if (path_.empty() || other != path_.back()) known.push_back(other);  // not itself
  if (text_->context->view)
    for (const auto& [other, what] : view_points_) known.push_back(other);
  const std::string near = nearest_name(name, known);
  note(place, fmt::format("unknown name '{}' in {}{}", name, text_->context->what,
                          near.empty() ? "" : " (did you mean '" + near + "'?)"));
  return Value::unknown();
}

namespace {
const Context everything{.what = "", .reach = Reach::accelerations, .forces = true, .energy = true};
}

/// Definitions are read when they are first used, so that their order does not matter.
Value Reader::definition(const std::string& name) {
  DefinitionState& state = definitions_[name];
  const Entry& entry = *names_.find(name)->second.entry;
  if (state.stage == Stage::read) return state.value;
  if (state.stage == Stage::reading) {
    const auto begin = std::find(path_.begin(), path_.end(), name);
    std::string circle;
    for (auto step = begin; step != path_.end(); ++step) circle += *step + " -> ";
    note(entry.key_at, fmt::format("definition '{}' goes in a circle: {}{}", name, circle, name));
    return Value::unknown();
  }
  constexpr std::size_t longest = 200;  // each link is a few frames of the stack
  if (path_.size() > longest) {
    note(entry.key_at,
         fmt::format("definition '{}' is the end of a chain of more than {} definitions", name, longest));
    state = {Stage::read, Value::unknown()};
    return state.value;
  }
  state.stage = Stage::reading;
  path_.push_back(name);
  // Constraints are not yet known where constraints ask; none of them may contain forces, through no name.
  const Context& outer = text_ == nullptr ? everything : *text_->context;
  const Context context{.what = "definition '" + name + "'",
                        .reach = Reach::accelerations,
                        .forces = outer.forces,
                        .nonideal = outer.nonideal,
                        .energy = outer.energy,
                        .user = outer.user.empty() ? outer.what : outer.user};
  Value result = value(entry, context);
  path_.pop_back();
  definitions_[name] = {Stage::read, std::move(result)};
  return definitions_[name].value;
}

Value Reader::rate(const Value& value, const Place& place) {
  Value result = differentiated(value, place);
  require_reach(result, "", place);
  return result;
}

Value Reader::differentiated(const Value& value, const Place& place) {
  if (value.is(Value::Kind::unknown)) return value;
  for (const Expr& part : parts_of(value))
    for (const Expr& s : symbols_of({&part, 1})) {
      const Role role = model_.role(s).role;
      if (role == Role::acceleration) {
        note(place, fmt::format("a third derivative in {}: '{}' would be differentiated",
                                text_->context->what, s.name()));
        return Value::unknown();
      }
      if (role == Role::multiplier || role == Role::reaction || role == Role::energy) {
        note(place, fmt::format("'{}' in {} has no rate", s.name(), text_->context->what));
        return Value::unknown();
      }
    }
  if (value.is(Value::Kind::scalar)) return time_derivative(value.scalar, model_.full_rates());
  const SymbolMap& rates = model_.full_rates();
  return Vector{time_derivative(value.vector.x, rates), time_derivative(value.vector.y, rates),
                time_derivative(value.vector.z, rates)};
}

/// What is asked of a name is asked of everything it stands for.
void Reader::require_reach(const Value& value, std::string_view shown, const Place& place) {
  const Context& context = *text_->context;
  for (const Expr& part : parts_of(value))
    for (const Expr& s : symbols_of({&part, 1})) {
      const Role role = model_.role(s).role;
      const bool itself = s.name() == without_primes(shown).first || s.name() == shown;
      const std::string through = itself || shown.empty() ? "" : fmt::format(" (through '{}')", shown);
      if (role == Role::multiplier || role == Role::reaction || role == Role::energy) {
        const bool allowed = role == Role::energy ? context.energy : context.forces;
        if (allowed) continue;
        note(place,
             fmt::format("{} contains '{}'{}, which may stand in outputs and events{}", context.what,
                         s.name(), through, role == Role::energy ? " only" : " and in [nonideal] only"));
        return;
      }
      const Reach reach = reach_of(role);
      if (reach == Reach::accelerations && text_->acceleration_at == 0 && !text_->places.empty())
        text_->acceleration_at = text_->places[offset_of(place)];
      if (reach <= context.reach) continue;
      if (reach == Reach::accelerations)
        note(place, fmt::format("{} contains the acceleration '{}'{}; accelerations may stand in constraints "
                                "and outputs only",
                                context.what, s.name(), through));
      else
        note(place, fmt::format("{} contains the {} '{}'{}; it may depend on {} only", context.what,
                                reach == Reach::velocities ? "velocity" : "coordinate", s.name(), through,
                                context.reach == Reach::positions ? "coordinates and t" : "parameters"));
      return;
    }
}

bool Reader::observed_here(std::string_view word, const Place& place) {
  const Context& context = *text_->context;
  if (word != "energy" && context.nonideal && model_.mechanics() == Mechanics::vakonomic) {
    note(place,
         fmt::format("{} contains '{}'; in vakonomic motion non-ideal forces cannot depend on those of "
                     "constraints",
                     context.what, word));
    return false;
  }
  if (word == "energy" ? context.energy : context.forces) return true;
  note(place, fmt::format("{} contains '{}', which may stand in outputs and events{}{}", context.what, word,
                          word == "energy" ? " only" : " and in [nonideal] only",
                          context.user.empty() ? "" : "; it is used by " + context.user));
  return false;
}

int Reader::find_constraint(const RowName& of) {
  const auto found = constraints_.find(of.constraint);
  if (found == constraints_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, place] : constraints_) known.push_back(name);
    const std::string near = nearest_name(of.constraint, known);
    note(of.place, fmt::format("there is no constraint '{}'{}", of.constraint,
                               near.empty() ? "" : " (did you mean '" + near + "'?)"));
    return -1;
  }
  if (found->second < 0) return -1;  // it has a fault of its own
  const auto rows = static_cast<int>(model_.constraints()[found->second].rows.size());
  if (of.row < rows) return found->second;
  note(of.place, fmt::format("constraint '{}' has {} row{}, counted from 0; there is no row {}",
                             of.constraint, rows, rows == 1 ? "" : "s", of.row));
  return -1;
}

Value Reader::multiplier(const RowName& of) {
  if (!observed_here("multiplier", of.call)) return Value::unknown();
  const int c = find_constraint(of);
  if (c < 0) return Value::unknown();
  const auto& data = model_.constraints()[c];
  if (of.row >= 0 || !data.is_vector) return data.multipliers[std::max(0, of.row)];
  if (data.multipliers.size() != 3) {
    note(of.place,
         fmt::format("'{0}' has {1} rows, and so many multipliers; take one, as in multiplier({0}[0])",
                     of.constraint, data.multipliers.size()));
    return Value::unknown();
  }
  return Vector{data.multipliers[0], data.multipliers[1], data.multipliers[2]};
}

/// What mu phi adds is known to the system alone: each component that may be there, as a symbol.
Value Reader::vakonomic_reaction(int constraint, int row) {
  const auto& data = model_.constraints()[constraint];
  Value force;
  force.kind = Value::Kind::generalised;
  for (const Expr& s : symbols_of({&data.rows[row], 1})) {
    const Model::SymbolRole role = model_.role(s);
    const int velocity = role.role == Role::velocity     ? role.index
                         : role.role == Role::coordinate ? model_.velocity_of_coordinate(role.index)
                                                         : -1;
    if (velocity < 0) continue;
    const Expr component =
        model_.reaction(data.name, model_.velocities()[velocity].symbol, data.is_vector ? row : -1);
    force.components.insert_or_assign(velocity, component);
  }
  return force;
}

/// lambda of one row times its row of A.
Value Reader::reaction_of_row(int constraint, int row) {
  if (model_.mechanics() == Mechanics::vakonomic) return vakonomic_reaction(constraint, row);
  const auto& data = model_.constraints()[constraint];
  Expr phi = data.rows[row];
  // The row of A: coefficients of the velocities in phi' for a holonomic row, of what stands in phi for the
  // others.
  const int order = order_of(model_, phi);
  if (order == 0) phi = time_derivative(phi, model_.full_rates());
  Value force;
  force.kind = Value::Kind::generalised;
  for (const Expr& s : symbols_of({&phi, 1})) {
    const Model::SymbolRole role = model_.role(s);
    if (role.role != (order == 2 ? Role::acceleration : Role::velocity)) continue;
    force.components.emplace(role.index, derivative(phi, s) * data.multipliers[row]);
  }
  return force;
}

/// The generalised force of a constraint, or of one of its rows.
Value Reader::reaction(const RowName& of) {
  const int c = find_constraint(of);
  if (c < 0) return Value::unknown();
  Value all;
  all.kind = Value::Kind::generalised;
  const auto& data = model_.constraints()[c];
  for (std::size_t row = 0; row < data.rows.size(); ++row) {
    if (of.row >= 0 && static_cast<int>(row) != of.row) continue;
    for (const auto& [velocity, component] : reaction_of_row(c, static_cast<int>(row)).components) {
      Expr& sum = all.components.try_emplace(velocity, 0.0).first->second;
      sum += component;
    }
  }
  return all;
}

namespace {

Vector components(const Value& force, const Model& model, const Expr& x, const Expr& y, const Expr& z) {
  const auto part = [&](const Expr& velocity) {
    const auto found = force.components.find(model.role(velocity).index);
    return found == force.components.end() ? Expr(0.0) : found->second;
  };
  return {part(x), part(y), part(z)};
}

}  // namespace

Value Reader::force(const RowName& of, std::string_view on, const Place& on_place) {
  if (!observed_here("force", of.call)) return Value::unknown();
  const Value all = reaction(of);
  if (on.empty() || all.is(Value::Kind::unknown)) return all;
  if (const auto p = particles_.find(on); p != particles_.end())
    return components(all, model_, p->second.x.rate(), p->second.y.rate(), p->second.z.rate());
  if (const auto b = bodies_.find(on); b != bodies_.end())
    return components(all, model_, b->second.x.rate(), b->second.y.rate(), b->second.z.rate());
  note(on_place, fmt::format("'{}' in force({}, {}) is no particle and no body; the force on a coordinate is "
                             "force({}).{}",
                             on, of.constraint, on, of.constraint, on));
  return Value::unknown();
}

/// World axes. A joint turns its part at its own point, another constraint about the centre of mass.
Value Reader::torque(const RowName& of, std::string_view on, const Place& on_place) {
  if (!observed_here("torque", of.call)) return Value::unknown();
  const Value all = reaction(of);
  if (all.is(Value::Kind::unknown)) return all;
  const auto found = bodies_.find(on);
  if (found == bodies_.end()) {
    note(on_place, fmt::format("'{}' in torque({}, {}) is no body", on, of.constraint, on));
    return Value::unknown();
  }
  const Body& b = found->second;
  const Vector about_centre = b.axis(components(all, model_, b.wx, b.wy, b.wz));
  for (const JointData& joint : model_.joints())
    for (int side = 0; side < 2; ++side)
      if (joint.name == of.constraint && joint.part_names[side] == on) {
        const Vector push = components(all, model_, b.x.rate(), b.y.rate(), b.z.rate());
        return about_centre - cross(joint.place(side) - b.position(), push);
      }
  return about_centre;
}

Value Reader::component(const Value& force, std::string_view name, const Place& place) {
  std::vector<std::string> known;
  for (const auto& v : model_.velocities()) {
    const std::string plain = v.name.back() == '\'' ? v.name.substr(0, v.name.size() - 1) : v.name;
    if (plain == name) {
      const auto found = force.components.find(model_.role(v.symbol).index);
      return found == force.components.end() ? Expr(0.0) : found->second;
    }
    known.push_back(plain);
  }
  const std::string near = nearest_name(name, known);
  note(place, fmt::format("a generalised force has no component '{}'; its components are coordinates{}", name,
                          near.empty() ? "" : " (did you mean '" + near + "'?)"));
  return Value::unknown();
}

}  // namespace vinculum
