#include "vinculum/expr/print.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/called_name.hpp"

namespace vinculum {
namespace {

// What the printer decides about a node before it writes it, from the operands up.
struct Shape {
  bool swapped = false;    // second operand first: reads better, and a*b and b*a are one node
  bool minus = false;      // the text begins with '-'
  bool negatable = false;  // '-' in front of the text is the negative of the node (see sign_passes)
  int nesting = 0;         // levels the parser will count
};

// A product 2*(x*y) keeps its number in front while the parser has levels to spare.
constexpr int nesting_to_spare = 100;

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }
bool is_product(Op op) { return op == Op::multiply || op == Op::divide; }
bool is_comparison(Op op) { return op == Op::less || op == Op::less_equal; }
bool takes_any_number(Op op) { return op == Op::min || op == Op::max; }
bool may_swap(Op op) { return op == Op::add || op == Op::multiply; }

std::string constant_text(double value) {
  if (!std::isfinite(value)) {
    fail("the constant " + number_text(value) +
         " cannot be written in an expression; only finite numbers can");
  }
  if (std::abs(value) == std::numbers::pi) return value < 0 ? "-pi" : "pi";
  return number_text(value);
}

// Writes without recursion: what is still to be written lies on a stack, so depth costs memory only.
class TextPrinter {
 public:
  /// A text longer than `limit` is an error, or is cut there.
  TextPrinter(Graph& graph, std::size_t limit, bool cut = false) : graph_(graph), limit_(limit), cut_(cut) {}
  std::string print(const Expr& root);

 private:
  enum class As : std::uint8_t { node, parenthesised, arguments, literal };
  struct Item {
    As as;
    NodeId id = 0;
    std::string_view literal = {};
  };

  void study(NodeId id);
  void study_binary(const Node& node, Shape& shape);
  void study_call(const Node& node, Shape& shape);
  bool sign_passes(const Node& node, const Shape& shape) const;
  void check_comparisons(const Node& node) const;

  Op op(NodeId id) const { return graph_.node(id).op; }
  const Shape& shape(NodeId id) const { return shapes_.at(id); }
  bool parens_left(Op parent, NodeId child) const;
  bool parens_right(Op parent, NodeId child) const;
  int nesting(NodeId child, bool parens) const { return shape(child).nesting + (parens ? 1 : 0); }

  void write(const Item& item);
  void write_node(NodeId id);
  void write_arguments(NodeId id);
  void append(std::string_view text);
  void later(std::string_view literal) { stack_.push_back({As::literal, 0, literal}); }
  void later(NodeId id, bool parens = false) {
    stack_.push_back({parens ? As::parenthesised : As::node, id});
  }

