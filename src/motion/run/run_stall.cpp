#include "motion/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_crawling =
    1000;  // steps in a row, a thousand million of which the run would need, or a million noisy ones
constexpr long most_standing = 1000;   // steps in a row that move nothing ...
constexpr double most_to_stand = 1e5;  // ... where the run would need more of them than this

}  // namespace

/// No less than time can resolve, here and on the scale of the whole run; nor so much shorter than others
/// before, and for so long, that the run would never end.
bool Run::too_short() const {
  if (crawling_ > most_crawling) return true;
  const double least =
      4 * eps * std::max({std::fabs(t_), std::fabs(t_new_), 0.01 * std::fabs(options_.until - t_start_)});
  return !(std::fabs(h_) > least) && (h_ != options_.until - t_start_ || refusals_ > 0);
}

/// What is so rounded that no step is short enough, and the constraints that act on it.
void Run::word_noise() {
  const int worst = attempt_.worst, nq = flow_.coordinates();
  const int velocity = worst >= 0 && worst < nq ? system_.velocity_of_coordinate(worst) : worst - nq;
  std::vector<std::string> acting, quoted;
  const SparseMatrix& rows = system_.rows_pattern();
  for (int r = 0; r < rows.rows; ++r) {
    const std::string& name = system_.constraints()[system_.constraint_of_row(r)].name;
    const auto end = rows.column.begin() + rows.start[r + 1];
    if (std::find(rows.column.begin() + rows.start[r], end, velocity) == end) continue;
    if (!acting.empty() && acting.back() == name) continue;
    acting.push_back(name);
    quoted.push_back("'" + name + "'");
  }
  refusal_ = "the forces on " + what_of(attempt_.worst) + " are so rounded that no longer step can be made";
  if (!acting.empty())
    refusal_ += "; on it " + std::string(acting.size() == 1 ? "acts " : "act ") + list_text(quoted);
  refusal_names_ = names_at(attempt_.worst);
  refusal_names_.insert(refusal_names_.end(), acting.begin(), acting.end());
}

void Run::stop_too_short() {
  if (!attempt_.evaluated && flow_.why() != Status::solved) {
    stop_unsolved(t_);
    return;
  }
  word_refusal();
  if (refusal_.empty() && noisy_) {
    word_noise();
  } else if (refusal_.empty()) {
    refusal_ = "steps shrink towards this time, where " + what_of(attempt_.worst) + " changes fastest";
    refusal_names_ = names_at(attempt_.worst);
  }
  if (contradicts_) {
    finish(Stop::contradicting, "at t = " + number_text(t_, 10) + ": " + refusal_, refusal_names_);
    return;
  }
  name_dependent_rows();
  if (const std::string laws = laws_at_rest(); !laws.empty()) refusal_ += "; " + laws;
  finish(Stop::step_too_small, "the step became too small at t = " + number_text(t_, 17) + ": " + refusal_,
         refusal_names_);
}

/// Steps are made, but nothing moves, and they are so short that the end is out of reach: counted by steps
/// and by the time they have advanced. Steps whose length was asked for are none of these.
bool Run::stands_still() {
  const bool asked_for = !stepper_->adaptive() || (options_.step > 0 && std::fabs(h_) > 0.5 * options_.step);
  bool moves = asked_for || stood_at_.empty();
  for (int i = 0; i < flow_.coordinates() && !moves; ++i)
    moves = std::fabs(y_[i] - stood_at_[i]) > tolerance_.of(i, y_[i], stood_at_[i]) / part_of_step;
  if (moves) {
    standing_ = 0;
    standing_since_ = t_;
    stood_at_.assign(y_.begin(), y_.begin() + flow_.coordinates());
    return false;
  }
  if (++standing_ < most_standing) return false;
  const double pace = std::fabs(t_ - standing_since_) / static_cast<double>(standing_);
  return most_to_stand * pace < std::fabs(options_.until - t_);
}

/// Laws that divide by a speed, where what they act on has come to rest.
std::string Run::laws_at_rest() const {
  constexpr double rest = 1e-6;  // of the largest that the velocity has been
  std::vector<std::string> laws;
  for (const SpeedDivision& law : laws_without_direction(system_)) {
    const int i = flow_.coordinates() + law.velocity;
    if (std::fabs(y_[i]) <= rest * sizes_[i]) laws.push_back(law.text);
  }
  if (laws.empty()) return "";
  return list_text(laws) +
         ", which has no direction at rest: write friction = .., sign(..) of one velocity, or in [nonideal] "
         "the same -L v_i/|v| on every velocity of |v|";
}

void Run::stop_standing_still() {
  const double pace = std::fabs(t_ - standing_since_) / static_cast<double>(standing_);
  const std::string laws = laws_at_rest();
  const std::string why =
      !laws.empty() ? laws
                    : "the forces on " + what_of(attempt_.worst) + " change faster than steps can follow" +
                          (stepper_->implicit() ? "" : " (radau5 is for laws that are stiff)");
  finish(Stop::step_too_small,
         "at t = " + number_text(t_, 10) + " no coordinate has moved by more than the tolerance in " +
             std::to_string(standing_) + " steps, and the end is " +
             number_text(std::fabs(options_.until - t_) / pace, 2) + " such steps away: " + why,
         names_at(attempt_.worst));
}

}  // namespace vinculum
