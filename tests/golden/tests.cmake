# Golden hashes: the same bits from every build of the library (release at each vector level, the sanitizers' by clang, WASM).
add_executable(golden_hashes ${CMAKE_CURRENT_LIST_DIR}/golden_hashes.cpp)
target_link_libraries(golden_hashes PRIVATE fascia_flags fascia fascia_characters)
if(EMSCRIPTEN)
  # -O1: binaryen's own passes run on the modules that are shipped, and would take most of a minute here.
  target_link_options(golden_hashes PRIVATE -O1 -sALLOW_MEMORY_GROWTH=1)
endif()
set(golden_run ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:golden_hashes>
    -DEXPECTED=${CMAKE_CURRENT_LIST_DIR}/hashes.txt)
# The long soaks run once: with two threads, in release. What other runs vary (threads, vector levels, compilers)
# shows in the first frames.
set(FASCIA_GOLDEN_FRAMES 600 CACHE STRING "600, or 60: without the long runs, which one build proves")
foreach(threads 1 2 4)
  set(frames 60)
  if(threads EQUAL 2)
    set(frames ${FASCIA_GOLDEN_FRAMES})
  endif()
  add_test(NAME golden.threads_${threads}
    COMMAND ${golden_run} -DTHREADS=${threads} -DFRAMES=${frames} -P ${CMAKE_CURRENT_LIST_DIR}/compare.cmake)
endforeach()
foreach(level v2 v3)
  add_test(NAME golden.level_${level}
    COMMAND ${golden_run} -DTHREADS=1 -DFRAMES=60 -P ${CMAKE_CURRENT_LIST_DIR}/compare.cmake)
  set_property(TEST golden.level_${level} PROPERTY ENVIRONMENT FASCIA_ISA=${level})
endforeach()
set_tests_properties(golden.threads_1 golden.threads_2 golden.threads_4 golden.level_v2 golden.level_v3
  PROPERTIES LABELS golden COST 40 TIMEOUT 900)
set_tests_properties(golden.threads_2 PROPERTIES COST 100)
