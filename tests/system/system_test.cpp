#include "vinculum/system/system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "bench/particles.hpp"
#include "examples/cpp/gallery.hpp"
#include "support/allocations.hpp"
#include "support/growth.hpp"
#include "support/message.hpp"

namespace vinculum {
namespace {

using bench::chain;
using bench::model_of;
using bench::net;
using bench::pinned_net;
using test::message;

SolveOptions motion(Road road = Road::automatic) {
  SolveOptions options;
  options.road = road;
  options.detail = Detail::motion;
  return options;
}

/// A state near the start, with velocities, so that every term counts. Rows hold at accelerations for any of
/// them.
State stirred(const System& system) {
  State s = system.start();
  for (std::size_t i = 0; i < s.q.size(); ++i) s.q[i] += 0.01 * std::sin(1.7 * static_cast<double>(i) + 0.3);
  for (std::size_t i = 0; i < s.v.size(); ++i) s.v[i] = std::cos(2.3 * static_cast<double>(i));
  return s;
}

TEST(System, EvaluatingAStateAllocatesNothing) {
  for (const Model& model :
       {examples::spherical_pendulum(), examples::pendulum_thrice(), examples::flat_four_bar(),
        model_of(chain(50)), model_of(net(10, false)), model_of(net(10, true))}) {
    const System system(model);
    Workspace work(system);
    Solution s;
    Residuals r;
    std::vector<double> rate(system.start().q.size());
    const State at = system.start();
    solve(system, at, work, s, motion());
    residuals(system, at, work, r);
    const long before = allocations();
    for (int k = 0; k < 3; ++k) {
      solve(system, at, work, s, motion());
      residuals(system, at, work, r);
      rates(system, at, work, rate);
    }
    EXPECT_EQ(allocations() - before, 0) << system.row_names().size() << " rows";
    EXPECT_EQ(s.road_used, Road::fast);
  }
}

TEST(System, ElementsOfOneShapeShareOneKernel) {
  const System small(model_of(chain(20))), large(model_of(chain(2000)));
  EXPECT_EQ(small.group_count(), large.group_count());
  EXPECT_EQ(small.instruction_count(), large.instruction_count());
  EXPECT_LE(large.instruction_count(), 60);
}

TEST(System, KernelsOnLanesGiveTheRowsOfEveryRod) {
  const bench::RodNet rods = chain(37);  // not a multiple of eight
  const System system(model_of(rods));
  Workspace work(system);
  const State at = stirred(system);
  const Equations& e = evaluate(system, at, work);
  ASSERT_EQ(e.rows(), 37);
  for (int r = 0; r < 37; ++r) {
    double speed2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = at.q[3 * r + k] - (r > 0 ? at.q[3 * r - 3 + k] : 0.0);
      const double u = at.v[3 * r + k] - (r > 0 ? at.v[3 * r - 3 + k] : 0.0);
      speed2 += u * u;
      const int last = e.A.start[r + 1];
      EXPECT_NEAR(e.A.value[last - 3 + k], 2 * d, 1e-15);
      if (r > 0) {
        EXPECT_NEAR(e.A.value[last - 6 + k], -2 * d, 1e-15);
      }
    }
    EXPECT_NEAR(e.b[r], -2 * speed2, 1e-14);
  }
}

TEST(System, SparseAndOrthogonalRoadsAgreeOnChainsAndNets) {
  for (const Model& model :
       {model_of(chain(60)), model_of(net(6, false)), model_of(net(7, true)), model_of(pinned_net(8))}) {
    const System system(model);
    Workspace work(system);
    Solution fast, robust;
    const State at = system.start();
    solve(system, at, work, fast, motion());
    EXPECT_EQ(fast.road_used, Road::fast);
    solve(system, at, work, robust, motion(Road::robust));
    ASSERT_EQ(robust.status, Status::solved);
    EXPECT_EQ(fast.rank, robust.rank);
    for (std::size_t i = 0; i < at.v.size(); ++i)
      // Accelerations of about 10; the condition number of a 60-link chain is about 1e3.
      EXPECT_NEAR(fast.acceleration[i], robust.acceleration[i], 1e-11);
  }
}

TEST(System, ALargeCoupledMassMatrixGoesThroughTheKktForm) {
  // Forty windows of the four-bar mechanism in points with consistent masses: M couples neighbours, 82
  // coordinates.
  Model m;
  const int n = 41;
  std::vector<Coordinate> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    const double angle = 1.1;
    x[i] = m.coordinate("x" + std::to_string(i), {i + std::cos(angle), std::sin(angle)});
    y[i] = m.coordinate("y" + std::to_string(i), {std::sin(angle), -std::cos(angle)});
  }
  for (int i = 0; i < n; ++i) {
    m.mass(x[i], i == 0 || i == n - 1 ? 2.0 / 3 : 1.0);
    m.mass(y[i], i == 0 || i == n - 1 ? 2.0 / 3 : 1.0);
    m.force(y[i], -9.81 * (i == 0 || i == n - 1 ? 1.0 : 1.5));
    m.constrain("upright" + std::to_string(i), pow(x[i] - i, 2) + pow(y[i], 2), 1);
    if (i == 0) continue;
    m.mass(x[i - 1], x[i], 1.0 / 6);
    m.mass(y[i - 1], y[i], 1.0 / 6);
    m.constrain("bar" + std::to_string(i), pow(x[i] - x[i - 1], 2) + pow(y[i] - y[i - 1], 2), 1);
  }
  const System system(m);
  Workspace work(system);
  Solution fast, robust;
  solve(system, system.start(), work, fast, motion());
  solve(system, system.start(), work, robust, motion(Road::robust));
  EXPECT_EQ(fast.road_used, Road::fast);
  for (std::size_t i = 0; i < fast.acceleration.size(); ++i) {
    EXPECT_NEAR(fast.acceleration[i], robust.acceleration[i], 1e-11);
    EXPECT_NEAR(fast.free_acceleration[i], robust.free_acceleration[i], 1e-12);
    EXPECT_NEAR(fast.constraint_force[i], robust.constraint_force[i], 1e-10);
  }
}

