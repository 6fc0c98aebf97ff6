#include "vinculum/lower/groups.hpp"

#include <unordered_map>

#include "lower/template.hpp"

#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

constexpr int fewest_for_lanes = 4;  // below, eight lanes are mostly empty and one common program is faster

/// A template's target, said for one of its instances: the same place in the list of symbols, another symbol.
class TargetMap {
 public:
  TargetMap(const Model& model, const std::vector<NodeId>& symbols) : model_(model) {
    for (std::size_t k = 0; k < symbols.size(); ++k) place_.emplace(symbols[k], static_cast<int>(k));
  }
  Target map(const Target& t, const std::vector<NodeId>& instance, int first_row) const {
    Target result = t;
    switch (t.where) {
      case Target::Where::mass:
      case Target::Where::force_by_v:
        result.i = velocity(t.i, instance);
        result.j = velocity(t.j, instance);
        break;
      case Target::Where::force:
      case Target::Where::nonideal:
      case Target::Where::balance:
        result.i = velocity(t.i, instance);
        break;
      case Target::Where::row:
      case Target::Where::row_by_v:
        result.i = first_row + t.i;
        result.j = velocity(t.j, instance);
        break;
      case Target::Where::row_by_q:
        result.i = first_row + t.i;
        result.j = coordinate(t.j, instance);
        break;
      case Target::Where::force_by_q:
        result.i = velocity(t.i, instance);
        result.j = coordinate(t.j, instance);
        break;
      case Target::Where::rate:
        result.i = coordinate(t.i, instance);
        break;
      case Target::Where::rate_by_q:
        result.i = coordinate(t.i, instance);
        result.j = coordinate(t.j, instance);
        break;
      case Target::Where::rate_by_v:
        result.i = coordinate(t.i, instance);
        result.j = velocity(t.j, instance);
        break;
      case Target::Where::energy:
      case Target::Where::power:
      case Target::Where::power_explicit:
        break;  // one number for the whole system
      default:
        result.i = first_row + t.i;
        break;
    }
    return result;
  }

 private:
  int velocity(int v, const std::vector<NodeId>& instance) const {
    return index(model_.velocities()[v].symbol, instance);
  }
  int coordinate(int q, const std::vector<NodeId>& instance) const {
    return index(model_.coordinates()[q].symbol, instance);
  }
  int index(const Expr& symbol, const std::vector<NodeId>& instance) const {
    return model_.stated().role(model_.stated().graph().at(instance[place_.at(symbol.id())])).index;
  }
  const Model& model_;
  std::unordered_map<NodeId, int> place_;
};

LoweredGroup lower_group(const Model& model, const std::vector<Statement>& statements,
                         const ShapeGroup& group, Purpose purpose) {
  LoweredGroup out;
  const Template form = make_template(model, statements, group);
  out.contributions = expand(model, form.statement, purpose);
  if (out.contributions.empty()) return out;
  out.parameter = form.parameter;
  for (const int c : form.constant) {
    auto& values = out.values.emplace_back();
    for (const Shape& s : group.shapes) values.push_back(s.constants[c]);
  }
  out.symbols = group.shapes.front().symbols;
  for (const Shape& s : group.shapes) out.instance.push_back(s.symbols);
  for (const int k : group.statements) out.first_row.push_back(statements[k].first_row);
  const TargetMap map(model, out.symbols);
  for (const Contribution& c : out.contributions) {
    auto& targets = out.targets.emplace_back();
    for (std::size_t k = 0; k < group.shapes.size(); ++k)
      targets.push_back(
          map.map(c.target, group.shapes[k].symbols, statements[group.statements[k]].first_row));
  }
  return out;
}

}  // namespace

void LoweredGroup::keep(const std::function<bool(const Target&)>& which) {
  std::size_t kept = 0;
  for (std::size_t c = 0; c < contributions.size(); ++c) {
    if (!which(contributions[c].target)) continue;
    if (c != kept) {
      contributions[kept] = std::move(contributions[c]);
      targets[kept] = std::move(targets[c]);
    }
    ++kept;
  }
  contributions.erase(contributions.begin() + static_cast<std::ptrdiff_t>(kept), contributions.end());
  targets.resize(kept);
}

std::vector<LoweredGroup> lower_groups(const Model& model, const std::vector<Statement>& statements,
                                       const std::vector<ShapeGroup>& groups, Purpose purpose) {
  std::vector<LoweredGroup> result;
  for (const ShapeGroup& group : groups) {
    if (static_cast<int>(group.statements.size()) >= fewest_for_lanes) {
      result.push_back(lower_group(model, statements, group, purpose));
      continue;
    }
    for (std::size_t k = 0; k < group.statements.size(); ++k)
      result.push_back(lower_group(model, statements, {{group.statements[k]}, {group.shapes[k]}}, purpose));
  }
  return result;
}

}  // namespace vinculum
