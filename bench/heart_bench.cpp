// One evaluation of the acceleration, beside hand-written code; and the time to compile a model.
#include <benchmark/benchmark.h>

#include <cmath>

#include "base/clones.hpp"
#include "handmade.hpp"
#include "particles.hpp"
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/batch.hpp"
#include "vinculum/system/state_table.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum::bench {
namespace {

SolveOptions motion() {
  SolveOptions options;
  options.detail = Detail::motion;
  return options;
}

void ours(benchmark::State& run, const RodNet& net) {
  const System system(model_of(net));
  Workspace work(system);
  Solution solution;
  const State state = system.start();
  for (auto _ : run) {
    solve(system, state, work, solution, motion());
    benchmark::DoNotOptimize(solution.acceleration.data());
  }
  if (solution.road_used != Road::fast || solution.status != Status::solved)
    run.SkipWithError("not the fast road");
}

void handmade(benchmark::State& run, const RodNet& net) {
  Handmade code(net);
  bool good = true;
  for (auto _ : run) {
    good = code.accelerate() && good;
    benchmark::DoNotOptimize(code.acceleration.data());
  }
  if (!good) run.SkipWithError("singular matrix");
}

// --- Small systems
// ------------------------------------------------------------------------------------------------

struct Point {
  double q[6], v[6], a[6];
};

/// Equation (27) of the 1996 paper, straight line.
void spherical_by_hand(Point& p) {
  const double x = p.q[0], y = p.q[1], z = p.q[2], g = 9.81;
  const double w = -(p.v[0] * p.v[0] + p.v[1] * p.v[1] + p.v[2] * p.v[2] + g * y) / (x * x + y * y + z * z);
  p.a[0] = w * x;
  p.a[1] = g + w * y;
  p.a[2] = w * z;
}

Model spherical() {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1.2, .rate = 0.1});
  const Coordinate y = m.coordinate("y", {.start = 1.6}), z = m.coordinate("z", {.start = 0.3, .rate = 0.5});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1);
  m.force(y, 9.81);
  m.constrain("rod", x * x + y * y + z * z, 4.09);
  return m;
}

/// Two masses on two rods, one below the other: 6 coordinates, 2 rows, the 2 x 2 system solved by Cramer's
/// rule.
void double_by_hand(Point& p) {
  const double *q = p.q, *v = p.v, g = -9.81;
  const double dx = q[3] - q[0], dy = q[4] - q[1], dz = q[5] - q[2];
  const double ux = v[3] - v[0], uy = v[4] - v[1], uz = v[5] - v[2];
  const double e1 = -(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - q[1] * g;
  const double e2 = -(ux * ux + uy * uy + uz * uz);
  const double s11 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], s12 = -(q[0] * dx + q[1] * dy + q[2] * dz);
  const double s22 = 2 * (dx * dx + dy * dy + dz * dz), det = 1 / (s11 * s22 - s12 * s12);
  const double l1 = (e1 * s22 - e2 * s12) * det, l2 = (e2 * s11 - e1 * s12) * det;
  p.a[0] = l1 * q[0] - l2 * dx;
  p.a[1] = g + l1 * q[1] - l2 * dy;
  p.a[2] = l1 * q[2] - l2 * dz;
  p.a[3] = l2 * dx;
  p.a[4] = g + l2 * dy;
  p.a[5] = l2 * dz;
}

Model double_pendulum() {
  Model m;
  m.gravity({0, -9.81, 0});
  const Particle a = m.particle("a", {.mass = 1, .position = {0.6, -0.8, 0.1}, .velocity = {0.1, 0.2, -0.1}});
  const Particle b = m.particle("b", {.mass = 1, .position = {1.2, -1.6, 0.3}, .velocity = {0.3, 0.0, 0.4}});
  m.constrain("upper", norm_squared(a), 1.01);
  m.constrain("lower", norm_squared(b - a), 1.04);
  return m;
}

using ByHand = void (*)(Point&);

// As in every integrator, the next state waits for this acceleration, on both sides. Where
// nobody waits, a processor works on several evaluations at once, which no motion allows ("overlapped").
constexpr double waiting = 1e-30;

void small_by_hand(benchmark::State& run, ByHand code, const State& at, bool wait) {
  Point p{};
  std::copy(at.q.begin(), at.q.end(), p.q);
  std::copy(at.v.begin(), at.v.end(), p.v);
  const std::size_t n = at.v.size();
  for (auto _ : run) {
    code(p);
    if (wait)
      for (std::size_t i = 0; i < n; ++i) p.v[i] += waiting * p.a[i];
    benchmark::DoNotOptimize(p);
  }
}

