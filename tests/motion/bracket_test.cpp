#include "motion/run/bracket.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vinculum {
namespace {

TEST(Bracket, ALineIsMetAtOnce) {
  const auto f = [](double t) { return 3 * t - 6; };
  const Bracket zero{1, 5, f(1), f(5)};
  EXPECT_EQ(zero.guess(0, 4), 2);
  EXPECT_EQ(zero.guess(3, 4), 3) << "every fourth guess is the middle";
}

/// Drawn together until less than `width` is left: how many values that took.
int passes(double from, double to, double width, double (*f)(double), double expected) {
  Bracket zero{from, to, f(from), f(to)};
  int pass = 0;
  for (; pass < 200 && std::fabs(zero.to - zero.from) > width; ++pass) {
    const double t = zero.guess(pass, 8), value = f(t);
    if ((value > 0) == (zero.at_to > 0))
      zero.move_to(t, value);
    else
      zero.move_from(t, value);
    EXPECT_LE((zero.from - expected) * (zero.to - expected), 0) << "the zero stays between the ends";
  }
  return pass;
}

TEST(Bracket, BothEndsComeNear) {
  // t^10 = 1: flat on one side and steep on the other, where the line alone would move one end only. Halves
  // of the interval would take 40 values, and every eighth guess is one.
  const auto steep = [](double t) { return std::pow(t, 10) - 1; };
  EXPECT_LE(passes(0, 1.3, 1.3e-12, steep, 1), 45);
  EXPECT_LE(passes(1.3, 0, 1.3e-12, steep, 1), 45) << "back in time";
}

}  // namespace
}  // namespace vinculum
