#include <algorithm>
#include <utility>

#include "kernel/native/encoder.hpp"

namespace vinculum::kernel::native {
namespace {

constexpr std::uint32_t never = UINT32_MAX;

bool is_commutative(Act act) {
  return act == Act::add || act == Act::multiply || act == Act::bits_and || act == Act::bits_or ||
         act == Act::bits_xor || act == Act::bits_add || act == Act::unequal;
}

/// When values are read: of each step and operand the next reading behind it, of each result the first.
struct Readings {
  std::vector<std::array<std::uint32_t, 3>> after;
  std::vector<std::uint32_t> first;

  explicit Readings(const Steps& program) : after(program.steps.size()), first(program.steps.size(), never) {
    std::vector<std::uint32_t> next(program.homes.size(), never);
    for (auto i = static_cast<std::uint32_t>(program.steps.size()); i-- > 0;) {
      const Step& s = program.steps[i];
      if (s.result != no_id) first[i] = next[s.result];
      for (int k = 0; k < 3; ++k) after[i][k] = s.operand[k] == no_id ? never : next[s.operand[k]];
      for (const Id v : s.operand)
        if (v != no_id) next[v] = i;
    }
  }
};

/// Puts values into registers as steps need them. Where none is free, the value leaves whose next reading is
/// furthest (Belady): it goes to its home, which is the interpreter's own register.
class Writer {
 public:
  Writer(const Steps& program, std::span<const Instruction> alone, Encoder& encoder)
      : program_(program),
        alone_(alone),
        encoder_(encoder),
        readings_(program),
        values_(program.homes.size()) {
    free_.assign(encoder.registers().rbegin(), encoder.registers().rend());
    in_.assign(1 + *std::max_element(free_.begin(), free_.end()), no_id);
    for (Id v = 0; v < program.homes.size(); ++v)
      values_[v] = {.home = program.homes[v], .at_home = program.homes[v].kind != Home::Kind::passing};
  }

  std::vector<std::uint8_t> run() {
    // What the kernel is given stands at home, and so do constants. What steps compute does not.
    for (const Step& s : program_.steps)
      if (s.result != no_id) values_[s.result].at_home = false;
    for (now_ = 0; now_ < program_.steps.size(); ++now_) {
      if (program_.steps[now_].act == Act::call)
        call(program_.steps[now_]);
      else
        compute(program_.steps[now_]);
      free_left_slots();
    }
    return encoder_.finish(program_.pool, slots_);
  }

 private:
  struct Place {
    Home home{};
    bool at_home = false;
    int reg = -1;
    std::uint32_t next = never;  // reading
  };

  void compute(Step s) {
    if (is_commutative(s.act) && values_[s.operand[0]].reg < 0 && values_[s.operand[1]].reg >= 0)
      std::swap(s.operand[0], s.operand[1]);
    std::array<std::uint32_t, 3> after = readings_.after[now_];
    if (s.operand[0] != program_.steps[now_].operand[0]) std::swap(after[0], after[1]);
    Source source[3];
    pinned_ = 0;
    for (const Id v : s.operand)
      if (v != no_id && values_[v].reg >= 0) pin(values_[v].reg);
    for (int k = 0; k < 3; ++k)
      if (s.operand[k] != no_id) source[k] = fetch(s.act, k, s.operand[k], after[k]);
    if (s.act == Act::leave_unless) {
      encoder_.leave_unless(source[0].reg, s.lanes);
      release(s, after);
      return;
    }
    const int to = result_register(s, source, after);
    if (s.act == Act::copy) {
      if (to != source[0].reg) encoder_.move(to, source[0].reg);
    } else {
      encoder_.act(s, to, source);
    }
    hold(s.result, to, readings_.first[now_]);
  }
  /// The step has read its operands: slots of those that went with it may be taken.
  void free_left_slots() {
    free_slots_.insert(free_slots_.end(), left_slots_.begin(), left_slots_.end());
    left_slots_.clear();
  }

  /// An operand in a register, or at its home where the step can read it there and nobody gains from a
  /// register.
  Source fetch(Act act, int k, Id v, std::uint32_t after) {
    Place& place = values_[v];
    if (place.reg < 0 && encoder_.memory_operand(act, place.home.kind) == k &&
        (after == never || free_.empty()))
      return {-1, place.home};
    if (place.reg < 0) {
      const int reg = take();
      encoder_.load(reg, place.home);
      place.reg = reg;
      in_[reg] = v;
      pin(reg);
    }
    return {place.reg, place.home};
  }

