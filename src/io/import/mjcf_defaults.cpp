// MJCF: default classes, and files that are included.
#include <fmt/format.h>

#include <filesystem>

#include "io/import/mjcf.hpp"

namespace vinculum::robots {
namespace {

constexpr int deepest_include = 8;
constexpr std::size_t most_classes = 1000;

/// Elements whose defaults matter here.
bool has_defaults(std::string_view name) {
  return name == "joint" || name == "geom" || name == "site" || name == "connect" || name == "weld";
}

/// Replaces every <include> below `element`, from the files of one folder.
class Includer {
 public:
  Includer(std::filesystem::path folder, const ImportOptions& options, std::vector<Fault>& faults)
      : folder_(std::move(folder)), options_(options), faults_(faults) {}

  bool expand(Element& element, int depth) {
    std::vector<Element> children;
    for (Element& child : element.children) {
      if (child.name != "include") {
        if (!expand(child, depth)) return false;
        children.push_back(std::move(child));
        continue;
      }
      Element other;
      if (!read(child, depth, other)) return false;
      for (Element& part : other.children) children.push_back(std::move(part));
    }
    element.children = std::move(children);
    return true;
  }

 private:
  bool refuse(const Element& at, std::string why) {
    faults_.push_back({at.place, std::move(why)});
    return false;
  }

  /// Inside the folder, also when links are followed.
  bool read(const Element& at, int depth, Element& other) {
    namespace fs = std::filesystem;
    const std::string name = at.get("file");
    if (!options_.includes) return refuse(at, "files that are included are not read here");
    if (depth >= deepest_include)
      return refuse(at,
                    fmt::format("files include each other more than {} deep, the limit", deepest_include));
    const fs::path wanted(name);
    bool climbs = name.empty() || wanted.is_absolute();
    for (const fs::path& part : wanted) climbs = climbs || part == "..";
    if (climbs)
      return refuse(at,
                    fmt::format("'{}' cannot be included: only files in the folder of the model can", name));
    std::error_code trouble;
    const fs::path whole = fs::canonical(folder_ / wanted, trouble);
    if (trouble) return refuse(at, fmt::format("'{}' cannot be included: {}", name, trouble.message()));
    const fs::path home = fs::canonical(folder_, trouble);
    const fs::path within = whole.lexically_relative(home);
    if (trouble || within.empty() || *within.begin() == "..")
      return refuse(at,
                    fmt::format("'{}' cannot be included: it leads out of the folder of the model", name));
    if (!fs::is_regular_file(whole, trouble))
      return refuse(at, fmt::format("'{}' cannot be included: it is no file", name));
    const std::string shown = (folder_ / wanted).lexically_normal().string();
    std::vector<Fault> unread;
    const auto text = read_text(shown, unread);
    if (!text) return refuse(at, fmt::format("'{}' cannot be included: {}", name, unread.front().text));
    total_ += text->size();
    if (total_ > largest_file)
      return refuse(at, fmt::format("the files of this robot are larger than {} MiB together, the limit",
                                    largest_file >> 20));
    auto tree = read_xml(*text, shown, faults_);
    if (!tree) return false;
    other = std::move(*tree);
    return expand(other, depth + 1);
  }

  std::filesystem::path folder_;
  const ImportOptions& options_;
  std::vector<Fault>& faults_;
  std::size_t total_ = 0;
};

}  // namespace

bool expand_includes(Element& root, const std::string& path, const ImportOptions& options,
                     std::vector<Fault>& faults) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return Includer(folder.empty() ? "." : folder, options, faults).expand(root, 0);
}

void MjcfDefaults::read(const Element& root, std::vector<Fault>& faults) {
  classes_["main"];
  for (const Element& e : root.children)
    if (e.name == "default") read_class(e, classes_["main"], true, faults);
}

void MjcfDefaults::read_class(const Element& element, const Class& parent, bool outermost,
                              std::vector<Fault>& faults) {
  const std::string name = element.get("class", outermost ? "main" : "");
  if (name.empty()) {
    faults.push_back({element.place, "a <default> inside another has no 'class'"});
    return;
  }
  if (classes_.size() > most_classes) {
    if (classes_.size() == most_classes + 1)
      faults.push_back({element.place, fmt::format("more than {} default classes, the limit", most_classes)});
    return;
  }
  Class own = parent;
  for (const Element& e : element.children)
    if (has_defaults(e.name))
      for (const auto& [key, value] : e.attributes) own[e.name][key] = value;
  classes_[name] = own;
  for (const Element& e : element.children)
    if (e.name == "default") read_class(e, own, false, faults);
}

Element MjcfDefaults::complete(const Element& element, const std::string& inherited,
                               std::vector<Fault>& faults) const {
  const std::string name = element.get("class", inherited.empty() ? "main" : inherited);
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    faults.push_back({element.place, fmt::format("there is no default class '{}'", name)});
    return element;
  }
  Element whole = element;
  if (const auto own = found->second.find(element.name); own != found->second.end())
    for (const auto& [key, value] : own->second)
      if (whole.find(key) == nullptr) whole.attributes.emplace_back(key, value);
  return whole;
}

}  // namespace vinculum::robots
