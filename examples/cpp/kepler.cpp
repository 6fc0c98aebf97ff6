#include "examples/cpp/gallery.hpp"

namespace vinculum::examples {
namespace {

/// A free particle at the far end of an ellipse with one focus at the origin: r = eps x + p.
Model on_ellipse(bool areal_law) {
  Model m;
  const Expr eps = m.parameter("eps", 0.5), p = m.parameter("p", 1.5), c = m.parameter("c", 2.0);
  const Coordinate x = m.coordinate("x", {.start = 3.0});
  const Coordinate y = m.coordinate("y", {.start = 0.0, .rate = 2.0 / 3.0});
  m.mass(x, 2);
  m.mass(y, 2);
  m.constrain("ellipse", sqrt(x * x + y * y), eps * x + p);
  if (areal_law) m.constrain("areas", x * y.rate() - y * x.rate(), c);
  return m;
}

}  // namespace

Model kepler() { return on_ellipse(true); }
Model kepler_first_law() { return on_ellipse(false); }

}  // namespace vinculum::examples
