// Forces and multipliers of constraints, by name.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

bool Reader::observed_here(std::string_view word, const Place& place) {
  const Context& context = *text_->context;
  const bool reaction = word == "force" || word == "torque" || word == "multiplier";
  if (reaction && context.nonideal && model_.mechanics() == Mechanics::vakonomic) {
    note(place,
         fmt::format("{} contains '{}'; in vakonomic motion non-ideal forces cannot depend on those of "
                     "constraints",
                     context.what, word));
    return false;
  }
  if (reaction ? context.forces : context.energy) return true;
  note(place, fmt::format("{} contains '{}', which may stand in outputs and events{}{}", context.what, word,
                          reaction ? " and in [nonideal] only" : " only",
                          context.user.empty() ? "" : "; it is used by " + context.user));
  return false;
}

int Reader::find_constraint(const RowName& of) {
  const auto found = constraints_.find(of.constraint);
  if (found == constraints_.end()) {
    note(of.place, fmt::format("there is no constraint '{}'", of.constraint));
    suggest(std::string(of.constraint), [this] { return keys_of(constraints_); });
    return -1;
  }
  if (found->second < 0) return -1;  // it has a fault of its own
  const auto rows = static_cast<int>(model_.constraints()[found->second].rows.size());
  if (of.row < rows) return found->second;
  note(of.place, fmt::format("constraint '{}' has {} row{}, counted from 0; there is no row {}",
                             of.constraint, rows, rows == 1 ? "" : "s", of.row));
  return -1;
}

/// A programme that acts by its actuators has a force, and no multipliers that would make it.
bool Reader::has_multipliers(int constraint, std::string_view word, const RowName& of) {
  if (!acts_by_actuators(model_, constraint)) return true;
  note(of.call, fmt::format("{} contains {}({}), and programme '{}' acts by its actuators: it has no "
                            "multipliers (its force is in control_force)",
                            text_->context->what, word, of.constraint, of.constraint));
  return false;
}

template <class OfRow>
Value Reader::by_rows(std::string_view word, const RowName& of, const OfRow& of_row) {
  const int c = find_constraint(of);
  if (c < 0) return Value::unknown();
  const auto& data = model_.constraints()[c];
  if (of.row >= 0 || !data.is_vector) return of_row(c, std::max(0, of.row));
  if (data.rows.size() != 3) {
    note(of.place, fmt::format("'{0}' has {1} rows, and so many {2}s; take one, as in {2}({0}[0])",
                               of.constraint, data.rows.size(), word));
    return Value::unknown();
  }
  return Vector{of_row(c, 0), of_row(c, 1), of_row(c, 2)};
}

Value Reader::multiplier(const RowName& of) {
  if (!observed_here("multiplier", of.call)) return Value::unknown();
  if (const int c = find_constraint(of); c < 0 || !has_multipliers(c, "multiplier", of))
    return Value::unknown();
  return by_rows("multiplier", of, [&](int c, int row) { return model_.constraints()[c].multipliers[row]; });
}

