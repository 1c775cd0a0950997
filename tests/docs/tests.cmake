# The documents are checked like code: commands run, code compiles, links lead somewhere.
add_test(NAME docs.readme_code COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_readme_code.sh ${PROJECT_SOURCE_DIR})
add_test(NAME docs.links COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_links.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.readme_code docs.links PROPERTIES LABELS docs)
if(FASCIA_BUILD_TOOLS)
  add_test(NAME docs.commands COMMAND ${CMAKE_CURRENT_LIST_DIR}/run_docs.sh
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:fascia_cli> ${PROJECT_BINARY_DIR}/docs_scratch)
  set_tests_properties(docs.commands PROPERTIES LABELS docs COST 200 TIMEOUT 900)
endif()
