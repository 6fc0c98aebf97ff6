// Random programs of every operation, and arguments for them.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernel/evaluation.hpp"
#include "vinculum/kernel/kernel.hpp"

namespace vinculum::test {

/// Sums and products mostly, as in mechanics, so that fused pairs are common; every other operation too.
inline Expr random_node(Graph& graph, const std::vector<Expr>& pool, std::mt19937_64& random) {
  const auto pick = [&] { return pool[pool.size() - 1 - random() % std::min<std::size_t>(pool.size(), 30)]; };
  const double constants[] = {0.5, -3, 2, 1.0 / 3, 8, 1e-3, -0.0};
  switch (random() % 12) {
    case 0:
    case 1:
      return pick() * pick() + pick();
    case 2:
      return pick() - pick() * pick();
    case 3:
      return pick() * pick() - pick();
    case 4: {
      const Expr angle = pick();
      return sin(angle) * pick() - cos(angle);
    }
    case 5:
      return pow(pick(), static_cast<int>(random() % 131) - 65);
    case 6:
      return pick() / constants[random() % 7] + constants[random() % 7] / pick();
    case 7:
      return if_less(pick(), pick(), pick(), pick()) + if_less_equal(pick(), pick(), pick(), pick());
    case 8:
      return pick() + constants[random() % 7];
    default: {
      const Op op = static_cast<Op>(static_cast<int>(Op::add) +
                                    random() % (static_cast<int>(Op::hypot) - static_cast<int>(Op::add) + 1));
      return graph.make(op, pick(), pick());
    }
  }
}

inline std::vector<double> random_inputs(std::size_t count, std::mt19937_64& random) {
  const double special[] = {0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 1e300, 1e-300, 1e7};
  std::normal_distribution<double> normal(0, 2);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(random() % 8 == 0 ? special[random() % std::size(special)] : normal(random));
  }
  return values;
}

/// Some outputs of some inputs, by up to 120 operations or `size` of them.
struct RandomProgram {
  Graph graph;
  std::vector<Expr> inputs, outputs;
  explicit RandomProgram(std::mt19937_64& random) : RandomProgram(random, 5 + random() % 120) {}
  RandomProgram(std::mt19937_64& random, std::size_t size) {
    std::vector<Expr> pool = {graph.make(Op::sqrt, 2.0),
                              graph.make(Op::cos, 3.0)};  // constants to be evaluated
    for (int i = 0; i < 6; ++i) inputs.push_back(graph.symbol("x" + std::to_string(i)));
    pool.insert(pool.end(), inputs.begin(), inputs.end());
    while (pool.size() < size) pool.push_back(random_node(graph, pool, random));
    for (std::size_t i = 0; i < 1 + size / 8; ++i) outputs.push_back(pool[random() % pool.size()]);
    outputs.push_back(pool.back());
  }
};

}  // namespace vinculum::test
