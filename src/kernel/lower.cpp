#include "kernel/lower.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <unordered_map>

#include "kernel/evaluate.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum::kernel {
namespace {

/// The opcode of the same meaning for each Op; constants and symbols have none.
constexpr auto plain_opcode = [] {
  using enum Opcode;
  return std::array<Opcode, op_count>{stop, stop,  add,  subtract,   multiply, divide, power, negate,
                                      sin,  cos,   tan,  asin,       acos,     atan,   sinh,  cosh,
                                      tanh, exp,   log,  sqrt,       abs,      sign,   atan2, min,
                                      max,  hypot, less, less_equal, select};
}();
constexpr Opcode opcode_of(Op op) { return plain_opcode[static_cast<std::size_t>(op)]; }
static_assert(opcode_of(Op::add) == Opcode::add && opcode_of(Op::negate) == Opcode::negate &&
              opcode_of(Op::tan) == Opcode::tan && opcode_of(Op::sign) == Opcode::sign &&
              opcode_of(Op::hypot) == Opcode::hypot && opcode_of(Op::select) == Opcode::select);

/// The value of each node: a flat hash table, since half the time of compiling would go into one made of
/// little boxes.
class ValueTable {
 public:
  void reserve(std::size_t nodes) {
    bits_ = std::bit_width(2 * nodes + 1);
    slots_.assign(std::size_t{1} << bits_, {0, no_value});
  }
  void set(NodeId node, ValueId value) { slots_[place(node)] = {node, value}; }
  ValueId at(NodeId node) const { return slots_[place(node)].value; }

 private:
  struct Slot {
    NodeId node;
    ValueId value;
  };
  /// Where the node stands or would stand: less than half of the slots are taken, so the search is short.
  std::size_t place(NodeId node) const {
    std::size_t i = (node * 0x9e3779b97f4a7c15u) >> (64 - bits_);
    while (slots_[i].value != no_value && slots_[i].node != node) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  int bits_ = 0;
  std::vector<Slot> slots_;
};

bool is_product(const Step& s) { return s.op == Opcode::multiply || s.op == Opcode::square; }

class Lowering {
 public:
  Lowering(std::span<const Expr> outputs, std::span<const Expr> inputs)
      : outputs_(outputs), inputs_(inputs) {}

  Lowered run() {
    find_graph();
    number_inputs();
    make_values();
    count_readers();
    for (ValueId v = 0; v < form_.size(); ++v) absorb_product(v);
    for (ValueId v = 0; v < form_.size(); ++v) emit(v);
    return std::move(out_);
  }

 private:
  void find_graph() {
    for (const Expr& e : outputs_) {
      if (!e.is_constant()) graph_ = e.graph();
    }
  }

  void number_inputs() {
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
      const Expr& e = inputs_[i];
      if (!e.is_symbol())
        fail("input " + std::to_string(i) + " of a program is no symbol; inputs are symbols");
      if (graph_ != nullptr && e.graph() != graph_) {
        fail("input '" + e.name() + "' of a program belongs to another model than its outputs");
      }
      if (!input_of_.emplace(e.id(), i).second) {
        fail("input '" + e.name() + "' of a program is given twice");
      }
    }
  }

  void make_values() {
    if (graph_ != nullptr) {
      const std::vector<NodeId> order = graph_->reachable(outputs_);
      value_of_.reserve(order.size());
      out_.values.reserve(order.size());
      form_.reserve(order.size());
      for (const NodeId id : order) value_of_.set(id, make_value(id));
    }
    for (const Expr& e : outputs_) {
      out_.outputs.push_back(e.is_constant() ? add_constant(e.value()) : value_of_.at(e.id()));
    }
  }

  ValueId make_value(NodeId id) {
    const Node& node = graph_->node(id);
    if (node.op == Op::constant) return add_constant(node.value);
    if (node.op == Op::symbol) return add_input(id);
    if (node.op == Op::argument) return no_value;  // part of the calls that have it in their list
    if (node.op == Op::call) return add_call(node);
    const Step form = choose_form(node);
    if (is_its_condition(form)) return form.operand[0];
    const bool is_constant = std::all_of(std::begin(form.operand), std::end(form.operand), [this](ValueId v) {
      return v == no_value || out_.values[v].kind == Value::Kind::constant;
    });
    if (is_constant) return add_constant(evaluate(form));
    return add_value({.kind = Value::Kind::computed}, form);
  }

