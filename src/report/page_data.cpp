#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/page_geometry.hpp"
#include "report/page_panels.hpp"
#include "report/script_text.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr int digits_drawn = 7;            // of what a curve spans: more than a screen has pixels
constexpr std::size_t readable_size = 48;  // coordinates and rows of equations that a person would read
constexpr std::size_t readable_text = 200'000;
constexpr int dense_size = 1000;  // coordinates or rows: a second or two

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Digits so that what a curve spans has `digits_drawn` of them: an energy that hardly changes needs more.
int digits_of(const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double x : values)
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  const double size = std::max(std::fabs(low), std::fabs(high));
  if (!(high > low) || !std::isfinite(size)) return digits_drawn;
  return std::clamp(digits_drawn + static_cast<int>(std::ceil(std::log10(size / (high - low)))), digits_drawn,
                    17);
}

Json drawn(const std::vector<double>& values, std::span<const int> at) {
  Json list = Json::array();
  const int digits = digits_of(values);
  for (const int i : at) list.push_back(number(rounded(values[i], digits)));
  return list;
}

Json run_part(const Trajectory& motion) {
  return {{"stop", stop_name(motion.stop)},
          {"fine", motion.stop == Stop::end || motion.stop == Stop::event},
          {"reason", motion.reason},
          {"names", motion.names},
          {"from", number(motion.empty() ? motion.last.t : motion.times().front())},
          {"time", number(motion.empty() ? motion.last.t : motion.times().back())},
          {"steps", motion.steps},
          {"rejected", motion.rejected},
          {"evaluations", motion.evaluations},
          {"seconds", number(motion.seconds)},
          {"samples", motion.recorded()},
          {"held", motion.size()}};
}

Json named(const std::vector<std::string>& names, std::span<const double> values) {
  Json list = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i)
    list.push_back({{"name", names[i]}, {"value", number(values[i])}});
  return list;
}

Json end_part(const System& system, const Trajectory& motion) {
  if (motion.empty()) return nullptr;
  const Sample last = motion.back();
  Json velocities = Json::array();
  for (std::size_t i = 0; i < system.velocity_names().size(); ++i)
    velocities.push_back(
        {{"name", system.velocity_names()[i]},
         {"value", number(last.v[i])},
         {"acceleration", number(last.acceleration[i])},
         {"constraint_force", number(last.constraint_force[i])},
         {"control_force", last.control_force.empty() ? Json(0) : number(last.control_force[i])},
         {"nonideal_force", number(last.nonideal_force[i])}});
  return {{"coordinates", named(system.coordinate_names(), last.q)},
          {"velocities", std::move(velocities)},
          {"multipliers", named(system.row_names(), last.multipliers)},
          {"outputs", named(system.output_names(), last.outputs)},
          {"rank", last.rank}};
}

/// Nothing where there is no mechanics: half the square of a rate is no energy.
Json energy_part(const System& system, const Trajectory& motion) {
  if (system.mechanics() == Mechanics::none) return nullptr;
  return {{"start", number(motion.energy_start)},
          {"end", number(motion.energy_end)},
          {"impressed", number(motion.work.impressed)},
          {"constraint", number(motion.work.constraint)},
          {"control", number(motion.work.control)},
          {"nonideal", number(motion.work.nonideal)},
          {"explicit_time", number(motion.work.explicit_time)},
          {"drift", number(motion.drift())}};
}

/// `digits`: the fewest of all coordinates at the end, null where the second computation did not come to it.
Json verification_part(const System& system, const Trajectory& motion) {
  const Verification& v = motion.verification;
  const auto fewest = std::ranges::min_element(v.digits);
  const bool known = fewest != v.digits.end();
  return {{"made", v.outcome != Verification::Outcome::not_made},
          {"digits", known ? Json(*fewest) : Json()},
          {"of", known ? Json(system.coordinate_names()[fewest - v.digits.begin()]) : Json()},
          {"trusted_until", number(v.trusted_until)},
          {"doubtful", v.doubtful},
          {"text", v.text}};
}

