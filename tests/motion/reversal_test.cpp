// Time runs both ways: forward and then backward leads to the start.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "examples/cpp/gallery.hpp"
#include "motion/reference.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

/// Holonomic, moving with time: a pendulum whose pivot shakes.
Model shaken_pendulum() {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0.3}), y = m.coordinate("y", {.start = -0.4 + 0.05});
  m.mass(x, 1);
  m.mass(y, 1);
  m.force(y, -9.81);
  m.constrain("rod", pow(x, 2) + pow(y - 0.05 * cos(20 * m.time()), 2), 0.25);
  return m;
}

/// Linear in the velocities: a skate on a slope.
Model skate() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0.7}), y = m.coordinate("y"),
                   phi = m.coordinate("phi", {0, 1.1});
  m.mass(x, 1);
  m.mass(y, 1);
  m.mass(phi, 0.3);
  m.force(x, 4.9);
  m.constrain("edge", x.rate() * sin(phi), y.rate() * cos(phi));
  return m;
}

/// Nonlinear in the velocities: two particles that fall with parallel velocities.
Model parallel_particles() {
  Model m;
  const Particle a = m.particle("a", {.mass = 1, .position = {0, 0, 0}, .velocity = {1.2, 0.9, 0}});
  const Particle b = m.particle("b", {.mass = 2, .position = {1, 0.5, 0}, .velocity = {0.6, 0.45, 0}});
  m.gravity({0, -9.81, 0});
  m.constrain("parallel", a.x.rate() * b.y.rate(), b.x.rate() * a.y.rate());
  return m;
}

struct Reversal {
  std::string name;
  std::function<Model()> model;
  double until = 0.0;
};
void PrintTo(const Reversal& r, std::ostream* out) { *out << r.name; }

class ReversalTest : public testing::TestWithParam<Reversal> {};
INSTANTIATE_TEST_SUITE_P(FiveKinds, ReversalTest,
                         testing::Values(Reversal{"spherical_pendulum", examples::spherical_pendulum, 10},
                                         Reversal{"rod_stated_thrice", examples::pendulum_thrice, 10},
                                         Reversal{"shaken_pendulum", shaken_pendulum, 5},
                                         Reversal{"skate", skate, 10},
                                         Reversal{"parallel_particles", parallel_particles, 1},
                                         Reversal{"affine_rolling", examples::moving_plane, 5}),
                         [](const auto& test) { return test.param.name; });

TEST_P(ReversalTest, ForwardThenBackwardReturnsToTheStart) {
  const System system(GetParam().model());
  MotionOptions options;
  options.tolerance = 1e-12;
  options.samples = 1;
  options.until = GetParam().until;
  const Trajectory forward = simulate(system, options);
  ASSERT_EQ(forward.stop, Stop::end) << forward.reason;
  options.until = 0;
  const Trajectory back = simulate(system, forward.last, options);
  ASSERT_EQ(back.stop, Stop::end) << back.reason;
  EXPECT_EQ(back.last.t, 0);
  // Each way is right to ten times the tolerance; together twenty.
  const double allowed = 20 * options.tolerance;
  const State& start = system.start();
  for (std::size_t i = 0; i < start.q.size(); ++i)
    EXPECT_NEAR(back.last.q[i], start.q[i], allowed * (1 + std::fabs(start.q[i])))
        << system.coordinate_names()[i];
  for (std::size_t i = 0; i < start.v.size(); ++i)
    EXPECT_NEAR(back.last.v[i], start.v[i], allowed * (1 + std::fabs(start.v[i])))
        << system.velocity_names()[i];
  // What forces did on the way there they undo on the way back.
  EXPECT_NEAR(forward.work.total() + back.work.total(), 0, 1e-9 * (1 + std::fabs(forward.work.total())));
}

}  // namespace
}  // namespace vinculum
