// What is kept of the members of a family.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/beginning.hpp"

namespace vinculum {
namespace {

bool is_kept_in(const System& system, const std::string& name) {
  try {
    kept_of(system, std::vector{name});
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The first and the last member, where there are such.
std::vector<Member> ends_of(const Family& family, const Study& study) {
  std::vector<Member> found;
  std::vector<double> values(study.names().size());
  for (const long member : {0L, study.count() - 1}) {
    study.values_of(member, values);
    try {
      found.push_back(family.member(values));
    } catch (const Error&) {  // no such member
    }
  }
  return found;
}

/// Where members have elements of their own, one of them may have what the model as it stands has not.
void require_kept(const Family& family, const Study& study, const std::vector<std::string>& names) {
  try {
    kept_of(family.system(), names);
  } catch (const Error&) {
    const std::vector<Member> ends = ends_of(family, study);
    for (const std::string& name : names)
      if (!is_kept_in(family.system(), name) &&
          std::ranges::none_of(ends, [&](const Member& m) { return is_kept_in(m.system, name); }))
        throw;
  }
}

constexpr int samples_unless_said = 101;
constexpr std::size_t most_kept = 1'000'000;

/// The instants of x.samples: those of the first member and of the last, which must have the same.
std::vector<double> instants_of(const Family& family, const Study& study) {
  std::vector<std::vector<double>> found;
  for (const Member& one : ends_of(family, study)) {
    const int count = one.motion.samples > 0 ? one.motion.samples : samples_unless_said;
    found.push_back(even_instants(one.start.t, one.motion.until, count));
  }
  if (found.empty())
    fail(
        "the instants of '.samples' are not known, because neither the first nor the last member has a "
        "model: say them, as in x@0.5");
  if (found.front().size() != found.back().size())
    fail(
        "the instants of '.samples' are not the same in all members, because 'samples' in [simulate] varies: "
        "say how many, as in --samples 101");
  if (found.front() != found.back())
    fail(
        "the instants of '.samples' are not the same in all members, because when they start or end "
        "varies: say them, as in x@0.5");
  return found.front();
}

/// An instant that is written in several ways has one name.
std::string with_instant_in_full(const std::string& name) {
  const auto at = at_instant(name);
  return at ? at->name + "@" + number_text(at->instant + 0.0) : name;  // -0 is 0
}

}  // namespace

std::vector<std::string> kept_of_study(const Family& family, const Study& study,
                                       const std::vector<std::string>& said, std::optional<int> samples) {
  std::vector<std::string> all = said.empty() ? kept_unless_said(family.system()) : said;
  require_kept(family, study, all);
  const auto trajectories =
      static_cast<std::size_t>(std::ranges::count_if(all, [](const auto& name) { return !!sampled(name); }));
  if (samples && trajectories == 0)
    fail(fmt::format(
        "{} samples are asked for, and no trajectory is kept: say of what, as in keeping x.samples",
        *samples));
  if (trajectories > 0) {
    const std::vector<double> instants = instants_of(family, study);
    if (trajectories * instants.size() > most_kept)
      fail(fmt::format(
          "of each member {} trajectories with {} instants would be kept; {} numbers are the most",
          trajectories, instants.size(), most_kept));
    all = with_samples(all, instants);
  }
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  for (std::string& name : all) name = with_instant_in_full(name);
  for (const std::string& name : all)
    if (known.insert(name).second) names.push_back(name);
  return names;
}

}  // namespace vinculum
