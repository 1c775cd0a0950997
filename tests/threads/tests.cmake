# For the thread sanitizer, which is slow to compile for and to run: every method for a few frames, and the files whose
# tests use several threads. In other builds those tests belong to their own programs.
fascia_add_tests(test_threads threads fascia fascia_characters)
target_sources(test_threads PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../methods/allocation_count_test.cpp)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  foreach(name base/thread_pool methods/skinning methods/layers methods/bones_blending
      methods/volume_weights)
    target_sources(test_threads PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../${name}_test.cpp)
  endforeach()
  target_link_libraries(test_threads PRIVATE Eigen3::Eigen)
  set(of_one_width */LayersEnginesWidth.Threads*/3)
  set(threaded EveryMethod.* Crowd.* ThreadPool.* Skinning.*hreads* BonesBlending.*hreads* VolumeWeightsThreads.* ${of_one_width})
  list(JOIN threaded ":" threaded)
  add_test(NAME threads COMMAND test_threads --gtest_filter=${threaded})
  set_tests_properties(threads PROPERTIES TIMEOUT 900)
endif()
