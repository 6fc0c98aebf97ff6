// Numbers of a model: what is asked of them, what functions make of them, and other values of parameters.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/valuation.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

constexpr int probe_count = 5;

/// A number between 0 and 1 that is another for every pair.
double scattered(int i, int j) {
  const double x = 0.6180339887498949 * (i + 1) + 0.7548776662466927 * j;
  return x - std::floor(x);
}

/// Another value a parameter may have: near its own, then farther, then of either sign.
double probe_of(double value, int parameter, int probe) {
  const double by = 2 * scattered(parameter, probe) - 1;
  if (value == 0) return 1e-3 * (by < 0 ? by - 0.5 : by + 0.5);
  const bool turned = probe >= 2 && scattered(3 * parameter + 1, 5 * probe) < 0.5;
  return (turned ? -value : value) * std::exp(probe == 0 ? 0.1 * by : 1.2 * by);
}

/// As `what` says of the number at that place.
void require_finite_number(double value, const Sentence& what, std::size_t place) {
  if (!std::isfinite(value)) fail(what(place) + " " + number_text(value) + "; it must be a finite number");
}

/// The value of a parameter where others have those that are known.
double value_by_parts(const StatedModel& stated, int parameter, std::vector<std::optional<double>>& known) {
  if (!known[parameter])
    known[parameter] = value_of(*stated.parameters[parameter].meaning, [&](const Expr& symbol) {
      return value_by_parts(stated, stated.role(symbol).index, known);
    });
  return *known[parameter];
}

/// The same for the probe `p`; `known` are those made of others.
double probed_parameter(const StatedModel& stated, int parameter, int p,
                        std::unordered_map<int, double>& known) {
  const Model::ParameterData& data = stated.parameters[parameter];
  if (!data.meaning) return probe_of(data.value, parameter, p);
  if (const auto found = known.find(parameter); found != known.end()) return found->second;
  const double value = value_of(*data.meaning, [&](const Expr& symbol) {
    return probed_parameter(stated, stated.role(symbol).index, p, known);
  });
  known.emplace(parameter, value);
  return value;
}

/// What is made for other values of the parameters, one try after the other; no numbers where they are
/// refused. And which were not.
std::vector<double> try_others(const Making& making, const SourceNumbers& of,
                               std::array<bool, probe_count>& allowed) {
  const std::size_t count = making.of.size();
  std::vector<double> made(static_cast<std::size_t>(probe_count) * making.count);
  for (int p = 0; p < probe_count; ++p) {
    const std::span<const double> from = std::span(of.tried).subspan(p * count, count);
    const std::span<double> to = std::span(made).subspan(p * making.count, making.count);
    allowed[p] = std::ranges::all_of(from, [](double x) { return std::isfinite(x); });
    if (!allowed[p]) continue;
    try {
      making.rule(from, to);
    } catch (const Error&) {
      allowed[p] = false;
    }
  }
  return made;
}

/// Whether a number is 0 or 1 for all values of parameters, or for these by chance, no expression tells: a
/// body that hangs from a joint has it on its axis, and how it turned cancels but for rounding. Other values
/// tell, and judge() makes sure of those it is asked for.
std::vector<DemandData::Made> place_made(StatedModel& stated, const Making& making, const SourceNumbers& of,
                                         std::span<const double> now) {
  if (now.empty()) return {};
  std::array<bool, probe_count> allowed{};
  const std::vector<double> others = try_others(making, of, allowed);
  const bool tried = std::ranges::count(allowed, true) > 0;
  const auto stays = [&](std::size_t k) {
    bool same = tried && making.keep_axes && (now[k] == 0 || std::fabs(now[k]) == 1);
    for (int p = 0; p < probe_count && same; ++p) same = !allowed[p] || others[p * now.size() + k] == now[k];
    return same;
  };
  stated.made_probes.resize(probe_count);
  std::vector<DemandData::Made> made;
  made.reserve(now.size());
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (stays(k)) {
      made.push_back({-1, now[k]});
      continue;
    }
    made.push_back({static_cast<int>(stated.made_numbers.size())});
    const std::string name = making.name + "[" + std::to_string(k) + "]";
    stated.made_numbers.push_back({stated.new_symbol(name, Role::made, made.back().place), now[k]});
    for (int p = 0; p < probe_count; ++p)
      stated.made_probes[p].push_back(allowed[p] ? others[p * now.size() + k]
                                                 : std::numeric_limits<double>::quiet_NaN());
  }
  return made;
}

