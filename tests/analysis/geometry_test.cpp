// The geometry of constraints (Jalnapurkar, after Vershik): natures with their reasons, the power identity,
// and what "does no work" alone would leave open.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <random>

#include "equation/dense/dense.hpp"
#include "equation/reference.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/analysis/explain.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using dense::to_vector;

bool has(const std::string& page, const std::string& line) { return page.find(line) != std::string::npos; }

Instant at_start(const Model& m) {
  const System system(m);
  return examine(m, system, system.start());
}

/// Unit masses at x, y, z with velocities.
struct Space {
  Model m;
  Coordinate x, y, z;
  explicit Space(std::array<double, 3> place, std::array<double, 3> speed) {
    x = m.coordinate("x", {place[0], speed[0]});
    y = m.coordinate("y", {place[1], speed[1]});
    z = m.coordinate("z", {place[2], speed[2]});
    for (const Coordinate& q : {x, y, z}) m.mass(q, 1.0);
  }
};

// --- Reference k02, row by row: kind, ideal, admissible, and the reason in words.
// -----------------------------------------------------------------------------------------------------------

ConstraintNature nature(const Model& m) { return at_start(m).constraints.at(0); }

/// What multiplies t by zero has t in it, and is ideal for a reason that is so.
TEST(Geometry, TimeThatChangesNothingOccursAndDoesNoWork) {
  Space s({0.6, 0.8, 0}, {-0.8, 0.6, 0});
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2) + 0 * s.m.time(), 1.0);
  const ConstraintNature c = nature(s.m);
  EXPECT_TRUE(c.ideal);
  EXPECT_FALSE(c.scleronomic);
  EXPECT_EQ(c.reason.scleronomic, "t occurs in it");
  EXPECT_EQ(c.reason.ideal, "t occurs in it, but changes nothing, so A v is its derivative, which is 0");
}

TEST(Geometry, K02ARodDifferentiatedIsLinearIdealAndAdmissibleOffItsCentre) {
  Space s({0.6, 0.8, 0}, {-0.8, 0.6, 0});
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2), 1.0);
  const ConstraintNature c = nature(s.m);
  EXPECT_EQ(c.kind, ConstraintKind::linear);
  EXPECT_TRUE(c.ideal);
  EXPECT_TRUE(c.admissible);
  EXPECT_EQ(c.reason.kind, "differentiated once, every term has one velocity as a factor");
  EXPECT_EQ(c.reason.ideal, "t does not occur in it, so A v is its derivative, which is 0");
  EXPECT_EQ(c.reason.scleronomic, "t does not occur in it");
  // The last row of k02: as a function of positions alone it is horizontal.
  EXPECT_EQ(
      c.reason.admissible,
      "differentiated, its row of A is not zero here; as it stands, on positions alone, it is horizontal "
      "and no force keeps it");
}

TEST(Geometry, K02AtItsCentreTheRodOfNoLengthIsNotAdmissible) {
  Space s({0, 0, 0}, {0, 0, 0});
  s.m.constrain("point", pow(s.x, 2) + pow(s.y, 2), 0.0);
  const ConstraintNature c = nature(s.m);
  EXPECT_FALSE(c.admissible);
  EXPECT_EQ(c.reason.admissible, "its row of A is zero here: no force can keep it");
}

TEST(Geometry, K02APfaffianFormIsLinearIdealAndAdmissible) {
  Space s({0, 0, 0.7}, {0.3, 0.21, 0.4});
  s.m.constrain("plane", s.y.rate() - s.z * s.x.rate());
  const ConstraintNature c = nature(s.m);
  EXPECT_EQ(c.kind, ConstraintKind::linear);
  EXPECT_TRUE(c.ideal);
  EXPECT_TRUE(c.admissible);
  EXPECT_EQ(c.reason.kind, "every term has one velocity as a factor");
  EXPECT_EQ(c.reason.ideal, "linear and homogeneous in the velocities, so A v = 0 (Euler)");
  EXPECT_EQ(c.reason.admissible, "its row of A is not zero here");
}

