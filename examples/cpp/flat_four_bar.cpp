#include "examples/cpp/gallery.hpp"

#include <string>

namespace vinculum::examples {

/// Three uprights of length 1 pinned at (i, 0) and two crossbars, all lying flat and moving down together.
/// Bars have mass 1 spread along them, so neighbouring points share inertia.
Model flat_four_bar() {
  Model m;
  const Expr g = m.parameter("g", 9.81);
  Coordinate x[3], y[3];
  for (int i = 0; i < 3; ++i) {
    x[i] = m.coordinate("x" + std::to_string(i), {.start = i + 1.0});
    y[i] = m.coordinate("y" + std::to_string(i), {.start = 0.0, .rate = -1.5});
  }
  const Expr third = Expr(1.0) / 3, sixth = Expr(1.0) / 6;
  const auto bar_end = [&](int i) {
    m.mass(x[i], third);
    m.mass(y[i], third);
    m.force(y[i], -0.5 * g);
  };
  for (int i = 0; i < 3; ++i) {
    bar_end(i);
    m.constrain("upright" + std::to_string(i), pow(x[i] - i, 2) + pow(y[i], 2), 1);
  }
  for (int i = 1; i < 3; ++i) {
    bar_end(i - 1);
    bar_end(i);
    m.mass(x[i - 1], x[i], sixth);
    m.mass(y[i - 1], y[i], sixth);
    m.constrain("crossbar" + std::to_string(i), pow(x[i] - x[i - 1], 2) + pow(y[i] - y[i - 1], 2), 1);
  }
  return m;
}

}  // namespace vinculum::examples
