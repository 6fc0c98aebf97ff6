// Where joints start, in their own coordinates. But for its loops a machine is a tree of joints: what is
// beyond one is turned and moved with it as one piece, from where it is drawn. So a place is a product of the
// turns and shifts on the way to it (the product of exponentials of robots), each about the axis as drawn.
#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <numeric>

#include "model/joint_laws.hpp"
#include "model/plane.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// x -> turn x + shift.
struct Displacement {
  Quaterniond turn = Quaterniond::Identity();
  Vector3d shift = Vector3d::Zero();
  Displacement operator*(const Displacement& before) const {
    return {turn * before.turn, turn * before.shift + shift};
  }
  Displacement inverse() const { return {turn.conjugate(), -(turn.conjugate() * shift)}; }
};

/// How a rigid piece moves: its angular velocity, and the velocity of what is at the origin.
struct Twist {
  Vector3d omega = Vector3d::Zero(), origin = Vector3d::Zero();
  Twist operator+(const Twist& o) const { return {omega + o.omega, origin + o.origin}; }
  Twist operator-(const Twist& o) const { return {omega - o.omega, origin - o.origin}; }
  Twist operator*(double s) const { return {s * omega, s * origin}; }
};
Twist displaced(const Displacement& d, const Twist& w) {
  const Vector3d omega = d.turn * w.omega;
  return {omega, d.turn * w.origin + d.shift.cross(omega)};
}

/// What one coordinate of a joint does: turns about an axis through a point, moves along it, or both.
struct Screw {
  Vector3d axis = Vector3d::UnitZ(), point = Vector3d::Zero();
  bool slides = false;
  double travel = 0.0;  // for a radian
  Displacement by(double x) const {
    if (slides) return {Quaterniond::Identity(), x * axis};
    const Quaterniond turn(Eigen::AngleAxisd(x, axis));
    return {turn, point - turn * point + travel * x * axis};
  }
  Twist unit() const {
    if (slides) return {Vector3d::Zero(), axis};
    return {axis, point.cross(axis) + travel * axis};
  }
  /// How fast a piece that moves so turns or slides.
  double rate(const Twist& w) const { return axis.dot(slides ? w.origin + w.omega.cross(point) : w.omega); }
};

Vector3d three(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2]}; }
void put(const Vector3d& v, double* to) { std::copy_n(v.data(), 3, to); }

/// A pose as drawn, of the numbers of a body.
struct Pose {
  Vector3d position = Vector3d::Zero();
  Quaterniond turn = Quaterniond::Identity();
  Twist twist;
};
Pose pose_of(std::span<const double> n) {
  Pose p{three(n), Quaterniond(n[3], n[4], n[5], n[6]).normalized(), {}};
  p.twist.omega = p.turn * three(n.subspan(10));
  p.twist.origin = three(n.subspan(7)) - p.twist.omega.cross(p.position);
  return p;
}
void put_pose(const Pose& p, double* to) {
  put(p.position, to);
  const double q[] = {p.turn.w(), p.turn.x(), p.turn.y(), p.turn.z()};
  std::copy_n(q, 4, to + 3);
  put(p.twist.origin + p.twist.omega.cross(p.position), to + 7);
  put(p.turn.conjugate() * p.twist.omega, to + 10);
}

bool says(const CoordinateOfJointStart& s) { return s.value || s.rate; }
bool says(const JointData& joint) {
  return std::ranges::any_of(joint.options.start, [](const CoordinateOfJointStart& s) { return says(s); });
}

int body_of(const StatedModel& stated, const Part& part) {
  if (part.body() == nullptr) return -1;
  const bool has_x = part.body()->plane != Plane::yz;
  return *stated.body_at.find((has_x ? part.body()->x : part.body()->y).id());
}

/// A joint on the way from a root of the tree: from one body, or the ground (-1), to the next.
struct Way {
  int joint = 0, from = 0, to = 0;
};

/// The machine without its loops. Joints that say where they start come first into it.
struct JointTree {
  std::vector<Way> ways;        // nearer to the roots first
  std::vector<char> is_closed;  // joints that close loops
};

std::vector<int> tree_joints(const StatedModel& stated, std::vector<char>& is_closed) {
  std::vector<int> order(stated.joints.size()), group(stated.bodies.size() + 1), chosen;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order, [&](int j) { return says(stated.joints[j]); });
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int k) {
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
  };
  is_closed.assign(stated.joints.size(), 0);
  for (const int j : order) {
    const auto& parts = stated.joints[j].parts;
    const int a = root(body_of(stated, parts[0]) + 1), b = root(body_of(stated, parts[1]) + 1);
    is_closed[j] = a == b;
    if (a == b) continue;
    group[a] = b;
    chosen.push_back(j);
  }
  return chosen;
}

