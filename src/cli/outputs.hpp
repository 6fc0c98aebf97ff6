// The files of a run.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/motion/compare.hpp"

namespace vinculum::cli {

/// A page that cannot be written where --report says, or would take the place of something else: an error.
void require_report_place(const Options& options);

/// Everything a run was asked to write. Each output stands for itself: one that fails is told of and takes no
/// other along.
class Outputs {
 public:
  /// Opens them. A place that cannot be written to is refused (an error), before hours of computing.
  Outputs(const Loaded& model, const Options& options);
  /// What was recorded and could not be finished stays in its partial files.
  ~Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  /// A page or a picture is asked for; results besides.
  bool drawn() const { return !options_.report.empty() || !options_.picture.empty(); }
  bool streamed() const { return !streams_.empty(); }
  bool any() const { return !streams_.empty() || drawn(); }
  /// How many instants a trajectory should keep for the page and the picture.
  int kept() const;
  void append(const Sample& sample);
  /// Tries all of them; false where one failed, now or on the way.
  /// `curves` is the motion as it is drawn.
  bool write(const Trajectory& motion, const Trajectory& curves, const std::string& json,
             const Comparison* comparison = nullptr);

 private:
  struct Output {
    std::string path;
    std::unique_ptr<ResultStream> stream;  // none when it has failed, or is finished
  };
  template <class Action>
  bool attempt(const std::string& path, Action action);
  void give_up(Output& output);
  void say_written(const std::string& path) const;

  const Loaded& model_;
  const Options& options_;
  RunRecord record_;
  std::vector<Output> streams_;
  bool failed_ = false;
};

}  // namespace vinculum::cli