TEST(Geometry, K02WithADriveItIsAffineAndWorksByAlpha) {
  Space s({0, 0, 0.7}, {0.3, 0.46, 0.4});
  s.m.constrain("plane", s.y.rate() - s.z * s.x.rate(), 0.25 * cos(s.m.time()));
  const ConstraintNature c = nature(s.m);
  EXPECT_EQ(c.kind, ConstraintKind::affine);
  EXPECT_FALSE(c.ideal);
  EXPECT_FALSE(c.scleronomic);
  EXPECT_TRUE(c.admissible);
  EXPECT_EQ(c.reason.scleronomic, "t occurs in it");
  EXPECT_EQ(c.reason.kind, "it is linear but for the part '-0.25*cos(t)' free of velocities");
  EXPECT_EQ(c.reason.ideal,
            "A v = 0.25 here, since the equation has the part '-0.25*cos(t)' free of velocities");
}

TEST(Geometry, K02AHomogeneousQuadraticIsNonlinearIdealAndAdmissibleWhileItMoves) {
  Space s({0, 0, 0}, {0.3, 0.4, 0.25});
  s.m.constrain("appell", pow(s.x.rate(), 2) + pow(s.y.rate(), 2), 4.0 * pow(s.z.rate(), 2));
  const ConstraintNature c = nature(s.m);
  EXPECT_EQ(c.kind, ConstraintKind::nonlinear);
  EXPECT_TRUE(c.ideal);
  EXPECT_TRUE(c.admissible);
  EXPECT_EQ(c.reason.kind, "the coefficient of x' depends on velocities");
  EXPECT_EQ(c.reason.ideal, "homogeneous in the velocities, so A v is a multiple of it, 0 (Euler)");
  Space still({0, 0, 0}, {0, 0, 0});
  still.m.constrain("appell", pow(still.x.rate(), 2) + pow(still.y.rate(), 2), 4.0 * pow(still.z.rate(), 2));
  EXPECT_FALSE(nature(still.m).admissible);
}

TEST(Geometry, K02ParallelVelocitiesAreBilinearAndIdeal) {
  Model m;
  const Coordinate x1 = m.coordinate("x1", {0, 0.1}), y1 = m.coordinate("y1", {0, 0.7});
  const Coordinate x2 = m.coordinate("x2", {0, 0.3}), y2 = m.coordinate("y2", {0, 2.1});
  for (const Coordinate& q : {x1, y1, x2, y2}) m.mass(q, 1.0);
  m.constrain("parallel", x1.rate() * y2.rate() - x2.rate() * y1.rate());
  const ConstraintNature c = nature(m);
  EXPECT_EQ(c.kind, ConstraintKind::nonlinear);
  EXPECT_TRUE(c.ideal);
  EXPECT_TRUE(c.admissible);
}

TEST(Geometry, K02ConstantSpeedIsNotIdealAndWorksByTwiceItsSquare) {
  Space s({0, 0, 0}, {0.36, 0.48, 0.8});
  s.m.constrain("speed", pow(s.x.rate(), 2) + pow(s.y.rate(), 2) + pow(s.z.rate(), 2), 1.0);
  const ConstraintNature c = nature(s.m);
  EXPECT_EQ(c.kind, ConstraintKind::nonlinear);
  EXPECT_FALSE(c.ideal);
  EXPECT_TRUE(c.admissible);
  EXPECT_EQ(c.reason.ideal, "A v = 2 here, since it is not homogeneous in the velocities");
}

TEST(Geometry, AtRestEveryConstraintIsWithoutWorkAndSaysWhy) {
  Space s({0, 0, 0}, {0, 0, 0});
  s.m.constrain("still", s.x.acceleration(), -4.0 * s.x);
  EXPECT_EQ(nature(s.m).reason.ideal,
            "nothing moves at this state, so A v = 0; at other states that satisfy it A v is not 0");
}

