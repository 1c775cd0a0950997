# cmake --install creates a package: find_package(fascia) and the targets fascia::fascia, fascia::io, fascia::render,
# fascia::characters, fascia::c.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(targets fascia fascia_characters)
if(FASCIA_BUILD_TOOLS)
  list(APPEND targets fascia_image fascia_io fascia_render fascia_c)
endif()
foreach(target ${targets})
  string(REGEX REPLACE "^fascia_" "" exported ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported})
endforeach()
install(TARGETS ${targets} EXPORT fascia-targets)
install(DIRECTORY include/fascia DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/fascia)
install(EXPORT fascia-targets NAMESPACE fascia:: DESTINATION ${package})
configure_package_config_file(cmake/fascia-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/fascia-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/fascia-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fascia-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/fascia-config-version.cmake
  DESTINATION ${package})
