# Installs the build in BUILD into an empty prefix, then goes through the README and the tutorial with the installed
# program: every command shown there, with the output shown.
set(prefix ${BUILD}/installed)
file(REMOVE_RECURSE ${prefix})

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "install: ${what} failed (${result}):\n${output}")
  endif()
endfunction()

run("make install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
foreach(file IN ITEMS bin/vinculum share/man/man1/vinculum.1 share/bash-completion/completions/vinculum
        share/zsh/site-functions/_vinculum share/fish/vendor_completions.d/vinculum.fish)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "install: ${file} is missing")
  endif()
endforeach()
run("the tutorial" ${CMAKE_COMMAND} -E env VINCULUM_INSTALLED=${prefix}/bin ${TESTS} --gtest_filter=Docs.* --gtest_brief=1)
