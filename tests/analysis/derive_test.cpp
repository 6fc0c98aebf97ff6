// Symbolic equations against the numbers of the engine; the printed text read back; the 1996 paper by hand.
#include "vinculum/analysis/derive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/derive_models.hpp"
#include "analysis/derive_reader.hpp"
#include "bench/particles.hpp"
#include "expr/sample.hpp"
#include "support/growth.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using derived::Compared;
using derived::expect_entries;
using derived::inputs_at;
using derived::label;
using derived::Reader;
using sample::Inputs;

std::vector<double> dense(const std::vector<SymbolicEquations::Entry>& entries, std::size_t rows,
                          std::size_t columns, const Inputs& in) {
  std::vector<double> out(rows * columns);
  for (const auto& e : entries) out[e.row * columns + e.column] = sample::evaluate(e.value, in);
  return out;
}

/// A few roundings of numbers of this size, and of the terms that cancel in it.
void expect_close(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-13 * (10 + std::fabs(b[i]))) << what;
}

TEST(Derive, SymbolicEquationsAreThoseTheEngineEvaluates) {
  for (const auto& [name, model] : derived::all_models()) {
    const SymbolicEquations e = symbolic_equations(model);
    const System system(model);
    Workspace work(system);
    ASSERT_EQ(e.rows, system.row_names());
    ASSERT_EQ(e.velocities, system.velocity_names());
    const std::size_t n = e.velocities.size(), m = e.rows.size();
    for (const State& at : derived::states_of(system, 4)) {
      const Solution s = solve(system, at);
      const Inputs in = inputs_at(model, at, s.multipliers);
      const Equations& expected = evaluate(system, at, work);
      const auto values = [&](const std::vector<Expr>& list) {
        std::vector<double> out;
        for (const Expr& x : list) out.push_back(sample::evaluate(x, in));
        return out;
      };
      expect_close(dense(e.M, n, n, in), expected.M.dense(), name + " M");
      expect_close(values(e.Q), expected.Q, name + " Q");
      expect_close(dense(e.A, m, n, in), expected.A.dense(), name + " A");
      expect_close(values(e.b), expected.b, name + " b");
    }
  }
}

// --- The text, read back -------------------------------------------------------------------------

/// As the engine has them at any state; shortened with the constraints, at states that satisfy them.
void compare_text(const derived::Named& which, Compared& count) {
  const System system(which.model);
  const Derivation anywhere =
      derivation(DeriveFormat::text, which.model, which.name, {.on_constraints = false});
  EXPECT_TRUE(anywhere.on_constraints.empty());
  derived::compare_page(which.name, system, which.model, anywhere.text, derived::states_of(system, 3), count);
  const Derivation there = derivation(DeriveFormat::text, which.model, which.name);
  EXPECT_LE(there.length, there.length_as_stated) << which.name;
  if (there.on_constraints.empty()) return;
  EXPECT_LT(there.length, anywhere.length) << which.name;
  EXPECT_NE(there.text.find("(on the constraints: '" + there.on_constraints[0] + "'"), std::string::npos);
  derived::compare_page(which.name, system, which.model, there.text,
                        derived::satisfying(system, derived::states_of(system, 8)), count);
}

TEST(Derive, TheTextReadsBackToTheNumbersOfTheEngine) {
  Compared count;
  for (const derived::Named& which : derived::all_models()) compare_text(which, count);
  // So that a page the reader above cannot read does not pass for one that agrees.
  EXPECT_GT(count.matrices, 100);
  EXPECT_GT(count.entries, 100);
  EXPECT_GT(count.accelerations, 80);
  EXPECT_GT(count.forces, 60);
}

// --- The 1996 paper ------------------------------------------------------------------------------

