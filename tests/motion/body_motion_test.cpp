// What bodies and joints keep while they move: momentum, unit quaternions, closed loops, turns that are
// counted.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "motion/reference.hpp"
#include "support/mechanisms.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

Trajectory run(const System& system, double until, double tolerance, int samples = 101) {
  MotionOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.samples = samples;
  const Trajectory motion = simulate(system, options);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  return motion;
}

/// Momentum and angular momentum about the origin of all bodies, by the numbers alone.
struct Momentum {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  Momentum(const Model& model, const Sample& at) {
    for (const Model::BodyData& b : model.bodies()) {
      const Pose pose = pose_at(at.q.data() + b.first_coordinate);
      const double* const v = at.v.data() + b.first_velocity;
      const Vector3d p = b.mass.value() * Vector3d(v[0], v[1], v[2]);
      linear += p;
      angular +=
          pose.position.cross(p) + pose.turn * (matrix_of(b.inertia) * Vector3d(v[3], v[4], v[5])).eval();
    }
  }
};

void expect_unit_quaternions(const System& system, const Trajectory& motion) {
  double worst = 0;
  for (int i = 0; i < motion.size(); ++i)
    for (const Rotation& r : system.rotations()) {
      const double* const q = motion[i].q.data() + r.coordinate;
      worst =
          std::max(worst, std::fabs(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1));
    }
  EXPECT_LE(worst, 1e-15);
}

void expect_momentum_kept(const Model& model, const Trajectory& motion, double allowed) {
  const Momentum start(model, motion[0]);
  double linear = 0, angular = 0;
  for (int i = 0; i < motion.size(); ++i) {
    const Momentum now(model, motion[i]);
    linear = std::max(linear, (now.linear - start.linear).norm());
    angular = std::max(angular, (now.angular - start.angular).norm());
  }
  EXPECT_LE(linear, allowed * (1 + start.linear.norm()));
  EXPECT_LE(angular, allowed * (1 + start.angular.norm()));
}

BodyOptions flying(Draw& draw, const Pose& at) {
  BodyOptions options = drawn_body(draw, at);
  options.velocity = numbers(draw.vector());
  options.omega_body = numbers(draw.vector(3));
  return options;
}

TEST(BodyMotion, AFreeBodyKeepsItsMomentumAndItsUnitQuaternion) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Draw draw(seed);
    Model m;
    m.body("b", flying(draw, draw.pose()));
    const System system(m);
    const Trajectory motion = run(system, 20, 1e-12);
    expect_momentum_kept(m, motion, 1e-11);  // ten times the tolerance
    expect_unit_quaternions(system, motion);
    EXPECT_LE(std::fabs(motion.drift()), 1e-11 * (1 + motion.energy_start));
  }
}

/// The angular momentum of the first body about its own centre, in the world.
Vector3d spin_of(const Model& model, const Sample& at) {
  const Model::BodyData& b = model.bodies()[0];
  const double* const v = at.v.data() + b.first_velocity;
  return pose_at(at.q.data() + b.first_coordinate).turn *
         (matrix_of(b.inertia) * Vector3d(v[3], v[4], v[5])).eval();
}

/// To rounding, whatever the tolerance; and the weight and a push at its centre do not count.
TEST(BodyMotion, ABodyThatNothingTurnsKeepsItsSpinToRounding) {
  Draw draw(3);
  Model m;
  m.gravity({0, 0, -9.81});
  const Body b = m.body("b", flying(draw, draw.pose()));
  m.force(b, {0.3 * cos(m.time()), 0.0, 0.2});
  const Trajectory motion = run(System(m), 100, 1e-6);
  const Vector3d start = spin_of(m, motion[0]);
  for (int i = 0; i < motion.size(); ++i)
    EXPECT_LE((spin_of(m, motion[i]) - start).norm(), 4e-15 * start.norm()) << motion[i].t;
}