/// Of a parameter, or what is made of parameters; `what` contains it.
double number_in(const StatedModel& stated, const Expr& symbol, const std::string& what) {
  const SymbolRole which = stated.role(symbol);
  if (!is_number(which.role)) fail(what + " contains '" + symbol.name() + "'; it may use parameters only");
  return stated.number_of(which);
}

}  // namespace

double StatedModel::value_now(const Expr& constant, const std::string& what) const {
  if (constant.is_constant()) return constant.value();
  require_no_function(constant, what);
  return value_of(constant, [&](const Expr& symbol) { return number_in(*this, symbol, what); });
}

double StatedModel::number_of(const Expr& constant, const std::string& what) const {
  const double number = value_now(constant, what);
  require_finite(number, what);
  return number;
}

std::vector<double> StatedModel::numbers() const {
  std::vector<double> all;
  for (const Model::ParameterData& p : parameters) all.push_back(p.value);
  for (const MadeNumber& m : made_numbers) all.push_back(m.value);
  return all;
}

void StatedModel::demand(std::vector<Expr> of, const std::string& what,
                         std::function<void(std::span<const double>)> rule) {
  demand(std::move(of), every(what), std::move(rule));
}

void StatedModel::demand(std::vector<Expr> of, Sentence what,
                         std::function<void(std::span<const double>)> rule) {
  std::string name = what(0);
  make({.name = std::move(name),
        .of = std::move(of),
        .what = [what = std::move(what)](std::size_t place) { return what(place) + " is"; },
        .rule = [rule = std::move(rule)](std::span<const double> n, std::span<double>) { rule(n); }});
}

SourceNumbers StatedModel::source_numbers(std::span<const Expr> of, const std::string& name,
                                          bool with_tries) const {
  Valuation valuation(of);
  if (valuation.has_calls())
    for (const Expr& e : of) require_no_function(e, name);
  const std::vector<Expr>& symbols = valuation.symbols();
  std::vector<double> values(symbols.size());
  for (std::size_t k = 0; k < symbols.size(); ++k) values[k] = number_in(*this, symbols[k], name);
  SourceNumbers numbers;
  numbers.has_symbols = !symbols.empty();
  numbers.now.resize(of.size());
  valuation.at(values, numbers.now);
  if (!with_tries || symbols.empty()) return numbers;
  numbers.tried.resize(probe_count * of.size());
  for (int p = 0; p < probe_count; ++p) {
    std::unordered_map<int, double> known;  // of the few that are asked for: a model may have many
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const SymbolRole which = role(symbols[k]);
      values[k] = which.role == Role::made ? made_probes[p][which.index]
                                           : probed_parameter(*this, which.index, p, known);
    }
    valuation.at(values, std::span(numbers.tried).subspan(p * of.size(), of.size()));
  }
  return numbers;
}

std::vector<Expr> StatedModel::make(Making making) {
  const SourceNumbers of = source_numbers(making.of, making.name, making.count > 0);
  return make(std::move(making), of);
}

std::vector<Expr> StatedModel::make(Making making, const SourceNumbers& of) {
  for (std::size_t k = 0; k < of.now.size(); ++k) require_finite_number(of.now[k], making.what, k);
  std::vector<double> now(making.count);
  making.rule(of.now, now);
  if (!of.has_symbols) return {now.begin(), now.end()};
  DemandData data{std::move(making), {}};
  data.made = place_made(*this, data.asked, of, now);
  std::vector<Expr> made;
  made.reserve(data.made.size());
  for (const DemandData::Made& m : data.made)
    made.push_back(m.place < 0 ? Expr(m.number) : made_numbers[m.place].symbol);
  demands.push_back(std::move(data));
  return made;
}

