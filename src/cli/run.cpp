// vinculum run: the motion, its summary, its files.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/terminal.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum::cli {

namespace {

/// Without `samples` the files have every step. Steps of a high order are too far apart for curves: these
/// come from the polynomials of the steps, evenly spaced.
int smooth(int kept) { return std::min(kept, 6001); }

/// The same motion once more, to the bit: files have its steps, curves what is between them. One that did not
/// come to its end is drawn as it was recorded.
Trajectory drawn_apart(const Loaded& model, MotionOptions how, const Options& options,
                       const Trajectory& motion) {
  if (motion.stop != Stop::end && motion.stop != Stop::event) return motion;
  how.sink = nullptr;
  how.samples = smooth(how.kept);
  Trajectory curves = compute(model, how, options);
  if (curves.stop != motion.stop) return motion;  // interrupted
  curves.verification = motion.verification;
  return curves;
}

}  // namespace

int run(const Options& options) {
  const auto model = load(options);
  if (!model) return bad_usage;
  if (!model->file.simulate.until) {
    say("error",
        fmt::format("'{}' does not say until when: give 'until' in [simulate], or --until T", options.model));
    return bad_usage;
  }
  catch_interrupts();  // from here on there is something to lose
  Outputs outputs(*model, options);
  MotionOptions how = motion_options(*model, options);
  how.sink = [&outputs](const Sample& sample) { outputs.append(sample); };
  how.kept = outputs.kept();
  if (!outputs.any()) how.samples = 1;  // only the end is shown
  const bool even = how.samples == 0 && outputs.drawn();
  if (even && !outputs.streamed()) how.samples = smooth(how.kept);
  Trajectory motion = compute(*model, how, options);
  verify_as_asked(*model, how, options, motion);
  const std::string json = run_json(model->system, motion, options.model);
  const bool apart = even && outputs.streamed();
  const bool written =
      outputs.write(motion, apart ? drawn_apart(*model, how, options, motion) : motion, json);
  bool heard = true;
  if (options.json)
    heard = print_json(json);
  else if (!options.quiet)
    heard = print_page((model->file.title.empty() ? "" : harmless(model->file.title) + "\n") +
                       summary(model->system, motion));
  const bool reached = motion.stop == Stop::end || motion.stop == Stop::event;
  if (!reached) say("error", fmt::format("{}: {}", options.model, motion.reason));
  return heard && written && reached ? done : not_computed;
}

}  // namespace vinculum::cli
