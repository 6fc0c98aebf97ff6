#include "io/import/xml.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/model/bad_byte.hpp"
#include "io/model/document.hpp"

namespace vinculum::robots {
namespace {

using tinyxml2::XMLElement;

/// Makes the tree. The XML reader tells the lines of elements; their columns are found in the text.
class Builder {
 public:
  Builder(std::string_view text, const std::string& path, std::vector<Fault>& faults)
      : text_(text), path_(path), faults_(faults) {
    lines_.push_back(0);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
      lines_.push_back(at + 1);
  }

  /// The nesting is bounded by the XML reader.
  bool build(const XMLElement& from, Element& to) {
    if (++count_ > most_elements) {
      if (count_ == most_elements + 1)
        faults_.push_back({place_of(from), fmt::format("more than {} elements, the limit", most_elements)});
      return false;
    }
    to.name = from.Name();
    to.place = place_of(from);
    for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next())
      to.attributes.emplace_back(a->Name(), a->Value());
    if (to.attributes.size() > most_attributes) {
      faults_.push_back({to.place, fmt::format("more than {} attributes, the limit", most_attributes)});
      return false;
    }
    if (from.GetText() != nullptr) to.text = from.GetText();
    for (const XMLElement* c = from.FirstChildElement(); c != nullptr; c = c->NextSiblingElement())
      if (!build(*c, to.children.emplace_back())) return false;
    return true;
  }

 private:
  /// Elements come in the order of the text: each stands behind the one before it.
  Place place_of(const XMLElement& element) {
    const int line = std::max(1, element.GetLineNum());
    Place place{path_, line, 1};
    if (static_cast<std::size_t>(line) > lines_.size()) return place;
    const std::size_t begin = lines_[line - 1];
    const std::size_t end = static_cast<std::size_t>(line) < lines_.size() ? lines_[line] : text_.size();
    reached_ = std::max(reached_, begin);
    if (reached_ >= end) return place;
    const std::size_t at = text_.substr(0, end).find(std::string("<") + element.Name(), reached_);
    reached_ = at == text_.npos ? end : at + 1;
    if (at != text_.npos) place.column = static_cast<int>(at - begin) + 1;
    return place;
  }

  std::string_view text_;
  const std::string& path_;
  std::vector<Fault>& faults_;
  std::vector<std::size_t> lines_;
  std::size_t count_ = 0, reached_ = 0;
};

bool is_about_tags(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  return error != XML_ERROR_EMPTY_DOCUMENT && error != XML_ERROR_PARSING_ATTRIBUTE &&
         error != XML_ELEMENT_DEPTH_EXCEEDED;
}

/// What is wrong with the tags of a text, and where.
struct OpenTag {
  std::size_t at;
  std::string why;
};

/// Where the tag that begins at `at` ends, behind its '>'; a '>' in quotes is none.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return at + 1;
  }
  return text.npos;
}

/// The XML reader says of tags that do not close only that something is wrong.
std::optional<OpenTag> find_open_tag(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> passed[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  std::vector<std::pair<std::string_view, std::size_t>> open;
  for (std::size_t at = text.find('<'); at != text.npos;) {
    const std::string_view rest = text.substr(at);
    const auto other = std::ranges::find_if(passed, [&](const auto& p) { return rest.starts_with(p.first); });
    const bool is_tag = other == std::end(passed), closes = rest.starts_with("</");
    std::size_t end = is_tag ? end_of_tag(text, at) : text.find(other->second, at + other->first.size());
    if (end == text.npos)
      return OpenTag{at, fmt::format("the file ends before '{}', which closes what begins here",
                                     is_tag ? ">" : other->second)};
    if (!is_tag) {
      at = text.find('<', end + other->second.size());
      continue;
    }
    const std::size_t from = closes ? 2 : 1;
    const std::string_view name = rest.substr(from, rest.find_first_of(" \t\r\n/>", from) - from);
    if (!closes && text[end - 2] != '/') open.emplace_back(name, at);
    if (closes && open.empty()) return OpenTag{at, fmt::format("</{}> closes nothing", name)};
    if (closes && open.back().first != name)
      return OpenTag{open.back().second,
                     fmt::format("<{}> is not closed: </{}> comes first", open.back().first, name)};
    if (closes) open.pop_back();
    at = text.find('<', end);
  }
  if (open.empty()) return std::nullopt;
  return OpenTag{open.back().second,
                 fmt::format("<{0}> is not closed: the file ends before </{0}>", open.back().first)};
}

/// The reader's own words are for programmers.
std::string in_words(const tinyxml2::XMLDocument& document) {
  using namespace tinyxml2;
  switch (document.ErrorID()) {
    case XML_ERROR_EMPTY_DOCUMENT:
      return "there is no element in this file";
    case XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute cannot be read: write name=\"value\", each name once";
    case XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read: write <name ...> and </name>";
    case XML_ELEMENT_DEPTH_EXCEEDED:
      return fmt::format("elements stand inside each other more than {} deep, the limit",
                         TINYXML2_MAX_ELEMENT_DEPTH);
    default:
      return fmt::format("this is no XML ({})", document.ErrorName());
  }
}

}  // namespace

