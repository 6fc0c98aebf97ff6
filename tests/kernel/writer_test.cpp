// Which values machine code finds in registers and in memory, followed by a processor that only remembers.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "kernel/native/encoder.hpp"

namespace vinculum::kernel::native {
namespace {

class Remembering final : public Encoder {
 public:
  Remembering(const Steps& program, std::size_t registers) : program_(program), in_(registers, no_id) {
    for (std::uint8_t r = 0; r < registers; ++r) registers_.push_back(r);
    for (Id v = 0; v < program.homes.size(); ++v)
      if (program.homes[v].kind != Home::Kind::passing) memory_[key(program.homes[v])] = v;
  }
  std::span<const std::uint8_t> registers() const override { return registers_; }
  int memory_operand(Act act, Home::Kind) const override { return act == Act::choose ? 2 : 1; }
  bool overwrites_first(Act act) const override { return act == Act::choose; }

  void load(int reg, Home from) override { in_[reg] = memory_[key(from)]; }
  void store(Home to, int reg) override { memory_[key(to)] = in_[reg]; }
  void move(int to, int from) override { in_[to] = in_[from]; }
  void act(const Step& step, int to, const Source* operand) override {
    for (int k = 0; k < 3; ++k) {
      if (step.operand[k] == no_id) continue;
      const Id found = operand[k].reg >= 0 ? in_[operand[k].reg] : memory_[key(operand[k].home)];
      wrong += found != step.operand[k];
    }
    in_[to] = step.result;
    ++acts;
  }
  void leave_unless(int, int) override {}
  void call(const Instruction*) override {}
  std::vector<std::uint8_t> finish(std::span<const std::uint64_t>, std::uint32_t) override {
    for (Id v = 0; v < program_.homes.size(); ++v) {
      if (program_.kept[v]) wrong += memory_[key(program_.homes[v])] != v;
      if (program_.written[v] != no_id)
        wrong += memory_[key({Home::Kind::written, program_.written[v]})] != v;
    }
    return {0};
  }
  int wrong = 0, acts = 0;

 private:
  using Key = std::pair<Home::Kind, std::uint32_t>;
  static Key key(const Home& home) { return {home.kind, home.place}; }
  const Steps& program_;
  std::vector<std::uint8_t> registers_;
  std::vector<Id> in_;
  std::map<Key, Id> memory_;
};

/// Values on the way, far more than registers, with inputs and constants among them.
Steps random_steps(std::mt19937& random) {
  Steps s;
  for (std::uint32_t i = 0; i < 4; ++i) s.homes.push_back({Home::Kind::file, i});
  for (std::uint32_t i = 0; i < 3; ++i) s.homes.push_back({Home::Kind::pool, i});
  const std::size_t count = 20 + random() % 200, window = 2 + random() % 40;
  for (std::size_t k = 0; k < count; ++k) {
    const auto size = static_cast<Id>(s.homes.size());
    const auto pick = [&] {
      return static_cast<Id>(size - 1 - random() % std::min<std::size_t>(size, window));
    };
    const Act acts[] = {Act::add, Act::subtract, Act::choose, Act::multiply, Act::square_root};
    Step step{.act = acts[random() % 5], .result = size};
    step.operand[0] = pick();
    if (step.act != Act::square_root) step.operand[1] = pick();
    if (step.act == Act::choose) step.operand[2] = pick();
    s.steps.push_back(step);
    const bool in_file = random() % 5 == 0;
    s.homes.push_back(in_file ? Home{Home::Kind::file, 4 + size} : Home{Home::Kind::passing});
  }
  s.kept.assign(s.homes.size(), false);
  s.written.assign(s.homes.size(), no_id);
  for (Id v = 7; v < s.homes.size(); ++v) {
    if (s.homes[v].kind == Home::Kind::file) s.kept[v] = random() % 2 == 0;
    if (random() % 10 == 0) s.written[v] = v;
  }
  return s;
}

TEST(Writer, EveryStepFindsItsOperands) {
  std::mt19937 random(1);
  int acts = 0;
  for (int round = 0; round < 1000; ++round) {
    const Steps steps = random_steps(random);
    Remembering processor(steps, 4 + random() % 8);
    write_code(steps, {}, processor);
    ASSERT_EQ(processor.wrong, 0) << "round " << round;
    acts += processor.acts;
  }
  EXPECT_GT(acts, 50000);
}

}  // namespace
}  // namespace vinculum::kernel::native
