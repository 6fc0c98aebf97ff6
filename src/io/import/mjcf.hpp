// What the parts of the MJCF reader share: the settings of the compiler, default classes, frames, geoms.
#pragma once
#include <map>
#include <string>

#include "io/import/formats.hpp"

namespace vinculum::robots {

/// <compiler>, as far as it changes the mechanics.
struct MjcfCompiler {
  double angle = 0.017453292519943295;  ///< of one unit of angle, in radians: degrees unless said
  std::string sequence = "xyz";
  enum class FromGeoms { no, yes, where_none } from_geoms = FromGeoms::where_none;
  bool autolimits = true;
  bool balance = false;
  double least_mass = 0.0, least_moment = 0.0, total_mass = -1.0;
  int first_group = 0, last_group = 5;  ///< of geoms that count
};

/// Attributes that elements of a class have unless they say otherwise.
class MjcfDefaults {
 public:
  void read(const Element& root, std::vector<Fault>& faults);
  /// The element with what its class adds. `inherited` is the class of the bodies around it, "" without.
  Element complete(const Element& element, const std::string& inherited, std::vector<Fault>& faults) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  using Class = std::map<std::string, Attributes>;  // by the name of the element
  void read_class(const Element& element, const Class& parent, bool outermost, std::vector<Fault>& faults);
  std::map<std::string, Class> classes_;
};

/// pos, and how it is turned: quat, axisangle, xyaxes, zaxis or euler.
Pose frame_of(const Element& element, const MjcfCompiler& compiler, const Numbers& numbers);

/// A geom: where it is, what it weighs, how it is drawn.
struct MjcfGeom {
  Inertial inertial;  ///< in the axes of the body
  bool weighs = false;
  std::vector<Shape> shapes;
};
/// None where its inertia is asked for and follows from a file (a mesh): that is a fault.
MjcfGeom geom_of(const Element& element, const MjcfCompiler& compiler, bool weighed, Robot& robot,
                 const Numbers& numbers);

}  // namespace vinculum::robots
