// Every method shows its order on constrained motions with known ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "motion/elliptic.hpp"
#include "motion/reference.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {

void PrintTo(const IntegratorInfo& method, std::ostream* out) { *out << method.name; }

namespace {

/// A motion whose coordinates are known in closed form.
struct Known {
  std::string name;
  Model model;
  double until = 0.0;
  std::function<std::vector<double>(double)> at;
};

/// Holonomic: a pendulum on a rod.
Known pendulum() {
  constexpr double k = 0.8;
  Model m;
  const Coordinate x = m.coordinate("x", {0, 2 * k}), y = m.coordinate("y", {-1, 0});
  m.mass(x, 1);
  m.mass(y, 1);
  m.force(y, -1);
  m.constrain("rod", x * x + y * y, 1);
  return {"pendulum", m, 5, [](double t) -> std::vector<double> {
            const double angle = pendulum_swing(t, 1, k).angle;
            return {std::sin(angle), -std::cos(angle)};
          }};
}

/// Holonomic and moving: a bead on a turning rod.
Known turning_rod() {
  constexpr double turn = 0.8, r0 = 0.5, v0 = -0.2;
  Model m;
  const Coordinate x = m.coordinate("x", {r0, v0}), y = m.coordinate("y", {0, turn * r0});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("rod", x * sin(turn * m.time()), y * cos(turn * m.time()));
  return {"turning_rod", m, 5, [](double t) -> std::vector<double> {
            const double r = r0 * std::cosh(turn * t) + v0 / turn * std::sinh(turn * t);
            return {r * std::cos(turn * t), r * std::sin(turn * t)};
          }};
}

/// Linear in the velocities: a skate on a slope draws a cycloid.
Known skate() {
  constexpr double pull = 2, turn = 1.1, size = pull / (2 * turn * turn);
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), phi = m.coordinate("phi", {0, turn});
  for (const Coordinate& q : {x, y, phi}) m.mass(q, 1);
  m.force(x, pull);
  m.constrain("edge", x.rate() * sin(phi), y.rate() * cos(phi));
  return {"skate", m, 5, [](double t) -> std::vector<double> {
            const double a = turn * t;
            return {size * std::pow(std::sin(a), 2), size * (a - std::sin(a) * std::cos(a)), a};
          }};
}

/// Nonlinear in the velocities: a particle of constant speed under gravity.
Known constant_speed() {
  constexpr double g = 2, speed = 1.5;
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0.8 * speed}), z = m.coordinate("z", {0, 0.6 * speed});
  m.mass(x, 1);
  m.mass(z, 1);
  m.force(z, -g);
  m.constrain("speed", pow(x.rate(), 2) + pow(z.rate(), 2), speed * speed);
  // z' = c tanh u and x' = c / cosh u with u' = -g/c.
  return {"constant_speed", m, 5, [](double t) -> std::vector<double> {
            const double u0 = std::atanh(0.6), u = u0 - g * t / speed, scale = speed * speed / g;
            return {scale * (std::atan(std::sinh(u0)) - std::atan(std::sinh(u))),
                    scale * (std::log(std::cosh(u0)) - std::log(std::cosh(u)))};
          }};
}

/// A position and a velocity constraint together: Kepler's first two laws.
Known kepler() {
  constexpr double eps = 0.3, p = 1.0, c = 1.0, a = p / (1 - eps * eps);
  Model m;
  const Coordinate x = m.coordinate("x", {-p / (1 + eps), 0}), y = m.coordinate("y", {0, -c * (1 + eps) / p});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("ellipse", hypot(x, y), eps * x + p);
  m.constrain("areas", x * y.rate() - y * x.rate(), c);
  return {"kepler", m, 5, [](double t) -> std::vector<double> {
            const double mean = t * c / std::sqrt(p * a * a * a);
            double anomaly = mean;  // the root of Kepler's equation by Newton's method
            for (int i = 0; i < 50; ++i)
              anomaly -= (anomaly - eps * std::sin(anomaly) - mean) / (1 - eps * std::cos(anomaly));
            return {-a * (std::cos(anomaly) - eps), -a * std::sqrt(1 - eps * eps) * std::sin(anomaly)};
          }};
}

std::vector<Known> five_motions() { return {pendulum(), turning_rod(), skate(), constant_speed(), kepler()}; }

struct Outcome {
  double error = 0.0;
  long steps = 0, evaluations = 0;
};