TEST(Derive, OffItsConstraintTheSphericalPendulumIsEquation27) {
  const Model model = examples::spherical_pendulum();
  const System system(model);
  for (const State& at : derived::states_of(system, 5)) {
    const Reader page(inputs_at(model, at), derive_text(model, "", {.on_constraints = false}));
    const double x = at.q[0], y = at.q[1], z = at.q[2], m = 1, g = 9.81;
    const double speed2 = at.v[0] * at.v[0] + at.v[1] * at.v[1] + at.v[2] * at.v[2];
    const double factor = m / (x * x + y * y + z * z) * (-speed2 - g * y);
    EXPECT_NEAR(page.value.at("F[x]"), factor * x, 1e-13);
    EXPECT_NEAR(page.value.at("F[y]"), factor * y, 1e-13);
    EXPECT_NEAR(page.value.at("F[z]"), factor * z, 1e-13);
    EXPECT_NEAR(page.value.at("x''"), factor * x / m, 1e-13);
    EXPECT_NEAR(page.value.at("y''"), g + factor * y / m, 1e-13);
    EXPECT_NEAR(page.value.at("z''"), factor * z / m, 1e-13);
  }
}

TEST(Derive, OnItsConstraintTheSphericalPendulumIsEquation28) {
  const Model model = examples::spherical_pendulum();
  const Derivation page = derivation(DeriveFormat::text, model, "");
  EXPECT_EQ(page.on_constraints, std::vector<std::string>{"rod"});
  EXPECT_NE(page.text.find("\n  f = -m*(x'^2 + y'^2 + z'^2 + g*y)/L^2\n"), std::string::npos) << page.text;
}

TEST(Derive, KeplersForceIsWrittenAsEquation34) {
  const Derivation page = derivation(DeriveFormat::text, examples::kepler(), "");
  EXPECT_EQ(page.on_constraints, (std::vector<std::string>{"ellipse", "areas"}));
  EXPECT_NE(page.text.find("\n  F[x] = -2*c^2*x/(p*r^3)\n  F[y] = -2*c^2*y/(p*r^3)\n"), std::string::npos)
      << page.text;
}

/// By a Lagrangian in which the squares of sines and cosines are not yet together, and in Cartesian
/// coordinates, where the rods themselves say that the length of a row is that of a rod.
TEST(Derive, TheDoublePendulumHasTheSumOfItsMasses) {
  Model angles;
  const Expr m1 = angles.parameter("m1", 1.2), m2 = angles.parameter("m2", 0.7),
             l1 = angles.parameter("l1", 0.9), l2 = angles.parameter("l2", 1.1),
             g = angles.parameter("g", 9.81);
  const Coordinate a = angles.coordinate("a", {.start = 0.5}), b = angles.coordinate("b", {.start = -0.8});
  const Expr x1 = l1 * cos(a) * a.rate(), y1 = l1 * sin(a) * a.rate(), x2 = x1 + l2 * cos(b) * b.rate(),
             y2 = y1 + l2 * sin(b) * b.rate();
  angles.lagrangian(0.5 * m1 * (x1 * x1 + y1 * y1) + 0.5 * m2 * (x2 * x2 + y2 * y2) +
                    (m1 + m2) * g * l1 * cos(a) + m2 * g * l2 * cos(b));
  const std::string page = derive_text(angles, "");
  EXPECT_NE(page.find("M = | l1^2*(m1 + m2) "), page.npos) << page;
  EXPECT_NE(page.find("cos(a - b)"), page.npos) << page;
  EXPECT_EQ(page.find("^2 + m"), page.npos) << page;

  Model plane;
  const Expr p1 = plane.parameter("m1", 1.2), p2 = plane.parameter("m2", 0.7),
             r1 = plane.parameter("l1", 0.9), r2 = plane.parameter("l2", 1.1);
  const Coordinate x = plane.coordinate("x", {.start = 0.9}), y = plane.coordinate("y"),
                   u = plane.coordinate("u", {.start = 2.0}), v = plane.coordinate("v");
  for (const Coordinate& q : {x, y}) plane.mass(q, p1);
  for (const Coordinate& q : {u, v}) plane.mass(q, p2);
  plane.constrain("upper", x * x + y * y, r1 * r1);
  plane.constrain("lower", pow(u - x, 2) + pow(v - y, 2), r2 * r2);
  const Derivation rods = derivation(DeriveFormat::text, plane, "");
  EXPECT_NE(rods.text.find("l2^2*(m1 + m2)/(m1*m2)"), std::string::npos) << rods.text;
  EXPECT_EQ(rods.on_constraints, (std::vector<std::string>{"upper", "lower"}));
}

