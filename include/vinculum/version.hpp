// The version. These three numbers are its only source: CMake reads them, and so does `vinculum --version`.
#pragma once
#include <string_view>

#include "vinculum/base/export.hpp"

#define VINCULUM_VERSION_MAJOR 0
#define VINCULUM_VERSION_MINOR 1
#define VINCULUM_VERSION_PATCH 0
/// One number to compare with in #if: 1.2.3 is 10203.
#define VINCULUM_VERSION_NUMBER \
  (VINCULUM_VERSION_MAJOR * 10000 + VINCULUM_VERSION_MINOR * 100 + VINCULUM_VERSION_PATCH)

namespace vinculum {

/// The version of the headers that a program was compiled with.
inline constexpr int header_version = VINCULUM_VERSION_NUMBER;

/// That of the library it runs with: "0.1.0", and as one number.
VINCULUM_EXPORT std::string_view version();
VINCULUM_EXPORT int version_number();

}  // namespace vinculum
