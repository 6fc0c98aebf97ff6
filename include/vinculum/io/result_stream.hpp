// Results that go to disk while they are computed.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/trajectory.hpp"
#include "vinculum/report/record.hpp"

namespace vinculum {

/// A file, or a folder, of results on its way. Every recorded instant goes to a partial file beside the place
/// (`name.partial-<process>-<its start>`) within a second or so, in a form that can be read at any moment: a
/// process that is killed leaves what it computed. finish() makes the result from it, whole, and puts it in
/// place; the partial file is then gone. Without finish() and leave() nothing stays. Whatever fails is an
/// error with path and reason.
class VINCULUM_EXPORT ResultStream {
 public:
  virtual ~ResultStream() = default;
  virtual void append(const Sample& sample) = 0;
  /// `json` is the result of the run, for those who keep it.
  virtual void finish(const Trajectory& motion, std::string_view json) = 0;
  /// For what cannot be finished: leaves the instants recorded so far in their partial file and tells its
  /// path;
  /// "" where there are none.
  virtual std::string leave() = 0;
};

/// The table of write_csv. While it grows, the partial file is the same table with status `running`.
VINCULUM_EXPORT std::unique_ptr<ResultStream> stream_csv(const std::string& path, const System& system,
                                                         const RunRecord& record);
/// The file of write_hdf5. While it grows, the partial file is an HDF5 file with one row for each instant in
/// `/samples` and the columns' names, those of the table, in `/names`.
VINCULUM_EXPORT std::unique_ptr<ResultStream> stream_hdf5(const std::string& path, const System& system,
                                                          const RunRecord& record);
/// A folder with model.toml, result.json, trajectory.csv and, where has_hdf5(), trajectory.h5. It is built in
/// a partial folder and exchanged with the old one, so that there is always the old one or the new one. Files
/// of others in the old folder stay: then, or where folders cannot be exchanged (a disk of its own, the
/// folder one works in), the files are renamed one after the other, and the partial folder is there until all
/// are.
VINCULUM_EXPORT std::unique_ptr<ResultStream> stream_folder(const std::string& path, const System& system,
                                                            const RunRecord& record);

}  // namespace vinculum
