// Starts in coordinates of joints: what is beyond a joint goes with it, loops are closed on the branch that
// is drawn, what is fixed holds, and conflicts are named.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/error.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Start = CoordinateOfJointStart;

Body rod(Model& m, const char* name, const Triple& centre, const Orientation& turn = {1, 0, 0, 0}) {
  BodyOptions o;
  o.mass = 1.0;
  o.inertia = {0.02, 0.1, 0.11, 0, 0, 0};
  o.position = centre;
  o.orientation = turn;
  return m.body(name, o);
}
Start at(double value) { return {.value = Expr(value)}; }
Start at(double value, double rate) { return {.value = Expr(value), .rate = Expr(rate)}; }

double value(const System& s, const State& state, const std::string& name) {
  const auto find = [&](const std::vector<std::string>& names, const std::vector<double>& all) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? NAN : all[found - names.begin()];
  };
  const double q = find(s.coordinate_names(), state.q);
  return std::isnan(q) ? find(s.velocity_names(), state.v) : q;
}
Vector3d place(const System& s, const State& state, const std::string& body) {
  return {value(s, state, body + ".x"), value(s, state, body + ".y"), value(s, state, body + ".z")};
}
Vector3d velocity(const System& s, const State& state, const std::string& body) {
  return {value(s, state, body + ".x'"), value(s, state, body + ".y'"), value(s, state, body + ".z'")};
}
Matrix3d turn_of(const System& s, const State& state, const std::string& body) {
  return Eigen::Quaterniond(value(s, state, body + ".qw"), value(s, state, body + ".qx"),
                            value(s, state, body + ".qy"), value(s, state, body + ".qz"))
      .toRotationMatrix();
}
double worst_miss(const System& s, const State& state) {
  Workspace work(s);
  Residuals miss;
  residuals(s, state, work, miss);
  double worst = 0;
  for (const auto* list : {&miss.position, &miss.velocity})
    for (const double x : *list) worst = std::max(worst, std::fabs(x));
  return worst;
}

/// Two rods in the x-z plane, drawn along x; turning about -y lifts them.
Model arm(const std::vector<Start>& shoulder, const std::vector<Start>& elbow, bool backward = false) {
  Model m;
  const Body upper = rod(m, "upper", {0.5, 0, 0}), lower = rod(m, "lower", {1.5, 0, 0});
  const auto hinge = [&](const char* name, const Part& a, const Part& b, double x, const auto& start) {
    JointOptions o{.type = JointType::revolute, .point = {x, 0, 0}, .axis = {0, -1, 0}};
    o.start = start;
    if (backward) o.axis = {0, 1, 0};
    backward ? m.joint(name, b, a, o) : m.joint(name, a, b, o);
  };
  hinge("shoulder", {}, upper, 0, shoulder);
  hinge("elbow", upper, lower, 1, elbow);
  return m;
}

TEST(JointStarts, AnArmStartsAtItsAnglesAndRates) {
  const double a = 0.5, b = -1.1, da = 2.0, db = -0.7;
  for (const bool backward : {false, true}) {
    const Model m = arm({at(a, da)}, {at(b, db)}, backward);
    const System s(m);
    const State start = s.start();
    const auto along = [](double angle) { return Vector3d(std::cos(angle), 0, std::sin(angle)); };
    const auto across = [](double angle) { return Vector3d(-std::sin(angle), 0, std::cos(angle)); };
    EXPECT_LT((place(s, start, "upper") - 0.5 * along(a)).norm(), 1e-15);
    EXPECT_LT((place(s, start, "lower") - along(a) - 0.5 * along(a + b)).norm(), 1e-15);
    EXPECT_LT((velocity(s, start, "upper") - 0.5 * da * across(a)).norm(), 1e-15);
    EXPECT_LT((velocity(s, start, "lower") - da * across(a) - 0.5 * (da + db) * across(a + b)).norm(), 2e-15);
    EXPECT_LT(worst_miss(s, start), 2e-15);
    EXPECT_LT((turn_of(s, start, "lower") * Vector3d::UnitX() - along(a + b)).norm(), 1e-15);
    const StartInJoints found = assemble_in_joints(m, s, 0.0);
    EXPECT_TRUE(found.assembly.consistent);
    EXPECT_FALSE(found.held);
  }
}

