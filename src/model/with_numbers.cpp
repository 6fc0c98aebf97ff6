// A model with numbers in place of symbols: of parameters, and of what functions make of them.
#include <algorithm>

#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// Every expression that a system is compiled from.
template <class Stated, class Visit>
void each_expression(Stated& stated, const Visit& visit) {
  for (auto& c : stated.coordinates) {
    visit(c.rate);
    visit(c.start_from);
  }
  for (auto& v : stated.velocities) visit(v.start_from);
  for (auto& d : stated.demands)
    for (auto& number : d.asked.of) visit(number);
  for (auto& mu : stated.start_multipliers)
    if (mu) visit(*mu);
  for (auto& m : stated.masses) visit(m.value);
  for (auto* list : {&stated.forces, &stated.gyroscopic_forces, &stated.nonideal_forces})
    for (auto& f : *list) visit(f.value);
  for (auto& c : stated.constraints)
    for (auto& row : c.rows) visit(row);
  for (auto& f : stated.frictions) visit(f.coefficient);
  for (auto& s : stated.servos) {
    visit(s.frequency);
    visit(s.damping);
    for (auto& phi : s.programme) visit(phi);
    for (auto& actuator : s.actuators)
      for (auto& part : actuator.unit) visit(part.value);
  }
  for (auto* list : {&stated.potentials, &stated.lagrangians})
    for (auto& energy : *list) visit(energy);
  for (auto& j : stated.joints) {
    visit(j.contact.x);
    visit(j.contact.y);
    visit(j.contact.z);
  }
  for (auto& b : stated.bodies)
    if (b.solid)
      for (auto& size : b.solid->size) visit(size);
  for (auto& a : stated.angles) {
    visit(a.sine);
    visit(a.cosine);
    visit(a.start);
  }
  for (auto& o : stated.outputs) visit(o.value);
  for (auto& e : stated.events) visit(e.value);
}

/// A force along what a lever has nothing of is none, as where it is stated with numbers.
bool is_dropped(const StatedModel& model, const Expr& stated, const Expr& now) {
  if (!now.is_constant(0) || stated.is_constant()) return false;
  const std::vector<Expr> symbols = symbols_of({&stated, 1});
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Expr& s) { return model.role(s).role == Role::made; });
}

Model replaced(const Model& model, const SymbolMap& values) {
  Model result = model;
  const StatedModel& before = model.stated();
  StatedModel& after = result.stated();
  each_expression(after, [&](Expr& e) { e = substitute(e, values); });
  const auto drop = [&](const std::vector<Model::ForceData>& stated, std::vector<Model::ForceData>& now) {
    std::vector<Model::ForceData> kept;
    for (std::size_t k = 0; k < now.size(); ++k)
      if (!is_dropped(before, stated[k].value, now[k].value)) kept.push_back(now[k]);
    now = std::move(kept);
  };
  if (!before.made_numbers.empty()) {
    drop(before.forces, after.forces);
    drop(before.nonideal_forces, after.nonideal_forces);
    for (std::size_t s = 0; s < before.servos.size(); ++s)
      for (std::size_t a = 0; a < before.servos[s].actuators.size(); ++a)
        drop(before.servos[s].actuators[a].unit, after.servos[s].actuators[a].unit);
  }
  for (const Model::CoordinateData& c : after.coordinates) after.rates.set(c.symbol, c.rate);
  return result;
}

/// Which of the numbers made follow these parameters.
std::vector<char> living_made(const StatedModel& stated, std::span<const std::string> living) {
  std::vector<char> all(stated.made_numbers.size(), 0);
  if (living.empty()) return all;
  for (const DemandData& d : stated.demands) {
    bool alive = false;
    if (!d.made.empty())
      for (const Expr& s : symbols_of(d.asked.of)) {
        const SymbolRole which = stated.role(s);
        alive =
            alive || (which.role == Role::made ? all[which.index] != 0 : stated.lives(which.index, living));
      }
    for (const DemandData::Made& m : d.made)
      if (m.place >= 0) all[m.place] = alive;
  }
  return all;
}

/// What stands for a parameter where others live: itself, what it is made of where that lives, or its value.
Expr living_meaning(const StatedModel& stated, int parameter, std::span<const std::string> living) {
  const Model::ParameterData& p = stated.parameters[parameter];
  if (std::find(living.begin(), living.end(), p.name) != living.end()) return p.symbol;
  if (!p.meaning || !stated.lives(parameter, living)) return p.value;
  SymbolMap parts;
  for (const Expr& s : symbols_of({&*p.meaning, 1}))
    parts.set(s, living_meaning(stated, stated.role(s).index, living));
  return substitute(*p.meaning, parts);
}

/// As they would have been stated with the number in place of the symbol.
void fold_made(const StatedModel& stated, const std::vector<char>& living, SymbolMap& values) {
  for (std::size_t k = 0; k < stated.made_numbers.size(); ++k) {
    const auto& [symbol, value] = stated.made_numbers[k];
    if (living[k]) continue;
    if (value == 0)
      values.set_nothing(symbol);
    else
      values.set(symbol, value);
  }
}

}  // namespace

std::vector<Expr> all_expressions(const Model& model) {
  std::vector<Expr> all;
  each_expression(model.stated(), [&](const Expr& e) { all.push_back(e); });
  return all;
}

Model with_numbers(const Model& model, std::span<const std::string> living) {
  const StatedModel& stated = model.stated();
  SymbolMap values;
  for (std::size_t k = 0; k < stated.parameters.size(); ++k)
    if (const Expr meaning = living_meaning(stated, static_cast<int>(k), living);
        !identical(meaning, stated.parameters[k].symbol))
      values.set(stated.parameters[k].symbol, meaning);
  fold_made(stated, living_made(stated, living), values);
  Model result = replaced(model, values);
  result.stated().is_of_numbers = living.empty();
  return result;
}

Model with_made_numbers(const Model& model) {
  const StatedModel& stated = model.stated();
  SymbolMap values;
  fold_made(stated, std::vector<char>(stated.made_numbers.size(), 0), values);
  return values.empty() ? model : replaced(model, values);
}

}  // namespace vinculum
