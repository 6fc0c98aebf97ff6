# The program: the command line, and the models built into it. The commands are a library of their own, since Python has
# them, too.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cpp)
list(FILTER cli_sources EXCLUDE REGEX "/main\\.cpp$")
find_package(CLI11 REQUIRED)
add_library(vinculum_commands STATIC ${cli_sources})
set_target_properties(vinculum_commands PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
target_include_directories(vinculum_commands PRIVATE ${PROJECT_SOURCE_DIR}/src)
include(GNUInstallDirs)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cli/company.cpp PROPERTIES
  COMPILE_DEFINITIONS VINCULUM_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}")
target_link_libraries(vinculum_commands PRIVATE vinculum_tool vinculum vinculum_flags CLI11::CLI11 ${CMAKE_DL_LIBS})
use_fmt(vinculum_commands)
add_executable(vinculum_cli ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)
set_target_properties(vinculum_cli PROPERTIES
  OUTPUT_NAME vinculum RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
if(BUILD_SHARED_LIBS)  # the libraries beside it, wherever both are put
  file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(vinculum_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
endif()
file(GLOB example_models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.toml)
embed_files(vinculum_commands example_files ${example_models})
embed_files(vinculum_commands starter_files ${PROJECT_SOURCE_DIR}/src/cli/starter/model.toml)
target_include_directories(vinculum_cli PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(vinculum_cli PRIVATE vinculum_commands vinculum_tool vinculum vinculum_flags)

# The manual page and the completions of shells are what the program itself says of its commands.
if(NOT CMAKE_CROSSCOMPILING)
  set(said ${PROJECT_BINARY_DIR}/said)
  file(MAKE_DIRECTORY ${said})
  add_custom_command(TARGET vinculum_cli POST_BUILD
    COMMAND vinculum_cli man > ${said}/vinculum.1
    COMMAND vinculum_cli completion bash > ${said}/vinculum.bash
    COMMAND vinculum_cli completion zsh > ${said}/_vinculum
    COMMAND vinculum_cli completion fish > ${said}/vinculum.fish
    COMMENT "Writing the manual page and the completions")
endif()
include(mpi)  # several processes at one study
