// Writes reports of built-in models for the test of the page in a browser: make_report FOLDER
#include <cmath>
#include <fstream>
#include <iostream>

#include "examples/cpp/gallery.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/report/page.hpp"

namespace {
using namespace vinculum;

void write(const std::string& folder, const std::string& name, const Model& model, const View& view,
           double until, int samples) {
  const System system(model);
  MotionOptions options;
  options.until = until;
  options.samples = samples;
  const Trajectory motion = simulate(system, options);
  RunRecord record;
  record.title = name;
  record.description = "A model of the gallery, for the test of the page in a browser.";
  record.path = name + ".toml";
  record.text = "title = \"" + name + "\"\n</script><script>alert(1)</script><!--\n";
  record.version = "test";
  record.settings = {{"until", std::to_string(until)}, {"tolerance", "1e-09"}, {"integrator", "dop853"}};
  std::ofstream(folder + "/" + name + ".html") << page(model, system, view, motion, record);
}

/// A plane with a spring, friction, an event, outputs and a wire that is drawn.
Model bead() {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1.5}), y = m.coordinate("y", {.start = 1.125});
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.force(y, -9.81);
  m.potential(2.0 * pow(distance({x, y, 0.0}, {0.0, 3.0, 0.0}) - 1.0, 2));
  m.constrain("wire", y, 0.5 * pow(x, 2));
  m.nonideal(x, -0.1 * x.rate());
  m.nonideal(y, -0.1 * y.rate());
  m.output("height", y);
  m.output("tension", m.multiplier("wire"));
  m.event("lowest", x);
  return m;
}

View bead_view(const Model& m) {
  View view;
  const Expr x = m.coordinates()[0].symbol, y = m.coordinates()[1].symbol;
  view.links.push_back({"spring", {0.0, 3.0, 0.0}, {x, y, 0.0}, View::LinkKind::spring});
  View::Curve wire{"wire", {}};
  for (int i = -20; i <= 20; ++i) wire.points.push_back({i * 0.1, 0.005 * i * i, 0.0});
  view.curves.push_back(wire);
  return view;
}

std::array<double, 4> about(const std::array<double, 3>& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
}

/// A crank, a coupler and a slide in the xz plane.
Model slider_crank() {
  Model m;
  m.gravity({0, 0, -9.81});
  const double tip_x = 0.2, tip_z = 0.2 * std::sqrt(3.0), slide_x = tip_x + std::sqrt(1 - tip_z * tip_z);
  BodyOptions options = body_of({Solid::Kind::box, {0.48, 0.06, 0.09}}, 2.0);
  options.position = {tip_x / 2, 0, tip_z / 2};
  options.orientation = about({0, 1, 0}, -M_PI / 3);
  const Body crank = m.body("crank", options);
  options = body_of({Solid::Kind::rod, {1.0, 0.025}}, 1.0);
  options.position = {(tip_x + slide_x) / 2, 0, tip_z / 2};
  options.orientation = about({0, 1, 0}, std::asin(tip_z));
  const Body coupler = m.body("coupler", options);
  options = body_of({Solid::Kind::box, {0.22, 0.12, 0.16}}, 0.5);
  options.position = {slide_x, 0, 0};
  const Body slide = m.body("slide", options);
  m.joint("pivot", Part(), crank, {.type = JointType::revolute, .point = {0, 0, 0}, .axis = {0, 1, 0}});
  m.joint("elbow", crank, coupler,
          {.type = JointType::revolute, .point = {tip_x, 0, tip_z}, .axis = {0, 1, 0}});
  m.joint("wrist", coupler, slide,
          {.type = JointType::revolute, .point = {slide_x, 0, 0}, .axis = {0, 1, 0}});
  m.joint("guide", Part(), slide,
          {.type = JointType::prismatic, .point = {slide_x, 0, 0}, .axis = {1, 0, 0}});
  return m;
}

/// One body of each shape: a door on its hinge, a ball on a rope, a coin that rolls, a bar on a ball joint,
/// and one of which only the inertia is known.
Model five_bodies() {
  Model m;
  m.gravity({0, 0, -9.81});
  BodyOptions options = body_of({Solid::Kind::box, {0.7, 0.05, 1.2}}, 5.0);
  options.position = {-0.65, 0.6, 0.8};
  options.omega_body = {0, 0, 1.2};
  options.velocity = {0, 1.2 * 0.35, 0};
  const Body door = m.body("door", options);
  m.joint("hinge", Part(), door, {.type = JointType::revolute, .point = {-1.0, 0.6, 0.8}, .axis = {0, 0, 1}});
  options = body_of({Solid::Kind::sphere, {0.16}}, 1.0);
  options.position = {0.7, 0.9, 0.9};
  options.omega_body = {0, 0, 3};
  const Body ball = m.body("ball", options);
  m.joint("rope", Part(), ball,
          {.type = JointType::distance, .point = {0.2, 0.9, 1.5}, .point2 = std::array{0.7, 0.9, 1.06}});
  options = body_of({Solid::Kind::cylinder, {0.25, 0.04}}, 1.0);
  // Upright but for 0.1 rad, and rolling along y.
  options.orientation = about({0, 1, 0}, M_PI / 2 + 0.1);
  options.position = {0.9, -0.9, 0.25 * std::cos(0.1)};
  options.velocity = {0, 0.25 * 4.0, 0};
  options.omega_body = {0, 0, -4};
  const Body coin = m.body("coin", options);
  m.joint("floor", Part(), coin,
          {.type = JointType::rolling,
           .point = {0, 0, 0},
           .axis = {std::sin(M_PI / 2 + 0.1), 0, std::cos(M_PI / 2 + 0.1)},
           .radius = 0.25,
           .disc = true});
  options = body_of({Solid::Kind::rod, {0.9, 0.035}}, 1.0);
  options.position = {-0.2, -0.5, 1.2};
  const Body bar = m.body("bar", options);
  m.joint("socket", Part(), bar, {.type = JointType::spherical, .point = {-0.65, -0.5, 1.2}});
  options = {.mass = 1.0, .inertia = {0.012, 0.02, 0.027, 0.001, 0.0, 0.002}};
  options.position = {0.2, 0.1, 0.4};
  options.velocity = {0, 0, 4.9};
  options.omega_body = {0.05, 4, 0.0};
  m.body("stone", options);
  return m;
}

/// A ball that spins at one place, a radian in a second.
Model spinning_ball() {
  Model m;
  BodyOptions options = body_of({Solid::Kind::sphere, {0.5}}, 1.0);
  options.omega_body = {0, 0, 1};
  m.body("ball", options);
  return m;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  write(folder, "space", examples::spherical_pendulum(), {}, 10, 400);
  write(folder, "long", examples::swinging_four_bar(), {}, 20, 20000);
  const Model model = bead();
  write(folder, "plane", model, bead_view(model), 8, 0);
  write(folder, "mechanism", slider_crank(), {}, 6, 600);
  write(folder, "spin", spinning_ball(), {}, 2, 11);
  write(folder, "bodies", five_bodies(), {}, 1, 200);
  return 0;
}
