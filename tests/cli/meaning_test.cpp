// What a model file means, sentence by sentence of the manual, against formulas written out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/analysis/check.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {
namespace {

using Names = std::vector<std::string>;

ModelFile read(const std::string& text, const Overrides& overrides = {}) {
  ReadResult result = read_model(text, "m.toml", overrides);
  for (const Fault& fault : result.faults)
    ADD_FAILURE() << Error(fault.text, fault.place).what() << "\n" << text;
  return result.file ? std::move(*result.file) : ModelFile();
}

Trajectory motion_of(const ModelFile& file, double tolerance = 1e-12) {
  const System system(file.model);
  State start = system.start();
  start.t = file.simulate.from;
  MotionOptions how;
  how.until = file.simulate.until.value_or(start.t);
  how.tolerance = tolerance;
  how.samples = file.simulate.samples;
  how.step = file.simulate.step;
  how.integrator = file.simulate.integrator;
  return simulate(system, start, how);
}

Solution start_of(const std::string& text, const Overrides& overrides = {}) {
  const ModelFile file = read(text, overrides);
  const System system(file.model);
  return solve(system, system.start());
}

/// The first numbers of a free model with two coordinates and a particle, all of them moving.
const std::string head = R"(
[parameters]
a = 2
b = 3
c = 0.5
[coordinates]
x = { start = 0.7, rate = 0.3 }
y = { start = -0.4, rate = 1.1 }
[mass]
x = 1
y = 2
[particles.p]
mass = 2
position = [1, 2, 3]
velocity = [4, -5, 6]
[particles.q]
mass = 1
position = [-1, 0.5, 2]
[forces]
x = "0.9"
y = "-3"
p = "[2, 4, 6]"
)";
constexpr double x = 0.7, y = -0.4, xr = 0.3, yr = 1.1, xa = 0.9, ya = -1.5;

/// Expressions at the start, as outputs see them.
std::vector<double> values(const Names& expressions, const std::string& more = "") {
  std::string text = head + more + "\n[outputs]\n";
  for (std::size_t k = 0; k < expressions.size(); ++k)
    text += "o" + std::to_string(k) + " = \"" + expressions[k] + "\"\n";
  const Trajectory motion = motion_of(read(text));
  const auto outputs = motion.back().outputs;
  return {outputs.begin(), outputs.end()};
}

struct Case {
  std::string expression;
  double value;
};
/// The few roundings of these short formulas.
void expect_values(const std::vector<Case>& cases, const std::string& more = "") {
  Names expressions;
  for (const Case& c : cases) expressions.push_back(c.expression);
  const std::vector<double> found = values(expressions, more);
  ASSERT_EQ(found.size(), cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k)
    EXPECT_NEAR(found[k], cases[k].value, 8e-15 * (1 + std::abs(cases[k].value))) << cases[k].expression;
}

// --- Expressions
// ---------------------------------------------------------------------------------------------------------

TEST(Meaning, NumbersSignsAndPowers) {
  expect_values({{"1", 1},
                 {"1.", 1},
                 {".5", 0.5},
                 {"1e-3", 1e-3},
                 {"2.5E+1", 25},
                 {"-a^2", -4},
                 {"a^b^c", std::pow(2, std::sqrt(3))},
                 {"(a^b)^c", std::pow(8, 0.5)},
                 {"a*-b", -6},
                 {"2^-1", 0.5},
                 {"2^-a^2", 1 / 16.0},
                 {"a - -b", 5},
                 {"a + +b", 5},
                 {"a/-b/2", -1 / 3.0},
                 {"2*-b^2", -18},
                 {"6/2*3", 9},
                 {"2 - 3 - 4", -5},
                 {"--a", 2},
                 {"pi", std::acos(-1.0)}});
}

TEST(Meaning, FunctionsAreThoseOfMathematics) {
  expect_values({{"sin(x)", std::sin(x)},
                 {"cos(x)", std::cos(x)},
                 {"tan(x)", std::tan(x)},
                 {"asin(x)", std::asin(x)},
                 {"acos(x)", std::acos(x)},
                 {"atan(y)", std::atan(y)},
                 {"atan2(y, -x)", std::atan2(y, -x)},
                 {"sinh(x)", std::sinh(x)},
                 {"cosh(x)", std::cosh(x)},
                 {"tanh(y)", std::tanh(y)},
                 {"exp(y)", std::exp(y)},
                 {"log(x)", std::log(x)},
                 {"sqrt(x)", std::sqrt(x)},
                 {"abs(y)", 0.4},
                 {"sign(y)", -1},
                 {"sign(x)", 1},
                 {"sign(0*x)", 0},
                 {"min(x, y)", y},
                 {"max(x, y, 3, -2)", 3},
                 {"min(x, y, 3, -2)", -2},
                 {"hypot(x, y)", std::hypot(x, y)}});
}

