#include "kernel/series/steps.hpp"

#include <unordered_map>

namespace vinculum::kernel::series {
namespace {

class Writing {
 public:
  explicit Writing(const Kernel& kernel) : kernel_(kernel), at_(kernel.register_count(), 0) {
    for (Place r = 0; r < static_cast<Place>(kernel.input_count()); ++r) at_[r] = out_.count++;
    auto r = static_cast<std::size_t>(kernel.input_count());
    for (const double constant : kernel.constants()) at_[r++] = number(constant);
    one_ = number(1.0);
    zero_ = number(0.0);
  }

  Steps run() {
    for (const Instruction& i : kernel_.code()) at_[i.target] = write(i);
    for (const std::uint32_t r : kernel_.outputs()) out_.outputs.push_back(at_[r]);
    return std::move(out_);
  }

 private:
  Place number(double value) {
    out_.numbers.emplace_back(out_.count, value);
    return out_.count++;
  }
  Place first(Opcode op, Place a, Place b = 0) {
    out_.beginning.push_back({op, out_.count, a, b, 0});
    return out_.count++;
  }
  /// A step that begins with that operation on its operands.
  Step& step(Act act, Opcode op, Place a, Place b = 0, Place c = 0) {
    const Place target = first(op, a, b);
    out_.beginning.back().c = c;
    return out_.steps.emplace_back(Step{.act = act, .target = target, .a = a, .b = b, .c = c});
  }
  Place slope_of(Place a) {
    const auto [known, is_new] = slope_.try_emplace(a, out_.count);
    if (is_new) out_.steps.push_back({.act = Act::slope, .target = out_.count++, .a = a});
    return known->second;
  }
  /// The slope of a step's own series: it is known when the step is.
  Place with_own_slope(Step& made) {
    const Place target = made.target;
    made.slope_own = out_.count;
    slope_of(target);  // the reference is gone
    return target;
  }

  Place add(Place a, Place b) { return step(Act::add, Opcode::add, a, b).target; }
  Place subtract(Place a, Place b) { return step(Act::subtract, Opcode::subtract, a, b).target; }
  Place multiply(Place a, Place b) { return step(Act::multiply, Opcode::multiply, a, b).target; }
  Place negate(Place a) { return step(Act::negate, Opcode::negate, a).target; }
  Place square(Place a) { return step(Act::square, Opcode::square, a).target; }
  Place reciprocal(Place a) { return step(Act::reciprocal, Opcode::reciprocal, a).target; }
  Place root(Place a) {
    Step& made = step(Act::root, Opcode::sqrt, a);
    const std::size_t place = out_.steps.size() - 1;
    const Place target = made.target, twice = first(Opcode::add, target, target);
    out_.steps[place].first = first(Opcode::reciprocal, twice);
    return target;
  }
  Place divide(Place a, Place b) {
    Step& made = step(Act::divide, Opcode::divide, a, b);
    const Place target = made.target;
    made.first = first(Opcode::reciprocal, b);
    return target;
  }
  Place exponential(Place a) {
    const Place slope = slope_of(a);
    Step& made = step(Act::exponential, Opcode::exp, a);
    made.slope_a = slope;
    return made.target;
  }
  Place logarithm(Place a) {
    Step& made = step(Act::logarithm, Opcode::log, a);
    made.first = first(Opcode::reciprocal, a);
    return with_own_slope(made);
  }
  Place quotient(Opcode op, Place a, Place b) {
    Step& made = step(Act::quotient, op, a);
    made.b = b;
    made.first = first(Opcode::reciprocal, b);
    return with_own_slope(made);
  }
  Place angle(Place a, Place b) {
    const Place square_of_length = add(square(a), square(b)), slope_a = slope_of(a), slope_b = slope_of(b);
    Step& made = step(Act::angle, Opcode::atan2, a, b, square_of_length);
    made.slope_a = slope_a;
    made.slope_b = slope_b;
    made.first = first(Opcode::reciprocal, square_of_length);
    return with_own_slope(made);
  }
  Place power(Place a, Place b) {
    if (!is_number(b)) return exponential(multiply(b, logarithm(a)));
    const Place slope = slope_of(a);
    Step& made = step(Act::power, Opcode::power, a, b);
    made.slope_a = slope;
    made.first = first(Opcode::reciprocal, a);
    return with_own_slope(made);
  }
  /// Each is the integral of the other along the argument: sine and cosine, sinh and cosh.
  std::pair<Place, Place> pair(Opcode sine, Opcode cosine, Place a) {
    const Place slope = slope_of(a);
    const std::size_t place = out_.steps.size();
    const Place s = step(Act::integral, sine, a).target;
    const Place c = step(sine == Opcode::sin ? Act::minus_integral : Act::integral, cosine, a).target;
    out_.steps[place].b = c;
    out_.steps[place + 1].b = s;
    out_.steps[place].slope_a = out_.steps[place + 1].slope_a = slope;
    return {s, c};
  }
  /// t' = a' (1 + t^2), or with a minus.
  Place tangent(Opcode op, Place a) {
    const Place slope = slope_of(a);
    const std::size_t place = out_.steps.size();
    const Place t = step(Act::integral, op, a).target;
    const Place factor = op == Opcode::tan ? add(one_, square(t)) : subtract(one_, square(t));
    out_.steps[place].b = factor;
    out_.steps[place].slope_a = slope;
    return t;
  }
  Place whole_power(Place a, std::int32_t n) {
    if (n == 0) return one_;
    Place result = one_, x = a;
    auto rest = n < 0 ? 0u - static_cast<std::uint32_t>(n) : static_cast<std::uint32_t>(n);
    while (rest != 0) {
      if (rest & 1) result = result == one_ ? x : multiply(result, x);
      rest >>= 1;
      if (rest != 0) x = square(x);
    }
    return n < 0 ? reciprocal(result) : result;
  }
  Place side(Opcode op, Place a, Place b) {
    Step& made = step(Act::side, op, a, b);
    const Place target = made.target;
    made.first = first(Opcode::subtract, a, b);
    made.first = first(Opcode::reciprocal, made.first);
    return target;
  }
  Place chosen(Place condition, Place a, Place b) {
    return step(Act::choose, Opcode::select, condition, a, b).target;
  }
  bool is_number(Place place) const {
    for (const auto& [known, value] : out_.numbers)
      if (known == place) return true;
    return false;
  }

