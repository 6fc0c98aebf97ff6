# Installs the build in BUILD below itself, then configures, builds and runs the project beside this file against it.
# Eigen and fmt are hidden from that project: who uses the package must not need them.
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "consumer: ${what} failed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/installed)
# A header without its library would compile and then not link.
foreach(layer IN ITEMS report io)
  if(EXISTS ${work}/installed/include/vinculum/${layer})
    message(FATAL_ERROR "consumer: the headers of '${layer}' are installed, and their library is not")
  endif()
endforeach()
run("configure" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${work}/installed -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
run("build" ${CMAKE_COMMAND} --build ${work}/build)
run("program" ${work}/build/main)
if(NOT output STREQUAL "x*y is a product\n")
  message(FATAL_ERROR "consumer: the program printed '${output}'")
endif()
run("pendulum" ${work}/build/pendulum)
# The same pendulum by its angle, theta'' = -g/L sin(theta) from asin(0.6), in 400,000 steps of Kutta's method.
if(NOT output STREQUAL "t = 10: x = -1.111863, y = -1.662456, pull 17.534083\n")
  message(FATAL_ERROR "consumer: the pendulum printed '${output}'")
endif()
