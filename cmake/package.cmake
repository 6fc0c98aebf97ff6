# Install and export: find_package(vinculum) gives vinculum::vinculum and needs nothing else.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/vinculum)

install(TARGETS vinculum EXPORT vinculum)
# The layers of the tool stay behind: their library is part of the program, not of the package.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/vinculum TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp"
        PATTERN "report" EXCLUDE PATTERN "io" EXCLUDE)
if(TARGET vinculum_cli)
  install(TARGETS vinculum_cli)
  if(DEFINED said)
    install(FILES ${said}/vinculum.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${said}/vinculum.bash RENAME vinculum
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${said}/_vinculum DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${said}/vinculum.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()

install(EXPORT vinculum NAMESPACE vinculum:: FILE vinculumTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/vinculumConfig.cmake.in
  ${PROJECT_BINARY_DIR}/vinculumConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a change of the second number may break users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vinculumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vinculumConfig.cmake ${PROJECT_BINARY_DIR}/vinculumConfigVersion.cmake
        DESTINATION ${package_folder})
