// The equations of motion in the format that is asked for.
#include <algorithm>
#include <array>

#include "analysis/derive/page.hpp"

namespace vinculum {
namespace {

constexpr std::array<std::string_view, 3> words = {"text", "latex", "c"};  // in the order of the enumeration

}  // namespace

std::string_view format_name(DeriveFormat format) { return words[static_cast<std::size_t>(format)]; }

std::optional<DeriveFormat> format_named(std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<DeriveFormat>(found - words.begin());
}

Derivation derivation(DeriveFormat format, const Model& model, const std::string& title,
                      const DeriveOptions& options) {
  if (format == DeriveFormat::text) return text_derivation(model, title, options);
  if (format == DeriveFormat::latex) return latex_derivation(model, title, true, options);
  return {derive_c(model, title), {}, {}, "", "", model.open_names(), 0, 0};
}

}  // namespace vinculum
