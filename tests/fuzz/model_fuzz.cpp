// Any bytes as a model file: reading must end with a model or with faults, and what was read must compile,
// explain its start and move a few steps. A crash, a hang or a sanitizer's report is a bug; an Error that
// leaves read_model is one, too.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "vinculum/analysis/check.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/analysis/explain.hpp"
#include "vinculum/io/expand_model.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/report/json.hpp"

namespace {

constexpr std::string_view leg =
    "[components.leg]\nparameters = { l = 1, at = [0, 0, 0] }\nnames = { to = \"ground\" }\n"
    "[components.leg.particles.foot]\nmass = \"l\"\nposition = \"at\"\n";

/// The files a model may include: one, and itself. A path that leads elsewhere must never be asked for.
vinculum::IncludedText file_of(const std::string& path) {
  const std::string steps = "/" + path + "/";
  if (path.empty() || path.front() == '/' || steps.find("/../") != steps.npos) std::abort();
  if (path == "leg.toml") return {std::string(leg), ""};
  return {std::nullopt, "no such file"};
}

/// Faults are told with a place inside the text and a sentence.
void judge(const vinculum::ReadResult& result, std::string_view text) {
  if (result.file.has_value() == !result.faults.empty()) std::abort();
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const vinculum::Fault& fault : result.faults) {
    const bool inside = fault.place.file != "fuzz.toml" || fault.place.line <= lines;
    if (fault.text.empty() || fault.place.line < 1 || !inside || fault.place.column < 1) std::abort();
  }
}

/// A small text may be a large model: under the sanitizers that takes too long to be told from a hang.
constexpr std::size_t largest = 200'000;

/// A model in full is a model, and in full already.
void judge_full(const vinculum::ExpandResult& full) {
  if (!full.text) std::abort();
  const auto again = vinculum::expand_model(*full.text, "full.toml");
  if (!again.text || *again.text != *full.text) std::abort();
}

void use(const vinculum::ModelFile& file) {
  using namespace vinculum;
  try {
    if (file.model.velocities().size() > 200 || file.model.constraints().size() > 200) return;
    const System system(file.model);
    State start = system.start();
    start.t = file.simulate.from;
    if (system.velocity_names().size() > 30 || system.row_names().size() > 30) return;
    const CheckReport report = check(file.model, system, start);
    check_json(system, report);
    explain(system, report.instant);
    explain_json(system, report.instant);
    derive_text(file.model, "fuzz");
    derive_c(file.model, "fuzz");
    MotionOptions how;
    how.until = start.t + 0.01;
    how.step_limit = 5;
    run_json(system, simulate(system, start, how), "fuzz");
  } catch (const Error&) {
    // The model can be read and still not be a system: a sentence is the right answer.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const vinculum::ExpandResult full = vinculum::expand_model(text, "fuzz.toml", {}, file_of);
  if (full.text && full.text->size() > largest) return 0;
  const vinculum::ReadResult result =
      vinculum::read_model(text, "fuzz.toml", {}, vinculum::OpenNames::refused, file_of);
  judge(result, text);
  if (result.file) judge_full(full);
  if (result.file) use(*result.file);
  return 0;
}
