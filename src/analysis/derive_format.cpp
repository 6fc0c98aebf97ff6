// The equations of motion in the format that is asked for.
#include "analysis/derive_page.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {

Derivation derivation(const std::string& format, const Model& model, const std::string& title,
                      const DeriveOptions& options) {
  if (format == "text") return text_derivation(model, title, options);
  if (format == "latex") return latex_derivation(model, title, true, options);
  if (format == "c") return {derive_c(model, title), {}, {}, "", "", model.open_names(), 0, 0};
  fail("--format " + format + ": formats are text, latex and c");
}

}  // namespace vinculum