/// The same arm of bodies that stay in their plane.
TEST(JointStarts, BodiesInAPlaneStartThere) {
  const auto arm_of = [](Plane plane) {
    Model m;
    const auto flat = [&](const char* name, double x) {
      BodyOptions o;
      o.mass = 1.0;
      o.inertia = {0.02, 0.1, 0.11, 0, 0, 0};
      o.position = {x, 0, 0};
      o.plane = plane;
      return m.body(name, o);
    };
    const Body upper = flat("upper", 0.5), lower = flat("lower", 1.5);
    JointOptions o{.type = JointType::revolute, .point = {0, 0, 0}, .axis = {0, -1, 0}};
    o.start = {at(0.5, 2.0)};
    m.joint("shoulder", {}, upper, o);
    o.point = {1, 0, 0};
    o.start = {at(-1.1, -0.7)};
    m.joint("elbow", upper, lower, o);
    return m;
  };
  const System flat(arm_of(Plane::xz)), space(arm_of(Plane::none));
  for (const char* name : {"upper.x", "upper.z", "lower.x", "lower.z", "upper.x'", "lower.x'", "lower.z'"})
    EXPECT_NEAR(value(flat, flat.start(), name), value(space, space.start(), name), 2e-15) << name;
  EXPECT_NEAR(value(flat, flat.start(), "lower.angle"), 1.1 - 0.5, 2e-15);
  EXPECT_NEAR(value(flat, flat.start(), "lower.angle'"), -1.3, 2e-15);
  EXPECT_LT(worst_miss(flat, flat.start()), 4e-15);
}

TEST(JointStarts, WhatIsNotSaidStaysAsDrawn) {
  const System s(arm({at(0.8)}, {}));
  const State start = s.start();
  // The elbow stays stretched.
  EXPECT_LT((place(s, start, "lower") - 3.0 * place(s, start, "upper")).norm(), 1e-15);
}

