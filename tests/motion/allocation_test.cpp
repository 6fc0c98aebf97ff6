// Ten times the time is ten times the steps, and some of them are refused; what is allocated is what a run
// needs once, whatever kind of equations and forces it has.
#include <gtest/gtest.h>

#include <cmath>

#include "support/allocations.hpp"
#include "vinculum/motion/dense.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

struct Case {
  const char* name;
  void (*state)(Model& m);
};

/// Gives every model steps to make.
void add_clock(Model& m) {
  const Coordinate s = m.coordinate("s", {.start = 1});
  m.mass(s, 1);
  m.force(s, -9 * s);
}

void mixed_orders(Model& m) {
  add_clock(m);
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 1}),
                   z = m.coordinate("z", {0, 0.5}), u = m.coordinate("u", {});
  for (const Coordinate& c : {x, y, z, u}) m.mass(c, 1);
  m.constrain("circle", x * x + y * y, 1.0);
  m.constrain("follows", z.rate() - 0.5 * y.rate() * x - 0.5 * y * y * m.time() * 0);
  m.constrain("driven", u.acceleration(), sin(m.time()));
}

void sliding_friction(Model& m) {
  add_clock(m);
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}, .velocity = {300, 400, 0}});
  m.gravity({0, 0, -9.81});
  m.force(p, {sin(m.time()), 0.0, 0.0});
  m.constrain("table", p.z);
  m.friction("table", 0.3);
}

void friction_on_a_lift(Model& m) {
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}, .velocity = {300, 400, 0.1}});
  m.gravity({0, 0, -9.81});
  m.constrain("lift", p.z, 0.1 * sin(m.time()));
  m.friction("lift", 0.3);
}

void sticking_friction(Model& m) {
  add_clock(m);
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.force(p, {sin(m.time()), cos(m.time()), 0.0});
  m.constrain("table", p.z);
  m.friction("table", 0.3);
}

void held_by_a_switch(Model& m) {
  add_clock(m);
  const Coordinate x = m.coordinate("x", {});
  m.mass(x, 1);
  m.force(x, sin(m.time()) - 2 * sign(x.rate()));
}

void beside_a_switch(Model& m) {
  add_clock(m);
  const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1000});
  m.mass(x, 1);
  m.force(x, sin(m.time()) - 2 * sign(x.rate()));
}

void programme(Model& m) {
  add_clock(m);
  const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1}), y = m.coordinate("y", {});
  m.mass(x, 1);
  m.mass(y, 2);
  m.force(x, 3 * (y - x));
  m.force(y, 3 * (x - y));
  m.constrain("moves", x, sin(m.time()));
  m.servo("moves");
}

void actuators(Model& m) {
  add_clock(m);
  const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1}), y = m.coordinate("y", {});
  m.mass(x, 1);
  m.mass(y, 2);
  m.force(x, 3 * (y - x));
  m.force(y, 3 * (x - y));
  m.constrain("moves", x, sin(m.time()));
  ServoOptions by;
  by.actuators = {x};
  m.servo("moves", by);
}

class NoAllocation : public testing::TestWithParam<Case> {};

TEST_P(NoAllocation, InAStep) {
  Model model;
  GetParam().state(model);
  const System system(model);
  for (const Integrator integrator :
       {Integrator::dop853, Integrator::dopri5, Integrator::rk4, Integrator::extrapolation}) {
    MotionOptions o;
    o.integrator = integrator;
    o.step = integrator == Integrator::rk4 ? 0.01 : 0.1;
    o.samples = 1;
    const auto count = [&](double until) {
      o.until = until;
      const long before = allocations();
      const Trajectory motion = simulate(system, o);
      EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
      return allocations() - before;
    };
    count(0.5);
    EXPECT_EQ(count(30.0), count(10.0)) << integrator_name(integrator);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, NoAllocation,
                         testing::Values(Case{"mixed_orders", mixed_orders},
                                         Case{"sliding_friction", sliding_friction},
                                         Case{"friction_on_a_lift", friction_on_a_lift},
                                         Case{"sticking_friction", sticking_friction},
                                         Case{"held_by_a_switch", held_by_a_switch},
                                         Case{"beside_a_switch", beside_a_switch},
                                         Case{"programme", programme}, Case{"actuators", actuators}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace vinculum
