// Bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/stated.hpp"

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

/// w o (0, v) o w*, backwards: a vector of the world in body axes. The numbers are q and v.
void find_in_body_axes(std::span<const double> of, std::span<double> made) {
  const double w = of[0], x = of[1], y = of[2], z = of[3], *v = of.data() + 4;
  const double s = 1 / (w * w + x * x + y * y + z * z);
  made[0] =
      s * ((w * w + x * x - y * y - z * z) * v[0] + 2 * (x * y + w * z) * v[1] + 2 * (x * z - w * y) * v[2]);
  made[1] =
      s * (2 * (x * y - w * z) * v[0] + (w * w - x * x + y * y - z * z) * v[1] + 2 * (y * z + w * x) * v[2]);
  made[2] =
      s * (2 * (x * z + w * y) * v[0] + 2 * (y * z - w * x) * v[1] + (w * w - x * x - y * y + z * z) * v[2]);
}

/// A quaternion. The numbers are the axis and the angle; `of` is for the sentence about an axis that is none.
void find_turn(const std::string& of, std::span<const double> about, std::span<double> made) {
  const double length = std::hypot(about[0], about[1], about[2]), angle = about[3];
  if (!(length > 0)) fail(fmt::format("the axis of {} is zero; any other length will do", of));
  const double s = std::sin(angle / 2) / length;
  made[0] = std::cos(angle / 2);
  for (int k = 0; k < 3; ++k) made[1 + k] = s * about[k];
}

/// The numbers stand in pairs.
void require_symmetric(const std::string& what, std::span<const double> n) {
  for (std::size_t k = 0; k + 1 < n.size(); k += 2)
    if (std::fabs(n[k] - n[k + 1]) > 1e-12 * (std::fabs(n[k]) + std::fabs(n[k + 1])))
      fail(fmt::format("{} is not symmetric: {} stands across from {}", what, number_text(n[k]),
                       number_text(n[k + 1])));
}

/// What is to be said of a body in space that has a moment about one axis alone; "" of others.
std::string told_of_one_moment(const Model& model, const Model::BodyData& body) {
  if (body.body.plane != Plane::none) return "";
  std::array<double, 6> moment;
  for (int k = 0; k < 6; ++k) {
    moment[k] = model.stated().value_now(body.inertia[k], "the inertia");
    if (k == 1 && moment[0] != 0 && moment[1] != 0) return "";  // as of almost all
  }
  for (const Plane plane : {Plane::xy, Plane::yz, Plane::xz}) {
    const PlaneAxes axes = axes_of(plane);
    const bool alone = moment[axes.normal] > 0 && moment[axes.first] == 0 && moment[axes.second] == 0 &&
                       moment[3] == 0 && moment[4] == 0 && moment[5] == 0;
    if (alone)
      return fmt::format(
          "body '{}' has a moment of inertia about {} alone, which no body has: joints must hold its other "
          "turns; with plane = \"{}\" it has none",
          body.name, "xyz"[axes.normal], plane_word(plane));
  }
  return "";
}

Sentence vector_then_number(const std::string& vector, const std::string& number) {
  return [=](std::size_t place) { return place < 3 ? vector + " has the component" : number + " is"; };
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
      const auto length =
          judged_constant(*item, of, 1.0, [&of](double length_now) { require_size(length_now, of); });
      if (!length) return false;
      out.size.push_back(*length);
    }
    return true;
  }
  return false;  // an unknown key is noted already
}

/// In a plane one number does.
bool Reader::read_inertia(const Entry& entry, const std::string& what, Plane plane, Inertia& out) {
  const std::string of = "the inertia of " + what;
  if (plane == Plane::none || entry.kind == Kind::array) return read_symmetric(entry, of, out);
  const Value moment = value(entry, {.what = of, .reach = Reach::symbols});
  if (moment.is(Value::Kind::vector)) return read_symmetric(entry, of, out);
  if (!moment.is(Value::Kind::scalar)) return false;
  out = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  out[axes_of(plane).normal] = moment.scalar;
  return true;
}

bool Reader::read_symmetric(const Entry& entry, const std::string& of, Symmetric& out) {
  const Context context{.what = of, .reach = Reach::symbols};
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
  const double across[] = {number[0][1], number[1][0], number[0][2],
                           number[2][0], number[1][2], number[2][1]};
  const std::size_t before = faults.size();
  noting_faults(entry.at, [&] { require_symmetric(context.what, across); });
  if (faults.size() > before) return false;
  out = {row[0].x, row[1].y, row[2].z, row[0].y, row[0].z, row[1].z};
  noting_faults(entry.at, [&] {
    model_.stated().demand({row[0].y, row[1].x, row[0].z, row[2].x, row[1].z, row[2].y}, context.what,
                           [what = context.what](std::span<const double> n) { require_symmetric(what, n); });
  });
  return faults.size() == before;
}

