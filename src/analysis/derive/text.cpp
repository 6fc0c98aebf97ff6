// The equations of motion as plain text. Every line `name = expression` reads back by parse().
#include <algorithm>

#include "analysis/derive/page.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using derive::Definition;
using derive::Page;

constexpr int largest_matrix = 6;
constexpr std::size_t widest_line = 110;
using Block = std::vector<std::string>;  // lines of one width

/// 2/3 for 0.6666666666666666: the same number.
std::string cell_text(const Expr& e) {
  if (!e.is_constant()) return to_text(e);
  const auto [above, below] = derive::fraction(e.value());
  return below == 1 || below == 2 ? to_text(e) : number_text(above) + "/" + number_text(below);
}

// --- Blocks of lines side by side ----------------------------------------------------------------

std::string centred(const std::string& text, std::size_t width) {
  const std::size_t left = (width - text.size()) / 2;
  return std::string(left, ' ') + text + std::string(width - text.size() - left, ' ');
}

/// | a  b |
/// | c  d |
Block matrix_block(const std::vector<std::vector<std::string>>& cells) {
  Block lines(cells.size(), "|");
  for (std::size_t j = 0; j < cells.front().size(); ++j) {
    std::size_t width = 1;
    for (const auto& row : cells) width = std::max(width, row[j].size());
    for (std::size_t i = 0; i < cells.size(); ++i) lines[i] += (j ? "  " : " ") + centred(cells[i][j], width);
  }
  for (std::string& line : lines) line += " |";
  return lines;
}

Block column_block(const std::vector<std::string>& cells) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& c : cells) rows.push_back({c});
  return matrix_block(rows);
}

/// Blocks in a row; a block of one line stands at the height of the middle.
Block beside(const std::vector<Block>& blocks) {
  std::size_t height = 0;
  for (const Block& b : blocks) height = std::max(height, b.size());
  Block lines(height);
  for (const Block& b : blocks) {
    const std::size_t first = (height - b.size()) / 2;
    for (std::size_t i = 0; i < height; ++i) {
      const bool inside = i >= first && i < first + b.size();
      lines[i] += inside ? b[i - first] : std::string(b.front().size(), ' ');
    }
  }
  return lines;
}

std::vector<std::string> texts(const std::vector<Expr>& list) {
  std::vector<std::string> out;
  for (const Expr& e : list) out.push_back(cell_text(e));
  return out;
}

std::vector<std::vector<std::string>> dense(const std::vector<SymbolicEquations::Entry>& entries,
                                            std::size_t rows, std::size_t columns) {
  std::vector<std::vector<std::string>> cells(rows, std::vector<std::string>(columns, "0"));
  for (const auto& e : entries) cells[e.row][e.column] = cell_text(e.value);
  return cells;
}

std::vector<Expr> values(const std::vector<SymbolicEquations::Entry>& entries) {
  std::vector<Expr> out;
  for (const auto& e : entries) out.push_back(e.value);
  return out;
}

// --- The page ------------------------------------------------------------------------------------

class TextWriter {
 public:
  TextWriter(const Model& model, const Page& page)
      : model_(model),
        page_(page),
        small_(page.velocity.size() <= largest_matrix && page.row.size() <= largest_matrix &&
               !page.velocity.empty()) {}

  std::string write(const std::string& title) {
    if (!title.empty()) out_ += title + "\n" + std::string(title.size(), '=') + "\n";
    write_numbers();
    if (!page_.vakonomic) write_rates();
    write_free();
    write_constraints();
    write_nonideal();
    write_motion();
    if (page_.vakonomic) write_rates();  // they are made of lambda
    return std::move(out_);
  }

