// Loops as they are drawn: redundant rows that disagree by the noise of a drawing are passed over, and told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/mechanisms.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using namespace test;

/// How a four-bar in the plane z = 0 is drawn: a pin of the coupler beside the plane, its axis leaning (on
/// the coupler alone, or where all is closed on both), and all of it open or closed.
struct Drawn {
  double beside = 0, leaning = 0;
  bool open = true;
};

Model four_bar(const Drawn& drawn) {
  const double apart = drawn.open ? 1.0 : 0.0;
  Model m;
  m.gravity({2, -9.81, 0});
  const auto bar = [&](const char* name, const Vector3d& from, const Vector3d& to, double mass) {
    return m.body(name, straight_between(from, to, Straight::square(mass, (to - from).norm(), 0.04)));
  };
  const Vector3d start(0, 0.5 + 0.1 * apart, 0), end(1.2 - 0.1 * apart, 0.8 - 0.2 * apart, 0);
  const Body crank = bar("crank", {0, 0, 0}, {0, 0.5, 0}, 1), coupler = bar("coupler", start, end, 2),
             rocker = bar("rocker", {1.2, 0, 0}, {1.2, 0.8, 0}, 1.5);
  const auto hinge = [&](const char* name, const Part& a, const Part& b, const Vector3d& in_a,
                         const Vector3d& in_b, double leaning) {
    m.joint(name, a, b,
            {.type = JointType::revolute,
             .point = numbers(in_a),
             .axis = Triple{0, drawn.open ? 0.0 : leaning, 1},
             .point2 = numbers(in_b),
             .axis2 = Triple{0, leaning, 1}});
  };
  hinge("left", {}, crank, {0, 0, 0}, {0, 0, 0}, 0);
  hinge("crank_pin", crank, coupler, {0, 0.5, 0}, start + Vector3d(0, 0, drawn.beside), drawn.leaning);
  hinge("rocker_pin", coupler, rocker, end, {1.2, 0.8, 0}, 0);
  hinge("right", {}, rocker, {1.2, 0, 0}, {1.2, 0, 0}, 0);
  return m;
}

AssembleOptions with_closure(double closure) {
  AssembleOptions how;
  how.closure = closure;
  return how;
}

MotionOptions until(double t, double closure = 1e-8) {
  MotionOptions how;
  how.until = t;
  how.samples = 1;
  how.closure = closure;
  return how;
}

bool noted(const Trajectory& motion, const std::string& words) {
  return std::ranges::any_of(motion.notes, [&](const std::string& n) { return n.find(words) != n.npos; });
}

double farthest(const State& a, const State& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) most = std::max(most, std::fabs(a.q[i] - b.q[i]));
  return most;
}

/// Assembled and run: where it is at the end.
Trajectory moved(const Model& m, double t, double closure = 1e-8) {
  const System system(m);
  const Assembly a = assemble(system, system.start(), with_closure(closure));
  EXPECT_TRUE(a.repaired) << a.text;
  Trajectory motion = simulate(system, a.repaired ? a.state : system.start(), until(t, closure));
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  for (const PassedOver& p : motion.passed_over) EXPECT_LE(p.gap, p.allowed) << p.name;
  return motion;
}

TEST(Closure, AFourBarBesideItsPlaneMovesAsTheOneInItsPlane) {
  const Trajectory exact = moved(four_bar({}), 3);
  EXPECT_TRUE(exact.passed_over.empty());
  for (const double noise : {1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9})
    for (const Drawn& drawn : {Drawn{noise, 0}, Drawn{0, noise}, Drawn{noise, -0.7 * noise}}) {
      SCOPED_TRACE(testing::Message() << "beside " << drawn.beside << ", leaning " << drawn.leaning);
      const Trajectory motion = moved(four_bar(drawn), 3);
      // What is off by the noise drifts with the motion, which swings to and fro a few times.
      EXPECT_LT(farthest(motion.last, exact.last), 1e-7 + 100 * noise);
      if (noise < 1e-12) continue;
      EXPECT_GE(motion.passed_over.size(), 3u);
      EXPECT_TRUE(noted(motion, "follow from the others but for the noise of a drawing"));
    }
}

TEST(Closure, TheGapOfALoopIsWhatItWasDrawnBesideItsPlane) {
  const double beside = 3e-10;
  const Trajectory motion = moved(four_bar({beside, 0}), 1);
  // Around the loop the ways across the plane add up to what was drawn.
  double widest = 0;
  for (const PassedOver& p : motion.passed_over) widest = std::max(widest, p.gap);
  EXPECT_NEAR(widest, beside, 1e-13);
}

TEST(Closure, ALoopThatIsOpenBeyondTheClosureIsRefusedWithTheClosureItTakes) {
  const System system(four_bar({1e-6, 0}));
  const Assembly a = assemble(system, system.start());
  EXPECT_FALSE(a.repaired);
  EXPECT_NE(a.text.find("; with a closure of 1e-06 (--closure) '"), a.text.npos) << a.text;
  EXPECT_TRUE(assemble(system, system.start(), with_closure(1e-6)).repaired);
}

