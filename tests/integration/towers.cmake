# Towers on a real TensorFlow.
tideline_add_script("towers train like the reference's and like the parts of a batch" replicate_test.py)
# Instructions that other processors have sum matrix products in another order.
tideline_add_script("towers train like the reference's on another processor" replicate_test.py reference)
set_tests_properties("integration: towers train like the reference's on another processor" PROPERTIES
                     ENVIRONMENT "ONEDNN_MAX_CPU_ISA=SSE41")
tideline_add_script("TensorFlow 1.13 runs graphs without Python" run_old_test.py)
# And on several machines, where runs end before their time.
tideline_add_script("runs that were ended go on" run_resume_test.py)
tideline_add_script("towers train on servers of a cluster, which die, hang and come back" cluster_test.py)
tideline_add_script("what servers of a cluster send each other is what was said" cluster_traffic_test.py)
tideline_add_script("towers of Python train over TF_CONFIG and on clusters" replicate_cluster_test.py)
tideline_add_script("towers of Python train over TF_CONFIG and on clusters with TensorFlow 1.13" replicate_cluster_test.py tensorflow1)
tideline_add_script("tasks of a cluster are killed at random moments" cluster_kills_test.py)
set_tests_properties("integration: tasks of a cluster are killed at random moments" PROPERTIES LABELS long TIMEOUT 1800)
