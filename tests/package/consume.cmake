# Installs the build in BUILD into a stage below WORK, builds consumer/ against that stage alone, runs it.
cmake_minimum_required(VERSION 3.25)
set(STAGE ${WORK}/stage)
set(CONSUMER ${WORK}/consumer)
file(REMOVE_RECURSE ${STAGE} ${CONSUMER})

function(run output)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${said}exit code ${result}")
  endif()
  set(${output} "${said}" PARENT_SCOPE)
endfunction()

run(ignored ${CMAKE_COMMAND} --install ${BUILD} --prefix ${STAGE})
run(ignored ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${CONSUMER} -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${STAGE} -DCMAKE_BUILD_TYPE=Debug)
run(ignored ${CMAKE_COMMAND} --build ${CONSUMER})

# The installed library, the installed program and the installed samples have to agree.
set(SAMPLE ${STAGE}/share/tideline/samples/mlp.pbtxt)
run(counted ${CONSUMER}/count_ops ${SAMPLE})
run(inspected ${STAGE}/bin/tideline inspect ${SAMPLE} --json)
string(STRIP "${counted}" counted)
string(JSON vertices GET "${inspected}" vertices)
if(NOT counted EQUAL vertices OR NOT counted GREATER 0)
  message(FATAL_ERROR "the consumer counts '${counted}' ops, tideline inspect ${vertices}")
endif()

# The installed program finds its lessons and their graphs.
file(WRITE ${WORK}/lesson.tls "lesson.start levels\nexpect levels == 61\nlesson.show\nlesson.next\n")
run(ignored ${STAGE}/bin/tideline script ${SAMPLE} ${WORK}/lesson.tls)

# A program of the library rewrites as the command line does.
set(RESIDUAL ${STAGE}/share/tideline/samples/residual.meta)
file(REMOVE ${WORK}/by_library.meta)
run(said ${CONSUMER}/rewrite_graph ${RESIDUAL} 4096 410 ${WORK}/by_library.meta)
if(NOT said MATCHES "^device memory of a step: .* before, .* after")
  message(FATAL_ERROR "the example that rewrites says '${said}'")
endif()
run(ignored ${STAGE}/bin/tideline rewrite lms2 ${RESIDUAL} -o ${WORK}/by_program.meta --force --batch-size 4096
    --device-memory 410MiB)
run(ignored ${CMAKE_COMMAND} -E compare_files ${WORK}/by_library.meta ${WORK}/by_program.meta)

# The interface of device plugins is C, and a plugin needs nothing but what is installed.
file(WRITE ${WORK}/abi.c "#include <core/devices/device_plugin_abi.h>\nint none;\n")
run(ignored ${COMPILER} -x c -std=c99 -pedantic-errors -Wall -Werror -fsyntax-only
    -I${STAGE}/include/tideline ${WORK}/abi.c)
if(EXISTS ${BUILD}/plugins/cuda/tideline_cuda.so)
  run(ignored ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/../../plugins/cuda -B ${WORK}/plugin
      -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${STAGE})
  run(ignored ${CMAKE_COMMAND} --build ${WORK}/plugin)
  file(GLOB_RECURSE installed_plugin ${STAGE}/lib/*/tideline_cuda.so)
  if(NOT installed_plugin OR NOT EXISTS ${WORK}/plugin/tideline_cuda.so)
    message(FATAL_ERROR "the plugin for CUDA is not installed, or cannot be built by itself")
  endif()
endif()

# Checkpoint backends likewise, in C99 and against the installed library.
file(WRITE ${WORK}/backend.c "#include <core/checkpoint/backend_abi.h>\nint none;\n")
run(ignored ${COMPILER} -x c -std=c99 -pedantic-errors -Wall -Werror -fsyntax-only
    -I${STAGE}/include/tideline ${WORK}/backend.c)
foreach(backend dummy file memory safetensors)
  run(ignored ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/../../plugins/checkpoint/${backend}
      -B ${WORK}/${backend} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${STAGE}
      -DCMAKE_BUILD_TYPE=Debug)
  run(ignored ${CMAKE_COMMAND} --build ${WORK}/${backend})
  file(GLOB_RECURSE installed_backend ${STAGE}/lib/*/tideline_checkpoint_${backend}.so)
  if(NOT installed_backend OR NOT EXISTS ${WORK}/${backend}/tideline_checkpoint_${backend}.so)
    message(FATAL_ERROR "the backend ${backend} is not installed, or cannot be built by itself")
  endif()
