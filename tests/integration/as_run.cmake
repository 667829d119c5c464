# Steps as TensorFlow runs them, beside TensorFlow.
tideline_add_script("the model stays near steps that TensorFlow traces" traced_step_test.py)
tideline_add_script("steps as TensorFlow runs them need what TensorFlow needs" as_run_test.py)
tideline_add_script("the largest batch that fits fits TensorFlow" fit_real_test.py)
tideline_add_script("the largest batch of twelve graphs fits TensorFlow" fit_real_test.py --all)
set_tests_properties("integration: the largest batch of twelve graphs fits TensorFlow" PROPERTIES LABELS long TIMEOUT 1800)
tideline_add_script("optimized graphs are those of the optimizer of TensorFlow" optimize_test.py)
