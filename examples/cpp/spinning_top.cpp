#include "examples/cpp/gallery.hpp"

namespace vinculum::examples {

/// A free rigid body about its centre of mass: q' = 1/2 q o (0, w), I w' = -w x I w.
Model spinning_top() {
  Model m;
  const Expr I1 = m.parameter("I1", 1.0), I2 = m.parameter("I2", 2.0), I3 = m.parameter("I3", 3.0);
  const Speed wx = m.speed("wx", 0.1), wy = m.speed("wy", 2.0), wz = m.speed("wz", 0.2);
  const Expr qw = m.coordinate_with_rate("qw", 0, 1.0), qx = m.coordinate_with_rate("qx", 0, 0.0);
  const Expr qy = m.coordinate_with_rate("qy", 0, 0.0), qz = m.coordinate_with_rate("qz", 0, 0.0);
  m.set_rate(qw, 0.5 * (-qx * wx - qy * wy - qz * wz));
  m.set_rate(qx, 0.5 * (qw * wx + qy * wz - qz * wy));
  m.set_rate(qy, 0.5 * (qw * wy + qz * wx - qx * wz));
  m.set_rate(qz, 0.5 * (qw * wz + qx * wy - qy * wx));
  m.mass(wx, I1);
  m.mass(wy, I2);
  m.mass(wz, I3);
  m.force(wx, (I2 - I3) * wy * wz);
  m.force(wy, (I3 - I1) * wz * wx);
  m.force(wz, (I1 - I2) * wx * wy);
  return m;
}

}  // namespace vinculum::examples
