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

/// What moves without mass ends most motions as singular; MuJoCo would not begin one.
void remark_weightless(Robot& robot) {
  for (const Link& link : robot.links) {
    if (!link.must_weigh) continue;
    const bool has_mass = link.inertial.mass > 0;
    if (has_mass && !link.inertial.inertia.isZero(0)) continue;
    robot.remark(link.place, fmt::format("body '{}' moves and has no {}: {}, and MuJoCo refuses such a body",
                                         link.name, has_mass ? "moments of inertia" : "mass",
                                         has_mass ? "its <inertial> gives none"
                                                  : "neither <inertial> nor geom gives it any"));
  }
}

/// The model of a robot, not read yet.
ImportResult make_model(std::string_view text, const std::string& path, const ImportOptions& options) {
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
  remark_weightless(*robot);
  robot->remarks = folded(robot->remarks);
  result.robot = write_model(*robot, path);
  return result;
}

/// Places of the model's text are of no use to somebody who has the robot's file.
ReadResult read_made(const ImportedRobot& robot, const std::string& path, const Overrides& overrides,
                     OpenNames open) {
  ReadResult result = read_model(robot.toml, path, overrides, open);
  for (Fault& fault : result.faults)
    if (fault.place.line >= 1 && fault.place.line <= static_cast<int>(robot.origins.size()))
      fault.place = robot.origins[fault.place.line - 1];
  return result;
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
  ImportResult result = make_model(text, path, options);
  if (!result.robot) return result;
  ReadResult read = read_made(*result.robot, path, {}, OpenNames::refused);
  if (read.file) {
    result.warnings = std::move(read.file->warnings);
  } else {
    result.robot.reset();
    result.faults = std::move(read.faults);
  }
  return result;
}

ReadResult read_robot(std::string_view text, const std::string& path, const Overrides& overrides,
                      OpenNames open, std::vector<Remark>& remarks) {
  ReadResult result;
  ImportResult imported = make_model(text, path, {});
  if (!imported.robot) {
    result.faults = std::move(imported.faults);
    return result;
  }
  remarks = std::move(imported.robot->remarks);
  return read_made(*imported.robot, path, overrides, open);
}

}  // namespace vinculum
