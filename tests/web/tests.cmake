# Reads our files with other programs' code: the glTF validator, three.js. Skipped (77) without node packages or data.
if(NOT FASCIA_BUILD_TOOLS)
  return()
endif()
set(web_run ${CMAKE_CURRENT_LIST_DIR}/run_or_skip.sh)
set(web_tests)

# fascia_add_web_bake(NAME CHARACTER MOTION)
function(fascia_add_web_bake name character motion)
  add_test(NAME web.bake_${name} COMMAND ${web_run} check_bake.mjs
    $<TARGET_FILE:fascia_cli> ${PROJECT_BINARY_DIR}/web_scratch/${name} ${character} ${motion})
  set(web_tests ${web_tests} web.bake_${name} PARENT_SCOPE)
endfunction()

foreach(file CesiumMan.glb Fox.glb RecursiveSkeletons.glb RiggedFigure.glb RobotExpressive.glb SimpleSkin.gltf Yeti.gltf
        kaykit_Barbarian.glb mh_heavy_male.glb mh_female_hires_quantized.glb quaternius_FinnTheFrog_draco.glb
        quaternius_Frog.glb quaternius_Manta_ray.glb)
  get_filename_component(name ${file} NAME_WE)
  fascia_add_web_bake(${name} data:characters/${file} 0)
endforeach()
foreach(file CoolBunny.vrm valid_Black_F_2_Casual_meshopt.glb)
  get_filename_component(name ${file} NAME_WE)
  fascia_add_web_bake(${name} data:characters/${file} data:motion/cmu_02_01_walk.bvh)
endforeach()
fascia_add_web_bake(bunny bunny walk)

add_test(NAME web.bundled_characters COMMAND ${web_run} check_characters.mjs
  $<TARGET_FILE:fascia_cli> ${PROJECT_BINARY_DIR}/web_scratch/characters)
list(APPEND web_tests web.bundled_characters)
add_test(NAME web.mutants COMMAND ${web_run} check_mutants.mjs
  $<TARGET_FILE:bake_mutants> ${PROJECT_BINARY_DIR}/web_scratch/mutants ${PROJECT_SOURCE_DIR}/fuzz/corpus/gltf)
list(APPEND web_tests web.mutants)
set_tests_properties(${web_tests} PROPERTIES LABELS web SKIP_RETURN_CODE 77 TIMEOUT 300)
