# Functions and Keras models of TensorFlow 2, with 2.15 and the newest, with its graph optimizer (Grappler) on and off: only with
# ./tests/run --all.
function(tideline_add_long_script name)
  add_test(NAME "integration: ${name}" COMMAND Python3::Interpreter -B
           ${CMAKE_CURRENT_SOURCE_DIR}/functions_front_test.py $<TARGET_FILE:tideline> ${ARGN})
  set_tests_properties("integration: ${name}" PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 3600
                       SKIP_REGULAR_EXPRESSION "^SKIP")
endfunction()

tideline_add_long_script("rewritten functions give the same bits with Grappler" grappler)
tideline_add_long_script("rewritten functions give the same bits on the newest TensorFlow" newest)
tideline_add_long_script("rewritten functions give the same bits on the newest TensorFlow with Grappler" newest grappler)
tideline_add_long_script("the tutorial of fit under a budget trains the same" tutorial)
tideline_add_long_script("the tutorial of fit under a budget trains the same on the newest TensorFlow" newest tutorial)
foreach(HOW plain grappler)
  foreach(WHAT functions fit)
    tideline_add_long_script("ways of ${WHAT} give the same bits, ${HOW}" traps ${WHAT} ${HOW})
    tideline_add_long_script("ways of ${WHAT} give the same bits on the newest TensorFlow, ${HOW}" newest traps ${WHAT} ${HOW})
  endforeach()
  tideline_add_long_script("eleven models train the same, ${HOW}" matrix ${HOW})
  tideline_add_long_script("eleven models train the same on the newest TensorFlow, ${HOW}" newest matrix ${HOW})
  tideline_add_long_script("eleven models with inlined calls train the same, ${HOW}" matrix ${HOW} inline)
  tideline_add_long_script("eleven models with inlined calls train the same on the newest TensorFlow, ${HOW}" newest matrix ${HOW} inline)
endforeach()

# Steps as TensorFlow exports them.
foreach(WHICH "" newest)
  string(STRIP "integration: captured variables of eleven models are TensorFlow's ${WHICH}" NAME)
  add_test(NAME ${NAME} COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/tf2_variables_test.py $<TARGET_FILE:tideline> ${WHICH})
  set_tests_properties(${NAME} PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 1800)
endforeach()
