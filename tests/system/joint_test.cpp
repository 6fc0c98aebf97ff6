// The laws that every joint obeys, checked by one function for all of them: see each `expect_` below.
#include "vinculum/model/joint.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/bodies.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {
namespace {

using namespace test;

enum class Between { ground_and_body, body_and_ground, bodies };

struct Kind {
  std::string name;
  JointType type;
  int rank;     // what the joint promises
  int spatial;  // this many rows at first are a vector in world axes
  bool disc = false;
};

const Kind kinds[] = {{"spherical", JointType::spherical, 3, 3},
                      {"revolute", JointType::revolute, 5, 3},
                      {"prismatic", JointType::prismatic, 5, 0},
                      {"cylindrical", JointType::cylindrical, 4, 0},
                      {"planar", JointType::planar, 3, 0},
                      {"universal", JointType::universal, 4, 3},
                      {"weld", JointType::weld, 6, 3},
                      {"distance", JointType::distance, 1, 0},
                      {"screw", JointType::screw, 5, 0},
                      {"rolling_ball", JointType::rolling, 3, 0},
                      {"rolling_disc", JointType::rolling, 3, 0, true}};

/// A joint between two parts that stand anywhere, closed at the start.
JointOptions drawn_joint(Draw& draw, const Kind& kind, const Pose& second) {
  JointOptions options{.type = kind.type, .point = numbers(draw.vector()), .axis = numbers(draw.unit())};
  const Vector3d axis = vector_of(options.axis);
  if (kind.type == JointType::universal) options.axis2 = numbers(axis.cross(draw.unit()));
  if (kind.type == JointType::distance) options.point2 = numbers(draw.vector() + Vector3d(2, 0, 0));
  if (kind.type == JointType::screw) options.pitch = 0.7;
  if (kind.type == JointType::rolling) {
    const Vector3d n = draw.unit();
    const double radius = 0.6, height = kind.disc ? radius * n.cross(axis).norm() : radius;
    options.normal = numbers(n);
    options.radius = radius;
    options.disc = kind.disc;
    options.point = numbers(second.position - height * n + n.cross(draw.vector()));
  }
  return options;
}

Model drawn_model(Draw draw, const Kind& kind, Between between, const Vector& gravity) {
  Model out;
  const Pose first = draw.pose(), second = draw.pose();
  Part a, b;
  if (between != Between::ground_and_body) a = out.body("a", drawn_body(draw, first));
  if (between != Between::body_and_ground) b = out.body("b", drawn_body(draw, second));
  out.joint("joint", a, b, drawn_joint(draw, kind, second));
  out.gravity(gravity);
  return out;
}

Residuals residuals_at(const System& system, const State& at) {
  Workspace work(system);
  Residuals out;
  residuals(system, at, work, out);
  return out;
}

/// The derivative of f at 0: four values, error of fourth order.
VectorXd slope(const std::function<VectorXd(double)>& f) {
  constexpr double h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// A stir of the state: off the joint, with velocities.
State stirred(Draw& draw, const System& system, double by) {
  State at = system.start();
  for (double& v : at.v) v = by * draw.real();
  at = coasted(system, at, 1.0);
  for (double& v : at.v) v = draw.real();
  return at;
}

/// Newton's method back onto the joint, then a velocity that the joint allows.
State on_joint(const System& system, State at) {
  Workspace work(system);
  std::vector<double> x(at.v.size()), residual(system.row_names().size());
  for (int pass = 0; pass < 12; ++pass) {
    EXPECT_TRUE(correction(system, Level::position, at, {}, work, x, residual));
    const std::vector<double> from = at.q;
    displace(system, from, x, at.q);
    renormalise(system, at.q, work);
  }
  const MatrixXd A = dense(evaluate(system, at, work).A), allowed = allowed_by(A);
  const VectorXd v = allowed * (allowed.transpose() * vector_of(std::span<const double>(at.v)));
  at.v.assign(v.begin(), v.end());
  return at;
}

/// A v is the rate of phi, on the joint or off it, for any velocity; of rows on velocities it is phi itself.
/// b is minus the rate of A v where nothing accelerates: minus the second derivative of phi.
void expect_derivatives(const System& system, const State& at) {
  Workspace work(system);
  const Equations& e = evaluate(system, at, work);
  const VectorXd rate = dense(e.A) * vector_of(std::span<const double>(at.v));
  const VectorXd of_position =
      slope([&](double s) { return vector_of(residuals_at(system, coasted(system, at, s)).position); });
  const VectorXd of_rate =
      slope([&](double s) { return vector_of(residuals_at(system, coasted(system, at, s)).velocity); });
  const VectorXd velocity = vector_of(residuals_at(system, at).velocity);
  const double size = 1 + rate.norm() + of_rate.norm();
  for (Eigen::Index r = 0; r < rate.size(); ++r) {
    SCOPED_TRACE(system.row_names()[r]);
    // Truncation h^4/30 times a fifth derivative of some hundreds, rounding 1e-16/h.
    if (system.order_of_row(static_cast<int>(r)) == 0) {
      EXPECT_NEAR(rate[r], of_position[r], 1e-10 * size);
    }
    EXPECT_NEAR(rate[r], velocity[r], 1e-13 * size);
    EXPECT_NEAR(e.b[r], -of_rate[r], 1e-10 * size);
  }
}

void expect_rank(const System& system, const State& at, const Kind& kind) {
  Workspace work(system);
  EXPECT_EQ(rank_of(dense(evaluate(system, at, work).A)), kind.rank);
  EXPECT_EQ(solve(system, at).rank, kind.rank);
}

/// The ideal force does no work along what the joint allows.
void expect_no_work(const System& system, const State& at) {
  Workspace work(system);
  const MatrixXd allowed = allowed_by(dense(evaluate(system, at, work).A));
  const Solution s = solve(system, at);
  ASSERT_EQ(s.status, Status::solved);
  const VectorXd force = vector_of(std::span<const double>(s.constraint_force));
  EXPECT_GT(force.norm(), 1e-3);  // there is something to be said
  EXPECT_LE((allowed.transpose() * force).norm(), 1e-12 * force.norm());
}

/// What the joint does to one body it does, reversed, to the other: no force and no moment in sum.
void expect_action_and_reaction(const Model& model, const System& system, const State& at) {
  const Solution s = solve(system, at);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  const Vector3d about(0.4, -1.2, 0.7);  // any point
  double size = 0;
  for (const Model::BodyData& b : model.bodies()) {
    const Wrench w = wrench_on(b, s.constraint_force, at.q);
    force += w.force;
    moment += w.moment(pose_at(at.q.data() + b.first_coordinate).position, about);
    size += w.force.norm() + w.torque.norm();
  }
  EXPECT_LE(force.norm(), 1e-13 * size);
  EXPECT_LE(moment.norm(), 1e-12 * size);  // arms of some metres
}

/// Accelerations of bodies turn with the world; angular ones are of the body and stay.
void expect_turned(const Model& model, const std::vector<double>& from, const std::vector<double>& to,
                   const Quaterniond& by) {
  const double size = 1 + vector_of(std::span<const double>(from)).norm();
  for (const Model::BodyData& b : model.bodies()) {
    const double *p = from.data() + b.first_velocity, *q = to.data() + b.first_velocity;
    EXPECT_LE((by * Vector3d(p[0], p[1], p[2]) - Vector3d(q[0], q[1], q[2])).norm(), 1e-12 * size);
    EXPECT_LE((Vector3d(p[3], p[4], p[5]) - Vector3d(q[3], q[4], q[5])).norm(), 1e-12 * size);
  }
}

/// Without weight, moved as one body: the joint does not notice.
void expect_same_elsewhere(const Model& model, const State& at, const Kind& kind, const Pose& by) {
  const System system(model);
  const State there = moved_as_one(model, at, by);
  const Residuals here = residuals_at(system, at), moved = residuals_at(system, there);
  const auto expect_same = [&](const std::vector<double>& p, const std::vector<double>& q) {
    const VectorXd a = vector_of(std::span<const double>(p)), b = vector_of(std::span<const double>(q));
    const Vector3d turned = kind.spatial == 3 ? Vector3d(by.turn * a.head<3>()) : Vector3d::Zero();
    for (Eigen::Index r = 0; r < a.size(); ++r)
      EXPECT_NEAR(r < kind.spatial ? turned[r] : a[r], b[r], 1e-12 * (1 + a.norm()));
  };
  expect_same(here.position, moved.position);
  expect_same(here.velocity, moved.velocity);
  const Solution first = solve(system, at), second = solve(system, there);
  ASSERT_EQ(first.status, Status::solved);
  ASSERT_EQ(second.status, Status::solved);
  expect_turned(model, first.acceleration, second.acceleration, by.turn);
}

/// Every law, for one joint.
void expect_laws(const Kind& kind, Between between, unsigned seed) {
  Draw draw(seed);
  const Model model = drawn_model(draw, kind, between, {0.3, -0.4, -9.81});
  const System system(model);
  const Residuals start = residuals_at(system, system.start());
  for (const double phi : start.position)
    EXPECT_NEAR(phi, 0, 1e-14) << "closed where it is drawn";  // of squares near 10
  expect_derivatives(system, stirred(draw, system, 0.3));
  const State at = on_joint(system, stirred(draw, system, 0.3));
  expect_derivatives(system, at);
  expect_rank(system, system.start(), kind);
  expect_rank(system, at, kind);
  expect_no_work(system, at);
  if (between != Between::bodies) return;
  expect_action_and_reaction(model, system, at);
  expect_same_elsewhere(drawn_model(Draw(seed), kind, between, {}), at, kind, draw.pose(3));
}

class JointLaws : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Every, JointLaws, testing::ValuesIn(kinds),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(JointLaws, HoldBetweenGroundAndBody) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    expect_laws(GetParam(), Between::ground_and_body, seed);
    const bool rolls = GetParam().type == JointType::rolling;  // and the ground does not
    if (!rolls) expect_laws(GetParam(), Between::body_and_ground, 10 + seed);
  }
}

