// Machine code of a kernel, in memory that can be written first and run then, never both.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::kernel::native {

/// Memory with code in it. None where the system refuses it.
class CodeMemory {
 public:
  explicit CodeMemory(std::span<const std::uint8_t> code);
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;
  const void* begin() const { return begin_; }

 private:
  void* begin_ = nullptr;
  std::size_t size_ = 0;  // of all memory
};

/// The widths of machine code that this processor can run, for `lanes` lanes: the widest last; none where the
/// code of its instruction set cannot be written.
std::span<const int> widths(int lanes);

/// A kernel as machine code for one lane or eight. The kernel's calls must stay where they are.
class Code {
 public:
  /// Nothing where the system refuses memory for it, or the code would be too long.
  static std::unique_ptr<const Code> of(const Kernel& kernel, int lanes, int width);

  /// Runs on a register file as the interpreter does, with the same bits in the outputs. False where numbers
  /// came on a way that the code does not know: then the interpreter has to do it.
  bool run(double* file, const double* const* part = nullptr, double* out = nullptr) const;
  /// The code itself, where one call of it does all lanes; else none. Other than 0: as run() says, or a
  /// function called has thrown.
  using Function = int (*)(double* file, const double* const* part, double* out);
  Function whole() const { return lanes_ == width_ ? function_ : nullptr; }
  std::size_t size() const { return size_; }  ///< in bytes

 private:
  Code(const Kernel& kernel, std::vector<Instruction> alone, std::span<const std::uint8_t> code, int lanes,
       int width);
  std::vector<Instruction> alone_;  // the instructions that are called, each with its stop
  CodeMemory memory_;
  Function function_ = nullptr;
  int lanes_, width_;
  std::size_t part_count_;  // the parts of the state up to the last that is read
  std::size_t size_;
};

/// No exception can pass through code that nobody described to the compiler's runtime: it waits for this.
void rethrow_what_code_called();

}  // namespace vinculum::kernel::native
