#include "system/compile/elements.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "base/clones.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

bool is_constant(const Model& model, const Expr& symbol) {
  return symbol.name().front() == '#' || is_living(model, symbol);
}

/// Some of the numbers that the symbols of a template stand for live.
bool lives(const std::vector<Expr>& values) {
  return std::any_of(values.begin(), values.end(), [](const Expr& e) { return !e.is_constant(); });
}

/// An expression of a template, said for one of its instances.
Expr said_for(const LoweredGroup& group, const Expr& e, std::size_t instance) {
  if (group.parameter.empty()) return e;
  SymbolMap values;
  for (std::size_t p = 0; p < group.parameter.size(); ++p)
    values.set(group.parameter[p], group.values[p][instance]);
  return substitute(e, values);
}

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
    case Where::balance:
      return true;
    default:
      return false;
  }
}

/// A value that depends on a group's parameters alone, for each of its instances.
class ParameterValue {
 public:
  ParameterValue(const Expr& value, std::span<const Expr> parameters)
      : kernel_({&value, 1}, parameters), run_(kernel_, 1) {}
  double at(const std::vector<std::vector<Expr>>& values, std::size_t instance) {
    for (std::size_t p = 0; p < values.size(); ++p) *run_.input(p) = values[p][instance].value();
    run_.run();
    return *run_.output(0);
  }

 private:
  Kernel kernel_;
  KernelRun run_;
};

/// Where an instance finds what its template calls `input`.
int source_of(const Model& model, const LoweredGroup& group, const Expr& input, int instance) {
  const auto place_in = [&group](NodeId id) {
    return std::find(group.symbols.begin(), group.symbols.end(), id) - group.symbols.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(group.symbols.size());
  if (const auto at = place_in(input.id()); at < count)
    return place_of(model, model.stated().graph().at(group.instance[instance][at])).index;
  // Accelerations and multipliers come in with derivatives: they go with their velocity and their row.
  const SymbolRole role = model.stated().role(input);
  if (role.role == Role::multiplier) return role.index - group.first_row.front() + group.first_row[instance];
  const auto at = place_in(model.velocities()[role.index].symbol.id());
  return place_of(model, model.stated().graph().at(group.instance[instance][at])).index;
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

ElementKernels::ElementKernels(const Model& model, const std::vector<LoweredGroup>& groups,
                               const std::function<int(const Target&)>& index, Constants& constants) {
  std::vector<Contribution> alone;
  std::vector<std::pair<const LoweredGroup*, std::vector<int>>> in_lanes;
  Sums living;
  for (const LoweredGroup& group : groups) {
    std::vector<int> variable;
    for (std::size_t c = 0; c < group.contributions.size(); ++c) {
      const std::vector<Expr> symbols = symbols_of({&group.contributions[c].value, 1});
      if (std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return is_constant(model, s); }))
        take_constants(model, group, static_cast<int>(c), index, constants, living);
      else
        variable.push_back(static_cast<int>(c));
    }
    if (variable.empty()) continue;
    if (group.instance.size() == 1)
      for (const int c : variable) alone.push_back({group.contributions[c].value, group.targets[c].front()});
    else
      in_lanes.emplace_back(&group, std::move(variable));
  }
  for (const auto& [group, variable] : in_lanes) add_group(model, *group, variable, index);
  build_single(model, alone, index, constants, living);
  std::vector<Expr> values;
  for (const auto& [place, value] : living) {
    values.push_back(value);
    living_to_.push_back(place);
  }
  living_constants_ = LivingNumbers(model, values);
}

bool ElementKernels::instances_live() const {
  return std::any_of(groups_.begin(), groups_.end(), [](const Group& g) { return !g.living.empty(); });
}

/// No state in it: a number once and for all, or as long as the parameters stay as they are.
void ElementKernels::take_constants(const Model& model, const LoweredGroup& group, int c,
                                    const std::function<int(const Target&)>& index, Constants& constants,
                                    Sums& living) {
  const Expr& value = group.contributions[c].value;
  const std::vector<Expr> symbols = symbols_of({&value, 1});
  const bool changes =
      std::any_of(group.values.begin(), group.values.end(), lives) ||
      std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return is_living(model, s); });
  std::optional<ParameterValue> number;
  if (!changes) number.emplace(value, group.parameter);
  for (std::size_t k = 0; k < group.targets[c].size(); ++k) {
    const Target& target = group.targets[c][k];
    const int where = static_cast<int>(target.where), at = index(target);
    if (number)
      constants[where][at] += number->at(group.values, k);
    else if (const Expr said = said_for(group, value, k); said.is_constant())
      constants[where][at] += said.value();
    else if (const auto [place, is_new] = living.try_emplace({where, at}, said); !is_new)
      place->second += said;
  }
}

