# embed_files(TARGET LIST FILE...): the bytes of the files become part of the target, as the function
#     std::span<const vinculum::EmbeddedFile> vinculum::LIST();
# The assembler reads the files as they are (.incbin), so that size costs no compile time.
function(embed_files target list)
  set(labels "")
  set(entries "")
  set(number 0)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    set(label embedded_${list}_${number})
    string(APPEND labels
      "asm(\".section .rodata\\n${label}:\\n.incbin \\\"${file}\\\"\\n${label}_end:\\n.byte 0\\n.previous\\n\");\n"
      "extern \"C\" [[gnu::visibility(\"hidden\")]] const char ${label}[], ${label}_end[];\n")
    string(APPEND entries
      "      {\"${name}\", {${label}, static_cast<std::size_t>(${label}_end - ${label})}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  # Labels must be seen by the linker: global, hidden.
  string(REGEX REPLACE "asm\\(\"\\.section \\.rodata\\\\n(embedded_[a-z_]+_[0-9]+):"
    "asm(\".section .rodata\\\\n.global \\1, \\1_end\\\\n.hidden \\1, \\1_end\\\\n\\1:" labels "${labels}")
  set(source ${PROJECT_BINARY_DIR}/embedded/${list}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/embed.cmake.
#include <array>
#include <cstddef>

#include \"base/embedded.hpp\"

${labels}
namespace vinculum {
std::span<const EmbeddedFile> ${list}();
std::span<const EmbeddedFile> ${list}() {
  static const std::array<EmbeddedFile, ${number}> files{{
${entries}  }};
  return files;
}
}  // namespace vinculum
" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}")
  target_sources(${target} PRIVATE ${source})
endfunction()
