// What has no mass is told in any unit: the motion of the others does not ask for it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

constexpr const char* methods[] = {"dop853", "dopri5", "extrapolation", "radau5", "rk4"};

Trajectory run(const Model& model, const std::string& integrator) {
  MotionOptions options;
  options.until = 3;
  options.tolerance = 1e-9;
  options.integrator = integrator_named(integrator).value();
  if (integrator == "rk4") options.step = 0.01;
  return simulate(System(model), options);
}

/// A spring of frequency 1 moves x; s, and r behind it, follow in units of their own.
void expect_cosine(const std::function<Model(double)>& model_in) {
  for (const char* integrator : methods) {
    const Trajectory plain = run(model_in(1.0), integrator);
    for (const double u : {1e-12, 1e-9, 1e-4, 1e3, 1e7, 1e12}) {
      SCOPED_TRACE(std::string(integrator) + ", unit " + std::to_string(std::log10(u)));
      const Trajectory motion = run(model_in(u), integrator);
      ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
      EXPECT_NEAR(motion.last.q[0], std::cos(3.0), 1e-7);
      EXPECT_NEAR(motion.last.q[1] * u, std::cos(3.0), 1e-7);
      EXPECT_LE(motion.steps, plain.steps + plain.steps / 5 + 2);  // in other units the same steps, nearly
    }
  }
}

TEST(Massless, AUnitOfItsOwnChangesNothing) {
  expect_cosine([](double u) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0}), s = m.coordinate("s", {1 / u, 0});
    m.mass(x, 1.0);
    m.mass(s, 0.0);
    m.force(x, -1 * x);
    m.constrain("row", x, u * s);
    return m;
  });
}

TEST(Massless, AForceOnItIsCarriedInAnyUnit) {
  expect_cosine([](double u) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0}), s = m.coordinate("s", {1 / u, 0});
    m.mass(x, 1.0);
    m.mass(s, 0.0);
    m.force(s, -u * u * s);
    m.constrain("row", x, u * s);
    return m;
  });
}

TEST(Massless, AChainOfThemIsMeasuredByItsEnd) {
  expect_cosine([](double u) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0}), s = m.coordinate("s", {1 / u, 0}),
                     r = m.coordinate("r", {1 / (u * u), 0});
    m.mass(x, 1.0);
    m.mass(s, 0.0);
    m.mass(r, 0.0);
    m.force(x, -1 * x);
    m.constrain("first", x, u * s);
    m.constrain("second", s, u * r);
    return m;
  });
}

TEST(Massless, RowsOnVelocitiesMayHoldIt) {
  expect_cosine([](double u) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0}), s = m.coordinate("s", {1 / u, 0});
    m.mass(x, 1.0);
    m.mass(s, 0.0);
    m.force(x, -1 * x);
    m.constrain("row", x.rate(), u * s.rate());
    return m;
  });
}

}  // namespace
}  // namespace vinculum
