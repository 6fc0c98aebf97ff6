// From a model file to a run of it, and to what its results say of themselves.
#include "vinculum/base/text.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/version.hpp"

namespace vinculum {

MotionOptions motion_options(const SimulateSettings& s) {
  MotionOptions motion;
  motion.until = s.until.value_or(s.from);
  motion.tolerance = s.tolerance;
  motion.absolute_tolerance = s.absolute_tolerance;
  motion.integrator = s.integrator;
  motion.step = s.step;
  motion.closure = s.closure;
  motion.samples = s.samples;
  return motion;
}

RunRecord record_of(const ModelFile& file, const Overrides& overrides) {
  const SimulateSettings& s = file.simulate;
  RunRecord record;
  record.title = file.title;
  record.description = file.description;
  record.path = file.path;
  record.text = file.text;
  record.version = version();
  record.units = file.units;
  record.settings = {{"from", number_text(s.from)},
                     {"until", number_text(s.until.value_or(s.from))},
                     {"tolerance", number_text(s.tolerance)},
                     {"integrator", std::string(integrator_name(s.integrator))}};
  if (s.absolute_tolerance > 0)
    record.settings.emplace_back("absolute_tolerance", number_text(s.absolute_tolerance));
  if (s.step > 0) record.settings.emplace_back("step", number_text(s.step));
  if (s.closure != SimulateSettings().closure)
    record.settings.emplace_back("closure", number_text(s.closure));
  if (s.samples > 0) record.settings.emplace_back("samples", std::to_string(s.samples));
  for (const auto& [name, value] : overrides) record.settings.emplace_back("set " + name, value);
  return record;
}

}  // namespace vinculum
