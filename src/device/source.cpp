#include "device/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/embedded.hpp"
#include "device/languages.hpp"
#include "device/print_kernel.hpp"
#include "motion/sizes.hpp"
#include "motion/steppers/tableau.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
std::span<const EmbeddedFile> device_files();
}

namespace vinculum::device {
namespace {

constexpr int first_asked = 5;                    // start, until, step, relative and absolute tolerance
constexpr int first_told = 2;                     // state, steps
constexpr double told_end = 1, told_stopped = 2;  // State of stepping.inc
constexpr std::size_t most_in_one_piece = 200;    // instructions of a right side
/// Of the size that numbers have in other motions, so much is one of every motion.
constexpr double part_of_others = 1e-3;

const Tableau& tableau_of(Integrator integrator) {
  if (integrator == Integrator::rk4) return rk4();
  return integrator == Integrator::dopri5 ? dopri5() : dop853();
}

/// A list in braces; an empty one has one zero, since no array is empty.
template <class T>
std::string list_of(const std::vector<T>& values, auto&& word) {
  std::vector<std::string> words;
  for (const T& x : values) words.push_back(word(x));
  if (words.empty()) words.emplace_back("0");
  return fmt::format("{{{}}}", fmt::join(words, ", "));
}
template <class T>
std::string table(const char* name, const std::vector<T>& values) {
  const auto plain = [](const auto& x) { return fmt::format("{}", static_cast<int>(x)); };
  return fmt::format("TABLE int {}[] = {};\n", name, list_of(values, plain));
}
std::string row_text(std::vector<double> row, std::size_t width) {
  row.resize(width, 0.0);
  return list_of(row, literal);
}
std::string constant(const char* name, std::size_t value) {
  return fmt::format("constexpr int {} = {};\n", name, value);
}

std::string table_text(const Tableau& t) {
  const bool fixed = t.error.empty();
  std::string text = constant("stages", t.stages) + constant("total_stages", t.total) +
                     constant("order", t.order) + constant("error_order", fixed ? 0 : t.error_order) +
                     constant("dense_degree", t.dense_degree);
  text += fmt::format("constexpr bool error_at_end = {}, weighs_errors = {};\n",
                      static_cast<int>(t.error.size()) > t.stages, !t.error_low.empty());
  std::vector<double> c(t.c.begin(), t.c.begin() + t.stages);
  c.push_back(1.0);
  std::ranges::sort(c);
  double gap = 0;
  for (std::size_t i = 1; i < c.size(); ++i) gap = std::max(gap, c[i] - c[i - 1]);
  text += fmt::format("constexpr double widest_gap = {};\n", literal(gap));
  const auto total = static_cast<std::size_t>(t.total);
  std::vector<std::string> rows{row_text({}, total)}, dense;
  for (int i = 1; i < t.total; ++i) rows.push_back(row_text({t.row(i), t.row(i) + i}, total));
  for (int i = 0; i < t.total; ++i) {
    const double* const from = t.dense.data() + static_cast<std::ptrdiff_t>(i) * t.dense_degree;
    dense.push_back(row_text({from, from + t.dense_degree}, t.dense_degree));
  }
  text += fmt::format("TABLE double table_a[{0}][{0}] = {{\n    {1}}};\n", total, fmt::join(rows, ",\n    "));
  text += fmt::format("TABLE double table_dense[{}][{}] = {{\n    {}}};\n", total, t.dense_degree,
                      fmt::join(dense, ",\n    "));
  const auto row = [&](const char* name, std::span<const double> values) {
    text += fmt::format("TABLE double {}[{}] = {};\n", name, total,
                        row_text({values.begin(), values.end()}, total));
  };
  row("table_c", t.c);
  row("table_b", t.b);
  row("table_e", t.error);
  row("table_low", t.error_low);
  return text;
}

/// The rule of seven points (ensemble/survey.cpp), and what tells whether a curve rises into the step: its
/// slope at the end by the polynomial through the points.
std::string nodes_text() {
  constexpr int nodes = 7;
  const double inner = std::sqrt(2.0 / 3.0), near = std::sqrt(0.2), at = -1 + 2e-5;
  const std::vector<double> node{-1, -inner, -near, 0, near, inner, 1};
  const std::vector<double> share{11.0 / 210,  72.0 / 245, 125.0 / 294, 16.0 / 35,
                                  125.0 / 294, 72.0 / 245, 11.0 / 210};
  std::vector<double> hair(nodes, 1.0);
  for (int i = 0; i < nodes; ++i)
    for (int k = 0; k < nodes; ++k)
      if (k != i) hair[i] *= (at - node[k]) / (node[i] - node[k]);
  std::string text;
  for (const auto& [name, values] : {std::pair{"node", &node}, {"share", &share}, {"hair", &hair}})
    text += fmt::format("TABLE double {}[{}] = {};\n", name, nodes, row_text(*values, nodes));
  return text;
}

bool is_along(Kept::How how) {
  return how == Kept::How::max || how == Kept::How::min || how == Kept::How::mean;
}

Look::Of look_of(Kept::Of of) {
  switch (of) {
    case Kept::Of::coordinate:
      return Look::coordinate;
    case Kept::Of::velocity:
      return Look::velocity;
    case Kept::Of::output:
      return Look::output;
    case Kept::Of::energy:
      return Look::energy;
    default:
      return Look::time;
  }
}

}  // namespace

DeviceMotion::DeviceMotion(const System& system, const MotionOptions& motion,
                           std::span<const std::string> kept)
    : system_(system),
      integrator_(motion.integrator == Integrator::automatic ? Integrator::dop853 : motion.integrator),
      written_(system),
      groups_(kin_groups(system)) {
  obstacles_ = written_.obstacles;
  if (integrator_ != Integrator::rk4 && integrator_ != Integrator::dopri5 &&
      integrator_ != Integrator::dop853)
    obstacles_.push_back(fmt::format("the method '{}' is not there; rk4, dopri5 and dop853 are",
                                     integrator_name(integrator_)));
  if (motion.keep != Stabilisation::projection)
    obstacles_.emplace_back("constraints are kept by projection alone there");
  if (!obstacles_.empty()) return;
  find_looks(kept);
  if (!obstacles_.empty()) return;
  functions_ = {&written_.motion, &written_.rates, &written_.places, &written_.velocities,
                &written_.turned, &ends_,          &curves_,         &events_};
  state_width_ = system.coordinate_names().size() + system.velocity_names().size();
  asked_width_ = first_asked + state_width_;
  for (const StateFunction* f : functions_) asked_width_ += living_numbers(system, *f).size();
  told_width_ = first_told + end_looks_.size() + 3 * curve_looks_.size() + 2 * event_looks_.size();
  try {
    functions_text();
  } catch (const Error& e) {
    obstacles_.emplace_back(e.what());
  }
}

int DeviceMotion::curve_of(const Look& look, bool peaks) {
  const auto same = std::ranges::find_if(
      curve_looks_, [&](const Look& known) { return known.of == look.of && known.index == look.index; });
  const auto place = static_cast<std::size_t>(same - curve_looks_.begin());
  if (same == curve_looks_.end()) {
    curve_looks_.push_back(look);
    peaks_.push_back(0);
  }
  if (peaks) peaks_[place] = 1;
  return static_cast<int>(place);
}

int DeviceMotion::event_of(int event, bool told) {
  const auto same = std::ranges::find(event_looks_, event, &Look::index);
  const auto place = static_cast<std::size_t>(same - event_looks_.begin());
  if (same == event_looks_.end()) {
    event_looks_.push_back({Look::event, event});
    told_.push_back(0);
  }
  if (told) told_[place] = 1;
  return static_cast<int>(place);
}

/// Events that neither end the motion nor are asked for are not looked at.
void DeviceMotion::find_looks(std::span<const std::string> kept) {
  for (std::size_t e = 0; e < system_.events().size(); ++e)
    if (system_.events()[e].stop || system_.events()[e].limit) event_of(static_cast<int>(e), false);
  for (const Kept& k : kept_of(system_, kept)) {
    const Look look{look_of(k.of), k.index};
    if (k.of == Kept::Of::event) {
      kept_.push_back({k.how, event_of(k.index, k.how == Kept::How::instant)});
    } else if (k.how == Kept::How::at || k.how == Kept::How::samples) {
      obstacles_.push_back(
          fmt::format("'{}' is at an instant inside the motion, which is not looked at there", k.name));
      break;
    } else if (is_along(k.how)) {
      kept_.push_back({k.how, curve_of(look, k.how != Kept::How::mean)});
    } else {
      kept_.push_back({k.how, static_cast<int>(end_looks_.size())});
      end_looks_.push_back(look);
    }
  }
  ends_ = written_looks(system_, end_looks_, obstacles_);
  curves_ = written_looks(system_, curve_looks_, obstacles_);
  events_ = written_looks(system_, event_looks_, obstacles_);
}

std::string DeviceMotion::sizes_text() const {
  std::vector<int> coordinate_of(groups_.of_velocity.size(), -1), group_of_move(groups_.of_velocity);
  for (std::size_t i = 0; i < groups_.of_coordinate.size(); ++i)
    if (const int v = system_.velocity_of_coordinate(static_cast<int>(i)); v >= 0)
      coordinate_of[v] = static_cast<int>(i);
  std::vector<int> rotations, direction;
  for (const Rotation& r : system_.rotations()) rotations.push_back(r.coordinate);
  std::vector<char> stops, limits;
  for (const Look& look : event_looks_) {
    const EventInfo& e = system_.events()[look.index];
    direction.push_back(e.direction == Model::Direction::rising    ? 1
                        : e.direction == Model::Direction::falling ? -1
                                                                   : 0);
    stops.push_back(e.stop);
    limits.push_back(e.limit);
  }
  const bool looks = !curve_looks_.empty() || !event_looks_.empty();
  const Tableau& t = tableau_of(integrator_);
  std::string text = constant("n_q", groups_.of_coordinate.size()) +
                     constant("n_v", groups_.of_velocity.size()) +
                     constant("n_rows", system_.row_names().size()) + constant("n_groups", groups_.count) +
                     constant("n_rotations", rotations.size()) +
                     constant("n_angles", written_.angles.size()) + constant("n_ends", end_looks_.size()) +
                     constant("n_curves", curve_looks_.size()) + constant("n_events", event_looks_.size()) +
                     constant("kept_stages", looks ? t.total : std::min<int>(t.total, t.stages + 1));
  text += fmt::format("constexpr bool holds_places = {}, holds_velocities = {};\n", !written_.places.empty(),
                      !written_.velocities.empty());
  text += fmt::format("constexpr bool ends_solve = {}, curves_solve = {}, events_solve = {};\n",
                      reads_solution(ends_), reads_solution(curves_), reads_solution(events_));
  text += table("group_of_coordinate", groups_.of_coordinate) +
          table("group_of_velocity", groups_.of_velocity) + table("group_of_move", group_of_move) +
          table("coordinate_of", coordinate_of) + table("rotation", rotations) +
          table("angle", written_.angles) + table("event_direction", direction) +
          table("event_stops", stops) + table("event_limits", limits) + table("event_told", told_) +
          table("curve_peaks", peaks_);
  return text;
}

std::string DeviceMotion::functions_text() const {
  constexpr const char* name[] = {"motion", "rates", "places", "velocities",
                                  "turned", "ends",  "curves", "events"};
  std::string text;
  std::size_t first = 0;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    text += constant(fmt::format("first_{}", name[k]).c_str(), first) +
            print_kernel(name[k], functions_[k]->kernel());
    first += living_numbers(system_, *functions_[k]).size();
  }
  return text + constant("n_numbers", first);
}

