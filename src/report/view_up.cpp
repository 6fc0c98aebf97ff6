// Which way is up: against the constant part of the forces on the points.
#include <array>
#include <cmath>

#include "report/view_points.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// The terms of a sum with their signs: m*g*y tells the weight though a spring stands beside it.
void summands(const Expr& e, double sign, std::vector<Expr>& out) {
  if (e.is_constant()) return;
  if (e.op() == Op::add || e.op() == Op::subtract) {
    summands(e.operand(0), sign, out);
    summands(e.operand(1), e.op() == Op::add ? sign : -sign, out);
  } else if (e.op() == Op::negate) {
    summands(e.operand(0), -sign, out);
  } else {
    out.push_back(sign * e);
  }
}

}  // namespace

std::optional<double> number_of(const Model& model, const Expr& expression) {
  const std::vector<Expr> symbols = symbols_of({&expression, 1});
  for (const Expr& symbol : symbols)
    if (!is_number(model.stated().role(symbol).role)) return {};
  const Kernel kernel({&expression, 1}, symbols);
  std::vector<double> inputs;
  for (const Expr& symbol : symbols) inputs.push_back(model.stated().number_of(model.stated().role(symbol)));
  double number = 0;
  evaluate(kernel, inputs, {&number, 1});
  return number;
}

std::string up_axis(const Model& model, const std::vector<ShownPoint>& points) {
  const std::vector<PointAxis> axis_of = axes_of_coordinates(model, points);
  std::array<double, 3> weight{};
  std::vector<Expr> works;  // whose derivatives by coordinates are forces: L, and -V
  for (const Expr& v : model.potentials()) summands(v, -1, works);
  for (const Expr& l : model.lagrangians()) summands(l, 1, works);
  for (const Expr& work : works)
    for (const Expr& symbol : symbols_of({&work, 1})) {
      const SymbolRole which = model.stated().role(symbol);
      if (which.role != Role::coordinate || axis_of[which.index].point < 0) continue;
      if (const auto value = number_of(model, derivative(work, symbol)))
        weight[axis_of[which.index].axis] += *value;
    }
  std::vector<int> axis_of_velocity(model.velocities().size(), -1);
  for (std::size_t c = 0; c < axis_of.size(); ++c)
    if (axis_of[c].point >= 0)
      axis_of_velocity[model.stated().velocity_of_coordinate(static_cast<int>(c))] = axis_of[c].axis;
  for (const Model::ForceData& force : model.forces())
    if (const int axis = axis_of_velocity[force.velocity]; axis >= 0)
      if (const auto value = number_of(model, force.value)) weight[axis] += *value;
  int most = 2;
  for (const int k : {1, 0})
    if (std::fabs(weight[k]) > std::fabs(weight[most])) most = k;
  if (!(std::fabs(weight[most]) > 0)) return "";
  return (weight[most] > 0 ? "-" : "") + std::string(1, "xyz"[most]);
}

}  // namespace vinculum
