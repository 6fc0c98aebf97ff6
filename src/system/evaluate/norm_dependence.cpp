#include "vinculum/system/norm_dependence.hpp"

#include <algorithm>
#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/multipliers.hpp"
#include "vinculum/system/friction.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

constexpr double small_change = 1e-3;  // of the multipliers: laws are asked how they answer
constexpr double cancelled = 1e-6;     // of the answers to each multiplier alone: what is left is rounding

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

double largest(std::span<const double> values) {
  double size = 0.0;
  for (const double x : values) size = std::max(size, std::fabs(x));
  return size;
}

/// A combination of rows that makes no force: rows and their parts.
std::vector<std::pair<int, double>> combination(const Dependency& d) {
  std::vector<std::pair<int, double>> parts{{d.row, 1.0}};
  for (std::size_t k = 0; k < d.on.size(); ++k) parts.emplace_back(d.on[k], -d.weight[k]);
  return parts;
}

/// The laws of a system at one state, and how they answer to multipliers.
class Laws {
 public:
  Laws(const System& system, const State& state)
      : system_(system), s_(system.impl()), work_(system), state_(state) {
    const Evaluation here = evaluate(system, state, {}, work_);
    frictions_ = here.found.frictions;
    Equations ideal = here;
    ideal.C.clear();
    SolveOptions options = options_for(system, {});
    options.within_step = true;
    solution_ = solve(ideal, options);
    events_.resize(system.events().size());
  }

  bool looked_at() const { return solution_.multipliers.size() == system_.row_names().size(); }
  bool all_unique() const { return solution_.multipliers_unique; }

  void find(std::vector<NormDependence>& out) {
    if (!freedom_is_known(solution_)) {  // too many rows to tell
      for (const Reading& law : s_.readings) {
        NormDependence& found = entry(out, name_of(law));
        found.certain = false;
        for (const int row : law.rows) add_once(found.reads, constraint(row));
      }
      return;
    }
    for (const Dependency& d : solution_.dependencies) examine(combination(d), out);
  }

  void find_frictions(std::vector<NormDependence>& out) const {
    for (std::size_t k = 0; k < frictions_.size(); ++k) {
      if (frictions_[k].chosen.empty()) continue;
      std::vector<std::string> names, quoted;
      for (const int c : system_.frictions()[k].constraints) {
        names.push_back(system_.constraints()[c].name);
        quoted.push_back("'" + names.back() + "'");
      }
      NormDependence& found = entry(out, "the friction of " + list_text(quoted, quoted.size()));
      found.certain = freedom_is_known(solution_);
      found.reads = names;
      for (const int c : frictions_[k].chosen)
        if (const std::string& name = system_.constraints()[c].name;
            std::find(names.begin(), names.end(), name) == names.end())
          add_once(found.sharing, name);
    }
  }

 private:
  static NormDependence& entry(std::vector<NormDependence>& list, const std::string& law) {
    const auto same = [&](const NormDependence& d) { return d.law == law; };
    const auto found = std::find_if(list.begin(), list.end(), same);
    return found != list.end() ? *found : list.emplace_back(NormDependence{law, {}, {}});
  }
  const std::string& constraint(int row) const {
    return system_.constraints()[system_.constraint_of_row(row)].name;
  }
  std::string name_of(const Reading& law) const {
    if (law.of == Reading::event) return "event '" + system_.events()[law.index].name + "'";
    const std::vector<int> on =
        law.of == Reading::friction ? system_.frictions()[law.index].velocities : std::vector<int>{law.index};
    std::vector<std::string> names;
    for (const int v : on) names.push_back("'" + name_of_moving(system_, v) + "'");
    return "the non-ideal force on " + list_text(names, names.size());
  }

  /// What each law gives with other multipliers.
  std::vector<double> answers(const std::vector<double>& multipliers) {
    std::vector<double> c = s_.pattern.C;
    if (s_.nonideal_needs_reactions) {
      Numbers to{};
      to[static_cast<int>(Where::nonideal)] = c.data();
      s_.nonideal.evaluate({{&state_.t, state_.q.data(), state_.v.data(), nullptr, multipliers.data()}}, to,
                           work_.impl().nonideal_scratch);
    }
    Solution found = solution_;
    found.multipliers = multipliers;
    event_values(system_, state_, found, work_, events_);
    std::vector<double> list;
    double limit = 0.0;
    for (const Reading& law : s_.readings) {
      if (law.of == Reading::friction) {
        BoundFunction function(s_.friction_laws[law.index].limit, system_.values().numbers);
        limit = function({{&state_.t, state_.q.data(), state_.v.data(), nullptr, multipliers.data()}})[0];
      }
      list.push_back(law.of == Reading::event      ? events_[law.index]
                     : law.of == Reading::friction ? limit
                                                   : c[law.index]);
    }
    return list;
  }

