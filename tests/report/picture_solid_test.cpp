#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/picture_scene.hpp"
#include "vinculum/report/picture.hpp"

namespace vinculum {
namespace {

double dot(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// A view from somewhere above, and a body that tumbles through no special pose.
const Projection above{{std::cos(0.5), std::sin(0.5), 0},
                       {-std::sin(0.4) * -std::sin(0.5), -std::sin(0.4) * std::cos(0.5), std::cos(0.4)}};

std::vector<double> tumbling(int instants) {
  std::vector<double> pose;
  for (int i = 0; i < instants; ++i) {
    const double a = 0.3 + 0.9 * i,
                 u[3] = {std::sin(1.1 * i), std::cos(1.1 * i) * 0.6, std::cos(1.1 * i) * 0.8};
    for (const double x :
         {0.2 * i, 1.0, -0.1 * i, std::cos(a), std::sin(a) * u[0], std::sin(a) * u[1], std::sin(a) * u[2]})
      pose.push_back(x);
  }
  return pose;
}

/// Places along a path of one instant: M and l as they stand, each cubic in 60 parts.
std::vector<Pixel> traced(const Piece& piece, int instant) {
  std::vector<Pixel> out;
  int next = 0;
  for (const char command : piece.commands) {
    if (command == 'c') {
      const Pixel p[4] = {out.back(), piece.at(instant, next), piece.at(instant, next + 1),
                          piece.at(instant, next + 2)};
      for (int k = 1; k <= 60; ++k) {
        const double t = k / 60.0, s = 1 - t;
        const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
        out.push_back({w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x + w[3] * p[3].x,
                       w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y + w[3] * p[3].y});
      }
      next += 3;
    } else if (command != 'z') {
      out.push_back(piece.at(instant, next++));
    }
  }
  return out;
}

/// How far the traced pieces reach from the body's centre, in a direction on paper; and how far they should,
/// by `support` of the direction in space.
void expect_reach(const Frames::Solid& solid, const std::vector<int>& pieces,
                  const std::function<double(const double* pose, const Direction&)>& support, double within) {
  const std::vector<double> pose = tumbling(7);
  const std::vector<Piece> drawn = pieces_of(solid, pose, above);
  for (int i = 0; i < 7; ++i) {
    const Pixel centre = above(&pose[7 * i]);
    for (double angle = 0; angle < 2 * M_PI; angle += 0.37) {
      const double c = std::cos(angle), s = std::sin(angle);
      double reach = -1e300;
      for (const int p : pieces)
        for (const Pixel& at : traced(drawn.at(p), i))
          reach = std::max(reach, c * (at.x - centre.x) - s * (at.y - centre.y));
      Direction d;
      for (int k = 0; k < 3; ++k) d[k] = c * above.right[k] + s * above.up[k];
      EXPECT_NEAR(reach, support(&pose[7 * i], d), within) << i << " " << angle;
    }
  }
}

Frames::Solid solid(View::Shape shape, std::array<double, 3> half) {
  Frames::Solid s;
  s.name = "s";
  s.shape = shape;
  s.half = half;
  return s;
}

TEST(PictureSolid, TheFacesOfABoxFillItsOutline) {
  const Frames::Solid box = solid(View::Shape::box, {1.0, 0.6, 0.3});
  expect_reach(
      box, {0, 1, 2},
      [&](const double* pose, const Direction& d) {
        double reach = 0;
        for (int k = 0; k < 3; ++k) reach += box.half[k] * std::fabs(dot(columns_of(pose + 3)[k], d));
        return reach;
      },
      1e-12);
  // Each face has the area of its shadow: together they are the shadow of the box.
  const std::vector<double> pose = tumbling(7);
  const Direction view = above.toward_viewer();
  for (int i = 0; i < 7; ++i) {
    double drawn = 0, wanted = 0;
    for (const Piece& face : pieces_of(box, pose, above)) {
      const std::vector<Pixel> p = traced(face, i);
      double twice = 0;
      for (int k = 0; k < 4; ++k) twice += p[k].x * p[(k + 1) % 4].y - p[(k + 1) % 4].x * p[k].y;
      drawn += std::fabs(twice) / 2;
    }
    for (int k = 0; k < 3; ++k)
      wanted += 4 * box.half[(k + 1) % 3] * box.half[(k + 2) % 3] *
                std::fabs(dot(columns_of(&pose[7 * i + 3])[k], view));
    EXPECT_NEAR(drawn, wanted, 1e-12);
  }
}

TEST(PictureSolid, AnEllipsoidAndACylinderReachAsFarAsTheyDo) {
  const Frames::Solid stone = solid(View::Shape::ellipsoid, {1.0, 0.6, 0.3});
  // Four cubics for an ellipse: 0.03 % of its size; a hundredth of that is lost between traced places.
  expect_reach(
      stone, {0},
      [&](const double* pose, const Direction& d) {
        double squares = 0;
        for (int k = 0; k < 3; ++k) squares += std::pow(stone.half[k] * dot(columns_of(pose + 3)[k], d), 2);
        return std::sqrt(squares);
      },
      5e-4);
  const Frames::Solid drum = solid(View::Shape::cylinder, {0.5, 0.5, 0.8});
  expect_reach(
      drum, {0},
      [&](const double* pose, const Direction& d) {
        const double along = dot(columns_of(pose + 3)[2], d);
        return 0.8 * std::fabs(along) + 0.5 * std::sqrt(1 - along * along);
      },
      5e-4);
}

TEST(PictureSolid, ABallThatTurnsKeepsItsOutlineAndItsStripesTurn) {
  std::vector<double> pose = tumbling(7);
  for (int i = 0; i < 7; ++i) std::copy_n(&pose[0], 3, &pose[7 * i]);
  const std::vector<Piece> ball = pieces_of(solid(View::Shape::ellipsoid, {0.5, 0.5, 0.5}), pose, above);
  ASSERT_EQ(ball.size(), 3u);
  const Pixel centre = above(&pose[0]);
  for (int i = 1; i < 7; ++i) {
    for (int p = 0; p < ball[0].at.places; ++p) EXPECT_NEAR(ball[0].at(i, p).x, ball[0].at(0, p).x, 1e-14);
    EXPECT_GT(
        std::hypot(ball[1].at(i, 3).x - ball[1].at(i - 1, 3).x, ball[1].at(i, 3).y - ball[1].at(i - 1, 3).y),
        0.05);
  }
  for (int i = 0; i < 7; ++i)
    for (const int stripe : {1, 2}) {  // from edge to edge, and never outside
      const std::vector<Pixel> line = traced(ball[stripe], i);
      const auto from_centre = [&](const Pixel& p) { return std::hypot(p.x - centre.x, p.y - centre.y); };
      EXPECT_NEAR(from_centre(line.front()), 0.5, 1e-12);
      EXPECT_NEAR(from_centre(line.back()), 0.5, 1e-12);
      for (const Pixel& p : line) EXPECT_LT(from_centre(p), 0.5002);
    }
}

TEST(PictureSolid, WhatIsNeverSeenIsLeftOut) {
  // Looked at along y, and turning about y.
  const Projection front{{1, 0, 0}, {0, 0, 1}};
  std::vector<double> pose;
  for (int i = 0; i < 9; ++i)
    for (const double x : {0.0, 0.0, 0.0, std::cos(0.2 * i), 0.0, std::sin(0.2 * i), 0.0}) pose.push_back(x);
  const auto count = [&](const Frames::Solid& s) { return pieces_of(s, pose, front).size(); };
  EXPECT_EQ(count(solid(View::Shape::box, {1, 1, 1})), 1u);
  EXPECT_EQ(count(solid(View::Shape::cylinder, {1, 1, 1})), 1u);        // its side
  EXPECT_EQ(count(solid(View::Shape::cylinder, {0.01, 0.01, 1})), 1u);  // a bar
}

/// Two frames, three quarters of a turn apart: between them the body is where it went, not where the shorter
/// way would have it.
TEST(PictureSolid, ABodyTurnsTheWayItWentBetweenFrames) {
  Frames frames;
  frames.planar = true;
  frames.plane.assign("xz");
  frames.solids.push_back(solid(View::Shape::box, {1.0, 0.1, 0.2}));
  const double whole = 1.5 * M_PI;
  for (const double angle : {0.0, whole}) {
    frames.t.push_back(angle);
    for (const double x : {0.0, 0.0, 0.0, std::cos(angle / 2), 0.0, -std::sin(angle / 2), 0.0})
      frames.solids[0].pose.push_back(x);
  }
  PictureOptions options;
  options.instants = 10;
  const Scene scene = scene_of(frames, options);
  ASSERT_EQ(scene.instants, 10);
  const Mover& face = scene.solids.at(0).pieces.at(0).at;
  for (int i = 0; i < 10; ++i) {
    // From the middle of one short edge to that of the other: the long axis on paper, one way or the other.
    const auto middle = [&](int a, int b) {
      return Pixel{(face(i, a).x + face(i, b).x) / 2, (face(i, a).y + face(i, b).y) / 2};
    };
    const Pixel p = middle(0, 1), q = middle(2, 3), r = middle(1, 2), s = middle(3, 0);
    const bool long_first = std::hypot(p.x - q.x, p.y - q.y) > std::hypot(r.x - s.x, r.y - s.y);
    const Pixel from = long_first ? q : s, to = long_first ? p : r;
    const double angle = std::atan2(from.y - to.y, to.x - from.x), wanted = whole * i / 9;
    EXPECT_NEAR(std::sin(angle - wanted), 0, 1e-12) << i;
  }
}

/// A flat disc and a bar of no thickness, spinning in space.
TEST(PictureSolid, ThinThingsAreSeenAndEveryInstantHasTheSameCommands) {
  Frames frames;
  frames.up = "z";
  for (const auto& s :
       {solid(View::Shape::cylinder, {0.5, 0.5, 0.0}), solid(View::Shape::cylinder, {0.0, 0.0, 1.0}),
        solid(View::Shape::box, {0.3, 0.3, 0.0})})
    frames.solids.push_back(s);
  const int instants = 40;
  for (int i = 0; i < instants; ++i) frames.t.push_back(0.1 * i);
  for (Frames::Solid& s : frames.solids) s.pose = tumbling(instants);
  frames.joints.push_back({"hinge", JointType::revolute, {}});
  for (int i = 0; i < instants; ++i)
    for (const double x : {0.1 * i, 0.0, 0.0, 0.1 * i, 0.0, 0.0, 0.0, 0.0, 1.0})
      frames.joints[0].xyz.push_back(x);
  const std::string svg = picture(frames);
  EXPECT_NE(svg.find(".b20{fill:"), std::string::npos);
  const auto letters = [](const std::string& d) {
    std::string out;
    std::ranges::copy_if(d, std::back_inserter(out), [](char c) { return std::isalpha(c) != 0; });
    return out;
  };
  int moving = 0;
  for (std::size_t at = svg.find("attributeName=\"d\""); at != svg.npos;
       at = svg.find("attributeName=\"d\"", at + 1), ++moving) {
    const std::size_t begin = svg.find("values=\"", at) + 8, end = svg.find('"', begin);
    std::string_view list(svg.data() + begin, end - begin);
    const std::string first = letters(std::string(list.substr(0, list.find(';'))));
    for (std::size_t from = 0; from < list.size();) {
      const std::size_t to = std::min(list.find(';', from), list.size());
      EXPECT_EQ(letters(std::string(list.substr(from, to - from))), first);
      from = to + 1;
    }
  }
  EXPECT_EQ(moving,
            3 + 2 + 3 + 2);  // disc: side, face, spokes; bar: edge, fill; sheet: faces; pin: ring, hole
  EXPECT_EQ(picture(Frames{}).find(".b00"), std::string::npos);  // no word of bodies where there are none
}

}  // namespace
}  // namespace vinculum
