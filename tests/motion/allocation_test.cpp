// Ten times the time is ten times the steps, and some of them are refused; what is allocated is what a run
// needs once, whatever kind of equations and forces it has.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "motion/systems.hpp"
#include "support/allocations.hpp"
#include "system/series/motion_series.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr Integrator methods[] = {Integrator::dop853,        Integrator::dopri5, Integrator::rk4,
                                  Integrator::extrapolation, Integrator::radau5, Integrator::taylor};

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

Particle add_block(Model& m) {
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.constrain("table", p.z);
  m.friction("table", 0.3);
  return p;
}

/// A block that is shaken sticks and slips, to and fro.
void sticks_and_slips(Model& m) { m.force(add_block(m), {4 * sin(3 * m.time()), 0.0, 0.0}); }

void slips_around(Model& m) { m.force(add_block(m), {4 * sin(3 * m.time()), 1.0, 0.0}); }

void add_two_blocks(Model& m, double mu_p, double mu_q) {
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}}),
                 q = m.particle("q", {.mass = 2, .position = {1, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.constrain("under_p", p.z);
  m.constrain("under_q", q.z);
  m.friction("under_p", mu_p);
  m.friction("under_q", mu_q);
  m.force(p, {4 * sin(3 * m.time()) + 5 * (q.x - p.x - 1.0), 0.0, 0.0});
  m.force(q, {-5 * (q.x - p.x - 1.0), 0.0, 0.0});
}
void two_blocks(Model& m) { add_two_blocks(m, 0.3, 0.2); }
/// One of them comes to rest again and again, and slides on the other way.
void turns_without_sticking(Model& m) { add_two_blocks(m, 0.25, 0.25); }

void held_and_let_go(Model& m) {
  const Coordinate x = m.coordinate("x", {});
  m.mass(x, 1);
  m.force(x, 3 * sin(3 * m.time()) - 2 * sign(x.rate()));
}

Coordinate add_passing(Model& m) {
  const Coordinate x = m.coordinate("x", {.start = 1});
  m.mass(x, 1);
  m.force(x, -3 * sign(x) - 2 * x);
  return x;
}
void passed(Model& m) { add_passing(m); }

void passed_on_a_row(Model& m) {
  const Coordinate y = m.coordinate("y", {.start = 1});
  m.mass(y, 1);
  m.constrain("same", add_passing(m) - y, 0.0);
}

void add_driven(Model& m, bool by_actuator) {
  add_clock(m);
  const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1}), y = m.coordinate("y", {});
  m.mass(x, 1);
  m.mass(y, 2);
  m.force(x, 3 * (y - x));
  m.force(y, 3 * (x - y));
  m.constrain("moves", x, sin(m.time()));
  ServoOptions by;
  if (by_actuator) by.actuators = {x};
  m.servo("moves", by);
}
void programme(Model& m) { add_driven(m, false); }
void actuators(Model& m) { add_driven(m, true); }

/// Nine masses on a string of springs, eight of them driven at once.
void eight_actuators(Model& m) {
  add_clock(m);
  std::vector<Coordinate> x;
  ServoOptions by;
  for (int k = 0; k < 9; ++k) {
    x.push_back(m.coordinate("x" + std::to_string(k), {std::sin(0.3 * k), std::cos(0.3 * k)}));
    m.mass(x[k], 1 + 0.1 * k);
    if (k == 0) continue;
    m.force(x[k], 3 * (x[k - 1] - x[k]));
    m.force(x[k - 1], 3 * (x[k] - x[k - 1]));
    by.actuators.push_back(x[k]);
  }
  for (int k = 1; k < 9; ++k) {
    const std::string name = "moves" + std::to_string(k);
    m.constrain(name, x[k], sin(m.time() + 0.3 * k));
    m.servo(name, by);
  }
}

struct Cost {
  long allocations = 0;
  std::size_t changes = 0;  // of grips, which the trajectory lists
};

Cost cost_of(const System& system, MotionOptions o, double until) {
  o.until = until;
  o.samples = 1;
  const long before = allocations();
  const Trajectory motion = simulate(system, o);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  return {allocations() - before, motion.grip_changes.size()};
}
long allocated(const System& system, const MotionOptions& o, double until) {
  return cost_of(system, o, until).allocations;
}