/// A torque changes it by its integral.
TEST(BodyMotion, ATorqueIsNotForgotten) {
  Draw draw(3);
  Model m;
  const Body b = m.body("b", flying(draw, draw.pose()));
  m.torque(b, {0.0, 0.0, 0.5});
  const Trajectory motion = run(System(m), 4, 1e-10);
  const Vector3d gained = spin_of(m, motion[motion.size() - 1]) - spin_of(m, motion[0]);
  EXPECT_LE((gained - Vector3d(0, 0, 2)).norm(), 1e-8);
}

TEST(BodyMotion, JoinedBodiesKeepTheirMomentumTogether) {
  const JointType types[] = {JointType::spherical, JointType::revolute, JointType::prismatic,
                             JointType::universal, JointType::distance, JointType::cylindrical,
                             JointType::planar,    JointType::weld,     JointType::screw};
  for (const JointType type : types) {
    SCOPED_TRACE(joint_word(type));
    Draw draw(7);
    Model m;
    const Body a = m.body("a", flying(draw, draw.pose())), b = m.body("b", flying(draw, draw.pose()));
    JointOptions joint{.type = type, .point = {0.3, 0.2, -0.4}, .axis = {1, 2, -1}, .pitch = 0.6};
    if (type == JointType::universal) joint.axis2 = {1, 0, 1};
    if (type == JointType::distance) joint.point2 = {1, 1, 1};
    m.joint("joint", a, b, joint);
    const System system(m);
    MotionOptions options;
    options.until = 5;
    options.tolerance = 1e-11;
    options.samples = 51;
    const Assembly start = assemble(system, system.start());
    ASSERT_TRUE(start.repaired) << start.text;
    const Trajectory motion = simulate(system, start.state, options);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    expect_momentum_kept(m, motion, 1e-10);
    expect_unit_quaternions(system, motion);
    EXPECT_LE(std::fabs(motion.drift()), 1e-10 * (1 + motion.energy_start));
  }
}

/// The point of each joint as its two parts see it, apart by how much: by the numbers alone.
double gap_of(const Model& model, const JointData& joint, const Trajectory& motion) {
  Vector3d in_part[2];
  const Model::BodyData* body[2] = {nullptr, nullptr};
  double worst = 0;
  const JointData* data = &joint;
  for (int i = 0; i < motion.size(); ++i) {
    Vector3d point[2];
    for (int k = 0; k < 2; ++k) {
      for (const Model::BodyData& b : model.bodies())
        if (b.name == data->part_names[k]) body[k] = &b;
      const Pose pose = body[k] ? pose_at(motion[i].q.data() + body[k]->first_coordinate) : Pose{};
      if (i == 0) {
        const Vector& p = data->sides[k].point;
        const auto start = [&](const Expr& symbol) {
          return model.coordinates()[model.stated().role(symbol).index].start;
        };
        const auto value = [&](const Expr& e) { return value_of(model.stated().written_out(e), start); };
        in_part[k] = pose.turn.conjugate() * (Vector3d(value(p.x), value(p.y), value(p.z)) - pose.position);
      }
      point[k] = pose * in_part[k];
    }
    worst = std::max(worst, (point[0] - point[1]).norm());
  }
  return worst;
}

/// The loop stays closed for 100 s, whatever the tolerance; the rank is that of the mechanism; energy is
/// kept.
void expect_closed(const Model& m, int rows, int rank) {
  const System system(m);
  ASSERT_EQ(static_cast<int>(system.row_names().size()), rows);
  EXPECT_EQ(solve(system, system.start()).rank, rank);
  const double until = reference::sanitized ? 2 : 100;
  const Trajectory motion = run(system, until, 1e-6, 301);
  for (const JointData& joint : m.joints()) EXPECT_LE(gap_of(m, joint, motion), 1e-10) << joint.name;
  for (std::size_t k = 0; k < motion.worst.size(); ++k)
    EXPECT_LE(motion.worst[k].position, 1e-10) << system.constraints()[k].name;
  EXPECT_LE(std::fabs(motion.drift()), 1e-4);  // the tolerance, over some thousand steps
  expect_unit_quaternions(system, motion);
}

