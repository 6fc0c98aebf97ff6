#include "vinculum/expr/valuation.hpp"

#include <algorithm>
#include <cmath>

#include "expr/fold.hpp"
#include "expr/walk.hpp"

namespace vinculum {

Valuation::Valuation(std::span<const Expr> of) {
  for (const Expr& e : of)
    if (!e.is_constant()) graph_ = e.graph();
  roots_.resize(of.size());
  for (std::size_t k = 0; k < of.size(); ++k)
    if (of[k].is_constant()) roots_[k].value = of[k].value();
  if (graph_ == nullptr) return;
  const Walk& walk = Walk::over(*graph_, of);
  for (std::size_t k = 0; k < of.size(); ++k)
    if (!of[k].is_constant()) roots_[k] = {false, 0.0, walk.place_of(of[k].id())};
  steps_.reserve(walk.order().size());
  symbols_.reserve(walk.symbols().size());
  for (const NodeId id : walk.order()) {
    Step& step = steps_.emplace_back(Step{&graph_->node(id), {0, 0, 0}});
    for (int k = 0; k < arity(step.node->op); ++k) step.operand[k] = walk.place_of(step.node->operand[k]);
    has_calls_ = has_calls_ || step.node->op == Op::call;
    if (step.node->op != Op::symbol) continue;
    step.operand[0] = static_cast<std::uint32_t>(symbols_.size());
    symbols_.push_back(graph_->at(id));
  }
}

/// What a call gives, with the values of what is below it known.
double Valuation::value_of_call(const Step& call) const {
  std::vector<double> at;
  for (const Step* list = &steps_[call.operand[1]]; list->node->op == Op::argument;
       list = &steps_[list->operand[1]])
    at.push_back(value_[list->operand[0]]);
  const int component = static_cast<int>(steps_[call.operand[2]].node->value);
  const OpaqueFunction& f = *graph_->function(*call.node);
  return component == 0 ? f.value(at) : derivative_at(f, at, component - 1);
}

void Valuation::at(std::span<const double> symbols, std::span<double> values) {
  value_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const int count = arity(step.node->op);
    const auto operand = [&](int k) { return k < count ? value_[step.operand[k]] : 0.0; };
    value_[i] = step.node->op == Op::constant   ? step.node->value
                : step.node->op == Op::symbol   ? symbols[step.operand[0]]
                : step.node->op == Op::argument ? 0.0
                : step.node->op == Op::call     ? value_of_call(step)
                                                : fold(step.node->op, operand(0), operand(1), operand(2));
  }
  for (std::size_t k = 0; k < roots_.size(); ++k)
    values[k] = roots_[k].is_constant ? roots_[k].value : value_[roots_[k].step];
}

bool Valuation::was_finite() const {
  return std::ranges::all_of(value_, [](double x) { return std::isfinite(x); });
}

double value_of(const Expr& e, const std::function<double(const Expr&)>& of_symbol) {
  if (e.is_constant()) return e.value();
  if (e.is_symbol()) return of_symbol(e);
  Valuation valuation({&e, 1});
  std::vector<double> symbols;
  for (const Expr& symbol : valuation.symbols()) symbols.push_back(of_symbol(symbol));
  double value = 0;
  valuation.at(symbols, {&value, 1});
  return value;
}

}  // namespace vinculum