TEST_P(JointLaws, HoldBetweenBodies) {
  for (unsigned seed = 21; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    expect_laws(GetParam(), Between::bodies, seed);
  }
}

/// The ground as a body that is held fast, all of it somewhere else: what is joined to it moves as before.
TEST_P(JointLaws, TheGroundIsABodyThatIsHeld) {
  const Kind kind = GetParam();
  for (unsigned seed = 31; seed <= 35; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const Pose at = draw.pose(), by = draw.pose(3);
    BodyOptions options = drawn_body(draw, at);
    JointOptions joint = drawn_joint(draw, kind, at);
    Model plain;
    plain.joint("joint", {}, plain.body("b", options), joint);
    plain.gravity({0.3, -0.4, -9.81});
    const System on_ground(plain);
    const State first = on_joint(on_ground, stirred(draw, on_ground, 0.0));

    const auto turned = [&](Triple& v) { v = numbers(Vector3d(by.turn * vector_of(v))); };
    const auto moved = [&](Triple& p) { p = numbers(Vector3d(by * vector_of(p))); };
    const Pose there = by * at;
    options.position = numbers(there.position);
    options.orientation = numbers(there.turn);
    moved(joint.point);
    turned(joint.axis);
    turned(joint.normal);
    if (joint.point2) moved(*joint.point2);
    if (joint.axis2) turned(*joint.axis2);
    Model held;
    const Body b = held.body("b", options), floor = held.body("floor", drawn_body(draw, by));
    held.joint("joint", floor, b, joint);
    const Vector3d weight = by.turn * Vector3d(0.3, -0.4, -9.81);
    held.gravity({weight.x(), weight.y(), weight.z()});
    held.constrain("still", floor.velocity());
    held.constrain("no_turn", floor.omega_body());
    const System on_floor(held);
    State second = on_floor.start();
    const Vector3d v = by.turn * Vector3d(first.v[0], first.v[1], first.v[2]);
    for (int k = 0; k < 3; ++k) second.v[k] = v[k];
    for (int k = 3; k < 6; ++k) second.v[k] = first.v[k];
    const Solution p = solve(on_ground, first), q = solve(on_floor, second);
    ASSERT_EQ(p.status, Status::solved);
    ASSERT_EQ(q.status, Status::solved);
    expect_turned(plain, p.acceleration, q.acceleration, by.turn);
  }
}

}  // namespace
}  // namespace vinculum
