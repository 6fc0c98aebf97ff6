#include "io/import/known.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/text.hpp"

namespace vinculum::robots {
namespace {

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool lists(std::string_view words, std::string_view word) {
  if (word.empty() || word.find(' ') != word.npos) return false;
  for (std::size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

bool is_about(std::string_view entry, std::string_view around, std::string_view name) {
  const std::size_t bar = entry.find('/');
  return bar == entry.npos ? entry == name : entry.substr(0, bar) == around && entry.substr(bar + 1) == name;
}

/// The entry that is told with what is around it goes first.
const Known* known_of(const Format& format, std::string_view around, std::string_view name) {
  const Known* found = nullptr;
  for (const Known& known : format.known)
    if (is_about(known.element, around, name) &&
        (found == nullptr || known.element.find('/') != std::string_view::npos))
      found = &known;
  return found;
}

/// Names of XML itself.
bool is_of_xml(std::string_view attribute) {
  return attribute == "xmlns" || attribute.starts_with("xmlns:") || attribute.starts_with("xml:");
}

std::string lowered(std::string_view text) {
  std::string low(text);
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return low;
}

/// "degree or radian", "false, true or auto"
std::string choice_of(std::string_view words) {
  const std::vector<std::string> all = list_of(words);
  std::string text = all.front();
  for (std::size_t k = 1; k < all.size(); ++k) text += (k + 1 < all.size() ? ", " : " or ") + all[k];
  return text;
}

class Judge {
 public:
  Judge(const Format& format, Robot& robot, std::vector<Fault>& faults)
      : format_(format), robot_(robot), faults_(faults) {}

  /// The depth of a tree is bounded where it is read.
  void judge(const Element& e, std::string_view around) {
    judge_words(e, around);
    const Known* known = known_of(format_, around, e.name);
    if (known == nullptr) return;
    for (const auto& [key, value] : e.attributes) judge_attribute(e, *known, key);
    for (const Element& part : e.children) {
      if (lists(known->parts, part.name))
        judge(part, e.name);
      else if (!known->reader_tells)
        robot_.remark(part.place, fmt::format("<{}> of <{}> is not carried over{}", part.name, e.name,
                                              meant(part, e, format_)));
    }
  }

 private:
  void judge_attribute(const Element& e, const Known& known, const std::string& key) {
    if (lists(known.attributes, key) || lists(known.idle, key) || is_of_xml(key)) return;
    std::string near;
    if (!lists(known.lost, key))
      near =
          meant_word(key, fmt::format("{}{}{}", known.attributes,
                                      known.attributes.empty() || known.idle.empty() ? "" : " ", known.idle));
    robot_.remark(e.place, fmt::format("'{}' of <{}> is not carried over{}", key, e.name, near));
  }

  void judge_words(const Element& e, std::string_view around) {
    for (const Words& rule : format_.words) {
      if (!is_about(rule.element, around, e.name)) continue;
      if (rule.attribute.empty()) judge_word(e, fmt::format("<{}>", e.name), e.text, rule);
      for (const auto& [key, value] : e.attributes)
        if (rule.attribute == "*" || rule.attribute == key)
          judge_word(e, fmt::format("'{}' of <{}>", key, e.name), value, rule);
    }
  }

  void judge_word(const Element& e, const std::string& what, const std::string& value, const Words& rule) {
    if (lists(rule.words, rule.any_case ? lowered(value) : value)) return;
    faults_.push_back({e.place, fmt::format("{} is '{}'; {} is asked for{}", what, value.substr(0, 60),
                                            choice_of(rule.words), meant_word(value, rule.words))});
  }

  const Format& format_;
  Robot& robot_;
  std::vector<Fault>& faults_;
};

}  // namespace

void judge(const Element& root, const Format& format, Robot& robot, std::vector<Fault>& faults) {
  Judge(format, robot, faults).judge(root, "");
}

std::string meant(const Element& part, const Element& around, const Format& format) {
  const Known* known = known_of(format, "", around.name);
  if (known == nullptr || lists(known->parts, part.name) || lists(known->lost, part.name)) return "";
  const std::string near = nearest_name(part.name, list_of(known->parts));
  return near.empty() ? "" : fmt::format(" (did you mean <{}>?)", near);
}

std::string meant_word(std::string_view word, std::string_view words) {
  const std::string near = nearest_name(word, list_of(words));
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

}  // namespace vinculum::robots
