#include "examples/cpp/gallery.hpp"

namespace vinculum::examples {

/// A particle under given forces, with y' = z x' + alpha(t): no function of x, y, z, t has this as its
/// derivative.
Model moving_plane() {
  Model m;
  const Expr mass = m.parameter("m", 1.5), t = m.time();
  const Expr alpha = sin(2 * t);
  const Coordinate x = m.coordinate("x", {.start = 0.3, .rate = 0.5});
  const Coordinate z = m.coordinate("z", {.start = -0.4, .rate = 0.2});
  const Coordinate y = m.coordinate("y", {.start = 0.1, .rate = -0.2});
  for (const Coordinate& q : {x, y, z}) m.mass(q, mass);
  m.force(x, cos(t));
  m.force(y, 0.5);
  m.force(z, -sin(t));
  m.constrain("roll", y.rate(), z * x.rate() + alpha);
  return m;
}

}  // namespace vinculum::examples
