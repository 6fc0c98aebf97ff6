#include "device/languages.hpp"

namespace vinculum::device {

/// As C++ every member is a turn of a loop.
const char* const both_languages = R"text(
typedef unsigned long long Bits;
#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
#define INSIDE __device__ __forceinline__
#define HEAVY static __device__ HOW_HEAVY
#define TABLE static __device__ constexpr
#define ENTRY extern "C" __global__ void
#define LAUNCHED HOW_LAUNCHED
#define EACH(member, count)                                                                \
  if (const long long member = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; \
      member < (count))
#define UNROLL _Pragma("unroll")
DEVICE double value_of(Bits bits) { return __longlong_as_double(static_cast<long long>(bits)); }
DEVICE Bits bits_of(double x) { return static_cast<Bits>(__double_as_longlong(x)); }
#else
#include <cmath>
#include <cstring>
using std::fabs, std::floor, std::fma, std::pow, std::sqrt;
#define DEVICE static inline
#define INSIDE inline
#define HEAVY static
#define TABLE static constexpr
#define ENTRY extern "C" void
#define LAUNCHED
#define EACH(member, count) for (long long member = 0; member < (count); ++member)
#define UNROLL
#undef UNROLL_STAGES
#define UNROLL_STAGES
DEVICE double value_of(Bits bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
DEVICE Bits bits_of(double x) {
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
#endif

/// An angle |x| <= 2^20 less whole quarters of a turn, which stand in the two lowest bits. Products are not rounded, and what
/// is left of pi/2 behind each part is below the last digit of the result, however near x is to a quarter.
struct Quartered {
  double angle;
  Bits quarters;
};
DEVICE Quartered quartered(double x) {
  const double shifted = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p+52), n = shifted - 0x1.8p+52;
  const double r = fma(-n, 0x1.921fb54442d18p+0, x), s = fma(-n, 0x1.1a62633145c07p-54, r);
  return {fma(-n, -0x1.f1976b7ed8fbcp-110, s), bits_of(shifted)};
}
/// The sine and cosine of |x| <= pi/4: the coefficients of the engine, in one chain.
DEVICE double sine_of_part(double x) {
  const double z = x * x;
  double p = fma(z, 0x1.5d93a5acfd57cp-33, -0x1.ae5e68a2b9cebp-26);
  p = fma(z, p, 0x1.71de357b1fe7dp-19);
  p = fma(z, p, -0x1.a01a019c161d5p-13);
  p = fma(z, p, 0x1.111111110f8a6p-7);
  p = fma(z, p, -0x1.5555555555549p-3);
  return fma(z * x, p, x);
}
DEVICE double cosine_of_part(double x) {
  const double z = x * x;
  double p = fma(z, -0x1.8fae9be8838d4p-37, 0x1.1ee9ebdb4b1c4p-29);
  p = fma(z, p, -0x1.27e4f809c52adp-22);
  p = fma(z, p, 0x1.a01a019cb159p-16);
  p = fma(z, p, -0x1.6c16c16c15177p-10);
  p = fma(z, p, 0x1.555555555554cp-5);
  p = fma(z, p, -0.5);
  return fma(z, p, 1.0);
}
DEVICE double after_quarters(double x, Bits quarters) {
  const double s = sine_of_part(x), c = cosine_of_part(x);
  return value_of(bits_of(quarters & 1 ? c : s) ^ ((quarters & 2) << 62));
}
DEVICE double sine(double x) {
  const Quartered at = quartered(x);
  return after_quarters(at.angle, at.quarters);
}
DEVICE double cosine(double x) {
  const Quartered at = quartered(x);
  return after_quarters(at.angle, at.quarters + 1);
}

)text";

}  // namespace vinculum::device
