#include <algorithm>
#include <map>

#include "kernel/series/steps.hpp"
#include "vinculum/kernel/series.hpp"

namespace vinculum {

using namespace kernel::series;

/// The kernels of all orders, one after the other. Coefficients that are zero whatever the inputs are have no
/// register, and what is made of them no instruction.
class SeriesWriting {
 public:
  using Register = std::uint32_t;
  using Value = std::optional<Register>;

  SeriesWriting(const Kernel& kernel, int order, const std::vector<SeriesInput>& inputs)
      : program_(steps_of(kernel)), width_(order + 1) {
    const auto given = static_cast<Place>(kernel.input_count());
    late_.assign(program_.count, false);
    known_.assign(static_cast<std::size_t>(program_.count) * width_, std::nullopt);
    for (Place p = 0; p < program_.count; ++p) known(p, 0) = home(p, 0);
    for (Place p = 0; p < given; ++p) {
      const SeriesInput kind = p < inputs.size() ? inputs[p] : SeriesInput::moving;
      late_[p] = kind == SeriesInput::late;
      for (int k = 1; k < width_ && kind != SeriesInput::constant; ++k) known(p, k) = home(p, k);
    }
    for (const Step& s : program_.steps) {
      if (s.act == Act::slope) known(s.target, 0) = std::nullopt;
      late_[s.target] = late_[s.a] || late_[s.b] || late_[s.c] || late_[s.slope_a] || late_[s.slope_b];
    }
    first_sum_ = program_.count * static_cast<Register>(width_);
    first_passing_ = first_sum_ + program_.count;
    out_.registers_ = first_passing_ + most_passing;
    out_.order_ = order;
    for (const auto& [place, value] : program_.numbers) out_.numbers_.emplace_back(home(place, 0), value);
    sums_.resize(program_.count);
  }

  SeriesProgram run() {
    write_first();
    for (int k = 1; k < width_; ++k) {
      for (const Step& s : program_.steps) compute(s, k);
      take_kernel(out_.compute_);
      for (const Step& s : program_.steps)
        if (late_[s.target]) settle(s.target, k, ended(s, k, sums_[s.target]));
      take_kernel(out_.complete_);
    }
    out_.runs_.reset(new std::atomic<int>[2 * static_cast<std::size_t>(width_)]());
    for (const Place place : program_.outputs)
      for (int k = 0; k < width_; ++k) out_.outputs_.push_back(known(place, k));
    return std::move(out_);
  }

 private:
  static constexpr Register most_passing = 16;  // values on the way within one step

  Register home(Place place, int k) const { return place * static_cast<Register>(width_) + k; }
  Value& known(Place place, int k) { return known_[home(place, k)]; }

  Register number(double value) {
    const auto [where, is_new] = numbers_.try_emplace(value, out_.registers_);
    if (is_new) out_.numbers_.emplace_back(out_.registers_++, value);
    return where->second;
  }

  // --- Instructions, left out where an operand is zero.

