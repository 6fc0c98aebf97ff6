// Boost.odeint on hand-written right sides.
#include <array>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <stdexcept>

#include "bench/precision/loop.hpp"
#include "bench/precision/pendulum.hpp"
#include "bench/precision/project.hpp"
#include "bench/precision/solvers.hpp"
#include "bench/precision/squeezer.hpp"

namespace vinculum::precision {
namespace {

namespace odeint = boost::numeric::odeint;

template <class P>
using Phase = std::array<double, 2 * P::n>;

/// Near the limit of rounding the step control of odeint may crawl: then the tolerance is not reached.
constexpr long evaluation_limit = 1'000'000;

template <class P, auto acceleration>
struct RightSide {
  long* evaluations;
  void operator()(const Phase<P>& x, Phase<P>& rate, double) const {
    if (++*evaluations > evaluation_limit) throw std::runtime_error("odeint: no end in sight");
    for (int i = 0; i < P::n; ++i) rate[i] = x[P::n + i];
    acceleration(x.data(), x.data() + P::n, rate.data() + P::n);
  }
};

/// The loop of odeint's integrate_adaptive, with a place for the projection.
template <class P, auto acceleration, bool projected, class Stepper>
Run integrate(Stepper stepper) {
  Run run;
  Phase<P> x;
  P::start(x.data(), x.data() + P::n);
  const RightSide<P, acceleration> right_side{&run.evaluations};
  double t = 0, step = P::first_step;
  try {
    while (P::until - t > 1e-14 * P::until) {
      if (t + step > P::until) step = P::until - t;
      while (stepper.try_step(right_side, x, t, step) == odeint::fail) {
      }
      if constexpr (projected) project<P>(x.data(), x.data() + P::n);
    }
    run.finished = true;
  } catch (const std::runtime_error&) {  // also odeint's own, when a step shrinks without end
    run.finished = false;
  }
  run.q.assign(x.begin(), x.begin() + P::n);
  return run;
}

template <class P, auto acceleration, bool projected>
Run fehlberg(double tolerance) {
  return integrate<P, acceleration, projected>(
      odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<Phase<P>>()));
}
template <class P, auto acceleration, bool projected>
Run extrapolation(double tolerance) {
  return integrate<P, acceleration, projected>(odeint::bulirsch_stoer<Phase<P>>(tolerance, tolerance));
}

}  // namespace

template <class P>
std::vector<Solver> odeint_solvers() {
  constexpr auto plain = &P::template acceleration<double>;
  const auto dopri5 = [](double tolerance) {
    return integrate<P, plain, false>(
        odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_dopri5<Phase<P>>()));
  };
  std::vector<Solver> solvers{
      {Family::odeint, "odeint dopri5", dopri5},
      {Family::odeint, "odeint fehlberg78", fehlberg<P, plain, false>},
      {Family::odeint, "odeint fehlberg78, projected", fehlberg<P, plain, true>},
      {Family::odeint, "odeint bulirsch_stoer", extrapolation<P, plain, false>},
      {Family::odeint, "odeint bulirsch_stoer, projected", extrapolation<P, plain, true>},
  };
  if constexpr (requires { &P::template acceleration_by_crank<double>; }) {
    constexpr auto clever = &P::template acceleration_by_crank<double>;
    solvers.push_back({Family::reduced, "odeint fehlberg78, by crank", fehlberg<P, clever, false>});
    solvers.push_back({Family::reduced, "odeint bulirsch_stoer, by crank", extrapolation<P, clever, false>});
  }
  return solvers;
}

template std::vector<Solver> odeint_solvers<Pendulum>();
template std::vector<Solver> odeint_solvers<Loop>();
template std::vector<Solver> odeint_solvers<Squeezer>();

}  // namespace vinculum::precision
