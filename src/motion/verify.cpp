#include "vinculum/motion/verify.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "motion/agreement.hpp"
#include "motion/sizes.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

constexpr double trusted_digits = 3;
constexpr double tighter = 100, loosest = 1e-8, tightest = 1e-14;
/// Steps of the second computation end elsewhere, and none is longer than this part of the time, or of a time
/// in which the first made two: what acts for a while is met by one of them.
constexpr double fewest_steps = 64.3;
/// Instants at which both are compared. Steps of the second computation end there: more would shorten them.
constexpr int most_compared = 80;
/// Evaluations of the second computation for one of the first, as they usually are: with less nothing is
/// begun.
constexpr double usual_effort = 3;
/// Where an event ends a motion the second computation may come to it a little later.
constexpr double beyond_event = 0.01;
/// Times of events that differ by this part of the whole are told.
constexpr double part_told = 1e-3;

/// A way to compute the motion the second time.
struct Road {
  Integrator integrator;
  double work_of_step = 0;  // evaluations, or what is worth one
  double most_evaluations = std::numeric_limits<double>::infinity();
};

const Road dop853{Integrator::dop853, 13}, extrapolation{Integrator::extrapolation, 60},
    radau{Integrator::radau5, 40};

/// The first choice, and what is taken where it cannot. An explicit method is tried on a motion made by an
/// implicit one, with ten times its evaluations: where they do not suffice, the model is stiff.
std::vector<Road> roads_for(Integrator integrator, long evaluations) {
  if (integrator == Integrator::dop853) return {extrapolation, dop853};
  if (integrator == Integrator::extrapolation) return {dop853};  // the same once more is no witness
  if (integrator == Integrator::radau5)
    return {{Integrator::dop853, 13, std::max(2000.0, 10.0 * evaluations)}, radau};
  return {dop853, extrapolation};
}

/// Some of the places the first motion came by, in even steps of it. The start is not among them.
std::vector<double> instants_of(const Waypoints& waypoints) {
  std::vector<double> instants;
  const int stride = 1 + waypoints.size() / most_compared;
  for (int k = stride; k < waypoints.size(); k += stride) instants.push_back(waypoints.times()[k]);
  return instants;
}

MotionOptions second_options(const MotionOptions& first, const Trajectory& motion, const Road& road,
                             double most_evaluations) {
  const double span = motion.last.t - motion.first.t;
  MotionOptions o = first;
  o.sink = nullptr;  // what was recorded is the motion, not its check
  o.until = motion.last.t;
  if (motion.stop == Stop::event) {
    o.until += beyond_event * span;
    if (std::fabs(o.until - motion.first.t) > std::fabs(first.until - motion.first.t)) o.until = first.until;
  }
  o.tolerance = std::clamp(first.tolerance / tighter, tightest, loosest);
  if (first.absolute_tolerance > 0)
    o.absolute_tolerance = first.absolute_tolerance * o.tolerance / first.tolerance;
  o.integrator = road.integrator;
  const double longest = std::fabs(span) / std::max(fewest_steps, 0.5 * static_cast<double>(motion.steps));
  o.step = first.step > 0 && first.integrator != Integrator::rk4 ? std::min(first.step, longest) : longest;
  o.samples = 0;
  o.instants = instants_of(motion.waypoints);
  if (o.instants.empty()) o.samples = 1;
  o.keep = Stabilisation::projection;
  const double steps = std::min(road.most_evaluations, most_evaluations) / road.work_of_step;
  o.step_limit = static_cast<long>(std::clamp(steps, 1.0, static_cast<double>(first.step_limit)));
  return o;
}

bool arrived(const Trajectory& motion) { return motion.stop == Stop::end || motion.stop == Stop::event; }

std::string quoted(const std::string& name) { return "'" + name + "'"; }

/// What both computations may have wrong alike: every step rounds, and the instants at which forces switch
/// are found as well as times can be told apart.
double rounding_of(const System& system, const Trajectory& motion) {
  const bool switching = !switches(system).empty() || !system.frictions().empty();
  return std::max(switching ? 1e-11 : 1e-13,
                  std::numeric_limits<double>::epsilon() * static_cast<double>(motion.steps));
}

