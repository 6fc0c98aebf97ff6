// The explicit equations of motion of a model: M, Q, A, b and the constrained acceleration, in symbols.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/lower/equations.hpp"

namespace vinculum {

/// How the pages are written.
struct DeriveOptions {
  /// Whether the closed form may be shortened with the constraints themselves, as (28) and (34) of the 1996
  /// paper are. Such a form holds where the constraints do, and only there; the page says so.
  bool on_constraints = true;
};

/// A page, and what was done to shorten it.
struct Derivation {
  std::string text;
  std::vector<std::string>
      on_constraints;  ///< the constraints that must hold where the page does; empty: none
  /// In closed form, with the names of the page, for every row; empty where the page has a formula for all.
  std::vector<std::pair<std::string, std::string>> multipliers;
  /// Gauss's function with the accelerations open, and its value for the motion; "" where the page has none.
  std::string gauss, least_gauss;
  std::vector<std::string> without_value;  ///< parameters, and functions of time that are only named
  /// Symbols, numbers and signs of the formulas, as stated and as written.
  int length_as_stated = 0, length = 0;
};

/// Readable equations with named sub-expressions. For one or two rows also the closed form of acceleration
/// and constraint force, as (28), (34), (37) of the 1996 paper. Every line `name = expression` reads back by
/// parse().
VINCULUM_EXPORT std::string derive_text(const Model& model, const std::string& title,
                                        const DeriveOptions& options = {});
/// The same as a LaTeX document. With `standalone` false only the displayed formulas, each a \begin{aligned}
/// block, with an empty line between them: for a page that renders formulas one by one. A model too large for
/// a page is then told in one sentence.
VINCULUM_EXPORT std::string derive_latex(const Model& model, const std::string& title, bool standalone = true,
                                         const DeriveOptions& options = {});
/// One self-contained C99 file: q'' and the constraint force as a function of t, q, v and parameters. No
/// allocation, no library but libm; redundant rows are allowed, contradicting ones give a status. The names
/// in it begin with the title in letters, digits and _. It holds off the constraints, too. The multipliers
/// have a function of their own.
VINCULUM_EXPORT std::string derive_c(const Model& model, const std::string& title);

enum class DeriveFormat { text, latex, c };
/// "text", "latex" or "c", and back; nothing for a word that is none.
VINCULUM_EXPORT std::string_view format_name(DeriveFormat format);
VINCULUM_EXPORT std::optional<DeriveFormat> format_named(std::string_view word);

VINCULUM_EXPORT Derivation derivation(DeriveFormat format, const Model& model, const std::string& title,
                                      const DeriveOptions& options = {});

}  // namespace vinculum
