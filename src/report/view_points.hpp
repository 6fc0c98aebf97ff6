// What a model shows without being asked: its particles and its coordinates called x, y, z; bodies and
// joints.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/report/view.hpp"

namespace vinculum {

/// A place in space made of coordinates of the model.
struct ShownPoint {
  std::string name;
  std::array<int, 3> coordinate = {-1, -1, -1};  ///< -1: that axis is 0
  bool is_body = false;                          ///< the centre of a body, which is drawn as a solid
  int axes() const { return (coordinate[0] >= 0) + (coordinate[1] >= 0) + (coordinate[2] >= 0); }
};

template <class Thing>
bool has_name(const std::vector<Thing>& things, const std::string& name) {
  return std::ranges::any_of(things, [&](const Thing& thing) { return thing.name == name; });
}

std::vector<ShownPoint> shown_points(const Model& model);
Vector position_of(const Model& model, const ShownPoint& point);
bool same_place(const Vector& a, const Vector& b);

/// Which point, and which of its axes, each coordinate of the model is; point -1 for the others.
struct PointAxis {
  int point = -1, axis = 0;
};
std::vector<PointAxis> axes_of_coordinates(const Model& model, const std::vector<ShownPoint>& points);

/// Of each constraint, whether it is a joint: those are drawn as what they are.
std::vector<char> constraints_that_are_joints(const Model& model);

/// The value of an expression of parameters alone; nothing where it depends on more.
std::optional<double> number_of(const Model& model, const Expr& expression);

/// Bodies, joints, and the forces that act through joints.
void add_bodies(const Model& model, View& view);

/// Links for the constraints that keep a distance, each once.
std::vector<View::Link> rods_of(const Model& model, const std::vector<ShownPoint>& points);

/// The axis against the weight of the points, as far as energies and forces tell it; else "".
std::string up_axis(const Model& model, const std::vector<ShownPoint>& points);

}  // namespace vinculum
