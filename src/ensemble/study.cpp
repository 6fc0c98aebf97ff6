#include "vinculum/ensemble/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensemble/random.hpp"
#include "kernel/functions/exponential.hpp"
#include "kernel/functions/logarithm.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Numbers of members stay exact as floating-point numbers, which is what files hold.
constexpr long most_members = 1L << 53;

void require_sound(const Axis& axis) {
  if (axis.values.empty()) fail(fmt::format("'{}' varies and has no values", axis.name));
  for (const double value : axis.values)
    if (!std::isfinite(value))
      fail(fmt::format("'{}' varies to {}; values are finite numbers", axis.name, number_text(value)));
}

void require_sound(const Table& table) {
  if (table.names.empty()) return;
  if (table.rows() == 0) fail(fmt::format("the table of '{}' has no rows", table.names.front()));
  for (std::size_t k = 0; k < table.values.size(); ++k)
    if (!std::isfinite(table.values[k]))
      fail(fmt::format("'{}' is {} in row {} of its table; values are finite numbers",
                       table.names[k % table.names.size()], number_text(table.values[k]),
                       k / table.names.size() + 1));
}

void require_sound(const Draw& d) {
  const auto refuse = [&](const char* rule) {
    fail(fmt::format("'{}' is drawn with {} and {}; {}", d.name, number_text(d.a), number_text(d.b), rule));
  };
  if (!std::isfinite(d.a) || !std::isfinite(d.b)) refuse("both must be finite");
  if (d.distribution != Distribution::normal && !std::isfinite(d.b - d.a))
    refuse("they must not lie further apart than the largest number");
  if (d.distribution == Distribution::normal && d.b < 0) refuse("a deviation is not negative");
  if (d.distribution != Distribution::normal && !(d.a <= d.b)) refuse("the smaller one comes first");
  if (d.distribution == Distribution::log_uniform && !(d.a > 0 && std::isfinite(d.b / d.a)))
    refuse("both must be positive, and their ratio finite");
}

}  // namespace

namespace {

/// Ends that lie further apart than the largest number have numbers between them, too.
double between(double from, double to, double part) {
  return std::isfinite(to - from) ? from + part * (to - from) : (1 - part) * from + part * to;
}

}  // namespace

Axis evenly(std::string name, double from, double to, long count) {
  Axis axis{std::move(name), {}};
  axis.values.reserve(static_cast<std::size_t>(count));
  for (long k = 0; k < count; ++k) {
    const double part = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0.0;
    axis.values.push_back(k == 0 ? from : k == count - 1 ? to : between(from, to, part));
  }
  return axis;
}

long Table::rows() const { return names.empty() ? 0 : static_cast<long>(values.size() / names.size()); }

double Draw::at(double share) const {
  switch (distribution) {
    case Distribution::uniform:
      return std::clamp(a + share * (b - a), a, b);
    case Distribution::normal:
      return a + b * normal_quantile(share);
    case Distribution::log_uniform:
      return std::clamp(a * kernel::exponential(share * kernel::logarithm(b / a)), a, b);
  }
  return a;
}

void Study::require_sound() const {
  std::vector<std::string> all = names();
  if (all.empty()) fail("nothing varies: say what, as in --vary m=0.5:2:20");
  std::ranges::sort(all);
  if (const auto twice = std::ranges::adjacent_find(all); twice != all.end())
    fail(fmt::format("'{}' varies twice; once is enough", *twice));
  vinculum::require_sound(table);
  for (const Axis& axis : axes) vinculum::require_sound(axis);
  for (const Draw& draw : draws) vinculum::require_sound(draw);
  if (draws_each < 1) fail(fmt::format("{} draws are asked for; one or more", draws_each));
  if (draws.empty() && draws_each != 1)
    fail(fmt::format("{} draws are asked for, and nothing is drawn: say what, as in --random m=uniform(1,2)",
                     draws_each));
  if (sampling == Sampling::sobol && draws.size() > most_sobol_dimensions)
    fail(fmt::format("Sobol's sequence has {} dimensions here, and {} names are drawn", most_sobol_dimensions,
                     draws.size()));
  if (sampling == Sampling::sobol &&
      draws_each > static_cast<long>(std::numeric_limits<std::uint32_t>::max()))
    fail(fmt::format("Sobol's sequence has 4294967295 points here, and {} are asked for", draws_each));
  double all_members = static_cast<double>(draws_each * std::max(1L, table.rows()));
  for (const Axis& axis : axes) all_members *= static_cast<double>(axis.values.size());
  if (!(all_members < static_cast<double>(most_members)))
    fail(fmt::format("these are {} members; fewer than 2^53 can be counted", number_text(all_members, 3)));
}

long Study::count() const {
  long all = draws_each * std::max(1L, table.rows());
  for (const Axis& axis : axes) all *= static_cast<long>(axis.values.size());
  return all;
}

std::vector<std::string> Study::names() const {
  std::vector<std::string> all = table.names;
  for (const Axis& axis : axes) all.push_back(axis.name);
  for (const Draw& draw : draws) all.push_back(draw.name);
  return all;
}

void Study::values_of(long member, std::span<double> out) const {
  const long draw = member % draws_each;
  long place = member / draws_each;
  const std::size_t width = table.names.size();
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto size = static_cast<long>(axes[k].values.size());
    out[width + k] = axes[k].values[static_cast<std::size_t>(place % size)];
    place /= size;
  }
  std::copy_n(table.values.begin() + place * static_cast<long>(width), width, out.begin());
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const std::uint64_t key = key_of(draws[k].name);
    double share = 0;
    if (sampling == Sampling::random) {
      share = random_share(seed, key, static_cast<std::uint64_t>(member));
    } else {
      // The same points at every place of the axes, so that these are compared like with like.
      const std::uint64_t shift = random_bits(seed, key);
      const std::uint64_t point = std::uint64_t{sobol(static_cast<int>(k), static_cast<std::uint32_t>(draw))}
                                  << 32;
      share = (static_cast<double>((point ^ shift) >> 12) + 0.5) * 0x1p-52;
    }
    out[width + axes.size() + k] = draws[k].at(share);
  }
}

Study with(Study stated, const StudySaid& said) {
  const auto leave_out = [&](const std::string& name) {
    std::erase_if(stated.axes, [&](const Axis& a) { return a.name == name; });
    std::erase_if(stated.draws, [&](const Draw& d) { return d.name == name; });
  };
  if (!said.table.names.empty()) stated.table = said.table;
  for (const std::string& name : said.table.names) leave_out(name);
  for (const Axis& axis : said.axes) leave_out(axis.name);
  for (const Draw& draw : said.draws) leave_out(draw.name);
  stated.axes.insert(stated.axes.end(), said.axes.begin(), said.axes.end());
  stated.draws.insert(stated.draws.end(), said.draws.begin(), said.draws.end());
  if (said.draws_each) stated.draws_each = *said.draws_each;
  if (stated.draws.empty() && !said.draws_each) stated.draws_each = 1;
  if (said.seed) stated.seed = *said.seed;
  if (said.sampling) stated.sampling = *said.sampling;
  return stated;
}

}  // namespace vinculum
