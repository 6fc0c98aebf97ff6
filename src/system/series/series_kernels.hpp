// Everything that is expanded along a motion, compiled, and written out for series.
#pragma once
#include "system/series/element_series.hpp"
#include "system/series/series_statements.hpp"

namespace vinculum {

/// What must vanish along the motion: the balance of forces, and the rows by their order; the power of
/// multipliers; C, what of the balance and the rows is linear, and what must keep its sign.
struct SeriesKernels {
  explicit SeriesKernels(const System::Impl& system);
  ElementKernels balance, power;
  ElementKernels rows[3];
  ElementKernels nonideal, deviation, sides;  // empty where there is no C
  int side_count = 0;
};

/// These, and all else that is asked for along the motion, written out for series of one order.
struct SeriesPrograms {
  SeriesPrograms(const System::Impl& system, int order);
  ElementSeriesPrograms balance, rows[3], rates, stated_power, power, nonideal, deviation, sides;
};

}  // namespace vinculum
