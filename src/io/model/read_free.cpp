// How the system moves when free: masses, energies, gravity, springs, forces.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? "" : std::string(text.substr(first, last - first + 1));
}

/// What was meant by the key of a force that is no position.
std::string way_to_position(const std::string& path) {
  std::string still = path;
  std::erase(still, '\'');
  const std::size_t dot = still.find(".omega");
  if (dot != still.npos)
    return fmt::format(
        "; a torque is '{}.torque', a vector in world axes ({}.axis(x, y, z) is one of the body's)",
        still.substr(0, dot), still.substr(0, dot));
  return still == path ? "" : " (did you mean '" + still + "'?)";
}

}  // namespace

void Reader::read_mass_entry(const Entry& entry, std::set<std::pair<int, int>>& stated) {
  const std::size_t comma = entry.key.find(',');
  const std::string names[2] = {trimmed(entry.key.substr(0, comma)),
                                trimmed(comma == entry.key.npos ? entry.key : entry.key.substr(comma + 1))};
  const Coordinate* axis[2] = {nullptr, nullptr};
  for (int k = 0; k < 2; ++k) {
    if (const auto found = coordinates_.find(names[k]); found != coordinates_.end()) {
      axis[k] = &found->second;
      continue;
    }
    const std::string base = names[k].substr(0, end_of_name(names[k]));
    if (particles_.contains(base))
      note(entry.key_at,
           fmt::format("'{}' in [mass] belongs to a particle; its mass stands in [particles.{}]", names[k],
                       base));
    else if (bodies_.contains(base))
      note(entry.key_at,
           fmt::format("'{}' in [mass] belongs to a body; its mass stands in [bodies.{}]", names[k], base));
    else if (is_stated(names[k]))
      return;  // it has a fault of its own
    else {
      note(entry.key_at, fmt::format("unknown name '{}' in [mass]; masses belong to coordinates", names[k]));
      suggest(names[k], [this] { return keys_of(coordinates_); });
    }
    return;
  }
  const int i = model_.stated().role(axis[0]->rate()).index, j = model_.stated().role(axis[1]->rate()).index;
  if (!stated.insert(std::minmax(i, j)).second) {
    note(entry.key_at, fmt::format("the mass '{}' is stated twice", entry.key));
    return;
  }
  const Value value = scalar(entry, {.what = "mass '" + entry.key + "'", .reach = Reach::positions});
  if (!value.is(Value::Kind::scalar)) return;
  noting_faults(entry.at, [&] {
    if (i == j)
      model_.mass(*axis[0], value.scalar);
    else
      model_.mass(*axis[0], *axis[1], value.scalar);
  });
}

void Reader::read_mass() {
  if (model_.mechanics() == Mechanics::none) return;  // what is stated of it is refused as a whole
  const Entry* table = top("mass");
  const bool by_energy = root_.find("kinetic") != nullptr || root_.find("lagrangian") != nullptr;
  if (by_energy && table != nullptr) {
    note(root_.find("mass")->key_at,
         fmt::format("[mass] beside '{}': the energy stands instead of it",
                     root_.find("kinetic") != nullptr ? "kinetic" : "lagrangian"));
    return;
  }
  if (by_energy) return;
  std::set<std::pair<int, int>> stated;
  if (table != nullptr)
    for (const Entry& entry : table->entries) read_mass_entry(entry, stated);
  for (const auto& [i, j] : stated)
    if (i == j) with_mass_entry_.insert(i);
}

void Reader::read_energies() {
  if (model_.mechanics() == Mechanics::none) return;
  const Entry *kinetic = root_.find("kinetic"), *lagrangian = root_.find("lagrangian"),
              *potential = root_.find("potential");
  if (kinetic != nullptr && lagrangian != nullptr)
    note(kinetic->key_at, "'kinetic' beside 'lagrangian': state L = T - V, or T and a potential");
  if (potential != nullptr && lagrangian != nullptr)
    note(potential->key_at, "'potential' beside 'lagrangian': put it into the Lagrangian, L = T - V");
  const auto energy = [&](const Entry* entry, Reach reach, auto&& state) {
    if (entry == nullptr) return;
    const Value value = scalar(*entry, {.what = "'" + entry->key + "'", .reach = reach});
    if (value.is(Value::Kind::scalar) && !(reach == Reach::velocities && refuse_bodies(*entry, value.scalar)))
      noting_faults(entry->at, [&] { state(value.scalar); });
    if (reach == Reach::velocities) settle_masses(*entry);
  };
  if (lagrangian == nullptr) {
    energy(kinetic, Reach::velocities, [&](const Expr& e) { model_.kinetic(e); });
    energy(potential, Reach::positions, [&](const Expr& e) { model_.potential(e); });
  } else {
    energy(lagrangian, Reach::velocities, [&](const Expr& e) { model_.lagrangian(e); });
  }
}

