// What has no operands, as LaTeX: names, numbers, the names of functions. For printers.
#pragma once
#include <string>
#include <string_view>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// theta1' -> \dot{\theta}_{1}, p.x -> p_{x}, m_cart -> m_{\mathrm{cart}}.
VINCULUM_EXPORT std::string name_latex(std::string_view name);

/// Whether the name is set upright as a word, so that a product needs space around it.
VINCULUM_EXPORT bool is_word(std::string_view name);

/// A number without its sign: 2.5, 10^{-12}, \pi, \frac{1}{2}.
VINCULUM_EXPORT std::string magnitude_latex(double value);

/// A number as an exponent, with its sign and halves on the line: -2, 3/2.
VINCULUM_EXPORT std::string exponent_latex(double value);

/// \sin, \operatorname{sgn}, ...; empty for operations that are not written by name.
VINCULUM_EXPORT std::string_view function_latex(Op op);

}  // namespace vinculum
