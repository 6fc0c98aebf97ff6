#include <cstdio>
#include <vinculum/expr/graph.hpp>

int main() {
  vinculum::Graph graph;
  const vinculum::Expr x = graph.symbol("x"), y = graph.symbol("y");
  const bool multiplies = (x * y).op() == vinculum::Op::multiply;
  std::printf("x*y is %s\n", multiplies ? "a product" : "something else");
  return multiplies ? 0 : 1;
}
