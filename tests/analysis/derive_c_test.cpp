// The C file that derive writes, compiled by a C compiler, against the engine.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "analysis/compiled.hpp"
#include "analysis/derive_models.hpp"
#include "bench/particles.hpp"
#include "support/data.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/read_model.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using derived::Compiled;
using Numbers = std::vector<double>;

using Acceleration = int(double, const double*, const double*, const double*, double*, double*, double*);
using Multipliers = int(double, const double*, const double*, const double*, double*);
using Rates = void(double, const double*, const double*, const double*, double*);

double largest(const Numbers& x) {
  double size = 0;
  for (const double v : x) size = std::max(size, std::fabs(v));
  return size;
}

int status_in_c(Status status) {
  switch (status) {
    case Status::solved:
      return 0;
    case Status::contradicting:
      return 1;
    case Status::undetermined:
    case Status::indefinite:
      return 2;
    default:
      return 3;
  }
}

/// The least multipliers, by their own function, which is there where there are rows.
void expect_same_multipliers(const std::string& name, const Compiled& file, const System& system,
                             const State& at, const Solution& s) {
  auto* const find = file.function<Multipliers>(name + "_multipliers");
  ASSERT_EQ(find != nullptr, !system.row_names().empty()) << name;
  if (find == nullptr) return;
  Numbers lambda(s.multipliers.size());
  ASSERT_EQ(find(at.t, at.q.data(), at.v.data(), nullptr, lambda.data()), 0) << name;
  // Shortest multipliers ask for the rows as they stand, whose condition is at most 1e6 for these states.
  for (std::size_t r = 0; r < lambda.size(); ++r)
    EXPECT_NEAR(lambda[r], s.multipliers[r], 1e-9 * (1 + largest(s.multipliers))) << name << " " << r;
}

/// Everything the function writes, against the engine at several states.
void expect_same_motion(const derived::Named& which) {
  const System system(which.model);
  const Compiled file(which.model, which.name);
  ASSERT_TRUE(file.loaded()) << which.name;
  auto* const accelerate = file.function<Acceleration>(which.name + "_acceleration");
  ASSERT_NE(accelerate, nullptr) << which.name;
  const std::size_t n = system.velocity_names().size();
  for (const State& at : derived::states_of(system, 6)) {
    const Solution s = solve(system, at);
    Numbers a(n), f(n), c(n);
    const int status = accelerate(at.t, at.q.data(), at.v.data(), nullptr, a.data(), f.data(), c.data());
    ASSERT_EQ(status, status_in_c(s.status)) << which.name << ": " << describe(system, s);
    if (status != 0) continue;
    // Both roads are backward stable: their difference is rounding times the condition of the rows, which
    // stays below 1e5 for these states.
    const double pace = 1e-11 * (1 + largest(s.acceleration));
    const double push = 1e-11 * (1 + largest(s.constraint_force) + largest(s.acceleration));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(a[i], s.acceleration[i], pace) << which.name << " " << system.velocity_names()[i];
      EXPECT_NEAR(f[i], s.constraint_force[i], push) << which.name << " " << system.velocity_names()[i];
      if (!which.model.nonideal_forces().empty()) {
        EXPECT_NEAR(c[i], s.nonideal_force[i], push) << which.name << " " << system.velocity_names()[i];
      }
    }
    expect_same_multipliers(which.name, file, system, at, s);
  }
}

TEST(DeriveC, TheCompiledFileMovesAsTheEngineDoes) {
  for (const derived::Named& which : derived::all_models()) expect_same_motion(which);
}

TEST(DeriveC, WhatCannotMoveGivesAStatus) {
  expect_same_motion({"contradiction", derived::contradiction()});
  expect_same_motion({"left_open", derived::left_open()});
  expect_same_motion({"not_finite", derived::not_finite()});
}

TEST(DeriveC, RedundantRowsAreCarriedAtTheFlatPosition) {
  // All bars flat: the crossbars say nothing that the uprights do not.
  const Model model = examples::flat_four_bar();
  const System system(model);
  const State at = system.start();
  const Solution s = solve(system, at);
  ASSERT_EQ(s.rank, 3);
  const Compiled file(model, "flat");
  ASSERT_TRUE(file.loaded());
  Numbers a(6), f(6);
  ASSERT_EQ(file.function<Acceleration>("flat_acceleration")(0, at.q.data(), at.v.data(), nullptr, a.data(),
                                                             f.data(), nullptr),
            0);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(a[i], s.acceleration[i], 1e-13 * largest(s.acceleration));
    EXPECT_NEAR(f[i], s.constraint_force[i], 1e-13 * largest(s.constraint_force));
  }
}

Model example(const std::string& name, const std::string& more = "") {
  const auto path =
      std::filesystem::path(test_data()).parent_path().parent_path() / "examples" / (name + ".toml");
  std::ifstream file(path, std::ios::binary);
  ReadResult read = read_model(std::string(std::istreambuf_iterator<char>(file), {}) + more, name);
  if (!read.file) throw std::runtime_error(name + ": " + read.faults.at(0).text);
  return read.file->model;
}

/// States along the motion, the start among them.
std::vector<State> states_along(const System& system) {
  MotionOptions options;
  options.until = 1.3;
  options.samples = 5;
  const Trajectory motion = simulate(system, system.start(), options);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  std::vector<State> states;
  for (int i = 0; i < motion.size(); ++i) states.push_back(motion.state(i));
  return states;
}

