#include "vinculum/analysis/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

std::size_t width_of(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, name.size());
  return least;
}

std::string states(const System& system, const Trajectory& motion) {
  std::string page = "\nWhere it is then\n";
  const auto width = width_of(system.coordinate_names(), 14);
  for (std::size_t i = 0; i < motion.last.q.size(); ++i) {
    page += fmt::format("  {:<{}} {:>18.10g}", system.coordinate_names()[i], width, motion.last.q[i]);
    if (const int v = system.velocity_of_coordinate(static_cast<int>(i)); v >= 0)
      page += fmt::format("    {} = {:.10g}", system.velocity_names()[v], motion.last.v[v]);
    page += "\n";
    if (i == 19 && motion.last.q.size() > 24) {
      page += fmt::format("  and {} more coordinates\n", motion.last.q.size() - 20);
      break;
    }
  }
  return page;
}

/// The constraints that were missed most; a long list is cut, and says so.
std::string residuals(const System& system, const Trajectory& motion) {
  if (system.constraints().empty()) return "";
  std::vector<int> order(system.constraints().size());
  for (std::size_t c = 0; c < order.size(); ++c) order[c] = static_cast<int>(c);
  std::vector<std::string> names;
  for (const ConstraintInfo& c : system.constraints()) names.push_back(c.name);
  const auto width = width_of(names, 14);
  const std::size_t shown = order.size() > 12 ? 10 : order.size();
  if (shown < order.size())
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      const auto worst = [&](int c) { return std::max(motion.worst[c].position, motion.worst[c].velocity); };
      return worst(a) > worst(b);
    });
  std::string page = fmt::format("\n  {:<{}} {:>12} {:>12} {:>12}\n", "worst miss of", width, "position",
                                 "velocity", "acceleration");
  for (std::size_t k = 0; k < shown; ++k) {
    const WorstResidual& w = motion.worst[order[k]];
    page += fmt::format("  {:<{}} {:>12.1e} {:>12.1e} {:>12.1e}\n", names[order[k]], width, w.position,
                        w.velocity, w.acceleration);
  }
  if (shown < order.size()) page += fmt::format("  the other {} were missed by less\n", order.size() - shown);
  return page;
}

std::string energies(const System& system, const Trajectory& motion) {
  if (system.mechanics() == Mechanics::none) return "";  // half the square of a rate is no energy
  std::string page = fmt::format("\nEnergy {:.10g} at the start, {:.10g} at the end", motion.energy_start,
                                 motion.energy_end);
  const auto work = [&page](const char* of, double value) {
    if (value != 0) page += fmt::format("\n  work of {:<26} {:>14.10g}", of, value);
  };
  work("stated forces", motion.work.impressed);
  work("constraint forces", motion.work.constraint);
  work("control forces", motion.work.control);
  work("non-ideal forces", motion.work.nonideal);
  work("what changes with time", motion.work.explicit_time);
  return page + fmt::format("\n  not accounted for                  {:>14.1e}\n", motion.drift());
}

/// What the programmes took, and how well they were followed.
std::string controls(const Trajectory& motion) {
  std::string page;
  for (const ControlRecord& c : motion.controls) {
    page += fmt::format("\nprogramme '{}': missed by {:.2g} at the start, {:.2g} at the end\n", c.constraint,
                        c.miss_start, c.miss_end);
    page += fmt::format("  largest control force {:.6g} (t = {:.6g}), largest power {:.6g} (t = {:.6g})\n",
                        c.largest_force, c.largest_force_time, c.largest_power, c.largest_power_time);
  }
  return page;
}

/// Values at the end; vectors component by component.
std::string outputs(const System& system, const Trajectory& motion) {
  const std::vector<std::string>& names = system.output_names();
  if (names.empty() || motion.times().back() != motion.last.t) return "";
  const Sample end = motion.back();
  const auto width = width_of(names, 14);
  std::string page = "\nOutputs then\n";
  constexpr std::size_t most = 24;
  for (std::size_t k = 0; k < names.size() && k < most; ++k)
    page += fmt::format("  {:<{}} {:>18.10g}\n", names[k], width, end.outputs[k]);
  if (names.size() > most) page += fmt::format("  and {} more\n", names.size() - most);
  return page;
}

/// `line(k)` for each of `count` places; a long list is cut in its middle, and says so.
template <class Line>
std::string list_of(std::size_t count, const char* what, Line line) {
  constexpr std::size_t most = 12;
  std::string page;
  for (std::size_t k = 0; k < count; ++k) {
    if (count > most && k == most / 2) {
      page += fmt::format("\nand {} more {}", count - most, what);
      k = count - most / 2;
    }
    page += "\n" + line(k);
  }
  return page.empty() ? page : page + "\n";
}

std::string events(const Trajectory& motion) {
  return list_of(motion.events.size(), "events", [&](std::size_t k) {
    return fmt::format("event '{}' at t = {:.15g}", motion.events[k].name, motion.events[k].time);
  });
}

std::string contacts(const Trajectory& motion) {
  return list_of(motion.contact_changes.size(), "changes of friction", [&](std::size_t k) {
    const ContactChange& c = motion.contact_changes[k];
    // A switch of the equations bears its equation for a name.
    if (c.constraint.ends_with(" = 0"))
      return fmt::format("the motion {} {} at t = {:.15g}", c.sticks ? "comes to stay on" : "leaves",
                         c.constraint, c.time);
    return fmt::format("friction: '{}' {} at t = {:.15g}", c.constraint,
                       c.sticks ? "begins to stick" : "begins to slide", c.time);
  });
}

/// How exact the motion is, or that nobody knows.
std::string verification(const Trajectory& motion) {
  const Verification& v = motion.verification;
  if (v.text.empty()) return "";
  const bool compared = v.outcome == Verification::Outcome::compared;
  return fmt::format("\n{}: {}\n", !compared ? "Not verified" : v.doubtful ? "Warning" : "Verified", v.text);
}

const char* plural(long count) { return count == 1 ? "" : "s"; }

std::string ending(const Trajectory& motion) {
  if (motion.stop == Stop::end) return fmt::format("Done: t = {:.10g} was reached\n", motion.last.t);
  const std::string_view what = motion.stop == Stop::event ? "Done" : "Stopped";
  return fmt::format("{} at t = {:.10g} ({}): {}\n", what, motion.last.t, stop_name(motion.stop),
                     motion.reason);
}

}  // namespace

std::string summary(const System& system, const Trajectory& motion) {
  std::string page = ending(motion);
  if (motion.empty()) return page;  // nothing was computed: there is nothing to show
  page += fmt::format("{} step{}, {} rejected, {} evaluation{} of the acceleration\n", motion.steps,
                      plural(motion.steps), motion.rejected, motion.evaluations, plural(motion.evaluations));
  page += states(system, motion) + outputs(system, motion) + residuals(system, motion) + controls(motion) +
          energies(system, motion) + events(motion) + contacts(motion) + verification(motion);
  for (const RankChange& r : motion.rank_changes)
    page += fmt::format("\nat t = {:.9g} the rank is {} (before {}, after {}): {}", r.time, r.at, r.before,
                        r.after, list_text(r.constraints, 6));
  if (!motion.rank_changes.empty()) page += "\n";
  for (const std::string& note : motion.notes) page += "\nnote: " + note;
  if (!motion.notes.empty()) page += "\n";
  return page;
}

}  // namespace vinculum
