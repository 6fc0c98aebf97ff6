// What an error says.
#pragma once
#include <functional>
#include <string>

#include "vinculum/base/error.hpp"

namespace vinculum::test {

/// The text of the error that `action` ends with; "no error" where it ends well.
inline std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace vinculum::test