Json controls_part(const Trajectory& motion) {
  Json list = Json::array();
  for (const ControlRecord& c : motion.controls)
    list.push_back({{"name", c.constraint},
                    {"largest_force", number(c.largest_force)},
                    {"largest_force_time", number(c.largest_force_time)},
                    {"largest_power", number(c.largest_power)},
                    {"largest_power_time", number(c.largest_power_time)},
                    {"miss_start", number(c.miss_start)},
                    {"miss_end", number(c.miss_end)}});
  return list;
}

Json residual_part(const System& system, const Trajectory& motion) {
  Json list = Json::array();
  for (std::size_t c = 0; c < system.constraints().size(); ++c)
    list.push_back({{"name", system.constraints()[c].name},
                    {"order", system.constraints()[c].order},
                    {"position", number(motion.worst[c].position)},
                    {"velocity", number(motion.worst[c].velocity)},
                    {"acceleration", number(motion.worst[c].acceleration)}});
  return list;
}

/// Beyond `dense_size` the two statements that need dense algebra would take minutes: they are not made, and
/// what was not made is not listed.
Json certificate_of(const System& system, const State& state, const char* label) {
  SolveOptions options;
  options.robust_limit = dense_size;
  const Solution solution = solve(system, state, options);
  Json part = {{"label", label}, {"time", number(state.t)}, {"holds", false}};
  if (solution.status != Status::solved) {
    part["text"] = describe(system, solution);
    return part;
  }
  Json checks = Json::array();
  bool holds = true;
  const auto add = [&](const char* name, const Check& check) {
    if (std::isnan(check.value) && check.bound == 0) return;
    holds = holds && check.holds();
    checks.push_back({{"name", name},
                      {"value", number(check.value)},
                      {"bound", number(check.bound)},
                      {"holds", check.holds()}});
  };
  add("constraint_residual", solution.certificate.constraint_residual);
  add("virtual_work", solution.certificate.virtual_work);
  add("gauss_gap", solution.certificate.gauss_gap);
  add("kkt_residual", solution.certificate.kkt_residual);
  if (std::any_of(solution.nonideal_force.begin(), solution.nonideal_force.end(),
                  [](double f) { return f != 0.0; }))
    add("nonideal_work", solution.certificate.nonideal_work);
  part["holds"] = holds;
  part["rank"] = solution.rank;
  part["checks"] = std::move(checks);
  return part;
}

Json certificates_part(const System& system, const Trajectory& motion) {
  Json list = Json::array();
  if (motion.size() > 1) list.push_back(certificate_of(system, motion.state(0), "start"));
  if (!motion.empty()) list.push_back(certificate_of(system, motion.state(motion.size() - 1), "end"));
  return list;
}

Json events_part(const Trajectory& motion) {
  Json list = Json::array();
  for (const EventRecord& e : motion.events)
    list.push_back({{"name", e.name}, {"time", number(e.time)}, {"rising", e.rising}});
  return list;
}

Json grips_part(const Trajectory& motion) {
  Json list = Json::array();
  for (const GripChange& c : motion.grip_changes)
    list.push_back({{"name", c.constraint}, {"time", number(c.time)}, {"sticks", c.sticks}});
  return list;
}

Json rank_part(const Trajectory& motion) {
  Json list = Json::array();
  for (const RankChange& r : motion.rank_changes)
    list.push_back({{"time", number(r.time)},
                    {"before", r.before},
                    {"at", r.at},
                    {"after", r.after},
                    {"constraints", r.constraints}});
  return list;
}

/// The equations as displayed formulas, or the reason why there are none.
void add_equations(const Model& model, Json& data) {
  const auto refuse = [&](const std::string& why) {
    data["latex"] = "";
    data["latex_note"] = why;
  };
  std::size_t size = model.velocities().size();
  for (const auto& c : model.constraints()) size += c.rows.size();
  if (size > readable_size)
    return refuse(
        fmt::format("{} equations are too many to be read here; 'vinculum derive' writes them.", size));
  try {
    data["latex"] = derive_latex(model, data["title"], false);
    if (data["latex"].get_ref<const std::string&>().size() > readable_text)
      refuse("The equations are too long to be read here; 'vinculum derive' writes them.");
  } catch (const Error& error) {
    refuse(error.text());
  }
}

