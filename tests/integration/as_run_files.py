"""The graphs of tests/data as kinds of as_run_models.py: what is fed to each and what trains."""
import pathlib

import numpy as np
import tensorflow.compat.v1 as tf

from as_run_models import KINDS, random

ROOT = pathlib.Path(__file__).resolve().parents[2]

# name -> (what trains, batches, {placeholder: (shape after the batch, below which whole number or None) or one value})
FILES = {
    "resnet50": ("momentum_optimizer/Momentum", (4, 16), {"images": ([224, 224, 3], None), "labels": ([], 1000)}),
    "transformer": ("adam_optimizer/Adam", (1, 4), {
        "input_ids": ([128], 1000), "input_mask": ([128], 2), "segment_ids": ([128], 2),
        "masked_lm_positions": ([20], 128), "masked_lm_ids": ([20], 1000), "next_sentence": ([], 2)}),
    "unet3d": ("adam_optimizer/Adam", (1,), {"volume": ([128, 128, 128, 4], None), "mask": ([128, 128, 128, 3], None)}),
    "mnist_deep": ("adam_optimizer/Adam", (32, 256), {
        "Placeholder": ([784], None), "Placeholder_1": ([], 10), "dropout/Placeholder": 0.5}),
    "bn_is_training": ("momentum_optimizer/Momentum", (32, 256), {
        "x": ([32, 32, 3], None), "y": ([], 10), "is_training": True}),
    "embedding_sparse": ("adam_optimizer/Adam", (64, 2048), {"user": ([], 100), "items": ([20], 100), "y": ([], None)}),
    "mlp": ("adam_optimizer/Adam", (512, 16384), {"x": ([32], None), "y": ([], 10)}),
    "cond": ("momentum_optimizer/Momentum", (512, 16384), {"x": ([16], None), "y": ([], 4), "is_training": True}),
    "resource_vars": ("adam_optimizer/Adam", (32, 256), {"x": ([32, 32, 3], None), "y": ([], 10)}),
    "while_nested": ("sgd_optimizer/GradientDescent", (8,), {"x": ([16], None)}),
    "two_gpu_towers": ("momentum_optimizer/Momentum", (64,), {"x": ([32, 32, 3], None), "y": ([], 10)}),
    "lstm": ("adam_optimizer/Adam", (16, 128), {"tokens": ([10], 100), "label": ([], 2), "seqlen": 10}),
    "tutorial_mnist": ("adam_optimizer/Adam", (32, 256), {
        "Placeholder": ([784], None), "Placeholder_1": ([], 10), "dropout/Placeholder": 0.5}),
}


def fed(tensor, what, batch):
    kind = tensor.dtype.as_numpy_dtype
    if not isinstance(what, tuple):
        shape = [batch if size is None else size for size in tensor.shape.as_list()] if tensor.shape.rank else []
        return np.full(shape, what, kind)
    shape, below = [batch, *what[0]], what[1]
    return (random.randint(0, below, shape) if below else random.standard_normal(shape)).astype(kind)


def reader(name):
    fetch, _, feeds = FILES[name]

    def read(batch):
        path = ROOT / "tests/data/graphs" / f"{name}.meta"
        path = path if path.exists() else ROOT / "assets/samples" / f"{name}.meta"
        tf.train.import_meta_graph(str(path))
        graph = tf.get_default_graph()
        tensors = {graph.get_tensor_by_name(word + ":0"): what for word, what in feeds.items()}
        return ({tensor: fed(tensor, what, batch) for tensor, what in tensors.items()},
                graph.get_operation_by_name(fetch))
    return read


for file_name, (_, sizes, _) in FILES.items():
    KINDS[file_name] = (reader(file_name), sizes)
