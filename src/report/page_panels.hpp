// The plots of a report: which series stand together, under which names.
#pragma once
#include <string>
#include <vector>

#include "vinculum/motion/compare.hpp"

namespace vinculum {

/// One plot. Every series has a value for each recorded instant, or for each of `times` where it has its own.
struct Panel {
  std::string key, title, note = {};
  std::vector<double> times = {};
  bool logarithmic = false;
  std::vector<std::string> names = {};
  std::vector<std::vector<double>> series = {};
  /// Series to begin with in a drawer: they say little to most readers. Empty: none.
  std::vector<char> folded = {};
  double bound = 0;  ///< what the values should stay below; 0: nothing
};

std::vector<Panel> panels_of(const System& system, const Trajectory& motion);
/// Every coordinate by both principles, as far as both motions come.
Panel both_principles(const Comparison& comparison);

}  // namespace vinculum
