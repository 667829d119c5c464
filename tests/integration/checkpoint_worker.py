"""Writes and reads checkpoints with TensorFlow; run by checkpoint_test.py in TensorFlow's Python.

    checkpoint_worker.py make DIR          checkpoints every, many, sliced, keras and, of version 1, tables in DIR
    checkpoint_worker.py read PREFIX...    JSON: for each, {tensor: [dtype, shape, sha256 of its bytes]}
"""
import hashlib
import json
import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

TYPES = ["float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16",
         "uint32", "uint64", "bool", "complex64", "complex128", "float8_e5m2", "float8_e4m3fn"]
QUANTIZED = ["qint8", "quint8", "qint16", "quint16", "qint32"]


def save(prefix, names, tensors, slices=None):
    tf.raw_ops.SaveV2(prefix=str(prefix), tensor_names=names, shape_and_slices=slices or [""] * len(names),
                      tensors=tensors)


def merge(parts, prefix):
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=[str(part) for part in parts],
                                  destination_prefix=str(prefix), delete_old_dirs=False)


def numbers(dtype, shape, seed):
    random = np.random.default_rng(seed)
    dtype = tf.as_dtype(dtype)
    raw = random.integers(0, 256, int(np.prod(shape)) * dtype.size, np.uint8)
    if dtype == tf.bool:
        raw = raw % 2
    return tf.reshape(tf.io.decode_raw(raw.tobytes(), dtype) if dtype in (
        tf.float16, tf.float32, tf.float64, tf.int32, tf.uint16, tf.uint8, tf.int16, tf.int8, tf.int64,
        tf.complex64, tf.complex128, tf.bool) else tf.constant(raw.view(dtype.as_numpy_dtype)), shape)


def make_every(folder):
    names, tensors = [], []
    for i, dtype in enumerate(TYPES):
        for shape in ([], [0, 3], [2, 3], [1, 5, 1, 2]):
            names.append(f"a/{dtype}/{'x'.join(map(str, shape))}")
            tensors.append(numbers(dtype, shape, i))
    for i, dtype in enumerate(QUANTIZED):
        plain = {"qint8": tf.int8, "quint8": tf.uint8, "qint16": tf.int16, "quint16": tf.uint16,
                 "qint32": tf.int32}[dtype]
        names.append(f"a/{dtype}")
        tensors.append(tf.bitcast(numbers(plain, [7], 100 + i), tf.as_dtype(dtype)))
    for name, strings in (("text/one", b"x" * 300), ("text/\u03b2", [b"", b"\x00\xff", b"abc"]),
                          ("text/none", np.zeros([0], object))):
        names.append(name)
        tensors.append(tf.constant(strings, tf.string))
    save(folder / "every", names, tensors)


def make_many(folder):
    names = [f"model/layer_{i // 10}/.ATTRIBUTES/slot_{i % 10}" for i in range(4000)]
    save(folder / "many", names, [numbers("float32", [1 + i % 7, 3], i) for i in range(4000)])


def make_sliced(folder):
    """Three variables cut by rows, by columns and in blocks, one of them with long sides; two shards."""
    parts = {0: ([], [], []), 1: ([], [], [])}
    for name, shape, cuts in (("rows", (10, 4), [((0, 6), (0, 4)), ((6, 4), (0, 4))]),
                              ("columns", (3, 70000), [((0, 3), (0, 64)), ((0, 3), (64, 8128)),
                                                       ((0, 3), (8192, 61808))]),
                              ("blocks", (4, 6), [((0, 2), (0, 3)), ((0, 2), (3, 3)), ((2, 2), (0, 3)),
                                                  ((2, 2), (3, 3))])):
        whole = numbers("int32", shape, len(name))
        for i, cut in enumerate(cuts):
            names, tensors, slices = parts[i % 2]
            (top, height), (left, width) = cut
            names.append(name)
            tensors.append(whole[top:top + height, left:left + width])
            extents = [("-" if length == size else f"{start},{length}") for (start, length), size in
                       zip(cut, shape)]
            slices.append(f"{shape[0]} {shape[1]} {':'.join(extents)}")
    for shard, (names, tensors, slices) in parts.items():
        save(folder / f"part{shard}", names + [f"plain{shard}"], tensors + [numbers("float64", [3], shard)],
             slices + [""])
    merge([folder / "part0", folder / "part1"], folder / "sliced")


def make_keras(folder):
    model = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, input_shape=(8, 8, 1)),
                                 tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
    model.compile("adam", "mse")
    model.fit(np.ones((4, 8, 8, 1)), np.ones((4, 3)), verbose=0)
    model.save_weights(str(folder / "keras"))


def make_tables(folder):
    """Version 1, which has fewer types; a variable in slices."""
    names, tensors = [], []
    for i, dtype in enumerate(TYPES):
        if dtype in ("bfloat16", "uint32", "uint64") or dtype.startswith("float8"):
            continue
        for shape in ([], [2, 3], [0, 3], [1, 5, 1, 2]):
            names.append(f"a/{dtype}/{'x'.join(map(str, shape))}")
            tensors.append(numbers(dtype, shape, i))
    names += ["text", "long"]
    tensors += [tf.constant([b"", b"\x00\xff", b"abc" * 100], tf.string), numbers("float32", [300000], 5)]
    whole = numbers("int32", (6, 5), 9)
    slices = [""] * len(names) + ["6 5 0,2:-", "6 5 2,4:-"]
    tf.raw_ops.SaveSlices(filename=str(folder / "tables"), tensor_names=names + ["rows", "rows"],
                          shapes_and_slices=slices, data=tensors + [whole[:2], whole[2:]])


def content(value):
    if isinstance(value, bytes):
        return value
    value = np.asarray(value)
    if value.dtype == object:
        return b"".join(len(text).to_bytes(8, "little") + text for text in value.reshape(-1))
    return np.ascontiguousarray(value).tobytes()


def value_of(reader, prefix, name, dtype):
    try:
        return reader.get_tensor(name)
    except tf.errors.UnimplementedError:  # of tables the reader knows fewer types than the op
        return tf.raw_ops.Restore(file_pattern=prefix, tensor_name=name, dt=dtype).numpy()


def read(prefix):
    reader = tf.train.load_checkpoint(prefix)
    types, shapes = reader.get_variable_to_dtype_map(), reader.get_variable_to_shape_map()
    return {name: [types[name].name, shapes[name],
                   hashlib.sha256(content(value_of(reader, prefix, name, types[name]))).hexdigest()]
            for name in sorted(types)}


def main():
    if sys.argv[1] == "make":
        folder = pathlib.Path(sys.argv[2])
        for make in (make_every, make_many, make_sliced, make_keras, make_tables):
            make(folder)
    else:
        print(json.dumps([read(prefix) for prefix in sys.argv[2:]]))


if __name__ == "__main__":
    main()
