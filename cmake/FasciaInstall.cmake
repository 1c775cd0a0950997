# cmake --install creates a package: find_package(fascia [COMPONENTS core|io|render|c] [static|shared]) and the targets
# fascia::fascia, fascia::characters (core), fascia::io, fascia::render, fascia::c; and the same for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/fascia)

# fascia_install(COMPONENT TARGETS...): both kinds of the targets, in files that the package reads if they are asked for.
function(fascia_install component)
  foreach(kind static shared)
    set(targets)
    foreach(target ${ARGN})
      string(REGEX REPLACE "^fascia_" "" exported ${target})
      if(kind STREQUAL shared)
        string(APPEND target _shared)
      endif()
      if(TARGET ${target})
        set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported})
        list(APPEND targets ${target})
      endif()
    endforeach()
    if(targets)
      install(TARGETS ${targets} EXPORT fascia-${component}-${kind})
      install(EXPORT fascia-${component}-${kind} NAMESPACE fascia:: DESTINATION ${package})
    endif()
  endforeach()
endfunction()

fascia_install(core fascia fascia_characters)
if(FASCIA_BUILD_TOOLS)
  fascia_install(image fascia_image)
  fascia_install(io fascia_io)
  fascia_install(render fascia_render)
  fascia_install(c fascia_c)
endif()
install(DIRECTORY include/fascia DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(cmake/fascia-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/fascia-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/fascia-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fascia-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/fascia-config-version.cmake
  DESTINATION ${package})

# fascia_pkg_config(NAME ABOUT LIBS PRIVATE_REQUIRES PRIVATE_LIBS): what a static link needs besides is private.
function(fascia_pkg_config name about libs private_requires private_libs)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc)
  configure_file(cmake/package.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
fascia_pkg_config(fascia "flesh for skeleton-driven characters" "-lfascia_characters -lfascia" ""
  "-lstdc++ -lm ${CMAKE_THREAD_LIBS_INIT}")
if(FASCIA_BUILD_TOOLS)
  fascia_pkg_config(fascia-io "readers and writers for Fascia" "-lfascia_io -lfascia" "fascia"
    "-lfascia_image -ldraco -lmeshoptimizer -lfmt -lwebp")
  fascia_pkg_config(fascia-c "Fascia for C" "-lfascia_c" "fascia-io fascia" "")
endif()
