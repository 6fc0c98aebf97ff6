#include "system/modes/switch_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// How far beside a switch its sides are taken, in parts of its terms: they must be told apart.
constexpr double few_roundings = 256 * std::numeric_limits<double>::epsilon();
constexpr double least_distance = 1e-200;  // where all terms are zero
constexpr double wider = 1024.0;           // a jump is the same from this many times farther away
/// Velocities that make up less of a switch (one of place and velocity, where the motion turns around) do not
/// move it: what is a rounding of its places would be far more of them.
constexpr double least_part_of_velocities = 0.1;
constexpr double rounding_of_mean = 16 * std::numeric_limits<double>::epsilon();
constexpr int most_tries = 20;

/// Of n rows one after the other: x in the place of the right side; not finite where the system is singular.
void solve_small(std::vector<double>& rows, std::vector<double>& right) {
  const std::size_t n = right.size();
  const auto at = [&](std::size_t i, std::size_t k) -> double& { return rows[i * n + k]; };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(at(i, k)) > std::fabs(at(pivot, k))) pivot = i;
    for (std::size_t j = 0; j < n && pivot != k; ++j) std::swap(at(k, j), at(pivot, j));
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = at(i, k) / at(k, k);
      for (std::size_t j = k + 1; j < n; ++j) at(i, j) -= factor * at(k, j);
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] -= at(k, j) * right[j];
    right[k] /= at(k, k);
  }
}

void add(double part, const std::vector<double>& way, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (way[i] != 0) to[i] += part * way[i];
}

SlidingSwitch compile(const Model& model, const Expr& zero) {
  SlidingSwitch compiled;
  std::vector<Expr> velocities;
  for (const Expr& s : symbols_of({&zero, 1}))
    if (model.stated().role(s).role == Role::velocity) {
      velocities.push_back(s);
      compiled.velocities.push_back(model.stated().role(s).index);
    }
  const Expr written = model.stated().written_out(zero);
  std::vector<Expr> places;
  for (const Expr& s : symbols_of({&written, 1})) {
    if (model.stated().role(s).role != Role::coordinate) continue;
    places.push_back(s);
    compiled.coordinates.push_back(model.stated().role(s).index);
  }
  std::vector<Expr> outputs{zero, time_derivative(zero, model.stated().rates)};
  for (const Expr& slope : gradient(zero, velocities)) outputs.push_back(slope);
  for (Expr& output : outputs) output = model.stated().written_out(output);
  for (const Expr& slope : gradient(written, places)) outputs.push_back(slope);
  compiled.function = StateFunction(model, outputs);
  return compiled;
}

/// a = -b by the look of them: if(x > 0, ...) and if(x < 0, ...) have one zero.
bool opposite(const Expr& a, const Expr& b) {
  if (a.op() == Op::subtract && b.op() == Op::subtract)
    return identical(a.operand(0), b.operand(1)) && identical(a.operand(1), b.operand(0));
  return (a.op() == Op::negate && identical(a.operand(0), b)) ||
         (b.op() == Op::negate && identical(b.operand(0), a));
}

bool is_of_state(const Model& model, const Expr& zero) {
  bool moves = false;
  for (const Expr& s : symbols_of({&zero, 1})) {
    const Role role = model.stated().role(s).role;
    if (role != Role::time && role != Role::coordinate && role != Role::velocity &&
        role != Role::abbreviation && !is_number(role))
      return false;
    moves = moves || role == Role::velocity;
  }
  return moves;
}

}  // namespace

std::vector<SlidingSwitch> sliding_switches(const Model& model, const std::vector<Statement>& statements,
                                            const std::vector<Statement>& switching) {
  std::vector<Statement> others;  // masses, energies and constraints must be the same on both sides
  for (const Statement& s : statements)
    if (s.kind != StatementKind::force && s.kind != StatementKind::nonideal) others.push_back(s);
  std::set<NodeId> elsewhere;
  for (const Statement& s : switches_of(model, others)) elsewhere.insert(s.roots[0].id());
  std::vector<SlidingSwitch> list;
  std::vector<Expr> zeros;
  for (std::size_t place = 0; place < switching.size(); ++place) {
    const Expr& zero = switching[place].roots[0];
    if (!is_of_state(model, zero) || elsewhere.count(zero.id())) continue;
    const auto same =
        std::find_if(zeros.begin(), zeros.end(), [&](const Expr& other) { return opposite(other, zero); });
    const std::size_t k = same - zeros.begin();
    if (k == zeros.size()) {
      zeros.push_back(zero);
      list.push_back(compile(model, zero));
    }
    list[k].places.push_back(static_cast<int>(place));
  }
  return list;
}