  ValueId add_value(const Value& value, const Step& form) {
    out_.values.push_back(value);
    form_.push_back(form);
    return static_cast<ValueId>(out_.values.size() - 1);
  }
  ValueId add_constant(double constant) {
    return add_value({.kind = Value::Kind::constant, .constant = constant}, {});
  }

  ValueId add_input(NodeId id) {
    const auto found = input_of_.find(id);
    if (found == input_of_.end()) {
      std::vector<std::string> names;
      for (const Expr& e : inputs_) names.push_back(e.name());
      fail("symbol '" + graph_->symbol_name(id) +
           "' is not among the inputs of the program that needs it: " + list_text(names));
    }
    return add_value({.kind = Value::Kind::input, .input = found->second}, {});
  }

  /// A call is computed in every run, also where nothing in it changes: its function is not ours. Lists may
  /// share their ends, but the arguments of a call lie side by side: each list has steps of its own.
  ValueId add_call(const Node& node) {
    const auto [list, is_new] = arguments_.try_emplace(node.operand[1], no_value);
    for (NodeId at = node.operand[1]; is_new && graph_->node(at).op == Op::argument;
         at = graph_->node(at).operand[1]) {
      const ValueId head = value_of_.at(graph_->node(at).operand[0]);
      list->second = add_value({.kind = Value::Kind::computed},
                               {.op = Opcode::argument, .operand = {head, list->second, no_value}});
    }
    const auto component = static_cast<int>(graph_->node(node.operand[2]).value);
    out_.calls.push_back({graph_->function(node), component});
    return add_value({.kind = Value::Kind::computed},
                     {.op = Opcode::call,
                      .operand = {list->second, no_value, no_value},
                      .exponent = static_cast<std::int32_t>(out_.calls.size() - 1)});
  }

  /// The step for one node by itself. Every choice made here gives the bits of the plain operation.
  Step choose_form(const Node& node) {
    Step s;
    s.op = opcode_of(node.op);
    for (int i = 0; i < arity(node.op); ++i) s.operand[i] = value_of_.at(node.operand[i]);
    if (node.op == Op::power && constant_of(s.operand[1]) != nullptr) choose_power(s);
    if (node.op == Op::divide) choose_quotient(s);
    if (s.op == Opcode::multiply && s.operand[0] == s.operand[1]) {
      s.op = Opcode::square;
      s.operand[1] = no_value;
    }
    return s;
  }

  /// if(a < b, 1, 0): the comparison gives just that by itself.
  bool is_its_condition(const Step& s) const {
    if (s.op != Opcode::select) return false;
    const Opcode condition = form_[s.operand[0]].op;
    const double *one = constant_of(s.operand[1]), *zero = constant_of(s.operand[2]);
    return (condition == Opcode::less || condition == Opcode::less_equal) &&
           out_.values[s.operand[0]].kind == Value::Kind::computed && one != nullptr && *one == 1.0 &&
           zero != nullptr && *zero == 0.0 && !std::signbit(*zero);
  }

  const double* constant_of(ValueId v) const {
    const Value& value = out_.values[v];
    return value.kind == Value::Kind::constant ? &value.constant : nullptr;
  }

  /// x^n for a whole n up to 64 by multiplication: this defines its value, on every road.
  void choose_power(Step& s) const {
    const double n = *constant_of(s.operand[1]);
    if (n != std::trunc(n) || std::abs(n) > 64) return;
    s.operand[1] = no_value;
    s.op = n == 2 ? Opcode::square : n == -1 ? Opcode::reciprocal : Opcode::integer_power;
    s.exponent = static_cast<std::int32_t>(n);
  }