bool Reader::read_orientation(const Entry* entry, const std::string& what, Orientation& out) {
  if (entry == nullptr) return true;
  const std::string of = "the orientation of " + what;
  const std::size_t before = faults.size();
  if (entry->kind == Kind::table) {
    if (table_of(*entry, orientation_keys(), of) != nullptr) read_turn(*entry, what, out);
    return faults.size() == before;
  }
  if (entry->kind != Kind::array || entry->entries.size() != 4) {
    note(*entry, fmt::format("{} is a quaternion [w, x, y, z] or {{ axis = [x, y, z], angle = .. }}", of));
    return false;
  }
  const auto part = [&](int k) { return start_number(&entry->entries[k], of); };
  const auto size = [&](int k) { return number(&entry->entries[k], of, 1.0); };
  out = {part(0), part(1), part(2), part(3)};
  if (faults.size() > before) return false;
  const double length = std::hypot(std::hypot(size(0), size(1)), std::hypot(size(2), size(3)));
  noting_faults(entry->at, [&] { require_orientation(length, of); });
  return faults.size() == before;
}

/// { axis, angle }, { rpy }, { euler, angles } or { matrix }.
void Reader::read_turn(const Entry& entry, const std::string& what, Orientation& out) {
  const std::string of = "the orientation of " + what;
  const Entry *axis = entry.find("axis"), *angle = entry.find("angle"), *rpy = entry.find("rpy"),
              *euler = entry.find("euler"), *angles = entry.find("angles"), *matrix = entry.find("matrix");
  const int ways = (axis != nullptr || angle != nullptr) + (rpy != nullptr) +
                   (euler != nullptr || angles != nullptr) + (matrix != nullptr);
  const bool whole = (axis == nullptr) == (angle == nullptr) && (euler == nullptr) == (angles == nullptr);
  if (ways != 1 || !whole)
    return note(entry, fmt::format("{} is told in one way: {{ axis = [x, y, z], angle = .. }}, {{ rpy = [..] "
                                   "}}, {{ euler = \"zxz\", angles = [..] }} or {{ matrix = [..] }}",
                                   of));
  if (matrix != nullptr) return read_rotation_matrix(*matrix, what, out);
  const std::size_t before = faults.size();
  if (rpy != nullptr) {
    const Triple by = start_numbers(rpy, "roll, pitch and yaw of " + of);
    if (faults.size() == before) out = roll_pitch_yaw(by[0], by[1], by[2]);
    return;
  }
  if (euler != nullptr) {
    const Triple by = start_numbers(angles, "the angles of " + of);
    if (euler->kind != Kind::text)
      note(*euler, fmt::format("the axes of {} are {}; letters in quotes are asked for, as in \"zxz\"", of,
                               kind_name(euler->kind)));
    if (faults.size() > before) return;
    noting_faults(first_letter(*euler), [&] {
      require_euler(euler->text, "Euler's angles of " + of);
      out = euler_angles(euler->text, by);
    });
    return;
  }
  const Triple about = start_numbers(axis, "the axis of " + of);
  const Expr by = start_number(angle, "the angle of " + of);
  if (faults.size() > before) return;
  noting_faults(axis->at, [&] {
    const std::vector<Expr> q =
        model_.stated().make({.name = "the turn of " + what,
                              .of = {about[0], about[1], about[2], by},
                              .what = vector_then_number("the axis of " + of, "the angle of " + of),
                              .rule = [of](auto from, auto made) { find_turn(of, from, made); },
                              .count = 4});
    out = {q[0], q[1], q[2], q[3]};
  });
}

void Reader::read_rotation_matrix(const Entry& entry, const std::string& what, Orientation& out) {
  const std::string of = "the matrix of the orientation of " + what;
  if (entry.kind != Kind::array || entry.entries.size() != 3)
    return note(entry, fmt::format("{} has three rows of three numbers", of));
  const std::size_t before = faults.size();
  std::vector<Expr> numbers;
  for (const Entry& row : entry.entries) {
    const Triple three = start_numbers(&row, of);
    for (int k = 0; k < 3; ++k) numbers.push_back(three[k]);
  }
  if (faults.size() > before) return;
  noting_faults(entry.at, [&] {
    const std::vector<Expr> q =
        model_.stated().make({.name = of,
                              .of = numbers,
                              .what = every(of + " has the component"),
                              .rule = [of](auto rows, auto made) { orientation_of_matrix(of, rows, made); },
                              .count = 4});
    out = {q[0], q[1], q[2], q[3]};
  });
}

