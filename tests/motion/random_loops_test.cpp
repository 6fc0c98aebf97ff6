// Random mechanisms: trees of bodies on joints of several kinds, with loops that close as they are drawn, but
// for noise in every drawn number. Each is assembled and moves for ten seconds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/bodies.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using namespace test;

/// How much a joint leaves free.
int freedom_of(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    case JointType::distance:
      return 5;
    default:
      return 3;
  }
}

/// Bodies and joints of one mechanism, as they would be drawn without noise.
struct Drawing {
  struct Link {
    JointType type = JointType::revolute;
    int a = -1, b = -1;  // bodies; -1 is the ground
    Vector3d point, axis = {0, 0, 1}, axis2 = {0, 0, 1};
  };
  std::vector<Pose> bodies;
  std::vector<Link> links;
};

/// Every drawn number of it is off by noise, on both sides of every joint apart.
Model drawn_with(const Drawing& drawing, double noise, unsigned seed) {
  Draw draw(seed), off(seed + 1000);
  const auto beside = [&](const Vector3d& v) { return numbers(Vector3d(v + noise * off.vector())); };
  Model m;
  m.gravity({1.5, -9.81, 0.7});
  std::vector<Part> parts;
  for (std::size_t k = 0; k < drawing.bodies.size(); ++k) {
    BodyOptions body = drawn_body(draw, drawing.bodies[k]);
    body.position = beside(drawing.bodies[k].position);
    const Quaterniond turn = drawing.bodies[k].turn * turn_by(noise * off.vector());
    body.orientation = numbers(turn);
    parts.push_back(m.body("b" + std::to_string(k), body));
  }
  const auto part = [&](int k) { return k < 0 ? Part{} : parts[k]; };
  for (std::size_t k = 0; k < drawing.links.size(); ++k) {
    const Drawing::Link& link = drawing.links[k];
    JointOptions joint{.type = link.type, .point = beside(link.point)};
    joint.point2 = beside(link.point);
    if (link.type != JointType::spherical && link.type != JointType::distance) {
      joint.axis = beside(link.axis);
      joint.axis2 = beside(link.axis);
    }
    if (link.type == JointType::universal) joint.axis2 = beside(link.axis2);
    if (link.type == JointType::distance) joint.point2 = beside(Vector3d(link.point + link.axis));
    const bool slides = link.type == JointType::prismatic || link.type == JointType::cylindrical;
    if (slides) joint.stiffness = 200;  // or it would fall out of the picture
    m.joint("j" + std::to_string(k), part(link.a), part(link.b), joint);
  }
  return m;
}

/// Two directions at right angles.
void point_anywhere(Drawing::Link& link, Draw& draw) {
  link.axis = draw.unit();
  link.axis2 = link.axis.cross(draw.unit()).normalized();
  if (link.type == JointType::planar) link.axis = Vector3d(link.axis.x(), link.axis.y(), 0.0).normalized();
}

Vector3d place_of(const Drawing& drawing, int body) {
  return body < 0 ? Vector3d::Zero() : drawing.bodies[body].position;
}

/// A tree of joints in all directions, and loops as long as two freedoms are left.
Drawing spatial(unsigned seed) {
  Draw draw(seed);
  const JointType kinds[] = {JointType::revolute, JointType::spherical, JointType::universal,
                             JointType::prismatic, JointType::cylindrical};
  const JointType closing[] = {JointType::revolute, JointType::spherical, JointType::universal,
                               JointType::cylindrical, JointType::distance};
  Drawing drawing;
  const int count = draw.whole(3, 7);
  int freedom = 0;
  for (int k = 0; k < count; ++k) {
    const int to = draw.whole(-1, k - 1);
    drawing.bodies.push_back({place_of(drawing, to) + 0.8 * draw.unit(), draw.turn()});
    Drawing::Link link{kinds[draw.whole(0, 4)], to, k, {}};
    link.point = (place_of(drawing, to) + drawing.bodies[k].position) / 2 + draw.vector(0.1);
    point_anywhere(link, draw);
    drawing.links.push_back(link);
    freedom += freedom_of(link.type);
  }
  for (int tries = 0; tries < 4; ++tries) {
    Drawing::Link link{closing[draw.whole(0, 4)], draw.whole(-1, count - 2), count - 1, {}};
    link.point = draw.vector(0.8);
    point_anywhere(link, draw);
    if (freedom - (6 - freedom_of(link.type)) < 2) continue;
    freedom -= 6 - freedom_of(link.type);
    drawing.links.push_back(link);
  }
  return drawing;
}