TEST(Geometry, RowsOfOneConstraintThatDependOnEachOtherAreNotAdmissible) {
  Space s({0, 0, 0}, {0, 0, 0});
  s.m.constrain("pin", Vector{s.x, s.y, s.x + s.y});
  const Instant at = at_start(s.m);
  EXPECT_FALSE(at.constraints[0].admissible);
  EXPECT_EQ(at.constraints[0].reason.admissible, "its rows of A depend on each other here");
  ASSERT_EQ(at.dependent.size(), 1u);
  EXPECT_EQ(at.dependent[0].row, 2);
  EXPECT_EQ(at.dependent[0].on, (std::vector<int>{0, 1}));
  const System system(s.m);
  EXPECT_TRUE(has(explain(system, at),
                  "Not admissible at this state: the rows of orders 0 and 1 depend on each other\n"
                  "  'pin[2]' follows from 'pin[0]' and 'pin[1]'\n"))
      << explain(system, at);
}

TEST(Geometry, ARowOnAccelerationsBetweenThemDoesNotHideWhoDependsOnWhom) {
  Space s({0, 0, 0}, {0, 0, 0});
  s.m.constrain("force", s.x.acceleration());
  s.m.constrain("wall", s.x);
  s.m.constrain("again", 2.0 * s.x.rate());
  const Instant at = at_start(s.m);
  EXPECT_FALSE(at.admissible);
  ASSERT_EQ(at.dependent.size(), 1u);
  EXPECT_EQ(at.dependent[0].row, 2);
  EXPECT_EQ(at.dependent[0].on, (std::vector<int>{1}));
  EXPECT_DOUBLE_EQ(at.dependent[0].weight[0], 2.0);
}

// --- The power identity.
// -----------------------------------------------------------------------------------------------------------

TEST(Geometry, EveryPowerHasItsPartInTheChangeOfTheEnergy) {
  // A bead on a wire that moves, with a mass that grows, a driven potential, drag, and a push.
  Model m;
  const Coordinate x = m.coordinate("x", {0.2, 0.5}), y = m.coordinate("y", {0.004, 0.32});
  for (const Coordinate& q : {x, y}) m.mass(q, 2.0 + 0.5 * m.time());
  m.force(x, 2.0 - x.rate());
  m.potential(9.81 * y * (1.0 + 0.1 * sin(m.time())));
  m.constrain("wire", y, 0.1 * x * x + 0.3 * m.time());
  m.nonideal(x, -0.2 * x.rate());
  const Instant at = at_start(m);
  // By hand at t = 0: dE/dt explicit = 1/2 m' v^2 + dV/dt.
  EXPECT_NEAR(at.power_explicit, 0.5 * 0.5 * (0.25 + 0.32 * 0.32) + 9.81 * 0.004 * 0.1, 1e-15);
  EXPECT_DOUBLE_EQ(at.power_impressed, 0.5 * 1.5);
  EXPECT_TRUE(at.power_balance.holds()) << at.power_balance.value << " " << at.power_balance.bound;
  EXPECT_NEAR(at.energy_rate,
              at.power_impressed + at.power_constraint + at.power_nonideal + at.power_explicit, 1e-13);
  EXPECT_NEAR(at.constraints[0].power, at.power_constraint, 1e-14);
  EXPECT_GT(std::fabs(at.power_constraint), 0.1);
  const System system(m);
  const std::string page = explain(system, at);
  EXPECT_TRUE(has(page, "  constraints that do work on this motion: 'wire' ")) << page;
  EXPECT_TRUE(has(page, "  the energy changes by the powers ")) << page;
  EXPECT_FALSE(has(page, "FAILS")) << page;
}

/// Random numbers of one drawn seed.
class Draw {
 public:
  Draw() : engine_(static_cast<std::uint64_t>(*rc::gen::arbitrary<std::uint64_t>())) {}
  double operator()(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(engine_); }

