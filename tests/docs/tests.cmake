# The documents are checked like code: commands run, code compiles, links and references lead somewhere.
add_test(NAME docs.readme_code COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_readme_code.sh ${PROJECT_SOURCE_DIR})
add_test(NAME docs.links COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_links.sh ${PROJECT_SOURCE_DIR})
add_test(NAME docs.references COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/check_references.py ${PROJECT_SOURCE_DIR})
add_test(NAME docs.references_can_break COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/break_references.py)
add_test(NAME docs.sabotage_list COMMAND ${PROJECT_SOURCE_DIR}/scripts/sabotage.sh check)
set_tests_properties(docs.readme_code docs.links docs.references docs.references_can_break docs.sabotage_list
  PROPERTIES LABELS docs)
if(FASCIA_BUILD_TOOLS)
  add_executable(settings_docs ${CMAKE_CURRENT_LIST_DIR}/settings_docs.cpp)
  target_link_libraries(settings_docs PRIVATE fascia_flags fascia nlohmann_json::nlohmann_json)
  fascia_light(settings_docs)
  fascia_slow_only(settings_docs)
  add_test(NAME docs.settings COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_settings.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:settings_docs>)
  set_tests_properties(docs.settings PROPERTIES LABELS docs)
  add_test(NAME docs.commands COMMAND ${CMAKE_CURRENT_LIST_DIR}/run_docs.sh
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:fascia_cli> ${PROJECT_BINARY_DIR}/docs_scratch)
  set_tests_properties(docs.commands PROPERTIES LABELS docs COST 200 TIMEOUT 900)
endif()
