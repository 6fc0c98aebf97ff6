#include "motion/run/loops.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {

void Loops::begin(const State& start, const std::vector<PassedOver>& passed_over) {
  course_.out.passed_over = passed_over;
  if (passed_over.empty()) return;
  rows_.assign(course_.system.row_names().size(), 0);
  for (const PassedOver& p : passed_over) rows_[p.row] = 1;
  course_.modes.pass_over(rows_);
  near_.emplace(course_.system, start, course_.work);
  allowed_ = allowed_gaps(course_.system, start, course_.options.closure, course_.work);
}

bool Loops::hold(const std::vector<double>& position_misses) {
  const PassedOver* widest = nullptr;
  for (PassedOver& p : course_.out.passed_over) {
    p.gap = std::max(p.gap, std::fabs(position_misses[p.row]));
    if (!(p.gap <= p.allowed) && (widest == nullptr || p.gap * widest->allowed > widest->gap * p.allowed))
      widest = &p;
  }
  if (widest == nullptr) return true;
  const State& at = course_.state_at_start();
  course_.finish(
      Stop::contradicting,
      "at t = " + number_text(at.t, 10) + ": '" + widest->name + "' opens by " + number_text(widest->gap, 3) +
          " where the others hold; the closure of " + number_text(course_.options.closure, 3) + " allows " +
          number_text(widest->allowed, 3) + " (with --closure 0 no row is passed over)",
      course_.singularity.constraints_beside(widest->row, evaluate(course_.system, at, course_.work)));
  return false;
}

void Loops::choose() {
  if (!near_) return;
  Step& step = course_.step;
  near_->look(course_.state_at_start(), course_.work);
  if (!near_->choose_better(rows_)) return;
  course_.modes.pass_over(rows_);
  course_.modes.leave_out({});  // those were chosen among the rows kept before
  for (int r = 0; r < static_cast<int>(rows_.size()); ++r) {
    const auto known = std::ranges::find(course_.out.passed_over, r, &PassedOver::row);
    if (rows_[r] && known == course_.out.passed_over.end())
      course_.out.passed_over.push_back(
          {r, course_.system.row_names()[r],
           course_.system.constraints()[course_.system.constraint_of_row(r)].name, 0.0, allowed_[r]});
  }
  course_.singularity.start_over();
  if (course_.projects() && !course_
                                 .projector(step.t, step.y.data(), step.y.data() + course_.flow.coordinates(),
                                            course_.modes.now(), course_.work)
                                 .done)
    return course_.finish(Stop::step_too_small,
                          "at t = " + number_text(step.t, 10) +
                              ": no state was found on the rows that are kept where others are passed over");
  if (!course_.flow.at_accepted(step.t, step.y.data(), step.f.data())) return course_.stop_unsolved(step.t);
  course_.singularity.look(course_.evaluate_at(course_.state_at_start()), step.t);
  course_.stepper->restart();
}

}  // namespace vinculum
