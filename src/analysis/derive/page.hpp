// The equations of motion as they are to be read: tidied, with names for what repeats, and in closed form
// where that is short. What the text and the LaTeX writer both lay out.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/derive/shorten.hpp"
#include "analysis/derive/tidy.hpp"
#include "vinculum/analysis/derive.hpp"

namespace vinculum::derive {

/// A name and what it stands for.
struct Definition {
  Expr symbol, value;
};

/// M q'' = Q + (sum of push_r direction_r) + F^C, solved: for no row, one row or two, and what follows from
/// them.
struct ExplicitEquations {
  struct Row {
    Expr push;                    ///< the symbol whose value is in `steps`
    std::vector<Expr> direction;  ///< the row of A without its common number, over velocities
  };
  bool exists = false;
  bool square = false;            ///< as many rows as velocities: q'' = A^-1 b
  std::vector<Definition> steps;  ///< in the order they are to be computed
  std::vector<Row> rows;
  std::vector<int> kept;           ///< rows of A that others are multiples of, or that stand alone
  std::vector<Expr> multipliers;   ///< of all rows of A; the shortest where they are not unique
  std::vector<Expr> free;          ///< a = M^-1 Q
  std::vector<Expr> acceleration;  ///< q'', with the pushes as symbols
  std::vector<Expr> force;         ///< of the constraints, ideal; with the pushes as symbols
  std::vector<Expr> nonideal;      ///< F^C; empty where there is no C
  /// Gauss's function (q'' - a)^T M (q'' - a) with the accelerations as symbols, where M can be inverted, and
  /// its least value where constraints are ideal and the form exists; else empty.
  std::vector<Expr> gauss, least_gauss;
  std::string gauss_name = "G";  ///< G_G where the model has a G of its own
};

/// M, Q, A, b, C and the rates as they are read: what the page shows, and what the closed form is made of.
struct ReadEquations {
  struct Entry {
    int row = 0, column = 0;
    Product value;
  };
  std::vector<Entry> M, A;
  std::vector<Product> Q, b, C, rates;
};

struct Page {
  std::shared_ptr<Tidy> tidy;                            ///< owns the expressions
  std::vector<std::string> velocity, acceleration, row;  ///< names: x, x'' (speeds: w, w'), rod
  std::vector<std::string> coordinate;                   ///< of `rates`
  std::vector<Expr> rates;
  std::vector<SymbolicEquations::Entry> M, A;
  std::vector<Expr> Q, b, C;
  bool diagonal = true;         ///< M
  bool massless = false;        ///< a velocity without any mass: M^-1 does not exist
  bool nonideal_after = false;  ///< C contains multipliers of the ideal problem
  bool vakonomic = false;       ///< M and Q contain mu, and `rates` its -lambda
  /// No mechanics: x'' = s + v1 + v2. Q is s, C is c, all masses are 1.
  bool without_mechanics = false;
  ExplicitEquations closed;
  std::string why_not_closed;      ///< a sentence, where a closed form exists but holds nowhere
  std::vector<Definition> shared;  ///< names for what repeats, each before its first use in a later one
  /// The constraints that the closed form was shortened with: it holds where they do, and only there.
  std::vector<std::string> on_constraints;
  int length = 0;  ///< how much there is to read, names written out
  int length_with_names = 0;
  int length_as_stated = 0;  ///< how much there would be without shorter forms

  /// The names `used` rests on, directly or through others, that `written` does not hold yet; then it does.
  std::vector<Definition> needed(const std::vector<Expr>& used, std::unordered_set<NodeId>& written) const;
};

/// `name_of` says how a symbol is written; `looks` makes what a reader sees of a name, to keep new names
/// apart from those of the model. Shorter forms are taken where the page as a whole gets shorter by them.
Page make_page(const Model& model, const std::function<std::string(const Expr&)>& name_of,
               const std::function<std::string(const std::string&)>& looks,
               const DeriveOptions& options = {});

/// What the page says of parameters: "m = 2", those made of others "I = m*L^2", and names left open.
struct ParameterWords {
  std::vector<const Model::ParameterData*> numbers, made, open, functions;
  std::vector<std::string> opaque;  ///< functions written in C++
};
ParameterWords parameter_words(const Model& model);

/// "on the constraints: 'rod' is used to shorten what follows, which holds only where it is satisfied".
std::string on_constraints_words(const Page& page);

/// multiplier(pin[0]) -> lambda_pin_0, mu(pin[0]) -> mu_pin_0: names that LaTeX sets with indices and that
/// read back. Other symbols keep their names.
std::string symbol_name(const Model& model, const Expr& symbol);

/// x for the velocity x', wx for a speed wx.
std::string label_of(std::string velocity);

/// Names that are not those of the model.
class FreshNames {
 public:
  FreshNames(const Model& model, std::function<std::string(const std::string&)> looks);
  /// `wish`, or with digits or _ behind it.
  std::string take(const std::string& wish);
  /// wish1, wish2, ...
  std::string next(const std::string& wish);

 private:
  bool is_free(const std::string& name) const;
  std::function<std::string(const std::string&)> looks_;
  std::unordered_set<std::string> taken_;
  int last_ = 0;
};

/// "the rows 'a' and 'b' depend on each other; of their multipliers these are the shortest".
std::string least_norm_words(const Page& page);
/// The first of a list as text; "" where there is none.
template <class Text>
std::string first_text(const std::vector<Expr>& list, Text text) {
  return list.empty() ? std::string() : std::string(text(list.front()));
}

/// For what motion Gauss's function is least. A Lagrangian need not be definite: then it says where.
std::string least_words(const Model& model, const Page& page);

/// "force of the constraint", or with the programmes apart: "control force of 'tip'",
/// "force of the constraints (that of 'tip' is a control force)".
std::string force_words(const Model& model, std::size_t rows);

/// A sentence where these rows, by their numbers, depend on each other at every state that satisfies the
/// constraints, as far as states were tried; else nothing.
std::string dependence_on_constraints(const Model& model, const std::vector<std::string>& names,
                                      const std::vector<int>& rows);

/// Fills `page.closed` where M and A are simple enough. `always`, if there is one, tells which rows are
/// multiples of each other, `where_held` shortens the lines.
void close_form(Page& page, const ReadEquations& e, FreshNames& names, Shortening* always,
                Shortening* where_held);

/// Takes what repeats out of the expressions and gives it names.
std::vector<Definition> name_shared(Graph& graph, const std::vector<Expr*>& counted,
                                    const std::vector<Expr*>& others, FreshNames& names);

}  // namespace vinculum::derive

namespace vinculum {

Derivation text_derivation(const Model& model, const std::string& title, const DeriveOptions& options);
Derivation latex_derivation(const Model& model, const std::string& title, bool standalone,
                            const DeriveOptions& options);

}  // namespace vinculum