endforeach()

# What is built by itself works with the installed host; and a plugin that was written for TMCI, which
# knows nothing of Tideline, prints what `dummy` prints.
run(ignored ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/tmci_plugin -B ${WORK}/tmci -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${STAGE} -DCMAKE_BUILD_TYPE=Debug
    -DTENSORFLOW_INCLUDE_DIR=${CMAKE_CURRENT_LIST_DIR}/../support/stand_in_tensorflow)
run(ignored ${CMAKE_COMMAND} --build ${WORK}/tmci)
set(USE ${CONSUMER}/use_backend)
set(TMCI ${WORK}/tmci/libprinting.so)
file(REMOVE_RECURSE ${WORK}/saved)
file(MAKE_DIRECTORY ${WORK}/saved)
foreach(backend file safetensors memory)
  run(loaded ${USE} ${WORK}/${backend}/tideline_checkpoint_${backend}.so ${backend} ${WORK}/saved/${backend}
      save:7 load)
  if(NOT loaded STREQUAL "loaded 7 7 7\n")
    message(FATAL_ERROR "the backend ${backend} does not load what it saved: ${loaded}")
  endif()
endforeach()
foreach(case "printing;some text;save:1;load" "printing;{};save:1")
  run(printed ${USE} ${TMCI} ${case})
  list(REMOVE_AT case 0)
  run(expected ${USE} ${WORK}/dummy/tideline_checkpoint_dummy.so dummy ${case})
  string(REGEX REPLACE "0x[0-9a-f]+" "ADDRESS" printed "${printed}")
  string(REGEX REPLACE "0x[0-9a-f]+" "ADDRESS" expected "${expected}")
  if(NOT printed STREQUAL expected OR NOT printed MATCHES "config: .*3 tensors:\n  data=ADDRESS size=40\n")
    message(FATAL_ERROR "a plugin for TMCI prints '${printed}', dummy '${expected}'")
  endif()
endforeach()
run(loaded ${USE} ${TMCI} keeping text save:3 load)
if(NOT loaded STREQUAL "loaded 3 3 3\n")
  message(FATAL_ERROR "a plugin for TMCI does not load what it saved: ${loaded}")
endif()
# What went wrong in it is an error with a text, whatever way it took.
foreach(case "throw;keeping: no such server" "fail;keeping: Save returned 42"
        "throw later;keeping: an unknown exception")
  list(GET case 0 config)
  list(GET case 1 expected)
  execute_process(COMMAND ${USE} ${TMCI} keeping ${config} save:1 ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 1 OR NOT said STREQUAL "${expected}\n")
    message(FATAL_ERROR "expected '${expected}' and exit code 1: '${said}', ${result}")
  endif()
endforeach()

# bash loads the script by the name of the program that is to be completed.
set(COMPLETION ${STAGE}/share/bash-completion/completions/tideline)
run(ignored bash -n ${COMPLETION})
run(registered bash -c "source '${COMPLETION}' && complete -p tideline")
if(NOT registered MATCHES "tideline")
  message(FATAL_ERROR "${COMPLETION} does not complete tideline: ${registered}")
endif()

# What is private stays private: a header that needs protobuf or the generated code cannot be used, nor
# one that needs a header that is not installed.
file(GLOB_RECURSE headers ${STAGE}/include/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} includes REGEX "#include \"core/")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE ".*\"(core/[^\"]*)\".*" "\\1" included "${line}")
    if(NOT EXISTS ${STAGE}/include/tideline/${included})
      message(FATAL_ERROR "${header} is installed and needs ${included}, which is not")
    endif()
  endforeach()
  file(STRINGS ${header} private REGEX "#include.*(google/protobuf|\\.pb\\.h)")
  if(private)
    message(FATAL_ERROR "${header} is installed and needs protobuf: ${private}")
  endif()
endforeach()
