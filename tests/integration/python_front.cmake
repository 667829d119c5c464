# The Python package, on both versions of TensorFlow.
tideline_add_script("live graphs are edited, all of it or nothing" live_graph_test.py)
tideline_add_script("live graphs of TensorFlow 1.13 are edited" live_graph_test.py tensorflow1)
tideline_add_script("programs for large model support train the same" lms_front_test.py)
tideline_add_script("programs for large model support on TensorFlow 1.13 see the tutorial's numbers"
  lms_front_test.py tensorflow1)
tideline_add_script("Keras trains with swaps in the session that the program has" lms_keras_test.py)
tideline_add_script("Keras of TensorFlow 1.13 trains with swaps in the session that the program has"
  lms_keras_test.py tensorflow1)
tideline_add_script("functions and Keras's fit give the same bits through rewritten steps" functions_front_test.py)
tideline_add_script("networks in sections of Python train like one run" sections_front_test.py)
tideline_add_script("networks in sections of Python train like one run on TensorFlow 1.13"
  sections_front_test.py tensorflow1)
tideline_add_script("model functions on several devices have the original's numbers" replicate_front_test.py)
tideline_add_script("model functions on several devices work on TensorFlow 1.13"
  replicate_front_test.py tensorflow1)
tideline_add_script("model functions of programs for the original agree with one device" towers_programs_test.py)
tideline_add_script("model functions of programs for the original agree with one device on TensorFlow 1.13"
  towers_programs_test.py tensorflow1)
tideline_add_script("fits from Python are the program's, and errors of memory are explained" fit_front_test.py)
tideline_add_script("fits from Python on TensorFlow 1.13 are the program's" fit_front_test.py tensorflow1)
tideline_add_script("fits of models of Keras 3 are of the step that it trains" fit_front_test.py keras3)
tideline_add_script("notebooks run and come to what they show" notebooks_test.py)
tideline_add_script("exercises give hints for gaps and take their solutions" exercises_test.py)
tideline_add_script("pages for notebooks are framed by one origin and end with Python" show_test.py)
tideline_add_script("pages for notebooks work with TensorFlow 1.13" show_test.py tensorflow1)
tideline_add_script("tensors of programs are shown with the lines that made them" source_lines_test.py)
tideline_add_script("tensors of programs on TensorFlow 1.13 are shown with the lines that made them"
  source_lines_test.py tensorflow1)
tideline_add_script("the wheel works beside TensorFlow alone and leaves nothing behind" wheel_test.py)
set_tests_properties("integration: the wheel works beside TensorFlow alone and leaves nothing behind" PROPERTIES
                     RESOURCE_LOCK install)
include(functions_long.cmake)
