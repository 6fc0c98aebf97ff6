#include "system/elements.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

#include "base/clones.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr int fewest_for_lanes = 4;  // below, eight lanes are mostly empty and one common program is faster

bool is_parameter(const Expr& symbol) { return symbol.name().front() == '#'; }

bool adds_up(Target::Where where) {
  using Where = Target::Where;
  switch (where) {
    case Where::mass:
    case Where::force:
    case Where::nonideal:
    case Where::energy:
    case Where::power:
    case Where::power_explicit:
    case Where::force_by_q:
    case Where::force_by_v:
      return true;
    default:
      return false;
  }
}

StatePlace place_of(const Model& model, const Expr& symbol) {
  const Model::SymbolRole role = model.role(symbol);
  switch (role.role) {
    case Model::Role::time:
      return {StatePlace::time, 0};
    case Model::Role::coordinate:
      return {StatePlace::coordinate, role.index};
    case Model::Role::velocity:
      return {StatePlace::velocity, role.index};
    case Model::Role::acceleration:
      return {StatePlace::acceleration, role.index};
    case Model::Role::multiplier:
      return {StatePlace::multiplier, role.index};
    case Model::Role::gauss:
      return {StatePlace::gauss, 0};
    case Model::Role::dissatisfaction:
      return {StatePlace::dissatisfaction, role.index};
    case Model::Role::deviation:
      return {StatePlace::deviation, role.index};
    case Model::Role::nonideal_force:
      return {StatePlace::nonideal_force, role.index};
    default:
      break;
  }
  fail("'" + symbol.name() + "' is no part of a state");
}

/// A value that depends on a group's parameters alone, for each of its instances.
class ParameterValue {
 public:
  ParameterValue(const Expr& value, std::span<const Expr> parameters)
      : program_({&value, 1}, parameters), registers_(program_.register_count()) {
    prepare(program_, registers_.data(), 1);
  }
  double at(const std::vector<std::vector<double>>& values, std::size_t instance) {
    for (std::size_t p = 0; p < values.size(); ++p) registers_[p] = values[p][instance];
    run(program_, registers_.data());
    return registers_[program_.outputs().front()];
  }

 private:
  Program program_;
  std::vector<double> registers_;
};

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
    return model_.role(model_.graph().at(instance[place_.at(symbol.id())])).index;
  }
  const Model& model_;
  std::unordered_map<NodeId, int> place_;
};

/// Where an instance finds what its template calls `input`.
int source_of(const Model& model, const LoweredGroup& group, const Expr& input, int instance) {
  const auto place_in = [&group](NodeId id) {
    return std::find(group.symbols.begin(), group.symbols.end(), id) - group.symbols.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(group.symbols.size());
  if (const auto at = place_in(input.id()); at < count)
    return place_of(model, model.graph().at(group.instance[instance][at])).index;
  // Accelerations and multipliers come in with derivatives: they go with their velocity and their row.
  const Model::SymbolRole role = model.role(input);
  if (role.role == Model::Role::multiplier)
    return role.index - group.first_row.front() + group.first_row[instance];
  const auto at = place_in(model.velocities()[role.index].symbol.id());
  return place_of(model, model.graph().at(group.instance[instance][at])).index;
}

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

SparseMatrix pattern_of(int rows, int columns, std::vector<std::pair<int, int>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  SparseMatrix m;
  m.rows = rows;
  m.columns = columns;
  m.start.assign(rows + 1, 0);
  for (const auto& [i, j] : pairs) {
    ++m.start[i + 1];
    m.column.push_back(j);
  }
  for (int i = 0; i < rows; ++i) m.start[i + 1] += m.start[i];
  m.value.assign(m.column.size(), 0.0);
  return m;
}

int entry_of(const SparseMatrix& m, int i, int j) {
  const auto first = m.column.begin() + m.start[i], last = m.column.begin() + m.start[i + 1];
  return static_cast<int>(std::lower_bound(first, last, j) - m.column.begin());
}

Registers::Registers(std::size_t doubles) : memory_(new double[doubles + 8]()) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  aligned_ = memory_.get() + (64 - address % 64) % 64 / sizeof(double);
}

