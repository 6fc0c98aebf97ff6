#include "vinculum/report/picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "report/picture_scene.hpp"

namespace vinculum {
namespace {

constexpr int instants = 81;  // with one at each end of either axis

/// A bob on a rod of length 1 about the origin, turning twice in 4 s, seen in the xy plane.
Frames turning_bob() {
  Frames f;
  f.up = "y";
  f.planar = true;
  f.plane = "xy";
  f.points.push_back({.name = "bob <1> & \"two\"", .xyz = {}, .trail = true});
  f.links.push_back({.name = "rod", .xyz = {}, .places = 2});
  for (int i = 0; i < instants; ++i) {
    f.t.push_back(4.0 * i / (instants - 1));
    f.sample.push_back(i);
    const double x = std::cos(M_PI * f.t[i]), y = std::sin(M_PI * f.t[i]);
    for (const double v : {x, y, 0.0}) f.points[0].xyz.push_back(v);
    for (const double v : {0.0, 0.0, 0.0, x, y, 0.0}) f.links[0].xyz.push_back(v);
  }
  return f;
}

std::string drawn(const Frames& frames) {
  PictureOptions options;
  options.instants = instants;
  options.title = "A <bob>";
  return picture(frames, options);
}

/// The values that the path of a class takes in one turn, split at ;
std::vector<std::string> values(const std::string& svg, const std::string& kind) {
  // By hand: a regular expression recurses on every character of a long list.
  std::size_t at = 0, animate = 0;
  do {
    at = svg.find("class=\"" + kind + "\"", at + 1);
    animate = svg.find("><animate", at);
    if (at == svg.npos || animate == svg.npos) return {};
  } while (svg.find('>', at) != animate);
  const std::size_t begin = svg.find("values=\"", animate) + 8, end = svg.find('"', begin);
  std::vector<std::string> result;
  std::istringstream text(svg.substr(begin, end - begin));
  for (std::string value; std::getline(text, value, ';');) result.push_back(value);
  return result;
}

/// The first two numbers after M: tenths of a pixel.
std::array<double, 2> place(const std::string& path) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(path, found, std::regex("M(-?\\d+) ?(-?\\d+)"))) << path;
  return {std::stod(found[1]), std::stod(found[2])};
}

TEST(Picture, APointIsWhereItsMotionIs) {
  const std::vector<std::string> d = values(drawn(turning_bob()), "d");
  ASSERT_EQ(d.size(), static_cast<std::size_t>(instants));
  // The circle fills the height of the paper less its margins, 7 % of 240 pixels on each side.
  const double radius = 10 * (240 - 2 * 0.07 * 240) / 2;
  for (int i = 0; i < instants; ++i) {
    const double angle = M_PI * 4.0 * i / (instants - 1);
    const auto [x, y] = place(d[i]);
    EXPECT_NEAR(x, 1600 + radius * std::cos(angle), 0.51);  // half a tenth of a pixel, and its rounding
    EXPECT_NEAR(y, 1200 - radius * std::sin(angle), 0.51);
  }
}

TEST(Picture, UpMayBeAnyAxisAndTheOtherPointsRight) {
  Frames f = turning_bob();
  f.up = "-x";
  const auto [x, y] = place(values(drawn(f), "d").at(0));  // the bob starts at (1, 0)
  EXPECT_NEAR(x, 1600, 0.51);
  EXPECT_GT(y, 2000);
}

TEST(Picture, SpaceIsSeenFromAboveWithTheUpAxisUpright) {
  Frames f = turning_bob();
  f.planar = false;
  f.up = "z";
  f.points[0].xyz.assign(3 * instants, 0.0);
  for (int i = 0; i < instants; ++i) f.points[0].xyz[3 * i + 2] = i;
  f.links.clear();
  const std::vector<std::string> d = values(drawn(f), "d");
  EXPECT_EQ(place(d.front())[0], place(d.back())[0]);
  EXPECT_LT(place(d.back())[1], place(d.front())[1]);
  EXPECT_NE(drawn(f).find("class=\"g\""), std::string::npos);  // a floor
}

TEST(Picture, TheBrightEndOfATrailIsAtThePoint) {
  const std::string svg = drawn(turning_bob());
  const std::vector<std::string> offset = values(svg, "t");
  ASSERT_EQ(offset.size(), static_cast<std::size_t>(instants));
  std::smatch dash;
  ASSERT_TRUE(std::regex_search(svg, dash, std::regex("stroke-dasharray=\"(\\d+) ")));
  // The dash ends `dash - offset` along a path called 10000 long; the bob turns evenly. The rounding of both
  // numbers, and corners of the line that are even in angle to one place of the trail: 10000/320.
  for (int i = 0; i < instants; ++i)
    EXPECT_NEAR(std::stod(dash[1]) - std::stod(offset[i]), 10000.0 * i / (instants - 1), 32) << i;
}

