// A robot as a model that a person can read and change.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>

#include "io/import/robot.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum::robots {
namespace {

/// A number that was computed: the last digit, which rounding made, is left out.
std::string text(double value) {
  if (!std::isfinite(value)) return number_text(value);
  const std::string digits = fmt::format("{:.15g}", value);
  double rounded = value;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return number_text(rounded + 0.0);
}

/// What is nothing beside the largest of them is rounding, too.
std::string text(const Vector3d& v) {
  const double tiny = 4e-16 * v.cwiseAbs().maxCoeff();
  const auto part = [&](int k) { return text(std::fabs(v[k]) <= tiny ? 0.0 : v[k]); };
  return fmt::format("[{}, {}, {}]", part(0), part(1), part(2));
}

/// Places and directions that were turned: a right angle leaves rounding behind.
Vector3d tidied(const Vector3d& v, double size) {
  return v.unaryExpr([size](double x) { return std::fabs(x) < 1e-15 * size ? 0.0 : x; });
}

std::string quoted(std::string_view words) {
  std::string out = "\"";
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20 || byte == 0x7f)
      out += ' ';
    else
      out += c;
  }
  return out + "\"";
}

std::string in_one_line(std::string_view words) {
  std::string out(words);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

/// About an axis of the frame by a part of pi where it is that, else as a quaternion.
std::string orientation_text(Quaterniond q) {
  if (q.w() < 0) q.coeffs() *= -1;
  constexpr double rounding = 1e-14;
  for (int k = 0; k < 3; ++k) {
    if (std::hypot(q.vec()[(k + 1) % 3], q.vec()[(k + 2) % 3]) > rounding) continue;
    const double angle = 2 * std::atan2(q.vec()[k], q.w());
    const double twelfths = angle / (std::numbers::pi / 12);
    if (std::fabs(angle) <= rounding) return "";
    const double whole = std::round(twelfths);
    std::string words = text(angle);
    if (std::fabs(twelfths - whole) < 1e-13 && whole != 0) {
      const int n = static_cast<int>(whole), common = std::gcd(std::abs(n), 12);
      const std::string front = n / common == 1    ? "pi"
                                : n / common == -1 ? "-pi"
                                                   : fmt::format("{}*pi", n / common);
      words = 12 / common == 1 ? fmt::format("\"{}\"", front) : fmt::format("\"{}/{}\"", front, 12 / common);
    }
    return fmt::format("{{ axis = {}, angle = {} }}", text(Vector3d(Vector3d::Unit(k))), words);
  }
  const Vector3d v = tidied(q.vec(), 1.0);
  return fmt::format("[{}, {}, {}, {}]", text(q.w()), text(v.x()), text(v.y()), text(v.z()));
}

std::string inertia_text(const Matrix3d& i) {
  const double rounding = 1e-16 * i.diagonal().cwiseAbs().maxCoeff();
  const Vector3d across(i(0, 1), i(0, 2), i(1, 2));
  if (across.cwiseAbs().maxCoeff() <= rounding) return text(Vector3d(i.diagonal()));
  return fmt::format("[[{0}, {3}, {4}], [{3}, {1}, {5}], [{4}, {5}, {2}]]", text(i(0, 0)), text(i(1, 1)),
                     text(i(2, 2)), text(across[0]), text(across[1]), text(across[2]));
}

/// The one shape of a link where it stands at the centre along the axes, else the box with the same moments.
std::string shape_text(const Link& link) {
  const Inertial& body = link.inertial;
  if (link.shapes.size() == 1) {
    const Shape& s = link.shapes.front();
    const double size = *std::max_element(s.size.begin(), s.size.end());
    const bool real = *std::min_element(s.size.begin(), s.size.end()) > 0 && std::isfinite(size);
    const bool round = s.kind == Shape::Kind::sphere;
    if (real && (s.pose.at - body.centre).norm() < 1e-6 * size &&
        (round || s.pose.turn.vec().norm() < 1e-9)) {
      if (round) return fmt::format("{{ sphere = {} }}", text(s.size[0]));
      if (s.kind == Shape::Kind::cylinder)
        return fmt::format("{{ cylinder = [{}, {}] }}", text(s.size[0]), text(s.size[1]));
      return fmt::format("{{ box = {} }}", text(Vector3d(s.size[0], s.size[1], s.size[2])));
    }
  }
  if (!(body.mass > 0)) return "";
  const Vector3d diagonal = body.inertia.diagonal();
  Vector3d edge;  // m e_k^2/12 is the second moment along k
  for (int k = 0; k < 3; ++k)
    edge[k] = std::sqrt(std::max(0.0, 6 / body.mass * (diagonal.sum() - 2 * diagonal[k])));
  const double largest = edge.maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) return "";
  const auto part = [&](int k) { return number_text(std::max(edge[k], 0.02 * largest), 3); };
  return fmt::format("{{ box = [{}, {}, {}] }}", part(0), part(1), part(2));
}

