// The equations of vakonomic motion in symbols, as text and as C, against the engine.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "analysis/compiled.hpp"
#include "analysis/derive_models.hpp"
#include "expr/sample.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Numbers = std::vector<double>;
using sample::Inputs;

/// A row linear in the velocities, one that is not, and one on positions.
Model mixed() {
  Model m;
  const Expr k = m.parameter("k", 0.7), t = m.time();
  const Coordinate x = m.coordinate("x", {0.3, 0.4}), y = m.coordinate("y", {0.2, 0.5}),
                   z = m.coordinate("z", {0.9, 0.3}), w = m.coordinate("w", {0.5, 0.1});
  m.lagrangian((2 + sin(y)) * pow(x.rate(), 2) / 2 + pow(y.rate(), 2) + pow(z.rate(), 2) + pow(w.rate(), 2) -
               k * x * y);
  m.constrain("blade", x.rate() * sin(z + t), y.rate() * cos(z));
  m.constrain("speed", k * pow(x.rate(), 2) + y * pow(z.rate(), 2), 1);
  m.constrain("tie", w, z * z / 2);
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("blade", 0, 0.4);
  m.start_multiplier("speed", 0, 0.3);
  return m;
}

Model skate() {
  Model m;
  const Expr g = m.parameter("g", 1.3);
  const Coordinate x = m.coordinate("x", {0, 0.3}), y = m.coordinate("y", {0, 0.2}),
                   phi = m.coordinate("phi", {0.4, 1});
  m.mass(x, 2);
  m.mass(y, 2);
  m.mass(phi, 0.5);
  m.force(x, 2 * g);
  m.constrain("blade", x.rate() * sin(phi), y.rate() * cos(phi));
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("blade", 0, 0.4);
  return m;
}

Inputs inputs_at(const Model& model, const System& system, const State& at, const Solution& s) {
  Inputs in{{"t", at.t}};
  for (std::size_t i = 0; i < at.q.size(); ++i) in[system.coordinate_names()[i]] = at.q[i];
  for (std::size_t i = 0; i < at.v.size(); ++i) in[system.velocity_names()[i]] = at.v[i];
  for (const auto& p : model.parameters()) in[p.name] = p.value;
  for (std::size_t r = 0; r < s.multipliers.size(); ++r)
    in[model.stated().multiplier_of_row(static_cast<int>(r)).name()] = s.multipliers[r];
  return in;
}

TEST(DeriveVakonomic, SymbolicEquationsAreThoseTheEngineSolves) {
  for (const Model& model : {mixed(), skate()}) {
    const System system(model);
    Workspace work(system);
    const SymbolicEquations e = symbolic_equations(model);
    const int n = static_cast<int>(e.velocities.size());
    for (const State& at : derived::states_of(system, 4)) {
      const Solution s = solve(system, at);
      const Inputs in = inputs_at(model, system, at, s);
      const Equations& expected = evaluate(system, at, work);
      Numbers M(n * n), A(n * e.rows.size());
      for (const auto& entry : e.M) M[entry.row * n + entry.column] = sample::evaluate(entry.value, in);
      for (const auto& entry : e.A) A[entry.row * n + entry.column] = sample::evaluate(entry.value, in);
      for (std::size_t i = 0; i < M.size(); ++i) EXPECT_NEAR(M[i], expected.M.dense()[i], 1e-13);
      for (std::size_t i = 0; i < A.size(); ++i) EXPECT_NEAR(A[i], expected.A.dense()[i], 1e-13);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(sample::evaluate(e.Q[i], in), expected.Q[i], 1e-12);
      for (const auto& rate : e.rates) {
        const int row = rate.coordinate - system.stated_coordinates();  // the rows with a mu come first here
        EXPECT_EQ(sample::evaluate(rate.value, in), -s.multipliers[row]);
      }
    }
  }
}

TEST(DeriveVakonomic, TheTextReadFromAboveGivesMotionAndRateOfMu) {
  const Model model = skate();
  const System system(model);
  const std::string text = derive_text(model, "Skate");
  for (const State& at : derived::states_of(system, 3)) {
    const Solution s = solve(system, at);
    Inputs known{{"t", at.t}, {"g", 1.3}, {"mu_blade", at.q[3]}};
    for (int i = 0; i < 3; ++i) {
      known[system.coordinate_names()[i]] = at.q[i];
      known[system.velocity_names()[i]] = at.v[i];
    }
    std::istringstream lines(text);
    Graph graph;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t equals = line.find(" = ");
      if (!line.starts_with("  ") || equals == line.npos || line.find_first_of("|:[") != line.npos) continue;
      known[line.substr(2, equals - 2)] = sample::evaluate(parse(graph, line.substr(equals + 3)), known);
    }
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(known.at(system.velocity_names()[i] + "'"), s.acceleration[i], 1e-12) << text;
    EXPECT_NEAR(known.at("lambda_blade"), s.multipliers[0], 1e-12) << text;
    EXPECT_NEAR(known.at("mu_blade'"), -s.multipliers[0], 1e-12) << text;
  }
}

TEST(DeriveVakonomic, TheCompiledFileMovesAsTheEngineDoes) {
  using Acceleration = int(double, const double*, const double*, const double*, double*, double*, double*);
  using Rates = void(double, const double*, const double*, const double*, const double*, double*);
  for (const auto& [name, model] : {std::pair{"mixed", mixed()}, {"skate", skate()}}) {
    const System system(model);
    const derived::Compiled file(model, name);
    ASSERT_TRUE(file.loaded());
    auto* const accelerate = file.function<Acceleration>(std::string(name) + "_acceleration");
    auto* const rates = file.function<Rates>(std::string(name) + "_rates");
    ASSERT_NE(accelerate, nullptr);
    ASSERT_NE(rates, nullptr);
    const std::size_t n = system.velocity_names().size(), nq = system.coordinate_names().size();
    int compared = 0;
    for (const State& at : derived::states_of(system, 6)) {
      const Solution s = solve(system, at);
      Numbers a(n), f(n), lambda(s.multipliers.size()), rate(nq);
      const int status =
          accelerate(at.t, at.q.data(), at.v.data(), nullptr, a.data(), f.data(), lambda.data());
      if (s.status != Status::solved || status != 0) continue;
      ++compared;
      // Rounding times the condition of the rows, which stays below 1e4 at these states.
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(a[i], s.acceleration[i], 1e-11 * (1 + std::fabs(a[i])));
      for (std::size_t r = 0; r < lambda.size(); ++r)
        EXPECT_NEAR(lambda[r], s.multipliers[r], 1e-11 * (1 + std::fabs(lambda[r])));
      rates(at.t, at.q.data(), at.v.data(), nullptr, lambda.data(), rate.data());
      for (int i = 0; i < system.stated_coordinates(); ++i) EXPECT_EQ(rate[i], at.v[i]);
      for (int r = 0; r < static_cast<int>(lambda.size()); ++r)
        if (const int mu = system.multiplier_coordinate(r); mu >= 0) {
          EXPECT_EQ(rate[mu], -lambda[r]);
        }
    }
    EXPECT_GE(compared, 4);
  }
}

}  // namespace
}  // namespace vinculum