/// The largest error at the quarters of the motion, each reached from the start: at a single time the error
/// may vanish by chance. Steps and evaluations are those of the whole.
Outcome outcome(const System& system, const Known& known, MotionOptions options) {
  Outcome out;
  for (int quarter = 1; quarter <= 4; ++quarter) {
    options.until = known.until * quarter / 4;
    options.samples = 1;
    const Trajectory motion = simulate(system, options);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    out.steps = motion.steps;
    out.evaluations = motion.evaluations;
    const std::vector<double> exact = known.at(options.until);
    for (std::size_t i = 0; i < exact.size(); ++i)
      out.error = std::max(out.error, std::fabs(motion.last.q[i] - exact[i]));
  }
  return out;
}

/// An absolute tolerance that never asks for a shorter step, so that adaptive methods take the largest step
/// allowed.
constexpr double any_error = 1e6;

class Convergence : public testing::TestWithParam<IntegratorInfo> {
 protected:
  const IntegratorInfo& method() const { return GetParam(); }
};
class ConvergenceInStep : public Convergence {};
class ConvergenceInWork : public Convergence {};
std::string name_of(const testing::TestParamInfo<IntegratorInfo>& test) { return test.param.name; }

std::vector<IntegratorInfo> those(const std::function<bool(const IntegratorInfo&)>& wanted) {
  std::vector<IntegratorInfo> list;
  std::copy_if(integrators().begin(), integrators().end(), std::back_inserter(list), wanted);
  return list;
}
// Extrapolation and Taylor series choose their order by the tolerance, and Radau iterates only as far as the
// tolerance asks: without one, none shows its order. (That of series is looked at in taylor_test.)
INSTANTIATE_TEST_SUITE_P(Methods, ConvergenceInStep, testing::ValuesIn(those([](const IntegratorInfo& i) {
                           return i.name != "extrapolation" && i.name != "radau5" && i.name != "taylor";
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Methods, ConvergenceInWork, testing::ValuesIn(those([](const IntegratorInfo& i) {
                           return i.adaptive && i.name != "taylor";  // whose steps stay as they are
                         })),
                         name_of);

/// The slope of the line nearest to the points, which is the same for all groups; each group may lie higher
/// or lower.
class CommonSlope {
 public:
  void add_group(const std::vector<std::array<double, 2>>& points) {
    double x = 0, y = 0;
    for (const auto& p : points) {
      x += p[0] / static_cast<double>(points.size());
      y += p[1] / static_cast<double>(points.size());
    }
    for (const auto& p : points) {
      xx_ += (p[0] - x) * (p[0] - x);
      xy_ += (p[0] - x) * (p[1] - y);
    }
  }
  double value() const { return xy_ / xx_; }

 private:
  double xx_ = 0, xy_ = 0;
};

TEST_P(ConvergenceInStep, ErrorsFallWithTheStepByTheOrder) {
  for (const Known& known : five_motions()) {
    SCOPED_TRACE(known.name);
    const System system(known.model);
    std::vector<std::array<double, 2>> points;
    for (double wanted = 6; wanted < 10'000; wanted *= std::numbers::sqrt2) {
      const double steps = std::round(wanted);
      MotionOptions options;
      options.integrator = method().integrator;
      options.step = known.until / steps;
      options.absolute_tolerance = any_error;
      const Outcome got = outcome(system, known, options);
      ASSERT_GE(got.steps, steps);
      ASSERT_LE(got.steps, steps + 8);       // adaptive methods begin with a few shorter steps
      if (got.error < 4e-15 * steps) break;  // rounding of each step mixes with the error of the method
      points.push_back({std::log(steps), std::log(got.error)});
    }
    ASSERT_GE(points.size(), 4u);
    if (points.size() > 5) points.erase(points.begin(), points.end() - 5);  // the finest show the order
    CommonSlope slope;
    slope.add_group(points);
    // The next power of the step spoils the slope by less than this; a method that lost an order misses by
    // one.
    EXPECT_LT(slope.value(), -(method().order - 0.5));
  }
}

TEST_P(ConvergenceInWork, WorkBuysAccuracyAtTheRateOfTheOrder) {
  // One slope for all five motions: single ones scatter, since the error at one end may vanish by chance.
  CommonSlope slope;
  for (const Known& known : five_motions()) {
    const System system(known.model);
    std::vector<std::array<double, 2>> points;
    for (double tolerance = 1e-4; tolerance > 5e-11; tolerance /= 10) {
      MotionOptions options;
      options.integrator = method().integrator;
      options.tolerance = tolerance;
      const Outcome got = outcome(system, known, options);
      points.push_back({std::log(static_cast<double>(got.evaluations)), std::log(got.error)});
    }
    slope.add_group(points);
  }
  // Extrapolation raises its order as more is asked, up to 20: over these tolerances it is beyond ten.
  const int order = method().name == "extrapolation" ? 11 : method().order;
  EXPECT_LT(slope.value(), -(order - 0.5));
  RecordProperty("slope", std::to_string(slope.value()));
}

}  // namespace
}  // namespace vinculum
