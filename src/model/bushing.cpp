// Bushings: six springs and dampers between two frames.
#include "vinculum/model/bushing.hpp"

#include <Eigen/Geometry>

#include "vinculum/base/error.hpp"
#include "vinculum/model/checks.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Where a part is at the start, and the frame of the bushing on it then: position and quaternion, twice.
constexpr int side_numbers = 2 * 7;

Quaterniond unit(std::span<const double> q, const std::string& what) {
  const Quaterniond turn(q[0], q[1], q[2], q[3]);
  require_orientation(turn.norm(), "the orientation of " + what);
  return turn.normalized();
}

/// The frames as the parts see them: a point and a quaternion each. The two quaternions have the signs that
/// make the turn from one to the other the short one.
void find_frames(const std::string& what, std::span<const double> of, std::span<double> made) {
  Quaterniond in_world[2];
  for (int k = 0; k < 2; ++k) {
    const std::span<const double> side = of.subspan(k * side_numbers, side_numbers);
    const auto point = [&](int first) { return Vector3d(side[first], side[first + 1], side[first + 2]); };
    const Quaterniond part = unit(side.subspan(3, 4), what);
    in_world[k] = unit(side.subspan(10, 4), what);
    if (k == 1 && in_world[0].dot(in_world[1]) < 0) in_world[1].coeffs() *= -1;
    const Vector3d place = part.conjugate() * (point(7) - point(0));
    const Quaterniond turn = part.conjugate() * in_world[k];
    const double numbers[] = {place.x(), place.y(), place.z(), turn.w(), turn.x(), turn.y(), turn.z()};
    std::copy_n(numbers, 7, made.data() + 7 * k);
  }
}

struct Frame {
  Vector point;                // in the world
  std::array<Expr, 4> turn;    // frame to world
  std::array<Vector, 3> axes;  // in the world
};

std::array<Expr, 4> product(const std::array<Expr, 4>& a, const std::array<Expr, 4>& b) {
  const auto term = [&](int i, int j) { return along(a[i], b[j]); };
  return {
      term(0, 0) - term(1, 1) - term(2, 2) - term(3, 3), term(0, 1) + term(1, 0) + term(2, 3) - term(3, 2),
      term(0, 2) - term(1, 3) + term(2, 0) + term(3, 1), term(0, 3) + term(1, 2) - term(2, 1) + term(3, 0)};
}

std::array<Vector, 3> columns_of(const std::array<Expr, 4>& q) {
  const auto& [w, x, y, z] = q;
  const Expr ww = along(w, w), xx = along(x, x), yy = along(y, y), zz = along(z, z);
  return {Vector{ww + xx - yy - zz, 2 * (along(x, y) + along(w, z)), 2 * (along(x, z) - along(w, y))},
          Vector{2 * (along(x, y) - along(w, z)), ww - xx + yy - zz, 2 * (along(y, z) + along(w, x))},
          Vector{2 * (along(x, z) + along(w, y)), 2 * (along(y, z) - along(w, x)), ww - xx - yy + zz}};
}

/// What is fixed in a part, as the world sees it.
Frame frame_on(const Part& part, std::span<const Expr> numbers) {
  const Vector point{numbers[0], numbers[1], numbers[2]};
  const std::array<Expr, 4> turn{numbers[3], numbers[4], numbers[5], numbers[6]};
  const std::array<Vector, 3> axes = columns_of(turn);
  const Body* body = part.body();
  if (body == nullptr) return {point, turn, axes};
  return {body->point(point),
          product(body->orientation, turn),
          {body->axis(axes[0]), body->axis(axes[1]), body->axis(axes[2])}};
}

/// The rotation vector of a quaternion (w, v) of any length: v phi / |v| with phi = 4 atan(x) and
/// x = |v| / (|q| + w). That x -> x / (1 + sqrt(1 + x^2)) halves the angle of atan makes x small, up to a
/// full turn, and the series of atan(x) / x in x^2 short: nothing is divided by the angle, which may be 0.
Vector rotation_vector(const std::array<Expr, 4>& q) {
  constexpr int halvings = 3, terms = 12;  // x^2 < 0.04, and 0.04^12 / 25 is below rounding
  const Vector v{q[1], q[2], q[3]};
  const Expr square = norm_squared(v), whole = sqrt(square + pow(q[0], 2)) + q[0];
  Expr factor = 4 / whole, xx = square / pow(whole, 2);
  for (int k = 0; k < halvings; ++k) {
    const Expr root = 1 + sqrt(1 + xx);
    factor = 2 * factor / root;
    xx = xx / pow(root, 2);
  }
  Expr sum = 0.0;
  for (int k = terms - 1; k >= 0; --k) sum = 1.0 / (2 * k + 1) - xx * sum;
  return factor * sum * v;
}

Vector times(const Symmetric& m, const Vector& v) {
  const auto& [xx, yy, zz, xy, xz, yz] = m;
  return {dot({xx, xy, xz}, v), dot({xy, yy, yz}, v), dot({xz, yz, zz}, v)};
}

bool is_nothing(const Symmetric& m) {
  return std::ranges::all_of(m, [](const Expr& e) { return e.is_constant(0); });
}

