#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernel/native/encoder.hpp"

// aarch64 with NEON: instructions of 32 bits, three registers each. Nothing is read from memory but by
// loading it. Code reaches 1 MB around it with loads and with branches that ask: constants have their address
// in a register, and a branch that asks only steps over one that does not, which reaches 128 MB.

namespace vinculum::kernel::native {
namespace {

/// The callee's registers v8 to v15 are not ours.
constexpr std::array<std::uint8_t, 24> ours = [] {
  std::array<std::uint8_t, 24> all{};
  for (std::uint8_t i = 0; i < 24; ++i) all[i] = i < 8 ? i : i + 8;
  return all;
}();

enum : std::uint32_t {
  file = 0,
  status = 0,
  parts = 1,
  out = 2,
  scratch = 9,
  first_part = 10,  // parts of the state have their addresses from here on; those beyond are looked up
  constants = 14,   // where they are; a function called may change it
  other_scratch = 15,
  far_distance = 16,
  far_part = 17,
  kept_file = 19,
  stack = 31
};
constexpr std::size_t parts_in_registers = 4;

class Aarch64 final : public Encoder {
 public:
  explicit Aarch64(Setting setting)
      : setting_(std::move(setting)),
        width_(setting_.width),
        stride_(8 * setting_.lanes),
        calls_(setting_.calls) {}

  std::span<const std::uint8_t> registers() const override { return ours; }
  int memory_operand(Act, Home::Kind) const override { return -1; }
  bool overwrites_first(Act act) const override { return act == Act::choose; }

  void load(int reg, Home from) override { access(true, reg, from); }
  void store(Home to, int reg) override { access(false, reg, to); }
  void move(int to, int from) override { three(0x4EA01C00, to, from, from); }  // orr of both

  void act(const Step& step, int to, const Source* operand) override {
    const int a = operand[0].reg, b = operand[1].reg, c = operand[2].reg;
    const bool one = width_ == 1;
    switch (step.act) {
      case Act::add:
        return three(one ? 0x1E602800 : 0x4E60D400, to, a, b);
      case Act::subtract:
        return three(one ? 0x1E603800 : 0x4EE0D400, to, a, b);
      case Act::multiply:
        return three(one ? 0x1E600800 : 0x6E60DC00, to, a, b);
      case Act::divide:
        return three(one ? 0x1E601800 : 0x6E60FC00, to, a, b);
      case Act::square_root:
        return three(one ? 0x1E61C000 : 0x6EE1F800, to, a, 0);
      case Act::bits_and:
        return three(0x4E201C00, to, a, b);
      case Act::bits_or:
        return three(0x4EA01C00, to, a, b);
      case Act::bits_xor:
        return three(0x6E201C00, to, a, b);
      case Act::bits_add:
        return three(0x4EE08400, to, a, b);
      case Act::bits_subtract:
        return three(0x6EE08400, to, a, b);
      case Act::shift_left:
        return three(0x4F005400 | (64u + step.by) << 16, to, a, 0);
      case Act::shift_right:
        return three(0x6F000400 | (128u - step.by) << 16, to, a, 0);
      case Act::less:  // b > a
        return three(one ? 0x7EE0E400 : 0x6EE0E400, to, b, a);
      case Act::less_equal:  // b >= a
        return three(one ? 0x7E60E400 : 0x6E60E400, to, b, a);
      case Act::unequal:
        three(one ? 0x5E60E400 : 0x4E60E400, to, a, b);
        return three(0x6E205800, to, to, 0);  // not
      case Act::choose:
        return three(0x6E601C00, to, b, c);
      case Act::copy:
      case Act::sine:  // of Circle::whole, which no machine code is made of
      case Act::cosine:
      case Act::pair:  // of four numbers together, which this code has not
      case Act::join:
      case Act::upper_pair:
      case Act::upper:
      case Act::leave_unless:
      case Act::call:
        break;
    }
  }

  void leave_unless(int mask, int) override {
    word(0x4E083C00 | number(mask) << 5 | scratch);  // umov x9, mask.d[0]
    if (width_ == 2) {
      word(0x4E183C00 | number(mask) << 5 | other_scratch);  // umov x15, mask.d[1]
      word(0x8A000000 | other_scratch << 16 | scratch << 5 | scratch);
    }
    word(0xB5000000 | 2u << 5 | scratch);  // cbnz x9, behind the jump
    leaves_.push_back(code_.size());
    word(0x14000000);  // b
  }

  void call(const Instruction* alone) override {
    move_number(0, reinterpret_cast<std::uintptr_t>(alone));
    word(0xAA0003E1 | kept_file << 16);  // mov x1, x19
    move_number(far_distance, reinterpret_cast<std::uintptr_t>(setting_.helper));
    word(0xD63F0000 | far_distance << 5);  // blr x16
    word(0x34000000 | 2u << 5 | status);   // cbz w0, behind the jump
    throws_.push_back(code_.size());
    word(0x14000000);
    word(0xA9418BA1);              // ldp x1, x2, [x29, 24]
    word(0xF94017A0 | constants);  // ldr x14, [x29, 40]
    find_parts();
  }

  std::vector<std::uint8_t> finish(std::span<const std::uint64_t> pool, std::uint32_t slots) override {
    end(slots);
    const std::vector<std::uint32_t> body = std::exchange(code_, {});
    put_constants(pool);
    begin(slots);
    code_.insert(code_.end(), body.begin(), body.end());
    if (4 * code_.size() > too_long) return {};
    std::vector<std::uint8_t> bytes(4 * code_.size());
    std::memcpy(bytes.data(), code_.data(), bytes.size());
    return bytes;
  }

