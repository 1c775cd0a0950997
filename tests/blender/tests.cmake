# Blender reads what we bake. Skipped (77) without Blender or the shared data.
if(NOT FASCIA_BUILD_TOOLS)
  return()
endif()
foreach(file CesiumMan.glb Yeti.gltf quaternius_Frog.glb mh_heavy_male.glb)
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME blender.bake_${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/run_or_skip.sh
    $<TARGET_FILE:fascia_cli> characters/${file} ${PROJECT_BINARY_DIR}/blender_scratch/${name})
  set_tests_properties(blender.bake_${name} PROPERTIES LABELS blender COST 50 SKIP_RETURN_CODE 77 TIMEOUT 600)
endforeach()