JointTree tree_of(const StatedModel& stated) {
  JointTree tree;
  const std::vector<int> chosen = tree_joints(stated, tree.is_closed);
  std::vector<std::vector<Way>> from(stated.bodies.size() + 1);
  for (const int j : chosen) {
    const auto& parts = stated.joints[j].parts;
    const int a = body_of(stated, parts[0]), b = body_of(stated, parts[1]);
    from[a + 1].push_back({j, a, b});
    from[b + 1].push_back({j, b, a});
  }
  std::vector<char> reached(from.size(), 0);
  for (int begin = -1; begin < static_cast<int>(stated.bodies.size()); ++begin) {
    if (reached[begin + 1]) continue;
    std::vector<int> next{begin};
    reached[begin + 1] = 1;
    for (std::size_t k = 0; k < next.size(); ++k)
      for (const Way& way : from[next[k] + 1]) {
        if (reached[way.to + 1]) continue;
        reached[way.to + 1] = 1;
        tree.ways.push_back(way);
        next.push_back(way.to);
      }
  }
  return tree;
}

/// What the rule knows of a way before it has numbers: where these are.
struct Piece {
  Way way;
  bool is_turned_about = false;  // B is where it comes from
  int before = -1;               // the piece it comes from; -1: that stays as it is drawn
  int from = -1, to = 0;         // first number of the poses; -1: of the ground
  int joint = -1;                // first number of the joint; -1: nothing is said of it
  JointType type = JointType::spherical;
  std::vector<char> has_value, has_rate;
};

/// Numbers of a joint: point, axis, axis2, travel for a radian; of each coordinate what it is as drawn, and
/// the value and the rate it is to have.
constexpr int numbers_before_coordinates = 10;

std::vector<Screw> screws_of(const Piece& piece, std::span<const double> n) {
  const Vector3d point = three(n), axis = three(n.subspan(3)), axis2 = three(n.subspan(6));
  const auto about = [&](const Vector3d& u) { return Screw{u.normalized(), point, false, 0.0}; };
  if (piece.type == JointType::universal) return {about(axis), about(axis2)};
  if (piece.type == JointType::spherical)
    return {about(Vector3d::UnitX()), about(Vector3d::UnitY()), about(Vector3d::UnitZ())};
  std::vector<Screw> screws;
  for (const std::string_view word : joint_coordinates(piece.type)) {
    screws.push_back(about(axis));
    screws.back().slides = word == "distance";
    if (piece.type == JointType::screw) screws.back().travel = n[9];
  }
  return screws;
}

/// How B is displaced against A from where it is drawn, and moves against it.
struct Relative {
  Displacement displacement;
  Twist twist;
};
Relative relative_of(const Piece& piece, std::span<const double> n, double part, Twist drawn) {
  Relative r;
  if (piece.joint < 0) return {{}, drawn};
  n = n.subspan(piece.joint);
  const std::vector<Screw> screws = screws_of(piece, n);
  for (std::size_t k = 0; k < screws.size(); ++k) {
    const double* at = n.data() + numbers_before_coordinates + 3 * k;
    const double before = screws[k].rate(drawn);
    drawn = drawn - screws[k].unit() * before;
    r.twist = r.twist + displaced(r.displacement, screws[k].unit() * (piece.has_rate[k] ? at[2] : before));
    if (piece.has_value[k]) r.displacement = r.displacement * screws[k].by(part * (at[1] - at[0]));
  }
  r.twist = r.twist + drawn;  // what the joint does not let it do is left as it was drawn
  return r;
}

/// From the poses as drawn to those at the start.
void follow(std::span<const Piece> pieces, std::span<const double> n, std::span<double> made) {
  std::vector<Displacement> displacement(pieces.size());
  std::vector<Twist> twist(pieces.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const Piece& piece = pieces[k];
    const Pose from = piece.from < 0 ? Pose{} : pose_of(n.subspan(piece.from));
    Pose to = pose_of(n.subspan(piece.to));
    const Displacement carried = piece.before < 0 ? Displacement{} : displacement[piece.before];
    const Twist carried_twist = piece.before < 0 ? from.twist : twist[piece.before];
    const double sign = piece.is_turned_about ? -1.0 : 1.0;
    const Relative r = relative_of(piece, n, n[0], (to.twist - from.twist) * sign);
    displacement[k] = carried * (piece.is_turned_about ? r.displacement.inverse() : r.displacement);
    const Displacement& of_a = piece.is_turned_about ? displacement[k] : carried;
    twist[k] = carried_twist + displaced(of_a, r.twist) * sign;
    to.position = displacement[k].turn * to.position + displacement[k].shift;
    to.turn = displacement[k].turn * to.turn;
    to.twist = twist[k];
    put_pose(to, made.data() + pose_numbers * k);
  }
}

