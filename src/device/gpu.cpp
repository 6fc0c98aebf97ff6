// CUDA's driver and NVRTC, found when they are asked for.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/device/device.hpp"

namespace vinculum {
namespace {

/// A library that is looked for under some names, and stays.
class Library {
 public:
  explicit Library(std::initializer_list<std::string> names) {
    for (const std::string& name : names)
      if (handle_ == nullptr && !name.empty()) handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  bool found() const { return handle_ != nullptr; }
  template <class Function>
  void take(Function*& to, const char* name) const {
    void* const at = dlsym(handle_, name);
    if (at == nullptr) fail(fmt::format("CUDA's library has no '{}'", name));
    to = reinterpret_cast<Function*>(at);
  }

 private:
  void* handle_ = nullptr;
};

// --- NVRTC ---------------------------------------------------------------------------------------

/// As much of nvrtc.h as is used.
struct Nvrtc {
  using Program = void*;
  int (*create)(Program*, const char* source, const char* name, int headers, const char* const*,
                const char* const*) = nullptr;
  int (*compile)(Program, int count, const char* const* options) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;

  explicit Nvrtc(const Library& from) {
    from.take(create, "nvrtcCreateProgram");
    from.take(compile, "nvrtcCompileProgram");
    from.take(destroy, "nvrtcDestroyProgram");
    from.take(size, "nvrtcGetCUBINSize");
    from.take(code, "nvrtcGetCUBIN");
    from.take(log_size, "nvrtcGetProgramLogSize");
    from.take(log, "nvrtcGetProgramLog");
  }
};

Library nvrtc_library(const std::string& where = "") {
  if (!where.empty()) return Library({where});
  return Library({"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                  "/usr/local/cuda/lib64/libnvrtc.so"});
}

std::string compiled(const Nvrtc& nvrtc, const std::string& source, const std::string& kind) {
  Nvrtc::Program program = nullptr;
  if (nvrtc.create(&program, source.c_str(), "members.cu", 0, nullptr, nullptr) != 0)
    fail("NVRTC does not take the source");
  // With a*b + c in one rounding: half the work of fp64, and as near to the engine as its own rounding.
  const std::string arch = "--gpu-architecture=" + kind;
  const std::array<const char*, 3> options{arch.c_str(), "--fmad=true", "--std=c++17"};
  const int failed = nvrtc.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  std::string result;
  if (failed != 0) {
    nvrtc.log_size(program, &size);
    result.resize(size);
    nvrtc.log(program, result.data());
  } else {
    nvrtc.size(program, &size);
    result.resize(size);
    nvrtc.code(program, result.data());
  }
  nvrtc.destroy(&program);
  if (failed != 0) fail("NVRTC does not compile the source:\n" + result.substr(0, 2000));
  return result;
}

// --- The driver ----------------------------------------------------------------------------------

/// As much of cuda.h as is used.
struct Driver {
  using Pointer = unsigned long long;
  int (*init)(unsigned) = nullptr;
  int (*count)(int*) = nullptr;
  int (*device)(int*, int) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*attribute)(int*, int, int) = nullptr;
  int (*retain)(void**, int) = nullptr;
  int (*release)(int) = nullptr;
  int (*set_current)(void*) = nullptr;
  int (*load)(void**, const void*) = nullptr;
  int (*unload)(void*) = nullptr;
  int (*function)(void**, void*, const char*) = nullptr;
  int (*allocate)(Pointer*, std::size_t) = nullptr;
  int (*free)(Pointer) = nullptr;
  int (*to_device)(Pointer, const void*, std::size_t) = nullptr;
  int (*to_host)(void*, Pointer, std::size_t) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**) = nullptr;
  int (*wait)() = nullptr;
  int (*error_text)(int, const char**) = nullptr;

  explicit Driver(const Library& from) {
    from.take(init, "cuInit");
    from.take(count, "cuDeviceGetCount");
    from.take(device, "cuDeviceGet");
    from.take(name, "cuDeviceGetName");
    from.take(attribute, "cuDeviceGetAttribute");
    from.take(retain, "cuDevicePrimaryCtxRetain");
    from.take(release, "cuDevicePrimaryCtxRelease_v2");
    from.take(set_current, "cuCtxSetCurrent");
    from.take(load, "cuModuleLoadData");
    from.take(unload, "cuModuleUnload");
    from.take(function, "cuModuleGetFunction");
    from.take(allocate, "cuMemAlloc_v2");
    from.take(free, "cuMemFree_v2");
    from.take(to_device, "cuMemcpyHtoD_v2");
    from.take(to_host, "cuMemcpyDtoH_v2");
    from.take(launch, "cuLaunchKernel");
    from.take(wait, "cuCtxSynchronize");
    from.take(error_text, "cuGetErrorString");
  }
  void require(int status, const char* what) const {
    if (status == 0) return;
    const char* text = nullptr;
    error_text(status, &text);
    fail(fmt::format("the GPU cannot {}: {}", what, text == nullptr ? "an unknown error" : text));
  }
};

constexpr int attribute_major = 75, attribute_minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
constexpr unsigned block = 128;                            // threads

class Gpu final : public Device {
 public:
  Gpu(const Driver& driver, const Nvrtc& nvrtc) : driver_(driver), nvrtc_(nvrtc) {
    driver_.require(driver_.device(&device_, 0), "be opened");
    driver_.require(driver_.retain(&context_, device_), "be opened");
    driver_.require(driver_.set_current(context_), "be opened");
  }
  ~Gpu() override {
    if (module_ != nullptr) driver_.unload(module_);
    driver_.release(device_);
  }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  std::string name() const override {
    std::array<char, 128> text{};
    driver_.name(text.data(), static_cast<int>(text.size()) - 1, device_);
    return text.data();
  }
  void load(const std::string& source) override {
    int major = 0, minor = 0;
    driver_.attribute(&major, attribute_major, device_);
    driver_.attribute(&minor, attribute_minor, device_);
    const std::string code = compiled(nvrtc_, source, fmt::format("sm_{}{}", major, minor));
    driver_.require(driver_.load(&module_, code.data()), "load the program");
  }
  DeviceMemory allocate(std::size_t bytes) override {
    Driver::Pointer at = 0;
    driver_.require(driver_.allocate(&at, bytes), "give memory");
    return at;
  }
  void release(DeviceMemory memory) override { driver_.free(memory); }
  void write(DeviceMemory to, const void* from, std::size_t bytes) override {
    driver_.require(driver_.to_device(to, from, bytes), "be written to");
  }
  void read(void* to, DeviceMemory from, std::size_t bytes) override {
    driver_.require(driver_.to_host(to, from, bytes), "be read");
  }
  void call(const char* function, std::span<void* const> arguments, long long members) override {
    void* code = nullptr;
    driver_.require(driver_.function(&code, module_, function), "find its program");
    std::vector<void*> all(arguments.begin(), arguments.end());
    const auto blocks = static_cast<unsigned>((members + block - 1) / block);
    driver_.require(driver_.launch(code, blocks, 1, 1, block, 1, 1, 0, nullptr, all.data(), nullptr),
                    "start");
    driver_.require(driver_.wait(), "step the members");
  }

