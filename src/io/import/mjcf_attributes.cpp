// The attributes of MJCF: what has a meaning for a motion is read elsewhere, what has none is passed over,
// and everything else is told.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "io/import/mjcf.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum::robots {
namespace {

/// `read`: carried over, or told where they are not. `idle`: looks, contacts, solvers and names of people.
struct Known {
  std::string_view element, read, idle;
};
constexpr Known elements[] = {
    {"body", "name childclass mocap gravcomp pos quat axisangle xyaxes zaxis euler", "user sleep"},
    {"frame", "name childclass pos quat axisangle xyaxes zaxis euler", ""},
    {"inertial", "mass diaginertia fullinertia pos quat axisangle xyaxes zaxis euler", ""},
    {"freejoint", "name", "group align"},
    {"joint",
     "name class type pos axis limited range stiffness springref damping armature frictionloss ref "
     "actuatorfrclimited actuatorfrcrange joint1 joint2 polycoef active",
     "group margin solreflimit solimplimit solreffriction solimpfriction solref solimp user"},
    {"geom",
     "name class type size fromto mass density shellinertia contype conaffinity group mesh hfield pos quat "
     "axisangle xyaxes zaxis euler",
     "condim priority material rgba friction solmix solref solimp margin gap fitscale user"},
    {"site", "name class type size fromto pos quat axisangle xyaxes zaxis euler", "group material rgba user"},
    {"connect", "name class active body1 body2 anchor site1 site2", "solref solimp"},
    {"weld", "name class active body1 body2 anchor relpose site1 site2", "torquescale solref solimp"},
    {"compiler",
     "angle eulerseq coordinate inertiafromgeom inertiagrouprange autolimits balanceinertia boundmass "
     "boundinertia settotalmass",
     "strippath fitaabb meshdir texturedir assetdir discardvisual usethread fusestatic saveinertial "
     "exactmeshinertia alignfree conflict"},
    {"option", "gravity wind density viscosity",
     "timestep apirate impratio magnetic o_margin o_solref o_solimp o_friction integrator cone jacobian "
     "solver iterations tolerance ls_iterations ls_tolerance noslip_iterations noslip_tolerance "
     "ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints actuatorgroupdisable mpr_iterations "
     "mpr_tolerance collision sleep_tolerance"},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

void remark_unknown(const Element& e, Robot& robot) {
  const auto known = std::ranges::find(elements, e.name, &Known::element);
  if (known == std::end(elements)) return;
  std::vector<std::string> words = words_of(known->read);
  const std::vector<std::string> idle = words_of(known->idle);
  words.insert(words.end(), idle.begin(), idle.end());
  for (const auto& [key, value] : e.attributes) {
    if (std::ranges::find(words, key) != words.end()) continue;
    const std::string near = nearest_name(key, words);
    robot.remark(e.place, fmt::format("'{}' of <{}> is not carried over{}", key, e.name,
                                      near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
  }
}

}  // namespace

void remark_attributes(const Element& e, Robot& robot) {
  remark_unknown(e, robot);
  for (const Element& part : e.children) {
    const bool is_told_as_a_whole = part.name == "actuator" || part.name == "sensor" ||
                                    part.name == "tendon" || part.name == "contact" || part.name == "asset" ||
                                    part.name == "visual" || part.name == "custom" || part.name == "keyframe";
    if (!is_told_as_a_whole) remark_attributes(part, robot);
  }
}

}  // namespace vinculum::robots
