#include "vinculum/report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/picture_path.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

// Inks for light paper and for dark; the picture brings its own paper, since a page may not share the
// browser's taste.
constexpr const char* style = R"(<style>
.p{fill:#fcfbf8;stroke:#e4e1d9}.g{stroke:#e8e5dd}.c{stroke:#98a1ab}.r{stroke:#2b3440}.s{stroke:#0f766e}
.n{stroke:#98a1ab}.t{stroke:#2468b2}.d{stroke:#2468b2}.f{stroke:#5d6875}.a{stroke:#d1571b}
@media(prefers-color-scheme:dark){.p{fill:#14181d;stroke:#2a3037}.g{stroke:#252b32}.c{stroke:#6b7683}
.r{stroke:#d5dbe2}.s{stroke:#4fc3b3}.n{stroke:#6b7683}.t{stroke:#6fb0f5}.d{stroke:#6fb0f5}.f{stroke:#98a3af}.a{stroke:#ff9d5c}}
</style>
)";

// Soft colours of bodies, one after the other, for light paper and for dark; each in three shades.
constexpr int soft_colours[][2] = {{0xa9c1ea, 0x46629c}, {0xf2c39c, 0x8f6038}, {0xa6d4ba, 0x3a7055},
                                   {0xe3b0d0, 0x83466d}, {0xc6baec, 0x5d4c97}, {0xa3d3dc, 0x336c79},
                                   {0xe0d099, 0x766632}, {0xc3c5ca, 0x64676d}};
constexpr int soft_count = static_cast<int>(std::size(soft_colours));

std::string darker(int colour, double by) {
  int darkened = 0;
  for (const int shift : {16, 8, 0}) darkened |= static_cast<int>(by * ((colour >> shift) & 255)) << shift;
  return fmt::format("#{:06x}", darkened);
}

/// Only where there are bodies; only the colours that are used. .b fills, .w is the same as a stroke.
std::string style_of_bodies(const Scene& scene) {
  if (scene.solids.empty() && scene.joints.empty()) return "";
  const int used = std::min(static_cast<int>(scene.solids.size()), soft_count);
  const auto colours = [&](int theme, double step) {
    std::string text;
    for (int c = 0; c < used; ++c)
      for (int shade = 0; shade < 3; ++shade) {
        const std::string name = std::to_string(c) + std::to_string(shade);
        const std::string colour = darker(soft_colours[c][theme], 1 - step * shade);
        text += ".b" + name + "{fill:" + colour + "}";
        if (shade == 0) text += ".w" + name + "{stroke:" + colour + "}";
      }
    return text;
  };
  return "<style>\n.e{stroke:#4d5763}.i{stroke:#fcfbf8}" + colours(0, 0.08) +
         "\n@media(prefers-color-scheme:dark){.e{stroke:#a9b3be}.i{stroke:#14181d}" + colours(1, 0.15) +
         "}\n</style>\n";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

/// Writes shapes that move in one loop.
class Paper {
 public:
  explicit Paper(const Scene& scene) : instants_(scene.instants), seconds_(number_text(scene.seconds, 4)) {}

  /// One shape of a class, drawn anew for every instant; still where all instants are the same.
  /// `in_jumps`: nothing between the instants.
  void draw(const std::string& kind, double width, const std::function<void(PathText&, int)>& at,
            const char* more = "", bool in_jumps = false) {
    std::vector<std::string> d;
    for (int i = 0; i < instants_; ++i) {
      PathText path;
      at(path, i);
      d.push_back(path.text());
    }
    if (d.empty() || d[0].empty()) return;
    open(kind, width, d[0], more);
    if (std::ranges::all_of(d, [&](const auto& text) { return text == d[0]; }))
      text_ += "/>\n";
    else
      animate("d", d, in_jumps);
  }

  void still(const std::string& kind, double width, const std::string& d, const char* more = "") {
    open(kind, width, d, more);
    text_ += "/>\n";
  }

  void open(const std::string& kind, double width, const std::string& d, const std::string& more) {
    text_ += "<path class=\"" + kind + "\" stroke-width=\"" + std::to_string(tenths(width)) + "\"" +
             (more.empty() ? "" : " " + more) + " d=\"" + d + "\"";
  }

  /// Ends an open shape with the values one of its attributes takes in a turn.
  void animate(const char* attribute, const std::vector<std::string>& values, bool in_jumps = false) {
    text_ += std::string("><animate attributeName=\"") + attribute + "\" dur=\"" + seconds_ +
             (in_jumps ? "s\" calcMode=\"discrete" : "s") + "\" repeatCount=\"indefinite\" values=\"";
    for (std::size_t i = 0; i < values.size(); ++i) text_ += (i ? ";" : "") + values[i];
    text_ += "\"/></path>\n";
  }

  const std::string& text() const { return text_; }

 private:
  int instants_;
  std::string seconds_;
  std::string text_;
};

/// The whole way as a thin line, and its last part brighter behind the point. The brighter part is a dash
/// that moves along; with a path length of 10000 it needs one number for each instant.
void draw_trail(Paper& paper, const Mover& point, int instants) {
  const std::vector<int> corner = needed_places(point.trail);
  std::vector<Pixel> line;
  for (const int c : corner) line.push_back(point.trail[c]);
  std::vector<double> gone(point.trail.size(), 0.0);  // length of the line as drawn, up to each place
  for (std::size_t k = 1; k < corner.size(); ++k) {
    const double piece = std::hypot(line[k].x - line[k - 1].x, line[k].y - line[k - 1].y);
    for (int p = corner[k - 1] + 1; p <= corner[k]; ++p)
      gone[p] = gone[corner[k - 1]] + piece * (p - corner[k - 1]) / (corner[k] - corner[k - 1]);
  }
  if (gone.empty() || gone.back() < 2) return;
  PathText path;
  path.line(line);
  paper.still("t", 1, path.text(), "opacity=\".4\"");
  const double behind = std::min(0.3 * gone.back(), 60.0), unit = 10000 / gone.back();
  std::vector<std::string> offset;
  for (int i = 0; i < instants; ++i)
    offset.push_back(std::to_string(std::lround((behind - gone[i * Scene::finer]) * unit)));
  paper.open("t", 1.8, path.text(),
             "opacity=\".75\" pathLength=\"10000\" stroke-dasharray=\"" +
                 std::to_string(std::lround(behind * unit)) + " 20000\" stroke-dashoffset=\"" + offset[0] +
                 "\"");
  paper.animate("stroke-dashoffset", offset);
}

void draw_floor(Paper& paper, const Scene& scene) {
  PathText path;
  for (const auto& [a, b] : scene.floor) path.line(std::array{a, b});
  if (!scene.floor.empty()) paper.still("g", 1, path.text());
}

void draw_curves(Paper& paper, const Scene& scene) {
  for (const Mover& curve : scene.curves) {
    const std::vector<int> needed = needed_places(curve);
    paper.draw("c", 1.5, [&](PathText& path, int i) {
      std::vector<Pixel> line;
      for (const int p : needed) line.push_back(curve(i, p));
      path.line(line);
    });
  }
}

/// A bar is a line in the colour of its edge with a slimmer one over it.
void draw_bar(Paper& paper, const Piece& bar, const std::string& colour, bool edge) {
  const double width = std::max(bar.width, 3.5);
  const auto line = [&](PathText& path, int i) { path.line(std::array{bar.at(i, 0), bar.at(i, 1)}); };
  if (edge) paper.draw("e", width, line);
  paper.draw("w" + colour, width - 2, line);
}

void draw_solids(Paper& paper, const Scene& scene) {
  for (const SolidOnPaper& solid : scene.solids)
    for (const Piece& piece : solid.pieces) {
      const std::string colour = std::to_string(solid.colour % soft_count) + std::to_string(piece.shade);
      const auto shape = [&](PathText& path, int i) {
        path.shape(piece.commands, {&piece.at(i), static_cast<std::size_t>(piece.at.places)});
      };
      // What nobody said is seen through.
      const char* const look = solid.of_inertia ? "fill-opacity=\".6\"" : "";
      if (piece.ink == Piece::Ink::bar)
        draw_bar(paper, piece, colour, scene.solids.size() <= most_details);
      else if (piece.ink == Piece::Ink::face)
        paper.draw("e b" + colour, 1, shape, look);
      else
        paper.draw("e", 0.9, shape, "opacity=\".55\"", solid.quick);
    }
}

bool has_pin(JointType type) {
  return type == JointType::revolute || type == JointType::universal || type == JointType::cylindrical ||
         type == JointType::screw;
}
bool slides(JointType type) {
  return type == JointType::prismatic || type == JointType::cylindrical || type == JointType::screw;
}

/// A pin is a ring, a ball a full dot, a slide a short bar along its way where its second part is; a kept
/// distance is a rod.
void draw_joints(Paper& paper, const Scene& scene) {
  if (scene.joints.size() > most_details) return;
  const double size = scene.joints.size() > 8 ? 5 : 6.5;
  const auto draw = [&](const char* kind, double width, const auto& which, const auto& how) {
    paper.draw(kind, width, [&](PathText& path, int i) {
      for (const JointOnPaper& joint : scene.joints)
        if (which(joint.type)) how(path, joint, i);
    });
  };
  const auto way = [](PathText& path, const JointOnPaper& joint, int i) {
    path.line(std::array{joint.at(i, 0), joint.at(i, 1)});
  };
  const auto dots = [](PathText& path, const JointOnPaper& joint, int i) {
    path.dot(joint.at(i, slides(joint.type) ? 1 : 0));
    if (joint.type == JointType::distance) path.dot(joint.at(i, 1));
  };
  const auto sleeve = [&](PathText& path, const JointOnPaper& joint, int i) {
    const Pixel &at = joint.at(i, 1), &along = joint.along[i];
    path.line(std::array{Pixel{at.x - size * along.x, at.y - size * along.y},
                         Pixel{at.x + size * along.x, at.y + size * along.y}});
  };
  draw("n", 1.2, slides, way);
  draw("r", 2.2, [](JointType type) { return type == JointType::distance; }, way);
  draw("r", 0.85 * size, slides, sleeve);
  draw("r", size, [](JointType type) { return type != JointType::prismatic; }, dots);
  draw("i", 0.5 * size, has_pin, dots);
}

void draw_links(Paper& paper, const Scene& scene) {
  const auto springs = std::ranges::count(scene.links, View::LinkKind::spring, &Mover::kind);
  const bool zigzags = static_cast<std::size_t>(springs) <= most_zigzags;
  const auto draw = [&](View::LinkKind kind, const char* name, double width, bool in_teeth) {
    paper.draw(name, width, [&](PathText& path, int i) {
      for (const Mover& link : scene.links)
        if (link.kind == kind) {
          if (in_teeth)
            path.line(zigzag(link(i, 0), link(i, 1)));
          else
            path.line(std::array{link(i, 0), link(i, 1)});
        }
    });
  };
  draw(View::LinkKind::line, "n", 1.5, false);
  draw(View::LinkKind::spring, "s", zigzags ? 1.6 : 1.3, zigzags);
  draw(View::LinkKind::rod, "r", scene.links.size() > 12 ? 1.6 : 2.6, false);
}

void draw_points(Paper& paper, const Scene& scene) {
  const double size = scene.points.size() > 6 ? 6.5 : 11;
  for (const bool moving : {false, true})
    paper.draw(moving ? "d" : "f", moving ? size : 7, [&](PathText& path, int i) {
      for (const Mover& point : scene.points)
        if (moves(point) == moving) path.dot(point(i));
    });
}

/// Ends of links that stay where they are: pins in the wall.
void draw_pins(Paper& paper, const Scene& scene) {
  PathText path;
  for (const Mover& link : scene.links)
    for (int end = 0; end < 2; ++end) {
      if (link.kind == View::LinkKind::line) continue;
      Mover pin;
      for (int i = 0; i < scene.instants; ++i) pin.at.push_back(link(i, end));
      if (!moves(pin)) path.dot(pin(0));
    }
  if (!path.text().empty()) paper.still("f", 7, path.text());
}

void draw_arrows(Paper& paper, const Scene& scene) {
  const bool heads = scene.arrows.size() <= 6;
  paper.draw("a", heads ? 1.8 : 1.3, [&](PathText& path, int i) {
    for (const Mover& arrow : scene.arrows) draw_arrow(path, arrow(i, 0), arrow(i, 1), heads);
    for (const Mover& arc : scene.torques) draw_arc(path, {&arc(i, 0), arc_places});
  });
}

/// What those who cannot see the picture are told.
std::string told(const Frames& frames) {
  std::vector<std::string> names;
  for (const Frames::Track& p : frames.points) names.push_back(p.name);
  for (const Frames::Solid& s : frames.solids) names.push_back(s.name);
  std::string text = "Moving: " + list_text(names);
  if (!frames.t.empty())
    text += ", from t = " + number_text(frames.t.front(), 4) + " to t = " + number_text(frames.t.back(), 4);
  return text;
}

}  // namespace

std::string picture(const Frames& frames, const PictureOptions& options) {
  const Scene scene = scene_of(frames, options);
  Paper paper(scene);
  draw_floor(paper, scene);
  draw_curves(paper, scene);
  draw_solids(paper, scene);
  for (const SolidOnPaper& solid : scene.solids) draw_trail(paper, solid.centre, scene.instants);
  for (const Mover& point : scene.points) draw_trail(paper, point, scene.instants);
  draw_links(paper, scene);
  draw_pins(paper, scene);
  draw_joints(paper, scene);
  draw_arrows(paper, scene);
  draw_points(paper, scene);
  const auto text = [](int pixels) { return std::to_string(10 * pixels); };
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(options.width) +
         "\" height=\"" + std::to_string(scene.height) + "\" viewBox=\"0 0 " + text(options.width) + " " +
         text(scene.height) + "\" role=\"img\">\n<title>" + escaped(options.title) + "</title>\n<desc>" +
         escaped(told(frames)) + "</desc>\n" + style + style_of_bodies(scene) +
         "<rect class=\"p\" x=\"5\" y=\"5\" width=\"" + text(options.width - 1) + "\" height=\"" +
         text(scene.height - 1) +
         "\" rx=\"80\" stroke-width=\"10\"/>\n"
         "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n" +
         paper.text() + "</g>\n</svg>\n";
}

std::string picture(const Model& model, const View& view, const Trajectory& motion,
                    const PictureOptions& options) {
  Frames frames = frames_of(model, view, motion, Scene::finer * options.instants);
  // One colour of arrows only: friction is left to the report.
  std::erase_if(frames.arrows, [](const Frames::Track& arrow) { return arrow.nonideal; });
  return picture(frames, options);
}

}  // namespace vinculum