/// The pieces and the numbers that a rule makes their starts of.
struct Moving {
  std::vector<Piece> pieces;
  std::vector<Expr> of;
  std::vector<std::string> what;
};

class MovingMaker {
 public:
  MovingMaker(const StatedModel& stated, const Expr& part) : stated_(stated) {
    add(part, "the part of the way to the start");
    std::vector<int> piece_of_body(stated.bodies.size() + 1, -1);
    for (const Way& way : tree_of(stated).ways) {
      const JointData& joint = stated.joints[way.joint];
      if (piece_of_body[way.from + 1] < 0 && !says(joint)) continue;
      // What stays in a plane is not carried out of it: that is left to assembly.
      if (stated.bodies[way.to].body.plane != joint.plane) continue;
      piece_of_body[way.to + 1] = static_cast<int>(out.pieces.size());
      out.pieces.push_back(piece_of(way, joint));
      out.pieces.back().before = piece_of_body[way.from + 1];
    }
  }
  Moving out;

 private:
  void add(const Expr& number, const std::string& what) {
    out.of.push_back(number);
    out.what.push_back(what + " is");
  }
  int pose_at(int body) {
    if (body < 0) return -1;
    const auto [known, is_new] = poses_.emplace(body, static_cast<int>(out.of.size()));
    if (is_new)
      for (const Expr& number : numbers_of(start_of(stated_, stated_.bodies[body].body)))
        add(number, "the start of body '" + stated_.bodies[body].name + "'");
    return known->second;
  }
  Piece piece_of(const Way& way, const JointData& joint) {
    Piece piece;
    piece.way = way;
    piece.is_turned_about = body_of(stated_, joint.parts[0]) != way.from;
    piece.from = pose_at(way.from);
    piece.to = pose_at(way.to);
    piece.type = joint.options.type;
    if (!says(joint)) return piece;
    piece.joint = static_cast<int>(out.of.size());
    const JointOptions& o = joint.options;
    const std::string what = "joint '" + joint.name + "'";
    for (const Triple& given : {o.point, o.axis, o.axis2.value_or(o.axis)})
      for (int k = 0; k < 3; ++k) add(given[k], what);
    add(o.pitch / (2 * std::numbers::pi), "the pitch of " + what);
    for (int k = 0; k < static_cast<int>(joint_coordinates(o.type).size()); ++k) {
      const CoordinateOfJointStart start =
          k < static_cast<int>(o.start.size()) ? o.start[k] : CoordinateOfJointStart{};
      const std::string name = "the start of '" + coordinate_name(joint, k) + "'";
      add(drawn_coordinate(joint, k), name);
      add(start.value.value_or(0.0), name);
      add(start.rate.value_or(0.0), "the rate of '" + coordinate_name(joint, k) + "'");
      piece.has_value.push_back(start.value.has_value());
      piece.has_rate.push_back(start.rate.has_value());
    }
    return piece;
  }
  const StatedModel& stated_;
  std::unordered_map<int, int> poses_;
};

template <class Data>
void set_number(const StatedModel& stated, Data& of, const Expr& value) {
  of.start_from = value;
  of.start = stated.number_of(value, "the start of '" + of.name + "'");
}

/// From where its coordinates and velocities stand: all of a pose, or what a plane leaves of it.
void start_body(StatedModel& stated, const Model::BodyData& body, std::span<const Expr> pose) {
  std::vector<Expr> place(pose.begin(), pose.begin() + 7), pace(pose.begin() + 7, pose.end());
  if (body.body.plane != Plane::none) {
    const int normal = axes_of(body.body.plane).normal;
    const Expr angle =
        angle_in_plane(stated, body.name, body.body.plane, {pose[3], pose[4], pose[5], pose[6]});
    place.assign(pose.begin(), pose.begin() + 3);
    pace.assign(pose.begin() + 7, pose.begin() + 10);
    place.erase(place.begin() + normal);
    pace.erase(pace.begin() + normal);
    place.push_back(angle);
    pace.push_back(pose[10 + normal]);
  }
  for (std::size_t i = 0; i < place.size(); ++i)
    set_number(stated, stated.coordinates[body.first_coordinate + i], place[i]);
  for (std::size_t i = 0; i < pace.size(); ++i)
    set_number(stated, stated.velocities[body.first_velocity + i], pace[i]);
}