TEST(Derive, KeplersLawsGiveNewtonsForceOfEquation34) {
  const Model model = examples::kepler();
  const double eps = 0.5, p = 1.5, c = 2, m = 2;
  for (const double angle : {0.3, 1.7, 2.9, 4.4}) {
    const double r = p / (1 - eps * std::cos(angle)), x = r * std::cos(angle), y = r * std::sin(angle);
    // (x/r - eps) x' + (y/r) y' = 0 and x y' - y x' = c
    const double D = (x / r - eps) * x + y / r * y;
    const State at{0, {x, y}, {-c * y / r / D, c * (x / r - eps) / D}};
    const Reader page(inputs_at(model, at), derive_text(model, ""));
    EXPECT_NEAR(page.value.at("F[x]"), -c * c / p * m / (r * r) * x / r, 1e-13);
    EXPECT_NEAR(page.value.at("F[y]"), -c * c / p * m / (r * r) * y / r, 1e-13);
    EXPECT_NEAR(page.value.at("x''"), -c * c / p / (r * r) * x / r, 1e-13);
  }
}

TEST(Derive, TheMovingPlaneIsEquation37) {
  const Model model = examples::moving_plane();  // coordinates x, z, y
  const System system(model);
  for (const State& at : derived::states_of(system, 5)) {
    const Reader page(inputs_at(model, at), derive_text(model, ""));
    const double z = at.q[1], m = 1.5, X = std::cos(at.t), Y = 0.5, Z = -std::sin(at.t);
    const double alpha_dot = 2 * std::cos(2 * at.t);
    const double factor = (m * (at.v[1] * at.v[0] + alpha_dot) + z * X - Y) / (z * z + 1);
    EXPECT_NEAR(page.value.at("x''"), (X - factor * z) / m, 1e-13);
    EXPECT_NEAR(page.value.at("y''"), (Y + factor) / m, 1e-13);
    EXPECT_NEAR(page.value.at("z''"), Z / m, 1e-13);
    EXPECT_NEAR(page.value.at("F[x]"), -factor * z, 1e-13);
    EXPECT_EQ(page.value.at("F[z]"), 0);
  }
}