 private:
  const Driver driver_;
  const Nvrtc nvrtc_;
  int device_ = 0;
  void *context_ = nullptr, *module_ = nullptr;
};

}  // namespace

std::unique_ptr<Device> open_gpu(std::string& why_not) {
  const Library driver_library({"libcuda.so.1"});
  if (!driver_library.found()) {
    why_not = "there is no driver of NVIDIA's here (libcuda.so.1)";
    return nullptr;
  }
  const Library compiler = nvrtc_library();
  if (!compiler.found()) {
    why_not = "there is no NVRTC here, CUDA's run-time compiler (libnvrtc.so)";
    return nullptr;
  }
  try {
    const Driver driver(driver_library);
    int devices = 0;
    if (driver.init(0) != 0 || driver.count(&devices) != 0 || devices == 0) {
      why_not = "the driver knows no GPU here";
      return nullptr;
    }
    return std::make_unique<Gpu>(driver, Nvrtc(compiler));
  } catch (const Error& e) {
    why_not = e.what();
    return nullptr;
  }
}

std::string compile_for_gpu(const std::string& source, const std::string& kind, const std::string& library) {
  const Library found = nvrtc_library(library);
  if (!found.found()) fail("there is no NVRTC here, CUDA's run-time compiler (libnvrtc.so)");
  return compiled(Nvrtc(found), source, kind);
}

}  // namespace vinculum
