// Corners and jumps of the equations: a step ends there, and the next begins on the other side.
#pragma once
#include "motion/run/bracket.hpp"
#include "motion/run/landing.hpp"
#include "motion/run/step_watch.hpp"
#include "motion/run/switch_forecast.hpp"

namespace vinculum {

class SwitchFinder {
 public:
  SwitchFinder(Course& course, StepWatch& watch, Landing& landing)
      : course_(course),
        step_(course.step),
        system_(course.system),
        options_(course.options),
        modes_(course.modes),
        flow_(course.flow),
        sizes_(course.sizes),
        watch_(watch),
        landing_(landing),
        forecast_(course) {
    if (!course.watches_switches()) return;
    between_.resize(course.flow.size());
    later_f_.resize(course.flow.size());
    const std::size_t count = switches(course.system).size() + course.modes.count();
    passages_.reserve(count);
    passed_along_.reserve(count);
    at_front_.reserve(count);
    for (std::vector<double>* y : {&front_y_, &hop_f_, &slope_, &passed_, &behind_, &before_landing_, &far_})
      y->reserve(course.flow.size());
  }

  /// Where the equations have a corner or a jump inside the step, the step ends just behind it and the next
  /// one begins on the other side. What error control would only squeeze through is met exactly.
  void cut_at_switch();
  /// No step goes on to where a switch is expected: that much of h.
  double before_expected(double h) const;
  /// The step just tried, good or not, passes a switch: a good one ends just before it in its place.
  bool end_before_switch();
  /// The step at hand was made short for a switch.
  bool approaches() const { return expected_.has_value(); }
  /// A stage stood on the other side of a switch, but the end of the step does not: it may have been to and
  /// fro.
  bool hides_a_switch();
  /// The constraint that jumps at the end of the step; "" for none.
  const std::string& jump() const { return jump_; }
  void stop_at_jump();

 private:
  struct Crossing {  // of a switch by the step at hand
    Watched what;
    bool rising = false;
    double least = 0.0;  // times nearer than this are not told apart
  };
  void end_before_return();
  int nearest_switch() const;
  int next_crossed() const;
  void pass_along();
  double front_of(const Meeting& meeting) const;
  double least() const;
  double shortest_step() const;
  bool end_at_start(const Meeting& meeting);
  int meet_expected();
  bool reaches(const Meeting& meeting) const;
  void stand_behind(const Crossing& crossing, bool cut);
  Crossing crossing_of(int place, const std::vector<double>& before) const;
  struct Front {  // the end of a step just before a switch, or the start of the step at hand
    double t = 0;
    bool steps = true;
    double zero = NAN;  // where the curve of the step meets the switch
    double latest = 0;  // what follows does not go on beyond that
  };
  bool end_step_behind(const Crossing& crossing);
  bool hop_from(const Front& front, const Crossing& crossing);
  bool take_between(double t);
  bool shorten_step(double t);
  double beyond(const Crossing& crossing, double t);
  double last_before(const Crossing& crossing);
  bool step_to_front(double front, std::vector<double>& f);
  bool hop_behind(const Front& front, const Crossing& crossing, const std::vector<double>& f, double& t,
                  double& zero);
  void take_back_to(double zero, const Crossing& crossing, const std::vector<double>& slope, double passed);
  void back_to_zero(const Crossing& crossing, double zero, const std::vector<double>& f, double& t);
  bool land(double t, double hopped_for);
  bool is_made_by_forces(const std::vector<double>& before, double t, double time);
  bool hop_to_end(const Front& front, const std::vector<double>& f);

  Course& course_;
  Step& step_;
  const System& system_;
  const MotionOptions& options_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  StepWatch& watch_;
  Landing& landing_;
  SwitchForecast forecast_;
  std::optional<Meeting> expected_;  // beyond the end of the step
  double no_hop_from_ = NAN;         // where none has led behind a switch
  std::vector<int> side_;
  std::vector<char> passed_along_;  // those at which the step at hand ends
  std::vector<double> at_front_;    // the values just before its end
  bool falls_short_ = false;        // steps to a switch fail before it
  std::string jump_;
  int to_and_fro_ = 0;  // tiny steps in a row that end at a switch
  std::vector<std::pair<double, Crossing>> passages_;
  std::vector<double> between_, later_f_;
  std::vector<double> front_y_, hop_f_, slope_, passed_, behind_, before_landing_, far_;  // of a hop
};

}  // namespace vinculum
