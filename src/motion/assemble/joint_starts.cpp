// Starts that are said in coordinates of joints. A machine without loops is there at once; one with loops is
// taken there from where it is drawn, a part of the way at a time, and its loops are closed each time: so it
// stays on the branch that is drawn.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "vinculum/base/error.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {
namespace {

const std::string name_of_part = "joint_starts.part";

/// One coordinate of a joint that is said.
struct Said {
  std::string name;  // "crank.angle"
  bool turns = false;
  Expr coordinate, drawn;
  std::optional<Expr> value, rate;  // those that are fixed
};

/// All of them, asked for in the model.
std::vector<Said> said_in(Model& model) {
  std::vector<Said> all;
  const std::vector<JointData> joints = model.joints();  // asking for angles changes them
  for (const JointData& joint : joints)
    for (int k = 0; k < static_cast<int>(joint.options.start.size()); ++k) {
      const CoordinateOfJointStart& start = joint.options.start[k];
      if (!start.fixed || (!start.value && !start.rate)) continue;
      all.push_back({coordinate_name(joint, k), joint_coordinates(joint.options.type)[k] != "distance",
                     model.joint_coordinate(joint.name, k), drawn_coordinate(joint, k), start.value,
                     start.rate});
    }
  return all;
}

/// The numbers of one system in another that has names in common with it.
void take_by_name(const std::vector<std::string>& from_names, const std::vector<double>& from,
                  const std::vector<std::string>& names, std::vector<double>& to) {
  std::unordered_map<std::string, double> known;
  for (std::size_t i = 0; i < from.size(); ++i) known.emplace(from_names[i], from[i]);
  for (std::size_t i = 0; i < to.size(); ++i)
    if (const auto found = known.find(names[i]); found != known.end()) to[i] = found->second;
}
State in_system(const System& system, State base, const System& of, const State& state) {
  take_by_name(of.coordinate_names(), state.q, system.coordinate_names(), base.q);
  take_by_name(of.velocity_names(), state.v, system.velocity_names(), base.v);
  return base;
}

class JointStarter {
 public:
  JointStarter(const Model& model, const System& system, double time, const AssembleOptions& options)
      : model_(model.with_mechanics(Mechanics::dalembert)), system_(system), options_(options), time_(time) {}

  StartInJoints start() {
    State begin = system_.start();
    begin.t = time_;
    StartInJoints out{assemble(system_, begin, options_), {}};
    if (out.assembly.consistent && out.assembly.repaired && !has_starts_in_loops(model_) && !turns_far())
      return out;
    State at = begin;
    bool by_detour = false;
    if (!find_positions(at, by_detour, out) || !find_velocities(at, out)) return out;
    Assembly last = assemble(system_, at, options_);
    last.consistent = out.assembly.consistent;
    last.by_detour = by_detour;
    last.violations = out.assembly.violations;
    tell_changes(begin, last);
    out.assembly = std::move(last);
    return out;
  }

 private:
  /// Where a joint of a loop goes round, others do so as well, and count it.
  bool turns_far() const {
    for (const JointData& joint : model_.joints())
      for (int k = 0; k < static_cast<int>(joint.options.start.size()); ++k) {
        const std::optional<Expr>& value = joint.options.start[k].value;
        if (value && joint_coordinates(joint.options.type)[k] != "distance" &&
            std::fabs(model_.stated().value_now(*value - drawn_coordinate(joint, k), joint.name)) >
                std::numbers::pi)
          return true;
      }
    return false;
  }

  /// The model with the values that are said as rows, at a part of the way.
  StartInJoints::Held held_positions() {
    Model held = model_;
    const std::vector<Said> said = said_in(held);
    const Expr part = held.parameter(name_of_part, 1.0);
    held = at_joint_starts(held, part);
    for (const Said& s : said)
      if (s.value) {
        held.constrain(s.name + ".start", s.coordinate, s.drawn + part * (*s.value - s.drawn));
        if (s.turns)
          longest_ = std::max(longest_, std::fabs(held.stated().value_now(*s.value - s.drawn, s.name)));
      }
    return {held, System(held, {&name_of_part, 1})};
  }

