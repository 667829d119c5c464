"""Runs graphs with towers on TensorFlow for replicate_test.py, in TensorFlow's Python; knows nothing of Tideline.

Reads a list of jobs, [name, arguments...], and prints the list of their answers. `serve JOBS TASK` is one task
of a cluster on the loopback address instead, which ends with its standard input."""
import json
import os
import subprocess
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

SEED = 5


def read(path):
    data = open(path, "rb").read()
    return tf.MetaGraphDef.FromString(data).graph_def if path.endswith(".meta") else tf.GraphDef.FromString(data)


def config(cpus):
    made = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1,
                          inter_op_parallelism_threads=1, device_count={"CPU": cpus})
    made.graph_options.rewrite_options.disable_meta_optimizer = True
    made.graph_options.optimizer_options.opt_level = -1
    made.graph_options.rewrite_options.memory_optimization = 1
    return made


def batch_of(feeds, step, examples):
    """Arrays by tensor; the first dimension of those that have one is the number of examples."""
    random = np.random.RandomState(SEED + step)
    arrays = {}
    for name, (dtype, shape, below) in feeds.items():
        dims = [examples, *shape[1:]] if shape else []
        if dtype.startswith("int"):
            arrays[name] = random.randint(0, below, dims).astype(dtype)
        elif dtype == "bool":
            arrays[name] = np.full(dims, below > 0)
        else:
            arrays[name] = (random.rand(*dims) * below).astype(dtype) if shape else np.array(below, dtype)
    return arrays


def part_of(arrays, number, parts):
    return {name: np.split(array, parts)[number] if array.ndim else array for name, array in arrays.items()}


class Model:
    """A graph in a session with the values that variables are given."""

    def __init__(self, path, cpus=1, target=""):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.import_graph_def(read(path), name="")
            self.variables = {}
            for op in self.graph.get_operations():
                if op.type not in ("VariableV2", "VarHandleOp"):
                    continue
                shape = tf.TensorShape(op.get_attr("shape"))
                if not shape.is_fully_defined():
                    continue
                value = tf.placeholder(tf.as_dtype(op.get_attr("dtype")).base_dtype, shape)
                if op.type == "VarHandleOp":
                    write = tf.raw_ops.AssignVariableOp(resource=op.outputs[0], value=value)
                    reading = tf.raw_ops.ReadVariableOp(resource=op.outputs[0], dtype=op.get_attr("dtype"))
                else:
                    write = tf.raw_ops.Assign(ref=op.outputs[0], value=value).op
                    reading = op.outputs[0]
                self.variables[op.name] = (value, write, reading)
        self.session = tf.Session(target, graph=self.graph, config=config(cpus))

    def set_all(self, scale=0.1):
        """The same numbers in every model: they depend on the name alone."""
        for name, (value, write, _) in sorted(self.variables.items()):
            random = np.random.RandomState(sum(name.encode()) + len(name))
            dims = value.shape.as_list()
            number = (random.rand(*dims) - 0.4) * scale if dims else np.array(0.5)
            if value.dtype.is_integer:
                number = np.zeros(dims)
            if name.split("/")[-1] in ("moving_variance", "gamma"):
                number = np.abs(number) + 1
            if "/Adam" in name:  # of the second moment the root is taken
                number = np.abs(number)
            self.session.run(write, {value: np.asarray(number, value.dtype.as_numpy_dtype)})

    def values(self):
        return {name: self.session.run(reading) for name, (_, _, reading) in self.variables.items()}

    def run(self, fetches, arrays):
        fetched = [self.graph.as_graph_element(f if ":" in f else f) for f in fetches]
        return self.session.run(fetched, arrays)


def gradients(original, rewritten, plan, feeds, towers, examples):
    """Of each aggregated tensor: whether it is what the original computes for the parts, added (or, for rows,
    one behind the other). What the original's tensor is called is the first input of the aggregation."""
    plan = json.load(open(plan, encoding="utf-8"))
    one, many = Model(original), Model(rewritten, towers)
    one.set_all()
    many.set_all()
    whole = batch_of(feeds, 0, examples)
    kinds, wanted, got = {}, {}, []
    for name in sorted({*plan["aggregated"].values(), *plan["aggregated_indices"].values()}):
        op = many.graph.as_graph_element(name).op
        kinds[name] = op.type
        wanted[name] = op.inputs[0].name
        got.append(name)
    for name in [plan["loss"]]:
        op = many.graph.as_graph_element(name).op
        kinds[name], wanted[name] = op.type, op.inputs[0].name
        got.append(name)
    ours = dict(zip(got, many.run(got, whole)))
    parts = [dict(zip(got, one.run([wanted[name] for name in got], part_of(whole, i, towers))))
             for i in range(towers)]
    different = []
    for name in got:
        arrays = [part[name] for part in parts]
        if kinds[name] == "ConcatV2":
            expected = np.concatenate(arrays)
        else:
            expected = arrays[0]
            for array in arrays[1:]:
                expected = expected + array
        if expected.tobytes() != ours[name].tobytes():
            different.append([name, float(np.max(np.abs(expected - ours[name])))])
    finite = all(np.isfinite(value).all() for value in ours.values())
    nonzero = sum(bool(np.any(value)) for value in ours.values())
    return {"compared": len(got), "different": different, "finite": finite, "nonzero": nonzero}


def train(path, train_op, loss, feeds, steps, examples, cpus, target=""):
    """Losses of some steps, and all variables after them."""
    model = Model(path, cpus, target)
    model.set_all()
    losses = []
    for step in range(steps):
        _, value = model.run([train_op, loss], batch_of(feeds, step, examples))
        losses.append(value.tobytes().hex())
    return {"losses": losses, "variables": {name: value.tobytes().hex() for name, value in model.values().items()},
            "numbers": [float(np.frombuffer(bytes.fromhex(loss), np.float32)[0]) for loss in losses]}


def losses_of(path, loss, feeds, examples, cpus):
    """The loss of one batch without a step."""
    model = Model(path, cpus)
    model.set_all()
    return float(model.run([loss], batch_of(feeds, 0, examples))[0])


def cluster(path, train_op, loss, feeds, steps, examples, ports):
    """The same on two processes; the session is that of the first task."""
    jobs = json.dumps({"worker": [f"127.0.0.1:{port}" for port in ports]})
    tasks = [subprocess.Popen([sys.executable, "-B", __file__, "serve", jobs, str(task)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) for task in range(len(ports))]
    try:
        for task in tasks:
            assert task.stdout.readline().strip() == "ready", "a task did not start"
        return train(path, train_op, loss, feeds, steps, examples, 1, f"grpc://127.0.0.1:{ports[0]}")
    finally:
        for task in tasks:
            task.stdin.close()
        for task in tasks:
            task.wait(30)


def serve(jobs, task):
    server = tf.train.Server(tf.train.ClusterSpec(json.loads(jobs)), job_name="worker", task_index=int(task),
                             config=config(1))
    print("ready", flush=True)
    sys.stdin.read()
    del server
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(*sys.argv[2:])
    functions = {"gradients": gradients, "train": train, "losses_of": losses_of, "cluster": cluster}
    json.dump([functions[name](*arguments) for name, *arguments in json.load(sys.stdin)], sys.stdout)
