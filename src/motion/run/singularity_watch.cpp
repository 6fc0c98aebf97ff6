#include "motion/run/singularity_watch.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "system/system_impl.hpp"
#include "vinculum/equation/light.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

constexpr double narrowest =
    0.1;  // a row that never has more than this beyond the others is near to them indeed
constexpr double near_enough = 0.3;  // parts below this are worth a look for better rows
constexpr double dependent = 1e-6;   // a row with a smaller part is one that depends on others
constexpr double nearly = 0.1;  // singular values of rows of length one below this are of rows in conflict
constexpr int most_rows_beside = 400;

}  // namespace

SingularityWatch::SingularityWatch(const System& system)
    : system_(system),
      watching_(!system.row_names().empty()),
      now_(system.impl().rank_watch().another()),
      before_(now_.another()),
      between_(now_.another()) {
  watching_ = watching_ && now_.possible();
  const std::size_t rows = system.row_names().size();
  s_now_.assign(rows, 1.0);
  s_before_.assign(rows, 1.0);
  s_earlier_.assign(rows, 1.0);
  redundant_.assign(rows, 0);
  widest_.assign(rows, narrowest);
  weight_.resize(system.velocity_names().size());
  rows_near_.reserve(rows);
  along_.reserve(rows);
  squares_.reserve(rows);
  change_.assign(rows, 0.0);
}

/// The rank does not depend on the masses, but how near rows are to each other does: a point mass on a hinge,
/// or a thin rod about its own axis, has hardly any inertia, which says nothing of how rows stand to each
/// other. What moves in a row counts there no more than so many times what any other in it does.
void SingularityWatch::weigh(const Equations& at) {
  constexpr double most = 30, by_place = 0.1, infinite = std::numeric_limits<double>::infinity();
  const int n = static_cast<int>(weight_.size());
  // The three of an angular velocity are one, and those of a place: entries may be 0 where the run starts.
  const std::vector<int>& part = system_.impl().kin;
  std::vector<double> mass, heaviest(n, 0.0);
  diagonal_of(at.M, mass);
  for (int i = 0; i < n; ++i) heaviest[part[i]] = std::max(heaviest[part[i]], std::fabs(mass[i]));
  for (int i = 0; i < n; ++i) mass[i] = heaviest[part[i]];
  std::vector<double> least(n, 0.0), widest(n, 0.0);  // of each part; its largest entry in A
  for (std::size_t k = 0; k < at.A.value.size(); ++k) {
    double& entry = widest[part[at.A.column[k]]];
    entry = std::max(entry, std::fabs(at.A.value[k]));
  }
  for (int r = 0; r < at.A.rows; ++r) {
    // The least of the largest A^2/M of a part, over parts whose entries here are not small by their place.
    double first = infinite, second = infinite;
    int of_first = -1;
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k) {
      const int i = at.A.column[k];
      if (!(mass[i] > 0) || std::fabs(at.A.value[k]) <= by_place * widest[part[i]]) continue;
      const double c = at.A.value[k] * at.A.value[k] / mass[i];
      if (part[i] == of_first) {
        first = std::max(first, c);
      } else if (c < first) {
        second = first;
        first = c;
        of_first = part[i];
      } else {
        second = std::min(second, c);
      }
    }
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k) {
      const int i = at.A.column[k];
      const double other = part[i] == of_first ? second : first;
      if (other < infinite)
        least[part[i]] = std::max(least[part[i]], at.A.value[k] * at.A.value[k] / (most * other));
    }
  }
  // A part of three without mass may stand by rounding alone in the rows of what has one: what it moves in
  // others counts.
  std::vector<double> lent = mass;
  lend_masses(at.A, part, lent);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const bool one_of_three = (i + 1 < n && part[i + 1] == part[i]) || part[i] != i;
    if (mass[i] == 0 && one_of_three) mass[i] = lent[i];
    largest = std::max(largest, mass[i] = std::max(mass[i], least[part[i]]));
  }
  if (!(largest > 0) || !std::isfinite(largest)) largest = 1;
  for (int i = 0; i < n; ++i) weight_[i] = 1 / (mass[i] > 0 ? mass[i] : 1e-6 * largest);
}

void SingularityWatch::look(const Equations& at, double t) {
  if (!watching_) return;
  if (looks_ > 0) find_changes(at.A);
  take(at, t);
}

int SingularityWatch::look_unless_far(const Equations& at, double t) {
  if (!watching_) return 1;
  if (looks_ > 0) find_changes(at.A);
  const int parts = parts_to_look_at(at.A);
  if (parts == 1) take(at, t);
  return parts;
}

