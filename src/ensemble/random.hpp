// Random numbers that are a function of where they stand: no state is handed on from one to the next.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace vinculum {

/// Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, SC 2011): four words from a counter and a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A key of 64 bits for a name: FNV-1a.
std::uint64_t key_of(std::string_view name);

/// The number between 0 and 1, neither among them, of one name in one member.
double random_share(std::uint64_t seed, std::uint64_t name_key, std::uint64_t member);
/// 64 bits of a seed and a name, where no member is meant.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t name_key);

/// Coordinate `dimension` of point `index` of Sobol's sequence, as 32 bits behind the point.
std::uint32_t sobol(int dimension, std::uint32_t index);

/// The number that a standard normal one is below with this probability. Wichura's algorithm AS 241 (1988),
/// within 1e-15.
double normal_quantile(double share);

}  // namespace vinculum
