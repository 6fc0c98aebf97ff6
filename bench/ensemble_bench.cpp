// Studies: what a member costs beside the steps of its motion, what eight of them abreast and another
// processor give.
#include <benchmark/benchmark.h>

#include "vinculum/ensemble/run_study.hpp"

namespace vinculum::bench {
namespace {

constexpr int steps = 100;
constexpr double step = 0.01;

/// The spherical pendulum with its length as a parameter.
Model pendulum() {
  Model m;
  const Expr L = m.parameter("L", 2.0);
  const Coordinate x = m.coordinate("x", {1.2, 0.0}), y = m.coordinate("y", {0.0, 0.8}),
                   z = m.coordinate("z", {-1.6, 0.0});
  for (const Coordinate& c : {x, y, z}) m.mass(c, 1.5);
  m.force(z, -1.5 * 9.81);
  m.constrain("rod", x * x + y * y + z * z, L * L);
  return m;
}

MotionOptions by(Integrator method, double until) {
  MotionOptions motion;
  motion.until = until;
  motion.integrator = method;
  motion.tolerance = 1e-9;
  motion.samples = 1;
  if (method == Integrator::rk4) motion.step = step;
  return motion;
}

/// One motion as long as all members together: the bare steps.
void one_long_motion(benchmark::State& run, Integrator method) {
  const System system(pendulum());
  long made = 0;
  for (auto _ : run) {
    const Trajectory motion = simulate(system, by(method, 100 * steps * step));
    made += motion.steps;
  }
  run.SetItemsProcessed(made);
}

Member member_of(const System& system, double length, const MotionOptions& motion) {
  Parameters p = system.parameters();
  p["L"] = length;
  Member member{system.with(p), {}, motion};
  member.start = member.system.start();
  return member;
}

/// The same in 100 members, one after the other, as simulate() makes them.
void one_at_a_time(benchmark::State& run, Integrator method, int each) {
  const System system(pendulum(), std::vector<std::string>{"L"});
  long made = 0;
  for (auto _ : run)
    for (int k = 0; k < 100; ++k) {
      const Member member = member_of(system, 2 + 1e-14 * k, by(method, each * step));
      made += simulate(member.system, member.start, member.motion).steps;
    }
  run.SetItemsProcessed(made);
}

/// Those of a study, each with its own length of the rod within rounding of 2.
void members(benchmark::State& run, Integrator method, int each) {
  const System system(pendulum(), std::vector<std::string>{"L"});
  Study study;
  study.draws = {{"L", Distribution::uniform, 2, 2 + 1e-12}};
  study.draws_each = 100 * static_cast<long>(run.range(0));
  const auto make = [&](std::span<const double> values) {
    return member_of(system, values[0], by(method, each * step));
  };
  const std::vector<std::string> kept{"x"};
  StudyOptions how;
  how.threads = static_cast<int>(run.range(0));
  long done = 0;
  for (auto _ : run)
    run_study(
        study, make, kept, [&](std::span<const MemberRow> rows) { done += static_cast<long>(rows.size()); },
        how);
  run.counters["members/s"] = benchmark::Counter(static_cast<double>(done), benchmark::Counter::kIsRate);
  if (method == Integrator::rk4) run.SetItemsProcessed(done * each);
}

BENCHMARK_CAPTURE(one_long_motion, rk4, Integrator::rk4)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(one_long_motion, dop853, Integrator::dop853)->Unit(benchmark::kMillisecond)->UseRealTime();

// Members of a hundred steps, and of many.
#define VINCULUM_MEMBERS(name, method, each)                                                          \
  BENCHMARK_CAPTURE(one_at_a_time, name, method, each)->Unit(benchmark::kMillisecond)->UseRealTime(); \
  BENCHMARK_CAPTURE(members, name, method, each)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()
VINCULUM_MEMBERS(rk4, Integrator::rk4, steps);
VINCULUM_MEMBERS(rk4_long, Integrator::rk4, 20 * steps);
VINCULUM_MEMBERS(dop853, Integrator::dop853, steps);
VINCULUM_MEMBERS(dop853_long, Integrator::dop853, 50 * steps);
#undef VINCULUM_MEMBERS

}  // namespace
}  // namespace vinculum::bench
