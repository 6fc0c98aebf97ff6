#include "vinculum/analysis/check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "equation/reference.hpp"
#include "examples/cpp/gallery.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

CheckReport check(const Model& m) {
  const System system(m);
  return check(m, system, system.start());
}

Instant at_start(const Model& m) {
  const System system(m);
  return examine(m, system, system.start());
}

/// Three unit masses on a line each, moving as said.
struct Space {
  Model m;
  Coordinate x, y, z;
  explicit Space(double vx = 0, double vy = 0, double vz = 0, double px = 0, double py = 0, double pz = 0) {
    x = m.coordinate("x", {px, vx});
    y = m.coordinate("y", {py, vy});
    z = m.coordinate("z", {pz, vz});
    for (const Coordinate& q : {x, y, z}) m.mass(q, 1.0);
  }
};

void expect_nature(const Model& m, int order, const char* kind, bool scleronomic, bool ideal) {
  const Instant at = at_start(m);
  ASSERT_EQ(at.constraints.size(), 1u);
  const ConstraintNature& c = at.constraints[0];
  EXPECT_EQ(c.order, order) << c.name;
  EXPECT_EQ(kind_name(c.kind), kind) << c.name;
  EXPECT_EQ(c.scleronomic, scleronomic) << c.name;
  EXPECT_EQ(c.ideal, ideal) << c.name;
  EXPECT_TRUE(at.admissible) << c.name;
  EXPECT_FALSE(c.redundant) << c.name;
}

// Reference k02, row by row.
TEST(Check, ARodIsLinearAfterOneDifferentiationAndIdeal) {
  Space s(-0.8, 0.6, 0, 0.6, 0.8);
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2), 1.0);
  expect_nature(s.m, 0, "linear", true, true);
}

TEST(Check, APfaffianFormIsLinearAndIdeal) {
  Space s(0.3, 0.7 * 0.3, 0.4, 0, 0, 0.7);
  s.m.constrain("plane", s.y.rate() - s.z * s.x.rate());
  expect_nature(s.m, 1, "linear", true, true);
}

TEST(Check, ADriveMakesItAffineAndNotIdeal) {
  Space s(0.3, 0.7 * 0.3 + 0.25, 0.4, 0, 0, 0.7);
  s.m.constrain("plane", s.y.rate() - s.z * s.x.rate(), 0.25 * cos(s.m.time()));
  expect_nature(s.m, 1, "affine", false, false);
}

TEST(Check, AHomogeneousQuadraticIsNonlinearAndIdeal) {
  Space s(0.3, 0.4, 0.25);
  s.m.constrain("appell", pow(s.x.rate(), 2) + pow(s.y.rate(), 2), 4.0 * pow(s.z.rate(), 2));
  expect_nature(s.m, 1, "nonlinear", true, true);
}

TEST(Check, ParallelVelocitiesAreBilinearAndIdeal) {
  Model m;
  const Coordinate x1 = m.coordinate("x1", {0, 0.1}), y1 = m.coordinate("y1", {0, 0.7});
  const Coordinate x2 = m.coordinate("x2", {0, 0.3}), y2 = m.coordinate("y2", {0, 2.1});
  for (const Coordinate& q : {x1, y1, x2, y2}) m.mass(q, 1.0);
  m.constrain("parallel", x1.rate() * y2.rate() - x2.rate() * y1.rate());
  expect_nature(m, 1, "nonlinear", true, true);
}

TEST(Check, ConstantSpeedIsNonlinearAndNotIdeal) {
  Space s(0.36, 0.48, 0.8);
  s.m.constrain("speed", pow(s.x.rate(), 2) + pow(s.y.rate(), 2) + pow(s.z.rate(), 2), 1.0);
  expect_nature(s.m, 1, "nonlinear", true, false);
}

TEST(Check, AMovingHolonomicConstraintIsAffine) {
  Space s(1.0, 0, 0);
  s.m.constrain("drive", s.x, s.m.time());
  expect_nature(s.m, 0, "affine", false, false);
}

TEST(Check, AccelerationsDecideTheKindOfSecondOrder) {
  Space linear(1, 1);
  linear.m.constrain("even", linear.x.acceleration(), linear.y.acceleration());
  expect_nature(linear.m, 2, "linear", true, true);
  Space affine(1, 1);
  affine.m.constrain("spring", affine.x.acceleration(), -4.0 * affine.x);
  expect_nature(affine.m, 2, "affine", true, false);
}

