#include "motion/run/progress_clock.hpp"

#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {

bool ProgressClock::report() {
  if (!options_.progress || --attempts_to_look_ > 0) return true;
  const Clock::time_point now = Clock::now();
  attempts_to_look_ = now - looked_ > std::chrono::milliseconds(10) ? 1 : 16;
  looked_ = now;
  if (now - reported_ < std::chrono::milliseconds(50)) return true;
  reported_ = now;
  Progress p;
  p.t = step_.t;
  p.steps = out_.steps;
  p.fraction = (step_.t - course_.t_start) / (options_.until - course_.t_start);
  const double spent = std::chrono::duration<double>(now - began_).count();
  p.seconds_left = p.fraction > 0 ? spent * (1 - p.fraction) / p.fraction : INFINITY;
  if (options_.progress(p)) return true;
  course_.finish(Stop::cancelled, "cancelled at t = " + number_text(step_.t, 10));
  return false;
}

}  // namespace vinculum
