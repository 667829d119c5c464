"""Data parallelism, as tf.contrib.estimator.replicate_model_fn has it: every device gets a tower, a copy of the forward and
backward pass for its part of the batch; variables, optimizer and everything else exist once.

    estimator = tf.estimator.Estimator(replicate_model_fn(model_fn, optimizer_fn, ["/gpu:0", "/gpu:1"]))
    meta_graph, plan = replicate(meta_graph, ["/gpu:0", "/gpu:1"], split=["x:0", "y:0"], loss="loss:0", train_op="Adam")

Under TF_CONFIG each task of an Estimator has towers of its own; `replicate` takes the devices of a whole cluster (cluster=...).
The model function is called once, and the graph that it builds is rewritten. What cannot be replicated, the executable
refuses with the op and the rule (tideline.Refused); see assets/docs/towers.md.
"""
from ._model_fn import TowerOptimizer, replicate_model_fn
from .graphs import replicate, replicate_graph