std::string DeviceMotion::source() const {
  const bool fixed = tableau_of(integrator_).error.empty();
  const bool plain = fixed && curve_looks_.empty() && event_looks_.empty();
  // A fixed step is one piece of code without loops, a small one in few registers; what has many stages or is
  // looked at has loops and functions.
  const bool small = plain && written_.motion.kernel().code().size() <= most_in_one_piece;
  std::string text =
      fmt::format("#define HOW_HEAVY {}\n#define HOW_LAUNCHED {}\n#define UNROLL_STAGES _Pragma(\"{}\")\n",
                  plain ? "__forceinline__" : "__noinline__", small ? "__launch_bounds__(128, 4)" : "",
                  fixed ? "unroll" : "unroll 1");
  text +=
      both_languages + sizes_text() + table_text(tableau_of(integrator_)) + nodes_text() + functions_text();
  for (const EmbeddedFile& file : device_files()) text += file.bytes;
  return text;
}

void DeviceMotion::ask(const Member& member, std::span<double> row) const {
  const MotionOptions& m = member.motion;
  const double head[] = {member.start.t, m.until, m.step, m.tolerance, m.absolute_tolerance};
  auto to = std::ranges::copy(head, row.begin()).out;
  to = std::ranges::copy(member.start.q, to).out;
  to = std::ranges::copy(member.start.v, to).out;
  for (const StateFunction* f : functions_) to = std::ranges::copy(living_numbers(member.system, *f), to).out;
}