TEST(BodyMotion, BricardsLoopStaysClosed) { expect_closed(bricard(), 30, 29); }
TEST(BodyMotion, BennettsLoopStaysClosed) { expect_closed(bennett(), 20, 17); }
TEST(BodyMotion, ASpatialFourBarStaysClosed) { expect_closed(spatial_four_bar(), 17, 17); }
TEST(BodyMotion, ADoorOnTwoHingesSwings) { expect_closed(door(), 10, 5); }

/// A hinged body swings as the compound pendulum about its axis: by quadrature there is one freedom, and the
/// redundant hinge changes nothing.
TEST(BodyMotion, TwoHingesHoldADoorAsOneDoes) {
  Model one;
  {
    const Vector3d axis = Vector3d(0.2, 0.1, 1).normalized(), foot(0.3, -0.1, 0);
    const Body leaf = one.body("leaf", body_of({Solid::Kind::box, {0.9, 0.04, 2.0}}, 20.0));
    one.joint("hinge", {}, leaf,
              {.type = JointType::revolute, .point = numbers(foot), .axis = numbers(axis)});
    one.gravity({0, 0, -9.81});
  }
  const System single(one), twice(door());
  const Trajectory a = run(single, 5, 1e-11, 11), b = run(twice, 5, 1e-11, 11);
  for (int i = 0; i < 11; ++i)
    for (int k = 0; k < 7; ++k) EXPECT_NEAR(a[i].q[k], b[i].q[k], 1e-9) << i << " " << k;
}

TEST(BodyMotion, AMotorCountsItsTurns) {
  Model m;
  const Body wheel = m.body(
      "wheel",
      {.mass = 2, .position = {0.2, 0, 0}, .velocity = {0, 0.2 * 2 * pi, 0}, .omega_body = {0, 0, 2 * pi}});
  m.joint("axle", {}, wheel, {.type = JointType::revolute, .angle = 0.25});
  const Expr angle = m.joint_angle("axle");
  m.constrain("motor", angle, 0.25 + 2 * pi * m.time());
  m.output("angle", angle);
  m.output("torque", m.multiplier("motor"));
  m.gravity({0, -9.81, 0});
  const System system(m);
  const Trajectory motion = run(system, 10, 1e-9, 101);
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    EXPECT_NEAR(s.outputs[0], 0.25 + 2 * pi * s.t, 1e-12);
    // It lifts the weight on its arm.
    EXPECT_NEAR(s.outputs[1], 2 * 9.81 * 0.2 * std::cos(2 * pi * s.t), 1e-9);
  }
  EXPECT_NEAR(motion.back().q[0], 0.2, 1e-12);
}

/// An angle is counted also where nothing holds it, at any integrator, forth and back.
TEST(BodyMotion, AFreeHingeCountsItsTurnsForthAndBack) {
  Model m;
  const Body a = m.body("a", {.omega_body = {0, 0, 3}}), b = m.body("b", {.omega_body = {0, 0, -9}});
  m.joint("axle", a, b, {.type = JointType::revolute});
  const Expr angle = m.joint_angle("axle");
  m.torque(b, {0, 0, 2});
  m.torque(a, {0, 0, -2});
  m.output("angle", angle);
  const System system(m);
  for (const char* integrator : {"dop853", "dopri5", "rk4", "radau5", "extrapolation"}) {
    SCOPED_TRACE(integrator);
    MotionOptions options;
    options.until = 8;
    options.tolerance = 1e-10;
    options.integrator = integrator_named(integrator).value();
    options.samples = 33;
    if (std::string(integrator) == "rk4") options.step = 0.001;  // its error is then 1e-9
    const Trajectory motion = simulate(system, options);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    for (int i = 0; i < motion.size(); ++i) {
      const double t = motion[i].t;
      EXPECT_NEAR(motion[i].outputs[0], -12 * t + 2 * t * t, 1e-8);  // the relative acceleration is 2 + 2
    }
  }
}

