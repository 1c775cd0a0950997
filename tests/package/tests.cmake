# What a user's compiler and linker see.
add_test(NAME package.headers COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_headers.sh ${PROJECT_SOURCE_DIR}/include)
if(FASCIA_BUILD_SHARED AND FASCIA_BUILD_TOOLS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(shown)
  foreach(library fascia fascia_characters fascia_io fascia_render fascia_c)
    list(APPEND shown $<TARGET_FILE:${library}_shared>)
  endforeach()
  add_test(NAME package.exports COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/check_exports.py ${PROJECT_SOURCE_DIR} ${shown})
endif()
