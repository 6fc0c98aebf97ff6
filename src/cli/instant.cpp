// vinculum explain, check, derive: what is known without a motion.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/analysis/explain.hpp"
#include "vinculum/analysis/principles.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum::cli {
namespace {

Road road_from(const std::string& name) {
  for (const Road road : {Road::automatic, Road::fast, Road::robust, Road::lagrange, Road::gauss})
    if (name == road_name(road)) return road;
  fail("--road " + name + ": roads are automatic, fast, robust, lagrange and gauss");
}

/// What `text` says after an option; nothing where it was not given.
Named named_by(const char* option, const std::optional<std::string>& text) {
  try {
    return text ? read_named(*text) : Named();
  } catch (const Error& fault) {
    fail(std::string(option) + ": " + fault.text());
  }
}

/// The exit status of a result that was shown: "" for `reason` where all is well.
int conclude(const Options& options, bool heard, const std::string& reason) {
  if (!reason.empty()) say("error", fmt::format("{}: {}", options.model, reason));
  return heard && reason.empty() ? done : not_computed;
}

}  // namespace

int explain(const Options& options) {
  const Road road = road_from(options.road);
  const Question question{named_by("--try", options.trial), named_by("--family", options.h),
                          named_by("--weights", options.weights)};
  const auto model = load(options);
  if (!model) return bad_usage;
  // The start is a motion that ends where it begins: it is judged, and moved onto its constraints, the same
  // way.
  MotionOptions how = motion_options(*model, options);
  how.until = options.time.value_or(model->start.t);
  how.samples = 1;
  const Trajectory motion = compute(*model, how, options);
  const bool reached = motion.stop == Stop::end || motion.stop == Stop::event;
  SolveOptions solving;
  solving.road = road;
  const State& state = motion.last.q.empty() ? model->start : motion.last;
  const Instant instant = examine(model->file.model, model->system, state, solving, motion.passed_over);
  const Answer asked = answer(model->system, instant, question);
  const bool fine = reached && status_of(instant) == Stop::end;
  const std::string reason = !reached ? motion.reason : reason_of(model->system, instant);
  if (!options.quiet)
    for (const std::string& text : motion.notes) say("note", text);
  if (motion.stop == Stop::event && !options.quiet) say("note", motion.reason);
  bool heard = true;
  if (options.json)
    heard = print_json(explain_json(model->system, instant, motion.stop == Stop::end ? nullptr : &motion,
                                    motion.notes, asked));
  else if (!options.quiet)
    heard =
        print_page(vinculum::explain(model->system, instant) + answer_page(model->system, instant, asked));
  return conclude(options, heard, fine ? "" : reason);
}

int check(const Options& options) {
  const auto model = load(options);
  if (!model) return bad_usage;
  const CheckReport report =
      vinculum::check(model->file.model, model->system, model->start, motion_options(*model, options));
  bool heard = true;
  if (options.json)
    heard = print_json(check_json(model->system, report));
  else if (!options.quiet)
    heard = print_page(check_page(model->system, report));
  return conclude(options, heard, report.fine ? "" : report.reason);
}

int derive(const Options& options) {
  const auto file = load_for_derive(options);
  if (!file) return bad_usage;
  const Model& stated = file->model;
  const std::string title = file->title.empty() ? options.model : file->title;
  const auto format = format_named(options.format);
  if (!format) fail("--format " + options.format + ": formats are text, latex and c");
  const Derivation page = derivation(*format, stated, title, {.on_constraints = !options.off_constraints});
  const bool heard = options.json ? print_json(derive_json(*format, page)) : print_page(page.text);
  return conclude(options, heard, "");
}

}  // namespace vinculum::cli