std::vector<LoweredGroup> lower(const Model& model, const std::vector<Statement>& statements,
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

ElementKernels::ElementKernels(const Model& model, const std::vector<LoweredGroup>& groups,
                               const std::function<int(const Target&)>& index, Constants& constants) {
  std::vector<Contribution> alone;
  std::vector<std::pair<const LoweredGroup*, std::vector<int>>> in_lanes;
  for (const LoweredGroup& group : groups) {
    std::vector<int> variable;
    for (std::size_t c = 0; c < group.contributions.size(); ++c) {
      const Contribution& contribution = group.contributions[c];
      const std::vector<Expr> symbols = symbols_of({&contribution.value, 1});
      if (!std::all_of(symbols.begin(), symbols.end(), is_parameter)) {
        variable.push_back(static_cast<int>(c));
        continue;
      }
      ParameterValue value(contribution.value,
                           group.parameter);  // no state in it: evaluated once and for all
      for (std::size_t k = 0; k < group.targets[c].size(); ++k) {
        const Target& target = group.targets[c][k];
        constants[static_cast<int>(target.where)][index(target)] += value.at(group.values, k);
      }
    }
    if (variable.empty()) continue;
    if (group.instance.size() == 1)
      for (const int c : variable) alone.push_back({group.contributions[c].value, group.targets[c].front()});
    else
      in_lanes.emplace_back(&group, std::move(variable));
  }
  for (const auto& [group, variable] : in_lanes) add_group(model, *group, variable, index);
  build_single(model, alone, index, constants);
}

void ElementKernels::add_group(const Model& model, const LoweredGroup& lowered,
                               const std::vector<int>& variable,
                               const std::function<int(const Target&)>& index) {
  Group group;
  group.instances = static_cast<int>(lowered.instance.size());
  std::vector<Expr> values;
  for (const int c : variable) values.push_back(lowered.contributions[c].value);
  const std::vector<Expr> inputs = symbols_of(values);
  group.program = Program(values, inputs);
  const int padded = (group.instances + lane_count - 1) / lane_count * lane_count;
  for (const Expr& input : inputs) {
    const auto p = std::find_if(lowered.parameter.begin(), lowered.parameter.end(),
                                [&](const Expr& e) { return identical(e, input); });
    const bool is_value = p != lowered.parameter.end();
    group.part.push_back(is_value ? StatePlace::parameter
                                  : place_of(model, input).part);  // alike for all instances
    for (int k = 0; k < padded; ++k) {
      const int instance = std::min(k, group.instances - 1);  // lanes past the end repeat the last instance
      group.source.push_back(is_value ? 0 : source_of(model, lowered, input, instance));
      group.parameter.push_back(is_value ? lowered.values[p - lowered.parameter.begin()][instance] : 0.0);
    }
  }
  for (const int c : variable) {
    const Target::Where where = lowered.contributions[c].target.where;
    Output output{static_cast<int>(where), adds_up(where), {}};
    for (const Target& t : lowered.targets[c]) output.index.push_back(index(t));
    sums_[output.where] = sums_[output.where] || output.adds;
    group.adds = group.adds || output.adds;
    touches_[output.where] = true;
    group.outputs.push_back(std::move(output));
  }
  groups_.push_back(std::move(group));
}

void ElementKernels::build_single(const Model& model, const std::vector<Contribution>& alone,
                                  const std::function<int(const Target&)>& index,
                                  const Constants& constants) {
  // Several statements may add to one target. Where no group does, their sum with the constant part is
  // written at once.
  std::map<std::pair<int, int>, Expr> sum;
  for (const Contribution& c : alone) {
    const int where = static_cast<int>(c.target.where);
    const auto [place, is_new] = sum.try_emplace({where, index(c.target)}, c.value);
    if (!is_new) place->second += c.value;
  }
  std::vector<Expr> values;
  for (auto& [place, value] : sum) {
    const auto [where, at] = place;
    const bool adds = adds_up(static_cast<Target::Where>(where)) && sums_[where];
    if (!adds && adds_up(static_cast<Target::Where>(where))) value += constants[where][at];
    values.push_back(value);
    single_outputs_.push_back({where, adds, at});
    touches_[where] = true;
  }
  const std::vector<Expr> inputs = symbols_of(values);
  single_ = Program(values, inputs);
  for (const Expr& input : inputs) single_source_.push_back(place_of(model, input));
}

std::vector<int> ElementKernels::reads(StatePlace::Part part) const {
  std::set<int> places;
  for (const StatePlace& place : single_source_)
    if (place.part == part) places.insert(place.index);
  for (const Group& g : groups_) {
    const std::size_t width = g.part.empty() ? 0 : g.source.size() / g.part.size();
    for (std::size_t i = 0; i < g.part.size(); ++i)
      if (g.part[i] == part)
        places.insert(g.source.begin() + static_cast<std::ptrdiff_t>(i * width),
                      g.source.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  }
  return {places.begin(), places.end()};
}

int ElementKernels::instruction_count() const {
  std::size_t count = single_.code().size();
  for (const Group& g : groups_) count += g.program.code().size();
  return static_cast<int>(count);
}

// --- Running
// ------------------------------------------------------------------------------------------------------

ElementKernels::Scratch::Scratch(const ElementKernels& kernels)
    : single(kernels.single_.register_count()),
      batch(static_cast<std::size_t>(lane_count) * kernels.single_.register_count()) {
  prepare(kernels.single_, single.data(), 1);
  prepare(kernels.single_, batch.data(), lane_count);
  for (const Group& group : kernels.groups_) {
    lanes.emplace_back(static_cast<std::size_t>(lane_count) * group.program.register_count());
    prepare(group.program, lanes.back().data(), lane_count);
  }
}

namespace {

/// Fills the inputs of eight instances. Compiled for wide vectors: a register that is written in the width in
/// which it is read is passed on at once, one that is written in pieces has to wait for memory.
VINCULUM_CLONES
void gather(const StateView& state, const StatePlace::Part* part, const int* source, const double* parameter,
            int padded, int inputs, double* registers) {
  for (int i = 0; i < inputs; ++i) {
    if (part[i] == StatePlace::parameter) {
      for (int k = 0; k < lane_count; ++k) registers[k] = parameter[k];
    } else {
      const double* from = state.part[part[i]];
      for (int k = 0; k < lane_count; ++k) registers[k] = from[source[k]];
    }
    registers += lane_count;
    source += padded;
    parameter += padded;
  }
}

}  // namespace

void ElementKernels::evaluate(const StateView& state, const Numbers& to, Scratch& scratch,
                              unsigned rounding) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    double* registers = scratch.lanes[g].data();
    const int inputs = group.program.input_count();
    const int padded = (group.instances + lane_count - 1) / lane_count * lane_count;
    for (int first = 0; first < group.instances; first += lane_count) {
      gather(state, group.part.data(), group.source.data() + first, group.parameter.data() + first, padded,
             inputs, registers);
      if (rounding == 0)
        run_lanes(group.program, registers);
      else
        run_rounded(group.program, registers, lane_count, rounding);
      const int count = std::min(lane_count, group.instances - first);
      for (std::size_t o = 0; o < group.outputs.size(); ++o) {
        const Output& output = group.outputs[o];
        if (output.adds) continue;
        const double* lane = registers + static_cast<std::size_t>(lane_count) * group.program.outputs()[o];
        const int* target = output.index.data() + first;
        double* array = to[output.where];
        for (int k = 0; k < count; ++k) array[target[k]] = lane[k];
      }
      if (!group.adds) continue;
      for (int k = 0; k < count; ++k)  // instance by instance: the order of a sum decides its bits
        for (std::size_t o = 0; o < group.outputs.size(); ++o) {
          const Output& output = group.outputs[o];
          if (output.adds)
            to[output.where][output.index[first + k]] +=
                registers[static_cast<std::size_t>(lane_count) * group.program.outputs()[o] + k];
        }
    }
  }
  if (single_outputs_.empty()) return;
  double* registers = scratch.single.data();
  for (std::size_t i = 0; i < single_source_.size(); ++i)
    registers[i] = state.part[single_source_[i].part][single_source_[i].index];
  if (rounding == 0)
    run(single_, registers);
  else
    run_rounded(single_, registers, 1, rounding);
  const auto places = single_.outputs();
  for (std::size_t o = 0; o < single_outputs_.size(); ++o) {
    const SingleOutput& output = single_outputs_[o];
    double& target = to[output.where][output.index];
    target = output.adds ? target + registers[places[o]] : registers[places[o]];
  }
}

