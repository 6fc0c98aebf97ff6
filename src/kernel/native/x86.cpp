#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "kernel/native/encoder.hpp"

// x86-64. One lane and four are written with the prefix of AVX (VEX), eight with that of AVX-512 (EVEX): the
// same operations by the same numbers, of three operands, the last of which may stand in memory.

namespace vinculum::kernel::native {
namespace {

enum : int { rax = 0, rdx = 2, rbx = 3, rsp = 4, rbp = 5, rsi = 6, rdi = 7, r8 = 8 };
/// Parts of the state have their addresses in r8 and on; those beyond are looked up when they are read.
constexpr std::size_t parts_in_registers = 4;

/// The prefix that belongs to an operation, by its name in the manual.
enum class Prefix : std::uint8_t { none = 0, p66 = 1, pF3 = 2, pF2 = 3 };
enum class Map : std::uint8_t { m0F = 1, m0F38 = 2, m0F3A = 3 };

struct Operation {
  Prefix prefix;
  Map map;
  std::uint8_t code;
  bool wide = false;  // the bit W of VEX; EVEX has it always for doubles
};

constexpr std::array<std::uint8_t, 16> sixteen = [] {
  std::array<std::uint8_t, 16> all{};
  for (std::uint8_t i = 0; i < 16; ++i) all[i] = i;
  return all;
}();
constexpr std::array<std::uint8_t, 32> thirty_two = [] {
  std::array<std::uint8_t, 32> all{};
  for (std::uint8_t i = 0; i < 32; ++i) all[i] = i;
  return all;
}();

class X86 final : public Encoder {
 public:
  explicit X86(Setting setting)
      : setting_(std::move(setting)),
        width_(setting_.width),
        stride_(8 * setting_.lanes),
        slot_(setting_.wide ? 32 : 8 * std::max(2, width_)),
        calls_(setting_.calls) {}

  std::span<const std::uint8_t> registers() const override {
    if (width_ == 8) return thirty_two;
    return sixteen;
  }

  int memory_operand(Act act, Home::Kind kind) const override {
    switch (act) {
      case Act::square_root:
        return 0;
      case Act::bits_and:
      case Act::bits_or:
      case Act::bits_xor:
      case Act::bits_add:
      case Act::bits_subtract:  // on one lane these read 16 bytes, of which a register of the file has 8
        return width_ == 1 && (kind == Home::Kind::file || kind == Home::Kind::state) ? -1 : 1;
      case Act::choose:
        if (width_ == 8) return 2;
        return width_ == 1 && (kind == Home::Kind::file || kind == Home::Kind::state) ? -1 : 1;
      case Act::shift_left:
      case Act::shift_right:
      case Act::copy:
      case Act::pair:
      case Act::join:
      case Act::upper_pair:
      case Act::upper:
      case Act::sine:  // of Circle::whole, which no machine code is made of
      case Act::cosine:
      case Act::leave_unless:
      case Act::call:
        return -1;
      default:
        return 1;
    }
  }
  bool overwrites_first(Act act) const override { return act == Act::choose && width_ == 8; }

  void load(int reg, Home from) override { write(moving(0x10, from), reg, 0, {-1, from}); }
  void store(Home to, int reg) override { write(moving(0x11, to), reg, 0, {-1, to}); }
  void move(int to, int from) override {
    together_ = setting_.wide ? 4 : width_;
    write(packed(0x28), to, 0, {from, {}});
  }

