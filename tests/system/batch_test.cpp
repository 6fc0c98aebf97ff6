#include "vinculum/system/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/particles.hpp"
#include "examples/cpp/gallery.hpp"
#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/state_table.hpp"

namespace vinculum {
namespace {

/// Eight states around the start, each lane its own.
StateBatch eight_states(const System& system) {
  StateBatch b;
  const State start = system.start();
  for (int k = 0; k < 8; ++k) b.t[k] = 0.1 * k;
  for (std::size_t i = 0; i < start.q.size(); ++i)
    for (int k = 0; k < 8; ++k) b.q.push_back(start.q[i] + 0.03 * std::sin(3.1 * k + static_cast<double>(i)));
  for (std::size_t i = 0; i < start.v.size(); ++i)
    for (int k = 0; k < 8; ++k) b.v.push_back(start.v[i] + 0.1 * std::cos(1.3 * k - static_cast<double>(i)));
  return b;
}

State lane_of(const System& system, const StateBatch& b, int lane) {
  State s = system.start();
  s.t = b.t[lane];
  for (std::size_t i = 0; i < s.q.size(); ++i) s.q[i] = b.q[8 * i + lane];
  for (std::size_t i = 0; i < s.v.size(); ++i) s.v[i] = b.v[8 * i + lane];
  return s;
}

void expect_same_bits(const Model& model) {
  const System system(model);
  BatchWorkspace work(system);
  const StateBatch states = eight_states(system);
  std::vector<double> acceleration(8 * system.start().v.size());
  const BatchReport report = accelerate(system, states, work, acceleration);
  Workspace single(system);
  Solution s;
  SolveOptions options;
  options.detail = Detail::motion;
  for (int lane = 0; lane < 8; ++lane) {
    solve(system, lane_of(system, states, lane), single, s, options);
    EXPECT_EQ(report.status[lane], s.status);
    EXPECT_EQ(report.road_used[lane], s.road_used);
    for (std::size_t i = 0; i < s.acceleration.size(); ++i)
      EXPECT_EQ(acceleration[8 * i + lane], s.acceleration[i]) << "velocity " << i << ", lane " << lane;
  }
}

TEST(Batch, EachLaneHasTheBitsOfASingleSolve) {
  for (const auto& e : examples::gallery()) {
    if (e.name == "pendulum_thrice" || e.name == "flat_four_bar") continue;  // off the constraints: see below
    SCOPED_TRACE(e.name);
    expect_same_bits(e.model());
  }
}

TEST(Batch, GroupsOfElementsGiveTheSameBitsToo) {
  expect_same_bits(bench::model_of(bench::chain(20)));  // small enough for lanes, with groups of twenty
  expect_same_bits(bench::model_of(bench::chain(60)));  // large: solved one by one
}

TEST(Batch, ForcesNonidealPartsAndVariableMassesGiveTheSameBits) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1}), y = m.coordinate("y", {.start = 0.5});
  m.kinetic(0.5 * (2 + cos(y)) * pow(x.rate(), 2) + 0.5 * pow(y.rate(), 2) + 0.1 * x * x.rate() * y.rate());
  m.potential(0.5 * x * x + cos(y) * m.time());
  m.constrain("circle", x * x + y * y, 1.25);
  m.nonideal(x, -0.3 * x.rate());
  m.nonideal(y, -0.3 * y.rate());
  expect_same_bits(m);
}

/// Rows so near to each other that the first answer is refined: by as many passes in every lane.
TEST(Batch, RowsThatNearlyDependGiveTheSameBits) {
  for (const double apart : {1e-4, 1e-5, 3e-6, 1e-7}) {
    Model m;
    const Coordinate x = m.coordinate("x", {.start = 0.1, .rate = 0.2}),
                     y = m.coordinate("y", {.start = 0.3}), z = m.coordinate("z", {.start = 0.5}),
                     w = m.coordinate("w", {.start = 0.7});
    m.mass(x, 2 + x * x);
    m.mass(y, 1);
    m.mass(z, 3);
    m.mass(w, 1.5);
    m.mass(x, y, 0.3);  // one block of four: no closed form
    m.mass(x, z, 0.2);
    m.mass(x, w, 0.1);
    m.mass(y, z, 0.4);
    m.force(z, cos(x));
    m.nonideal(x, 0.3 * cos(y));
    m.constrain("one", 0.7 * x.acceleration() + 1.1 * y.acceleration());
    m.constrain("other",
                0.7 * x.acceleration() + 1.1 * y.acceleration() + apart * (1 + x * y) * z.acceleration());
    expect_same_bits(m);
  }
}

