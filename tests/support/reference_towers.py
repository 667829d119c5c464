"""What the towers of the reference compute, on this machine and in this run.

The last bits of a loss depend on the processor, because matrix products are summed in another order with other
instructions. Graphs that the reference wrote (tests/data/replicate) are therefore trained here, and ours have to give the
same bits. Where no graph is free of the reference's data race, the numbers recorded in oracle.json are compared,
within RECORDED_ULPS units in the last place."""
import json
import pathlib

import numpy as np
import tensorflow.compat.v1 as tf

RECORDED_ULPS = 32  # recorded on another processor; other instructions give up to 7 after three steps


def batch(number):
    random = np.random.RandomState(300 + number)
    return {"x:0": random.randn(12, 6).astype(np.float32), "ids:0": random.randint(0, 20, 12).astype(np.int32),
            "labels:0": random.randn(12, 1).astype(np.float32)}


def session_config():
    """One thread, no rewriting by TensorFlow: the same graph gives the same bits."""
    config = tf.ConfigProto(device_count={"CPU": 3}, allow_soft_placement=True, intra_op_parallelism_threads=1,
                            inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return config


class Model:
    """A graph of the oracles in a session, with the variables from which the reference began."""

    def __init__(self, graph_def, init_ops, values):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.import_graph_def(graph_def, name="")
            self.session = tf.Session(config=session_config())
        for name in init_ops:
            self.session.run(self.op(name))
        present = {op.name for op in self.graph.get_operations()}
        for name, value in values.items():
            if name in present:
                assign = self.op(name + "/Assign")
                self.session.run(assign, {assign.inputs[1]: np.array(value, np.float32)})

    def op(self, name):
        return self.graph.get_operation_by_name(name)

    def read(self, name):
        if self.op(name).type != "VarHandleOp":
            return self.session.run(name + ":0")
        with self.graph.as_default():
            return self.session.run(tf.raw_ops.ReadVariableOp(resource=self.op(name).outputs[0],
                                                              dtype=self.op(name).get_attr("dtype")))

    def train(self, train_op, loss, steps=3):
        return [self.session.run([self.op(train_op), loss], batch(k))[1] for k in range(steps)]

    def evaluate(self, loss, update_ops, values, steps=3):
        found = []
        for k in range(steps):
            value = self.session.run([loss] + [self.op(name) for name in update_ops], batch(k))[0]
            found.append({"loss": value, "metrics": self.session.run(values)})
        return found

    def predict(self, tensors):
        return self.session.run(tensors, {name: value for name, value in batch(0).items() if name != "labels:0"})


def flat(steps):
    """What `evaluate` found, by names such as `loss 0`."""
    return {f"{name} {k}": value for k, step in enumerate(steps)
            for name, value in {"loss": step["loss"], **step["metrics"]}.items()}


class Expected:
    """Numbers to compare with: `exact` ones were computed here, others recorded elsewhere."""

    def __init__(self, values, exact):
        self.values, self.exact = values, exact

    def ulps(self, key, found):
        """How far `found` is from the value, in units in the last place of its largest element, or of 1 where all are less:
        a bias near zero is the rest of a sum of larger numbers."""
        wanted, found = np.asarray(self.values[key], np.float32), np.asarray(found, np.float32)
        assert wanted.shape == found.shape, (key, wanted.shape, found.shape)
        if wanted.tobytes() == found.tobytes():
            return 0.0
        apart = np.max(np.abs(wanted.astype(np.float64) - found.astype(np.float64)))
        return max(0.5, float(apart / np.spacing(max(np.float32(1), np.max(np.abs(wanted))))))  # 0.5: only the signs of zeros differ

    def check(self, key, found, what):
        ulps = self.ulps(key, found)
        assert ulps <= (0 if self.exact else RECORDED_ULPS), (what, key, ulps, found, self.values[key])
        return ulps


class Reference:
    """The oracles of a folder. With `runs` false nothing is run, and all numbers are the recorded ones."""

    def __init__(self, folder, runs=True):
        self.folder, self.runs = pathlib.Path(folder), runs
        self.oracle = json.loads((self.folder / "oracle.json").read_text())

    def model(self, graph, init_ops):
        meta = tf.MetaGraphDef()
        meta.ParseFromString((self.folder / graph).read_bytes())
        return Model(meta.graph_def, init_ops, self.oracle["init"])

    def trained(self, key, towers):
        """Losses (`losses`) of three steps, and the variables after them by name."""
        recorded = self.oracle["train"]
        race_free = key if key.endswith("_res") else key + "_res"
        numbers = recorded[race_free if f"n{towers}" in recorded.get(race_free, {}) else key].get(f"n{towers}")
        if numbers is None:
            return None
        graph = f"train_n{towers}_{race_free}.meta"
        if not self.runs or not (self.folder / graph).exists():
            return Expected({"losses": numbers["losses"], **numbers["final"]}, exact=False)
        model = self.model(graph, [numbers["init_op"]])
        losses = model.train(numbers["train_op"], numbers["loss"])
        return Expected({"losses": losses, **{name: model.read(name) for name in numbers["final"]}}, exact=True)

    def evaluated(self, towers):
        """Loss and metrics after each of three batches: `loss 0`, `mse 0`, ..."""
        numbers = self.oracle["eval"][f"n{towers}"]
        steps = numbers["steps"]
        if self.runs:
            model = self.model(f"eval_n{towers}.meta", numbers["init_ops"])
            steps = model.evaluate(numbers["loss"], numbers["update_ops"].values(), numbers["value_tensors"])
        return Expected(flat(steps), exact=self.runs)

    def predicted(self, towers):
        numbers = self.oracle["predict"][f"n{towers}"]
        if not self.runs:
            return Expected(numbers["values"], exact=False)
        model = self.model(f"predict_n{towers}.meta", [numbers["init_op"]])
        return Expected(model.predict(numbers["predictions"]), exact=True)
