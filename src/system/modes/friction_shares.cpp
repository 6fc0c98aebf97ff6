#include "system/modes/friction_shares.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"
#include "vinculum/equation/multipliers.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double nothing =
    1e-9;  // of the terms it is made of: rows are told apart to a little more than this

void add_once(std::vector<int>& list, int value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// The part of a row in a combination of rows that makes no force.
double part_in(const Dependency& d, int row) {
  if (d.row == row) return 1.0;
  const auto at = std::find(d.on.begin(), d.on.end(), row);
  return at == d.on.end() ? 0.0 : -d.weight[at - d.on.begin()];
}

Eigen::Index rank_of(MatrixXd columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j)
    if (const double size = columns.col(j).norm(); size > 0) columns.col(j) /= size;
  if (columns.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(columns);
  qr.setThreshold(nothing);
  return columns.norm() > 0 ? qr.rank() : 0;
}

/// The rows of the constraints with friction, as columns over the velocities of the pair; their
/// multipliers, and what a choice may add to these.
class Shares {
 public:
  Shares(const System& system, const FrictionPair& pair, const Equations& e, const Solution& ideal)
      : system_(system), pair_(pair), e_(e), ideal_(ideal) {
    for (std::size_t c = 0; c < pair.constraints.size(); ++c) {
      const ConstraintInfo& info = system.constraints()[pair.constraints[c]];
      first_.push_back(static_cast<int>(rows_.size()));
      for (int r = info.first_row; r < info.first_row + info.row_count; ++r) rows_.push_back(r);
    }
    first_.push_back(static_cast<int>(rows_.size()));
    const auto count = static_cast<Eigen::Index>(rows_.size());
    columns_.resize(static_cast<Eigen::Index>(pair.velocities.size()), count);
    lambda_.resize(count);
    free_.resize(count, static_cast<Eigen::Index>(ideal.dependencies.size()));
    for (Eigen::Index j = 0; j < count; ++j) {
      columns_.col(j) = column(rows_[j]);
      lambda_(j) = ideal.multipliers[rows_[j]];
      for (Eigen::Index d = 0; d < free_.cols(); ++d) free_(j, d) = part_in(ideal.dependencies[d], rows_[j]);
    }
    terms_ = free_.cwiseAbs();
  }

  /// Rows without friction in the span of those with it hand over what they carry.
  void hand_over(const std::vector<int>& own_rows, Pressing& out) {
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> span(columns_);
    for (const int r : own_rows) {
      if (std::find(rows_.begin(), rows_.end(), r) != rows_.end()) continue;
      const VectorXd row = column(r);
      if (row.norm() == 0) continue;
      const VectorXd weight = span.solve(row);
      if ((columns_ * weight - row).norm() > nothing * row.norm()) continue;
      lambda_ += weight * ideal_.multipliers[r];
      for (Eigen::Index d = 0; d < free_.cols(); ++d) {
        free_.col(d) += weight * part_in(ideal_.dependencies[d], r);
        terms_.col(d) += weight.cwiseAbs() * std::fabs(part_in(ideal_.dependencies[d], r));
      }
      add_once(out.handed_over, system_.constraint_of_row(r));
    }
  }

  /// Which constraints press on the same thing: lists of them, by their places in the pair.
  std::vector<std::vector<int>> classes() const {
    std::vector<std::vector<int>> list;
    for (int c = 0; c < static_cast<int>(pair_.constraints.size()); ++c) {
      const auto same = [&](const std::vector<int>& other) {
        const MatrixXd mine = rows_of(c), theirs = rows_of(other.front());
        MatrixXd both(mine.rows(), mine.cols() + theirs.cols());
        both << mine, theirs;
        const Eigen::Index rank = rank_of(both);
        return rank == rank_of(mine) && rank == rank_of(theirs);
      };
      const auto found = std::find_if(list.begin(), list.end(), same);
      if (found == list.end())
        list.push_back({c});
      else
        found->push_back(c);
    }
    return list;
  }

  /// The size of their force together. Where a choice changes it, those that share are named.
  double force(const std::vector<int>& constraints, Pressing& out) const {
    VectorXd sum = VectorXd::Zero(columns_.rows());
    for (const int c : constraints)
      for (int j = first_[c]; j < first_[c + 1]; ++j) sum += columns_.col(j) * lambda_(j);
    for (Eigen::Index d = 0; d < free_.cols(); ++d) {
      VectorXd change = VectorXd::Zero(columns_.rows());
      double terms = 0.0;
      for (const int c : constraints)
        for (int j = first_[c]; j < first_[c + 1]; ++j) {
          change += columns_.col(j) * free_(j, d);
          terms += columns_.col(j).norm() * terms_(j, d);
        }
      if (!(change.norm() > nothing * terms)) continue;
      const Dependency& rows = ideal_.dependencies[d];
      add_once(out.chosen, system_.constraint_of_row(rows.row));
      for (const int r : rows.on) add_once(out.chosen, system_.constraint_of_row(r));
    }
    return sum.norm();
  }

 private:
  VectorXd column(int r) const {
    VectorXd x = VectorXd::Zero(static_cast<Eigen::Index>(pair_.velocities.size()));
    for (const auto [velocity, value] : row_of(e_.A, r)) {
      const auto at = std::find(pair_.velocities.begin(), pair_.velocities.end(), velocity);
      if (at != pair_.velocities.end()) x(at - pair_.velocities.begin()) = value;
    }
    return x;
  }
  MatrixXd rows_of(int c) const { return columns_.middleCols(first_[c], first_[c + 1] - first_[c]); }

  const System& system_;
  const FrictionPair& pair_;
  const Equations& e_;
  const Solution& ideal_;
  std::vector<int> rows_, first_;    // first_: where the rows of each constraint begin
  MatrixXd columns_, free_, terms_;  // terms_: the sizes that free_ is made of
  VectorXd lambda_;
};

std::string names_text(const System& system, const std::vector<int>& constraints) {
  std::vector<std::string> names;
  for (const int c : constraints) names.push_back("'" + system.constraints()[c].name + "'");
  return list_text(names, names.size());
}

}  // namespace