TEST(System, ThreadsShareASystemAndGetTheSameBits) {
  const System system(model_of(net(12, false)));
  std::vector<Solution> result(2);
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&, k] {
      Workspace work(system);
      for (int i = 0; i < 20; ++i) solve(system, stirred(system), work, result[k], motion());
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(result[0].acceleration, result[1].acceleration);
  EXPECT_EQ(result[0].multipliers, result[1].multipliers);
}

TEST(System, CompilingIsLinearInTheNumberOfElements) {
  // Ten times the work, and caches that no longer hold it and are shared with others: 15 is usual. Quadratic
  // would be 100.
  test::expect_growth_below(40, [](bool large) {
    return test::seconds_of([&] { const System system(model_of(chain(large ? 20000 : 2000))); });
  });
}

TEST(System, CoordinatesAndVelocitiesMayDifferInNumber) {
  const System system(examples::spinning_top());
  EXPECT_EQ(system.coordinate_names().size(), 4u);
  EXPECT_EQ(system.velocity_names().size(), 3u);
  State at = system.start();
  at.q = {0.5, -0.5, 0.5, 0.5};
  Workspace work(system);
  std::vector<double> rate(4);
  rates(system, at, work, rate);
  const double w[3] = {at.v[0], at.v[1], at.v[2]};
  EXPECT_NEAR(rate[0], 0.5 * (0.5 * w[0] - 0.5 * w[1] - 0.5 * w[2]), 1e-16);
  double along = 0;
  for (int i = 0; i < 4; ++i) along += rate[i] * at.q[i];
  EXPECT_NEAR(along, 0, 1e-16);  // the norm stays
  const Solution s = solve(system, at);
  EXPECT_NEAR(s.acceleration[0], (2.0 - 3.0) * w[1] * w[2] / 1.0, 1e-15);
}

TEST(System, NamesSurviveToTheRows) {
  Model m;
  const Particle p = m.particle("p", {.position = {1, 0, 0}}), q = m.particle("q");
  m.constrain("pin", p, {1, 0, 0});
  m.constrain("rod", distance(p, q), 1);
  const System system(m);
  EXPECT_EQ(system.row_names(), (std::vector<std::string>{"pin[0]", "pin[1]", "pin[2]", "rod"}));
  EXPECT_EQ(system.velocity_names()[1], "p.y'");
  EXPECT_EQ(system.constraint_of_row(2), 0);
  EXPECT_EQ(system.constraint_of_row(3), 1);
}

