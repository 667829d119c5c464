# With TIDELINE_TOGETHER (presets tests and asan), test files of one folder are compiled together, eight at a
# time: most of the time goes into headers that they share. A test file has its helpers to itself, so two that
# define the same name at the start of a line stay apart. A file whose helper has the name of something in a
# header that its neighbours include has the property SKIP_UNITY_BUILD_INCLUSION.
set(TIDELINE_TESTS_TOGETHER 8)

# The names that a file defines at the start of lines, roughly: the second or a later word, before a bracket or a '='.
function(tideline_local_names file result)
  file(READ ${file} TEXT)
  string(REGEX REPLACE "[[]" "(" TEXT "${TEXT}")  # brackets and semicolons are not for CMake's lists
  string(REGEX REPLACE "[]]" " " TEXT "${TEXT}")
  string(REPLACE ";" "@" TEXT "${TEXT}")
  string(REGEX MATCHALL "\n[a-zA-Z][^\n(={@]*[({=]" STARTS "${TEXT}")
  set(NAMES)
  foreach(START ${STARTS})
    if(NOT START MATCHES "^\n(namespace|TEST_CASE|TEMPLATE_)" AND START MATCHES "[ *&]([a-zA-Z0-9_]+) *[({=]$")
      list(APPEND NAMES ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${result} ${NAMES} PARENT_SCOPE)
endfunction()

function(tideline_have_common list other result)
  set(${result} OFF PARENT_SCOPE)
  foreach(NAME ${${list}})
    if(NAME IN_LIST ${other})
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(tideline_compile_tests_together target)
  tideline_files_together(${target} "_(test|property)[.]cc$" SOURCES)
  foreach(SOURCE ${SOURCES})
    cmake_path(ABSOLUTE_PATH SOURCE)
    tideline_local_names(${SOURCE} NAMES)
    file(RELATIVE_PATH FOLDER ${CMAKE_CURRENT_SOURCE_DIR} ${SOURCE})
    cmake_path(GET FOLDER PARENT_PATH FOLDER)
    string(MAKE_C_IDENTIFIER "${target}_${FOLDER}" FOLDER)
    # The first group of the folder with room, and with none of the names.
    foreach(NUMBER RANGE 999)
      set(GROUP ${FOLDER}_${NUMBER})
      list(LENGTH ${GROUP}_FILES COUNT)
      tideline_have_common(NAMES ${GROUP}_NAMES CLASH)
      if(COUNT LESS TIDELINE_TESTS_TOGETHER AND NOT CLASH)
        break()
      endif()
    endforeach()
    list(APPEND ${GROUP}_FILES ${SOURCE})
    list(APPEND ${GROUP}_NAMES ${NAMES})
    set_source_files_properties(${SOURCE} PROPERTIES UNITY_GROUP ${GROUP})
  endforeach()
endfunction()
