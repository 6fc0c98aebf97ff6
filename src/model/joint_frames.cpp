#include "model/joint_frames.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/joint_rules.hpp"

namespace vinculum {
namespace {

using Numbers3 = std::array<double, 3>;

/// The sine of the angle between a disc and its plane below which it lies flat.
constexpr double flat = 1e-8;

double product(const Numbers3& p, const Numbers3& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }
Numbers3 crossed(const Numbers3& p, const Numbers3& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
Numbers3 combined(double s, const Numbers3& p, double t, const Numbers3& q) {
  return {s * p[0] + t * q[0], s * p[1] + t * q[1], s * p[2] + t * q[2]};
}
double length_of(const Numbers3& p) { return std::hypot(p[0], p[1], p[2]); }

/// What is rounding of something that size is nothing: zeros make short equations.
Numbers3 without_rounding(Numbers3 p, double size) {
  for (double& x : p)
    if (std::fabs(x) <= 4 * std::numeric_limits<double>::epsilon() * size) x = 0.0;
  return p;
}

/// The same of a direction, which is an axis where it is one but for rounding.
Numbers3 direction_without_rounding(Numbers3 p) {
  p = without_rounding(p, 1.0);
  for (double& x : p)
    if (std::fabs(std::fabs(x) - 1.0) <= 4 * std::numeric_limits<double>::epsilon()) x = x < 0 ? -1.0 : 1.0;
  return p;
}

Numbers3 of_length_1(const Numbers3& p) {
  const double length = length_of(p);
  return direction_without_rounding({p[0] / length, p[1] / length, p[2] / length});
}

/// Words are made only where they are needed: frames are found again for other values of parameters.
Numbers3 unit(const Numbers3& p, const char* key, const JointKind& kind) {
  if (const double length = length_of(p); !(length > 0) || !std::isfinite(length))
    require_direction(p, "'" + std::string(key) + "' of " + kind.what);
  return of_length_1(p);
}

/// A joint's axes at the start, in the world: u, and a and b across it with u = a x b. `a` is that axis of
/// the first part (of the world for the ground) that is farthest from u, made perpendicular: where u is an
/// axis of the part, so are a and b, and the equations are short.
struct Axes {
  Numbers3 u, a, b;
};
Axes axes_about(const Numbers3& u, const std::array<Numbers3, 3>& of_part) {
  int farthest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(product(u, of_part[k])) < std::fabs(product(u, of_part[farthest])) - 1e-9) farthest = k;
  const Numbers3& e = of_part[farthest];
  const Numbers3 a = of_length_1(combined(1.0, e, -product(e, u), u));
  return {u, a, direction_without_rounding(crossed(u, a))};
}

/// The axes turned by the shortest way that brings u to another direction.
Axes turned(const Axes& axes, const Numbers3& to) {
  const double cosine = product(axes.u, to);
  const Numbers3 k = crossed(axes.u, to);
  if (cosine < -1 + 1e-12)  // turned right round: any way is the shortest
    return {to, axes.a, crossed(to, axes.a)};
  const auto turn = [&](const Numbers3& p) {
    const Numbers3 first = combined(cosine, p, 1.0, crossed(k, p));
    return direction_without_rounding(combined(1.0, first, product(k, p) / (1 + cosine), k));
  };
  return {to, turn(axes.a), turn(axes.b)};
}

/// Numbers in their order, read or written.
template <class Number>
class Cursor {
 public:
  explicit Cursor(std::span<Number> all) : at_(all.data()) {}
  Numbers3 three() {
    const Numbers3 p{at_[0], at_[1], at_[2]};
    at_ += 3;
    return p;
  }
  double one() { return *at_++; }
  void put(const Numbers3& p) { at_ = std::copy(p.begin(), p.end(), at_); }
  void put(double x) { *at_++ = x; }

 private:
  Number* at_;
};

/// Where a part is at the start: what is fixed in it there is seen from it.
class Pose {
 public:
  Pose(Cursor<const double>& from, bool is_ground) : is_ground_(is_ground), position_(from.three()) {
    const double w = from.one(), x = from.one(), y = from.one(), z = from.one();
    if (is_ground) return;
    column_ = {{{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}}};
  }
  Numbers3 direction(const Numbers3& of_world) const {
    return is_ground_ ? of_world : direction_without_rounding(seen(of_world));
  }
  Numbers3 point(const Numbers3& of_world) const {
    if (is_ground_) return of_world;
    const double size = length_of(of_world) + length_of(position_);
    return without_rounding(seen(combined(1.0, of_world, -1.0, position_)), size);
  }
  const std::array<Numbers3, 3>& columns() const { return column_; }