void SingularityWatch::take(const Equations& at, double t) {
  const bool surely_squares = looks_ > 0 && shortest_ > 1e-100 && longest_ < 1e100;  // seen on the way
  beyond_squares_ = surely_squares ? -1 : row_beyond_squares(at.A);
  watching_ = beyond_squares_ < 0;
  if (!watching_) return;
  std::swap(now_, before_);
  std::swap(a_now_, a_before_);
  s_earlier_.swap(s_before_);
  s_before_.swap(s_now_);
  t_earlier_ = t_before_;
  t_before_ = t_now_;
  // Weights of the first look serve all along: rank does not depend on them, and parts stay comparable.
  if (looks_ == 0) weigh(at);
  now_.glance(at.A, weight_);
  if (looks_ < 2)
    a_now_ = at.A;
  else
    a_now_.value = at.A.value;
  t_now_ = t;
  turned_ = looks_ > 0 ? turned(before_.squares(), now_.squares()) : 0.0;
  choose_rows(a_now_);
  measure();
  look_closely();
  ++looks_;
}

/// Where steps are laid by how near a singular position is, all digits of the last two looks count.
void SingularityWatch::look_closely() {
  constexpr double near = 0.35;  // a bit above careful_below (course.hpp)
  if (now_.is_glance() && nearness_ < near) {
    now_.look_closely();
    measure();
  }
  if (now_.is_glance() || !before_.is_glance()) return;
  before_.look_closely();
  for (std::size_t r = 0; r < s_before_.size(); ++r) s_before_[r] = std::sqrt(before_.parts()[r]);
}

/// The squares of what has been added to the rows since the last look.
void SingularityWatch::find_changes(const SparseMatrix& a) {
  const double *const from = a_now_.value.data(), *const to = a.value.data(), *const weight = weight_.data();
  const int* const column = a.column.data();
  shortest_ = INFINITY;
  longest_ = 0;
  for (int r = 0, k = 0; r < a.rows; ++r) {
    double change = 0, largest = 0;
    for (const int end = a.start[r + 1]; k < end; ++k) {
      change += weight[column[k]] * (to[k] - from[k]) * (to[k] - from[k]);
      largest = std::max(largest, std::fabs(to[k]));
    }
    change_[r] = change;
    shortest_ = std::min(shortest_, largest);
    longest_ = std::max(longest_, largest);
  }
}

/// The largest change of a row, relative to the longer of its lengths, whose squares are given.
double SingularityWatch::turned(std::span<const double> before, std::span<const double> after) const {
  double most = 0;
  for (std::size_t r = 0; r < change_.size(); ++r)
    if (change_[r] > 0) most = std::max(most, change_[r] / std::max(before[r], after[r]));
  return std::sqrt(most);
}

/// What a row has beyond the others turns around only if rows change by more than that.
int SingularityWatch::parts_to_look_at(const SparseMatrix& a) {
  constexpr double clearly = 0.3;
  constexpr int most = 8;
  if (looks_ == 0) return 1;
  double least = 1;
  for (std::size_t r = 0; r < s_now_.size(); ++r)
    if (!redundant_[r]) least = std::min(least, s_now_[r]);
  const double safe = std::max(clearly, least);
  // Beside the lengths as they were alone no change is smaller.
  if (turned(now_.squares(), now_.squares()) <= safe) return 1;
  squares_.assign(s_now_.size(), 0.0);
  for (int r = 0; r < a.rows; ++r)
    for (const auto [column, value] : row_of(a, r)) squares_[r] += weight_[column] * value * value;
  const double change = turned(now_.squares(), squares_);
  return change <= safe ? 1 : std::min(most, static_cast<int>(std::ceil(2 * change / safe)));
}

/// The parts of the rows at the last look.
void SingularityWatch::measure() {
  nearness_ = 1;
  const std::span<const double> parts = now_.parts();
  for (std::size_t r = 0; r < s_now_.size(); ++r) {
    s_now_[r] = std::sqrt(parts[r]);
    if (looks_ == 0) s_before_[r] = s_earlier_[r] = s_now_[r];
    // Redundant from the start and ever since: no singular position.
    if (!chosen_) redundant_[r] = s_now_[r] <= dependent && (looks_ == 0 || redundant_[r]);
    // Near is what is near for this row: some never have much beyond the others, and are not singular for it.
    widest_[r] = std::max(widest_[r], s_now_[r]);
    if (!redundant_[r]) nearness_ = std::min(nearness_, s_now_[r] / widest_[r]);
  }
}

