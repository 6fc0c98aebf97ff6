// A processor in place of a GPU: the same source, compiled by the C++ compiler.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "vinculum/base/error.hpp"
#include "vinculum/device/device.hpp"

namespace vinculum::test {

/// Whether a*b + c may be rounded once, as a GPU does it.
enum class Contraction { off, on };

inline bool can_contract() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

/// A source text as a library that is loaded, and gone with this.
class CompiledText {
 public:
  explicit CompiledText(const std::string& source, Contraction contraction = Contraction::off) {
    std::string place = (std::filesystem::temp_directory_path() / "vinculum-device-XXXXXX").string();
    if (mkdtemp(place.data()) == nullptr) fail("no folder for a source");
    folder_ = place;
    const std::string text = folder_ / "members.cpp", library = folder_ / "members.so";
    std::ofstream(text) << source;
#if defined(__x86_64__)
    const std::string once = "-ffp-contract=fast -mfma";
#else
    const std::string once = "-ffp-contract=fast";
#endif
    const std::string command = "c++ -std=c++17 -O1 " +
                                (contraction == Contraction::on ? once : "-ffp-contract=off") +
                                " -fPIC -shared -x c++ '" + text + "' -o '" + library + "'";
    if (std::system(command.c_str()) != 0) fail("the source does not compile: " + text);
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) fail(dlerror());
  }
  ~CompiledText() {
    if (handle_ != nullptr) dlclose(handle_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  CompiledText(const CompiledText&) = delete;
  CompiledText& operator=(const CompiledText&) = delete;
  void* function(const char* name) const {
    void* const at = dlsym(handle_, name);
    if (at == nullptr) fail(std::string("no function ") + name);
    return at;
  }

 private:
  std::filesystem::path folder_;
  void* handle_ = nullptr;
};

class HostDevice final : public Device {
 public:
  explicit HostDevice(Contraction contraction = Contraction::off) : contraction_(contraction) {}
  std::string name() const override { return "this processor"; }
  void load(const std::string& source) override {
    text_ = std::make_unique<CompiledText>(source, contraction_);
  }
  DeviceMemory allocate(std::size_t bytes) override {
    return reinterpret_cast<DeviceMemory>(std::calloc(bytes, 1));
  }
  void release(DeviceMemory memory) override { std::free(reinterpret_cast<void*>(memory)); }
  void write(DeviceMemory to, const void* from, std::size_t bytes) override {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  }
  void read(void* to, DeviceMemory from, std::size_t bytes) override {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  }
  /// Addresses and whole numbers go in the same registers.
  void call(const char* function, std::span<void* const> arguments, long long) override {
    std::uint64_t a[4] = {};
    for (std::size_t k = 0; k < arguments.size(); ++k) std::memcpy(&a[k], arguments[k], sizeof a[k]);
    reinterpret_cast<void (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t)>(
        text_->function(function))(a[0], a[1], a[2], a[3]);
  }

 private:
  Contraction contraction_;
  std::unique_ptr<CompiledText> text_;
};

}  // namespace vinculum::test