/// Lagrange's equations hold for velocities that are rates of coordinates; those of a body that turns are
/// others.
bool Reader::refuse_bodies(const Entry& energy, const Expr& value) {
  for (const Expr& s : symbols_of({&value, 1})) {
    if (is_plain(model_, s)) continue;
    const auto odd = [&](const Expr& other) { return !is_plain(model_, other); };
    note(place_where(energy, odd),
         fmt::format("'{}' contains '{}', and Lagrange's equations ask for coordinates whose rates are the "
                     "velocities; a body has its mass and inertia in [bodies], and what acts on it stands in "
                     "[forces] or in 'potential'",
                     energy.key, s.name()));
    return true;
  }
  return false;
}

/// M of an energy may be singular: a coordinate whose velocity does not occur in it has no mass. A particle
/// and a body have one of their own.
void Reader::settle_masses(const Entry& energy) {
  std::set<int> seen;
  for (const Expr& l : model_.lagrangians())
    for (const Expr& s : symbols_of({&l, 1}))
      if (const auto role = model_.stated().role(s); role.role == Role::velocity) seen.insert(role.index);
  for (const auto& [name, coordinate] : coordinates_)
    if (!seen.contains(model_.stated().role(coordinate.rate()).index)) model_.mass(coordinate, 0.0);
  for (const Breach& breach : validate(model_))
    if (breach.rule == Rule::one_inertia) refuse_second_mass(energy, breach.of);
}

/// Of a particle or a body in an energy: once for each, by the first of its velocities.
void Reader::refuse_second_mass(const Entry& energy, int velocity) {
  const auto refuse = [&](std::string_view name, const auto& part, const char* what) {
    for (const Coordinate& axis : {part.x, part.y, part.z}) {
      if (!axis.rate().is_symbol() || model_.stated().role(axis.rate()).index != velocity ||
          !refused_mass_.emplace(name).second)
        continue;
      const auto is_axis = [&](const Expr& s) { return s.id() == axis.rate().id(); };
      note(place_where(energy, is_axis),
           fmt::format("'{}' contains the velocity of '{}', and a {} has a mass of its own", energy.key, name,
                       what));
    }
  };
  for (const auto& [name, particle] : particles_) refuse(name, particle, "particle");
  for (const auto& [name, body] : bodies_) refuse(name, *body.body(), "body");
}

void Reader::read_gravity() {
  const Entry* entry = root_.find("gravity");
  if (entry == nullptr || model_.mechanics() == Mechanics::none) return;
  const Value g = vector(*entry, {.what = "'gravity'", .reach = Reach::symbols});
  if (g.is(Value::Kind::vector)) noting_faults(entry->at, [&] { model_.gravity(g.vector); });
}

