// The front door: the format is told by the outermost element.
#include "vinculum/io/import_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/import/formats.hpp"

namespace vinculum {

using namespace robots;

namespace {

/// The same sentence of many places is told once, with their lines.
std::vector<Remark> folded(const std::vector<Remark>& all) {
  std::vector<Remark> kept;
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::vector<int>>> same;
  for (const Remark& r : all) {
    const auto [found, is_new] = same.try_emplace({r.place.file, r.text}, kept.size(), std::vector<int>{});
    if (is_new)
      kept.push_back(r);
    else if (r.place.line != kept[found->second.first].place.line)
      found->second.second.push_back(r.place.line);
  }
  for (auto& [key, lines] : same) {
    auto& [place, more] = lines;
    more.erase(std::unique(more.begin(), more.end()), more.end());
    if (more.empty()) continue;
    std::string text;
    for (const int line : more) text += (text.empty() ? "" : ", ") + std::to_string(line);
    kept[place].text += fmt::format(" (also in line{} {})", more.size() == 1 ? "" : "s", text);
  }
  return kept;
}

std::optional<Robot> read_tree(Element& root, const std::string& path, const ImportOptions& options,
                               std::vector<Fault>& faults) {
  if (root.name == "robot") return read_urdf(root, options, faults);
  if (root.name == "sdf") return read_sdf(root, faults);
  if (root.name == "mujoco" || root.name == "mujocoinclude") {
    if (!expand_includes(root, path, options, faults)) return std::nullopt;
    return read_mjcf(root, options, faults);
  }
  faults.push_back({root.place, fmt::format("<{}> is no robot; URDF begins with <robot>, MJCF with <mujoco>, "
                                            "SDF with <sdf>",
                                            root.name)});
  return std::nullopt;
}

}  // namespace

bool is_robot_file(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos) return false;
  std::string end = path.substr(dot);
  std::ranges::transform(end, end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
  return end == ".urdf" || end == ".sdf" || end == ".mjcf" || end == ".xml";
}

ImportResult import_robot(std::string_view text, const std::string& path, const ImportOptions& options) {
  ImportResult result;
  auto root = read_xml(text, path, result.faults);
  if (!root) return result;
  auto robot = read_tree(*root, path, options, result.faults);
  if (!robot || !result.faults.empty()) return result;
  merge_fixed(*robot);
  if (robot->links.empty()) {
    result.faults.push_back(
        {root->place, "nothing of this robot can move: every link is part of the ground"});
    return result;
  }
  robot->remarks = folded(robot->remarks);
  result.robot = write_model(*robot, path);
  return result;
}

ReadResult read_robot(std::string_view text, const std::string& path, const Overrides& overrides,
                      OpenNames open, std::vector<Remark>& remarks) {
  ReadResult result;
  ImportResult imported = import_robot(text, path);
  if (!imported.robot) {
    result.faults = std::move(imported.faults);
    return result;
  }
  remarks = std::move(imported.robot->remarks);
  result = read_model(imported.robot->toml, path, overrides, open);
  // Places of the model's text are of no use to somebody who has the robot's file.
  const std::vector<Place>& origins = imported.robot->origins;
  for (Fault& fault : result.faults)
    if (fault.place.line >= 1 && fault.place.line <= static_cast<int>(origins.size()))
      fault.place = origins[fault.place.line - 1];
  return result;
}

}  // namespace vinculum
