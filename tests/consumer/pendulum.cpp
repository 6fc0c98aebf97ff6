// A mass on a rod: the motion, and the pull of the rod at its end.
#include <cstdio>
#include <vinculum/motion/simulate.hpp>

int main() {
  using namespace vinculum;
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1.2}), y = m.coordinate("y", {.start = -1.6});
  for (const Coordinate& q : {x, y}) m.mass(q, 2.0);
  m.force(y, -2.0 * 9.81);
  m.constrain("rod", x * x + y * y, 4.0);
  m.output("pull", sqrt(pow(m.reaction("rod", x), 2) + pow(m.reaction("rod", y), 2)));

  const System system(m);  // differentiated and compiled once
  MotionOptions options;
  options.until = 10;
  const Trajectory motion = simulate(system, options);
  const Sample end = motion.back();
  std::printf("t = %g: x = %.6f, y = %.6f, pull %.6f\n", end.t, end.q[0], end.q[1], end.outputs[0]);
  return motion.stop == Stop::end ? 0 : 1;
}
