// Errors: one exception type, raised through one function, caught only at the doors (command line, bindings).
#pragma once
#include <stdexcept>
#include <string>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// Where in a text something stands, counted from 1 in bytes; line 0 means "no place".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// A misuse or a text that cannot be read. `what()` is `FILE:LINE:COLUMN: text`, as far as the place is
/// known.
class VINCULUM_EXPORT Error : public std::runtime_error {
 public:
  explicit Error(std::string text, Place place = {});
  const std::string& text() const { return text_; }
  const Place& place() const { return place_; }

 private:
  std::string text_;
  Place place_;
};

/// Every error of the library leaves through this door. The text names the thing, its value, the rule and the
/// way out.
[[noreturn]] VINCULUM_EXPORT void fail(std::string text, Place place = {});

}  // namespace vinculum
