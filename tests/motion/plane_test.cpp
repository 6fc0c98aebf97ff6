// Bodies in a plane: the motion of the same bodies in space, without a redundant row.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/outputs_along.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using test::Along;

constexpr double pi = std::numbers::pi;

/// The axes of the world by which a plane is told, in its own order.
struct Frame {
  int first, second, normal;
  Triple operator()(double a, double b, double n = 0.0) const {
    std::array<double, 3> v{};
    v[first] = a;
    v[second] = b;
    v[normal] = n;
    return v;
  }
  Orientation turn(double angle) const {
    std::array<double, 4> q{std::cos(angle / 2), 0, 0, 0};
    q[1 + normal] = std::sin(angle / 2);
    return q;
  }
};
Frame frame_of(Plane plane) {
  const PlaneAxes axes = axes_of(plane == Plane::none ? Plane::xy : plane);
  return {axes.first, axes.second, axes.normal};
}

/// The four-bar of the examples: crank 0.4, rocker 1, the crank turning at -6.
Model four_bar(Plane plane, Plane told) {
  const Frame at = frame_of(told);
  const double a = 0.4, h = 1.0;
  Model model;
  model.gravity(at(0, -9.81));
  const auto rod = [&](const char* name, double mass, double x, double y, double angle, double vx,
                       double spin) {
    const double moment = mass / 12;
    return model.body(name, {.mass = mass,
                             .inertia = {moment, moment, moment},
                             .position = at(x, y),
                             .velocity = at(vx, 0),
                             .orientation = at.turn(angle),
                             .omega_body = at(0, 0, spin),
                             .plane = plane});
  };
  const Body crank = rod("crank", 0.4, 0, a / 2, pi / 2, 3 * a, -6);
  const Body coupler = rod("coupler", 1.2, 0.5, (a + h) / 2, std::atan2(h - a, 1), 6 * a, 0);
  const Body rocker = rod("rocker", 1.0, 1, h / 2, pi / 2, 3 * a, -6 * a / h);
  const auto pin = [&](const char* name, const Part& one, const Part& other, double x, double y) {
    model.joint(name, one, other,
                {.type = JointType::revolute, .point = at(x, y), .axis = at(0, 0, 1), .damping = 0.01});
  };
  pin("crank_pin", Part(), crank, 0, 0);
  pin("coupler_pin", crank, coupler, 0, a);
  pin("rocker_pin", coupler, rocker, 1, h);
  pin("ground_pin", rocker, Part(), 1, 0);
  model.output("turned", model.joint_angle("crank_pin"));
  model.output("middle", coupler.point(at(0.1, 0.05)));
  model.output("spin", rocker.omega());
  return model;
}

TEST(Plane, AFourBarHasEightRowsAndOneWayToMove) {
  const System system(four_bar(Plane::xy, Plane::xy));
  EXPECT_EQ(system.velocity_names().size(), 9u);
  EXPECT_EQ(system.row_names().size(), 8u);
  Workspace work(system);
  Solution solution;
  solve(system, system.start(), work, solution);
  EXPECT_EQ(solution.rank, 8);
  EXPECT_TRUE(solution.multipliers_unique);
}

TEST(Plane, ItMovesAsTheSameBodiesInSpaceDo) {
  for (const Plane plane : {Plane::xy, Plane::yz, Plane::xz}) {
    SCOPED_TRACE(plane_word(plane));
    const Along flat(four_bar(plane, plane), 3), space(four_bar(Plane::none, plane), 3);
    for (int i = 0; i < flat.size(); ++i)
      for (const char* name : {"turned", "middle.x", "middle.y", "middle.z", "spin.x", "spin.y", "spin.z"})
        EXPECT_NEAR(flat.output(i, name), space.output(i, name), 1e-9) << name << " at " << flat.time(i);
  }
}

