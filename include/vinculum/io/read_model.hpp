// A model file: TOML text in, a model and its settings out, or every fault of the text at once.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/base/export.hpp"
#include "vinculum/ensemble/study.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/report/record.hpp"
#include "vinculum/report/view.hpp"
#include "vinculum/system/parameters.hpp"

namespace vinculum {

/// What `[simulate]` says.
struct SimulateSettings {
  double from = 0.0;
  std::optional<double> until;
  double tolerance = 1e-9;
  double absolute_tolerance = 0.0;  ///< 0: none
  double step = 0.0;
  double closure = 1e-8;  ///< 0: loops close to rounding
  int samples = 0;
  Integrator integrator = Integrator::automatic;
};

/// The same as stated: numbers, or expressions of parameters. What was not stated is as in SimulateSettings.
struct SimulateStated {
  std::optional<Expr> from, until, tolerance, absolute_tolerance, step, closure, samples;
};
/// The options of a motion as the file wants it.
VINCULUM_EXPORT MotionOptions motion_options(const SimulateSettings& settings);

/// What `[ensemble]` says.
struct EnsembleSettings {
  Study study;
  std::vector<std::string> keep;
  std::string table;                 ///< a file beside the model; see read_table()
  std::vector<std::string> columns;  ///< of it; all where there are none
};

/// A model file that was read without a fault.
struct ModelFile {
  std::string title, description;
  std::string path, text;
  Model model;
  View view;
  Units units;
  SimulateSettings simulate;
  SimulateStated simulate_stated;
  EnsembleSettings ensemble;  ///< nothing varies where it is not stated
  std::vector<std::string> warnings;
};

struct Fault {
  Place place;
  std::string text;
  std::size_t at = 0;  ///< offset in all that was read: for the order of faults
};
/// Either a model or the faults, in the order of the text.
struct ReadResult {
  std::optional<ModelFile> file;
  std::vector<Fault> faults;
};

/// name -> value or expression, as given by `--set`.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// What files of results say of where they come from.
VINCULUM_EXPORT RunRecord record_of(const ModelFile& file, const Overrides& overrides = {});

/// Whether parameters may be left without value (`m = "?"`) and functions of time without expression
/// (`alpha = "?(t)"`): for equations in symbols.
enum class OpenNames { refused, allowed };

/// The text of a file that a model includes, or why there is none. Paths have no `..` in them and do not
/// begin with `/`.
struct IncludedText {
  std::optional<std::string> text;
  std::string why;
};
using IncludeFiles = std::function<IncludedText(const std::string& path)>;
/// The files in the folder of a model and below it; nothing that a link leads to elsewhere.
VINCULUM_EXPORT IncludeFiles files_beside(const std::string& model_path);

/// Reads a model from its text; `path` is only for messages. No file is read but by `files`: without it a
/// model includes none.
VINCULUM_EXPORT ReadResult read_model(std::string_view text, const std::string& path,
                                      const Overrides& overrides = {}, OpenNames open = OpenNames::refused,
                                      const IncludeFiles& files = {});

/// What `[simulate]` says for other values of parameters. One that it cannot have is an error in the words of
/// the reader.
VINCULUM_EXPORT SimulateSettings settings_with(const ModelFile& file, const Parameters& parameters);

/// Reads the bytes of a file, refusing what cannot be a model (a folder, too large, NUL bytes): the fault
/// says so.
VINCULUM_EXPORT std::optional<std::string> read_text(const std::string& path, std::vector<Fault>& faults);

}  // namespace vinculum
