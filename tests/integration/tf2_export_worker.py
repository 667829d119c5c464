"""Steps of the models of tf2_models.py in files, and what TensorFlow's own objects say of their variables:

    tf2_export_worker.py FOLDER [NAME...]

For each model NAME.pb, a GraphDef with an op `step` that waits for all that a call updates, and its batch, NAME_INPUT.npy; NAME, a SavedModel
with the step as its function `step`.
FOLDER/expected.json has for each bytes and count of trainable and of captured variables, its inputs, and a
tensor with one number that a call returns."""
import json
import pathlib
import sys

import numpy as np
import tensorflow as tf

from tf2_common import one_thread
from tf2_models import MODELS


def size_of(variables):
    return sum(int(np.prod(variable.shape)) * tf.as_dtype(variable.dtype).size for variable in variables)


def first_batch(one):
    """What fit gives to train_step."""
    arrays = [one.x] if one.y is None else [one.x, one.y]
    return tuple(tf.constant(array[:one.batch]) for array in arrays)


def step_of(one):
    """The step as a function, when all variables are made."""
    one.fit()
    batch = first_batch(one)
    if one.y is None:
        step = tf.function(lambda x: one.model.train_step(x))
    else:
        step = tf.function(lambda x, y: one.model.train_step((x, y)))
    return step, step.get_concrete_function(*batch), batch


def write_graph(graph, path):
    definition = graph.as_graph_def(add_shapes=True)
    step = definition.node.add(name="step", op="NoOp")
    step.input.extend("^" + op.name for op in graph.control_outputs)
    path.write_bytes(definition.SerializeToString())


def export(name, folder):
    step, concrete, batch = step_of(MODELS[name]())
    graph = concrete.graph
    write_graph(graph, folder / f"{name}.pb")
    inputs = [tensor.op.name for tensor in concrete.inputs if tensor.dtype != tf.resource]
    for one_input, array in zip(inputs, batch):
        np.save(folder / f"{name}_{one_input}.npy", array.numpy()[None])
    loss = next(out.name for out in graph.outputs if out.dtype == tf.float32 and out.shape.rank == 0)
    kept = tf.Module()
    kept.step, kept.all = step, list(graph.variables)
    tf.saved_model.save(kept, str(folder / name), options=tf.saved_model.SaveOptions(experimental_custom_gradients=False))
    handles = {id(variable.handle) for variable in graph.variables}
    captured = {id(tensor) for tensor in concrete.captured_inputs if tensor.dtype == tf.resource}
    assert captured <= handles, (name, len(captured), len(handles))
    captured = [variable for variable in graph.variables if id(variable.handle) in captured]
    trainable = [variable for variable in captured if variable.trainable]
    return {"trainable_variables": len(trainable), "trainable_bytes": size_of(trainable),
            "captured_variables": len(captured), "captured_bytes": size_of(captured), "inputs": inputs, "loss": loss}


def main():
    one_thread(grappler=True)
    folder = pathlib.Path(sys.argv[1])
    expected = {}
    for name in sys.argv[2:] or MODELS:
        expected[name] = export(name, folder)
        print(name, expected[name], flush=True)
    (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")


if __name__ == "__main__":
    main()
