// What names in expressions stand for, and what may stand where.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

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
    case Role::made:
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
  std::size_t end = end_of_name(path);
  auto known = names_.find(std::string_view(path).substr(0, end));
  // Of a part that is there the whole name is unknown, not the part.
  if (const Entry* parts = known == names_.end() ? root_.find("parts") : nullptr;
      parts != nullptr && parts->find(path.substr(0, end)) != nullptr) {
    end = path.size();
    known = names_.find(path);
  }
  const std::size_t dot = end < path.size() ? end : path.npos;
  const std::string base = path.substr(0, dot);
  const bool of_body =
      dot != path.npos && known != names_.end() && std::string_view(known->second.what) == "body";
  // Nothing but a joint has these parts, so that its name may be that of something else as well.
  const bool joints_part = dot != path.npos && is_part_of_joint(path.substr(dot + 1));
  const bool of_joint = dot != path.npos && is_joint(base) && (known == names_.end() || joints_part);
  const bool of_bushing = dot != path.npos && !of_joint && known == names_.end() && is_bushing(base);
  Value value = of_body && !of_joint ? part_of_body(base, path.substr(dot + 1), place)
                : of_joint           ? part_of_joint(base, path.substr(dot + 1), place)
                : of_bushing         ? part_of_bushing(base, path.substr(dot + 1), place)
                                     : base_value(base, place, primes > 0);
  if (dot != path.npos && !of_body && !of_joint && !of_bushing && !value.is(Value::Kind::unknown)) {
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
    if (!fixed_in_.empty() && path_.empty() && parameter_symbols_.contains(base))
      model_.stated().use_as_number(base, fixed_in_);
    if (parameters_.find(base)->second.open) open_read_ = base;
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

/// x_dot, xdot, dx, xddot and the like: "x'" or "x''" where x has a rate; "" elsewhere.
std::string Reader::rate_meant(std::string_view name) const {
  struct Habit {
    std::string_view before, after, primes;
  };
  static constexpr Habit habits[] = {{"", "_ddot", "''"}, {"", "ddot", "''"}, {"", "_dotdot", "''"},
                                     {"dd", "", "''"},    {"", "_dot", "'"},  {"", "dot", "'"},
                                     {"", "_prime", "'"}, {"d_", "", "'"},    {"d", "", "'"},
                                     {"", "_t", "'"},     {"v_", "", "'"},    {"dot_", "", "'"}};
  for (const Habit& habit : habits) {
    if (name.size() <= habit.before.size() + habit.after.size()) continue;
    if (!name.starts_with(habit.before) || !name.ends_with(habit.after)) continue;
    std::string base(name.substr(habit.before.size()));
    base.resize(base.size() - habit.after.size());
    const auto known = names_.find(base);
    if (known != names_.end() && std::string_view(known->second.what) != "parameter")
      return base + std::string(habit.primes);
  }
  return "";
}

Value Reader::unknown_name(const std::string& name, const Place& place) {
  if (is_joint(name)) {
    note(place, fmt::format("'{0}' in {1} is a joint; its parts are {0}.angle and {0}.distance, its force is "
                            "force({0})",
                            name, text_->context->what));
    return Value::unknown();
  }
  if (is_bushing(name)) {
    note(place,
         fmt::format("'{0}' in {1} is a bushing; its parts are {0}.offset, {0}.rotation, {0}.force and "
                     "{0}.torque",
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
  note(place, fmt::format("unknown name '{}' in {}", name, text_->context->what));
  if (const std::string rate = rate_meant(name); !rate.empty()) {
    faults.back().text += fmt::format("; the rate of '{}' is {}", rate.substr(0, rate.find('\'')), rate);
    return Value::unknown();
  }
  suggest(name, [this, itself = path_.empty() ? "" : path_.back(), view = text_->context->view] {
    std::vector<std::string> known;
    for (const std::string& other : keys_of(names_))
      if (other != itself) known.push_back(other);
    if (view)
      for (const auto& [other, what] : view_points_) known.push_back(other);
    return known;
  });
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
  Value result = is_open_text(entry, "?(t)") ? open_function(entry) : value(entry, context);
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
      const Role role = model_.stated().role(s).role;
      if (role == Role::acceleration) {
        note(place, fmt::format("a third derivative in {}: '{}' would be differentiated",
                                text_->context->what, s.name()));
        return Value::unknown();
      }
      if (is_observed(role)) {
        note(place, fmt::format("'{}' in {} has no rate", s.name(), text_->context->what));
        return Value::unknown();
      }
    }
  if (value.is(Value::Kind::scalar)) return time_derivative(value.scalar, model_.stated().full_rates);
  const SymbolMap& rates = model_.stated().full_rates;
  return Vector{time_derivative(value.vector.x, rates), time_derivative(value.vector.y, rates),
                time_derivative(value.vector.z, rates)};
}

void Reader::remember(const Value& value, const Place& in_text) {
  if (text_->entry->at == std::string::npos) return;  // entries of --set have no place in the file
  const std::size_t at = offset_of(in_text);
  for (const Expr& part : parts_of(value))
    for (const Expr& s : symbols_of({&part, 1})) text_->symbol_at.emplace_back(s.id(), at);
}

bool Reader::is_moving(const Value& value) const {
  for (const Expr& part : parts_of(value))
    for (const Expr& s : symbols_of({&part, 1}))
      if (const Reach reach = reach_of(model_.stated().role(s).role); reach > Reach::positions) return true;
  return false;
}

/// What is asked of a name is asked of everything it stands for.
void Reader::require_reach(const Value& value, std::string_view shown, const Place& place) {
  const Context& context = *text_->context;
  remember(value, place);
  for (const Expr& part : parts_of(value))
    for (const Expr& s : symbols_of({&part, 1})) {
      const Role role = model_.stated().role(s).role;
      const bool itself = s.name() == without_primes(shown).first || s.name() == shown;
      const std::string through = itself || shown.empty() ? "" : fmt::format(" (through '{}')", shown);
      if (is_observed(role)) {
        const bool allowed = is_reaction(role) ? context.forces : context.energy;
        if (allowed) continue;
        note(place, fmt::format("{} contains '{}'{}, which may stand in outputs and events{}", context.what,
                                s.name(), through, is_reaction(role) ? " and in [nonideal] only" : " only"));
        return;
      }
      const Reach reach = reach_of(role);
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

}  // namespace vinculum
