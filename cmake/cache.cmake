# ccache, where it is installed and nobody chose another launcher. Paths are taken from the source folder on, so that a
# fresh clone finds what another one compiled. Precompiled headers are trusted to be what their names say: else ccache
# would keep nothing that uses one.
find_program(VINCULUM_CCACHE ccache DOC "Keeps what was compiled; empty: none")
mark_as_advanced(VINCULUM_CCACHE)
if(VINCULUM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND CMAKE_PROJECT_NAME MATCHES "^vinculum")  # not where others include it
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                  CCACHE_SLOPPINESS=pch_defines,time_macros ${VINCULUM_CCACHE})
endif()
