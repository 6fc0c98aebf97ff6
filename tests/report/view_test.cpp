#include "vinculum/report/view.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

Trajectory run(const Model& model, double until, int samples = 21) {
  MotionOptions options;
  options.until = until;
  options.samples = samples;
  return simulate(System(model), options);
}

template <class Thing>
std::vector<std::string> names(const std::vector<Thing>& things) {
  std::vector<std::string> result;
  for (const Thing& thing : things) result.push_back(thing.name);
  return result;
}

using Names = std::vector<std::string>;

Model free_point(std::initializer_list<const char*> coordinates) {
  Model m;
  double start = 0.5;
  for (const char* name : coordinates) m.mass(m.coordinate(name, {start += 0.3, 0.2}), 1.0);
  return m;
}

/// y downward as in the paper of 1996: the weight is a force +m g on y.
Model pendulum_with_y_down() {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0}), y = m.coordinate("y", {0.8, 0});
  m.mass(x, 2.0);
  m.mass(y, 2.0);
  m.force(y, 2.0 * m.parameter("g", 9.81));
  m.constrain("rod", pow(x, 2) + pow(y, 2), 1.0);
  return m;
}

TEST(View, CoordinatesCalledXYZArePoints) {
  const auto shown = [](std::initializer_list<const char*> c) {
    return names(complete_view(free_point(c), {}).points);
  };
  EXPECT_EQ(shown({"x", "y", "z"}), Names{"point"});
  EXPECT_EQ(shown({"x1", "y1", "x2", "y2"}), (Names{"point 1", "point 2"}));
  EXPECT_EQ(shown({"x_b", "theta", "y_b"}), Names{"b"});
  EXPECT_EQ(shown({"x"}), Names{"point"});
  EXPECT_EQ(shown({"theta", "phi", "xi", "x_", "yaw"}), Names{});
}

TEST(View, ParticlesArePointsAndWhatWasAskedIsNotDrawnTwice) {
  Model m;
  const Particle p = m.particle("p");
  m.particle("q");
  View asked;
  asked.points.push_back({"bob", p, false});
  EXPECT_EQ(names(complete_view(m, asked).points), (Names{"bob", "q"}));
  asked.automatic = false;
  EXPECT_EQ(names(complete_view(m, asked).points), Names{"bob"});
}

TEST(View, AConstraintThatKeepsADistanceIsARodHoweverItIsWritten) {
  Model m;
  const Particle p = m.particle("p", {.position = {1, 0, 0}}), q = m.particle("q", {.position = {1, 1, 0}});
  const Vector nail{3, -1, 2};
  m.constrain("squares", norm_squared(p - q), 1.0);
  m.constrain("again", 3 * distance(p, q), 3.0);
  m.constrain("hanging", distance(p, nail), norm(Vector{2, -1, 2}));
  m.constrain("tied", pow(q.x, 2) + pow(q.y, 2) + pow(q.z, 2) - 2.0, 0.0);
  const View view = complete_view(m, {});
  EXPECT_EQ(names(view.links), (Names{"squares", "hanging", "tied"}));
  ASSERT_EQ(view.links.size(), 3u);
  // A centre comes from second derivatives: a few dozen roundings of numbers near 3.
  EXPECT_NEAR(view.links[1].from.x.value(), 3, 1e-13);
  EXPECT_NEAR(view.links[1].from.y.value(), -1, 1e-13);
  EXPECT_NEAR(view.links[1].from.z.value(), 2, 1e-13);
  EXPECT_TRUE(view.links[2].from.x.is_constant(0.0));
}

TEST(View, CurvesSurfacesAndPlanesAreNoRods) {
  Model m;
  const Particle p = m.particle("p", {.position = {1, 0, 0}}), q = m.particle("q", {.position = {1, 1, 0}});
  m.constrain("ellipse", pow(p.x, 2) + 2 * pow(p.y, 2) + pow(p.z, 2), 1.0);
  m.constrain("cylinder", pow(p.x, 2) + pow(p.y, 2), 1.0);
  m.constrain("floor", q.z, 0.0);
  m.constrain("level", p.z - q.z, 0.0);
  m.constrain("across", dot(p, q), 1.0);
  m.constrain("spheroid", pow(p.x - q.x, 2) + 2 * pow(p.y - q.y, 2) + pow(p.z - q.z, 2), 2.0);
  EXPECT_EQ(names(complete_view(m, {}).links), Names{});
}

TEST(View, ARodHangsFromAPlaceThatMovesWithTime) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0.1}), y = m.coordinate("y", {-0.8, 0});
  for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
  m.potential(9.81 * y);
  const Expr t = m.time();
  m.constrain("rod", pow(x, 2) + pow(y - 0.2 * cos(3 * t), 2), 1.0);
  const View view = complete_view(m, {});
  ASSERT_EQ(names(view.links), Names{"rod"});
  const Trajectory motion = run(m, 1.0);
  const Frames frames = frames_of(m, view, motion, 100);
  ASSERT_EQ(frames.links.size(), 1u);
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const double* from = &frames.links[0].xyz[6 * i];
    // The centre of a circle through its derivatives: roundings of numbers near 1, a few dozen.
    EXPECT_NEAR(from[0], 0, 1e-13);
    EXPECT_NEAR(from[1], 0.2 * std::cos(3 * frames.t[i]), 1e-13);
    EXPECT_EQ(from[3], motion[frames.sample[i]].q[0]);
    EXPECT_EQ(from[4], motion[frames.sample[i]].q[1]);
  }
}