 private:
  Numbers3 seen(const Numbers3& p) const {
    return {product(column_[0], p), product(column_[1], p), product(column_[2], p)};
  }
  bool is_ground_;
  Numbers3 position_;
  std::array<Numbers3, 3> column_ = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

void require_tilted(const JointKind& kind, const Numbers3& axis, const Numbers3& normal) {
  if (!kind.disc || length_of(combined(1.0, axis, -product(axis, normal), normal)) >= flat) return;
  fail("the disc of " + kind.what +
       " lies flat on its plane, its axis along the normal: where it touches is not defined; tilt it (its "
       "'axis' and the orientation of '" +
       kind.parts[1] + "'), or let a 'planar' joint hold it flat");
}

/// A joint at the start, in the world: points and directions, of length 1.
struct AtStart {
  Pose parts[2];
  Numbers3 point[2], u[2];
};

AtStart at_start(const JointKind& kind, std::span<const double> start) {
  Cursor<const double> from(start);
  const Pose first(from, kind.ground[0]), second(from, kind.ground[1]);
  const Numbers3 point = from.three(), axis = from.three(), point2 = from.three(), axis2 = from.three(),
                 normal = from.three();
  const bool rolls = kind.type == JointType::rolling;
  const Numbers3 u = rolls ? unit(normal, "normal", kind) : unit(axis, "axis", kind);
  const Numbers3 other = unit(axis2, "axis2", kind);
  if (kind.type == JointType::universal) require_not_parallel(u, other, "'axis2' of " + kind.what);
  if (rolls) require_tilted(kind, other, u);
  return {{first, second}, {point, point2}, {u, other}};
}

}  // namespace

void require_direction(const Numbers3& direction, const std::string& what) {
  const double length = length_of(direction);
  if (!(length > 0) || !std::isfinite(length))
    fail(what + " has the length " + number_text(length) +
         "; a direction of any finite length but zero is asked for");
}

void require_radius(double radius, const std::string& what) {
  if (!(radius > 0)) fail(what + " is " + number_text(radius) + "; it must be more than 0");
}

/// |d|^2 = 0 is one row that vanishes with d: it would hold nothing.
void require_length(double length, const std::string& what) {
  if (!(length > 0))
    fail(what + " is " + number_text(length) +
         "; it must be more than 0 (type \"spherical\" holds two points together)");
}

/// Where they are parallel no way of turning is nearer to a right angle than another.
void require_not_parallel(const Numbers3& axis, const Numbers3& axis2, const std::string& what) {
  if (length_of(crossed(axis, axis2)) <= 1e-8 * length_of(axis) * length_of(axis2))
    fail(what + " is parallel to 'axis'; the two axes of a universal joint are at right angles");
}

bool has_axes_across(JointType type) {
  return type != JointType::spherical && type != JointType::universal && type != JointType::weld &&
         type != JointType::distance;
}

std::vector<Expr> JointStart::numbers() const {
  std::vector<Expr> all;
  all.reserve(2 * (3 + 4) + 5 * 3);
  const auto add = [&](const auto& list, int count) {
    for (int k = 0; k < count; ++k) all.push_back(list[k]);
  };
  for (const Place& part : parts) {
    add(part.position, 3);
    add(part.orientation, 4);
  }
  for (const Triple& given : {point, axis, point2, axis2, normal}) add(given, 3);
  return all;
}

std::string JointStart::sentence(const JointKind& kind, std::size_t place) {
  constexpr std::size_t of_part = 3 + 4;
  if (const std::size_t part = place / of_part; part < kind.parts.size())
    return place % of_part < 3 ? "the position of body '" + kind.parts[part] + "' has the component"
                               : "the orientation of body '" + kind.parts[part] + "' is";
  constexpr const char* keys[] = {"point", "axis", "point2", "axis2", "normal"};
  return "'" + std::string(keys[(place - 2 * of_part) / 3]) + "' of " + kind.what + " has the component";
}

JointFrames::JointFrames(std::span<const Expr> numbers, std::span<const Expr> across) {
  const auto next = [](std::span<const Expr>& from) {
    const Vector v{from[0], from[1], from[2]};
    from = from.subspan(3);
    return v;
  };
  for (Side& side : sides) {
    side.point = next(numbers);
    side.u = next(numbers);
    if (across.empty()) continue;
    side.a = next(across);
    side.b = next(across);
  }
  for (std::array<Vector, 3>& axes : world)
    for (Vector& axis : axes) axis = next(numbers);
  distance = numbers[0];
}

/// The first axis of a part that is across u is taken, whatever the others are.
bool JointFrames::choice_stays() const {
  const Vector& u = sides[0].u;
  return u.x.is_constant(0) || (u.x.is_constant() && u.y.is_constant() && u.z.is_constant());
}

/// What a type has no use for stays zero: it need not follow anything.
void find_frames(const JointKind& kind, std::span<const double> start, std::span<double> frames) {
  const AtStart at = at_start(kind, start);
  Cursor<double> to(frames);
  for (int k = 0; k < 2; ++k) {
    to.put(at.parts[k].point(at.point[k]));
    to.put(at.parts[k].direction(at.u[k]));
  }
  const bool turns_in_space =
      kind.type == JointType::weld || kind.type == JointType::universal || kind.type == JointType::spherical;
  for (const Pose& pose : at.parts)
    for (const Numbers3& of_world : {Numbers3{1, 0, 0}, Numbers3{0, 1, 0}, Numbers3{0, 0, 1}})
      to.put(turns_in_space ? pose.direction(of_world) : Numbers3{});
  const Numbers3 d = combined(1.0, at.point[0], -1.0, at.point[1]);
  to.put(kind.type == JointType::distance
             ? length_of(without_rounding(d, length_of(at.point[0]) + length_of(at.point[1])))
             : 0.0);
}

void find_across(const JointKind& kind, std::span<const double> start, std::span<double> across) {
  const AtStart at = at_start(kind, start);
  const Axes first = axes_about(at.u[0], at.parts[0].columns());
  const bool rolls = kind.type == JointType::rolling;
  const Axes axes[] = {first, rolls ? Axes{at.u[1], {}, {}} : turned(first, at.u[1])};
  Cursor<double> to(across);
  for (int k = 0; k < 2; ++k) {
    const bool has_none = k == 1 && rolls;
    for (const Numbers3& axis : {axes[k].a, axes[k].b})
      to.put(has_none ? Numbers3{} : at.parts[k].direction(axis));
  }
}

}  // namespace vinculum
