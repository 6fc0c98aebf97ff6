#include "system/modes/friction_law.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <map>
#include <optional>

#include "system/modes/friction.hpp"
#include "system/modes/switch_law.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/lower/expand.hpp"
#include "vinculum/lower/reaction.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

// --- A product as its factors

struct Factors {
  std::vector<Expr> above, below;
  double number = 1.0;
};

void take_factors(const Expr& e, bool below, Factors& out) {
  if (e.is_constant()) {
    out.number = below ? out.number / e.value() : out.number * e.value();
  } else if (e.op() == Op::multiply) {
    take_factors(e.operand(0), below, out);
    take_factors(e.operand(1), below, out);
  } else if (e.op() == Op::divide) {
    take_factors(e.operand(0), below, out);
    take_factors(e.operand(1), !below, out);
  } else if (e.op() == Op::negate) {
    out.number = -out.number;
    take_factors(e.operand(0), below, out);
  } else {
    (below ? out.below : out.above).push_back(e);
  }
}

/// The factors multiplied in one order, so that equal products are one expression.
Expr product(Factors f) {
  const auto by_id = [](const Expr& a, const Expr& b) { return a.id() < b.id(); };
  std::sort(f.above.begin(), f.above.end(), by_id);
  std::sort(f.below.begin(), f.below.end(), by_id);
  Expr value = f.number;
  for (const Expr& e : f.above) value *= e;
  for (const Expr& e : f.below) value /= e;
  return value;
}

// --- Speeds

/// u = sign * (v_i - drag), with no other velocity in it.
struct Component {
  Expr u, drag;
  int velocity = 0;
  double sign = 1.0;
};
struct SlidingSpeed {
  Expr speed;
  std::vector<Component> components;
};

std::optional<Component> component(const Model& model, const Expr& u) {
  const std::vector<Expr> velocities = symbols_with_role(model, u, Role::velocity);
  if (velocities.size() != 1) return {};
  for (const Expr& s : symbols_of({&u, 1}))
    if (const Role role = model.stated().role(s).role;
        role != Role::velocity && role != Role::coordinate && role != Role::time && !is_number(role))
      return {};
  const Expr slope = derivative(u, velocities[0]);
  if (!slope.is_constant(1) && !slope.is_constant(-1)) return {};
  SymbolMap still;
  still.set(velocities[0], 0);
  const double sign = slope.is_constant(1) ? 1.0 : -1.0;
  return Component{u, -sign * substitute(u, still), model.stated().role(velocities[0]).index, sign};
}

/// What is squared: x^2, or x*x.
std::optional<Expr> squared(const Expr& e) {
  if (e.op() == Op::power && e.operand(1).is_constant(2)) return e.operand(0);
  if (e.op() == Op::multiply && identical(e.operand(0), e.operand(1))) return e.operand(0);
  return {};
}

bool take_parts(const Expr& speed, std::vector<Expr>& parts) {
  if (speed.op() == Op::hypot) {
    for (int k = 0; k < 2; ++k)
      if (!take_parts(speed.operand(k), parts)) parts.push_back(speed.operand(k));
    return true;
  }
  if (speed.op() != Op::sqrt) return false;
  for (const Expr& term : summands(speed.operand(0))) {
    const std::optional<Expr> part = squared(term);
    if (!part) return false;
    parts.push_back(*part);
  }
  return true;
}

/// A square root of squares of velocities, each of them once.
std::optional<SlidingSpeed> speed_of(const Model& model, const Expr& e) {
  SlidingSpeed found{e, {}};
  std::vector<Expr> parts;
  if (!take_parts(e, parts)) return {};
  for (const Expr& part : parts) {
    const std::optional<Component> c = component(model, part);
    const auto same = [&](const Component& other) { return other.velocity == c->velocity; };
    if (!c || std::any_of(found.components.begin(), found.components.end(), same)) return {};
    found.components.push_back(*c);
  }
  return found;
}

/// Whether the rates of all its coordinates are velocities.
bool are_plain(const Model& model, const Expr& phi) {
  const std::vector<Expr> coordinates = symbols_with_role(model, phi, Role::coordinate);
  return std::all_of(coordinates.begin(), coordinates.end(), [&](const Expr& q) {
    return model.stated().velocity_of_coordinate(model.stated().role(q).index) >= 0;
  });
}

/// A term -L u_i/|u| on velocity i: L and |u|.
struct Rub {
  SlidingSpeed speed;
  Expr limit;
};
std::optional<Rub> rub_of(const Model& model, const Expr& term, int velocity) {
  Factors f;
  take_factors(term, false, f);
  for (std::size_t b = 0; b < f.below.size(); ++b) {
    const std::optional<SlidingSpeed> speed = speed_of(model, f.below[b]);
    if (!speed) continue;
    for (const Component& c : speed->components)
      for (std::size_t a = 0; a < f.above.size(); ++a) {
        if (c.velocity != velocity || !identical(f.above[a], c.u)) continue;
        f.above.erase(f.above.begin() + static_cast<std::ptrdiff_t>(a));
        f.below.erase(f.below.begin() + static_cast<std::ptrdiff_t>(b));
        f.number *= -c.sign;
        return Rub{*speed, product(f)};
      }
  }
  return {};
}

}  // namespace