TEST(Meaning, ConditionsChooseByTheirComparison) {
  expect_values({{"if(x < y, 1, 2)", 2},
                 {"if(x > y, 1, 2)", 1},
                 {"if(x <= x, 1, 2)", 1},
                 {"if(x < x, 1, 2)", 2},
                 {"if(x >= x, 1, 2)", 1},
                 {"if(x > x, 1, 2)", 2},
                 {"if(x < 0, 1, if(y < 0, 5, 6))", 5}});
}

TEST(Meaning, PrimesAreTimeDerivativesAlsoOfDefinitions) {
  const std::string more =
      "[definitions]\nr = \"x^2*sin(y) + t^2*x + a\"\nu = \"[x*y, sin(x), t]\"\nw = \"r + u.x\"\n"
      "f = \"abs(y)\"\ng = \"sign(y)\"\nh = \"if(x < y, x, y^2)\"\nl = \"min(x, y)\"\n"
      "m = \"max(x, y, -9)\"\nchain = \"p.x*q.y\"\n";
  const double s = std::sin(y), k = std::cos(y);
  // At t = 0 the second derivative of t^2 x is 2 x.
  const double r1 = 2 * x * xr * s + x * x * k * yr;
  const double r2 = 2 * (xr * xr + x * xa) * s + 4 * x * xr * k * yr + x * x * (k * ya - s * yr * yr) + 2 * x;
  const double u1 = xr * y + x * yr, u2 = xa * y + 2 * xr * yr + x * ya;
  expect_values({{"x'", xr},
                 {"x''", xa},
                 {"y''", ya},
                 {"r'", r1},
                 {"r''", r2},
                 {"u'.x", u1},
                 {"u.x'", u1},
                 {"u.x''", u2},
                 {"u'.x'", u2},
                 {"u'.y", std::cos(x) * xr},
                 {"u'.z", 1},
                 {"u''.z", 0},
                 {"w'", r1 + u1},
                 {"f'", -yr},
                 {"g'", 0},
                 {"h'", 2 * y * yr},
                 {"l'", yr},
                 {"m'", xr},
                 {"p'.x", 4},
                 {"p.x'", 4},
                 {"p.z''", 3},
                 {"p''.y", 2},
                 {"p'.z'", 3},
                 {"chain'", 4 * 0.5},
                 {"cross(p, q).x'", -5 * 2.0 - 6 * 0.5}},
                more);
}

TEST(Meaning, VectorsAddScaleAndMultiply) {
  // p = (1, 2, 3), q = (-1, 1/2, 2): p x q = (2.5, -5, 2.5).
  expect_values({{"(p + q).y", 2.5},
                 {"(p - q).x", 2},
                 {"(-p).z", -3},
                 {"(2*p).z", 6},
                 {"(p*a).x", 2},
                 {"(p/a).y", 1},
                 {"[x, y, 1].y", y},
                 {"dot(p, q)", 6},
                 {"cross(p, q).x", 2.5},
                 {"cross(p, q).y", -5},
                 {"norm(p)", std::sqrt(14)},
                 {"distance(p, q)", std::sqrt(4 + 2.25 + 1)},
                 {"norm(p')", std::sqrt(16 + 25 + 36)}});
}

// --- Tables
// ---------------------------------------------------------------------------------------------------------

TEST(Meaning, CoordinatesStandInTheOrderOfTheFilePlainOnesBeforeParticles) {
  const ModelFile file = read(
      "[particles.b]\nmass = 1\n[particles.a]\nmass = 1\n[coordinates]\nz = 1\ny = 2\nm = 3\n[mass]\nm = "
      "1\ny = 1\nz = 1\n"
      "[constraints]\nsecond = 'z = 1'\nfirst = 'y = 2'\npin = 'a = [0, 0, 0]'\n");
  const System system(file.model);
  EXPECT_EQ(system.coordinate_names(), (Names{"z", "y", "m", "b.x", "b.y", "b.z", "a.x", "a.y", "a.z"}));
  EXPECT_EQ(system.velocity_names(),
            (Names{"z'", "y'", "m'", "b.x'", "b.y'", "b.z'", "a.x'", "a.y'", "a.z'"}));
  EXPECT_EQ(system.row_names(), (Names{"second", "first", "pin[0]", "pin[1]", "pin[2]"}));
  EXPECT_EQ(system.start().q, (std::vector<double>{1, 2, 3, 0, 0, 0, 0, 0, 0}));
}

