#include "vinculum/system/state_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vinculum {
namespace {

/// Eight rows of `n` numbers into lanes, and back: where n is known to the compiler, no loop is left.
template <int n>
[[gnu::always_inline]] inline void turn(const double* rows, double* lanes) {
  for (int lane = 0; lane < 8; ++lane)
    for (int i = 0; i < n; ++i) lanes[8 * i + lane] = rows[n * lane + i];
}
template <int n>
[[gnu::always_inline]] inline void turn_back(const double* lanes, double* rows) {
  for (int lane = 0; lane < 8; ++lane)
    for (int i = 0; i < n; ++i) rows[n * lane + i] = lanes[8 * i + lane];
}

/// x * 0 is 0 for what is finite, and no number for what is not.
[[gnu::always_inline]] inline bool are_finite(const double* x, std::size_t eights) {
  double zero[8] = {};
  for (; eights-- > 0; x += 8)
    for (int k = 0; k < 8; ++k) zero[k] += x[k] * 0.0;
  double sum = 0;
  for (const double z : zero) sum += z;
  return sum == 0;
}

constexpr int most_known = 12;

template <int... n>
void rows_to_lanes(const double* rows, double* lanes, std::size_t count, std::integer_sequence<int, n...>) {
  const bool known = ((static_cast<int>(count) == n && (turn<n>(rows, lanes), true)) || ...);
  if (known) return;
  for (std::size_t lane = 0; lane < 8; ++lane)
    for (std::size_t i = 0; i < count; ++i) lanes[8 * i + lane] = rows[count * lane + i];
}
template <int... n>
void lanes_to_rows(const double* lanes, double* rows, std::size_t count, std::integer_sequence<int, n...>) {
  const bool known = ((static_cast<int>(count) == n && (turn_back<n>(lanes, rows), true)) || ...);
  if (known) return;
  for (std::size_t lane = 0; lane < 8; ++lane)
    for (std::size_t i = 0; i < count; ++i) rows[count * lane + i] = lanes[8 * i + lane];
}
using Known = std::make_integer_sequence<int, most_known + 1>;

}  // namespace

TableWorkspace::TableWorkspace(const System& system)
    : work_(system),
      states_{{},
              std::vector<double>(8 * system.coordinate_names().size()),
              std::vector<double>(8 * system.velocity_names().size())},
      found_(states_.v.size()) {}

std::optional<std::size_t> TableWorkspace::accelerate(const System& system, const StateTable& table,
                                                      std::size_t first, std::size_t last,
                                                      double* acceleration) {
  const std::size_t nq = states_.q.size() / 8, nv = states_.v.size() / 8;
  const auto is_finite = [&](std::size_t row) {
    const auto good = [](double x) { return std::isfinite(x); };
    return std::all_of(table.q + row * nq, table.q + (row + 1) * nq, good) &&
           std::all_of(table.v + row * nv, table.v + (row + 1) * nv, good);
  };
  for (; first + 8 <= last && are_finite(table.q + first * nq, nq) && are_finite(table.v + first * nv, nv);
       first += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) states_.t[lane] = table.t[table.one_time ? 0 : first + lane];
    rows_to_lanes(table.q + first * nq, states_.q.data(), nq, Known());
    rows_to_lanes(table.v + first * nv, states_.v.data(), nv, Known());
    const BatchReport report = vinculum::accelerate(system, states_, work_, found_);
    for (std::size_t lane = 0; lane < 8; ++lane)
      if (report.status[lane] != Status::solved) return first + lane;
    lanes_to_rows(found_.data(), acceleration + first * nv, nv, Known());
  }
  for (std::size_t row = first; row < std::min(first + 8, last); ++row)
    if (!is_finite(row)) return row;
  if (first == last) return std::nullopt;
  // The last ones stand for those that are missing.
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const std::size_t row = std::min(first + lane, last - 1);
    states_.t[lane] = table.t[table.one_time ? 0 : row];
    for (std::size_t i = 0; i < nq; ++i) states_.q[8 * i + lane] = table.q[row * nq + i];
    for (std::size_t i = 0; i < nv; ++i) states_.v[8 * i + lane] = table.v[row * nv + i];
  }
  const BatchReport report = vinculum::accelerate(system, states_, work_, found_);
  for (std::size_t lane = 0; lane < last - first; ++lane) {
    if (report.status[lane] != Status::solved) return first + lane;
    for (std::size_t i = 0; i < nv; ++i) acceleration[(first + lane) * nv + i] = found_[8 * i + lane];
  }
  return std::nullopt;
}

}  // namespace vinculum
