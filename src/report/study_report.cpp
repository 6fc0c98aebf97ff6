// The data of the page of a study, as one JSON object. web/README.md says what is in it.
#include "vinculum/report/study_report.hpp"

#include <algorithm>
#include <cmath>

#include "report/page_data.hpp"
#include "report/script_text.hpp"
#include "vinculum/ensemble/kept.hpp"

namespace vinculum {
namespace {

constexpr int digits_drawn = 7;           // of what a column spans
constexpr std::size_t values_told = 200;  // of an axis

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Of "pull.max" it is that of "pull", of "lowest.time" that of the time.
std::string unit_of(const Units& units, const std::string& name) {
  if (const std::string told = units.of(name); !told.empty()) return told;
  if (const auto at = at_instant(name)) return units.of(at->name);
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return "";
  const std::string way = name.substr(dot + 1), of = name.substr(0, dot);
  if (way == "time") return units.of("t");
  return way == "max" || way == "min" || way == "mean" ? units.of(of) : "";
}

Json bins_part(const Histogram& histogram) {
  Json plain = Json::array(), marked = Json::array();
  for (const Histogram::Bin& bin : histogram.bins()) plain.push_back(bin.plain), marked.push_back(bin.marked);
  return {{"low", histogram.low()}, {"width", histogram.width()}, {"reached", plain}, {"failed", marked}};
}

Json distribution_part(const Spread& d) {
  Json part = {{"finite", d.finite()}, {"without", d.not_finite()}, {"bins", bins_part(d.histogram())}};
  part["log"] = d.logarithmic() != nullptr && d.finite() > 0 ? bins_part(*d.logarithmic()) : Json(nullptr);
  part["values"] = nullptr;
  if (d.values() == nullptr) return part;
  Json values = Json::array(), plain = Json::array(), marked = Json::array();
  for (const auto& [value, bin] : *d.values()) {
    values.push_back(value);
    plain.push_back(bin.plain);
    marked.push_back(bin.marked);
  }
  part["values"] = {{"at", values}, {"reached", plain}, {"failed", marked}};
  return part;
}

Json varied_part(const StudyReport& r) {
  const Study& study = *r.summary.study;
  Json list = Json::array();
  const auto add = [&](const std::string& name, Json what) {
    const std::size_t k = list.size();
    Json one = {{"name", name}, {"unit", unit_of(r.record.units, name)}};
    one.update(what);
    one["start"] = k < r.command.is_start.size() && r.command.is_start[k] != 0;
    one["distribution"] = distribution_part(r.portrait->varied()[k]);
    list.push_back(std::move(one));
  };
  const Table& table = study.table;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    double least = INFINITY, largest = -INFINITY;
    for (std::size_t i = k; i < table.values.size(); i += table.names.size())
      least = std::min(least, table.values[i]), largest = std::max(largest, table.values[i]);
    add(table.names[k],
        {{"kind", "table"}, {"count", table.rows()}, {"a", number(least)}, {"b", number(largest)}});
  }
  for (const Axis& axis : study.axes) {
    const auto [least, largest] = std::ranges::minmax(axis.values);
    Json what = {{"kind", "axis"}, {"count", axis.values.size()}, {"a", least}, {"b", largest}};
    what["values"] = axis.values.size() <= values_told ? Json(axis.values) : Json(nullptr);
    add(axis.name, std::move(what));
  }
  for (const Draw& d : study.draws)
    add(d.name, {{"kind", d.distribution == Distribution::normal    ? "normal"
                          : d.distribution == Distribution::uniform ? "uniform"
                                                                    : "log"},
                 {"a", d.a},
                 {"b", d.b}});
  return list;
}

Json kept_part(const StudyReport& r) {
  Json list = Json::array();
  const std::vector<std::size_t> told = told_one_by_one(r.summary.kept);
  for (std::size_t i = 0; i < told.size(); ++i) {
    const std::size_t k = told[i];
    const Tally::Number& n = r.summary.sum.numbers[k];
    const auto known = [&](double x) { return n.count > 0 ? number(x) : Json(nullptr); };
    const StudyPortrait::Extremes& e = r.portrait->extremes()[i];
    list.push_back({{"name", r.summary.kept[k]},
                    {"unit", unit_of(r.record.units, r.summary.kept[k])},
                    {"count", n.count},
                    {"mean", known(n.mean)},
                    {"deviation", known(n.deviation())},
                    {"min", known(n.min)},
                    {"max", known(n.max)},
                    {"min_member", e.known ? Json(e.least.member) : Json(nullptr)},
                    {"max_member", e.known ? Json(e.largest.member) : Json(nullptr)},
                    {"distribution", distribution_part(r.portrait->kept()[i])}});
  }
  return list;
}

/// The least and the largest of several numbers that are kept: none is lost where fewer are drawn.
std::pair<double, double> extremes_of(const Tally::Sum& sum, std::span<const std::size_t> places) {
  double low = INFINITY, high = -INFINITY;
  for (const std::size_t k : places) {
    const Tally::Number& n = sum.numbers[k];
    if (n.count == 0) continue;
    low = std::min(low, n.min);
    high = std::max(high, n.max);
  }
  return {low, high};
}

/// Means and what is around them over time, where there are instants enough for a curve.
Json trajectories_part(const StudyReport& r) {
  constexpr std::size_t least = 3, most = 1000;
  Json list = Json::array();
  for (const KeptTrajectory& one : kept_trajectories(r.summary.kept)) {
    if (one.places.size() < least) continue;
    const std::size_t each = (one.places.size() + most - 1) / most;
    Json part = {{"name", one.name},
                 {"unit", r.record.units.of(one.name)},
                 {"unit_of_time", r.record.units.of("t")},
                 {"instants", one.places.size()}};
    for (const char* key : {"t", "count", "mean", "deviation", "min", "max"}) part[key] = Json::array();
    for (std::size_t first = 0; first < one.places.size(); first += each) {
      const auto places = std::span(one.places).subspan(first, std::min(each, one.places.size() - first));
      const Tally::Number& n = r.summary.sum.numbers[places.front()];
      const auto known = [known = n.count > 0](double x) {
        return known ? number(rounded(x, digits_drawn)) : Json(nullptr);
      };
      const auto [low, high] = extremes_of(r.summary.sum, places);
      part["t"].push_back(one.instants[first]);
      part["count"].push_back(n.count);
      part["mean"].push_back(known(n.mean));
      part["deviation"].push_back(known(n.deviation()));
      part["min"].push_back(known(low));
      part["max"].push_back(known(high));
    }
    list.push_back(std::move(part));
  }
  return list;
}

Json failed_part(const Tally::Sum& sum) {
  Json list = Json::array();
  for (const Tally::Failure& f : sum.failures) {
    Json first = Json::array();
    for (const auto& [member, reason] : f.first) first.push_back({{"member", member}, {"reason", reason}});
    list.push_back({{"status", member_status(f.end)}, {"count", f.count}, {"first", std::move(first)}});
  }
  return list;
}

std::vector<Tally::Number> numbers_told(const StudySummary& s) {
  std::vector<Tally::Number> told;
  for (const std::size_t k : told_one_by_one(s.kept)) told.push_back(s.sum.numbers[k]);
  return told;
}

/// Column by column. What varied is told in full, since it makes the member; the rest as it is drawn.
Json points_part(const std::vector<MemberRow>& rows, std::size_t varied,
                 const std::vector<Tally::Number>& kept) {
  Json members = Json::array(), status = Json::array(), columns = Json::array(), reasons = Json::object();
  const auto& ends = member_ends();
  for (const MemberRow& row : rows) {
    members.push_back(row.member);
    status.push_back(std::ranges::find(ends, row.end) - ends.begin());
    if (!row.reason.empty()) reasons[std::to_string(row.member)] = row.reason;
  }
  for (std::size_t k = 0; k < varied; ++k) {
    Json column = Json::array();
    for (const MemberRow& row : rows) column.push_back(number(row.varied[k]));
    columns.push_back(std::move(column));
  }
  Json numbers = Json::array();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double span = kept[k].max - kept[k].min,
                 size = std::max(std::fabs(kept[k].min), std::fabs(kept[k].max));
    const int digits = span > 0
                           ? std::clamp(digits_drawn + static_cast<int>(std::ceil(std::log10(size / span))),
                                        digits_drawn, 17)
                           : 17;
    Json column = Json::array();
    for (const MemberRow& row : rows) column.push_back(number(rounded(row.kept[k], digits)));
    numbers.push_back(std::move(column));
  }
  return {{"member", std::move(members)},
          {"status", std::move(status)},
          {"reasons", std::move(reasons)},
          {"varied", std::move(columns)},
          {"kept", std::move(numbers)}};
}

