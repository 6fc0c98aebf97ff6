# Every folder of tests/ that holds *_test.cpp becomes one program and one test: tests/expr -> test_expr.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(nlohmann_json REQUIRED)

file(GLOB test_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/*_test.cpp)
set(test_folders)
foreach(file IN LISTS test_files)
  cmake_path(GET file PARENT_PATH folder)
  list(APPEND test_folders ${folder})
endforeach()
list(REMOVE_DUPLICATES test_folders)

# How every test is compiled. A test is compiled far more often than its checks run: less optimised, and with the headers that
# nearly all of them need read once. Only headers of others: a change of ours compiles what includes it, no more.
add_library(test_flags INTERFACE)
target_include_directories(test_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR})
target_link_libraries(test_flags INTERFACE
  vinculum_examples vinculum_tool vinculum vinculum_flags Eigen3::Eigen nlohmann_json::nlohmann_json
  rapidcheck rapidcheck_gtest GTest::gtest_main)
target_compile_options(test_flags INTERFACE $<$<CONFIG:Release>:-O1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With -O1 g++ 12 takes the small buffer of a string for its only one.
  target_compile_options(test_flags INTERFACE -Wno-stringop-overread)
endif()

# What tests of several layers use.
file(GLOB support CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.cpp)
add_library(test_support OBJECT ${support})
target_link_libraries(test_support PRIVATE test_flags)
target_precompile_headers(test_support PRIVATE <gtest/gtest.h>
  <algorithm> <array> <cmath> <fstream> <functional> <limits> <map> <numbers> <random> <span> <sstream> <string> <vector>)
set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/support/data.cpp PROPERTIES
  COMPILE_DEFINITIONS VINCULUM_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")

set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/base/version_test.cpp PROPERTIES
  COMPILE_DEFINITIONS VINCULUM_PROJECT_VERSION="${PROJECT_VERSION}")

foreach(folder IN LISTS test_folders)
  cmake_path(GET folder FILENAME layer)
  if(layer STREQUAL "cli" AND NOT TARGET vinculum_cli)
    continue()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT with_hdf5)
    list(FILTER sources EXCLUDE REGEX "/io/hdf5_test\\.cpp$")
  endif()
  add_executable(test_${layer} ${sources})
  target_link_libraries(test_${layer} PRIVATE test_support test_flags)
  target_precompile_headers(test_${layer} REUSE_FROM test_support)
  if(layer STREQUAL "io" AND with_hdf5)  # reads result files back
    target_link_libraries(test_${layer} PRIVATE PkgConfig::HDF5)
  endif()
  if(VINCULUM_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Under the sanitizers g++ 12 takes parts of <regex> for uninitialised.
    target_compile_options(test_${layer} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(layer STREQUAL "cli")
    target_compile_definitions(test_${layer} PRIVATE VINCULUM_PROGRAM="$<TARGET_FILE:vinculum_cli>"
      VINCULUM_SOURCE="${PROJECT_SOURCE_DIR}")
    add_dependencies(test_${layer} vinculum_cli)
    if(TARGET vinculum_mpi)
      target_compile_definitions(test_${layer} PRIVATE VINCULUM_HAS_MPI)
    endif()
  endif()
  # Labels choose by how long one waits (`ctest -L quick`); limits are several times what a quiet machine needs, more of it
  # where a sanitizer looks over every step.
  set(label quick)
  set(limit 120)
  if(layer MATCHES "^(analysis|cli|equation|examples|motion|system)$")
    set(label thorough)
    set(limit 600)
  endif()
  if(VINCULUM_SANITIZE)
    math(EXPR limit "4 * ${limit}")
  endif()
  # The longest goes first, in parts, so that no processor waits for its end.
  set(parts 1)
  if(layer STREQUAL "motion")
    set(parts 4)
  endif()
  foreach(part RANGE 1 ${parts})
    set(name ${layer})
    if(parts GREATER 1)
      set(name ${layer}_${part})
    endif()
    math(EXPR index "${part} - 1")
    add_test(NAME ${name} COMMAND test_${layer} --gtest_brief=1)
    # The same random systems in every run; a test program started by hand draws new ones.
    set_tests_properties(${name} PROPERTIES TIMEOUT ${limit} LABELS ${label} COST ${parts}
      ENVIRONMENT "RC_PARAMS=seed=1;GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}")
  endforeach()
endforeach()

if(VINCULUM_SANITIZE)
  return()
endif()

# Every public header compiles alone: one file per header that includes nothing else, and that one twice.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS
     RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/vinculum/*.hpp)
set(sources)
foreach(header IN LISTS headers)
  set(source ${PROJECT_BINARY_DIR}/headers/${header}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n")
  list(APPEND sources ${source})
endforeach()
add_library(vinculum_headers OBJECT EXCLUDE_FROM_ALL ${sources})
target_include_directories(vinculum_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(vinculum_headers PRIVATE vinculum_flags)
add_test(NAME headers_alone
  COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --parallel 2 --target vinculum_headers)

add_test(NAME layers COMMAND ${PROJECT_SOURCE_DIR}/tools/check_layers)
add_test(NAME check_layers COMMAND ${PROJECT_SOURCE_DIR}/tests/tools/check_layers_test)
set_tests_properties(headers_alone layers check_layers PROPERTIES TIMEOUT 300 LABELS sources)

# The report's page in a real browser. Playwright comes with the packages of the page: the newest that
# runs on Debian's node 18.
if(VINCULUM_REPORT)
  add_executable(make_report ${PROJECT_SOURCE_DIR}/tests/web/make_report.cpp)
  target_include_directories(make_report PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(make_report PRIVATE vinculum_examples vinculum_tool vinculum vinculum_flags)
  add_test(NAME report_page
    COMMAND ${VINCULUM_NODE} ${PROJECT_SOURCE_DIR}/tests/web/report_test.mjs $<TARGET_FILE:make_report> ${PROJECT_BINARY_DIR}/web
            $<TARGET_FILE:vinculum_cli> ${PROJECT_SOURCE_DIR}/examples/pendulum.toml)
  add_test(NAME study_page
    COMMAND ${VINCULUM_NODE} ${PROJECT_SOURCE_DIR}/tests/web/study_test.mjs ${PROJECT_BINARY_DIR}/web $<TARGET_FILE:vinculum_cli>)
  set_tests_properties(report_page study_page PROPERTIES TIMEOUT 300 LABELS browser)
endif()