  static System at_part(const System& held, double part) {
    Parameters p = held.parameters();
    p[name_of_part] = part;
    return held.with(p);
  }

  Assembly close(const System& held, State from) const {
    AssembleOptions positions = options_;
    positions.velocities = false;
    from.t = time_;
    return assemble(held, from, positions);
  }

  /// From where it is drawn to where it starts, as far as the way goes. Each part of it is foretold by the
  /// one before: where a loop comes out elsewhere it may be on another branch, and a shorter part is tried.
  bool go(const System& held, State& at) const {
    constexpr double turn_at_once = 0.3, farthest = 64;  // rad
    constexpr double shortest = 1.0 / 4096, off_course = 0.25;
    if (longest_ > farthest) return false;
    System here = at_part(held, 0.0);
    const Assembly drawn = close(here, here.start());
    if (!drawn.repaired) return false;
    at = drawn.state;
    const double most = std::min(0.25, longest_ > 0 ? turn_at_once / longest_ : 1.0);
    double part = 0, step = most / 16, last_step = 0;
    std::vector<double> last(at.v.size(), 0.0), way(at.v.size());
    while (part < 1) {
      const double next = std::min(1.0, part + step);
      const System there = at_part(held, next);
      const bool is_first = last_step == 0;
      std::vector<double> foretold = last;
      for (double& x : foretold) x *= is_first ? 0.0 : (next - part) / last_step;
      const Assembly moved =
          close(there, is_first ? carried(here, there, at) : displaced_by(there, at, foretold));
      const bool known =
          moved.repaired && !moved.by_detour && displacement_between(held, at.q, moved.state.q, way);
      // Where nothing is to be moved, ways are rounding and foretell nothing: what no start has to close is
      // no branch.
      const double off = known ? size_of(held, way, foretold) : 0.0;
      if (known && (is_first || off <= options_.tolerance || off <= off_course * size_of(held, way, {}))) {
        last_step = next - part;
        last = way;
        at = moved.state;
        part = next;
        here = there;
        step = std::min(most, 1.5 * step);
      } else if ((step /= 2) < shortest) {
        return false;
      }
    }
    return true;
  }

  /// Of a way, or of the difference of two: angles in radians, lengths in those of the machine.
  double size_of(const System& held, const std::vector<double>& way, const std::vector<double>& from) const {
    double low = 0, high = 0, sum = 0;
    const std::vector<double>& q = held.start().q;
    std::vector<char> is_length(way.size(), 0);
    for (int i = 0; i < static_cast<int>(q.size()); ++i)
      if (const int v = held.velocity_of_coordinate(i); v >= 0) {
        is_length[v] = 1;
        low = std::min(low, q[i]);
        high = std::max(high, q[i]);
      }
    const double length = high > low ? high - low : 1.0;
    for (std::size_t i = 0; i < way.size(); ++i) {
      const double x = (way[i] - (from.empty() ? 0.0 : from[i])) / (is_length[i] ? length : 1.0);
      sum += x * x;
    }
    return std::sqrt(sum);
  }

  static State displaced_by(const System& there, const State& at, const std::vector<double>& way) {
    State out = at;
    displace(there, at.q, way, out.q);
    Workspace work(there);
    renormalise(there, out.q, work);
    return out;
  }

  /// What is beyond the joints goes with them.
  static State carried(const System& here, const System& there, const State& at) {
    State out = at;
    std::vector<double> way(at.v.size());
    if (!displacement_between(here, here.start().q, there.start().q, way)) return out;
    displace(here, at.q, way, out.q);
    Workspace work(there);
    renormalise(there, out.q, work);
    return out;
  }

