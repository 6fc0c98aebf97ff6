#include "kernel/native/steps.hpp"

#include <algorithm>
#include <span>

// Noted values first: the formulas find their operations by name.
#include "kernel/native/noted.hpp"
//
#include "kernel/functions.hpp"

namespace vinculum::kernel::native {
namespace {

constexpr std::size_t many_steps = 3;  // fewer are never worth to be done together

bool adds_a_product(Opcode op) { return op == Opcode::multiply_add || op == Opcode::subtract_multiply; }

/// The value of the table's line for one instruction.
Noted recite(const Instruction* at, const Notebook& notebook) {
  using T = Noted;
  double* const file = nullptr;  // stores are noted
  const auto a = [&] { return T::of(notebook.read(at->a)); };
  const auto b = [&] { return T::of(notebook.read(at->b)); };
  const auto c = [&] { return T::of(notebook.read(at->c)); };
  switch (at->op) {
#define OPERATION(name, ...) \
  case Opcode::name:         \
    return T(__VA_ARGS__);
#include "kernel/operations.def"
    case Opcode::stop:
      break;
  }
  return T(0.0);
}

}  // namespace

int operand_count(Opcode op) {
  switch (op) {
    case Opcode::add:
    case Opcode::subtract:
    case Opcode::multiply:
    case Opcode::divide:
    case Opcode::power:
    case Opcode::atan2:
    case Opcode::min:
    case Opcode::max:
    case Opcode::hypot:
    case Opcode::less:
    case Opcode::less_equal:
      return 2;
    case Opcode::multiply_add:
    case Opcode::multiply_subtract:
    case Opcode::subtract_multiply:
    case Opcode::select:
      return 3;
    default:
      return 1;
  }
}

Notebook::Notebook(const Kernel& kernel, Circle circle)
    : before_(std::exchange(open_, this)),
      circle_(circle),
      given_constants_(kernel.constants()),
      first_constant_(static_cast<std::uint32_t>(kernel.input_count())) {
  at_.resize(kernel.register_count(), no_id);
  const std::size_t given = kernel.input_count() + kernel.constants().size();
  for (std::uint32_t r = 0; r < given; ++r) at_[r] = new_value({Home::Kind::file, r});
  const std::span<const InputPlace> places = kernel.places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    out_.homes[at_[i]] = {Home::Kind::state, places[i].index, places[i].part};
    if (std::find(out_.parts.begin(), out_.parts.end(), places[i].part) == out_.parts.end())
      out_.parts.push_back(places[i].part);
  }
}

Id Notebook::new_value(Home home) {
  out_.homes.push_back(home);
  return static_cast<Id>(out_.homes.size() - 1);
}

Id Notebook::constant(std::uint64_t bits) {
  const auto [where, is_new] = constants_.try_emplace(bits, no_id);
  if (is_new) {
    where->second = new_value({Home::Kind::pool, static_cast<std::uint32_t>(out_.pool.size())});
    out_.pool.push_back(bits);
  }
  return where->second;
}

bool Notebook::is_constant(Id id, std::uint64_t bits) const {
  const auto [kind, place, part, lanes] = out_.homes[id];
  if (kind == Home::Kind::pool) return out_.pool[place] == bits;
  // What is written to a register of constants was one from the beginning.
  return kind == Home::Kind::file && place - first_constant_ < given_constants_.size() &&
         std::bit_cast<std::uint64_t>(given_constants_[place - first_constant_]) == bits;
}

Id Notebook::mask_of(Id value) const {
  const auto known = mask_of_.find(value);
  return known == mask_of_.end() ? no_id : known->second;
}

Id Notebook::note(Act act, Id a, Id b, Id c, int by) {
  constexpr auto one = std::bit_cast<std::uint64_t>(1.0);
  // 1.0 * x begins a power by squaring; mask ? x : 0.0 leaves the bits of x where the mask has ones; and a
  // question of what answers one has the first answer.
  if (act == Act::multiply && is_constant(a, one)) return b;
  if (act == Act::choose && is_constant(c, 0)) {
    const Id answer = note(Act::bits_and, a, b);
    if (is_constant(b, one)) mask_of_.emplace(answer, a);
    return answer;
  }
  if (act == Act::unequal && is_constant(b, 0) && mask_of(a) != no_id) return mask_of(a);
  const Id result = new_value({Home::Kind::passing});
  out_.steps.push_back({act, static_cast<std::uint8_t>(by), 1, result, {a, b, c}, nullptr});
  return result;
}

/// From here on the register holds that value.
void Notebook::settle(Id value, std::uint32_t file_register) {
  // A formula may look at its argument once more when its value is known, and the value's home may be that of
  // the argument: it settles when all steps are done.
  const bool is_last = !out_.steps.empty() && out_.steps.back().result == value;
  if (!is_last || out_.homes[value].kind != Home::Kind::passing) value = note(Act::copy, value);
  out_.homes[value] = {Home::Kind::file, file_register};
  at_[file_register] = value;
}

