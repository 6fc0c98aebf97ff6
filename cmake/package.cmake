# Install and export: find_package(vinculum) gives vinculum::vinculum, the engine, and needs nothing else;
# find_package(vinculum COMPONENTS tool) gives vinculum::tool, too: models from files, results, the report.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/vinculum)

install(TARGETS vinculum EXPORT vinculum)
install(TARGETS vinculum_tool EXPORT vinculum_tool)
if(BUILD_SHARED_LIBS)
  set_target_properties(vinculum_tool PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/vinculum TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
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
install(EXPORT vinculum_tool NAMESPACE vinculum:: FILE vinculumToolTargets.cmake DESTINATION ${package_folder})
# A static library leaves it to its users to link what it is made of.
set(packages_of_tool)
if(NOT BUILD_SHARED_LIBS)
  set(packages_of_tool TOMLPLUSPLUS:tomlplusplus TINYXML2:tinyxml2)
  if(with_hdf5)
    list(APPEND packages_of_tool HDF5:hdf5-serial)
  endif()
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/vinculumConfig.cmake.in
  ${PROJECT_BINARY_DIR}/vinculumConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a change of the second number may break users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vinculumConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vinculumConfig.cmake ${PROJECT_BINARY_DIR}/vinculumConfigVersion.cmake
        DESTINATION ${package_folder})