TEST(Derive, ThePageOfTheSphericalPendulum) {
  EXPECT_EQ(derive_text(examples::spherical_pendulum(), "Spherical pendulum"),
            R"(Spherical pendulum
==================
with m = 1, L = 2, g = 9.81

The free motion:  M q'' = Q

      | m  0  0 |        |  0  |
  M = | 0  m  0 |    Q = | m*g |
      | 0  0  m |        |  0  |

The constraint:  A q'' = b

  rod:  x^2 + y^2 + z^2 = L^2

  A = | 2*x  2*y  2*z |    b = | -2*(x'^2 + y'^2 + z'^2) |

The constrained motion

  (on the constraints: 'rod' is used to shorten what follows, which holds only where it is satisfied)

  | m  0  0 | | x'' |   |  0  |     | x |
  | 0  m  0 | | y'' | = | m*g | + f | y |
  | 0  0  m | | z'' |   |  0  |     | z |

  f = -m*(x'^2 + y'^2 + z'^2 + g*y)/L^2

  x'' = f*x/m
  y'' = g + f*y/m
  z'' = f*z/m

The force of the constraint

  F[x] = f*x
  F[y] = f*y
  F[z] = f*z
  multiplier(rod) = f/2

Gauss's function, least for the motion:  G = (q'' - a)^T M (q'' - a)

  G = (x''^2 + (y'' - g)^2 + z''^2)*m
  G_min = f^2*L^2/m
)");
}

/// Without mechanics: the sum of three quantities is to stay, and one of them would rather rise.
Model budget(int rows) {
  Model m;
  std::vector<Coordinate> x;
  for (const char* name : {"a", "b", "c", "d", "e"}) x.push_back(m.coordinate(name, {0.1, 0}));
  m.force(x[0], -1.0 * x[0].rate());
  m.nonideal(x[1], 1.0);
  m.constrain("sum", x[0] + x[1] + x[2], 0.3);
  if (rows > 1) m.constrain("pair", x[2] - 2.0 * x[3], -0.1);
  if (rows > 2) m.constrain("last", x[3] + x[0] * x[4], 0.11);
  m.set_mechanics(Mechanics::none);
  return m;
}

TEST(Derive, WithoutMechanicsThePageSpeaksOfSAndOfTheTwoChanges) {
  for (const int rows : {1, 2, 3}) {
    const std::string text = derive_text(budget(rows), ""), latex = derive_latex(budget(rows), "");
    for (const char* said :
         {"Without the relations:  x'' = s", "The relation", "as far as they leave room:  c",
          "With the relations:  x'' = s + v1 + v2", "G = (x'' - s)^T (x'' - s)"})
      EXPECT_NE(text.find(said), text.npos) << rows << ": " << said << "\n" << text;
    for (const char* foreign : {"M q''", "F^C", "force", "a   =", "Q ="})
      EXPECT_EQ(text.find(foreign), text.npos) << rows << ": " << foreign << "\n" << text;
    EXPECT_NE(latex.find("v_1"), latex.npos) << latex;
    EXPECT_EQ(latex.find("M \\ddot"), latex.npos) << latex;
    EXPECT_EQ(latex.find("F^{C}"), latex.npos) << latex;
  }
  // (41) and (42) of Fan et al. by hand: A^+ is (1, 1, 1)/3.
  const sample::Inputs in{{"a", 0.1}, {"b", 0.1}, {"c", 0.1}, {"d", 0.1}, {"e", 0.1}, {"a'", 0.6},
                          {"b'", 0},  {"c'", 0},  {"d'", 0},  {"e'", 0},  {"t", 0}};
  const Reader page(in, derive_text(budget(1), ""));
  EXPECT_NEAR(page.value.at("v1[a]"), 0.2, 1e-15);
  EXPECT_NEAR(page.value.at("v2[a]"), -1.0 / 3, 1e-15);
  EXPECT_NEAR(page.value.at("v2[b]"), 2.0 / 3, 1e-15);
  EXPECT_NEAR(page.value.at("b''"), 0.2 + 2.0 / 3, 1e-15);
}

// --- Closed forms --------------------------------------------------------------------------------

TEST(Derive, ClosedFormsAreFoundForNonIdealRowsDependentRowsAndMasslessVelocities) {
  for (const auto& [model, what] :
       {std::pair{derived::rough_curve(), "h2 = "}, std::pair{derived::massless_lever(), "y'' = "},
        std::pair{derived::two_massless(), "z'' = "}, std::pair{derived::rows_stated_again(), "f2 = "},
        std::pair{derived::rough_rod_twice(), "multiplier(again) = "},
        std::pair{derived::massless(), "y'' = "}}) {
    const Derivation page = derivation(DeriveFormat::text, model, "");
    EXPECT_NE(page.text.find(std::string("\n  ") + what), std::string::npos) << page.text;
    EXPECT_EQ(page.multipliers.size(), symbolic_equations(model).rows.size());
    const std::string latex = derive_latex(model, "");
    EXPECT_NE(latex.find("\\lambda_{"), latex.npos) << latex;
  }
  const Derivation page = derivation(DeriveFormat::text, derived::rows_stated_again(), "");
  EXPECT_NE(page.text.find("of their multipliers these are the shortest"), std::string::npos) << page.text;
}

/// A closed form made of the first row would hide it.
TEST(Derive, RowsThatContradictEachOtherKeepTheFormula) {
  const std::string page = derive_text(derived::contradiction(), "");
  EXPECT_NE(page.find("  lambda = (A M^-1 A^T)^+ (b - A a),   F = A^T lambda\n"), page.npos) << page;
  EXPECT_EQ(page.find("f = "), page.npos) << page;
}

/// m1 m2 = m12^2: there is no M^-1 to speak of.
TEST(Derive, ASingularPairOfMassesIsNotInverted) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 4);
  m.mass(x, y, 2);
  m.constrain("tie", x, y);
  const std::string page = derive_text(m, "");
  EXPECT_NE(page.find("| M  -A^T | |  q''   |   | Q |"), page.npos) << page;
  EXPECT_EQ(page.find("M^-1"), page.npos) << page;
}