TEST(Meaning, TheOrderOfTablesDoesNotMatterAndEntriesReferToLaterOnes) {
  const std::string tables[] = {"[outputs]\no = 'r + L'\n",
                                "[constraints]\nrod = 'r = L^2'\n",
                                "[definitions]\ns = 'x^2'\nr = 's + y^2'\n",
                                "[forces]\ny = '-m*g'\n",
                                "[mass]\nx = 'm'\ny = 'm'\n",
                                "[coordinates]\nx = { start = 'L' }\ny = 0\n",
                                "[parameters]\nL = '2*half'\nhalf = 'm/2'\nm = 2\ng = 9.81\n"};
  std::string forward, backward;
  for (const std::string& table : tables) {
    forward += table;
    backward = table + backward;
  }
  EXPECT_EQ(start_of(forward).acceleration, start_of(backward).acceleration);
  EXPECT_EQ(start_of(forward).acceleration, (std::vector<double>{0, -9.81}));
}

TEST(Meaning, WhatDependsOnAnOverriddenParameterFollows) {
  const std::string text =
      "[parameters]\nL = '2*half'\nhalf = 1\ng = 10\n[coordinates]\nx = { start = 'L', rate = 'half' }\n"
      "[mass]\nx = 1\n[simulate]\nuntil = 'L'\n";
  const ModelFile file = read(text, {{"half", "g/2"}});
  EXPECT_EQ(System(file.model).start().q[0], 10);
  EXPECT_EQ(System(file.model).start().v[0], 5);
  EXPECT_EQ(file.simulate.until, 10);
  const ModelFile twice = read(text, {{"half", "7"}, {"half", "3"}});
  EXPECT_EQ(System(twice.model).start().q[0], 6);
  EXPECT_EQ(twice.warnings, Names{"--set half is given twice; the last, 3, holds"});
}

