// A motion computed a second time, by a few lines that know nothing of the project.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "vinculum/motion/simulate.hpp"

namespace vinculum::test {

using Numbers = std::vector<double>;

/// x'' = f(t, x, x'): the state is (x, x').
using Acceleration = std::function<Numbers(double t, const Numbers& x, const Numbers& v)>;

/// Kutta's method of order four with steps of about 1e-4: its error, h^4 times fifth derivatives, is near
/// 1e-15, and the roundings of some ten thousand steps add to 1e-14.
inline State kutta(const Acceleration& f, const State& start, double until) {
  const std::size_t n = start.q.size();
  const int steps = static_cast<int>(std::ceil(std::fabs(until - start.t) / 1e-4));
  const double h = (until - start.t) / steps;
  State at = start;
  for (int i = 0; i < steps; ++i) {
    Numbers sum_q(n, 0.0), sum_v(n, 0.0), dq(n, 0.0), dv(n, 0.0);
    const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int stage = 0; stage < 4; ++stage) {
      Numbers q = at.q, v = at.v;
      for (std::size_t k = 0; k < n; ++k) {
        q[k] += part[stage] * h * dq[k];
        v[k] += part[stage] * h * dv[k];
      }
      dq = v;
      dv = f(at.t + part[stage] * h, q, v);
      for (std::size_t k = 0; k < n; ++k) {
        sum_q[k] += weight[stage] * dq[k];
        sum_v[k] += weight[stage] * dv[k];
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      at.q[k] += h / 6 * sum_q[k];
      at.v[k] += h / 6 * sum_v[k];
    }
    at.t = start.t + (i + 1) * h;
  }
  return at;
}

/// Gauss's principle for one row and a diagonal M, by hand: q'' = a + M^-1 A^T (b - A a)/(A M^-1 A^T).
inline Numbers held_by_one_row(Numbers a, const Numbers& mass, const Numbers& row, double b) {
  double miss = b, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    miss -= row[i] * a[i];
    size += row[i] * row[i] / mass[i];
  }
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += row[i] / mass[i] * miss / size;
  return a;
}

inline constexpr double tight = 1e-12;
/// Ten times the tolerance asked, relative to 1 + |value|: what the reference cases hold, too.
inline constexpr double allowed = 10 * tight;

inline void expect_close(double got, double expected, const std::string& what) {
  EXPECT_NEAR(got, expected, allowed * (1 + std::fabs(expected))) << what;
}

inline Trajectory run(const System& system, double until, const std::string& integrator = "dop853",
                      double tolerance = tight) {
  MotionOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator_named(integrator).value();
  options.samples = 1;
  return simulate(system, options);
}

/// What holds for every motion that came to its end: all energy is accounted for, every row holds, and
/// running back leads to the start.
inline void expect_sound(const System& system, const Trajectory& motion) {
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const Work& w = motion.work;
  const double size = 1 + std::fabs(motion.energy_start) + std::fabs(motion.energy_end) +
                      std::fabs(w.impressed) + std::fabs(w.constraint) + std::fabs(w.nonideal) +
                      std::fabs(w.explicit_time);
  EXPECT_NEAR(motion.drift(), 0, allowed * size);  // work is integrated with the state, as exactly
  for (std::size_t c = 0; c < motion.worst.size(); ++c) {
    // Projection and the solution of the rows end at the rounding of terms of the order of 1 to 100.
    EXPECT_LT(motion.worst[c].position, 1e-12) << system.constraints()[c].name;
    EXPECT_LT(motion.worst[c].velocity, 1e-12) << system.constraints()[c].name;
    EXPECT_LT(motion.worst[c].acceleration, 1e-12) << system.constraints()[c].name;
  }
  MotionOptions back;
  back.until = system.start().t;
  back.tolerance = tight;
  back.samples = 1;
  const Trajectory returned = simulate(system, motion.last, back);
  ASSERT_EQ(returned.stop, Stop::end) << returned.reason;
  for (std::size_t i = 0; i < motion.last.q.size(); ++i) {  // each way is right to ten times the tolerance
    EXPECT_NEAR(returned.last.q[i], system.start().q[i], 2 * allowed * (1 + std::fabs(motion.last.q[i])));
    EXPECT_NEAR(returned.last.v[i], system.start().v[i], 2 * allowed * (1 + std::fabs(motion.last.v[i])));
  }
}

/// The state at a time, known otherwise, reached by every adaptive method.
inline void expect_motion(const Model& model, const State& expected) {
  const System system(model);
  for (const char* integrator : {"dop853", "radau5", "extrapolation"}) {
    SCOPED_TRACE(integrator);
    const Trajectory motion = run(system, expected.t, integrator);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    for (std::size_t i = 0; i < expected.q.size(); ++i)
      expect_close(motion.last.q[i], expected.q[i], system.coordinate_names()[i]);
    for (std::size_t i = 0; i < expected.v.size(); ++i)
      expect_close(motion.last.v[i], expected.v[i], system.velocity_names()[i]);
  }
  expect_sound(system, run(system, expected.t));
}

}  // namespace vinculum::test
