// The problems, with every solver for them.
#include <algorithm>
#include <cmath>

#include "bench/precision/loop.hpp"
#include "bench/precision/models.hpp"
#include "bench/precision/pendulum.hpp"
#include "bench/precision/solvers.hpp"
#include "bench/precision/squeezer.hpp"

namespace vinculum::precision {
namespace {

template <class P>
Problem problem_of(const char* name, const Model& model) {
  Problem problem{name, P::title, std::vector<double>(P::end, P::end + P::n), {}, {}};
  problem.violation = [](const std::vector<double>& q) {
    double phi[P::rows], worst = 0;
    typename P::template At<double>(q.data()).gap(phi);
    for (const double x : phi) worst = std::max(worst, std::abs(x));
    return worst;
  };
  for (const auto& solvers : {vinculum_solvers(model, P::until), odeint_solvers<P>(), sundials_solvers<P>()})
    problem.solvers.insert(problem.solvers.end(), solvers.begin(), solvers.end());
  return problem;
}

}  // namespace

Problem pendulum() { return problem_of<Pendulum>("pendulum", pendulum_model()); }
Problem loop() { return problem_of<Loop>("loop", loop_model()); }
Problem squeezer() { return problem_of<Squeezer>("squeezer", squeezer_model()); }

}  // namespace vinculum::precision