  /// A law that answers to each multiplier but not to all of them together reads what is determined.
  void examine(const std::vector<std::pair<int, double>>& parts, std::vector<NormDependence>& out) {
    const auto reads = [](const Reading& law, int row) {
      return std::find(law.rows.begin(), law.rows.end(), row) != law.rows.end();
    };
    double unit = 0.0, most = 0.0;
    for (const auto& [row, part] : parts) {
      unit = std::max(unit, std::fabs(solution_.multipliers[row]));
      most = std::max(most, std::fabs(part));
    }
    if (unit == 0) unit = largest(solution_.multipliers);
    const double step = small_change * (unit > 0 ? unit : 1.0) / most;
    const std::vector<double> here = answers(solution_.multipliers);
    std::vector<double> changed = solution_.multipliers, alone(here.size(), 0.0);
    for (const auto& [row, part] : parts) {
      const auto of_row = [&](const Reading& law) { return reads(law, row); };
      changed[row] += step * part;
      if (std::none_of(s_.readings.begin(), s_.readings.end(), of_row)) continue;
      std::vector<double> one = solution_.multipliers;
      one[row] += step * part;
      const std::vector<double> there = answers(one);
      for (std::size_t k = 0; k < here.size(); ++k) alone[k] += std::fabs(there[k] - here[k]);
    }
    const std::vector<double> there = answers(changed);
    for (std::size_t k = 0; k < here.size(); ++k) {
      if (!(std::fabs(there[k] - here[k]) > cancelled * alone[k])) continue;
      NormDependence& found = entry(out, name_of(s_.readings[k]));
      for (const auto& [row, part] : parts)
        add_once(reads(s_.readings[k], row) ? found.reads : found.sharing, constraint(row));
    }
  }

  const System& system_;
  const System::Impl& s_;
  Workspace work_;
  State state_;
  Solution solution_;
  std::vector<FrictionState> frictions_;
  std::vector<double> events_;
};

/// The same place with velocities that are none of them zero and none alike: a law may be silent where one
/// is.
State stirred(const State& state) {
  State other = state;
  const double size = largest(state.v) > 0 ? largest(state.v) : 1.0;
  for (std::size_t i = 0; i < other.v.size(); ++i)
    other.v[i] += size * (0.37 + 0.11 * static_cast<double>(i % 7));
  return other;
}

std::string quoted(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back("'" + name + "'");
  return list_text(list, list.size());
}

}  // namespace

std::vector<NormDependence> norm_dependences(const System& system, const StateView& at) {
  const State state = at.copy();
  std::vector<NormDependence> found;
  const System::Impl& s = system.impl();
  // Forces of actuators and of vakonomic motion are no A^T lambda, and no law can read them.
  if ((s.readings.empty() && s.frictions.empty()) || s.drive || system.mechanics() == Mechanics::vakonomic)
    return found;
  Laws here(system, state);
  if (!here.looked_at() || here.all_unique()) return found;
  here.find_frictions(found);
  if (s.readings.empty()) return found;
  here.find(found);
  Laws elsewhere(system, stirred(state));
  if (elsewhere.looked_at() && !elsewhere.all_unique()) elsewhere.find(found);
  for (NormDependence& d : found)  // what one look calls a neighbour another may have seen read
    std::erase_if(d.sharing, [&](const std::string& name) {
      return std::find(d.reads.begin(), d.reads.end(), name) != d.reads.end();
    });
  return found;
}

std::string describe(const NormDependence& d) {
  const bool one = d.reads.size() == 1;
  std::string text = std::string("the motion ") + (d.certain ? "depends" : "may depend") +
                     " on a choice of norm: " + d.law + " reads the force" + (one ? "" : "s") + " of " +
                     quoted(d.reads);
  if (!d.sharing.empty())
    text += ", shared with " + quoted(d.sharing);
  else if (!one)
    text += ", which share";
  return text + (d.certain ? ": only the sum is determined, and the shares of least norm are taken"
                           : "; there are too many rows to tell whether they are determined");
}

std::vector<std::string> names_of(const std::vector<NormDependence>& dependences) {
  std::vector<std::string> names;
  for (const NormDependence& d : dependences)
    for (const std::vector<std::string>* list : {&d.reads, &d.sharing})
      for (const std::string& name : *list) add_once(names, name);
  return names;
}

}  // namespace vinculum
