#include "system/sliding.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "vinculum/expr/derivative.hpp"

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

/// x of a small dense system; not finite where it is singular.
std::vector<double> solve_dense(const std::vector<std::vector<double>>& rows,
                                const std::vector<double>& right) {
  const auto n = static_cast<Eigen::Index>(right.size());
  Eigen::MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k) a(i, k) = rows[i][k];
  const Eigen::VectorXd x = a.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
  return {x.begin(), x.end()};
}

void add(double part, const std::vector<double>& way, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (way[i] != 0) to[i] += part * way[i];
}

SlidingSwitch compile(const Model& model, const Expr& zero) {
  SlidingSwitch compiled;
  std::vector<Expr> velocities;
  for (const Expr& s : symbols_of({&zero, 1}))
    if (model.role(s).role == Model::Role::velocity) {
      velocities.push_back(s);
      compiled.velocities.push_back(model.role(s).index);
    }
  const Expr written = model.written_out(zero);
  std::vector<Expr> places;
  for (const Expr& s : symbols_of({&written, 1})) {
    if (model.role(s).role != Model::Role::coordinate) continue;
    places.push_back(s);
    compiled.coordinates.push_back(model.role(s).index);
  }
  std::vector<Expr> outputs{zero, time_derivative(zero, model.rates())};
  for (const Expr& slope : gradient(zero, velocities)) outputs.push_back(slope);
  for (Expr& output : outputs) output = model.written_out(output);
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
    const Model::Role role = model.role(s).role;
    if (role != Model::Role::time && role != Model::Role::coordinate && role != Model::Role::velocity &&
        role != Model::Role::abbreviation && !Model::is_number(role))
      return false;
    moves = moves || role == Model::Role::velocity;
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

Sliding::Sliding(const System& system)
    : switches_(system.impl().sliding),
      given_(switches_.size()),
      found_(switches_.size()),
      at_(switches_.size()),
      beside_(switches_.size()),
      jump_(switches_.size()),
      stated_(system.values().pattern) {
  for (const SlidingSwitch& s : switches_)
    registers_.push_back(registers_for(s.function, system.values().numbers));
}

void Sliding::take(const std::vector<SwitchState>& given) {
  given_ = found_ = given;
  sides_.clear();
}

void Sliding::look(int k, double t, std::span<const double> q, std::span<const double> v, Look& out) {
  const SlidingSwitch& s = switches_[k];
  std::vector<double>& r = registers_[k];
  const double* const part[] = {&t, q.data(), v.data()};
  s.function.load(part, r.data());
  run(s.function.program(), r.data());
  const auto result = [&](std::size_t i) { return r[s.function.program().outputs()[i]]; };
  out.g = result(0);
  out.rate = result(1);
  out.terms = 0.0;
  out.slope.resize(s.velocities.size());
  for (std::size_t i = 0; i < out.slope.size(); ++i) {
    out.slope[i] = result(2 + i);
    out.terms += std::fabs(out.slope[i] * v[s.velocities[i]]);
  }
  const double of_velocities = out.terms;
  out.slope_of_place.resize(s.coordinates.size());
  for (std::size_t i = 0; i < out.slope_of_place.size(); ++i) {
    out.slope_of_place[i] = result(2 + out.slope.size() + i);
    out.terms += std::fabs(out.slope_of_place[i] * q[s.coordinates[i]]);
  }
  out.by_velocities = of_velocities >= least_part_of_velocities * out.terms;
}

/// The way from a switch to its sides: by velocities alone where these tell, else by all it contains, each in
/// proportion to its size, so that none changes by more than a few roundings.
Sliding::Way Sliding::way(int k, std::span<const double> q, std::span<const double> v) const {
  const SlidingSwitch& s = switches_[k];
  const Look& at = at_[k];
  Way way{std::vector<double>(q.size()), std::vector<double>(v.size())};
  for (std::size_t i = 0; i < at.slope.size(); ++i) {
    const double size = at.by_velocities ? 1.0 : v[s.velocities[i]];
    way.v[s.velocities[i]] = at.slope[i] * size * size;
  }
  for (std::size_t i = 0; i < at.slope_of_place.size() && !at.by_velocities; ++i) {
    const double size = q[s.coordinates[i]];
    way.q[s.coordinates[i]] = at.slope_of_place[i] * size * size;
  }
  return way;
}

/// How much a switch changes along a way.
double Sliding::change_along(int k, const Way& way) const {
  double sum = slope_times(k, way.v);
  for (std::size_t i = 0; i < at_[k].slope_of_place.size(); ++i)
    sum += at_[k].slope_of_place[i] * way.q[switches_[k].coordinates[i]];
  return sum;
}

/// Parts of the ways of the switches `on` that change each of them by as much as `right` says.
std::vector<double> Sliding::parts_of(const std::vector<Way>& ways, std::span<const int> on,
                                      const std::vector<double>& right) const {
  std::vector<std::vector<double>> matrix(on.size(), std::vector<double>(on.size()));
  for (std::size_t a = 0; a < on.size(); ++a)
    for (std::size_t b = 0; b < on.size(); ++b) matrix[a][b] = change_along(on[a], ways[b]);
  return solve_dense(matrix, right);
}

double Sliding::slope_times(int k, std::span<const double> x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < at_[k].slope.size(); ++i)
    sum += at_[k].slope[i] * x[switches_[k].velocities[i]];
  return sum;
}

