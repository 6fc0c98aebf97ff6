#include "system/series/series_kernels.hpp"

#include "system/system_impl.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
constexpr int where(Where w) { return static_cast<int>(w); }

/// Of what the statements contribute, the part that goes there.
template <class Wanted>
std::vector<LoweredGroup> part_of(const std::vector<LoweredGroup>& groups, const Wanted& wanted) {
  std::vector<LoweredGroup> result;
  for (const LoweredGroup& group : groups) {
    LoweredGroup part = group;
    part.contributions.clear();
    part.targets.clear();
    for (std::size_t c = 0; c < group.contributions.size(); ++c) {
      if (!wanted(group.contributions[c].target)) continue;
      part.contributions.push_back(group.contributions[c]);
      part.targets.push_back(group.targets[c]);
    }
    if (!part.contributions.empty()) result.push_back(std::move(part));
  }
  return result;
}

}  // namespace

SeriesKernels::SeriesKernels(const System::Impl& s) {
  const SeriesStatements stated = series_statements(s);
  const auto lower = [&](const std::vector<Statement>& statements, Purpose purpose) {
    return lower_groups(s.model, statements, group_by_shape(s.model, statements), purpose);
  };
  Constants constants;  // of the first coefficients, which are solved for otherwise
  for (const Where w : {Where::balance, Where::nonideal})
    constants[where(w)].assign(s.velocity_names.size(), 0.0);
  for (const Where w : {Where::stated_row, Where::row_power})
    constants[where(w)].assign(s.row_names.size(), 0.0);
  constants[where(Where::switching)].assign(stated.sides.size(), 0.0);
  const auto compile = [&](const std::vector<LoweredGroup>& lowered, const auto& wanted) {
    return ElementKernels(s.model, part_of(lowered, wanted), [](const Target& t) { return t.i; }, constants);
  };
  const auto all = [](const Target&) { return true; };
  const std::vector<LoweredGroup> forces = lower(stated.balance, Purpose::series);
  balance = compile(forces, [](const Target& t) { return t.where == Where::balance; });
  power = compile(forces, [](const Target& t) { return t.where == Where::row_power; });
  const std::vector<LoweredGroup> lowered = lower(stated.rows, Purpose::series);
  for (int order = 0; order < 3; ++order)
    rows[order] =
        compile(lowered, [order](const Target& t) { return t.where == Where::stated_row && t.j == order; });
  if (stated.nonideal.empty()) return;
  nonideal = compile(lower(stated.nonideal, Purpose::nonideal), all);
  deviation = compile(lower(stated.balance, Purpose::deviation), all);
  sides = compile(lower(stated.sides, Purpose::observe), all);
  side_count = static_cast<int>(stated.sides.size());
}

SeriesPrograms::SeriesPrograms(const System::Impl& s, int order)
    : balance(s.series_kernels().balance, order, {StatePlace::acceleration, StatePlace::multiplier}),
      rows{{s.series_kernels().rows[0], order + 2, {StatePlace::coordinate}},
           {s.series_kernels().rows[1], order + 1, {StatePlace::velocity}},
           {s.series_kernels().rows[2], order, {StatePlace::acceleration}}},
      rates(s.rates, order + 1, {StatePlace::velocity}),
      stated_power(s.powers, order, {}),
      power(s.series_kernels().power, order, {}),
      nonideal(s.series_kernels().nonideal, order, {}),
      deviation(s.series_kernels().deviation, order, {StatePlace::acceleration, StatePlace::multiplier}),
      sides(s.series_kernels().sides, order, {}) {}

}  // namespace vinculum
