// Which constraints are rods, told from their derivatives and not from how they are written.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "report/view_points.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// A row that involves one point or two, and nothing else but time and parameters.
struct Candidate {
  std::string name;
  Expr row;
  std::vector<int> points;
};

/// The candidate a row is, if it is one.
std::optional<Candidate> candidate(const Model& model, const std::vector<PointAxis>& axis_of,
                                   const std::string& name, const Expr& row) {
  std::set<int> points;
  for (const Expr& symbol : symbols_of({&row, 1})) {
    const SymbolRole which = model.stated().role(symbol);
    if (is_number(which.role) || which.role == Role::time) continue;
    if (which.role != Role::coordinate || axis_of[which.index].point < 0) return {};
    points.insert(axis_of[which.index].point);
  }
  if (points.empty() || points.size() > 2) return {};
  return Candidate{name, row, {points.begin(), points.end()}};
}

/// Evaluates expressions at positions near the start that are in no special place, two for each of two times.
class Trials {
 public:
  explicit Trials(const Model& model) : model_(model) {
    for (const auto& c : model.coordinates()) size_ = std::max(size_, std::fabs(c.start));
    if (size_ == 0) size_ = 1;
  }

  static constexpr int count = 4;
  static constexpr int first_of_its_time(int trial) { return trial / 2 * 2; }

  /// values[trial][i] of each expression.
  std::vector<std::vector<double>> operator()(const std::vector<Expr>& expressions) const {
    const std::vector<Expr> inputs = symbols_of(expressions);
    const Kernel kernel(expressions, inputs);
    std::vector<double> at(inputs.size());
    std::vector<std::vector<double>> values(count, std::vector<double>(expressions.size()));
    for (int trial = 0; trial < count; ++trial) {
      for (std::size_t k = 0; k < inputs.size(); ++k) at[k] = input(inputs[k], trial);
      evaluate(kernel, at, values[trial]);
    }
    return values;
  }

 private:
  double input(const Expr& symbol, int trial) const {
    const SymbolRole which = model_.stated().role(symbol);
    if (is_number(which.role)) return model_.stated().number_of(which);
    if (which.role == Role::time) return 0.37 * first_of_its_time(trial);
    return model_.coordinates()[which.index].start +
           0.1 * size_ * std::sin(2.1 * which.index + 1.7 * trial + 0.4);
  }

  const Model& model_;
  double size_ = 0;
};

std::vector<Expr> symbols_at(const Model& model, const ShownPoint& point) {
  std::vector<Expr> symbols;
  for (const int c : point.coordinate)
    if (c >= 0) symbols.push_back(model.coordinates()[c].symbol);
  return symbols;
}

// The gradients come from a handful of operations: far more than their rounding, far less than any curve
// that is no circle differs from one.
constexpr double same = 1e-9;

/// Two points: the gradients are opposite and along the line between them.
bool keeps_distance(const Model& model, const Trials& trials, const Expr& row, const ShownPoint& a,
                    const ShownPoint& b) {
  for (int k = 0; k < 3; ++k)
    if ((a.coordinate[k] < 0) != (b.coordinate[k] < 0)) return false;
  const std::vector<Expr> qa = symbols_at(model, a), qb = symbols_at(model, b);
  const std::size_t n = qa.size();
  if (n < 2) return false;
  std::vector<Expr> asked = gradient(row, qa);
  for (const Expr& g : gradient(row, qb)) asked.push_back(g);
  for (std::size_t k = 0; k < n; ++k) asked.push_back(qa[k] - qb[k]);
  for (const std::vector<double>& value : trials(asked)) {
    const double *ga = value.data(), *gb = ga + n, *d = gb + n;
    double gg = 0, gd = 0, dd = 0, sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      gg += ga[k] * ga[k];
      gd += ga[k] * d[k];
      dd += d[k] * d[k];
      sum += (ga[k] + gb[k]) * (ga[k] + gb[k]);
    }
    if (!(gg > 0 && dd > 0 && sum <= same * same * gg && gg * dd - gd * gd <= same * gg * dd)) return false;
  }
  return true;
}

/// One point p on phi = f(|p - c|): with g and H the derivatives of phi and n axes,
///     c = p - (n-1) g / (tr H - g.H g / |g|^2),
/// since H = f'' u u^T + f'/r (1 - u u^T). The row is a rod where this is the same wherever p is.
std::optional<Vector> centre_of(const Model& model, const Trials& trials, const Expr& row,
                                const ShownPoint& point) {
  const std::vector<Expr> q = symbols_at(model, point);
  const std::size_t n = q.size();
  if (n < 2) return {};
  const std::vector<Expr> g = gradient(row, q);
  Expr squared = 0.0, trace = 0.0, along = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    squared += g[i] * g[i];
    const std::vector<Expr> curvature = gradient(g[i], q);
    trace += curvature[i];
    for (std::size_t j = 0; j < n; ++j) along += g[i] * curvature[j] * g[j];
  }
  const Expr factor = double(n - 1) / (trace - along / squared);
  Expr centre[3];
  for (std::size_t i = 0, k = 0; k < 3; ++k)
    if (point.coordinate[k] >= 0) {
      centre[k] = q[i] - factor * g[i];
      ++i;
    }
  const Expr size = norm(position_of(model, point));
  const std::vector<std::vector<double>> value = trials({centre[0], centre[1], centre[2], size});
  const double near = same * (1 + value[0][3]);
  const auto differ = [&](int a, int b, int k) { return !(std::fabs(value[a][k] - value[b][k]) <= near); };
  bool moves = false;
  for (int k = 0; k < 3; ++k)
    for (int trial = 0; trial < Trials::count; ++trial) {
      if (differ(trial, Trials::first_of_its_time(trial), k)) return {};
      moves = moves || differ(trial, 0, k);
    }
  if (moves) return Vector{centre[0], centre[1], centre[2]};
  const auto fixed = [&](int k) { return std::fabs(value[0][k]) <= near ? 0.0 : value[0][k]; };
  return Vector{fixed(0), fixed(1), fixed(2)};
}

}  // namespace

std::vector<View::Link> rods_of(const Model& model, const std::vector<ShownPoint>& points) {
  const std::vector<PointAxis> axis_of = axes_of_coordinates(model, points);
  const Trials trials(model);
  std::vector<View::Link> rods;
  const auto add = [&](const std::string& name, const Vector& from, const Vector& to) {
    const bool known = std::ranges::any_of(
        rods, [&](const View::Link& rod) { return same_place(rod.from, from) && same_place(rod.to, to); });
    if (!known) rods.push_back({name, from, to, View::LinkKind::rod});
  };
  const std::vector<char> is_joint = constraints_that_are_joints(model);
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    if (is_joint[k]) continue;
    const Model::ConstraintData& constraint = model.constraints()[k];
    for (const Expr& row : constraint.rows) {
      const std::optional<Candidate> c = candidate(model, axis_of, constraint.name, row);
      if (!c) continue;
      const ShownPoint& last = points[c->points.back()];
      if (c->points.size() == 2) {
        const ShownPoint& first = points[c->points.front()];
        if (keeps_distance(model, trials, row, first, last))
          add(c->name, position_of(model, first), position_of(model, last));
      } else if (const auto centre = centre_of(model, trials, row, last)) {
        add(c->name, *centre, position_of(model, last));
      }
    }
  }
  return rods;
}

}  // namespace vinculum
