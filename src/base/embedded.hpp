// Files that are part of the program itself: cmake/embed.cmake puts them in.
#pragma once
#include <span>
#include <string_view>

namespace vinculum {

struct EmbeddedFile {
  std::string_view name;  ///< without its folder
  std::string_view bytes;
};

}  // namespace vinculum
