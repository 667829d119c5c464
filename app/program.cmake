# The program and what it loads at run time: all that app/run builds.
add_custom_target(tideline_program)
foreach(PART tideline tideline_plugin_cuda tideline_checkpoint_dummy tideline_checkpoint_file
        tideline_checkpoint_memory tideline_checkpoint_safetensors)
  if(TARGET ${PART})
    add_dependencies(tideline_program ${PART})
  endif()
endforeach()
