# fuzz_model: any bytes as a model file, fuzz_robot: as a robot's, by libFuzzer under the sanitizers (clang). `make fuzz` runs it.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "fuzzing needs clang: use 'cmake --preset fuzz'")
endif()
# Eigen takes blocks of empty matrices at an offset from null, which is harmless and counts as undefined.
target_compile_options(vinculum_flags INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize=pointer-overflow)
foreach(kind IN ITEMS model robot)
  add_executable(fuzz_${kind} ${PROJECT_SOURCE_DIR}/tests/fuzz/${kind}_fuzz.cpp)
  target_link_libraries(fuzz_${kind} PRIVATE vinculum_tool vinculum vinculum_flags)
  target_link_options(fuzz_${kind} PRIVATE -fsanitize=fuzzer)
endforeach()
