#include <algorithm>

#include "kernel/series/steps.hpp"
#include "vinculum/kernel/series_sheet.hpp"

namespace vinculum {

using namespace kernel::series;

struct SeriesFunction::Impl {
  using Value = SeriesSheet::Value;

  Impl(SeriesSheet& on, const Kernel& kernel, int order, const std::vector<bool>& late_inputs)
      : sheet(on),
        program(steps_of(kernel)),
        width(order + 1),
        late(program.count, false),
        coefficient(static_cast<std::size_t>(program.count) * width),
        sums(program.count),
        own(program.count) {
    for (const auto& [place, value] : program.numbers) known(place, 0) = sheet.number(value);
    std::copy(late_inputs.begin(), late_inputs.end(), late.begin());
    for (const Step& s : program.steps)
      late[s.target] = late[s.a] || late[s.b] || late[s.c] || late[s.slope_a] || late[s.slope_b];
  }

  Value& known(Place place, int k) { return coefficient[static_cast<std::size_t>(place) * width + k]; }

  /// The sum of a_j b_(k-j) for j from 1 to k - 1, added to `sum`.
  Value product(Place a, Place b, int k, Value sum = std::nullopt) {
    for (int j = 1; j < k; ++j) sum = sheet.add_product(sum, known(a, j), known(b, k - j));
    return sum;
  }
  Value take_product(Value sum, Place a, Place b, int k) {
    for (int j = 1; j < k; ++j) sum = sheet.subtract_product(sum, known(a, j), known(b, k - j));
    return sum;
  }

  // --- Recurrences.

  /// What coefficients between the first and number k make of number k.
  Value between(const Step& s, int k) {
    switch (s.act) {
      case Act::multiply:
        return product(s.a, s.b, k);
      case Act::square: {  // both halves are the same
        Value half;
        for (int j = 1; 2 * j < k; ++j) half = sheet.add_product(half, known(s.a, j), known(s.a, k - j));
        half = sheet.add(half, half);
        return k % 2 == 0 ? sheet.add_product(half, known(s.a, k / 2), known(s.a, k / 2)) : half;
      }
      case Act::divide:
        return product(s.b, s.target, k);
      case Act::reciprocal:
        return product(s.a, s.target, k);
      case Act::root:
        return product(s.target, s.target, k);
      case Act::exponential:
        return product(s.slope_a, s.target, k);
      case Act::logarithm:
        return product(s.slope_own, s.a, k);
      case Act::integral:
      case Act::minus_integral:
        return product(s.slope_a, s.b, k);
      case Act::quotient:
        return product(s.slope_own, s.b, k);
      case Act::angle:
        return take_product(take_product(product(s.slope_a, s.b, k), s.slope_b, s.a, k), s.slope_own, s.c, k);
      case Act::power:
        return take_product(sheet.multiply(product(s.slope_a, s.target, k), known(s.b, 0)), s.slope_own, s.a,
                            k);
      default:
        return std::nullopt;
    }
  }

