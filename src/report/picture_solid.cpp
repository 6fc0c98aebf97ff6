// Solids on paper. Every outline is made of the same commands at all instants, so that browsers can move from
// one instant to the next.
#include <algorithm>
#include <cmath>

#include "report/picture_scene.hpp"

namespace vinculum {
namespace {

double dot(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Direction cross(const Direction& a, const Direction& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Direction sum(const Direction& a, double s, const Direction& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
Direction scaled(double s, const Direction& a) { return {s * a[0], s * a[1], s * a[2]}; }
/// Of length `size`; `otherwise` where there is no direction.
Direction of_length(double size, const Direction& a, const Direction& otherwise) {
  const double length = std::sqrt(dot(a, a));
  return scaled(size, length > 1e-9 ? scaled(1 / length, a) : otherwise);
}

/// A solid at one instant.
struct Placed {
  Direction centre;
  std::array<Direction, 3> axis;  ///< unit, world
  explicit Placed(const double* pose) : centre{pose[0], pose[1], pose[2]}, axis(columns_of(pose + 3)) {}
};

/// Half an ellipse from c + g over c + h to c - g, as two cubic curves: 7 places.
void half_ellipse(const Direction& c, const Direction& g, const Direction& h, std::vector<Direction>& out) {
  constexpr double pull = 0.5522847498;  // makes a cubic a quarter of a circle within 0.03 %
  const Direction top = sum(c, 1, h), right = sum(c, 1, g), left = sum(c, -1, g);
  for (const Direction& p :
       {right, sum(right, pull, h), sum(top, pull, g), top, sum(top, -pull, g), sum(left, pull, h), left})
    out.push_back(p);
}

/// Collects the places of one piece, instant by instant.
class Tracer {
 public:
  Tracer(const Frames::Solid& solid, const std::vector<double>& pose, const Projection& projection)
      : solid_(solid), projection_(projection), view_(projection.toward_viewer()) {
    for (std::size_t i = 0; i + 6 < pose.size(); i += 7) placed_.emplace_back(&pose[i]);
  }

  template <class Places>
  Piece piece(const char* commands, Piece::Ink ink, int shade, const Places& places) const {
    Piece result{.commands = commands, .at = {}, .ink = ink, .shade = shade};
    std::vector<Direction> line;
    for (const Placed& now : placed_) {
      line.clear();
      places(now, line);
      for (const Direction& p : line) result.at.at.push_back(projection_(p.data()));
    }
    result.at.places = static_cast<int>(line.size());
    return result;
  }

  /// Faces across an axis of the solid are seen where it points toward the viewer or away; else only its
  /// sides.
  double mean_along_view(int axis) const {
    double total = 0;
    for (const Placed& p : placed_) total += std::fabs(along_view(p, axis));
    return placed_.empty() ? 0.0 : total / static_cast<double>(placed_.size());
  }
  bool ever_across_view(int axis) const {
    return std::ranges::any_of(placed_,
                               [&](const Placed& p) { return std::fabs(along_view(p, axis)) < 1 - 1e-9; });
  }
  double along_view(const Placed& p, int axis) const { return dot(p.axis[axis], view_); }
  double half(int axis) const { return solid_.half[axis]; }
  const Direction& view() const { return view_; }
  const Direction& right() const { return projection_.right; }

 private:
  const Frames::Solid& solid_;
  const Projection& projection_;
  Direction view_;
  std::vector<Placed> placed_;
};

/// Of each two opposite faces the one that is seen; the brighter the more of it is seen.
std::vector<Piece> box_pieces(const Tracer& trace) {
  std::vector<std::pair<double, int>> seen;
  for (int k = 0; k < 3; ++k)
    if (const double part = trace.mean_along_view(k); part > 1e-6)
      seen.emplace_back(part * trace.half((k + 1) % 3) * trace.half((k + 2) % 3), k);
  std::ranges::sort(seen);
  std::vector<Piece> pieces;
  for (std::size_t n = 0; n < seen.size(); ++n) {
    const int k = seen[n].second, i = (k + 1) % 3, j = (k + 2) % 3;
    const int shade = static_cast<int>(seen.size() - 1 - n);
    pieces.push_back(
        trace.piece("Mlllz", Piece::Ink::face, shade, [&](const Placed& now, std::vector<Direction>& out) {
          const double side = trace.along_view(now, k) < 0 ? -1 : 1;
          const Direction middle = sum(now.centre, side * trace.half(k), now.axis[k]);
          for (const auto& [a, b] : {std::pair{1, 1}, std::pair{-1, 1}, std::pair{-1, -1}, std::pair{1, -1}})
            out.push_back(sum(sum(middle, a * trace.half(i), now.axis[i]), b * trace.half(j), now.axis[j]));
        }));
  }
  return pieces;
}

/// The outline of an ellipsoid is the shadow of the half of it that is seen: with S = B B^T, B its semi-axes
/// on paper, the ellipse of the symmetric root of S, which does not turn when a ball does.
void ellipsoid_outline(const Tracer& trace, const Placed& now, const Projection& projection,
                       std::vector<Direction>& out) {
  double xx = 0, xy = 0, yy = 0;
  for (int k = 0; k < 3; ++k) {
    const double x = trace.half(k) * dot(now.axis[k], projection.right),
                 y = trace.half(k) * dot(now.axis[k], projection.up);
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const double root = std::sqrt(std::max(0.0, xx * yy - xy * xy)), size = std::sqrt(xx + yy + 2 * root);
  const double scale = size > 0 ? 1 / size : 0.0;
  const auto on_paper = [&](double x, double y) {
    return sum(scaled(scale * x, projection.right), scale * y, projection.up);
  };
  const Direction g = on_paper(xx + root, xy), h = on_paper(xy, yy + root);
  half_ellipse(now.centre, g, h, out);
  out.pop_back();
  half_ellipse(now.centre, scaled(-1, g), scaled(-1, h), out);
}

/// The half that is seen of the ellipse across axis k: a stripe that turns with the body.
void stripe(const Tracer& trace, const Placed& now, int k, std::vector<Direction>& out) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  // As on a ball: lengths along each axis measured in that semi-axis.
  const double x = trace.along_view(now, i) * trace.half(j), y = trace.along_view(now, j) * trace.half(i);
  const double size = std::hypot(x, y), c = size > 0 ? x / size : 1, s = size > 0 ? y / size : 0;
  const Direction a = scaled(trace.half(i), now.axis[i]), b = scaled(trace.half(j), now.axis[j]);
  half_ellipse(now.centre, sum(scaled(-s, a), c, b), sum(scaled(c, a), s, b), out);
}

std::vector<Piece> ellipsoid_pieces(const Tracer& trace, const Projection& projection) {
  std::vector<Piece> pieces;
  pieces.push_back(
      trace.piece("Mccccz", Piece::Ink::face, 0, [&](const Placed& now, std::vector<Direction>& out) {
        ellipsoid_outline(trace, now, projection, out);
      }));
  for (const int k : {0, 1})
    pieces.push_back(
        trace.piece("Mcc", Piece::Ink::mark, 0,
                    [&](const Placed& now, std::vector<Direction>& out) { stripe(trace, now, k, out); }));
  return pieces;
}

/// Radii of a cylinder's ends: g is seen at its full length, h leans outward at the end where z points.
struct Radii {
  Direction g, h;
};
Radii radii(const Tracer& trace, const Placed& now) {
  const Direction& axis = now.axis[2];
  const Direction g = of_length(trace.half(0), cross(axis, trace.view()), trace.right());
  const Direction h = of_length(trace.half(0), cross(g, axis), {0, 0, 0});
  const bool leans_in = dot(h, trace.view()) * trace.along_view(now, 2) > 0;
  return {g, leans_in ? scaled(-1, h) : h};
}

Direction end_of(const Tracer& trace, const Placed& now, double side) {
  return sum(now.centre, side * trace.half(2), now.axis[2]);
}
/// The end that is seen.
Direction near_end(const Tracer& trace, const Placed& now) {
  return end_of(trace, now, trace.along_view(now, 2) < 0 ? -1 : 1);
}

void barrel(const Tracer& trace, const Placed& now, std::vector<Direction>& out) {
  const Radii r = radii(trace, now);
  half_ellipse(end_of(trace, now, 1), r.g, r.h, out);
  half_ellipse(end_of(trace, now, -1), scaled(-1, r.g), scaled(-1, r.h), out);
}

void cap(const Tracer& trace, const Placed& now, std::vector<Direction>& out) {
  const Radii r = radii(trace, now);
  const Direction centre = near_end(trace, now);
  half_ellipse(centre, r.g, r.h, out);
  out.pop_back();
  half_ellipse(centre, scaled(-1, r.g), scaled(-1, r.h), out);
}

void spokes(const Tracer& trace, const Placed& now, std::vector<Direction>& out) {
  const Direction centre = near_end(trace, now);
  for (const int k : {0, 1})
    for (const double side : {-1.0, 1.0}) out.push_back(sum(centre, side * trace.half(0), now.axis[k]));
}

std::vector<Piece> cylinder_pieces(const Tracer& trace) {
  const auto made = [&](auto how) {
    return [&trace, how](const Placed& now, std::vector<Direction>& out) { how(trace, now, out); };
  };
  std::vector<Piece> pieces;
  const bool ends_seen = trace.mean_along_view(2) > 1e-6;
  if (trace.ever_across_view(2))
    pieces.push_back(trace.piece("Mcclccz", Piece::Ink::face, ends_seen ? 1 : 0, made(barrel)));
  if (ends_seen) {
    pieces.push_back(trace.piece("Mccccz", Piece::Ink::face, 0, made(cap)));
    pieces.push_back(trace.piece("MlMl", Piece::Ink::mark, 0, made(spokes)));
  }
  return pieces;
}

/// So slim that a thick line with round ends shows it.
bool is_bar(const Frames::Solid& solid) {
  return solid.shape == View::Shape::cylinder && solid.half[2] > 3.5 * solid.half[0];
}

std::vector<Piece> bar_pieces(const Tracer& trace) {
  std::vector<Piece> pieces;
  pieces.push_back(trace.piece("Ml", Piece::Ink::bar, 0, [&](const Placed& now, std::vector<Direction>& out) {
    for (const double side : {-1.0, 1.0}) out.push_back(end_of(trace, now, side));
  }));
  pieces[0].width = 2 * trace.half(0);
  return pieces;
}

}  // namespace

Direction Projection::toward_viewer() const { return cross(right, up); }

std::vector<Piece> pieces_of(const Frames::Solid& solid, const std::vector<double>& pose,
                             const Projection& projection) {
  const Tracer trace(solid, pose, projection);
  if (is_bar(solid)) return bar_pieces(trace);
  switch (solid.shape) {
    case View::Shape::box:
      return box_pieces(trace);
    case View::Shape::cylinder:
      return cylinder_pieces(trace);
    default:
      return ellipsoid_pieces(trace, projection);
  }
}

double characters_of(const Frames::Solid& solid, bool planar, bool details) {
  if (is_bar(solid)) return details ? 40 : 18;
  switch (solid.shape) {
    case View::Shape::box:
      return planar ? 30 : 90;
    case View::Shape::cylinder:
      return planar ? 115 : 210;
    default:
      return 180;
  }
}

}  // namespace vinculum
