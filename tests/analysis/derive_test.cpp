// Symbolic equations against the numbers of the engine; the printed text read back; the 1996 paper by hand.
#include "vinculum/analysis/derive.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "analysis/derive_models.hpp"
#include "bench/particles.hpp"
#include "expr/sample.hpp"
#include "vinculum/expr/parse.hpp"

namespace vinculum {
namespace {

using sample::Inputs;

/// All symbols of the model by name.
Inputs inputs_at(const Model& model, const State& at, const std::vector<double>& multipliers = {}) {
  Inputs in{{"t", at.t}};
  for (std::size_t i = 0; i < at.q.size(); ++i) in[model.coordinates()[i].name] = at.q[i];
  for (std::size_t i = 0; i < at.v.size(); ++i) in[model.velocities()[i].name] = at.v[i];
  for (const auto& p : model.parameters()) in[p.name] = p.value;
  for (std::size_t r = 0; r < multipliers.size(); ++r)
    in[model.multiplier_of_row(static_cast<int>(r)).name()] = multipliers[r];
  return in;
}

std::vector<double> dense(const std::vector<DerivedEquations::Entry>& entries, std::size_t rows,
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
    const DerivedEquations e = symbolic_equations(model);
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

std::vector<std::string> split(const std::string& text, const char* at) {
  const std::regex rule(at);
  std::vector<std::string> parts(std::sregex_token_iterator(text.begin(), text.end(), rule, -1), {});
  std::erase_if(parts, [](const std::string& p) { return p.find_first_not_of(' ') == p.npos; });
  return parts;
}

/// Reads a page as a student would: line by line, each name from where it was defined, matrices by their
/// cells. A name that is used before its line is an error.
class Reader {
 public:
  Reader(Inputs known, const std::string& page) : known_(std::move(known)) {
    // multiplier(rod[0]) is no name for the parser of expressions.
    std::map<std::string, double, std::less<>> plain;
    for (const auto& [name, at] : known_) plain[without_brackets(name)] = at;
    known_ = plain;
    std::istringstream lines(without_brackets(page));
    std::vector<std::string> matrix;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  ") && line.find('|') != line.npos) {
        matrix.push_back(line);
        continue;
      }
      if (!matrix.empty()) read_matrix(matrix);
      matrix.clear();
      read_line(line);
    }
  }
  std::map<std::string, double> value;                               ///< "M[x, y]", "x''", "F[x]"
  std::map<std::string, std::vector<std::vector<double>>> matrices;  ///< "M", "Q", "A", "b", "C"

 private:
  static std::string without_brackets(const std::string& text) {
    static const std::regex multiplier(R"(multiplier\((\w+)(\[(\d+)\])?\))");
    return std::regex_replace(text, multiplier, "multiplier_$1$3");
  }
  double number(const std::string& text) {
    Graph graph;
    return sample::evaluate(parse(graph, text), known_);
  }
  void read_line(const std::string& line) {
    static const std::regex rule(R"(  ([A-Za-z_][\w.]*'*|[A-Zab^]+\[.*\]) = (.*))");
    std::smatch found;
    if (!std::regex_match(line, found, rule) || found[2].str().find("M^-1") != std::string::npos) return;
    if (found[1] == "F" || found[1] == "q''") return;  // a formula between matrices
    value[found[1]] = number(found[2]);
    if (found[1].str().find('[') == std::string::npos) known_[found[1]] = value[found[1]];
  }
  void read_matrix(const std::vector<std::string>& lines) {
    std::map<int, std::string> label;
    std::map<int, std::vector<std::vector<double>>> blocks;
    for (const std::string& line : lines) {
      int place = 0;
      bool inside = false;
      for (std::size_t from = 0; from < line.size(); inside = !inside, ++place) {
        const std::size_t end = std::min(line.find('|', from), line.size());
        const std::string part = line.substr(from, end - from);
        from = end + 1;
        if (!inside && part.find(" = ") != part.npos) label[place + 1] = split(part, " ").front();
        if (!inside) continue;
        blocks[place].emplace_back();
        if (part.find("''") != part.npos || part.find("lambda") != part.npos) continue;
        if (part.find("A^T") == part.npos && !is_headline(lines))
          for (const std::string& cell : split(part, "  +")) blocks[place].back().push_back(number(cell));
      }
    }
    if (is_headline(lines)) return;
    for (const auto& [place, name] : label) matrices[name] = blocks[place];
  }
  /// M q'' = Q + f u, before f is known; or the block form for a singular M.
  static bool is_headline(const std::vector<std::string>& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const std::string& l) {
      return l.find("''") != l.npos || l.find("lambda") != l.npos;
    });
  }
  Inputs known_;
};

struct Compared {
  int matrices = 0, entries = 0, accelerations = 0, forces = 0;
};

std::string label(std::string velocity) {
  if (velocity.back() == '\'') velocity.pop_back();
  return velocity;
}

/// A matrix or vector on the page, laid out or listed, against the engine.
void expect_entries(const Reader& page, const std::string& name, const std::vector<std::string>& rows,
                    const std::vector<std::string>& columns, const std::vector<double>& expected,
                    const std::string& where, Compared& count) {
  const bool vector = columns.empty();
  const std::size_t width = vector ? 1 : columns.size();
  const auto laid_out = page.matrices.find(name);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < width; ++j) {
      double found = 0;
      if (laid_out != page.matrices.end()) {
        ASSERT_EQ(laid_out->second.size(), rows.size()) << where << " " << name;
        ASSERT_EQ(laid_out->second[i].size(), width) << where << " " << name;
        found = laid_out->second[i][j];
      } else {
        const auto key = [&](std::size_t r, std::size_t c) {
          return name + "[" + rows[r] + (vector ? "" : ", " + columns[c]) + "]";
        };
        auto at = page.value.find(key(i, j));
        if (at == page.value.end() && name == "M") at = page.value.find(key(j, i));  // symmetric
        if (at != page.value.end()) found = at->second, ++count.entries;
      }
      EXPECT_NEAR(found, expected[i * width + j], 1e-12 * (10 + std::fabs(expected[i * width + j])))
          << where << " " << name << " " << i << " " << j;
    }
  count.matrices += laid_out != page.matrices.end();
}

