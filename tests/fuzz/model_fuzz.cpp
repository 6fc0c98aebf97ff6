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
#include "vinculum/io/read_model.hpp"
#include "vinculum/report/json.hpp"

namespace {

/// Faults are told with a place inside the text and a sentence.
void judge(const vinculum::ReadResult& result, std::string_view text) {
  if (result.file.has_value() == !result.faults.empty()) std::abort();
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const vinculum::Fault& fault : result.faults)
    if (fault.text.empty() || fault.place.line < 1 || fault.place.line > lines || fault.place.column < 1)
      std::abort();
}

void use(const vinculum::ModelFile& file) {
  using namespace vinculum;
  try {
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
  const vinculum::ReadResult result = vinculum::read_model(text, "fuzz.toml");
  judge(result, text);
  if (result.file) use(*result.file);
  return 0;
}
