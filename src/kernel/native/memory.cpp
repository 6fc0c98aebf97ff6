#include <cstring>

#include "kernel/native/code.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define VINCULUM_HAS_CODE_MEMORY
#endif

namespace vinculum::kernel::native {

#ifdef VINCULUM_HAS_CODE_MEMORY

/// Sanitizers of calls read what stands before a function: zeros, in memory that can be read.
constexpr std::size_t lead = 64;

CodeMemory::CodeMemory(std::span<const std::uint8_t> code) : size_(code.size() + lead) {
  void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  char* const begin = static_cast<char*>(memory) + lead;
  std::memcpy(begin, code.data(), code.size());
  if (mprotect(memory, size_, PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, size_);
    return;
  }
  begin_ = begin;
  __builtin___clear_cache(begin, begin + code.size());
}

CodeMemory::~CodeMemory() {
  if (begin_ != nullptr) munmap(static_cast<char*>(begin_) - lead, size_);
}

#else

CodeMemory::CodeMemory(std::span<const std::uint8_t>) {}
CodeMemory::~CodeMemory() = default;

#endif

}  // namespace vinculum::kernel::native