/// "x [m]" where a unit was told. Forces on x have another.
std::string with_unit(const Panel& panel, const std::string& name, const Units& units) {
  constexpr std::array<std::string_view, 5> own{"coordinates", "velocities", "outputs", "energy",
                                                "principles"};
  if (std::ranges::find(own, panel.key) == own.end()) return name;
  const std::string unit =
      panel.key == "energy" ? units.of("energy") : units.of(name.substr(0, name.find(',')));
  return unit.empty() ? name : name + " [" + unit + "]";
}

Json panels_part(const System& system, const Trajectory& motion, const Comparison* comparison,
                 const Units& units, const DrawnAtMost& limits, bool& is_thinned) {
  Json list = Json::array();
  std::vector<Panel> panels = panels_of(system, motion);
  if (comparison != nullptr) panels.insert(panels.begin(), both_principles(*comparison));
  std::size_t count = 1;
  for (const Panel& panel : panels) count += panel.series.size();
  const int most = std::clamp(static_cast<int>(limits.values / count), 100, limits.instants);
  is_thinned = motion.size() > most;
  for (const Panel& panel : panels) {
    const std::vector<double>& instants = panel.times.empty() ? motion.times() : panel.times;
    const std::vector<int> at = thinned(panel.series, static_cast<int>(instants.size()), most);
    Json times = Json::array(), series = Json::array();
    for (const int i : at) times.push_back(number(instants[i]));
    for (std::size_t k = 0; k < panel.series.size(); ++k) {
      series.push_back(
          {{"name", with_unit(panel, panel.names[k], units)}, {"values", drawn(panel.series[k], at)}});
      if (!panel.folded.empty() && panel.folded[k] != 0) series.back()["folded"] = true;
    }
    list.push_back({{"key", panel.key},
                    {"title", panel.title},
                    {"note", panel.note},
                    {"log", panel.logarithmic},
                    {"bound", panel.bound > 0 ? Json(panel.bound) : Json()},
                    {"time", units.of("t").empty() ? "t" : "t [" + units.of("t") + "]"},
                    {"t", std::move(times)},
                    {"series", std::move(series)}});
  }
  return list;
}

/// Numbers for drawing; what is far below a pixel is no place of its own.
Json places_drawn(const std::vector<double>& values, double size) {
  Json list = Json::array();
  for (const double x : values)
    list.push_back(std::fabs(x) < 1e-7 * size ? Json(0) : number(rounded(x, digits_drawn - 1)));
  return list;
}

Json tracks_part(const std::vector<Frames::Track>& tracks, double size) {
  static constexpr const char* kinds[] = {"rod", "spring", "line"};
  Json list = Json::array();
  for (const Frames::Track& track : tracks) {
    list.push_back({{"name", track.name},
                    {"friction", track.nonideal},
                    {"places", track.places},
                    {"trail", track.trail},
                    {"kind", kinds[static_cast<int>(track.kind)]},
                    {"xyz", places_drawn(track.xyz, size)}});
  }
  return list;
}

Json solids_part(const std::vector<Frames::Solid>& solids, double size) {
  static constexpr const char* shapes[] = {"box", "ellipsoid", "cylinder"};
  Json list = Json::array();
  for (const Frames::Solid& solid : solids)
    list.push_back({{"name", solid.name},
                    {"shape", shapes[static_cast<int>(solid.shape)]},
                    {"half", solid.half},
                    {"of_inertia", solid.of_inertia},
                    {"trail", solid.trail},
                    {"pose", places_drawn(solid.pose, std::min(size, 1.0))}});
  return list;
}

Json joints_part(const std::vector<Frames::Joint>& joints, double size) {
  Json list = Json::array();
  for (const Frames::Joint& joint : joints)
    list.push_back({{"name", joint.name},
                    {"type", joint_word(joint.type)},
                    {"xyz", places_drawn(joint.xyz, std::min(size, 1.0))}});
  return list;
}