std::optional<Stop> DeviceMotion::take(std::span<const double> row, std::span<double> kept) const {
  if (row[0] != told_end && row[0] != told_stopped) return std::nullopt;
  const std::size_t curves = first_told + end_looks_.size(), events = curves + 3 * curve_looks_.size();
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const auto [how, index] = kept_[k];
    const auto place = static_cast<std::size_t>(index);
    const double* const curve = row.data() + curves + 3 * place;
    const double* const event = row.data() + events + 2 * place;
    kept[k] = how == Kept::How::max       ? curve[0]
              : how == Kept::How::min     ? curve[1]
              : how == Kept::How::mean    ? curve[2]
              : how == Kept::How::instant ? event[0]
              : how == Kept::How::count   ? event[1]
                                          : row[first_told + place];
  }
  return row[0] == told_stopped ? Stop::event : Stop::end;
}

void DeviceMotion::see_sizes(const System& system, const Trajectory& motion, std::span<double> sizes) const {
  Workspace work(system);
  const auto see = [&](const State& state) {
    const Sizes at(system, state, work);
    for (std::size_t i = 0; i < groups_.of_velocity.size(); ++i) {
      const Sizes::Kin kin = at.kin(static_cast<int>(i));
      const auto group = static_cast<std::size_t>(groups_.of_velocity[i]);
      sizes[group] = std::max(sizes[group], part_of_others * kin.move);
      double& speed = sizes[static_cast<std::size_t>(groups_.count) + group];
      speed = std::max(speed, part_of_others * kin.velocity);
    }
  };
  see(motion.first);
  see(motion.last);
}

}  // namespace vinculum::device
