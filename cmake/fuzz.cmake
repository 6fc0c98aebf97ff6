# fuzz_model: any bytes as a model file, fuzz_robot: as a robot's, by libFuzzer under the sanitizers (clang). `make fuzz` runs it.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "fuzzing needs clang: use 'cmake --preset sanitize'")
endif()
# What libFuzzer watches to find its way: all that reads, and not the engine, whose tests would wait for it.
get_target_property(reading vinculum SOURCES)
list(FILTER reading INCLUDE REGEX "/src/(base|expr|equation|model|lower)/")
set_property(SOURCE ${reading} APPEND PROPERTY COMPILE_OPTIONS -fsanitize=fuzzer-no-link)
target_compile_options(vinculum_tool PRIVATE -fsanitize=fuzzer-no-link)
foreach(kind IN ITEMS model robot)
  add_executable(fuzz_${kind} ${PROJECT_SOURCE_DIR}/tests/fuzz/${kind}_fuzz.cpp)
  target_link_libraries(fuzz_${kind} PRIVATE vinculum_tool vinculum vinculum_flags)
  target_link_options(fuzz_${kind} PRIVATE -fsanitize=fuzzer)
endforeach()
