#include <cstdio>
#include <vinculum/expr/graph.hpp>

int main() {
  vinculum::Graph graph;
  const vinculum::Expr x = graph.symbol("x");
  const bool multiplies = (x * x).op() == vinculum::Op::multiply;
  std::printf("x*x is %s\n", multiplies ? "a product" : "something else");
  return multiplies ? 0 : 1;
}
