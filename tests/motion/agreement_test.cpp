// The measure of agreement: digits of what has moved.
#include "motion/agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/systems.hpp"
#include "vinculum/motion/trajectory.hpp"

namespace vinculum {
namespace {

using Place = std::vector<double>;

Model coordinates(int count) {
  Model m;
  for (int i = 0; i < count; ++i) m.mass(m.coordinate("x" + std::to_string(i)), 1.0);
  return m;
}

double digits_of(const System& system, const Place& start, const Place& q, const Place& other, int i = 0) {
  Agreement agreement(system, {0, start, Place(system.velocity_names().size(), 0.0)}, 1, 1e-13);
  agreement.compare(1, q, other);
  return agreement.digits()[i].back();
}

TEST(Agreement, IsMeasuredAgainstWhatHasMoved) {
  const System one_coordinate(coordinates(1));
  EXPECT_NEAR(digits_of(one_coordinate, {0}, {1}, {1 + 1e-6}), 6 - std::log10(2.0), 1e-6);
  // The origin far away adds no digit; a zero by chance takes no more than one.
  EXPECT_NEAR(digits_of(one_coordinate, {1000}, {1001}, {1001 + 1e-6}), 6 - std::log10(2.0), 1e-6);
  EXPECT_NEAR(digits_of(one_coordinate, {1}, {0}, {1e-6}), 5 - std::log10(2.0), 1e-6);
  EXPECT_EQ(digits_of(one_coordinate, {0}, {1}, {-1}), 0);
  EXPECT_EQ(digits_of(one_coordinate, {0}, {1}, {NAN}), 0);
  EXPECT_NEAR(digits_of(one_coordinate, {0}, {1}, {1}), 12, 1e-9);  // ten times the rounding that was stated
}

TEST(Agreement, RoundingInWhatRestsIsNoDisagreement) {
  const System two(coordinates(2));
  EXPECT_NEAR(digits_of(two, {0, 0}, {1, 1e-15}, {1, -1e-15}, 1), 12, 1e-9);
  EXPECT_LT(digits_of(two, {0, 0}, {1, 1e-6}, {1, -1e-6}, 1), 1);
}

TEST(Agreement, WhatBeginsLateHasTheSizeItComesToSoonBehind) {
  const System system(coordinates(1));
  const auto fewest = [&](double begins, double apart_at_once, double apart_later) {
    Agreement agreement(system, {0, {0}, {0}}, 10, 1e-13);
    for (int k = 1; k <= 1000; ++k) {
      const double t = 0.01 * k, since = std::max(0.0, t - begins);
      const double x = since * since * since;
      agreement.compare(t, Place{x}, Place{x + (since < 0.02 ? apart_at_once : apart_later) * (since > 0)});
    }
    const std::vector<double> digits = agreement.digits()[0];
    return *std::min_element(digits.begin(), digits.end());
  };
  // 1e-7 is all there is a hundredth behind the beginning, and nothing beside what it is a second later.
  EXPECT_GT(fewest(5.005, 1e-7, 0), 5);
  EXPECT_GT(fewest(0.005, 1e-7, 0), 5);
  // What it has there is less than what the two are apart.
  EXPECT_LT(fewest(5.005, 0, 1e-2), 3);
  EXPECT_LT(fewest(5.005, 1e-2, 0), 3);
}

TEST(Agreement, OrientationsAreComparedByTheirAngleWhateverTheSign) {
  const System system(test::turning());
  const Place start = {0, 0, 0, 1, 0, 0, 0};
  const double a = 1.2, d = 1e-6;
  const Place q = {0, 0, 0, std::cos(a), 0, 0, std::sin(a)};
  EXPECT_NEAR(digits_of(system, start, q, {0, 0, 0, -q[3], 0, 0, -q[6]}, 3), 12, 1e-9);
  // Half an angle stands in a quaternion: it is off by twice d.
  EXPECT_NEAR(digits_of(system, start, q, {0, 0, 0, std::cos(a + d), 0, 0, std::sin(a + d)}, 6),
              -std::log10(2 * 2 * d), 1e-3);
}

TEST(Waypoints, AreEvenAndBoundedWhateverTheLength) {
  for (const int length : {1, 399, 400, 401, 5000, 123456}) {
    Waypoints waypoints;
    for (int i = 0; i < length; ++i) waypoints.pass(i, std::vector<double>{2.0 * i, 1.0});
    EXPECT_LE(waypoints.size(), 400);
    EXPECT_GE(waypoints.size(), std::min(length, 200));
    const double stride = waypoints.size() > 1 ? waypoints.times()[1] : 1;
    for (int k = 0; k < waypoints.size(); ++k) {
      EXPECT_EQ(waypoints.times()[k], k * stride);
      EXPECT_EQ(waypoints.q(k)[0], 2 * k * stride);
    }
    EXPECT_LT(length - 1 - waypoints.times().back(), stride);
  }
}

}  // namespace
}  // namespace vinculum
