// A kernel as steps that a processor can do: each one machine instruction or two, on values that are named,
// not placed.
#pragma once
#include <cstdint>
#include <vector>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::kernel::native {

/// What one step does, on every lane alike. Masks are all ones or all zeros.
enum class Act : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  square_root,
  bits_and,
  bits_or,
  bits_xor,
  bits_add,  // of whole numbers of 64 bits
  bits_subtract,
  shift_left,  // of the bits, by `by`
  shift_right,
  less,        // a mask
  less_equal,  // a mask
  unequal,     // a mask; true for what is not a number
  choose,      // a ? b : c, with a mask a
  copy,
  sine,  // of Circle::whole alone
  cosine,
  pair,          // the lower numbers of two
  join,          // two pairs: four numbers
  upper_pair,    // of four numbers
  upper,         // number of a pair
  leave_unless,  // goes out of the code where the mask a is not true on every lane
  call,          // does one instruction of the kernel as the interpreter does
};

using Id = std::uint32_t;
inline constexpr Id no_id = UINT32_MAX;

struct Step {
  Act act;
  std::uint8_t by = 0;                    // of a shift
  std::uint8_t lanes = 1;                 // numbers it does together: 1, or 4 of one kernel run on one lane
  Id result = no_id;                      // none of leave_unless
  Id operand[3] = {no_id, no_id, no_id};  // of a call: what the instruction reads
  const Instruction* instruction = nullptr;  // of a call
};

/// Where a value is at home when it is in no register of the processor.
struct Home {
  enum class Kind : std::uint8_t {
    file,     // a register of the interpreter: its number
    pool,     // a constant of the formulas: its place in the pool
    passing,  // a value on the way within one instruction; it has a slot on the stack when it needs one
    state,    // an input that stands in a part of the state: its index
    written,  // no home of a value, but where an output goes: its number
  };
  Kind kind;
  std::uint32_t place = 0;
  std::uint32_t part = 0;  // of the state
  std::uint8_t lanes = 1;  // numbers of the value: 1, 2 or 4; who reads one of several reads the first
};

struct Steps {
  std::vector<Step> steps;
  std::vector<Home> homes;             // of each value
  std::vector<bool> kept;              // of each value: others read it at its home
  std::vector<std::uint32_t> written;  // of each value: the output that is written of it, or no_id
  std::vector<std::uint32_t> parts;    // of the state that are read
  std::vector<std::uint64_t> pool;     // bits
  bool calls = false;                  // some step is one
  bool wide = false;                   // some step does four numbers together

  /// The steps of one instruction, or of a sum of products, where they are many.
  struct Formula {
    std::uint32_t begin, end;
  };
  std::vector<Formula> formulas;
};

/// How many registers an instruction reads, of a, b and c in this order. (A call of a function in C++ reads
/// its arguments.)
int operand_count(Opcode op);

/// Sines and cosines as the arithmetic they are made of, or each as one step, for those who have their own.
enum class Circle : std::uint8_t { arithmetic, whole };

/// The operation table, recited with values that note what is done to them.
Steps steps_of(const Kernel& kernel, Circle circle = Circle::arithmetic);

}  // namespace vinculum::kernel::native
