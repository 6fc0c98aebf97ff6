# The library: the folders of src/ in the order of the layers (tools/check_layers holds what each may include).
set(layers base expr kernel equation model lower system motion ensemble device analysis)
set(sources)
foreach(layer IN LISTS layers)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  list(APPEND sources ${found})
endforeach()

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt 9 REQUIRED)

# fmt, of which base/fmt.cpp is what is compiled. A shared library hides it, so that others need their own.
function(use_fmt target)
  target_include_directories(${target} SYSTEM PRIVATE
    $<BUILD_INTERFACE:$<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>>)
  if(BUILD_SHARED_LIBS AND NOT target STREQUAL "vinculum")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/base/fmt.cpp)
  endif()
endfunction()

# What both libraries have in common: only what is marked VINCULUM_EXPORT is seen from outside.
function(vinculum_library target)
  add_library(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # Headers only, and only while building: whoever links the installed library needs neither of them.
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:vinculum_flags> $<BUILD_INTERFACE:Eigen3::Eigen>)
  use_fmt(${target})
endfunction()

# What writes series down runs once for a system, what writes text once for a run: small before fast.
foreach(writing kernel/series/steps kernel/series/function kernel/series/program system/series/small_series
        system/series/series_kernels system/series/series_statements system/series/small_parts expr/latex
        io/model/schema report/json report/json_parts report/json_run report/page_data report/page
        report/picture report/picture_scene analysis/check_page analysis/page_text analysis/summary)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${writing}.cpp PROPERTIES COMPILE_OPTIONS
    $<$<CONFIG:Release>:-Os>)
endforeach()

vinculum_library(vinculum ${sources})
add_library(vinculum::vinculum ALIAS vinculum)
embed_files(vinculum device_files ${PROJECT_SOURCE_DIR}/src/device/stepping.inc)
target_compile_features(vinculum PUBLIC cxx_std_20)
if(BUILD_SHARED_LIBS)
  # The inside of an exported class has fields of hidden types: nobody outside sees either.
  target_compile_options(vinculum_flags INTERFACE -Wno-attributes)
  target_link_options(vinculum PRIVATE LINKER:--no-undefined)
else()
  target_compile_definitions(vinculum PUBLIC VINCULUM_STATIC)
endif()

# The tool around it: reading models, writing results, the report. A library of its own, so that whoever uses the
# engine alone needs none of these packages.
set(VINCULUM_HDF5 AUTO CACHE STRING "Results in HDF5 files: ON, OFF, or AUTO: where the library is installed")
set_property(CACHE VINCULUM_HDF5 PROPERTY STRINGS AUTO ON OFF)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(TINYXML2 REQUIRED IMPORTED_TARGET tinyxml2)
if(VINCULUM_HDF5 STREQUAL "AUTO")
  pkg_check_modules(HDF5 IMPORTED_TARGET hdf5-serial)
elseif(VINCULUM_HDF5)
  pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
endif()
set(with_hdf5 FALSE)
if(VINCULUM_HDF5 AND TARGET PkgConfig::HDF5)
  set(with_hdf5 TRUE)
endif()
set(tool_sources)
foreach(layer IN ITEMS report io)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  list(APPEND tool_sources ${found})
endforeach()
if(with_hdf5)
  list(FILTER tool_sources EXCLUDE REGEX "/without_hdf5\\.cpp$")
else()
  message(STATUS "vinculum_tool without HDF5: results go to CSV files alone (libhdf5-dev)")
  list(FILTER tool_sources EXCLUDE REGEX "/(hdf5_[a-z]+|write_hdf5|study_hdf5|table_hdf5)\\.cpp$")
endif()
vinculum_library(vinculum_tool ${tool_sources})
add_library(vinculum::tool ALIAS vinculum_tool)
set_target_properties(vinculum_tool PROPERTIES EXPORT_NAME tool)
target_link_libraries(vinculum_tool PUBLIC vinculum
  PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> PkgConfig::TOMLPLUSPLUS PkgConfig::TINYXML2)
if(with_hdf5)
  target_link_libraries(vinculum_tool PRIVATE PkgConfig::HDF5)
endif()
include(web)  # the page of the report, built into vinculum_tool

# The gallery of examples: part of the program and of the tests, not of the library.
file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/cpp/*.cpp)
add_library(vinculum_examples STATIC ${example_sources})
target_include_directories(vinculum_examples PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(vinculum_examples PUBLIC vinculum PRIVATE vinculum_flags)
