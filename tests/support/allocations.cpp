#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/sanitized.hpp"

namespace {
std::atomic<long> count{0};
}

// The sanitizers bring their own; there the count stays zero.
#ifndef VINCULUM_SANITIZED
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

long vinculum::allocations() { return count; }

bool vinculum::allocations_are_counted() {
#ifdef VINCULUM_SANITIZED
  return false;
#else
  return true;
#endif
}