/// A nut on a screw, pulled by its weight: (m + I (2 pi/p)^2) s'' = m g.
TEST(BodyMotion, ANutTurnsDownItsScrew) {
  const double mass = 1.5, inertia = 0.2, pitch = 0.8, g = 9.81;
  Model m;
  const Body nut = m.body("nut", {.mass = mass, .inertia = {0.3, 0.3, inertia, 0.0, 0.0, 0.0}});
  m.joint("thread", {}, nut, {.type = JointType::screw, .pitch = pitch});
  m.gravity({0, 0, -g});
  m.output("angle", m.joint_angle("thread"));
  m.output("distance", m.joint_distance("thread"));
  const double per_length = 2 * pi / pitch;
  const double a = mass * g / (mass + inertia * per_length * per_length);
  const System system(m);
  const Trajectory motion = run(system, 10, 1e-10, 21);
  for (int i = 0; i < motion.size(); ++i) {
    const double s = -a * motion[i].t * motion[i].t / 2;
    EXPECT_NEAR(motion[i].outputs[1], s, 1e-9 * (1 + std::fabs(s)));
    EXPECT_NEAR(motion[i].outputs[0], per_length * s, 1e-8 * (1 + std::fabs(s)));
    EXPECT_NEAR(motion[i].q[2], s, 1e-9 * (1 + std::fabs(s)));
  }
}

/// Two wheels in mesh, 20 and 50 teeth: (I1 + I2 (2/5)^2) angle'' = torque; the contact takes the rest.
TEST(BodyMotion, GearsAreAnEquationBetweenAngles) {
  Model m;
  const Body small = m.body("small", {.mass = 1, .inertia = {0.01, 0.01, 0.02, 0.0, 0.0, 0.0}}),
             large = m.body("large",
                            {.mass = 4, .inertia = {0.1, 0.1, 0.2, 0.0, 0.0, 0.0}, .position = {0.7, 0, 0}});
  m.joint("axle1", {}, small, {.type = JointType::revolute});
  m.joint("axle2", {}, large, {.type = JointType::revolute, .point = {0.7, 0, 0}});
  const Expr first = m.joint_angle("axle1"), second = m.joint_angle("axle2");
  m.constrain("mesh", 20 * first + 50 * second);
  m.torque(small, {0, 0, 0.3});
  m.output("first", first);
  m.output("second", second);
  const System system(m);
  const Trajectory motion = run(system, 6, 1e-10, 13);
  const double a = 0.3 / (0.02 + 0.2 * 0.16);
  for (int i = 0; i < motion.size(); ++i) {
    const double angle = a * motion[i].t * motion[i].t / 2;
    EXPECT_NEAR(motion[i].outputs[0], angle, 1e-9 * (1 + angle));
    EXPECT_NEAR(motion[i].outputs[1], -0.4 * angle, 1e-9 * (1 + angle));
  }
  EXPECT_GT(motion.back().outputs[0], 10 * pi);  // turns were counted
}

// --- A chain by bodies and by angles.

struct Link {
  Vector3d hinge, axis, centre;  // of the world where all angles are 0
  double mass;
  Matrix3d inertia;
  double angle_rate;
};

Vector turned(const std::array<Vector, 3>& columns, const Vector& v) {
  return columns[0] * v.x + columns[1] * v.y + columns[2] * v.z;
}

/// Rotation about a fixed axis: v cos q + (u x v) sin q + u (u.v)(1 - cos q).
Vector rotated(const Vector3d& u, const Expr& q, const Vector3d& v) {
  return constant(v) * cos(q) + constant(u.cross(v)) * sin(q) + constant(u * u.dot(v)) * (1 - cos(q));
}

