// The 40 four-bars (IFToMM benchmark A02): 82 coordinates, 81 rods, flat and thereby singular twice in a
// turn. Energy alone does not tell whether a motion is right: at the flat position it may branch off or stop
// with its energy intact. So the place of the first joint is compared as well. Stated with bodies, the same
// mechanism has 81 bodies and 121 revolute joints: 605 rows, 120 more than can be independent.
#include <algorithm>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdio>

#include "bench/precision/models.hpp"
#include "bench/precision/study.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum::precision {
namespace {

constexpr int count = 40;
constexpr double until = 10;  // [s]

struct Place {
  double x, y;
};

/// All uprights stay parallel: (4N+1)/3 theta'' = (3N+1)/2 g sin theta from the upward vertical, theta(0) = 0
/// and theta'(0) = 1. It turns over, so theta = pi + 2 am(W t / 2 - K, k) with W^2 = 1 + 4 kappa, k^2 = 4
/// kappa / W^2.
Place exact(double t) {
  const long double kappa = 9.81L * 3 * (3 * count + 1) / (2.0L * (4 * count + 1));
  const long double w = std::sqrt(1 + 4 * kappa), k = std::sqrt(4 * kappa) / w;
  long double cn = 0, dn = 0;
  const long double sn = boost::math::jacobi_elliptic(k, w * t / 2 - boost::math::ellint_1(k), &cn, &dn);
  return {static_cast<double>(-2 * sn * cn), static_cast<double>(sn * sn - cn * cn)};
}

struct Setting {
  const char* integrator;
  double step, tolerance;  // one of them
};

MotionOptions options_of(const Setting& setting, int samples) {
  MotionOptions options;
  options.until = until;
  options.integrator = integrator_named(setting.integrator).value();
  options.step = setting.step;
  if (setting.tolerance > 0) options.tolerance = setting.tolerance;
  options.samples = samples;
  options.step_limit = 20'000;  // far beyond what any of them needs
  return options;
}

/// Joint B0 of a sample.
using Reader = Place (*)(const Sample& at);
Place of_particle(const Sample& at) { return {at.q[0], at.q[1]}; }
/// The end of the first body: its centre and half of its x axis.
Place of_body(const Sample& at) {
  const double w = at.q[3], x = at.q[4], y = at.q[5], z = at.q[6];
  return {at.q[0] + 0.5 * (w * w + x * x - y * y - z * z), at.q[1] + (x * y + w * z)};
}

void print_row(const System& system, const Setting& setting, Reader place) {
  const Trajectory motion = simulate(system, options_of(setting, 1001));
  double drift = 0, miss = 0, last_miss = 0;
  for (int i = 0; i < motion.size(); ++i) {
    const Sample at = motion[i];
    const Place b0 = exact(at.t), ours = place(at);
    last_miss = std::hypot(ours.x - b0.x, ours.y - b0.y);
    miss = std::max(miss, last_miss);
    drift = std::max(drift, std::abs(at.energy - motion.energy_start - at.work.total()));
  }
  Trajectory timed;
  const double seconds = seconds_of([&] { timed = simulate(system, options_of(setting, 1)); });
  std::printf("| %s, %s %.0e | %.3g s | %ld + %ld | %ld | %.1e J | %.1e m | %.1e m | %s |\n",
              setting.integrator, setting.step > 0 ? "step" : "tolerance",
              setting.step > 0 ? setting.step : setting.tolerance, seconds, timed.steps, timed.rejected,
              timed.evaluations, drift, last_miss, miss,
              timed.stop == Stop::end ? "end" : timed.reason.c_str());
}

void print_head(const char* title) {
  std::printf(
      "| %s, 10 s | time | steps + rejected | evaluations | worst energy drift | error of B0 at the end | "
      "worst "
      "on the way | stopped at |\n|---|---|---|---|---|---|---|---|\n",
      title);
}

}  // namespace

void four_bar() {
  const System system(four_bar_model(count));
  print_head("40 four-bars");
  for (const Setting& setting :
       {Setting{"rk4", 1e-2, 0}, Setting{"rk4", 5e-3, 0}, Setting{"dop853", 0, 1e-6},
        Setting{"dop853", 0, 1e-7}, Setting{"dop853", 0, 1e-8}, Setting{"dop853", 0, 1e-9},
        Setting{"dop853", 0, 1e-11}, Setting{"dopri5", 0, 1e-8}, Setting{"extrapolation", 0, 1e-7},
        Setting{"extrapolation", 0, 1e-9}, Setting{"extrapolation", 0, 1e-11}, Setting{"taylor", 0, 1e-7},
        Setting{"taylor", 0, 1e-9}, Setting{"taylor", 0, 1e-11}})
    print_row(system, setting, of_particle);
  std::printf("\n");
}

/// The moment of inertia about the rods themselves moves nothing in a plane; without it M has no inverse.
void four_bar_of_bodies() {
  struct Case {
    const char* title;
    double moment;
  };
  for (const Case& c : {Case{"40 four-bars of bodies", 1.25e-3}, Case{"the same of thin rods", 0.0}}) {
    const System system(four_bar_body_model(count, c.moment));
    print_head(c.title);
    for (const Setting& setting :
         {Setting{"dop853", 0, 1e-7}, Setting{"dop853", 0, 1e-8}, Setting{"dop853", 0, 1e-9}})
      print_row(system, setting, of_body);
    std::printf("\n");
  }
}

}  // namespace vinculum::precision
