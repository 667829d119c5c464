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

# bash loads the script by the name of the program that is to be completed.
set(COMPLETION ${STAGE}/share/bash-completion/completions/tideline)
run(ignored bash -n ${COMPLETION})
run(registered bash -c "source '${COMPLETION}' && complete -p tideline")
if(NOT registered MATCHES "tideline")
  message(FATAL_ERROR "${COMPLETION} does not complete tideline: ${registered}")
endif()

# What is private stays private: a header that needs protobuf or the generated code cannot be used.
file(GLOB_RECURSE headers ${STAGE}/include/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} private REGEX "#include.*(google/protobuf|\\.pb\\.h)")
  if(private)
    message(FATAL_ERROR "${header} is installed and needs protobuf: ${private}")
  endif()
endforeach()
