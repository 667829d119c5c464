# Automatic plans on the clock, beside an event simulation that knows only its rules.
add_executable(step_dump step_dump.cc)
target_link_libraries(step_dump PRIVATE tideline_io tideline_options)
add_test(NAME "integration: the clock says what an event simulation says"
  COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/clock_check.py $<TARGET_FILE:step_dump>
          $<TARGET_FILE:tideline>)
set_tests_properties("integration: the clock says what an event simulation says" PROPERTIES LABELS integration
                     TIMEOUT 900)
