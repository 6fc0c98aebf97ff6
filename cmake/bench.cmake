# The benchmarks: one program of all bench/*.cpp, run by `make bench`.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cpp)
if(sources)
  find_package(benchmark REQUIRED)
  add_executable(vinculum_bench ${sources})
  target_include_directories(vinculum_bench PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(vinculum_bench PRIVATE
    vinculum vinculum_flags Eigen3::Eigen fmt::fmt-header-only benchmark::benchmark)
endif()