/// How far the solids reach from the origin.
double largest(const std::vector<Frames::Solid>& solids) {
  double most = 0;
  for (const auto& solid : solids)
    for (std::size_t i = 0; i + 6 < solid.pose.size(); i += 7) {
      const std::array<double, 3> reach = reach_of(solid, &solid.pose[i]);
      for (int k = 0; k < 3; ++k) most = std::max(most, std::fabs(solid.pose[i + k]) + reach[k]);
    }
  return most;
}

double largest(const std::vector<Frames::Track>& tracks) {
  double most = 0;
  for (const auto& track : tracks)
    for (const double x : track.xyz)
      if (std::isfinite(x)) most = std::max(most, std::fabs(x));
  return most;
}

Json frames_part(const Model& model, const View& asked, const Trajectory& motion, const DrawnAtMost& limits) {
  const View view = complete_view(model, asked);
  std::size_t places =
      view.points.size() + 2 * view.links.size() + 2 * view.arrows.size() + 2 * view.torques.size();
  for (const auto& curve : view.curves) places += curve.points.size();
  const std::size_t numbers = 3 * places + 7 * view.solids.size() + 9 * view.joints.size();
  if (numbers == 0 || motion.empty()) return nullptr;
  const int limit = std::clamp(static_cast<int>(limits.numbers / numbers), 2, limits.frames);
  const Frames frames = frames_of(model, view, motion, limit);
  const double size = std::max(
      {largest(frames.points), largest(frames.links), largest(frames.curves), largest(frames.solids)});
  return {{"t", frames.t},
          {"up", frames.up},
          {"planar", frames.planar},
          {"plane", frames.plane},
          {"points", tracks_part(frames.points, size)},
          {"links", tracks_part(frames.links, size)},
          {"curves", tracks_part(frames.curves, size)},
          {"arrows", tracks_part(frames.arrows, 0)},
          {"torques", tracks_part(frames.torques, 0)},
          {"solids", solids_part(frames.solids, size)},
          {"joints", joints_part(frames.joints, size)}};
}

/// What is drawn of a motion, and what is told beside it.
void add_motion(Json& data, const Model& model, const System& system, const View& view,
                const Trajectory& motion, const Units& units, const Comparison* comparison,
                const DrawnAtMost& limits) {
  bool is_thinned = false;
  Json panels = panels_part(system, motion, comparison, units, limits, is_thinned);
  data["run"] = run_part(motion);
  data["end"] = end_part(system, motion);
  data["energy"] = energy_part(system, motion);
  data["verification"] = verification_part(system, motion);
  data["controls"] = controls_part(motion);
  data["residuals"] = residual_part(system, motion);
  data["events"] = events_part(motion);
  data["contacts"] = grips_part(motion);
  data["rank_changes"] = rank_part(motion);
  data["notes"] = motion.notes;
  data["thinned"] = is_thinned;
  data["panels"] = std::move(panels);
  data["frames"] = frames_part(model, view, motion, limits);
}

}  // namespace

/// Outside of strings JSON has no '<': written so, neither </script nor <!-- can occur.
std::string script_text(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

std::string motion_data(const Model& model, const System& system, const View& view, const Trajectory& motion,
                        const Units& units, const DrawnAtMost& limits) {
  Json data = Json::object();
  add_motion(data, model, system, view, motion, units, nullptr, limits);
  return script_text(data);
}

std::string page_data(const Model& model, const System& system, const View& view, const Trajectory& motion,
                      const RunRecord& record, const Comparison* comparison) {
  Json settings = Json::array();
  for (const auto& [name, value] : record.settings) settings.push_back(Json::array({name, value}));
  Json data = {{"title", record.title.empty() ? record.path : record.title},
               {"description", record.description},
               {"path", record.path},
               {"text", record.text},
               {"version", record.version},
               {"settings", std::move(settings)},
               {"certificates", certificates_part(system, motion)},
               {"geometry", geometry_part(model, system, motion, dense_size)}};
  add_motion(data, model, system, view, motion, record.units, comparison, {});
  add_equations(model, data);
  return script_text(data);
}

}  // namespace vinculum
