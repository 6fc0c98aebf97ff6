#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/motion/simulate.hpp"
#include "vinculum/report/view.hpp"

namespace vinculum {
namespace {

using Names = std::vector<std::string>;
using Numbers3 = std::array<double, 3>;

template <class Thing>
Names names(const std::vector<Thing>& things) {
  Names result;
  for (const Thing& thing : things) result.push_back(thing.name);
  return result;
}

Trajectory run(const Model& model, double until, int samples = 21) {
  MotionOptions options;
  options.until = until;
  options.samples = samples;
  return simulate(System(model), options);
}

Frames shown(const Model& model, const Trajectory& motion) {
  return frames_of(model, complete_view(model, {}), motion, 1000);
}

std::array<double, 4> about_y(double angle) { return {std::cos(angle / 2), 0, std::sin(angle / 2), 0}; }

void expect_numbers(const Numbers3& given, const Numbers3& wanted, double within) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(given[k], wanted[k], within) << k;
}

/// A crank, a coupler and a slide in the xz plane, all under weight.
Model slider_crank() {
  Model m;
  m.gravity({0, 0, -9.81});
  const double tip_x = 0.2, tip_z = 0.2 * std::sqrt(3.0), slide_x = tip_x + std::sqrt(1 - tip_z * tip_z);
  BodyOptions options = body_of({Solid::Kind::box, {0.48, 0.06, 0.09}}, 2.0);
  options.position = {tip_x / 2, 0, tip_z / 2};
  options.orientation = about_y(-M_PI / 3);
  const Body crank = m.body("crank", options);
  options = body_of({Solid::Kind::rod, {1.0, 0.025}}, 1.0);
  options.position = {(tip_x + slide_x) / 2, 0, tip_z / 2};
  options.orientation = about_y(std::asin(tip_z));
  const Body coupler = m.body("coupler", options);
  options = body_of({Solid::Kind::box, {0.22, 0.12, 0.16}}, 0.5);
  options.position = {slide_x, 0, 0};
  const Body slide = m.body("slide", options);
  m.joint("pivot", Part(), crank, {.type = JointType::revolute, .axis = {0, 1, 0}});
  m.joint("elbow", crank, coupler,
          {.type = JointType::revolute, .point = {tip_x, 0, tip_z}, .axis = {0, 1, 0}});
  m.joint("wrist", coupler, slide,
          {.type = JointType::revolute, .point = {slide_x, 0, 0}, .axis = {0, 1, 0}});
  m.joint("guide", slide, Part(),
          {.type = JointType::prismatic, .point = {slide_x, 0, 0}, .axis = {1, 0, 0}});
  return m;
}

TEST(ViewBodies, EachSolidHasItsShapeAndHalfItsSize) {
  Model m;
  const Expr width = m.parameter("width", 0.3);
  m.body("brick", {.solid = Solid{Solid::Kind::box, {2 * width, 0.4, 0.2}}});
  m.body("ball", {.solid = Solid{Solid::Kind::sphere, {sqrt(pow(width, 2))}}});
  m.body("drum", body_of({Solid::Kind::cylinder, {0.5, 0.2}}, 1.0));
  m.body("stick", body_of({Solid::Kind::rod, {2.0, 0.05}}, 1.0));
  const View view = complete_view(m, {});
  ASSERT_EQ(names(view.solids), (Names{"brick", "ball", "drum", "stick"}));
  const double rounding = 1e-15;
  EXPECT_EQ(view.solids[0].shape, View::Shape::box);
  expect_numbers(view.solids[0].half, {0.3, 0.2, 0.1}, rounding);
  EXPECT_EQ(view.solids[1].shape, View::Shape::ellipsoid);
  expect_numbers(view.solids[1].half, {0.3, 0.3, 0.3}, rounding);
  EXPECT_EQ(view.solids[2].shape, View::Shape::cylinder);
  expect_numbers(view.solids[2].half, {0.5, 0.5, 0.1}, rounding);
  EXPECT_EQ(view.solids[3].shape, View::Shape::cylinder);
  expect_numbers(view.solids[3].half, {0.05, 0.05, 1.0}, rounding);
  for (const View::Solid& solid : view.solids) EXPECT_FALSE(solid.of_inertia);
  // A rod lies along x of its body.
  const Frames frames = shown(m, run(m, 0.1, 2));
  expect_numbers(columns_of(&frames.solids[3].pose[3])[2], {1, 0, 0}, rounding);
}

/// R diag(I) R^T of what is drawn, at the start.
std::array<Numbers3, 3> inertia_of(const Frames::Solid& solid, double mass) {
  const auto axis = columns_of(&solid.pose[3]);
  std::array<Numbers3, 3> sum{};
  for (int k = 0; k < 3; ++k) {
    const double b = solid.half[(k + 1) % 3], c = solid.half[(k + 2) % 3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum[i][j] += mass * (b * b + c * c) / 5 * axis[k][i] * axis[k][j];
  }
  return sum;
}

TEST(ViewBodies, ABodyWithoutAShapeIsTheEllipsoidThatHasItsInertia) {
  const double mass = 2.5;
  for (const Inertia& given : {Inertia{0.3, 0.4, 0.5, 0, 0, 0}, Inertia{0.3, 0.4, 0.5, 0.05, -0.03, 0.08}}) {
    Model m;
    m.body("stone", {.mass = mass, .inertia = given});
    const Frames frames = shown(m, run(m, 0.1, 2));
    ASSERT_EQ(frames.solids.size(), 1u);
    EXPECT_TRUE(frames.solids[0].of_inertia);
    const auto drawn = inertia_of(frames.solids[0], mass);
    // Principal axes, semi-axes and back: some dozen roundings of numbers below 1.
    expect_numbers(drawn[0], {given[0].value(), given[3].value(), given[4].value()}, 1e-14);
    expect_numbers(drawn[1], {given[3].value(), given[1].value(), given[5].value()}, 1e-14);
    expect_numbers(drawn[2], {given[4].value(), given[5].value(), given[2].value()}, 1e-14);
  }
}

TEST(ViewBodies, AFlatBodyAndAMasslessOneHaveAShapeToo) {
  Model m;
  m.body("sheet", {.mass = 1.0, .inertia = {0.1, 0.2, 0.3, 0, 0, 0}});
  m.body("frame", {.mass = 0.0, .inertia = {1.0, 1.0, 1.0, 0, 0, 0}});
  const View view = complete_view(m, {});
  EXPECT_NEAR(view.solids[0].half[2], 0, 1e-7);  // the root of a rounding
  expect_numbers(view.solids[1].half, {0, 0, 0}, 0);
}

TEST(ViewBodies, ABodyIsNotDrawnAgainAsAPoint) {
  Model m;
  const Body body = m.body("b");
  m.particle("p");
  const View view = complete_view(m, {});
  EXPECT_EQ(names(view.points), Names{"p"});
  EXPECT_EQ(names(view.solids), Names{"b"});
  EXPECT_EQ(names(complete_view(m, view).solids), Names{"b"});  // completed twice, drawn once
  View asked;
  asked.points.push_back({"tip", body.point({1, 0, 0})});
  EXPECT_EQ(names(complete_view(m, asked).points), (Names{"tip", "p"}));
  EXPECT_FALSE(complete_view(m, asked).solids[0].trail);  // the trail that matters is the one asked for
  asked.automatic = false;
  EXPECT_TRUE(complete_view(m, asked).solids.empty());
}

TEST(ViewBodies, UpIsAgainstTheWeightOfBodies) {
  Model m;
  m.body("b");
  m.gravity({0, 9.81, 0});
  EXPECT_EQ(complete_view(m, {}).up, "-y");
}

TEST(ViewBodies, ASpinningBodyTurnsByItsAngle) {
  Model m;
  BodyOptions options = body_of({Solid::Kind::box, {1.0, 2.0, 3.0}}, 1.0);
  options.omega_body = {0, 0, 7.0};
  options.velocity = {0.5, 0, 0};
  m.body("b", options);
  const Frames frames = shown(m, run(m, 2.0, 41));
  ASSERT_EQ(frames.solids[0].pose.size(), 7 * frames.t.size());
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const double angle = 7 * frames.t[i], *pose = &frames.solids[0].pose[7 * i];
    // The tolerance of the motion over 14 radians.
    expect_numbers({pose[0], pose[1], pose[2]}, {0.5 * frames.t[i], 0, 0}, 1e-8);
    expect_numbers(columns_of(pose + 3)[0], {std::cos(angle), std::sin(angle), 0}, 1e-8);
    expect_numbers(columns_of(pose + 3)[1], {-std::sin(angle), std::cos(angle), 0}, 1e-8);
  }
  EXPECT_TRUE(frames.planar);  // it turns in the plane in which it moves
  EXPECT_EQ(frames.plane, "xy");
}

TEST(ViewBodies, ABodyThatTumblesAtOnePlaceIsInSpace) {
  Model m;
  m.body("b", {.inertia = {1.0, 2.0, 2.5, 0, 0, 0}, .omega_body = {0.1, 2.0, 0.3}});
  EXPECT_FALSE(shown(m, run(m, 1.0)).planar);
}

TEST(ViewBodies, JointsAreWhereTheirPartsMeetAndALinkageIsPlanar) {
  const Model m = slider_crank();
  const View view = complete_view(m, {});
  EXPECT_EQ(names(view.joints), (Names{"pivot", "elbow", "wrist", "guide"}));
  EXPECT_TRUE(view.links.empty());
  const Frames frames = shown(m, run(m, 1.5, 61));
  EXPECT_TRUE(frames.planar);
  EXPECT_EQ(frames.plane, "xz");
  EXPECT_EQ(frames.up, "z");
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const double *crank = &frames.solids[0].pose[7 * i], *elbow = &frames.joints[1].xyz[9 * i];
    const auto axis = columns_of(crank + 3);
    // Joints hold to rounding: the elbow, told by either part, is 0.2 from the crank's centre along it.
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(elbow[k], crank[k] + 0.2 * axis[0][k], 1e-12);
      EXPECT_NEAR(elbow[k], elbow[3 + k], 1e-12);
    }
    expect_numbers({elbow[6], elbow[7], elbow[8]}, {0, 1, 0}, 1e-12);
  }
}