  Place write(const Instruction& i) {
    const Place a = at_[i.a];
    const auto b = [&] { return at_[i.b]; };
    const auto c = [&] { return at_[i.c]; };
    switch (i.op) {
      case Opcode::add:
        return add(a, b());
      case Opcode::subtract:
        return subtract(a, b());
      case Opcode::multiply:
        return multiply(a, b());
      case Opcode::divide:
        return divide(a, b());
      case Opcode::negate:
        return negate(a);
      case Opcode::square:
        return square(a);
      case Opcode::reciprocal:
        return reciprocal(a);
      case Opcode::multiply_add:
        return add(multiply(a, b()), c());
      case Opcode::multiply_subtract:
        return subtract(multiply(a, b()), c());
      case Opcode::subtract_multiply:
        return subtract(c(), multiply(a, b()));
      case Opcode::integer_power:
        return whole_power(a, static_cast<std::int32_t>(i.b));
      case Opcode::power:
        return power(a, b());
      case Opcode::sin:
        return pair(Opcode::sin, Opcode::cos, a).first;
      case Opcode::cos:
        return pair(Opcode::sin, Opcode::cos, a).second;
      case Opcode::sin_cos: {
        const auto [sine, cosine] = pair(Opcode::sin, Opcode::cos, a);
        at_[i.c] = cosine;
        return sine;
      }
      case Opcode::tan:
      case Opcode::tanh:
        return tangent(i.op, a);
      case Opcode::asin:
        return quotient(i.op, a, root(subtract(one_, square(a))));
      case Opcode::acos:
        return quotient(i.op, a, negate(root(subtract(one_, square(a)))));
      case Opcode::atan:
        return quotient(i.op, a, add(one_, square(a)));
      case Opcode::sinh:
        return pair(Opcode::sinh, Opcode::cosh, a).first;
      case Opcode::cosh:
        return pair(Opcode::sinh, Opcode::cosh, a).second;
      case Opcode::exp:
        return exponential(a);
      case Opcode::log:
        return logarithm(a);
      case Opcode::sqrt:
        return root(a);
      case Opcode::abs:
        return chosen(side(Opcode::less, a, zero_), negate(a), a);
      case Opcode::min:
        return chosen(side(Opcode::less, a, b()), a, b());
      case Opcode::max:
        return chosen(side(Opcode::less, b(), a), a, b());
      case Opcode::hypot:
        return root(add(square(a), square(b())));
      case Opcode::atan2:
        return angle(a, b());
      case Opcode::select:
        return chosen(a, b(), c());
      case Opcode::sign:
        return side(i.op, a, zero_);
      case Opcode::less:
      case Opcode::less_equal:
        return side(i.op, a, b());
      case Opcode::argument:
      case Opcode::call:
      case Opcode::stop:
        break;
    }
    return a;
  }

  const Kernel& kernel_;
  std::vector<Place> at_;  // the place of what stands in each register
  std::unordered_map<Place, Place> slope_;
  Place one_ = 0, zero_ = 0;
  Steps out_;
};

}  // namespace

Steps steps_of(const Kernel& kernel) { return Writing(kernel).run(); }

}  // namespace vinculum::kernel::series
