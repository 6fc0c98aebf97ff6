// vinculum run: the motion, its summary, its files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/terminal.hpp"
#include "vinculum/analysis/principles.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum::cli {

namespace {

bool reached(const Trajectory& motion) { return motion.stop == Stop::end || motion.stop == Stop::event; }

/// Without `samples` the files have every step. Steps of a high order are too far apart for curves: these
/// come from the polynomials of the steps, evenly spaced.
int smooth(int kept) { return std::min(kept, 6001); }

/// The same motion once more, to the bit: files have its steps, curves what is between them. One that did not
/// come to its end is drawn as it was recorded.
Trajectory drawn_apart(const Loaded& model, MotionOptions how, const Options& options,
                       const Trajectory& motion) {
  if (!reached(motion)) return motion;
  how.sink = nullptr;
  how.samples = smooth(how.kept);
  Trajectory curves = compute(model, how, options);
  if (curves.stop != motion.stop) return motion;  // interrupted
  curves.verification = motion.verification;
  return curves;
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::size_t first = text.find_first_not_of(" \t", from),
                      last = text.find_last_not_of(" \t", comma - 1);
    if (first < comma && last != text.npos) names.push_back(text.substr(first, last - first + 1));
    from = comma + 1;
  }
  return names;
}

/// The start that leads to the end asked for takes the place of the model's.
BoundaryStart start_for_end(Loaded& model, const MotionOptions& wanted, const Options& options) {
  BoundaryProblem problem;
  problem.end = read_named(*options.end);
  if (options.free) problem.free = names_in(*options.free);
  MotionOptions how = wanted;
  how.progress = [](const Progress&) { return !asked_to_stop(); };
  BoundaryStart found = find_start(model.system, model.start, how, problem);
  if (found.found) model.start = found.start;
  return found;
}

/// A motion that did not begin, because there was no start for its end.
Trajectory without_start(const Loaded& model, const BoundaryStart& sought) {
  Trajectory motion(model.system);
  motion.stop = sought.cancelled ? Stop::cancelled : Stop::start;
  motion.reason = sought.text;
  if (!sought.worst.empty()) motion.names = {sought.worst};
  motion.last = model.start;
  return motion;
}

/// run.csv of one principle has run.vakonomic.csv of the other beside it.
std::string beside_it(const std::string& path, const std::string& word) {
  const std::filesystem::path place(path);
  return (place.parent_path() / (place.stem().string() + "." + word + place.extension().string())).string();
}

/// The files of the motion by the other principle.
bool write_other(const Loaded& model, const Comparison& comparison, const Options& options) {
  if (options.out.empty()) return true;
  const bool vakonomic = model.system.mechanics() == Mechanics::vakonomic;
  Loaded other{model.file, System(by_other_principle(model.file.model)), model.start, model.overrides};
  other.start = (vakonomic ? comparison.dalembert : comparison.vakonomic).motion.first;
  Options beside = options;
  beside.report.clear();
  beside.picture.clear();
  for (std::string& path : beside.out) path = beside_it(path, vakonomic ? "dalembert" : "vakonomic");
  Outputs outputs(other, beside);
  MotionOptions how = motion_options(other, beside);
  how.sink = [&outputs](const Sample& sample) { outputs.append(sample); };
  how.kept = outputs.kept();
  const Trajectory motion = compute(other, how, beside);
  return outputs.write(motion, motion, run_json(other.system, motion, options.model));
}

Comparison compare(const Loaded& model, const MotionOptions& how, const Options& options) {
  MotionOptions both = how;
  both.progress = [](const Progress&) { return !asked_to_stop(); };
  Comparison c = compare_principles(model.file.model, model.start, both);
  Loaded other{model.file, System(by_other_principle(model.file.model)), model.start, model.overrides};
  Trajectory& motion = (model.system.mechanics() == Mechanics::vakonomic ? c.dalembert : c.vakonomic).motion;
  verify_as_asked(other, both, options, motion);
  return c;
}

}  // namespace

int run(const Options& options) {
  auto model = load(options);
  if (!model) return bad_usage;
  if (!model->file.simulate.until) {
    say("error",
        fmt::format("'{}' does not say until when: give 'until' in [simulate], or --until T", options.model));
    return bad_usage;
  }
  catch_interrupts();                                          // from here on there is something to lose
  if (options.compare) by_other_principle(model->file.model);  // where there is none, that is told first
  MotionOptions how = motion_options(*model, options);
  std::optional<BoundaryStart> boundary;
  if (options.end) boundary = start_for_end(*model, how, options);
  if (boundary && !boundary->found) {
    const Trajectory none = without_start(*model, *boundary);
    if (options.json) print_json(run_json(model->system, none, options.model, {&*boundary, nullptr}));
    say("error", fmt::format("{}: {}", options.model, none.reason));
    return not_computed;
  }
  Outputs outputs(*model, options);
  how.sink = [&outputs](const Sample& sample) { outputs.append(sample); };
  how.kept = outputs.kept();
  if (!outputs.any()) how.samples = 1;  // only the end is shown
  const bool even = how.samples == 0 && outputs.drawn();
  if (even && !outputs.streamed()) how.samples = smooth(how.kept);
  Trajectory motion = compute(*model, how, options);
  if (boundary) motion.notes.push_back(boundary->text);
  verify_as_asked(*model, how, options, motion);
  std::optional<Comparison> both;
  if (options.compare) both = compare(*model, motion_options(*model, options), options);
  const Comparison* comparison = both ? &*both : nullptr;
  const std::string json =
      run_json(model->system, motion, options.model, {boundary ? &*boundary : nullptr, comparison});
  const bool apart = even && outputs.streamed();
  bool written =
      outputs.write(motion, apart ? drawn_apart(*model, how, options, motion) : motion, json, comparison);
  if (both) written = write_other(*model, *both, options) && written;
  bool heard = true;
  if (options.json)
    heard = print_json(json);
  else if (!options.quiet)
    heard = print_page((model->file.title.empty() ? "" : harmless(model->file.title) + "\n") +
                       summary(model->system, motion) + (both ? "\n" + comparison_page(*both) : ""));
  if (!reached(motion)) say("error", fmt::format("{}: {}", options.model, motion.reason));
  const bool all =
      reached(motion) && (!both || (reached(both->dalembert.motion) && reached(both->vakonomic.motion)));
  return heard && written && all ? done : not_computed;
}

}  // namespace vinculum::cli