void Reader::read_springs() {
  const Entry* table = top("springs");
  if (table == nullptr || model_.mechanics() == Mechanics::none) return;
  for (const Entry& entry : table->entries) {
    const std::string what = "spring '" + entry.key + "'";
    const std::size_t before = faults.size();
    if (table_of(entry, table_format("springs").keys, what) == nullptr) continue;
    View::Link link{entry.key, {}, {}, View::LinkKind::spring};
    const Entry *between = entry.find("between"), *joint = entry.find("joint");
    if ((between == nullptr) == (joint == nullptr)) {
      note(entry, fmt::format("{} has {}", what,
                              joint == nullptr ? "no 'between' and no 'joint'"
                                               : "both 'between' and 'joint'; one of the two"));
      continue;
    }
    const bool joins =
        between != nullptr &&
        pair(*between, {.what = what, .reach = Reach::positions, .ground = true}, link.from, link.to);
    SpringOptions options;
    const auto constant = [&](const char* key, Expr& target) {
      if (const Entry* given = entry.find(key)) {
        const Value value =
            scalar(*given, {.what = fmt::format("the {} of {}", key, what), .reach = Reach::symbols});
        if (value.is(Value::Kind::scalar)) target = value.scalar;
      }
    };
    constant("stiffness", options.stiffness);
    constant("damping", options.damping);
    constant("length", options.length);
    if (faults.size() == before) warn_of_drive(options.damping, fmt::format("the damping of {}", what));
    if (joint != nullptr) read_joint_spring(entry, options);
    if (const Entry* angle = entry.find("angle"); angle != nullptr && joint == nullptr)
      note(angle->key_at, fmt::format("'angle' of {} belongs to the spring of a joint", what));
    if (!joins) continue;
    // A length that is zero by its parameters is none: the energy is then smooth where the ends meet.
    if (!options.length.is_constant() && number(entry.find("length"), "the length of " + what, 1.0) == 0.0) {
      fix_zero(entry.find("length"), "the length of " + what);
      options.length = 0.0;
    }
    options.name = entry.key;
    noting_faults(entry.key_at, [&] { model_.spring(link.from, link.to, options); });
    file_.view.links.push_back(link);
  }
}

/// Along the coordinate of a joint: stiffness (x - rest) + damping x', against it.
void Reader::read_joint_spring(const Entry& entry, const SpringOptions& options) {
  const Entry &joint = *entry.find("joint"), *angle = entry.find("angle"), *length = entry.find("length");
  const std::string what = "spring '" + entry.key + "'";
  if (joint.kind != Entry::Kind::text)
    return note(joint, fmt::format("'joint' of {} is {}; the name of a joint is asked for", what,
                                   kind_name(joint.kind)));
  const JointData* const found = placed_joint(joint.text);
  if (found == nullptr) {
    if (is_joint(joint.text)) return;  // it has a fault of its own
    note(first_letter(joint), fmt::format("{} asks for joint '{}', which is not declared", what, joint.text));
    return suggest(joint.text, [this] {
      std::vector<std::string> names;
      for (const JointData& j : model_.joints()) names.push_back(j.name);
      return names;
    });
  }
  const bool slides = found->options.type == JointType::prismatic;
  if (const Entry* odd = slides ? angle : length)
    return note(odd->key_at,
                fmt::format("'{}' of {}: joint '{}' {}", odd->key, what, joint.text,
                            slides ? "slides; its rest is a 'length'" : "turns; its rest is an 'angle'"));
  Expr rest = options.length;
  if (angle != nullptr) {
    const Value value = scalar(*angle, {.what = "the angle of " + what, .reach = Reach::symbols});
    if (!value.is(Value::Kind::scalar)) return;
    rest = value.scalar;
  }
  noting_faults(first_letter(joint), [&] {
    model_.spring(slides ? model_.joint_distance(joint.text) : model_.joint_angle(joint.text),
                  {options.stiffness, options.damping, rest, entry.key});
  });
}

/// Taken: it is how motions that excite themselves are told.
void Reader::warn_of_drive(const Expr& damping, const std::string& of) {
  if (has_open_) return;
  if (const double size = model_.stated().value_now(damping, of); size < 0) warn_of_drive(size, of);
}
void Reader::warn_of_drive(double size, const std::string& of) {
  file_.warnings.push_back(
      fmt::format("{} is {}: below 0 it drives the motion instead of braking it", of, number_text(size)));
}

void Reader::read_forces(const char* name, bool nonideal) {
  const Entry* table = top(name);
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) read_force(entry, entry.key, name, nonideal);
}

