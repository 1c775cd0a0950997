# Ten simulated minutes at a time: only in optimised builds, and only when nobody is waiting (label slow).
if(FASCIA_BUILD_TOOLS)
  add_executable(test_soak ${CMAKE_CURRENT_LIST_DIR}/steady_soak_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/shared_bodies_soak_test.cpp)
  target_include_directories(test_soak PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_soak PRIVATE fascia_flags fascia fascia_io fascia_characters test_places GTest::gtest_main)
  fascia_discover_tests(test_soak "*" LABELS slow COST 100 TIMEOUT 900)
  fascia_light(test_soak)
  fascia_slow_only(test_soak)
endif()
