// front.cpp without clones, in a namespace of its own, for vectors of four numbers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "equation/front_widths.hpp"

#undef VINCULUM_NO_CLONES
#define VINCULUM_NO_CLONES
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// After the headers of the standard library: what they define may be shared with other sources.
#pragma GCC target("avx2")
#define vinculum by_four
#include "equation/sparse/front.cpp"  // NOLINT(bugprone-suspicious-include)
#undef vinculum

namespace vinculum::test {

bool has_four() { return __builtin_cpu_supports("avx2") != 0; }
int eliminate_by_four(const FrontNumbers& f) {
  return by_four::eliminate_front({f.rows, f.columns}, f.panel, f.update, f.fresh, f.pivot, f.inverse,
                                  {f.original, f.reference, f.tolerance});
}

}  // namespace vinculum::test
#else
namespace vinculum::test {

bool has_four() { return false; }
int eliminate_by_four(const FrontNumbers& f) { return eliminate_by_two(f); }

}  // namespace vinculum::test
#endif