SwitchLaw::SwitchLaw(const System& system, std::vector<SwitchState>& found)
    : switches_(system.impl().sliding),
      open_(switches_.size()),
      found_(found),
      at_(switches_.size()),
      beside_(switches_.size()),
      ways_(switches_.size()),
      stated_(system.values().pattern) {
  for (const SlidingSwitch& s : switches_) functions_.emplace_back(s.function, system.values().numbers);
}

void SwitchLaw::look(int k, const StateView& state, Look& out) {
  const SlidingSwitch& s = switches_[k];
  const std::span<const double> found = functions_[k](parts_of(state));
  out.g = found[0];
  out.rate = found[1];
  out.terms = 0.0;
  out.slope.resize(s.velocities.size());
  for (std::size_t i = 0; i < out.slope.size(); ++i) {
    out.slope[i] = found[2 + i];
    out.terms += std::fabs(out.slope[i] * state.v[s.velocities[i]]);
  }
  const double of_velocities = out.terms;
  out.slope_of_place.resize(s.coordinates.size());
  for (std::size_t i = 0; i < out.slope_of_place.size(); ++i) {
    out.slope_of_place[i] = found[2 + out.slope.size() + i];
    out.terms += std::fabs(out.slope_of_place[i] * state.q[s.coordinates[i]]);
  }
  out.by_velocities = of_velocities >= least_part_of_velocities * out.terms;
}

/// The way from a switch to its sides: by velocities alone where these tell, else by all it contains, each in
/// proportion to its size, so that none changes by more than a few roundings.
void SwitchLaw::find_way(int k, const StateView& state, Way& way) const {
  const SlidingSwitch& s = switches_[k];
  const Look& at = at_[k];
  way.q.assign(state.q.size(), 0.0);
  way.v.assign(state.v.size(), 0.0);
  for (std::size_t i = 0; i < at.slope.size(); ++i) {
    const double size = at.by_velocities ? 1.0 : state.v[s.velocities[i]];
    way.v[s.velocities[i]] = at.slope[i] * size * size;
  }
  for (std::size_t i = 0; i < at.slope_of_place.size() && !at.by_velocities; ++i) {
    const double size = state.q[s.coordinates[i]];
    way.q[s.coordinates[i]] = at.slope_of_place[i] * size * size;
  }
}

/// How much a switch changes along a way.
double SwitchLaw::change_along(int k, const Way& way) const {
  double sum = slope_times(k, way.v);
  for (std::size_t i = 0; i < at_[k].slope_of_place.size(); ++i)
    sum += at_[k].slope_of_place[i] * way.q[switches_[k].coordinates[i]];
  return sum;
}

/// Parts of the ways of the switches `on` that change each of them by as much as `right_` says, in its place.
void SwitchLaw::find_parts(std::span<const int> on) {
  matrix_.resize(on.size() * on.size());
  for (std::size_t a = 0; a < on.size(); ++a)
    for (std::size_t b = 0; b < on.size(); ++b) matrix_[a * on.size() + b] = change_along(on[a], ways_[b]);
  solve_small(matrix_, right_);
}

double SwitchLaw::slope_times(int k, std::span<const double> x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < at_[k].slope.size(); ++i)
    sum += at_[k].slope[i] * x[switches_[k].velocities[i]];
  return sum;
}

SwitchLaw::Course SwitchLaw::course(int k, const StateView& state, std::span<const double> acceleration,
                                    std::span<const double> rest) {
  look(k, state, at_[k]);
  double little = 0.0;
  for (std::size_t i = 0; i < at_[k].slope.size(); ++i)
    little += std::fabs(at_[k].slope[i]) * rest[switches_[k].velocities[i]];
  return {at_[k].g, at_[k].rate + slope_times(k, acceleration), little};
}

