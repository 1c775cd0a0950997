# The documents are checked like code: commands run, code compiles, links and references lead somewhere.
add_test(NAME docs.readme_code COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_readme_code.sh ${PROJECT_SOURCE_DIR})
add_test(NAME docs.links COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_links.sh ${PROJECT_SOURCE_DIR})
add_test(NAME docs.references COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/check_references.py ${PROJECT_SOURCE_DIR})
add_test(NAME docs.references_can_break COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/break_references.py)
set_tests_properties(docs.readme_code docs.links docs.references docs.references_can_break PROPERTIES LABELS docs)
if(FASCIA_BUILD_TOOLS)
  add_test(NAME docs.commands COMMAND ${CMAKE_CURRENT_LIST_DIR}/run_docs.sh
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:fascia_cli> ${PROJECT_BINARY_DIR}/docs_scratch)
  set_tests_properties(docs.commands PROPERTIES LABELS docs TIMEOUT 900)
endif()