  /// 1/x, and x/2^k as x * 2^-k: both are the rounding of the same real number, and a product is much
  /// cheaper.
  void choose_quotient(Step& s) {
    if (const double* d = constant_of(s.operand[1])) {
      int exponent = 0;
      const double inverse = 1.0 / *d;
      if (std::abs(std::frexp(*d, &exponent)) != 0.5 || !std::isnormal(inverse)) return;
      s.op = Opcode::multiply;
      s.operand[1] = add_constant(inverse);
    } else if (const double* n = constant_of(s.operand[0]); n != nullptr && *n == 1.0) {
      s.op = Opcode::reciprocal;
      s.operand[0] = s.operand[1];
      s.operand[1] = no_value;
    }
  }

  /// A step on constants, through the table that runs programs.
  double evaluate(const Step& s) const {
    double file[4] = {0, 0, 0, 0};
    Instruction code[2] = {{s.op, 3, 0, 1, 2}, {Opcode::stop, 0, 0, 0, 0}};
    for (int i = 0; i < 3; ++i) {
      if (s.operand[i] != no_value) file[i] = *constant_of(s.operand[i]);
    }
    if (s.op == Opcode::integer_power) code[0].b = static_cast<std::uint32_t>(s.exponent);
    execute_one(code, file);
    return file[3];
  }

  void count_readers() {
    readers_.assign(out_.values.size(), 0);
    for (const Step& s : form_) {
      for (const ValueId v : s.operand) {
        if (v != no_value) ++readers_[v];
      }
    }
    for (const ValueId v : out_.outputs) ++readers_[v];
    absorbed_.assign(out_.values.size(), false);
  }

  /// a*b + c, a*b - c, c - a*b where nothing else reads the product. An output is read by the caller.
  void absorb_product(ValueId sum) {
    Step& s = form_[sum];
    if (s.op != Opcode::add && s.op != Opcode::subtract) return;
    for (const int side : {0, 1}) {
      const ValueId product = s.operand[side], other = s.operand[1 - side];
      const Step& p = form_[product];
      if (!is_product(p) || readers_[product] != 1) continue;
      s.op = s.op == Opcode::add ? Opcode::multiply_add
             : side == 0         ? Opcode::multiply_subtract
                                 : Opcode::subtract_multiply;
      s.operand[0] = p.operand[0];
      s.operand[1] = p.op == Opcode::square ? p.operand[0] : p.operand[1];
      s.operand[2] = other;
      absorbed_[product] = true;
      return;
    }
  }

  void emit(ValueId v) {
    if (out_.values[v].kind != Value::Kind::computed || absorbed_[v]) return;
    Step s = form_[v];
    s.result = v;
    if ((s.op == Opcode::sin || s.op == Opcode::cos) && joins_partner(s)) return;
    out_.values[v].step = static_cast<StepId>(out_.steps.size());
    out_.steps.push_back(s);
  }

  /// A sine or cosine whose partner has a step already makes that one give both.
  bool joins_partner(const Step& s) {
    const auto [where, is_first] = circle_.try_emplace(s.operand[0], static_cast<StepId>(out_.steps.size()));
    if (is_first) return false;
    Step& partner = out_.steps[where->second];
    out_.values[s.result].step = where->second;
    partner.cosine = s.op == Opcode::cos ? s.result : partner.result;
    partner.result = s.op == Opcode::sin ? s.result : partner.result;
    partner.op = Opcode::sin_cos;
    return true;
  }

  std::span<const Expr> outputs_, inputs_;
  Graph* graph_ = nullptr;  // none when every output is a plain constant
  std::unordered_map<NodeId, std::uint32_t> input_of_;
  ValueTable value_of_;
  std::unordered_map<ValueId, StepId> circle_;     // the step that takes the sine or cosine of a value
  std::unordered_map<NodeId, ValueId> arguments_;  // of each list: its last argument
  std::vector<Step> form_;                         // of each value
  std::vector<std::uint32_t> readers_;             // of each value
  std::vector<bool> absorbed_;                     // products that are part of a sum
  Lowered out_;
};

}  // namespace

Lowered lower(std::span<const Expr> outputs, std::span<const Expr> inputs) {
  return Lowering(outputs, inputs).run();
}

}  // namespace vinculum::kernel
