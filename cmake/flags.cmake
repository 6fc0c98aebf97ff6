# How every target of the project is compiled; users of the installed library inherit none of it.
add_library(vinculum_flags INTERFACE)
target_compile_features(vinculum_flags INTERFACE cxx_std_20)

# Bits must not depend on whether a machine has a fused multiply-add: a*b + c always rounds twice.
# Nobody asks errno after sqrt; not setting it lets the compiler use the vector instruction. No value changes.
target_compile_options(vinculum_flags INTERFACE -ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ notes that wide vectors would be passed differently by code built with AVX; ours never leave the library.
  target_compile_options(vinculum_flags INTERFACE -Wno-psabi)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 sees overlapping copies in "text" + std::string where there are none (gcc bug 105329).
    target_compile_options(vinculum_flags INTERFACE -Wno-restrict)
  endif()
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The same of vectors; and a header of g++'s library uses what that library calls deprecated.
  target_compile_options(vinculum_flags INTERFACE -Wno-psabi -Wno-deprecated-declarations)
endif()

if(VINCULUM_SANITIZE)
  # Clones of a function for several processors are chosen before the sanitizers are ready: compile one only.
  target_compile_definitions(vinculum_flags INTERFACE VINCULUM_NO_CLONES _GLIBCXX_ASSERTIONS)
endif()
if(VINCULUM_SANITIZE STREQUAL "thread")
  target_compile_options(vinculum_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(vinculum_flags INTERFACE -fsanitize=thread)
elseif(VINCULUM_SANITIZE)
  # The address sanitizer stops at null and outside of an object as well: the second check of each would cost half of the
  # time to compile. Nothing here has a dynamic type to mistake.
  target_compile_options(vinculum_flags INTERFACE -fsanitize=address,undefined -fno-sanitize=null,object-size,vptr
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(vinculum_flags INTERFACE -fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Eigen takes blocks of empty matrices at an offset from null, which is harmless and counts as undefined.
    target_compile_options(vinculum_flags INTERFACE -fno-sanitize=pointer-overflow)
  endif()
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
