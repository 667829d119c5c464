# The program that the package carries: tideline_portable of an installed Tideline, or of the sources around this folder.
set(PROGRAM_FOLDER ${PROJECT_BINARY_DIR}/bin CACHE PATH "Where the program goes")
if(Tideline_FOUND)
  set(PROGRAM ${Tideline_DIR}/../../tideline/tideline_portable)
elseif(TARGET tideline_portable)
  set(PROGRAM $<TARGET_FILE:tideline_portable>)
else()
  message(FATAL_ERROR "the package carries a program that needs libnettle.a, libre2.a, libminizip.a, libsnappy.a, libcmark-gfm.a and libcmark-gfm-extensions.a (Debian: nettle-dev, libre2-dev, libminizip-dev, libsnappy-dev, libcmark-gfm-dev, libcmark-gfm-extensions-dev)")
endif()
add_custom_target(python_program ALL VERBATIM
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROGRAM_FOLDER}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROGRAM} ${PROGRAM_FOLDER}/tideline
  COMMAND ${CMAKE_STRIP} ${PROGRAM_FOLDER}/tideline)
if(TARGET tideline_portable)
  add_dependencies(python_program tideline_portable)
endif()
