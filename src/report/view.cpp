#include "vinculum/report/view.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "report/view_points.hpp"

#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// What a coordinate's name says about where it stands: "p.x" is axis 0 of "p", "y_b" axis 1 of "b".
struct AxisName {
  std::string point;
  int axis = -1;  ///< -1: the name says nothing of the kind
};

AxisName read_axis(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
  const std::size_t axis = last.empty() ? std::string::npos : std::string_view("xyz").find(last[0]);
  if (axis == std::string::npos) return {};
  const std::string rest = last.substr(1);
  if (dot != std::string::npos) return rest.empty() ? AxisName{name.substr(0, dot), int(axis)} : AxisName{};
  if (rest.empty()) return {"point", int(axis)};
  if (rest.size() > 1 && rest[0] == '_') return {rest.substr(1), int(axis)};
  const bool digits = std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits ? AxisName{"point " + rest, int(axis)} : AxisName{};
}

/// Points that a constraint has to do with: the others feel no constraint force.
std::vector<char> constrained_points(const Model& model, const std::vector<ShownPoint>& points) {
  const std::vector<PointAxis> axis_of = axes_of_coordinates(model, points);
  std::map<int, int> point_of_velocity;
  for (std::size_t c = 0; c < axis_of.size(); ++c)
    if (axis_of[c].point >= 0)
      point_of_velocity[model.stated().velocity_of_coordinate(static_cast<int>(c))] = axis_of[c].point;
  std::vector<char> found(points.size(), 0);
  for (const Model::ConstraintData& constraint : model.constraints())
    for (const Expr& symbol : symbols_of(constraint.rows)) {
      const SymbolRole which = model.stated().role(symbol);
      int point = -1;
      if (which.role == Role::coordinate) point = axis_of[which.index].point;
      if (which.role == Role::velocity || which.role == Role::acceleration)
        if (const auto at = point_of_velocity.find(which.index); at != point_of_velocity.end())
          point = at->second;
      if (point >= 0) found[point] = 1;
    }
  return found;
}

void add_points(const Model& model, const std::vector<ShownPoint>& points, View& view) {
  for (const ShownPoint& point : points) {
    if (point.is_body) continue;
    const Vector at = position_of(model, point);
    const bool asked = has_name(view.points, point.name) ||
                       std::ranges::any_of(view.points, [&](const auto& p) { return same_place(p.at, at); });
    if (!asked) view.points.push_back({point.name, at});
  }
}

void add_rods(const Model& model, const std::vector<ShownPoint>& points, View& view) {
  for (const View::Link& rod : rods_of(model, points)) {
    const bool asked = std::ranges::any_of(view.links, [&](const View::Link& link) {
      return link.name == rod.name || (same_place(link.from, rod.from) && same_place(link.to, rod.to)) ||
             (same_place(link.from, rod.to) && same_place(link.to, rod.from));
    });
    if (!asked) view.links.push_back(rod);
  }
}

void add_arrows(const Model& model, const std::vector<ShownPoint>& points, View& view) {
  const std::vector<char> constrained = constrained_points(model, points);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::string name = "force on " + points[p].name;
    if (points[p].is_body || !constrained[p] || has_name(view.arrows, name)) continue;
    View::Arrow arrow{name, position_of(model, points[p]), {}};
    for (int k = 0; k < 3; ++k)
      if (points[p].coordinate[k] >= 0)
        arrow.constraint_force_on[k] = model.stated().velocity_of_coordinate(points[p].coordinate[k]);
    view.arrows.push_back(arrow);
  }
}

/// What friction and other non-ideal forces do to each point and body.
void add_friction(const Model& model, const std::vector<ShownPoint>& points, View& view) {
  if (model.frictions().empty() && model.nonideal_forces().empty()) return;
  for (const ShownPoint& point : points) {
    const std::string name = "friction on " + point.name;
    if (has_name(view.arrows, name)) continue;
    View::Arrow arrow{name, position_of(model, point), {}};
    arrow.nonideal = true;
    for (int k = 0; k < 3; ++k)
      if (point.coordinate[k] >= 0)
        arrow.constraint_force_on[k] = model.stated().velocity_of_coordinate(point.coordinate[k]);
    view.arrows.push_back(arrow);
  }
}

}  // namespace

std::vector<ShownPoint> shown_points(const Model& model) {
  std::vector<ShownPoint> points;
  std::map<std::string, std::size_t> place;
  for (std::size_t c = 0; c < model.coordinates().size(); ++c) {
    const AxisName name = read_axis(model.coordinates()[c].name);
    if (name.axis < 0 || model.stated().velocity_of_coordinate(static_cast<int>(c)) < 0) continue;
    const auto [at, is_new] = place.emplace(name.point, points.size());
    if (is_new) points.push_back({name.point});
    points[at->second].coordinate[name.axis] = static_cast<int>(c);
  }
  for (const Model::BodyData& body : model.bodies())
    for (ShownPoint& point : points)
      if (point.coordinate[0] == body.first_coordinate) point.is_body = true;
  return points;
}

Vector position_of(const Model& model, const ShownPoint& point) {
  const auto along = [&](int k) {
    const int c = point.coordinate[k];
    return c < 0 ? Expr(0.0) : model.coordinates()[c].symbol;
  };
  return {along(0), along(1), along(2)};
}

bool same_place(const Vector& a, const Vector& b) {
  return identical(a.x, b.x) && identical(a.y, b.y) && identical(a.z, b.z);
}

std::vector<PointAxis> axes_of_coordinates(const Model& model, const std::vector<ShownPoint>& points) {
  std::vector<PointAxis> result(model.coordinates().size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int k = 0; k < 3; ++k)
      if (points[p].coordinate[k] >= 0) result[points[p].coordinate[k]] = {static_cast<int>(p), k};
  return result;
}

View complete_view(const Model& model, const View& asked) {
  View view = asked;
  const std::vector<ShownPoint> points = shown_points(model);
  if (view.up.empty()) view.up = up_axis(model, points);
  if (!view.automatic) return view;
  add_points(model, points, view);
  add_rods(model, points, view);
  add_arrows(model, points, view);
  add_friction(model, points, view);
  add_bodies(model, view);
  return view;
}

}  // namespace vinculum
