# The package as its users see it, of static and of shared libraries.

# A project of its own finds the installed package, builds and runs.
add_test(NAME consumer
  COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DVERSION=${PROJECT_VERSION}
          -DREPORT=$<BOOL:${VINCULUM_REPORT}> -DHDF5=$<BOOL:${with_hdf5}> -DSHARED=$<BOOL:${BUILD_SHARED_LIBS}>
          -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:vinculum>
          -P ${PROJECT_SOURCE_DIR}/tests/consumer/run.cmake)
set_tests_properties(consumer PROPERTIES TIMEOUT 300 LABELS package)

# Installed into an empty prefix, the program goes through every command of the documents.
if(TARGET test_cli)
  add_test(NAME installed
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DTESTS=$<TARGET_FILE:test_cli>
            -P ${PROJECT_SOURCE_DIR}/tests/install/run.cmake)
  set_tests_properties(installed PROPERTIES TIMEOUT 300 LABELS package)
endif()
