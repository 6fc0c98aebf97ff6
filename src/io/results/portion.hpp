// When what was recorded goes to disk.
#pragma once
#include <chrono>
#include <cstddef>

namespace vinculum {

/// Much at once is fast, and soon is safe: instants are collected to a mebibyte, but no longer than a second.
class Portion {
 public:
  bool is_due(std::size_t bytes) {
    const auto now = std::chrono::steady_clock::now();
    if (bytes < (1 << 20) && now - last_ < std::chrono::seconds(1)) return false;
    last_ = now;
    return true;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace vinculum