TEST(Meaning, AStartMayBeShortAndIsZeroUnlessSaid) {
  const State start =
      System(read("[coordinates]\na = 1.5\nb = '3/2'\nc = {}\nd = { rate = 2 }\n[mass]\na=1\nb=1\nc=1\nd=1\n"
                  "[particles.p]\nmass = 1\n")
                 .model)
          .start();
  EXPECT_EQ(start.q, (std::vector<double>{1.5, 1.5, 0, 0, 0, 0, 0}));
  EXPECT_EQ(start.v, (std::vector<double>{0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(start.t, 0);
}

TEST(Meaning, AMassOffTheDiagonalIsSymmetric) {
  const Solution s =
      start_of("[coordinates]\nx = 2\ny = 0\n[mass]\nx = 'x'\ny = 1\n'x,y' = 'x/4'\n[forces]\nx = 1\n");
  // [2 1/2; 1/2 1] a = (1, 0)
  EXPECT_NEAR(s.acceleration[0], 4 / 7.0, 1e-15);
  EXPECT_NEAR(s.acceleration[1], -2 / 7.0, 1e-15);
}

TEST(Meaning, AMasslessCoordinateMovesWithItsConstraint) {
  for (const char* inertia : {"[mass]\nx = 2\ny = 0\n", "[mass]\ny = '0*x'\nx = 2\n"})
    EXPECT_NEAR(start_of(std::string("[coordinates]\nx = 1\ny = 1\n") + inertia +
                         "[forces]\nx = 1\ny = 3\n[constraints]\nc = 'y = 2*x - 1'\n")
                    .acceleration[0],
                3.5, 1e-15);  // 2 x'' = 1 + 2*3
  EXPECT_NEAR(
      start_of("kinetic = \"x'^2\"\n[coordinates]\nx = 1\ny = 1\n[forces]\nx = 1\ny = 3\n[constraints]\n"
               "c = 'y = 2*x - 1'\n")
          .acceleration[0],
      3.5, 1e-15);
}

TEST(Meaning, LagrangiansMayHaveTermsOfDegreeOneAndZeroAndExplicitTime) {
  // A charge in a magnetic field.
  const Solution charge = start_of(
      "lagrangian = \"(x'^2 + y'^2)/2 + B*(x*y' - y*x')/2\"\n[parameters]\nB = 3\n"
      "[coordinates]\nx = { start = 1, rate = 0.5 }\ny = { start = 2, rate = -0.25 }\n");
  EXPECT_NEAR(charge.acceleration[0], 3 * -0.25, 1e-15);
  EXPECT_NEAR(charge.acceleration[1], -3 * 0.5, 1e-15);
  // A bead on a rod that turns: centrifugal force, and an energy that is not T.
  const ModelFile bead = read(
      "kinetic = \"(r'^2 + w^2*r^2)/2\"\n[parameters]\nw = 2\n[coordinates]\n"
      "r = { start = 1.5, rate = 0.5 }\n[simulate]\nuntil = 0.5\n");
  const Trajectory motion = motion_of(bead);
  EXPECT_NEAR(motion.back().q[0], 1.5 * std::cosh(1) + 0.25 * std::sinh(1), 1e-11);
  EXPECT_DOUBLE_EQ(motion.energy_start, 0.125 - 4.5);
  EXPECT_NEAR(motion.drift(), 0, 1e-11);
  // A Lagrangian that grows with time: damping.
  EXPECT_NEAR(
      start_of("lagrangian = \"exp(c*t)*(x'^2 - k*x^2)/2\"\n[parameters]\nc = 0.5\nk = 4\n[coordinates]\n"
               "x = { start = 1, rate = 3 }\n")
          .acceleration[0],
      -4 - 0.5 * 3, 1e-14);
  // The rate of a gauge term changes nothing.
  EXPECT_NEAR(
      start_of("lagrangian = \"x'^2/2 - x + 7*x*x' + 5*t\"\n[coordinates]\nx = { start = 1, rate = 2 }\n")
          .acceleration[0],
      -1, 1e-14);
}

TEST(Meaning, APotentialActsBesideMassesKineticEnergiesAndParticles) {
  const std::string potential = "potential = '3*x^2/2 + x*sin(t)'\n";
  for (const char* inertia :
       {"[coordinates]\nx = 2\n[mass]\nx = 2\n", "kinetic = \"x'^2\"\n[coordinates]\nx = 2\n"})
    EXPECT_NEAR(start_of(potential + inertia).acceleration[0], -3, 1e-15);
  EXPECT_NEAR(
      start_of("potential = '3*p.y^2'\n[particles.p]\nmass = 2\nposition = [0, 1, 0]\n").acceleration[1], -3,
      1e-15);
}

TEST(Meaning, ForcesMayBeSpelledInEveryWay) {
  const std::string particle = "[particles.p]\nmass = 2\nvelocity = [1, 2, 3]\n[forces]\n";
  const std::vector<double> expected{-0.5, -1, -1.5};
  for (const char* force :
       {"p = \"-p'\"\n", "p = [\"-p.x'\", \"-p.y'\", -3]\n", "p.x = \"-p.x'\"\np.y = -2\np.z = -3\n",
        "'p.x' = -1\n\"p.y\" = \"-p'.y\"\np.z = -3\n"})
    EXPECT_EQ(start_of(particle + force).acceleration, expected) << force;
  EXPECT_EQ(start_of("[particles.p]\nmass = 2\n[forces.p]\nx = -1\ny = -2\nz = -3\n").acceleration, expected);
}

TEST(Meaning, ForcesAddToPotentialsGravityAndSprings) {
  const Solution s = start_of(
      "gravity = [0, '-g', 0]\npotential = '5*p.y'\n[parameters]\ng = 9\n[particles.p]\nmass = 2\n"
      "position = [0, 4, 0]\n[springs.s]\nbetween = ['ground', 'p']\nstiffness = 3\nlength = 1\n"
      "[forces]\np.y = 100\n");
  EXPECT_NEAR(s.acceleration[1], (100 - 2 * 9 - 5 - 3 * 3) / 2.0, 1e-14);
}

TEST(Meaning, ASpringOfLengthZeroIsSmoothHoweverTheZeroIsSaid) {
  for (const char* length : {"", "length = 0\n", "length = 'l'\n", "length = '2*l'\n"}) {
    const ModelFile file =
        read(std::string("[parameters]\nl = 0\n[particles.p]\nmass = 1\nvelocity = [0, 0.5, 0]\n[springs.s]\n"
                         "between = ['ground', 'p']\nstiffness = 4\n") +
             length + "[simulate]\nuntil = 3\n");
    const Trajectory motion = motion_of(file);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[1], 0.25 * std::sin(6.0), 1e-10) << length;
  }
}

TEST(Meaning, GravityActsOnParticlesAndIsPartOfTheEnergy) {
  const ModelFile file = read(
      "gravity = [1, -2, 3]\n[particles.p]\nmass = 2\nposition = [1, 1, 1]\nvelocity = [0, 1, 0]\n"
      "[coordinates]\nx = 0\n[mass]\nx = 1\n[simulate]\nuntil = 1\n");
  const Trajectory motion = motion_of(file);
  EXPECT_NEAR(motion.back().q[0], 0, 1e-15);
  EXPECT_NEAR(motion.back().q[1], 1.5, 1e-13);
  EXPECT_NEAR(motion.back().q[2], 1 + 1 - 1, 1e-13);
  EXPECT_NEAR(motion.back().q[3], 2.5, 1e-13);
  EXPECT_DOUBLE_EQ(motion.energy_start, 1 - 2 * (1 - 2 + 3));
  EXPECT_NEAR(motion.drift(), 0, 1e-12);
  EXPECT_EQ(motion.work.total(), 0);
}

// --- Constraints
// ---------------------------------------------------------------------------------------------------------

TEST(Meaning, RowsAreThoseOfTheEquationAsWrittenNeverScaled) {
  const ModelFile file = read(
      "[coordinates]\nx = { start = 3, rate = 0.5 }\ny = { start = 4, rate = 2 }\n[mass]\nx = 1\ny = 1\n"
      "[constraints]\nzero = 'x^2 + y^2 = 25 + t^3'\none = \"x*y' = t*x'\"\ntwo = \"2*x'' = y' + 1\"\n");
  const System system(file.model);
  Workspace work(system);
  State state = system.start();
  state.t = 2;
  const Equations& at = evaluate(system, state, work);
  const auto row = [&](int r) {
    std::vector<double> dense(2);
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k) dense[at.A.column[k]] += at.A.value[k];
    return dense;
  };
  EXPECT_EQ(row(0), (std::vector<double>{6, 8}));
  EXPECT_EQ(at.b[0], -2 * (0.25 + 4) + 6 * 2.0);    // (t^3)'' = 6 t
  EXPECT_EQ(row(1), (std::vector<double>{-2, 3}));  // x y'' + x' y' = x' + t x''
  EXPECT_EQ(at.b[1], 0.5 - 0.5 * 2);
  EXPECT_EQ(row(2), (std::vector<double>{2, 0}));
  EXPECT_EQ(at.b[2], 3);
  EXPECT_EQ(system.constraints()[0].order, 0);
  EXPECT_EQ(system.constraints()[1].order, 1);
  EXPECT_EQ(system.constraints()[2].order, 2);
}

TEST(Meaning, MultipliersBelongToLeftMinusRight) {
  // A mass held against its weight: M q'' = Q + A^T lambda, with the sign of the equation as written.
  const std::string text = "[coordinates]\nz = 0\n[mass]\nz = 2\n[forces]\nz = -20\n[constraints]\n";
  EXPECT_EQ(start_of(text + "c = 'z = 0'\n").multipliers, std::vector<double>{20});
  EXPECT_EQ(start_of(text + "c = '0 = z'\n").multipliers, std::vector<double>{-20});
  EXPECT_EQ(start_of(text + "c = '4*z = 0'\n").multipliers, std::vector<double>{5});
  // Stated three times the least-norm ones share: (20, 20, 20)/3 by symmetry.
  for (const double lambda : start_of(text + "c = 'z = 0'\nd = 'z = 0'\ne = 'z = 0'\n").multipliers)
    EXPECT_NEAR(lambda, 20 / 3.0, 1e-14);
}

const std::string pendulum = R"(
[parameters]
m = 2
g = 10
[particles.p]
mass = "m"
position = [3, -4, 0]
[coordinates]
u = { start = 1, rate = 3 }
[mass]
u = 4
[forces]
p.y = "-m*g"
u = 8
[constraints]
rod = "dot(p, p) = 25"
hold = "[p.z, u, p.z - 2*u] = [0, 1 + 3*t, -2 - 6*t]"
)";

