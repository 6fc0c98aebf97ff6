#include "vinculum/version.hpp"

#define VINCULUM_TEXT_OF(number) #number
#define VINCULUM_TEXT(number) VINCULUM_TEXT_OF(number)

namespace vinculum {

std::string_view version() {
  return VINCULUM_TEXT(VINCULUM_VERSION_MAJOR) "." VINCULUM_TEXT(VINCULUM_VERSION_MINOR) "." VINCULUM_TEXT(
      VINCULUM_VERSION_PATCH);
}

int version_number() { return header_version; }

}  // namespace vinculum
