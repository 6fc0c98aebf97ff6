// What the motion must satisfy, what is looked at along it, and how it is computed.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/model/reader_templates.hpp"
#include "io/model/simulate_numbers.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/model/checks.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

void Reader::read_constraints() {
  const Entry* table = top("constraints");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) read_constraint(entry);
}

void Reader::read_constraint(const Entry& entry) {
  if (is_joint(entry.key)) return;  // a name that is taken, which is noted
  const std::string what = "constraint '" + entry.key + "'";
  const Entry* equation_entry = &entry;
  if (entry.kind == Entry::Kind::table) {
    table_of(entry, table_format("constraints").keys, what);
    equation_entry = entry.find("equation");
    if (equation_entry == nullptr) return;
  }
  const ValueEquation sides = equation(*equation_entry, {.what = what, .reach = Reach::accelerations});
  const auto accelerates = [&](const Expr& s) { return model_.stated().role(s).role == Role::acceleration; };
  const std::size_t acceleration_at = place_where(*equation_entry, accelerates),
                    odd_at = place_where(*equation_entry, [&](const Expr& s) {
                      return accelerates(s) || !is_plain(model_, s);
                    });
  const auto declared = constraints_.find(entry.key);
  if (declared == constraints_.end() || sides.left.is(Value::Kind::unknown) ||
      sides.right.is(Value::Kind::unknown))
    return;
  if (sides.left.is(Value::Kind::generalised)) return;  // cannot be: force(..) may not stand here
  noting_faults(equation_entry->at, [&] {
    const int place = static_cast<int>(model_.constraints().size());
    if (sides.left.is(Value::Kind::vector))
      model_.constrain(entry.key, sides.left.vector, sides.right.vector);
    else
      model_.constrain(entry.key, sides.left.scalar, sides.right.scalar);
    declared->second = place;
  });
  if (declared->second < 0) return;
  noting_faults(acceleration_at, [&] {
    for (const Expr& row : model_.constraints()[declared->second].rows)
      require_linear(model_, entry.key, row);
  });
  noting_faults(odd_at, [&] {
    if (model_.mechanics() == Mechanics::vakonomic)
      require_vakonomic(model_, model_.constraints()[declared->second]);
  });
  if (entry.kind == Entry::Kind::table) {
    read_friction(entry);
    read_servo(entry);
  }
}

/// Stated as zero it is none, whatever stands in the equation.
void Reader::read_friction(const Entry& entry) {
  const Entry* friction = entry.find("friction");
  if (friction == nullptr) return;
  const std::string what = "the friction of constraint '" + entry.key + "'";
  const std::size_t before = faults.size();
  const double size = number(friction, what, 0.0);
  if (faults.size() > before) return;
  if (size == 0) return fix_zero(friction, what);
  if (model_.mechanics() == Mechanics::none) {
    note(friction->key_at, "without mechanics there is no friction; state s in [forces] and c in [nonideal]");
    return;
  }
  const Value coefficient = scalar(*friction, {.what = what, .reach = Reach::symbols});
  if (coefficient.is(Value::Kind::scalar))
    noting_faults(size < 0 ? friction->at : friction->key_at,
                  [&] { model_.friction(entry.key, coefficient.scalar); });
}