  void act(const Step& step, int to, const Source* operand) override {
    together_ = std::max<int>(width_, step.lanes);
    switch (step.act) {
      case Act::add:
        return write(number(0x58), to, operand[0].reg, operand[1]);
      case Act::subtract:
        return write(number(0x5C), to, operand[0].reg, operand[1]);
      case Act::multiply:
        return write(number(0x59), to, operand[0].reg, operand[1]);
      case Act::divide:
        return write(number(0x5E), to, operand[0].reg, operand[1]);
      case Act::square_root:  // on one lane the other operand gives the upper half: any that is ready
        return write(number(0x51), to, together_ == 1 && operand[0].reg >= 0 ? operand[0].reg : 0,
                     operand[0]);
      case Act::bits_and:
        return write(packed(0x54), to, operand[0].reg, operand[1]);
      case Act::bits_or:
        return write(packed(0x56), to, operand[0].reg, operand[1]);
      case Act::bits_xor:
        return write(packed(0x57), to, operand[0].reg, operand[1]);
      case Act::bits_add:
        return write(packed(0xD4), to, operand[0].reg, operand[1]);
      case Act::bits_subtract:
        return write(packed(0xFB), to, operand[0].reg, operand[1]);
      case Act::shift_left:
        return write(packed(0x73), 6, to, operand[0], step.by);
      case Act::shift_right:
        return write(packed(0x73), 2, to, operand[0], step.by);
      case Act::less:
        return compare(1, to, operand);
      case Act::less_equal:
        return compare(2, to, operand);
      case Act::unequal:
        return compare(4, to, operand);
      case Act::choose:
        return choose(to, operand);
      case Act::pair:  // vunpcklpd
        return write(packed(0x14), to, operand[0].reg, operand[1]);
      case Act::join:  // vinsertf128
        together_ = 4;
        return write({Prefix::p66, Map::m0F3A, 0x18}, to, operand[0].reg, operand[1], 1);
      case Act::upper_pair:  // vextractf128, whose target stands last
        together_ = 4;
        return write({Prefix::p66, Map::m0F3A, 0x19}, operand[0].reg, 0, {to, {}}, 1);
      case Act::upper:  // vunpckhpd
        return write(packed(0x15), to, operand[0].reg, operand[0]);
      case Act::copy:
      case Act::sine:  // of Circle::whole, which no machine code is made of
      case Act::cosine:
      case Act::leave_unless:
      case Act::call:
        break;
    }
  }

  void leave_unless(int mask, int lanes) override {
    together_ = std::max(width_, lanes);
    if (together_ == 1) {
      write({Prefix::p66, Map::m0F, 0x7E, true}, mask, 0, {rax, {}});  // vmovq rax, mask
      bytes({0x48, 0x85, 0xC0});                                       // test rax, rax
      leave_if(0x84);                                                  // jz
    } else if (together_ == 4) {
      write(packed(0x50), rax, 0, {mask, {}});  // vmovmskpd eax, mask
      bytes({0x83, 0xF8, 0x0F});                // cmp eax, 15
      leave_if(0x85);                           // jne
    } else {
      write({Prefix::pF3, Map::m0F38, 0x39}, 1, 0, {mask, {}});  // vpmovq2m k1, mask
      bytes({0xC5, 0xF9, 0x98, 0xC9});                           // kortestb k1, k1: carry where all are ones
      leave_if(0x83);                                            // jnc
    }
  }

  void call(const Instruction* alone) override {
    clear_upper();
    move_number(rdi, reinterpret_cast<std::uintptr_t>(alone));
    bytes({0x48, 0x89, 0xDE});  // mov rsi, rbx
    move_number(rax, reinterpret_cast<std::uintptr_t>(setting_.helper));
    bytes({0xFF, 0xD0, 0x85, 0xC0});  // call rax; test eax, eax
    byte(0x0F), byte(0x85);           // jnz
    throws_.push_back(static_cast<std::uint32_t>(code_.size()));
    number_32(0);
    bytes({0x48, 0x8B, 0x75, 0xF0, 0x48, 0x8B, 0x55, 0xE8});  // mov rsi, [rbp-16]; mov rdx, [rbp-24]
    find_parts();
  }

  std::vector<std::uint8_t> finish(std::span<const std::uint64_t> pool, std::uint32_t slots) override {
    end(slots);
    if (code_.size() > too_long) return {};
    const std::vector<std::uint8_t> body = std::exchange(code_, {});
    begin(slots);
    const std::size_t start = code_.size();
    code_.insert(code_.end(), body.begin(), body.end());
    const std::size_t slot = slot_;
    while (code_.size() % 64 != 0) byte(0xCC);
    for (const auto& [at, constant] : constants_)
      patch(start + at, code_.size() + slot * constant.place, constant.behind);
    for (const std::uint64_t bits : pool)
      for (std::size_t k = 0; k < slot / 8; ++k) number_64(bits);
    return std::move(code_);
  }

 private:
  static constexpr std::size_t too_long = std::size_t{1} << 30;

  // Operations on numbers, of one lane or all; on bits, always all.
  Operation number(std::uint8_t code) const {
    return {together_ == 1 ? Prefix::pF2 : Prefix::p66, Map::m0F, code};
  }
  static Operation packed(std::uint8_t code) { return {Prefix::p66, Map::m0F, code}; }
  Operation moving(std::uint8_t code, const Home& home) {
    together_ = std::max<int>(width_, home.lanes);
    return number(code);
  }

