// Joints in a row: stated as one, each with keys and a name of its own.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

bool is_series(const Entry& joint) {
  const Entry* type = joint.kind == Entry::Kind::table ? joint.find("type") : nullptr;
  return type != nullptr && type->kind == Entry::Kind::text && type->text == "series";
}

/// The joint as if it stood in [joints], between the same parts and at the same point unless it has its own.
Entry stated_alone(const Entry& series, const Entry& joint, std::size_t number) {
  Entry alone = joint;
  const Entry* name = joint.find("name");
  const bool named = name != nullptr && name->kind == Entry::Kind::text;
  alone.key = series.key + "." + (named ? name->text : std::to_string(number));
  alone.key_at = named ? name->at : joint.at;
  std::erase_if(alone.entries, [](const Entry& key) { return key.key == "name"; });
  alone.index_keys();
  for (const char* key : {"between", "point", "frame"})
    if (const Entry* common = series.find(key); common != nullptr && alone.find(key) == nullptr) {
      // A point of its own is told in a frame of its own.
      if (std::string_view(key) == "frame" && joint.find("point") != nullptr) continue;
      alone.entries.push_back(*common);
    }
  alone.index_keys();
  return alone;
}

}  // namespace

const Entry& Reader::with_series(const Entry& root, Entry& own) {
  const Entry* joints = root.find("joints");
  if (joints == nullptr || std::ranges::none_of(joints->entries, is_series)) return root;
  own = root;
  for (Entry& table : own.entries) {
    if (table.key != "joints") continue;
    std::vector<Entry> all;
    for (const Entry& entry : table.entries) {
      all.push_back(entry);
      const Entry* list = is_series(entry) ? entry.find("joints") : nullptr;
      if (list == nullptr) continue;
      for (std::size_t k = 0; k < list->entries.size(); ++k)
        if (list->entries[k].kind == Entry::Kind::table)
          all.push_back(stated_alone(entry, list->entries[k], k + 1));
    }
    table.entries = std::move(all);
    table.index_keys();
  }
  own.index_keys();
  return own;
}

bool Reader::is_in_series(std::string_view name) const {
  if (&root_ != &own_root_) return false;
  const std::size_t dot = name.rfind('.');
  const Entry* joints = root_.find("joints");
  const Entry* of = dot == name.npos || joints == nullptr ? nullptr : joints->find(name.substr(0, dot));
  return of != nullptr && is_series(*of);
}

/// Its joints have their places one after the other, with links between them.
void Reader::place_series(const Entry& entry) {
  const std::string what = "joint '" + entry.key + "'";
  const std::size_t before = faults.size();
  std::array<Part, 2> parts;
  const bool joined = read_parts(entry, what, parts);
  const Entry* list = entry.find("joints");
  if (list == nullptr) return;  // noted already
  if (list->kind != Entry::Kind::array || list->entries.size() < 2 ||
      std::ranges::any_of(list->entries, [](const Entry& e) { return e.kind != Entry::Kind::table; }))
    return note(*list,
                fmt::format("'joints' of {} are two or more tables, as in [{{ name = \"pitch\", type = "
                            "\"revolute\", axis = [0, 1, 0] }}, ..]",
                            what));
  std::vector<NamedJoint> joints;
  for (const Entry& stated : list->entries) {
    const Entry* name = stated.find("name");
    if (name == nullptr || name->kind != Entry::Kind::text) {
      note(stated, fmt::format("a joint of {} has no 'name', a text in quotes", what));
      continue;
    }
    if (const Entry* between = stated.find("between"))
      note(between->key_at,
           fmt::format("'between' has no meaning in a joint of {}, which says it for all", what));
    const Entry* alone = root_.find("joints")->find(entry.key + "." + name->text);
    const std::string one = "joint '" + alone->key + "'";
    const std::optional<JointType> type = joint_of(*alone, one);
    if (!type) continue;
    if (*type != JointType::revolute && *type != JointType::prismatic) {
      note(*alone->find("type"),
           fmt::format("{} is {}; joints in a row are revolute or prismatic", one, joint_word(*type)));
      continue;
    }
    joints.push_back({name->text, read_joint_options(*alone, one, *type, parts)});
  }
  if (!joined || faults.size() > before) return;
  noting_faults(entry.key_at, [&] {
    const std::vector<Part> chain = add_links(model_, entry.key, parts[0], parts[1], joints);
    for (std::size_t k = 0; k < joints.size(); ++k)
      vinculum::place_joint(model_, entry.key + "." + joints[k].name, chain[k], chain[k + 1],
                            joints[k].options);
  });
}

}  // namespace vinculum