TEST(Check, ANumberInPlaceOfAParameterDecides) {
  Space s;
  const Expr alpha = s.m.parameter("alpha", 0.0);
  s.m.constrain("plane", s.y.rate() - s.z * s.x.rate(), alpha);
  expect_nature(s.m, 1, "linear", true, true);
}

TEST(Check, RoundingInAVelocityThatVanishesIsNoWork) {
  Space s(1e-17, 0.5, 0, 0.6, 0.8);
  s.m.constrain("wall", s.x, 0.6);
  expect_nature(s.m, 0, "linear", true, true);
}

TEST(Check, TheMechanismsOfTheGalleryAreFineAndAgreeWithTheirFirstStep) {
  for (const auto& e : examples::gallery()) {
    const Model m = e.model();
    const System system(m);
    const CheckReport r = check(m, system, system.start());
    MotionOptions o;  // until = 0: the start itself
    const Trajectory motion = simulate(system, o);
    EXPECT_EQ(r.status, motion.stop) << e.name << " " << r.reason;
    EXPECT_EQ(r.degrees_of_freedom, static_cast<int>(system.velocity_names().size()) - r.rank) << e.name;
    EXPECT_EQ(r.instant.solution.rank, r.rank) << e.name;
  }
}

TEST(Check, ARodStatedThreeTimesIsRedundantInEachOfThem) {
  const CheckReport r = check(examples::pendulum_thrice());
  EXPECT_EQ(r.redundant.size(), 3u);
  EXPECT_EQ(r.rank, 1);
  EXPECT_EQ(r.degrees_of_freedom, 1);
  EXPECT_FALSE(r.admissible);
  EXPECT_TRUE(r.fine);
}

TEST(Check, NothingEqualsNothingIsRedundant) {
  Space s;
  s.m.constrain("wall", s.x);
  s.m.constrain("nothing", s.x - s.x, 0.0);
  const CheckReport r = check(s.m);
  EXPECT_EQ(r.redundant, std::vector<std::string>{"nothing"});
  EXPECT_FALSE(r.admissible);
  EXPECT_TRUE(r.fine);
}

TEST(Check, ARowOfAccelerationsDoesNotMakeOthersInadmissible) {
  Space s;
  s.m.constrain("wall", s.x);
  s.m.constrain("still", s.x.acceleration());
  const CheckReport r = check(s.m);
  EXPECT_EQ(r.redundant.size(), 2u);
  EXPECT_TRUE(r.admissible);
}

/// check and simulate say the same, with the same names.
void expect_as_simulated(const Model& m, const std::string& status, const std::vector<std::string>& names) {
  const System system(m);
  const CheckReport r = check(m, system, system.start());
  MotionOptions o;
  o.until = 1;
  const Trajectory motion = simulate(system, o);
  EXPECT_EQ(stop_name(r.status), status) << r.reason;
  EXPECT_EQ(r.names, names) << r.reason;
  EXPECT_FALSE(r.fine);
  EXPECT_EQ(stop_name(motion.stop), status) << motion.reason;
  EXPECT_EQ(motion.names, names) << motion.reason;
  EXPECT_EQ(motion.reason, r.reason);
  if (status == "contradiction") {
    EXPECT_EQ(r.contradicting, names);
  } else {
    EXPECT_TRUE(r.contradicting.empty());
  }
}

TEST(Check, EquationsThatCannotHoldAreNamedAtEveryLevel) {
  Space clock;
  clock.m.constrain("clock", clock.m.time(), 1.0);
  expect_as_simulated(clock.m, "contradiction", {"clock"});
  Space nothing;
  nothing.m.constrain("nothing", nothing.x - nothing.x, 1.0);
  expect_as_simulated(nothing.m, "contradiction", {"nothing"});
  Space places;
  places.m.constrain("here", places.x, 1.0);
  places.m.constrain("wall", places.y, 0.5);
  places.m.constrain("there", places.x, 2.0);
  expect_as_simulated(places.m, "contradiction", {"here", "there"});
  Space speeds;
  speeds.m.constrain("slow", speeds.x.rate(), 1.0);
  speeds.m.constrain("fast", 2.0 * speeds.x.rate(), 3.0);
  expect_as_simulated(speeds.m, "contradiction", {"slow", "fast"});
  Space pushes;
  pushes.m.constrain("soft", pushes.x.acceleration(), 1.0);
  pushes.m.constrain("other", pushes.y.acceleration(), 1.0);
  pushes.m.constrain("hard", pushes.x.acceleration(), 2.0);
  expect_as_simulated(pushes.m, "contradiction", {"soft", "hard"});
}

