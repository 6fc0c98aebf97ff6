// vinculum run: the motion, its summary, its files.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/outputs.hpp"
#include "cli/terminal.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum::cli {

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
  Trajectory motion = compute(*model, how, options);
  verify_as_asked(*model, how, options, motion);
  const std::string json = run_json(model->system, motion, options.model);
  const bool written = outputs.write(motion, json);
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
