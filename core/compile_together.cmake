# With TIDELINE_TOGETHER (presets app, tests and asan) the files of a room are compiled as TIDELINE_PARTS
# files, not one by one: most of the time goes into headers and templates that they share. The preset
# dev compiles each file by itself, so that a file that includes too little is found.
set(TIDELINE_PARTS 2 CACHE STRING "Into how many parts TIDELINE_TOGETHER compiles a room")

# Files with local names that others of their room have, too; and the tables of rewriters and formats,
# which a test replaces.
set(TIDELINE_ALONE core/graph/tensor_table.cc core/rewrite/rewriters.cc core/checkpoint/formats.cc
    core/io/graph_formats.cc)

if(TIDELINE_TOGETHER AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Collecting garbage takes a tenth of the compiler's time: not below half a gigabyte (KiB).
  target_compile_options(tideline_options INTERFACE --param=ggc-min-heapsize=524288)
endif()

# The files of the target whose paths match, which then have a UNITY_GROUP each; none without TIDELINE_TOGETHER.
function(tideline_files_together target regex result)
  set(SOURCES)
  if(TIDELINE_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(SOURCES ${target} SOURCES)
    list(FILTER SOURCES INCLUDE REGEX ${regex})
  endif()
  set(${result} ${SOURCES} PARENT_SCOPE)
endfunction()

function(tideline_compile_together target)
  tideline_files_together(${target} "^/.*[.]cc$" SOURCES)  # no objects of other targets
  foreach(SOURCE ${SOURCES})
    file(RELATIVE_PATH NAME ${PROJECT_SOURCE_DIR} ${SOURCE})
    if(NAME IN_LIST TIDELINE_ALONE)
      continue()
    endif()
    cmake_path(GET NAME PARENT_PATH ROOM)
    if(TIDELINE_PARTS EQUAL 1)  # small rooms that use the same headers
      string(REGEX REPLACE "^app/(engine|actions)$" "app/session" ROOM ${ROOM})
      string(REGEX REPLACE "^core/rewrite/plan$" "core/rewrite" ROOM ${ROOM})
    endif()
    string(MAKE_C_IDENTIFIER ${ROOM} ROOM)
    math(EXPR ${ROOM}_PART "(0${${ROOM}_PART} + 1) % ${TIDELINE_PARTS}")
    set_source_files_properties(${SOURCE} PROPERTIES UNITY_GROUP ${ROOM}_${${ROOM}_PART})
  endforeach()
endfunction()

set(TIDELINE_PLAIN_LEVEL -Os CACHE STRING "Release builds: how to optimize what parses, prints and passes on")
# Of libraries that are no slower by it where it counts. (A precompiled header is of one level, too.)
function(tideline_optimize_plainly)
  foreach(PLAIN ${ARGV})
    if(NOT TIDELINE_SANITIZE)
      target_compile_options(${PLAIN} PRIVATE $<$<CONFIG:Release>:${TIDELINE_PLAIN_LEVEL}>)
    endif()
  endforeach()
endfunction()

# The preset app, which is built from nothing on a user's machine, compiles what is used seldom with less
# optimization, in half of the time. Empty: no difference is made.
set(TIDELINE_SELDOM_LEVEL "" CACHE STRING "How to optimize rooms whose speed nobody waits for; empty: like others")
# Takes those of the core's sources in `list` whose paths match into a library of objects, which is in `list` then.
function(tideline_compile_seldom_used list regex)
  if(NOT TIDELINE_SELDOM_LEVEL)
    return()
  endif()
  set(SOURCES ${${list}})
  set(SELDOM_SOURCES ${SOURCES})
  list(FILTER SELDOM_SOURCES INCLUDE REGEX ${regex})
  list(REMOVE_ITEM SOURCES ${SELDOM_SOURCES})
  add_library(tideline_core_seldom OBJECT ${SELDOM_SOURCES})
  target_link_libraries(tideline_core_seldom PRIVATE tideline_base tideline_options nlohmann_json::nlohmann_json)
  target_include_directories(tideline_core_seldom PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(tideline_core_seldom PRIVATE ${TIDELINE_SELDOM_LEVEL})
  target_precompile_headers(tideline_core_seldom PRIVATE ${TIDELINE_STANDARD_HEADERS})
  tideline_compile_together(tideline_core_seldom)
  set(${list} ${SOURCES} $<TARGET_OBJECTS:tideline_core_seldom> PARENT_SCOPE)
  # A precompiled header is of one level, and one file gains nothing by it.
  target_compile_options(tideline_checkpoint PRIVATE ${TIDELINE_SELDOM_LEVEL})
  set_target_properties(tideline_checkpoint PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endfunction()