  Graph& graph_;
  std::size_t limit_;
  bool cut_, full_ = false;  // whether it may be cut, and was
  std::unordered_map<NodeId, Shape> shapes_;
  std::vector<Item> stack_;
  std::string out_;
};

// --- Shapes --------------------------------------------------------------------------------------

bool TextPrinter::parens_left(Op parent, NodeId child) const {
  const Op c = op(child);
  if (is_sum(parent)) return false;
  if (is_product(parent)) return is_sum(c) || c == Op::negate;
  return is_sum(c) || is_product(c) || c == Op::power || shape(child).minus;  // the base of a power
}

// Behind an operator a sign would be read correctly, but x - (-2) reads better than x - -2.
bool TextPrinter::parens_right(Op parent, NodeId child) const {
  const Op c = op(child);
  if (is_sum(c) || shape(child).minus) return true;
  return !is_sum(parent) && is_product(c);
}

void TextPrinter::study_binary(const Node& node, Shape& s) {
  NodeId left = node.operand[0], right = node.operand[1];
  const auto parens = [&](NodeId l, NodeId r) {
    return int{parens_left(node.op, l)} + int{parens_right(node.op, r)};
  };
  if (may_swap(node.op)) {
    const int kept = parens(left, right), swapped = parens(right, left);
    const bool deeper = parens_right(node.op, right) && shape(right).nesting > shape(left).nesting;
    s.swapped = swapped < kept || (swapped == kept && deeper);
    const bool number_leads = node.op == Op::multiply && op(left) == Op::constant && !shape(right).minus;
    if (number_leads && shape(right).nesting < nesting_to_spare) s.swapped = false;
  }
  if (s.swapped) std::swap(left, right);
  const bool left_parens = parens_left(node.op, left);
  const int beyond = node.op == Op::power ? 1 : 0;
  s.minus = !left_parens && shape(left).minus;
  s.nesting = std::max(nesting(left, left_parens), nesting(right, parens_right(node.op, right)) + beyond);
  s.negatable = is_product(node.op) && sign_passes(node, s);
}

// Whether the graph turns (-l)*r, which is how '-' before the text l*r is read, into -(l*r). It does not
// where it can put the sign elsewhere: into a number, or by exchanging the sides of a difference.
bool TextPrinter::sign_passes(const Node& node, const Shape& s) const {
  const NodeId left = node.operand[s.swapped ? 1 : 0], right = node.operand[s.swapped ? 0 : 1];
  if (node.op == Op::multiply && op(right) == Op::constant) return false;
  if (is_product(op(left))) return shape(left).negatable;
  return op(left) != Op::constant && op(left) != Op::subtract && op(left) != Op::negate;
}

void TextPrinter::study_call(const Node& node, Shape& s) {
  const int count = arity(node.op);
  if (takes_any_number(node.op)) {
    const bool left_same = op(node.operand[0]) == node.op, right_same = op(node.operand[1]) == node.op;
    const int left = shape(node.operand[0]).nesting, right = shape(node.operand[1]).nesting;
    s.swapped = right_same && (!left_same || right > left);
    const bool flat = s.swapped ? right_same : left_same;
    s.nesting =
        flat ? std::max(s.swapped ? right : left, 1 + (s.swapped ? left : right)) : 1 + std::max(left, right);
    return;
  }
  for (int i = 0; i < count; ++i) s.nesting = std::max(s.nesting, shape(node.operand[i]).nesting);
  if (!is_comparison(node.op)) ++s.nesting;
}

void TextPrinter::check_comparisons(const Node& node) const {
  for (int i = 0; i < arity(node.op); ++i) {
    const bool is_condition = node.op == Op::select && i == 0;
    if (is_comparison(op(node.operand[i])) == is_condition) continue;
    fail(is_condition ? "the condition of an 'if' is no comparison and cannot be written as text"
                      : "a comparison outside the condition of an 'if' cannot be written as text");
  }
}

void TextPrinter::study(NodeId id) {
  const Node& node = graph_.node(id);
  check_comparisons(node);
  Shape s;
  if (node.op == Op::constant) {
    s.minus = std::signbit(node.value);
    s.nesting = s.minus ? 1 : 0;
  } else if (node.op == Op::negate) {
    s.minus = true;
    s.nesting = 2 + shape(node.operand[0]).nesting;
  } else if (is_sum(node.op) || is_product(node.op) || node.op == Op::power) {
    study_binary(node, s);
  } else {
    study_call(node, s);
  }
  shapes_.emplace(id, s);
}

// --- Writing -------------------------------------------------------------------------------------

void TextPrinter::append(std::string_view text) {
  if (full_) return;
  if (text.size() > limit_ - out_.size()) {
    if (cut_) {
      out_ += text.substr(0, limit_ - out_.size());
      out_ += " ..";
      full_ = true;
      return;
    }
    fail("the text of the expression is longer than " + std::to_string(limit_) + " characters");
  }
  out_ += text;
}

void TextPrinter::write(const Item& item) {
  switch (item.as) {
    case As::literal:
      append(item.literal);
      break;
    case As::parenthesised:
      append("(");
      later(")");
      later(item.id);
      break;
    case As::arguments:
      write_arguments(item.id);
      break;
    case As::node:
      write_node(item.id);
      break;
  }
}

std::string_view sign_of_operator(Op op) {
  switch (op) {
    case Op::add:
      return " + ";
    case Op::subtract:
      return " - ";
    case Op::less:
      return " < ";
    case Op::less_equal:
      return " <= ";
    default:
      return op_name(op);
  }
}

// The stack gives back last what is put on it first.
void TextPrinter::write_node(NodeId id) {
  const Node& node = graph_.node(id);
  const bool swapped = shape(id).swapped;
  const NodeId left = node.operand[swapped ? 1 : 0], right = node.operand[swapped ? 0 : 1];
  switch (node.op) {
    case Op::constant:
      append(constant_text(node.value));
      break;
    case Op::symbol:
      append(graph_.symbol_name(id));
      break;
    case Op::negate:
      append("-");
      later(left, is_sum(op(left)) || shape(left).minus || (is_product(op(left)) && !shape(left).negatable));
      break;
    case Op::less:
    case Op::less_equal:
      later(right);
      later(sign_of_operator(node.op));
      later(left);
      break;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
      later(right, parens_right(node.op, right));
      later(sign_of_operator(node.op));
      later(left, parens_left(node.op, left));
      break;
    case Op::call:
      append(called_name(graph_, node));
      append("(");
      later(")");
      later(node.operand[1]);
      break;
    case Op::argument:
      if (op(right) == Op::argument) {
        later(right);
        later(", ");
      }
      later(left);
      break;
    default:
      append(op_name(node.op));
      append("(");
      later(")");
      stack_.push_back({As::arguments, id});
  }
}

// min(min(a, b), c) is min(a, b, c): the arguments of the inner one are written in place.
void TextPrinter::write_arguments(NodeId id) {
  const Node& node = graph_.node(id);
  const int count = arity(node.op);
  for (int i = count - 1; i > 0; --i) {
    later(node.operand[shape(id).swapped ? 0 : i]);
    later(", ");
  }
  const NodeId first = node.operand[shape(id).swapped ? 1 : 0];
  const bool in_place = takes_any_number(node.op) && op(first) == node.op;
  stack_.push_back({in_place ? As::arguments : As::node, first});
}

std::string TextPrinter::print(const Expr& root) {
  if (is_comparison(root.op()))
    fail("a comparison outside the condition of an 'if' cannot be written as text");
  for (const NodeId id : graph_.reachable({&root, 1})) study(id);
  later(root.id());
  while (!stack_.empty() && !full_) {
    const Item item = stack_.back();
    stack_.pop_back();
    write(item);
  }
  return std::move(out_);
}

}  // namespace

std::string to_text(const Expr& e, std::size_t limit) {
  if (e.is_constant()) return constant_text(e.value());
  return TextPrinter(*e.graph(), limit).print(e);
}

std::string to_short_text(const Expr& e, std::size_t limit) {
  if (e.is_constant()) return constant_text(e.value());
  return TextPrinter(*e.graph(), limit, true).print(e);
}

}  // namespace vinculum
