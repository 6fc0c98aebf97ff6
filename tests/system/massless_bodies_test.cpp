// Bodies with zero moments, or with no mass at all: the fast road against the robust one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "vinculum/model/model.hpp"
#include "vinculum/system/state.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

class Drawn {
 public:
  explicit Drawn(int seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  std::array<double, 3> direction() {
    std::array<double, 3> x{normal(), normal(), normal()};
    const double size = std::hypot(x[0], x[1], x[2]);
    for (double& v : x) v /= size;
    return x;
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

/// A tree of bodies on hinges and balls in random places, each with or without some of its moments, or
/// without mass; `loops` hinges beside their like close it redundantly.
Model draw(int bodies, int loops, int seed) {
  Drawn draw(seed);
  Model m;
  m.gravity({0, -9.81, 0});
  std::vector<Part> parts{Part()};
  std::vector<std::array<double, 3>> places{{0, 0, 0}};
  const auto join = [&](const std::string& name, const Part& a, const Part& b, std::array<double, 3> point,
                        std::array<double, 3> axis, bool ball) {
    m.joint(name, a, b,
            {.type = ball ? JointType::spherical : JointType::revolute,
             .point = {point[0], point[1], point[2]},
             .axis = {axis[0], axis[1], axis[2]}});
  };
  for (int i = 1; i <= bodies; ++i) {
    const int to = draw.below(i), kind = draw.below(6);
    BodyOptions body;
    body.mass = kind == 5 ? 0.0 : 1 + 0.1 * draw.below(9);
    const double moment = 0.1 + 0.01 * draw.below(9);
    body.inertia = {kind == 0 || kind == 5 ? 0.0 : moment,
                    kind == 1 || kind == 5 ? 0.0 : moment,
                    kind == 2 || kind == 5 ? 0.0 : moment,
                    0.0,
                    0.0,
                    0.0};
    const std::array<double, 3> turn = draw.direction();
    const double angle = draw.normal();
    body.orientation = {std::cos(angle), std::sin(angle) * turn[0], std::sin(angle) * turn[1],
                        std::sin(angle) * turn[2]};
    std::array<double, 3> place = places[to], point = places[to];
    for (int k = 0; k < 3; ++k) {
      place[k] += draw.normal();
      point[k] = 0.5 * (places[to][k] + place[k]) + 0.2 * draw.normal();
    }
    body.position = {place[0], place[1], place[2]};
    parts.push_back(m.body("b" + std::to_string(i), body));
    places.push_back(place);
    const std::array<double, 3> axis = draw.direction();
    join("j" + std::to_string(i), parts[to], parts[i], point, axis, draw.below(8) == 0);
    if (i > loops) continue;
    for (int k = 0; k < 3; ++k) point[k] += axis[k];  // a second hinge on the same line
    join("k" + std::to_string(i), parts[to], parts[i], point, axis, false);
  }
  return m;
}

TEST(MasslessBodies, OnRandomTreesAndLoopsBothRoadsAnswerAlikeOrRefuseAlike) {
  int solved = 0, fast_roads = 0, refused = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const System system(draw(1 + seed % 12, seed % 3, seed));
    const State start = system.start();
    SolveOptions motion;
    motion.detail = Detail::motion;
    const Solution fast = solve(system, start, motion);
    SolveOptions options;
    options.road = Road::robust;
    const Solution robust = solve(system, start, options);
    ASSERT_EQ(fast.status, robust.status) << seed;
    if (robust.status == Status::undetermined) {
      ++refused;
      EXPECT_EQ(fast.coordinates, robust.coordinates) << seed;
      continue;
    }
    ++solved;
    fast_roads += fast.road_used == Road::fast;
    double size = 1.0;
    for (const double x : robust.acceleration) size = std::max(size, std::fabs(x));
    for (std::size_t i = 0; i < robust.acceleration.size(); ++i)
      EXPECT_NEAR(fast.acceleration[i], robust.acceleration[i], 1e-10 * size) << seed << " " << i;
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(solved, 20);
  EXPECT_EQ(fast_roads, solved);
}

}  // namespace
}  // namespace vinculum
