#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cli/terminal.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/write_file.hpp"
#include "vinculum/report/page.hpp"
#include "vinculum/report/picture.hpp"

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

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

/// A page that is called .pdf would be opened by what cannot read it. A name without an ending may be a
/// device.
void require_ending(const std::string& path, const char* option, std::initializer_list<const char*> endings,
                    const char* way_out) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool known = std::ranges::any_of(endings, [&](const char* e) { return ending == e; });
  if (!path.empty() && !ending.empty() && !known) fail(fmt::format("{} {}: {}", option, path, way_out));
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

std::unique_ptr<ResultStream> open_stream(const std::string& path, const System& system,
                                          const RunRecord& record) {
  const OutKind kind = kind_of(path);
  if (kind == OutKind::folder && !has_hdf5())
    say("note", fmt::format("'{}' will have no trajectory.h5: vinculum was built without HDF5", path));
  if (kind == OutKind::folder) return stream_folder(path, system, record);
  require_folder(path);
  return kind == OutKind::csv ? stream_csv(path, system, record) : stream_hdf5(path, system, record);
}

}  // namespace

void require_report_place(const Options& options) {
  require_apart(options);
  require_ending(options.report, "--report", {".html", ".htm"},
                 "the report is a page, FILE.html; a browser prints it to PDF");
  if (!options.report.empty()) require_folder(options.report);
}

Outputs::Outputs(const Loaded& model, const Options& options)
    : model_(model), options_(options), record_(record_of(model.file, model.overrides)) {
  require_report_place(options);
  require_ending(options.picture, "--picture", {".svg"},
                 "the picture is a moving drawing, FILE.svg; the report, FILE.html, saves each plot as PNG");
  if (!options.picture.empty()) require_folder(options.picture);
  for (const std::string& path : options.out)
    streams_.push_back({path, open_stream(path, model.system, record_)});
}

Outputs::~Outputs() {
  for (Output& output : streams_) give_up(output);
}

/// As many as a page draws, several times over; of large systems fewer, but never less than a replay shows.
int Outputs::kept() const {
  if (!drawn()) return 2;
  const double numbers = static_cast<double>(model_.system.coordinate_names().size()) +
                         5.0 * static_cast<double>(model_.system.velocity_names().size()) +
                         2.0 * static_cast<double>(model_.system.row_names().size()) + 10;
  return static_cast<int>(std::clamp(6e7 / numbers, 600.0, 20000.0));
}

/// Does something for one output. What goes wrong is said, whatever it is.
template <class Action>
bool Outputs::attempt(const std::string& path, Action action) {
  try {
    action();
    return true;
  } catch (const std::bad_alloc&) {
    say("error", fmt::format("cannot write '{}': there is not enough memory", path));
  } catch (const std::exception& e) {
    say("error", e.what());
  }
  failed_ = true;
  return false;
}

void Outputs::give_up(Output& output) {
  if (!output.stream) return;
  const std::string left = output.stream->leave();
  output.stream.reset();
  if (!left.empty()) say("note", fmt::format("what was recorded for '{}' is in '{}'", output.path, left));
}

void Outputs::append(const Sample& sample) {
  for (Output& output : streams_)
    if (output.stream && !attempt(output.path, [&] { output.stream->append(sample); })) give_up(output);
}

void Outputs::say_written(const std::string& path) const {
  const std::vector<std::string> swept = sweep_partial(path);
  if (options_.quiet) return;
  say("note", "wrote " + path);
  for (const std::string& name : swept)
    say("note", fmt::format("removed '{}', which a run that was ended from outside had left", name));
}

bool Outputs::write(const Trajectory& motion, const Trajectory& curves, const std::string& json,
                    const Comparison* comparison) {
  for (Output& output : streams_) {
    if (!output.stream) continue;
    if (attempt(output.path, [&] { output.stream->finish(motion, json); })) {
      output.stream.reset();
      say_written(output.path);
    } else {
      give_up(output);
    }
  }
  const auto draw = [&](const std::string& path, auto drawing) {
    if (!path.empty() && attempt(path, [&] { write_file(path, drawing()); })) say_written(path);
  };
  const Model& stated = model_.file.model;
  const auto view = [&] { return complete_view(stated, model_.file.view); };
  draw(options_.report, [&] { return page(stated, model_.system, view(), curves, record_, comparison); });
  draw(options_.picture, [&] {
    PictureOptions how;
    how.title = model_.file.title.empty() ? fs::path(options_.model).filename().string() : model_.file.title;
    return picture(stated, view(), curves, how);
  });
  return !failed_;
}

}  // namespace vinculum::cli
