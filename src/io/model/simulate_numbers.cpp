#include "io/model/simulate_numbers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

void require_positive(const char* key, double value, bool below_one = false) {
  if (!(value > 0) || (below_one && value >= 1))
    fail(fmt::format("'{}' in [simulate] is {}; it must {}", key, number_text(value),
                     below_one ? "lie between 0 and 1" : "be positive"));
}

void take_samples(double value, SimulateSettings& s) {
  constexpr int most = 10'000'000;
  if (!(value == std::floor(value) && value >= 1 && value <= most))
    fail(fmt::format("'samples' in [simulate] is {}; a whole number from 1 to {} is asked for",
                     number_text(value), most));
  s.samples = static_cast<int>(value);
}

constexpr SimulateNumber numbers[] = {
    {"from", &SimulateStated::from, [](double x, SimulateSettings& s) { s.from = x; }},
    {"until", &SimulateStated::until, [](double x, SimulateSettings& s) { s.until = x; }},
    {"tolerance", &SimulateStated::tolerance,
     [](double x, SimulateSettings& s) {
       require_positive("tolerance", x, true);
       s.tolerance = x;
     }},
    {"absolute_tolerance", &SimulateStated::absolute_tolerance,
     [](double x, SimulateSettings& s) {
       require_positive("absolute_tolerance", x);
       s.absolute_tolerance = x;
     }},
    {"step", &SimulateStated::step,
     [](double x, SimulateSettings& s) {
       require_positive("step", x);
       s.step = x;
     }},
    {"closure", &SimulateStated::closure,
     [](double x, SimulateSettings& s) {
       if (!(x >= 0 && x < 1))
         fail(
             fmt::format("'closure' in [simulate] is {}; it must lie between 0, which closes loops to "
                         "rounding, and 1",
                         number_text(x)));
       s.closure = x;
     }},
    {"samples", &SimulateStated::samples, take_samples},
};

}  // namespace

std::span<const SimulateNumber> simulate_numbers() { return numbers; }

SimulateSettings settings_with(const ModelFile& file, const Parameters& parameters) {
  std::vector<double> values;  // found where a setting asks for them: members of a study are many
  SimulateSettings settings = file.simulate;
  for (const SimulateNumber& setting : numbers) {
    const std::optional<Expr>& stated = file.simulate_stated.*setting.stated;
    if (!stated || stated->is_constant()) continue;
    if (values.empty())
      values = file.model.stated().parameter_values(parameters.names(), parameters.values());
    const double value =
        value_of(*stated, [&](const Expr& symbol) { return values[file.model.stated().role(symbol).index]; });
    if (!std::isfinite(value))
      fail(fmt::format("'{}' in [simulate] is {}; it must be a finite number", setting.key,
                       number_text(value)));
    setting.take(value, settings);
  }
  return settings;
}

}  // namespace vinculum