/// x'' = -(m g l / J) sin x of a rod on a pin, by its energy and by its period for a small swing.
TEST(Plane, ARodOnAPinSwingsAsItsClosedForm) {
  Model model;
  model.gravity({0, -9.81, 0});
  const double l = 0.5, m = 2, moment = m / 12, small = 1e-4;
  const Body rod = model.body("rod", {.mass = m,
                                      .inertia = {0, 0, moment},
                                      .position = {l * std::sin(small), -l * std::cos(small), 0},
                                      .orientation = {std::cos(small / 2), 0, 0, std::sin(small / 2)},
                                      .plane = Plane::xy});
  model.joint("pin", Part(), rod, {.type = JointType::revolute});
  const double w = std::sqrt(m * 9.81 * l / (moment + m * l * l));
  const Along run(model, 5);
  for (int i = 0; i < run.size(); ++i) {
    // The next term of the period is angle^2 / 16.
    EXPECT_NEAR(run.coordinate(i, "rod.angle"), small * std::cos(w * run.time(i)),
                20 * small * small * small);
    EXPECT_NEAR(run.coordinate(i, "rod.x"), l * std::sin(run.coordinate(i, "rod.angle")), 1e-12);
  }
}

TEST(Plane, ASliderAWeldAndADistanceHaveTheirRows) {
  Model model;
  const auto body = [&](const char* name, double x) {
    return model.body(name, {.mass = 1, .inertia = {0, 0, 1}, .position = {x, 0, 0}, .plane = Plane::xy});
  };
  const Body cart = body("cart", 0), box = body("box", 1), ball = body("ball", 2);
  model.joint("rail", Part(), cart,
              {.type = JointType::prismatic, .axis = {1, 0, 0}, .stiffness = 12.0, .rest = 0.2});
  model.joint("glue", cart, box, {.type = JointType::weld, .point = {0.5, 0, 0}});
  model.joint("rope", box, ball,
              {.type = JointType::distance, .point = {1, 0, 0}, .point2 = Triple{2, 0, 0}});
  const System system(model);
  EXPECT_EQ(system.row_names().size(), 2u + 3u + 1u);
  const Along run(model, 2);
  for (int i = 0; i < run.size(); ++i)  // 3 masses on one spring
    EXPECT_NEAR(run.coordinate(i, "cart.x"), 0.2 * (1 - std::cos(2 * run.time(i))), 1e-10);
}

/// A disc rolls down a slope: a = 2/3 g sin(slope).
TEST(Plane, ADiscRollsDownASlope) {
  const double slope = 0.3, r = 0.2;
  Model model;
  model.gravity({0, -9.81, 0});
  const Body disc = model.body("disc", {.mass = 3,
                                        .inertia = {0, 0, 3 * r * r / 2},
                                        .position = {r * std::sin(slope), r * std::cos(slope), 0},
                                        .plane = Plane::xy});
  model.joint("contact", Part(), disc,
              {.type = JointType::rolling, .radius = r, .normal = {std::sin(slope), std::cos(slope), 0}});
  EXPECT_EQ(System(model).row_names().size(), 2u);
  const Along run(model, 2);
  const int end = run.size() - 1;
  const double way = 9.81 * std::sin(slope) / 3 * 4;
  EXPECT_NEAR(run.coordinate(end, "disc.angle"), -way / r, 1e-9);
  EXPECT_NEAR(run.coordinate(end, "disc.x"), r * std::sin(slope) + way * std::cos(slope), 1e-9);
}

/// A body in space on a body in a plane: all of its rows.
TEST(Plane, ABodyInSpaceMayHangOnIt) {
  const auto chain = [](Plane plane) {
    Model model;
    model.gravity({0, -9.81, 0});
    const Body arm =
        model.body("arm", {.mass = 2, .inertia = {0.2, 0.2, 0.2}, .position = {0.5, 0, 0}, .plane = plane});
    const Body bob = model.body("bob", {.mass = 1, .inertia = {0.05, 0.07, 0.06}, .position = {1.2, 0, 0.1}});
    model.joint("pin", Part(), arm, {.type = JointType::revolute});
    model.joint("ball", arm, bob, {.type = JointType::spherical, .point = {1, 0, 0}});
    // In space the pin alone holds the arm in its plane.
    model.output("at", bob.position());
    return model;
  };
  const Along flat(chain(Plane::xy), 2), space(chain(Plane::none), 2);
  for (int i = 0; i < flat.size(); ++i)
    for (const char* name : {"at.x", "at.y", "at.z"})
      EXPECT_NEAR(flat.output(i, name), space.output(i, name), 1e-9) << name;
}

