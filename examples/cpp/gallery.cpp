#include "examples/cpp/gallery.hpp"

#include <array>

namespace vinculum::examples {

std::span<const Example> gallery() {
  static constexpr std::array<Example, 9> list{{
      {"spherical_pendulum",
       "Udwadia and Kalaba 1996, example 1: a point mass on a rod, stated in Cartesian coordinates",
       spherical_pendulum},
      {"kepler",
       "example 2: a free particle told to obey Kepler's first two laws; the force it needs is Newton's",
       kepler},
      {"kepler_first_law", "the first law alone: the force is neither central nor inverse-square",
       kepler_first_law},
      {"moving_plane", "example 3: a nonintegrable constraint that moves with time", moving_plane},
      {"pendulum", "Kalaba, Udwadia, Xu and Itiki 1995: the plane pendulum, reached by four roads", pendulum},
      {"pendulum_thrice", "the same rod stated three times: the motion stays, the multipliers share the load",
       pendulum_thrice},
      {"flat_four_bar",
       "two windows of a four-bar mechanism, all bars flat: the rank drops, the answer stays exact",
       flat_four_bar},
      {"spinning_top", "a free body with four quaternion coordinates and three angular velocities",
       spinning_top},
      {"swinging_four_bar",
       "a mechanism that passes its singular position twice in every turn: try --until 3", swinging_four_bar},
  }};
  return list;
}

}  // namespace vinculum::examples