/// Newton's law for each body: what the arrows show is what its acceleration asks for besides its weight.
TEST(ViewBodies, ArrowsAtJointsBalanceWhatTheyCarry) {
  const Model m = slider_crank();
  const Trajectory motion = run(m, 1.5, 61);
  const Frames frames = shown(m, motion);
  EXPECT_EQ(names(frames.arrows), (Names{"force of pivot on crank", "force of elbow on coupler",
                                         "force of wrist on slide", "force of guide on ground"}));
  const double mass[] = {2.0, 1.0, 0.5};
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const Sample s = motion[frames.sample[i]];
    for (int b = 0; b < 3; ++b)  // joint b is held by body b, joint b + 1 holds on to it
      for (int k = 0; k < 3; ++k) {
        const double in = frames.arrows[b].xyz[6 * i + 3 + k], out = frames.arrows[b + 1].xyz[6 * i + 3 + k];
        const double wanted = mass[b] * (s.acceleration[6 * b + k] + (k == 2 ? 9.81 : 0.0));
        EXPECT_NEAR(in - out, wanted, 1e-10) << b << k;  // forces of some 100 N, to rounding
      }
    const double *wrist = &frames.joints[2].xyz[9 * i], *arrow = &frames.arrows[2].xyz[6 * i];
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(arrow[k], wrist[k], 1e-12);
  }
}

