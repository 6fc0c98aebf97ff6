// What is done for eight motions at once within a step, in the order of operations that one has.
#pragma once
#include <span>

#include "motion/step_sizes.hpp"

namespace vinculum::eights {

/// What a number is allowed to be off by.
struct Allowed {
  Eight relative = 0.0, absolute = 0.0;
  [[gnu::always_inline]] Eight operator()(const Eight& size, const Eight& noise, const Eight& from,
                                          const Eight& to) const {
    return absolute + relative * larger(larger(size, magnitude(from)), magnitude(to)) + noise;
  }
};

/// from + h sum weight_i k_i, stage by stage; from nothing where there is no `from`.
void combine(std::span<const double> weight, const Eight& h, const Eight* from, const Eight* k, int n,
             Eight* out);

/// Whether all of them have a closed form.
bool are_good(const Eight& good);

/// q' = v, and the powers that are integrated along, beside accelerations that are there.
void lay_slope(const Eight* v, int places, const Eight* const* power, int powers, Eight* dq, Eight* dw);

/// The largest error over what is allowed (motion/steppers/stepper.cpp); infinite where the end is not
/// finite.
void largest_error(const StepSizes<Eight>& sizes, const Allowed& allowed, int controlled, int n,
                   const Eight* y, const Eight* y_new, const Eight* error, Eight& result);

/// The sizes that a step goes by, and what its end tells of them.
void aim(StepSizes<Eight>& sizes, const Eight& t, const Eight* y, const Eight* f, const Eight& h);
void weigh_and_accept(StepSizes<Eight>& sizes, const Eight* mass, const Eight* force, const Eight* y);

/// The largest change x of places or velocities, relative to the size of what it changes.
void change_of(const Eight* x, const Eight* at, const Eight* size, int count, Eight& change);

/// In some lanes alone: to += x, and to = from.
void add(const EightTruths& which, const Eight* x, int count, Eight* to);
void choose(const EightTruths& which, const Eight* from, int count, Eight* to);

/// A change of places, as what they then are tells it.
void displace_and_back(const Eight* at, int count, Eight* change);

/// Those of `which` whose misses are rounding beside the terms of their rows.
void are_rounding(const Eight* miss, const Eight* terms, std::size_t rows, EightTruths& which);

/// The largest change of any number beside its size (motion/run/landing.cpp).
void changed(const StepSizes<Eight>& sizes, int places, int count, const Eight& span, const Eight* from,
             const Eight* to, Eight& most);

}  // namespace vinculum::eights
