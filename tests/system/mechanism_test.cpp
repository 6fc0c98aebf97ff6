// Random mechanisms, trees of bodies with loops: what mechanics says of any of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "support/mechanisms.hpp"

namespace vinculum {
namespace {

using namespace test;

/// A joint as drawn: parts are numbers of bodies, -1 the ground.
struct DrawnJoint {
  int parts[2];
  JointOptions options;
};
struct Drawn {
  std::vector<BodyOptions> bodies;
  std::vector<DrawnJoint> joints;
  Vector3d gravity;
};

Drawn draw_mechanism(Draw& draw) {
  const JointType types[] = {JointType::spherical, JointType::revolute, JointType::prismatic,
                             JointType::universal, JointType::planar,   JointType::cylindrical,
                             JointType::weld,      JointType::screw};
  Drawn out;
  out.gravity = draw.vector(10);
  const int count = draw.whole(3, 6);
  const auto join = [&](int a, int b, JointType type) {
    const Vector3d axis = draw.unit();
    JointOptions options{.type = type, .point = numbers(draw.vector()), .axis = numbers(axis), .pitch = 0.5};
    if (type == JointType::universal) options.axis2 = numbers(Vector3d(axis.cross(draw.unit())));
    if (type == JointType::distance) options.point2 = numbers(Vector3d(draw.vector() + Vector3d(0, 3, 0)));
    out.joints.push_back({{a, b}, options});
  };
  for (int k = 0; k < count; ++k) {
    out.bodies.push_back(drawn_body(draw, draw.pose()));
    join(draw.whole(-1, k - 1), k, types[draw.whole(0, 7)]);
  }
  for (int loops = draw.whole(1, 2); loops > 0; --loops) {
    const int a = draw.whole(0, count - 1), b = draw.whole(-1, a - 1);
    join(a, b, draw.whole(0, 1) ? JointType::distance : JointType::spherical);
  }
  return out;
}

std::string joint_name(int k) { return "j" + std::to_string(k); }

Model model_of(const Drawn& drawn) {
  Model m;
  std::vector<Part> part;
  for (const BodyOptions& b : drawn.bodies) part.emplace_back(m.body("b" + std::to_string(part.size()), b));
  const auto at = [&](int k) { return k < 0 ? Part() : part[k]; };
  for (std::size_t k = 0; k < drawn.joints.size(); ++k) {
    const DrawnJoint& j = drawn.joints[k];
    m.joint(joint_name(static_cast<int>(k)), at(j.parts[0]), at(j.parts[1]), j.options);
  }
  m.gravity({drawn.gravity.x(), drawn.gravity.y(), drawn.gravity.z()});
  return m;
}

/// The start with a velocity that all joints allow.
State moving(Draw& draw, const System& system) {
  State at = system.start();
  for (double& v : at.v) v = draw.real();
  Workspace work(system);
  const MatrixXd allowed = allowed_by(dense(evaluate(system, at, work).A));
  const VectorXd v = allowed * (allowed.transpose() * vector_of(std::span<const double>(at.v)));
  at.v.assign(v.begin(), v.end());
  return at;
}

/// Solving loses digits where the rows that are independent are nearly not.
bool is_tame(const System& system, const State& at) {
  Workspace work(system);
  const MatrixXd A = dense(evaluate(system, at, work).A);
  const auto qr = factorised(A);
  const auto pivots = qr.matrixR().diagonal().head(qr.rank()).cwiseAbs();
  return qr.rank() > 0 && pivots.minCoeff() > 1e-2 * pivots.maxCoeff();
}

/// Drawn, compiled, moving.
struct Case {
  Draw draw;
  Drawn drawn;
  Model model;
  System system;
  State at;
  Solution solution;
  explicit Case(unsigned seed)
      : draw(seed),
        drawn(draw_mechanism(draw)),
        model(model_of(drawn)),
        system(model),
        at(moving(draw, system)) {
    if (is_tame(system, at)) solution = solve(system, at);
  }
};

Vector3d first_three(const std::vector<double>& x, int from) { return {x[from], x[from + 1], x[from + 2]}; }

RC_GTEST_PROP(Mechanism, MovesTheSameWhereverItStands, ()) {
  Case here(*rc::gen::arbitrary<unsigned>());
  RC_PRE(is_tame(here.system, here.at));
  RC_ASSERT(here.solution.status == Status::solved);
  const Pose by = here.draw.pose(3);
  Drawn moved = here.drawn;
  for (BodyOptions& b : moved.bodies) {
    const Pose there = by * Pose{vector_of(b.position), turn_of(b.orientation)};
    b.position = numbers(there.position);
    b.orientation = numbers(there.turn);
  }
  for (DrawnJoint& j : moved.joints) {
    j.options.point = numbers(Vector3d(by * vector_of(j.options.point)));
    j.options.axis = numbers(Vector3d(by.turn * vector_of(j.options.axis)));
    if (j.options.point2) j.options.point2 = numbers(Vector3d(by * vector_of(*j.options.point2)));
    if (j.options.axis2) j.options.axis2 = numbers(Vector3d(by.turn * vector_of(*j.options.axis2)));
  }
  moved.gravity = by.turn * here.drawn.gravity;
  const Model model = model_of(moved);
  const System system(model);
  const State at = moved_as_one(model, here.at, by);
  const Solution there = solve(system, at);
  RC_ASSERT(there.status == Status::solved);
  RC_ASSERT(there.rank == here.solution.rank);
  const double size = 1 + vector_of(std::span<const double>(here.solution.acceleration)).norm();
  for (const Model::BodyData& b : model.bodies()) {
    const int v = b.first_velocity;
    const Vector3d linear = by.turn * first_three(here.solution.acceleration, v);
    RC_ASSERT((linear - first_three(there.acceleration, v)).norm() <= 1e-9 * size);
    RC_ASSERT(
        (first_three(here.solution.acceleration, v + 3) - first_three(there.acceleration, v + 3)).norm() <=
        1e-9 * size);
  }
}

RC_GTEST_PROP(Mechanism, ReactionsDoNoVirtualWork, ()) {
  Case c(*rc::gen::arbitrary<unsigned>());
  RC_PRE(is_tame(c.system, c.at));
  RC_ASSERT(c.solution.status == Status::solved);
  Workspace work(c.system);
  const MatrixXd A = dense(evaluate(c.system, c.at, work).A);
  const VectorXd force = vector_of(std::span<const double>(c.solution.constraint_force));
  RC_ASSERT((allowed_by(A).transpose() * force).norm() <= 1e-10 * (1 + force.norm()));
  // Nor does any one joint along what it alone allows.
  for (std::size_t k = 0; k < c.system.constraints().size(); ++k) {
    const ConstraintInfo& info = c.system.constraints()[k];
    const std::vector<double> own =
        force_of_constraint(c.system, c.at, c.solution, static_cast<int>(k), work);
    const VectorXd f = vector_of(std::span<const double>(own));
    const MatrixXd rows = A.middleRows(info.first_row, info.row_count);
    RC_ASSERT((allowed_by(rows).transpose() * f).norm() <= 1e-10 * (1 + f.norm()));
  }
}

/// Mass times acceleration is weight and reactions; the rate of angular momentum is their moments.
RC_GTEST_PROP(Mechanism, ReactionsBalanceWhatTheyCarry, ()) {
  Case c(*rc::gen::arbitrary<unsigned>());
  RC_PRE(is_tame(c.system, c.at));
  RC_ASSERT(c.solution.status == Status::solved);
  Workspace work(c.system);
  for (const Model::BodyData& b : c.model.bodies()) {
    Vector3d force = b.mass.value() * c.drawn.gravity, torque = Vector3d::Zero();
    double size = 1;
    for (std::size_t k = 0; k < c.system.constraints().size(); ++k) {
      const Wrench w =
          wrench_on(b, force_of_constraint(c.system, c.at, c.solution, static_cast<int>(k), work), c.at.q);
      force += w.force;
      torque += w.torque;
      size += w.force.norm() + w.torque.norm();
    }
    const Quaterniond turn = pose_at(c.at.q.data() + b.first_coordinate).turn;
    const Vector3d w = first_three(c.at.v, b.first_velocity + 3);
    const Matrix3d I = matrix_of(b.inertia);
    const Vector3d rate = I * first_three(c.solution.acceleration, b.first_velocity + 3) + w.cross(I * w);
    RC_ASSERT((b.mass.value() * first_three(c.solution.acceleration, b.first_velocity) - force).norm() <=
              1e-10 * size);
    RC_ASSERT((turn * rate - torque).norm() <= 1e-10 * size);
  }
}

/// A joint passes on what it blocks, at its point and about its axis, and nothing else.
RC_GTEST_PROP(Mechanism, AJointPassesOnWhatItBlocks, ()) {
  Case c(*rc::gen::arbitrary<unsigned>());
  RC_PRE(is_tame(c.system, c.at));
  RC_ASSERT(c.solution.status == Status::solved);
  Workspace work(c.system);
  for (std::size_t k = 0; k < c.drawn.joints.size(); ++k) {
    const DrawnJoint& j = c.drawn.joints[k];
    const int part = j.parts[1] >= 0 ? 1 : 0;
    const Model::BodyData& body = c.model.bodies()[j.parts[part]];
    const Wrench w =
        wrench_on(body, force_of_constraint(c.system, c.at, c.solution, static_cast<int>(k), work), c.at.q);
    const Vector3d first = vector_of(j.options.point),
                   second = vector_of(j.options.point2.value_or(j.options.point));
    const Vector3d at = part == 1 ? second : first, u = vector_of(j.options.axis);
    const Vector3d moment = w.moment(pose_at(c.at.q.data() + body.first_coordinate).position, at);
    const double allowed = 1e-10 * (1 + w.force.norm() + w.torque.norm());
    switch (j.options.type) {
      case JointType::spherical:
        RC_ASSERT(moment.norm() <= allowed);
        break;
      case JointType::revolute:
        RC_ASSERT(std::fabs(moment.dot(u)) <= allowed);
        break;
      case JointType::prismatic:
        RC_ASSERT(std::fabs(w.force.dot(u)) <= allowed);
        break;
      case JointType::cylindrical:
        RC_ASSERT(std::fabs(w.force.dot(u)) + std::fabs(moment.dot(u)) <= allowed);
        break;
      case JointType::planar:
        RC_ASSERT(w.force.cross(u).norm() + std::fabs(moment.dot(u)) <= allowed);
        break;
      case JointType::universal:  // the moment stands across both axes
        RC_ASSERT(std::fabs(moment.dot(u)) + std::fabs(moment.dot(vector_of(*j.options.axis2))) <= allowed);
        break;
      case JointType::distance:
        RC_ASSERT(w.force.cross(first - second).norm() + moment.norm() <= 10 * allowed);
        break;
      case JointType::screw:  // one turn and one pitch together are free: 2 pi M + pitch F = 0
        RC_ASSERT(std::fabs(2 * std::acos(-1.0) * moment.dot(u) + 0.5 * w.force.dot(u)) <= 10 * allowed);
        break;
      default:
        break;
    }
  }
}

/// Rods hinged end to end about z, each at an angle of its own.
Model hinged_chain(int rods) {
  Model m;
  Part before;
  Vector3d end = Vector3d::Zero();
  for (int i = 0; i < rods; ++i) {
    const double angle = 0.5 * std::sin(0.7 * i + 0.3);
    const Vector3d next = end + Vector3d(std::cos(angle), std::sin(angle), 0);
    const Body rod = m.body("rod" + std::to_string(i), straight_between(end, next, Straight::thin(1, 1)));
    m.joint("hinge" + std::to_string(i), before, rod, {.type = JointType::revolute, .point = numbers(end)});
    before = rod;
    end = next;
  }
  return m;
}

/// However the rods lie, and whatever rounding makes of their axes.
TEST(Mechanism, HingesOfALongChainShareTheirKernels) {
  const System two(hinged_chain(2)), many(hinged_chain(400));
  const int one = two.instruction_count();
  EXPECT_LE(many.group_count(), 4);
  EXPECT_LE(many.instruction_count(), 6 * one) << "of 400 hinges";
}

}  // namespace
}  // namespace vinculum
