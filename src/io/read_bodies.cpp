// Bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/reader_parts.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Kind = Entry::Kind;

struct SolidFormat {
  Solid::Kind kind;
  std::string_view word;
  std::size_t count;
  const char* asked;
};
constexpr SolidFormat solids[] = {{Solid::Kind::box, "box", 3, "three edges"},
                                  {Solid::Kind::sphere, "sphere", 1, "a radius"},
                                  {Solid::Kind::cylinder, "cylinder", 2, "a radius and a height"},
                                  {Solid::Kind::rod, "rod", 2, "a length and a radius"}};

/// w o (0, v) o w*, backwards: a vector of the world in body axes.
std::array<double, 3> in_body_axes(const std::array<double, 4>& q, const std::array<double, 3>& v) {
  const auto& [w, x, y, z] = q;
  const double s = 1 / (w * w + x * x + y * y + z * z);
  return {
      s * ((w * w + x * x - y * y - z * z) * v[0] + 2 * (x * y + w * z) * v[1] + 2 * (x * z - w * y) * v[2]),
      s * (2 * (x * y - w * z) * v[0] + (w * w - x * x + y * y - z * z) * v[1] + 2 * (y * z + w * x) * v[2]),
      s * (2 * (x * z + w * y) * v[0] + 2 * (y * z - w * x) * v[1] + (w * w - x * x - y * y + z * z) * v[2])};
}

}  // namespace

bool Reader::read_solid(const Entry& entry, const std::string& what, Solid& out) {
  if (table_of(entry, solid_keys(), "the shape of " + what) == nullptr) return false;
  if (entry.entries.size() != 1) {
    note(entry,
         fmt::format("the shape of {} is one of box, sphere, cylinder and rod, as in {{ box = [1, 2, 3] }}",
                     what));
    return false;
  }
  const Entry& size = entry.entries.front();
  for (const SolidFormat& solid : solids) {
    if (solid.word != size.key) continue;
    const std::string of = fmt::format("the {} of {}", size.key, what);
    std::vector<const Entry*> given;
    if (size.kind == Kind::array)
      for (const Entry& item : size.entries) given.push_back(&item);
    else
      given.push_back(&size);
    if (given.size() != solid.count) {
      note(size,
           fmt::format("{} has {} number{}; {} asked for", of, given.size(), given.size() == 1 ? "" : "s",
                       std::string(solid.asked) + (solid.count == 1 ? " is" : " are")));
      return false;
    }
    out.kind = solid.kind;
    for (const Entry* item : given) {
      const std::size_t before = faults.size();
      const double length = number(item, of, 1.0);
      if (faults.size() == before && !(length > 0))
        note(*item, fmt::format("{} has the size {}; it must be more than 0", of, number_text(length)));
      const Value value = scalar(*item, {.what = of, .reach = Reach::symbols});
      if (faults.size() > before || !value.is(Value::Kind::scalar)) return false;
      out.size.push_back(value.scalar);
    }
    return true;
  }
  return false;  // an unknown key is noted already
}

bool Reader::read_inertia(const Entry& entry, const std::string& what, Inertia& out) {
  const Context context{.what = "the inertia of " + what, .reach = Reach::symbols};
  const bool is_matrix = entry.kind == Kind::array && !entry.entries.empty() &&
                         std::all_of(entry.entries.begin(), entry.entries.end(),
                                     [](const Entry& row) { return row.kind == Kind::array; });
  if (!is_matrix) {
    const Value moments = vector(entry, context);
    if (!moments.is(Value::Kind::vector)) return false;
    out = {moments.vector.x, moments.vector.y, moments.vector.z, 0.0, 0.0, 0.0};
    return true;
  }
  if (entry.entries.size() != 3) {
    note(entry, fmt::format("{} has {} rows; three moments or a 3x3 matrix are asked for", context.what,
                            entry.entries.size()));
    return false;
  }
  Vector row[3];
  std::array<double, 3> number[3];
  for (int i = 0; i < 3; ++i) {
    const std::size_t before = faults.size();
    number[i] = numbers(&entry.entries[i], context.what);
    if (faults.size() > before) return false;
    const Value value = vector(entry.entries[i], context);
    if (!value.is(Value::Kind::vector)) return false;
    row[i] = value.vector;
  }
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}})
    if (std::fabs(number[i][j] - number[j][i]) >
        1e-12 * (std::fabs(number[i][j]) + std::fabs(number[j][i]))) {
      note(entry, fmt::format("{} is not symmetric: {} stands across from {}", context.what,
                              number_text(number[i][j]), number_text(number[j][i])));
      return false;
    }
  out = {row[0].x, row[1].y, row[2].z, row[0].y, row[0].z, row[1].z};
  return true;
}

