#include "motion/run/stall_watch.hpp"

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
constexpr int most_drowned = 64;        // steps in a row with forces of which ...
constexpr double drowned_above = 0.01;  // ... rounding is this part: what they make is no motion
constexpr long most_standing = 1000;    // steps in a row that move nothing ...
constexpr double most_to_stand = 1e5;   // ... where the run would need more of them than this

}  // namespace

/// A run that ends near a singular position ends because of it: its rows belong to the reason.
void StallWatch::name_dependent_rows() {
  if (!singularity_.watching()) return;
  // A run that never left its start may have begun in one.
  const bool at_start =
      step_.t == course_.t_start && singularity_.rank() < static_cast<int>(system_.row_names().size());
  if (!at_start && singularity_.nearness() > near_below) return;
  const std::vector<std::string> names =
      at_start ? singularity_.dependent_constraints() : singularity_.nearest_constraints();
  if (names.empty()) return;
  step_.refusal.text +=
      "; " + list_text(names) + (names.size() == 1 ? " fades there" : " come to depend on each other there");
  for (const std::string& name : names)
    if (std::find(step_.refusal.names.begin(), step_.refusal.names.end(), name) == step_.refusal.names.end())
      step_.refusal.names.push_back(name);
}

bool StallWatch::too_short() const {
  if (crawling_ > most_crawling || drowned_ > most_drowned) return true;
  const double least =
      4 * eps * std::max({std::fabs(step_.t), std::fabs(step_.t_new), 0.01 * course_.span()});
  return !(std::fabs(step_.h) > least) && (step_.h != options_.until - course_.t_start || step_.refusals > 0);
}

/// What is so rounded that no step is short enough, and the constraints that act on it.
void StallWatch::word_noise() {
  const int worst = step_.attempt.worst, nq = flow_.coordinates();
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
  const bool of_work = course_.names_at(worst).empty();
  step_.refusal.text = "the forces" + (of_work ? "" : " on " + course_.what_of(worst)) +
                       " are so rounded that no longer step can be made";
  if (!acting.empty())
    step_.refusal.text += "; on it " + std::string(acting.size() == 1 ? "acts " : "act ") + list_text(quoted);
  step_.refusal.names = course_.names_at(worst);
  step_.refusal.names.insert(step_.refusal.names.end(), acting.begin(), acting.end());
  if (!of_work || !singularity_.watching()) return;
  // Steps pass over rows that a state, where all digits count, tells apart from the others.
  const std::vector<std::string> all_but = singularity_.dependent_constraints();
  if (all_but.empty()) return;
  step_.refusal.text += "; " + list_text(all_but) +
                        (all_but.size() == 1 ? " all but vanishes" : " all but depend on each other");
  step_.refusal.names.insert(step_.refusal.names.end(), all_but.begin(), all_but.end());
}

void StallWatch::stop_too_short() {
  if (!step_.attempt.evaluated && flow_.why() != Status::solved) {
    course_.stop_unsolved(step_.t);
    return;
  }
  course_.word_refusal();
  if (step_.refusal.text.empty() && noisy_) {
    word_noise();
  } else if (step_.refusal.text.empty()) {
    step_.refusal.text =
        "steps shrink towards this time, where " + course_.what_of(step_.attempt.worst) + " changes fastest";
    step_.refusal.names = course_.names_at(step_.attempt.worst);
  }
  if (step_.refusal.contradicts) {
    course_.finish(Stop::contradicting, "at t = " + number_text(step_.t, 10) + ": " + step_.refusal.text,
                   step_.refusal.names);
    return;
  }
  name_dependent_rows();
  if (const std::string laws = laws_at_rest(); !laws.empty()) step_.refusal.text += "; " + laws;
  course_.finish(Stop::step_too_small,
                 "the step became too small at t = " + number_text(step_.t, 17) + ": " + step_.refusal.text,
                 step_.refusal.names);
}

bool StallWatch::stands_still() {
  const bool asked_for =
      !course_.stepper->adaptive() || (options_.step > 0 && std::fabs(step_.h) > 0.5 * options_.step);
  bool moves = asked_for || stood_at_.empty();
  for (int i = 0; i < flow_.coordinates() && !moves; ++i)
    moves = std::fabs(step_.y[i] - stood_at_[i]) > tolerance_.of(i, step_.y[i], stood_at_[i]) / part_of_step;
  if (moves) {
    standing_ = 0;
    standing_since_ = step_.t;
    stood_at_.assign(step_.y.begin(), step_.y.begin() + flow_.coordinates());
    return false;
  }
  if (++standing_ < most_standing) return false;
  const double pace = std::fabs(step_.t - standing_since_) / static_cast<double>(standing_);
  return most_to_stand * pace < std::fabs(options_.until - step_.t);
}

/// Laws that divide by a speed, where what they act on has come to rest.
std::string StallWatch::laws_at_rest() const {
  constexpr double rest = 1e-6;  // of the largest that the velocity has been
  std::vector<std::string> laws;
  for (const SpeedDivision& law : laws_without_direction(system_)) {
    const int i = flow_.coordinates() + law.velocity;
    if (std::fabs(step_.y[i]) <= rest * sizes_[i]) laws.push_back(law.text);
  }
  if (laws.empty()) return "";
  return list_text(laws) +
         ", which has no direction at rest: write friction = .., sign(..) of one velocity, or in [nonideal] "
         "the same -L v_i/|v| on every velocity of |v|";
}

void StallWatch::stop_standing_still() {
  const double pace = std::fabs(step_.t - standing_since_) / static_cast<double>(standing_);
  const std::string laws = laws_at_rest();
  const std::string why =
      !laws.empty()
          ? laws
          : "the forces on " + course_.what_of(step_.attempt.worst) + " change faster than steps can follow" +
                (course_.stepper->implicit() ? "" : " (radau5 is for laws that are stiff)");
  course_.finish(Stop::step_too_small,
                 "at t = " + number_text(step_.t, 10) +
                     " no coordinate has moved by more than the tolerance in " + std::to_string(standing_) +
                     " steps, and the end is " + number_text(std::fabs(options_.until - step_.t) / pace, 2) +
                     " such steps away: " + why,
                 course_.names_at(step_.attempt.worst));
}

void StallWatch::accept() {
  const double noise = sizes_.noisiest(), span = course_.span(), h = std::fabs(step_.h);
  noisy_ = noise > 10 * tolerance_.relative;
  drowned_ = noise > drowned_above ? drowned_ + 1 : 0;
  if (noisy_) {
    ++course_.remarks.noisy_steps;
    course_.remarks.noisiest = std::max(course_.remarks.noisiest, noise / tolerance_.relative);
  }
  longest_ = std::max(longest_, h);
  // Steps that rounding keeps short never were longer.
  const bool crawls = noisy_ ? h < 1e-6 * span : h < 1e-6 * longest_ && h < 1e-9 * span;
  crawling_ = crawls ? crawling_ + 1 : 0;
}

}  // namespace vinculum