TEST(Check, AStartOffItsConstraintsIsMeasuredAndRepaired) {
  Space s(0.1, 0, 0, 1.1);
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2), 1.0);
  expect_as_simulated(s.m, "start", {"rod"});
  const CheckReport r = check(s.m);
  EXPECT_NEAR(r.start_position, 0.21, 1e-15);
  EXPECT_NEAR(r.start_velocity, 0.22, 1e-15);
  EXPECT_NEAR(r.instant.state.q[0], 1.0, 1e-15);
  EXPECT_EQ(r.degrees_of_freedom, 2);
}

TEST(Check, ContradictionsAreJudgedOnTheConstraints) {
  // Off the circle by 1e-9 the two rows differ; where the start is repaired to they do not.
  Space s(0, 0.5, 0, 1 + 1e-9);
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2), 1.0);
  s.m.constrain("again", pow(pow(s.x, 2) + pow(s.y, 2), 2), 1.0);
  const CheckReport r = check(s.m);
  EXPECT_TRUE(r.fine) << r.reason;
  EXPECT_EQ(r.redundant.size(), 2u);
}

TEST(Check, MassesThatLeaveAccelerationsOpenAreNamed) {
  Model m;
  const Coordinate x = m.coordinate("x"), s = m.coordinate("s");
  m.mass(x, 1.0);
  m.mass(s, 0.0);
  expect_as_simulated(m, "singular", {"s"});
  m.constrain("follows", s, 2 * x);
  EXPECT_TRUE(check(m).fine);
  EXPECT_EQ(check(m).degrees_of_freedom, 1);
}

TEST(Check, AStartThatIsNoNumberIsNamed) {
  Space s;
  const System system(s.m);
  State start = system.start();
  start.v[1] = INFINITY;
  const CheckReport r = check(s.m, system, start);
  EXPECT_EQ(r.status, Stop::not_finite);
  EXPECT_EQ(r.names, std::vector<std::string>{"y'"});
  EXPECT_EQ(r.reason, "the start of 'y'' is inf");
}

TEST(Check, ForcesThatAreNoNumbersAreNamed) {
  Space s;
  s.m.force(s.x, log(s.x));
  expect_as_simulated(s.m, "not_finite", {"x"});
}

/// A q'' = b and M q'' = Q of a reference case as a model: rows on accelerations.
Model instant_model(const Equations& e) {
  Model m;
  std::vector<Coordinate> q;
  for (int i = 0; i < e.coordinates(); ++i) q.push_back(m.coordinate("q" + std::to_string(i)));
  const std::vector<double> M = e.M.dense(), A = e.A.dense();
  for (int i = 0; i < e.coordinates(); ++i) {
    m.force(q[i], e.Q[i]);
    for (int j = 0; j <= i; ++j)
      if (M[i * e.coordinates() + j] != 0 && i != j) m.mass(q[i], q[j], M[i * e.coordinates() + j]);
    m.mass(q[i], M[i * e.coordinates() + i]);
    if (!e.C.empty()) m.nonideal(q[i], e.C[i]);
  }
  for (int r = 0; r < e.rows(); ++r) {
    Expr left = 0;
    for (int i = 0; i < e.coordinates(); ++i) left += A[r * e.coordinates() + i] * q[i].acceleration();
    m.constrain("c" + std::to_string(r), left, e.b[r]);
  }
  return m;
}

TEST(Check, TheReferenceInstantsAreAnsweredWithTheirRankAndRedundancy) {
  // f01-f03: rows 0 and 1 are parallel, row 3 is row 0 plus row 2; f04: row 1 is 0 = 0.
  const std::vector<std::string> all{"c0", "c1", "c2", "c3"};
  for (const char* name :
       {"f01-redundant-consistent", "f02-redundant-nonideal", "f03-inconsistent", "f04-zero-row"}) {
    const auto file = reference::read(name);
    const auto& expected = file["reference"][0];
    const Model m = instant_model(reference::equations(file["parameters"]));
    const CheckReport r = check(m);
    const bool zero_row = std::string(name) == "f04-zero-row",
               broken = std::string(name) == "f03-inconsistent";
    EXPECT_EQ(r.rank, static_cast<int>(reference::number(expected["rank_A"]))) << name;
    EXPECT_EQ(r.redundant, zero_row ? std::vector<std::string>{"c1"} : all) << name;
    EXPECT_EQ(r.status, broken ? Stop::contradicting : Stop::end) << name;
    const std::vector<std::string> fighting{"c0", "c1"};
    EXPECT_EQ(r.contradicting, broken ? fighting : std::vector<std::string>()) << name;
    const auto a = reference::numbers(expected["acceleration"]);
    for (std::size_t i = 0; i < a.size(); ++i)  // a dozen roundings of numbers of size 1
      EXPECT_NEAR(r.instant.solution.acceleration[i], a[i], 1e-14) << name;
  }
}

