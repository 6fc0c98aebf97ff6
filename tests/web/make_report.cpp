// Writes reports of built-in models for the test of the page in a browser: make_report FOLDER
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  write(folder, "space", examples::spherical_pendulum(), {}, 10, 400);
  write(folder, "long", examples::swinging_four_bar(), {}, 20, 20000);
  const Model model = bead();
  write(folder, "plane", model, bead_view(model), 8, 0);
  return 0;
}
