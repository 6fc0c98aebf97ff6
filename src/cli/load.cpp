// A model from its file, with all its faults.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/load.hpp"
#include "cli/terminal.hpp"
#include "vinculum/analysis/principles.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/io/faults.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/motion/verify.hpp"

namespace vinculum::cli {

void report(const std::string& file, const std::vector<Fault>& faults) {
  const std::size_t shown = std::min(faults.size(), most_faults_shown);
  for (std::size_t k = 0; k < shown; ++k) say_plain(Error(faults[k].text, faults[k].place).what());
  if (const std::size_t more = faults.size() - shown; more > 0)
    say_plain(fmt::format("{}: and {} more fault{}; the first {} are shown", file, more, more == 1 ? "" : "s",
                          shown));
}

std::optional<Overrides> overrides_of(const Options& options) {
  Overrides overrides;
  for (const std::string& text : options.set) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0) {
      say("error", fmt::format("--set {}: write it as name=value, for example --set L=2", text));
      return std::nullopt;
    }
    overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return overrides;
}

namespace {

/// The road of all kernels of this program.
bool choose_kernels(const std::string& name) {
  if (name != "native" && name != "interpret") {
    say("error", fmt::format("--kernels {}: kernels are native or interpret", name));
    return false;
  }
  choose_kernel_road(name == "native" ? KernelRoad::native : KernelRoad::interpret);
  return true;
}

bool names_an_integrator(const Options& options) {
  if (options.integrator.empty() || integrator_named(options.integrator)) return true;
  std::vector<std::string> known;
  for (const IntegratorInfo& i : integrators()) known.push_back(i.name);
  const std::string near = nearest_name(options.integrator, known);
  say("error", fmt::format("--integrator {}: integrators are {}{}", options.integrator, list_text(known),
                           near.empty() ? "" : " (did you mean '" + near + "'?)"));
  return false;
}

}  // namespace

constexpr int most_samples = 10'000'000;

/// Checked as the file's own settings are.
bool settings_are_fine(const Options& options) {
  if (!choose_kernels(options.kernels) || !names_an_integrator(options)) return false;
  const auto refuse = [](const char* option, double value, const std::string& rule) {
    say("error", fmt::format("{} {}: it must {}", option, number_text(value), rule));
    return false;
  };
  if (options.until && !std::isfinite(*options.until))
    return refuse("--until", *options.until, "be a finite time");
  if (options.time && !std::isfinite(*options.time))
    return refuse("--time", *options.time, "be a finite time");
  if (options.tolerance && !(*options.tolerance > 0 && *options.tolerance < 1))
    return refuse("--tolerance", *options.tolerance, "lie between 0 and 1");
  if (options.absolute_tolerance &&
      !(*options.absolute_tolerance > 0 && std::isfinite(*options.absolute_tolerance)))
    return refuse("--absolute-tolerance", *options.absolute_tolerance, "be positive and finite");
  if (options.step && !(*options.step > 0 && std::isfinite(*options.step)))
    return refuse("--step", *options.step, "be positive");
  if (options.closure && !(*options.closure >= 0 && *options.closure < 1))
    return refuse("--closure", *options.closure, "lie between 0 and 1");
  if (options.samples && (*options.samples < 1 || *options.samples > most_samples))
    return refuse("--samples", *options.samples, fmt::format("lie between 1 and {}", most_samples));
  return true;
}

void apply_settings(const Options& options, SimulateSettings& s) {
  s.integrator = integrator_named(options.integrator).value_or(s.integrator);
  if (options.until) s.until = options.until;
  if (options.tolerance) s.tolerance = *options.tolerance;
  if (options.absolute_tolerance) s.absolute_tolerance = *options.absolute_tolerance;
  if (options.step) s.step = *options.step;
  if (options.closure) s.closure = *options.closure;
  if (options.samples) s.samples = *options.samples;
}

bool has_its_step(const SimulateSettings& s) {
  for (const IntegratorInfo& i : integrators())
    if (i.integrator == s.integrator && !i.adaptive && !(s.step > 0)) {
      say("error",
          fmt::format("'{}' has a fixed step: say which, by 'step' in [simulate] or --step", i.name));
      return false;
    }
  return true;
}

bool says_until_when(const SimulateSettings& s, const std::string& model) {
  if (!s.until)
    say("error",
        fmt::format("'{}' does not say until when: give 'until' in [simulate], or --until T", model));
  return s.until.has_value();
}

namespace {

/// The file of the model with what the command line changed, or its faults are told.
std::optional<ModelFile> read_file(const Options& options, const Overrides& overrides, OpenNames open) {
  std::vector<Fault> faults;
  const auto text = read_text(options.model, faults);
  ReadResult result;
  std::vector<Remark> remarks;
  if (text && is_robot_file(options.model))
    result = read_robot(*text, options.model, overrides, open, remarks);
  else if (text)
    result = read_model(*text, options.model, overrides, open, files_beside(options.model));
  else
    for (Fault& fault : result.faults = std::move(faults))
      if (std::error_code ignored; !std::filesystem::exists(options.model, ignored))
        fault.text += meant_instead_of(options.model);
  if (!result.file) {
    report(options.model, result.faults);
    return std::nullopt;
  }
  if (!options.quiet) say_remarks(remarks);
  if (!options.quiet)
    for (const std::string& warning : result.file->warnings) say("warning", warning);
  if (!settings_are_fine(options)) return std::nullopt;
  apply_settings(options, result.file->simulate);
  if (!has_its_step(result.file->simulate)) return std::nullopt;
  return std::move(result.file);
}

}  // namespace

