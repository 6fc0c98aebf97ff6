#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_latex(const Cases& cases) {
  for (const auto& [text, latex] : cases) {
    Graph graph;
    EXPECT_EQ(to_latex(parse(graph, text)), latex) << text;
  }
}

TEST(ToLatex, OfNames) {
  expect_latex({
      {"x", "x"},
      {"x'", R"(\dot{x})"},
      {"x''", R"(\ddot{x})"},
      {"theta", R"(\theta)"},
      {"Omega'", R"(\dot{\Omega})"},
      {"x1", "x_{1}"},
      {"theta12''", R"(\ddot{\theta}_{12})"},
      {"m_cart", R"(m_{\mathrm{cart}})"},
      {"omega_phi", R"(\omega_{\phi})"},
      {"theta_dot", R"(\theta_{\mathrm{dot}})"},
      {"mass", R"(\mathrm{mass})"},
      {"p.x", "p_{x}"},
      {"p.x'", R"(\dot{p}_{x})"},
      {"p'.x", R"(\dot{p}_{x})"},
      {"p1.y''", R"(\ddot{p}_{1,y})"},
      {"link_2.qw", R"(\mathrm{link}_{2,\mathrm{qw}})"},
      {"_a", "a"},
      {"a__b", "a_{b}"},
      {"_", R"(\_)"},
  });
}

TEST(ToLatex, OfNumbers) {
  expect_latex({
      {"2", "2"},
      {"-2.5", "-2.5"},
      {"1e-12", "10^{-12}"},
      {"2.5e-7", R"(2.5 \cdot 10^{-7})"},
      {"pi", R"(\pi)"},
      {"0.5", R"(\frac{1}{2})"},
  });
  EXPECT_EQ(to_latex(-INFINITY), R"(-\infty)");
  EXPECT_EQ(to_latex(NAN), R"(\mathrm{NaN})");
}

TEST(ToLatex, OfSums) {
  expect_latex({
      {"x^2 + y^2 - L^2", "x^{2} + y^{2} - L^{2}"},
      {"a + (b - c)", "a + b - c"},
      {"a - (b - c)", R"(a - \left(b - c\right))"},
      {"a + -2*x", "a - 2 x"},
      {"-x - y", "-x - y"},
      {"-(a + b)", R"(-\left(a + b\right))"},
      {"c - -(a + b)", "c + a + b"},
      {"2*x - (-3)*y", "2 x + 3 y"},
  });
}

TEST(ToLatex, OfProductsAndFractions) {
  expect_latex({
      {"m*g*y", "m g y"},
      {"m*(a + b)", R"(m \left(a + b\right))"},
      {"x*2", "2 x"},
      {"2*x*3", R"(2 \cdot 3 x)"},
      {"x*3^k", R"(x \cdot 3^{k})"},
      {"0.5*m*v^2", R"(\frac{1}{2} m v^{2})"},
      {"-0.5*k*x^2", R"(-\frac{1}{2} k x^{2})"},
      {"mass*g", R"(\mathrm{mass}\,g)"},
      {"g*mass", R"(g\,\mathrm{mass})"},
      {"x/y", R"(\frac{x}{y})"},
      {"a/b/c", R"(\frac{a}{b c})"},
      {"(a + b)/(c*d)", R"(\frac{a + b}{c d})"},
      {"c*(a + b)/(a - b)", R"(\frac{c \left(a + b\right)}{a - b})"},
      {"0.5/(a + b)", R"(\frac{1}{2 \left(a + b\right)})"},
      {"2*(x/y)", R"(\frac{2 x}{y})"},
      {"-x*y/z", R"(-\frac{x y}{z})"},
      {"0.5/sqrt(x)", R"(\frac{1}{2 \sqrt{x}})"},
      {"1/x*y", R"(\frac{y}{x})"},
      {"-2/x", R"(-\frac{2}{x})"},
      {"1e-3*x", "0.001 x"},
      {"1e-12*x*y", "10^{-12} x y"},
  });
}