bool Reader::read_orientation(const Entry* entry, const std::string& what, std::array<double, 4>& out) {
  if (entry == nullptr) return true;
  const std::string of = "the orientation of " + what;
  const std::size_t before = faults.size();
  if (entry->kind == Kind::table) {
    table_of(*entry, orientation_keys(), of);
    const std::array<double, 3> axis = numbers(entry->find("axis"), "the axis of " + of);
    const double angle = number(entry->find("angle"), "the angle of " + of, 0.0);
    if (faults.size() > before) return false;
    const double length = std::hypot(axis[0], axis[1], axis[2]);
    if (!(length > 0)) {
      note(*entry->find("axis"), fmt::format("the axis of {} is zero; any other length will do", of));
      return false;
    }
    const double s = std::sin(angle / 2) / length;
    out = {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
    return true;
  }
  if (entry->kind != Kind::array || entry->entries.size() != 4) {
    note(*entry, fmt::format("{} is a quaternion [w, x, y, z] or {{ axis = [x, y, z], angle = .. }}", of));
    return false;
  }
  for (int k = 0; k < 4; ++k) out[k] = number(&entry->entries[k], of, 0.0);
  if (faults.size() > before) return false;
  if (out == std::array<double, 4>{}) {
    note(*entry, fmt::format("{} is zero; a quaternion of any other length will do", of));
    return false;
  }
  return true;
}

void Reader::read_bodies() {
  if (const Entry* table = top("bodies"); table != nullptr && model_.mechanics() != Mechanics::none)
    for (const Entry& entry : table->entries) read_body(entry);
}

void Reader::read_body(const Entry& entry) {
  const std::string what = "body '" + entry.key + "'";
  if (table_of(entry, table_format("bodies").keys, what) == nullptr) return;
  const std::size_t before = faults.size();
  const Entry *mass = entry.find("mass"), *inertia = entry.find("inertia"), *shape = entry.find("shape"),
              *density = entry.find("density");
  const auto constant = [&](const Entry& key) {
    const Value value =
        scalar(key, {.what = fmt::format("the {} of {}", key.key, what), .reach = Reach::symbols});
    return value.is(Value::Kind::scalar) ? value.scalar : Expr(1.0);
  };
  BodyOptions options;
  Solid solid;
  const bool drawn = shape != nullptr && read_solid(*shape, what, solid);
  if (mass != nullptr && density != nullptr)
    note(density->key_at, fmt::format("'density' of {} beside 'mass'; one of the two", what));
  if (density != nullptr && shape == nullptr)
    note(density->key_at, fmt::format("'density' of {} belongs to a shape, and there is none", what));
  if (mass == nullptr && density == nullptr)
    note(entry, fmt::format("{} has no 'mass'{}", what, shape != nullptr ? " and no 'density'" : ""));
  if (inertia == nullptr && shape == nullptr)
    note(entry, fmt::format("{} has no 'inertia'; state it, or a shape", what));
  if (mass != nullptr) options.mass = constant(*mass);
  if (density != nullptr && drawn) options.mass = constant(*density) * solid.volume();
  if (drawn) options = body_of(solid, options.mass);
  if (inertia != nullptr) read_inertia(*inertia, what, options.inertia);
  const Fixing fixing(*this, "the start of " + what);
  options.position = numbers(entry.find("position"), "the position of " + what);
  options.velocity = numbers(entry.find("velocity"), "the velocity of " + what);
  read_orientation(entry.find("orientation"), what, options.orientation);
  const Entry *omega = entry.find("omega"), *omega_body = entry.find("omega_body");
  if (omega != nullptr && omega_body != nullptr)
    note(omega_body->key_at, fmt::format("'omega_body' of {} beside 'omega'; one of the two", what));
  options.omega_body = numbers(omega_body, "'omega_body' of " + what);
  if (omega != nullptr)
    options.omega_body = in_body_axes(options.orientation, numbers(omega, "'omega' of " + what));
  const auto named = names_.find(entry.key);
  if (faults.size() > before || named == names_.end() || named->second.entry != &entry) return;
  fixed_in_.clear();
  if (mass != nullptr)
    if (const double m = number(mass, "the mass of " + what, 0.0); m < 0)
      return note(*mass, fmt::format("the mass of {} is {}; it must not be negative", what, number_text(m)));
  tell(inertia != nullptr ? inertia->at : entry.key_at,
       [&] { bodies_.emplace(entry.key, model_.body(entry.key, options)); });
}

}  // namespace vinculum
