// Points that a model shows without being asked: its particles and its coordinates called x, y, z.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "vinculum/report/view.hpp"

namespace vinculum {

/// A place in space made of coordinates of the model.
struct ShownPoint {
  std::string name;
  std::array<int, 3> coordinate = {-1, -1, -1};  ///< -1: that axis is 0
  int axes() const { return (coordinate[0] >= 0) + (coordinate[1] >= 0) + (coordinate[2] >= 0); }
};

std::vector<ShownPoint> shown_points(const Model& model);
Vector position_of(const Model& model, const ShownPoint& point);
bool same_place(const Vector& a, const Vector& b);

/// Which point, and which of its axes, each coordinate of the model is; point -1 for the others.
struct PointAxis {
  int point = -1, axis = 0;
};
std::vector<PointAxis> axes_of_coordinates(const Model& model, const std::vector<ShownPoint>& points);

/// Links for the constraints that keep a distance, each once.
std::vector<View::Link> rods_of(const Model& model, const std::vector<ShownPoint>& points);

/// The axis against the weight of the points, as far as energies and forces tell it; else "".
std::string up_axis(const Model& model, const std::vector<ShownPoint>& points);

}  // namespace vinculum