void compare_text(const derived::Named& which, Compared& count) {
  const auto& [name, model] = which;
  const std::string text = derive_text(model, name);
  const System system(model);
  Workspace work(system);
  std::vector<std::string> labels;
  for (const std::string& v : system.velocity_names()) labels.push_back(label(v));
  for (const State& at : derived::states_of(system, 3)) {
    const Solution s = solve(system, at);
    ASSERT_EQ(s.status, Status::solved) << name;
    const Reader page(inputs_at(model, at, s.multipliers), text);
    const Equations& e = evaluate(system, at, work);
    expect_entries(page, "M", labels, labels, e.M.dense(), name, count);
    expect_entries(page, "Q", labels, {}, e.Q, name, count);
    if (e.rows() > 0) {
      expect_entries(page, "A", system.row_names(), labels, e.A.dense(), name, count);
      expect_entries(page, "b", system.row_names(), {}, e.b, name, count);
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      // The closed form divides by numbers that may be small; the condition stays below 1e3 here.
      const std::string q2 = model.velocities()[i].acceleration.name();
      if (page.value.contains(q2)) {
        ++count.accelerations;
        EXPECT_NEAR(page.value.at(q2), s.acceleration[i], 1e-12 * (10 + std::fabs(s.acceleration[i])))
            << name << " " << q2 << "\n"
            << text;
      }
      for (const auto& [key, expected] : {std::pair{"F[" + labels[i] + "]", &s.constraint_force},
                                          std::pair{"F^C[" + labels[i] + "]", &s.nonideal_force}})
        if (page.value.contains(key)) {
          ++count.forces;
          EXPECT_NEAR(page.value.at(key), (*expected)[i], 1e-12 * (10 + std::fabs((*expected)[i])))
              << name << " " << key;
        }
    }
  }
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

TEST(Derive, TheSphericalPendulumIsEquation27) {
  const Model model = examples::spherical_pendulum();
  const System system(model);
  for (const State& at : derived::states_of(system, 5)) {
    const Reader page(inputs_at(model, at), derive_text(model, ""));
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

  | m  0  0 | | x'' |   |  0  |     | x |
  | 0  m  0 | | y'' | = | m*g | + f | y |
  | 0  0  m | | z'' |   |  0  |     | z |

  f = -m*(x'^2 + y'^2 + z'^2 + g*y)/(x^2 + y^2 + z^2)

  x'' = f*x/m
  y'' = g + f*y/m
  z'' = f*z/m

The force of the constraint

  F[x] = f*x
  F[y] = f*y
  F[z] = f*z
  multiplier(rod) = f/2
)");
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

The constrained motion is
\[ \begin{bmatrix} m & 0 & 0 \\ 0 & m & 0 \\ 0 & 0 & m \end{bmatrix} \begin{bmatrix} \ddot{x} \\ \ddot{y} \\ \ddot{z} \end{bmatrix} = \begin{bmatrix} 0 \\ m g \\ 0 \end{bmatrix} - \frac{m \left(\dot{x}^{2} + \dot{y}^{2} + \dot{z}^{2} + g y\right)}{x^{2} + y^{2} + z^{2}} \begin{bmatrix} x \\ y \\ z \end{bmatrix} \]

or, component by component, with
\[ f = -\frac{m \left(\dot{x}^{2} + \dot{y}^{2} + \dot{z}^{2} + g y\right)}{x^{2} + y^{2} + z^{2}} \]
\[ \begin{aligned} \ddot{x} &= \frac{f x}{m} \\ \ddot{y} &= g + \frac{f y}{m} \\ \ddot{z} &= \frac{f z}{m} \end{aligned} \]

and the force of the constraint
\[ \begin{aligned} F_{x} &= f x \\ F_{y} &= f y \\ F_{z} &= f z \end{aligned} \]
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
  const auto start = std::chrono::steady_clock::now();
  const std::string text = derive_text(model, "chain");
  EXPECT_EQ(count_of(text, "\n  A["), 6u * 1000 - 3);
  EXPECT_EQ(count_of(text, "\n  M["), 3000u);
  EXPECT_EQ(count_of(text, "\n  b["), 1000u);
  const std::string page = derive_latex(model, "chain", false);
  EXPECT_TRUE(page.starts_with("The system has 3000 velocities and 1000 constraint rows"))
      << page.substr(0, 80);
  EXPECT_LT(page.size(), 2000u);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 20) << "a few seconds in a release build on an idle machine";
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
  const DerivedEquations e = symbolic_equations(m);
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
  m.force(x, x * y / pow(x - x, 2) * (y / m.graph().make(Op::subtract, 2.0, m.parameter("two", 2.0))));
  m.force(y, 2 * x * (3.0 / (0.0 * y)) * sin(x));
  EXPECT_NE(derive_text(m, "odd").find("Q"), std::string::npos);
  EXPECT_NE(derive_latex(m, "odd").find("Q"), std::string::npos);
}

}  // namespace vinculum
