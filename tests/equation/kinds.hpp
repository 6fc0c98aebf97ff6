// RapidCheck's door to the random systems of sample.hpp.
#pragma once
#include <rapidcheck.h>

#include <ostream>

#include "equation/sample.hpp"
#include "support/sanitized.hpp"

namespace vinculum::sample {

inline std::ostream& operator<<(std::ostream& out, const Kind& kind) {
  return out << kind.coordinates << " coordinates, " << kind.rows << " rows of rank " << kind.rank
             << (kind.sparse ? ", sparse" : ", dense") << (kind.full_mass ? ", full mass" : ", diagonal mass")
             << (kind.row_scales ? ", row scales" : "") << (kind.mass_ratios ? ", mass ratios" : "")
             << (kind.nearly_dependent ? ", nearly dependent" : "") << (kind.nonideal ? ", non-ideal" : "")
             << ", " << kind.massless << " massless, seed " << kind.seed;
}

/// Each drawn kind stands for this many systems, so that a property sees thousands; under the sanitizers,
/// which look for other things, hundreds.
#ifdef VINCULUM_SANITIZED
inline constexpr int seeds_per_kind = 2;
#else
inline constexpr int seeds_per_kind = 20;
#endif

inline int any_of(int low, int high) {  // both ends included, whatever RapidCheck's size
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}

inline Kind any_kind() {
  Kind kind;
  kind.coordinates = any_of(1, 40);
  kind.rank = any_of(0, kind.coordinates);
  kind.rows = kind.rank + (any_of(0, 1) ? any_of(0, 12) : 0);
  kind.sparse = any_of(0, 1);
  kind.full_mass = any_of(0, 1);
  kind.row_scales = any_of(0, 1);
  kind.mass_ratios = any_of(0, 1);
  kind.nearly_dependent = any_of(0, 3) == 0;
  kind.nonideal = any_of(0, 1);
  kind.seed = static_cast<std::uint64_t>(any_of(0, 1000000));
  return kind;
}

/// Massless coordinates, each with a row that holds it.
inline Kind any_singular_kind() {
  Kind kind = any_kind();
  kind.sparse = true;
  kind.nearly_dependent = false;
  if (kind.rank == 0) kind.rows = kind.rank = 1;
  kind.massless = any_of(1, kind.rank);
  return kind;
}

/// Calls `body(equations, measure, kind)` for each system of the kind. Systems with a singular value near the
/// rank tolerance have no rank to speak of and are left out.
template <class Body>
void for_systems(Kind kind, Body&& body) {
  RC_LOG() << kind << std::endl;
  for (int k = 0; k < seeds_per_kind; ++k, ++kind.seed) {
    const Equations at = make(kind);
    const Measure measure(at);
    if (measure.rows.near != 0.0) continue;
    RC_LOG() << "seed " << kind.seed << std::endl;
    body(at, measure, kind);
  }
}

}  // namespace vinculum::sample