void move_bodies(StatedModel& stated, const Expr& part) {
  const Moving moving = MovingMaker(stated, part).out;
  if (moving.pieces.empty()) return;
  const std::vector<Expr> made =
      stated.make({.name = "the start of joints",
                   .of = moving.of,
                   .what = [what = moving.what](std::size_t place) { return what[place]; },
                   .rule = [pieces = moving.pieces](std::span<const double> n,
                                                    std::span<double> to) { follow(pieces, n, to); },
                   .count = pose_numbers * static_cast<int>(moving.pieces.size())});
  for (std::size_t k = 0; k < moving.pieces.size(); ++k) {
    const Model::BodyData body = stated.bodies[moving.pieces[k].way.to];
    start_body(stated, body, std::span(made).subspan(pose_numbers * k, pose_numbers));
  }
}

/// The second of three angles about x, y and z: at a right angle the other two are one.
void demand_cardan_angles(StatedModel& stated) {
  for (const JointData& joint : std::vector(stated.joints)) {
    const auto& start = joint.options.start;
    if (joint.options.type != JointType::spherical || start.size() < 2 || !start[1].value) continue;
    const std::string what = "the start of '" + coordinate_name(joint, 1) + "'";
    stated.demand({*start[1].value}, what, [what](std::span<const double> n) {
      constexpr double aside = 1e-6;
      if (!(std::fabs(n[0]) < std::numbers::pi / 2 - aside))
        fail(what + " is " + number_text(n[0]) +
             "; it lies between -pi/2 and pi/2, where the other two are one");
    });
  }
}

}  // namespace

std::string coordinate_name(const JointData& joint, int place) {
  return joint.name + "." + std::string(joint_coordinates(joint.options.type)[place]);
}

Expr drawn_coordinate(const JointData& joint, int place) {
  const JointOptions& o = joint.options;
  if (joint_coordinates(o.type)[place] == "angle") return o.angle;
  if (joint_coordinates(o.type)[place] != "distance" || !o.point2) return 0.0;
  const auto vector = [](const Triple& t) { return Vector{t[0], t[1], t[2]}; };
  const Vector u = vector(o.axis);
  return dot(u, vector(*o.point2) - vector(o.point)) / norm(u);
}

bool has_joint_starts(const Model& model) {
  return std::ranges::any_of(model.joints(), [](const JointData& j) { return says(j); });
}

bool has_starts_in_loops(const Model& model) {
  const JointTree tree = tree_of(model.stated());
  for (std::size_t j = 0; j < tree.is_closed.size(); ++j)
    if (tree.is_closed[j] && says(model.joints()[j])) return true;
  return false;
}

Model at_joint_starts(const Model& model, const Expr& part) {
  Model result = model;
  if (!has_joint_starts(model)) return result;
  StatedModel& stated = result.stated();
  demand_cardan_angles(stated);
  move_bodies(stated, part);
  for (JointData& joint : stated.joints) {
    const auto& start = joint.options.start;
    for (std::size_t k = 0; k < std::min(start.size(), joint.angles.size()); ++k)
      if (start[k].value && joint.angles[k] >= 0) {
        const Expr drawn = drawn_coordinate(joint, static_cast<int>(k));
        set_number(stated, stated.coordinates[joint.angles[k]], drawn + part * (*start[k].value - drawn));
      }
    joint.options.start.clear();
  }
  start_rotors(result);
  return result;
}

void Model::start_joint(std::string_view name, int place, const CoordinateOfJointStart& start) {
  JointData& joint = stated_->joints[&stated_->find_joint(name) - stated_->joints.data()];
  const auto words = joint_coordinates(joint.options.type);
  if (place < 0 || place >= static_cast<int>(words.size()))
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) + " and has " +
         std::to_string(words.size()) + " coordinates of its own; one with the number " +
         std::to_string(place) + ", counted from 0, cannot be started");
  joint.options.start.resize(std::max<std::size_t>(joint.options.start.size(), place + 1));
  joint.options.start[place] = start;
}

void Model::set_start(std::string_view name, const Expr& value) {
  for (CoordinateData& c : stated_->coordinates)
    if (c.name == name) return set_number(*stated_, c, value);
  for (VelocityData& v : stated_->velocities)
    if (v.name == name) return set_number(*stated_, v, value);
  std::vector<std::string> names;
  for (const CoordinateData& c : stated_->coordinates) names.push_back(c.name);
  for (const VelocityData& v : stated_->velocities) names.push_back(v.name);
  const std::string near = nearest_name(name, names);
  fail("there is no coordinate or velocity '" + std::string(name) + "' to start" +
       (near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

}  // namespace vinculum
