// Loops over few things whose number is known only when they run.
#pragma once
#include <type_traits>

namespace vinculum {

/// work(count), the count a constant where it is that of a point in space or of two: the loop over it is
/// written out.
template <class Work>
[[gnu::always_inline]] inline auto with_count(int count, Work work) {
  switch (count) {
    case 3:
      return work(std::integral_constant<int, 3>());
    case 6:
      return work(std::integral_constant<int, 6>());
    default:
      return work(count);
  }
}

}  // namespace vinculum
