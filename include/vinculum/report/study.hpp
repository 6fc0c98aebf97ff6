// What came of a study: a page to read, and the same as JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/device/run_on_device.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum {

/// How a member ended, in the words of the contract; `model` where no model has its values.
VINCULUM_EXPORT std::string_view member_status(const MemberEnd& end);
/// Those words, and which ends they stand for, in a fixed order.
VINCULUM_EXPORT const std::vector<MemberEnd>& member_ends();

/// All that is told of a study.
struct StudySummary {
  std::string model, title;
  const Study* study = nullptr;
  std::vector<std::string> kept;
  Tally::Sum sum = {};
  bool complete = true;
  std::vector<std::string> notes = {};
  std::optional<DeviceReport> device = {};  ///< where one stepped them
};
VINCULUM_EXPORT std::string study_page(const StudySummary& summary);
VINCULUM_EXPORT std::string study_json(const StudySummary& summary);

}  // namespace vinculum