 private:
  std::mt19937_64 engine_;
};

/// A random system whose constraints are linear in the velocities but for a free part: row k holds the last
/// velocity but k, so that a start can be found by hand.
struct Random {
  Model m;
  std::vector<Coordinate> q;
  std::vector<double> place, speed;
  std::vector<double> free_part;  // of each constraint

  explicit Random(Draw& draw) {
    const int n = 2 + draw.below(4), rows = 1 + draw.below(n - 1);
    for (int i = 0; i < n; ++i) {
      place.push_back(draw());
      speed.push_back(draw());
    }
    // Row k: sum over i < n - k of (alpha + beta sin(q_j)) v_i = gamma; the rows later fix earlier
    // velocities.
    std::vector<std::vector<std::array<double, 3>>> part(rows);
    for (int k = 0; k < rows; ++k) {
      free_part.push_back(draw.below(2) ? 0.0 : draw(0.3, 1.0));
      for (int i = 0; i < n - k; ++i)
        part[k].push_back({i == n - k - 1 ? draw(1.5, 2.0) : draw(), 0.5 * draw(), draw.below(n) + 0.0});
    }
    for (int k = rows - 1; k >= 0; --k) {
      double rest = free_part[k], own = 1.0;
      for (int i = 0; i < n - k; ++i) {
        const auto& [alpha, beta, of] = part[k][i];
        const double a = alpha + beta * std::sin(place[static_cast<int>(of)]);
        if (i == n - k - 1)
          own = a;
        else
          rest -= a * speed[i];
      }
      speed[n - k - 1] = rest / own;
    }
    for (int i = 0; i < n; ++i) q.push_back(m.coordinate("q" + std::to_string(i), {place[i], speed[i]}));
    state_motion(draw);
    for (int k = 0; k < rows; ++k) {
      Expr phi = -free_part[k];
      for (std::size_t i = 0; i < part[k].size(); ++i) {
        const auto& [alpha, beta, of] = part[k][i];
        phi += (alpha + beta * sin(q[static_cast<int>(of)])) * q[i].rate();
      }
      m.constrain("c" + std::to_string(k), phi);
    }
  }

  /// An energy with terms of all degrees and with time, or masses of position and time; forces; C.
  void state_motion(Draw& draw) {
    const int n = static_cast<int>(q.size());
    const Expr t = m.time();
    const bool energy = draw.below(2);
    Expr L = 0;
    for (int i = 0; i < n; ++i) {
      const Expr mass = draw(1.0, 3.0) + draw(0.0, 0.5) * pow(sin(q[draw.below(n)] + draw() * t), 2);
      if (energy)
        L += 0.5 * mass * pow(q[i].rate(), 2) + draw() * cos(q[draw.below(n)]) * q[i].rate() -
             draw() * sin(q[i] * (1.0 + 0.3 * t));
      else
        m.mass(q[i], mass);
      m.force(q[i], draw() - draw(0.0, 1.0) * q[i].rate());
      if (draw.below(2)) m.nonideal(q[i], draw() * q[i].rate());
    }
    if (energy)
      m.lagrangian(L + 0.2 * cos(q[0] - q[1]) * q[0].rate() * q[1].rate());
    else
      m.potential(draw() * q[0] * q[1] * cos(t));
  }
};

RC_GTEST_PROP(GeometryProperties, TheEnergyChangesByThePowersOfAllForces, ()) {
  Draw draw;
  const Random random(draw);
  const Instant at = at_start(random.m);
  RC_ASSERT(at.solution.status == Status::solved);
  RC_LOG() << at.power_balance.value << " of " << at.power_balance.bound << std::endl;
  RC_ASSERT(at.power_balance.holds());
  double by_constraint = 0, terms = 0;
  for (const ConstraintNature& c : at.constraints) by_constraint += c.power;
  for (std::size_t i = 0; i < at.state.v.size(); ++i)
    terms += std::fabs(at.state.v[i]) * std::fabs(at.solution.constraint_force[i]);
  for (std::size_t r = 0; r < at.solution.multipliers.size(); ++r)
    terms += std::fabs(at.solution.multipliers[r]);
  RC_ASSERT(std::fabs(by_constraint - at.power_constraint) <= 1e-13 * terms);
}

