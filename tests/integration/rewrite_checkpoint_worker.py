"""Saves and restores rewritten savers in TensorFlow, for rewrite_checkpoint_test.py: worker.py TIDELINE FOLDER"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import make_savers  # noqa: E402
import numpy  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

from tideline import tmci  # noqa: E402,F401 - the ops
from tideline.tmci import ops  # noqa: E402,F401

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
CONFIG = tf.ConfigProto(device_count={"CPU": 2})


def tideline(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, f"tideline {words}: {done.stdout}{done.stderr}"
    return done.stdout


class Run:
    """A MetaGraph in a session, with its savers."""

    def __init__(self, path):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.savers = [tf.train.import_meta_graph(str(path))]
            self.savers += tf.get_collection(tf.GraphKeys.SAVERS)[1:]
            self.variables = tf.global_variables()
        self.session = tf.Session(graph=self.graph, config=CONFIG)
        self.initialize()

    def initialize(self):
        for variable in self.variables:
            self.session.run(self.graph.get_operation_by_name(variable.initializer.name))

    def values(self):
        return {variable.name: self.session.run(variable) for variable in self.variables}

    def change(self, seed):
        """Values that no initializer gives."""
        chance = numpy.random.default_rng(seed)
        for variable in self.variables:
            value = chance.integers(-99, 99, variable.shape.as_list())
            if variable.dtype.base_dtype == tf.bool:
                value = value > 0
            self.session.run(variable.initializer, {variable.initializer.inputs[1]: value})
        return self.values()


def same(got, wanted, names=None):
    for name in names or wanted:
        assert got[name].dtype == wanted[name].dtype and got[name].tobytes() == wanted[name].tobytes(), name


def check(kind):
    original, rewritten, plan = (FOLDER / f"{kind}{end}" for end in (".meta", "_file.meta", ".json"))
    make_savers.write(kind, original)
    tideline("rewrite", "checkpoint", original, "--backend", "file", "-o", rewritten, "--plan-json", plan, "--quiet")
    assert "as planned" in tideline("diff", original, rewritten, "--plan", plan)
    before, after = Run(original), Run(rewritten)
    types = {node.op for node in after.graph.as_graph_def().node}
    assert {"TmciSave", "TmciLoad"} <= types and not {"SaveV2", "RestoreV2", "MergeV2Checkpoints"} & types, types
    assert [saver.saver_def for saver in after.savers] == [saver.saver_def for saver in before.savers]
    initial = after.values()
    same(before.values(), initial)
    for number, (theirs, ours) in enumerate(zip(before.savers, after.savers)):
        names = list(initial) if number == 0 else ["resource:0"]
        wanted = after.change(number)
        prefix = ours.save(after.session, str(FOLDER / f"{kind}_{number}/ours"))
        after.initialize()
        assert any(after.values()[name].tobytes() != wanted[name].tobytes() for name in names)
        ours.restore(after.session, prefix)
        same(after.values(), wanted, names)
        # TensorFlow's own ops read what the backend wrote, and the other way round.
        before.initialize()
        theirs.restore(before.session, prefix)
        same(before.values(), wanted, names)
        own = theirs.save(before.session, str(FOLDER / f"{kind}_{number}/theirs"))
        after.change(100)
        ours.restore(after.session, own)
        same(after.values(), wanted, names)
        tideline("checkpoint", "verify", prefix)
        assert " 0 differ" in tideline("checkpoint", "diff", prefix, own)
    print(f"{kind}: {len(initial)} variables, {len(after.savers)} savers: bit for bit")


for one in ("plain", "sharded", "two"):
    (FOLDER / one).mkdir(exist_ok=True)
    for each in range(2):
        os.makedirs(FOLDER / f"{one}_{each}", exist_ok=True)
    check(one)