TEST(DeriveC, LinkagesWithMoreRowsThanTheyNeedMoveAsInTheEngine) {
  for (const std::string name : {"four_bar", "door_on_two_hinges", "bennett_linkage", "bricard", "jansen_leg",
                                 "peaucellier", "engine"}) {
    const Model model = example(name);
    const System system(model);
    const Compiled file(model, name);
    ASSERT_TRUE(file.loaded()) << name;
    const std::size_t n = system.velocity_names().size();
    for (const State& at : states_along(system)) {
      const Solution s = solve(system, at);
      ASSERT_EQ(s.status, Status::solved) << name;
      ASSERT_LT(s.rank, static_cast<int>(system.row_names().size())) << name;
      Numbers a(n), f(n);
      EXPECT_EQ(file.function<Acceleration>(name + "_acceleration")(at.t, at.q.data(), at.v.data(), nullptr,
                                                                    a.data(), f.data(), nullptr),
                0)
          << name << " at " << at.t;
      // Rounding times the condition of the rows, below 1e5 for these linkages.
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(a[i], s.acceleration[i], 1e-11 * (1 + largest(s.acceleration))) << name << " at " << at.t;
    }
  }
}

TEST(DeriveC, ALinkageWithTwoMotorsThatDisagreeIsAContradiction) {
  const std::string motors =
      "[constraints]\nfirst = \"crank_pin.angle'' = 1\"\nsecond = \"crank_pin.angle'' = ";
  for (const auto& [other, status] : {std::pair{"1\"\n", 0}, std::pair{"1.00001\"\n", 1}}) {
    const Model model = example("four_bar", motors + other);
    const Compiled file(model, "motors");
    ASSERT_TRUE(file.loaded());
    const State at = System(model).start();
    Numbers a(at.v.size()), f(at.v.size());
    EXPECT_EQ(file.function<Acceleration>("motors_acceleration")(0, at.q.data(), at.v.data(), nullptr,
                                                                 a.data(), f.data(), nullptr),
              status);
  }
}

TEST(DeriveC, ParametersGivenToTheFunctionReplaceThoseOfTheModel) {
  const Compiled file(examples::spherical_pendulum(), "Spherical pendulum, 1996");
  ASSERT_TRUE(file.loaded());
  auto* const accelerate = file.function<Acceleration>("spherical_pendulum_1996_acceleration");
  ASSERT_NE(accelerate, nullptr);
  const double q[] = {0, 2, 0}, v[] = {3, 0, 0}, p[] = {5, 2, 1.62};
  double a[3], f[3];
  ASSERT_EQ(accelerate(0, q, v, p, a, f, nullptr), 0);
  EXPECT_NEAR(a[1], -4.5, 1e-15);               // v^2 / L, upwards; y points down
  EXPECT_NEAR(f[1], -5 * (4.5 + 1.62), 1e-14);  // m (v^2 / L + g)
}

TEST(DeriveC, RatesOfAQuaternionAreWrittenToo) {
  const Model model = examples::spinning_top();
  const System system(model);
  const Compiled file(model, "top");
  ASSERT_TRUE(file.loaded());
  auto* const rates_in_c = file.function<Rates>("top_rates");
  ASSERT_NE(rates_in_c, nullptr);
  for (const State& at : derived::states_of(system, 4)) {
    Numbers expected(at.q.size()), rate(at.q.size());
    Workspace work(system);
    rates(system, at, work, expected);
    rates_in_c(at.t, at.q.data(), at.v.data(), nullptr, rate.data());
    for (std::size_t i = 0; i < rate.size(); ++i) EXPECT_DOUBLE_EQ(rate[i], expected[i]);
  }
}

TEST(DeriveC, TitlesCannotBreakTheFile) {
  for (const char* title : {"", "42", "*/ int x; /*", "what?\?/\nnow", "\xC3\xA9tude", "a\\"})
    EXPECT_TRUE(Compiled(examples::pendulum(), title).loaded()) << title;
}

TEST(DeriveC, NamesThatTheFileUsesItselfMayNameCoordinates) {
  Model model;
  Expr sum = 0;
  for (const char* name :
       {"i", "j", "k", "n", "a", "c", "f", "s", "y", "M", "Split", "reflect", "M_PI", "y0"}) {
    const Coordinate x = model.coordinate(name, {.start = 0.5});
    model.mass(x, 1 + x * x);
    sum = sum + x * x.rate();
  }
  model.constrain("all", sum, 0);
  EXPECT_TRUE(Compiled(model, "names").loaded());
  EXPECT_TRUE(Compiled(model, "names", "-std=gnu99").loaded());  // math.h defines more there
}

TEST(DeriveC, NoLevelOfOptimisationFindsSomethingToWarnOf) {
  for (const char* level : {"-O0", "-O1", "-O3"}) {
    EXPECT_TRUE(Compiled(derived::double_pendulum(), "no_rows", level).loaded());
    EXPECT_TRUE(Compiled(examples::pendulum_thrice(), "more_rows_than_velocities", level).loaded());
    EXPECT_TRUE(Compiled(derived::rough_sphere(), "nonideal", level).loaded());
  }
}

TEST(DeriveC, AModelTooLargeForAStackIsRefused) {
  try {
    derive_c(bench::model_of(bench::chain(100)), "chain");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.text(),
              "a C file is written for at most 128 velocities and 256 rows, because its solver keeps dense "
              "matrices on the stack; the model has 300 and 100. Use the library, which works sparsely");
  }
}

}  // namespace
}  // namespace vinculum