TEST(Picture, EveryInstantOfAPathHasTheSameCommands) {
  Frames f = turning_bob();
  f.links[0].kind = View::LinkKind::spring;
  f.arrows = {{.name = "pull", .xyz = f.links[0].xyz, .places = 2}};
  f.torques = {{.name = "bend", .xyz = f.links[0].xyz, .places = 2}};
  f.curves = {{.name = "ring", .xyz = {}, .places = 30}};
  for (int i = 0; i < instants; ++i)
    for (int k = 0; k < 30; ++k)
      for (const double v : {f.points[0].xyz[3 * i] + std::cos(k * 0.2), std::sin(k * 0.2), 0.0})
        f.curves[0].xyz.push_back(v);
  const std::string svg = drawn(f);
  for (const char* kind : {"d", "s", "a", "c"}) {
    const std::vector<std::string> d = values(svg, kind);
    ASSERT_EQ(d.size(), static_cast<std::size_t>(instants)) << kind;
    const auto shape = [](const std::string& path) {
      // Numbers become #; a sign may stand in for the space between two of them.
      return std::regex_replace(std::regex_replace(path, std::regex("-?\\d+"), "#"), std::regex(" "), "");
    };
    for (const std::string& path : d) EXPECT_EQ(shape(path), shape(d[0])) << kind;
  }
}

/// A torque toward the viewer turns against the clock, and its arc is the larger the larger it is.
TEST(Picture, TheArcOfATorqueTurnsTheWayTheTorqueDoes) {
  Frames f = turning_bob();
  f.torques = {{.name = "bend", .xyz = {}, .places = 2}};
  for (int i = 0; i < instants; ++i)
    for (const double v : {0.0, 0.0, 0.0, 0.0, 0.0, i < instants / 2 ? 2.0 : -1.0})
      f.torques[0].xyz.push_back(v);
  PictureOptions options;
  options.instants = instants;
  const Scene scene = scene_of(f, options);
  ASSERT_EQ(scene.torques.size(), 1u);
  const auto area = [&](int i) {  // twice, positive against the clock where y is upward
    double sum = 0;
    for (int k = 0; k + 1 < arc_places; ++k) {
      const Pixel &a = scene.torques[0](i, k), &b = scene.torques[0](i, k + 1), &o = scene.torques[0](i, 0);
      sum -= (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y);
    }
    return sum;
  };
  EXPECT_GT(area(0), 100);
  EXPECT_NEAR(area(scene.instants - 1) / area(0), -0.25, 1e-9);  // as the square of the torque
}

TEST(Picture, WhatStandsStillIsNotAnimated) {
  Frames f = turning_bob();
  f.points[0].xyz.assign(3 * instants, 0.3);
  f.links.clear();
  EXPECT_EQ(drawn(f).find("<animate"), std::string::npos);
}

TEST(Picture, NamesAndTitleAreEscaped) {
  const std::string svg = drawn(turning_bob());
  EXPECT_NE(svg.find("<title>A &lt;bob&gt;</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>Moving: bob &lt;1&gt; &amp; \"two\", from t = 0 to t = 4</desc>"),
            std::string::npos);
}

TEST(Picture, TheLoopLastsAsLongAsTheMotionWithinLimits) {
  const auto dur = [](double time) {
    Frames f = turning_bob();
    for (double& t : f.t) t *= time / 4;
    std::smatch found;
    const std::string svg = drawn(f);
    return std::regex_search(svg, found, std::regex("dur=\"([^\"]*)\"")) ? found[1].str() : "";
  };
  EXPECT_EQ(dur(5.5), "5.5s");
  EXPECT_EQ(dur(-5.5), "5.5s");
  EXPECT_EQ(dur(0.03), "2s");
  EXPECT_EQ(dur(2000), "12s");
}

TEST(Picture, MuchToDrawStaysASmallFile) {
  Frames f = turning_bob();
  for (int k = 0; k < 40; ++k) {
    f.points.push_back(f.points[0]);
    f.points.back().trail = false;
    f.links.push_back(f.links[0]);
    f.arrows.push_back({.name = "pull", .xyz = f.links[0].xyz, .places = 2});
  }
  EXPECT_LT(drawn(f).size(), 60'000u);
}

TEST(Picture, WhatIsNotANumberStaysWhereItWas) {
  Frames f = turning_bob();
  f.points[0].xyz[3 * 50] = NAN;
  const std::string svg = drawn(f);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  const std::vector<std::string> d = values(svg, "d");
  EXPECT_EQ(place(d.at(50))[0], place(d.at(49))[0]);
}

TEST(Picture, AFlatMotionTakesHalfOfTheHeight) {
  Frames f = turning_bob();
  f.links.clear();
  for (std::size_t i = 1; i < f.points[0].xyz.size(); i += 3) f.points[0].xyz[i] *= 0.05;
  const std::string svg = drawn(f);
  EXPECT_NE(svg.find("width=\"320\" height=\"120\" viewBox=\"0 0 3200 1200\""), std::string::npos);
  for (const std::string& d : values(svg, "d")) {
    EXPECT_GT(place(d)[1], 500);  // in the middle of the 120 pixels
    EXPECT_LT(place(d)[1], 700);
  }
}

TEST(Picture, NothingToDrawIsAnEmptySheet) {
  const std::string svg = drawn({});
  EXPECT_NE(svg.find("<rect"), std::string::npos);
  EXPECT_EQ(svg.find("<path"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</g>\n</svg>\n"));
}

}  // namespace
}  // namespace vinculum
