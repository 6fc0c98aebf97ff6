// vinculum run: the motion, its summary, its files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/commands.hpp"
#include "cli/load.hpp"
#include "cli/outputs.hpp"
#include "cli/study.hpp"
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

/// run.csv of one principle has run-vakonomic.csv of the other beside it, and a folder a folder.
std::string beside_it(std::string path, const std::string& word) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::filesystem::path place(path);
  return (place.parent_path() / (place.stem().string() + "-" + word + place.extension().string())).string();
}

Options for_other(const Options& options, const std::string& word) {
  Options other = options;
  other.report.clear();
  other.picture.clear();
  for (std::string& path : other.out) path = beside_it(path, word);
  return other;
}

/// The motion by the principle that the model does not state, with its files, which are opened at once.
class OtherMotion {
 public:
  OtherMotion(const Loaded& model, const Options& options)
      : model_(model),
        vakonomic_(model.system.mechanics() != Mechanics::vakonomic),
        other_{{model.file, System(by_other_principle(model.file.model)), model.start}, model.overrides},
        options_(for_other(options, vakonomic_ ? "vakonomic" : "dalembert")),
        outputs_(other_, options_) {}

  Comparison compare() {
    MotionOptions both = motion_options(model_, options_);
    both.progress = [](const Progress&) { return !asked_to_stop(); };
    Comparison c = compare_principles(model_.file.model, model_.start, both);
    verify_as_asked(other_, both, options_, of(c));
    return c;
  }
  bool write(Comparison& c) {
    if (!outputs_.streamed()) return true;
    other_.start = of(c).first;
    MotionOptions how = motion_options(other_, options_);
    how.sink = [this](const Sample& sample) { outputs_.append(sample); };
    how.kept = outputs_.kept();
    const Trajectory motion = compute(other_, how, options_);
    return outputs_.write(motion, motion, run_json(other_.system, motion, options_.model));
  }

 private:
  Trajectory& of(Comparison& c) const { return (vakonomic_ ? c.vakonomic : c.dalembert).motion; }
  const Loaded& model_;
  bool vakonomic_;
  Loaded other_;
  Options options_;
  Outputs outputs_;
};

}  // namespace

int run(const Options& asked) {
  const std::optional<Options> told = asked.member ? said_of_member(asked) : std::optional(asked);
  if (!told) return bad_usage;
  const Options& options = *told;
  auto model = load(options, true);
  if (!model || !says_until_when(model->file.simulate, options.model)) return bad_usage;
  catch_interrupts();  // from here on there is something to lose
  Outputs outputs(*model, options);
  std::optional<OtherMotion> other;
  if (options.compare) other.emplace(*model, options);
  MotionOptions how = motion_options(*model, options);
  std::optional<BoundaryStart> boundary;
  if (options.end) boundary = start_for_end(*model, how, options);
  how.sink = [&outputs](const Sample& sample) { outputs.append(sample); };
  how.kept = outputs.kept();
  if (!outputs.any()) how.samples = 1;  // only the end is shown
  const bool even = how.samples == 0 && outputs.drawn();
  if (even && !outputs.streamed()) how.samples = smooth(how.kept);
  const bool begins = !boundary || boundary->found;
  Trajectory motion = begins ? compute(*model, how, options) : without_start(*model, *boundary);
  if (begins && boundary) {
    judge_end(model->system, motion, *boundary);
    motion.notes.push_back(boundary->text);
  }
  verify_as_asked(*model, how, options, motion);
  std::optional<Comparison> both;
  if (other && begins) both = other->compare();
  const Comparison* comparison = both ? &*both : nullptr;
  if (options.json) motion.notes.insert(motion.notes.begin(), model->notes.begin(), model->notes.end());
  const std::string json =
      run_json(model->system, motion, options.model, {boundary ? &*boundary : nullptr, comparison});
  const bool apart = even && outputs.streamed();
  bool written =
      outputs.write(motion, apart ? drawn_apart(*model, how, options, motion) : motion, json, comparison);
  if (both) written = other->write(*both) && written;
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
