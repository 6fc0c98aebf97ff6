// Eight doubles as one value, so that one formula serves one lane (T = double) and eight (T = Lanes<W>).
//
// W is the number of doubles in one hardware register: 2 for SSE2 and NEON, 4 for AVX2, 8 for AVX-512. Eight
// lanes are made of 8/W such parts, because g++ 12 takes a vector type that is wider than the hardware apart
// into single elements as soon as a comparison or a choice is involved.
//
// Everything is forced inline: a function built for a wider instruction set can use its registers only in
// helpers that have become part of it.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::kernel {

// g++ 12 silently drops a vector_size that depends on a template parameter, hence one specialization per
// width.
template <int W>
struct Vectors;
template <>
struct Vectors<2> {
  using Value [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
  using Unsigned [[gnu::vector_size(16)]] = std::uint64_t;
};
template <>
struct Vectors<4> {
  using Value [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::int64_t;
  using Unsigned [[gnu::vector_size(32)]] = std::uint64_t;
};
template <>
struct Vectors<8> {
  using Value [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
  using Unsigned [[gnu::vector_size(64)]] = std::uint64_t;
};

/// The bit patterns of eight doubles, or of those of N parts. As a mask, a lane is all ones (true) or all
/// zeros (false).
template <int W, int N = lane_count / W>
struct LaneBits {
  using Value = typename Vectors<W>::Bits;
  static constexpr int parts = N;
  Value part[parts];

  [[gnu::always_inline]] friend LaneBits operator&(const LaneBits& a, std::int64_t b) {
    LaneBits r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] & b;
    return r;
  }
  [[gnu::always_inline]] friend LaneBits operator^(const LaneBits& a, const LaneBits& b) {
    LaneBits r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] ^ b.part[k];
    return r;
  }
  [[gnu::always_inline]] friend LaneBits operator+(const LaneBits& a, std::int64_t b) {
    LaneBits r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] + b;
    return r;
  }
  [[gnu::always_inline]] friend LaneBits operator<<(const LaneBits& a, int b) {
    LaneBits r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] << b;
    return r;
  }
};

/// Eight doubles, or those of N parts.
template <int W, int N = lane_count / W>
struct Lanes {
  using Value = typename Vectors<W>::Value;
  static constexpr int parts = N;
  Value part[parts];

  // Copied part by part: whole, g++ 12 would move them through memory in pieces of 16 bytes.
  Lanes() = default;
  [[gnu::always_inline]] Lanes(const Lanes& x) {
    for (int k = 0; k < parts; ++k) part[k] = x.part[k];
  }
  [[gnu::always_inline]] Lanes& operator=(const Lanes& x) {
    for (int k = 0; k < parts; ++k) part[k] = x.part[k];
    return *this;
  }
  [[gnu::always_inline]] Lanes(
      double x) {  // NOLINT(google-explicit-constructor): constants stand in formulas
    for (int k = 0; k < parts; ++k) part[k] = Value{} + x;
  }

  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] + b.part[k];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] - b.part[k];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] * b.part[k];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] / b.part[k];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) {
    Lanes r;
    for (int k = 0; k < parts; ++k) r.part[k] = -a.part[k];
    return r;
  }

  // Comparisons with a not-a-number are false, except !=.
  [[gnu::always_inline]] friend LaneBits<W, N> operator<(const Lanes& a, const Lanes& b) {
    LaneBits<W, N> mask;
    for (int k = 0; k < parts; ++k) mask.part[k] = a.part[k] < b.part[k];
    return mask;
  }
  [[gnu::always_inline]] friend LaneBits<W, N> operator<=(const Lanes& a, const Lanes& b) {
    LaneBits<W, N> mask;
    for (int k = 0; k < parts; ++k) mask.part[k] = a.part[k] <= b.part[k];
    return mask;
  }
  [[gnu::always_inline]] friend LaneBits<W, N> operator!=(const Lanes& a, const Lanes& b) {
    LaneBits<W, N> mask;
    for (int k = 0; k < parts; ++k) mask.part[k] = a.part[k] != b.part[k];
    return mask;
  }
};

// --- mask ? a : b --------------------------------------------------------------------------------

[[gnu::always_inline]] inline double select(bool mask, double a, double b) { return mask ? a : b; }

template <int W, int N>
[[gnu::always_inline]] inline Lanes<W, N> select(const LaneBits<W, N>& mask, const Lanes<W, N>& a,
                                                 const Lanes<W, N>& b) {
  Lanes<W, N> chosen;
  for (int k = 0; k < chosen.parts; ++k) chosen.part[k] = mask.part[k] ? a.part[k] : b.part[k];
  return chosen;
}

/// True when every lane of the mask is.
[[gnu::always_inline]] inline bool all(bool mask) { return mask; }

template <int W, int N>
[[gnu::always_inline]] inline bool all(const LaneBits<W, N>& mask) {
  typename LaneBits<W, N>::Value both = mask.part[0];
  for (int k = 1; k < mask.parts; ++k) both &= mask.part[k];
  std::int64_t every = -1;
  for (int lane = 0; lane < W; ++lane) every &= both[lane];
  return every != 0;
}

