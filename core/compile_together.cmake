# With TIDELINE_TOGETHER (presets app, tests and asan) the files of a room are compiled as two, not one by one:
# most of the time goes into headers and templates that they share. The preset dev compiles each file
# by itself, so that a file that includes too little is found.

# core/io is left out: its files have constants of one name and different meaning.
# Files with local names that others of their room have, too; and the table of rewriters, which a test
# replaces.
set(TIDELINE_ALONE
  core/events/log_walk.cc core/events/logged_trace.cc
  core/graph/tensor_table.cc
  core/rewrite/rewriters.cc core/rewrite/lms2/serialize.cc
  core/runtime/seeds.cc core/runtime/worker.cc
  render/view/levels_swaps.cc
  app/web/connection.cc app/web/listener.cc
  app/cli/checkpoint.cc app/cli/checkpoint_checks.cc app/cli/checkpoint_values.cc app/cli/command_line.cc
  app/cli/log_listing.cc app/cli/log_rows.cc
  app/session/commands_document.cc app/session/commands_graph.cc app/session/commands_log.cc app/session/commands_policy.cc app/session/commands_select.cc
  app/session/commands_view.cc app/session/settings.cc)

function(tideline_compile_together target)
  if(NOT TIDELINE_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(SOURCES ${target} SOURCES)
  list(FILTER SOURCES INCLUDE REGEX "^/.*\\.cc$")  # no objects of other targets
  foreach(SOURCE ${SOURCES})
    file(RELATIVE_PATH NAME ${PROJECT_SOURCE_DIR} ${SOURCE})
    # Rules of shapes all have the same local names.
    if(NAME IN_LIST TIDELINE_ALONE OR NAME MATCHES "/rules_")
      continue()
    endif()
    cmake_path(GET NAME PARENT_PATH ROOM)
    string(MAKE_C_IDENTIFIER ${ROOM} ROOM)
    # Two parts, so that two cores have something to do.
    if(${ROOM}_PART EQUAL 1)
      set(${ROOM}_PART 2)
    else()
      set(${ROOM}_PART 1)
    endif()
    set_source_files_properties(${SOURCE} PROPERTIES UNITY_GROUP ${ROOM}_${${ROOM}_PART})
  endforeach()
endfunction()
