#include "analysis/instant/constraint_states.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "equation/dense/factorise.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using dense::Matrix;
constexpr std::size_t most_symbols = 64, most_work = 20000;  // nodes times symbols
constexpr int most_iterations = 30;

/// The shortest change that takes rows with these slopes, one in each column, from their misses to 0. None
/// where all slopes vanish.
dense::Vector shortest_step(const Matrix& slopes, const dense::Vector& miss) {
  const dense::PivotedQr qr = dense::pivoted_qr(slopes, std::min(slopes.rows(), slopes.cols()));
  Eigen::Index rank = 0;
  while (rank < qr.R.rows() && std::fabs(qr.R(rank, rank)) > 1e-10 * std::fabs(qr.R(0, 0))) ++rank;
  if (rank == 0) return {};
  dense::Vector chosen(rank);
  for (Eigen::Index k = 0; k < rank; ++k) chosen(k) = miss(qr.order[k]);
  return qr.Q.leftCols(rank) * dense::solve_upper_transposed(qr.R.topLeftCorner(rank, rank), chosen);
}

}  // namespace

ConstraintStates::ConstraintStates(const Model& numbers, const std::vector<Expr>& rows, const State& around)
    : model_(numbers), around_(around) {
  for (const Expr& phi : rows) {
    rows_.push_back(numbers.stated().written_out(phi));
    order_.push_back(order_of(numbers, rows_.back()));
  }
  symbols_ = symbols_of(rows_);
  possible_ = symbols_.size() <= most_symbols &&
              symbols_.size() * numbers.stated().graph().reachable(rows_).size() <= most_work &&
              !(turns() && has_order(0));
  if (!possible_) return;
  for (const Expr& phi : rows_) slope_.push_back(gradient(phi, symbols_));
}

bool ConstraintStates::draw(int number) {
  const double size = number == 0 ? 0.0 : number % 3 == 0 ? 10.0 : 1.0;
  at_.assign(symbols_.size(), 0.0);
  for (std::size_t k = 0; k < symbols_.size(); ++k) {
    const bool fixed = role(k) == Role::coordinate && !is_plain(k);
    const double by = random();
    at_[k] = stated(k) + (fixed ? 0.0 : size * by * std::max(1.0, std::fabs(stated(k))));
  }
  return possible_ && meet_rows();
}

double ConstraintStates::value(const Expr& e) const {
  return value_of(e, [this](const Expr& symbol) {
    for (std::size_t k = 0; k < symbols_.size(); ++k)
      if (identical(symbols_[k], symbol)) return at_[k];
    // One that no row has in it is free: a velocity beside a row on accelerations.
    const SymbolRole which = model_.stated().role(symbol);
    return which.role == Role::velocity ? around_.v[which.index] + 1.0 : around_.t;
  });
}

bool ConstraintStates::are_independent(std::size_t count) const {
  std::vector<int> which(count);
  std::iota(which.begin(), which.end(), 0);
  return are_independent(which);
}

bool ConstraintStates::are_independent(const std::vector<int>& which) const {
  std::map<int, Eigen::Index> place;  // of velocities: x in a row on positions stands where x' does in others
  Matrix rows =
      Matrix::Zero(static_cast<Eigen::Index>(symbols_.size()), static_cast<Eigen::Index>(which.size()));
  for (std::size_t w = 0; w < which.size(); ++w) {
    const int r = which[w];
    const Role top = order_[r] == 0 ? Role::coordinate : order_[r] == 1 ? Role::velocity : Role::acceleration;
    auto column = rows.col(static_cast<Eigen::Index>(w));
    for (std::size_t k = 0; k < symbols_.size(); ++k) {
      if (role(k) != top) continue;
      const int index = model_.stated().role(symbols_[k]).index;
      const int velocity = top == Role::coordinate ? model_.stated().velocity_of_coordinate(index) : index;
      column(place.emplace(velocity, place.size()).first->second) = value(slope_[r][k]);
    }
    const double length = column.norm();
    if (!(length > 0.0) || !std::isfinite(length)) return false;
    column /= length;
  }
  if (rows.rows() < rows.cols()) return false;
  return dense::pivoted_qr(rows, 0).R.diagonal().cwiseAbs().minCoeff() > 1e-6;
}

bool ConstraintStates::has_order(int order) const {
  return std::find(order_.begin(), order_.end(), order) != order_.end();
}

bool ConstraintStates::is_plain(std::size_t symbol) const {
  return model_.stated().velocity_of_coordinate(model_.stated().role(symbols_[symbol]).index) >= 0;
}

bool ConstraintStates::turns() const {
  for (std::size_t k = 0; k < symbols_.size(); ++k)
    if (role(k) == Role::coordinate && !is_plain(k)) return true;
  return false;
}

double ConstraintStates::stated(std::size_t symbol) const {
  const SymbolRole which = model_.stated().role(symbols_[symbol]);
  return which.role == Role::coordinate ? around_.q[which.index]
         : which.role == Role::velocity ? around_.v[which.index]
         : which.role == Role::time     ? around_.t
                                        : 0.0;
}

bool ConstraintStates::moves(std::size_t symbol, std::size_t row) const {
  return order_[row] == 0   ? role(symbol) == Role::coordinate
         : order_[row] == 1 ? role(symbol) == Role::velocity
                            : false;
}

bool ConstraintStates::meet_rows() {
  const auto m = static_cast<Eigen::Index>(rows_.size()), n = static_cast<Eigen::Index>(symbols_.size());
  for (int i = 0; i < most_iterations; ++i) {
    Matrix slopes = Matrix::Zero(n, m);  // transposed
    dense::Vector miss = dense::Vector::Zero(m);
    bool met = true;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (order_[r] == 2) continue;
      const auto c = static_cast<Eigen::Index>(r);
      miss(c) = value(rows_[r]);
      double terms = 0.0;
      for (std::size_t k = 0; k < symbols_.size(); ++k) {
        const double slope = value(slope_[r][k]);
        terms += std::fabs(slope * at_[k]);
        if (moves(k, r)) slopes(static_cast<Eigen::Index>(k), c) = slope;
      }
      met = met && std::fabs(miss(c)) <= 1e-14 * terms;
    }
    if (!miss.allFinite() || !slopes.allFinite()) return false;
    if (met) return true;
    const dense::Vector by = shortest_step(slopes, miss);
    if (by.size() == 0) return false;
    for (std::size_t k = 0; k < symbols_.size(); ++k) at_[k] -= by(static_cast<Eigen::Index>(k));
  }
  return false;
}

/// Between -1 and 1, the same in every run.
double ConstraintStates::random() {
  bits_ = bits_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return 2.0 * static_cast<double>(bits_ >> 11) / 9007199254740992.0 - 1.0;
}

}  // namespace vinculum