/// `p.x` without quotes is a table `p` with an entry `x` to TOML, and the same force to us.
void Reader::read_force(const Entry& entry, const std::string& path, const char* table, bool nonideal) {
  if (entry.kind == Entry::Kind::table) {
    for (const Entry& child : entry.entries) read_force(child, path + "." + child.key, table, nonideal);
    return;
  }
  const Context context{.what = fmt::format("the {}force on '{}'", nonideal ? "non-ideal " : "", path),
                        .reach = Reach::velocities,
                        .forces = nonideal,
                        .nonideal = nonideal};
  const std::size_t end = end_of_name(path);
  const std::string base = path.substr(0, end), axis = end == path.size() ? "" : path.substr(end + 1);
  // Joints have names apart from those of particles: nothing but a joint has these parts.
  const bool of_joint = is_joint(base) && (axis == "angle" || axis == "distance");
  Value at = Value::unknown();
  if (const auto c = coordinates_.find(path); c != coordinates_.end()) {
    at = static_cast<const Expr&>(c->second);
  } else if (const auto p = particles_.find(base); p != particles_.end() && !of_joint) {
    if (axis.empty()) at = p->second.position();
    if (axis == "x" || axis == "y" || axis == "z")
      at = static_cast<const Expr&>(axis == "x" ? p->second.x : axis == "y" ? p->second.y : p->second.z);
  } else if (const Body* b = body_named(base); b != nullptr && axis == "torque") {
    const Value value = vector(entry, context);
    if (!value.is(Value::Kind::vector)) return;
    return noting_faults(entry.at, [&] {
      if (nonideal)
        model_.nonideal_torque(*b, value.vector);
      else
        model_.torque(*b, value.vector);
    });
  } else if (b != nullptr || is_joint(base)) {
    at = place_of_force(entry, path, table);
    if (at.is(Value::Kind::unknown)) return;
  }
  if (at.is(Value::Kind::unknown)) return refuse_force(entry, path, table);
  const bool is_vector = at.is(Value::Kind::vector);
  const Value value = is_vector ? vector(entry, context) : scalar(entry, context);
  if (value.is(Value::Kind::unknown)) return;
  const bool turns =
      !is_vector && at.scalar.is_symbol() && model_.stated().role(at.scalar).role == Role::velocity;
  noting_faults(entry.at, [&] {
    if (is_vector)
      nonideal ? model_.nonideal_at(at.vector, value.vector) : model_.force_at(at.vector, value.vector);
    else if (turns)  // a component of an angular velocity
      nonideal ? model_.nonideal(at.scalar, value.scalar) : model_.force(at.scalar, value.scalar);
    else
      nonideal ? model_.nonideal_along(at.scalar, value.scalar) : model_.force_along(at.scalar, value.scalar);
  });
}

/// A point of a body or the coordinate of a joint, as the key says it; faults stand where the key does. The
/// power of a force is its product with the rate of a position: on a velocity it would do work on an
/// acceleration, which is none. The components of an angular velocity are names of directions, too.
Value Reader::place_of_force(const Entry& entry, const std::string& path, const char* table) {
  Entry key;
  key.kind = Entry::Kind::text;
  key.key = key.text = path;
  key.at = std::string::npos;
  const std::size_t before = faults.size();
  Value at =
      value(key, {.what = fmt::format("[{}]", table), .reach = Reach::accelerations, .place_of_force = true});
  const bool primed = path.find('\'') != path.npos;
  if (is_moving(at) && (primed || !at.is(Value::Kind::scalar) || !at.scalar.is_symbol())) {
    note(entry.key_at, fmt::format("'{}' in [{}] depends on velocities, and forces act on positions{}", path,
                                   table, way_to_position(path)));
    at = Value::unknown();
  }
  const std::size_t key_at = start_of_dotted_key(source_, entry.key_at);
  for (std::size_t k = before; k < faults.size(); ++k) {
    faults[k].place = source_.place(key_at);
    faults[k].at = key_at;
  }
  return at;
}

void Reader::refuse_force(const Entry& entry, const std::string& path, const char* table) {
  const std::string base = path.substr(0, end_of_name(path));
  if (particles_.find(base) == particles_.end() && is_stated(base)) return;  // it has a fault of its own
  note(start_of_dotted_key(source_, entry.key_at),
       fmt::format("unknown name '{}' in [{}]; forces act on coordinates, particles, bodies and joints", path,
                   table));
  suggest(path, [this] {
    std::vector<std::string> known;
    for (const auto& v : model_.velocities()) known.push_back(v.name.substr(0, v.name.find('\'')));
    for (std::string& name : keys_of(particles_)) known.push_back(std::move(name));
    for (const std::string& name : keys_of(bodies_)) known.insert(known.end(), {name, name + ".torque"});
    return known;
  });
}

}  // namespace vinculum
