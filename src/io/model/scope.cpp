// What names in expressions stand for, and what may stand where.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// Its numbers: one, three, or one for each velocity.
template <class Visit>
void each_part(const Value& value, const Visit& visit) {
  if (value.is(Value::Kind::vector)) {
    visit(value.vector.x);
    visit(value.vector.y);
    visit(value.vector.z);
  } else if (value.is(Value::Kind::scalar)) {
    visit(value.scalar);
  } else {
    for (const auto& [velocity, component] : value.components) visit(component);
  }
}

/// Until one of them asks for no more.
template <class Visit>
void each_symbol(const Value& value, const Visit& visit) {
  bool more = true;
  each_part(value, [&](const Expr& part) {
    if (!more || part.is_constant()) return;
    if (part.is_symbol())
      more = visit(part);
    else
      for (const Expr& s : symbols_of({&part, 1}))
        if (more) more = visit(s);
  });
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
  std::pair<std::string, int> result(text, 0);
  result.second = static_cast<int>(std::erase(result.first, '\''));
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
  const std::string base = dot == path.npos ? path : path.substr(0, dot);
  const Named* const named = known == names_.end() ? nullptr : &known->second;
  const bool of_body =
      dot != path.npos && known != names_.end() && std::string_view(known->second.what) == "body";
  // Nothing but a joint has these parts, so that its name may be that of something else as well.
  const bool joints_part = dot != path.npos && is_part_of_joint(path.substr(dot + 1));
  const bool of_joint = dot != path.npos && is_joint(base) && (known == names_.end() || joints_part);
  const bool of_bushing = dot != path.npos && !of_joint && known == names_.end() && is_bushing(base);
  Value value = of_body && !of_joint ? part_of_body(base, path.substr(dot + 1), place)
                : of_joint           ? part_of_joint(base, path.substr(dot + 1), place)
                : of_bushing         ? part_of_bushing(base, path.substr(dot + 1), place)
                                     : base_value(base, named, place, primes > 0);
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
Value Reader::base_value(const std::string& base, const Named* known, const Place& place, bool primed) {
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
  if (known == nullptr) return unknown_name(base, place);
  const std::string_view what = known->what;
  if (what == "parameter") return parameter_here(base, *known, place, primed);
  if (context.reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a {}, and {} may use parameters only", base, what, context.what));
    return Value::unknown();
  }
  if (what == "definition") return definition(base);
  if (const auto c = coordinates_.find(base); c != coordinates_.end())
    return Value(static_cast<const Expr&>(c->second));
  if (const auto p = particles_.find(base); p != particles_.end()) return p->second.position();
  if (const Body* b = body_named(base)) return b->position();
  return Value::unknown();  // declared, and refused for a fault of its own
}

Value Reader::parameter_here(const std::string& name, const Named& named, const Place& place, bool primed) {
  const Context& context = *text_->context;
  if (primed) {
    note(place, fmt::format("'{}' in {} is a parameter and has no rate", name, context.what));
    return Value::unknown();
  }
  const ParameterState& state = *named.parameter;
  if (context.reach != Reach::parameters) return state.symbol ? Value(*state.symbol) : Value::unknown();
  const double value = parameter_value(name, named);
  if (!fixed_in_.empty() && path_.empty() && state.symbol) model_.stated().use_as_number(name, fixed_in_);
  if (state.open) open_read_ = name;
  return state.known ? Value(Expr(value)) : Value::unknown();
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
  const std::size_t before = faults.size();
  each_symbol(value, [&](const Expr& s) {
    const Role role = model_.stated().role(s).role;
    if (role == Role::acceleration)
      note(place, fmt::format("a third derivative in {}: '{}' would be differentiated", text_->context->what,
                              s.name()));
    else if (is_observed(role))
      note(place, fmt::format("'{}' in {} has no rate", s.name(), text_->context->what));
    return faults.size() == before;
  });
  if (faults.size() > before) return Value::unknown();
  if (value.is(Value::Kind::scalar)) return model_.rate(value.scalar);
  return Vector{model_.rate(value.vector.x), model_.rate(value.vector.y), model_.rate(value.vector.z)};
}

void Reader::remember(const Value& value, const Place& in_text) {
  if (text_->entry->at == std::string::npos) return;  // entries of --set have no place in the file
  const std::size_t at = offset_of(in_text);
  each_symbol(value, [&](const Expr& s) {
    text_->symbol_at.emplace_back(s.id(), at);
    return true;
  });
}

bool Reader::is_moving(const Value& value) const {
  bool moves = false;
  each_symbol(value, [&](const Expr& s) {
    moves = reach_of(model_.stated().role(s).role) > Reach::positions;
    return !moves;
  });
  return moves;
}

/// What is asked of a name is asked of everything it stands for.
void Reader::require_reach(const Value& value, std::string_view shown, const Place& place) {
  const Context& context = *text_->context;
  remember(value, place);
  const auto through = [shown](const Expr& s) {
    const bool itself = s.name() == without_primes(shown).first || s.name() == shown;
    return itself || shown.empty() ? "" : fmt::format(" (through '{}')", shown);
  };
  each_symbol(value, [&](const Expr& s) {
    const Role role = model_.stated().role(s).role;
    if (is_observed(role)) {
      const bool allowed = is_reaction(role) ? context.forces : context.energy;
      if (allowed) return true;
      note(place, fmt::format("{} contains '{}'{}, which may stand in outputs and events{}", context.what,
                              s.name(), through(s), is_reaction(role) ? " and in [nonideal] only" : " only"));
      return false;
    }
    const Reach reach = reach_of(role);
    if (reach <= context.reach) return true;
    if (reach == Reach::accelerations)
      note(place, fmt::format("{} contains the acceleration '{}'{}; accelerations may stand in constraints "
                              "and outputs only",
                              context.what, s.name(), through(s)));
    else
      note(place, fmt::format("{} contains the {} '{}'{}; it may depend on {} only", context.what,
                              reach == Reach::velocities ? "velocity" : "coordinate", s.name(), through(s),
                              context.reach == Reach::positions ? "coordinates and t" : "parameters"));
    return false;
  });
}

}  // namespace vinculum