Sliding::Course Sliding::course(int k, double t, std::span<const double> q, std::span<const double> v,
                                std::span<const double> acceleration, std::span<const double> rest) {
  look(k, t, q, v, at_[k]);
  double little = 0.0;
  for (std::size_t i = 0; i < at_[k].slope.size(); ++i)
    little += std::fabs(at_[k].slope[i]) * rest[switches_[k].velocities[i]];
  return {at_[k].g, at_[k].rate + slope_times(k, acceleration), little};
}

bool Sliding::intervenes(double t, std::span<const double> q, std::span<const double> v) {
  bool any = false;
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const SwitchState& s = given_[k];
    found_[k] = s;
    if (s.grip == Grip::open && !s.on) {
      look(static_cast<int>(k), t, q, v, at_[k]);
      if (std::fabs(at_[k].g) <= few_roundings * at_[k].terms) any = true;
      found_[k].grip = Grip::slides;
    } else {
      any = any || s.grip != Grip::slides || s.side != 0;
    }
  }
  if (!any) sides_.clear();
  return any;
}

/// The state changed so that each of the switches `on` stands on its side, by as little as rounding lets
/// tell.
bool Sliding::beside(double t, std::span<const double> q, std::span<const double> v, std::span<const int> on,
                     std::span<const int> sign, double factor, Side& out) {
  std::vector<Way> ways;
  std::vector<double> distance;
  for (const int k : on) {
    ways.push_back(way(k, q, v));
    distance.push_back(factor * std::max(few_roundings * at_[k].terms, least_distance));
  }
  for (int tries = 0; tries < most_tries; ++tries) {
    std::vector<double> right;
    for (std::size_t a = 0; a < on.size(); ++a) right.push_back(sign[a] * distance[a] - at_[on[a]].g);
    const std::vector<double> part = parts_of(ways, on, right);
    out.q.assign(q.begin(), q.end());
    out.v.assign(v.begin(), v.end());
    for (std::size_t a = 0; a < on.size(); ++a) {
      add(part[a], ways[a].q, out.q);
      add(part[a], ways[a].v, out.v);
    }
    bool all = true;
    for (std::size_t a = 0; a < on.size(); ++a) {
      look(on[a], t, out.q, out.v, beside_[on[a]]);
      if (beside_[on[a]].g * sign[a] > 0) continue;
      all = false;
      distance[a] *= 16;
    }
    if (all) return true;
  }
  return false;
}

/// The forces beside the switches, and the acceleration they give with M, A and b of the state itself.
Sliding::Side Sliding::make_side(const System& system, double t, std::span<const double> q,
                                 std::span<const double> v, std::span<const int> on,
                                 std::span<const int> sign, double factor, Workspace::Impl& w) {
  Side side;
  const bool found = beside(t, q, v, on, sign, factor, side);
  evaluate_as_stated(system, t, side.q, side.v, w);
  Equations& e = w.equations;
  side.Q = e.Q;
  side.C = e.C;
  e.M.value = stated_.M.value;
  e.A.value = stated_.A.value;
  e.b = stated_.b;
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  solve(system.structure(), e, w.solve, solution_, options);
  side.acceleration = solution_.acceleration;
  if (!found) side.acceleration.clear();
  side.acceleration.resize(v.size(), NAN);
  return side;
}