void ElementKernels::evaluate_batch(const StateView& state, const Numbers& to, Scratch& scratch) const {
  const auto eight = [](int k) { return static_cast<std::size_t>(lane_count) * k; };
  const auto deliver = [&](const double* from, double* target, bool adds) {
    for (int k = 0; k < lane_count; ++k) target[k] = adds ? target[k] + from[k] : from[k];
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    double* registers = scratch.lanes[g].data();
    const int padded = (group.instances + lane_count - 1) / lane_count * lane_count;
    for (int instance = 0; instance < group.instances; ++instance) {
      for (int i = 0; i < group.program.input_count(); ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * padded + instance;
        double* lane = registers + eight(i);
        if (group.part[i] == StatePlace::parameter)
          std::fill(lane, lane + lane_count, group.parameter[at]);
        else
          std::copy_n(state.part[group.part[i]] + eight(group.source[at]), lane_count, lane);
      }
      run_lanes(group.program, registers);
      for (std::size_t o = 0; o < group.outputs.size(); ++o) {
        const Output& output = group.outputs[o];
        deliver(registers + eight(group.program.outputs()[o]),
                to[output.where] + eight(output.index[instance]), output.adds);
      }
    }
  }
  if (single_outputs_.empty()) return;
  double* registers = scratch.batch.data();
  for (std::size_t i = 0; i < single_source_.size(); ++i)
    std::copy_n(state.part[single_source_[i].part] + eight(single_source_[i].index), lane_count,
                registers + eight(static_cast<int>(i)));
  run_lanes(single_, registers);
  for (std::size_t o = 0; o < single_outputs_.size(); ++o) {
    const SingleOutput& output = single_outputs_[o];
    deliver(registers + eight(single_.outputs()[o]), to[output.where] + eight(output.index), output.adds);
  }
}

}  // namespace vinculum
