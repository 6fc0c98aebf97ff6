# The Python package in the build folder, python/vinculum: its module, linked with the libraries that are built here
# anyway, and links to what is written in Python. Its tests run with the others; the wheel is another road (python/).
set(Python_EXECUTABLE ${VINCULUM_PYTHON})
include(python_module)
set(package ${PROJECT_BINARY_DIR}/python/vinculum)
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${package})
file(MAKE_DIRECTORY ${package})
file(GLOB python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/vinculum/*.py*)
foreach(file IN LISTS python_files)
  if(NOT IS_DIRECTORY ${file})
    cmake_path(GET file FILENAME name)
    file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
  endif()
endforeach()
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/vinculum/py.typed ${package}/py.typed SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/examples ${package}/models SYMBOLIC)

foreach(part IN ITEMS tests types)
  add_test(NAME python_${part} COMMAND ${PROJECT_SOURCE_DIR}/tools/test_python ${part})
  set_tests_properties(python_${part} PROPERTIES TIMEOUT 600 LABELS python COST 2
    ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;VINCULUM_PROGRAM=$<TARGET_FILE:vinculum_cli>")
endforeach()
