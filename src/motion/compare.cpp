#include "vinculum/motion/compare.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/error.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/dense.hpp"
#include "vinculum/system/lagrangian.hpp"

namespace vinculum {
namespace {

constexpr int even_instants = 201;

bool stated(const Model& model, int row) {
  const std::vector<std::optional<Expr>>& starts = model.stated().start_multipliers;
  return row < static_cast<int>(starts.size()) && starts[row].has_value();
}

/// Both systems have the same stated coordinates; behind them mu, as far as `start` has it.
State start_of(const System& system, const State& start) {
  State own = system.start();
  own.t = start.t;
  std::copy_n(start.q.begin(), std::min(own.q.size(), start.q.size()), own.q.begin());
  own.v = start.v;
  return own;
}

ByPrinciple by_principle(const Model& model, const State& start, const MotionOptions& options) {
  ByPrinciple out{System(model), {}, NAN};
  const DenseTrajectory dense(out.system, start_of(out.system, start), options);
  out.motion = dense.trajectory();
  if (!out.motion.empty()) out.action = dense.action();
  return out;
}

/// Both recorded the same instants, as far as both came.
std::vector<Apart> apart(const ByPrinciple& one, const ByPrinciple& other) {
  std::vector<Apart> list;
  const int count = std::min(one.motion.size(), other.motion.size());
  for (int i = 0; i < one.system.stated_coordinates(); ++i) {
    Apart here{one.system.coordinate_names()[i]};
    for (int k = 0; k < count; ++k) {
      if (one.motion.times()[k] != other.motion.times()[k]) break;  // one of them ended in between
      const double by = std::fabs(one.motion[k].q[i] - other.motion[k].q[i]);
      if (by > here.most) here.most = by, here.time = one.motion.times()[k];
    }
    list.push_back(here);
  }
  return list;
}

bool has_row_on_velocities(const Model& model) {
  for (const auto& c : model.constraints())
    for (const Expr& phi : c.rows)
      if (order_of(model, phi) > 0) return true;
  return false;
}

}  // namespace

Model by_other_principle(const Model& model) {
  if (model.mechanics() == Mechanics::none)
    fail("without mechanics there are no principles of mechanics to compare");
  if (model.mechanics() == Mechanics::vakonomic) return model.with_mechanics(Mechanics::dalembert);
  Model other = model.with_mechanics(Mechanics::vakonomic);
  int row = 0;
  for (const auto& c : model.constraints())
    for (int r = 0; r < static_cast<int>(c.rows.size()); ++r, ++row)
      if (order_of(model, c.rows[r]) == 1 && !stated(other, row)) other.start_multiplier(c.name, r, 0.0);
  return other;
}

Comparison compare_principles(const Model& model, const State& start, const MotionOptions& options) {
  MotionOptions how = options;
  how.sink = nullptr;
  if (how.samples < 2 && how.instants.empty()) how.samples = even_instants;
  const Model other = by_other_principle(model);
  const bool vakonomic = model.mechanics() == Mechanics::vakonomic;
  Comparison c{by_principle(vakonomic ? other : model, start, how),
               by_principle(vakonomic ? model : other, start, how),
               {},
               !has_row_on_velocities(model),
               {}};
  c.apart = apart(c.dalembert, c.vakonomic);
  c.notes = outside_lagrangian(c.dalembert.system);
  return c;
}

}  // namespace vinculum
