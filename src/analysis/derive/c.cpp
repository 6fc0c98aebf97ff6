// The equations of motion as one self-contained C99 file.
#include <algorithm>

#include "analysis/derive/c_expr.hpp"
#include "analysis/derive/c_solver.hpp"
#include "analysis/derive/page.hpp"
#include "vinculum/analysis/derive.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using derive::StatementsInC;
using Results = std::vector<std::pair<std::string, Expr>>;

/// The file's solver keeps dense matrices on the stack: 1 MB in all.
constexpr std::size_t most_velocities = 128, most_rows = 256;

std::string indexed(const char* array, std::size_t i) {
  return std::string(array) + "[" + std::to_string(i) + "]";
}

class FileInC {
 public:
  FileInC(const Model& model, const std::string& title)
      : model_(model),
        title_(title),
        name_(derive::identifier(title)),
        e_(symbolic_equations(model)),
        statements_(model, [this](const Expr& symbol) { return place_of(symbol); }),
        vakonomic_(model.mechanics() == Mechanics::vakonomic) {
    for (const Expr& c : e_.C) after_ = after_ || depends_on_multipliers(model, c);
  }

  std::string write() {
    const std::string equations = write_equations(), nonideal = write_nonideal(), rates = write_rates();
    return write_head() + write_sizes() + statements_.helpers() + equations + nonideal + rates +
           derive::solver_in_c + (e_.rows.empty() ? "" : derive::multipliers_in_c) + write_motion() +
           (e_.rows.empty() ? "" : write_multipliers());
  }

 private:
  std::string place_of(const Expr& symbol) const {
    const SymbolRole role = model_.stated().role(symbol);
    switch (role.role) {
      case Role::coordinate:
        return indexed("q", role.index);
      case Role::velocity:
        return indexed("v", role.index);
      case Role::parameter:
        return indexed("p", role.index);
      case Role::multiplier:
        return indexed("lambda", role.index);
      default:
        return "t";
    }
  }

  bool has_values() const { return model_.open_names().empty(); }

  // --- The parts of the file ---