TEST(Plane, ABushingHoldsItToo) {
  const auto held = [](Plane plane) {
    Model model;
    const Body b = model.body("b", {.mass = 2,
                                    .inertia = {1, 1, 0.5},
                                    .velocity = {0.3, 0.1, 0},
                                    .omega_body = {0, 0, 2},
                                    .plane = plane});
    model.bushing("mount", Part(), b,
                  {.point = {0.2, 0.1, 0},
                   .stiffness = {20, 30, 40},
                   .damping = {0.1, 0.1, 0.1},
                   .rotational_stiffness = {3, 4, 5},
                   .rotational_damping = {0.1, 0.1, 0.1}});
    model.output("at", b.position());
    model.output("spin", b.omega().z);
    model.output("torque", model.bushings()[0].torque.z);
    return model;
  };
  const Along flat(held(Plane::xy), 2), space(held(Plane::none), 2);
  for (int i = 0; i < flat.size(); ++i)
    for (const char* name : {"at.x", "at.y", "spin", "torque"})
      EXPECT_NEAR(flat.output(i, name), space.output(i, name), 1e-9) << name;
}

std::string fault(const std::function<void(Model&)>& state) {
  Model model;
  try {
    state(model);
  } catch (const Error& e) {
    return e.text();
  }
  return "";
}

TEST(Plane, WhatLeavesItIsRefused) {
  EXPECT_EQ(fault([](Model& m) { m.body("b", {.velocity = {0, 0, 1}, .plane = Plane::xy}); }),
            "body 'b' moves in the plane xy, and its velocity along z is 1; it must be 0");
  EXPECT_EQ(
      fault([](Model& m) { m.body("b", {.omega_body = {0, 3, 0}, .plane = Plane::xy}); }),
      "body 'b' moves in the plane xy, and its angular velocity about another axis than z is 3; it must be "
      "0");
  EXPECT_EQ(fault([](Model& m) { m.body("b", {.orientation = {1, 1, 0, 0}, .plane = Plane::xy}); }),
            "body 'b' moves in the plane xy, and its orientation is a turn about another axis than z");
  EXPECT_EQ(fault([](Model& m) { m.body("b", {.inertia = {1, -2, 1}, .plane = Plane::xz}); }),
            "the moment of inertia of body 'b' about y is -2; it must not be negative");
}

TEST(Plane, JointsThatDoNotFitAreRefused) {
  const auto join = [](const JointOptions& options) {
    return fault([&](Model& m) {
      m.joint("j", m.body("a", {.plane = Plane::xy}), m.body("b", {.plane = Plane::xy}), options);
    });
  };
  EXPECT_EQ(join({.type = JointType::revolute, .axis = {1, 0, 0}}),
            "'axis' of joint 'j' is not along z, and its parts move in the plane xy");
  EXPECT_EQ(join({.type = JointType::prismatic, .axis = {1, 0, 1}}),
            "'axis' of joint 'j' is not across z, and its parts move in the plane xy");
  EXPECT_EQ(join({.type = JointType::planar}),
            "joint 'j' is planar, and its parts move in the plane xy; revolute, prismatic, weld, spherical, "
            "distance and rolling joints hold something there");
  EXPECT_EQ(join({.type = JointType::revolute, .point2 = Triple{0, 0, 0.5}}),
            "'point2' of joint 'j' is 0.5 off 'point' along z, and its parts move in the plane xy");
  EXPECT_EQ(fault([](Model& m) {
              m.joint("j", m.body("a", {.plane = Plane::xy}), m.body("b", {.plane = Plane::xz}), {});
            }),
            "joint 'j' is between 'a' in the plane xy and 'b' in the plane xz; state one of them in space, "
            "without 'plane'");
}

}  // namespace
}  // namespace vinculum
