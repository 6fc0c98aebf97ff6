# The page of the report: web/ bundled into one file, which becomes part of vinculum_tool. Packages are fetched by
# npm into the build folder, once for each package-lock.json.
option(VINCULUM_REPORT "Build the page of 'run --report' into the program; needs node, npm and the npm registry" ON)
if(NOT VINCULUM_REPORT)
  return()
endif()
find_program(VINCULUM_NODE NAMES node nodejs)
find_program(VINCULUM_NPM npm)
if(NOT VINCULUM_NODE OR NOT VINCULUM_NPM)
  message(FATAL_ERROR "The report page needs the commands node and npm: install the packages nodejs and npm, or "
    "configure with -DVINCULUM_REPORT=OFF for a program without 'run --report'.")
endif()

set(web ${PROJECT_SOURCE_DIR}/web)
set(web_build ${PROJECT_BINARY_DIR}/web)
add_custom_command(OUTPUT ${web_build}/installed
  COMMAND ${web}/fetch_packages ${VINCULUM_NPM} ${web_build}
  DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${web}/fetch_packages
  COMMENT "Fetching the packages of the report page" VERBATIM)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*.js ${web}/src/*.css)
add_custom_command(OUTPUT ${web_build}/page.html
  COMMAND ${VINCULUM_NODE} ${web}/build.mjs ${web_build}/page.html ${web_build}
  DEPENDS ${web}/build.mjs ${web}/page.html ${web_sources} ${web_build}/installed
  COMMENT "Bundling the report page" VERBATIM)

embed_files(vinculum_tool report_template ${web_build}/page.html)
target_compile_definitions(vinculum_tool PRIVATE VINCULUM_REPORT)
