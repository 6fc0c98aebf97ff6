#include "kernel/native/side_by_side.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace vinculum::kernel::native {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr int lanes = 4;
constexpr double steps_of_four = 3;  // that put four numbers together

using Formula = Steps::Formula;
using Group = std::vector<std::uint32_t>;  // formulas

/// What an operand of a formula's step is: a result of the formula, a constant, or what comes from outside.
struct Operand {
  enum class Kind : std::uint8_t { absent, own, constant, outside } kind = Kind::absent;
  std::uint32_t which = 0;  // the step counted from the first, the constant, or the argument
  bool operator==(const Operand&) const = default;
};
struct Line {
  Act act;
  std::uint8_t by;
  std::array<Operand, 3> operand;
  bool operator==(const Line&) const = default;
};
/// A formula without its arguments, and these.
struct Reading {
  std::vector<Line> lines;
  std::vector<Id> arguments;
  std::uint64_t kind = 0;  // a number made of the lines
  std::uint32_t age = 0;   // how many formulas, one behind the other, its arguments have come through
  void note(const Line& line) {
    lines.push_back(line);
    std::uint64_t sum = kind + static_cast<std::uint64_t>(line.act) + 64u * line.by;
    for (const Operand& from : line.operand)
      sum = (sum ^ (static_cast<std::uint64_t>(from.kind) + 8u * from.which)) * 0x9E3779B97F4A7C15u;
    kind = sum ^ (sum >> 29);
  }
};

class Arranger {
 public:
  explicit Arranger(Steps& program)
      : program_(program), maker_(program.homes.size(), none), formula_of_(program.steps.size(), none) {
    for (std::uint32_t i = 0; i < program.steps.size(); ++i)
      if (program.steps[i].result != no_id) maker_[program.steps[i].result] = i;
    for (std::uint32_t f = 0; f < program.formulas.size(); ++f)
      for (std::uint32_t i = program.formulas[f].begin; i < program.formulas[f].end; ++i) formula_of_[i] = f;
  }

  void run() {
    if (program_.calls || homes_are_read_and_kept()) return;
    for (const Formula& formula : program_.formulas) reading_.push_back(read(formula));
    find_readers();
    find_ages();
    find_groups();
    keep_what_is_worth_it();
    if (groups_.empty()) return;
    leave_homes();
    done_.assign(program_.steps.size(), false);
    for (std::uint32_t i = 0; i < program_.steps.size(); ++i) bring(i);
    program_.steps = std::move(arranged_);
    program_.formulas.clear();
    program_.wide = true;
  }

 private:
  /// An output that is kept where an input stands, which may be read behind it now.
  bool homes_are_read_and_kept() const {
    std::vector<std::uint32_t> given;
    for (Id v = 0; v < program_.homes.size(); ++v)
      if (maker_[v] == none && program_.homes[v].kind == Home::Kind::file)
        given.push_back(program_.homes[v].place);
    std::sort(given.begin(), given.end());
    for (Id v = 0; v < program_.homes.size(); ++v)
      if (maker_[v] != none && program_.kept[v] &&
          std::binary_search(given.begin(), given.end(), program_.homes[v].place))
        return true;
    return false;
  }

  Reading read(const Formula& formula) const {
    Reading found;
    for (std::uint32_t i = formula.begin; i < formula.end; ++i) {
      const Step& s = program_.steps[i];
      Line line{s.act, s.by, {}};
      for (int k = 0; k < 3; ++k)
        if (s.operand[k] != no_id) line.operand[k] = read(formula, s.operand[k], found.arguments);
      found.note(line);
    }
    return found;
  }
  Operand read(const Formula& formula, Id v, std::vector<Id>& arguments) const {
    const std::uint32_t made = maker_[v];
    if (made != none && made >= formula.begin && made < formula.end)
      return {Operand::Kind::own, made - formula.begin};
    if (program_.homes[v].kind == Home::Kind::pool) return {Operand::Kind::constant, program_.homes[v].place};
    const auto known = std::find(arguments.begin(), arguments.end(), v);
    const auto which = static_cast<std::uint32_t>(known - arguments.begin());
    if (known == arguments.end()) arguments.push_back(v);
    return {Operand::Kind::outside, which};
  }

