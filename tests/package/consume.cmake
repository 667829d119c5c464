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

# The interface of device plugins is C, and a plugin needs nothing but what is installed.
file(WRITE ${WORK}/abi.c "#include <core/runtime/device_plugin_abi.h>\nint none;\n")
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
