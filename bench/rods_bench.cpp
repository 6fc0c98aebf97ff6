// Chains of rigid rods: one evaluation of the acceleration, beside Bullet's articulated bodies where it is
// installed.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <optional>

#include "bench/rods.hpp"
#include "vinculum/system/accelerate.hpp"
#ifdef VINCULUM_BULLET
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "bench/peers/bullet.hpp"
#endif

namespace vinculum::bench {
namespace {

/// Compiled once: a repetition of the measurement need not wait for ten thousand rods.
using Compiled = std::shared_ptr<std::optional<System>>;

const System& system_of(const RodChain& chain, const Compiled& compiled) {
  if (!*compiled) compiled->emplace(model_of(chain));
  return **compiled;
}

void ours(benchmark::State& run, const RodChain& chain, const Compiled& compiled) {
  const System& system = system_of(chain, compiled);
  Workspace work(system);
  const State state = system.start();
  std::vector<double> acceleration(state.v.size());
  const Mode mode;
  bool fast = true;
  for (auto _ : run) {
    const Accelerated made = accelerate(system, state, mode, work, acceleration);
    fast = made.status == Status::solved && made.solution->road_used == Road::fast;
    benchmark::DoNotOptimize(acceleration.data());
  }
  if (!fast) run.SkipWithError("not the fast road");
}

void compile(benchmark::State& run, const RodChain& chain) {
  for (auto _ : run) {
    const System system(model_of(chain));
    benchmark::DoNotOptimize(&system);
  }
}

#ifdef VINCULUM_BULLET
/// The largest difference between the accelerations of the joints on both sides, over the largest of them.
double disagreement(const RodChain& chain, const System& system, const std::vector<double>& theirs) {
  Workspace work(system);
  const State state = system.start();
  std::vector<double> a(state.v.size());
  accelerate(system, state, {}, work, a);
  double worst = 0, size = 0;
  for (int i = 0; i < chain.size(); ++i) {
    const double joint = a[6 * i + 5] - (i > 0 ? a[6 * i - 1] : 0);
    worst = std::fmax(worst, std::fabs(joint - theirs[i]));
    size = std::fmax(size, std::fabs(joint));
  }
  return worst / size;
}

/// An impulse at the end of a chain dies out along it, and x86 works on denormals in slow motion: an engine
/// that asks for none is measured without them.
class WithoutDenormals {
 public:
  WithoutDenormals() { set(0x8040); }  // flush to zero, denormals are zero
  ~WithoutDenormals() { set(0); }
  WithoutDenormals(const WithoutDenormals&) = delete;

 private:
#ifdef __SSE__
  static void set(unsigned flags) { _mm_setcsr((_mm_getcsr() & ~0x8040u) | flags); }
#else
  static void set(unsigned) {}
#endif
};

using Evaluation = void (BulletChain::*)();

void bullet(benchmark::State& run, const RodChain& chain, const Compiled& compiled, Evaluation evaluate) {
  BulletChain peer(chain);
  {
    const WithoutDenormals quick;
    // The first steps sort the rods for collisions, of which there are none.
    for (int k = 0; chain.closed && k < 20; ++k) peer.step();
    for (auto _ : run) (peer.*evaluate)();
  }
  // The velocities they are read from have lost three digits to the step.
  if (!chain.closed && !(disagreement(chain, system_of(chain, compiled), peer.joint_acceleration()) < 1e-9))
    run.SkipWithError("another motion");
}
#endif

int register_all() {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& run) { function(run, arguments...); });
  };
  for (const int n : {10, 100, 1000, 10000}) {
    const std::string size = std::to_string(n);
    const auto open = std::make_shared<std::optional<System>>(),
               closed = std::make_shared<std::optional<System>>();
    add("rods/vinculum/" + size, ours, open_chain(n), open);
    add("rods_closed/vinculum/" + size, ours, closed_chain(n), closed);
#ifdef VINCULUM_BULLET
    add("rods/bullet/" + size, bullet, open_chain(n), open, &BulletChain::accelerate);
    add("rods/bullet_from_state/" + size, bullet, open_chain(n), open, &BulletChain::accelerate_from_state);
    if (n < 10000) add("rods_closed/bullet/" + size, bullet, closed_chain(n), closed, &BulletChain::step);
#endif
  }
  for (const int n : {10, 100, 1000})
    add("rods_compile/vinculum/" + std::to_string(n), compile, open_chain(n));
  return 0;
}
const int registered = register_all();

}  // namespace
}  // namespace vinculum::bench