  /// Number k from the sum between, and what the first and the last add to it.
  Value ended(const Step& s, int k, Value sum) {
    const Value a = known(s.a, k), a0 = known(s.a, 0), b = known(s.b, k), b0 = known(s.b, 0),
                own0 = known(s.target, 0), first = known(s.first, 0), slope = known(s.slope_a, k);
    switch (s.act) {
      case Act::add:
        return sheet.add(a, b);
      case Act::subtract:
        return sheet.subtract(a, b);
      case Act::negate:
        return sheet.negate(a);
      case Act::multiply:
        return sheet.add_product(sheet.add_product(sum, a0, b), a, b0);
      case Act::square: {
        const Value end = sheet.multiply(a0, a);
        return sheet.add(sheet.add(sum, end), end);
      }
      case Act::divide:
        return sheet.multiply(sheet.subtract_product(sheet.subtract(a, sum), b, own0), first);
      case Act::reciprocal:
        return sheet.negate(sheet.multiply(sheet.add_product(sum, a, own0), own0));
      case Act::root:
        return sheet.multiply(sheet.subtract(a, sum), first);
      case Act::exponential:
        return sheet.multiply(sheet.add_product(sum, slope, own0), sheet.number(1.0 / k));
      case Act::logarithm:
      case Act::quotient:
        return sheet.multiply(sheet.subtract_product(a, sum, sheet.number(1.0 / k)), first);
      case Act::integral:
        return sheet.multiply(sheet.add_product(sum, slope, b0), sheet.number(1.0 / k));
      case Act::minus_integral:
        return sheet.multiply(sheet.add_product(sum, slope, b0), sheet.number(-1.0 / k));
      case Act::angle: {
        const Value ends = sheet.subtract_product(sheet.add_product(sum, slope, b0), known(s.slope_b, k), a0);
        return sheet.multiply(sheet.multiply(ends, sheet.number(1.0 / k)), first);
      }
      case Act::power:
        return sheet.multiply(
            sheet.multiply(sheet.add_product(sum, sheet.multiply(slope, own0), b0), sheet.number(1.0 / k)),
            first);
      case Act::slope:
        return k == 1 ? a : sheet.multiply(a, sheet.number(k));
      case Act::choose: {
        const Value c = known(s.c, k), nothing = sheet.multiply(a, sheet.number(0.0));  // or no number
        if (!b && !c) return nothing;
        const auto zero_or = [&](Value x) { return x ? *x : sheet.number(0.0); };
        return sheet.add(nothing, sheet.emit(Opcode::select, *a0, zero_or(b), zero_or(c)));
      }
      case Act::side:  // where the operands are the same, it is the motion that tells, and no series does
        return k == 1 && (a || b) ? sheet.multiply(sheet.number(0.0), first) : std::nullopt;
    }
    return std::nullopt;
  }

  void begin() {
    // A number of no step is zero: the slope of what stands still.
    const auto at = [&](Place place) { return known(place, 0) ? *known(place, 0) : sheet.number(0.0); };
    for (const Instruction& i : program.beginning)
      known(i.target, 0) = sheet.settled(sheet.emit(i.op, at(i.a), at(i.b), at(i.c)));
  }
  void compute(int k) {
    if (k == 0) return begin();
    for (const Step& s : program.steps) {
      Value& sum = sums[s.target] = between(s, k);
      if (late[s.target]) sum = sheet.settled(sum);
      const Value value = ended(s, k, sum);
      known(s.target, k) = own[s.target] = sheet.settled(value);
      if (own[s.target] == value) own[s.target].reset();  // it is that of another value
    }
  }
  void complete(int k) {
    for (const Step& s : program.steps)
      if (late[s.target]) known(s.target, k) = sheet.settled(ended(s, k, sums[s.target]), own[s.target]);
  }

  SeriesSheet& sheet;
  Steps program;
  int width;  // coefficients of a series
  std::vector<bool> late;
  std::vector<Value> coefficient;  // [place][order]
  // Of each place, at the order at hand:
  std::vector<Value> sums;  // between
  std::vector<Value> own;   // the register of its coefficient, where it has one of its own
};

SeriesFunction::SeriesFunction(SeriesSheet& sheet, const Kernel& kernel, int order,
                               const std::vector<bool>& late)
    : impl_(std::make_unique<Impl>(sheet, kernel, order, late)) {}
SeriesFunction::~SeriesFunction() = default;
SeriesFunction::SeriesFunction(SeriesFunction&&) noexcept = default;

void SeriesFunction::set_input(std::size_t i, int k, Value value) {
  impl_->known(static_cast<Place>(i), k) = value;
}
void SeriesFunction::compute(int k) { impl_->compute(k); }
void SeriesFunction::complete(int k) { impl_->complete(k); }
SeriesFunction::Value SeriesFunction::output(std::size_t o, int k) const {
  return impl_->known(impl_->program.outputs[o], k);
}

}  // namespace vinculum
