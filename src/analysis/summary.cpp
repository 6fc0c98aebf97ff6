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
    page += fmt::format("  {:<{}} {:>18}", system.coordinate_names()[i], width,
                        number_text(motion.last.q[i], 10));
    if (const int v = system.velocity_of_coordinate(static_cast<int>(i)); v >= 0)
      page += fmt::format("    {} = {}", system.velocity_names()[v], number_text(motion.last.v[v], 10));
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
    page += fmt::format("  {:<{}} {:>12} {:>12} {:>12}\n", names[order[k]], width, magnitude_text(w.position),
                        magnitude_text(w.velocity), magnitude_text(w.acceleration));
  }
  if (shown < order.size()) page += fmt::format("  the other {} were missed by less\n", order.size() - shown);
  return page;
}

std::string energies(const System& system, const Trajectory& motion) {
  if (system.mechanics() == Mechanics::none) return "";  // half the square of a rate is no energy
  std::string page = fmt::format("\nEnergy {} at the start, {} at the end",
                                 number_text(motion.energy_start, 10), number_text(motion.energy_end, 10));
  const auto work = [&page](const char* of, double value) {
    if (value != 0) page += fmt::format("\n  work of {:<26} {:>14}", of, number_text(value, 10));
  };
  work("stated forces", motion.work.impressed);
  work("constraint forces", motion.work.constraint);
  work("control forces", motion.work.control);
  work("non-ideal forces", motion.work.nonideal);
  work("what changes with time", motion.work.explicit_time);
  return page +
         fmt::format("\n  not accounted for                  {:>14}\n", magnitude_text(motion.drift()));
}

/// What the programmes took, and how well they were followed.
std::string controls(const Trajectory& motion) {
  std::string page;
  for (const ControlRecord& c : motion.controls) {
    page += fmt::format("\nprogramme '{}': missed by {} at the start, {} at the end\n", c.constraint,
                        number_text(c.miss_start, 2), number_text(c.miss_end, 2));
    page += fmt::format("  largest control force {} (t = {}), largest power {} (t = {})\n",
                        number_text(c.largest_force, 6), number_text(c.largest_force_time, 6),
                        number_text(c.largest_power, 6), number_text(c.largest_power_time, 6));
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
    page += fmt::format("  {:<{}} {:>18}\n", names[k], width, number_text(end.outputs[k], 10));
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
      page += count - most == 1 ? "\nand one more" : fmt::format("\nand {} more {}", count - most, what);
      k = count - most / 2;
    }
    page += "\n" + line(k);
  }
  return page.empty() ? page : page + "\n";
}

std::string events(const Trajectory& motion) {
  return list_of(motion.events.size(), "events", [&](std::size_t k) {
    return fmt::format("event '{}' at t = {}", motion.events[k].name, number_text(motion.events[k].time, 15));
  });
}