/// What mu phi adds is known to the system alone: each component that may be there, as a symbol.
Value Reader::vakonomic_reaction(int constraint, int row) {
  const auto& data = model_.constraints()[constraint];
  Value force;
  force.kind = Value::Kind::generalised;
  for (const Expr& s : symbols_of({&data.rows[row], 1})) {
    const SymbolRole role = model_.stated().role(s);
    const int velocity = role.role == Role::velocity     ? role.index
                         : role.role == Role::coordinate ? model_.stated().velocity_of_coordinate(role.index)
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
  if (order == 0) phi = model_.rate(phi);
  Value force;
  force.kind = Value::Kind::generalised;
  for (const Expr& s : symbols_of({&phi, 1})) {
    const SymbolRole role = model_.stated().role(s);
    if (role.role != (order == 2 ? Role::acceleration : Role::velocity)) continue;
    force.components.emplace(role.index, derivative(phi, s) * data.multipliers[row]);
  }
  return force;
}

/// The generalised force of a constraint, or of one of its rows.
Value Reader::reaction(const RowName& of, std::string_view word) {
  const int c = find_constraint(of);
  if (c < 0 || !has_multipliers(c, word, of)) return Value::unknown();
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
    if (!velocity.is_symbol()) return Expr(0.0);  // across the plane of a body
    const auto found = force.components.find(model.stated().role(velocity).index);
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
  if (const Body* b = body_named(on)) return components(all, model_, b->x.rate(), b->y.rate(), b->z.rate());
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
  const Body* found = body_named(on);
  if (found == nullptr) {
    note(on_place, fmt::format("'{}' in torque({}, {}) is no body", on, of.constraint, on));
    return Value::unknown();
  }
  const Body& b = *found;
  const Vector about_centre = b.axis(components(all, model_, b.wx, b.wy, b.wz));
  if (const JointData* joint = placed_joint(of.constraint))
    for (int side = 0; side < 2; ++side)
      if (joint->part_names[side] == on) {
        const Vector push = components(all, model_, b.x.rate(), b.y.rate(), b.z.rate());
        return about_centre - cross(joint->place(side) - b.position(), push);
      }
  return about_centre;
}

/// v.A_c^T lambda_c: what the force of a constraint does on the motion.
Value Reader::power(const RowName& of) {
  const Value all = reaction(of, "power");
  if (all.is(Value::Kind::unknown)) return all;
  Expr sum = 0.0;
  for (const auto& [velocity, component] : all.components)
    sum += component * model_.velocities()[velocity].symbol;
  return sum;
}

namespace {

/// x for x', b.wz for itself: what a force is said to act on.
std::string plain(const std::string& velocity) {
  return velocity.back() == '\'' ? velocity.substr(0, velocity.size() - 1) : velocity;
}

std::vector<std::string> plain_names(const Model& model) {
  std::vector<std::string> known;
  for (const auto& v : model.velocities()) known.push_back(plain(v.name));
  return known;
}

}  // namespace

int Reader::velocity_named(std::string_view name) const {
  for (std::size_t v = velocity_places_.size(); v < model_.velocities().size(); ++v)
    velocity_places_.emplace(plain(model_.velocities()[v].name), static_cast<int>(v));
  const auto found = velocity_places_.find(std::string(name));
  return found == velocity_places_.end() ? -1 : found->second;
}

/// On a coordinate a number, on a particle or body a vector in space.
template <class OnVelocity>
Value Reader::by_velocities(const RowName& of, const OnVelocity& on_velocity) {
  const auto on = [&](const Expr& rate) { return rate.is_symbol() ? on_velocity(rate) : Expr(0.0); };
  if (const auto p = particles_.find(of.constraint); p != particles_.end())
    return Vector{on(p->second.x.rate()), on(p->second.y.rate()), on(p->second.z.rate())};
  if (const Body* b = body_named(of.constraint))
    return Vector{on(b->x.rate()), on(b->y.rate()), on(b->z.rate())};
  const int v = of.row < 0 ? velocity_named(of.constraint) : -1;
  if (v >= 0) return on(model_.velocities()[v].symbol);
  note(of.place, fmt::format("there is no coordinate '{}'", of.constraint));
  suggest(std::string(of.constraint), [this] { return plain_names(model_); });
  return Value::unknown();
}

Value Reader::of_instant(std::string_view word, const RowName& of) {
  if (!observed_here(word, of.call)) return Value::unknown();
  if (word == "gauss") return model_.gauss();
  if (word == "power") return power(of);
  if (word == "dissatisfaction")
    return by_rows(word, of,
                   [&](int c, int row) { return model_.dissatisfaction(model_.constraints()[c].name, row); });
  return by_velocities(of, [&](const Expr& rate) {
    return word == "deviation" ? model_.deviation(rate) : model_.nonideal_force(rate);
  });
}

Value Reader::component(const Value& force, std::string_view name, const Place& place) {
  if (const int v = velocity_named(name); v >= 0) {
    const auto found = force.components.find(v);
    return found == force.components.end() ? Expr(0.0) : found->second;
  }
  note(place, fmt::format("a generalised force has no component '{}'; its components are coordinates", name));
  suggest(std::string(name), [this] { return plain_names(model_); });
  return Value::unknown();
}

}  // namespace vinculum