  int result_register(const Step& s, Source* source, const std::array<std::uint32_t, 3>& after) {
    if (s.act == Act::copy && after[0] == never) {
      release(s, after);
      return take(source[0].reg);
    }
    if (!encoder_.overwrites_first(s.act)) {
      release(s, after);
      return take();
    }
    const bool is_last = after[0] == never && s.operand[0] != s.operand[1] && s.operand[0] != s.operand[2];
    if (!is_last) {  // a register of its own, while those of the operands are taken still
      const int to = take();
      encoder_.move(to, source[0].reg);
      source[0].reg = to;
      release(s, after);
      return to;
    }
    release(s, after);
    return take(source[0].reg);
  }

  /// The operands have been read; those that nobody reads again go.
  void release(const Step& s, const std::array<std::uint32_t, 3>& after) {
    for (int k = 0; k < 3; ++k) {
      if (s.operand[k] == no_id) continue;
      Place& place = values_[s.operand[k]];
      place.next = after[k];
      if (after[k] == never) forget(s.operand[k]);
    }
    pinned_ = 0;
  }
  void pin(int reg) { pinned_ |= std::uint64_t{1} << reg; }
  void forget(Id v) {
    Place& place = values_[v];
    if (place.reg >= 0) {
      in_[place.reg] = no_id;
      free_.push_back(static_cast<std::uint8_t>(place.reg));
      place.reg = -1;
    }
    if (place.home.kind == Home::Kind::passing && place.at_home) {
      left_slots_.push_back(place.home.place);
      place.at_home = false;
    }
  }

  void hold(Id v, int reg, std::uint32_t next) {
    values_[v].reg = reg;
    values_[v].next = next;
    in_[reg] = v;
    if (program_.written[v] != no_id) encoder_.store({Home::Kind::written, program_.written[v]}, reg);
    if (program_.kept[v]) send_home(v);
    if (next == never) forget(v);
  }

  int take(int wanted) {
    free_.erase(std::find(free_.begin(), free_.end(), wanted));
    return wanted;
  }
  int take() {
    if (free_.empty()) evict();
    const int reg = free_.back();
    free_.pop_back();
    return reg;
  }
  void evict() {
    int chosen = -1;
    for (const std::uint8_t reg : encoder_.registers()) {
      if (in_[reg] == no_id || (pinned_ >> reg & 1) != 0) continue;
      if (chosen < 0 || values_[in_[reg]].next > values_[in_[chosen]].next) chosen = reg;
    }
    Place& place = values_[in_[chosen]];
    if (!place.at_home) send_home(in_[chosen]);
    place.reg = -1;
    in_[chosen] = no_id;
    free_.push_back(static_cast<std::uint8_t>(chosen));
  }
  void send_home(Id v) {
    Place& place = values_[v];
    if (place.home.kind == Home::Kind::passing) {
      if (free_slots_.empty()) free_slots_.push_back(slots_++);
      place.home.place = free_slots_.back();
      free_slots_.pop_back();
    }
    encoder_.store(place.home, place.reg);
    place.at_home = true;
  }

  /// The function called finds its operands at home, and may use every register.
  void call(const Step& s) {
    for (int k = 0; k < 3; ++k)
      if (s.operand[k] != no_id) values_[s.operand[k]].next = now_;
    for (const std::uint8_t reg : encoder_.registers())
      if (in_[reg] != no_id && !values_[in_[reg]].at_home) send_home(in_[reg]);
    for (const std::uint8_t reg : encoder_.registers()) {
      if (in_[reg] == no_id) continue;
      values_[in_[reg]].reg = -1;
      in_[reg] = no_id;
      free_.push_back(reg);
    }
    release(s, readings_.after[now_]);
    encoder_.call(&alone_[2 * called_++]);
    values_[s.result].at_home = true;
    values_[s.result].next = readings_.first[now_];
  }

  const Steps& program_;
  std::span<const Instruction> alone_;
  Encoder& encoder_;
  Readings readings_;
  std::vector<Place> values_;
  std::vector<Id> in_;              // of each register: its value
  std::vector<std::uint8_t> free_;  // registers
  std::uint64_t pinned_ = 0;        // registers that the step at hand reads, as bits
  std::vector<std::uint32_t> free_slots_, left_slots_;
  std::uint32_t slots_ = 0, now_ = 0, called_ = 0;
};

}  // namespace

std::vector<std::uint8_t> write_code(const Steps& steps, std::span<const Instruction> alone,
                                     Encoder& encoder) {
  return Writer(steps, alone, encoder).run();
}

}  // namespace vinculum::kernel::native
