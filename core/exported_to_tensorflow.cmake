# TensorFlow's library calls these in the place of its own (runtime/listen_address.cc, runtime/request_ids.cc).
foreach(SYMBOL bind _ZN3tsl6random16ThreadLocalNew64Ev)
  target_link_options(tideline_runtime INTERFACE LINKER:--export-dynamic-symbol=${SYMBOL})
endforeach()
