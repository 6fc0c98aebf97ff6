#include "io/results/columns.hpp"

#include <algorithm>

#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

/// A force on a velocity bears the name of what moves: x for x'.
std::vector<std::string> moving(const std::vector<std::string>& velocities) {
  std::vector<std::string> names = velocities;
  for (std::string& name : names)
    if (name.back() == '\'') name.pop_back();
  return names;
}

std::vector<std::string> primed(const std::vector<std::string>& velocities) {
  std::vector<std::string> names = velocities;
  for (std::string& name : names) name += "'";
  return names;
}

using Part = std::span<const double> Sample::*;

Quantity part(std::string name, std::string prefix, std::vector<std::string> names, std::string axis,
              Part of) {
  return {std::move(name), std::move(prefix), std::move(names), std::move(axis),
          [of](const Sample& s, std::vector<double>& row) {
            row.insert(row.end(), (s.*of).begin(), (s.*of).end());
          }};
}

Quantity* named(std::vector<Quantity>& list, const std::string& name) {
  return &*std::find_if(list.begin(), list.end(), [&](const Quantity& q) { return q.name == name; });
}

/// Models with programmes have two more: the control force behind the constraint force, and its work.
void add_control(std::vector<Quantity>& list, const std::vector<std::string>& moving) {
  Quantity* const work = named(list, "work");
  work->names.push_back("control");
  work->append = [before = work->append](const Sample& s, std::vector<double>& row) {
    before(s, row);
    row.push_back(s.work.control);
  };
  const auto behind = list.begin() + (named(list, "constraint_force") - list.data()) + 1;
  list.insert(behind, part("control_force", "control:", moving, "coordinate", &Sample::control_force));
}

}  // namespace

std::vector<Quantity> quantities(const System& system) {
  const auto& v = system.velocity_names();
  std::vector<std::string> constraints;
  for (const ConstraintInfo& c : system.constraints()) constraints.push_back(c.name);
  std::vector<Quantity> list = {
      part("q", "", system.coordinate_names(), "coordinate", &Sample::q),
      part("v", "", v, "velocity", &Sample::v),
      part("acceleration", "", primed(v), "acceleration", &Sample::acceleration),
      part("constraint_force", "force:", moving(v), "coordinate", &Sample::constraint_force),
      part("nonideal_force", "nonideal:", moving(v), "coordinate", &Sample::nonideal_force),
      part("multipliers", "multiplier:", system.row_names(), "row", &Sample::multipliers),
      part("outputs", "output:", system.output_names(), "output", &Sample::outputs),
      {"energy",
       "",
       {"energy"},
       "energy",
       [](const Sample& s, std::vector<double>& row) { row.push_back(s.energy); }},
      {"work",
       "work:",
       {"impressed", "constraint", "nonideal", "explicit_time"},
       "work",
       [](const Sample& s, std::vector<double>& row) {
         row.insert(row.end(), {s.work.impressed, s.work.constraint, s.work.nonideal, s.work.explicit_time});
       }},
      part("residual", "residual:", constraints, "constraint", &Sample::residual),
  };
  if (!programmes(system).empty()) add_control(list, moving(v));
  if (system.mechanics() == Mechanics::none)  // half the square of a rate is no energy
    std::erase_if(list, [](const Quantity& q) { return q.name == "energy" || q.name == "work"; });
  return list;
}

std::vector<std::string> column_names(const std::vector<Quantity>& quantities) {
  std::vector<std::string> list = {"t"};
  for (const Quantity& q : quantities)
    for (const std::string& name : q.names) list.push_back(q.prefix + name);
  list.emplace_back("rank");
  return list;
}

bool is_complete(const Trajectory& motion) { return motion.stop == Stop::end || motion.stop == Stop::event; }

}  // namespace vinculum
