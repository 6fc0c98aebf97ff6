// Text is UTF-8.
#pragma once
#include <string_view>

namespace vinculum {

/// The offset of the first byte that is no UTF-8, or npos.
std::size_t find_bad_byte(std::string_view text);

}  // namespace vinculum
