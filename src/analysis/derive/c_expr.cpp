#include "analysis/derive/c_expr.hpp"

#include "vinculum/expr/called_name.hpp"

#include <cctype>
#include <cmath>

#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::derive {
namespace {

constexpr std::size_t longest_inline = 400;  // compilers nest expressions on their stack
constexpr int largest_whole_power = 1 << 20;

constexpr const char* words_of_c[] = {
    "auto",       "break",       "case",      "char",      "const",      "continue",
    "default",    "do",          "double",    "else",      "enum",       "extern",
    "float",      "for",         "goto",      "if",        "inline",     "int",
    "long",       "register",    "restrict",  "return",    "short",      "signed",
    "sizeof",     "static",      "struct",    "switch",    "typedef",    "union",
    "unsigned",   "void",        "volatile",  "while",     "asm",        "main",
    "fabs",       "pow",         "NAN",       "INFINITY",  "NULL",       "q",
    "v",          "p",           "t",         "M",         "Q",          "A",
    "b",          "C",           "lambda",    "rate",      "HUGE_VAL",   "EOF",
    "velocities", "rows",        "row_space", "smaller",   "larger",     "sign_of",
    "square",     "whole_power", "HUGE_VALF", "HUGE_VALL", "MATH_ERRNO", "math_errhandling",
    "FP_NAN",     "FP_ZERO",     "linux",     "unix",      "i",          "M_PI",
    "M_E"};

std::string within(const std::string& text, int level, int asked) {
  return level < asked ? "(" + text + ")" : text;
}

struct Helper {
  const char* name;
  const char* definition;
};
constexpr Helper helper_table[] = {
    {"square", "static double square(double x) { return x * x; }\n"},
    {"whole_power",
     "/* x^n by repeated squaring. */\n"
     "static double whole_power(double x, int n) {\n"
     "  double result = 1.0;\n"
     "  int rest = n < 0 ? -n : n;\n"
     "  for (; rest != 0; rest >>= 1, x *= x)\n"
     "    if (rest & 1) result *= x;\n"
     "  return n < 0 ? 1.0 / result : result;\n"
     "}\n"},
    {"sign_of", "static double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }\n"},
    {"smaller", "static double smaller(double x, double y) { return x < y ? x : y <= x ? y : x + y; }\n"},
    {"larger", "static double larger(double x, double y) { return x > y ? x : y >= x ? y : x + y; }\n"},
};

}  // namespace

NamesInC::NamesInC() {
  for (const char* word : words_of_c) taken_.insert(word);
  for (int op = static_cast<int>(Op::sin); op <= static_cast<int>(Op::hypot); ++op)
    taken_.insert(std::string(op_name(static_cast<Op>(op))));
}

std::string NamesInC::take(std::string_view name) {
  std::string text;
  std::string dots;
  for (const char c : name) {
    if (c == '\'')
      dots += 'd';
    else
      text += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  if (!dots.empty()) text += "_" + dots + "ot";
  if (text.front() == '_') text = "n" + text;
  while (!taken_.insert(text).second) text += '_';
  return text;
}

std::string identifier(std::string_view title) {
  std::string name;
  for (const char c : title) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter < 128 && std::isalnum(letter))
      name += static_cast<char>(std::tolower(letter));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) return "model";
  return std::isdigit(static_cast<unsigned char>(name.front())) ? "model_" + name : name;
}

std::string comment_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char last = out.empty() ? ' ' : out.back();
    const bool ends = (last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?');
    if (ends) out += ' ';
    out += static_cast<unsigned char>(c) < ' ' || c == '\\' ? ' ' : c;
  }
  return out;
}