TEST(Meaning, ForcesOfConstraintsInOutputs) {
  // At rest in the plane the rod pulls with m g y/L along itself: lambda 2 p, lambda = -20*4/25/2.
  const double lambda = -1.6;
  const std::string text =
      pendulum +
      "[outputs]\nfx = 'force(rod).p.x'\nfy = 'force(rod).p.y'\nfu = 'force(rod).u'\n"
      "size = 'norm(force(rod))'\nvec = 'force(rod, p)'\nmult = 'multiplier(rod)'\n"
      "row = 'multiplier(hold[1])'\nrows = 'multiplier(hold)'\none = 'force(hold[1]).u'\n"
      "all = 'force(hold).u'\nsum = '(force(rod) + 2*force(hold)).p.x'\n"
      "pull = 'norm(force(rod) - force(hold))'\nE = 'energy'\n";
  const ModelFile file = read(text);
  const System system(file.model);
  const Trajectory motion = motion_of(file);
  const auto find = [&](const std::string& name) {
    for (std::size_t k = 0; k < system.output_names().size(); ++k)
      if (system.output_names()[k] == name) return motion.back().outputs[k];
    ADD_FAILURE() << name;
    return 0.0;
  };
  const double near = 1e-13;  // a solve of four rows
  EXPECT_NEAR(find("mult"), lambda, near);
  EXPECT_NEAR(find("fx"), 6 * lambda, near);
  EXPECT_NEAR(find("fy"), -8 * lambda, near);
  EXPECT_EQ(find("fu"), 0);
  EXPECT_NEAR(find("size"), 16, near);
  EXPECT_NEAR(find("vec.x"), 6 * lambda, near);
  EXPECT_NEAR(find("vec.y"), -8 * lambda, near);
  EXPECT_NEAR(find("vec.z"), 0, near);
  // u is held at 3 t + 1 by -8; hold[2] = hold[0] - 2 hold[1], and the least norm gives (0, -8, 16)/5 plus
  // what makes no force: least norm of l1 - 2 l2 = -8, l0 + l2 = 0.
  const double l1 = find("row"), l0 = find("rows.x"), l2 = find("rows.z");
  EXPECT_EQ(find("rows.y"), l1);
  EXPECT_NEAR(l1 - 2 * l2, -8, near);
  EXPECT_NEAR(l0 + l2, 0, near);
  EXPECT_NEAR(l0 * 1 + l1 * -2 + l2 * -1, 0, near);  // (1, -2, -1) spans what makes no force
  EXPECT_NEAR(find("one"), l1, near);
  EXPECT_NEAR(find("all"), -8, near);
  EXPECT_NEAR(find("sum"), 6 * lambda, near);
  EXPECT_NEAR(find("pull"), std::hypot(16, 8), near);
  EXPECT_NEAR(find("E"), 0.5 * 4 * 9, near);  // [forces] have no energy
}

