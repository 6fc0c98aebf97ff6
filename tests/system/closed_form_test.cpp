// The kernel from state to acceleration against the general roads, where it is easiest to be wrong.
#include "system/compile/closed_form.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "vinculum/base/error.hpp"
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/batch.hpp"

namespace vinculum {
namespace {

Solution along(const System& system, const State& at, Road road = Road::automatic) {
  SolveOptions options;
  options.detail = Detail::motion;
  options.road = road;
  return solve(system, at, options);
}

/// Status and acceleration of the motion path and of a batch, against the full solution.
void expect_honest(const Model& model, double tolerance = 1e-12) {
  const System system(model);
  const State at = system.start();
  const Solution full = solve(system, at), motion = along(system, at);
  EXPECT_EQ(motion.status, full.status) << describe(system, full);
  BatchWorkspace work(system);
  StateBatch states;
  for (const double q : at.q) states.q.insert(states.q.end(), 8, q);
  for (const double v : at.v) states.v.insert(states.v.end(), 8, v);
  std::vector<double> acceleration(states.v.size());
  const BatchReport report = accelerate(system, states, work, acceleration);
  EXPECT_EQ(report.status[5], full.status);
  if (full.status != Status::solved) return;
  double size = 0;
  for (const double a : full.acceleration) size = std::max(size, std::fabs(a));
  for (std::size_t i = 0; i < at.v.size(); ++i) {
    EXPECT_NEAR(motion.acceleration[i], full.acceleration[i], tolerance * size);
    EXPECT_EQ(acceleration[8 * i + 5], motion.acceleration[i]);
  }
}

TEST(ClosedForm, ALightCoordinateOnARowIsNotLostInItsFreeAcceleration) {
  for (const double ratio : {1e-2, 1e-5, 1e-8, 1e-10, 1e-12, 1e-14}) {
    Model m;
    const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
    m.mass(x, 1);
    m.mass(y, ratio);
    m.force(y, 0.3 + x);
    m.constrain("c", x - y);
    const System system(m);
    const Solution s = along(system, system.start());
    EXPECT_NEAR(s.acceleration[0], 0.3 / (1 + ratio), 1e-14);
    EXPECT_NEAR(s.acceleration[1], s.acceleration[0], 1e-14) << ratio;
    expect_honest(m);
  }
}

TEST(ClosedForm, NearlySingularCoupledMassesGoToTheRobustRoad) {
  for (const double gap : {1e-1, 1e-3, 1e-6, 1e-9, 1e-11, 1e-12}) {
    Model m;
    const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
    m.mass(x, 2 + x);
    m.mass(y, 3);
    m.mass(x, y, std::sqrt(6) * (1 - gap));
    m.force(x, 0.3);
    m.force(y, 0.7);
    m.constrain("c", 0.37 * x + 0.9 * y, 0.5 * pow(m.time(), 2));
    expect_honest(m, 1e-9);  // eps over the smallest pivot the fast road takes, 1e-6
  }
}

Model two(const std::function<void(Model&, const Coordinate&, const Coordinate&)>& state) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  state(m, x, y);
  return m;
}

TEST(ClosedForm, NumbersThatAreNotFiniteNeverPassAsAMotion) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  using Axis = const Coordinate&;
  const auto masses = [](Model& m, Axis x, Axis y) {
    m.mass(x, 1);
    m.mass(y, 1);
  };
  expect_honest(two([](Model& m, Axis x, Axis y) {
    m.mass(x, 1 / (x * x));
    m.mass(y, 1);
    m.force(y, 2);
    m.constrain("c", x + y);
  }));
  expect_honest(two([&](Model& m, Axis x, Axis y) {
    m.mass(x, inf);
    m.mass(y, 1);
    m.constrain("c", y);
  }));
  expect_honest(two([&](Model& m, Axis x, Axis y) {
    masses(m, x, y);
    m.force(y, nan);
    m.constrain("c", x);
  }));
  expect_honest(two([&](Model& m, Axis x, Axis y) {
    masses(m, x, y);
    m.force(x, inf);
    m.constrain("c", x + y);
  }));
  expect_honest(two([&](Model& m, Axis x, Axis y) {
    masses(m, x, y);
    m.nonideal(y, nan);
    m.constrain("c", x);
  }));
  const Model refused = two([&](Model& m, Axis x, Axis y) {
    masses(m, x, y);
    m.constrain("c", x.acceleration(), nan);
  });
  EXPECT_THROW(System{refused}, Error);
  expect_honest(two([&](Model& m, Axis x, Axis y) {
    masses(m, x, y);
    m.constrain("c", 1.3e-160 * x + 0.7e-160 * y, 1e-160 * 0.5 * pow(m.time(), 2));
  }));
}