void ElementKernels::add_living(std::span<const double> parameters, Constants& constants) const {
  const std::span<const double> numbers = living_constants_.at(parameters);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    constants[living_to_[k].first][living_to_[k].second] += numbers[k];
}

void ElementKernels::add_group(const Model& model, const LoweredGroup& lowered,
                               const std::vector<int>& variable,
                               const std::function<int(const Target&)>& index) {
  Group group;
  group.instances = static_cast<int>(lowered.instance.size());
  std::vector<Expr> values;
  for (const int c : variable) values.push_back(lowered.contributions[c].value);
  const auto place_of_parameter = [&](const Expr& s) {
    const auto found = std::find_if(lowered.parameter.begin(), lowered.parameter.end(),
                                    [&](const Expr& e) { return identical(e, s); });
    return static_cast<std::size_t>(found - lowered.parameter.begin());
  };
  const auto living = [&](const Expr& s) {
    const std::size_t p = place_of_parameter(s);
    return p < lowered.parameter.size() ? lives(lowered.values[p]) : is_living(model, s);
  };
  Hoisted hoisted{std::move(values), {}, {}};
  const std::vector<Expr> symbols = symbols_of(hoisted.values);
  if (std::any_of(symbols.begin(), symbols.end(), living))
    hoisted = hoist(model.stated().graph(), std::move(hoisted.values), living);
  std::vector<Expr> inputs = symbols_of(hoisted.values);
  const auto is_place = [&](const Expr& input) {
    return place_of_parameter(input) == lowered.parameter.size() &&
           std::none_of(hoisted.slots.begin(), hoisted.slots.end(),
                        [&](const Expr& e) { return identical(e, input); });
  };
  // In the order of their places: coordinates of one point follow each other.
  const auto places = std::stable_partition(inputs.begin(), inputs.end(), std::not_fn(is_place));
  std::sort(places, inputs.end(), [&](const Expr& one, const Expr& other) {
    const auto key = [&](const Expr& e) {
      return std::pair(place_of(model, e).part, source_of(model, lowered, e, 0));
    };
    return key(one) < key(other);
  });
  group.kernel = Kernel(hoisted.values, inputs);
  const int padded = (group.instances + lane_count - 1) / lane_count * lane_count;
  std::vector<Expr> alive;
  for (const Expr& input : inputs) {
    const std::size_t p = place_of_parameter(input);
    const auto slot = std::find_if(hoisted.slots.begin(), hoisted.slots.end(),
                                   [&](const Expr& e) { return identical(e, input); });
    const bool is_slot = slot != hoisted.slots.end(), is_value = p < lowered.parameter.size();
    group.part.push_back(is_slot || is_value ? StatePlace::parameter
                                             : place_of(model, input).part);  // alike for all instances
    for (int k = 0; k < padded; ++k) {
      const int instance = std::min(k, group.instances - 1);  // lanes past the end repeat the last instance
      group.source.push_back(is_slot || is_value ? 0 : source_of(model, lowered, input, instance));
      group.constant.push_back(is_value ? lowered.values[p][instance].value() : 0.0);
      if (!is_slot) continue;
      if (k == instance)
        alive.push_back(said_for(lowered, hoisted.meanings[slot - hoisted.slots.begin()], k));
      group.living_to.emplace_back(alive.size() - 1, group.constant.size() - 1);
    }
  }
  group.living = LivingNumbers(model, alive);
  for (const int c : variable) {
    const Target::Where where = lowered.contributions[c].target.where;
    Output output{static_cast<int>(where), adds_up(where), {}};
    for (const Target& t : lowered.targets[c]) output.index.push_back(index(t));
    sums_[output.where] = sums_[output.where] || output.adds;
    group.adds = group.adds || output.adds;
    touches_[output.where] = true;
    group.outputs.push_back(std::move(output));
  }
  find_rows_of_points(group);
  groups_.push_back(std::move(group));
}

/// Whether an input and the two after it are, for eight instances, the coordinates of eight points that stand
/// one behind the other.
void ElementKernels::find_rows_of_points(Group& group) {
  const std::size_t inputs = group.part.size(), padded = inputs == 0 ? 0 : group.source.size() / inputs;
  const auto is_row = [&](std::size_t first, std::size_t input) {
    if (input + 3 > inputs || group.part[input] == StatePlace::parameter) return false;
    const int begin = group.source[input * padded + first];
    for (std::size_t i = 0; i < 3; ++i) {
      if (group.part[input + i] != group.part[input]) return false;
      for (std::size_t k = 0; k < lane_count; ++k)
        if (group.source[(input + i) * padded + first + k] != begin + static_cast<int>(3 * k + i))
          return false;
    }
    return true;
  };
  for (std::size_t first = 0; first < padded; first += lane_count)
    for (std::size_t input = 0; input < inputs; ++input)
      group.is_row_of_points.push_back(is_row(first, input));
}