TEST(Meaning, NonidealForcesMayUseTheForceOfAConstraint) {
  // A block that slides on the floor: N = m g, friction mu N against its velocity.
  const ModelFile file = read(
      "[parameters]\nmu = 0.25\n[coordinates]\nx = { rate = 5 }\nz = 0\n[mass]\nx = 2\nz = 2\n[forces]\n"
      "z = '-2*10'\n[constraints]\nfloor = 'z = 0'\n[nonideal]\n"
      "x = \"-mu*norm(force(floor))*x'/abs(x')\"\n[simulate]\nuntil = 1\n");
  const Trajectory motion = motion_of(file);
  EXPECT_NEAR(motion.back().q[0], 5 - 0.5 * 2.5, 1e-12);
  EXPECT_NEAR(motion.back().nonideal_force[0], -5, 1e-12);
  EXPECT_NEAR(motion.work.nonideal, -5 * (5 - 1.25), 1e-11);
  EXPECT_NEAR(motion.drift(), 0, 1e-11);
}

TEST(Meaning, TheNatureOfConstraintsIsThatOfTheirEquations) {
  const ModelFile file = read(
      "[coordinates]\nx = { start = 1, rate = 1 }\ny = { start = 0, rate = 1 }\nz = 0\n[mass]\nx = 1\ny = "
      "1\nz = 1\n[constraints]\n"
      "a = \"y' = x'\"\nb = \"y' = x' + t\"\nc = \"x'^2 + y'^2 = 2\"\nd = 'z = 0'\ne = 'z = t*0'\nf = \"z'' "
      "= 0\"\n");
  const System system(file.model);
  const CheckReport report = check(file.model, system, system.start());
  const auto& c = report.constraints;
  ASSERT_EQ(c.size(), 6u);
  EXPECT_EQ(c[0].kind, ConstraintKind::linear);
  EXPECT_EQ(c[1].kind, ConstraintKind::affine);
  EXPECT_EQ(c[2].kind, ConstraintKind::nonlinear);
  EXPECT_EQ(c[3].kind, ConstraintKind::linear);
  EXPECT_EQ(c[5].kind, ConstraintKind::linear);
  EXPECT_TRUE(c[0].scleronomic && c[2].scleronomic);
  EXPECT_FALSE(c[1].scleronomic);
  EXPECT_TRUE(c[0].ideal);
  EXPECT_FALSE(c[2].ideal);  // A v = 2 v.v here
  EXPECT_EQ(c[0].order, 1);
  EXPECT_EQ(c[3].order, 0);
  EXPECT_EQ(c[5].order, 2);
  EXPECT_TRUE(c[3].redundant && c[5].redundant);
}

