#include "ensemble/random.hpp"

#include <bit>
#include <cmath>

#include "kernel/functions/logarithm.hpp"
#include "vinculum/ensemble/study.hpp"

namespace vinculum {
namespace {

std::uint32_t high(std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); }
std::uint32_t low(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

struct Direction {
  std::uint32_t polynomial;
  std::array<std::uint32_t, 16> first;
};
constexpr Direction directions[] = {
#include "ensemble/sobol_directions.inc"
};
static_assert(std::size(directions) == most_sobol_dimensions);

/// The 32 direction numbers of a dimension, by the recurrence of its polynomial.
std::array<std::uint32_t, 32> direction_numbers(int dimension) {
  const Direction& d = directions[dimension];
  std::array<std::uint32_t, 32> v{};
  const int degree = dimension == 0 ? 0 : std::bit_width(d.polynomial) - 1;
  for (int i = 0; i < 32; ++i) {
    if (degree == 0) {
      v[i] = 1u << (31 - i);
    } else if (i < degree) {
      v[i] = d.first[i] << (31 - i);
    } else {
      v[i] = v[i - degree] ^ (v[i - degree] >> degree);
      for (int k = 1; k < degree; ++k)
        if ((d.polynomial >> (degree - k)) & 1u) v[i] ^= v[i - k];
    }
  }
  return v;
}

/// c[0] + c[1] x + ..
template <std::size_t N>
double sum_of_powers(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (std::size_t k = N - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53} * c[0], q = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high(q) ^ c[1] ^ key[0], low(q), high(p) ^ c[3] ^ key[1], low(p)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0xcbf29ce484222325;
  for (const char c : name) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return key;
}

namespace {

std::uint64_t bits_at(std::uint64_t seed, std::uint64_t name_key, std::uint64_t member) {
  const auto word =
      philox({low(member), high(member), low(name_key), high(name_key)}, {low(seed), high(seed)});
  return std::uint64_t{word[0]} << 32 | word[1];
}

}  // namespace

double random_share(std::uint64_t seed, std::uint64_t name_key, std::uint64_t member) {
  return (static_cast<double>(bits_at(seed, name_key, member) >> 12) + 0.5) * 0x1p-52;
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t name_key) {
  return bits_at(seed, name_key, ~std::uint64_t{0});
}

std::uint32_t sobol(int dimension, std::uint32_t index) {
  static const auto all = [] {
    std::array<std::array<std::uint32_t, 32>, most_sobol_dimensions> v{};
    for (int d = 0; d < most_sobol_dimensions; ++d) v[d] = direction_numbers(d);
    return v;
  }();
  std::uint32_t point = 0;
  const std::uint32_t gray = index ^ (index >> 1);
  for (int bit = 0; bit < 32; ++bit)
    if ((gray >> bit) & 1u) point ^= all[dimension][bit];
  return point;
}

double normal_quantile(double share) {
  constexpr double near[] = {3.3871328727963666080,   1.3314166789178437745e2, 1.9715909503065514427e3,
                             1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                             3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double below_near[] = {1.0,
                                   4.2313330701600911252e1,
                                   6.8718700749205790830e2,
                                   5.3941960214247511077e3,
                                   2.1213794301586595867e4,
                                   3.9307895800092710610e4,
                                   2.8729085735721942674e4,
                                   5.2264952788528545610e3};
  constexpr double far[] = {1.42343711074968357734,    4.63033784615654529590,   5.76949722146069140550,
                            3.64784832476320460504,    1.27045825245236838258,   2.41780725177450611770e-1,
                            2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double below_far[] = {1.0,
                                  2.05319162663775882187,
                                  1.67638483018380384940,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  constexpr double tail[] = {6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                             2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double below_tail[] = {1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};
  const double q = share - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * sum_of_powers(near, r) / sum_of_powers(below_near, r);
  }
  const double r = std::sqrt(-kernel::logarithm(q < 0 ? share : 1 - share));
  const double size = r <= 5 ? sum_of_powers(far, r - 1.6) / sum_of_powers(below_far, r - 1.6)
                             : sum_of_powers(tail, r - 5) / sum_of_powers(below_tail, r - 5);
  return q < 0 ? -size : size;
}

}  // namespace vinculum
