// What a shared library shows. Everything else in it is hidden: it starts faster and may change.
#pragma once

// VINCULUM_STATIC comes with the CMake target of a static library, which shows nothing of itself in whatever
// it becomes part of.
#if defined(VINCULUM_STATIC)
#define VINCULUM_EXPORT
#else
#define VINCULUM_EXPORT __attribute__((visibility("default")))
#endif