// --- values and their bits -----------------------------------------------------------------------

[[gnu::always_inline]] inline std::int64_t bits_of(double x) { return std::bit_cast<std::int64_t>(x); }
[[gnu::always_inline]] inline double value_of(std::int64_t bits) { return std::bit_cast<double>(bits); }

template <int W, int N>
[[gnu::always_inline]] inline LaneBits<W, N> bits_of(const Lanes<W, N>& x) {
  LaneBits<W, N> bits;
  for (int k = 0; k < x.parts; ++k)
    bits.part[k] = reinterpret_cast<typename LaneBits<W, N>::Value>(x.part[k]);
  return bits;
}
template <int W, int N>
[[gnu::always_inline]] inline Lanes<W, N> value_of(const LaneBits<W, N>& bits) {
  Lanes<W, N> x;
  for (int k = 0; k < x.parts; ++k) x.part[k] = reinterpret_cast<typename Lanes<W, N>::Value>(bits.part[k]);
  return x;
}

/// A mask: is the lowest bit set?
[[gnu::always_inline]] inline bool odd(std::int64_t bits) { return (bits & 1) != 0; }
template <int W, int N>
[[gnu::always_inline]] inline LaneBits<W, N> odd(const LaneBits<W, N>& bits) {
  LaneBits<W, N> mask;
  for (int k = 0; k < bits.parts; ++k) mask.part[k] = -(bits.part[k] & 1);
  return mask;
}

/// Zeros come in from above, whatever the sign.
[[gnu::always_inline]] inline std::int64_t shifted_right(std::int64_t bits, int by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) >> by);
}
template <int W, int N>
[[gnu::always_inline]] inline LaneBits<W, N> shifted_right(const LaneBits<W, N>& bits, int by) {
  LaneBits<W, N> r;
  for (int k = 0; k < r.parts; ++k) {
    r.part[k] = reinterpret_cast<typename LaneBits<W, N>::Value>(
        reinterpret_cast<typename Vectors<W>::Unsigned>(bits.part[k]) >> by);
  }
  return r;
}

inline constexpr std::int64_t sign_bit = INT64_MIN;

// --- memory: register r of a file, which is 64 bytes for eight lanes -----------------------------

[[gnu::always_inline]] inline void load(double& x, const double* file, std::uint32_t r) { x = file[r]; }
[[gnu::always_inline]] inline void store(double x, double* file, std::uint32_t r) { file[r] = x; }

template <int W, int N>
[[gnu::always_inline]] inline void load(Lanes<W, N>& x, const double* file, std::uint32_t r) {
  const double* const from = std::assume_aligned<64>(file + std::size_t{lane_count} * r);
  for (int k = 0; k < N; ++k) std::memcpy(&x.part[k], from + W * k, sizeof x.part[k]);
}
template <int W, int N>
[[gnu::always_inline]] inline void store(const Lanes<W, N>& x, double* file, std::uint32_t r) {
  double* const to = std::assume_aligned<64>(file + std::size_t{lane_count} * r);
  for (int k = 0; k < N; ++k) std::memcpy(to + W * k, &x.part[k], sizeof x.part[k]);
}

// --- lane after lane: for functions that exist for one double only -------------------------------

template <class F>
[[gnu::always_inline]] inline double per_lane(F f, double x) {
  return f(x);
}
template <class F>
[[gnu::always_inline]] inline double per_lane(F f, double x, double y) {
  return f(x, y);
}
template <class F, int W, int N>
[[gnu::always_inline]] inline Lanes<W, N> per_lane(F f, const Lanes<W, N>& x) {
  alignas(64) double lane[W * N];
  store(x, lane, 0);
  for (double& value : lane) value = f(value);
  Lanes<W, N> result;
  load(result, lane, 0);
  return result;
}
template <class F, int W, int N>
[[gnu::always_inline]] inline Lanes<W, N> per_lane(F f, const Lanes<W, N>& x, const Lanes<W, N>& y) {
  alignas(64) double lane[lane_count + W * N];
  store(x, lane, 0);
  store(y, lane, 1);
  for (int k = 0; k < W * N; ++k) lane[k] = f(lane[k], lane[lane_count + k]);
  Lanes<W, N> result;
  load(result, lane, 0);
  return result;
}

// --- part after part: for long formulas, of which one part alone fills the registers -------------

template <class F, class... X>
[[gnu::always_inline]] inline double in_parts(F f, double x, X... more) {
  return f(x, more...);
}
template <class F, int W, int N, class... X>
[[gnu::always_inline]] inline Lanes<W, N> in_parts(F f, const Lanes<W, N>& x, const X&... more) {
  const auto part = [](const Lanes<W, N>& from, int k) __attribute__((always_inline)) {
    Lanes<W, 1> one;
    one.part[0] = from.part[k];
    return one;
  };
  Lanes<W, N> result;
  for (int k = 0; k < N; ++k) result.part[k] = f(part(x, k), part(more, k)...).part[0];
  return result;
}

}  // namespace vinculum::kernel