/// By angles: T and V of the chain as functions of them, and Lagrange's equations.
Model chain_in_angles(const std::vector<Link>& links) {
  Model m;
  std::array<Vector, 3> before{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
  Vector hinge = constant(links[0].hinge), omega;  // omega in the axes of the link before
  Expr kinetic = 0.0;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = links[k];
    const Coordinate q = m.coordinate("q" + std::to_string(k), {0, link.angle_rate});
    std::array<Vector, 3> now;
    for (int i = 0; i < 3; ++i) now[i] = turned(before, rotated(link.axis, q, Vector3d::Unit(i)));
    const Vector old{omega.x, omega.y, omega.z};
    const auto back = [&](int i) { return dot(rotated(link.axis, q, Vector3d::Unit(i)), old); };
    omega = Vector{back(0), back(1), back(2)} + q.rate() * constant(link.axis);
    const Vector centre = hinge + turned(now, constant(link.centre - link.hinge));
    Vector momentum;
    momentum = constant(link.inertia.col(0)) * omega.x + constant(link.inertia.col(1)) * omega.y +
               constant(link.inertia.col(2)) * omega.z;
    kinetic = kinetic + link.mass / 2 * norm_squared(rate_of(m, centre)) + 0.5 * dot(omega, momentum);
    m.potential(9.81 * link.mass * centre.z);
    if (k + 1 < links.size()) hinge = hinge + turned(now, constant(links[k + 1].hinge - link.hinge));
    before = now;
  }
  m.kinetic(kinetic);
  return m;
}

/// By bodies and hinges.
Model chain_of_bodies(const std::vector<Link>& links) {
  Model m;
  Part before;
  Vector3d velocity = Vector3d::Zero(), omega = Vector3d::Zero();  // of the hinge
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = links[k];
    omega += link.angle_rate * link.axis;
    const Vector3d at_centre = velocity + omega.cross(link.centre - link.hinge);
    const Body body = m.body("b" + std::to_string(k), {.mass = link.mass,
                                                       .inertia = inertia_of(link.inertia),
                                                       .position = numbers(link.centre),
                                                       .velocity = numbers(at_centre),
                                                       .omega_body = numbers(omega)});
    const std::string name = "hinge" + std::to_string(k);
    m.joint(name, before, body,
            {.type = JointType::revolute, .point = numbers(link.hinge), .axis = numbers(link.axis)});
    m.output("q" + std::to_string(k), m.joint_angle(name));
    if (k + 1 < links.size()) velocity += omega.cross(links[k + 1].hinge - link.hinge);
    before = body;
  }
  m.gravity({0, 0, -9.81});
  return m;
}

void expect_same_chain(const std::vector<Link>& links, double until) {
  const System angles(chain_in_angles(links)), bodies(chain_of_bodies(links));
  const Trajectory a = run(angles, until, 1e-11, 9), b = run(bodies, until, 1e-11, 9);
  for (int i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < links.size(); ++k)
      EXPECT_NEAR(a[i].q[k], b[i].outputs[k], 1e-8) << "angle " << k << " at " << a[i].t;
}

TEST(BodyMotion, AChainOfFiveRodsMovesAsItsAngles) {
  std::vector<Link> links;
  for (int k = 0; k < 5; ++k) {
    const double mass = 1 + 0.2 * k;
    const Vector3d hinge(0.5 * k, 0, 0);
    links.push_back({hinge, Vector3d::UnitY(), hinge + Vector3d(0.25, 0, 0), mass,
                     Vector3d(0.001, mass * 0.25 / 12, mass * 0.25 / 12).asDiagonal(), 0.3 * k});
  }
  expect_same_chain(links, 1.0);
}

TEST(BodyMotion, AChainOnSkewHingesMovesAsItsAngles) {
  Draw draw(5);
  std::vector<Link> links;
  for (int k = 0; k < 3; ++k) {
    const Vector3d hinge(0.6 * k, 0.1 * k, 0);
    links.push_back({hinge, draw.unit(), hinge + Vector3d(0.3, 0, 0) + draw.vector(0.1), draw.real(0.5, 2),
                     draw.inertia(), draw.real()});
  }
  expect_same_chain(links, 2.0);
}

}  // namespace
}  // namespace vinculum
