# The module vinculum._core, with the engine inside it, for the Python that is ${Python_EXECUTABLE} or the first on the path.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

set(vinculum_source ${CMAKE_CURRENT_LIST_DIR}/..)
file(GLOB python_sources CONFIGURE_DEPENDS ${vinculum_source}/src/python/*.cpp)
nanobind_add_module(_core NB_STATIC NOMINSIZE NB_SUPPRESS_WARNINGS NB_DOMAIN vinculum ${python_sources})
target_include_directories(_core PRIVATE ${vinculum_source}/src)
target_link_libraries(_core PRIVATE vinculum_tool vinculum vinculum_commands)
target_compile_features(_core PRIVATE cxx_std_20)
target_compile_options(_core PRIVATE -Wall -Wextra)
# What is linked in stays inside: symbols of another copy of the C++ library in the process are none of ours.
target_link_options(_core PRIVATE -static-libstdc++ -static-libgcc LINKER:--exclude-libs,ALL)