 private:
  static constexpr std::size_t too_long = std::size_t{1} << 27;  // what a branch reaches

  static std::uint32_t number(int reg) { return static_cast<std::uint32_t>(reg); }
  void word(std::uint32_t instruction) { code_.push_back(instruction); }
  void three(std::uint32_t operation, int to, int a, int b) {
    word(operation | number(b) << 16 | number(a) << 5 | number(to));
  }

  std::uint32_t base_of(const Home& home) {
    switch (home.kind) {
      case Home::Kind::passing:
        return stack;
      case Home::Kind::pool:
        return constants;
      case Home::Kind::written:
        return out;
      case Home::Kind::state: {
        const auto known =
            std::find(setting_.parts.begin(), setting_.parts.end(), home.part) - setting_.parts.begin();
        if (static_cast<std::size_t>(known) < parts_in_registers)
          return first_part + static_cast<std::uint32_t>(known);
        look_up(far_part, home.part);
        return far_part;
      }
      default:
        return calls_ ? kept_file : file;
    }
  }
  void look_up(std::uint32_t reg, std::uint32_t part) {  // ldr reg, [x1, 8*part]
    word(0xF9400000 | part << 10 | parts << 5 | reg);
  }
  void find_parts() {
    for (std::size_t k = 0; k < std::min(parts_in_registers, setting_.parts.size()); ++k)
      look_up(first_part + static_cast<std::uint32_t>(k), setting_.parts[k]);
  }

  void access(bool loads, int reg, Home home) {
    // The code's own numbers, on the stack and in front of it, are 16 bytes apart on any number of lanes.
    const bool own = home.kind == Home::Kind::passing || home.kind == Home::Kind::pool, one = width_ == 1;
    const std::uint32_t unit = one ? 8 : 16;
    const std::uint32_t distance = home.place * (own ? 16u : static_cast<std::uint32_t>(stride_));
    const std::uint32_t base = base_of(home);
    if (distance % unit == 0 && distance / unit < 4096) {
      const std::uint32_t near = one ? (loads ? 0xFD400000 : 0xFD000000) : loads ? 0x3DC00000 : 0x3D800000;
      return word(near | distance / unit << 10 | base << 5 | number(reg));
    }
    move_number(far_distance, distance);
    const std::uint32_t far = one ? (loads ? 0xFC606800 : 0xFC206800) : loads ? 0x3CE06800 : 0x3CA06800;
    word(far | far_distance << 16 | base << 5 | number(reg));
  }
  void move_number(std::uint32_t reg, std::uint64_t value) {  // movz, movk
    word(0xD2800000 | static_cast<std::uint32_t>(value & 0xFFFF) << 5 | reg);
    for (std::uint32_t k = 1; k < 4; ++k)
      if (const auto part = static_cast<std::uint32_t>(value >> (16 * k) & 0xFFFF); part != 0)
        word(0xF2800000 | k << 21 | part << 5 | reg);
  }

  /// They stand in front, where they are near however long the code is.
  void put_constants(std::span<const std::uint64_t> pool) {
    if (pool.empty()) return;
    word(0x10000080 | constants);                                          // adr x14, 16
    word(0x14000000 | (3 + 4 * static_cast<std::uint32_t>(pool.size())));  // b, behind them
    while (code_.size() % 4 != 0) word(0xD4200000);                        // brk
    for (const std::uint64_t bits : pool)
      for (int k = 0; k < 2; ++k) {
        word(static_cast<std::uint32_t>(bits));
        word(static_cast<std::uint32_t>(bits >> 32));
      }
  }

  bool has_frame(std::uint32_t slots) const { return calls_ || slots > 0; }
  /// In units of 4096 bytes, which the instruction can count in.
  static std::uint32_t pages(std::uint32_t slots) { return (16 * slots + 4095) / 4096; }
  void begin(std::uint32_t slots) {
    find_parts();
    if (!has_frame(slots)) return;
    word(0xA9BC7BFD);                                                       // stp x29, x30, [sp, -64]!
    word(0x910003FD);                                                       // mov x29, sp
    word(0xF9000BF3);                                                       // str x19, [sp, 16]
    word(0xA9018BA1);                                                       // stp x1, x2, [x29, 24]
    word(0xF90017A0 | constants);                                           // str x14, [x29, 40]
    word(0xAA0003E0 | file << 16 | kept_file);                              // mov x19, x0
    if (slots > 0) word(0xD1400000 | pages(slots) << 10 | 31u << 5 | 31u);  // sub sp, sp, ..
  }
  void end(std::uint32_t slots) {
    give_back(slots, 0);
    jump_here(leaves_);
    if (!leaves_.empty()) give_back(slots, 1);
    jump_here(throws_);
    if (!throws_.empty()) give_back(slots, 2);
  }
  void give_back(std::uint32_t slots, std::uint32_t value) {
    move_number(status, value);
    if (has_frame(slots)) {
      word(0x910003BF);  // mov sp, x29
      word(0xF9400BF3);  // ldr x19, [sp, 16]
      word(0xA8C47BFD);  // ldp x29, x30, [sp], 64
    }
    word(0xD65F03C0);  // ret
  }
  void jump_here(const std::vector<std::size_t>& from) {
    for (const std::size_t at : from) code_[at] |= (code_.size() - at) & 0x3FFFFFF;
  }

  Setting setting_;
  int width_, stride_;
  bool calls_;
  std::vector<std::uint32_t> code_;
  std::vector<std::size_t> leaves_, throws_;  // where it jumps to its end
};

}  // namespace

std::unique_ptr<Encoder> aarch64_encoder(Setting setting) {
  return std::make_unique<Aarch64>(std::move(setting));
}

}  // namespace vinculum::kernel::native