  template <class List, class Name>
  static std::string described(const char* array, const List& list, const Name& name) {
    std::string text = "     " + std::string(array) + "[" + std::to_string(list.size()) + "] = {";
    std::size_t width = text.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string item = (i > 0 ? ", " : " ") + derive::comment_text(name(list[i]));
      if (width + item.size() > 100) {
        text += i > 0 ? ",\n        " : "\n        ";
        width = 8;
        text += item.substr(i > 0 ? 2 : 1);
      } else {
        text += item;
      }
      width += item.size();
    }
    return text + (list.empty() ? "}\n" : " }\n");
  }

  std::string write_head() const {
    const auto own_name = [](const auto& x) { return x.name; };
    std::string text =
        "/* " + derive::comment_text(title_.empty() ? name_ : title_) +
        ": the explicit equations of motion, written by vinculum derive.\n\n"
        "     M q'' = Q + A^T lambda + F^C,   A q'' = b\n\n" +
        (vakonomic_ ? "   Vakonomic motion, L + sum mu phi: mu is part of q and stands in M and Q.\n\n"
                    : "") +
        "   C99, no allocation, no library but libm:  cc -O2 -std=c99 -c FILE.c\n\n";
    text += "   The state, in the order of the arrays:\n     t  the time\n";
    text += described("q", model_.coordinates(), own_name) + described("v", model_.velocities(), own_name);
    text += described("p", model_.parameters(), own_name);
    text +=
        (has_values() ? "   p may be null: then the values of the model are taken.\n\n   int "
                      : "   p must be given: some of them have no value in the model.\n\n   int ") +
        signature() +
        "\n"
        "     writes the accelerations a and, unless it is null, the ideal constraint force f = A^T lambda,\n"
        "     both in the order of v" +
        std::string(e_.C.empty() ? "" : "; unless it is null also the non-ideal force c = F^C") +
        (vakonomic_ ? ";\n     unless it is null also lambda, in the order of the rows" : "") + ".\n" +
        (model_.servos().empty() ? ""
                                 : "     f is the " + derive::force_words(model_, e_.rows.size()) + ".\n") +
        "     0  done\n"
        "     1  rows contradict each other; a obeys the independent ones only\n"
        "     2  M is not positive where the rows leave the velocities free: nothing is written\n"
        "     3  a number is infinite or not a number: nothing is written\n\n   void " +
        equations_signature() +
        "\n"
        "     writes M and A row by row, Q and b.\n";
    if (!e_.rows.empty())
      text += "\n   int " + multipliers_signature() +
              "\n     writes the multipliers of the ideal motion, f = A^T lambda, the shortest where they "
              "are not\n"
              "     unique, and returns what the acceleration does. Rows:\n" +
              described("lambda", e_.rows, [](const std::string& row) { return row; });
    if (!e_.C.empty()) text += "     (C, the vector of non-ideal forces, is not part of them.)\n";
    if (!e_.rates.empty())
      text += "\n   void " + rates_signature() + "\n     writes q', which is not v here" +
              (vakonomic_ ? ": mu' = -lambda" : "") + ".\n";
    return text + "*/\n#include <math.h>\n\n";
  }

  std::string signature() const {
    return name_ +
           "_acceleration(double t, const double q[], const double v[], const double p[],\n"
           "       double a[], double f[]" +
           (e_.C.empty() ? "" : ", double c[]") + (vakonomic_ ? ", double lambda[])" : ")");
  }
  std::string equations_signature() const {
    return name_ +
           "_equations(double t, const double q[], const double v[], const double p[],\n"
           "       double M[], double Q[], double A[], double b[])";
  }
  std::string multipliers_signature() const {
    return name_ +
           "_multipliers(double t, const double q[], const double v[], const double p[],\n"
           "       double lambda[])";
  }
  std::string rates_signature() const {
    return name_ + "_rates(double t, const double q[], const double v[], const double p[], " +
           (vakonomic_ ? "const double lambda[],\n       " : "") + "double rate[])";
  }

  std::string write_sizes() const {
    const std::size_t n = e_.velocities.size(), m = e_.rows.size();
    std::string text = "enum { velocities = " + std::to_string(n) + ", rows = " + std::to_string(m) +
                       ", row_space = " + std::to_string(std::max<std::size_t>(m, 1)) + " };\n\n";
    if (!model_.parameters().empty() && has_values()) {
      text += "static const double " + name_ + "_parameters[" + std::to_string(model_.parameters().size()) +
              "] = {\n";
      for (const auto& p : model_.parameters())
        text += "  " + derive::number_in_c(p.value) + ", /* " + p.name + " */\n";
      text += "};\n\n";
    }
    return text;
  }

  /// A function's first lines: parameters of the model where none are given, and nothing unused.
  std::string opening() const {
    return (model_.parameters().empty() || !has_values() ? "" : "  if (!p) p = " + name_ + "_parameters;\n") +
           std::string("  (void)t, (void)q, (void)v, (void)p;\n");
  }
  /// Declarations may follow statements in C99; the locals stand in a block of their own all the same.
  std::string body(const Results& results) { return opening() + statements_.assign(results) + "}\n"; }

  std::string write_equations() {
    const std::size_t n = e_.velocities.size(), m = e_.rows.size();
    Results results;
    for (const auto& entry : e_.M)
      results.emplace_back(indexed("M", entry.row * n + entry.column), entry.value);
    for (std::size_t i = 0; i < n; ++i) results.emplace_back(indexed("Q", i), e_.Q[i]);
    for (const auto& entry : e_.A)
      results.emplace_back(indexed("A", entry.row * n + entry.column), entry.value);
    for (std::size_t r = 0; r < m; ++r) results.emplace_back(indexed("b", r), e_.b[r]);
    return "\nvoid " + equations_signature() +
           " {\n  int i;\n  for (i = 0; i < velocities * velocities; ++i) M[i] = 0.0;\n"
           "  for (i = 0; i < rows * velocities; ++i) A[i] = 0.0;\n  (void)A, (void)b;\n" +
           body(results);
  }

  std::string write_nonideal() {
    if (e_.C.empty()) return "";
    Results results;
    for (std::size_t i = 0; i < e_.C.size(); ++i) results.emplace_back(indexed("C", i), e_.C[i]);
    return "\n/* The vector C of non-ideal forces; lambda: the multipliers of the ideal problem. */\n"
           "static void nonideal(double t, const double q[], const double v[], const double p[],\n"
           "                     const double lambda[], double C[]) {\n  (void)lambda;\n" +
           body(results);
  }

  std::string write_rates() {
    if (e_.rates.empty()) return "";
    Results results;
    for (std::size_t i = 0; i < model_.coordinates().size(); ++i)
      results.emplace_back(indexed("rate", i), model_.coordinates()[i].rate);
    for (const auto& rate : e_.rates) results[rate.coordinate].second = rate.value;
    return "\nvoid " + rates_signature() + " {\n" + body(results);
  }

  /// What every function of the motion begins with: the equations of the instant, solved.
  std::string solved_into(const char* acceleration) const {
    return "  double M[velocities * velocities], Q[velocities], A[row_space * velocities] = {0.0};\n"
           "  double b[row_space] = {0.0};\n"
           "  double pull[row_space] = {0.0}, force[velocities];\n"
           "  Split s;\n"
           "  int agree, i;\n"
           "  " +
           name_ +
           "_equations(t, q, v, p, M, Q, A, b);\n"
           "  if (!all_finite(M, velocities * velocities) || !all_finite(Q, velocities) ||\n"
           "      !all_finite(A, rows * velocities) || !all_finite(b, rows))\n"
           "    return 3;\n"
           "  find_scales(&s, M);\n"
           "  split_rows(&s, A);\n"
           "  if (!split_mass(&s, M)) return 2;\n"
           "  respond(&s, Q, b, " +
           std::string(acceleration) +
           ", pull);\n"
           "  force_of(&s, pull, force);\n"
           "  agree = rows_agree(&s, Q, A, b, " +
           acceleration + ");\n";
  }

  std::string write_motion() const {
    std::string text = "\nint " + signature() + " {\n" + solved_into("a");
    if (vakonomic_) text += "  if (lambda) find_multipliers(&s, pull, lambda);\n";
    if (!e_.C.empty()) text += nonideal_part();
    return text +
           "  if (f)\n"
           "    for (i = 0; i < velocities; ++i) f[i] = force[i];\n"
           "  if (!all_finite(a, velocities)) return 3;\n"
           "  return agree ? 0 : 1;\n"
           "}\n";
  }

  std::string write_multipliers() const {
    return "\nint " + multipliers_signature() + " {\n  double a[velocities];\n" + solved_into("a") +
           "  find_multipliers(&s, pull, lambda);\n"
           "  for (i = 0; i < rows; ++i)\n"
           "    if (!(fabs(lambda[i]) <= 1.7976931348623157e308)) return 3;\n"
           "  return agree ? 0 : 1;\n"
           "}\n";
  }

  /// F^C = C - A^T (A M^-1 A^T)^+ A M^-1 C is M times what C alone does where the rows ask for nothing.
  std::string nonideal_part() const {
    return "  {\n"
           "    double lambda[row_space], C[velocities], extra[velocities];\n" +
           std::string(after_ ? "    find_multipliers(&s, pull, lambda);\n"
                              : "    for (i = 0; i < row_space; ++i) lambda[i] = 0.0;\n") +
           "    nonideal(t, q, v, p, lambda, C);\n"
           "    if (!all_finite(C, velocities)) return 3;\n"
           "    for (i = 0; i < rows; ++i) b[i] = 0.0;\n"
           "    respond(&s, C, b, extra, pull);\n"
           "    force_of(&s, pull, Q);\n"
           "    for (i = 0; i < velocities; ++i) a[i] += extra[i];\n"
           "    if (c)\n"
           "      for (i = 0; i < velocities; ++i) c[i] = C[i] + Q[i];\n"
           "  }\n";
  }

  const Model& model_;
  const std::string title_, name_;
  SymbolicEquations e_;
  StatementsInC statements_;
  const bool vakonomic_;
  bool after_ = false;  // C contains multipliers
};

}  // namespace

std::string derive_c(const Model& model, const std::string& title) {
  std::size_t rows = 0;
  for (const auto& c : model.constraints()) rows += c.rows.size();
  const std::size_t n = model.velocities().size();
  if (n == 0) fail("the model has no velocities: there is no acceleration to compute");
  if (n > most_velocities || rows > most_rows)
    fail("a C file is written for at most " + std::to_string(most_velocities) + " velocities and " +
         std::to_string(most_rows) +
         " rows, because its solver keeps dense matrices on the stack; the model has " + std::to_string(n) +
         " and " + std::to_string(rows) + ". Use the library, which works sparsely");
  return FileInC(with_multiplier_coordinates(with_made_numbers(model)), title).write();
}

}  // namespace vinculum