/// Euler's law for each body: torques shown, those of forces about its centre, and nothing else, turn it. A
/// hinge of a plane linkage has no torque to show.
TEST(ViewBodies, TorquesAtJointsBalanceWhatTurns) {
  const Model m = slider_crank();
  const Trajectory motion = run(m, 1.5, 61);
  const Frames frames = shown(m, motion);
  ASSERT_EQ(names(frames.torques), Names{"torque of guide on ground"});
  EXPECT_TRUE(frames.planar);  // a torque across the plane leaves it one
  const double inertia[] = {2.0 * (0.48 * 0.48 + 0.09 * 0.09) / 12, (3 * 0.025 * 0.025 + 1) / 12,
                            0.5 * (0.22 * 0.22 + 0.16 * 0.16) / 12};
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const Sample s = motion[frames.sample[i]];
    for (int b = 0; b < 3; ++b) {
      const double* centre = &frames.solids[b].pose[7 * i];
      const auto about_centre = [&](int joint) {  // the y component of r x F
        const double* arrow = &frames.arrows[joint].xyz[6 * i];
        return (arrow[2] - centre[2]) * arrow[3] - (arrow[0] - centre[0]) * arrow[5];
      };
      const double guide = b == 2 ? frames.torques[0].xyz[6 * i + 4] : 0.0;
      EXPECT_NEAR(about_centre(b) - about_centre(b + 1) - guide, inertia[b] * s.acceleration[6 * b + 4],
                  1e-10)
          << b;
    }
  }
}

TEST(ViewBodies, AConstraintOfOnesOwnPushesTheBodyAtItsCentre) {
  Model m;
  m.gravity({0, 0, -9.81});
  const Body ball = m.body("ball", body_of({Solid::Kind::sphere, {0.1}}, 3.0));
  m.constrain("table", ball.z, 0.0);
  const Frames frames = shown(m, run(m, 0.5, 3));
  ASSERT_EQ(names(frames.arrows), Names{"force of table on ball"});
  for (std::size_t i = 0; i < frames.t.size(); ++i)
    EXPECT_NEAR(frames.arrows[0].xyz[6 * i + 5], 3 * 9.81, 1e-12);
}

TEST(ViewBodies, ARollingCoinTouchesTheFloorAndARopeJoinsItsEnds) {
  Model m;
  m.gravity({0, 0, -9.81});
  BodyOptions options = body_of({Solid::Kind::cylinder, {0.25, 0.02}}, 1.0);
  options.position = {0, 0, 0.25};
  options.orientation = about_y(M_PI / 2);
  options.omega_body = {0, 0, -4};
  options.velocity = {0, 1.0, 0};
  const Body coin = m.body("coin", options);
  m.joint("floor", Part(), coin,
          {.type = JointType::rolling, .axis = {1, 0, 0}, .radius = 0.25, .disc = true});
  const Body bob = m.body("bob", {.position = {1, 0, 1}});
  m.joint("rope", Part(), bob,
          {.type = JointType::distance, .point = {1, 0, 3}, .point2 = std::array{1.0, 0.0, 1.0}});
  EXPECT_TRUE(complete_view(m, {}).links.empty());  // the rope is a joint, and drawn once
  const Frames frames = shown(m, run(m, 0.5, 6));
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const double *floor = &frames.joints[0].xyz[9 * i], *rope = &frames.joints[1].xyz[9 * i];
    expect_numbers({floor[0], floor[1], floor[2]}, {0, frames.t[i], 0}, 1e-9);
    EXPECT_NEAR(rope[2] - rope[5], 2.0, 1e-12);
  }
}

}  // namespace
}  // namespace vinculum
