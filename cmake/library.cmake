# The library: the folders of src/ in the order of the layers (tools/check_layers holds what each may include).
set(layers base expr kernel equation model system motion analysis)
set(sources)
foreach(layer IN LISTS layers)
  file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  list(APPEND sources ${found})
endforeach()

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt 9 REQUIRED)

add_library(vinculum ${sources})
add_library(vinculum::vinculum ALIAS vinculum)
target_compile_features(vinculum PUBLIC cxx_std_20)
target_include_directories(vinculum
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
  PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Headers only, and only while building: whoever links the installed library needs neither of them.
target_link_libraries(vinculum
  PRIVATE $<BUILD_INTERFACE:vinculum_flags> $<BUILD_INTERFACE:Eigen3::Eigen> $<BUILD_INTERFACE:fmt::fmt-header-only>)

# The tool around it: reading models, writing results, the report. A library of its own, so that whoever uses the
# engine alone needs none of these packages.
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
set(tool_sources)
foreach(layer IN ITEMS report io)
  file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  list(APPEND tool_sources ${found})
endforeach()
add_library(vinculum_tool STATIC ${tool_sources})
target_compile_definitions(vinculum_tool PRIVATE VINCULUM_VERSION="${PROJECT_VERSION}")
target_include_directories(vinculum_tool PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(vinculum_tool PUBLIC vinculum
  PRIVATE vinculum_flags Eigen3::Eigen fmt::fmt-header-only nlohmann_json::nlohmann_json PkgConfig::TOMLPLUSPLUS PkgConfig::HDF5)
include(web)  # the page of the report, built into vinculum_tool

# The gallery of examples: part of the program and of the tests, not of the library.
file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/cpp/*.cpp)
add_library(vinculum_examples STATIC ${example_sources})
target_include_directories(vinculum_examples PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(vinculum_examples PUBLIC vinculum PRIVATE vinculum_flags)
