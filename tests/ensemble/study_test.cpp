// What varies: grids and draws, each member's values from its number alone.
#include "vinculum/ensemble/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/message.hpp"

namespace vinculum {
namespace {

std::vector<double> values(const Study& study, long member) {
  std::vector<double> out(study.names().size());
  study.values_of(member, out);
  return out;
}

TEST(Study, EvenValuesMeetBothEnds) {
  const Axis axis = evenly("m", 0.1, 0.7, 4);
  EXPECT_EQ(axis.values.front(), 0.1);
  EXPECT_EQ(axis.values.back(), 0.7);
  EXPECT_DOUBLE_EQ(axis.values[1], 0.3);
  EXPECT_DOUBLE_EQ(axis.values[2], 0.5);
  EXPECT_EQ(evenly("m", 3, 9, 1).values, std::vector<double>{3});
  EXPECT_EQ(evenly("m", 2, -2, 3).values, (std::vector<double>{2, 0, -2}));
  EXPECT_EQ(evenly("m", 1e308, -1e308, 3).values, (std::vector<double>{1e308, 0, -1e308}));
}

TEST(Study, TheLastAxisRunsFastest) {
  Study study;
  study.axes = {{"a", {1, 2}}, {"b", {10, 20, 30}}};
  ASSERT_EQ(study.count(), 6);
  std::vector<std::vector<double>> all;
  for (long k = 0; k < 6; ++k) all.push_back(values(study, k));
  EXPECT_EQ(all, (std::vector<std::vector<double>>{{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}}));
}

TEST(Study, DrawsAreMadeAtEveryPlaceOfTheGrid) {
  Study study;
  study.axes = {{"a", {1, 2}}};
  study.draws = {{"u", Distribution::uniform, 5, 6}};
  study.draws_each = 3;
  ASSERT_EQ(study.count(), 6);
  std::set<double> drawn;
  for (long k = 0; k < 6; ++k) {
    EXPECT_EQ(values(study, k)[0], k < 3 ? 1 : 2);
    const double u = values(study, k)[1];
    EXPECT_TRUE(u >= 5 && u <= 6) << u;
    drawn.insert(u);
  }
  EXPECT_EQ(drawn.size(), 6u);
}

TEST(Study, RowsOfATableVaryTogetherAndSlowest) {
  Study study;
  study.table = {{"a", "b"}, {1, 10, 2, 20, 3, 30}};
  study.axes = {{"k", {5, 6}}};
  study.draws = {{"x", Distribution::uniform, 0, 1}};
  study.draws_each = 2;
  study.require_sound();
  ASSERT_EQ(study.count(), 12);
  EXPECT_EQ(study.names(), (std::vector<std::string>{"a", "b", "k", "x"}));
  std::vector<double> values(4);
  for (long member = 0; member < 12; ++member) {
    study.values_of(member, values);
    const double row = static_cast<double>(member / 4) + 1;
    EXPECT_EQ(values[0], row);
    EXPECT_EQ(values[1], 10 * row);
    EXPECT_EQ(values[2], member / 2 % 2 == 0 ? 5 : 6);
  }
  study.axes.clear();
  study.draws.clear();
  study.draws_each = 1;
  EXPECT_EQ(study.count(), 3);
  study.table.values[3] = NAN;
  EXPECT_EQ(test::message([&] { study.require_sound(); }),
            "'b' is nan in row 2 of its table; values are finite numbers");
  study.table.values.clear();
  EXPECT_EQ(test::message([&] { study.require_sound(); }), "the table of 'a' has no rows");
}

TEST(Study, ADrawIsItsNumberItsNameAndTheSeedAlone) {
  Study one;
  one.draws = {{"x", Distribution::normal, 1, 2}, {"y", Distribution::uniform, 0, 1}};
  one.draws_each = 50;
  Study other;
  other.draws = {{"y", Distribution::uniform, 0, 1}, {"x", Distribution::normal, 1, 2}};
  other.draws_each = 1000;
  for (const long member : {0L, 7L, 49L}) {
    EXPECT_EQ(values(one, member)[0], values(other, member)[1]);
    EXPECT_EQ(values(one, member)[1], values(other, member)[0]);
  }
  other.seed = 1;
  EXPECT_NE(values(one, 7)[0], values(other, 7)[1]);
}

/// Of n draws the mean and the deviation, within five standard errors.
void expect_moments(const Draw& draw, double mean, double deviation, double fourth_over_squared) {
  Study study;
  study.draws = {draw};
  study.draws_each = 200'000;
  double sum = 0, squares = 0;
  for (long k = 0; k < study.draws_each; ++k) {
    const double x = values(study, k)[0] - mean;
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(study.draws_each);
  EXPECT_NEAR(sum / n, 0, 5 * deviation / std::sqrt(n)) << draw.name;
  EXPECT_NEAR(squares / n, deviation * deviation,
              5 * deviation * deviation * std::sqrt((fourth_over_squared - 1) / n))
      << draw.name;
}

TEST(Study, DrawsHaveTheMomentsOfTheirDistribution) {
  expect_moments({"uniform", Distribution::uniform, -1, 3}, 1, 4 / std::sqrt(12.0), 1.8);
  expect_moments({"normal", Distribution::normal, 2, 0.5}, 2, 0.5, 3);
  // Of a log-uniform one between 1 and e: mean e - 1, mean of squares (e^2 - 1) / 2.
  const double e = std::exp(1.0), mean = e - 1, square = (e * e - 1) / 2;
  expect_moments({"log", Distribution::log_uniform, 1, e}, mean, std::sqrt(square - mean * mean), 2);
}

TEST(Study, SobolPointsFillTheirSpaceMoreEvenly) {
  Study study;
  study.draws = {{"x", Distribution::uniform, 0, 1}, {"y", Distribution::uniform, 0, 1}};
  study.draws_each = 4096;
  const auto error = [&](Sampling how) {  // of the mean of x y^2, which is 1/6
    study.sampling = how;
    double sum = 0;
    for (long k = 0; k < study.draws_each; ++k) sum += values(study, k)[0] * std::pow(values(study, k)[1], 2);
    return std::fabs(sum / static_cast<double>(study.draws_each) - 1.0 / 6);
  };
  EXPECT_LT(error(Sampling::sobol), 2e-4);
  EXPECT_LT(error(Sampling::sobol), error(Sampling::random));
  // Each of 4096 points lies in its own one of 4096 equal parts of every coordinate: shifted bits keep that.
  study.sampling = Sampling::sobol;
  for (const int coordinate : {0, 1}) {
    std::set<int> parts;
    for (long k = 0; k < study.draws_each; ++k)
      parts.insert(static_cast<int>(values(study, k)[coordinate] * 4096));
    EXPECT_EQ(parts.size(), 4096u);
  }
}

TEST(Study, WhatCannotBeMeantIsRefusedByName) {
  const auto refused = [](const Study& study) { return test::message([&] { study.require_sound(); }); };
  Study none;
  EXPECT_NE(refused(none).find("nothing varies"), std::string::npos);
  Study twice;
  twice.axes = {{"m", {1}}};
  twice.draws = {{"m", Distribution::uniform, 0, 1}};
  EXPECT_NE(refused(twice).find("'m' varies twice"), std::string::npos);
  for (const Draw& bad : {Draw{"m", Distribution::normal, 0, -1}, Draw{"m", Distribution::uniform, 2, 1},
                          Draw{"m", Distribution::log_uniform, 0, 1}, Draw{"m", Distribution::normal, NAN, 1},
                          Draw{"m", Distribution::log_uniform, 1e-300, 1e300}}) {
    Study study;
    study.draws = {bad};
    EXPECT_NE(refused(study).find("'m' is drawn with"), std::string::npos) << bad.a << " " << bad.b;
  }
  Study many;
  many.axes = {evenly("a", 0, 1, 1'000'000), evenly("b", 0, 1, 1'000'000), evenly("c", 0, 1, 1'000'000)};
  EXPECT_NE(refused(many).find("2^53"), std::string::npos);
  Study undrawn;
  undrawn.axes = {{"m", {1}}};
  undrawn.draws_each = 5;
  EXPECT_NE(refused(undrawn).find("nothing is drawn"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
