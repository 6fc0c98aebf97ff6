#include "examples/cpp/gallery.hpp"

namespace vinculum::examples {

/// Two uprights and the bar that joins their upper ends, uniform rods of 1 kg and 1 m, pushed to the right.
/// Twice in every turn the mechanism lies flat: its three constraints depend on each other, and it could go
/// on as a parallelogram or as a kite.
Model swinging_four_bar() {
  Model m;
  const Coordinate x0 = m.coordinate("x0", {.start = 0, .rate = 1}), y0 = m.coordinate("y0", {.start = 1});
  const Coordinate x1 = m.coordinate("x1", {.start = 1, .rate = 1}), y1 = m.coordinate("y1", {.start = 1});
  for (const Coordinate& q : {x0, y0, x1, y1}) m.mass(q, 2.0 / 3);  // a rod between two points: m/3 at each,
  m.mass(x0, x1, 1.0 / 6);                                          // m/6 between them
  m.mass(y0, y1, 1.0 / 6);
  m.potential(9.81 * (y0 + y1));
  m.constrain("left", x0 * x0 + y0 * y0, 1);
  m.constrain("right", pow(x1 - 1, 2) + y1 * y1, 1);
  m.constrain("bar", pow(x1 - x0, 2) + pow(y1 - y0, 2), 1);
  return m;
}

}  // namespace vinculum::examples
