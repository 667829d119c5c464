# With TIDELINE_SANITIZE (presets asan and fuzz): a list of sanitizers, as for -fsanitize.
if(TIDELINE_SANITIZE)
  # For everything, the generated code too: containers shared between instrumented and plain code
  # would look broken.
  add_compile_options(-fsanitize=${TIDELINE_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${TIDELINE_SANITIZE})
endif()

function(tideline_sanitize_core)
  if(NOT TIDELINE_SANITIZE)
    return()
  endif()
  # What tests run a million times. The preset asan does not optimize the rest, because there
  # compiling takes longer than running.
  foreach(ROOM base devices checkpoint core io events runtime)
    target_compile_options(tideline_${ROOM} PRIVATE -O1)
  endforeach()
  # Generated code takes five times as long to compile with the checks optimized.
  target_compile_options(tideline_wire_messages PRIVATE $<$<CONFIG:Debug>:-O0>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The C functions of TensorFlow, found at run time, are called with types of our own.
    target_compile_options(tideline_runtime PRIVATE -fno-sanitize=function)
  endif()
endfunction()
