// VINCULUM_SANITIZED: under the address sanitizer, of which g++ and clang tell in ways of their own.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define VINCULUM_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VINCULUM_SANITIZED
#endif
#endif
