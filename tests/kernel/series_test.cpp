#include "vinculum/kernel/series.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernel/evaluation.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

constexpr int order = 7;

double coefficient(const SeriesRun& run, int k, int lane) {
  const double* const all = run.output(0, k);
  return all == nullptr ? 0.0 : all[lane];
}

/// x(t), y(t) as polynomials: the derivatives of f(x(t), y(t)) by t, written out by the graph, are the truth.
class SeriesOf : public testing::TestWithParam<int> {
 protected:
  Graph graph;
  Expr t = graph.symbol("t"), x = graph.symbol("x"), y = graph.symbol("y");
  double px[order + 1] = {0.4, 0.7, -0.3, 0.2, 0.05, -0.1, 0.02, 0.03},
                    py[order + 1] = {0.8, -0.5, 0.1, 0.3, -0.2, 0.04, 0.01, -0.02};

  std::vector<Expr> formulas() const {
    return {x + y,
            x - y,
            -x,
            x * y,
            x * x,
            x / y,
            1 / x,
            sqrt(x),
            exp(x),
            log(y),
            sin(x) + cos(y),
            sin(y) * cos(y),
            tan(x),
            asin(x),
            acos(x),
            atan(x),
            sinh(x),
            cosh(y),
            tanh(x),
            abs(-x),
            sign(x) * y,
            atan2(x, y),
            atan2(y, -x),
            min(x, y),
            max(x, y),
            hypot(x, y),
            pow(x, 5),
            pow(y, -3),
            pow(x, 1.7),
            pow(x, y),
            if_less(x, y, x * y, x),
            x * y + x,
            x * y - y,
            y - x * y,
            pow(2, x) * y + log(x) / (1 + y * y),
            sin(x * y) / (x + exp(-y)) + sqrt(x * x + y * y)};
  }
  std::vector<double> truth(const Expr& formula) {
    const auto polynomial = [&](const double* p) {
      Expr sum = p[order];
      for (int k = order; k-- > 0;) sum = sum * t + p[k];
      return sum;
    };
    SymbolMap of_time;
    of_time.set(x, polynomial(px));
    of_time.set(y, polynomial(py));
    Expr f = substitute(formula, of_time);
    std::vector<double> result;
    double factorial = 1;
    const double zero = 0;
    for (int k = 0; k <= order; ++k) {
      if (k > 0) factorial *= k;
      result.push_back(test::value_at(f, {&t, 1}, {&zero, 1}) / factorial);
      f = derivative(f, t);
    }
    return result;
  }
};

TEST_P(SeriesOf, EveryFormulaHasTheCoefficientsOfItsDerivatives) {
  const int lanes = GetParam();
  for (const Expr& formula : formulas()) {
    const std::vector<Expr> inputs = {x, y};
    const Kernel kernel({&formula, 1}, inputs);
    const auto program = SeriesProgram::of(kernel, order);
    ASSERT_TRUE(program);
    SeriesRun run(*program, lanes);
    const std::vector<double> want = truth(formula);
    for (int k = 0; k <= order; ++k) {
      std::fill_n(run.input(0, k), lanes, px[k]);
      std::fill_n(run.input(1, k), lanes, py[k]);
      run.compute(k);
      for (int lane = 0; lane < lanes; ++lane)
        EXPECT_NEAR(coefficient(run, k, lane), want[k], 1e-12 * (1 + std::fabs(want[k])))
            << to_text(formula) << ", order " << k;
    }
  }
}

/// y comes late: its coefficients are zero at first, and become known when the rest of their order is.
TEST_P(SeriesOf, LateInputsAreMadeUpFor) {
  const int lanes = GetParam();
  for (const Expr& formula : formulas()) {
    const std::vector<Expr> inputs = {x, y};
    const Kernel kernel({&formula, 1}, inputs);
    const auto all = SeriesProgram::of(kernel, order),
               late = SeriesProgram::of(kernel, order, {SeriesInput::moving, SeriesInput::late});
    SeriesRun at_once(*all, lanes), in_two(*late, lanes);
    for (int k = 0; k <= order; ++k) {
      for (SeriesRun* run : {&at_once, &in_two}) std::fill_n(run->input(0, k), lanes, px[k]);
      std::fill_n(at_once.input(1, k), lanes, py[k]);
      at_once.compute(k);
      if (k == 0) std::fill_n(in_two.input(1, k), lanes, py[k]);
      in_two.compute(k);
      if (k > 0) {
        std::fill_n(in_two.input(1, k), lanes, py[k]);
        in_two.complete(k);
      }
      for (int lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(coefficient(at_once, k, lane), coefficient(in_two, k, lane))
            << to_text(formula) << ", order " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OnLanes, SeriesOf, testing::Values(1, lane_count));

}  // namespace
}  // namespace vinculum
