#include "report/page_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "vinculum/base/text.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr std::size_t series_limit = 24;  // more lines than anybody can tell apart

using Part = std::span<const double> Sample::*;

Panel panel_of(const char* key, const char* title, const std::vector<std::string>& names,
               const Trajectory& motion, Part part) {
  Panel panel{.key = key, .title = title};
  const std::size_t count = std::min(names.size(), series_limit);
  if (count < names.size()) panel.note = fmt::format("the first {} of {}", count, names.size());
  panel.names.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
  panel.series.resize(count);
  for (int i = 0; i < motion.size(); ++i) {
    const Sample sample = motion[i];
    for (std::size_t k = 0; k < count; ++k) panel.series[k].push_back((sample.*part)[k]);
  }
  return panel;
}

void add_series(Panel& panel, const char* name, const Trajectory& motion,
                const std::function<double(const Sample&)>& value) {
  panel.names.emplace_back(name);
  panel.series.emplace_back();
  for (int i = 0; i < motion.size(); ++i) panel.series.back().push_back(value(motion[i]));
}

bool is_zero(const Panel& panel) {
  return std::ranges::all_of(
      panel.series, [](const auto& s) { return std::ranges::all_of(s, [](double x) { return x == 0; }); });
}

/// The energy, what work alone would have made of it, and the sources of that work.
Panel energy_balance(const Trajectory& motion) {
  Panel panel{.key = "energy", .title = "Energy"};
  add_series(panel, "energy", motion, [](const Sample& s) { return s.energy; });
  Panel work;
  add_series(work, "work of stated forces", motion, [](const Sample& s) { return s.work.impressed; });
  add_series(work, "work of constraints", motion, [](const Sample& s) { return s.work.constraint; });
  add_series(work, "work of control forces", motion, [](const Sample& s) { return s.work.control; });
  add_series(work, "work of non-ideal forces", motion, [](const Sample& s) { return s.work.nonideal; });
  add_series(work, "work of time", motion, [](const Sample& s) { return s.work.explicit_time; });
  for (std::size_t k = 0; k < work.names.size(); ++k)
    if (std::ranges::any_of(work.series[k], [](double w) { return w != 0; })) {
      panel.names.push_back(work.names[k]);
      panel.series.push_back(work.series[k]);
    }
  return panel;
}

Panel control_power(const Trajectory& motion) {
  Panel panel{.key = "control_power", .title = "Power of the control force"};
  add_series(panel, "power", motion, [](const Sample& s) {
    return std::inner_product(s.control_force.begin(), s.control_force.end(), s.v.begin(), 0.0);
  });
  return panel;
}

Panel energy_drift(const Trajectory& motion) {
  Panel panel{
      .key = "drift", .title = "Energy not accounted for", .note = "energy less its start and all work"};
  add_series(panel, "drift", motion,
             [&](const Sample& s) { return s.energy - motion.energy_start - s.work.total(); });
  return panel;
}

/// Digits on which a second computation agrees; of many coordinates the fewest.
Panel agreement(const System& system, const Verification& verification) {
  Panel panel{.key = "agreement", .title = "Digits that agree", .times = verification.times};
  panel.note = fmt::format("with {} at a tolerance of {}", verification.integrator,
                           number_text(verification.tolerance, 2));
  const auto& digits = verification.agreement;
  if (digits.size() <= series_limit) {
    panel.series = digits;
    for (std::size_t i = 0; i < digits.size(); ++i) panel.names.push_back(system.coordinate_names()[i]);
    return panel;
  }
  panel.names = {"fewest of all coordinates"};
  panel.series.emplace_back(verification.times.size(), std::numeric_limits<double>::infinity());
  for (const std::vector<double>& of_one : digits)
    for (std::size_t k = 0; k < of_one.size(); ++k)
      panel.series[0][k] = std::min(panel.series[0][k], of_one[k]);
  return panel;
}

/// A generalised force bears the name of the velocity it drives, without its prime.
std::vector<std::string> force_names(const System& system) {
  std::vector<std::string> names = system.velocity_names();
  for (std::string& name : names)
    if (name.ends_with('\'')) name.pop_back();
  return names;
}

std::vector<std::string> constraint_names(const System& system) {
  std::vector<std::string> names;
  for (const ConstraintInfo& c : system.constraints()) names.push_back(c.name);
  return names;
}

}  // namespace

std::vector<Panel> panels_of(const System& system, const Trajectory& motion) {
  std::vector<Panel> panels;
  if (motion.empty()) return panels;
  const auto forces = force_names(system);
  panels.push_back(panel_of("coordinates", "Coordinates", system.coordinate_names(), motion, &Sample::q));
  panels.push_back(panel_of("velocities", "Velocities", system.velocity_names(), motion, &Sample::v));
  panels.push_back(panel_of("outputs", "Outputs", system.output_names(), motion, &Sample::outputs));
  panels.push_back(panel_of("forces", "Constraint force", forces, motion, &Sample::constraint_force));
  if (!programmes(system).empty()) {
    panels.push_back(panel_of("control", "Control force", forces, motion, &Sample::control_force));
    panels.push_back(control_power(motion));
  }
  panels.push_back(panel_of("nonideal", "Non-ideal force", forces, motion, &Sample::nonideal_force));
  panels.push_back(panel_of("multipliers", "Multipliers", system.row_names(), motion, &Sample::multipliers));
  if (system.mechanics() != Mechanics::none) {  // half the square of a rate is no energy
    panels.push_back(energy_balance(motion));
    panels.push_back(energy_drift(motion));
  }
  if (!motion.verification.times.empty()) panels.push_back(agreement(system, motion.verification));
  panels.push_back(panel_of("residuals", "Residuals", constraint_names(system), motion, &Sample::residual));
  panels.back().logarithmic = true;
  if (panels.back().note.empty())
    panels.back().note = "largest of |\u03c6| and |\u03c6\u2032|; zero at the lower edge";
  // What is empty, or zero by its nature, is no plot.
  std::erase_if(panels, [](const Panel& p) {
    const bool may_vanish = p.key == "forces" || p.key == "nonideal" || p.key == "control_power" ||
                            p.key == "multipliers" || p.key == "residuals";
    return p.series.empty() || (may_vanish && is_zero(p));
  });
  return panels;
}

}  // namespace vinculum
