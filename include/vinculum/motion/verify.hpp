// How exact a motion is: a second computation of it, and on how many digits both agree.
#pragma once
#include <limits>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {

/// Computes a motion a second time, by another method, to a tighter tolerance and with other steps, and
/// compares. `options` are those the motion was computed with; their `progress` is told of the second
/// computation, too, and may cancel it. No more than about `most_work` is done: evaluations of the
/// acceleration times evaluation_work(); where it does not suffice the motion stays unverified and the answer
/// says so. It depends on what is counted only, never on the clock.
///
/// The claim is about the motion given: its digits are right, or too few. What both computations miss, such
/// as a force that acts for a shorter time than lies between any two of their evaluations, it cannot know.
VINCULUM_EXPORT Verification verify(const System& system, const Trajectory& motion,
                                    const MotionOptions& options,
                                    double most_work = std::numeric_limits<double>::infinity());

/// The work of one evaluation of the acceleration, counted: about the number of its arithmetic operations.
VINCULUM_EXPORT double evaluation_work(const System& system);

/// What is verified without being asked: some tenths of a second on an ordinary machine.
inline constexpr double small_work = 4.5e7;

}  // namespace vinculum
