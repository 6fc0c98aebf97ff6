// The page of a study: one file that opens from disk without a network.
#pragma once
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/portrait.hpp"
#include "vinculum/report/record.hpp"
#include "vinculum/report/study.hpp"
#include "vinculum/report/view.hpp"

namespace vinculum {

/// A member with its motion, which the page replays.
struct ShownMember {
  long member = 0;
  std::string why;   ///< it is shown: "the largest pull.max"; "" where it is one of many
  std::string data;  ///< shown_motion()
};
/// A motion as the page of a study holds it, in few instants.
VINCULUM_EXPORT std::string shown_motion(const Model& model, const System& system, const View& view,
                                         const Trajectory& motion, const Units& units);
inline constexpr int instants_shown = 301;  ///< that are worth recording for it

/// How a reader computes a member that the page does not show: the words of a shell.
struct MemberCommand {
  std::string before;  ///< its number, or its values
  std::string after;
  bool by_values = false;           ///< --set and --start say the member, not its number
  std::string start = {};           ///< said for every member, before its own
  std::vector<char> is_start = {};  ///< of what varies: a start, not a parameter
};

struct StudyReport {
  StudySummary summary;
  RunRecord record;
  const StudyPortrait* portrait = nullptr;
  std::vector<ShownMember> shown = {};
  MemberCommand command;
  std::vector<std::string> told = {};  ///< what the page does not have, and why
};
/// Histograms over all members; those that the portrait holds as points; the motions of some.
VINCULUM_EXPORT std::string study_report(const StudyReport& report);

}  // namespace vinculum