void small_ours(benchmark::State& run, const Model& model, bool wait) {
  const System system(model);
  Workspace work(system);
  State state = system.start();
  const Mode mode;
  std::vector<double> acceleration(state.v.size());
  for (auto _ : run) {
    accelerate(system, state, mode, work, acceleration);
    if (wait)
      for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] += waiting * acceleration[i];
    benchmark::DoNotOptimize(state.v.data());
  }
}

/// As the steps of eight members add up their stages: in registers as wide as the eight lanes of a kernel.
/// (What a kernel reads in one piece and narrower stores have written in several waits until all of them have
/// left.)
VINCULUM_CLONES void move_on(double* v, const double* acceleration, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) v[i] += waiting * acceleration[i];
}

/// Time for eight states.
void small_batch(benchmark::State& run, const Model& model) {
  const System system(model);
  BatchWorkspace work(system);
  const State start = system.start();
  StateBatch states;
  for (const double q : start.q)
    for (int lane = 0; lane < 8; ++lane) states.q.push_back(q + 0.01 * lane);
  for (const double v : start.v)
    for (int lane = 0; lane < 8; ++lane) states.v.push_back(v - 0.02 * lane);
  std::vector<double> acceleration(8 * start.v.size());
  for (auto _ : run) {
    accelerate(system, states, work, acceleration);
    move_on(states.v.data(), acceleration.data(), acceleration.size());
    benchmark::DoNotOptimize(states.v.data());
  }
}

/// Many states that lie one behind the other, as the rows of a table: what Python hands over.
void small_table(benchmark::State& run, const Model& model, std::size_t count) {
  const System system(model);
  TableWorkspace work(system);
  const State start = system.start();
  std::vector<double> q, v, accelerations(count * start.v.size());
  for (std::size_t k = 0; k < count; ++k) {
    q.insert(q.end(), start.q.begin(), start.q.end());
    v.insert(v.end(), start.v.begin(), start.v.end());
  }
  const StateTable table{q.data(), v.data(), &start.t, true};
  for (auto _ : run) {
    work.accelerate(system, table, 0, count, accelerations.data());
    benchmark::DoNotOptimize(accelerations.data());
  }
}

void batch_by_hand(benchmark::State& run, ByHand code, const State& at) {
  Point p[8]{};
  for (auto& one : p) {
    std::copy(at.q.begin(), at.q.end(), one.q);
    std::copy(at.v.begin(), at.v.end(), one.v);
  }
  const std::size_t n = at.v.size();
  for (auto _ : run) {
    for (auto& one : p) {
      code(one);
      for (std::size_t i = 0; i < n; ++i) one.v[i] += waiting * one.a[i];
    }
    benchmark::DoNotOptimize(p);
  }
}

void compile(benchmark::State& run, const RodNet& net) {
  for (auto _ : run) {
    const System system(model_of(net));
    benchmark::DoNotOptimize(&system);
  }
}

int register_all() {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& run) { function(run, arguments...); });
  };
  for (const int n : {10, 100, 1000, 10000, 100000}) {
    add("chain/vinculum/" + std::to_string(n), ours, chain(n));
    add("chain/handmade/" + std::to_string(n), handmade, chain(n));
  }
  for (const int n : {10, 30, 100}) {
    add("net/vinculum/" + std::to_string(n), ours, net(n, false));
    add("net/handmade/" + std::to_string(n), handmade, net(n, false));
    add("net_flat/vinculum/" + std::to_string(n), ours, net(n, true));
    add("net_pinned/vinculum/" + std::to_string(n), ours, pinned_net(n));
  }
  const auto small = [&](const std::string& name, const Model& model, ByHand by_hand) {
    const State start = System(model).start();
    for (const bool wait : {true, false}) {
      const std::string family = wait ? name : name + "_overlapped";
      add(family + "/vinculum/1", small_ours, model, wait);
      add(family + "/handmade/1", small_by_hand, by_hand, start, wait);
    }
    add(name + "/vinculum/8", small_batch, model);
    add(name + "/vinculum/100000", small_table, model, std::size_t{100000});
    add(name + "/handmade/8", batch_by_hand, by_hand, start);
  };
  small("spherical", spherical(), spherical_by_hand);
  small("six_two", double_pendulum(), double_by_hand);
  for (const int n : {10, 10000, 100000}) add("compile/vinculum/" + std::to_string(n), compile, chain(n));
  return 0;
}
const int registered = register_all();

}  // namespace
}  // namespace vinculum::bench
