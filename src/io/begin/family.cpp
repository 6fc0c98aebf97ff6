// One model with many values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/begin/mend.hpp"
#include "io/begin/starts.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/beginning.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// A place in the state that a varied start goes to.
struct StatePlace {
  bool of_velocity = false;
  std::size_t index = 0;
};

std::optional<StatePlace> place_in_state(const System& system, const std::string& name) {
  const auto& q = system.coordinate_names();
  const auto& v = system.velocity_names();
  if (const auto at = std::ranges::find(q, name); at != q.end())
    return StatePlace{false, static_cast<std::size_t>(at - q.begin())};
  if (const auto at = std::ranges::find(v, name); at != v.end())
    return StatePlace{true, static_cast<std::size_t>(at - v.begin())};
  return std::nullopt;
}

}  // namespace

struct Family::Impl {
  ModelFile file;  // as it stands
  BeginOptions options;
  std::vector<std::string> varied;
  Reading read;
  Adjust adjust;
  std::vector<int> parameter_of;  // of each varied name: its place among the living ones; -1: a start
  std::vector<std::string> fixed;
  std::optional<System> system;
  std::string why_alone;

  Impl(const ModelFile& given, BeginOptions asked, std::vector<std::string> names, Reading reading,
       Adjust adjusting)
      : file(given),
        options(std::move(asked)),
        varied(std::move(names)),
        read(std::move(reading)),
        adjust(std::move(adjusting)) {}

  ModelFile with_numbers_of_their_own() const;
  bool is_compiled_otherwise(std::span<const double> values) const;
  Beginning apart(std::span<const double> values) const;
  Member alone(std::span<const double> values) const;
  Member of_shared(std::span<const double> values, const Parameters& parameters) const;
  Parameters parameters_with(std::span<const double> values) const;
  void go_alone(std::string why) {
    if (why_alone.empty()) why_alone = std::move(why);
  }
};

Family::Family(const ModelFile& file, BeginOptions options, std::vector<std::string> varied, Reading read,
               Adjust adjust)
    : impl_(std::make_unique<Impl>(file, std::move(options), std::move(varied), std::move(read),
                                   std::move(adjust))) {
  Impl& f = *impl_;
  f.file = f.with_numbers_of_their_own();
  const std::vector<std::string> parameters = parameters_among(f.file.model, f.varied);
  f.options.living.insert(f.options.living.end(), parameters.begin(), parameters.end());
  f.options.living = parameters_among(f.file.model, f.options.living);  // each once
  std::ranges::sort(f.options.living);
  Model stated = f.file.model;
  if (!f.options.starts.empty()) f.fixed = take_starts(f.options.starts, stated);
  f.system.emplace(stated, f.options.living);
  if (has_joint_starts(stated)) f.go_alone("its joints say where they start");
  for (const std::string& name : f.varied) {
    const auto living = std::ranges::find(f.system->parameters().names(), name);
    if (living != f.system->parameters().names().end()) {
      f.parameter_of.push_back(static_cast<int>(living - f.system->parameters().names().begin()));
      continue;
    }
    f.parameter_of.push_back(-1);
    if (std::ranges::find(f.options.starts, name, &Named::value_type::first) != f.options.starts.end())
      fail(fmt::format("'{}' varies, and is told to start at one value", name));
    Model tried = f.file.model;
    try {
      f.fixed.push_back(take_starts({{name, 0.0}}, tried).empty() ? "" : name);
    } catch (const Error& e) {
      std::vector<std::string> known;
      for (const auto& p : f.file.model.stated().parameters) known.push_back(p.name);
      const std::string near = nearest_name(name, known);
      fail(fmt::format("'{}' cannot vary: there is no such parameter{}, and {}", name,
                       near.empty() ? "" : " (did you mean '" + near + "'?)", e.text()));
    }
    // An angle of a joint may be a coordinate as well; where it starts moves bodies all the same.
    if (has_joint_starts(tried) || !place_in_state(*f.system, name))
      f.go_alone("'" + name + "' is where a joint starts");
  }
  std::erase(f.fixed, "");
}
Family::~Family() = default;
Family::Family(Family&&) noexcept = default;
Family& Family::operator=(Family&&) noexcept = default;

const System& Family::system() const { return *impl_->system; }
const std::string& Family::why_alone() const { return impl_->why_alone; }

/// A parameter that is made of others follows them, until it is given a value of its own.
ModelFile Family::Impl::with_numbers_of_their_own() const {
  Overrides own;
  for (const auto& p : file.model.stated().parameters)
    if (p.meaning && std::ranges::find(varied, p.name) != varied.end())
      own.emplace_back(p.name, number_text(p.value));
  return own.empty() ? file : read(own);
}

/// What is stated as zero may be left out of the equations, as a friction is.
bool Family::Impl::is_compiled_otherwise(std::span<const double> values) const {
  for (std::size_t k = 0; k < varied.size(); ++k)
    if (parameter_of[k] >= 0 && values[k] == 0) return true;
  return false;
}

/// Read and compiled with these values.
Beginning Family::Impl::apart(std::span<const double> values) const {
  Overrides overrides;
  BeginOptions asked = options;
  for (std::size_t k = 0; k < varied.size(); ++k) {
    if (parameter_of[k] >= 0)
      overrides.emplace_back(varied[k], number_text(values[k]));
    else
      asked.starts.emplace_back(varied[k], values[k]);
  }
  return begin(read(overrides), asked);
}

Member Family::Impl::alone(std::span<const double> values) const {
  Beginning made = apart(values);
  const MotionOptions motion = motion_options(made.file.simulate);
  return {std::move(made.system), std::move(made.start), motion};
}

Parameters Family::Impl::parameters_with(std::span<const double> values) const {
  Parameters parameters = system->parameters();
  for (std::size_t k = 0; k < varied.size(); ++k)
    if (parameter_of[k] >= 0) parameters.values()[static_cast<std::size_t>(parameter_of[k])] = values[k];
  return parameters;
}

/// The same from the system at hand: everything that is done with its values is.
Member Family::Impl::of_shared(std::span<const double> values, const Parameters& parameters) const {
  SimulateSettings settings = settings_with(file, parameters);
  adjust(settings);
  Member member{system->with(parameters), {}, motion_options(settings)};
  State start = member.system.start();
  start.t = settings.from;
  for (std::size_t k = 0; k < varied.size(); ++k) {
    if (parameter_of[k] >= 0) continue;
    const StatePlace place = *place_in_state(*system, varied[k]);
    (place.of_velocity ? start.v : start.q)[place.index] = values[k];
  }
  if (options.assemble || !fixed.empty())
    if (const Assembly assembly = mended(member.system, start, repair_of(settings, fixed)); assembly.repaired)
      start = assembly.state;
  member.start = std::move(start);
  return member;
}

Beginning Family::apart(std::span<const double> values) const { return impl_->apart(values); }
bool Family::is_start(std::size_t varied) const { return impl_->parameter_of[varied] < 0; }

Member Family::member(std::span<const double> values) const {
  if (!impl_->why_alone.empty() || impl_->is_compiled_otherwise(values)) return impl_->alone(values);
  const Parameters parameters = impl_->parameters_with(values);
  try {
    return impl_->of_shared(values, parameters);
  } catch (const Error&) {
    return impl_->alone(values);  // which tells what is wrong, in the words of the reader, or works
  }
}

}  // namespace vinculum