bool SwitchLaw::intervenes(const StateView& state, const Mode& mode) {
  given_ = mode.switches.empty() ? std::span(open_) : std::span(mode.switches);
  found_.assign(given_.begin(), given_.end());
  bool any = false;
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const SwitchState& s = given_[k];
    if (s.grip == Grip::open && !s.on) {
      look(static_cast<int>(k), state, at_[k]);
      if (std::fabs(at_[k].g) <= few_roundings * at_[k].terms) any = true;
      found_[k].grip = Grip::slides;
    } else {
      any = any || s.grip != Grip::slides || s.side != 0;
    }
  }
  if (!any) side_count_ = 0;
  known_ = false;
  return any;
}

/// The state changed so that each of the switches `on` stands on its side, by as little as rounding lets
/// tell.
bool SwitchLaw::beside(const StateView& state, std::span<const int> on, std::span<const int> sign,
                       double factor, Side& out) {
  distance_.clear();
  for (std::size_t a = 0; a < on.size(); ++a) {
    find_way(on[a], state, ways_[a]);
    distance_.push_back(factor * std::max(few_roundings * at_[on[a]].terms, least_distance));
  }
  for (int tries = 0; tries < most_tries; ++tries) {
    right_.clear();
    for (std::size_t a = 0; a < on.size(); ++a) right_.push_back(sign[a] * distance_[a] - at_[on[a]].g);
    find_parts(on);
    out.q.assign(state.q.begin(), state.q.end());
    out.v.assign(state.v.begin(), state.v.end());
    for (std::size_t a = 0; a < on.size(); ++a) {
      add(right_[a], ways_[a].q, out.q);
      add(right_[a], ways_[a].v, out.v);
    }
    bool all = true;
    for (std::size_t a = 0; a < on.size(); ++a) {
      look(on[a], {state.t, out.q, out.v}, beside_[on[a]]);
      if (beside_[on[a]].g * sign[a] > 0) continue;
      all = false;
      // What the ways of the others change and change back leaves a rounding: no less tells its side.
      double moved = 0.0;
      for (std::size_t b = 0; b < on.size(); ++b)
        moved += std::fabs(right_[b] * change_along(on[a], ways_[b]));
      distance_[a] = std::max(16 * distance_[a], few_roundings * moved);
    }
    if (all) return true;
  }
  return false;
}

/// The forces beside the switches, and the acceleration they give with M, A and b of the state itself.
void SwitchLaw::make_side(const System& system, const StateView& state, std::span<const int> on,
                          std::span<const int> sign, double factor, Workspace::Impl& w, Side& side) {
  const bool found = beside(state, on, sign, factor, side);
  Mode open;
  open.passed_over = w.passed_over;
  evaluate_as_stated(system, {state.t, side.q, side.v}, open, w);
  Equations& e = w.equations;
  side.Q = e.Q;
  side.C = e.C;
  side.weight = 1.0;
  e.M.value = stated_.M.value;
  e.A.value = stated_.A.value;
  e.b = stated_.b;
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  solve(system.structure(), e, w.solve, solution_, options);
  side.acceleration = solution_.acceleration;
  if (!found) side.acceleration.clear();
  side.acceleration.resize(state.v.size(), NAN);
}

/// It holds the motion, or the state is on it and it is open whether it does.
bool SwitchLaw::may_hold(int k) const {
  const SwitchState& s = given_[k];
  if (s.grip != Grip::open) return s.grip == Grip::sticks;
  return s.on || std::fabs(at_[k].g) <= few_roundings * at_[k].terms;
}

/// Whether the forces push to the switch by a jump. A corner pushes the less the nearer the sides are. Others
/// that may hold the motion stay on one side meanwhile: their own jumps are not those of this switch.
bool SwitchLaw::jumps(const System& system, const StateView& state, int k, Workspace::Impl& w) {
  on_.assign(1, k);
  for (int other = 0; other < static_cast<int>(found_.size()); ++other)
    if (other != k && may_hold(other)) on_.push_back(other);
  sign_.assign(on_.size(), -1);
  double change[2], size = std::fabs(at_[k].rate);
  for (const bool far : {false, true}) {
    sign_[0] = -1;
    make_side(system, state, on_, sign_, far ? wider : 1.0, w, near_[0]);
    sign_[0] = 1;
    make_side(system, state, on_, sign_, far ? wider : 1.0, w, near_[1]);
    change[far] = slope_times(k, near_[1].acceleration) - slope_times(k, near_[0].acceleration);
    size += std::fabs(slope_times(k, near_[1].acceleration));
  }
  return change[0] < -edge_of_limit * size && change[1] < 0.5 * change[0] && change[1] > 2 * change[0];
}

