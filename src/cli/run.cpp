// vinculum run: the motion, its summary, its files.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "vinculum/analysis/summary.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/json.hpp"
#include "vinculum/report/page.hpp"
#include "vinculum/report/picture.hpp"

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

RunRecord record_of(const Loaded& model) {
  const SimulateSettings& s = model.file.simulate;
  RunRecord record;
  record.title = model.file.title;
  record.description = model.file.description;
  record.path = model.file.path;
  record.text = model.file.text;
  record.version = VINCULUM_VERSION;
  record.settings = {{"from", number_text(s.from)},
                     {"until", number_text(s.until.value_or(s.from))},
                     {"tolerance", number_text(s.tolerance)},
                     {"integrator", s.integrator}};
  if (s.step > 0) record.settings.emplace_back("step", number_text(s.step));
  if (s.samples > 0) record.settings.emplace_back("samples", std::to_string(s.samples));
  for (const auto& [name, value] : model.overrides) record.settings.emplace_back("set " + name, value);
  return record;
}

/// Hours of computing must not end with a folder that is not there.
void require_folder(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  std::error_code trouble;
  if (!parent.empty() && !fs::is_directory(parent, trouble))
    fail(fmt::format("cannot write '{}': there is no folder '{}'", path, parent.string()));
  if (fs::is_directory(path, trouble)) fail(fmt::format("cannot write '{}': this is a folder", path));
}

enum class OutKind { csv, hdf5, folder };
OutKind kind_of(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".csv") return OutKind::csv;
  if (extension == ".h5" || extension == ".hdf5") return OutKind::hdf5;
  if (!extension.empty() && !fs::is_directory(path))
    fail(fmt::format("--out {}: files end with .csv or .h5; a name without an ending is a folder", path));
  return OutKind::folder;
}

/// The model is not overwritten by its results, nor one result by another.
void require_apart(const Options& options) {
  std::vector<std::string> places = options.out;
  for (const std::string& path : {options.report, options.picture})
    if (!path.empty()) places.push_back(path);
  std::error_code ignored;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const fs::path place = fs::weakly_canonical(fs::absolute(places[i]), ignored);
    if (fs::equivalent(place, options.model, ignored))
      fail(fmt::format("cannot write '{}': this is the model", places[i]));
    const bool file = !fs::exists(place, ignored) || fs::is_regular_file(place, ignored);
    for (std::size_t k = 0; k < i && file; ++k)
      if (fs::weakly_canonical(fs::absolute(places[k]), ignored) == place)
        fail(fmt::format("cannot write '{}': two results would have the same place", places[i]));
  }
}

void require_places(const Options& options) {
  require_apart(options);
  for (const std::string& path : options.out) {
    if (kind_of(path) != OutKind::folder) {
      require_folder(path);
      continue;
    }
    std::error_code trouble;
    fs::create_directories(path, trouble);
    if (trouble) fail(fmt::format("cannot make the folder '{}': {}", path, trouble.message()));
  }
  for (const std::string& path : {options.report, options.picture})
    if (!path.empty()) require_folder(path);
}

void write_all(const Loaded& model, const Trajectory& motion, const Options& options,
               const std::string& json) {
  const RunRecord record = record_of(model);
  const auto tell = [&](const std::string& path) {
    if (!options.quiet) say("note", "wrote " + path);
  };
  for (const std::string& path : options.out) {
    const OutKind kind = kind_of(path);
    if (kind == OutKind::csv) write_csv(path, model.system, motion, record);
    if (kind == OutKind::hdf5) write_hdf5(path, model.system, motion, record);
    if (kind == OutKind::folder) {
      const fs::path folder(path);
      write_file((folder / "model.toml").string(), model.file.text);
      write_file((folder / "result.json").string(), json);
      write_csv((folder / "trajectory.csv").string(), model.system, motion, record);
      write_hdf5((folder / "trajectory.h5").string(), model.system, motion, record);
    }
    tell(path);
  }
  if (options.report.empty() && options.picture.empty()) return;
  const View view = complete_view(model.file.model, model.file.view);
  if (!options.report.empty()) {
    write_file(options.report, page(model.file.model, model.system, view, motion, record));
    tell(options.report);
  }
  if (!options.picture.empty()) {
    PictureOptions how;
    how.title = model.file.title.empty() ? fs::path(options.model).filename().string() : model.file.title;
    write_file(options.picture, picture(model.file.model, view, motion, how));
    tell(options.picture);
  }
}

/// A full disk must not take the result along that can still be shown.
bool try_to_write(const Loaded& model, const Trajectory& motion, const Options& options,
                  const std::string& json) {
  try {
    write_all(model, motion, options, json);
    return true;
  } catch (const Error& e) {
    say("error", e.what());
    return false;
  }
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
  require_places(options);
  MotionOptions how = motion_options(*model, options);
  const bool recorded = !options.out.empty() || !options.report.empty() || !options.picture.empty();
  if (!recorded) how.samples = 1;  // only the end is shown
  Trajectory motion = compute(*model, how, options);
  verify_as_asked(*model, how, options, motion);
  const std::string json = run_json(model->system, motion, options.model);
  const bool written = try_to_write(*model, motion, options, json);
  bool heard = true;
  if (options.json)
    heard = print(json);
  else if (!options.quiet)
    heard = print((model->file.title.empty() ? "" : harmless(model->file.title) + "\n") +
                  summary(model->system, motion));
  if (!heard) {
    say("error", unheard);
    return not_computed;
  }
  if (motion.stop == Stop::end || motion.stop == Stop::event) return written ? done : not_computed;
  say("error", fmt::format("{}: {}", options.model, motion.reason));
  return not_computed;
}

}  // namespace vinculum::cli