/// Compares at the instants both have, and where both ended.
Agreement compare(const System& system, const Trajectory& motion, const Trajectory& second, bool to_the_end,
                  double tolerance) {
  Agreement agreement(system, motion.first, motion.last.t, rounding_of(system, motion),
                      100 * part_in_rows * tolerance);
  int k = 1;  // the first is the start
  for (int i = 0; i < second.size(); ++i) {
    while (k < motion.waypoints.size() && std::fabs(motion.waypoints.times()[k] - motion.first.t) <
                                              std::fabs(second.times()[i] - motion.first.t))
      ++k;
    if (k < motion.waypoints.size() && motion.waypoints.times()[k] == second.times()[i])
      agreement.compare(second.times()[i], motion.waypoints.q(k), second[i].q);
  }
  if (to_the_end) agreement.compare(motion.last.t, motion.last.q, second.last.q);
  return agreement;
}

/// The last instant before a coordinate has fewer than three digits, and which; the end where none ever has.
/// What moves by next to nothing beside its own value, or beside what rows tie it to, may have fewer by
/// rounding alone: that is no doubt of the motion.
struct Trust {
  double until = 0;
  int lost = -1;  // the coordinate
};
Trust trust_of(const Agreement& agreement, const std::vector<std::vector<double>>& digits, double start) {
  Trust trust{start, -1};
  for (std::size_t at = 0; at < agreement.times().size(); ++at) {
    std::vector<char> rounding;  // looked at where it matters
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i][at] >= trusted_digits) continue;
      if (rounding.empty()) rounding = agreement.apart_by_rounding(at);
      if (!rounding[i] && (trust.lost < 0 || digits[i][at] < digits[trust.lost][at]))
        trust.lost = static_cast<int>(i);
    }
    if (trust.lost >= 0) return trust;
    trust.until = agreement.times()[at];
  }
  return trust;
}

std::string times_text(std::size_t count) {
  return count == 0 ? "never" : count == 1 ? "once" : std::to_string(count) + " times";
}

/// Something that happens in both computations, and when.
struct Happening {
  std::string what, verb;  // "event 'a'", "happens"
  std::vector<double> first, second;
};

/// How what happens until t differs, "" where it does not, and the largest difference of times. One of them
/// may lie a hair beyond.
std::string difference(Happening of, double start, double t, double& largest) {
  const double span = std::fabs(t - start), hair = 1e-6 * span;
  const auto drop_beyond = [&](std::vector<double>& times, double most, std::size_t fewest) {
    while (times.size() > fewest && std::fabs(times.back() - start) > most) times.pop_back();
  };
  std::vector<double>&a = of.first, &b = of.second;
  for (auto* times : {&a, &b}) drop_beyond(*times, (1 + 0.5 * beyond_event) * span, 0);
  drop_beyond(a, span - hair, b.size());
  drop_beyond(b, span - hair, a.size());
  if (a.size() != b.size())
    return of.what + " " + of.verb + " " + times_text(a.size()) + " until t = " + number_text(t, 6) +
           ", and " + times_text(b.size()) + " in the second computation";
  std::string told;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double apart = std::fabs(a[k] - b[k]);
    largest = std::max(largest, apart);
    if (apart > part_told * span && told.empty())
      told = of.what + " at t = " + number_text(a[k], 6) + " " + of.verb + " at t = " + number_text(b[k], 6) +
             " in the second computation";
  }
  return told;
}

std::vector<double> times_of_event(const Trajectory& motion, const std::string& name) {
  std::vector<double> times;
  for (const EventRecord& e : motion.events)
    if (e.name == name) times.push_back(e.time);
  return times;
}

/// When it comes to rest, or lets go, for a time worth telling: what sticks or slides for less may be more
/// than steps can tell.
std::vector<double> times_of_contact(const Trajectory& motion, const std::string& name, bool sticks) {
  const double little = part_told * std::fabs(motion.last.t - motion.first.t);
  std::vector<const GripChange*> changes;
  for (const GripChange& c : motion.grip_changes) {
    if (c.constraint != name) continue;
    if (!changes.empty() && std::fabs(c.time - changes.back()->time) < little)
      changes.pop_back();
    else
      changes.push_back(&c);
  }
  std::vector<double> times;
  for (const GripChange* c : changes)
    if (c->sticks == sticks) times.push_back(c->time);
  return times;
}

