# Installs the build into a folder of its own; then configures, builds and runs programs against it, as users would.
set(prefix ${BUILD}/outside/prefix)
file(REMOVE_RECURSE ${BUILD}/outside)
macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}")
  endif()
  message("${out}")
endmacro()

# outside(NAME FOLDER CMAKE_OPTIONS...)
function(outside name folder)
  set(work ${BUILD}/outside/${name})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${folder} -B ${work} -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
      -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC} --no-warn-unused-cli ${ARGN})
  run(${CMAKE_COMMAND} --build ${work})
  run(${work}/outside)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
outside(everything .)
# Third-party libraries are not even looked for.
set(alone)
foreach(package nlohmann_json draco meshoptimizer fmt PkgConfig Eigen3)
  list(APPEND alone -DCMAKE_DISABLE_FIND_PACKAGE_${package}=TRUE)
endforeach()
outside(core core ${alone})
outside(c c)
if(SHARED)
  outside(core_shared core ${alone} -DBUILD_SHARED_LIBS=ON)
  outside(c_shared c ${alone} -DBUILD_SHARED_LIBS=ON)
  # By hand, with pkg-config.
  file(GLOB_RECURSE found ${prefix}/fascia-c.pc)
  cmake_path(GET found PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  foreach(program "${CC} c/main.c;fascia-c" "${CXX} -std=c++20 core/main.cpp;fascia")
    list(GET program 0 compile)
    list(GET program 1 package)
    run(sh -ec "cd '${CMAKE_CURRENT_LIST_DIR}'
      ${compile} $(pkg-config --cflags --libs ${package}) -Wl,-rpath,$(pkg-config --variable=libdir ${package}) -o '${BUILD}/outside/by_hand'
      '${BUILD}/outside/by_hand'")
  endforeach()
endif()
