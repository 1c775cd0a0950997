# Shared libraries from the objects of the static ones: at the cost of one link. They show the interface only.

# fascia_add_shared(NAME [SEES LIBRARIES...] [HIDES LIBRARIES...] [INSIDE FILES...]): NAME_shared beside the static library
# NAME. SEES: libraries whose interface is part of its own. HIDES: whatever else it needs. INSIDE: sources of another library
# that it uses without being shown them; it gets a copy of its own. (State that belongs to the process and not to a
# library must not be copied: it is shown to our other libraries, see src/base/unfinished.h.)
function(fascia_add_shared name)
  if(NOT FASCIA_BUILD_SHARED)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 its "" "" "SEES;HIDES;INSIDE")
  set(target ${name}_shared)
  add_library(${target} SHARED $<TARGET_OBJECTS:${name}> ${its_INSIDE})
  foreach(level ${fascia_levels})
    if(TARGET ${name}_${level})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${name}_${level}>)
    endif()
  endforeach()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  get_target_property(asked ${name} INTERFACE_COMPILE_FEATURES)
  if(asked)
    target_compile_features(${target} PUBLIC ${asked})
  endif()
  list(TRANSFORM its_HIDES REPLACE "(.+)" "$<BUILD_INTERFACE:\\1>")
  target_link_libraries(${target} PUBLIC ${its_SEES} PRIVATE $<BUILD_INTERFACE:fascia_flags> ${its_HIDES})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(APPLE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH @loader_path)
  elseif(UNIX)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH $ORIGIN LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map -Wl,--as-needed)
    if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      target_link_options(${target} PRIVATE -Wl,--no-undefined)  # missing symbols are noticed here, not by users
    endif()
  else()
    set_target_properties(${target} PROPERTIES WINDOWS_EXPORT_ALL_SYMBOLS ON)
  endif()
endfunction()