std::string number_in_c(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  const std::string text = number_text(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

StatementsInC::Text StatementsInC::call(const char* function, const std::vector<std::string>& arguments) {
  std::string text = std::string(function) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + arguments[i];
  for (const Helper& h : helper_table)
    if (std::string_view(h.name) == function) helpers_.insert(h.name);
  return {text + ")", 2};
}

/// As the kernel does it: whole powers by multiplication.
StatementsInC::Text StatementsInC::write_power(const Text& base, const Expr& exponent, const Text& power) {
  const double n = exponent.is_constant() ? exponent.value() : NAN;
  if (n == 2) return call("square", {base.text});
  if (n == std::trunc(n) && std::fabs(n) <= largest_whole_power)
    return call("whole_power", {base.text, std::to_string(static_cast<int>(n))});
  return call("pow", {base.text, power.text});
}

/// A prefix of its own: what the function is called in the model may be a word of C or a helper.
StatementsInC::Text StatementsInC::write_opaque(const Expr& e, const std::string& arguments) {
  Graph& graph = model_.stated().graph();
  const std::string name = "opaque_" + called_name(graph, graph.node(e.id()));
  std::string prototype = "double " + name + "(double";
  for (int k = graph.function(graph.node(e.id()))->arguments; k > 1; --k) prototype += ", double";
  opaque_.insert(prototype + ");\n");
  return {name + "(" + arguments + ")", 2};
}

StatementsInC::Text StatementsInC::write(const Expr& e, const std::unordered_map<NodeId, Text>& known) {
  const auto part = [&](int i) -> Text {
    const Expr x = e.operand(i);
    if (!x.is_constant()) return known.at(x.id());
    return {number_in_c(x.value()), std::signbit(x.value()) ? 0 : 2};
  };
  const auto binary = [&](const char* sign, int level) -> Text {
    const Text a = part(0), b = part(1);
    return {within(a.text, a.level, level) + sign + within(b.text, b.level, level + 1), level};
  };
  switch (e.op()) {
    case Op::add:
      return binary(" + ", 0);
    case Op::subtract:
      return binary(" - ", 0);
    case Op::multiply:
      return binary(" * ", 1);
    case Op::divide:
      return binary(" / ", 1);
    case Op::negate:
      return {"-" + within(part(0).text, part(0).level, 2), 0};
    case Op::power:
      return write_power(part(0), e.operand(1), part(1));
    case Op::abs:
      return call("fabs", {part(0).text});
    case Op::sign:
      return call("sign_of", {part(0).text});
    case Op::min:
      return call("smaller", {part(0).text, part(1).text});
    case Op::max:
      return call("larger", {part(0).text, part(1).text});
    case Op::less:
      return {"(" + part(0).text + " < " + part(1).text + ")", 2};
    case Op::less_equal:
      return {"(" + part(0).text + " <= " + part(1).text + ")", 2};
    case Op::select:
      return {"(" + part(0).text + " ? " + part(1).text + " : " + part(2).text + ")", 2};
    case Op::argument:
      return {part(0).text + (e.operand(1).op() == Op::argument ? ", " + part(1).text : ""), 2};
    case Op::call:
      return write_opaque(e, part(1).text);
    default: {
      std::vector<std::string> arguments;
      for (int i = 0; i < arity(e.op()); ++i) arguments.push_back(part(i).text);
      return call(std::string(op_name(e.op())).c_str(), arguments);
    }
  }
}

std::string StatementsInC::assign(const std::vector<std::pair<std::string, Expr>>& results) {
  std::vector<Expr> roots;
  for (const auto& [target, value] : results) roots.push_back(value);
  Graph& graph = model_.stated().graph();
  const std::vector<NodeId> nodes = graph.reachable(roots);
  std::unordered_map<NodeId, int> uses;
  for (const NodeId id : nodes)
    for (int i = 0; i < arity(graph.node(id).op); ++i) ++uses[graph.node(id).operand[i]];
  for (const Expr& root : roots)
    if (!root.is_constant()) ++uses[root.id()];

  NamesInC names;
  std::string out;
  std::unordered_map<NodeId, Text> known;
  const auto local = [&](const std::string& name, const std::string& value) {
    out += "  const double " + name + " = " + value + ";\n";
    return Text{name, 2};
  };
  for (const Expr& s : symbols_of(roots)) {
    if (model_.stated().role(s).role == Role::time)
      known[s.id()] = {"t", 2};
    else
      known[s.id()] = local(names.take(s.name()), from_(s));
  }
  int count = 0;
  for (const NodeId id : nodes) {
    const Expr e = graph.at(id);
    if (e.is_constant() || e.is_symbol()) continue;
    Text text = write(e, known);
    const bool part = e.op() == Op::less || e.op() == Op::less_equal || e.op() == Op::argument;
    if (!part && (uses[id] > 1 || text.text.size() > longest_inline))
      text = local(names.take("s" + std::to_string(++count)), text.text);
    known[id] = std::move(text);
  }
  for (const auto& [target, value] : results)
    out += "  " + target + " = " +
           (value.is_constant() ? number_in_c(value.value()) : known.at(value.id()).text) + ";\n";
  return out;
}

std::string StatementsInC::helpers() const {
  std::string out;
  if (!opaque_.empty())
    out += "/* Opaque: written in C++ in the model, to be given to whoever links this file. */\n";
  for (const std::string& prototype : opaque_) out += prototype;
  for (const Helper& h : helper_table)
    if (helpers_.contains(h.name)) out += h.definition;
  return out;
}

}  // namespace vinculum::derive
