#include "report/page_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "vinculum/base/text.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr std::size_t series_limit = 2000;   // what a page can hold; the files of a run have all
constexpr std::size_t agreement_limit = 24;  // more lines than anybody can tell apart
/// What a projection may leave of a row, relative to the sizes of its terms (motion/project.cpp).
constexpr double miss_allowed = 1e-12;

using Part = std::span<const double> Sample::*;

Panel panel_of(const char* key, const char* title, const std::vector<std::string>& names,
               const Trajectory& motion, Part part) {
  Panel panel{.key = key, .title = title};
  const std::size_t count = std::min(names.size(), series_limit);
  if (count < names.size())
    panel.note = fmt::format("the first {} of {}; the files of the run have all", count, names.size());
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
  panel.note = fmt::format("with {} at a tolerance of {}", integrator_name(*verification.integrator),
                           number_text(verification.tolerance, 2));
  const auto& digits = verification.agreement;
  if (digits.size() <= agreement_limit) {
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

/// How large the terms of each constraint get along the motion. One whose terms are nothing but the rounding
/// of others' (a hinge across an axis that never turns) is measured by these.
struct TermSizes {
  std::vector<double> position, velocity;
};

TermSizes term_sizes(const System& system, const Trajectory& motion, Workspace& work) {
  const std::size_t count = system.constraints().size();
  TermSizes most{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  Residuals size;
  for (int i = 0; i < motion.size(); ++i) {
    residual_sizes(system, motion.state(i), work, size);
    for (std::size_t c = 0; c < count; ++c) {
      const ConstraintInfo& info = system.constraints()[c];
      for (int r = info.first_row; r < info.first_row + info.row_count; ++r) {
        most.position[c] = std::max(most.position[c], size.position[r]);
        most.velocity[c] = std::max(most.velocity[c], size.velocity[r]);
      }
    }
  }
  for (std::vector<double>* sizes : {&most.position, &most.velocity}) {
    const double largest = sizes->empty() ? 0.0 : std::ranges::max(*sizes);
    for (double& s : *sizes)
      if (s < 1e-10 * largest) s = largest;
  }
  return most;
}

/// The largest miss of each constraint, relative to its terms; of several constraints the largest comes
/// first.
Panel residual_envelope(const System& system, const Trajectory& motion) {
  Panel panel{
      .key = "residuals",
      .title = "Residuals",
      .note = "largest of |\u03c6| and |\u03c6\u2032| relative to their terms; zero at the lower edge",
      .logarithmic = true,
      .bound = miss_allowed};
  const std::size_t all = system.constraints().size(), count = std::min(all, series_limit);
  std::vector<double> largest(motion.size(), 0.0);
  panel.series.assign(count, std::vector<double>(motion.size(), 0.0));
  for (std::size_t c = 0; c < count; ++c) panel.names.push_back(system.constraints()[c].name);
  Workspace work(system);
  const TermSizes size = term_sizes(system, motion, work);
  Residuals miss;
  const auto relative = [](double m, double s) { return s > 0 ? std::fabs(m) / s : 0.0; };
  for (int i = 0; i < motion.size(); ++i) {
    residuals(system, motion.state(i), work, miss);
    for (std::size_t c = 0; c < all; ++c) {
      const ConstraintInfo& info = system.constraints()[c];
      double most = 0;
      for (int r = info.first_row; r < info.first_row + info.row_count; ++r)
        most = std::max({most, relative(miss.position[r], size.position[c]),
                         relative(miss.velocity[r], size.velocity[c])});
      if (c < count) panel.series[c][i] = most;
      largest[i] = std::max(largest[i], most);
    }
  }
  if (all > 1) {
    panel.names.insert(panel.names.begin(), "largest of all");
    panel.series.insert(panel.series.begin(), std::move(largest));
  }
  return panel;
}

/// Parts of quaternions, and what is nothing beside its neighbours.
void fold(Panel& panel) {
  const auto size_of = [](const std::vector<double>& values) {
    double most = 0;
    for (const double x : values)
      if (std::isfinite(x)) most = std::max(most, std::fabs(x));
    return most;
  };
  const auto of_quaternion = [](const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot != name.npos && name.size() == dot + 3 && name[dot + 1] == 'q';
  };
  double most = 0;
  for (const auto& values : panel.series) most = std::max(most, size_of(values));
  for (std::size_t k = 0; k < panel.series.size(); ++k)
    panel.folded.push_back(of_quaternion(panel.names[k]) || size_of(panel.series[k]) <= 1e-14 * most);
  // Where nothing else is left, there is nothing to fold away from.
  if (std::ranges::all_of(panel.folded, [](char f) { return f != 0; })) panel.folded.clear();
}

}  // namespace

std::vector<Panel> panels_of(const System& system, const Trajectory& motion) {
  std::vector<Panel> panels;
  if (motion.empty()) return panels;
  const auto forces = force_names(system);
  const bool energies = system.mechanics() != Mechanics::none;  // half the square of a rate is no energy
  // What was asked for comes first, then what explains it, then everything, then how exact it is.
  panels.push_back(panel_of("outputs", "Outputs", system.output_names(), motion, &Sample::outputs));
  if (energies) panels.push_back(energy_balance(motion));
  panels.push_back(panel_of("forces", "Constraint force", forces, motion, &Sample::constraint_force));
  if (!programmes(system).empty()) {
    panels.push_back(panel_of("control", "Control force", forces, motion, &Sample::control_force));
    panels.push_back(control_power(motion));
  }
  panels.push_back(panel_of("nonideal", "Non-ideal force", forces, motion, &Sample::nonideal_force));
  panels.push_back(panel_of("coordinates", "Coordinates", system.coordinate_names(), motion, &Sample::q));
  panels.push_back(panel_of("velocities", "Velocities", system.velocity_names(), motion, &Sample::v));
  panels.push_back(panel_of("multipliers", "Multipliers", system.row_names(), motion, &Sample::multipliers));
  for (Panel& panel : panels) fold(panel);
  if (energies) panels.push_back(energy_drift(motion));
  if (!motion.verification.times.empty()) panels.push_back(agreement(system, motion.verification));
  panels.push_back(residual_envelope(system, motion));
  // What is empty, or zero by its nature, is no plot.
  std::erase_if(panels, [](const Panel& p) {
    const bool may_vanish = p.key == "forces" || p.key == "nonideal" || p.key == "control_power" ||
                            p.key == "multipliers" || p.key == "residuals";
    return p.series.empty() || (may_vanish && is_zero(p));
  });
  return panels;
}

Panel both_principles(const Comparison& c) {
  const Trajectory &d = c.dalembert.motion, &v = c.vakonomic.motion;
  Panel panel{.key = "principles", .title = "Both principles"};
  panel.note = fmt::format("action {} of d'Alembert's motion, {} of the vakonomic one",
                           number_text(c.dalembert.action, 8), number_text(c.vakonomic.action, 8));
  int count = std::min(d.size(), v.size());
  while (count > 0 && d.times()[count - 1] != v.times()[count - 1]) --count;
  panel.times.assign(d.times().begin(), d.times().begin() + count);
  const std::size_t shown = std::min(c.apart.size(), series_limit / 2);
  for (std::size_t k = 0; k < shown; ++k)
    for (const auto& [of, motion] : {std::pair("d'Alembert", &d), std::pair("vakonomic", &v)}) {
      panel.names.push_back(fmt::format("{}, {}", c.apart[k].name, of));
      panel.series.emplace_back();
      for (int i = 0; i < count; ++i) panel.series.back().push_back((*motion)[i].q[k]);
    }
  return panel;
}

}  // namespace vinculum
