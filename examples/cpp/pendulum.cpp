#include "examples/cpp/gallery.hpp"

namespace vinculum::examples {
namespace {

/// A mass point in the plane, y pointing up, on a rod that is stated `times` times, each time scaled
/// differently.
Model pendulum_stated(int times) {
  Model m;
  const Expr mass = m.parameter("m", 2.0), length = m.parameter("l", 1.5), g = m.parameter("g", 9.81);
  const Coordinate x = m.coordinate("x", {.start = 0.9, .rate = 0.4});
  const Coordinate y = m.coordinate("y", {.start = -1.2, .rate = 0.3});
  m.mass(x, mass);
  m.mass(y, mass);
  m.force(y, -mass * g);
  const double scale[] = {1, 2, -3};
  const char* const name[] = {"rod", "rod_doubled", "rod_tripled"};
  for (int k = 0; k < times; ++k)
    m.constrain(name[k], scale[k] * (x * x + y * y), scale[k] * length * length);
  return m;
}

}  // namespace

Model pendulum() { return pendulum_stated(1); }
Model pendulum_thrice() { return pendulum_stated(3); }

}  // namespace vinculum::examples
