# Preloaded into the program by its tests.
if(TARGET test_cli)
  add_library(comma_locale MODULE ${CMAKE_CURRENT_LIST_DIR}/preload/comma_locale.cpp)
  target_link_libraries(comma_locale PRIVATE fascia_flags)
  target_include_directories(comma_locale PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(test_cli PRIVATE COMMA_LOCALE="$<TARGET_FILE:comma_locale>")
  add_dependencies(test_cli comma_locale)
endif()
