#include "motion/steppers/in_eights.hpp"

#include "base/clones.hpp"

namespace vinculum {
namespace {

/// `some` eights of the sum stay in registers while all summands go by: unrolled from the start, for an array
/// that is still one when loops become vectors goes to memory and back.
template <int some>
[[gnu::always_inline]] inline void add_to_some(std::span<const Summand> summands, double h, const Eight* from,
                                               int at, Eight* sum) {
  constexpr int fours = 2 * some;
  Four here[fours];
  _Pragma("GCC unroll 8") for (int k = 0; k < fours; ++k) here[k] =
      reinterpret_cast<const Four*>(from + at)[k];
  for (const Summand& s : summands) {
    const double weight = h * s.weight;
    _Pragma("GCC unroll 8") for (int k = 0; k < fours; ++k) here[k] +=
        weight * reinterpret_cast<const Four*>(s.slope + at)[k];
  }
  _Pragma("GCC unroll 8") for (int k = 0; k < fours; ++k) reinterpret_cast<Four*>(sum + at)[k] = here[k];
}

}  // namespace

VINCULUM_CLONES
void add_slopes(std::span<const Summand> summands, double h, const Eight* from, int eights, Eight* sum) {
  int at = 0;
  for (; at + 4 < eights; at += 4) add_to_some<4>(summands, h, from, at, sum);
  switch (eights - at) {
    case 4:
      return add_to_some<4>(summands, h, from, at, sum);
    case 3:
      return add_to_some<3>(summands, h, from, at, sum);
    case 2:
      return add_to_some<2>(summands, h, from, at, sum);
    case 1:
      return add_to_some<1>(summands, h, from, at, sum);
    default:
      return;
  }
}

}  // namespace vinculum
