// The page of a study.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "vinculum/report/study_report.hpp"

namespace vinculum::cli {

inline constexpr long motions_unless_said = 24;

/// What --report asks for, where it does: members are gathered as they come, the page is written at the end.
class StudyPage {
 public:
  /// A place that cannot be written to is refused (an error), before anything is computed.
  StudyPage(const Options& options, const Study& study, const std::vector<std::string>& kept);
  void add(std::span<const MemberRow> rows);
  /// Computes the motions that the page replays, as many at once as the study does; Ctrl-C leaves them out.
  /// False where the page could not be written, which is told.
  bool write(const Family& family, const RunRecord& record, const StudySummary& summary) const;

 private:
  MemberCommand command(const Family& family, bool complete) const;
  std::vector<ShownMember> motions(const Family& family, const RunRecord& record, const StudySummary& summary,
                                   std::vector<std::string>& told) const;
  const Options& options_;
  std::vector<std::size_t> told_;          // of what is kept, see told_one_by_one
  std::optional<StudyPortrait> portrait_;  // none where no page is asked for
};

}  // namespace vinculum::cli