/// The events and the changes of friction of both until then: the same ones, at the same times.
void compare_happenings(const System& system, const Trajectory& motion, const Trajectory& second,
                        Verification& out) {
  const auto take = [&](std::string& told, double& largest, Happening of) {
    const std::string differs = difference(std::move(of), motion.first.t, out.trusted_until, largest);
    if (told.empty()) told = differs;
  };
  for (const EventInfo& info : system.events())
    take(out.events, out.event_difference,
         {"event " + quoted(info.name), "happens", times_of_event(motion, info.name),
          times_of_event(second, info.name)});
  std::set<std::string> names;
  for (const Trajectory* both : {&motion, &second})
    for (const GripChange& c : both->grip_changes) names.insert(c.constraint);
  for (const std::string& name : names)
    for (const bool sticks : {true, false})
      take(out.grips, out.grip_difference,
           {quoted(name), sticks ? "comes to rest" : "begins to slide",
            times_of_contact(motion, name, sticks), times_of_contact(second, name, sticks)});
}

std::string way_of(const Verification& v) {
  return "computed again with " + std::string(integrator_name(*v.integrator)) + " at a tolerance of " +
         number_text(v.tolerance, 2);
}

std::string digits_text(int digits) { return std::to_string(digits) + (digits == 1 ? " digit" : " digits"); }

/// Without doubt, what has fewer than three digits moves by next to nothing beside its own value.
std::string undoubted(const System& system, const Verification& v) {
  std::vector<std::string> still;
  int fewest = 99, fewest_still = 99;
  for (std::size_t i = 0; i < v.digits.size(); ++i) {
    const bool moves = v.digits[i] >= trusted_digits;
    if (!moves) still.push_back(quoted(system.coordinate_names()[i]));
    (moves ? fewest : fewest_still) = std::min(moves ? fewest : fewest_still, v.digits[i]);
  }
  if (still.empty()) return "at least " + digits_text(fewest) + " of every coordinate agree at the end";
  const std::string little = list_text(still) + (still.size() == 1 ? " moves" : " move") +
                             " so little that rounding leaves " + std::to_string(fewest_still);
  if (still.size() == v.digits.size()) return little + " of the digits";
  return "at least " + digits_text(fewest) + " of every coordinate agree at the end, but " + little;
}

std::string verdict(const System& system, const Trajectory& motion, const MotionOptions& options,
                    const Verification& v, const Trust& trust) {
  const auto fewest = std::min_element(v.digits.begin(), v.digits.end());
  if (fewest == v.digits.end()) return way_of(v) + ": there is no coordinate to compare";
  if (trust.lost < 0) return way_of(v) + ": " + undoubted(system, v);
  const std::string at_end = "at least " + digits_text(*fewest) + " of every coordinate agree at the end";
  const std::string& name = system.coordinate_names()[trust.lost];
  if (*fewest >= trusted_digits)
    return way_of(v) + ": " + at_end + ", but after t = " + number_text(v.trusted_until, 4) + " " +
           quoted(name) + " has fewer than three for a while";
  const bool from_start = v.trusted_until == motion.first.t;
  return (from_start ? "the motion" : "after t = " + number_text(v.trusted_until, 4) + " the motion") +
         " is not to be trusted: " + way_of(v) + ", " + quoted(name) +
         " agrees to fewer than three digits. It is chaotic or unstable, or the " +
         (options.integrator == Integrator::rk4 ? "step is too long" : "tolerance is too loose") + " for it";
}

/// Why the second computation did not come to where the first did, and what it says all the same.
std::string shortfall(const Trajectory& motion, const Trajectory& second, const Verification& v) {
  const std::string until =
      "; at least three digits of every coordinate agree until t = " + number_text(v.trusted_until, 4);
  if (motion.stop == Stop::event && second.stop == Stop::end)
    return way_of(v) + ", the motion does not meet event " + quoted(motion.names.front()) +
           ", which ends it, by t = " + number_text(second.last.t, 6) + until;
  return way_of(v) + ", the motion ends at t = " + number_text(second.last.t, 6) + " (" + second.reason +
         ")" + until;
}

