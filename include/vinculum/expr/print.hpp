// Expression to text and to LaTeX.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// Text in the grammar of parse(): reading it back gives the same graph, and every constant to the same bits.
/// Shared sub-expressions are written out wherever they stand; a text of more than `limit` characters is an
/// error.
VINCULUM_EXPORT std::string to_text(const Expr& e, std::size_t limit = 1u << 24);

/// The same for a sentence: a text of more than `limit` characters is cut there, and ends with " ..".
VINCULUM_EXPORT std::string to_short_text(const Expr& e, std::size_t limit);

/// LaTeX as a physicist writes it: fractions, roots, \dot x for x', \ddot x for x'', Greek letters by name,
/// subscripts after _ or from trailing digits, no sign for products of letters.
VINCULUM_EXPORT std::string to_latex(const Expr& e, std::size_t limit = 1u << 24);

}  // namespace vinculum
