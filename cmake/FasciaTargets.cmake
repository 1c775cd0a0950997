# Flags that all our targets are compiled with, and the kernels that are compiled once per vector level.

add_library(fascia_flags INTERFACE)
target_compile_options(fascia_flags INTERFACE -Wall -Wextra -Werror
  # The same bits from every compiler and vector width: no fused multiply-adds, no reassociation.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  # g++ 12 warns about uninitialised members in its own std::regex and std::function when they are instrumented.
  target_compile_options(fascia_flags INTERFACE -Wno-maybe-uninitialized)
endif()
target_include_directories(fascia_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(FASCIA_MULTI_ISA AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT EMSCRIPTEN)
  set(fascia_levels v2 v3 v4)
  target_compile_definitions(fascia_flags INTERFACE FASCIA_MULTI_ISA)
else()
  set(fascia_levels base)
endif()

# fascia_add_library(NAME FOLDER... ): a static library of all .cpp files in the folders; files that end in _kernel.cpp are
# compiled once per vector level (see base/isa.h).
function(fascia_add_library name)
  set(kernels)
  add_library(${name} STATIC)
  foreach(folder ${ARGN})
    file(GLOB plain CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    set(vectors ${plain})
    list(FILTER plain EXCLUDE REGEX "_kernel\\.cpp$")
    list(FILTER vectors INCLUDE REGEX "_kernel\\.cpp$")
    list(APPEND kernels ${vectors})
    target_sources(${name} PRIVATE ${plain})
    fascia_batch(${name} ${folder} ${plain})
  endforeach()
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:fascia_flags>)

  foreach(level ${fascia_levels})
    if(level STREQUAL base)
      fascia_add_kernels(${name} base "" "${kernels}")
    else()
      fascia_add_kernels(${name} ${level} "-march=x86-64-${level}" "${kernels}")
    endif()
  endforeach()
endfunction()

function(fascia_add_kernels name level flags kernels)
  if(NOT kernels)
    set(kernels ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  add_library(${name}_${level} OBJECT ${kernels})
  target_include_directories(${name}_${level} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name}_${level} PRIVATE fascia_flags)
  target_compile_options(${name}_${level} PRIVATE ${flags} -fno-math-errno -fno-trapping-math)
  target_compile_definitions(${name}_${level} PRIVATE FASCIA_ISA_NAMESPACE=isa_${level})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # -fno-tree-ter: keeps operations on several vectors interleaved as written.
    target_compile_options(${name}_${level} PRIVATE -Wno-psabi -fno-tree-ter)
  endif()
  target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_${level}>)
endfunction()

# fascia_add_tests(NAME FOLDER LIBRARIES...): one GoogleTest program of all *_test.cpp in the folder.
function(fascia_add_tests name folder)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp)
  if(NOT files)
    return()
  endif()
  add_executable(${name} ${files})
  fascia_batch(${name} tests ${files})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE fascia_flags ${ARGN} test_places GTest::gtest_main)
  fascia_light(${name})
  if(FASCIA_BATCHES AND NOT "slow" IN_LIST FASCIA_TEST_LABELS AND NOT name STREQUAL "test_characters")
    # Built to be run once: optimising a test takes longer than it saves, except where the test itself computes a lot.
    target_compile_options(${name} PRIVATE -O0)
  endif()
  fascia_discover_tests(${name} "*" TIMEOUT 1200 ${FASCIA_TEST_LABELS})
endfunction()

# fascia_discover_tests(PROGRAM FILTER PROPERTIES...): the program's tests, for ctest to run each in a process of its own, or
# in a few shares: making the characters takes longer than most tests, and the tests of one process share them. Slow tests
# stay apart, so that ctest can begin with the longest.
set(FASCIA_TEST_SHARES 0 CACHE STRING "run each test program in this many processes; 0: every test in its own")
option(FASCIA_MEASURE "also run tests of figures over long motions or many bodies (not under sanitizers)" ON)
function(fascia_discover_tests program filter)
  if(NOT FASCIA_TEST_SHARES OR "slow" IN_LIST ARGN)
    gtest_discover_tests(${program} TEST_FILTER ${filter} DISCOVERY_TIMEOUT 60 PROPERTIES ${ARGN})
    return()
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR NOT FASCIA_MEASURE)
    list(JOIN FASCIA_MEASURING ":" measuring)
    string(APPEND filter "-${measuring}")
  endif()
  math(EXPR last "${FASCIA_TEST_SHARES} - 1")
  foreach(share RANGE ${last})
    set(name ${program}.share_${share})
    add_test(NAME ${name} COMMAND ${program} --gtest_filter=${filter})
    set_tests_properties(${name} PROPERTIES COST 60 ${ARGN}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${FASCIA_TEST_SHARES};GTEST_SHARD_INDEX=${share}")
  endforeach()
endfunction()

# fascia_slow_only(TARGET...): for targets that only slow tests, or checks by other programs, run.
function(fascia_slow_only)
  set_target_properties(${ARGN} PROPERTIES FASCIA_SLOW_ONLY ON)
endfunction()

# fascia_light(TARGET...): for files with little to compute and much to compile (JSON, checks on text). A third to a half of
# the build time would go into optimising them; the libraries below them stay optimised.
function(fascia_light)
  foreach(target ${ARGN})
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      target_compile_options(${target} PRIVATE -O0)
    elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
      target_compile_options(${target} PRIVATE -O1)
    endif()
  endforeach()
endfunction()

# fascia_add_checks(NAME FOLDER...): a target that builds every program of the folders, except those of slow tests, and
# the command line, which tests call. A test whose program is missing here fails as not run.
function(fascia_add_checks name)
  add_custom_target(${name})
  if(TARGET fascia_cli)
    add_dependencies(${name} fascia_cli)
  endif()
  foreach(folder ${ARGN})
    get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
      get_target_property(slow ${target} FASCIA_SLOW_ONLY)
      if(NOT slow)
        add_dependencies(${name} ${target})
      endif()
    endforeach()
  endforeach()
endfunction()