  void compare(std::uint8_t how, int to, const Source* operand) {
    if (width_ != 8) return write(number(0xC2), to, operand[0].reg, operand[1], how);
    write(number(0xC2), 1, operand[0].reg, operand[1], how);  // into the mask k1
    write({Prefix::pF3, Map::m0F38, 0x38}, to, 0, {1, {}});   // vpmovm2q to, k1
  }
  void choose(int to, const Source* operand) {
    if (width_ == 8)  // vpternlogq: the truth table of a ? b : c, with a in `to`
      write({Prefix::p66, Map::m0F3A, 0x25}, to, operand[1].reg, operand[2], 0xCA);
    else  // vblendvpd to, c, b, mask
      write({Prefix::p66, Map::m0F3A, 0x4B}, to, operand[2].reg, operand[1], operand[0].reg << 4);
  }

  void write(Operation op, int reg, int first, const Source& last, int immediate = -1) {
    if (last.reg < 0 && last.home.kind == Home::Kind::state && base_of(last.home) == rax)
      look_up(rax, last.home.part);
    const int behind = immediate < 0 ? 0 : 1;
    if (is_evex(op))
      write_evex(op, reg, first, last, behind);
    else
      write_vex(op, reg, first, last, behind);
    if (immediate >= 0) byte(immediate);
  }
  bool is_evex(const Operation&) const { return width_ == 8; }

  /// The register that holds where such a home is.
  int base_of(const Home& home) const {
    switch (home.kind) {
      case Home::Kind::passing:
        return rsp;
      case Home::Kind::written:
        return rdx;
      case Home::Kind::state: {
        const auto known =
            std::find(setting_.parts.begin(), setting_.parts.end(), home.part) - setting_.parts.begin();
        return static_cast<std::size_t>(known) < parts_in_registers ? r8 + static_cast<int>(known) : rax;
      }
      default:
        return calls_ ? rbx : rdi;
    }
  }
  void look_up(int reg, std::uint32_t part) {  // mov reg, [rsi + 8*part]
    bytes({reg >= 8 ? 0x4C : 0x48, 0x8B, 0x46 | (reg & 7) << 3, static_cast<int>(8 * part)});
  }
  void find_parts() {
    for (std::size_t k = 0; k < std::min(parts_in_registers, setting_.parts.size()); ++k)
      look_up(r8 + static_cast<int>(k), setting_.parts[k]);
  }
  /// The high bits of the last operand's register, or of the register that holds where it is.
  int high_of(const Source& last) const {
    if (last.reg >= 0) return last.reg >> 3;
    return last.home.kind == Home::Kind::pool ? 0 : base_of(last.home) >> 3;
  }

  void write_vex(Operation op, int reg, int first, const Source& last, int behind) {
    const bool wide_register = together_ == 4;
    const int r = reg >> 3, b = high_of(last);
    const int rest = (~first & 15) << 3 | (wide_register ? 4 : 0) | static_cast<int>(op.prefix);
    if (b == 0 && op.map == Map::m0F && !op.wide) {
      bytes({0xC5, (r ? 0 : 0x80) | rest});
    } else {
      bytes({0xC4, (r ? 0 : 0x80) | 0x40 | (b ? 0 : 0x20) | static_cast<int>(op.map),
             (op.wide ? 0x80 : 0) | rest});
    }
    byte(op.code);
    write_operand(reg, last, 1, behind);
  }
  void write_evex(Operation op, int reg, int first, const Source& last, int behind) {
    const int b = high_of(last) & 1, x = high_of(last) >> 1;
    bytes({0x62,
           (reg >> 3 & 1 ? 0 : 0x80) | (x ? 0 : 0x40) | (b ? 0 : 0x20) | (reg >> 4 ? 0 : 0x10) |
               static_cast<int>(op.map),
           0x80 | (~first & 15) << 3 | 4 | static_cast<int>(op.prefix), 0x40 | (first >> 4 ? 0 : 8)});
    byte(op.code);
    write_operand(reg, last, 64, behind);
  }