/// Of rows that depend on each other all along, some must be passed over; which of them is chosen anew where
/// those that are kept come near to each other, and others would not.
void SingularityWatch::choose_rows(const SparseMatrix& a) {
  const auto smallest = [&](RankWatch& watch, const std::vector<char>& out) {
    double least = 1;
    for (std::size_t r = 0; r < out.size(); ++r)
      if (!out[r]) least = std::min(least, watch.parts()[r]);
    return std::sqrt(least);
  };
  if (looks_ > 0 && !chosen_) return;
  if (looks_ == 0 && now_.rank() == static_cast<int>(s_now_.size())) return;
  const bool grown = chosen_ && !now_.left_out_depend();  // the rank is more than it was
  if (chosen_ && !grown && !proven_) proven_ = has_changed(a);
  if (looks_ == 0) {
    a_first_ = a.value;
    t_first_ = t_now_;
    rank_first_ = now_.rank();
  }
  const double near = looks_ > 0 && !grown ? nearness_by(now_) : 0.0;
  // A look for better rows is dear: after one in vain, the next where half of the way is left.
  if (near > near_enough) looked_at_ = 1;
  if (near > std::min(near_enough, 0.5 * looked_at_)) return;
  looked_at_ = near > 0 ? near : 1.0;
  const std::vector<char> left_out = now_.dependent_rows(a, weight_);
  if (left_out.empty() && grown) leave_start();
  if (left_out.empty()) return;
  if (looks_ > 0 && !grown) {
    between_.leave_out(left_out);
    between_.look(a, weight_);
    const bool better =
        between_.rank() >= now_.rank() && smallest(between_, left_out) > 2 * smallest(now_, redundant_);
    between_.leave_out(redundant_);
    if (!better) return;
  }
  take_rows(left_out);
}

/// Whether A is clearly another than at the first look.
bool SingularityWatch::has_changed(const SparseMatrix& a) const {
  constexpr double clearly = 1e-3;
  double largest = 0, change = 0;
  for (std::size_t k = 0; k < a_first_.size(); ++k) {
    largest = std::max(largest, std::fabs(a.value[k]));
    change = std::max(change, std::fabs(a.value[k] - a_first_[k]));
  }
  return change > clearly * largest;
}

/// The start was a singular position, and it is left. Rows that depend on each other there may do so, as far
/// as can be told, for some steps more.
void SingularityWatch::leave_start() {
  std::vector<int> rows;
  for (int r = 0; r < static_cast<int>(redundant_.size()); ++r)
    if (redundant_[r])
      for (const int other : before_.involved(r)) rows.push_back(other);
  left_ = {t_first_, rank_first_, rank_first_, static_cast<int>(s_now_.size()), names_of(rows)};
  forget_rows();
}

void SingularityWatch::start_over() {
  chosen_ = proven_ = false;
  redundant_.assign(redundant_.size(), 0);
  widest_.assign(widest_.size(), narrowest);
  for (RankWatch* watch : {&now_, &before_, &between_}) watch->leave_out({});
  looks_ = 0;
}

void SingularityWatch::forget_rows() {
  if (!chosen_) return;
  chosen_ = proven_ = false;
  redundant_.assign(redundant_.size(), 0);
  for (RankWatch* watch : {&now_, &before_, &between_}) watch->leave_out({});
  now_.look(a_now_, weight_);
  if (looks_ > 0) before_.look(a_before_, weight_);
}

void SingularityWatch::take_rows(const std::vector<char>& left_out) {
  chosen_ = true;
  redundant_ = left_out;
  for (RankWatch* watch : {&now_, &before_, &between_}) watch->leave_out(left_out);
  now_.look(a_now_, weight_);
  if (looks_ == 0) return;
  before_.look(a_before_, weight_);
  for (std::size_t r = 0; r < s_now_.size(); ++r) {
    s_before_[r] = s_earlier_[r] = std::sqrt(before_.parts()[r]);
    widest_[r] = std::max(narrowest, s_before_[r]);
  }
}

double SingularityWatch::nearness_by(const RankWatch& watch) const {
  double near = 1;
  for (std::size_t r = 0; r < s_now_.size(); ++r)
    if (!redundant_[r]) near = std::min(near, std::sqrt(watch.parts()[r]) / widest_[r]);
  return near;
}

double SingularityWatch::nearness_of(const Equations& at) {
  if (!watching_) return 1;
  between_.look(at.A, weight_);
  return nearness_by(between_);
}

int SingularityWatch::rank_of(const Equations& at) {
  between_.leave_out({});
  between_.look(at.A, weight_);
  const int rank = between_.rank();
  if (chosen_) between_.leave_out(redundant_);
  return rank;
}