/// Whether the forces push to the switch by a jump. A corner pushes the less the nearer the sides are.
bool Sliding::jumps(const System& system, double t, std::span<const double> q, std::span<const double> v,
                    int k, Workspace::Impl& w) {
  const int on[] = {k}, minus[] = {-1}, plus[] = {1};
  double change[2], size = std::fabs(at_[k].rate);
  for (const bool far : {false, true}) {
    const Side below = make_side(system, t, q, v, on, minus, far ? wider : 1.0, w);
    const Side above = make_side(system, t, q, v, on, plus, far ? wider : 1.0, w);
    change[far] = slope_times(k, above.acceleration) - slope_times(k, below.acceleration);
    size += std::fabs(slope_times(k, above.acceleration));
  }
  return change[0] < -edge_of_limit * size && change[1] < 0.5 * change[0] && change[1] > 2 * change[0];
}

/// The shares that keep all held switches at zero, as weights of the sides: the first has all of them below.
void Sliding::weigh(const std::vector<int>& held) {
  std::vector<std::vector<double>> change(held.size(), std::vector<double>(held.size()));
  std::vector<double> right;
  for (std::size_t a = 0; a < held.size(); ++a) {
    std::vector<double>& jump = jump_[held[a]];
    jump = sides_[a + 1].acceleration;
    for (std::size_t i = 0; i < jump.size(); ++i) jump[i] -= sides_[0].acceleration[i];
  }
  for (std::size_t a = 0; a < held.size(); ++a) {
    right.push_back(-at_[held[a]].rate - slope_times(held[a], sides_[0].acceleration));
    for (std::size_t b = 0; b < held.size(); ++b) change[a][b] = slope_times(held[a], jump_[held[b]]);
  }
  const std::vector<double> share = solve_dense(change, right);
  for (std::size_t a = 0; a < held.size(); ++a) {
    const bool exists = std::isfinite(share[a]);
    SwitchState& found = found_[held[a]];
    found.share = exists ? share[a] : 0.5;
    // Alone, its rates are known without a share, which does not exist where neither side pushes any more.
    const bool alone = held.size() == 1;
    found.from_below = alone ? -right[a] : -found.share * change[a][a];
    found.from_above = alone ? right[a] - change[a][a] : (found.share - 1.0) * change[a][a];
    sides_[a + 1].weight = found.share;
    sides_[0].weight -= sides_[a + 1].weight;
  }
}

/// Of the switches that were open: the one that can be held least; -1 where all can.
int Sliding::first_to_leave(const std::vector<int>& held) const {
  int first = -1;
  double most = edge_of_limit;
  for (const int k : held) {
    const SwitchState& s = found_[k];
    const double beyond =
        -std::min(s.from_below, s.from_above) / (std::fabs(s.from_below) + std::fabs(s.from_above));
    if (given_[k].grip == Grip::sticks || !(beyond > most)) continue;
    most = beyond;
    first = k;
  }
  return first;
}

