// Coordinates of joints: how they are read in expressions, and where they start.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

Expr Reader::coordinate_of(const JointData& joint, std::string_view word) {
  const auto words = joint_coordinates(joint.options.type);
  const auto found = std::ranges::find(words, word);
  if (found != words.end())
    return model_.joint_coordinate(joint.name, static_cast<int>(found - words.begin()));
  if (word == "distance") return model_.joint_distance(joint.name);  // of a joint of that type, or its error
  if (words.empty() || words[0] != "angle1") return model_.joint_angle(joint.name, word == "angle" ? 0 : 3);
  fail(fmt::format("joint '{}' is {} and has {}; '{}' is none of them", joint.name,
                   joint_word(joint.options.type),
                   list_text(std::vector<std::string>(words.begin(), words.end())), word));
}

/// One value for each coordinate: alone where there is one, else in brackets.
void Reader::read_starts(const Entry& entry, const std::string& what, JointOptions& options) {
  const auto words = joint_coordinates(options.type);
  if (words.empty()) return;  // the keys have no meaning there, and that is noted
  const auto each = [&](const char* key, const auto& read) {
    const Entry* given = entry.find(key);
    if (given == nullptr) return;
    const bool is_list = given->kind == Entry::Kind::array;
    if (is_list ? given->entries.size() != words.size()
                : words.size() != 1 && key != std::string_view("fixed"))
      return note(*given, words.size() == 1
                              ? fmt::format("'{}' of {} is one value, for its {}", key, what, words[0])
                              : fmt::format("'{}' of {} is a list of {}, for {}", key, what, words.size(),
                                            list_text(std::vector<std::string>(words.begin(), words.end()))));
    options.start.resize(words.size());
    for (std::size_t k = 0; k < words.size(); ++k)
      read(is_list ? given->entries[k] : *given, options.start[k],
           fmt::format("the {} of '{}' in {}", key, words[k], what));
  };
  each("start", [&](const Entry& e, CoordinateOfJointStart& s, const std::string& of) {
    s.value = start_number(&e, of);
  });
  each("rate", [&](const Entry& e, CoordinateOfJointStart& s, const std::string& of) {
    s.rate = start_number(&e, of);
  });
  each("fixed", [&](const Entry& e, CoordinateOfJointStart& s, const std::string& of) {
    s.fixed = truth(&e, of, true);
  });
}

}  // namespace vinculum
