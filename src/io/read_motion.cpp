// What the motion must satisfy, what is looked at along it, and how it is computed.
#include <fmt/format.h>

#include "io/reader_parts.hpp"
#include "system/statement.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

void Reader::read_constraints() {
  const Entry* table = top("constraints");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) read_constraint(entry);
}

void Reader::read_constraint(const Entry& entry) {
  const std::string what = "constraint '" + entry.key + "'";
  const Entry* equation_entry = &entry;
  if (entry.kind == Entry::Kind::table) {
    table_of(entry, table_format("constraints").keys, what);
    if (const Entry* servo = entry.find("servo"); truth(servo, "'servo' of " + what, false))
      note(servo->key_at, "'servo' is not part of this version; without it the motion is the same");
    equation_entry = entry.find("equation");
    if (equation_entry == nullptr) return;
  }
  const ValueEquation sides = equation(*equation_entry, {.what = what, .reach = Reach::accelerations});
  const std::size_t acceleration_at = last_acceleration_;
  const auto declared = constraints_.find(entry.key);
  if (declared == constraints_.end() || sides.left.is(Value::Kind::unknown) ||
      sides.right.is(Value::Kind::unknown))
    return;
  if (sides.left.is(Value::Kind::generalised)) return;  // cannot be: force(..) may not stand here
  tell(equation_entry->at, [&] {
    const int place = static_cast<int>(model_.constraints().size());
    if (sides.left.is(Value::Kind::vector))
      model_.constrain(entry.key, sides.left.vector, sides.right.vector);
    else
      model_.constrain(entry.key, sides.left.scalar, sides.right.scalar);
    declared->second = place;
  });
  if (declared->second < 0) return;
  tell(acceleration_at, [&] {
    for (const Expr& row : model_.constraints()[declared->second].rows)
      require_linear(model_, entry.key, row);
    if (model_.mechanics() == Mechanics::vakonomic)
      require_vakonomic(model_, model_.constraints()[declared->second]);
  });
  if (entry.kind == Entry::Kind::table) read_friction(entry);
}

/// Stated as zero it is none, whatever stands in the equation.
void Reader::read_friction(const Entry& entry) {
  const Entry* friction = entry.find("friction");
  if (friction == nullptr) return;
  const std::string what = "the friction of constraint '" + entry.key + "'";
  const std::size_t before = faults.size();
  const double size = number(friction, what, 0.0);
  if (faults.size() > before || size == 0) return;
  const Value coefficient = scalar(*friction, {.what = what, .reach = Reach::symbols});
  if (coefficient.is(Value::Kind::scalar))
    tell(size < 0 ? friction->at : friction->key_at, [&] { model_.friction(entry.key, coefficient.scalar); });
}

void Reader::read_outputs() {
  const Entry* table = top("outputs");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    const bool named = require_name(entry, "an output");
    const Value result = value(entry, {.what = "output '" + entry.key + "'",
                                       .reach = Reach::accelerations,
                                       .forces = true,
                                       .energy = true});
    if (result.is(Value::Kind::generalised)) {
      note(entry.at,
           fmt::format("output '{}' is a generalised force; take a component (force(c).x) or its norm",
                       entry.key));
      continue;
    }
    if (result.is(Value::Kind::unknown) || !named) continue;
    tell(entry.key_at, [&] {
      if (result.is(Value::Kind::vector))
        model_.output(entry.key, result.vector);
      else
        model_.output(entry.key, result.scalar);
    });
  }
}

void Reader::read_events() {
  const Entry* table = top("events");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    const std::string what = "event '" + entry.key + "'";
    const bool named = require_name(entry, "an event");
    const Entry* at = &entry;
    std::string direction = "both";
    bool stop = false;
    if (entry.kind == Entry::Kind::table) {
      const auto keys = table_format("events").keys;
      table_of(entry, keys, what);
      at = entry.find("at");
      direction = word(entry.find("direction"), keys[1], "the direction of " + what, "both");
      stop = truth(entry.find("stop"), "'stop' of " + what, false);
      if (at == nullptr) continue;
    }
    const Value result =
        scalar(*at, {.what = what, .reach = Reach::velocities, .forces = true, .energy = true});
    if (!result.is(Value::Kind::scalar) || !named) continue;
    using Direction = Model::Direction;
    const Direction sense = direction == "rising"    ? Direction::rising
                            : direction == "falling" ? Direction::falling
                                                     : Direction::both;
    tell(entry.key_at, [&] { model_.event(entry.key, result.scalar, sense, stop); });
  }
}

void Reader::read_simulate() {
  const Entry* table = top("simulate");
  if (table == nullptr) return;
  const auto keys = table_format("simulate").keys;
  table_of(*table, keys, "[simulate]");
  SimulateSettings& s = file_.simulate;
  const auto positive = [&](const char* key, double fallback, bool below_one) {
    const Entry* entry = table->find(key);
    const std::size_t before = faults.size();
    const double value = number(entry, fmt::format("'{}' in [simulate]", key), fallback);
    if (entry != nullptr && faults.size() == before && (!(value > 0) || (below_one && value >= 1)))
      note(entry->at, fmt::format("'{}' in [simulate] is {}; it must {}", key, number_text(value),
                                  below_one ? "lie between 0 and 1" : "be positive"));
    return value;
  };
  s.from = number(table->find("from"), "'from' in [simulate]", 0.0);
  if (const Entry* until = table->find("until")) s.until = number(until, "'until' in [simulate]", 0.0);
  s.tolerance = positive("tolerance", s.tolerance, true);
  s.step = positive("step", s.step, false);
  s.samples = count(table->find("samples"), "'samples' in [simulate]", 1, 10'000'000, 0);
  s.integrator = word(table->find("integrator"), keys[5], "'integrator' in [simulate]", s.integrator);
}

}  // namespace vinculum