/// On a switch that holds it, a motion has the forces of neither side.
TEST(Batch, LanesOnASwitchThatHoldsStayThere) {
  for (const bool with_row : {false, true}) {
    Model m;
    const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
    m.mass(x, 1);
    m.mass(y, 1);
    m.force(x, 1 - 2 * sign(x.rate()));
    if (with_row) m.constrain("held", y, 0.03);
    const System system(m);
    BatchWorkspace work(system);
    StateBatch states;
    states.t.fill(0.0);
    states.q.assign(16, 0.0);
    for (int k = 0; k < 8; ++k) states.q[8 + k] = 0.03;
    states.v.assign(16, 0.0);
    states.v[5] = 0.25;  // one lane slides
    std::vector<double> acceleration(16);
    accelerate(system, states, work, acceleration);
    for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(acceleration[lane], lane == 5 ? -1.0 : 0.0) << lane;
  }
}

TEST(Batch, LanesThatTheFastRoadCannotAnswerAreReported) {
  // Two rods that agree at the start only: in the other lanes they contradict.
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1, .rate = 0}),
                   y = m.coordinate("y", {.start = 0, .rate = 1});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("a", x.acceleration(), 0);
  m.constrain("b", x.acceleration(), y);
  const System system(m);
  BatchWorkspace work(system);
  StateBatch states;
  states.q.assign(16, 0.0);
  states.v.assign(16, 0.0);
  states.q[8 + 3] = 0.5;  // y of lane 3
  std::vector<double> acceleration(16);
  const BatchReport report = accelerate(system, states, work, acceleration);
  for (int lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(report.status[lane], lane == 3 ? Status::contradicting : Status::solved);
    EXPECT_EQ(report.road_used[lane], lane == 3 ? Road::robust : Road::fast);
  }
}

/// Rows of a table, of as many as there are: each has the bits of a single solve, with a time for all or its
/// own.
TEST(StateTable, EachRowHasTheBitsOfASingleSolve) {
  for (const auto& e : examples::gallery()) {
    if (e.name != "spherical_pendulum" && e.name != "swinging_four_bar" && e.name != "spinning_top") continue;
    SCOPED_TRACE(e.name);
    const System system(e.model());
    const State start = system.start();
    const std::size_t nq = start.q.size(), nv = start.v.size();
    for (const std::size_t count : {0, 1, 7, 8, 21}) {
      std::vector<double> q, v, t, found(count * nv, 17.0);
      for (std::size_t k = 0; k < count; ++k) {
        for (const double x : start.q) q.push_back(x * (1 + 1e-3 * static_cast<double>(k)));
        for (const double x : start.v) v.push_back(x - 0.1 * static_cast<double>(k));
        t.push_back(0.25 * static_cast<double>(k));
      }
      TableWorkspace work(system);
      ASSERT_FALSE(work.accelerate(system, {q.data(), v.data(), t.data(), false}, 0, count, found.data()));
      Workspace single(system);
      std::vector<double> own(nv);
      for (std::size_t k = 0; k < count; ++k) {
        accelerate(system, StateView{t[k], {q.data() + k * nq, nq}, {v.data() + k * nv, nv}}, Mode{}, single,
                   own);
        for (std::size_t i = 0; i < nv; ++i) EXPECT_EQ(found[k * nv + i], own[i]) << k << " of " << count;
      }
    }
  }
}

TEST(StateTable, TheFirstRowWithoutAnAnswerIsTold) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1}), y = m.coordinate("y", {.start = 1});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("product", x * y, 1);  // at the origin its row is nothing, and asks for 2 x' y' = 0
  const System system(m);
  for (const std::size_t bad : {0, 6, 9, 18}) {
    std::vector<double> q(40, 1.0), v(40, 1.0), found(40);
    q[2 * bad] = q[2 * bad + 1] = 0;
    TableWorkspace work(system);
    const double t = 0;
    EXPECT_EQ(work.accelerate(system, {q.data(), v.data(), &t, true}, 0, 20, found.data()), bad);
    EXPECT_EQ(work.accelerate(system, {q.data(), v.data(), &t, true}, bad + 1, 20, found.data()),
              std::nullopt);
    q[2 * bad] = q[2 * bad + 1] = 1;
    v[2 * bad + 1] = -INFINITY;
    EXPECT_EQ(work.accelerate(system, {q.data(), v.data(), &t, true}, 0, 20, found.data()), bad);
  }
}

}  // namespace
}  // namespace vinculum