TEST(System, FaultsOfAModelAreNamed) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  EXPECT_EQ(message([&] { const System s(m); }),
            "'y'' has no mass: state its diagonal entry of M, or a kinetic energy; 0 makes it massless");
  m.mass(y, 0);
  m.gravity({0, 0, -9.81});
  EXPECT_EQ(message([&] { const System s(m); }),
            "gravity acts on particles and bodies, and the model has none; use force() on coordinates");
  Model twice;
  const Coordinate z = twice.coordinate("z");
  twice.mass(z, 1);
  twice.kinetic(pow(z.rate(), 2));
  EXPECT_EQ(message([&] { const System s(twice); }),
            "'z'' has a mass and stands in an energy of motion; state one of the two");
  EXPECT_EQ(message([] { const System s((Model())); }), "the model has no coordinates");
  const System system(examples::pendulum());
  Workspace work(system);
  EXPECT_EQ(message([&] { evaluate(system, State{0, {1}, {0, 0}}, work); }),
            "the state has 1 coordinates where the system has 2");
  Workspace other(System{examples::kepler()});
  EXPECT_EQ(message([&] { evaluate(system, system.start(), other); }),
            "the workspace was made for another system; make one for each");
}

// --- Sentences
// ----------------------------------------------------------------------------------------------------

Model two_masses(const std::function<void(Model&, const Coordinate&, const Coordinate&)>& state) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1}), y = m.coordinate("y", {.start = 2});
  state(m, x, y);
  return m;
}

std::string sentence(const Model& model) {
  const System system(model);
  return describe(system, solve(system, system.start()));
}

TEST(Describe, ContradictionsAreNamedWithTheirSize) {
  EXPECT_EQ(
      sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
        m.mass(x, 1);
        m.mass(y, 1);
        m.constrain("still", x.acceleration(), 1);
        m.constrain("apart", y.acceleration(), 3);
        m.constrain("faster", x.acceleration(), 2);
      })),
      "constraints 'still' and 'faster' cannot hold together: the last misses what the others demand by 1");
}

TEST(Describe, CoordinatesThatNothingDeterminesAreNamed) {
  EXPECT_EQ(sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
              m.mass(x, 1);
              m.mass(y, 0);
            })),
            "the accelerations of 'y' are left open: they have no mass there and no constraint fixes them");
  EXPECT_EQ(sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
              m.mass(x, 1);
              m.mass(y, 0);
              m.constrain("link", x * y, 2);
            })),
            "");
}

TEST(Describe, CoordinatesThatNothingDeterminesAreNamedBesideAForceThatDependsOnMultipliers) {
  EXPECT_EQ(sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
              m.mass(x, 1);
              m.mass(y, 0);
              m.constrain("drive", x, 1.0 + m.time());
              m.nonideal(x, -0.1 * m.multiplier("drive"));
            })),
            "the accelerations of 'y' are left open: they have no mass there and no constraint fixes them");
  // What is no number by itself is told as such.
  EXPECT_EQ(sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
              m.mass(x, 1);
              m.mass(y, 1);
              m.constrain("drive", x, 1.0 + m.time());
              m.nonideal(x, sqrt(-1 - pow(m.multiplier("drive"), 2)));
            })),
            "the non-ideal force on 'x' is not a finite number at this state");
}

TEST(Describe, ANegativeMassIsNamed) {
  EXPECT_EQ(sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
              m.mass(x, 1);
              m.mass(y, -2);
            })),
            "the mass matrix has a negative direction, in which 'y' takes part");
}

TEST(Describe, ASystemTooLargeForTheRobustRoadSaysWhatTheFastOneCouldNotDo) {
  const System system(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
    m.mass(x, 1);
    m.mass(y, 1);
    m.mass(x, y, 1 - 1e-9);
  }));
  SolveOptions options;
  options.robust_limit = 1;
  const Solution s = solve(system, system.start(), options);
  EXPECT_EQ(s.status, Status::uncertified);
  EXPECT_EQ(describe(system, s),
            "the mass matrix is too nearly singular for the fast road, and the system is too large for the "
            "robust road "
            "(see robust_limit)");
}

TEST(Describe, TermsThatAreNotFiniteAreNamed) {
  EXPECT_EQ(sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
              m.mass(x, 1);
              m.mass(y, 1);
              m.force(x, 1 / (y - 2));
            })),
            "the force on 'x' is not a finite number at this state");
  EXPECT_EQ(
      sentence(two_masses([](Model& m, const Coordinate& x, const Coordinate& y) {
        m.mass(x, 1);
        m.mass(y, 1);
        m.constrain("steep", sqrt(x - 1), y);
      })),
      "the coefficients of the accelerations in constraint 'steep' are not finite numbers at this state");
}

}  // namespace
}  // namespace vinculum
