#include "device/print_kernel.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "kernel/native/steps.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum::device {
namespace {

using kernel::native::Act;
using kernel::native::Home;
using kernel::native::Id;
using kernel::native::no_id;
using kernel::native::Step;
using kernel::native::Steps;

/// What a value is in the text: a mask is one bit there.
enum class Kind : std::uint8_t { number, bits, mask };

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
/// Up to here sines and cosines of `both_languages` are good.
constexpr double largest_angle = 0x1p20;
/// The parts of a state, in the order of StatePlace::Part.
constexpr std::array<const char*, 5> part_name{"t", "q", "v", "a", "l"};

class Printer {
 public:
  Printer(const Kernel& kernel, const Steps& steps)
      : kernel_(kernel),
        steps_(steps),
        kind_(steps.homes.size(), Kind::number),
        scaled_(steps.homes.size(), Scaled{no_id, 1.0}) {}

  std::string body() {
    for (const Step& step : steps_.steps) print(step);
    return std::move(text_);
  }

 private:
  void print(const Step& step) {
    if (step.act == Act::call)
      fail("a function written in C++ or Python is called, which runs on this processor alone");
    if (step.act == Act::leave_unless) {
      text_ += fmt::format("  ordinary = ordinary && {};\n", mask(step.operand[0]));
      return;
    }
    if (step.act == Act::sine || step.act == Act::cosine) require_small(step.operand[0]);
    if (step.act != Act::multiply || !note_scaled(step)) define(step);
    if (const std::uint32_t k = steps_.written[step.result]; k != no_id)
      text_ += fmt::format("  out[{}] = {};\n", k, number(step.result));
  }

  void define(const Step& step) {
    const auto [kind, value] = meaning(step);
    constexpr const char* type[] = {"double", "Bits", "bool"};
    kind_[step.result] = kind;
    text_ += fmt::format("  const {} v{} = {};\n", type[static_cast<int>(kind)], step.result, value);
  }

  /// Larger angles are rare, and left to the engine.
  void require_small(Id angle) {
    if (!small_.insert(angle).second) return;
    text_ += fmt::format("  ordinary = ordinary && fabs({}) <= {};\n", number(angle), literal(largest_angle));
  }

  /// Half of twice a number is that number: a multiple by a power of two is one of what it is a multiple of.
  /// True where nothing is left to be computed.
  bool note_scaled(const Step& step) {
    const auto [a, b, none] = step.operand;
    const std::optional<double> by_a = power_of_two(a), by_b = power_of_two(b);
    if (by_a.has_value() == by_b.has_value()) return false;
    const Id of = by_a ? b : a;
    const Scaled& before = scaled_[of];
    scaled_[step.result] = {before.base == no_id ? of : before.base,
                            before.factor * by_a.value_or(by_b.value_or(1))};
    return std::fabs(scaled_[step.result].factor) == 1;
  }

  std::optional<double> power_of_two(Id id) const {
    const Home& home = steps_.homes[id];
    const auto inputs = static_cast<std::uint32_t>(kernel_.input_count());
    const bool is_constant = id >= inputs && id < inputs + kernel_.constants().size();
    if (home.kind != Home::Kind::pool && !is_constant) return std::nullopt;
    const double x = home.kind == Home::Kind::pool ? std::bit_cast<double>(steps_.pool[home.place])
                                                   : kernel_.constants()[id - inputs];
    int exponent = 0;
    if (!std::isnormal(x) || std::fabs(std::frexp(x, &exponent)) != 0.5) return std::nullopt;
    return x;
  }

  struct Meaning {
    Kind kind;
    std::string value;
  };
  Meaning meaning(const Step& step) const {
    const auto [a, b, c] = step.operand;
    const auto of_numbers = [&](const char* sign) {
      return fmt::format("{} {} {}", number(a), sign, number(b));
    };
    const auto of_bits = [&](const char* sign) { return fmt::format("{} {} {}", bits(a), sign, bits(b)); };
    switch (step.act) {
      case Act::add:
        return {Kind::number, of_numbers("+")};
      case Act::subtract:
        return {Kind::number, of_numbers("-")};
      case Act::multiply:
        if (const Scaled& s = scaled_[step.result]; s.base != no_id)
          return {Kind::number, fmt::format("{} * {}", number(s.base), literal(s.factor))};
        return {Kind::number, of_numbers("*")};
      case Act::sine:
        return {Kind::number, fmt::format("sine({})", number(a))};
      case Act::cosine:
        return {Kind::number, fmt::format("cosine({})", number(a))};
      case Act::divide:
        return {Kind::number, of_numbers("/")};
      case Act::square_root:
        return {Kind::number, fmt::format("sqrt({})", number(a))};
      case Act::less:
        return {Kind::mask, of_numbers("<")};
      case Act::less_equal:
        return {Kind::mask, of_numbers("<=")};
      case Act::unequal:
        return {Kind::mask, of_numbers("!=")};
      case Act::choose:
        return {Kind::number, fmt::format("{} ? {} : {}", mask(a), number(b), number(c))};
      case Act::bits_and:
        return both(a, b);
      case Act::bits_or:
        return {Kind::bits, of_bits("|")};
      case Act::bits_xor:
        if (is_pool(b, sign_bit) && is_number(a)) return {Kind::number, "-" + number(a)};
        return {Kind::bits, of_bits("^")};
      case Act::bits_add:
        return {Kind::bits, of_bits("+")};
      case Act::bits_subtract:
        return {Kind::bits, of_bits("-")};
      case Act::shift_left:
        return {Kind::bits, fmt::format("{} << {}", bits(a), step.by)};
      case Act::shift_right:
        return {Kind::bits, fmt::format("{} >> {}", bits(a), step.by)};
      default:
        return {Kind::number, number(a)};  // a copy
    }
  }

