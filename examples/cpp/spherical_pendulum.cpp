#include "examples/cpp/gallery.hpp"

namespace vinculum::examples {

/// A point mass on a weightless rod, y pointing down.
Model spherical_pendulum() {
  Model m;
  const Expr mass = m.parameter("m", 1.0), L = m.parameter("L", 2.0), g = m.parameter("g", 9.81);
  const Coordinate x = m.coordinate("x", {.start = 1.2});
  const Coordinate y = m.coordinate("y", {.start = 1.6, .rate = 0.0});
  const Coordinate z = m.coordinate("z", {.start = 0.0, .rate = 0.5});
  for (const Coordinate& q : {x, y, z}) m.mass(q, mass);
  m.force(y, mass * g);
  m.constrain("rod", x * x + y * y + z * z, L * L);
  return m;
}

}  // namespace vinculum::examples