  void find_ages() {
    std::vector<std::uint32_t> age(program_.homes.size(), 0);
    const auto oldest = [&](const auto& values) {
      std::uint32_t most = 0;
      for (const Id v : values) most = v == no_id ? most : std::max(most, age[v]);
      return most;
    };
    for (std::uint32_t i = 0; i < program_.steps.size();) {
      const std::uint32_t f = formula_of_[i];
      if (f == none) {
        if (const Step& s = program_.steps[i++]; s.result != no_id) age[s.result] = oldest(s.operand);
        continue;
      }
      reading_[f].age = oldest(reading_[f].arguments);
      for (; i < program_.formulas[f].end; ++i)
        if (const Id v = program_.steps[i].result; v != no_id) age[v] = reading_[f].age + 1;
    }
  }

  /// Alike and of one age: those do not need each other.
  void find_groups() {
    Group order(program_.formulas.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto kind = [this](std::uint32_t f) { return std::pair(reading_[f].age, reading_[f].kind); };
    std::ranges::stable_sort(order, {}, kind);
    for (auto from = order.begin(); from != order.end();) {
      auto to = from + 1;
      while (to != order.end() && to - from < lanes && kind(*to) == kind(*from) &&
             reading_[*to].lines == reading_[*from].lines)
        ++to;
      if (to - from >= 2) groups_.emplace_back(from, to);
      from = to;
    }
  }

  /// Which arguments stand side by side: where there are fewer than four, the last stands for the others.
  std::array<Id, lanes> argument(const Group& group, std::size_t a) const {
    std::array<Id, lanes> four;
    for (std::size_t k = 0; k < lanes; ++k)
      four[k] = reading_[group[std::min(k, group.size() - 1)]].arguments[a];
    return four;
  }
  std::size_t arguments(const Group& group) const { return reading_[group[0]].arguments.size(); }

  /// The steps that are saved, beside those that put arguments together, which other groups may share, and
  /// those that take results apart.
  void keep_what_is_worth_it() {
    std::map<std::array<Id, lanes>, int> uses;
    for (const Group& group : groups_)
      for (std::size_t a = 0; a < arguments(group); ++a) ++uses[argument(group, a)];
    std::erase_if(groups_, [&](const Group& group) {
      const Formula& first = program_.formulas[group[0]];
      double worth = static_cast<double>((group.size() - 1) * (first.end - first.begin));
      for (std::size_t a = 0; a < arguments(group); ++a) worth -= steps_of_four / uses[argument(group, a)];
      for (std::uint32_t i = first.begin; i < first.end; ++i)
        if (const Id v = program_.steps[i].result; v != no_id && read_outside_[v])
          worth -= static_cast<double>(group.size());
      return worth <= 0;
    });
    group_of_.assign(program_.formulas.size(), none);
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
      for (const std::uint32_t f : groups_[g]) group_of_[f] = g;
  }

  /// Which results of formulas are read elsewhere.
  void find_readers() {
    read_outside_.assign(program_.homes.size(), false);
    for (std::uint32_t i = 0; i < program_.steps.size(); ++i)
      for (const Id v : program_.steps[i].operand)
        if (v != no_id && maker_[v] != none && formula_of_[maker_[v]] != formula_of_[i])
          read_outside_[v] = true;
    for (Id v = 0; v < program_.homes.size(); ++v)
      if (program_.kept[v] || program_.written[v] != no_id) read_outside_[v] = true;
  }

  /// Two values may be at home in one register of the interpreter, one after the other: not in this order.
  void leave_homes() {
    for (Id v = 0; v < program_.homes.size(); ++v)
      if (maker_[v] != none && !program_.kept[v]) program_.homes[v] = {Home::Kind::passing};
  }

  /// Step i, or its whole group, behind all that it reads.
  void bring(std::uint32_t i) {
    waiting_.assign(1, i);
    while (!waiting_.empty()) {
      const std::uint32_t at = waiting_.back();
      const std::size_t before = waiting_.size();
      if (!done_[at]) wait_for_sources(at);
      if (waiting_.size() > before) continue;
      waiting_.pop_back();
      if (done_[at]) continue;
      const std::uint32_t f = formula_of_[at];
      if (f != none && group_of_[f] != none) {
        write_group(groups_[group_of_[f]]);
      } else {
        arranged_.push_back(program_.steps[at]);
        done_[at] = true;
      }
    }
  }
  void wait_for_sources(std::uint32_t at) {
    const auto wait_for = [this](const Step& s) {
      for (const Id v : s.operand)
        if (v != no_id && maker_[v] != none && !done_[maker_[v]]) waiting_.push_back(maker_[v]);
    };
    const std::uint32_t f = formula_of_[at];
    if (f == none || group_of_[f] == none) return wait_for(program_.steps[at]);
    for (const std::uint32_t other : groups_[group_of_[f]])
      for (const Id v : reading_[other].arguments)
        if (maker_[v] != none && !done_[maker_[v]]) waiting_.push_back(maker_[v]);
  }

  Id new_value(Home home) {
    program_.homes.push_back(home);
    program_.kept.push_back(false);
    program_.written.push_back(no_id);
    return static_cast<Id>(program_.homes.size() - 1);
  }
  Id note(Act act, std::uint8_t numbers, Id a, Id b = no_id) {
    const Id result = new_value({Home::Kind::passing, 0, 0, numbers});
    arranged_.push_back({act, 0, 1, result, {a, b, no_id}, nullptr});
    return result;
  }
  Id four_of_constant(std::uint32_t place) {
    const auto [at, is_new] = constants_.try_emplace(place, no_id);
    if (is_new) at->second = new_value({Home::Kind::pool, place, 0, lanes});
    return at->second;
  }
  /// Where there are fewer than four, the last stands for the others.
  Id four_of(const std::array<Id, lanes>& v) {
    const auto [at, is_new] = fours_.try_emplace(v, no_id);
    if (!is_new) return at->second;
    const Id low = note(Act::pair, 2, v[0], v[1]);
    const Id high = v[2] == v[0] && v[3] == v[1] ? low : note(Act::pair, 2, v[2], v[3]);
    return at->second = note(Act::join, lanes, low, high);
  }

  void write_group(const Group& formulas) {
    const Reading& reading = reading_[formulas[0]];
    std::vector<Id> four, own;
    for (std::size_t a = 0; a < reading.arguments.size(); ++a) four.push_back(four_of(argument(formulas, a)));
    for (const Line& line : reading.lines) {
      Step step{line.act, line.by, lanes, no_id, {no_id, no_id, no_id}, nullptr};
      for (int k = 0; k < 3; ++k) {
        const Operand& from = line.operand[k];
        if (from.kind == Operand::Kind::own) step.operand[k] = own[from.which];
        if (from.kind == Operand::Kind::constant) step.operand[k] = four_of_constant(from.which);
        if (from.kind == Operand::Kind::outside) step.operand[k] = four[from.which];
      }
      if (line.act != Act::leave_unless) step.result = new_value({Home::Kind::passing, 0, 0, lanes});
      own.push_back(step.result);
      arranged_.push_back(step);
    }
    hand_out(formulas, own);
  }

  /// The numbers that others read, one by one.
  void hand_out(const Group& formulas, const std::vector<Id>& own) {
    for (std::size_t line = 0; line < own.size(); ++line) {
      Id high = no_id;
      for (std::size_t k = 0; k < formulas.size(); ++k) {
        const std::uint32_t i = program_.formulas[formulas[k]].begin + static_cast<std::uint32_t>(line);
        done_[i] = true;
        const Id to = program_.steps[i].result;
        if (to == no_id || !read_outside_[to]) continue;
        if (k >= 2 && high == no_id) high = note(Act::upper_pair, 2, own[line]);
        const Act act = k % 2 == 0 ? Act::copy : Act::upper;
        arranged_.push_back({act, 0, 1, to, {k < 2 ? own[line] : high, no_id, no_id}, nullptr});
      }
    }
  }

  Steps& program_;
  std::vector<std::uint32_t> maker_;       // of each value: its step, none of what is given
  std::vector<std::uint32_t> formula_of_;  // of each step
  std::vector<std::uint32_t> group_of_;    // of each formula
  std::vector<Reading> reading_;           // of each formula
  std::vector<Group> groups_;
  std::vector<bool> read_outside_, done_;
  std::vector<std::uint32_t> waiting_;
  std::map<std::uint32_t, Id> constants_;
  std::map<std::array<Id, lanes>, Id> fours_;
  std::vector<Step> arranged_;
};

}  // namespace

void put_side_by_side(Steps& program) {
  if (program.formulas.size() > 1) Arranger(program).run();
}

}  // namespace vinculum::kernel::native