std::vector<std::string> names_of(const System& system, const FrictionPair& pair) {
  if (!pair.law.empty()) return {pair.law};
  std::vector<std::string> names;
  for (const int c : pair.constraints) names.push_back(system.constraints()[c].name);
  return names;
}

std::string friction_text(const System& system, const FrictionPair& pair, const FrictionState& state) {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (pair.moves && pair.law.empty())
    add("the other side of " + names_text(system, pair.constraints) +
        " is taken to move across itself, as the equation says, and not along itself");
  if (!state.together.empty())
    add(names_text(system, state.together) + " press on the same thing, and their total counts, once");
  if (!state.handed_over.empty())
    add("what " + names_text(system, state.handed_over) +
        (state.handed_over.size() == 1 ? " carries" : " carry") + " along " +
        names_text(system, pair.constraints) + " counts as carried there: only the sum is determined");
  return text;
}

Pressing pressing_of(const System& system, const FrictionPair& pair, const std::vector<int>& own_rows,
                     const Equations& e, const Solution& ideal) {
  Pressing out;
  Shares shares(system, pair, e, ideal);
  shares.hand_over(own_rows, out);
  for (const std::vector<int>& members : shares.classes()) {
    const double mu = pair.coefficients[members.front()];
    const bool alike =
        std::all_of(members.begin(), members.end(), [&](int c) { return pair.coefficients[c] == mu; });
    if (alike) {
      out.limit += mu * shares.force(members, out);
      if (members.size() > 1)
        for (const int c : members) add_once(out.together, pair.constraints[c]);
    } else {
      for (const int c : members) out.limit += pair.coefficients[c] * shares.force({c}, out);
    }
  }
  if (!freedom_is_known(ideal)) out.chosen = pair.constraints;  // too many rows to tell
  return out;
}

}  // namespace vinculum