/// A sine or cosine that is one step, which is noted.
bool Notebook::is_whole(const Instruction& at) {
  const bool has_sine = at.op == Opcode::sin || at.op == Opcode::sin_cos;
  const bool has_cosine = at.op == Opcode::cos || at.op == Opcode::sin_cos;
  if (circle_ != Circle::whole || !(has_sine || has_cosine)) return false;
  const Id angle = read(at.a);
  if (has_sine) settle(note(Act::sine, angle), at.target);
  if (has_cosine) settle(note(Act::cosine, angle), has_sine ? at.c : at.target);
  return true;
}

/// What a sum of products has come to, as one formula.
void Notebook::end_sum() {
  if (sum_.end - sum_.begin >= many_steps)
    out_.formulas.push_back({static_cast<std::uint32_t>(sum_.begin), static_cast<std::uint32_t>(sum_.end)});
  sum_ = {};
}

void Notebook::instruction(const Instruction& at) {
  if (is_whole(at)) return;
  const std::size_t steps = out_.steps.size();
  if (!adds_a_product(at.op) || sum_.value != read(at.c) || sum_.end != steps) {
    end_sum();
    sum_.begin = steps;
  }
  given_up_ = false;
  second_ = {no_id, 0};
  const Noted result = recite(&at, *this);
  if (!given_up_) {
    settle(result.id, at.target);
    if (at.op == Opcode::argument) arguments_.push_back(at_[at.target]);
    if (second_.first != no_id) settle(second_.first, second_.second);
    sum_.end = out_.steps.size();
    sum_.value = at_[at.target];
    return;
  }
  out_.steps.resize(steps);
  sum_ = {};
  Step call{.act = Act::call, .instruction = &at};
  if (at.op != Opcode::call)
    for (int k = 0; k < operand_count(at.op); ++k) call.operand[k] = in_file((&at.a)[k]);
  out_.calls = true;
  call.result = at_[at.target] = new_value({Home::Kind::file, at.target});
  called_.resize(out_.homes.size(), false);
  called_[call.result] = true;
  out_.steps.push_back(call);
}

/// A value that a step has computed, and that no other output is written of: a copy where it is none.
Id Notebook::own_value(Id value, std::size_t given) {
  if (value >= given && out_.homes[value].kind == Home::Kind::file && !called_[value] &&
      out_.written[value] == no_id)
    return value;
  const Id copied = note(Act::copy, value);
  out_.written.resize(out_.homes.size(), no_id);
  return copied;
}

/// What stands in that register, and in memory there: a state's input is copied.
Id Notebook::in_file(std::uint32_t file_register) {
  if (out_.homes[at_[file_register]].kind != Home::Kind::state) return at_[file_register];
  const Id copied = note(Act::copy, at_[file_register]);
  out_.homes[copied] = {Home::Kind::file, file_register};
  arguments_.push_back(copied);
  return at_[file_register] = copied;
}

Steps Notebook::take(const Kernel& kernel) {
  end_sum();
  const std::size_t given = kernel.input_count() + kernel.constants().size();
  out_.written.assign(out_.homes.size(), no_id);
  called_.resize(out_.homes.size(), false);
  const std::span<const std::uint32_t> outputs = kernel.outputs();
  for (int k = 0; k < kernel.written(); ++k) {
    const Id value = own_value(at_[outputs[k]], given);
    out_.written[value] = static_cast<std::uint32_t>(k);
  }
  for (const std::uint32_t r : outputs.subspan(kernel.written())) in_file(r);
  out_.written.resize(out_.homes.size(), no_id);
  out_.kept.assign(out_.homes.size(), false);
  for (const std::uint32_t r : outputs.subspan(kernel.written())) out_.kept[at_[r]] = true;
  for (const Id argument : arguments_) out_.kept[argument] = true;
  leave_out_unread();
  return std::move(out_);
}

/// Formulas compute what others have turned out not to need.
void Notebook::leave_out_unread() {
  std::vector<bool> is_read = out_.kept;
  for (Id v = 0; v < is_read.size(); ++v)
    if (out_.written[v] != no_id) is_read[v] = true;
  std::vector<bool> stays(out_.steps.size());
  for (std::size_t i = out_.steps.size(); i-- > 0;) {
    const Step& s = out_.steps[i];
    stays[i] = s.act == Act::leave_unless || s.act == Act::call || is_read[s.result];
    for (const Id v : s.operand)
      if (stays[i] && v != no_id) is_read[v] = true;
  }
  std::vector<std::uint32_t> place(stays.size() + 1, 0);  // of each step, among those that stay
  for (std::size_t i = 0; i < stays.size(); ++i) {
    place[i + 1] = place[i] + (stays[i] ? 1 : 0);
    if (stays[i]) out_.steps[place[i]] = out_.steps[i];
  }
  out_.steps.resize(place.back());
  for (Steps::Formula& f : out_.formulas) f = {place[f.begin], place[f.end]};
  std::erase_if(out_.formulas, [](const Steps::Formula& f) { return f.end - f.begin < many_steps; });
}

Steps steps_of(const Kernel& kernel, Circle circle) {
  Notebook notebook(kernel, circle);
  for (const Instruction& at : kernel.code()) notebook.instruction(at);
  return notebook.take(kernel);
}

}  // namespace vinculum::kernel::native