/// The shares that keep all held switches at zero, as weights of the sides: the first has all of them below.
void SwitchLaw::weigh() {
  const std::size_t n = held_.size();
  right_.clear();
  matrix_.resize(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<double>& jump = found_[held_[a]].jump;
    jump = sides_[a + 1].acceleration;
    for (std::size_t i = 0; i < jump.size(); ++i) jump[i] -= sides_[0].acceleration[i];
  }
  for (std::size_t a = 0; a < n; ++a) {
    right_.push_back(-at_[held_[a]].rate - slope_times(held_[a], sides_[0].acceleration));
    for (std::size_t b = 0; b < n; ++b) matrix_[a * n + b] = slope_times(held_[a], found_[held_[b]].jump);
  }
  // Alone, its rates are known without a share, which does not exist where neither side pushes any more.
  for (std::size_t a = 0; a < n; ++a) {
    const double change = matrix_[a * n + a];
    found_[held_[a]].from_below = n == 1 ? -right_[a] : -change;
    found_[held_[a]].from_above = n == 1 ? right_[a] - change : change;
  }
  solve_small(matrix_, right_);
  for (std::size_t a = 0; a < n; ++a) {
    SwitchState& found = found_[held_[a]];
    found.share = std::isfinite(right_[a]) ? right_[a] : 0.5;
    if (n > 1) {
      found.from_below *= found.share;
      found.from_above *= found.share - 1.0;
    }
    sides_[a + 1].weight = found.share;
    sides_[0].weight -= sides_[a + 1].weight;
  }
}

/// Of the switches that were open: the one that can be held least; -1 where all can.
int SwitchLaw::first_to_leave() const {
  int first = -1;
  double most = edge_of_limit;
  for (const int k : held_) {
    const SwitchState& s = found_[k];
    const double beyond =
        -std::min(s.from_below, s.from_above) / (std::fabs(s.from_below) + std::fabs(s.from_above));
    if (given_[k].grip == Grip::sticks || !(beyond > most)) continue;
    most = beyond;
    first = k;
  }
  return first;
}

/// Which switches the motion is on, and which of them may hold it.
void SwitchLaw::decide(const System& system, const StateView& state, Workspace::Impl& w) {
  const int count = static_cast<int>(given_.size());
  found_.assign(given_.begin(), given_.end());
  for (int k = 0; k < count; ++k)
    if (given_[k].grip != Grip::slides || given_[k].side != 0) look(k, state, at_[k]);
  for (int k = 0; k < count; ++k) {
    if (given_[k].grip != Grip::open) continue;
    found_[k].grip = may_hold(k) && jumps(system, state, k, w) ? Grip::sticks : Grip::slides;
  }
  on_.clear();
  for (int k = 0; k < count; ++k)
    if (found_[k].grip == Grip::sticks || found_[k].side != 0) on_.push_back(k);
}

SwitchLaw::Side& SwitchLaw::next_side() {
  if (sides_.size() == side_count_) sides_.emplace_back();
  return sides_[side_count_++];
}

/// One with all that hold below, and one more for each of them above.
void SwitchLaw::make_sides(const System& system, const StateView& state, Workspace::Impl& w) {
  held_.clear();
  sign_.clear();
  for (const int k : on_) {
    if (found_[k].grip == Grip::sticks) held_.push_back(k);
    sign_.push_back(found_[k].grip == Grip::sticks ? -1 : found_[k].side);
  }
  side_count_ = 0;
  if (!on_.empty()) make_side(system, state, on_, sign_, 1.0, w, next_side());
  for (std::size_t a = 0; a < on_.size(); ++a) {
    if (found_[on_[a]].grip != Grip::sticks) continue;
    sign_[a] = 1;
    make_side(system, state, on_, sign_, 1.0, w, next_side());
    sign_[a] = -1;
  }
}

/// Numbers that do not depend on the state must stay as they are, to the last bit: differences are added.
void SwitchLaw::take_mean(std::vector<double>& to, const std::vector<double>& stated,
                          std::vector<double> Side::* part) const {
  to = side_count_ == 0 ? stated : sides_[0].*part;
  for (std::size_t a = 1; a < side_count_; ++a)
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] += sides_[a].weight * ((sides_[a].*part)[i] - (sides_[0].*part)[i]);
}

