// The equations of motion as LaTeX: words, and displayed formulas in \[ \] that KaTeX renders as well.
#include <algorithm>

#include "analysis/derive/page.hpp"
#include "vinculum/expr/latex_atom.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using derive::Definition;
using derive::Page;
using Entries = std::vector<SymbolicEquations::Entry>;

constexpr std::size_t largest_matrix = 8;
constexpr std::size_t lines_of_a_display = 20;  // a display does not break across pages
constexpr std::size_t longest_factor = 240;     // in front of a vector; a longer one gets a name
constexpr std::size_t most_entries_of_a_page = 200;

/// 2/3 for 0.6666666666666666: the same number.
std::string cell_latex(const Expr& e) {
  if (!e.is_constant()) return to_latex(e);
  const auto [above, below] = derive::fraction(e.value());
  if (below == 1) return to_latex(e);
  return (above < 0 ? "-\\frac{" : "\\frac{") + magnitude_latex(above) + "}{" + magnitude_latex(below) + "}";
}

std::string matrix(const std::vector<std::vector<std::string>>& cells) {
  std::string text = "\\begin{bmatrix} ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += " \\\\ ";
    for (std::size_t j = 0; j < cells[i].size(); ++j) text += (j > 0 ? " & " : "") + cells[i][j];
  }
  return text + " \\end{bmatrix}";
}

std::string column(const std::vector<std::string>& cells) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& c : cells) rows.push_back({c});
  return matrix(rows);
}

std::vector<std::string> latex_of(const std::vector<Expr>& list) {
  std::vector<std::string> out;
  for (const Expr& e : list) out.push_back(cell_latex(e));
  return out;
}

std::vector<std::string> names_of(const std::vector<std::string>& list) {
  std::vector<std::string> out;
  for (const std::string& name : list) out.push_back(name_latex(name));
  return out;
}

std::string dense(const Entries& entries, std::size_t rows, std::size_t columns) {
  std::vector<std::vector<std::string>> cells(rows, std::vector<std::string>(columns, "0"));
  for (const auto& e : entries) cells[e.row][e.column] = cell_latex(e.value);
  return matrix(cells);
}

std::vector<Expr> values(const Entries& entries, const std::vector<Expr>& others) {
  std::vector<Expr> out;
  for (const auto& e : entries) out.push_back(e.value);
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

/// Text outside formulas.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '^' || c == '~')
      out += std::string("\\") + c + "{}";
    else
      out += std::string("_#$%&{}").find(c) != std::string::npos ? std::string("\\") + c : std::string(1, c);
  }
  return out;
}

class LatexWriter {
 public:
  LatexWriter(const Model& model, const Page& page)
      : model_(model),
        page_(page),
        small_(page.velocity.size() <= largest_matrix && page.row.size() <= largest_matrix &&
               !page.velocity.empty()) {}

  std::string write() {
    write_numbers();
    if (!page_.vakonomic) write_rates();
    write_free();
    write_constraints();
    write_nonideal();
    write_motion();
    if (page_.vakonomic) write_rates();  // they are made of lambda
    return std::move(out_);
  }
  /// For a page that has no room for all entries.
  std::string write_general() {
    words("The system has " + std::to_string(page_.velocity.size()) + " velocities and " +
          std::to_string(page_.row.size()) +
          " constraint rows: too many entries for a page. The command derive writes them all.");
    write_formula();
    return std::move(out_);
  }
  std::size_t entry_count() const {
    return page_.M.size() + page_.Q.size() + page_.A.size() + page_.b.size();
  }

