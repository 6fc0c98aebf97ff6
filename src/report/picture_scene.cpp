#include "report/picture_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace vinculum {
namespace {

int axis_of(char letter) { return letter - 'x'; }

/// A plane straight on, with its other axis to the right.
Projection plane_projection(const Frames& frames) {
  const char up = frames.up.back();
  const char right = frames.plane[0] == up ? frames.plane[1] : frames.plane[0];
  Projection p;
  p.up[axis_of(up)] = frames.up[0] == '-' ? -1 : 1;
  p.right[axis_of(right)] = 1;
  return p;
}

/// Space from a little above, the first of the two level axes to the right and toward the viewer.
Projection space_projection(const std::string& up) {
  const int u = axis_of(up.back());
  int a = (u + 1) % 3, b = (u + 2) % 3;  // a x b = +u
  if (up[0] == '-') std::swap(a, b);
  const double turn = -60 * std::numbers::pi / 180, raise = 22 * std::numbers::pi / 180;
  Projection p;
  p.right[a] = -std::sin(turn);
  p.right[b] = std::cos(turn);
  p.up[a] = -std::sin(raise) * std::cos(turn);
  p.up[b] = -std::sin(raise) * std::sin(turn);
  p.up[u] = std::cos(raise) * (up[0] == '-' ? -1 : 1);
  return p;
}

/// From one quaternion to another the way the motion went, up to a full turn: signs are as recorded.
void turn_between(const double* from, const double* to, double part, double* out) {
  double cosine = 0;
  for (int k = 0; k < 4; ++k) cosine += from[k] * to[k];
  const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)), sine = std::sin(angle);
  const double a = sine > 1e-9 ? std::sin((1 - part) * angle) / sine : 1 - part;
  const double b = sine > 1e-9 ? std::sin(part * angle) / sine : part;
  for (int k = 0; k < 4; ++k) out[k] = a * from[k] + b * to[k];
}

/// Numbers at times between the instants, by straight interpolation; what is not finite stays where it was.
class Resampled {
 public:
  Resampled(const Frames& frames, int count) : t_(frames.t), count_(count) {}

  /// `width` numbers for each instant; with `turns` the last four are a quaternion.
  std::vector<double> operator()(const std::vector<double>& given, std::size_t width,
                                 bool turns = false) const {
    std::vector<double> out(width * count_);
    std::size_t i = 0;
    for (int k = 0; k < count_; ++k) {
      const double part = count_ > 1 ? static_cast<double>(k) / (count_ - 1) : 0.0;
      const double t = t_.front() + part * (t_.back() - t_.front());
      const double forward = t_.back() < t_.front() ? -1 : 1;
      while (i + 2 < t_.size() && forward * t_[i + 1] < forward * t) ++i;
      const std::size_t next = std::min(i + 1, t_.size() - 1);
      const double span = t_[next] - t_[i], w = span != 0 ? std::clamp((t - t_[i]) / span, 0.0, 1.0) : 0.0;
      const double *from = &given[i * width], *to = &given[next * width];
      double* const here = &out[k * width];
      for (std::size_t j = 0; j < width; ++j) here[j] = (1 - w) * from[j] + w * to[j];
      if (turns) turn_between(from + width - 4, to + width - 4, w, here + width - 4);
      for (std::size_t j = 0; j < width; ++j)
        if (!std::isfinite(here[j])) here[j] = k > 0 ? here[j - width] : 0.0;
    }
    return out;
  }
  std::vector<double> operator()(const Frames::Track& track) const {
    return (*this)(track.xyz, 3 * static_cast<std::size_t>(track.places));
  }

 private:
  const std::vector<double>& t_;
  int count_;
};

std::vector<Pixel> projected(const std::vector<double>& xyz, const Projection& projection) {
  std::vector<Pixel> out;
  for (std::size_t i = 0; i + 2 < xyz.size(); i += 3) out.push_back(projection(&xyz[i]));
  return out;
}