/// Ladders of hinges and slides that all lie in one oblique plane: every loop holds it there three times more
/// often than it takes.
Drawing planar(unsigned seed) {
  Draw draw(seed);
  const Pose plane = draw.pose(0.3);
  const auto in_plane = [&](double x, double y) { return Vector3d(plane * Vector3d(x, y, 0)); };
  const Vector3d across = plane.turn * Vector3d::UnitZ();
  Drawing drawing;
  const int loops = draw.whole(1, 3);
  Vector3d left = in_plane(0, 0), left_top = in_plane(0.2 * draw.real(), draw.real(0.5, 0.9));
  const auto add = [&](const Vector3d& from, const Vector3d& to) {
    drawing.bodies.push_back({(from + to) / 2, draw.turn()});
    return static_cast<int>(drawing.bodies.size()) - 1;
  };
  int upright = add(left, left_top);
  drawing.links.push_back({JointType::revolute, -1, upright, left, across});
  for (int k = 1; k <= loops; ++k) {
    const Vector3d foot = in_plane(k * 1.1, 0.1 * draw.real()),
                   top = in_plane(k * 1.1 + 0.2 * draw.real(), draw.real(0.5, 0.9));
    const int bar = add(left_top, top), next = add(foot, top);
    drawing.links.push_back({JointType::revolute, upright, bar, left_top, across});
    drawing.links.push_back({JointType::revolute, -1, next, foot, across});
    drawing.links.push_back({JointType::revolute, bar, next, top, across});
    if (draw.whole(0, 2) == 0) {  // a crank that pushes a slide along
      const int slide = add(foot, in_plane(k * 1.1 + 0.3, 1.2));
      const int rod = add(top, drawing.bodies[slide].position);
      drawing.links.push_back({JointType::revolute, next, rod, top, across});
      drawing.links.push_back({JointType::revolute, rod, slide, drawing.bodies[slide].position, across});
      drawing.links.push_back({JointType::prismatic, -1, slide, drawing.bodies[slide].position,
                               Vector3d(plane.turn * Vector3d(draw.real(), draw.real(), 0).normalized())});
    }
    left_top = top;
    upright = next;
  }
  return drawing;
}

/// Rings of four hinges whose axes meet in one point, and a door on two hinges at one of the links.
Drawing spherical(unsigned seed) {
  Draw draw(seed);
  const Vector3d middle = draw.vector(0.3);
  Drawing drawing;
  Vector3d axis[4];
  for (int k = 0; k < 4; ++k) {
    const double angle = 1.3 * k + 0.2 * draw.real();
    axis[k] = Vector3d(0.6 * std::cos(angle), 0.6 * std::sin(angle), 1.0 + 0.1 * draw.real()).normalized();
  }
  const Quaterniond turn = draw.turn();
  for (Vector3d& a : axis) a = turn * a;
  for (int k = 0; k < 3; ++k) drawing.bodies.push_back({middle + 0.4 * (axis[k] + axis[k + 1]), draw.turn()});
  for (int k = 0; k < 4; ++k)
    drawing.links.push_back({JointType::revolute, k - 1, k < 3 ? k : -1, middle + 0.7 * axis[k], axis[k]});
  const Vector3d edge = draw.unit(), foot = drawing.bodies[1].position + draw.vector(0.3);
  drawing.bodies.push_back({foot + 0.4 * draw.unit(), draw.turn()});
  for (const double height : {-0.3, 0.4})
    drawing.links.push_back({JointType::revolute, 1, 3, foot + height * edge, edge});
  return drawing;
}

/// Noise of the drawings, and how far their loops may stay open: a loop adds up the noise of its joints, over
/// levers of some lengths of links and at places far from where they were drawn.
struct Precision {
  double noise, closure;
};
constexpr Precision precisions[] = {{0, 1e-8},     {1e-16, 1e-8}, {1e-14, 1e-8}, {1e-12, 1e-8},
                                    {1e-10, 1e-7}, {1e-8, 1e-5},  {1e-6, 1e-3}};

void expect_moves(const Drawing& drawing, const Precision& precision, unsigned seed) {
  const System system(drawn_with(drawing, precision.noise, seed));
  AssembleOptions closing;
  closing.closure = precision.closure;
  const Assembly a = assemble(system, system.start(), closing);
  ASSERT_TRUE(a.consistent || a.repaired) << a.text;
  MotionOptions how;
  how.until = 10;
  how.samples = 1;
  how.tolerance = 1e-8;
  how.closure = precision.closure;
  const Trajectory motion = simulate(system, a.state, how);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  double way = 0;  // noise must not hold it still
  for (int i = 0; i < motion.waypoints.size(); ++i)
    for (std::size_t k = 0; k < motion.first.q.size(); ++k)
      way = std::max(way, std::fabs(motion.waypoints.q(i)[k] - motion.first.q[k]));
  EXPECT_GT(way, 1e-3);
  for (const PassedOver& p : motion.passed_over) EXPECT_LE(p.gap, p.allowed) << p.name;
  // Every other row is kept to rounding, of numbers of the size of the machine.
  std::vector<char> open(system.constraints().size(), 0);
  for (const PassedOver& p : motion.passed_over)
    for (std::size_t c = 0; c < open.size(); ++c)
      open[c] = open[c] || system.constraints()[c].name == p.constraint;
  for (std::size_t c = 0; c < motion.worst.size(); ++c) {
    if (open[c]) continue;
    EXPECT_LE(motion.worst[c].position, 1e-10) << system.constraints()[c].name;
  }
  // Joints and gravity keep the energy; what is open does work of its gap.
  const double size = std::fabs(motion.energy_start) + 10;
  EXPECT_LE(std::fabs(motion.drift()), (1e-5 + 10 * precision.closure) * size);
}

void expect_family_moves(Drawing (*drawing)(unsigned), unsigned first, unsigned count) {
  for (unsigned k = 0; k < count; ++k) {
    const Precision& precision = precisions[k % std::size(precisions)];
    SCOPED_TRACE(testing::Message() << "seed " << first + k << ", noise " << precision.noise);
    expect_moves(drawing(first + k), precision, first + k);
  }
}

TEST(RandomLoops, InSpaceMoveForTenSeconds) { expect_family_moves(spatial, 100, 56); }
TEST(RandomLoops, InAPlaneMoveForTenSeconds) { expect_family_moves(planar, 200, 42); }
TEST(RandomLoops, AboutAPointMoveForTenSeconds) { expect_family_moves(spherical, 300, 28); }

}  // namespace
}  // namespace vinculum