void DemandData::judge(std::span<const double> of, std::span<double> made_numbers) const {
  double size = 1, all = 0;
  for (const double number : of) {
    size = std::max(size, std::fabs(number));
    all += 0 * number;  // 0, or no number
  }
  for (std::size_t k = 0; k < of.size() && !(all == 0); ++k) require_finite_number(of[k], asked.what, k);
  static thread_local std::vector<double> now;  // asked for again and again, of a few numbers
  now.assign(made.size(), 0.0);
  asked.rule(of, now);
  // Of some products and sums of what goes in.
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * size;
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (made[k].place >= 0)
      made_numbers[made[k].place] = now[k];
    else if (!(std::fabs(now[k] - made[k].number) <= rounding))
      fail("with these parameters " + asked.name + " has a point or an axis elsewhere by " +
           number_text(now[k] - made[k].number, 3) +
           " along a direction in which it was the same for all values tried: it asks for another system");
  }
}

bool StatedModel::lives(int parameter, std::span<const std::string> living) const {
  const std::vector<int> sources = sources_of_parameter(parameter);
  return std::ranges::any_of(sources, [&](int k) {
    return std::find(living.begin(), living.end(), parameters[k].name) != living.end();
  });
}

std::vector<Expr> StatedModel::sources_of_made(int made) const {
  for (const DemandData& d : demands)
    for (const DemandData::Made& m : d.made)
      if (m.place == made) return symbols_of(d.asked.of);
  return {};
}

std::vector<double> StatedModel::parameter_values(std::span<const std::string> names,
                                                  std::span<const double> values) const {
  std::vector<std::optional<double>> known(parameters.size());
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const auto given = std::find(names.begin(), names.end(), parameters[k].name);
    if (given != names.end())
      known[k] = values[given - names.begin()];
    else if (!parameters[k].meaning || !lives(static_cast<int>(k), names))
      known[k] = parameters[k].value;
  }
  std::vector<double> all;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    all.push_back(value_by_parts(*this, static_cast<int>(k), known));
  return all;
}

std::vector<int> StatedModel::sources_of_parameter(int parameter) const {
  std::vector<int> all{parameter};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::optional<Expr>& meaning = parameters[all[k]].meaning;
    if (!meaning) continue;
    for (const Expr& s : symbols_of({&*meaning, 1}))
      if (const int of = role(s).index; std::find(all.begin(), all.end(), of) == all.end()) all.push_back(of);
  }
  return all;
}

void StatedModel::use_as_number(std::string_view parameter, std::string_view what) {
  const SymbolRole which = role(graph().symbol(parameter));
  if (which.role == Role::parameter && parameters[which.index].used_in.empty())
    parameters[which.index].used_in = what;
}

Model Model::with_values(std::span<const std::string> names, std::span<const double> values) const {
  if (names.size() != values.size())
    fail("there are " + std::to_string(names.size()) + " names of parameters and " +
         std::to_string(values.size()) + " values");
  for (const std::string& name : names)
    if (std::ranges::none_of(stated_->parameters, [&](const auto& p) { return p.name == name; }))
      fail("there is no parameter '" + name + "'");
  Model other = *this;
  const std::vector<double> all = stated_->parameter_values(names, values);
  for (std::size_t k = 0; k < all.size(); ++k) other.stated_->parameters[k].value = all[k];
  std::vector<double> made(stated_->made_numbers.size());
  for (const DemandData& d : stated_->demands) {
    std::vector<double> of;
    for (const Expr& e : d.asked.of) of.push_back(other.stated_->value_now(e, d.asked.name));
    d.judge(of, made);
    for (const DemandData::Made& m : d.made)
      if (m.place >= 0) other.stated_->made_numbers[m.place].value = made[m.place];
  }
  for (CoordinateData& c : other.stated_->coordinates)
    c.start = other.stated_->number_of(c.start_from, "the start of '" + c.name + "'");
  for (VelocityData& v : other.stated_->velocities)
    v.start = other.stated_->number_of(v.start_from, "the start of '" + v.name + "'");
  return other;
}

}  // namespace vinculum