const std::string* Element::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return &value;
  return nullptr;
}

std::string Element::get(std::string_view attribute, std::string_view otherwise) const {
  const std::string* value = find(attribute);
  return value != nullptr ? *value : std::string(otherwise);
}

const Element* Element::child(std::string_view wanted) const {
  for (const Element& c : children)
    if (c.name == wanted) return &c;
  return nullptr;
}

std::optional<Element> read_xml(std::string_view text, const std::string& path, std::vector<Fault>& faults) {
  const auto refuse = [&](int line, std::string why) {
    faults.push_back({{path, std::max(1, line), 1}, std::move(why)});
    return std::nullopt;
  };
  if (text.size() > largest_file)
    return refuse(1, fmt::format("larger than {} MiB, the limit of a robot", largest_file >> 20));
  const Source source(text, path);
  if (const std::size_t at = text.find('\0'); at != text.npos) {
    faults.push_back({source.place(at), "a NUL byte; a robot is a text"});
    return std::nullopt;
  }
  if (const std::size_t at = find_bad_byte(text); at != text.npos) {
    faults.push_back({source.place(at), "a byte that is no UTF-8"});
    return std::nullopt;
  }
  tinyxml2::XMLDocument document(true, tinyxml2::COLLAPSE_WHITESPACE);
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    if (const auto open = is_about_tags(document.ErrorID()) ? find_open_tag(text) : std::nullopt) {
      faults.push_back({source.place(open->at), open->why});
      return std::nullopt;
    }
    return refuse(document.ErrorLineNum(), in_words(document));
  }
  if (document.RootElement() == nullptr) return refuse(1, "there is no element in this file");
  if (const auto* second = document.RootElement()->NextSiblingElement())
    return refuse(second->GetLineNum(), fmt::format("<{}> is a second element beside <{}>; a robot is one",
                                                    second->Name(), document.RootElement()->Name()));
  Element root;
  Builder builder(text, path, faults);
  if (!builder.build(*document.RootElement(), root)) return std::nullopt;
  return root;
}

std::optional<std::vector<double>> numbers_of(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (word.starts_with('+')) word.remove_prefix(1);
    double& value = numbers.emplace_back();
    const auto [rest, trouble] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (trouble != std::errc{} || rest != word.data() + word.size() || !std::isfinite(value))
      return std::nullopt;
    at = text.find_first_not_of(blanks, end);
  }
  return numbers;
}

std::vector<double> Numbers::read(const Element& element, const std::string& what, std::string_view text,
                                  std::vector<double> otherwise) const {
  const auto numbers = numbers_of(text);
  if (numbers && numbers->size() == otherwise.size()) return *numbers;
  const std::size_t asked = otherwise.size();
  refuse(element, fmt::format("{} is '{}'; {} asked for", what, text.substr(0, 60),
                              asked == 1 ? "a number is" : fmt::format("{} numbers are", asked)));
  return otherwise;
}

double Numbers::one(const Element& element, std::string_view attribute, double otherwise) const {
  return several(element, attribute, {otherwise})[0];
}

std::vector<double> Numbers::several(const Element& element, std::string_view attribute,
                                     std::vector<double> otherwise) const {
  const std::string* value = element.find(attribute);
  if (value == nullptr) return otherwise;
  return read(element, fmt::format("'{}' of <{}>", attribute, element.name), *value, std::move(otherwise));
}

std::vector<double> Numbers::of_text(const Element& element, std::vector<double> otherwise) const {
  return read(element, fmt::format("<{}>", element.name), element.text, std::move(otherwise));
}

}  // namespace vinculum::robots