std::string grips(const Trajectory& motion) {
  return list_of(motion.grip_changes.size(), "changes of friction", [&](std::size_t k) {
    const GripChange& c = motion.grip_changes[k];
    const std::string time = number_text(c.time, 15);
    // A switch of the equations bears its equation for a name.
    if (c.constraint.ends_with(" = 0"))
      return fmt::format("the motion {} {} at t = {}", c.sticks ? "comes to stay on" : "leaves", c.constraint,
                         time);
    return fmt::format("friction: '{}' {} at t = {}", c.constraint,
                       c.sticks ? "begins to stick" : "begins to slide", time);
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

/// " of dop853 and taylor"
std::string methods(const Trajectory& motion) {
  std::vector<std::string> names;
  for (const MethodUse& use : motion.methods)
    if (std::ranges::find(names, integrator_name(use.integrator)) == names.end())
      names.emplace_back(integrator_name(use.integrator));
  return names.empty() ? "" : " of " + list_text(names);
}

std::string ending(const Trajectory& motion) {
  const std::string time = number_text(motion.last.t, 10);
  if (motion.stop == Stop::end) return fmt::format("Done: t = {} was reached\n", time);
  const std::string_view what = motion.stop == Stop::event ? "Done" : "Stopped";
  return fmt::format("{} at t = {} ({}): {}\n", what, time, stop_name(motion.stop), motion.reason);
}

}  // namespace

std::string summary(const System& system, const Trajectory& motion) {
  std::string page = ending(motion);
  if (motion.empty()) return page;  // nothing was computed: there is nothing to show
  page += fmt::format("{} step{}{}, {} rejected, {} evaluation{} of the acceleration\n", motion.steps,
                      plural(motion.steps), methods(motion), motion.rejected, motion.evaluations,
                      plural(motion.evaluations));
  page += states(system, motion) + outputs(system, motion) + residuals(system, motion) + controls(motion) +
          energies(system, motion) + events(motion) + grips(motion) + verification(motion);
  for (const RankChange& r : motion.rank_changes)
    page += fmt::format("\nat t = {} the rank is {} (before {}, after {}): {}", number_text(r.time, 9), r.at,
                        r.before, r.after, list_text(r.constraints, 6));
  if (!motion.rank_changes.empty()) page += "\n";
  for (const std::string& note : motion.notes) page += "\nnote: " + note;
  if (!motion.notes.empty()) page += "\n";
  return page;
}

namespace {

std::string mu_text(const ByPrinciple& vakonomic) {
  const System& s = vakonomic.system;
  std::vector<std::string> list;
  for (std::size_t i = s.stated_coordinates(); i < vakonomic.motion.first.q.size(); ++i)
    list.push_back(s.coordinate_names()[i] + " = " + number_text(vakonomic.motion.first.q[i], 10));
  return list.empty() ? "" : ", " + list_text(list, 4);
}

/// Stationary is what L alone makes the motion; forces beside it take that away.
std::string sentence_on_action(const Comparison& c) {
  const std::string agree =
      c.must_agree ? "All constraints are on positions: both principles give the same motion.\n" : "";
  if (!c.notes.empty())
    return agree +
           "The action is the integral of L. What acts and has no part in L keeps it from being "
           "stationary.\n";
  if (c.must_agree) return agree + "The action is the integral of L, and stationary on it.\n";
  return "The action is the integral of L. Of all curves with its two ends that satisfy the constraints the\n"
         "vakonomic motion makes it stationary; d'Alembert's motion does what the constraints force it to at "
         "every\n"
         "instant. Where they end at different places neither action need be the smaller.\n";
}

}  // namespace

std::string comparison_page(const Comparison& c) {
  const ByPrinciple &d = c.dalembert, &v = c.vakonomic;
  std::string page = "Both principles from one start" + mu_text(v) + "\n";
  for (const auto& [name, of] : {std::pair("d'Alembert's motion", &d), std::pair("the vakonomic motion", &v)})
    if (of->motion.stop != Stop::end)
      page += fmt::format("  {} ends at t = {}: {}\n", name, number_text(of->motion.last.t, 10),
                          of->motion.reason);
  if (d.motion.empty() || v.motion.empty()) return page;
  std::vector<std::string> names;
  for (const Apart& a : c.apart) names.push_back(a.name);
  const auto width = width_of(names, 14);
  page += fmt::format("\n  {:<{}} {:>18} {:>18}    apart at most\n", "at the end", width, "d'Alembert",
                      "vakonomic");
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < c.apart.size() && i < most; ++i)
    page += fmt::format("  {:<{}} {:>18} {:>18}    {}\n", names[i], width,
                        number_text(d.motion.last.q[i], 10), number_text(v.motion.last.q[i], 10),
                        c.apart[i].most == 0
                            ? "0"
                            : magnitude_text(c.apart[i].most) + " at t = " + number_text(c.apart[i].time, 6));
  if (c.apart.size() > most) page += fmt::format("  and {} more coordinates\n", c.apart.size() - most);
  page += fmt::format("  {:<{}} {:>18} {:>18}\n", "energy", width, number_text(d.motion.energy_end, 10),
                      number_text(v.motion.energy_end, 10));
  page += fmt::format("  {:<{}} {:>18} {:>18}\n\n", "action", width, number_text(d.action, 10),
                      number_text(v.action, 10));
  page += sentence_on_action(c);
  for (const auto& [name, of] : {std::pair("d'Alembert's motion", &d), std::pair("the vakonomic motion", &v)})
    if (const std::string said = verification(of->motion); !said.empty())
      page += fmt::format("For {}: {}", name, said.substr(1));
  for (const std::string& note : c.notes) page += "note: " + note + "\n";
  return page;
}

}  // namespace vinculum