namespace {

StateFunction function_of(const Model& model, std::vector<Expr> outputs) {
  for (Expr& output : outputs) output = model.stated().written_out(output);
  return {model, outputs};
}

}  // namespace

Drag::Drag(const Model& model, const std::vector<Expr>& rows, const std::vector<int>& velocities) {
  std::vector<Expr> symbols, outputs;  // of each row: r, A; then the rates of all these
  for (const int v : velocities) symbols.push_back(model.velocities()[v].symbol);
  bool moves = false;
  for (const Expr& phi : rows) {
    const int order = order_of(model, phi);
    if (order == 2) return;  // it tells of accelerations, and of no velocity
    const Expr rate = order == 0 ? time_derivative(phi, model.stated().rates) : phi;
    SymbolMap still;
    for (const Expr& v : symbols_with_role(model, rate, Role::velocity)) still.set(v, 0);
    // Of plain coordinates nothing but t itself is left; 0 times what stands before a velocity would look
    // like more.
    outputs.push_back(order == 0 && are_plain(model, phi) ? by_time(model, phi)
                      : still.empty()                     ? rate
                                                          : substitute(rate, still));
    moves = moves || !outputs.back().is_constant(0);
    for (const Expr& slope : gradient(rate, symbols)) {
      if (order == 1 && !symbols_with_role(model, slope, Role::velocity).empty())
        return;  // not linear: no one velocity
      outputs.push_back(slope);
    }
  }
  if (!moves) return;
  const std::size_t count = outputs.size();
  for (std::size_t i = 0; i < count; ++i)
    outputs.push_back(time_derivative(outputs[i], model.stated().rates));
  rows_ = static_cast<int>(rows.size());
  width_ = static_cast<int>(velocities.size());
  function_ = function_of(model, outputs);
}

Drag::Drag(const Model& model, const std::vector<Expr>& stated) {
  if (std::all_of(stated.begin(), stated.end(), [](const Expr& w) { return w.is_constant(0); })) return;
  std::vector<Expr> outputs = stated;
  for (const Expr& w : stated) outputs.push_back(time_derivative(w, model.stated().rates));
  width_ = static_cast<int>(stated.size());
  function_ = function_of(model, outputs);
}

namespace {

/// w = A^T m with A A^T m = -r, and so w' = A'^T m + A^T m' with A A^T m' = -r' - (A' A^T + A A'^T) m. With
/// up to `Most` rows and velocities all of it lies on the stack.
template <int Most>
void find_drag(std::span<const double> numbers, int rows, int width, std::vector<double>& velocity,
               std::vector<double>& rate) {
  using Table = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Most, Most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Most, 1>;
  const Table now(numbers.data(), rows, 1 + width),
      change(numbers.data() + rows * (1 + width), rows, 1 + width);
  const Small A = now.rightCols(width), A1 = change.rightCols(width), square = A * A.transpose();
  const Eigen::CompleteOrthogonalDecomposition<Small> S(square);
  const Column still = -now.col(0);
  const Column m = S.solve(still);
  const Small turning = A1 * A.transpose() + A * A1.transpose();
  const Column left = -change.col(0) - turning * m;
  const Column m1 = S.solve(left);
  const Column w = A.transpose() * m, w1 = A1.transpose() * m + A.transpose() * m1;
  velocity.assign(w.data(), w.data() + w.size());
  rate.assign(w1.data(), w1.data() + w1.size());
}

}  // namespace

void Drag::find(std::span<const double> numbers, std::vector<double>& velocity,
                std::vector<double>& rate) const {
  constexpr int few = 6;
  if (rows_ == 0) {
    velocity.assign(numbers.begin(), numbers.begin() + width_);
    rate.assign(numbers.begin() + width_, numbers.end());
  } else if (rows_ <= few && width_ <= few) {
    find_drag<few>(numbers, rows_, width_, velocity, rate);
  } else {
    find_drag<Eigen::Dynamic>(numbers, rows_, width_, velocity, rate);
  }
}