TEST(View, UpIsAgainstTheWeightHoweverItIsStated) {
  EXPECT_EQ(complete_view(pendulum_with_y_down(), {}).up, "-y");
  Model particles;
  particles.particle("p");
  particles.gravity({0, 0, -9.81});
  EXPECT_EQ(complete_view(particles, {}).up, "z");
  Model spring;  // a spring beside the weight in one potential
  const Coordinate x = spring.coordinate("x", {1, 0}), y = spring.coordinate("y");
  spring.mass(x, 1.0);
  spring.mass(y, 1.0);
  spring.potential(9.81 * y + 50 * pow(sqrt(pow(x, 2) + pow(y, 2)) - 1, 2));
  EXPECT_EQ(complete_view(spring, {}).up, "y");
  Model lagrangian;
  const Coordinate z = lagrangian.coordinate("z");
  lagrangian.lagrangian(0.5 * pow(z.rate(), 2) - 9.81 * z);
  EXPECT_EQ(complete_view(lagrangian, {}).up, "z");
  Model slope;  // x down an incline: its weight is a constant, though not a plain number
  const Coordinate down = slope.coordinate("x"), across = slope.coordinate("y");
  slope.mass(down, 1.0);
  slope.mass(across, 1.0);
  slope.force(down, 9.81 * sin(slope.parameter("alpha", 0.5)));
  EXPECT_EQ(complete_view(slope, {}).up, "-x");
  View asked;
  asked.up = "x";
  EXPECT_EQ(complete_view(lagrangian, asked).up, "x");
  EXPECT_EQ(complete_view(free_point({"x", "y"}), {}).up, "");
}

TEST(View, ArrowsAreTheRecordedConstraintForceOnPointsThatHaveOne) {
  Model m = pendulum_with_y_down();
  m.particle("free");
  const View view = complete_view(m, {});
  EXPECT_EQ(names(view.arrows), Names{"force on point"});
  const Trajectory motion = run(m, 1.0);
  const Frames frames = frames_of(m, view, motion, 1000);
  ASSERT_EQ(frames.arrows.size(), 1u);
  EXPECT_EQ(frames.arrows[0].places, 2);
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const Sample s = motion[frames.sample[i]];
    const double* arrow = &frames.arrows[0].xyz[6 * i];
    EXPECT_EQ(arrow[0], s.q[0]);
    EXPECT_EQ(arrow[3], s.constraint_force[0]);
    EXPECT_EQ(arrow[4], s.constraint_force[1]);
    EXPECT_EQ(arrow[5], 0.0);
  }
}

TEST(View, ArrowsMayUseForcesAndOutputsOfAnyNameStayUntouched) {
  Model m = pendulum_with_y_down();
  m.output("drawn3", m.energy());
  m.event("drawn_", m.coordinates()[0].symbol);
  View view;
  view.automatic = false;
  const Expr x = m.coordinates()[0].symbol, y = m.coordinates()[1].symbol;
  view.arrows.push_back(
      {"pull", {x, y, 0}, {m.reaction("rod", x), m.reaction("rod", y), m.multiplier("rod")}});
  const Trajectory motion = run(m, 1.0);
  const Frames frames = frames_of(m, complete_view(m, view), motion, 1000);
  for (std::size_t i = 0; i < frames.t.size(); ++i) {
    const Sample s = motion[frames.sample[i]];
    const double* along = &frames.arrows.at(0).xyz[6 * i + 3];
    // A^T lambda by the kernel and by the solver: one product, rounded either way.
    EXPECT_NEAR(along[0], s.constraint_force[0], 1e-13 * (1 + std::fabs(s.constraint_force[0])));
    EXPECT_NEAR(along[1], s.constraint_force[1], 1e-13 * (1 + std::fabs(s.constraint_force[1])));
    EXPECT_EQ(along[2], s.multipliers[0]);
  }
}

TEST(View, InstantsAreSpreadOverTheSamplesWithBothEnds) {
  const Model m = pendulum_with_y_down();
  const Trajectory motion = run(m, 1.0, 101);
  const Frames frames = frames_of(m, complete_view(m, {}), motion, 11);
  ASSERT_EQ(frames.sample.size(), 11u);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(frames.sample[i], 10 * i);
  EXPECT_EQ(frames.t.back(), 1.0);
  EXPECT_EQ(frames_of(m, complete_view(m, {}), motion, 5000).sample.size(), 101u);
}

TEST(View, AMotionInAPlaneIsToldWithItsPlane) {
  const auto frames = [](const Model& m) { return frames_of(m, complete_view(m, {}), run(m, 0.5), 10); };
  const Frames plane = frames(pendulum_with_y_down());
  EXPECT_TRUE(plane.planar);
  EXPECT_EQ(plane.plane, "xy");
  EXPECT_EQ(plane.up, "-y");
  EXPECT_EQ(frames(free_point({"x", "y"})).up, "y");
  EXPECT_EQ(frames(free_point({"x", "z"})).plane, "xz");
  EXPECT_EQ(frames(free_point({"y", "z"})).plane, "yz");
  const Frames space = frames(free_point({"x", "y", "z"}));
  EXPECT_FALSE(space.planar);
  EXPECT_EQ(space.up, "z");
  // A table seen from above: the weight is across the plane and cannot point up in it.
  View above;
  above.up = "z";
  const Model table = free_point({"x", "y"});
  EXPECT_EQ(frames_of(table, complete_view(table, above), run(table, 0.5), 10).up, "y");
}

TEST(View, NothingToDrawGivesEmptyLists) {
  const Model m = free_point({"theta"});
  const Frames frames = frames_of(m, complete_view(m, {}), run(m, 0.5), 10);
  EXPECT_TRUE(frames.points.empty() && frames.links.empty() && frames.curves.empty() &&
              frames.arrows.empty());
  EXPECT_EQ(frames.up, "z");
  EXPECT_EQ(frames_of(m, complete_view(m, {}), Trajectory(), 10).t.size(), 0u);
}

}  // namespace
}  // namespace vinculum