TEST(ClosedForm, AnAccelerationThatNoNumberHoldsIsReported) {
  const Model m = two([](Model& model, const Coordinate& x, const Coordinate& y) {
    model.mass(x, 1e-200);
    model.mass(y, 1);
    model.force(x, 1e200);
    model.constrain("c", y);
  });
  const System system(m);
  const std::string sentence = describe(system, solve(system, system.start()));
  EXPECT_NE(sentence.find("'x'"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("too large for a number"), std::string::npos) << sentence;
  EXPECT_EQ(along(system, system.start()).status, Status::not_finite);
}

/// A bridge that all but stands: rows take nearly all of what the load would do, and the rounding of that is
/// more than that of what they leave.
Model held_load(double load) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1);
  m.force(x, load * (0.3 + 0.7));
  m.force(y, load * (0.1 + 1.1));
  m.force(z, load * (0.9 - 0.2) + 1e-3);
  m.constrain("a", 0.3 * x + 0.1 * y + 0.9 * z);
  m.constrain("b", 0.7 * x + 1.1 * y - 0.2 * z);
  return m;
}

TEST(ClosedForm, ALoadThatRowsHoldIsRefinedAndNeedsNoOtherRoad) {
  for (const double load : {1.0, 1e3, 1e6, 1e9}) {
    const Model m = held_load(load);
    const System system(m);
    Workspace work(system);
    const State at = system.start();
    std::vector<double> q(3);
    const Accelerated found = accelerate(system, at, {}, work, q, true);
    ASSERT_EQ(found.status, Status::solved);
    EXPECT_EQ(found.solution, nullptr) << load;  // of a closed form
    const Solution robust = along(system, at, Road::robust);
    const double eps = std::numeric_limits<double>::epsilon();
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(q[i], robust.acceleration[i], 64 * eps * load);
    // Rows hold beside what moves, not beside the load.
    const double moves = std::max({std::fabs(q[0]), std::fabs(q[1]), std::fabs(q[2])});
    EXPECT_LE(std::fabs(0.3 * q[0] + 0.1 * q[1] + 0.9 * q[2]), 64 * eps * moves) << load;
    EXPECT_LE(std::fabs(0.7 * q[0] + 1.1 * q[1] - 0.2 * q[2]), 64 * eps * moves) << load;
    EXPECT_EQ(along(system, at).acceleration, q);
  }
}

TEST(ClosedForm, RowsThatDependOnEachOtherAreLeftToTheOtherRoads) {
  for (const double apart : {0.0, 1e-9}) {
    Model m;
    const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
    for (const Coordinate& q : {x, y, z}) m.mass(q, 1);
    m.force(x, 1e6);
    m.constrain("a", x + y + z);
    m.constrain("b", x + y + (1 + apart) * z);
    const System system(m);
    Workspace work(system);
    std::vector<double> q(3);
    const Accelerated found = accelerate(system, system.start(), {}, work, q, true);
    EXPECT_NE(found.solution, nullptr) << apart;
  }
}

TEST(ClosedForm, AgreesWithTheRobustRoadOnRandomSmallSystems) {
  std::mt19937 engine(11);
  const auto random = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  };
  for (int trial = 0; trial < 300; ++trial) {
    Model m;
    const int n = 2 + trial % 5, rows = 1 + trial % 4;
    std::vector<Coordinate> q;
    for (int i = 0; i < n; ++i) {
      q.push_back(m.coordinate("q" + std::to_string(i), {random(-1, 1), random(-1, 1)}));
      m.mass(q[i], std::pow(10, random(-4, 4)) * (trial % 2 ? 1 + 0.3 * sin(q[0]) : Expr(1.0)));
      m.force(q[i], random(-5, 5) + q[i].rate() * random(-1, 1));
      if (trial % 7 == 0) m.nonideal(q[i], random(-1, 1) * q[i].rate());
    }
    for (int r = 0; r < rows; ++r) {
      Expr phi = random(-1, 1) * m.time();
      for (int i = 0; i < n; ++i)
        phi += random(-1, 1) * (r % 2 ? q[i].rate() * cos(q[0]) : sin(q[i]) * (1 + q[(i + 1) % n]));
      m.constrain("c" + std::to_string(r), phi);
    }
    const System system(m);
    const Solution motion = along(system, system.start()),
                   robust = along(system, system.start(), Road::robust);
    ASSERT_EQ(motion.status, robust.status) << trial;
    if (robust.status != Status::solved) continue;
    double size = 0, push = 0;
    for (const double a : robust.acceleration) size = std::max(size, std::fabs(a));
    for (const double f : robust.constraint_force) push = std::max(push, std::fabs(f));
    for (int i = 0; i < n; ++i) {
      // Mass ratios to 1e8 and rows of condition to about 1e3.
      EXPECT_NEAR(motion.acceleration[i], robust.acceleration[i], 1e-9 * size) << trial;
      EXPECT_NEAR(motion.constraint_force[i], robust.constraint_force[i], 1e-9 * push) << trial;
      EXPECT_NEAR(motion.nonideal_force[i], robust.nonideal_force[i], 1e-9 * (push + 1)) << trial;
    }
  }
}

}  // namespace
}  // namespace vinculum