Triple Reader::read_omega(const Entry& entry, const std::string& what, const Orientation& q) {
  const std::string of = "'omega' of " + what;
  const Triple omega = start_numbers(&entry, of);
  const std::vector<Expr> made = model_.stated().make(
      {.name = "the spin of " + what,
       .of = {q[0], q[1], q[2], q[3], omega[0], omega[1], omega[2]},
       .what =
           [what, of](std::size_t place) {
             return place < 4 ? "the orientation of " + what + " is" : of + " has the component";
           },
       .rule = find_in_body_axes,
       .count = 3});
  return {made[0], made[1], made[2]};
}

const Body* Reader::body_named(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second.body();
}

/// All are read before any is placed: one may be told in the frame of another that stands behind it.
void Reader::read_bodies() {
  const Entry* table = top("bodies");
  if (table == nullptr || model_.mechanics() == Mechanics::none) return;
  std::vector<StatedBody> bodies;
  for (const Entry& entry : table->entries)
    if (std::optional<BodyOptions> options = read_body(entry))
      bodies.push_back({&entry, std::move(*options)});
  place_bodies(bodies);
  for (const StatedBody& body : bodies) {
    if (!body.good) continue;
    const Entry& entry = *body.entry;
    const Entry* inertia = entry.find("inertia");
    noting_faults(inertia != nullptr ? inertia->at : entry.key_at, [&] {
      bodies_.emplace(entry.key, model_.body(entry.key, body.options));
      // An orientation does not tell whole turns, an angle does.
      const Entry* angle = body.options.plane != Plane::none ? entry.find("angle") : nullptr;
      if (angle != nullptr && entry.find("frame") == nullptr)
        model_.set_start(entry.key + ".angle", start_number(angle, "the angle of body '" + entry.key + "'"));
      const std::string odd = told_of_one_moment(model_, model_.bodies().back());
      if (!odd.empty()) file_.warnings.push_back(odd);
    });
  }
}

/// The plane it moves in, and its angle there.
void Reader::read_plane(const Entry& entry, const std::string& what, BodyOptions& options) {
  const auto keys = table_format("bodies").keys;
  const auto format = std::ranges::find(keys, std::string_view("plane"), &KeyFormat::name);
  const Entry *angle = entry.find("angle"), *orientation = entry.find("orientation");
  if (const std::string plane = word(entry.find("plane"), *format, "'plane' of " + what, ""); !plane.empty())
    options.plane = *plane_named(plane);
  if (angle == nullptr) return;
  if (orientation != nullptr)
    return note(angle->key_at, fmt::format("'angle' of {} beside 'orientation'; one of the two", what));
  if (entry.find("plane") == nullptr)
    return note(angle->key_at, fmt::format("'angle' of {} belongs to a body in a plane; in space it has an "
                                           "'orientation'",
                                           what));
  if (options.plane == Plane::none) return;  // noted already
  const Expr half = start_number(angle, "the angle of " + what) / 2;
  const int normal = axes_of(options.plane).normal;
  const auto about = [&](int k) { return k == normal ? sin(half) : Expr(0.0); };
  options.orientation = {cos(half), about(0), about(1), about(2)};
}

std::optional<BodyOptions> Reader::read_body(const Entry& entry) {
  const std::string what = "body '" + entry.key + "'";
  if (table_of(entry, table_format("bodies").keys, what) == nullptr) return std::nullopt;
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
  read_plane(entry, what, options);
  if (inertia != nullptr) read_inertia(*inertia, what, options.plane, options.inertia);
  options.position = start_numbers(entry.find("position"), "the position of " + what);
  options.velocity = start_numbers(entry.find("velocity"), "the velocity of " + what);
  if (entry.find("angle") == nullptr) read_orientation(entry.find("orientation"), what, options.orientation);
  const Entry *omega = entry.find("omega"), *omega_body = entry.find("omega_body");
  if (omega != nullptr && omega_body != nullptr)
    note(omega_body->key_at, fmt::format("'omega_body' of {} beside 'omega'; one of the two", what));
  options.omega_body = start_numbers(omega_body, "'omega_body' of " + what);
  if (omega != nullptr) options.omega_body = read_omega(*omega, what, options.orientation);
  const auto named = names_.find(entry.key);
  if (faults.size() > before || named == names_.end() || named->second.entry != &entry) return std::nullopt;
  if (mass != nullptr)
    if (const double m = has_open_ ? number(mass, "the mass of " + what, 0.0)
                                   : model_.stated().value_now(options.mass, what);
        m < 0) {
      note(*mass, fmt::format("the mass of {} is {}; it must not be negative", what, number_text(m)));
      return std::nullopt;
    }
  return options;
}

}  // namespace vinculum
