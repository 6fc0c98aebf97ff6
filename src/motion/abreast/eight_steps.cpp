#include "motion/abreast/eight_steps.hpp"

#include <cmath>
#include <limits>

#include "base/clones.hpp"
#include "motion/assemble/project.hpp"

namespace vinculum::eights {
namespace {

constexpr std::size_t most_stages = 16;

}  // namespace

VINCULUM_CLONES
void combine(std::span<const double> weight, const Eight& h, const Eight* from, const Eight* k, int n,
             Eight* out) {
  using Register [[gnu::vector_size(64), gnu::may_alias]] = double;  // a sum stays in one
  Register w[most_stages];
  const Eight* slope[most_stages];
  int count = 0;
  for (std::size_t stage = 0; stage < weight.size(); ++stage) {
    if (weight[stage] == 0) continue;
    w[count] = reinterpret_cast<const Register&>(h) * weight[stage];
    slope[count++] = k + stage * n;
  }
  for (int i = 0; i < n; ++i) {
    Register sum = from == nullptr ? Register{} : reinterpret_cast<const Register&>(from[i]);
    for (int j = 0; j < count; ++j) sum += w[j] * reinterpret_cast<const Register&>(slope[j][i]);
    reinterpret_cast<Register&>(out[i]) = sum;
  }
}

VINCULUM_CLONES
bool are_good(const Eight& good) { return holds_for_all(good == Eight(1.0)); }

VINCULUM_CLONES
void lay_slope(const Eight* v, int places, const Eight* const* power, int powers, Eight* dq, Eight* dw) {
  for (int i = 0; i < places; ++i) dq[i] = v[i];
  for (int i = 0; i < powers; ++i) dw[i] = *power[i];
}

VINCULUM_CLONES
void largest_error(const StepSizes<Eight>& sizes, const Allowed& allowed, int controlled, int n,
                   const Eight* y, const Eight* y_new, const Eight* error, Eight& result) {
  const Eight nothing = 1e-180, infinite = INFINITY;
  const auto judge = [&](const Eight& miss, const Eight& to, const Eight& part)
                         __attribute__((always_inline)) {
                           const Eight size = magnitude(miss);
                           Eight e = select(nothing > size, Eight(0.0), size / part);
                           e = select(both(infinite > magnitude(to), infinite > e), e, infinite);
                           result = select(e <= result, result, e);
                         };
  result = 0.0;
  for (int i = 0; i < controlled; ++i)
    judge(error[i], y_new[i], allowed(sizes[i], sizes.noise(i), y[i], y_new[i]));
  Eight missed = 0.0, before = 0.0, after = 0.0;
  for (int i = controlled; i < n; ++i) {
    missed += error[i];
    before += y[i];
    after += y_new[i];
  }
  const Eight of_places = result;
  judge(missed, after, allowed(sizes.work(), sizes.work_noise(), before, after));
  for (int k = 0; k < 8; ++k)
    if (!(of_places.lane[k] <= 1)) result.lane[k] = of_places.lane[k];
}

VINCULUM_CLONES
void aim(StepSizes<Eight>& sizes, const Eight& t, const Eight* y, const Eight* f, const Eight& h) {
  sizes.aim(t, y, f, h);
}

VINCULUM_CLONES
void weigh_and_accept(StepSizes<Eight>& sizes, const Eight* mass, const Eight* force, const Eight* y) {
  sizes.weigh([=](int i) { return mass[i]; }, [=](int i) { return force[i]; });
  sizes.accept(y);
}

VINCULUM_CLONES
void change_of(const Eight* x, const Eight* at, const Eight* size, int count, Eight& change) {
  const Eight infinite = INFINITY;
  change = 0.0;
  for (int i = 0; i < count; ++i) {
    const Eight by = magnitude(x[i]);
    const Eight part = by / (size[i] + larger(magnitude(at[i]), magnitude(at[i] + x[i])));
    const Eight finite = select(infinite > by, part, infinite);
    change = larger(change, select(by == Eight(0.0), Eight(0.0), finite));
  }
}

VINCULUM_CLONES
void add(const EightTruths& which, const Eight* x, int count, Eight* to) {
  for (int i = 0; i < count; ++i) to[i] = select(which, to[i] + x[i], to[i]);
}

VINCULUM_CLONES
void choose(const EightTruths& which, const Eight* from, int count, Eight* to) {
  for (int i = 0; i < count; ++i) to[i] = select(which, from[i], to[i]);
}

VINCULUM_CLONES
void displace_and_back(const Eight* at, int count, Eight* change) {
  for (int i = 0; i < count; ++i) change[i] = at[i] + change[i] - at[i];
}

VINCULUM_CLONES
void are_rounding(const Eight* miss, const Eight* terms, std::size_t rows, EightTruths& which) {
  for (std::size_t r = 0; r < rows; ++r)
    which = both(which, magnitude(miss[r]) <= Eight(Projector::rounding_of_terms) * terms[r]);
}

VINCULUM_CLONES
void changed(const StepSizes<Eight>& sizes, int places, int count, const Eight& span, const Eight* from,
             const Eight* to, Eight& most) {
  constexpr double rounding_of_rest = 16 * std::numeric_limits<double>::epsilon();
  most = 0.0;
  for (int i = 0; i < count; ++i) {
    const Eight rest = i < places ? Eight(0.0) : Eight(rounding_of_rest) * sizes.of_move(i - places) / span;
    const Eight part = magnitude(to[i] - from[i]) / (sizes[i] + rest + magnitude(to[i]));
    most = select(but_not(part > most, to[i] == from[i]), part, most);
  }
}

}  // namespace vinculum::eights
