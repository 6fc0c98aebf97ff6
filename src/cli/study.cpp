#include "cli/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/load.hpp"
#include "cli/terminal.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/read_table.hpp"
#include "vinculum/io/study_file.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::cli {
namespace {

constexpr long most_values = 100'000'000;

std::optional<double> number_in(std::string_view text) {
  const auto not_space = [](char c) { return c != ' ' && c != '\t'; };
  const auto first = std::ranges::find_if(text, not_space);
  text.remove_prefix(static_cast<std::size_t>(first - text.begin()));
  while (!text.empty() && !not_space(text.back())) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The parts between the marks; numbers all of them, or nothing.
std::optional<std::vector<double>> numbers_in(std::string_view text, char mark) {
  std::vector<double> all;
  for (bool more = true; more;) {
    const std::size_t at = std::min(text.find(mark), text.size());
    const auto number = number_in(text.substr(0, at));
    if (!number) return std::nullopt;
    all.push_back(*number);
    more = at < text.size();
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return all;
}

struct Said {
  std::string name;
  std::string_view what;
};
Said name_and_rest(const std::string& text, const char* option, const char* example) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) fail(fmt::format("{} {}: write it as {}", option, text, example));
  std::string name = text.substr(0, equals);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return {std::move(name), std::string_view(text).substr(equals + 1)};
}

Axis axis_in(const std::string& text) {
  const Said said = name_and_rest(text, "--vary", "name=from:to:count or name=1,2,5");
  if (said.what.find(':') == said.what.npos) {
    const auto values = numbers_in(said.what, ',');
    if (!values)
      fail(fmt::format("--vary {}: write it as name=from:to:count or name=1,2,5, in numbers", text));
    return {said.name, *values};
  }
  const auto parts = numbers_in(said.what, ':');
  if (!parts || parts->size() != 3)
    fail(fmt::format("--vary {}: write it as name=from:to:count, for example m=0.5:2:20", text));
  const double count = (*parts)[2];
  if (!(count == std::floor(count) && count >= 1 && count <= most_values))
    fail(fmt::format("--vary {}: the count is a whole number from 1 to {}", text, most_values));
  if (count == 1 && (*parts)[0] != (*parts)[1])
    fail(fmt::format("--vary {}: one value is not both {} and {}: write {}={}", text,
                     number_text((*parts)[0]), number_text((*parts)[1]), said.name,
                     number_text((*parts)[0])));
  return evenly(said.name, (*parts)[0], (*parts)[1], static_cast<long>(count));
}

Draw draw_in(const std::string& text) {
  constexpr const char* ways = "name=normal(mean,deviation), name=uniform(a,b) or name=log(a,b)";
  const Said said = name_and_rest(text, "--random", ways);
  const std::size_t open = said.what.find('('), close = said.what.rfind(')');
  const std::string_view kind = said.what.substr(0, open);
  const auto numbers = open == said.what.npos || close != said.what.size() - 1
                           ? std::nullopt
                           : numbers_in(said.what.substr(open + 1, close - open - 1), ',');
  for (const auto& [word, distribution] : {std::pair{"normal", Distribution::normal},
                                           {"uniform", Distribution::uniform},
                                           {"log", Distribution::log_uniform}})
    if (kind == word && numbers && numbers->size() == 2)
      return {said.name, distribution, (*numbers)[0], (*numbers)[1]};
  fail(fmt::format("--random {}: write it as {}", text, ways));
}

/// The command line's, or the model's with the columns that the command line says.
Table table_of(const Options& options, const EnsembleSettings& stated, const std::string& model_path) {
  if (options.table.empty() && stated.table.empty()) {
    if (!options.columns.empty()) fail("--columns: say of which table, by --table FILE");
    return {};
  }
  const bool is_own = !options.table.empty();
  return read_table(is_own ? options.table : path_beside(model_path, stated.table),
                    is_own || !options.columns.empty() ? options.columns : stated.columns);
}

}  // namespace

Study study_of(const Options& options, const EnsembleSettings& stated, const std::string& model_path) {
  Study beside = stated.study;
  StudySaid said;
  Table table = table_of(options, stated, model_path);
  (options.table.empty() ? beside.table : said.table) = std::move(table);
  for (const std::string& text : options.vary) said.axes.push_back(axis_in(text));
  for (const std::string& text : options.random) said.draws.push_back(draw_in(text));
  said.draws_each = options.count;
  if (options.seed) said.seed = static_cast<std::uint64_t>(*options.seed);
  if (options.sobol) said.sampling = Sampling::sobol;
  Study study = with(std::move(beside), said);
  if (study.draws.empty() && (options.seed || options.sobol))
    fail(fmt::format("{}: nothing is drawn: say what, as in --random \"m=uniform(1,2)\"",
                     options.sobol ? "--sobol" : "--seed"));
  study.require_sound();
  return study;
}

