// The members of a study on a device, one thread each, with the engine behind them.
#pragma once
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/device/device.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {

/// Why members like this one cannot be stepped on a device, each reason with its name; empty where they can.
/// Its system is the one that members share; how it moves holds for all of them, but for numbers.
VINCULUM_EXPORT std::vector<std::string> why_not_on_device(const Member& example,
                                                           const std::vector<std::string>& kept);

/// What was computed where.
struct DeviceReport {
  std::string device;
  long stepped = 0;      ///< members there, from the first step to the last
  double steps = 0.0;    ///< all of theirs
  double seconds = 0.0;  ///< in which it made them
  /// Members that the engine computed instead: refused before they began, other systems, steps that failed or
  /// rows that nearly depend on each other.
  long by_engine = 0;
  long compared = 0;        ///< members that the engine computed as well
  double difference = 0.0;  ///< the largest of theirs, in units of the tolerance
  long differs_most = -1;   ///< that member
  long differs_in_end = 0;  ///< members that ended otherwise
};

/// As run_study; what cannot run there at all is an Error with the reasons. A few members, spread over the
/// study, are computed by the engine as well and compared.
VINCULUM_EXPORT bool run_on_device(const Study& study, const MemberMaker& make, const Member& example,
                                   const std::vector<std::string>& kept, const RowSink& sink,
                                   const StudyOptions& options, Device& device, DeviceReport& report);

}  // namespace vinculum
