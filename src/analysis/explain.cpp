#include "vinculum/analysis/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Six digits. What is rounding beside the largest number of its column reads as 0, as a zero of either sign
/// does.
std::string cell(double x, double largest = 0) {
  if (std::fabs(x) <= 1e-14 * largest) return "0";
  return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-";
}

double largest_of(const std::vector<double>& v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::fabs(x));
  return largest;
}

std::size_t width_of(const std::vector<std::string>& names, std::size_t least) {
  for (const auto& n : names) least = std::max(least, n.size());
  return least;
}

void add_motion(std::string& page, const System& system, const State& state, const Solution& s) {
  const auto& names = system.velocity_names();
  const std::size_t width = width_of(names, 10);
  page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13} {:>13}\n", "velocity", width, "value",
                      "free accel.", "acceleration", "deviation", "constr. force");
  const double pace = std::max(largest_of(s.acceleration), largest_of(s.free_acceleration));
  const double push = largest_of(s.constraint_force);
  for (std::size_t i = 0; i < names.size(); ++i)
    page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13} {:>13}\n", names[i], width, cell(state.v[i]),
                        cell(s.free_acceleration[i], pace), cell(s.acceleration[i], pace),
                        cell(s.deviation[i], pace), cell(s.constraint_force[i], push));
}

std::string dependency_text(const System& system, const Dependency& d) {
  if (d.on.empty()) return fmt::format("'{}' says 0 = 0 here", system.row_names()[d.row]);
  std::vector<std::string> others;
  for (const int k : d.on) others.push_back("'" + system.row_names()[k] + "'");
  return fmt::format("'{}' follows from {}", system.row_names()[d.row], list_text(others));
}

void add_rows(std::string& page, const System& system, const Solution& s) {
  const auto& names = system.row_names();
  if (names.empty()) {
    page += "\nNo constraints: the motion is the free one.\n";
    return;
  }
  const std::size_t width = width_of(names, 10);
  page +=
      fmt::format("\nThe free motion misses the constraints by e = b - A a, and the multipliers mend it{}\n",
                  s.multipliers_unique ? ":" : " (not unique; the least ones are shown):");
  page += fmt::format("  {:<{}} {:>13} {:>13}\n", "row", width, "e", "multiplier");
  const double misses = largest_of(s.dissatisfaction), push = largest_of(s.multipliers);
  for (std::size_t r = 0; r < names.size(); ++r)
    page += fmt::format("  {:<{}} {:>13} {:>13}\n", names[r], width, cell(s.dissatisfaction[r], misses),
                        cell(s.multipliers[r], push));
  for (const Dependency& d : s.dependencies) page += "  " + dependency_text(system, d) + "\n";
}

void add_certificate(std::string& page, const Solution& s) {
  const auto line = [&](const char* what, const Check& c) {
    page += fmt::format("  {:<44} {:>9.1e}  (rounding allows {:.1e}) {}\n", what, c.value, c.bound,
                        c.holds() ? "holds" : "FAILS");
  };
  page += "\nCertificate\n";
  line("the constraints hold", s.certificate.constraint_residual);
  line("their force does no virtual work", s.certificate.virtual_work);
  line("Gauss's function is at its minimum", s.certificate.gauss_gap);
  line("Lagrange's equations of the first kind hold", s.certificate.kkt_residual);
}

}  // namespace

std::string explain(const System& system, const State& state, const Solution& s) {
  const int n = static_cast<int>(system.velocity_names().size()),
            m = static_cast<int>(system.row_names().size());
  std::string page = fmt::format(
      "At t = {}: {} velocities, {} constraint row{} of rank {}, {} degree{} of freedom\n\n",
      number_text(state.t), n, m, m == 1 ? "" : "s", s.rank, n - s.rank, n - s.rank == 1 ? "" : "s");
  if (s.status != Status::solved) {
    page += describe(system, s) + "\n";
    if (s.acceleration.empty()) return page;
  }
  add_motion(page, system, state, s);
  add_rows(page, system, s);
  page += fmt::format("\nGauss's function (q'' - a)^T M (q'' - a) = {}\n", cell(s.gaussian));
  if (s.status == Status::solved) add_certificate(page, s);
  page += fmt::format("\nRoad asked: {}; road used: {}\n", road_name(s.road_asked), road_name(s.road_used));
  return page;
}

}  // namespace vinculum