  /// The operand in a register or in memory. `unit` is what a short distance counts in; `behind` how many
  /// bytes of the instruction follow.
  void write_operand(int reg, const Source& last, int unit, int behind) {
    const int low = (reg & 7) << 3;
    if (last.reg >= 0) return byte(0xC0 | low | (last.reg & 7));
    if (last.home.kind == Home::Kind::pool) {
      byte(low | 5);  // from the instruction that follows
      constants_.push_back({static_cast<std::uint32_t>(code_.size()), {last.home.place, behind}});
      return number_32(0);
    }
    const bool on_stack = last.home.kind == Home::Kind::passing;
    const std::int64_t distance = std::int64_t{last.home.place} * (on_stack ? slot_ : stride_);
    const int base = base_of(last.home) & 7;
    const bool is_short = distance % unit == 0 && distance / unit < 128;
    byte((distance == 0 ? 0 : is_short ? 0x40 : 0x80) | low | base);
    if (on_stack) byte(0x24);
    if (distance == 0) return;
    if (is_short)
      byte(static_cast<int>(distance / unit));
    else
      number_32(static_cast<std::uint32_t>(distance));
  }

  void leave_if(int condition) {
    byte(0x0F), byte(condition);
    leaves_.push_back(static_cast<std::uint32_t>(code_.size()));
    number_32(0);
  }

  bool has_frame(std::uint32_t slots) const { return calls_ || slots > 0; }
  void begin(std::uint32_t slots) {
    find_parts();
    if (!has_frame(slots)) return;
    bytes(
        {0x55, 0x48, 0x89, 0xE5, 0x53, 0x56, 0x52});  // push rbp; mov rbp, rsp; push rbx; push rsi; push rdx
    bytes({0x48, 0x81, 0xEC});                        // sub rsp, ..
    number_32(64 + slots * slot_);
    bytes({0x48, 0x83, 0xE4, 0xC0});  // and rsp, -64
    bytes({0x48, 0x89, 0xFB});        // mov rbx, rdi
  }
  void end(std::uint32_t slots) {
    give_back(slots, 0);
    for (const std::uint32_t at : leaves_) patch(at, code_.size(), 0);
    if (!leaves_.empty()) give_back(slots, 1);
    for (const std::uint32_t at : throws_) patch(at, code_.size(), 0);
    if (!throws_.empty()) give_back(slots, 2);
  }
  void give_back(std::uint32_t slots, int status) {
    clear_upper();
    byte(0xB8), number_32(static_cast<std::uint32_t>(status));          // mov eax, status
    if (has_frame(slots)) bytes({0x48, 0x8D, 0x65, 0xF8, 0x5B, 0x5D});  // lea rsp, [rbp-8]; pop rbx; pop rbp
    byte(0xC3);
  }
  /// Code for narrow registers that comes behind would wait for the upper halves, hundreds of times as long.
  void clear_upper() {
    if (width_ > 1 || setting_.wide) bytes({0xC5, 0xF8, 0x77});  // vzeroupper
  }

  void byte(int value) { code_.push_back(static_cast<std::uint8_t>(value)); }
  void bytes(std::initializer_list<int> values) {
    for (const int value : values) byte(value);
  }
  void number_32(std::uint32_t value) {
    for (int k = 0; k < 4; ++k) byte(static_cast<int>(value >> (8 * k) & 255));
  }
  void number_64(std::uint64_t value) {
    number_32(static_cast<std::uint32_t>(value));
    number_32(static_cast<std::uint32_t>(value >> 32));
  }
  void move_number(int reg, std::uint64_t value) {  // movabs
    bytes({0x48, 0xB8 | reg});
    number_64(value);
  }
  /// The distance from the end of the instruction, `behind` bytes after the four at `at`.
  void patch(std::size_t at, std::size_t target, int behind) {
    const auto distance = static_cast<std::uint32_t>(target - (at + 4 + behind));
    for (int k = 0; k < 4; ++k) code_[at + k] = static_cast<std::uint8_t>(distance >> (8 * k) & 255);
  }

  struct Constant {
    std::uint32_t place;
    int behind;
  };
  Setting setting_;
  int width_, stride_, slot_;
  bool calls_;
  int together_ = 1;  // numbers that the instruction at hand does
  std::vector<std::uint8_t> code_;
  std::vector<std::pair<std::uint32_t, Constant>> constants_;  // where the code reads which
  std::vector<std::uint32_t> leaves_, throws_;                 // where it jumps to its end
};

}  // namespace

std::unique_ptr<Encoder> x86_encoder(Setting setting) { return std::make_unique<X86>(std::move(setting)); }

}  // namespace vinculum::kernel::native
