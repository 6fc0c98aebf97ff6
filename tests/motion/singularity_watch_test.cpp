#include "motion/run/singularity_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/system/system.hpp"

namespace vinculum {
namespace {

/// Two rows at the angle t, so that they depend on each other at 0 alone.
Model turning_rows() {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("fixed", x, 0);
  m.constrain("turning", cos(m.time()) * x + sin(m.time()) * y, 0);
  return m;
}

/// Looks from far before the singular position to far behind it.
std::vector<RankChange> found_by_looks(double from, double step, int looks) {
  const System system(turning_rows());
  Workspace work(system);
  SingularityWatch watch(system);
  State at;
  at.q = at.v = {0, 0};
  const auto equations_at = [&](double t) -> const Equations& {
    at.t = t;
    return evaluate(system, at, work);
  };
  std::vector<RankChange> found;
  for (int k = 0; k < looks; ++k) {
    watch.look(equations_at(from + k * step), from + k * step);
    watch.find(equations_at, found);
  }
  return found;
}

TEST(SingularityWatch, ARowThatTurnsBetweenTwoLooksFromAfarIsFoundWhereverTheyAre) {
  for (const double step : {0.05, 0.2, 0.35, 0.5, 0.7})
    for (const double offset : {0.01, 0.3, 0.5, 0.77}) {
      const int before = static_cast<int>(1.2 / step);
      const std::vector<RankChange> found = found_by_looks(-(before + offset) * step, step, 2 * before + 2);
      ASSERT_EQ(found.size(), 1u) << "looks " << step << " apart, the last of them " << offset << " before";
      EXPECT_NEAR(found[0].time, 0, 1e-7);  // parts of 1e-12 are the rounding of their squares
      EXPECT_EQ(found[0].before, 2);
      EXPECT_EQ(found[0].at, 1);
      EXPECT_EQ(found[0].after, 2);
      EXPECT_EQ(found[0].constraints, (std::vector<std::string>{"fixed", "turning"}));
    }
}

TEST(SingularityWatch, RowsThatOnlyComeNearEachOtherLoseNoRank) {
  for (const double step : {0.05, 0.2, 0.35, 0.5})
    EXPECT_TRUE(found_by_looks(0.1, step, static_cast<int>(2.8 / step)).empty()) << step;
}

}  // namespace
}  // namespace vinculum