/// {"member":7,"why":"..",<the motion>}
std::string shown_part(const std::vector<ShownMember>& shown) {
  std::string list;
  for (const ShownMember& one : shown) {
    std::string head = script_text(Json{{"member", one.member}, {"why", one.why}});
    head.back() = ',';
    list += (list.empty() ? "" : ",\n") + head + one.data.substr(1);
  }
  return "[" + list + "]";
}

}  // namespace

std::string shown_motion(const Model& model, const System& system, const View& view, const Trajectory& motion,
                         const Units& units) {
  return motion_data(model, system, view, motion, units,
                     {.instants = 400, .values = 60'000, .frames = 200, .numbers = 40'000});
}

std::string study_report(const StudyReport& r) {
  const StudySummary& s = r.summary;
  Json settings = Json::array();
  for (const auto& [name, value] : r.record.settings) settings.push_back(Json::array({name, value}));
  Json words = Json::array();
  for (const MemberEnd& end : member_ends()) words.push_back(member_status(end));
  const std::vector<MemberRow> rows = r.portrait->rows();
  const bool drawn = !s.study->draws.empty();
  Json study = {{"members", s.study->count()},
                {"computed", s.sum.members},
                {"reached", s.sum.reached},
                {"complete", s.complete},
                {"draws", drawn ? Json(s.study->draws_each) : Json(nullptr)},
                {"sampling", s.study->sampling == Sampling::sobol ? "sobol" : "random"},
                {"seed", drawn ? Json(s.study->seed) : Json(nullptr)},
                {"varied", varied_part(r)},
                {"kept", kept_part(r)},
                {"trajectories", trajectories_part(r)},
                {"failed", failed_part(s.sum)},
                {"statuses", std::move(words)},
                {"one_of", r.portrait->one_of()},
                {"points", points_part(rows, s.study->names().size(), numbers_told(s))},
                {"command",
                 {{"before", r.command.before},
                  {"after", r.command.after},
                  {"by_values", r.command.by_values},
                  {"start", r.command.start}}},
                {"told", r.told},
                {"notes", s.notes}};
  const std::string title = s.title.empty() ? s.model : s.title;
  const Json data = {
      {"title", title},           {"description", r.record.description}, {"path", r.record.path},
      {"text", r.record.text},    {"version", r.record.version},         {"settings", std::move(settings)},
      {"study", std::move(study)}};
  std::string text = script_text(data);
  text.back() = ',';
  return page_with(title, text + "\n\"motions\":" + shown_part(r.shown) + "}");
}

}  // namespace vinculum
