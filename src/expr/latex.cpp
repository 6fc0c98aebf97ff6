#include <cmath>
#include <numbers>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/expr/called_name.hpp"
#include "vinculum/expr/latex_atom.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }
bool is_product(Op op) { return op == Op::multiply || op == Op::divide; }
// sin^2 x is common; the exponents of other functions go outside parentheses.
bool takes_exponent(Op op) { return (op >= Op::sin && op <= Op::tan) || (op >= Op::sinh && op <= Op::tanh); }

// Writes without recursion, like the text printer. Signs travel outwards: a node is written as its sign,
// which the place it stands in may merge with its own, and its magnitude.
class LatexPrinter {
 public:
  LatexPrinter(Graph& graph, std::size_t limit) : graph_(graph), limit_(limit) {}
  std::string print(const Expr& root);

 private:
  enum class As : std::uint8_t { node, magnitude, factor, square, exponent, arguments, literal };
  struct Item {
    As as;
    NodeId id = 0;
    std::string_view literal = {};
  };
  struct Term {
    NodeId id;
    bool negative;
  };
  struct Fraction {
    std::vector<NodeId> numbers_above, above, numbers_below, below;
    bool half = false;  // a factor 0.5
  };

  Op op(NodeId id) const { return graph_.node(id).op; }
  double value(NodeId id) const { return graph_.node(id).value; }
  NodeId operand(NodeId id, int i) const { return graph_.node(id).operand[i]; }
  bool minus(NodeId id) const { return minus_.at(id); }
  bool find_minus(NodeId id) const;
  bool is_bare_argument(NodeId id) const;
  bool is_bare_call(NodeId id) const;
  bool is_simple_base(NodeId id) const;
  bool begins_with_digit(NodeId id) const;
  bool is_wide(NodeId id) const;
  std::string_view between(NodeId left, NodeId right) const;
  std::string_view after_number(const std::vector<NodeId>& numbers, const std::vector<NodeId>& others) const;

  std::vector<Term> terms(NodeId sum) const;
  Fraction factors(NodeId product) const;
  void check_size(std::size_t count) const;

  void write(const Item& item);
  void write_magnitude(NodeId id);
  void write_function(NodeId id);
  void write_call(NodeId id, std::string_view exponent);
  void write_power(NodeId base, NodeId exponent);
  void write_square(NodeId base);
  void later_base(NodeId base);
  void write_sum(NodeId id);
  void write_product(NodeId id);
  void write_arguments(NodeId id);
  void later_factors(const std::vector<NodeId>& numbers, const std::vector<NodeId>& others, bool enclosed);
  void append(std::string_view text);
  void later(std::string_view literal) { stack_.push_back({As::literal, 0, literal}); }
  void later(As as, NodeId id) { stack_.push_back({as, id}); }

  Graph& graph_;
  std::size_t limit_;
  std::unordered_map<NodeId, bool> minus_;  // whether the node is written with a sign in front
  std::vector<Item> stack_;
  std::string out_;
};

// --- What a node looks like ----------------------------------------------------------------------

bool LatexPrinter::find_minus(NodeId id) const {
  switch (op(id)) {
    case Op::constant:
      return value(id) < 0;
    case Op::negate:
      return !minus(operand(id, 0));
    case Op::multiply:
    case Op::divide:
      return minus(operand(id, 0)) != minus(operand(id, 1));
    default:
      return false;
  }
}

// sin x, sin 2: no parentheses needed.
bool LatexPrinter::is_bare_argument(NodeId id) const {
  return op(id) == Op::symbol || (op(id) == Op::constant && !minus(id));
}
bool LatexPrinter::is_bare_call(NodeId id) const {
  if (op(id) == Op::power) {
    const NodeId base = operand(id, 0);
    return takes_exponent(op(base)) && is_bare_call(base);
  }
  return !function_latex(op(id)).empty() && arity(op(id)) == 1 && is_bare_argument(operand(id, 0));
}

bool LatexPrinter::is_simple_base(NodeId id) const {
  switch (op(id)) {
    case Op::symbol:
    case Op::abs:
    case Op::sqrt:
    case Op::hypot:
      return true;
    case Op::constant:
      return !minus(id) && magnitude_latex(value(id)).find_first_of("^{") == std::string::npos;
    default:
      return false;
  }
}

bool LatexPrinter::begins_with_digit(NodeId id) const {
  if (op(id) == Op::power) id = operand(id, 0);
  return op(id) == Op::constant && std::isfinite(value(id)) && std::abs(value(id)) != std::numbers::pi;
}

bool LatexPrinter::is_wide(NodeId id) const {
  if (op(id) == Op::power) id = operand(id, 0);
  return op(id) == Op::symbol && is_word(graph_.symbol_name(id));
}

