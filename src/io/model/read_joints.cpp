// Joints.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/joint_rules.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Kind = Entry::Kind;

/// Keys of joints that belong to some types only; what is not listed belongs to all but couplings.
struct KeyOfTypes {
  std::string_view key, types;
};
constexpr KeyOfTypes keys_of_types[] = {
    {"length", "distance"},
    {"pitch", "screw"},
    {"radius", "rolling rack"},
    {"normal", "rolling"},
    {"joints", "gear rack series"},
    {"name", ""},
    {"ratio", "gear"},
    {"angle", "revolute cylindrical planar screw"},
    {"start", "spherical revolute prismatic cylindrical planar universal screw"},
    {"rate", "spherical revolute prismatic cylindrical planar universal screw"},
    {"fixed", "spherical revolute prismatic cylindrical planar universal screw"},
    {"stiffness", "revolute prismatic cylindrical planar screw"},
    {"rest", "revolute prismatic cylindrical planar screw"},
    {"damping", "spherical revolute prismatic cylindrical planar universal screw"},
    {"friction", "revolute prismatic cylindrical planar screw"},
    {"armature", "revolute prismatic cylindrical planar screw"},
    {"limits", "revolute prismatic cylindrical planar screw"},
    {"frame", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling series"},
    {"frame2", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling"},
    {"axis", "revolute prismatic cylindrical planar universal screw rolling"},
    {"axis2", "revolute prismatic cylindrical planar universal screw"},
    {"between",
     "spherical revolute prismatic cylindrical planar universal weld distance screw rolling series"},
    {"point", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling series"},
    {"point2", "spherical revolute prismatic cylindrical planar universal weld distance screw rolling"},
};
constexpr KeyOfTypes needed_keys[] = {
    {"between",
     "spherical revolute prismatic cylindrical planar universal weld distance screw rolling series"},
    {"point", "spherical revolute cylindrical planar universal weld screw"},
    {"axis", "revolute prismatic cylindrical planar universal screw"},
    {"axis2", "universal"},
    {"pitch", "screw"},
    {"radius", "rolling rack"},
    {"joints", "gear rack series"},
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

/// Those that a joint of this type has a use for; all where the type is none.
std::vector<std::string> keys_of_type(std::span<const KeyFormat> keys, std::string_view type) {
  std::vector<std::string> names;
  for (const KeyFormat& key : keys)
    if (key.name == "type" || std::ranges::any_of(keys_of_types, [&](const KeyOfTypes& k) {
          return k.key == key.name && lists(k.types, type);
        }))
      names.emplace_back(key.name);
  if (names.size() > 1) return names;
  return {};
}

}  // namespace

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
    if (placed_joint(entry.key) != nullptr)
      noting_faults(entry.key_at, [&] { constrain_joint(model_, entry.key); });
    else
      couple_joints(entry);
    if (static_cast<int>(model_.constraints().size()) > rows) declared->second = rows;
    const int place = declared->second;
    const bool has_rotor = static_cast<int>(model_.constraints().size()) > rows + 1;
    if (has_rotor) constraints_.emplace(model_.constraints().back().name, rows + 1);
    if (has_rotor && model_.mechanics() == Mechanics::vakonomic)
      noting_faults(entry.find("armature")->key_at,
                    [&] { require_vakonomic(model_, model_.constraints().back()); });
    noting_faults(entry.key_at, [&] {
      if (place >= 0 && model_.mechanics() == Mechanics::vakonomic)
        require_vakonomic(model_, model_.constraints()[place]);
    });
  }
}

/// Whether what a joint is between stays in a plane, whose normal is then its axis.
bool Reader::is_in_plane(const Entry& entry) const {
  const Entry* between = entry.find("between");
  bool any = false;
  if (between == nullptr) return false;
  for (const Entry& name : between->entries) {
    const Body* body = body_named(name.text);
    if (body != nullptr && body->plane == Plane::none) return false;
    any = any || body != nullptr;
  }
  return any;
}

/// Keys that a type has no use for, and those it cannot do without.
void Reader::refuse_keys(const Entry& entry, std::string_view type, const std::string& what) {
  for (const Entry& key : entry.entries)
    for (const KeyOfTypes& known : keys_of_types)
      if (known.key == key.key && !lists(known.types, type))
        note(key.key_at, fmt::format("'{}' has no meaning in {}, which is of type {}", key.key, what, type));
  const bool by_plane = type == "revolute" && is_in_plane(entry);
  for (const KeyOfTypes& needed : needed_keys)
    if (lists(needed.types, type) && entry.find(needed.key) == nullptr && !(by_plane && needed.key == "axis"))
      note(entry, fmt::format("{} has no '{}'", what, needed.key));
}

std::vector<std::string> Reader::body_names() const {
  std::vector<std::string> names{"ground"};
  if (const Entry* table = top("bodies"))
    for (const Entry& entry : table->entries) names.push_back(entry.key);
  for (const Model::BodyData& b : model_.bodies())  // between joints in a row
    if (!names_.contains(b.name)) names.push_back(b.name);
  return names;
}

bool Reader::read_part(const Entry& name, const std::string& what, Part& out) {
  if (name.kind != Kind::text) {
    note(name, fmt::format("{}: {} is no name; names stand in quotes", what, kind_name(name.kind)));
    return false;
  }
  if (name.text == "ground") return true;
  if (const auto body = bodies_.find(name.text); body != bodies_.end()) {
    out = body->second;
    return true;
  }
  const auto known = names_.find(name.text);
  if (known != names_.end() && std::string_view(known->second.what) == "body")
    return false;  // a fault of its own
  const std::vector<std::string> names = body_names();
  if (known != names_.end()) {
    note(
        first_letter(name),
        fmt::format("{} connects '{}', which is a {}; {} connect bodies, and these are: {}", what, name.text,
                    known->second.what, what.starts_with("joint") ? "joints" : "bushings", list_text(names)));
    return false;
  }
  const bool meant = name_here(name.text) == "ground";
  note(first_letter(name),
       fmt::format("{} connects body '{}', which is not declared; bodies are: {}{}", what, name.text,
                   list_text(names), meant ? " (did you mean 'ground'?)" : ""));
  if (meant) return false;
  suggest(name.text, [this] { return body_names(); });
  return false;
}

bool Reader::read_parts(const Entry& entry, const std::string& what, std::array<Part, 2>& out) {
  const Entry* between = entry.find("between");
  if (between == nullptr) return false;
  if (between->kind != Kind::array || between->entries.size() != 2) {
    note(*between,
         fmt::format("{} is between two parts: [\"ground\", \"b\"], each a body or \"ground\"", what));
    return false;
  }
  const Entry &first = between->entries[0], &second = between->entries[1];
  const bool one = read_part(first, what, out[0]), other = read_part(second, what, out[1]);
  if (!one || !other) return false;
  if (first.text == second.text)
    note(first_letter(second), fmt::format("{} is between '{}' and itself; a {} has two parts", what,
                                           first.text, what.substr(0, what.find(' '))));
  else if (out[1].body() == nullptr && type_of(entry) == "rolling")
    note(first_letter(second), what + ": the second part is what rolls, and the ground does not");
  else
    return true;
  return false;
}

JointOptions Reader::read_joint_options(const Entry& entry, const std::string& what, JointType type,
                                        const std::array<Part, 2>& parts) {
  const std::size_t before = faults.size();
  JointOptions options;
  options.type = type;
  Part frame, frame2;
  read_frame(entry.find("frame"), what, frame);
  read_frame(entry.find("frame2"), what, frame2);
  // What is not said is where the parts are: that is told in the world.
  const auto place = [&](const char* key, int part, const Part& in) {
    const Entry* given = entry.find(key);
    if (given == nullptr) return start_of_part(parts[part]);
    const std::string of = fmt::format("'{}' of {}", key, what);
    Triple point = start_numbers(given, of);
    if (faults.size() == before)
      noting_faults(given->at, [&] { point = point_in_world(model_.stated(), in, point, of); });
    return point;
  };
  const auto direction = [&](const char* key, auto& target, const Part& in) {
    const Entry* given = entry.find(key);
    if (given == nullptr) return;
    const std::size_t earlier = faults.size();
    const std::string of = fmt::format("'{}' of {}", key, what);
    const std::array<double, 3> xyz = numbers(given, of);
    if (faults.size() > earlier) return;
    noting_faults(given->at, [&] {
      require_direction(xyz, of);
      target = direction_in_world(model_.stated(), in, start_numbers(given, of), of);
    });
  };
  const auto constant = [&](const char* key, auto& target, void (*require)(double, const std::string&)) {
    const Entry* given = entry.find(key);
    if (given == nullptr) return;
    const std::string of = fmt::format("the {} of {}", key, what);
    const std::size_t earlier = faults.size();
    const Value value = scalar(*given, {.what = of, .reach = Reach::symbols});
    if (value.is(Value::Kind::scalar)) target = value.scalar;
    if (!has_open_ && require == nullptr) return;  // its number is finite as all its parts are
    const double size = faults.size() == earlier ? number(given, of, 0.0) : 0.0;
    if (require != nullptr && faults.size() == earlier) noting_faults(given->at, [&] { require(size, of); });
  };
  // Where a sliding joint is drawn does not matter; a distance is that of the centres unless said.
  if (type != JointType::rolling || entry.find("point") != nullptr)
    options.point = place("point", type == JointType::prismatic && parts[1].body() != nullptr ? 1 : 0, frame);
  if (entry.find("point2") != nullptr || type == JointType::distance)
    options.point2 = place("point2", 1, frame2);
  direction("axis", options.axis, frame);
  if (entry.find("axis") == nullptr && is_in_plane(entry)) {
    const Body* body = parts[parts[0].body() != nullptr ? 0 : 1].body();
    const int normal = axes_of(body->plane).normal;
    options.axis = {normal == 0 ? 1.0 : 0.0, normal == 1 ? 1.0 : 0.0, normal == 2 ? 1.0 : 0.0};
  }
  direction("axis2", options.axis2, frame2);
  direction("normal", options.normal, frame);
  const bool one_frame = frame.body() == nullptr && frame2.body() == nullptr;
  if (type == JointType::universal && options.axis2 && faults.size() == before && one_frame)
    noting_faults(entry.find("axis2")->at, [&] {
      require_not_parallel(numbers(entry.find("axis"), what), numbers(entry.find("axis2"), what),
                           "'axis2' of " + what);
    });
  options.disc = type == JointType::rolling && entry.find("axis") != nullptr;
  options.angle = start_number(entry.find("angle"), "the angle of " + what);
  constant("length", options.length, require_length);
  constant("pitch", options.pitch, nullptr);
  constant("radius", options.radius, require_radius);
  constant("stiffness", options.stiffness, nullptr);
  constant("rest", options.rest, nullptr);
  constant("damping", options.damping, nullptr);
  if (faults.size() == before) warn_of_drive(options.damping, fmt::format("the damping of {}", what));
  constant("friction", options.friction, require_not_negative);
  constant("armature", options.armature, require_not_negative);
  read_limits(entry.find("limits"), what, options);
  read_starts(entry, what, options);
  return options;
}

void Reader::read_limits(const Entry* entry, const std::string& what, JointOptions& options) {
  if (entry == nullptr) return;
  if (entry->kind != Kind::array || entry->entries.size() != 2)
    return note(*entry, fmt::format("'limits' of {} are two numbers, the lower one first", what));
  std::array<Expr, 2> limits;
  const std::size_t before = faults.size();
  for (int k = 0; k < 2; ++k) limits[k] = start_number(&entry->entries[k], "a limit of " + what);
  if (faults.size() == before) options.limits = limits;
}

/// What a joint of this entry is, its keys checked; nothing for a coupling, and where there is a fault.
std::optional<JointType> Reader::joint_of(const Entry& entry, const std::string& what) {
  const auto keys = table_format("joints").keys;
  if (table_of(entry, keys, what, [&] { return keys_of_type(keys, type_of(entry)); }) == nullptr)
    return std::nullopt;
  const std::string type = word(entry.find("type"), keys[0], "the type of " + what, "");
  if (!type.empty()) refuse_keys(entry, type, what);
  return joint_type(type);
}

void Reader::place_joint(const Entry& entry) {
  if (is_in_series(entry.key)) return;
  const std::string what = "joint '" + entry.key + "'", type = type_of(entry);
  const std::size_t before = faults.size();
  const std::optional<JointType> known = joint_of(entry, what);
  if (entry.kind != Kind::table || type == "gear" || type == "rack") return;  // these couple joints
  if (type == "series") return place_series(entry);
  std::array<Part, 2> parts;
  const bool joined = read_parts(entry, what, parts);
  if (!known) return;
  if (const Body* body = body_named(entry.key); body != nullptr && body->plane != Plane::none)
    note(entry.key_at,
         fmt::format("{0} has the name of a body in a plane, and '{1}.angle' would be either's; "
                     "give one of them another name",
                     what, entry.key));
  const JointOptions options = read_joint_options(entry, what, *known, parts);
  if (!joined || faults.size() > before) return;
  noting_faults(entry.key_at, [&] { vinculum::place_joint(model_, entry.key, parts[0], parts[1], options); });
}

Triple Reader::start_of_part(const Part& part) const {
  if (part.body() == nullptr) return {};
  const auto at = [&](const Expr& place) { return model_.stated().at_start(place); };
  return {at(part.body()->x), at(part.body()->y), at(part.body()->z)};
}

bool Reader::read_coupled(const Entry& name, const std::string& what, bool rack, bool& slides) {
  const JointData* const joint = placed_joint(name.text);
  const std::size_t before = faults.size();
  if (joint == nullptr && is_joint(name.text)) {
    const std::string type = type_of(*root_.find("joints")->find(name.text));
    if (type == "gear" || type == "rack")
      note(first_letter(name),
           fmt::format("{} couples '{}', which is a {} itself; it couples joints that turn or slide", what,
                       name.text, type));
    return false;  // or it has a fault of its own
  }
  noting_faults(first_letter(name), [&] {
    slides = rack && joint != nullptr && joint->options.type == JointType::prismatic;
    if (!slides) model_.joint_angle(name.text);  // an error at its place where it has none
  });
  return faults.size() == before;
}

/// The faults at their places first; the equation is the model's.
void Reader::couple_joints(const Entry& entry) {
  const std::string what = "joint '" + entry.key + "'", type = type_of(entry);
  const Entry* list = entry.find("joints");
  const Entry* factor = entry.find(type == "gear" ? "ratio" : "radius");
  if ((type != "gear" && type != "rack") || list == nullptr || factor == nullptr) return;  // noted already
  const std::string of = fmt::format("the {} of {}", factor->key, what);
  const std::size_t before = faults.size();
  const Value scale = scalar(*factor, {.what = of, .reach = Reach::symbols});
  if (faults.size() == before)
    if (const double size = number(factor, of, 1.0); faults.size() == before)
      noting_faults(factor->at, [&] { require_factor(size, of); });
  const bool two_names = list->kind == Kind::array && list->entries.size() == 2 &&
                         list->entries[0].kind == Kind::text && list->entries[1].kind == Kind::text;
  if (!two_names)
    return note(*list, fmt::format("'joints' of {} are two names: [\"first\", \"second\"]", what));
  const Entry &one = list->entries[0], &other = list->entries[1];
  if (is_joint(one.text)) {
    const std::size_t earlier = faults.size();
    noting_faults(first_letter(other), [&] { require_two_joints(one.text, other.text, what, type); });
    if (faults.size() > earlier) return;
  }
  const bool rack = type == "rack";
  bool slides[2] = {false, false};
  const bool first_good = read_coupled(one, what, rack, slides[0]);
  if (!read_coupled(other, what, rack, slides[1]) || !first_good) return;
  if (rack) noting_faults(list->at, [&] { require_rack(slides[0], slides[1], what); });
  if (faults.size() > before) return;
  noting_faults(entry.key_at, [&] {
    if (rack)
      model_.rack(entry.key, one.text, other.text, scale.scalar);
    else
      model_.gear(entry.key, one.text, other.text, scale.scalar);
  });
}

}  // namespace vinculum