TEST(Closure, WithoutClosureLoopsCloseToRounding) {
  const System system(four_bar({1e-9, 0}));
  EXPECT_FALSE(assemble(system, system.start(), with_closure(0)).repaired);
  const System exact(four_bar({}));
  const Assembly a = assemble(exact, exact.start(), with_closure(0));
  EXPECT_TRUE(a.repaired);
  EXPECT_TRUE(a.passed_over.empty());
}

TEST(Closure, ALeaningAxisHoldsAMachineStillAndTheRunSaysSo) {
  const System system(four_bar({0, 1e-4, false}));
  const Trajectory still = simulate(system, system.start(), until(1));
  EXPECT_TRUE(noted(still, "0 degrees of freedom")) << still.reason;
  EXPECT_TRUE(noted(still, "with a closure of 0.0001 (--closure)"));
  // With that closure it moves.
  const Trajectory motion = simulate(system, system.start(), until(1, 1e-3));
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_GT(farthest(motion.first, motion.last), 0.1);
  const Trajectory exact = moved(four_bar({0, 0, false}), 1);
  EXPECT_LT(farthest(motion.last, exact.last), 1e-2);
}

TEST(Closure, AnAxisThatLeansAMillionthIsToldWithWhatWouldDo) {
  const System system(four_bar({0, 1e-7, false}));
  const Trajectory motion = simulate(system, system.start(), until(1, 1e-6));
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_GE(motion.passed_over.size(), 3u);  // along the motion others may take their place
}

TEST(Closure, RowsThatDependOnEachOtherInAFlatPositionAloneAreNotPassedOver) {
  // A parallelogram laid flat, but for 1e-9: its rods are free to bend there, and nowhere else.
  for (const double lift : {0.0, 1e-9}) {
    Model m;
    const Expr x1 = m.coordinate("x1", {.start = -1.0}), b1 = m.coordinate("y1", {.start = lift}),
               x2 = m.coordinate("x2", {.start = 1.0}), b2 = m.coordinate("y2", {.start = lift});
    for (const Expr& c : {x1, b1, x2, b2}) m.mass(c, 1.0);
    m.constrain("left", x1 * x1 + b1 * b1, Expr(1.0 + lift * lift));
    m.constrain("right", (x2 - 2) * (x2 - 2) + b2 * b2, Expr(1.0 + lift * lift));
    m.constrain("coupler", (x2 - x1) * (x2 - x1) + (b2 - b1) * (b2 - b1), Expr(4.0));
    const System system(m);
    const Assembly a = assemble(system, system.start());
    EXPECT_TRUE(a.repaired) << a.text;
    EXPECT_TRUE(a.passed_over.empty()) << lift;
  }
}

TEST(Closure, TwoRodsAMillionthApartHoldAPendulumInItsPlane) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {5e-7, 0, -1}, .velocity = {0, 0.3, 0}});
  m.gravity({0.5, 0, -9.81});
  const Expr second = (p.x - 1e-6) * (p.x - 1e-6) + p.y * p.y + p.z * p.z;
  m.constrain("first", p.x * p.x + p.y * p.y + p.z * p.z, Expr(1.0 + 25e-14));
  m.constrain("second", second, Expr(1.0 + 25e-14));
  const System system(m);
  const Assembly a = assemble(system, system.start());
  EXPECT_TRUE(a.passed_over.empty());
}

/// z = 0 and z = 1e-9 (x - 1/2) hold x: that is no drawing.
TEST(Closure, AnEquationIsTakenAtItsWord) {
  Model m;
  const Expr x = m.coordinate("x", {.start = 0.5}), y = m.coordinate("y"), z = m.coordinate("z");
  for (const Expr& c : {x, y, z}) m.mass(c, 1.0);
  m.force(x, 1.0);
  m.constrain("floor", z);
  m.constrain("slope", z, 1e-9 * (x - 0.5));
  const System system(m);
  EXPECT_TRUE(assemble(system, system.start()).passed_over.empty());
}

TEST(Closure, LinkagesThatNoCountLetsMoveMoveAsDrawn) {
  for (const auto& make : {+[] { return bennett(); }, +[] { return bricard(); }}) {
    const System exact(make());
    const Trajectory reference = simulate(exact, exact.start(), until(1));
    ASSERT_EQ(reference.stop, Stop::end);
    Draw draw(3);
    for (const double noise : {1e-14, 1e-12, 1e-10}) {
      SCOPED_TRACE(noise);
      State drawn = exact.start();
      for (double& q : drawn.q) q += noise * draw.real();
      const Assembly a = assemble(exact, drawn);
      ASSERT_TRUE(a.repaired) << a.text;
      const Trajectory motion = simulate(exact, a.state, until(1));
      EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
      EXPECT_LT(farthest(motion.last, reference.last), 1e-6);
    }
  }
}

TEST(Closure, ALoopClosesFromAHundredRoughDrawings) {
  for (const double noise : {0.0, 1e-10}) {
    const System system(four_bar({noise, noise}));
    Draw draw(7);
    int closed = 0;
    for (int k = 0; k < 100; ++k) {
      State rough = system.start();
      for (double& q : rough.q) q += 0.1 * draw.real();
      const Assembly a = assemble(system, rough);
      closed += a.repaired;
      for (const PassedOver& p : a.passed_over) EXPECT_LE(p.gap, p.allowed) << k;
    }
    EXPECT_EQ(closed, 100) << noise;
  }
}

}  // namespace
}  // namespace vinculum
