# The program: the command line, and the models built into it.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cpp)
find_package(CLI11 REQUIRED)
add_executable(vinculum_cli ${cli_sources})
set_target_properties(vinculum_cli PROPERTIES
  OUTPUT_NAME vinculum RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
file(GLOB example_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.toml)
embed_files(vinculum_cli example_files ${example_models})
embed_files(vinculum_cli starter_files ${PROJECT_SOURCE_DIR}/src/cli/starter/model.toml)
target_compile_definitions(vinculum_cli PRIVATE VINCULUM_VERSION="${PROJECT_VERSION}")
target_include_directories(vinculum_cli PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(vinculum_cli PRIVATE vinculum_tool vinculum fmt::fmt-header-only vinculum_flags CLI11::CLI11)
