#include "vinculum/motion/trajectory.hpp"

#include <gtest/gtest.h>

#include "motion/systems.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

Model spring() {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.force(x, -1.0 * x);
  return m;
}

TEST(Trajectory, OfManyInstantsItKeepsSomeEvenlyTheFirstAndTheLastAmongThem) {
  const System system(spring());
  MotionOptions o;
  o.until = 1;
  o.samples = 3;
  const Trajectory made = simulate(system, o);
  const Sample like = made[0];
  for (const int most : {2, 3, 10, 64})
    for (int count = 1; count < 300; ++count) {
      Trajectory motion(system);
      motion.keep_at_most(most);
      for (int i = 0; i < count; ++i) {
        Sample s = like;
        const double x = 10.0 * i;
        s.t = i;
        s.q = {&x, 1};
        s.rank = i;
        motion.append(s);
      }
      ASSERT_EQ(motion.recorded(), count);
      ASSERT_LE(motion.size(), most);
      ASSERT_GE(motion.size(), std::min(count, most / 2));
      EXPECT_EQ(motion[0].t, 0);
      EXPECT_EQ(motion.back().t, count - 1);
      const double apart = motion.size() > 1 ? motion[1].t : 1;
      for (int i = 0; i < motion.size(); ++i) {
        if (i + 1 < motion.size()) {
          EXPECT_EQ(motion[i].t, i * apart);
        }
        EXPECT_EQ(motion[i].q[0], 10 * motion[i].t);
        EXPECT_EQ(motion[i].rank, motion[i].t);
      }
    }
}

TEST(Trajectory, ASinkGetsEveryInstantThatATrajectoryWouldHold) {
  const System system(spring());
  for (const int samples : {0, 1, 2, 500}) {
    MotionOptions o;
    o.until = 20;
    o.samples = samples;
    const Trajectory whole = simulate(system, o);
    int next = 0;
    o.sink = [&](const Sample& s) {
      ASSERT_LT(next, whole.size());
      const Sample same = whole[next++];
      EXPECT_EQ(s.t, same.t);
      EXPECT_EQ(s.q[0], same.q[0]);
      EXPECT_EQ(s.v[0], same.v[0]);
      EXPECT_EQ(s.acceleration[0], same.acceleration[0]);
      EXPECT_EQ(s.energy, same.energy);
    };
    o.kept = 7;
    const Trajectory thin = simulate(system, o);
    EXPECT_EQ(next, whole.size());
    EXPECT_EQ(thin.recorded(), whole.size());
    EXPECT_LE(thin.size(), 7);
    EXPECT_EQ(thin.back().t, whole.back().t);
    EXPECT_EQ(thin.back().q[0], whole.back().q[0]);
    EXPECT_EQ(thin.last.q, whole.last.q);
    EXPECT_EQ(thin.reason, whole.reason);
  }
}

}  // namespace
}  // namespace vinculum
