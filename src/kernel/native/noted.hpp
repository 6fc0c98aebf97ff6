// A value of the operation table that notes what is done to it, so that machine code comes from the same
// formulas as the interpreter.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>

#include "kernel/native/steps.hpp"

namespace vinculum::kernel {

namespace native {

/// Takes down the steps of one kernel. From its making to its end it notes what this thread does to Noted
/// values.
class Notebook {
 public:
  Notebook(const Kernel& kernel, Circle circle);
  ~Notebook() { open_ = before_; }
  Notebook(const Notebook&) = delete;
  Notebook& operator=(const Notebook&) = delete;
  static Notebook& open() { return *open_; }

  Id read(std::uint32_t file_register) const { return at_[file_register]; }
  Id constant(std::uint64_t bits);
  bool is_constant(Id id, std::uint64_t bits) const;
  /// The mask that the value tells of, by 1 or 0; none of others.
  Id mask_of(Id value) const;
  Id note(Act act, Id a, Id b = no_id, Id c = no_id, int by = 0);
  void leave_unless(Id mask) {
    out_.steps.push_back({.act = Act::leave_unless, .operand = {mask, no_id, no_id}});
  }
  /// The formula at hand asks for what cannot be noted: the interpreter is called for its instruction.
  void give_up() { given_up_ = true; }
  /// The second result of an instruction goes to that register when it is done.
  void write_second(Id value, std::uint32_t file_register) { second_ = {value, file_register}; }

  void instruction(const Instruction& at);
  Steps take(const Kernel& kernel);

 private:
  void settle(Id value, std::uint32_t file_register);
  bool is_whole(const Instruction& at);
  void end_sum();
  void leave_out_unread();
  Id new_value(Home home);
  Id own_value(Id value, std::size_t given);
  Id in_file(std::uint32_t file_register);

  static inline thread_local Notebook* open_ = nullptr;
  Notebook* before_;
  Circle circle_;
  std::span<const double> given_constants_;
  std::uint32_t first_constant_;  // register of the interpreter
  Steps out_;
  std::vector<Id> at_;         // the value that stands in each register of the interpreter
  std::vector<Id> arguments_;  // of calls, which read them from memory
  std::vector<bool> called_;   // of each value: what a call has left at its home
  std::unordered_map<std::uint64_t, Id> constants_;
  std::unordered_map<Id, Id> mask_of_;
  struct Sum {
    std::size_t begin = 0, end = 0;  // its steps
    Id value = no_id;                // so far
  } sum_;                            // of products, instruction by instruction
  bool given_up_ = false;
  std::pair<Id, std::uint32_t> second_{no_id, 0};
};

}  // namespace native

/// The bits of a value, or a mask.
struct NotedBits {
  native::Id id = native::no_id;
  NotedBits() = default;
  NotedBits(std::int64_t bits)  // NOLINT(google-explicit-constructor): constants stand in formulas
      : id(native::Notebook::open().constant(static_cast<std::uint64_t>(bits))) {}
  static NotedBits of(native::Id id) {
    NotedBits bits;
    bits.id = id;
    return bits;
  }
};

struct Noted {
  native::Id id = native::no_id;
  Noted() = default;
  Noted(double x)  // NOLINT(google-explicit-constructor): constants stand in formulas
      : id(native::Notebook::open().constant(std::bit_cast<std::uint64_t>(x))) {}
  static Noted of(native::Id id) {
    Noted x;
    x.id = id;
    return x;
  }
};

inline Noted noted(native::Act act, const Noted& a, const Noted& b) {
  return Noted::of(native::Notebook::open().note(act, a.id, b.id));
}
inline NotedBits noted_bits(native::Act act, native::Id a, native::Id b, int by = 0) {
  return NotedBits::of(native::Notebook::open().note(act, a, b, native::no_id, by));
}

inline Noted operator+(const Noted& a, const Noted& b) { return noted(native::Act::add, a, b); }
inline Noted operator-(const Noted& a, const Noted& b) { return noted(native::Act::subtract, a, b); }
inline Noted operator*(const Noted& a, const Noted& b) { return noted(native::Act::multiply, a, b); }
inline Noted operator/(const Noted& a, const Noted& b) { return noted(native::Act::divide, a, b); }
inline Noted operator-(const Noted& a) { return noted(native::Act::bits_xor, a, -0.0); }
inline Noted square_root(const Noted& x) {
  return Noted::of(native::Notebook::open().note(native::Act::square_root, x.id));
}

inline NotedBits operator<(const Noted& a, const Noted& b) {
  return noted_bits(native::Act::less, a.id, b.id);
}
inline NotedBits operator<=(const Noted& a, const Noted& b) {
  return noted_bits(native::Act::less_equal, a.id, b.id);
}
inline NotedBits operator!=(const Noted& a, const Noted& b) {
  return noted_bits(native::Act::unequal, a.id, b.id);
}

inline NotedBits operator&(const NotedBits& a, const NotedBits& b) {
  return noted_bits(native::Act::bits_and, a.id, b.id);
}
inline NotedBits operator|(const NotedBits& a, const NotedBits& b) {
  return noted_bits(native::Act::bits_or, a.id, b.id);
}
inline NotedBits operator^(const NotedBits& a, const NotedBits& b) {
  return noted_bits(native::Act::bits_xor, a.id, b.id);
}
inline NotedBits operator+(const NotedBits& a, const NotedBits& b) {
  return noted_bits(native::Act::bits_add, a.id, b.id);
}
inline NotedBits operator-(const NotedBits& a, const NotedBits& b) {
  return noted_bits(native::Act::bits_subtract, a.id, b.id);
}
inline NotedBits operator<<(const NotedBits& a, int by) {
  return noted_bits(native::Act::shift_left, a.id, native::no_id, by);
}
inline NotedBits shifted_right(const NotedBits& a, int by) {
  return noted_bits(native::Act::shift_right, a.id, native::no_id, by);
}
inline NotedBits odd(const NotedBits& bits) { return NotedBits(std::int64_t{0}) - (bits & std::int64_t{1}); }

inline NotedBits bits_of(const Noted& x) { return NotedBits::of(x.id); }
inline Noted value_of(const NotedBits& bits) { return Noted::of(bits.id); }

inline Noted select(const NotedBits& mask, const Noted& a, const Noted& b) {
  return Noted::of(native::Notebook::open().note(native::Act::choose, mask.id, a.id, b.id));
}

/// Where it is not so, the code is left and the interpreter does all once more: what stands behind is rare.
inline bool all(const NotedBits& mask) {
  native::Notebook::open().leave_unless(mask.id);
  return true;
}

template <class F, class... X>
Noted in_parts(F f, const Noted& x, const X&... more) {
  return f(x, more...);
}

inline void store(const Noted& x, double*, std::uint32_t file_register) {
  native::Notebook::open().write_second(x.id, file_register);
}

// Functions that are not ours have no formula to take down.
template <class F>
Noted per_lane(F, const Noted& x) {
  native::Notebook::open().give_up();
  return x;
}
template <class F>
Noted per_lane(F, const Noted& x, const Noted&) {
  native::Notebook::open().give_up();
  return x;
}
inline Noted call_on_lanes(const Noted& x, const double*, const Instruction&) {
  native::Notebook::open().give_up();
  return x;
}

}  // namespace vinculum::kernel