  bool find_positions(State& at, bool& by_detour, StartInJoints& out) {
    const StartInJoints::Held held = held_positions();
    State found;
    if (!go(held.system, found)) {
      Assembly direct = close(held.system, held.system.start());
      by_detour = direct.repaired;
      if (!direct.repaired) return refuse(held, held.system.start(), std::move(direct), out);
      found = direct.state;
    }
    take_by_name(held.system.coordinate_names(), found.q, system_.coordinate_names(), at.q);
    return true;
  }

  bool find_velocities(State& at, StartInJoints& out) {
    Model held = model_;
    const std::vector<Said> said = said_in(held);
    held = at_joint_starts(held);
    for (const Said& s : said)
      if (s.rate) held.constrain(s.name + ".rate", held.rate(s.coordinate), *s.rate);
    const System rates(held);
    State begin = rates.start();
    begin.t = time_;
    begin = in_system(rates, begin, system_, at);
    // The angles that only this system has follow from its bodies but for full turns.
    Workspace work(rates);
    renormalise(rates, begin.q, work);
    Assembly moved = assemble(rates, begin, options_);
    if (!moved.repaired) return refuse({held, rates}, begin, std::move(moved), out);
    at = in_system(system_, at, rates, moved.state);
    return true;
  }

  bool refuse(const StartInJoints::Held& held, const State& from, Assembly why, StartInJoints& out) const {
    out.assembly = std::move(why);
    out.assembly.consistent = false;
    out.assembly.state = from;
    out.assembly.state.t = time_;
    out.held = held;
    return false;
  }

  /// A quaternion and its opposite are one turn: the one that is nearer.
  static void face(const std::vector<std::string>& names, std::vector<double>& from,
                   const std::vector<double>& to) {
    for (std::size_t i = 0; i + 3 < names.size(); ++i) {
      if (!names[i].ends_with(".qw") || !names[i + 3].ends_with(".qz")) continue;
      double along = 0;
      for (std::size_t k = i; k < i + 4; ++k) along += from[k] * to[k];
      for (std::size_t k = i; along < 0 && k < i + 4; ++k) from[k] = -from[k];
    }
  }

  /// From where it is drawn. What ends there, or where the joints that say it carry it, was not moved.
  void tell_changes(const State& carried, Assembly& last) const {
    last.changes.clear();
    double largest = 0;
    std::vector<double> least;  // from where it is drawn or carried, of each change
    const auto list = [&](const auto& names, const auto& stated, const auto& carried_there, const auto& to) {
      std::vector<std::string> stated_names;
      std::vector<double> stated_at, drawn = carried_there;
      for (const auto& s : stated) stated_names.push_back(s.name), stated_at.push_back(s.start);
      take_by_name(stated_names, stated_at, names, drawn);
      face(names, drawn, to);
      std::vector<double> brought = carried_there;
      face(names, brought, to);
      for (std::size_t i = 0; i < names.size(); ++i) {
        const double by = to[i] - drawn[i], other = to[i] - brought[i];
        largest = std::max({largest, std::fabs(by), std::fabs(other)});
        last.changes.push_back({names[i], by});
        least.push_back(std::min(std::fabs(by), std::fabs(other)));
      }
    };
    list(system_.coordinate_names(), model_.coordinates(), carried.q, last.state.q);
    list(system_.velocity_names(), model_.velocities(), carried.v, last.state.v);
    constexpr double rounding = 1e-12;  // of the largest
    std::size_t kept = 0;
    for (std::size_t i = 0; i < least.size(); ++i)
      if (least[i] > rounding * largest) last.changes[kept++] = last.changes[i];
    last.changes.resize(kept);
    std::ranges::stable_sort(
        last.changes, [](const Change& a, const Change& b) { return std::fabs(a.by) > std::fabs(b.by); });
  }

  Model model_;
  const System& system_;
  AssembleOptions options_;
  double time_ = 0.0, longest_ = 0.0;
};

}  // namespace

StartInJoints assemble_in_joints(const Model& model, const System& system, double time,
                                 const AssembleOptions& options) {
  return JointStarter(model, system, time, options).start();
}

}  // namespace vinculum