 private:
  std::string letter() const { return page_.without_mechanics ? "x" : "q"; }
  void words(const std::string& text) { out_ += (out_.empty() ? "" : "\n") + text + "\n"; }
  void display(const std::string& formula) { out_ += "\\[ " + formula + " \\]\n"; }
  /// Lines `left &= right`, some in each display.
  void aligned(const std::vector<std::string>& lines) {
    if (lines.size() == 1) {
      const std::size_t mark = lines[0].find(" &= ");
      return display(lines[0].substr(0, mark) + " = " + lines[0].substr(mark + 4));
    }
    for (std::size_t first = 0; first < lines.size(); first += lines_of_a_display) {
      const std::size_t end = std::min(lines.size(), first + lines_of_a_display);
      std::string text = "\\begin{aligned} ";
      for (std::size_t i = first; i < end; ++i) text += (i > first ? " \\\\ " : "") + lines[i];
      display(text + " \\end{aligned}");
    }
  }
  static std::string line(const std::string& name, const Expr& value) {
    return name + " &= " + cell_latex(value);
  }
  void define(const std::vector<Expr>& used) {
    std::vector<std::string> lines;
    for (const Definition& d : page_.needed(used, written_))
      lines.push_back(line(to_latex(d.symbol), d.value));
    aligned(lines);
  }
  std::vector<std::string> entry_lines(const std::string& name, const Entries& entries, bool symmetric,
                                       const std::vector<std::string>& rows) const {
    std::vector<std::string> lines;
    for (const auto& e : entries)
      if (!symmetric || e.row <= e.column)
        lines.push_back(
            line(name + "_{" + name_latex(rows[e.row]) + ",\\," + name_latex(page_.velocity[e.column]) + "}",
                 e.value));
    return lines;
  }
  static std::vector<std::string> vector_lines(const std::string& name, const std::vector<Expr>& list,
                                               const std::vector<std::string>& names, bool zeros = false) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (zeros || !list[i].is_constant(0))
        lines.push_back(line(name + "_{" + name_latex(names[i]) + "}", list[i]));
    return lines;
  }

  void write_numbers() {
    const derive::ParameterWords known = derive::parameter_words(model_);
    const auto listed = [&](const std::string& head, const std::vector<std::string>& list) {
      std::string text;
      for (const std::string& item : list) text += (text.empty() ? "$" : ", $") + item + "$";
      if (!text.empty()) words(head + text + ".");
    };
    std::vector<std::string> given, open, functions;
    for (const auto* p : known.numbers) given.push_back(name_latex(p->name) + " = " + to_latex(p->value));
    Graph graph;
    for (const auto* p : known.made)
      given.push_back(name_latex(p->name) + " = " + to_latex(parse(graph, p->stated)));
    for (const auto* p : known.open) open.push_back(name_latex(p->name));
    for (const auto* p : known.functions) functions.push_back(name_latex(p->name) + "(t)");
    listed("With ", given);
    listed("Without value: ", open);
    listed("Functions of time: ", functions);
    std::vector<std::string> opaque;
    for (const std::string& name : known.opaque) opaque.push_back(name_latex(name));
    listed("Opaque, written in C++: ", opaque);
  }

  void write_rates() {
    if (page_.rates.empty()) return;
    words(page_.vakonomic
              ? "The multipliers $\\mu$ of constraints on velocities are part of the state; their rates are "
                "$-\\lambda$."
              : "The coordinates follow the velocities.");
    define(page_.rates);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < page_.rates.size(); ++i)
      lines.push_back(line(name_latex(page_.coordinate[i] + "'"), page_.rates[i]));
    aligned(lines);
  }

  void write_wish(const std::string& text, const std::string& name, const std::vector<Expr>& list) {
    words(text);
    define(list);
    if (small_) return display(name + " = " + column(latex_of(list)));
    aligned(vector_lines(name, list, page_.velocity, true));
  }

  void write_free() {
    if (page_.without_mechanics)
      return write_wish("Without the relations $\\ddot{x} = s$ with", "s", page_.Q);
    words(page_.vakonomic ? "The motion is vakonomic: the action of $L + \\sum \\mu \\varphi$ is stationary. "
                            "Its equations are $M "
                            "\\ddot{q} = Q + A^{T} \\lambda$, with $\\mu$ in $M$ and $Q$."
                          : "The free motion is $M \\ddot{q} = Q$.");
    define(values(page_.M, page_.Q));
    const std::size_t n = page_.velocity.size();
    if (small_) return display("M = " + dense(page_.M, n, n) + ", \\qquad Q = " + column(latex_of(page_.Q)));
    aligned(entry_lines("M", page_.M, true, page_.velocity));
    aligned(vector_lines("Q", page_.Q, page_.velocity));
    words(page_.diagonal ? "Entries not listed are zero." : "M is symmetric; entries not listed are zero.");
  }

  void write_constraints() {
    if (page_.row.empty()) return;
    const std::string what = page_.without_mechanics ? "The relation" : "The constraint";
    words(what + (page_.row.size() == 1 ? "" : "s"));
    std::vector<std::string> stated;
    for (const auto& c : model_.constraints())
      for (const Expr& phi : c.rows) {
        const bool two_sides = phi.op() == Op::subtract;
        stated.push_back(two_sides ? line(to_latex(phi.operand(0)), phi.operand(1)) : line(to_latex(phi), 0));
      }
    aligned(stated);
    words(std::string(stated.size() == 1 ? "gives" : "give") + " $A \\ddot{" + letter() + "} = b$ with");
    define(values(page_.A, page_.b));
    if (small_)
      return display("A = " + dense(page_.A, page_.row.size(), page_.velocity.size()) + ", \\qquad b = " +
                     (page_.b.size() == 1 ? cell_latex(page_.b[0]) : column(latex_of(page_.b))));
    aligned(entry_lines("A", page_.A, false, page_.row));
    aligned(vector_lines("b", page_.b, page_.row));
    words("Entries not listed are zero.");
  }

  void write_nonideal() {
    if (page_.C.empty()) return;
    if (page_.without_mechanics)
      return write_wish("What is wished beside them is followed as far as they leave room:", "c", page_.C);
    words(std::string("The constraints are not ideal: in a virtual displacement they do the work of") +
          (page_.nonideal_after ? " (with the multipliers $\\lambda$ of the ideal motion, see below)" : ""));
    define(page_.C);
    if (small_) return display("C = " + column(latex_of(page_.C)));
    aligned(vector_lines("C", page_.C, page_.velocity));
  }

  void write_motion() {
    if (page_.closed.exists) return write_closed();
    if (!page_.massless) return write_formula();
    words("A coordinate has no mass. The motion follows from");
    write_singular();
  }

  void write_singular() {
    display(
        "\\begin{bmatrix} M & -A^{T} \\\\ A & 0 \\end{bmatrix} \\begin{bmatrix} \\ddot{q} \\\\ \\lambda "
        "\\end{bmatrix} = \\begin{bmatrix} Q \\\\ b \\end{bmatrix}");
  }

  /// (41) to (43) of the paper on Gauss's principle.
  void write_underdetermined() {
    words("With the relations the change is");
    std::string text = "\\begin{aligned} v_1 &= A^{+} \\left(b - A s\\right) \\\\ ";
    if (!page_.C.empty()) text += "v_2 &= \\left(I - A^{+} A\\right) c \\\\ ";
    display(text + "\\ddot{x} &= s + v_1" + (page_.C.empty() ? "" : " + v_2") + " \\end{aligned}");
    words(
        "where $v_1 = A^{T} \\lambda$ with $\\lambda = \\left(A A^{T}\\right)^{+} \\left(b - A s\\right)$.");
    write_gauss();
  }

  /// G, and what it is for the motion.
  void write_gauss() {
    const derive::ExplicitEquations& form = page_.closed;
    if (form.gauss.empty()) return;
    const std::string name = name_latex(form.gauss_name);
    words("Gauss's function $" + name +
          (page_.without_mechanics
               ? " = (\\ddot{x} - s)^{T} (\\ddot{x} - s)$ is least for $\\ddot{x} = s + v_1$:"
               : " = (\\ddot{q} - a)^{T} M (\\ddot{q} - a)$ is least for the " +
                     derive::least_words(model_, page_) + ":"));
    define(form.gauss);
    display(name + " = " + cell_latex(form.gauss[0]));
    if (form.least_gauss.empty()) return;
    define(form.least_gauss);
    display("{" + name + "}_{\\min} = " + cell_latex(form.least_gauss[0]));
  }

  void write_formula() {
    if (page_.without_mechanics && !page_.row.empty()) return write_underdetermined();
    if (page_.row.empty()) {
      words("The motion is");
      return display(page_.C.empty() ? "\\ddot{q} = M^{-1} Q" : "\\ddot{q} = M^{-1} (Q + C)");
    }
    if (!page_.why_not_closed.empty()) words(escaped(page_.why_not_closed) + ".");
    words("The constrained motion is, with $a = M^{-1} Q$,");
    const std::string force = "A^{T} \\left(A M^{-1} A^{T}\\right)^{+} \\left(b - A a\\right)";
    std::string text = "\\begin{aligned} F &= " + force + " \\\\ ";
    if (!page_.C.empty()) text += "F^{C} &= C - A^{T} \\left(A M^{-1} A^{T}\\right)^{+} A M^{-1} C \\\\ ";
    display(text + "\\ddot{q} &= a + M^{-1} " + (page_.C.empty() ? "F" : "\\left(F + F^{C}\\right)") +
            " \\end{aligned}");
    if (!model_.servos().empty())
      words("where $F$ is the " + escaped(derive::force_words(model_, page_.row.size())) + ".");
    if (page_.nonideal_after) words("where $F = A^{T} \\lambda$ gives the multipliers in $C$.");
    if (!page_.row.empty())
      words("where $\\lambda = \\left(A M^{-1} A^{T}\\right)^{+} \\left(b - A a\\right)$.");
    if (!model_.lagrangians().empty())
      words("This holds where $M$ is positive definite, or $A M^{-1} A^{T}$ has the rank of $A$.");
    write_gauss();
  }

  // --- The closed form ---

  void write_closed() {
    const derive::ExplicitEquations& form = page_.closed;
    words(page_.row.empty()         ? "The motion is"
          : page_.without_mechanics ? "With the relations the change is" + holding()
                                    : "The constrained motion is" + holding());
    if (page_.massless)
      write_singular();
    else if (form.square)
      display(page_.without_mechanics ? "\\ddot{x} = A^{-1} b, \\qquad v_1 = \\ddot{x} - s"
                                      : "\\ddot{q} = A^{-1} b, \\qquad F = M \\ddot{q} - Q");
    else if (small_ && !form.rows.empty())
      write_headline();
    write_steps();
    define(form.acceleration);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < form.acceleration.size(); ++i)
      lines.push_back(line(name_latex(page_.acceleration[i]), form.acceleration[i]));
    aligned(lines);
    if (page_.row.empty()) return;
    words(page_.vakonomic           ? "and the force $F = A^{T} \\lambda$"
          : page_.without_mechanics ? "where the relations ask for $v_1 = A^{T} \\lambda$"
                                    : "and the " + escaped(derive::force_words(model_, page_.row.size())));
    define(form.force);
    aligned(vector_lines(page_.without_mechanics ? "{v_1}" : "F", form.force, page_.velocity, true));
    words(page_.row.size() == 1 ? "with the multiplier" : "with the multipliers");
    write_multipliers();
    if (!page_.C.empty()) {
      words(page_.without_mechanics ? "and what they leave of $c$" : "and the force that is not ideal");
      define(form.nonideal);
      aligned(vector_lines(page_.without_mechanics ? "{v_2}" : "F^{C}", form.nonideal, page_.velocity, true));
    }
    write_gauss();
  }

  /// Where the lines that follow hold.
  std::string holding() const {
    return page_.on_constraints.empty() ? "" : " (" + escaped(derive::on_constraints_words(page_)) + ")";
  }

  void write_steps() {
    const auto& steps = page_.closed.steps;
    if (steps.empty()) return;
    words("or, component by component, with");
    std::vector<std::string> lines;
    for (const Definition& step : steps) {
      for (const Definition& d : page_.needed({step.value}, written_))
        lines.push_back(line(to_latex(d.symbol), d.value));
      lines.push_back(line(to_latex(step.symbol), step.value));
    }
    aligned(lines);
  }

  void write_multipliers() {
    const derive::ExplicitEquations& form = page_.closed;
    define(form.multipliers);
    std::vector<std::string> lines;
    for (std::size_t r = 0; r < form.multipliers.size(); ++r)
      lines.push_back(line("\\lambda_{" + name_latex(page_.row[r]) + "}", form.multipliers[r]));
    aligned(lines);
    if (form.kept.size() < page_.row.size()) words(escaped(derive::least_norm_words(page_)) + ".");
  }

  /// What stands in front of a direction, with its sign: the value of the push where that is short.
  std::string push_of(const Expr& symbol) const {
    Expr push = symbol;
    for (const Definition& step : page_.closed.steps)
      if (identical(step.symbol, symbol)) push = step.value;
    std::string text = to_latex(push);
    if (text.size() > longest_factor || page_.row.size() > 1) text = to_latex(push = symbol);
    if (push.op() == Op::add || push.op() == Op::subtract) text = "\\left(" + text + "\\right)";
    return text.front() == '-' ? " - " + text.substr(1) : " + " + text;
  }

  /// M q'' = Q + f u, in matrices: (27) and (37) of the 1996 paper.
  void write_headline() {
    const derive::ExplicitEquations& form = page_.closed;
    const std::size_t n = page_.velocity.size();
    const std::string mass = page_.without_mechanics ? "" : dense(page_.M, n, n) + " ";
    std::string text = mass + column(names_of(page_.acceleration)) + " = " + column(latex_of(page_.Q));
    if (form.rows.size() == 1 && !form.steps.empty()) define({form.steps.front().value});
    for (const auto& row : form.rows) text += push_of(row.push) + " " + column(latex_of(row.direction));
    if (!page_.C.empty()) text += page_.without_mechanics ? " + v_2" : " + F^{C}";
    display(text);
  }

  const Model& model_;
  const Page& page_;
  bool small_;
  std::string out_;
  std::unordered_set<NodeId> written_;
};

}  // namespace

