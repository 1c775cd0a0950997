# Compares our poses with three.js's on all shared characters; skipped without node, three or the characters.
if(FASCIA_BUILD_TOOLS)
  fascia_add_tests(test_retarget character/shared fascia_io fascia_characters fascia)
  add_executable(dump_poses ${CMAKE_CURRENT_LIST_DIR}/dump_poses.cpp)
  target_link_libraries(dump_poses PRIVATE fascia_flags fascia fascia_io)
  fascia_slow_only(dump_poses)
  find_program(FASCIA_NODE node)
  if(FASCIA_NODE)
    add_test(NAME web.poses_equal_three
      COMMAND ${FASCIA_NODE} ${CMAKE_CURRENT_LIST_DIR}/../web/compare_poses.mjs $<TARGET_FILE:dump_poses> ${PROJECT_SOURCE_DIR}/../shared/data)
    set_tests_properties(web.poses_equal_three PROPERTIES LABELS web COST 100 SKIP_RETURN_CODE 77 TIMEOUT 900)
  endif()
endif()
