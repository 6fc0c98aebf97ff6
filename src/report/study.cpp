#include "vinculum/report/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/json_parts.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/ensemble/kept.hpp"
#include "vinculum/report/json.hpp"

namespace vinculum {
namespace {

constexpr std::string_view no_model_word = "model";
constexpr std::size_t most_values_told =
    100;  // of an axis, one by one; longer ones stand in the file of members

std::string members(long count) { return fmt::format("{} member{}", count, count == 1 ? "" : "s"); }

std::string axes(const Study& study) {
  std::string page = "\nWhat varies\n";
  std::size_t width = 14;
  for (const std::string& name : study.names()) width = std::max(width, name.size());
  for (std::size_t k = 0; k < study.table.names.size(); ++k) {
    double least = INFINITY, most = -INFINITY;
    for (std::size_t i = k; i < study.table.values.size(); i += study.table.names.size())
      least = std::min(least, study.table.values[i]), most = std::max(most, study.table.values[i]);
    page += fmt::format("  {:<{}} in {} row{} of a table, from {} to {}\n", study.table.names[k], width,
                        study.table.rows(), study.table.rows() == 1 ? "" : "s", number_text(least, 6),
                        number_text(most, 6));
  }
  for (const Axis& axis : study.axes)
    page += fmt::format("  {:<{}} {} value{} from {} to {}\n", axis.name, width, axis.values.size(),
                        axis.values.size() == 1 ? "" : "s", number_text(axis.values.front(), 6),
                        number_text(axis.values.back(), 6));
  for (const Draw& draw : study.draws) {
    const char* kind = draw.distribution == Distribution::normal    ? "normal, mean {} and deviation {}"
                       : draw.distribution == Distribution::uniform ? "uniform between {} and {}"
                                                                    : "log-uniform between {} and {}";
    page += fmt::format("  {:<{}} {}\n", draw.name, width,
                        fmt::format(fmt::runtime(kind), number_text(draw.a, 6), number_text(draw.b, 6)));
  }
  if (!study.draws.empty())
    page += fmt::format("  {:<{}} {}{}, seed {}\n", "draws", width, study.draws_each,
                        study.sampling == Sampling::sobol ? " of Sobol's sequence" : "", study.seed);
  return page;
}

std::string number_line(const StudySummary& s, std::size_t k, std::size_t width) {
  const Tally::Number& n = s.sum.numbers[k];
  if (n.count == 0) return fmt::format("  {:<{}} {:>14}\n", s.kept[k], width, "no value");
  return fmt::format("  {:<{}} {:>14} {:>14} {:>14} {:>14}{}\n", s.kept[k], width, number_text(n.mean, 7),
                     number_text(n.deviation(), 7), number_text(n.min, 7), number_text(n.max, 7),
                     n.count < s.sum.reached ? fmt::format("   in {}", members(n.count)) : "");
}

std::string numbers(const StudySummary& s) {
  const std::vector<std::size_t> told = told_one_by_one(s.kept);
  std::size_t width = 14;
  for (const std::size_t k : told) width = std::max(width, s.kept[k].size());
  std::string page = fmt::format("\n  {:<{}} {:>14} {:>14} {:>14} {:>14}\n", "what is kept", width, "mean",
                                 "deviation", "least", "largest");
  for (const std::size_t k : told) page += number_line(s, k, width);
  for (const KeptTrajectory& one : kept_trajectories(s.kept))
    if (!std::ranges::all_of(one.places, [&](std::size_t k) { return std::ranges::binary_search(told, k); }))
      page += fmt::format("  of '{}' the values at {} instants are kept; told are its ends\n", one.name,
                          one.places.size());
  return page;
}

std::string device_text(const DeviceReport& d) {
  std::string page = fmt::format("\nStepped by {}: {}, {} steps in {} s", d.device, members(d.stepped),
                                 number_text(d.steps, 4), number_text(d.seconds, 3));
  if (d.by_engine > 0)
    page += fmt::format(
        "; {} by the processor, since steps failed there, rows nearly depend, or a start was not good",
        members(d.by_engine));
  page += fmt::format("\n{} computed by the processor as well", members(d.compared));
  if (d.compared > 0)
    page += fmt::format(": the largest difference is {} of the tolerance{}", number_text(d.difference, 2),
                        d.differs_most >= 0 ? fmt::format(" (member {})", d.differs_most) : "");
  if (d.differs_in_end > 0) page += fmt::format("; {} ended otherwise there", members(d.differs_in_end));
  return page + "\n";
}

std::string failures(const Tally::Sum& sum) {
  std::string page;
  for (const Tally::Failure& f : sum.failures) {
    page += fmt::format("\n{} ended with '{}'\n", members(f.count), member_status(f.end));
    for (const auto& [member, reason] : f.first)
      page += fmt::format("  member {}{}\n", member, reason.empty() ? "" : ": " + reason);
    if (const long more = f.count - static_cast<long>(f.first.size()); more > 0)
      page += fmt::format("  and {} more\n", more);
  }
  return page;
}

}  // namespace

std::string_view member_status(const MemberEnd& end) { return end ? status_word(*end) : no_model_word; }

const std::vector<MemberEnd>& member_ends() {
  static const std::vector<MemberEnd> all{
      Stop::end,        Stop::event,         Stop::start,    Stop::step_too_small,
      Stop::not_finite, Stop::contradicting, Stop::singular, no_model};
  return all;
}

std::string study_page(const StudySummary& s) {
  const Tally::Sum& sum = s.sum;
  std::string page = s.title.empty() ? "" : s.title + "\n";
  page += s.complete ? fmt::format("{} computed", members(sum.members))
                     : fmt::format("{} of {} computed so far", sum.members, members(s.study->count()));
  page += sum.reached == sum.members
              ? "; all reached their end\n"
              : fmt::format("; {} reached {} end\n", sum.reached, sum.reached == 1 ? "its" : "their");
  page += axes(*s.study) + numbers(s) + failures(sum);
  if (s.device) page += device_text(*s.device);
  for (const std::string& note : s.notes) page += "\nNote: " + note + "\n";
  return page;
}

std::string study_json(const StudySummary& s) {
  const Tally::Sum& sum = s.sum;
  Json out;
  out["model"] = s.model;
  out["members"] = s.study->count();
  out["computed"] = sum.members;
  out["reached"] = sum.reached;
  out["complete"] = s.complete;
  Json varied = Json::object();
  for (const std::string& name : s.study->table.names) varied[name] = Json{{"rows", s.study->table.rows()}};
  for (const Axis& axis : s.study->axes)
    varied[axis.name] = axis.values.size() <= most_values_told ? Json{{"values", axis.values}}
                                                               : Json{{"first", axis.values.front()},
                                                                      {"last", axis.values.back()},
                                                                      {"count", axis.values.size()}};
  for (const Draw& d : s.study->draws) {
    const char* kind = d.distribution == Distribution::normal    ? "normal"
                       : d.distribution == Distribution::uniform ? "uniform"
                                                                 : "log";
    varied[d.name] = Json{{kind, {d.a, d.b}}};
  }
  out["varied"] = varied;
  if (!s.study->draws.empty()) {
    out["draws"] = s.study->draws_each;
    out["sampling"] = s.study->sampling == Sampling::sobol ? "sobol" : "random";
    out["seed"] = s.study->seed;
  }
  Json kept = Json::object();
  auto& numbers = kept.get_ref<Json::object_t&>();  // thousands of names, each once: not looked for
  for (std::size_t k = 0; k < s.kept.size(); ++k) {
    const Tally::Number& n = sum.numbers[k];
    const auto known = [&](double x) { return n.count > 0 ? Json(x) : Json(); };
    static_cast<Json::object_t::Container&>(numbers).emplace_back(s.kept[k],
                                                                  Json{{"count", n.count},
                                                                       {"mean", known(n.mean)},
                                                                       {"deviation", known(n.deviation())},
                                                                       {"min", known(n.min)},
                                                                       {"max", known(n.max)}});
  }
  out["kept"] = std::move(kept);
  Json failed = Json::array();
  for (const Tally::Failure& f : sum.failures) {
    Json first = Json::array();
    for (const auto& [member, reason] : f.first)
      first.push_back(Json{{"member", member}, {"reason", reason}});
    failed.push_back(Json{{"status", member_status(f.end)}, {"count", f.count}, {"first", first}});
  }
  out["failed"] = failed;
  if (s.device)
    out["device"] = Json{{"name", s.device->device},
                         {"members", s.device->stepped},
                         {"by_processor", s.device->by_engine},
                         {"compared", s.device->compared},
                         {"difference", s.device->difference},
                         {"ended_otherwise", s.device->differs_in_end},
                         {"steps", s.device->steps},
                         {"seconds", s.device->seconds}};
  out["notes"] = s.notes;
  return text_of(out);
}

}  // namespace vinculum
