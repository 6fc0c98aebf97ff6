// Joints.
#include <fmt/format.h>

#include <algorithm>

#include "io/reader_parts.hpp"
#include "system/statement.hpp"
#include "vinculum/base/text.hpp"

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