void ElementKernels::build_single(const Model& model, const std::vector<Contribution>& alone,
                                  const std::function<int(const Target&)>& index, const Constants& constants,
                                  const Sums& living) {
  // Several statements may add to one target. Where no group does, their sum with the constant part is
  // written at once.
  Sums sum;
  for (const Contribution& c : alone) {
    const int where = static_cast<int>(c.target.where);
    const auto [place, is_new] = sum.try_emplace({where, index(c.target)}, c.value);
    if (!is_new) place->second += c.value;
  }
  std::vector<Expr> values;
  for (auto& [place, value] : sum) {
    const auto [where, at] = place;
    const bool adds = adds_up(static_cast<Target::Where>(where)) && sums_[where];
    if (!adds && adds_up(static_cast<Target::Where>(where))) {
      const auto alive = living.find(place);
      value += alive == living.end() ? Expr(constants[where][at]) : constants[where][at] + alive->second;
    }
    values.push_back(value);
    single_outputs_.push_back({where, adds, at});
    touches_[where] = true;
  }
  single_ = StateFunction(model, values);
}

std::vector<int> ElementKernels::reads(StatePlace::Part part) const {
  std::set<int> places;
  for (const InputPlace& place : single_.kernel().places())
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
  std::size_t count = single_.kernel().code().size();
  for (const Group& g : groups_) count += g.kernel.code().size();
  return static_cast<int>(count);
}

bool ElementKernels::calls_functions() const {
  const auto calls = [](const Kernel& kernel) {
    return std::ranges::any_of(kernel.code(), [](const Instruction& i) { return i.op == Opcode::call; });
  };
  return calls(single_.kernel()) || std::ranges::any_of(groups_, calls, &Group::kernel);
}

// --- Running
// ------------------------------------------------------------------------------------------------------

ElementKernels::Scratch::Scratch(const ElementKernels& kernels, std::span<const double> parameters,
                                 States states) {
  if (states != States::eight) single = BoundFunction(kernels.single_, parameters);
  if (states != States::one) batch = BoundFunction(kernels.single_, parameters, lane_count);
  for (const Group& group : kernels.groups_) {
    lanes.emplace_back(group.kernel, lane_count);
    constant.push_back(group.living.empty() ? std::vector<double>() : group.constant);
  }
  bind_groups(kernels, parameters);
}

void ElementKernels::Scratch::bind(const ElementKernels& kernels, std::span<const double> parameters) {
  single.bind(parameters);
  batch.bind(parameters);
  bind_groups(kernels, parameters);
}

void ElementKernels::Scratch::bind_groups(const ElementKernels& kernels, std::span<const double> parameters) {
  for (std::size_t g = 0; g < kernels.groups_.size(); ++g) {
    const Group& group = kernels.groups_[g];
    if (group.living.empty()) continue;
    const std::span<const double> numbers = group.living.at(parameters);
    for (const auto& [from, to] : group.living_to) constant[g][to] = numbers[from];
  }
}

