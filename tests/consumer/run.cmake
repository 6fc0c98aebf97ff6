# Installs the build in BUILD below itself, then configures, builds and runs the project beside this file against it.
# Eigen, fmt and nlohmann_json are hidden from that project: who uses the package must not need them. VERSION is that of
# the build; REPORT, HDF5 and SHARED say what it was built with, and NM lists the symbols of LIBRARY.
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY ${BUILD})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "consumer: ${what} failed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
# The same, and what it prints.
function(expect what text)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output WORKING_DIRECTORY ${work})
  if(NOT output STREQUAL text)
    message(FATAL_ERROR "consumer: ${what} printed '${output}' in place of '${text}'")
  endif()
endfunction()

run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/installed)
set(hidden -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)
string(REGEX REPLACE "\\.[0-9]+$" "" wanted ${VERSION})
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -G Ninja -DCMAKE_PREFIX_PATH=${work}/installed
    -DCMAKE_CXX_COMPILER=${COMPILER} -DWANTED=${wanted} ${hidden})

# The engine asks for no package at all: not even for pkg-config.
run("configure the engine alone" ${configure} -B ${work}/engine -DWITH_TOOL=OFF -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON)
run("configure" ${configure} -B ${work}/build)
run("build" ${CMAKE_COMMAND} --build ${work}/build)

string(REPLACE "." ";" numbers ${VERSION})
list(GET numbers 0 major)
list(GET numbers 1 minor)
list(GET numbers 2 patch)
math(EXPR number "${major} * 10000 + ${minor} * 100 + ${patch}")
expect("the program" "x*x' is a product\nversion ${VERSION}, headers ${number}, library ${number}
the name 'x' is already that of a coordinate\n" ${work}/build/main)
# The same pendulum by its angle, theta'' = -g/L sin(theta) from asin(0.6), in 400,000 steps of Kutta's method.
expect("the pendulum" "t = 10: x = -1.111863, y = -1.662456, pull 17.534083\n" ${work}/build/pendulum)

# By its angle as well, with -0.1 L^2 theta' |theta'| along the way.
set(model ${CMAKE_CURRENT_LIST_DIR}/pendulum.toml)
set(motion "done: t = 10, x = -0.761369, y = -1.849410\n")
set(note "note: radau5 takes difference quotients of the function air, of which no derivative was given: its steps may be \
shorter, their error is controlled all the same\n")
set(no_page "error: this program was built without the report page; build it with -DVINCULUM_REPORT=ON\n")
if(REPORT)
  set(no_page "")
endif()
expect("the model in the wind" "${motion}${no_page}" ${work}/build/wind ${model} exact)
expect("the wind without a derivative" "${motion}${note}${no_page}" ${work}/build/wind ${model})
file(STRINGS ${work}/wind.csv head LIMIT_COUNT 20)
file(READ ${work}/wind.json json)
if(NOT "${head}" MATCHES "A pendulum in the wind" OR NOT json MATCHES "\"status\": *\"done\"")
  message(FATAL_ERROR "consumer: the results are not those of the model:\n${head}\n${json}")
endif()
if(REPORT)
  file(READ ${work}/wind.html page LIMIT 4000)
  if(NOT page MATCHES "<title>A pendulum in the wind</title>")
    message(FATAL_ERROR "consumer: the report has another title:\n${page}")
  endif()
endif()

# The program beside the library; without HDF5 it says so in a sentence, and a folder of results has the other files.
set(program ${work}/installed/bin/vinculum)
expect("the program" "vinculum ${VERSION}\n" ${program} --version)
if(NOT HDF5)
  expect("a file of HDF5" "vinculum: error: cannot write 'm.h5': vinculum was built without HDF5; write FILE.csv, or build it with \
-DVINCULUM_HDF5=ON\n" ${program} run ${model} --quiet --out m.h5)
  expect("a folder" "vinculum: note: 'm' will have no trajectory.h5: vinculum was built without HDF5\n"
         ${program} run ${model} --quiet --out m)
  file(GLOB files RELATIVE ${work}/m ${work}/m/*)
  if(NOT files STREQUAL "model.toml;result.json;trajectory.csv")
    message(FATAL_ERROR "consumer: a folder of results without HDF5 has '${files}'")
  endif()
endif()

# A shared library shows its own face, and nothing of what it is made of.
if(SHARED)
  run("list the symbols" ${NM} -D -C --defined-only ${LIBRARY})
  if(NOT output MATCHES "vinculum::simulate\\(")
    message(FATAL_ERROR "consumer: '${LIBRARY}' does not show vinculum::simulate")
  endif()
  if(output MATCHES "\n[^\n]* (Eigen::|fmt::|vinculum::kernel::|vinculum::derive::)[^\n]*")
    message(FATAL_ERROR "consumer: '${LIBRARY}' shows what it is made of: ${CMAKE_MATCH_0}")
  endif()
endif()