void Reader::read_servo(const Entry& entry) {
  const std::string what = "constraint '" + entry.key + "'";
  const Entry *frequency = entry.find("frequency"), *damping = entry.find("damping"),
              *actuators = entry.find("actuators");
  const std::size_t faults_so_far = faults.size();
  if (!truth(entry.find("servo"), "'servo' of " + what, false)) {
    if (faults.size() > faults_so_far) return;
    for (const Entry* key : {frequency, damping, actuators})
      if (key != nullptr)
        note(key->key_at,
             fmt::format("'{}' of {} belongs to a programme; say 'servo = true' beside it", key->key, what));
    return;
  }
  if (damping != nullptr && frequency == nullptr)
    note(damping->key_at, fmt::format("'damping' of {} stands beside 'frequency', and there is none", what));
  ServoOptions options;
  const std::size_t before = faults.size();
  const auto constant = [&](const Entry* key, Expr& target, bool may_be_zero) {
    if (key == nullptr) return;
    const std::string of = fmt::format("the {} of {}", key->key, what);
    const double size = number(key, of, 1.0);
    noting_faults(key->at, [&] { require_servo_constant(size, of, may_be_zero); });
    if (faults.size() > before) return;
    if (const Value value = scalar(*key, {.what = of, .reach = Reach::symbols});
        value.is(Value::Kind::scalar))
      target = value.scalar;
  };
  constant(frequency, options.frequency, false);
  constant(damping, options.damping, true);
  if (actuators != nullptr) read_actuators(*actuators, "the actuators of " + what, options.actuators);
  if (faults.size() > before) return;
  noting_faults(frequency != nullptr ? frequency->key_at : entry.key_at,
                [&] { model_.servo(entry.key, options); });
}

/// Names of coordinates, components of particles, particles, which stand for all three, and `hinge.angle`.
void Reader::read_actuators(const Entry& list, const std::string& what, std::vector<Expr>& out) {
  if (list.kind != Entry::Kind::array || list.entries.empty())
    return note(list, what + " are names of coordinates and particles in brackets, as in [\"x\", \"p\"]");
  std::map<std::string, std::vector<Expr>>& known = actuators_;
  if (known.empty()) {  // all coordinates are there by now
    for (const auto& v : model_.velocities()) known[v.name.substr(0, v.name.find('\''))] = {v.symbol};
    for (const auto& [name, p] : particles_) known[std::string(name)] = {p.x, p.y, p.z};
    // In a plane a body has not all of these.
    const auto those = [](std::initializer_list<Expr> all) {
      std::vector<Expr> moving;
      std::ranges::copy_if(all, std::back_inserter(moving), [](const Expr& e) { return e.is_symbol(); });
      return moving;
    };
    for (const auto& [name, part] : bodies_) {
      const Body& b = *part.body();
      known[std::string(name)] = those({b.x, b.y, b.z});
      known[std::string(name) + ".torque"] = those({b.wx, b.wy, b.wz});
    }
  }
  for (const Entry& item : list.entries) {
    if (item.kind != Entry::Kind::text) {
      note(item, fmt::format("{}: {} is no name; names stand in quotes", what, kind_name(item.kind)));
    } else if (const auto found = known.find(item.text); found != known.end()) {
      out.insert(out.end(), found->second.begin(), found->second.end());
    } else if (is_joint(item.text.substr(0, end_of_name(item.text)))) {
      const Value at = scalar(item, {.what = what, .reach = Reach::positions, .place_of_force = true});
      if (at.is(Value::Kind::scalar)) out.push_back(at.scalar);
    } else {
      note(item,
           fmt::format("unknown name '{}' in {}; forces act on coordinates, particles, bodies and joints",
                       item.text, what));
      suggest(item.text, [this] { return keys_of(actuators_); });
    }
  }
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
    noting_faults(entry.key_at, [&] {
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
    noting_faults(entry.key_at, [&] { model_.event(entry.key, result.scalar, sense, stop); });
  }
}

void Reader::read_simulate() {
  const Entry* table = top("simulate");
  if (table == nullptr) return;
  const auto keys = table_format("simulate").keys;
  table_of(*table, keys, "[simulate]");
  for (const SimulateNumber& setting : simulate_numbers()) {
    const Entry* entry = table->find(setting.key);
    if (entry == nullptr) continue;
    const std::string what = fmt::format("'{}' in [simulate]", setting.key);
    const std::size_t before = faults.size();
    const double value = number(entry, what, 0.0);
    if (faults.size() > before) continue;
    noting_faults(entry->at, [&] { setting.take(value, file_.simulate); });
    file_.simulate_stated.*setting.stated = start_number(entry, what);
  }
  const std::string method = word(table->find("integrator"), keys[6], "'integrator' in [simulate]", "");
  file_.simulate.integrator = integrator_named(method).value_or(file_.simulate.integrator);
}

}  // namespace vinculum