void SwitchLaw::resolve(const System& system, const StateView& state, const Mode& mode, Workspace::Impl& w) {
  given_ = mode.switches.empty() ? std::span(open_) : std::span(mode.switches);
  Equations& e = w.equations;
  stated_.M.value = e.M.value;
  stated_.A.value = e.A.value;
  stated_.b = e.b;
  stated_.Q = e.Q;
  stated_.C = e.C;
  decide(system, state, w);
  while (true) {
    make_sides(system, state, w);
    weigh();
    const int next = first_to_leave();
    if (next < 0) break;
    found_[next].grip = Grip::slides;
    found_[next].side = found_[next].way_out();
  }
  e.M.value = stated_.M.value;
  e.A.value = stated_.A.value;
  e.b = stated_.b;
  take_mean(e.Q, stated_.Q, &Side::Q);
  take_mean(e.C, stated_.C, &Side::C);
  known_at_.t = state.t;
  known_at_.q.assign(state.q.begin(), state.q.end());
  known_at_.v.assign(state.v.begin(), state.v.end());
  known_mode_.assign(given_.begin(), given_.end());
  known_ = true;
}

void SwitchLaw::rest(std::vector<double>& acceleration) const {
  if (side_count_ < 2) return;
  for (std::size_t i = 0; i < acceleration.size(); ++i) {
    double size = 0.0;
    for (std::size_t a = 0; a < side_count_; ++a)
      size += std::fabs(sides_[a].weight * sides_[a].acceleration[i]);
    if (std::fabs(acceleration[i]) <= rounding_of_mean * size) acceleration[i] = 0.0;
  }
}

/// They are at hand where the state is the one looked at last.
std::span<const SwitchLaw::Side> SwitchLaw::sides(const System& system, const StateView& state,
                                                  const Mode& mode, Workspace::Impl& w) {
  const auto same_mode = [&] {
    const std::span<const SwitchState> given =
        mode.switches.empty() ? std::span(open_) : std::span(mode.switches);
    return std::equal(given.begin(), given.end(), known_mode_.begin(), known_mode_.end(),
                      [](const SwitchState& a, const SwitchState& b) {
                        return a.grip == b.grip && a.side == b.side && a.on == b.on;
                      });
  };
  const bool at_hand = known_ && known_at_.t == state.t && std::ranges::equal(known_at_.q, state.q) &&
                       std::ranges::equal(known_at_.v, state.v) && same_mode();
  if (!at_hand && intervenes(state, mode)) {
    evaluate_as_stated(system, state, mode, w);
    resolve(system, state, mode, w);
  }
  return {sides_.data(), side_count_};
}

bool SwitchLaw::move(std::span<const std::vector<double>> jump, double t, std::span<double> q,
                     std::span<const int> target, std::span<double> v) {
  before_.assign(v.begin(), v.end());
  bool moved = false;
  for (int pass = 0; pass < 2; ++pass) {  // the second one for rounding
    on_.clear();
    right_.clear();
    for (int k = 0; k < static_cast<int>(target.size()); ++k) {
      if (target[k] == 2 || jump[k].empty()) continue;
      look(k, {t, q, v}, at_[k]);
      if (!at_[k].by_velocities && target[k] == 0) continue;  // what it is off by is no matter of velocities
      Way& way = ways_[on_.size()];
      find_way(k, {t, q, v}, way);
      if (at_[k].by_velocities) way.v = jump[k];
      on_.push_back(k);
      const double away = 4 * std::max(few_roundings * at_[k].terms, least_distance);
      right_.push_back(target[k] * away - at_[k].g);
    }
    if (std::all_of(right_.begin(), right_.end(), [](double x) { return x == 0; })) break;
    find_parts(on_);
    for (std::size_t a = 0; a < on_.size(); ++a) {
      if (!std::isfinite(right_[a])) continue;
      add(right_[a], ways_[a].q, q);
      add(right_[a], ways_[a].v, v);
    }
    moved = true;
  }
  // What leaves a switch has a side, however small it is.
  if (std::any_of(target.begin(), target.end(), [](int side) { return side == 1 || side == -1; }))
    return moved;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (std::fabs(v[i]) <= rounding_of_mean * std::fabs(before_[i]) && std::fabs(v[i]) > least_distance)
      v[i] = 0.0;
  return moved;
}

}  // namespace vinculum
