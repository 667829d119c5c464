# Automatic plans on the clock, beside an event simulation that knows only its rules.
add_executable(step_dump step_dump.cc)
target_link_libraries(step_dump PRIVATE tideline_io tideline_options)
function(tideline_add_clock_check name label)
  add_test(NAME "integration: ${name}"
    COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/clock_check.py $<TARGET_FILE:step_dump>
            $<TARGET_FILE:tideline> ${ARGN})
  set_tests_properties("integration: ${name}" PROPERTIES LABELS ${label} TIMEOUT 900)
endfunction()
tideline_add_clock_check("the clock says what an event simulation says" integration resnet50.meta=64 unet3d.meta=2)
# Larger ones.
tideline_add_clock_check("the clock says what an event simulation says of deep graphs" long
                         transformer.meta=32 scale_2k.pb=32)
