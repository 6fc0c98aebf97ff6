#include "motion/run/zeros.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace vinculum {
namespace {

using Function = std::function<double(double)>;

/// The zeros of f over (0, 1), as a run would look for them.
std::vector<Zero> zeros_of(const Function& f, double noise = 1e-15) {
  Piece whole{0, 1, {}};
  for (int j = 0; j <= Piece::degree; ++j) whole.value[j] = f(whole.point(j));
  ZeroWalk walk(f, [noise](double) { return noise; });
  int side = (f(0) > 0) - (f(0) < 0);
  return walk.walk(whole, side);
}

TEST(Zeros, APolynomialHasThoseItWasMadeOf) {
  for (int trial = 0; trial < 5000; ++trial) {
    std::srand(trial);
    const auto draw = [] { return (std::rand() + 0.5) / (RAND_MAX + 1.0); };
    std::vector<double> roots(1 + std::rand() % 7);
    for (double& r : roots) r = draw();
    if (roots.size() > 1 && trial % 2) roots[1] = roots[0] + 1e-6 * (1 + draw());  // a close pair
    std::sort(roots.begin(), roots.end());
    const double scale = std::pow(10.0, 20 * draw() - 10);
    const auto f = [&](double x) {
      double product = scale;
      for (const double r : roots) product *= 8 * (x - r);
      return product;
    };
    roots.erase(std::remove_if(roots.begin(), roots.end(), [](double r) { return r <= 0 || r > 1; }),
                roots.end());
    const std::vector<Zero> found = zeros_of(f, 1e-18 * scale);
    ASSERT_EQ(found.size(), roots.size()) << "trial " << trial;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      EXPECT_LE(found[k].from, roots[k]) << trial;
      EXPECT_GE(found[k].to, roots[k]) << trial;
      EXPECT_FALSE(found[k].touches) << trial;
    }
  }
}

TEST(Zeros, ASketchIsNotDeceivedByTurnsBetweenItsPoints) {
  // Ten turns and more that stay above zero nowhere, and look even at five points: at some frequency and
  // phase one of many.
  int looked_even = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::srand(trial);
    const auto draw = [] { return (std::rand() + 0.5) / (RAND_MAX + 1.0); };
    const double w = 20 + 200 * draw(), phase = 7 * draw();
    const auto f = [&](double x) { return std::pow(1 - std::cos(w * x + phase), 2); };
    Sketch sketch;
    for (int j = 0; j <= Sketch::degree; ++j) sketch.value[j] = f(Sketch::point(j));
    const auto [least, most] = std::minmax_element(sketch.value.begin(), sketch.value.end());
    looked_even += *least > 0.5 * *most;
    for (int j = 0; j < Sketch::witnesses; ++j) sketch.seen[j] = f(Sketch::witness[j]);
    EXPECT_EQ(sketch.side(0.0), 0) << w << " " << phase;
  }
  EXPECT_GT(looked_even, 100);
}

TEST(Zeros, ASketchOfWhatIsSmoothAndFarFromZeroTellsItsSide) {
  for (const double sign : {1.0, -1.0}) {
    const auto f = [&](double x) { return sign * (2 + std::sin(x) - x * x); };
    Sketch sketch;
    for (int j = 0; j <= Sketch::degree; ++j) sketch.value[j] = f(Sketch::point(j));
    for (int j = 0; j < Sketch::witnesses; ++j) sketch.seen[j] = f(Sketch::witness[j]);
    EXPECT_EQ(sketch.side(1e-3), sign);
    sketch.seen[1] += sign * 0.1;
    EXPECT_EQ(sketch.side(1e-3), 0);
  }
}

TEST(Zeros, EveryZeroOfAFastOscillationIsFound) {
  for (const double frequency : {1.0, 17.0, 311.0, 5000.0}) {
    const std::vector<Zero> found =
        zeros_of([&](double x) { return std::sin(frequency * (x + 0.1)); }, 1e-15);
    int expected = 0;
    for (int k = 1; k * M_PI < frequency * 1.1; ++k)
      if (k * M_PI > frequency * 0.1) {
        ASSERT_LT(expected, static_cast<int>(found.size())) << frequency;
        EXPECT_LE(found[expected].from, k * M_PI / frequency - 0.1 + 1e-14);
        EXPECT_GE(found[expected].to, k * M_PI / frequency - 0.1 - 1e-14);
        ++expected;
      }
    EXPECT_EQ(static_cast<int>(found.size()), expected) << frequency;
  }
}

TEST(Zeros, OneThatTouchesCountsOnceAndIsToldSo) {
  for (double r = 0.0123; r < 1; r += 0.0371) {
    const std::vector<Zero> square = zeros_of([&](double x) { return (x - r) * (x - r); }, 1e-17);
    ASSERT_EQ(square.size(), 1u) << r;
    EXPECT_TRUE(square[0].touches);
    EXPECT_NEAR(0.5 * (square[0].from + square[0].to), r,
                1e-9);  // the slope vanishes where it is told to 1e-16 / 1e-6
    const std::vector<Zero> corner = zeros_of([&](double x) { return std::fabs(x - r); }, 1e-17);
    ASSERT_EQ(corner.size(), 1u) << r;
    EXPECT_TRUE(corner[0].touches);
    EXPECT_NEAR(0.5 * (corner[0].from + corner[0].to), r, 1e-12);
  }
}

TEST(Zeros, WhatStaysAboveNoiseIsNone) {
  EXPECT_TRUE(zeros_of([](double x) { return (x - 0.3) * (x - 0.3) + 1e-12; }, 1e-13).empty());
  EXPECT_EQ(zeros_of([](double x) { return (x - 0.3) * (x - 0.3) + 1e-12; }, 1e-11).size(), 1u);
}

TEST(Zeros, AJumpThroughZeroIsOneAndAPoleIsNone) {
  const std::vector<Zero> jump = zeros_of([](double x) { return x < 0.4321 ? -2.0 : 3.0; });
  ASSERT_EQ(jump.size(), 1u);
  EXPECT_TRUE(jump[0].rising());
  EXPECT_NEAR(jump[0].to, 0.4321, 1e-14);
  EXPECT_TRUE(zeros_of([](double x) { return 1 / (x - 0.4321); }).empty());
}

TEST(Zeros, AZeroWhereTheWalkBeginsDoesNotCountAndOneAtItsEndDoes) {
  EXPECT_TRUE(zeros_of([](double x) { return x; }).empty());
  const std::vector<Zero> last = zeros_of([](double x) { return x - 1; });
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(last[0].to, 1);
  EXPECT_TRUE(zeros_of([](double) { return 0.0; }).empty());
}

TEST(Zeros, WhatCannotBeResolvedIsSaid) {
  const auto wild = [](double x) { return std::fmod(1e13 * x * x, 1.0) - 0.5; };  // as good as random
  Piece whole{0, 1, {}};
  for (int j = 0; j <= Piece::degree; ++j) whole.value[j] = wild(whole.point(j));
  ZeroWalk walk(wild, [](double) { return 1e-15; });
  int side = 1;
  walk.walk(whole, side);
  EXPECT_TRUE(walk.gave_up());
}

}  // namespace
}  // namespace vinculum