// --- LaTeX ---------------------------------------------------------------------------------------

TEST(Derive, TheLatexOfTheSphericalPendulum) {
  EXPECT_EQ(derive_latex(examples::spherical_pendulum(), "Spherical pendulum", false),
            R"(With $m = 1$, $L = 2$, $g = 9.81$.

The free motion is $M \ddot{q} = Q$.
\[ M = \begin{bmatrix} m & 0 & 0 \\ 0 & m & 0 \\ 0 & 0 & m \end{bmatrix}, \qquad Q = \begin{bmatrix} 0 \\ m g \\ 0 \end{bmatrix} \]

The constraint
\[ x^{2} + y^{2} + z^{2} = L^{2} \]

gives $A \ddot{q} = b$ with
\[ A = \begin{bmatrix} 2 x & 2 y & 2 z \end{bmatrix}, \qquad b = -2 \left(\dot{x}^{2} + \dot{y}^{2} + \dot{z}^{2}\right) \]

The constrained motion is (on the constraints: 'rod' is used to shorten what follows, which holds only where it is satisfied)
\[ \begin{bmatrix} m & 0 & 0 \\ 0 & m & 0 \\ 0 & 0 & m \end{bmatrix} \begin{bmatrix} \ddot{x} \\ \ddot{y} \\ \ddot{z} \end{bmatrix} = \begin{bmatrix} 0 \\ m g \\ 0 \end{bmatrix} - \frac{m \left(\dot{x}^{2} + \dot{y}^{2} + \dot{z}^{2} + g y\right)}{L^{2}} \begin{bmatrix} x \\ y \\ z \end{bmatrix} \]

or, component by component, with
\[ f = -\frac{m \left(\dot{x}^{2} + \dot{y}^{2} + \dot{z}^{2} + g y\right)}{L^{2}} \]
\[ \begin{aligned} \ddot{x} &= \frac{f x}{m} \\ \ddot{y} &= g + \frac{f y}{m} \\ \ddot{z} &= \frac{f z}{m} \end{aligned} \]

and the force of the constraint
\[ \begin{aligned} F_{x} &= f x \\ F_{y} &= f y \\ F_{z} &= f z \end{aligned} \]

with the multiplier
\[ \lambda_{\mathrm{rod}} = \frac{f}{2} \]

Gauss's function $G = (\ddot{q} - a)^{T} M (\ddot{q} - a)$ is least for the motion:
\[ G = m \left(\ddot{x}^{2} + \left(\ddot{y} - g\right)^{2} + \ddot{z}^{2}\right) \]
\[ {G}_{\min} = \frac{f^{2} L^{2}}{m} \]
)");
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

TEST(Derive, LatexOpensAndClosesItsBraces) {
  for (const auto& [name, model] : derived::all_models()) {
    const std::string text = derive_latex(model, name);
    int depth = 0;
    for (std::size_t i = 0; i < text.size() && depth >= 0; ++i) {
      const bool escaped = i > 0 && text[i - 1] == '\\';
      depth += escaped ? 0 : text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    }
    EXPECT_EQ(depth, 0) << name;
    EXPECT_EQ(count_of(text, "\\left"), count_of(text, "\\right")) << name;
    EXPECT_EQ(count_of(text, "\\begin{"), count_of(text, "\\end{")) << name;
    EXPECT_EQ(count_of(text, "\\["), count_of(text, "\\]")) << name;
    EXPECT_EQ(count_of(text, "$") % 2, 0u) << name;
    EXPECT_EQ(count_of(text, "\\\\["), 0u) << name << ": a page would take it for a display";
  }
}

// --- Size ----------------------------------------------------------------------------------------

TEST(Derive, AThousandLinksAreListedInSeconds) {
  const Model model = bench::model_of(bench::chain(1000));
  std::string text, page;
  const double seconds = test::seconds_of([&] {
    text = derive_text(model, "chain");
    page = derive_latex(model, "chain", false);
  });
  EXPECT_EQ(count_of(text, "\n  A["), 6u * 1000 - 3);
  EXPECT_EQ(count_of(text, "\n  M["), 3000u);
  EXPECT_EQ(count_of(text, "\n  b["), 1000u);
  EXPECT_TRUE(page.starts_with("The system has 3000 velocities and 1000 constraint rows"))
      << page.substr(0, 80);
  EXPECT_LT(page.size(), 2000u);
  EXPECT_LT(seconds, 20) << "a few seconds in a release build";
}

TEST(Derive, LongSumsAndDeepNestingDoNotHurt) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0.1}), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 1);
  Expr deep = x, doubled = x, sum = 0;
  for (int k = 0; k < 3000; ++k) deep = sin(deep + 1);
  for (int k = 0; k < 60; ++k) doubled = doubled + doubled;  // 2^60 x
  for (int k = 0; k < 3000; ++k) sum += cos(k * x);
  m.force(x, sum + doubled);
  m.force(y, deep);
  const System system(m);
  const State at = system.start();
  EXPECT_NE(derive_text(m, "").find("1152921504606847000*x"), std::string::npos);
  Workspace work(system);
  const Inputs in = inputs_at(m, at);
  const SymbolicEquations e = symbolic_equations(m);
  EXPECT_NEAR(sample::evaluate(e.Q[1], in), evaluate(system, at, work).Q[1], 1e-13);
}

}  // namespace
/// Independent as written, but x x' + (x^2 + y^2)^2 y y' is the rate of the circle wherever that holds.
TEST(Derive, RowsThatDependOnEachOtherOnTheConstraintsHaveNoClosedForm) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0.8}), y = m.coordinate("y", {0.8, -0.6}),
                   z = m.coordinate("z");
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1.0);
  m.force(y, -9.81);
  m.constrain("circle", x * x + y * y, 1.0);
  m.constrain("twist", x * x.rate() + pow(x * x + y * y, 2) * y * y.rate(), 0.0);
  const std::string page = derive_text(m, "twisted");
  EXPECT_NE(page.find("(Where the constraints hold, the rows 'circle' and 'twist' of A depend on each other "
                      "(at each of "),
            page.npos)
      << page;
  EXPECT_NE(page.find("q'' = a + M^-1 A^T (A M^-1 A^T)^+ (b - A a)"), page.npos) << page;
  EXPECT_EQ(page.find("D = "), page.npos) << page;
  EXPECT_NE(derive_latex(m, "twisted").find("depend on each other"), std::string::npos);
}

TEST(Derive, ARowThatVanishesOnItsConstraintHasNoClosedForm) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  for (const Coordinate& q : {x, y}) m.mass(q, 1.0);
  m.constrain("wall", x * x, 0.0);
  const std::string page = derive_text(m, "wall");
  EXPECT_NE(page.find("the row of 'wall' in A is zero (at the start)"), page.npos) << page;
}

TEST(Derive, AProductThatIsNotFiniteStaysVisible) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 1);
  m.force(x,
          x * y / pow(x - x, 2) * (y / m.stated().graph().make(Op::subtract, 2.0, m.parameter("two", 2.0))));
  m.force(y, 2 * x * (3.0 / (0.0 * y)) * sin(x));
  EXPECT_NE(derive_text(m, "odd").find("Q"), std::string::npos);
  EXPECT_NE(derive_latex(m, "odd").find("Q"), std::string::npos);
}

}  // namespace vinculum
