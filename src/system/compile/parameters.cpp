#include "vinculum/system/parameters.hpp"

#include <algorithm>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {

Parameters::Parameters(std::vector<std::string> names, std::vector<double> values)
    : names_(std::make_shared<std::vector<std::string>>(std::move(names))), values_(std::move(values)) {
  if (names_->size() != values_.size())
    fail(std::to_string(names_->size()) + " parameters are named, and there are " +
         std::to_string(values_.size()) + " values");
}

std::size_t Parameters::place_of(std::string_view name) const {
  const auto found = std::find(names_->begin(), names_->end(), name);
  if (found != names_->end()) return static_cast<std::size_t>(found - names_->begin());
  const std::string near = nearest_name(name, *names_);
  fail("no living parameter is named '" + std::string(name) + "'" +
       (!near.empty()     ? " (did you mean '" + near + "'?)"
        : names_->empty() ? "; none lives in this system"
                          : "; those are " + list_text(*names_)));
}

}  // namespace vinculum
