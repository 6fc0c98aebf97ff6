// A motion and what was looked at along it, by name.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "vinculum/motion/simulate.hpp"

namespace vinculum::test {

class Along {
 public:
  explicit Along(const Model& model, double until, int samples = 101, double tolerance = 1e-12)
      : system(model) {
    MotionOptions options;
    options.until = until;
    options.tolerance = tolerance;
    options.samples = samples;
    motion = simulate(system, options);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  }
  int size() const { return motion.size(); }
  double time(int i) const { return motion.times()[i]; }
  double output(int i, const std::string& name) const {
    return found(system.output_names(), motion[i].outputs, name);
  }
  double coordinate(int i, const std::string& name) const {
    return found(system.coordinate_names(), motion[i].q, name);
  }
  double velocity(int i, const std::string& name) const {
    return found(system.velocity_names(), motion[i].v, name);
  }
  double acceleration(int i, const std::string& velocity) const {
    return found(system.velocity_names(), motion[i].acceleration, velocity);
  }
  /// How far an output comes away from where it starts.
  double wanders(const std::string& name) const {
    double most = 0;
    for (int i = 0; i < size(); ++i) most = std::max(most, std::fabs(output(i, name) - output(0, name)));
    return most;
  }

  System system;
  Trajectory motion;

 private:
  static double found(const std::vector<std::string>& names, std::span<const double> values,
                      const std::string& name) {
    const auto at = std::ranges::find(names, name);
    if (at != names.end()) return values[at - names.begin()];
    ADD_FAILURE() << "nothing is called " << name;
    return NAN;
  }
};

}  // namespace vinculum::test
