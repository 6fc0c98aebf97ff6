// What is kept of the members of a family.
#include <algorithm>

#include "vinculum/base/error.hpp"
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

bool is_kept_by_member(const Family& family, std::span<const double> values, const std::string& name) {
  try {
    return is_kept_in(family.member(values).system, name);
  } catch (const Error&) {
    return false;  // no such member
  }
}

/// Where members have elements of their own, one of them may have what the model as it stands has not.
void require_kept(const Family& family, const Study& study, const std::vector<std::string>& names) {
  try {
    kept_of(family.system(), names);
  } catch (const Error&) {
    std::vector<double> values(study.names().size());
    for (const std::string& name : names) {
      bool found = is_kept_in(family.system(), name);
      for (const long member : {0L, study.count() - 1}) {
        if (found) break;
        study.values_of(member, values);
        found = is_kept_by_member(family, values, name);
      }
      if (!found) throw;
    }
  }
}

}  // namespace

std::vector<std::string> kept_of_study(const Family& family, const Study& study,
                                       const std::vector<std::string>& said) {
  std::vector<std::string> names;
  for (const std::string& name : said.empty() ? kept_unless_said(family.system()) : said)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  require_kept(family, study, names);
  return names;
}

}  // namespace vinculum