TEST(Check, OneMoreDemandLeavesTheDimensionOfReferenceK01) {
  const auto data = reference::read("k01-nonuniqueness-dimension");
  for (const auto& row : data["reference"]) {
    const int n = static_cast<int>(reference::number(row["n"])),
              k = static_cast<int>(reference::number(row["k"]));
    const auto v = reference::numbers(row["v"]);
    const std::vector<double> M = reference::matrix(row["M"]).dense(),
                              B = reference::matrix(row["B"]).dense();
    Model m;
    std::vector<Coordinate> q;
    for (int i = 0; i < n; ++i) q.push_back(m.coordinate("q" + std::to_string(i), {0, v[i]}));
    Expr power = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        power += M[i * n + j] * v[j] * q[i].acceleration();
        if (j < i) m.mass(q[i], q[j], M[i * n + j]);
        if (j == i) m.mass(q[i], M[i * n + i]);
      }
    for (int r = 0; r < k; ++r) {
      Expr left = 0;
      for (int i = 0; i < n; ++i) left += B[r * n + i] * q[i].rate();
      m.constrain("c" + std::to_string(r), left);
    }
    m.constrain("workless", power);
    const CheckReport c = check(m);
    EXPECT_EQ(c.degrees_of_freedom, static_cast<int>(reference::number(row["dimension"])));
    EXPECT_TRUE(c.admissible);
    for (int r = 0; r < k; ++r) {
      EXPECT_EQ(c.constraints[r].kind, ConstraintKind::linear);
      EXPECT_TRUE(c.constraints[r].ideal);
    }
  }
}

TEST(Check, ThePowersBalanceTheEnergy) {
  // A bead pushed along a wire that moves: dE/dt by a central difference of the energy along the motion
  // itself.
  Space s(0.5, 0.3, 0, 0, 0);
  s.m.force(s.x, 2.0 - s.x.rate());
  s.m.potential(9.81 * s.y);
  s.m.constrain("wire", s.y, 0.1 * s.x * s.x + 0.3 * s.m.time());
  s.m.nonideal(s.x, -0.2 * s.x.rate());
  const System system(s.m);
  const Instant at = examine(s.m, system, system.start());
  MotionOptions o;
  o.tolerance = 1e-12;
  const double h = 1e-3;
  double energy[2];
  for (const int side : {0, 1}) {
    o.until = side ? h : -h;
    energy[side] = simulate(system, o).energy_end;
  }
  // h^2/6 of a third derivative of size ten, and 1e-13 of the energy over h.
  EXPECT_NEAR((energy[1] - energy[0]) / (2 * h), at.power_impressed + at.power_constraint + at.power_nonideal,
              1e-5);
  EXPECT_GT(std::fabs(at.power_constraint), 0.1);
  EXPECT_DOUBLE_EQ(at.power_impressed, 0.5 * (2.0 - 0.5));
}

/// A verdict that the first step of a run denies is none.
TEST(Check, WhatTheRunCannotBeginIsNotFine) {
  const auto expect_as_run = [](const Model& m, const char* status) {
    const System system(m);
    MotionOptions how;
    how.until = 1.0;
    const Trajectory motion = simulate(system, how);
    const CheckReport r = check(m, system, system.start(), how);
    EXPECT_EQ(stop_name(r.status), status) << r.reason;
    EXPECT_EQ(r.status, motion.stop);
    EXPECT_EQ(r.reason, motion.reason);
    EXPECT_EQ(r.names, motion.names);
    EXPECT_FALSE(r.fine);
    EXPECT_EQ(check_page(system, r).find("can begin"), std::string::npos);
  };
  Space wall;  // x^2 = 0 has no row to hold the force with
  wall.m.force(wall.x, 1.0);
  wall.m.constrain("wall", pow(wall.x, 2), 0.0);
  expect_as_run(wall.m, "step");
  Space still;  // nor has x'^2 + y'^2 = 0
  still.m.force(still.x, 1.0);
  still.m.constrain("still", pow(still.x.rate(), 2) + pow(still.y.rate(), 2), 0.0);
  expect_as_run(still.m, "step");
}