Vector seen_from(const Frame& frame, const Vector& v) {
  return {dot(frame.axes[0], v), dot(frame.axes[1], v), dot(frame.axes[2], v)};
}
Vector in_world(const Frame& frame, const Vector& v) {
  return v.x * frame.axes[0] + v.y * frame.axes[1] + v.z * frame.axes[2];
}

Vector rate_of(const StatedModel& stated, const Vector& v) {
  return {time_derivative(v.x, stated.rates), time_derivative(v.y, stated.rates),
          time_derivative(v.z, stated.rates)};
}

/// The torque on B, in the world, of an energy of the turn of B against A: its rate is -torque.(omega_B -
/// omega_A). Told by that part which turns about more axes.
Vector torque_of(const StatedModel& stated, const std::array<Part, 2>& parts, const Expr& energy) {
  const Body *a = parts[0].body(), *b = parts[1].body();
  const bool by_second = b != nullptr && (b->plane == Plane::none || a == nullptr || a->plane != Plane::none);
  const Body& body = by_second ? *b : *a;
  const Expr rate = time_derivative(energy, stated.rates);
  const auto about = [&](const Expr& speed) {
    return speed.is_symbol() ? -derivative(rate, speed) : Expr(0.0);
  };
  const Vector torque = body.axis({about(body.wx), about(body.wy), about(body.wz)});
  return by_second ? torque : -torque;
}

std::vector<Expr> start_numbers(StatedModel& stated, const BushingData& bushing,
                                const BushingOptions& options, const std::string& what) {
  const auto told = [&](const Part& frame, const Triple& point, const Orientation& turn) {
    BodyOptions pose;
    pose.position = point;
    pose.orientation = turn;
    if (frame.body() != nullptr) place_in_world(stated, start_of(stated, *frame.body()), pose, what);
    return pose;
  };
  const BodyOptions first = told(options.frame, options.point, options.orientation);
  BodyOptions second = first;
  const BodyOptions other =
      told(options.frame2, options.point2.value_or(Triple{}), options.orientation2.value_or(Orientation{}));
  if (options.point2) second.position = other.position;
  if (options.orientation2) second.orientation = other.orientation;
  std::vector<Expr> all;
  const auto add = [&](const BodyOptions& pose) {
    for (int k = 0; k < 3; ++k) all.push_back(pose.position[k]);
    for (int k = 0; k < 4; ++k) all.push_back(pose.orientation[k]);
  };
  for (int k = 0; k < 2; ++k) {
    const Body* body = bushing.parts[k].body();
    add(body != nullptr ? start_of(stated, *body) : BodyOptions{});
    add(k == 0 ? first : second);
  }
  return all;
}

}  // namespace

void Model::bushing(std::string_view name, const Part& a, const Part& b, const BushingOptions& options) {
  BushingData data;
  data.name = name;
  data.parts = {a, b};
  const std::string what = "bushing '" + data.name + "'";
  for (const BushingData& other : stated_->bushings)
    if (other.name == name) fail("there are two bushings named '" + data.name + "'");
  data.part_names = {stated_->name_of(a, what), stated_->name_of(b, what)};
  if (data.part_names[0] == data.part_names[1])
    fail(what + " is between '" + data.part_names[0] + "' and itself; it has two parts");
  std::vector<Expr> constants;
  for (const Symmetric* law :
       {&options.stiffness, &options.damping, &options.rotational_stiffness, &options.rotational_damping})
    constants.insert(constants.end(), law->begin(), law->end());
  stated_->demand(std::move(constants), "a constant of " + what,
                  [](std::span<const double>) {});  // that they are finite
  const std::vector<Expr> numbers =
      stated_->make({.name = "the frame of " + what,
                     .of = start_numbers(*stated_, data, options, what),
                     .what = every("the place of " + what + " has the component"),
                     .rule = [what](auto of, auto made) { find_frames(what, of, made); },
                     .count = 14,
                     .keep_axes = true});
  const Frame F = frame_on(a, std::span(numbers).first(7)), G = frame_on(b, std::span(numbers).last(7));
  data.points = {F.point, G.point};
  data.offset = seen_from(F, G.point - F.point);
  const auto& [w, x, y, z] = F.turn;
  data.rotation = rotation_vector(product({w, -x, -y, -z}, G.turn));

  const Vector pull = times(options.stiffness, data.offset), rate = rate_of(*stated_, data.offset);
  if (!is_nothing(options.stiffness)) stated_->potentials.push_back(dot(data.offset, pull) / 2);
  Vector force = -pull;
  if (!is_nothing(options.damping)) {
    const Vector drag = -times(options.damping, rate);
    force_at(data.offset, drag);
    force = force + drag;
  }
  data.force = in_world(F, force);
  if (!is_nothing(options.rotational_stiffness)) {
    const Expr energy = dot(data.rotation, times(options.rotational_stiffness, data.rotation)) / 2;
    stated_->potentials.push_back(energy);
    data.torque = torque_of(*stated_, data.parts, energy);
  }
  if (!is_nothing(options.rotational_damping)) {
    const Vector spin = seen_from(F, b.omega() - a.omega());
    const Vector drag = in_world(F, -times(options.rotational_damping, spin));
    if (b.body() != nullptr) torque(*b.body(), drag);
    if (a.body() != nullptr) torque(*a.body(), -drag);
    data.torque = data.torque + drag;
  }
  stated_->bushings.push_back(std::move(data));
}

}  // namespace vinculum
