// One of the motions that go abreast: its run, whose own parts do what is seldom done.
#pragma once
#include "motion/abreast/abreast.hpp"
#include "motion/run/motion.hpp"

namespace vinculum {

class Walk {
 public:
  /// A motion at its start. An error where it is misuse.
  explicit Walk(const Walkers::Asked& asked)
      : asked_(asked), motion_(std::make_unique<Motion>(asked.system, asked.start, asked.options)) {}

  /// Whether its steps are like any other's from the start on.
  bool may_go_along();
  /// All steps by itself, from where it stands at its start.
  Trajectory& go_alone();
  /// The same where it is somewhere on its way already: from the start once more.
  Trajectory& start_again();

  Course& course() { return run().course_; }
  const System& system() const { return asked_.system; }
  std::span<const Flow::ForceKind> powers() { return course().flow.parts(); }

  /// The length of the next step, and where it ends; false where there is none that is like any other.
  bool plan(double t);
  double h() { return step().h; }
  double t_new() { return step().t_new; }

  /// As a run has them by itself: f, and the way to the constraints from the end of the step that lies there.
  bool slope(double t, const std::vector<double>& y, std::vector<double>& dy, bool accepted);
  bool correct(Level level, std::span<double> x, std::span<double> residual) {
    Course& c = course();
    return correction(c.system, level, c.view_of(step().t_new, step().y_new), c.modes.now(), c.work, x,
                      residual);
  }

  /// Before what follows the state lies in the step of its run.
  /// A step whose error was too large, with its end on the constraints: true where the projection has taken
  /// that away; what it missed is what is left.
  bool mend(double& missed, std::span<const double> error, std::span<const double> error_low);
  /// The misses of the end of the step are rounding beside the terms of the rows.
  bool agrees(std::span<const double> position, std::span<const double> velocity);

  /// A larger error is not mended.
  double most_to_mend() { return run().maker_.most_to_project(); }
  /// A shorter step is next.
  void refuse(double missed);
  /// The step is made, and this is how well; false where what follows is not like any other.
  bool accept(double error, double noisiest);
  /// So many steps to the next look at which method is best: then the state must lie in the step.
  bool is_looked_at() { return automatic() && (course().out.steps + 1) % MethodChoice::between_looks == 0; }
  bool choose_method();
  bool has_ended() { return step().t == course().options.until; }
  bool is_cancelled() { return !run().clock_.report(); }
  Trajectory& end();

  int refusals() const { return refusals_; }

 private:
  Run& run() { return *motion_->run(); }
  Step& step() { return run().step_; }
  bool automatic() { return course().options.integrator == Integrator::automatic; }

  Walkers::Asked asked_;
  std::unique_ptr<Motion> motion_;
  int refusals_ = 0;  // of the step at hand
  long short_steps_ = 0, drowned_steps_ = 0;
};

}  // namespace vinculum
