# TensorFlow's library calls these in the place of its own (runtime/listen_address.cc, runtime/request_ids.cc).
foreach(SYMBOL bind _ZN3tsl6random16ThreadLocalNew64Ev)
  target_link_options(tideline_runtime INTERFACE LINKER:--export-dynamic-symbol=${SYMBOL})
endforeach()

# TensorFlow 1's library refers to names of Python. A library that has them becomes bytes of the program (runtime/old_tensorflow.cc).
add_library(tideline_python_symbols MODULE runtime/python/symbols.cc)
target_compile_options(tideline_python_symbols PRIVATE -w -O1 -g0 -fno-sanitize=all -fno-exceptions)
target_link_options(tideline_python_symbols PRIVATE -nostdlib -fno-sanitize=all -s LINKER:-z,noseparate-code LINKER:--build-id=none)
set(HEADER ${PROJECT_BINARY_DIR}/generated/core/runtime/python_library.h)
set(SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/runtime/python/embed.cmake)
add_custom_command(OUTPUT ${HEADER} DEPENDS tideline_python_symbols ${SCRIPT} VERBATIM
  COMMAND ${CMAKE_COMMAND} -DFILE=$<TARGET_FILE:tideline_python_symbols> -DOUTPUT=${HEADER} -P ${SCRIPT})
target_sources(tideline_runtime PRIVATE ${HEADER})