RC_GTEST_PROP(GeometryProperties, ALinearConstraintIsIdealAndAnAffineOneIsNot, ()) {
  Draw draw;
  const Random random(draw);
  const Instant at = at_start(random.m);
  for (std::size_t k = 0; k < random.free_part.size(); ++k) {
    const bool affine = random.free_part[k] != 0.0;
    RC_ASSERT(kind_name(at.constraints[k].kind) == (affine ? "affine" : "linear"));
    RC_ASSERT(at.constraints[k].ideal == !affine);
    RC_ASSERT(at.constraints[k].admissible);
  }
}

RC_GTEST_PROP(GeometryProperties, TheForceOfAnIdealConstraintDoesNoWorkOnAnyLift, ()) {
  // Theorem 3.1: at every state on the constraint, whatever the multiplier.
  Draw draw;
  const Random random(draw);
  const Instant at = at_start(random.m);
  const SparseMatrix& A = at.equations.A;
  for (int r = 0; r < A.rows; ++r) {
    const double lambda = draw(-100.0, 100.0);
    double power = 0, terms = 0;
    for (int k = A.start[r]; k < A.start[r + 1]; ++k) {
      power += lambda * A.value[k] * at.state.v[A.column[k]];
      terms += std::fabs(lambda * A.value[k] * at.state.v[A.column[k]]);
    }
    if (at.constraints[r].ideal) RC_ASSERT(std::fabs(power) <= 1e-13 * terms);
    // On an affine one it is what its free part makes of it.
    RC_ASSERT(std::fabs(power - lambda * random.free_part[r]) <= 1e-13 * (terms + std::fabs(lambda)));
  }
}

// --- Section 5: what "no work on the actual motion" leaves open.
// -----------------------------------------------------------------------------------------------------------

/// Linear constraints B v = 0 between masses M.
Model linear_system(const std::vector<double>& M, const std::vector<double>& B,
                    const std::vector<double>& v) {
  const int n = static_cast<int>(v.size()), k = static_cast<int>(B.size()) / n;
  Model m;
  std::vector<Coordinate> q;
  for (int i = 0; i < n; ++i) q.push_back(m.coordinate("q" + std::to_string(i), {0, v[i]}));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      if (M[i * n + j] != 0) m.mass(q[i], q[j], M[i * n + j]);
    m.mass(q[i], M[i * n + i]);
    m.force(q[i], 1.0 + i);
  }
  for (int r = 0; r < k; ++r) {
    Expr left = 0;
    for (int i = 0; i < n; ++i) left += B[r * n + i] * q[i].rate();
    m.constrain("c" + std::to_string(r), left);
  }
  return m;
}

/// The example keeps the constraints, does no work on the motion, and is not F^L.
void expect_example(const Instant& at) {
  const dense::Problem e = dense::to_problem(at.equations);
  const dense::Vector force = to_vector(at.workless.example), v = to_vector(at.state.v);
  ASSERT_EQ(force.size(), v.size());
  const dense::Vector ideal = to_vector(at.solution.constraint_force);
  const dense::Vector q = e.M.ldlt().solve(e.Q + force);
  const double size = force.norm() + e.Q.norm();
  EXPECT_LE((e.A * q - e.b).norm(), 1e-13 * (e.A.norm() * q.norm() + e.b.norm()));
  EXPECT_LE(std::fabs(force.dot(v)), 1e-13 * size * v.norm());
  EXPECT_GT((force - ideal).norm(), 0.1 * std::max(1.0, ideal.norm()));
}