namespace {

using Eight [[gnu::vector_size(64)]] = double;
static_assert(lane_count == 8);

/// The coordinates of eight points, one behind the other, to all first, all second and all third ones.
[[gnu::always_inline]] inline void take_points(const double* from, double* to) {
  Eight p[3];
  std::memcpy(p, from, sizeof p);
  const Eight x = __builtin_shufflevector(p[0], p[1], 0, 3, 6, 9, 12, 15, 0, 0);
  const Eight y = __builtin_shufflevector(p[0], p[1], 1, 4, 7, 10, 13, 0, 0, 0);
  const Eight z = __builtin_shufflevector(p[0], p[1], 2, 5, 8, 11, 14, 0, 0, 0);
  p[0] = __builtin_shufflevector(x, p[2], 0, 1, 2, 3, 4, 5, 10, 13);
  p[1] = __builtin_shufflevector(y, p[2], 0, 1, 2, 3, 4, 8, 11, 14);
  p[2] = __builtin_shufflevector(z, p[2], 0, 1, 2, 3, 4, 9, 12, 15);
  std::memcpy(to, p, sizeof p);
}

/// Fills the inputs of eight instances. Each is put together in a register and written at once, as it is
/// read: what is written in pieces has to wait for memory.
VINCULUM_CLONES
void gather(const StateParts& state, const StatePlace::Part* part, const int* source, const double* constant,
            const char* is_row_of_points, int padded, int inputs, double* registers) {
  for (int i = 0; i < inputs; ++i) {
    if (is_row_of_points[i]) {
      take_points(state.part[part[i]] + *source, registers);
      i += 2;
      registers += 3 * lane_count;
      source += 3 * padded;
      constant += 3 * padded;
      continue;
    }
    Eight x;
    if (part[i] == StatePlace::parameter) {
      std::memcpy(&x, constant, sizeof x);
    } else {
      const double* from = state.part[part[i]];
      x = Eight{from[source[0]], from[source[1]], from[source[2]], from[source[3]],
                from[source[4]], from[source[5]], from[source[6]], from[source[7]]};
    }
    std::memcpy(registers, &x, sizeof x);
    registers += lane_count;
    source += padded;
    constant += padded;
  }
}

/// Hands out an output of up to eight instances.
inline void scatter(const double* lane, int count, double* array, const int* target) {
  if (count == lane_count) {  // nearly always: a loop that is known to the compiler
    for (int k = 0; k < lane_count; ++k) array[target[k]] = lane[k];
  } else {
    for (int k = 0; k < count; ++k) array[target[k]] = lane[k];
  }
}

}  // namespace

void ElementKernels::evaluate(const StateParts& state, const Numbers& to, Scratch& scratch,
                              unsigned rounding) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    KernelRun& run = scratch.lanes[g];
    const int inputs = group.kernel.input_count();
    const int padded = (group.instances + lane_count - 1) / lane_count * lane_count;
    const double* constant = (group.living.empty() ? group.constant : scratch.constant[g]).data();
    for (int first = 0; first < group.instances; first += lane_count) {
      gather(state, group.part.data(), group.source.data() + first, constant + first,
             group.is_row_of_points.data() + first / lane_count * inputs, padded, inputs, run.inputs());
      run.run(rounding);
      const int count = std::min(lane_count, group.instances - first);
      for (std::size_t o = 0; o < group.outputs.size(); ++o) {
        const Output& output = group.outputs[o];
        if (!output.adds) scatter(run.output(o), count, to[output.where], output.index.data() + first);
      }
      if (!group.adds) continue;
      for (int k = 0; k < count; ++k)  // instance by instance: the order of a sum decides its bits
        for (std::size_t o = 0; o < group.outputs.size(); ++o) {
          const Output& output = group.outputs[o];
          if (output.adds) to[output.where][output.index[first + k]] += run.output(o)[k];
        }
    }
  }
  if (single_outputs_.empty()) return;
  scratch.single.run(state.part, nullptr, rounding);
  const KernelRun::Numbers found = scratch.single.numbers();
  for (std::size_t o = 0; o < single_outputs_.size(); ++o) {
    const SingleOutput& output = single_outputs_[o];
    double& target = to[output.where][output.index];
    target = output.adds ? target + found[o] : found[o];
  }
}

void ElementKernels::evaluate_batch(const StateParts& state, const Numbers& to, Scratch& scratch) const {
  const auto eight = [](int k) { return static_cast<std::size_t>(lane_count) * k; };
  const auto deliver = [&](const double* from, double* target, bool adds) {
    for (int k = 0; k < lane_count; ++k) target[k] = adds ? target[k] + from[k] : from[k];
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    KernelRun& run = scratch.lanes[g];
    const int padded = (group.instances + lane_count - 1) / lane_count * lane_count;
    const double* constant = (group.living.empty() ? group.constant : scratch.constant[g]).data();
    for (int instance = 0; instance < group.instances; ++instance) {
      for (int i = 0; i < group.kernel.input_count(); ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * padded + instance;
        double* lane = run.input(i);
        if (group.part[i] == StatePlace::parameter)
          std::fill(lane, lane + lane_count, constant[at]);
        else
          std::copy_n(state.part[group.part[i]] + eight(group.source[at]), lane_count, lane);
      }
      run.run();
      for (std::size_t o = 0; o < group.outputs.size(); ++o) {
        const Output& output = group.outputs[o];
        deliver(run.output(o), to[output.where] + eight(output.index[instance]), output.adds);
      }
    }
  }
  if (single_outputs_.empty()) return;
  scratch.batch.run(state.part);
  for (std::size_t o = 0; o < single_outputs_.size(); ++o) {
    const SingleOutput& output = single_outputs_[o];
    deliver(scratch.batch.eight(o), to[output.where] + eight(output.index), output.adds);
  }
}

}  // namespace vinculum