  /// a & b: a choice where one of them is a mask, a magnitude where all but the sign stays.
  Meaning both(Id a, Id b) const {
    if (kind_[a] == Kind::mask && kind_[b] == Kind::mask)
      return {Kind::mask, fmt::format("{} && {}", mask(a), mask(b))};
    if (kind_[a] == Kind::mask) return {Kind::number, fmt::format("{} ? {} : 0.0", mask(a), number(b))};
    if (is_pool(b, ~sign_bit) && is_number(a)) return {Kind::number, fmt::format("fabs({})", number(a))};
    return {Kind::bits, fmt::format("{} & {}", bits(a), bits(b))};
  }

  bool is_pool(Id id, std::uint64_t what) const {
    return steps_.homes[id].kind == Home::Kind::pool && steps_.pool[steps_.homes[id].place] == what;
  }
  bool is_number(Id id) const {
    return kind_[id] == Kind::number && steps_.homes[id].kind != Home::Kind::pool;
  }

  /// The value as it is told outside of conversions.
  std::string name(Id id) const {
    if (const Scaled& s = scaled_[id]; std::fabs(s.factor) == 1 && s.base != no_id)
      return s.factor > 0 ? number(s.base) : "(-" + number(s.base) + ")";
    const Home& home = steps_.homes[id];
    const bool given = id < kernel_.input_count() + kernel_.constants().size();
    if (home.kind == Home::Kind::state)
      return home.part == 0 ? "t" : fmt::format("{}[{}]", part_name.at(home.part), home.place);
    if (!given || home.kind != Home::Kind::file) return fmt::format("v{}", id);
    const auto inputs = static_cast<std::uint32_t>(kernel_.input_count());
    if (home.place >= inputs) return literal(kernel_.constants()[home.place - inputs]);
    return fmt::format("n[{}]", home.place - kernel_.places().size());
  }
  std::string number(Id id) const {
    if (steps_.homes[id].kind == Home::Kind::pool)
      return literal(std::bit_cast<double>(steps_.pool[steps_.homes[id].place]));
    if (kind_[id] == Kind::number) return name(id);
    return fmt::format("value_of({})", bits(id));
  }
  std::string bits(Id id) const {
    if (steps_.homes[id].kind == Home::Kind::pool)
      return fmt::format("0x{:x}ull", steps_.pool[steps_.homes[id].place]);
    if (kind_[id] == Kind::bits) return name(id);
    if (kind_[id] == Kind::mask) return fmt::format("({} ? ~0ull : 0ull)", name(id));
    return fmt::format("bits_of({})", name(id));
  }
  std::string mask(Id id) const {
    return kind_[id] == Kind::mask ? name(id) : fmt::format("({} != 0)", bits(id));
  }

  struct Scaled {
    Id base;  // no_id: no multiple by a power of two
    double factor;
  };

  const Kernel& kernel_;
  const Steps& steps_;
  std::vector<Kind> kind_;
  std::vector<Scaled> scaled_;
  std::unordered_set<Id> small_;  // angles that are looked at
  std::string text_;
};

}  // namespace

std::string literal(double x) {
  if (!std::isfinite(x)) return fmt::format("value_of(0x{:x}ull)", std::bit_cast<std::uint64_t>(x));
  const std::string text = fmt::format("{:a}", x);
  return x < 0 || std::signbit(x) ? "(" + text + ")" : text;
}

std::string print_kernel(std::string_view name, const Kernel& kernel) {
  const Steps steps = kernel::native::steps_of(kernel, kernel::native::Circle::whole);
  return fmt::format(
      "DEVICE bool {}(double t, const double* q, const double* v, const double* a, const double* l,\n"
      "    const double* n, double* out) {{\n"
      "  bool ordinary = true;\n{}  return ordinary;\n}}\n\n",
      name, Printer(kernel, steps).body());
}

}  // namespace vinculum::device