std::vector<Rubbing> take_rubbing(const Model& model, std::vector<Statement>& statements) {
  struct Found {
    SlidingSpeed speed;
    std::map<int, Expr> limit;  // on each velocity
  };
  std::vector<Found> all;
  const auto walk = [&](const auto& take) {
    for (Statement& s : statements) {
      if (s.kind != StatementKind::nonideal) continue;
      const int velocity = model.stated().role(s.targets[0]).index;
      Expr rest = 0;
      for (const Expr& term : summands(s.roots[0])) {
        const std::optional<Rub> rub = rub_of(model, term, velocity);
        if (!rub || !take(*rub, velocity)) rest += term;
      }
      s.roots[0] = rest;
    }
  };
  const std::vector<Statement> stated = statements;
  walk([&](const Rub& rub, int velocity) {
    const auto same = [&](const Found& f) { return identical(f.speed.speed, rub.speed.speed); };
    auto found = std::find_if(all.begin(), all.end(), same);
    if (found == all.end()) found = all.insert(all.end(), Found{rub.speed, {}});
    const auto [place, is_new] = found->limit.try_emplace(velocity, rub.limit);
    if (!is_new) place->second += rub.limit;
    return true;
  });
  statements = stated;
  // The same on each velocity of the speed, and no velocity in two of them.
  std::map<int, int> uses;
  for (const Model::FrictionData& f : model.frictions())
    for (const int v : f.velocities) ++uses[v];
  for (const Found& f : all)
    for (const Component& c : f.speed.components) ++uses[c.velocity];
  std::erase_if(all, [&](const Found& f) {
    return !std::all_of(f.speed.components.begin(), f.speed.components.end(), [&](const Component& c) {
      const auto mine = f.limit.find(c.velocity);
      return uses[c.velocity] == 1 && mine != f.limit.end() &&
             identical(mine->second, f.limit.begin()->second);
    });
  });
  walk([&](const Rub& rub, int) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Found& f) { return identical(f.speed.speed, rub.speed.speed); });
  });
  std::vector<Rubbing> list;
  for (const Found& f : all) {
    Rubbing law{{}, {}, f.limit.begin()->second, f.speed.speed};
    std::map<int, Expr> drags;
    for (const Component& c : f.speed.components) drags.emplace(c.velocity, c.drag);
    for (const auto& [velocity, drag] : drags) {
      law.velocities.push_back(velocity);
      law.drag.push_back(drag);
    }
    list.push_back(std::move(law));
  }
  return list;
}

/// Frictions, and laws that were written out as such. These would be 0/0 at rest: they become pairs,
/// unless other switches can hold the motion.
void System::Impl::find_frictions(std::vector<Statement>& statements) {
  frictions = frictions_of(model);
  std::vector<Expr> coefficients;
  for (FrictionPair& pair : frictions) {
    std::vector<Expr> rows;
    for (const int c : pair.constraints)
      for (const Model::FrictionData& f : model.frictions())
        if (f.constraint == c) coefficients.push_back(f.coefficient);
    for (const int c : pair.constraints)
      rows.insert(rows.end(), model.constraints()[c].rows.begin(), model.constraints()[c].rows.end());
    friction_laws.push_back({Drag(model, rows, pair.velocities), {}});
    pair.moves = friction_laws.back().drag.moves();
  }
  friction_coefficients = LivingNumbers(model, coefficients);
  nonideal_needs_reactions = nonideal_needs_reactions || !frictions.empty();
  const bool has_actuators = std::any_of(programmes.begin(), programmes.end(),
                                         [](const ProgrammeInfo& p) { return !p.actuators.empty(); });
  if (model.mechanics() != Mechanics::dalembert || has_actuators) return;
  std::vector<Statement> others = statements;
  const std::vector<Rubbing> laws = take_rubbing(model, others);
  if (laws.empty() ||
      (frictions.empty() && !sliding_switches(model, others, switches_of(model, others)).empty()))
    return;
  statements = others;
  for (const Rubbing& law : laws) {
    frictions.push_back({law.velocities, {}, {}, false, to_text(law.speed) + " = 0"});
    friction_laws.push_back({Drag(model, law.drag), function_of(model, {law.limit})});
    frictions.back().moves = friction_laws.back().drag.moves();
    Reading reading{Reading::friction, static_cast<int>(frictions.size()) - 1, {}};
    for (const Expr& s : symbols_with_role(model, law.limit, Role::multiplier))
      reading.rows.push_back(model.stated().role(s).index);
    if (!reading.rows.empty()) readings.push_back(std::move(reading));
  }
  nonideal_needs_reactions = true;
}

std::vector<SpeedDivision> laws_without_direction(const System& system) {
  const Model& model = system.impl().model;
  std::vector<Statement> statements = statements_of(model);
  for (const FrictionPair& pair : system.frictions())
    if (!pair.law.empty()) {
      take_rubbing(model, statements);
      break;
    }
  std::vector<SpeedDivision> laws;
  for (const Statement& s : statements) {
    if (s.kind != StatementKind::nonideal && s.kind != StatementKind::force) continue;
    for (const NodeId id : model.stated().graph().reachable(s.roots)) {
      const Expr e = model.stated().graph().at(id);
      if (e.op() != Op::divide || symbols_with_role(model, e.operand(1), Role::velocity).empty()) continue;
      const int velocity = model.stated().role(s.targets[0]).index;
      laws.push_back({std::string(s.kind == StatementKind::force ? "the force" : "the non-ideal force") +
                          " on '" + name_of_moving(system, velocity) + "' divides by " +
                          to_text(e.operand(1)),
                      velocity});
      break;
    }
  }
  return laws;
}

}  // namespace vinculum
