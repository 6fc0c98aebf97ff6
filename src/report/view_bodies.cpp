// Bodies, joints and the forces of joints, as a model shows them without being asked.
#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <set>

#include "report/view_points.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// A quaternion followed by a constant one: first `inner`, then `outer`.
std::array<Expr, 4> product(const std::array<Expr, 4>& outer, const std::array<double, 4>& inner) {
  const auto& [w, x, y, z] = outer;
  const auto& [a, b, c, d] = inner;
  return {w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
          w * d + x * c - y * b + z * a};
}

void set_shape(const Model& model, const Solid& given, View::Solid& solid) {
  const auto size = [&](int k) { return number_of(model, given.size[k]).value_or(0.0); };
  switch (given.kind) {
    case Solid::Kind::box:
      solid.shape = View::Shape::box;
      solid.half = {size(0) / 2, size(1) / 2, size(2) / 2};
      break;
    case Solid::Kind::sphere:
      solid.shape = View::Shape::ellipsoid;
      solid.half = {size(0), size(0), size(0)};
      break;
    case Solid::Kind::cylinder:
      solid.shape = View::Shape::cylinder;
      solid.half = {size(0), size(0), size(1) / 2};
      break;
    default:  // a rod is a cylinder along x: about y by a quarter of a turn
      solid.shape = View::Shape::cylinder;
      solid.half = {size(1), size(1), size(0) / 2};
      solid.turn = product(solid.turn, {std::numbers::sqrt2 / 2, 0, std::numbers::sqrt2 / 2, 0});
  }
}

/// With principal moments I and the mass m the semi-axes a of an evenly filled ellipsoid have
///     I1 = m (a2^2 + a3^2) / 5, ...   so that   a1^2 = 5 (I2 + I3 - I1) / (2 m).
void set_ellipsoid(const Model& model, const Model::BodyData& body, View::Solid& solid) {
  solid.shape = View::Shape::ellipsoid;
  solid.of_inertia = true;
  const double mass = number_of(model, body.mass).value_or(0.0);
  if (!(mass > 0)) return;  // moments without a mass have no size: drawn as small as can be seen
  double i[6];
  for (int k = 0; k < 6; ++k) i[k] = number_of(model, body.inertia[k]).value_or(0.0);
  Eigen::Matrix3d matrix;
  matrix << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  Eigen::Vector3d moment = matrix.diagonal();
  if (i[3] != 0 || i[4] != 0 || i[5] != 0) {  // else the axes are principal ones as they stand
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(matrix);
    moment = principal.eigenvalues();
    Eigen::Matrix3d axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(2) *= -1;
    const Eigen::Quaterniond turn(axes);
    solid.turn = product(solid.turn, {turn.w(), turn.x(), turn.y(), turn.z()});
  }
  for (int k = 0; k < 3; ++k)
    solid.half[k] = std::sqrt(std::max(0.0, 2.5 * (moment.sum() - 2 * moment[k]) / mass));
}

void add_solids(const Model& model, View& view) {
  // Who says which trails matter has said it.
  const bool trails = std::ranges::none_of(view.points, &View::Point::trail);
  for (const Model::BodyData& body : model.bodies()) {
    if (has_name(view.solids, body.name)) continue;
    View::Solid solid{.name = body.name, .at = body.body, .turn = body.body.orientation, .trail = trails};
    if (body.solid)
      set_shape(model, *body.solid, solid);
    else
      set_ellipsoid(model, body, solid);
    view.solids.push_back(solid);
  }
}

View::Arrow arrow_on(const Body& body, const Model& model, int constraint, const Vector& at) {
  View::Arrow arrow{.name = {}, .at = at, .along = {}, .constraint = constraint};
  const Expr rate[3] = {body.x.rate(), body.y.rate(), body.z.rate()};
  for (int k = 0; k < 3; ++k)
    arrow.constraint_force_on[k] = rate[k].is_symbol() ? model.stated().role(rate[k]).index : -1;
  return arrow;
}

void add_arrow(View::Arrow arrow, const std::string& name, View& view) {
  if (has_name(view.arrows, name)) return;
  arrow.name = name;
  view.arrows.push_back(arrow);
}

/// Joints, and the force and the torque that each has on its second part.
void add_joints(const Model& model, View& view) {
  for (const JointData& joint : model.joints()) {
    if (!has_name(view.joints, joint.name))
      view.joints.push_back(
          {joint.name, joint.options.type, joint.place(0), joint.place(1), joint.sides[0].u});
    if (joint.constraint < 0) continue;  // its place was stated, and no rows
    const bool on_ground = joint.parts[1].body() == nullptr;
    View::Arrow arrow =
        arrow_on(*joint.parts[on_ground ? 0 : 1].body(), model, joint.constraint, joint.place(1));
    arrow.opposite = on_ground;
    add_arrow(arrow, "force of " + joint.name + " on " + joint.part_names[1], view);
    const std::string torque = "torque of " + joint.name + " on " + joint.part_names[1];
    if (!has_name(view.torques, torque))
      view.torques.push_back(
          {torque, joint.place(1), *joint.parts[on_ground ? 0 : 1].body(), joint.constraint, on_ground});
  }
}

/// Which body each coordinate and each velocity belongs to; -1 for the others.
struct Owners {
  std::vector<int> of_coordinate, of_velocity;
  explicit Owners(const Model& model)
      : of_coordinate(model.coordinates().size(), -1), of_velocity(model.velocities().size(), -1) {
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const Model::BodyData& body = model.bodies()[b];
      std::fill_n(of_coordinate.begin() + body.first_coordinate, body.coordinate_count(),
                  static_cast<int>(b));
      std::fill_n(of_velocity.begin() + body.first_velocity, body.velocity_count(), static_cast<int>(b));
    }
  }
  int operator()(const SymbolRole& which) const {
    if (which.role == Role::coordinate) return of_coordinate[which.index];
    const bool moves = which.role == Role::velocity || which.role == Role::acceleration;
    return moves ? of_velocity[which.index] : -1;
  }
};

/// What constraints that are neither joints nor programmes do to bodies, at the bodies' centres.
void add_forces_on_bodies(const Model& model, View& view) {
  std::vector<char> skipped = constraints_that_are_joints(model);
  for (const Model::ServoData& servo : model.servos()) skipped[servo.constraint] = 1;
  const Owners owner(model);
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    if (skipped[c]) continue;
    const Model::ConstraintData& constraint = model.constraints()[c];
    std::vector<Expr> rows;
    for (const Expr& row : constraint.rows) rows.push_back(model.stated().written_out(row));
    std::set<int> bodies;
    for (const Expr& symbol : symbols_of(rows)) bodies.insert(owner(model.stated().role(symbol)));
    bodies.erase(-1);
    for (const int b : bodies) {
      const Model::BodyData& body = model.bodies()[b];
      add_arrow(arrow_on(body.body, model, static_cast<int>(c), body.body),
                "force of " + constraint.name + " on " + body.name, view);
    }
  }
}

}  // namespace

std::vector<char> constraints_that_are_joints(const Model& model) {
  std::vector<char> found(model.constraints().size(), 0);
  for (const JointData& joint : model.joints())
    if (joint.constraint >= 0) found[joint.constraint] = 1;
  return found;
}

void add_bodies(const Model& model, View& view) {
  if (model.bodies().empty()) return;
  add_solids(model, view);
  add_joints(model, view);
  add_forces_on_bodies(model, view);
}

}  // namespace vinculum