  Value emit(Opcode op, Register a, Register b = 0, Register c = 0) {
    const Register to = first_passing_ + passing_++ % most_passing;
    code_.push_back({op, to, a, b, c});
    return to;
  }
  Value add(Value a, Value b) { return a && b ? emit(Opcode::add, *a, *b) : a ? a : b; }
  Value subtract(Value a, Value b) { return a && b ? emit(Opcode::subtract, *a, *b) : a ? a : negate(b); }
  Value negate(Value a) { return a ? emit(Opcode::negate, *a) : a; }
  Value multiply(Value a, Value b) { return a && b ? emit(Opcode::multiply, *a, *b) : std::nullopt; }
  /// c + a b, and c - a b.
  Value add_product(Value c, Value a, Value b) {
    if (!a || !b) return c;
    return c ? emit(Opcode::multiply_add, *a, *b, *c) : multiply(a, b);
  }
  Value subtract_product(Value c, Value a, Value b) {
    if (!a || !b) return c;
    return c ? emit(Opcode::subtract_multiply, *a, *b, *c) : negate(multiply(a, b));
  }
  /// The sum of a_j b_(k-j) for j from 1 to k - 1, added to `sum`.
  Value product(Place a, Place b, int k, Value sum = std::nullopt) {
    for (int j = 1; j < k; ++j) sum = add_product(sum, known(a, j), known(b, k - j));
    return sum;
  }
  Value take_product(Value sum, Place a, Place b, int k) {
    for (int j = 1; j < k; ++j) sum = subtract_product(sum, known(a, j), known(b, k - j));
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
        for (int j = 1; 2 * j < k; ++j) half = add_product(half, known(s.a, j), known(s.a, k - j));
        half = add(half, half);
        return k % 2 == 0 ? add_product(half, known(s.a, k / 2), known(s.a, k / 2)) : half;
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
        return take_product(multiply(product(s.slope_a, s.target, k), known(s.b, 0)), s.slope_own, s.a, k);
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
        return add(a, b);
      case Act::subtract:
        return subtract(a, b);
      case Act::negate:
        return negate(a);
      case Act::multiply:
        return add_product(add_product(sum, a0, b), a, b0);
      case Act::square: {
        const Value end = multiply(a0, a);
        return add(add(sum, end), end);
      }
      case Act::divide:
        return multiply(subtract_product(subtract(a, sum), b, own0), first);
      case Act::reciprocal:
        return negate(multiply(add_product(sum, a, own0), own0));
      case Act::root:
        return multiply(subtract(a, sum), first);
      case Act::exponential:
        return multiply(add_product(sum, slope, own0), number(1.0 / k));
      case Act::logarithm:
      case Act::quotient:
        return multiply(subtract_product(a, sum, number(1.0 / k)), first);
      case Act::integral:
        return multiply(add_product(sum, slope, b0), number(1.0 / k));
      case Act::minus_integral:
        return multiply(add_product(sum, slope, b0), number(-1.0 / k));
      case Act::angle: {
        const Value ends = subtract_product(add_product(sum, slope, b0), known(s.slope_b, k), a0);
        return multiply(multiply(ends, number(1.0 / k)), first);
      }
      case Act::power:
        return multiply(multiply(add_product(sum, multiply(slope, own0), b0), number(1.0 / k)), first);
      case Act::slope:
        return k == 1 ? a : multiply(a, number(k));
      case Act::choose: {
        const Value c = known(s.c, k);
        if (!b && !c) return std::nullopt;
        return emit(Opcode::select, *first, b ? *b : number(0.0), c ? *c : number(0.0));
      }
      case Act::side:
        break;
    }
    return std::nullopt;
  }

  void write_first() {
    const auto width = static_cast<Register>(width_);
    for (const Instruction& i : program_.beginning) {
      code_.push_back({i.op, i.target * width, i.a * width, i.b * width, i.c * width});
      kept_.push_back(i.target * width);
    }
    take_kernel(out_.compute_);
    take_kernel(out_.complete_);  // nothing
  }

  void compute(const Step& s, int k) {
    Value sum = between(s, k);
    if (sum && late_[s.target]) sum = moved(*sum, first_sum_ + s.target);
    sums_[s.target] = sum;
    settle(s.target, k, ended(s, k, sum));
  }

  /// A value on the way goes to a register of its own: the instruction that has just made it is told so.
  Register moved(Register value, Register to) {
    if (value < first_passing_ || value >= first_passing_ + most_passing) return value;
    code_.back().target = to;
    kept_.push_back(to);
    return to;
  }
  void settle(Place place, int k, Value value) {
    const bool is_sum = value && *value >= first_sum_ && *value < first_passing_;  // another order needs it
    if (is_sum) value = emit(Opcode::add, *value, number(0.0));
    known(place, k) = value ? Value(moved(*value, home(place, k))) : std::nullopt;
    passing_ = 0;
  }
  void take_kernel(std::vector<Kernel>& to) {
    to.push_back(Kernel::of_code(std::move(code_), out_.registers_, std::move(kept_)));
    code_.clear();
    kept_.clear();
  }

  Steps program_;
  int width_;  // coefficients of a series
  std::vector<bool> late_;
  std::vector<Value> known_;  // [place][order]
  std::vector<Value> sums_;   // between, at the order at hand
  std::map<double, Register> numbers_;
  Register first_sum_ = 0, first_passing_ = 0, passing_ = 0;
  std::vector<Instruction> code_;
  std::vector<Register> kept_;
  SeriesProgram out_;
};

std::optional<SeriesProgram> SeriesProgram::of(const Kernel& kernel, int order,
                                               const std::vector<SeriesInput>& inputs) {
  const auto calls = [](const Instruction& i) { return i.op == Opcode::call; };
  if (std::any_of(kernel.code().begin(), kernel.code().end(), calls)) return std::nullopt;
  return SeriesWriting(kernel, order, inputs).run();
}

std::size_t SeriesProgram::instruction_count() const {
  std::size_t count = 0;
  for (const std::vector<Kernel>* all : {&compute_, &complete_})
    for (const Kernel& kernel : *all) count += kernel.code().size();
  return count;
}

}  // namespace vinculum
