// Random models with parameters in everything that may depend on them.
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::test {

inline constexpr int parameter_count = 6;

inline std::vector<std::string> parameter_names() {
  std::vector<std::string> names;
  for (int k = 0; k < parameter_count; ++k) names.push_back("p" + std::to_string(k));
  return names;
}

/// The same seed is the same model, whatever the values of its parameters, which lie in [0.5, 2].
class RandomModel {
 public:
  RandomModel(unsigned seed, const std::vector<double>& values) : engine_(seed) {
    for (int k = 0; k < parameter_count; ++k)
      parameter_.push_back(m_.parameter("p" + std::to_string(k), values[k]));
    switch (whole(0, 8)) {
      case 0:
        net_of_particles();
        break;
      case 1:
        coordinates_with_energies();
        break;
      case 2:
        rubbing_particle();
        break;
      case 3:
        driven();
        break;
      case 4:
        vakonomic();
        break;
      default:  // most of what depends on parameters
        bodies();
    }
  }
  Model take() { return m_; }

 private:
  int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine_); }
  double real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine_); }
  /// A positive number between about 0.3 and 6: often of parameters, at times none.
  Expr number() {
    const Expr a = parameter_[whole(0, parameter_count - 1)], b = parameter_[whole(0, parameter_count - 1)];
    switch (whole(0, 6)) {
      case 0:
        return real(0.5, 2);
      case 1:
        return a;
      case 2:
        return a * b;
      case 3:
        return 1 + sin(a) / 2;
      case 4:
        return sqrt(a) + real(0, 1);
      case 5:
        return 0.5 + a / (1 + b);
      default:
        return 2 * a;
    }
  }
  Expr function(const Expr& x) {
    switch (whole(0, 4)) {
      case 0:
        return number() * sin(number() * x);
      case 1:
        return pow(x - number(), 2);
      case 2:
        return number() * x;
      case 3:
        return number() / (number() + x * x);
      default:
        return exp(-number() * x * x);
    }
  }
  void examine(const Expr& x, const Expr& rate) {
    m_.output("seen", function(x) * rate + number());
    m_.output("plain", number());
    m_.event("met", x - number());
    m_.output("all", m_.energy());
  }

  /// Enough rods and springs of one shape that they share kernels on lanes.
  void net_of_particles() {
    std::vector<Particle> all;
    const int count = whole(2, 9);
    m_.gravity({0.0, 0.0, -number()});
    for (int k = 0; k < count; ++k)
      all.push_back(m_.particle("b" + std::to_string(k), {.mass = number(),
                                                          .position = {number() - 1, k + 0.2 * number(), 0.2},
                                                          .velocity = {real(-1, 1), number(), 0.1}}));
    for (int k = 1; k < count; ++k) {
      const std::string name = "r" + std::to_string(k);
      if (whole(0, 3) > 0)
        m_.constrain(name, norm_squared(all[k] - all[k - 1]), pow(number(), 2));
      else
        m_.spring(all[k], all[k - 1], {.stiffness = number(), .damping = number(), .length = number()});
    }
    m_.constrain("wall", all[0].x * number() + all[0].y, number() * sin(number() * m_.time()));
    examine(all[0].x, all[0].y.rate());
  }

  void coordinates_with_energies() {
    const Coordinate x = m_.coordinate("x", {0.3 * number(), 0.4}), y = m_.coordinate("y", {-0.2, number()}),
                     z = m_.coordinate("z", {0.8, -0.3});
    m_.kinetic((number() + pow(sin(x), 2)) * pow(x.rate(), 2) + number() * pow(y.rate(), 2) +
               number() * pow(z.rate(), 2) + number() * 0.1 * x.rate() * y.rate());
    m_.potential(function(x) + function(y) + number() * x * z);
    m_.force(x, -number() * x.rate() + function(z));
    m_.force(y, -number() * sign(y - number()));
    m_.nonideal(z, -number() * z.rate());
    if (whole(0, 1)) m_.constrain("place", x + number() * y * y + function(z), number());
    if (whole(0, 1)) m_.constrain("pace", x.rate() * number(), z.rate() * function(y));
    if (whole(0, 2) == 0) m_.constrain("push", y.acceleration() * number() + x.rate(), function(x));
    examine(x, y.rate());
  }

  /// Around a number, by parameters or not.
  Expr near(double x) { return x + 0.2 * (number() - 1); }
  /// In the plane z = 0, where frames have zeros that stay, or in space.
  BodyOptions somewhere(int k, bool in_plane) {
    const Expr i = number();
    BodyOptions body{.mass = number(), .inertia = {i, i * 1.25, i * 1.5, 0.0, 0.0, 0.0}};
    if (in_plane) {
      const Expr turn = number() / 2;
      body.position = {near(k + 0.5), near(0.1), 0.0};
      body.orientation = {cos(turn), 0.0, 0.0, sin(turn)};
      body.velocity = {number(), real(-1, 1), 0.0};
      body.omega_body = {0.0, 0.0, number()};
    } else {
      body.position = {near(k + 0.5), near(0.1), near(0.2)};
      body.orientation = {number(), near(0.1 * k), 0.2, near(0.3)};
      body.velocity = {real(-1, 1), number(), 0.1};
      body.omega_body = {near(0.3), real(-1, 1), 0.2};
    }
    return body;
  }
  JointOptions joint_at(int k, bool in_plane) {
    constexpr JointType types[] = {JointType::spherical,   JointType::revolute, JointType::prismatic,
                                   JointType::cylindrical, JointType::planar,   JointType::universal,
                                   JointType::weld,        JointType::distance, JointType::screw,
                                   JointType::rolling};
    JointOptions joint{.type = types[whole(0, 9)],
                       .point = {near(k), near(0), in_plane ? Expr(0.0) : near(0)}};
    if (!in_plane) joint.axis = {near(0.3), near(0.4), number()};
    if (whole(0, 3) == 0 && !in_plane) joint.axis2 = {near(0.2), near(0.5), number()};
    if (whole(0, 3) == 0) joint.point2 = {near(k + 0.1), near(0.3), in_plane ? Expr(0.0) : near(0.2)};
    if (joint.type == JointType::universal) joint.axis2 = {1.0, near(-0.7), near(0.1)};
    if (joint.type == JointType::distance) joint.point2 = {near(k + 0.7), near(1), near(0.2)};
    if (joint.type == JointType::distance && whole(0, 1)) joint.length = number();
    joint.pitch = number();
    joint.angle = near(0.4);
    joint.radius = number();
    if (joint.type != JointType::rolling) return joint;
    joint.normal = {in_plane ? Expr(0.0) : near(0.1), 1.0, 0.0};
    joint.disc = whole(0, 1) == 1;
    joint.point = {0.0, near(-3), 0.0};
    return joint;
  }
  void use_joint(const std::string& name, JointType type) {
    const bool turns = type == JointType::revolute || type == JointType::cylindrical ||
                       type == JointType::screw || type == JointType::planar;
    const bool slides = type == JointType::prismatic || type == JointType::cylindrical ||
                        type == JointType::screw || type == JointType::distance;
    if (turns && whole(0, 1))
      m_.spring(m_.joint_angle(name), {.stiffness = number(), .damping = number(), .length = near(0)});
    if (slides && whole(0, 1)) m_.force_along(m_.joint_distance(name), number());
    if (turns && whole(0, 3) == 0) {
      m_.constrain(name + "_turn", m_.joint_angle(name), number() * m_.time());
      ServoOptions servo{.frequency = number()};
      if (whole(0, 1)) servo.actuators = {m_.joint_angle(name)};
      m_.servo(name + "_turn", servo);
    }
    if (slides) m_.output(name + "_distance", m_.joint_distance(name));
  }

  void bodies() {
    m_.gravity({0.0, -number(), 0.0});
    Part before;
    const int count = whole(1, 4);
    const bool in_plane = whole(0, 2) == 0;
    for (int k = 0; k < count; ++k) {
      const Body b = m_.body("b" + std::to_string(k), somewhere(k, in_plane));
      const std::string name = "j" + std::to_string(k);
      const JointOptions joint = joint_at(k, in_plane);
      m_.joint(name, joint.type == JointType::rolling ? Part() : before, b, joint);
      use_joint(name, joint.type);
      m_.torque(b, {function(b.x), number(), 0.0});
      before = b;
    }
    if (whole(0, 1)) m_.body("free", {.mass = number(), .inertia = {1.0, 1.3, 1.5, 0.0, 0.0, 0.0}});
    m_.output("seen", number() * m_.bodies()[0].body.y);
    m_.event("met", m_.bodies()[0].body.x - number());
  }

  void rubbing_particle() {
    const Particle p = m_.particle("p", {.mass = number(), .velocity = {0.7, real(-1, 1), 0}});
    const Particle q = m_.particle("q", {.mass = number(), .position = {2, 0, 0}, .velocity = {0.3, 0.2, 0}});
    m_.gravity({number(), 0.0, -10 * number()});
    m_.constrain("plane", p.z, number() * 0.1 * p.x);
    m_.friction("plane", number() * 0.1);
    m_.constrain("floor", q.z, 0.0);
    const Expr press = abs(m_.multiplier("floor")), speed = hypot(q.x.rate() - number(), q.y.rate());
    if (whole(0, 1)) {  // a friction written out, on a belt
      m_.nonideal(q.x, -0.2 * number() * press * (q.x.rate() - number()) / speed);
      m_.nonideal(q.y, -0.3 * press * q.y.rate() / speed);
    }
    examine(p.x, q.y.rate());
  }

  void driven() {
    const Coordinate x = m_.coordinate("x", {0.3, 0.4}), a = m_.coordinate("a", {0.1, 0.2}),
                     b = m_.coordinate("b", {-0.4, 0.3});
    const Expr l = number();
    m_.kinetic((number() + number()) * pow(x.rate(), 2) + number() * x.rate() * a.rate() * cos(a) * 0.3 +
               (1 + l * l) * pow(a.rate(), 2) + number() * pow(b.rate(), 2));
    m_.potential(-l * number() * cos(a) + function(b));
    m_.constrain("tip", x + l * sin(a), number() * sin(number() * m_.time()));
    ServoOptions servo{.frequency = number(), .damping = number()};
    if (whole(0, 1)) servo.actuators = {x};
    m_.servo("tip", servo);
    m_.constrain("tie", b + number() * x, number());
    examine(x, a.rate());
  }

  void vakonomic() {
    const Coordinate x = m_.coordinate("x", {0.3, 0.7}), y = m_.coordinate("y", {-0.2, 0.4}),
                     z = m_.coordinate("z", {0.5, -0.6});
    m_.kinetic(number() * pow(x.rate(), 2) + number() * pow(y.rate(), 2) + number() * pow(z.rate(), 2));
    m_.potential(function(x) + number() * y);
    m_.constrain("skate", y.rate() * cos(number() * z), number() * sin(z) * x.rate());
    m_.set_mechanics(Mechanics::vakonomic);
    m_.start_multiplier("skate", 0, near(0.4));
    examine(x, y.rate());
  }

  std::mt19937 engine_;
  Model m_;
  std::vector<Expr> parameter_;
};

}  // namespace vinculum::test