TEST(Check, ZeroRowsThatNothingPushesMayBegin) {
  Space s(0, 1, 0);
  s.m.force(s.y, 1.0);
  s.m.constrain("wall", pow(s.x, 2), 0.0);
  EXPECT_TRUE(check(s.m).fine);
}

/// Both ask for x'' = 0 at the start, and for different things ever after.
TEST(Check, RowsOnAccelerationsThatPartAtOnceCannotBegin) {
  for (const bool of_place : {true, false}) {
    Space s;
    s.m.constrain("first", of_place ? Expr(s.x) : s.x.acceleration());
    s.m.constrain("second", s.x.acceleration(), s.m.time());
    const CheckReport report = check(s.m);
    EXPECT_FALSE(report.fine) << of_place;
    EXPECT_EQ(report.status, Stop::contradicting) << of_place;
    EXPECT_EQ(report.contradicting, (std::vector<std::string>{"first", "second"})) << of_place;
  }
  Space s;
  s.m.constrain("first", s.x);
  s.m.constrain("second", s.x.acceleration());
  EXPECT_TRUE(check(s.m).fine) << "one follows from the other";
}

/// Each constraint holds one direction nothing else holds, and shares another.
TEST(CheckPage, RowsMayBeRedundantWhereNoConstraintIs) {
  Space s;
  s.m.constrain("a", Vector{s.x, s.y, 0.0});
  s.m.constrain("b", Vector{s.y, s.z, 0.0});
  const System system(s.m);
  const CheckReport r = check(s.m, system, system.start());
  EXPECT_EQ(r.rank, 3);
  EXPECT_TRUE(r.redundant.empty());
  EXPECT_EQ(r.redundant_rows.size(), 3u);  // two that say 0 = 0, and one of the two that hold y
  const std::string page = check_page(system, r);
  EXPECT_NE(page.find("3 rows are redundant, though no constraint is as a whole: "), page.npos) << page;
  EXPECT_EQ(page.find("No constraint is redundant"), page.npos) << page;
}

TEST(CheckPage, NamesWhatItFound) {
  Space s(0, 0, 0, 0.6, 0.8);
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2), 1.0);
  s.m.constrain("again", 2 * pow(s.x, 2) + 2 * pow(s.y, 2), 2.0);
  const System system(s.m);
  const std::string page = check_page(system, check(s.m, system, system.start()));
  EXPECT_EQ(page,
            "2 degrees of freedom: 3 velocities and 2 constraint rows of rank 1\n"
            "Without any one of these the rank stays the same: rod and again\n"
            "No contradiction at the start\n"
            "Not admissible at this state: the rows of orders 0 and 1 depend on each other\n"
            "  'again' follows from 'rod'\n"
            "\nThe constraints\n"
            "  rod        of positions, linear in the velocities, scleronomic, ideal, redundant\n"
            "  again      of positions, linear in the velocities, scleronomic, ideal, redundant\n"
            "  linear: differentiated once, every term has one velocity as a factor ('rod' and 'again')\n"
            "  ideal: t does not occur in it, so A v is its derivative, which is 0 ('rod' and 'again')\n"
            "\nThe start misses its constraints by at most 0 (positions) and 0 (velocities): consistent\n"
            "\nThe motion can begin.\n");
}

TEST(CheckPage, SaysWhenTheRankIsACloseDecision) {
  Space s;
  s.m.constrain("one", s.x.acceleration(), 0.0);
  s.m.constrain("two", s.x.acceleration() + 1e-9 * s.y.acceleration(), 0.0);
  const System system(s.m);
  const CheckReport r = check(s.m, system, system.start());
  EXPECT_EQ(r.rank, 2);
  const std::string page = check_page(system, r);
  EXPECT_NE(page.find("The rank is a close decision: a singular value of the rows is 5.0e-10 of the largest"),
            std::string::npos)
      << page;
}

TEST(Check, OfRowsThatAreNotFiniteNothingElseIsSaid) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0}), y = m.coordinate("y", {0, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("c", sqrt(pow(x, 2) + pow(y, 2)), 0.0);
  const System system(m);
  const std::string page = check_page(system, check(m, system, system.start()));
  EXPECT_NE(page.find("not a finite number"), page.npos) << page;
  for (const char* claim : {"dmissible", "deal", "No contradiction", "can begin"})
    EXPECT_EQ(page.find(claim), page.npos) << claim << "\n" << page;
}

}  // namespace
}  // namespace vinculum
