"""Whether a training step fits a device: the parts behind tideline.fit, assert_fits and explain_oom.

fit.py asks the executable, card.py draws what it says. step.py finds the graph of a step in what a program has: keras.py and
graph_keras.py for models, functions.py for functions, estimators.py for Estimators. oom.py is for training that ran out of
memory, with what crash.py finds in the traceback and device.py knows of devices.
"""
