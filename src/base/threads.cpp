#include "vinculum/base/threads.hpp"

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace vinculum {

#if __has_include(<sys/single_threaded.h>)
const char* const only_thread_flag = &__libc_single_threaded;
#else
static constexpr char unknown = 0;
const char* const only_thread_flag = &unknown;
#endif

}  // namespace vinculum