std::vector<std::pair<std::string, std::string>> settings_said(const Options& options) {
  std::vector<std::pair<std::string, std::string>> said;
  const auto number = [&](const char* name, const std::optional<double>& value) {
    if (value) said.emplace_back(name, number_text(*value));
  };
  number("--until", options.until);
  number("--tolerance", options.tolerance);
  number("--absolute-tolerance", options.absolute_tolerance);
  number("--step", options.step);
  number("--closure", options.closure);
  if (!options.integrator.empty()) said.emplace_back("--integrator", options.integrator);
  if (options.start) said.emplace_back("--start", *options.start);
  if (options.assemble) said.emplace_back("--assemble", "");
  return said;
}

namespace {

/// What the member's file says of the motion, where it is not said anew; its own values come beside.
void take_settings_said(const MemberOfFile& member, Options& options) {
  const auto varies = [&](const std::string& name) {
    return std::ranges::find(member.varied, name, &Named::value_type::first) != member.varied.end();
  };
  std::vector<std::string> set;
  for (const auto& [name, value] : member.settings) {
    const auto number = [&](const char* option, std::optional<double>& target) {
      if (name == option && !target) target = number_in(value);
    };
    if (name.starts_with("set ") && !varies(name.substr(4))) set.push_back(name.substr(4) + "=" + value);
    number("--until", options.until);
    number("--tolerance", options.tolerance);
    number("--absolute-tolerance", options.absolute_tolerance);
    number("--step", options.step);
    number("--closure", options.closure);
    if (name == "--integrator" && options.integrator.empty()) options.integrator = value;
    if (name == "--start" && !options.start) options.start = value;
    if (name == "--assemble") options.assemble = true;
  }
  options.set.insert(options.set.begin(), set.begin(), set.end());  // what is said now holds
}

/// Of the study that the model states, or a file holds.
std::vector<std::pair<std::string, double>> values_of_member(const Options& options, const ModelFile& file,
                                                             Options& own) {
  if (!options.of.empty()) {
    const MemberOfFile member = member_of_file(options.of, *options.member);
    if (member.model != file.text)
      say("warning",
          fmt::format("'{}' is not the model that '{}' was computed from: this member is another motion",
                      options.model, options.of));
    take_settings_said(member, own);
    return member.varied;
  }
  Options stated;  // by the model alone
  const Study study = file.ensemble.table.empty() && file.ensemble.study.names().empty()
                          ? Study()
                          : study_of(stated, file.ensemble, file.path);
  if (study.names().empty())
    fail(
        fmt::format("--member {}: '{}' states no [ensemble]; --of FILE.h5 says which study it is a member of",
                    *options.member, options.model));
  if (*options.member < 0 || *options.member >= study.count())
    fail(fmt::format("--member {}: the study has members 0 to {}", *options.member, study.count() - 1));
  std::vector<double> values(study.names().size());
  study.values_of(*options.member, values);
  std::vector<std::pair<std::string, double>> named;
  for (std::size_t k = 0; k < values.size(); ++k) named.emplace_back(study.names()[k], values[k]);
  return named;
}

}  // namespace

std::optional<Options> said_of_member(const Options& options) {
  const auto overrides = overrides_of(options);
  if (!overrides) return std::nullopt;
  Options quiet = options;
  quiet.quiet = true;
  const auto file = read_model_file(quiet, *overrides);
  if (!file) return std::nullopt;
  try {
    Options own = options;
    for (const auto& [name, value] : values_of_member(options, *file, own)) {
      for (const auto& [set, text] : *overrides)
        if (set == name)
          say("warning", fmt::format("--set {}={} does nothing: '{}' of this member is {}", set, text, name,
                                     number_text(value)));
      std::erase_if(own.set, [&](const std::string& set) { return set.starts_with(name + "="); });
      const std::string said = name + "=" + number_text(value);
      if (!parameters_among(file->model, std::vector{name}).empty())
        own.set.push_back(said);
      else
        own.start = own.start ? *own.start + ", " + said : said;
    }
    return own;
  } catch (const Error& e) {
    say("error", e.text());
    return std::nullopt;
  }
}

}  // namespace vinculum::cli
