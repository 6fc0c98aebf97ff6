#include "vinculum/base/error.hpp"

#include <utility>

namespace vinculum {
namespace {

// As much of FILE:LINE:COLUMN: as is known. A text handed over without a file still has lines and columns.
std::string placed(const std::string& text, const Place& place) {
  std::string prefix = place.file;
  if (place.line > 0) {
    if (!prefix.empty()) prefix += ':';
    prefix += std::to_string(place.line);
    if (place.column > 0) prefix += ':' + std::to_string(place.column);
  }
  return prefix.empty() ? text : prefix + ": " + text;
}

}  // namespace

Error::Error(std::string text, Place place)
    : std::runtime_error(placed(text, place)), text_(std::move(text)), place_(std::move(place)) {}

void fail(std::string text, Place place) { throw Error(std::move(text), std::move(place)); }

}  // namespace vinculum
