#include <cstring>

#include "kernel/native/code.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define VINCULUM_HAS_CODE_MEMORY
#endif

namespace vinculum::kernel::native {

#ifdef VINCULUM_HAS_CODE_MEMORY

CodeMemory::CodeMemory(std::span<const std::uint8_t> code) : size_(code.size()) {
  void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  std::memcpy(memory, code.data(), size_);
  if (mprotect(memory, size_, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, size_);
    return;
  }
  begin_ = memory;
  __builtin___clear_cache(static_cast<char*>(memory), static_cast<char*>(memory) + size_);
}

CodeMemory::~CodeMemory() {
  if (begin_ != nullptr) munmap(begin_, size_);
}

#else

CodeMemory::CodeMemory(std::span<const std::uint8_t>) {}
CodeMemory::~CodeMemory() = default;

#endif

}  // namespace vinculum::kernel::native