TEST(Geometry, K01TheSetOfWorklessForcesHasItsDimension) {
  const auto data = reference::read("k01-nonuniqueness-dimension");
  for (const auto& row : data["reference"]) {
    const auto v = reference::numbers(row["v"]);
    const int n = static_cast<int>(v.size()), k = static_cast<int>(reference::number(row["k"]));
    const std::vector<double> M = reference::matrix(row["M"]).dense(),
                              B = reference::matrix(row["B"]).dense();
    const Instant at = at_start(linear_system(M, B, v));
    ASSERT_TRUE(at.workless.known);
    EXPECT_EQ(at.workless.dimension, static_cast<int>(reference::number(row["dimension"])));
    EXPECT_FALSE(at.workless.empty);
    if (at.workless.dimension > 0)
      expect_example(at);
    else
      EXPECT_TRUE(at.workless.example.empty());
    // At rest the power asks nothing: n - k.
    const Instant still = at_start(linear_system(M, B, std::vector<double>(n, 0.0)));
    EXPECT_EQ(still.workless.dimension, n - k);
    EXPECT_FALSE(still.workless.empty);
    expect_example(still);
  }
}

TEST(Geometry, ADriveOfTheWholeMotionLeavesNoForceWithoutWork) {
  Space s({0, 0, 0}, {1, 0, 0});
  s.m.constrain("drive", s.x, s.m.time() + 0.5 * pow(s.m.time(), 2));
  const Instant at = at_start(s.m);
  EXPECT_TRUE(at.workless.known);
  EXPECT_TRUE(at.workless.empty);
  const System system(s.m);
  EXPECT_TRUE(
      has(explain(system, at), "No force that keeps these constraints is without work on this motion"));
}

TEST(Geometry, ADriveOfAPartLeavesWorklessForcesThatAreNotLagrangeS) {
  Space s({0, 0, 0}, {1, 2, 0});
  s.m.constrain("drive", s.x, s.m.time() + 0.5 * pow(s.m.time(), 2));
  const Instant at = at_start(s.m);
  EXPECT_FALSE(at.workless.empty);
  EXPECT_EQ(at.workless.dimension, 1);
  EXPECT_NEAR(at.power_constraint, 1.0, 1e-15);  // F^L is not among them
  expect_example(at);
}

TEST(Geometry, WhereOneWorklessForceIsLeftAndFLHasPowerThePageNamesBoth) {
  // x sin 2t = y cos 2t at t = 0 with x = 1: y' = 2 x, and y'' = 4 x' beside the free -1.
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0.3}), y = m.coordinate("y", {0, 2});
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("line", x * sin(2 * m.time()), y * cos(2 * m.time()));
  const Instant at = at_start(m);
  EXPECT_EQ(at.workless.dimension, 0);
  EXPECT_FALSE(at.workless.holds_ideal);
  EXPECT_NEAR(at.power_constraint, 1.2 * 2, 1e-14);  // F^L = (0, 4 x') on y' = 2
  expect_example(at);
  const std::string page = explain(System(m), at);
  EXPECT_TRUE(has(page, "do no work on this motion: one only: -8 on x and 1.2 on y.\n")) << page;
  EXPECT_TRUE(has(page,
                  "F^L is none of them: it does no work in virtual displacements, but its power on this "
                  "motion is 2.4.\n"))
      << page;
  EXPECT_FALSE(has(page, "this alone decides")) << page;
}

TEST(Geometry, FLIsNotCalledOneOfASetItDoesNotBelongTo) {
  Space s({0, 0, 0}, {1, 2, 0});
  s.m.constrain("drive", s.x, s.m.time() + 0.5 * pow(s.m.time(), 2));
  const Instant at = at_start(s.m);
  EXPECT_FALSE(at.workless.holds_ideal);
  const std::string page = explain(System(s.m), at);
  EXPECT_TRUE(has(page, "a set of 1 dimension, one of them: ")) << page;
  EXPECT_TRUE(has(page, "F^L is none of them")) << page;
}

