// The whole functions for one double, where the formulas for lanes cover only ordinary arguments. Out of
// line, so that one lane and eight call the very same code; ordinary arguments give the bits of the formulas.
#include <algorithm>
#include <cmath>

#include "kernel/functions.hpp"

namespace vinculum::kernel {
namespace {

// --- angles beyond the reduction by parts --------------------------------------------------------

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

/// A word of zeros and the first 1216 bits of 2/pi.
constexpr std::uint64_t per_quarter[] = {0,
                                         0xa2f9836e4e441529,
                                         0xfc2757d1f534ddc0,
                                         0xdb6295993c439041,
                                         0xfe5163abdebbc561,
                                         0xb7246e3a424dd2e0,
                                         0x06492eea09d1921c,
                                         0xfe1deb1cb129a73e,
                                         0xe88235f52ebb4484,
                                         0xe99c7026b45f7e41,
                                         0x3991d639835339f4,
                                         0x9c845f8bbdf9283b,
                                         0x1ff897ffde05980f,
                                         0xef2f118b5a0a6d1f,
                                         0x6d367ecf27cb09b7,
                                         0x4f463f669e5fea2d,
                                         0x7527bac7ebe5f17b,
                                         0x3d0739f78a5292ea,
                                         0x6bfb5fb11f8d5d08,
                                         0x56033046fc7b6bab};

/// a b with the rounding of the product.
Twice<double> product(double a, double b) {
  const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1, head = a * b;
  return {head, ((a1 * b1 - head) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// 64 bits of the table from the bit `from` on.
std::uint64_t word(int from) {
  const int k = from / 64, shift = from % 64;
  return shift == 0 ? per_quarter[k] : per_quarter[k] << shift | per_quarter[k + 1] >> (64 - shift);
}

/// x = m 2^e with an integer m of 53 bits, e >= -32. In m times 2/pi those bits of 2/pi that give multiples
/// of 4 quarters are left out, and 192 are enough of the others (Payne and Hanek): no double is closer than
/// 2^-62 to a multiple of pi/2, and the part that is cut off is below 2^-137 of a quarter.
ReducedAngle<double> reduce_far(double x) {
  const std::int64_t bits = bits_of(x);
  const std::uint64_t m = (bits & 0x000f'ffff'ffff'ffff) | 0x0010'0000'0000'0000;
  const int first = static_cast<int>(bits >> 52) - 1075 + 62;

  // The product in units of 2^-190 quarters, modulo 2^192.
  const Unsigned128 low = Unsigned128{m} * word(first + 128);
  const Unsigned128 middle = Unsigned128{m} * word(first + 64) + static_cast<std::uint64_t>(low >> 64);
  const std::uint64_t high = m * word(first) + static_cast<std::uint64_t>(middle >> 64);

  const auto second = static_cast<std::uint64_t>(middle), third = static_cast<std::uint64_t>(low);
  Unsigned128 part = Unsigned128{high << 2 | second >> 62} << 64 | (second << 2 | third >> 62);
  const bool over = (high >> 61 & 1) != 0;  // more than half a quarter: from the next one backwards
  if (over) part = -part;

  const auto head = static_cast<double>(part);
  const auto rest = static_cast<Signed128>(part - static_cast<Unsigned128>(head));
  const auto p = product(head, quarter);
  const auto angle =
      ordered_sum(p.head, p.tail + (head * quarter_tail + static_cast<double>(rest) * quarter));
  const double unit = over ? -0x1p-128 : 0x1p-128;
  return {unit * angle.head, unit * angle.tail, static_cast<std::int64_t>(high >> 62) + (over ? 1 : 0)};
}

ReducedAngle<double> reduce_any(double x) {
  const double size = magnitude(x);
  if (!(size < infinity)) return {not_a_number, not_a_number, 0};
  return size <= largest_reduced ? reduce(size) : reduce_far(size);
}

// --- results beyond the normal numbers -----------------------------------------------------------

/// Beyond it exp and the hyperbolic functions overflow and exp(-x) is zero.
constexpr double far_exponent = 800.0;

/// x, or the nearest of the bounds; what is not a number stays so.
double between(double x, double limit) { return x < -limit ? -limit : limit < x ? limit : x; }

/// x 2^k for an integer |k| <= 2044. In two steps, of which only the second can round: a subnormal result is
/// rounded only once more.
double scaled_far(double x, double k) {
  const double half = 0.5 * k + rounder;
  return x * power_of_two(half) * power_of_two((k - (half - rounder)) + rounder);
}

double exponential_far(double x, double tail) {
  const auto at = reduce_exponent(x, tail, nearest(x * per_two));
  return scaled_far(exponential_of(at), at.twos);
}

/// A finite x > 0, subnormal or not.
Mantissa<double> any_mantissa(double x, double largest) {
  if (smallest_normal <= x) return mantissa(x, largest);
  const auto at = mantissa(x * 0x1p54, largest);
  return {at.m, at.twos - 54};
}

// --- powers --------------------------------------------------------------------------------------

bool is_odd(double y) { return std::abs(std::fmod(y, 2.0)) == 1.0; }

/// x^y for x >= 0 that is finite or infinite, where y is neither zero nor not a number.
double power_of_size(double x, double y) {
  if (x == 1) return 1;
  if (x == 0 || x == infinity || std::abs(y) == infinity) return (x < 1) == (y < 0) ? infinity : 0.0;
  const auto p = exponent_of_power(any_mantissa(x, root_of_three), between(y, largest_power));
  const bool within = std::abs(p.head) < far_exponent;
  return exponential_far(between(p.head, far_exponent), within ? p.tail : 0);
}

}  // namespace

double any_sine(double x) {
  double s, c;
  sin_cos_of(reduce_any(x), x, s, c);
  return s;
}
double any_cosine(double x) {
  double s, c;
  sin_cos_of(reduce_any(x), x, s, c);
  return c;
}
double any_tangent(double x) { return tangent_of(reduce_any(x), x); }

double any_exponential(double x) { return exponential_far(between(x, far_exponent), 0); }

double any_hyperbolic_sine(double x) {
  const auto h = hyperbolic(between(std::abs(x), far_exponent));
  return turned(scaled_far(h.sine.head + h.sine.tail, h.twos - 1), x);
}
double any_hyperbolic_cosine(double x) {
  const auto h = hyperbolic(between(std::abs(x), far_exponent));
  return scaled_far(h.cosine.head + h.cosine.tail, h.twos - 1);
}

double any_logarithm(double x) {
  if (x == 0) return -infinity;
  if (x < 0) return not_a_number;
  return x <= largest_finite ? near_logarithm(any_mantissa(x, root_of_two)) : x;
}

double any_power(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (-infinity < x && x < 0 && std::trunc(y) != y) return not_a_number;
  const double size = power_of_size(std::abs(x), y);
  return is_odd(y) ? turned(size, x) : size;
}

double any_angle(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (std::isinf(x) || std::isinf(y)) {  // the infinite ones alone tell
    x = turned(std::isinf(x) ? 1.0 : 0.0, x);
    y = turned(std::isinf(y) ? 1.0 : 0.0, y);
  }
  const double large = std::max(std::abs(x), std::abs(y));
  if (large == 0) return near_angle(y, turned(1.0, x));
  const int twos = -std::ilogb(large);
  const double p = std::scalbn(x, twos), q = std::scalbn(y, twos);
  constexpr double nothing = 0x1p-500;  // beside an angle that is not itself so small
  if (std::abs(q) < nothing && x > 0) return y / x;
  return near_angle(std::abs(q) < nothing ? turned(0.0, q) : q, std::abs(p) < nothing ? turned(0.0, p) : p);
}

}  // namespace vinculum::kernel