Derivation latex_derivation(const Model& stated, const std::string& title, bool standalone,
                            const DeriveOptions& options) {
  const Model model = with_multiplier_coordinates(with_made_numbers(stated));
  const Page page = derive::make_page(
      model, [&model](const Expr& symbol) { return derive::symbol_name(model, symbol); },
      [](const std::string& name) { return name_latex(name); }, options);
  LatexWriter writer(model, page);
  Derivation result{"",
                    page.on_constraints,
                    {},
                    derive::first_text(page.closed.gauss, cell_latex),
                    derive::first_text(page.closed.least_gauss, cell_latex),
                    model.open_names(),
                    page.length_as_stated,
                    page.length};
  for (std::size_t r = 0; r < page.closed.multipliers.size(); ++r)
    result.multipliers.emplace_back(page.row[r], cell_latex(page.closed.multipliers[r]));
  if (!standalone)
    result.text = writer.entry_count() > most_entries_of_a_page ? writer.write_general() : writer.write();
  else
    result.text =
        "\\documentclass{article}\n\\usepackage{amsmath}\n\\setcounter{MaxMatrixCols}{20}\n\\title{" +
        escaped(title) + "}\n\\date{}\n\\begin{document}\n\\maketitle\n\n" + writer.write() +
        "\n\\end{document}\n";
  return result;
}

std::string derive_latex(const Model& model, const std::string& title, bool standalone,
                         const DeriveOptions& options) {
  return latex_derivation(model, title, standalone, options).text;
}

}  // namespace vinculum
