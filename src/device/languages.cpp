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
using std::fabs, std::floor, std::pow, std::sqrt;
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

)text";

}  // namespace vinculum::device