 private:
  std::string change_words() const { return page_.C.empty() ? "x'' = s + v1" : "x'' = s + v1 + v2"; }
  std::string q() const { return page_.without_mechanics ? "x''" : "q''"; }
  void heading(const std::string& text) { out_ += "\n" + text + "\n\n"; }
  void line(const std::string& text) { out_ += "  " + text + "\n"; }
  void equation(const std::string& name, const std::string& value) { line(name + " = " + value); }
  bool put(const Block& block) {
    if (block.front().size() + 2 > widest_line) return false;
    for (const std::string& l : block) {
      const std::size_t end = l.find_last_not_of(' ');
      line(l.substr(0, end + 1));
    }
    return true;
  }
  void define(const std::vector<Expr>& used, bool gap = true) {
    const std::vector<Definition> list = page_.needed(used, written_);
    for (const Definition& d : list) equation(d.symbol.name(), cell_text(d.value));
    if (gap && !list.empty()) out_ += "\n";
  }
  void list_entries(const char* name, const std::vector<SymbolicEquations::Entry>& entries, bool symmetric,
                    const std::vector<std::string>& rows) {
    for (const auto& e : entries)
      if (!symmetric || e.row <= e.column)
        equation(std::string(name) + "[" + rows[e.row] + ", " + page_.velocity[e.column] + "]",
                 cell_text(e.value));
  }
  void list_vector(const char* name, const std::vector<Expr>& list, const std::vector<std::string>& names,
                   bool zeros = false) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (zeros || !list[i].is_constant(0))
        equation(std::string(name) + "[" + names[i] + "]", cell_text(list[i]));
  }

  void write_numbers() {
    const derive::ParameterWords words = derive::parameter_words(model_);
    std::vector<std::string> given, open, functions;
    for (const auto* p : words.numbers) given.push_back(p->name + " = " + full_text(p->value));
    for (const auto* p : words.made) given.push_back(p->name + " = " + p->stated);
    for (const auto* p : words.open) open.push_back(p->name);
    for (const auto* p : words.functions) functions.push_back(p->name);
    const auto listed = [&](const char* head, const std::vector<std::string>& list) {
      if (list.empty()) return;
      out_ += head + list[0];
      for (std::size_t i = 1; i < list.size(); ++i) out_ += ", " + list[i];
      out_ += "\n";
    };
    listed("with ", given);
    listed("without value: ", open);
    listed("functions of t: ", functions);
    listed("opaque, written in C++: ", words.opaque);
  }

  void write_rates() {
    if (page_.rates.empty()) return;
    heading(page_.vakonomic ? "The multipliers of constraints on velocities:  mu' = -lambda"
                            : "The coordinates:  q' = N v");
    define(page_.rates);
    for (std::size_t i = 0; i < page_.rates.size(); ++i)
      equation(page_.coordinate[i] + "'", cell_text(page_.rates[i]));
  }

  /// x'' = s: what would be without the relations.
  void write_wish(const char* head, const char* name, const std::vector<Expr>& list) {
    heading(head);
    define(list);
    if (!small_ || !put(beside({{std::string(name) + " = "}, column_block(texts(list))})))
      list_vector(name, list, page_.velocity, true);
  }

  void write_free() {
    if (page_.without_mechanics) return write_wish("Without the relations:  x'' = s", "s", page_.Q);
    heading(page_.vakonomic ? "Vakonomic motion, L + sum mu phi:  M q'' = Q + A^T lambda, with mu in M and Q"
                            : "The free motion:  M q'' = Q");
    std::vector<Expr> used = values(page_.M);
    used.insert(used.end(), page_.Q.begin(), page_.Q.end());
    define(used);
    const std::size_t n = page_.velocity.size();
    if (!small_ ||
        !put(beside(
            {{"M = "}, matrix_block(dense(page_.M, n, n)), {"    Q = "}, column_block(texts(page_.Q))}))) {
      list_entries("M", page_.M, true, page_.velocity);
      list_vector("Q", page_.Q, page_.velocity);
      line(page_.diagonal ? "(entries not listed are 0)" : "(M is symmetric; entries not listed are 0)");
    }
  }

  void write_constraints() {
    if (page_.row.empty()) return;
    const std::string what = page_.without_mechanics ? "relation" : "constraint";
    heading("The " + what + (page_.row.size() == 1 ? "" : "s") + ":  A " + q() + " = b");
    for (const auto& c : model_.constraints()) write_stated(c);
    out_ += "\n";
    std::vector<Expr> used = values(page_.A);
    used.insert(used.end(), page_.b.begin(), page_.b.end());
    define(used);
    const auto cells = [this] { return dense(page_.A, page_.row.size(), page_.velocity.size()); };
    if (!small_ ||
        !put(beside({{"A = "}, matrix_block(cells()), {"    b = "}, column_block(texts(page_.b))}))) {
      list_entries("A", page_.A, false, page_.row);
      list_vector("b", page_.b, page_.row);
      line("(entries not listed are 0)");
    }
  }

  void write_stated(const Model::ConstraintData& c) {
    for (std::size_t r = 0; r < c.rows.size(); ++r) {
      const Expr& phi = c.rows[r];
      const bool two_sides = phi.op() == Op::subtract;
      const std::string left = two_sides ? to_text(phi.operand(0)) : to_text(phi);
      const std::string right = two_sides ? to_text(phi.operand(1)) : "0";
      line(c.name + (c.is_vector ? "[" + std::to_string(r) + "]" : "") + ":  " + left + " = " + right);
    }
  }

  void write_nonideal() {
    if (page_.C.empty()) return;
    if (page_.without_mechanics)
      return write_wish("What is wished beside them, as far as they leave room:  c", "c", page_.C);
    heading("The constraints are not ideal:  C");
    if (page_.nonideal_after) out_ += "  (multipliers are those of the ideal motion, see below)\n\n";
    define(page_.C);
    if (!small_ || !put(beside({{"C = "}, column_block(texts(page_.C))}))) {
      list_vector("C", page_.C, page_.velocity);
      line("(entries not listed are 0)");
    }
  }

  // --- The constrained motion ---

  void write_motion() {
    heading(page_.massless            ? "The motion, M being singular (a coordinate without mass)"
            : page_.row.empty()       ? "The motion"
            : page_.without_mechanics ? "With the relations:  " + change_words()
                                      : "The constrained motion");
    if (!page_.on_constraints.empty()) line("(" + derive::on_constraints_words(page_) + ")\n");
    if (page_.closed.exists)
      write_closed();
    else if (page_.massless)
      write_singular();
    else
      write_formula();
  }

  void write_singular() {
    line("| M  -A^T | |  q''   |   | Q |");
    line("| A    0  | | lambda | = | b |");
  }

  /// (41) to (43) of the paper on Gauss's principle.
  void write_underdetermined() {
    line("v1 = A^+ (b - A s)");
    if (!page_.C.empty()) line("v2 = (I - A^+ A) c");
    line(change_words());
    line("multipliers:  v1 = A^T lambda,   lambda = (A A^T)^+ (b - A s)");
    write_gauss();
  }

  /// G, and what it is for the motion.
  void write_gauss() {
    const derive::ExplicitEquations& form = page_.closed;
    if (form.gauss.empty()) return;
    const std::string& name = form.gauss_name;
    heading(page_.without_mechanics
                ? "Gauss's function:  " + name + " = (x'' - s)^T (x'' - s), least for x'' = s + v1"
                : "Gauss's function, least for the " + derive::least_words(model_, page_) + ":  " + name +
                      " = (q'' - a)^T M (q'' - a)");
    define(form.gauss);
    line(name + " = " + cell_text(form.gauss[0]));
    if (form.least_gauss.empty()) return;
    define(form.least_gauss, false);
    line(name + "_min = " + cell_text(form.least_gauss[0]));
  }

  void write_formula() {
    if (!page_.why_not_closed.empty()) {
      line("(" + page_.why_not_closed + ".)");
      out_ += "\n";
    }
    if (page_.without_mechanics && !page_.row.empty()) return write_underdetermined();
    line("a   = M^-1 Q");
    if (page_.row.empty()) {
      line(page_.C.empty() ? "q'' = a" : "q'' = a + M^-1 C");
      return;
    }
    line("q'' = a + M^-1 A^T (A M^-1 A^T)^+ (b - A a)" + std::string(page_.C.empty() ? "" : " + M^-1 F^C"));
    line("F   = A^T (A M^-1 A^T)^+ (b - A a)");
    if (!model_.servos().empty()) line("F is the " + derive::force_words(model_, page_.row.size()));
    if (!page_.C.empty()) line("F^C = C - A^T (A M^-1 A^T)^+ A M^-1 C");
    if (page_.nonideal_after) line("multipliers in C are those of F = A^T lambda");
    line("lambda = (A M^-1 A^T)^+ (b - A a),   F = A^T lambda");
    if (!model_.lagrangians().empty())
      line("(where M is positive definite, or A M^-1 A^T has the rank of A)");
    if (page_.closed.free.empty()) return;
    out_ += "\n";
    define(page_.closed.free);
    list_vector("a", page_.closed.free, page_.velocity, true);
    write_gauss();
  }

  void write_closed() {
    const derive::ExplicitEquations& form = page_.closed;
    write_headline();
    for (const Definition& step : form.steps) {
      define({step.value}, false);
      equation(step.symbol.name(), cell_text(step.value));
    }
    if (!form.steps.empty()) out_ += "\n";
    define(form.acceleration);
    for (std::size_t i = 0; i < form.acceleration.size(); ++i)
      equation(page_.acceleration[i], cell_text(form.acceleration[i]));
    if (page_.row.empty()) return;
    heading(page_.vakonomic ? "The force A^T lambda"
            : page_.without_mechanics
                ? "What the relations ask for, v1 = A^T lambda, and what they leave of c, v2"
                : "The " + derive::force_words(model_, page_.row.size()));
    define(form.force);
    list_vector(page_.without_mechanics ? "v1" : "F", form.force, page_.velocity, true);
    write_multipliers();
    if (!page_.C.empty()) {
      out_ += "\n";
      define(form.nonideal);
      list_vector(page_.without_mechanics ? "v2" : "F^C", form.nonideal, page_.velocity, true);
    }
    write_gauss();
  }

  void write_multipliers() {
    const derive::ExplicitEquations& form = page_.closed;
    define(form.multipliers, false);
    for (std::size_t r = 0; r < form.multipliers.size(); ++r)
      equation(page_.vakonomic
                   ? derive::symbol_name(model_, model_.stated().multiplier_of_row(static_cast<int>(r)))
                   : "multiplier(" + page_.row[r] + ")",
               cell_text(form.multipliers[r]));
    if (form.kept.size() < page_.row.size()) line("(" + derive::least_norm_words(page_) + ")");
  }

  /// M q'' = Q + f u, in matrices.
  void write_headline() {
    const derive::ExplicitEquations& form = page_.closed;
    if (form.square) {
      line(page_.without_mechanics ? "x'' = A^-1 b,   v1 = x'' - s" : "q'' = A^-1 b,   F = M q'' - Q");
      out_ += "\n";
      return;
    }
    if (page_.massless) {
      write_singular();
      out_ += "\n";
    }
    if (page_.massless || !small_ || form.rows.empty()) return;
    const std::size_t n = page_.velocity.size();
    std::vector<Block> row;
    if (!page_.without_mechanics) row = {matrix_block(dense(page_.M, n, n)), {" "}};
    row.push_back(column_block(page_.acceleration));
    row.push_back({" = "});
    row.push_back(column_block(texts(page_.Q)));
    for (const auto& r : form.rows) {
      row.push_back({" + " + cell_text(r.push) + " "});
      row.push_back(column_block(texts(r.direction)));
    }
    if (!page_.C.empty()) row.push_back({page_.without_mechanics ? " + v2" : " + F^C"});
    if (put(beside(row))) out_ += "\n";
  }

  const Model& model_;
  const Page& page_;
  bool small_;
  std::string out_;
  std::unordered_set<NodeId> written_;
};

}  // namespace

Derivation text_derivation(const Model& stated, const std::string& title, const DeriveOptions& options) {
  const Model model = with_multiplier_coordinates(with_made_numbers(stated));
  const bool vakonomic = model.mechanics() == Mechanics::vakonomic;
  const Page page = derive::make_page(
      model,
      [&](const Expr& symbol) { return vakonomic ? derive::symbol_name(model, symbol) : symbol.name(); },
      [](const std::string& name) { return name; }, options);
  Derivation result{TextWriter(model, page).write(title),
                    page.on_constraints,
                    {},
                    derive::first_text(page.closed.gauss, cell_text),
                    derive::first_text(page.closed.least_gauss, cell_text),
                    model.open_names(),
                    page.length_as_stated,
                    page.length};
  for (std::size_t r = 0; r < page.closed.multipliers.size(); ++r)
    result.multipliers.emplace_back(page.row[r], cell_text(page.closed.multipliers[r]));
  return result;
}

std::string derive_text(const Model& model, const std::string& title, const DeriveOptions& options) {
  return text_derivation(model, title, options).text;
}

}  // namespace vinculum