TEST(ToLatex, OfPowers) {
  expect_latex({
      {"x^2", "x^{2}"},
      {"x^-2", "x^{-2}"},
      {"x^1.5", "x^{3/2}"},
      {"x^-0.5", "x^{-1/2}"},
      {"x^(a + 1)", "x^{a + 1}"},
      {"a^b^c", "a^{b^{c}}"},
      {"(a^b)^c", R"(\left(a^{b}\right)^{c})"},
      {"(a + b)^2", R"(\left(a + b\right)^{2})"},
      {"-x^2", "-x^{2}"},
      {"(-x)^2", R"(\left(-x\right)^{2})"},
      {"(-2)^n", R"(\left(-2\right)^{n})"},
      {"1e9^n", R"(\left(10^{9}\right)^{n})"},
      {"x1'^2", R"(\dot{x}_{1}^{2})"},
      {"(x/y)^2", R"(\left(\frac{x}{y}\right)^{2})"},
      {"abs(x)^3", R"(\left|x\right|^{3})"},
  });
}

TEST(ToLatex, OfFunctions) {
  expect_latex({
      {"sin(theta)", R"(\sin\theta)"},
      {"sin(x)", R"(\sin x)"},
      {"sin(2*theta)", R"(\sin\left(2 \theta\right))"},
      {"cos(-x)", R"(\cos\left(-x\right))"},
      {"sin(theta)^2*cos(theta)*r", R"(\sin^{2}\theta\,\cos\theta\,r)"},
      {"m*g*sin(theta)", R"(m g \sin\theta)"},
      {"sin(x)^-1", R"(\left(\sin x\right)^{-1})"},
      {"log(x)^2", R"(\left(\ln x\right)^{2})"},
      {"asin(x) + acos(y) + atan(z)", R"(\arcsin x + \arccos y + \arctan z)"},
      {"exp(-k*t)", "e^{-k t}"},
      {"sqrt(x^2 + 1)", R"(\sqrt{x^{2} + 1})"},
      {"abs(x - y)", R"(\left|x - y\right|)"},
      {"sign(v)", R"(\operatorname{sgn} v)"},
      {"hypot(x, y - 1)", R"(\sqrt{x^{2} + \left(y - 1\right)^{2}})"},
      {"hypot(sin(x), y)", R"(\sqrt{\sin^{2} x + y^{2}})"},
      {"atan2(y, x)", R"(\operatorname{atan2}\left(y, x\right))"},
      {"min(a, b, c)", R"(\min\left(a, b, c\right))"},
  });
}

TEST(ToLatex, OfChoices) {
  expect_latex({
      {"if(x < 1, x^2, 2*x - 1)",
       R"(\begin{cases} x^{2} & \text{if } x < 1 \\ 2 x - 1 & \text{otherwise} \end{cases})"},
      {"2*if(x >= 1, 1, 0) + y",
       R"(2 \left(\begin{cases} 1 & \text{if } 1 \le x \\ 0 & \text{otherwise} \end{cases}\right) + y)"},
  });
}

TEST(ToLatex, OfTheSphericalPendulum) {
  expect_latex({{"2*x*x'' + 2*y*y'' + 2*(x'^2 + y'^2)",
                 R"(2 x \ddot{x} + 2 y \ddot{y} + 2 \left(\dot{x}^{2} + \dot{y}^{2}\right))"}});
}

TEST(ToLatex, OfNamesThatAreNoNames) {
  Graph graph;
  EXPECT_EQ(to_latex(graph.symbol("rod[0]")), R"(\mathrm{rod[0]})");
  EXPECT_EQ(to_latex(graph.symbol("50%")), R"(\mathrm{50\%})");
}

TEST(ToLatex, CostsNoStackAndStopsAtItsLimit) {
  Graph graph;
  Expr sum = graph.symbol("x"), sines = sum, products = sum, powers = sum;
  for (int i = 0; i < 100000; ++i) {
    sum = sum + graph.symbol("x" + std::to_string(i));
    sines = sin(sines + 1);
    powers = pow(powers, graph.symbol("y"));
  }
  EXPECT_GT(to_latex(sum).size(), 100000u);
  EXPECT_GT(to_latex(sines).size(), 100000u);
  EXPECT_GT(to_latex(powers).size(), 100000u);
  for (int i = 0; i < 100; ++i) products = products * products;
  EXPECT_THROW(to_latex(products, 1000), Error);
  for (int i = 0; i < 100; ++i) sum = sum + sum;
  EXPECT_THROW(to_latex(sum, 1000), Error);
}

}  // namespace
}  // namespace vinculum
