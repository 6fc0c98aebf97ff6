// Our own solvers: the model compiled once, then simulated as a user does.
#include <memory>

#include "bench/precision/solvers.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum::precision {
namespace {

Run run(const System& system, double until, const std::string& integrator, double tolerance) {
  MotionOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator_named(integrator).value();
  options.samples = 1;
  const Trajectory motion = simulate(system, options);
  return {motion.stop == Stop::end, motion.last.q, motion.evaluations};
}

}  // namespace

std::vector<Solver> vinculum_solvers(const Model& model, double until) {
  const auto system = std::make_shared<const System>(model);
  std::vector<Solver> solvers;
  for (const std::string name : {"dop853", "dopri5", "extrapolation", "taylor"})
    solvers.push_back({Family::vinculum, "vinculum " + name,
                       [=](double tolerance) { return run(*system, until, name, tolerance); }});
  return solvers;
}

}  // namespace vinculum::precision