// Letters stand side by side; numbers need a dot between them, words and bare functions a thin space.
std::string_view LatexPrinter::between(NodeId left, NodeId right) const {
  if (begins_with_digit(right)) return " \\cdot ";
  return is_bare_call(left) || is_wide(left) || is_wide(right) ? "\\," : " ";
}

std::string_view LatexPrinter::after_number(const std::vector<NodeId>& numbers,
                                            const std::vector<NodeId>& others) const {
  return begins_with_digit(numbers.empty() ? others[0] : numbers[0]) ? " \\cdot " : " ";
}

// --- Sums and products, flattened ----------------------------------------------------------------

void LatexPrinter::check_size(std::size_t count) const {
  if (count > limit_)
    fail("the LaTeX of the expression is longer than " + std::to_string(limit_) + " characters");
}

// a + (b - c) loses its parentheses, a - (b - c) keeps them: signs inside stay as they were written.
std::vector<LatexPrinter::Term> LatexPrinter::terms(NodeId sum) const {
  std::vector<Term> result;
  std::vector<Term> open{{sum, false}};
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    if (!is_sum(op(term.id)) || term.negative) {
      result.push_back(term);
      check_size(result.size());
      continue;
    }
    open.push_back({operand(term.id, 1), op(term.id) == Op::subtract});
    open.push_back({operand(term.id, 0), false});
  }
  return result;
}

LatexPrinter::Fraction LatexPrinter::factors(NodeId product) const {
  Fraction result;
  std::vector<std::pair<NodeId, bool>> open{{product, false}};
  std::size_t count = 0;
  while (!open.empty()) {
    const auto [id, below] = open.back();
    open.pop_back();
    if (is_product(op(id))) {
      open.emplace_back(operand(id, 1), below != (op(id) == Op::divide));
      open.emplace_back(operand(id, 0), below);
      continue;
    }
    check_size(++count);
    if (op(id) == Op::negate) {
      open.emplace_back(operand(id, 0), below);
    } else if (op(id) != Op::constant) {
      (below ? result.below : result.above).push_back(id);
    } else if (!below && !result.half && std::abs(value(id)) == 0.5) {
      result.half = true;
    } else if (std::abs(value(id)) != 1) {
      (below ? result.numbers_below : result.numbers_above).push_back(id);
    }
  }
  return result;
}

// --- Writing -------------------------------------------------------------------------------------

void LatexPrinter::append(std::string_view text) {
  check_size(out_.size() + text.size());
  out_ += text;
}

void LatexPrinter::write(const Item& item) {
  const NodeId id = item.id;
  switch (item.as) {
    case As::literal:
      append(item.literal);
      break;
    case As::node:
      if (minus(id)) append("-");
      write_magnitude(id);
      break;
    case As::magnitude:
      write_magnitude(id);
      break;
    case As::factor: {
      NodeId inner = id;
      while (op(inner) == Op::negate) inner = operand(inner, 0);
      if (!is_sum(op(inner)) && op(inner) != Op::select) {
        write_magnitude(inner);
        break;
      }
      append("\\left(");
      later("\\right)");
      later(As::node, inner);
      break;
    }
    case As::square:
      write_square(id);
      break;
    case As::exponent:
      append(exponent_latex(value(id)));
      break;
    case As::arguments:
      write_arguments(id);
      break;
  }
}

void LatexPrinter::write_magnitude(NodeId id) {
  switch (op(id)) {
    case Op::constant:
      append(magnitude_latex(value(id)));
      break;
    case Op::symbol:
      append(name_latex(graph_.symbol_name(id)));
      break;
    case Op::add:
    case Op::subtract:
      write_sum(id);
      break;
    case Op::multiply:
    case Op::divide:
      write_product(id);
      break;
    case Op::negate:
      later(As::factor, operand(id, 0));
      break;
    case Op::power:
      write_power(operand(id, 0), operand(id, 1));
      break;
    default:
      write_function(id);
  }
}

void LatexPrinter::write_sum(NodeId id) {
  const std::vector<Term> all = terms(id);
  for (std::size_t i = all.size(); i-- > 1;) {
    later(As::factor, all[i].id);
    later(all[i].negative != minus(all[i].id) ? " - " : " + ");
  }
  later(As::factor, all[0].id);
  if (minus(all[0].id)) later("-");
}

void LatexPrinter::later_factors(const std::vector<NodeId>& numbers, const std::vector<NodeId>& others,
                                 bool enclosed) {
  std::vector<NodeId> all = numbers;
  all.insert(all.end(), others.begin(), others.end());
  const bool alone = enclosed && all.size() == 1;
  for (std::size_t i = all.size(); i-- > 0;) {
    later(alone ? As::magnitude : As::factor, all[i]);
    if (i > 0) later(between(all[i - 1], all[i]));
  }
}