std::string_view word_of(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::spherical:
      return "spherical";
    case JointKind::universal:
      return "universal";
    case JointKind::planar:
      return "planar";
    case JointKind::screw:
      return "screw";
    case JointKind::fixed:
    case JointKind::weld:
      break;
  }
  return "weld";
}

class Writer {
 public:
  Writer(const Robot& robot, const std::string& path) : robot_(robot), path_(path) {}

  ImportedRobot write() {
    name_all();
    head();
    for (std::size_t k = 0; k < robot_.links.size(); ++k) write_body(k);
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) write_joint(k);
    write_constraints();
    at_ = {path_, 1, 1};
    line("");
    line("[simulate]");
    line("until = 1");
    return std::move(out_);
  }

 private:
  void line(const std::string& words) {
    out_.toml += words + "\n";
    out_.origins.push_back(at_);
  }
  void key(const char* name, const std::string& value) { line(fmt::format("{} = {}", name, value)); }
  void number(const char* name, double value) {
    if (value != 0) key(name, text(value));
  }

  /// Two sets of names: bodies; joints and constraints.
  void name_all() {
    out_.remarks = robot_.remarks;
    Names bodies, rows;
    const auto take = [&](Names& set, const std::string& name, const Place& place, const char* what) {
      std::string taken = set.take(name, what);
      if (taken != name && !name.empty())
        out_.remarks.push_back(
            {place, fmt::format("{} '{}' is called '{}' in the model", what, name, taken)});
      return taken;
    };
    for (const Link& link : robot_.links) bodies_.push_back(take(bodies, link.name, link.place, "body"));
    for (const Joint& joint : robot_.joints) joints_.push_back(take(rows, joint.name, joint.place, "joint"));
    for (const Coupling& c : robot_.couplings)
      couplings_.push_back(take(rows, c.name, c.place, "constraint"));
    for (const HeldPose& h : robot_.held) held_.push_back(take(rows, h.name, h.place, "constraint"));
    std::stable_sort(out_.remarks.begin(), out_.remarks.end(), [this](const Remark& a, const Remark& b) {
      if (a.place.file != b.place.file) return a.place.file == path_;
      return a.place.line < b.place.line;
    });
  }
  std::string body(int link) const { return link == ground ? "ground" : bodies_[link]; }

  void head() {
    at_ = {path_, 1, 1};
    line(
        in_one_line(fmt::format("# Made by 'vinculum import' from the {} file '{}'.", robot_.format, path_)));
    if (!robot_.grounded.empty())
      line(in_one_line("# Part of the ground: " + list_text(robot_.grounded, 100) + "."));
    if (!out_.remarks.empty()) {
      line("# What is not carried over, or otherwise than there:");
      for (const Remark& r : out_.remarks)
        line(in_one_line(fmt::format("#   {}:{}: {}", r.place.file, r.place.line, r.text)));
    }
    key("title", quoted(robot_.name.empty() ? "A robot" : robot_.name));
    if (!robot_.links.empty() && robot_.gravity.norm() > 0) key("gravity", text(robot_.gravity));
  }

  void write_body(std::size_t k) {
    const Link& link = robot_.links[k];
    at_ = link.place;
    line("");
    line(fmt::format("[bodies.{}]{}", bodies_[k],
                     link.with.empty() ? "" : "  # with " + in_one_line(list_text(link.with, 100))));
    const Inertial& inertial = link.inertial;
    key("mass", text(inertial.mass));
    key("inertia", inertia_text(inertial.inertia));
    if (const std::string shape = shape_text(link); !shape.empty()) key("shape", shape);
    const Vector3d at = link.pose * inertial.centre;
    if (at.norm() > 0) key("position", text(tidied(at, 1.0)));
    if (const std::string turn = orientation_text(link.pose.turn); !turn.empty()) key("orientation", turn);
  }

  /// The one place where a joint is written.
  void write_joint(std::size_t k) {
    const Joint& joint = robot_.joints[k];
    const JointKind kind = joint.kind;
    const bool slides = kind == JointKind::prismatic;
    at_ = joint.place;
    line("");
    line(fmt::format("[joints.{}]", joints_[k]));
    key("type", fmt::format("\"{}\"", word_of(kind)));
    key("between", fmt::format("[\"{}\", \"{}\"]", body(joint.parent), body(joint.child)));
    const auto direction = [](const Vector3d& v) { return text(tidied(v, v.norm())); };
    if (!slides || joint.point2) key("point", text(tidied(joint.point, 1.0)));
    if (joint.point2) key("point2", text(tidied(*joint.point2, 1.0)));
    const bool has_axis = kind != JointKind::spherical && kind != JointKind::weld;
    if (has_axis) key("axis", direction(joint.axis));
    if (has_axis && joint.axis2) key("axis2", direction(*joint.axis2));
    if (kind == JointKind::screw) number("pitch", joint.pitch);
    if (kind == JointKind::revolute || kind == JointKind::screw) number("angle", joint.start);
    number("stiffness", joint.stiffness);
    if (joint.stiffness != 0) number("rest", slides ? joint.rest - joint.start : joint.rest);
    number("damping", joint.damping);
    number("friction", joint.friction);
    number("armature", joint.armature);
    if (joint.limits && (kind == JointKind::revolute || slides)) {
      const double begin = slides ? joint.start : 0.0;
      line(fmt::format("# limits = [{}, {}]  # as a key it ends the run there",
                       text((*joint.limits)[0] - begin), text((*joint.limits)[1] - begin)));
    }
  }

  /// What the file calls the angle or distance of a joint. Distances of models begin at 0.
  std::string variable(int joint) const {
    const Joint& j = robot_.joints[joint];
    if (j.kind != JointKind::prismatic) return joints_[joint] + ".angle";
    const std::string distance = joints_[joint] + ".distance";
    return j.start == 0 ? distance : fmt::format("({} + {})", distance, text(j.start));
  }

  /// 0.1 - 2*x + x^2
  static void add_term(std::string& sum, double factor, const std::string& x, std::size_t power) {
    if (!sum.empty()) sum += factor < 0 ? " - " : " + ";
    const double shown = sum.empty() ? factor : std::fabs(factor);
    if (power == 0 || std::fabs(shown) != 1)
      sum += text(shown) + (power == 0 ? "" : "*");
    else if (shown < 0)
      sum += "-";
    sum += x;
    if (power > 1) sum += "^" + std::to_string(power);
  }

  void write_constraints() {
    at_ = {path_, 1, 1};
    if (robot_.couplings.empty() && robot_.held.empty()) return;
    line("");
    line("[constraints]");
    for (std::size_t k = 0; k < robot_.couplings.size(); ++k) {
      const Coupling& c = robot_.couplings[k];
      std::string right;
      for (std::size_t n = 0; n < c.coefficients.size(); ++n)
        if (c.coefficients[n] != 0 && (n == 0 || c.of >= 0))
          add_term(right, c.coefficients[n], n == 0 ? "" : variable(c.of), n);
      at_ = c.place;
      key(couplings_[k].c_str(), fmt::format("\"{} = {}\"", variable(c.joint), right.empty() ? "0" : right));
    }
    for (std::size_t k = 0; k < robot_.held.size(); ++k) write_held(k);
  }

  /// As of a weld: the point, and x_A.y_B, y_A.z_B, z_A.x_B.
  void write_held(std::size_t k) {
    const HeldPose& h = robot_.held[k];
    at_ = h.place;
    const auto point = [&](int link, const Vector3d& p) {
      if (link == ground) return text(p);
      const Vector3d off = p - robot_.links[link].inertial.centre;
      return fmt::format("{}.point({}, {}, {})", bodies_[link], text(off.x()), text(off.y()), text(off.z()));
    };
    const auto axis = [&](int link, const Vector3d& u) {
      if (link == ground) return text(u);
      return fmt::format("{}.axis({}, {}, {})", bodies_[link], text(u.x()), text(u.y()), text(u.z()));
    };
    key(held_[k].c_str(),
        fmt::format("\"{} = {}\"", point(h.a, h.pose.at), point(h.b, Vector3d(Vector3d::Zero()))));
    std::string turn;
    for (int n = 0; n < 3; ++n)
      turn += fmt::format("{}dot({}, {})", n == 0 ? "" : ", ",
                          axis(h.a, h.pose.turn * Vector3d(Vector3d::Unit(n))),
                          axis(h.b, Vector3d(Vector3d::Unit((n + 1) % 3))));
    key((held_[k] + "_turn").c_str(), fmt::format("\"[{}] = [0, 0, 0]\"", turn));
  }

  const Robot& robot_;
  const std::string& path_;
  std::vector<std::string> bodies_, joints_, couplings_, held_;
  Place at_;
  ImportedRobot out_;
};

}  // namespace

ImportedRobot write_model(const Robot& robot, const std::string& path) { return Writer(robot, path).write(); }

}  // namespace vinculum::robots