std::optional<ModelFile> read_model_file(const Options& options, const Overrides& overrides) {
  return read_file(options, overrides, OpenNames::refused);
}

Reading reading_again(const Options& options, const Overrides& overrides) {
  std::vector<Fault> faults;
  const auto bytes = read_text(options.model, faults);
  if (!bytes) fail(faults.front().text, faults.front().place);
  return [options, text = *bytes, overrides](const Overrides& values) {
    Overrides all = overrides;
    all.insert(all.end(), values.begin(), values.end());
    std::vector<Remark> ignored;
    ReadResult result =
        is_robot_file(options.model)
            ? read_robot(text, options.model, all, OpenNames::refused, ignored)
            : read_model(text, options.model, all, OpenNames::refused, files_beside(options.model));
    if (!result.file) fail(result.faults.front().text, result.faults.front().place);
    apply_settings(options, result.file->simulate);
    return std::move(*result.file);
  };
}

int expand(const Options& options) {
  const auto overrides = overrides_of(options);
  if (!overrides) return bad_usage;
  std::vector<Fault> faults;
  const auto text = read_text(options.model, faults);
  ExpandResult result{std::nullopt, std::move(faults)};
  if (text) result = expand_model(*text, options.model, *overrides, files_beside(options.model));
  if (result.text) return print(*result.text) ? done : not_computed;
  report(options.model, result.faults);
  return bad_usage;
}

std::optional<ModelFile> load_for_derive(const Options& options) {
  const auto overrides = overrides_of(options);
  if (!overrides) return std::nullopt;
  auto file = read_file(options, *overrides, OpenNames::allowed);
  if (!file || !file->model.open_names().empty()) return file;
  try {
    const System system(file->model);  // what cannot be compiled is told as everywhere
    return file;
  } catch (const Error& e) {
    say_plain(options.model + ":1:1: " + e.text());
    return std::nullopt;
  }
}

namespace {

/// What goes wrong then is the fault of the options.
bool can_be_compiled(const Model& model) {
  try {
    const System system(model);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::optional<Loaded> load(const Options& options, bool living) {
  const auto overrides = overrides_of(options);
  if (!overrides) return std::nullopt;
  auto file = read_file(options, *overrides, OpenNames::refused);
  if (!file) return std::nullopt;
  std::optional<Model> stated;
  if (options.start) stated = file->model;
  try {
    BeginOptions how{.assemble = options.assemble};
    if (options.start) how.starts = read_named(*options.start);
    if (living) how.living = living_of(*file, *overrides);
    Loaded loaded{begin(std::move(*file), how), *overrides};
    if (!options.quiet)
      for (const std::string& note : loaded.notes) say("note", note);
    return loaded;
  } catch (const Error& e) {
    if (stated && can_be_compiled(*stated))
      say("error", fmt::format("--start {}: {}", *options.start, e.text()));
    else
      say_plain(options.model + ":1:1: " + e.text());
    return std::nullopt;
  }
}

std::vector<std::string> living_of(const ModelFile& file, const Overrides& overrides) {
  std::vector<std::string> names;
  for (const auto& [name, value] : overrides) names.push_back(name);
  std::vector<std::string> living = parameters_among(file.model, names);
  std::ranges::sort(living);  // the same system in whatever order they were given
  return living;
}

MotionOptions motion_options(const Loaded& model, const Options&) {
  return motion_options(model.file.simulate);
}

Trajectory compute(const Loaded& model, const MotionOptions& wanted, const Options& options) {
  MotionOptions motion = wanted;
  ProgressBar bar(!options.quiet);
  catch_interrupts();
  motion.progress = [&bar](const Progress& p) {
    bar.show(p);
    return !asked_to_stop();
  };
  return simulate(model.system, model.start, motion);
}

void verify_as_asked(const Loaded& model, const MotionOptions& how, const Options& options,
                     Trajectory& motion) {
  if (options.no_verify) {
    motion.verification.text = "left out by --no-verify";
    return;
  }
  MotionOptions again = how;
  ProgressBar bar(!options.quiet);
  again.progress = [&bar](const Progress& p) {
    bar.show(p);
    return !asked_to_stop();
  };
  motion.verification =
      options.verify ? verify(model.system, motion, again) : verify(model.system, motion, again, small_work);
  const bool moved =
      (motion.stop == Stop::end || motion.stop == Stop::event) && motion.last.t != motion.first.t;
  if (motion.verification.outcome == Verification::Outcome::not_made && moved && !options.verify &&
      !asked_to_stop())
    motion.verification.text += "; --verify does it";
}

}  // namespace vinculum::cli
