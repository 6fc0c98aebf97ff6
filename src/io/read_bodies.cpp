// Bodies and joints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/reader_parts.hpp"
#include "system/statement.hpp"
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

/// Keys of joints that belong to some types only; what is not listed belongs to all but couplings.
struct KeyOfTypes {
  std::string_view key, types;
};
constexpr KeyOfTypes keys_of_types[] = {
    {"length", "distance"},
    {"pitch", "screw"},
    {"radius", "rolling rack"},
    {"normal", "rolling"},
    {"joints", "gear rack"},
    {"ratio", "gear"},
    {"angle", "revolute cylindrical planar screw"},
    {"axis", "revolute prismatic cylindrical planar universal screw rolling"},
    {"axis2", "revolute prismatic cylindrical planar universal screw"},
    {"between", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling"},
    {"point", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling"},
    {"point2", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling"},
};
constexpr KeyOfTypes needed_keys[] = {
    {"between", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling"},
    {"point", "spherical revolute cylindrical planar universal weld screw"},
    {"axis", "revolute prismatic cylindrical planar universal screw"},
    {"axis2", "universal"},
    {"pitch", "screw"},
    {"radius", "rolling rack"},
    {"joints", "gear rack"},
    {"ratio", "gear"},
};

bool lists(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

// --- Bodies

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
  if (mass != nullptr)
    if (const double m = number(mass, "the mass of " + what, 0.0); m < 0)
      return note(*mass, fmt::format("the mass of {} is {}; it must not be negative", what, number_text(m)));
  tell(inertia != nullptr ? inertia->at : entry.key_at,
       [&] { bodies_.emplace(entry.key, model_.body(entry.key, options)); });
}

// --- Joints

std::string Reader::type_of(const Entry& entry) {
  const Entry* type = entry.find("type");
  return type != nullptr && type->kind == Kind::text ? type->text : "";
}

/// All joints have their places before any has its rows: a gear may stand before the joints it couples.
void Reader::read_joints() {
  const Entry* table = top("joints");
  if (table == nullptr || model_.mechanics() == Mechanics::none) return;
  for (const Entry& entry : table->entries) place_joint(entry);
  for (const Entry& entry : table->entries) {
    const auto declared = constraints_.find(entry.key);
    if (declared == constraints_.end() || entry.kind != Kind::table) continue;
    const auto rows = static_cast<int>(model_.constraints().size());
    const auto stated = [&](const JointData& j) { return j.name == entry.key; };
    if (std::any_of(model_.joints().begin(), model_.joints().end(), stated))
      tell(entry.key_at, [&] { model_.constrain_joint(entry.key); });
    else
      couple_joints(entry);
    if (static_cast<int>(model_.constraints().size()) > rows) declared->second = rows;
    tell(entry.key_at, [&] {
      if (declared->second >= 0 && model_.mechanics() == Mechanics::vakonomic)
        require_vakonomic(model_, model_.constraints()[declared->second]);
    });
  }
}

/// Keys that a type has no use for, and those it cannot do without.
void Reader::refuse_keys(const Entry& entry, std::string_view type, const std::string& what) {
  for (const Entry& key : entry.entries)
    for (const KeyOfTypes& known : keys_of_types)
      if (known.key == key.key && !lists(known.types, type))
        note(key.key_at, fmt::format("'{}' has no meaning in {}, which is of type {}", key.key, what, type));
  for (const KeyOfTypes& needed : needed_keys)
    if (lists(needed.types, type) && entry.find(needed.key) == nullptr)
      note(entry, fmt::format("{} has no '{}'", what, needed.key));
}

bool Reader::read_parts(const Entry& entry, const std::string& what, std::array<Part, 2>& out) {
  const Entry* between = entry.find("between");
  if (between == nullptr) return false;
  if (between->kind != Kind::array || between->entries.size() != 2) {
    note(*between,
         fmt::format("{} is between two parts: [\"ground\", \"b\"], each a body or \"ground\"", what));
    return false;
  }
  bool good = true;
  for (int k = 0; k < 2; ++k) {
    const Entry& part = between->entries[k];
    if (part.kind != Kind::text) {
      note(part, fmt::format("{}: {} is no name; names stand in quotes", what, kind_name(part.kind)));
      good = false;
    } else if (const auto body = bodies_.find(part.text); body != bodies_.end()) {
      out[k] = body->second;
    } else if (part.text != "ground") {
      const auto known = names_.find(part.text);
      good = false;
      if (known != names_.end() && std::string_view(known->second.what) == "body")
        continue;  // a fault of its own
      std::vector<std::string> names{"ground"};
      for (const Model::BodyData& b : model_.bodies()) names.push_back(b.name);
      const std::string near = nearest_name(part.text, names);
      note(part,
           fmt::format("{} connects body '{}', which is not declared; bodies are: {}{}", what, part.text,
                       list_text(names), near.empty() ? "" : " (did you mean '" + near + "'?)"));
    }
  }
  return good;
}

void Reader::place_joint(const Entry& entry) {
  const std::string what = "joint '" + entry.key + "'";
  const auto keys = table_format("joints").keys;
  const std::size_t before = faults.size();
  if (table_of(entry, keys, what) == nullptr) return;
  const std::string type = word(entry.find("type"), keys[0], "the type of " + what, "");
  if (faults.size() > before) return;
  refuse_keys(entry, type, what);
  const std::optional<JointType> known = joint_type(type);
  if (!known) return;  // gear and rack couple joints
  std::array<Part, 2> parts;
  const bool joined = read_parts(entry, what, parts);
  JointOptions options;
  options.type = *known;
  const auto place = [&](const char* key, int part) {
    if (const Entry* given = entry.find(key)) return numbers(given, fmt::format("'{}' of {}", key, what));
    return start_of_part(parts[part]);
  };
  const auto direction = [&](const char* key) {
    return numbers(entry.find(key), fmt::format("'{}' of {}", key, what));
  };
  // Where a sliding joint is drawn does not matter; a distance is that of the centres unless said.
  if (options.type != JointType::rolling || entry.find("point") != nullptr)
    options.point =
        place("point", options.type == JointType::prismatic && parts[1].body() != nullptr ? 1 : 0);
  if (entry.find("point2") != nullptr || options.type == JointType::distance)
    options.point2 = place("point2", 1);
  if (entry.find("axis") != nullptr) options.axis = direction("axis");
  if (entry.find("axis2") != nullptr) options.axis2 = direction("axis2");
  if (entry.find("normal") != nullptr) options.normal = direction("normal");
  options.disc = options.type == JointType::rolling && entry.find("axis") != nullptr;
  options.angle = number(entry.find("angle"), "the angle of " + what, 0.0);
  const auto constant = [&](const char* key, auto& target) {
    const Entry* given = entry.find(key);
    if (given == nullptr) return;
    const Value value =
        scalar(*given, {.what = fmt::format("the {} of {}", key, what), .reach = Reach::symbols});
    if (value.is(Value::Kind::scalar)) target = value.scalar;
  };
  constant("length", options.length);
  constant("pitch", options.pitch);
  constant("radius", options.radius);
  if (!joined || faults.size() > before) return;
  tell(entry.key_at, [&] { model_.place_joint(entry.key, parts[0], parts[1], options); });
}

std::array<double, 3> Reader::start_of_part(const Part& part) const {
  if (part.body() == nullptr) return {};
  const auto at = [&](const Expr& symbol) { return model_.coordinates()[model_.role(symbol).index].start; };
  return {at(part.body()->x), at(part.body()->y), at(part.body()->z)};
}

/// gear: angle - ratio angle = as at the start; rack: distance - radius angle = as at the start.
void Reader::couple_joints(const Entry& entry) {
  const std::string what = "joint '" + entry.key + "'", type = type_of(entry);
  const Entry* list = entry.find("joints");
  const Entry* factor = entry.find(type == "gear" ? "ratio" : "radius");
  if ((type != "gear" && type != "rack") || list == nullptr || factor == nullptr) return;  // noted already
  const bool two_names = list->kind == Kind::array && list->entries.size() == 2 &&
                         list->entries[0].kind == Kind::text && list->entries[1].kind == Kind::text;
  if (!two_names)
    return note(*list, fmt::format("'joints' of {} are two names: [\"first\", \"second\"]", what));
  const Value scale =
      scalar(*factor, {.what = fmt::format("the {} of {}", factor->key, what), .reach = Reach::symbols});
  // A rack is a sliding joint and the one that turns, in either order.
  Expr coordinate[2];
  double start[2] = {0, 0};
  bool slides[2] = {false, false};
  const std::size_t before = faults.size();
  for (int k = 0; k < 2; ++k)
    tell(list->entries[k].at, [&] {
      const std::string& name = list->entries[k].text;
      const auto is_rail = [&](const JointData& j) {
        return j.name == name && j.options.type == JointType::prismatic;
      };
      slides[k] = type == "rack" && std::any_of(model_.joints().begin(), model_.joints().end(), is_rail);
      coordinate[k] = slides[k] ? model_.joint_distance(name) : model_.joint_angle(name);
      if (!slides[k]) start[k] = model_.coordinates()[model_.role(coordinate[k]).index].start;
    });
  if (faults.size() > before || !scale.is(Value::Kind::scalar)) return;
  if (type == "rack" && slides[0] == slides[1])
    return note(*list, fmt::format("{} couples a prismatic joint and one that turns", what));
  const int first = slides[1] ? 1 : 0;
  tell(entry.key_at, [&] {
    model_.constrain(entry.key, coordinate[first] - start[first],
                     scale.scalar * (coordinate[1 - first] - start[1 - first]));
  });
}

}  // namespace vinculum
