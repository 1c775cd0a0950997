# Automatic weights and zones on the shared characters and meshes, and whole runs of `fascia rig`.
if(FASCIA_BUILD_TOOLS)
  fascia_add_tests(test_rigging rigging fascia fascia_io fascia_characters nlohmann_json::nlohmann_json)
  add_dependencies(test_rigging fascia_cli)
endif()