Model chain() {
  Model chain;
  std::vector<Particle> p;
  for (int i = 0; i < 30; ++i) {
    p.push_back(chain.particle("p" + std::to_string(i), {1.0, {i + 1.0, 0, 0}}));
    chain.constrain("l" + std::to_string(i), norm_squared(i ? p[i] - p[i - 1] : p[i].position()), 1.0);
  }
  chain.gravity({0, -9.81, 0});
  return chain;
}

TEST(Allocation, StepsOfAPendulumAndOfAChainMakeNone) {
  for (const Model& model : {test::pendulum(), chain()})
    for (const Integrator integrator : methods) {
      const System system(model);
      MotionOptions o;
      o.integrator = integrator;
      o.step = integrator == Integrator::rk4 ? 0.01 : 0;
      allocated(system, o, 5.0);  // machine code is written when a kernel is asked for, or asked for often
      EXPECT_EQ(allocated(system, o, 3.0), allocated(system, o, 1.0)) << integrator_name(integrator);
      EXPECT_EQ(allocated(system, o, 20.0), allocated(system, o, 1.0)) << integrator_name(integrator);
    }
}

/// The steps would be those of dop853, and a note with their number.
bool has_no_steps_of(Integrator integrator, const System& system) {
  return integrator == Integrator::taylor && !why_no_series(system).empty();
}

class NoAllocation : public testing::TestWithParam<Case> {};

TEST_P(NoAllocation, InAStep) {
  Model model;
  GetParam().state(model);
  const System system(model);
  for (const Integrator integrator : methods) {
    if (integrator == Integrator::radau5 && has_restricted_programmes(system)) continue;  // which it refuses
    if (has_no_steps_of(integrator, system)) continue;
    MotionOptions o;
    o.integrator = integrator;
    o.step = integrator == Integrator::rk4 ? 0.01 : 0.1;
    allocated(system, o, 10.0);  // machine code is written when a kernel is asked for, or asked for often
    EXPECT_EQ(allocated(system, o, 30.0), allocated(system, o, 10.0)) << integrator_name(integrator);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, NoAllocation,
    testing::Values(Case{"mixed_orders", mixed_orders}, Case{"sliding_friction", sliding_friction},
                    Case{"friction_on_a_lift", friction_on_a_lift},
                    Case{"sticking_friction", sticking_friction}, Case{"held_by_a_switch", held_by_a_switch},
                    Case{"beside_a_switch", beside_a_switch}, Case{"programme", programme},
                    Case{"actuators", actuators}, Case{"eight_actuators", eight_actuators},
                    Case{"turns_without_sticking", turns_without_sticking}),
    [](const auto& of) { return std::string(of.param.name); });

class NoAllocationWhereModesChange : public testing::TestWithParam<Case> {};

/// How often a list of so many entries was moved to twice the room.
int doublings(std::size_t entries) { return std::bit_width(entries - 1); }

/// Five times the time, and five times as many changes. What a trajectory lists of them is for its reader:
/// that list alone asks for memory, whenever it is full. (So does a note of steps that another method has
/// made: the shorter run is long enough to have it.)
TEST_P(NoAllocationWhereModesChange, OfAStep) {
  if (!allocations_are_counted()) GTEST_SKIP() << "sanitizers count none";
  Model model;
  GetParam().state(model);
  const System system(model);
  for (const Integrator integrator : methods) {
    if (has_no_steps_of(integrator, system)) continue;
    MotionOptions o;
    o.integrator = integrator;
    o.step = integrator == Integrator::rk4 ? 0.01 : 0;
    cost_of(system, o, 20.0);
    const Cost once = cost_of(system, o, 20.0), five_times = cost_of(system, o, 100.0);
    EXPECT_GE(2 * five_times.changes, 9 * once.changes);
    const int listed = once.changes > 0 ? doublings(five_times.changes) - doublings(once.changes) : 0;
    EXPECT_EQ(five_times.allocations - once.allocations, listed) << integrator_name(integrator);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, NoAllocationWhereModesChange,
                         testing::Values(Case{"sticks_and_slips", sticks_and_slips},
                                         Case{"slips_around", slips_around}, Case{"two_blocks", two_blocks},
                                         Case{"held_and_let_go", held_and_let_go}, Case{"passed", passed},
                                         Case{"passed_on_a_row", passed_on_a_row}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace vinculum
