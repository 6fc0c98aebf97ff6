// How the cost of something grows with its size.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

namespace vinculum::test {

/// Processor time of this program: what else the machine does is not counted.
double seconds_of(auto&& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Asks that cost(true), of the larger, stay below `most` times cost(false), of the smaller. Both are
/// measured in turn, and of each the least counts, which others who use the machine and its caches do not
/// make less: as often as it takes to see that it is enough, or that it is not.
void expect_growth_below(double most, auto&& cost) {
  double small = cost(false), large = cost(true);
  for (int again = 0; again < 12 && large >= most * small && large < 3 * most * small; ++again) {
    large = std::min(large, cost(true));
    if (again % 3 == 2) small = std::min(small, cost(false));
  }
  EXPECT_LT(large, most * small) << small << " s of the smaller, " << large << " s of the larger";
}

}  // namespace vinculum::test