void Sliding::resolve(const System& system, double t, std::span<const double> q, std::span<const double> v,
                      Workspace::Impl& w) {
  Equations& e = w.equations;
  stated_.M.value = e.M.value;
  stated_.A.value = e.A.value;
  stated_.b = e.b;
  stated_.Q = e.Q;
  stated_.C = e.C;
  std::vector<int> on;
  found_ = given_;
  for (int k = 0; k < static_cast<int>(found_.size()); ++k) {
    SwitchState& s = found_[k];
    if (s.grip == Grip::slides && s.side == 0) continue;
    look(k, t, q, v, at_[k]);
    if (s.grip == Grip::open) {
      const bool near = s.on || std::fabs(at_[k].g) <= few_roundings * at_[k].terms;
      s.grip = near && jumps(system, t, q, v, k, w) ? Grip::sticks : Grip::slides;
    }
    if (s.grip == Grip::sticks || s.side != 0) on.push_back(k);
  }
  while (true) {
    std::vector<int> held, sign;
    for (const int k : on) {
      if (found_[k].grip == Grip::sticks) held.push_back(k);
      sign.push_back(found_[k].grip == Grip::sticks ? -1 : found_[k].side);
    }
    sides_.clear();
    if (!on.empty()) sides_.push_back(make_side(system, t, q, v, on, sign, 1.0, w));
    for (std::size_t a = 0; a < on.size(); ++a) {
      if (found_[on[a]].grip != Grip::sticks) continue;
      sign[a] = 1;
      sides_.push_back(make_side(system, t, q, v, on, sign, 1.0, w));
      sign[a] = -1;
    }
    weigh(held);
    const int next = first_to_leave(held);
    if (next < 0) break;
    found_[next].grip = Grip::slides;
    found_[next].side = found_[next].way_out();
  }
  e.M.value = stated_.M.value;
  e.A.value = stated_.A.value;
  e.b = stated_.b;
  // Numbers that do not depend on the state must stay as they are, to the last bit: differences are added.
  const auto mean = [&](std::vector<double>& to, std::vector<double> Side::* part) {
    to = sides_[0].*part;
    for (std::size_t a = 1; a < sides_.size(); ++a)
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += sides_[a].weight * ((sides_[a].*part)[i] - (sides_[0].*part)[i]);
  };
  if (sides_.empty()) {
    e.Q = stated_.Q;
    e.C = stated_.C;
  } else {
    mean(e.Q, &Side::Q);
    mean(e.C, &Side::C);
  }
  sides_at_ = {t, {q.begin(), q.end()}, {v.begin(), v.end()}};
}

void Sliding::rest(std::vector<double>& acceleration) const {
  if (sides_.size() < 2) return;
  for (std::size_t i = 0; i < acceleration.size(); ++i) {
    double size = 0.0;
    for (const Side& side : sides_) size += std::fabs(side.weight * side.acceleration[i]);
    if (std::fabs(acceleration[i]) <= rounding_of_mean * size) acceleration[i] = 0.0;
  }
}

std::span<const Sliding::Side> Sliding::sides(double t, std::span<const double> q,
                                              std::span<const double> v) const {
  const bool same = !sides_.empty() && sides_at_.t == t &&
                    std::equal(q.begin(), q.end(), sides_at_.q.begin()) &&
                    std::equal(v.begin(), v.end(), sides_at_.v.begin());
  return same ? std::span<const Side>(sides_) : std::span<const Side>();
}

bool Sliding::move(double t, std::span<double> q, std::span<const int> target, std::span<double> v) {
  const std::vector<double> before(v.begin(), v.end());
  bool moved = false;
  for (int pass = 0; pass < 2; ++pass) {  // the second one for rounding
    std::vector<int> on;
    std::vector<Way> ways;
    std::vector<double> right;
    for (int k = 0; k < static_cast<int>(target.size()); ++k) {
      if (target[k] == 2 || jump_[k].empty()) continue;
      look(k, t, q, v, at_[k]);
      if (!at_[k].by_velocities && target[k] == 0) continue;  // what it is off by is no matter of velocities
      on.push_back(k);
      ways.push_back(at_[k].by_velocities ? Way{std::vector<double>(q.size()), jump_[k]} : way(k, q, v));
      const double away = 4 * std::max(few_roundings * at_[k].terms, least_distance);
      right.push_back(target[k] * away - at_[k].g);
    }
    if (std::all_of(right.begin(), right.end(), [](double x) { return x == 0; })) break;
    const std::vector<double> part = parts_of(ways, on, right);
    for (std::size_t a = 0; a < on.size(); ++a) {
      if (!std::isfinite(part[a])) continue;
      add(part[a], ways[a].q, q);
      add(part[a], ways[a].v, v);
    }
    moved = true;
  }
  // What leaves a switch has a side, however small it is.
  if (std::any_of(target.begin(), target.end(), [](int side) { return side == 1 || side == -1; }))
    return moved;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (std::fabs(v[i]) <= rounding_of_mean * std::fabs(before[i]) && std::fabs(v[i]) > least_distance)
      v[i] = 0.0;
  return moved;
}

}  // namespace vinculum