// --- Events and runs
// ---------------------------------------------------------------------------------------------------------

const std::string swing =
    "[coordinates]\nx = { start = 0, rate = 1 }\n[mass]\nx = 1\n[forces]\nx = '-x'\n";  // sin t

TEST(Meaning, EventsPassZeroInTheirDirectionAndAZeroAtTheStartDoesNotCount) {
  const double pi = std::acos(-1.0);
  const ModelFile file =
      read(swing +
           "[events]\nany = 'x'\nup = { at = 'x', direction = 'rising' }\n"
           "down = { at = 'x', direction = 'falling' }\nturn = \"x'\"\n[simulate]\nuntil = 7\n");
  const Trajectory motion = motion_of(file);
  std::vector<std::pair<std::string, double>> expected{{"turn", pi / 2},     {"any", pi},     {"down", pi},
                                                       {"turn", 3 * pi / 2}, {"any", 2 * pi}, {"up", 2 * pi}};
  ASSERT_EQ(motion.events.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(motion.events[k].name, expected[k].first);
    EXPECT_NEAR(motion.events[k].time, expected[k].second, 1e-11);
  }
  EXPECT_EQ(motion.stop, Stop::end);
}

TEST(Meaning, AnEventMayStopTheRun) {
  const Trajectory motion =
      motion_of(read(swing + "[events]\ntop = { at = \"x'\", stop = true }\n[simulate]\nuntil = 7\n"));
  EXPECT_EQ(motion.stop, Stop::event);
  EXPECT_NEAR(motion.last.t, std::acos(0.0), 1e-11);
  EXPECT_NEAR(motion.last.q[0], 1, 1e-11);
}

TEST(Meaning, ARunGoesFromItsStartForwardBackwardOrNowhere) {
  // x'' = t from t = 1: x = ((t^3 - 1)/3 - (t - 1))/2 with x(1) = x'(1) = 0.
  const std::string text = "[coordinates]\nx = 0\n[mass]\nx = 1\n[forces]\nx = 't'\n[simulate]\nfrom = 1\n";
  const auto exact = [](double t) { return (t * t * t - 1) / 6 - (t - 1) / 2; };
  for (const double until : {3.0, -2.0, 1.0}) {
    const Trajectory motion = motion_of(read(text + "samples = 5\nuntil = " + std::to_string(until) + "\n"));
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_EQ(motion.last.t, until);
    EXPECT_NEAR(motion.last.q[0], exact(until), 1e-11);
    if (until == 1) {
      EXPECT_EQ(motion.back().acceleration[0], 1);
      continue;
    }
    ASSERT_EQ(motion.size(), 5);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(motion.times()[k], 1 + k * (until - 1) / 4, 1e-14);
  }
}

TEST(Meaning, EveryIntegratorOfTheManualRuns) {
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation", "taylor", "rk4"}) {
    const Trajectory motion = motion_of(
        read(swing + "[simulate]\nuntil = 2\nstep = 0.01\nintegrator = '" + std::string(name) + "'\n"), 1e-9);
    // rk4 with h = 0.01: h^4 t/120.
    EXPECT_NEAR(motion.last.q[0], std::sin(2.0), std::string(name) == "rk4" ? 2e-9 : 1e-8) << name;
  }
}

}  // namespace
}  // namespace vinculum