std::vector<std::string> SingularityWatch::nearest_constraints() {
  int nearest = -1;
  for (int r = 0; r < static_cast<int>(s_now_.size()); ++r)
    if (!redundant_[r] && (nearest < 0 || s_now_[r] / widest_[r] < s_now_[nearest] / widest_[nearest]))
      nearest = r;
  return nearest < 0 ? std::vector<std::string>() : names_of(now_.involved(nearest));
}

std::vector<std::string> SingularityWatch::dependent_constraints() {
  std::vector<int> rows;
  for (int r = 0; r < static_cast<int>(s_now_.size()); ++r)
    if (redundant_[r] || now_.parts()[r] <= 0)
      for (const int other : now_.involved(r)) rows.push_back(other);
  return names_of(rows);
}

/// In directions over the rows that make next to no force, those of rows in conflict: what a row has of them,
/// and which others have it with it.
std::vector<std::string> SingularityWatch::constraints_beside(int row, const Equations& at) const {
  const int m = at.A.rows;
  if (m > most_rows_beside) return names_of({row});
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, at.A.columns);
  for (int r = 0; r < m; ++r)
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k) A(r, at.A.column[k]) += at.A.value[k];
  for (int r = 0; r < m; ++r)
    if (const double length = A.row(r).norm(); length > 0) A.row(r) /= length;
  if (!A.allFinite()) return names_of({row});
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> gram(A * A.transpose());
  Eigen::VectorXd shared = Eigen::VectorXd::Zero(m);
  for (int k = 0; k < m && gram.eigenvalues()[k] < nearly * nearly; ++k)
    shared += gram.eigenvectors()(row, k) * gram.eigenvectors().col(k);
  std::vector<int> rows{row};
  for (int r = 0; r < m; ++r)
    if (std::fabs(shared[r]) > 0.01 * shared.lpNorm<Eigen::Infinity>()) rows.push_back(r);
  return names_of(rows);
}

/// A part goes to zero with time, or, where the motion comes to rest in the singular position, with its
/// square: then its root does with time. The look before tells which.
double SingularityWatch::time_to_zero(std::size_t row) const {
  const double now = s_now_[row], before = s_before_[row], step = t_now_ - t_before_;
  if (!(now < before)) return INFINITY;
  const double straight = now / (before - now);
  if (looks_ < 3 || !(before < s_earlier_[row])) return std::fabs(step) * straight;
  const double root = std::sqrt(now), slope = std::sqrt(before) - root, back = (t_now_ - t_earlier_) / step;
  const double by_line = now + (before - now) * back,
               by_square = (root + slope * back) * (root + slope * back);
  const bool squarely = std::fabs(s_earlier_[row] - by_square) < std::fabs(s_earlier_[row] - by_line);
  return std::fabs(step) * (squarely ? root / slope : straight);
}

double SingularityWatch::time_to_singular() const {
  double soonest = INFINITY;
  if (!watching_ || looks_ < 2) return soonest;
  for (std::size_t r = 0; r < s_now_.size(); ++r)
    if (!redundant_[r]) soonest = std::min(soonest, time_to_zero(r));
  return soonest;
}

std::vector<std::string> SingularityWatch::names_of(const std::vector<int>& rows) const {
  std::vector<char> named(system_.constraints().size(), 0);
  for (const int r : rows) named[system_.constraint_of_row(r)] = 1;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < named.size(); ++c)
    if (named[c]) names.push_back(system_.constraints()[c].name);
  return names;
}

bool SingularityWatch::make_least(std::span<double> multipliers) {
  if (!watching_) return false;
  std::vector<std::vector<double>> freedom;  // over rows: what makes no force
  for (int r = 0; r < static_cast<int>(s_now_.size()); ++r)
    if (!(between_.parts()[r] > 0)) freedom.push_back(between_.null_vector(r));
  if (freedom.empty()) return false;
  // Each has a 1 at the row it is of, where the others have nothing: U^T U is no less than the unit matrix.
  const auto m = static_cast<Eigen::Index>(multipliers.size()), k = static_cast<Eigen::Index>(freedom.size());
  Eigen::MatrixXd U(m, k), gram = Eigen::MatrixXd::Zero(k, k);
  for (Eigen::Index c = 0; c < k; ++c) U.col(c) = Eigen::Map<const Eigen::VectorXd>(freedom[c].data(), m);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(U.transpose());
  Eigen::Map<Eigen::VectorXd> lambda(multipliers.data(), m);
  lambda -= U * gram.selfadjointView<Eigen::Lower>().llt().solve(U.transpose() * lambda);
  return true;
}

}  // namespace vinculum
