// front.cpp without clones, in a namespace of its own: as it is compiled for the least of machines.
#undef VINCULUM_NO_CLONES
#define VINCULUM_NO_CLONES
#define vinculum by_two
#include "equation/sparse/front.cpp"  // NOLINT(bugprone-suspicious-include)
#undef vinculum

#include "equation/front_widths.hpp"

namespace vinculum::test {

int eliminate_by_two(const FrontNumbers& f) {
  return by_two::eliminate_front({f.rows, f.columns}, f.panel, f.update, f.fresh, f.pivot, f.inverse,
                                 {f.original, f.reference, f.tolerance});
}

}  // namespace vinculum::test