/// As many instants as fit into a small file: about so many characters for each.
int affordable_instants(const Frames& frames, int asked) {
  const std::size_t springs =
      std::ranges::count_if(frames.links, [](const auto& l) { return l.kind == View::LinkKind::spring; });
  double characters = 11.0 * frames.points.size() + 17.0 * (frames.links.size() - springs) +
                      (springs > most_zigzags ? 17.0 : 6.0 * zigzag_places) * springs +
                      (frames.arrows.size() > 6 ? 17.0 : 34.0) * frames.arrows.size() +
                      (frames.torques.size() > most_arcs ? 0.0 : 90.0) * frames.torques.size();
  for (const Frames::Track& c : frames.curves) {
    bool still = true;
    for (std::size_t i = 0; i < c.xyz.size(); ++i) still = still && c.xyz[i] == c.xyz[i % (3 * c.places)];
    if (!still) characters += 6.0 * std::min(c.places, 28);
  }
  const bool details = frames.solids.size() <= most_details;
  for (const Frames::Solid& solid : frames.solids) characters += characters_of(solid, frames.planar, details);
  if (frames.joints.size() <= most_details) characters += 36.0 * frames.joints.size();
  // Fewer than asked for where that would be too much, but no fewer than still look like a motion.
  return std::min(std::max(static_cast<int>(46'000 / std::max(characters, 1.0)), 24), std::max(asked, 2));
}

struct Box {
  double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
  void include(const Pixel& p) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  bool empty() const { return left > right; }
};

/// Where things lie before they are scaled to the paper.
Box box_of(const Scene& scene) {
  Box box;
  for (const auto* list : {&scene.points, &scene.links, &scene.curves})
    for (const Mover& thing : *list) {
      for (const Pixel& p : thing.at) box.include(p);
      for (const Pixel& p : thing.trail) box.include(p);
    }
  for (const SolidOnPaper& solid : scene.solids) {
    for (const Pixel& p : solid.centre.trail) box.include(p);
    for (const Piece& piece : solid.pieces)
      for (const Pixel& p : piece.at.at) box.include(p);
  }
  for (const JointOnPaper& joint : scene.joints)
    for (const Pixel& p : joint.at.at) box.include(p);
  for (const Mover& arrow : scene.arrows)
    for (int i = 0; i < scene.instants; ++i) box.include(arrow(i, 0));
  for (const auto& [a, b] : scene.floor) {
    box.include(a);
    box.include(b);
  }
  return box;
}

struct Fit {
  double scale = 1.0, x = 0.0, y = 0.0;
  Pixel operator()(const Pixel& p) const { return {scale * p.x + x, scale * p.y + y}; }
};

/// The box into the paper less its margins, in the middle of what is left.
Fit fitted(const Box& box, const Box& paper) {
  Fit f;
  const double width = box.right - box.left, height = box.bottom - box.top;
  const double w = paper.right - paper.left, h = paper.bottom - paper.top;
  const double most = std::max(width, height);
  const double far =
      std::max({std::fabs(box.left), std::fabs(box.right), std::fabs(box.top), std::fabs(box.bottom)});
  if (most > 1e-9 * far)  // else nothing moves, and what seems to is rounding
    f.scale = std::min(w / std::max(width, 1e-6 * most), h / std::max(height, 1e-6 * most));
  f.x = (paper.left + paper.right) / 2 - f.scale * (box.left + box.right) / 2;
  f.y = (paper.top + paper.bottom) / 2 - f.scale * (box.top + box.bottom) / 2;
  return f;
}

/// Pixels for a unit of force. The longest arrow of a run is often a spike; the scale is that of the longest
/// but one in twenty, and what is beyond is cut.
double arrow_scale(const Scene& scene, double longest) {
  std::vector<double> size;
  for (const Mover& arrow : scene.arrows)
    for (int i = 0; i < scene.instants; ++i) size.push_back(std::hypot(arrow(i, 1).x, arrow(i, 1).y));
  if (size.empty()) return 0;
  std::ranges::sort(size);
  const double typical = size[(size.size() - 1) * 19 / 20];
  return typical > 0 ? longest / typical : 0;
}

/// From (at, along) to (from, to) on paper.
void place_arrows(Scene& scene, const Fit& fit, double scale, double longest) {
  for (Mover& arrow : scene.arrows)
    for (int i = 0; i < scene.instants; ++i) {
      const Pixel from = fit(arrow(i, 0)), along = arrow(i, 1);
      const double length = scale * std::hypot(along.x, along.y);
      const double kept = length > 1.5 * longest ? 1.5 * longest / length : 1.0;
      arrow.at[2 * i] = from;
      arrow.at[2 * i + 1] = {from.x + kept * scale * along.x, from.y + kept * scale * along.y};
    }
}

/// Two directions across a torque, the first as level as can be, so that the second follows it as the torque
/// turns.
std::pair<Direction, Direction> across(const double* torque, const Direction& up) {
  const auto crossed = [](const Direction& a, const Direction& b) {
    return Direction{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto length = [](const Direction& a) { return std::hypot(a[0], a[1], a[2]); };
  Direction along{torque[0], torque[1], torque[2]};
  const double size = length(along);
  if (!(size > 0)) return {};
  for (double& x : along) x /= size;
  Direction level = crossed(up, along);
  if (length(level) < 1e-3) level = crossed({up[1], up[2], up[0]}, along);
  const double width = length(level);
  for (double& x : level) x *= 1 / width;
  return {level, crossed(along, level)};
}

/// At, and the two directions across, each as long as the torque: an arc before it has its size on paper.
void lay_down_torques(const Frames& frames, const Projection& projection, const Resampled& coarse,
                      Scene& scene) {
  if (frames.torques.size() > most_arcs) return;
  Direction up{};
  up[axis_of(frames.up.back())] = 1;
  for (const Frames::Track& track : frames.torques) {
    Mover arc{{}, 3, View::LinkKind::rod, {}};
    const std::vector<double> xyz = coarse(track);
    for (std::size_t i = 0; i < xyz.size(); i += 6) {
      const double size = std::hypot(xyz[i + 3], xyz[i + 4], xyz[i + 5]);
      arc.at.push_back(projection(&xyz[i]));
      const auto [first, second] = across(&xyz[i + 3], up);
      for (const Direction& d : {first, second}) {
        const Pixel p = projection(d.data());
        arc.at.push_back({size * p.x, size * p.y});
      }
    }
    scene.torques.push_back(std::move(arc));
  }
}

/// The torque of each arc at each instant.
double torque_of(const Mover& arc, int i) {
  return std::max(std::hypot(arc(i, 1).x, arc(i, 1).y), std::hypot(arc(i, 2).x, arc(i, 2).y));
}

/// Arcs on paper, with a scale of their own: the largest but one in twenty has the radius `widest`.
void place_torques(Scene& scene, const Fit& fit, double widest) {
  std::vector<double> size;
  for (const Mover& arc : scene.torques)
    for (int i = 0; i < scene.instants; ++i) size.push_back(torque_of(arc, i));
  if (size.empty()) return;
  std::ranges::sort(size);
  const double typical = size[(size.size() - 1) * 19 / 20];
  for (Mover& arc : scene.torques) {
    Mover placed{{}, arc_places, View::LinkKind::rod, {}};
    for (int i = 0; i < scene.instants; ++i) {
      const Pixel centre = fit(arc(i, 0));
      const double torque = torque_of(arc, i);
      const double scale =
          typical > 0 ? std::min(widest / typical, 1.5 * widest / std::max(torque, 1e-300)) : 0;
      for (int k = 0; k < arc_places; ++k) {
        const double angle = 1.5 * std::numbers::pi * k / (arc_places - 1), c = scale * std::cos(angle),
                     s = scale * std::sin(angle);
        placed.at.push_back(
            {centre.x + c * arc(i, 1).x + s * arc(i, 2).x, centre.y + c * arc(i, 1).y + s * arc(i, 2).y});
      }
    }
    arc = std::move(placed);
  }
}

/// Every place but those of the arrows.
template <class Change>
void for_each_place(Scene& scene, const Change& change) {
  for (auto* list : {&scene.points, &scene.links, &scene.curves})
    for (Mover& thing : *list) {
      std::ranges::for_each(thing.at, change);
      std::ranges::for_each(thing.trail, change);
    }
  for (SolidOnPaper& solid : scene.solids) {
    std::ranges::for_each(solid.centre.trail, change);
    for (Piece& piece : solid.pieces) std::ranges::for_each(piece.at.at, change);
  }
  for (JointOnPaper& joint : scene.joints) std::ranges::for_each(joint.at.at, change);
  for (auto& [a, b] : scene.floor) {
    change(a);
    change(b);
  }
}

/// The paper less what the tips of the arrows reach beyond it, when the motion fills it.
Box left_by_arrows(const Scene& scene, const Box& box, const Box& paper, double scale, double longest) {
  Scene trial;
  trial.instants = scene.instants;
  trial.arrows = scene.arrows;
  place_arrows(trial, fitted(box, paper), scale, longest);
  Box reached = paper;
  for (const Mover& arrow : trial.arrows)
    for (int i = 0; i < scene.instants; ++i) reached.include(arrow(i, 1));
  return {2 * paper.left - reached.left, 2 * paper.right - reached.right, 2 * paper.top - reached.top,
          2 * paper.bottom - reached.bottom};
}

/// A flat motion leaves most of the paper empty: at most half of its height is cut off.
void cut(Scene& scene, const PictureOptions& options, double margin) {
  Box used = box_of(scene);
  for (const Mover& arrow : scene.arrows)
    for (int i = 0; i < scene.instants; ++i) used.include(arrow(i, 1));
  for (const Mover& arc : scene.torques)
    for (const Pixel& p : arc.at) used.include(p);
  const int needed = static_cast<int>(std::ceil(used.bottom - used.top + 2 * margin));
  scene.height = std::clamp(needed, options.height / 2, options.height);
  const double shift = (scene.height - used.top - used.bottom) / 2;
  const auto move = [&](Pixel& p) { p.y += shift; };
  for_each_place(scene, move);
  for (auto* list : {&scene.arrows, &scene.torques})
    for (Mover& force : *list) std::ranges::for_each(force.at, move);
}

/// Scales everything to what the arrows leave of the paper: their lengths are in pixels.
void lay_out(Scene& scene, const PictureOptions& options) {
  scene.height = options.height;
  const Box box = box_of(scene);
  if (box.empty()) return;
  const double size = std::min(options.width, options.height), margin = 0.07 * size, longest = 0.16 * size;
  const Box paper{margin, options.width - margin, margin, options.height - margin};
  const double scale = arrow_scale(scene, longest);
  const Fit fit = fitted(box, left_by_arrows(scene, box, paper, scale, longest));
  place_arrows(scene, fit, scale, longest);
  place_torques(scene, fit, 0.6 * longest);
  for_each_place(scene, [&](Pixel& p) { p = fit(p); });
  for (SolidOnPaper& solid : scene.solids)
    for (Piece& piece : solid.pieces) piece.width *= fit.scale;
  cut(scene, options, margin);
}

/// A level grid under everything, so that the eye finds its way in space.
void add_floor(const Frames& frames, const Projection& projection, Scene& scene) {
  std::array<double, 3> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  const auto include = [&](int k, double x, double around = 0.0) {
    if (!std::isfinite(x)) return;
    low[k] = std::min(low[k], x - around);
    high[k] = std::max(high[k], x + around);
  };
  for (const auto* list : {&frames.points, &frames.links, &frames.curves})
    for (const Frames::Track& track : *list)
      for (std::size_t i = 0; i < track.xyz.size(); ++i) include(static_cast<int>(i % 3), track.xyz[i]);
  for (const Frames::Solid& solid : frames.solids)
    for (std::size_t i = 0; i + 6 < solid.pose.size(); i += 7) {
      const std::array<double, 3> reach = reach_of(solid, &solid.pose[i]);
      for (int k = 0; k < 3; ++k) include(k, solid.pose[i + k], reach[k]);
    }
  for (const Frames::Joint& joint : frames.joints)
    for (std::size_t i = 0; i < joint.xyz.size(); ++i)
      if (i % 9 < 6) include(static_cast<int>(i % 3), joint.xyz[i]);
  if (low[0] > high[0]) return;
  const int u = axis_of(frames.up.back()), a = (u + 1) % 3, b = (u + 2) % 3;
  const double size = std::max({high[a] - low[a], high[b] - low[b], 0.3 * (high[u] - low[u])});
  const double level = frames.up[0] == '-' ? high[u] : low[u];
  const int cells = 6;
  const auto corner = [&](int i, int j) {
    std::array<double, 3> p{};
    p[u] = level;
    p[a] = (low[a] + high[a] - size) / 2 + size * i / cells;
    p[b] = (low[b] + high[b] - size) / 2 + size * j / cells;
    return projection(p.data());
  };
  for (int i = 0; i <= cells; ++i) {
    scene.floor.emplace_back(corner(i, 0), corner(i, cells));
    scene.floor.emplace_back(corner(0, i), corner(cells, i));
  }
}

/// Of many bodies the trails would hide everything else.
constexpr std::size_t most_trails_of_bodies = 4;

/// Whether the largest turn between two instants is more than an eighth of a whole one.
bool turns_quickly(const std::vector<double>& pose) {
  const double most = std::cos(std::numbers::pi / 8);  // of half the angle
  for (std::size_t i = 7; i + 6 < pose.size(); i += 7) {
    double cosine = 0;
    for (std::size_t k = 3; k < 7; ++k) cosine += pose[i + k] * pose[i + k - 7];
    if (cosine < most) return true;
  }
  return false;
}

void lay_down_solids(const Frames& frames, const Projection& projection, const Resampled& coarse,
                     const Resampled& fine, Scene& scene) {
  const Direction near = projection.toward_viewer();
  for (std::size_t s = 0; s < frames.solids.size(); ++s) {
    const Frames::Solid& solid = frames.solids[s];
    const std::vector<double> pose = coarse(solid.pose, 7, true);
    SolidOnPaper on_paper;
    on_paper.colour = static_cast<int>(s);
    on_paper.of_inertia = solid.of_inertia;
    on_paper.quick = turns_quickly(pose);
    on_paper.pieces = pieces_of(solid, pose, projection);
    for (std::size_t i = 0; i < pose.size(); i += 7)
      for (int k = 0; k < 3; ++k) on_paper.nearness += near[k] * pose[i + k] / scene.instants;
    if (solid.trail && frames.solids.size() <= most_trails_of_bodies)
      on_paper.centre.trail = projected(fine(centre_of(solid)), projection);
    scene.solids.push_back(std::move(on_paper));
  }
  std::ranges::stable_sort(scene.solids, {}, &SolidOnPaper::nearness);
}

void lay_down_joints(const Frames& frames, const Projection& projection, const Resampled& coarse,
                     Scene& scene) {
  for (const Frames::Joint& joint : frames.joints) {
    JointOnPaper on_paper;
    on_paper.type = joint.type;
    on_paper.at.places = 2;
    const std::vector<double> xyz = coarse(joint.xyz, 9);
    for (std::size_t i = 0; i < xyz.size(); i += 9) {
      on_paper.at.at.push_back(projection(&xyz[i]));
      on_paper.at.at.push_back(projection(&xyz[i + 3]));
      on_paper.along.push_back(projection(&xyz[i + 6]));
    }
    scene.joints.push_back(std::move(on_paper));
  }
}

}  // namespace

bool moves(const Mover& thing) {
  const double seen = 0.1;
  for (std::size_t i = 0; i < thing.at.size(); ++i) {
    const Pixel &now = thing.at[i], &first = thing.at[i % thing.places];
    if (std::fabs(now.x - first.x) > seen || std::fabs(now.y - first.y) > seen) return true;
  }
  return false;
}

Scene scene_of(const Frames& frames, const PictureOptions& options) {
  Scene scene;
  scene.height = options.height;
  if (frames.t.empty()) return scene;
  scene.instants = affordable_instants(frames, options.instants);
  const double lasted = std::fabs(frames.t.back() - frames.t.front());
  scene.seconds = options.seconds > 0 ? options.seconds : std::clamp(lasted, 2.0, 12.0);
  const Projection projection = frames.planar ? plane_projection(frames) : space_projection(frames.up);
  const Resampled coarse(frames, scene.instants), fine(frames, (scene.instants - 1) * Scene::finer + 1);
  const auto lay_down = [&](const std::vector<Frames::Track>& tracks, std::vector<Mover>& out) {
    for (const Frames::Track& track : tracks) {
      out.push_back({projected(coarse(track), projection), track.places, track.kind, {}});
      if (track.trail) out.back().trail = projected(fine(track), projection);
    }
  };
  lay_down(frames.points, scene.points);
  lay_down(frames.links, scene.links);
  lay_down(frames.curves, scene.curves);
  lay_down(frames.arrows, scene.arrows);
  lay_down_solids(frames, projection, coarse, fine, scene);
  lay_down_joints(frames, projection, coarse, scene);
  lay_down_torques(frames, projection, coarse, scene);
  if (!frames.planar) add_floor(frames, projection, scene);
  lay_out(scene, options);
  return scene;
}

}  // namespace vinculum
