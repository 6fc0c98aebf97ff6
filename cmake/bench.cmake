# The benchmarks: one program of all bench/*.cpp, run by `make bench`.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cpp)
if(sources)
  find_package(benchmark REQUIRED)
  add_executable(vinculum_bench ${sources})
  target_include_directories(vinculum_bench PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(vinculum_bench PRIVATE
    vinculum vinculum_flags Eigen3::Eigen fmt::fmt-header-only benchmark::benchmark)
endif()

# Work against precision: one program of all bench/precision/*.cpp, run by `make precision`. It stands beside Boost.odeint
# and, where they are installed, the solvers of SUNDIALS.
find_package(Boost 1.70 QUIET)
if(NOT Boost_FOUND)
  message(STATUS "vinculum_precision is left out: no Boost (libboost-dev)")
  return()
endif()
set(folder ${PROJECT_SOURCE_DIR}/bench/precision)
file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
add_executable(vinculum_precision ${sources})
target_include_directories(vinculum_precision PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(vinculum_precision PRIVATE vinculum vinculum_flags Boost::headers)
# The steppers of odeint copy their arrays before the first step fills them.
set_source_files_properties(${folder}/odeint.cpp PROPERTIES
  COMPILE_OPTIONS "-Wno-uninitialized;-Wno-maybe-uninitialized")

# By hand: the package file of SUNDIALS asks for MPI, PETSc and others that these solvers do not need.
find_path(SUNDIALS_FOLDER cvode/cvode_proj.h)
set(libraries)
set(found ${SUNDIALS_FOLDER})
foreach(part cvode ida arkode nvecserial sunlinsoldense sunmatrixdense sunnonlinsolfixedpoint)
  find_library(SUNDIALS_${part} sundials_${part})
  list(APPEND libraries ${SUNDIALS_${part}})
  if(NOT SUNDIALS_${part})
    set(found FALSE)
  endif()
endforeach()
if(found)
  file(STRINGS ${SUNDIALS_FOLDER}/sundials/sundials_config.h version REGEX "SUNDIALS_VERSION_MAJOR +6")
endif()
if(found AND version)
  target_compile_definitions(vinculum_precision PRIVATE VINCULUM_SUNDIALS)
  target_include_directories(vinculum_precision SYSTEM PRIVATE ${SUNDIALS_FOLDER})
  target_link_libraries(vinculum_precision PRIVATE ${libraries})
else()
  message(STATUS "vinculum_precision without SUNDIALS: no SUNDIALS 6 (libsundials-dev)")
endif()