TEST(JointStarts, VelocitiesThatAreDrawnGoAlong) {
  Model m;
  BodyOptions o;
  o.mass = 1.0;
  o.inertia = {0.1, 0.2, 0.3, 0, 0, 0};
  o.position = {1, 0, 0};
  o.velocity = {0, 3, 0};
  o.omega_body = Triple{0, 0, 3};
  const Body b = m.body("b", o);
  JointOptions hinge{.type = JointType::revolute, .point = {0, 0, 0}, .axis = {0, 0, 1}};
  hinge.start = {at(std::numbers::pi / 2)};
  m.joint("hinge", {}, b, hinge);
  const System s(m);
  EXPECT_LT((place(s, s.start(), "b") - Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((velocity(s, s.start(), "b") - Vector3d(-3, 0, 0)).norm(), 1e-14);
}

TEST(JointStarts, ScrewsSlidersAndCylinders) {
  Model m;
  const Body a = rod(m, "a", {0.2, 0, 0}), b = rod(m, "b", {0.2, 1, 0}), c = rod(m, "c", {0.2, 2, 0});
  JointOptions screw{.type = JointType::screw, .point = {0, 0, 0}, .axis = {0, 0, 2}, .pitch = 0.1};
  screw.start = {at(7.0, 3.0)};
  JointOptions slider{.type = JointType::prismatic, .point = {0, 1, 0}, .axis = {1, 1, 0}};
  slider.start = {at(-0.4, 2.0)};
  JointOptions both{.type = JointType::cylindrical, .point = {0, 2, 0}, .axis = {0, 0, 1}};
  both.start = {at(0.3, 1.5), at(0.6, -0.2)};
  m.joint("screw", {}, a, screw);
  m.joint("slider", {}, b, slider);
  m.joint("both", {}, c, both);
  m.joint_angle("screw");
  const System s(m);
  const State start = s.start();
  const double travel = 0.1 / (2 * std::numbers::pi);
  EXPECT_LT((place(s, start, "a") - Vector3d(0.2 * std::cos(7), 0.2 * std::sin(7), 7 * travel)).norm(),
            1e-15);
  EXPECT_NEAR(velocity(s, start, "a").z(), 3 * travel, 1e-16);
  EXPECT_EQ(value(s, start, "screw.angle"), 7.0);
  const Vector3d u = Vector3d(1, 1, 0).normalized();
  EXPECT_LT((place(s, start, "b") - Vector3d(0.2, 1, 0) + 0.4 * u).norm(), 1e-15);
  EXPECT_LT((velocity(s, start, "b") - 2 * u).norm(), 1e-15);
  EXPECT_LT((place(s, start, "c") - Vector3d(0.2 * std::cos(0.3), 2 + 0.2 * std::sin(0.3), 0.6)).norm(),
            1e-15);
  EXPECT_NEAR(velocity(s, start, "c").z(), -0.2, 1e-15);
  EXPECT_LT(worst_miss(s, start), 1e-14);
}

/// Against rotation matrices, and rates against differences of the angles along the motion.
TEST(JointStarts, AnglesOfUniversalAndSphericalJoints) {
  Model m;
  const Body spider = rod(m, "spider", {0.5, 0.1, 0}), ball = rod(m, "ball", {3.5, 0.1, 0.2});
  JointOptions universal{.type = JointType::universal, .point = {0, 0, 0}, .axis = {0, 1, 0}};
  universal.axis2 = Triple{0, 0, 1};
  universal.start = {at(0.4, 1.0), at(-0.3, 2.0)};
  m.joint("u", {}, spider, universal);
  JointOptions spherical{.type = JointType::spherical, .point = {3, 0, 0}};
  spherical.start = {at(0.4, 1.0), at(-0.3, 2.0), at(0.9, -0.5)};
  m.joint("s", {}, ball, spherical);
  std::vector<Expr> angles;
  for (int k = 0; k < 2; ++k) angles.push_back(m.joint_angle("u", k));
  for (int k = 0; k < 3; ++k) angles.push_back(m.joint_angle("s", k));
  for (std::size_t k = 0; k < angles.size(); ++k) {
    m.output("a" + std::to_string(k), angles[k]);
    m.output("r" + std::to_string(k), m.rate(angles[k]));
  }
  const System s(m);
  const State start = s.start();
  const Matrix3d turned =
      (AngleAxisd(0.4, Vector3d::UnitY()) * AngleAxisd(-0.3, Vector3d::UnitZ())).toRotationMatrix();
  EXPECT_LT((turn_of(s, start, "spider") - turned).norm(), 1e-15);
  const Matrix3d cardan = (AngleAxisd(0.4, Vector3d::UnitX()) * AngleAxisd(-0.3, Vector3d::UnitY()) *
                           AngleAxisd(0.9, Vector3d::UnitZ()))
                              .toRotationMatrix();
  EXPECT_LT((turn_of(s, start, "ball") - cardan).norm(), 1e-15);
  EXPECT_LT(worst_miss(s, start), 1e-15);
  MotionOptions how;
  how.until = 0.02;
  how.samples = 3;
  how.tolerance = 1e-12;
  const Trajectory motion = simulate(s, how);
  const double said[] = {0.4, 1.0, -0.3, 2.0, 0.4, 1.0, -0.3, 2.0, 0.9, -0.5};
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(motion[0].outputs[k], said[k], 1e-14) << k;
  // Central differences over 0.01 s are right to (0.01)^2 times third derivatives.
  for (int k = 0; k < 10; k += 2)
    EXPECT_NEAR((motion[2].outputs[k] - motion[0].outputs[k]) / 0.02, motion[1].outputs[k + 1], 2e-3) << k;
}

/// Counted over several turns, and against the angle a hinge would show.
TEST(JointStarts, TheFirstAngleOfAUniversalJointCountsItsTurns) {
  Model m;
  const Body b = rod(m, "b", {0, 0, 0});
  JointOptions universal{.type = JointType::universal, .point = {0, 0, 0}, .axis = {0, 1, 0}};
  universal.axis2 = Triple{0, 0, 1};
  universal.start = {at(0.0, 10.0), at(0.0, 0.0)};
  m.joint("u", {}, b, universal);
  m.output("a", m.joint_angle("u", 0));
  const System s(m);
  MotionOptions how;
  how.until = 2.0;
  how.samples = 2;
  how.tolerance = 1e-11;
  // Torque-free about a principal axis: it goes on turning as it does.
  EXPECT_NEAR(simulate(s, how)[1].outputs[0], 20.0, 1e-8);
}

/// Crank 1, coupler 2, rocker 1.5, ground 2.2, in the plane z = 0, closed where it is drawn.
struct FourBar {
  static constexpr double crank = 1, coupler = 2, rocker = 1.5, ground = 2.2;
  /// The end of the coupler on the rocker for an angle of the crank, on the upper branch.
  static Vector3d pin(double angle) {
    const Vector3d b(crank * std::cos(angle), crank * std::sin(angle), 0), d(ground, 0, 0);
    const Vector3d way = d - b;
    const double l = way.norm(), x = (l * l + coupler * coupler - rocker * rocker) / (2 * l);
    const Vector3d across = Vector3d::UnitZ().cross(way) / l;
    return b + x * way / l + std::sqrt(coupler * coupler - x * x) * across;
  }
  static Body bar(Model& m, const char* name, const Vector3d& from, const Vector3d& to) {
    const Vector3d mid = 0.5 * (from + to), way = to - from;
    const double half = std::atan2(way.y(), way.x()) / 2;
    return rod(m, name, {mid.x(), mid.y(), mid.z()}, {std::cos(half), 0, 0, std::sin(half)});
  }
  static constexpr double drawn = 1.0;
  static Model model(const std::vector<Start>& at_a, const std::vector<Start>& at_d = {}) {
    Model m;
    const Vector3d a(0, 0, 0), b(crank * std::cos(drawn), crank * std::sin(drawn), 0), c = pin(drawn),
                                                                                       d(ground, 0, 0);
    const Body first = bar(m, "crank", a, b), second = bar(m, "coupler", b, c),
               third = bar(m, "rocker", d, c);
    const auto hinge = [&](const char* name, const Part& one, const Part& other, const Vector3d& p,
                           const std::vector<Start>& start) {
      JointOptions o{.type = JointType::revolute, .point = {p.x(), p.y(), p.z()}, .axis = {0, 0, 1}};
      o.start = start;
      m.joint(name, one, other, o);
    };
    hinge("A", {}, first, a, at_a);
    hinge("B", first, second, b, {});
    hinge("C", second, third, c, {});
    hinge("D", {}, third, d, at_d);
    return m;
  }
};

TEST(JointStarts, ALoopStaysOnItsBranchAllTheWayRound) {
  for (const double angle : {-2.9, -1.3, 0.4, 2.0, 5.0, 12.0}) {
    const Model m = FourBar::model({at(angle, 3.0)});
    const System s(m);
    const StartInJoints found = assemble_in_joints(m, s, 0.0);
    ASSERT_TRUE(found.assembly.repaired) << angle << ": " << found.assembly.text;
    const State& start = found.assembly.state;
    const double crank = FourBar::drawn + angle;
    const Vector3d d(FourBar::ground, 0, 0), c = FourBar::pin(crank);
    EXPECT_LT((place(s, start, "rocker") - 0.5 * (c + d)).norm(), 1e-12) << angle;
    EXPECT_LT(worst_miss(s, start), 1e-13) << angle;
    EXPECT_NEAR(value(s, start, "crank.wz"), 3.0, 1e-13) << angle;
    // Velocities against differences of the closed form.
    const double h = 1e-5;
    const Vector3d moved = (FourBar::pin(crank + h) - FourBar::pin(crank - h)) / (2 * h) * 3.0;
    EXPECT_LT((velocity(s, start, "rocker") - 0.5 * moved).norm(), 1e-8) << angle;
  }
}

/// A crank-rocker that comes within 0.02 of its dead points, of bodies in a plane: the same branch all round.
TEST(JointStarts, NearDeadPointsTheBranchIsKept) {
  const double a = 0.2, b = 1.3, c = 0.5, g = 1.02, drawn = std::atan2(0.028224, -0.197998);
  const auto pin = [&](double angle) {
    const Vector3d p(a * std::cos(angle), a * std::sin(angle), 0), way = Vector3d(g, 0, 0) - p;
    const double l = way.norm(), x = (l * l + b * b - c * c) / (2 * l);
    return Vector3d(p + x * way / l + std::sqrt(b * b - x * x) * Vector3d::UnitZ().cross(way) / l);
  };
  for (const Plane plane : {Plane::xy, Plane::none})
    for (double turn = 0.5; turn < 7; turn += 0.75) {
      Model m;
      const auto flat = [&](const char* name, const Vector3d& from, const Vector3d& to) {
        BodyOptions o;
        o.mass = 1.0;
        o.inertia = {0.02, 0.05, 0.05, 0, 0, 0};
        o.position = {(from.x() + to.x()) / 2, (from.y() + to.y()) / 2, 0};
        o.plane = plane;
        return m.body(name, o);
      };
      const Vector3d origin(0, 0, 0), first(a * std::cos(drawn), a * std::sin(drawn), 0), second = pin(drawn),
                                                                                          end(g, 0, 0);
      const Body crank = flat("crank", origin, first), coupler = flat("coupler", first, second),
                 rocker = flat("rocker", end, second);
      const auto hinge = [&](const char* name, const Part& one, const Part& other, const Vector3d& p,
                             double x) {
        JointOptions o{.type = JointType::revolute, .point = {p.x(), p.y(), 0}, .axis = {0, 0, 1}};
        if (x != 0) o.start = {at(x)};
        m.joint(name, one, other, o);
      };
      hinge("A", {}, crank, origin, turn);
      hinge("B", crank, coupler, first, 0);
      hinge("C", coupler, rocker, second, 0);
      hinge("D", {}, rocker, end, 0);
      const System s(m);
      const StartInJoints found = assemble_in_joints(m, s, 0.0);
      ASSERT_TRUE(found.assembly.repaired) << turn << found.assembly.text;
      EXPECT_FALSE(found.assembly.by_detour) << turn;
      const Vector3d middle = 0.5 * (pin(drawn + turn) + end);
      EXPECT_NEAR(value(s, found.assembly.state, "rocker.x"), middle.x(), 1e-10) << turn;
      EXPECT_NEAR(value(s, found.assembly.state, "rocker.y"), middle.y(), 1e-10) << turn;
    }
}

TEST(JointStarts, WhatIsNotFixedIsWhereAssemblyBegins) {
  // The rocker is said exactly, the crank roughly: it gives way.
  const Vector3d c = FourBar::pin(1.6), d(FourBar::ground, 0, 0), before = FourBar::pin(FourBar::drawn);
  const double rocker = std::atan2((c - d).y(), (c - d).x()) - std::atan2((before - d).y(), (before - d).x());
  Start rough = at(0.5);
  rough.fixed = false;
  const Model m = FourBar::model({rough}, {at(rocker)});
  const System s(m);
  const StartInJoints found = assemble_in_joints(m, s, 0.0);
  ASSERT_TRUE(found.assembly.repaired) << found.assembly.text;
  EXPECT_LT(
      (place(s, found.assembly.state, "crank") - 0.5 * Vector3d(std::cos(1.6), std::sin(1.6), 0)).norm(),
      1e-12);
}

TEST(JointStarts, ConflictsAreNamed) {
  const Model m = FourBar::model({at(0.6)}, {at(-0.5)});
  const System s(m);
  const StartInJoints found = assemble_in_joints(m, s, 0.0);
  EXPECT_FALSE(found.assembly.repaired);
  ASSERT_TRUE(found.held);
  EXPECT_NE(found.assembly.text.find("A.angle.start"), std::string::npos) << found.assembly.text;
  EXPECT_NE(found.assembly.text.find("D.angle.start"), std::string::npos) << found.assembly.text;
  MotionOptions how;
  how.until = 1;
  const Trajectory none = simulate(found.held->system, found.assembly.state, how);
  EXPECT_TRUE(none.stop == Stop::start || none.stop == Stop::contradicting);
}

TEST(JointStarts, RatesThatDisagreeAreNamed) {
  const Model m = FourBar::model({Start{.rate = Expr(1.0)}}, {Start{.rate = Expr(5.0)}});
  const System s(m);
  const StartInJoints found = assemble_in_joints(m, s, 0.0);
  EXPECT_FALSE(found.assembly.repaired);
  EXPECT_NE(found.assembly.text.find("angle.rate"), std::string::npos) << found.assembly.text;
}

TEST(JointStarts, StartsFollowLivingParameters) {
  Model m;
  const Expr a = m.parameter("a", 0.2);
  const Body upper = rod(m, "upper", {0.5, 0, 0});
  JointOptions o{.type = JointType::revolute, .point = {0, 0, 0}, .axis = {0, -1, 0}};
  o.start = {Start{.value = 2 * a, .rate = 10 * a}};
  o.armature = 0.3;
  m.joint("shoulder", {}, upper, o);
  const std::string living[] = {"a"};
  const System s(m, living);
  for (const double now : {0.2, 0.7}) {
    Parameters p = s.parameters();
    p["a"] = now;
    const System other = s.with(p);
    EXPECT_NEAR(place(other, other.start(), "upper").z(), 0.5 * std::sin(2 * now), 1e-15);
    EXPECT_NEAR(value(other, other.start(), "shoulder.rotor"), 10 * now, 1e-14);
    EXPECT_LT(worst_miss(other, other.start()), 1e-14);
  }
}

TEST(JointStarts, LimitsAreOfTheStartThatIsSaid) {
  const auto hinged = [](double start, double lower, double upper) {
    Model m;
    const Body b = rod(m, "b", {0.5, 0, 0});
    JointOptions o{.type = JointType::revolute, .point = {0, 0, 0}, .axis = {0, -1, 0}};
    o.start = {at(start)};
    o.limits = {Expr(lower), Expr(upper)};
    m.joint("j", {}, b, o);
    return m;
  };
  EXPECT_NO_THROW(System(hinged(0.5, 0.4, 1.0)));
  EXPECT_THROW(System(hinged(0.5, -1.0, 0.4)), Error);
}

TEST(JointStarts, AnAssembledStartBeyondALimitIsRefused) {
  // The crank is turned by a loop that begins elsewhere: a bar hung from the ground by a sphere, drawn open.
  Model m;
  const Body b = rod(m, "b", {0.5, 0, 0});
  JointOptions hinge{.type = JointType::revolute, .point = {0, 0, 0}, .axis = {0, -1, 0}};
  hinge.limits = {Expr(-0.5), Expr(0.5)};
  m.joint("j", {}, b, hinge);
  m.constrain("lifted", b.point({1, 0, 0}).z, 0.9);
  const System s(m);
  const Assembly found = assemble(s, s.start());
  ASSERT_TRUE(found.repaired);
  MotionOptions how;
  how.until = 1;
  const Trajectory none = simulate(s, found.state, how);
  EXPECT_EQ(none.stop, Stop::start);
  EXPECT_EQ(none.names, std::vector<std::string>{"j.upper"});
}

/// On its way back from far away a joint may go round; the angle told is the nearest one.
TEST(JointStarts, AssemblyKeepsTheNearestTurn) {
  const Model closed = FourBar::model({});
  Model m = closed;
  for (const char* joint : {"A", "B", "C", "D"}) m.joint_angle(joint);
  const System s(m);
  int found_some = 0;
  for (int k = 0; k < 40; ++k) {
    State far = s.start();
    for (std::size_t i = 0; i < far.q.size(); ++i) far.q[i] += 0.9 * std::sin(7.0 * k + 13.0 * i);
    const Assembly found = assemble(s, far);
    if (!found.repaired) continue;
    ++found_some;
    for (const int angle : s.joint_angles())
      EXPECT_LE(std::fabs(found.state.q[angle] - far.q[angle]), std::numbers::pi + 1e-12) << k;
  }
  EXPECT_GT(found_some, 20);
}

}  // namespace
}  // namespace vinculum