void LatexPrinter::write_product(NodeId id) {
  const Fraction f = factors(id);
  const bool is_fraction = !f.below.empty() || !f.numbers_below.empty();
  const bool nothing_above = f.above.empty() && f.numbers_above.empty();
  if (!is_fraction && f.half) {
    // One half leads its product: \frac{1}{2} m v^{2}.
    append("\\frac{1}{2}");
    if (!nothing_above) append(after_number(f.numbers_above, f.above));
  }
  if (!is_fraction) {
    if (nothing_above && !f.half) append("1");
    later_factors(f.numbers_above, f.above, false);
    return;
  }
  append("\\frac{");
  if (nothing_above) append("1");
  later("}");
  later_factors(f.numbers_below, f.below, !f.half);
  if (f.half) later(after_number(f.numbers_below, f.below));
  if (f.half) later("2");
  later("}{");
  later_factors(f.numbers_above, f.above, true);
}

void LatexPrinter::write_power(NodeId base, NodeId exponent) {
  const bool is_constant = op(exponent) == Op::constant;
  if (is_constant && takes_exponent(op(base))) {
    const std::string text = exponent_latex(value(exponent));
    const bool whole = text.find_first_not_of("0123456789") == text.npos;
    if (whole) return write_call(base, text);
  }
  later("}");
  later(is_constant ? As::exponent : As::node, exponent);
  later("^{");
  later_base(base);
}

void LatexPrinter::write_square(NodeId base) {
  if (takes_exponent(op(base))) return write_call(base, "2");
  later("^{2}");
  later_base(base);
}

void LatexPrinter::later_base(NodeId base) {
  const bool simple = is_simple_base(base);
  if (!simple) later("\\right)");
  later(As::node, base);
  if (!simple) later("\\left(");
}

void LatexPrinter::write_call(NodeId id, std::string_view exponent) {
  append(function_latex(op(id)));
  if (!exponent.empty()) {
    append("^{");
    append(exponent);
    append("}");
  }
  const NodeId argument = operand(id, 0);
  if (arity(op(id)) == 1 && is_bare_argument(argument)) {
    const std::string text = op(argument) == Op::constant ? magnitude_latex(value(argument))
                                                          : name_latex(graph_.symbol_name(argument));
    if (text[0] != '\\') append(" ");
    append(text);
    return;
  }
  append("\\left(");
  later("\\right)");
  later(As::arguments, id);
}

void LatexPrinter::write_arguments(NodeId id) {
  for (int i = arity(op(id)) - 1; i > 0; --i) {
    later(As::node, operand(id, i));
    later(", ");
  }
  const NodeId first = operand(id, 0);
  const bool in_place = op(first) == op(id) && (op(id) == Op::min || op(id) == Op::max);
  later(in_place ? As::arguments : As::node, first);
}

void LatexPrinter::write_function(NodeId id) {
  const NodeId a = operand(id, 0), b = operand(id, 1), c = operand(id, 2);
  const auto enclose = [this, a](std::string_view before, std::string_view after) {
    append(before);
    later(after);
    later(As::node, a);
  };
  switch (op(id)) {
    case Op::sqrt:
      enclose("\\sqrt{", "}");
      break;
    case Op::exp:
      enclose("e^{", "}");
      break;
    case Op::abs:
      enclose("\\left|", "\\right|");
      break;
    case Op::hypot:
      append("\\sqrt{");
      later("}");
      later(As::square, b);
      later(" + ");
      later(As::square, a);
      break;
    case Op::less:
    case Op::less_equal:
      later(As::node, b);
      later(op(id) == Op::less ? " < " : " \\le ");
      later(As::node, a);
      break;
    case Op::select:
      append("\\begin{cases} ");
      later(" & \\text{otherwise} \\end{cases}");
      later(As::node, c);
      later(" \\\\ ");
      later(As::node, a);
      later(" & \\text{if } ");
      later(As::node, b);
      break;
    case Op::call:
      append(name_latex(called_name(graph_, graph_.node(id))));
      append("\\left(");
      later("\\right)");
      later(As::node, b);
      break;
    case Op::argument:
      if (op(b) == Op::argument) {
        later(As::node, b);
        later(", ");
      }
      later(As::node, a);
      break;
    default:
      write_call(id, "");
  }
}

std::string LatexPrinter::print(const Expr& root) {
  for (const NodeId id : graph_.reachable({&root, 1})) minus_.emplace(id, find_minus(id));
  later(As::node, root.id());
  while (!stack_.empty()) {
    const Item item = stack_.back();
    stack_.pop_back();
    write(item);
  }
  return std::move(out_);
}

}  // namespace

std::string to_latex(const Expr& e, std::size_t limit) {
  if (e.is_constant()) return (e.value() < 0 ? "-" : "") + magnitude_latex(e.value());
  return LatexPrinter(*e.graph(), limit).print(e);
}

}  // namespace vinculum
