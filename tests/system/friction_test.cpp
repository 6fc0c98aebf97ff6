// Friction at an instant: what the law asks for, whatever road found it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "support/message.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

double uniform(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1'000'001) * 1e-6;
}

/// Particles at rest on planes z = 0 under tilted gravity, tied by rods and springs.
struct RoughTable {
  Model model;
  std::vector<Particle> particles;
  std::vector<double> mass, mu;
  std::array<double, 3> fall{};

  explicit RoughTable(int count) {
    for (int k = 0; k < 2; ++k) fall[k] = uniform(-4, 4);
    fall[2] = -9.81;
    for (int k = 0; k < count; ++k) {
      mass.push_back(uniform(0.3, 3));
      mu.push_back(uniform(0.05, 0.9));
      ParticleOptions options{.mass = mass[k], .position = {1.0 * k, uniform(-0.4, 0.4), 0}};
      particles.push_back(model.particle("p" + std::to_string(k), options));
    }
    model.gravity({fall[0], fall[1], fall[2]});
    for (int k = 0; k < count; ++k) {
      model.constrain("table" + std::to_string(k), particles[k].z);
      model.friction("table" + std::to_string(k), mu[k]);
      model.force(particles[k].x, uniform(-5, 5));
      if (k == 0) continue;
      const Vector apart = particles[k] - particles[k - 1];
      if (*rc::gen::arbitrary<bool>())
        model.constrain("rod" + std::to_string(k), norm(apart), length(k));
      else
        model.spring(particles[k - 1], particles[k],
                     {.stiffness = uniform(0, 20), .damping = 0.0, .length = uniform(0.2, 2)});
    }
  }
  double length(int k) const {
    const auto at = [&](const Coordinate& c) {
      return model.coordinates()[model.stated().role(c).index].start;
    };
    return std::hypot(at(particles[k].x) - at(particles[k - 1].x),
                      at(particles[k].y) - at(particles[k - 1].y));
  }
};

RC_GTEST_PROP(FrictionAtRest, SticksWithinTheLimitOrSlidesAgainstIt, ()) {
  const int count = *rc::gen::inRange(1, 5);
  const RoughTable table(count);
  const System system(table.model);
  Workspace work(system);
  Solution s;
  const std::vector<FrictionState> found = solve(system, system.start(), work, s).frictions;
  RC_ASSERT(s.status == Status::solved);
  RC_ASSERT(s.certificate.holds());
  const Equations e = evaluate(system, system.start(), work);
  for (int k = 0; k < count; ++k) {
    // The table carries the weight, whatever is tied to the particle: all forces are in the plane.
    const double limit = table.mu[k] * table.mass[k] * 9.81;
    RC_ASSERT(std::fabs(found[k].limit - limit) <= 1e-12 * limit);
    const double ax = s.acceleration[3 * k], ay = s.acceleration[3 * k + 1];
    if (found[k].grip == Grip::sticks) {
      RC_ASSERT(ax == 0.0 && ay == 0.0);
      RC_ASSERT(found[k].needed <= limit * (1 + 1e-11));
    } else {
      const std::vector<double>& d = found[k].direction;
      const double a = std::hypot(ax, ay);
      RC_ASSERT(a > 0);
      // It goes where friction points away from, and friction is at its limit.
      // The acceleration is what forces of up to 100 N on a third of a kilogram leave, rounded at their size.
      const double turned = 1e-12 * (1 + 3000 / a);
      RC_ASSERT(std::fabs(ax / a - d[0]) <= turned);
      RC_ASSERT(std::fabs(ay / a - d[1]) <= turned);
      RC_ASSERT(std::fabs(e.C[3 * k] + limit * d[0]) <= 1e-11 * limit);
      RC_ASSERT(std::fabs(e.C[3 * k + 1] + limit * d[1]) <= 1e-11 * limit);
    }
  }
}

RC_GTEST_PROP(FrictionInMotion, TakesPowerAndNoMoreThanItsLimit, ()) {
  const int count = *rc::gen::inRange(1, 5);
  const RoughTable table(count);
  const System system(table.model);
  State state = system.start();
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 2; ++i) state.v[3 * k + i] = uniform(-1, 1);
  Workspace work(system);
  Solution s;
  solve(system, state, work, s);
  RC_ASSERT(s.status == Status::solved);
  const Equations e = evaluate(system, state, work);
  for (int k = 0; k < count; ++k) {
    const double cx = e.C[3 * k], cy = e.C[3 * k + 1];
    const double vx = state.v[3 * k], vy = state.v[3 * k + 1], speed = std::hypot(vx, vy);
    if (speed == 0) continue;
    const double limit = table.mu[k] * table.mass[k] * 9.81;
    RC_ASSERT(std::fabs(cx * vx + cy * vy + limit * speed) <= 1e-12 * limit * speed);
    RC_ASSERT(std::fabs(cx * vy - cy * vx) <= 1e-12 * limit * speed);
  }
}

TEST(Mode, OfAnotherSizeIsAnError) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1.0, .velocity = {1.0, 0.0, 0.0}});
  m.gravity({0, 0, -10});
  m.constrain("table", p.z);
  m.friction("table", 0.2);
  const System system(m);
  Workspace work(system);
  const auto said = [&](const Mode& mode) {
    return test::message([&] { evaluate(system, system.start(), mode, work); });
  };
  Mode mode;
  mode.frictions.resize(3);
  EXPECT_EQ(said(mode), "the mode has 3 frictions where the system has 1; none leaves all of them open");
  mode.frictions.resize(1);
  mode.frictions[0].direction = {1, 0};
  EXPECT_EQ(
      said(mode),
      "the mode has 2 numbers in the direction of a friction where the system has 3; none leaves all of "
      "them open");
  mode.frictions[0].direction.clear();
  mode.switches.resize(1);
  EXPECT_EQ(said(mode), "the mode has 1 switches where the system has 0; none leaves all of them open");
  mode.switches.clear();
  mode.left_out = {0, 0};
  EXPECT_EQ(said(mode),
            "the mode has 2 rows that may be left out where the system has 1; none leaves all of them open");
}

}  // namespace
}  // namespace vinculum
