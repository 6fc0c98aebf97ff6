// Memory asked for while a motion runs: counted by standing in for operator new.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "bench/precision/models.hpp"
#include "bench/precision/study.hpp"
#include "vinculum/motion/simulate.hpp"

namespace {
std::atomic<long> allocation_count{0};
}  // namespace

void* operator new(std::size_t size) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vinculum::precision {
namespace {

struct Count {
  long allocations = 0, steps = 0;
};
Count count_run(const System& system, const char* integrator, double until, double step) {
  MotionOptions options;
  options.until = until;
  options.integrator = integrator_named(integrator).value();
  options.step = step;  // twice the time is twice the steps
  options.samples = 1;
  const long before = allocation_count;
  const Trajectory motion = simulate(system, options);
  return {allocation_count - before, motion.steps};
}

}  // namespace

void allocations() {
  std::printf(
      "| memory asked for | first run: allocations, steps | run of twice the time | by a step "
      "|\n|---|---|---|---|\n");
  const struct {
    const char* name;
    Model model;
    double until;
  } cases[] = {{"pendulum", pendulum_model(), 5},
               {"loop", loop_model(), 5},
               {"squeezer", squeezer_model(), 0.015},
               {"four_bar", four_bar_model(40), 5}};
  for (const auto& [name, model, until] : cases) {
    const System system(model);
    for (const char* integrator : {"dop853", "dopri5", "extrapolation", "taylor", "rk4"}) {
      const double step = until / 1000;
      const Count once = count_run(system, integrator, until, step);
      const Count twice = count_run(system, integrator, 2 * until, step);
      std::printf("| %s, %s | %ld, %ld | %ld, %ld | %.3g |\n", name, integrator, once.allocations, once.steps,
                  twice.allocations, twice.steps,
                  static_cast<double>(twice.allocations - once.allocations) /
                      static_cast<double>(twice.steps - once.steps));
    }
  }
  std::printf("\n");
}

}  // namespace vinculum::precision
