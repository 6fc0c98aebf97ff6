// Something that steps many members at once: a GPU, or what stands in for one.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// Memory there; 0 is none.
using DeviceMemory = std::uint64_t;

/// Runs the functions of a source text (src/device/stepping.inc), each for many members. What cannot be done
/// is an Error.
class VINCULUM_EXPORT Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  /// Compiles it: from now on its functions are at hand.
  virtual void load(const std::string& source) = 0;
  virtual DeviceMemory allocate(std::size_t bytes) = 0;
  virtual void release(DeviceMemory memory) = 0;
  virtual void write(DeviceMemory to, const void* from, std::size_t bytes) = 0;
  virtual void read(void* to, DeviceMemory from, std::size_t bytes) = 0;
  /// Calls a function with so many members; the arguments lie at these addresses. It is done when that
  /// returns.
  virtual void call(const char* function, std::span<void* const> arguments, long long members) = 0;
};

/// The first GPU, by CUDA's driver and run-time compiler, which are looked for now; nothing was needed to
/// build. None where there is no such thing: `why_not` then says what is missing.
VINCULUM_EXPORT std::unique_ptr<Device> open_gpu(std::string& why_not);

/// CUDA source as machine code for a processor of that kind ("sm_90"), by NVRTC alone, for who has no GPU;
/// `library` is where it lies, "" to look for it. An Error where it does not compile.
VINCULUM_EXPORT std::string compile_for_gpu(const std::string& source, const std::string& kind,
                                            const std::string& library = "");

}  // namespace vinculum
