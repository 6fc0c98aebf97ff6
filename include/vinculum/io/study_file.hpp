// Members of a study on disk.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/run_study.hpp"
#include "vinculum/report/record.hpp"

namespace vinculum {

/// What a file of members says of where they come from.
struct StudyRecord {
  RunRecord run;  ///< of the model as it stands
  std::vector<std::string> varied, kept;
  long count = 0;
  /// All that decides what a member is, in words of any kind: only a study of which this is the same goes on
  /// with a file.
  std::string identity;
};

/// Members on their way to a file. They stand in `path.partial` within a second or so, in the order in which
/// they came, which can be read at any moment and is left when the program ends before they are complete,
/// however that happens. In the file itself they are in the order of their numbers.
class VINCULUM_EXPORT StudyFile {
 public:
  virtual ~StudyFile();
  /// Those that were there when the file was opened, and their numbers.
  virtual const Members& there() const = 0;
  virtual void recall(const RowSink& sink) = 0;
  virtual void append(std::span<const MemberRow> rows) = 0;
  virtual void flush() = 0;
  /// Puts the result in place, whole. `summary` is the study in JSON, for those who keep it.
  virtual void finish(const std::string& summary) = 0;
};

/// FILE.csv: one line for each member under a line of names: `member`, what varied, what is kept, `status`.
/// FILE.h5 (or .hdf5): /status with its words in the attribute `names`; /varied/NAME and /kept/NAME, a number
/// for each member; /settings; attributes of / as those of a run, `summary` and `complete` besides. Its
/// partial file has the same rows in the matrix /samples with the columns' /names. With `resume` members in a
/// partial file that is there are gone on with.
VINCULUM_EXPORT std::unique_ptr<StudyFile> open_study_file(const std::string& path, const StudyRecord& record,
                                                           bool resume);
/// Whether a study was left unfinished there.
VINCULUM_EXPORT bool has_partial_study(const std::string& path);
/// The members of a study that is complete. One of another study is an Error, and so is a table, which does
/// not say of which it is.
VINCULUM_EXPORT void recall_whole_study(const std::string& path, const StudyRecord& record,
                                        const RowSink& sink);
/// The place cannot be one of a study: an Error.
VINCULUM_EXPORT void require_study_place(const std::string& path);

/// One member as a file of a study has it.
struct MemberOfFile {
  std::vector<std::pair<std::string, double>> varied;
  std::vector<std::pair<std::string, std::string>> settings;
  std::string model_path, model;  ///< its path as it was given, and its text
};
/// From FILE.h5; CSV says too little. What is not there is an Error.
VINCULUM_EXPORT MemberOfFile member_of_file(const std::string& path, long member);

}  // namespace vinculum