TEST(Geometry, WhereOneForceWithoutWorkIsLeftItIsFL) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 1});
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("rod", x * x + y * y, 1.0);
  const Instant at = at_start(m);
  EXPECT_TRUE(at.workless.holds_ideal);
  EXPECT_TRUE(has(explain(System(m), at), "one only, F^L, so that this alone decides.\n"));
}

TEST(Geometry, APowerThatAnotherNormWouldShareOtherwiseSaysSoOnItsLine) {
  // The same moving wall twice: each carries half of the load by the least norm.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 1});
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.force(x, -4.0);
  m.constrain("wall", x, m.time());
  m.constrain("other", x, m.time());
  m.constrain("third", y, m.time());
  m.force(y, 1.0);
  const Instant at = at_start(m);
  EXPECT_FALSE(at.constraints[0].power_unique);
  EXPECT_FALSE(at.constraints[1].power_unique);
  EXPECT_TRUE(at.constraints[2].power_unique);
  const std::string page = explain(System(m), at);
  EXPECT_TRUE(has(page, "'wall' 2 (a matter of the norm), 'other' 2 (a matter of the norm) and 'third' -1\n"))
      << page;
}

TEST(Geometry, WithASingularMassNothingIsSaidOfWorklessForces) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), s = m.coordinate("s", {0, 2});
  m.mass(x, 1.0);
  m.mass(s, 0.0);
  m.constrain("follows", s, 2 * x);
  const Instant at = at_start(m);
  EXPECT_FALSE(at.workless.known);
  EXPECT_TRUE(std::isnan(at.orthogonality));
  EXPECT_TRUE(std::isnan(at.solution.extended_gaussian));
}

// --- The split of forces, and multipliers by name.
// -----------------------------------------------------------------------------------------------------------

TEST(Geometry, ThePartsOfTheForceAddUpAndAreAtRightAngles) {
  Space s({0.6, 0.8, 0}, {-0.8, 0.6, 0.5});
  s.m.force(s.y, -9.81);
  s.m.constrain("rod", pow(s.x, 2) + pow(s.y, 2), 1.0);
  s.m.nonideal(s.x, -1.0);
  s.m.nonideal(s.z, 0.5);
  const Instant at = at_start(s.m);
  const dense::Vector sum = to_vector(at.equations.Q) + to_vector(at.solution.constraint_force) +
                            to_vector(at.solution.nonideal_force);
  EXPECT_LE((sum - to_vector(at.solution.acceleration)).norm(), 1e-14 * sum.norm());  // unit masses
  // C less its part along the rod.
  EXPECT_NEAR(at.solution.nonideal_force[0], -1.0 + 0.36, 1e-15);
  EXPECT_NEAR(at.solution.nonideal_force[1], 0.48, 1e-15);
  EXPECT_NEAR(at.solution.nonideal_force[2], 0.5, 1e-15);
  EXPECT_NEAR(at.orthogonality, 0.0, 1e-15);
  const System system(s.m);
  const std::string page = explain(system, at);
  EXPECT_TRUE(has(page, "M q'' = F^N + F^L + F^C")) << page;
  EXPECT_TRUE(has(page, "the virtual work of all forces is that of C")) << page;
  EXPECT_FALSE(has(page, "FAILS")) << page;
}

/// A plate at height h with tilts a and b on legs at the corners of a square, or on three of them.
Model table(const std::vector<std::array<double, 2>>& legs) {
  Model m;
  const Coordinate h = m.coordinate("h"), a = m.coordinate("a"), b = m.coordinate("b"), x = m.coordinate("x");
  m.mass(h, 10.0);
  m.mass(a, 1.0);
  m.mass(b, 1.0);
  m.mass(x, 10.0);
  m.force(h, -98.1);
  m.force(x, 3.0);
  int k = 0;
  for (const auto& [px, py] : legs) m.constrain("leg" + std::to_string(k++), h + px * a + py * b);
  m.constrain("stop", x);
  return m;
}