/// Both came to an end, and to the same one.
bool same_end(const Trajectory& motion, const Trajectory& second) {
  const double apart = std::fabs(second.last.t - motion.last.t),
               span = std::fabs(motion.last.t - motion.first.t);
  return arrived(second) && apart <= beyond_event * span &&
         (motion.stop != Stop::event || (second.stop == Stop::event && second.names == motion.names));
}

/// The implicit one where it was needed, else the first: what made a part of the motion is no witness of it.
Integrator method_of(const Trajectory& motion, const MotionOptions& options) {
  if (motion.methods.empty()) return options.integrator;
  for (const MethodUse& use : motion.methods)
    if (use.integrator == Integrator::radau5) return use.integrator;
  return motion.methods.front().integrator;
}

/// By the first road that leads to the end, or the one that leads farthest.
Trajectory compute_again(const System& system, const Trajectory& motion, const MotionOptions& options,
                         double most_evaluations, Verification& v) {
  Trajectory farthest;
  for (const Road& road : roads_for(method_of(motion, options), motion.evaluations)) {
    const MotionOptions how = second_options(options, motion, road, most_evaluations);
    if (static_cast<double>(how.step_limit) < fewest_steps) continue;  // it cannot come to the end
    Trajectory tried = simulate(system, motion.first, how);
    const bool farther =
        std::fabs(tried.last.t - motion.first.t) > std::fabs(farthest.last.t - motion.first.t);
    if (v.integrator && !farther && !arrived(tried)) continue;
    farthest = std::move(tried);
    v.integrator = how.integrator;
    v.tolerance = how.tolerance;
    const bool out_of_work = farthest.stop == Stop::step_limit && road.most_evaluations >= most_evaluations;
    if (arrived(farthest) || farthest.stop == Stop::cancelled || out_of_work) break;
  }
  return farthest;
}

Verification not_made(const std::string& why) {
  Verification v;
  v.text = why;
  return v;
}

Verification too_much_work() {
  return not_made("computing it a second time is more work than is done without being asked");
}

}  // namespace

double evaluation_work(const System& system) {
  const std::size_t n = system.velocity_names().size(), m = system.row_names().size();
  const double of_each = n <= 12 && m <= 4 ? 32 : 64;  // small systems are one kernel
  return static_cast<double>(system.instruction_count()) + of_each * static_cast<double>(n + m);
}

Verification verify(const System& system, const Trajectory& motion, const MotionOptions& options,
                    double most_work) {
  const double work = evaluation_work(system);
  if (!arrived(motion) || motion.first.q.empty()) return not_made("the motion ended before its time");
  if (motion.last.t == motion.first.t) return not_made("there is no motion: its end is its start");
  if (usual_effort * static_cast<double>(motion.evaluations) * work > most_work) return too_much_work();
  Verification v;
  const Trajectory second = compute_again(system, motion, options, most_work / work, v);
  if (second.stop == Stop::cancelled) return not_made("the second computation was " + second.reason);
  if (!v.integrator || (second.stop == Stop::step_limit && std::isfinite(most_work))) return too_much_work();
  const bool whole = same_end(motion, second);
  const Agreement agreement = compare(system, motion, second, whole, options.tolerance);
  v.outcome = whole ? Verification::Outcome::compared : Verification::Outcome::cut_short;
  v.times = agreement.times();
  v.agreement = agreement.digits();
  const Trust trust = trust_of(agreement, v.agreement, motion.first.t);
  v.trusted_until = trust.until;
  if (whole)
    for (const std::vector<double>& digits : v.agreement) v.digits.push_back(static_cast<int>(digits.back()));
  compare_happenings(system, motion, second, v);
  v.doubtful = trust.lost >= 0 || !v.events.empty() || !v.grips.empty();
  v.text = whole ? verdict(system, motion, options, v, trust) : shortfall(motion, second, v);
  for (const std::string& differs : {v.events, v.grips})
    if (!differs.empty()) v.text += ". " + differs;
  return v;
}

}  // namespace vinculum
