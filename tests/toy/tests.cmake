# A method that exists only here, linked into a second program and with the C interface. The registry in this folder
# takes the place of the library's, because a static library provides only symbols that are still missing.
if(FASCIA_BUILD_TOOLS)
  set(toy ${CMAKE_CURRENT_LIST_DIR}/registry.cpp ${CMAKE_CURRENT_LIST_DIR}/toy_method.cpp)
  add_executable(toy_cli ${toy})
  target_link_libraries(toy_cli PRIVATE fascia_commands)

  fascia_add_places(toy_places $<TARGET_FILE:toy_cli>)

  # The contract and the steadiness tests of every method with a State, run on this one.
  add_executable(test_toy ${toy} ${CMAKE_CURRENT_LIST_DIR}/toy_test.cpp ${CMAKE_CURRENT_LIST_DIR}/../methods/steady_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/../looks/contract_test.cpp)
  target_include_directories(test_toy PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_toy PRIVATE fascia_flags fascia_c fascia_io fascia_characters fascia toy_places GTest::gtest_main
    nlohmann_json::nlohmann_json)
  add_dependencies(test_toy toy_cli)
  fascia_discover_tests(test_toy "*Toy*:*/toy" LABELS slow COST 50 TIMEOUT 600)
  fascia_light(test_toy toy_cli)
  fascia_slow_only(test_toy toy_cli)
endif()