TEST(Geometry, OnThreeLegsEveryLoadIsUniqueOnFourOnlyThatOfTheStop) {
  const Instant three = at_start(table({{1, 1}, {-1, 1}, {0, -1}}));
  EXPECT_TRUE(three.solution.multipliers_unique);
  for (const Reaction& r : three.reactions) EXPECT_TRUE(r.unique) << r.name;
  const Model m = table({{1, 1}, {-1, 1}, {-1, -1}, {1, -1}});
  const Instant four = at_start(m);
  EXPECT_EQ(four.unique_rows, (std::vector<bool>{false, false, false, false, true}));
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(four.reactions[k].unique, k == 4) << k;
  EXPECT_NEAR(four.reactions[4].force[0], -3.0, 1e-15);
  const System system(m);
  const std::string page = explain(system, four);
  EXPECT_TRUE(has(page, "  unique although others are not: 'stop'\n")) << page;
  EXPECT_TRUE(has(page, "  a matter of the chosen norm: 'leg0', 'leg1', 'leg2' and 'leg3'\n")) << page;
  EXPECT_TRUE(has(page, "  multipliers that make no force, for any k: k on 'leg3', ")) << page;
}

// --- Systems without mechanics.
// -----------------------------------------------------------------------------------------------------------

TEST(Geometry, K03AnUnderdeterminedSystemIsSAndTwoVectorsAtRightAngles) {
  const auto data = reference::read("k03-underdetermined");
  const auto given = [&](const char* key) { return reference::numbers(data["parameters"][key]); };
  const std::vector<double> A = reference::matrix(data["parameters"]["A"]).dense();
  Model m;
  m.set_mechanics(Mechanics::none);
  std::vector<Coordinate> x;
  for (int i = 0; i < 3; ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i), {0, 0.5}));
    m.force(x[i], given("s")[i]);
    m.nonideal(x[i], given("c")[i]);
  }
  for (int r = 0; r < 2; ++r) {
    Expr left = 0;
    for (int i = 0; i < 3; ++i) left += A[r * 3 + i] * x[i].acceleration();
    m.constrain("c" + std::to_string(r), left, given("b")[r]);
  }
  const Instant at = at_start(m);
  const auto& expected = data["reference"][0];
  const auto expect = [&](const std::vector<double>& found, const char* key) {
    const std::vector<double> numbers = reference::numbers(expected[key]);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], numbers[i], 1e-15) << key;  // a few roundings
  };
  expect(at.solution.acceleration, "x''");
  expect(at.solution.constraint_force, "v1");
  expect(at.solution.nonideal_force, "v2");
  EXPECT_NEAR(at.orthogonality, 0.0, 1e-15);
  EXPECT_TRUE(at.solution.certificate.holds());
  EXPECT_TRUE(std::isnan(at.energy));
  EXPECT_TRUE(std::isnan(at.energy_rate));
  EXPECT_FALSE(at.workless.known);
}

TEST(Geometry, WithoutMechanicsMassesAndEnergiesAreRefused) {
  const auto expect_refused = [](const std::function<void(Model&, const Coordinate&)>& state,
                                 const std::string& text) {
    Model m;
    m.set_mechanics(Mechanics::none);
    const Coordinate x = m.coordinate("x");
    state(m, x);
    try {
      const System system(m);
      FAIL() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.text(), text);
    }
  };
  const std::string way_out = "; state s by force() and c by nonideal()";
  expect_refused([](Model& m, const Coordinate& x) { m.mass(x, 2.0); },
                 "without mechanics there are no masses" + way_out);
  expect_refused([](Model& m, const Coordinate& x) { m.potential(x * x); },
                 "without mechanics there are no energies" + way_out);
  expect_refused([](Model& m, const Coordinate&) { m.output("e", m.energy()); },
                 "without mechanics there is no energy");
}

}  // namespace
}  // namespace vinculum
