#!/usr/bin/env python3
"""What functions of TensorFlow 2 pay for being rewritten: time of a call, and of the rewriting.

    PYTHONPATH=plugins/tensorflow:tests/integration TIDELINE=build/app/app/tideline PYTHON -B tests/bench/functions.py [calls|rewriting|inlining]

PYTHON has TensorFlow 2.15 or a newer one. Calls: `own_step` of tests/integration/tf2_models.py, plain and rewritten in turns, the minimum
of 100 rounds of 20 calls; medians scatter by a multiple of the difference. Rewriting: the step of resnet50, best of five, without
TensorFlow's own export of it. Inlining: a step of 100 calls of one function with 100 ops, by the program alone."""
import gc
import os
import subprocess
import sys
import tempfile
import time

import tensorflow as tf

import tideline.lms
from tf2_common import one_thread
from tf2_export_worker import step_of
from tf2_models import MODELS
from tideline.lms.functions import export, rewriting

SWAPS = dict(swapout_threshold=10, swapin_ahead=1, swapin_groupby=0)
NO_SWAPS = dict(SWAPS, swapout_threshold=10000)


def minima(functions, batch, rounds=100, calls=20):
    """Seconds of a call of each."""
    best = [float("inf")] * len(functions)
    for function in functions:
        function(*batch)
    gc.disable()
    for _ in range(rounds):
        for k, function in enumerate(functions):
            start = time.perf_counter()
            for _ in range(calls):
                function(*batch)
            best[k] = min(best[k], (time.perf_counter() - start) / calls)
    gc.enable()
    return best


def calls():
    one = MODELS["own_step"]()
    step, plain, batch = step_of(one)
    others = []
    for policy in (NO_SWAPS, SWAPS):
        front = tideline.lms.rewrite_function(step, batch_size=one.batch, **policy)
        front(*batch)
        others.append((front, tideline.lms.traces(front)[0]))
    functions = {"plain": plain, "rewritten, no swaps": others[0][1].function, "rewritten with swaps": others[1][1].function,
                 "tf.function": step, "tf.function rewritten, no swaps": others[0][0], "tf.function rewritten with swaps": others[1][0]}
    print("swaps:", len(others[1][1].plan["swaps"]))
    for name, seconds in zip(functions, minima(list(functions.values()), batch)):
        print(f"{name:<34} {seconds * 1e6:7.1f} us")


def rewriting_time(is_own):
    """Seconds beside TensorFlow's export; a fresh trace each time."""
    spent = {"export": 0.0, "all": 0.0}
    plain_export, plain_rewrite = export.meta_graph, rewriting.Rewriting.rewrite

    def timed(key, function):
        def call(*arguments, **more):
            start = time.perf_counter()
            result = function(*arguments, **more)
            spent[key] += time.perf_counter() - start
            return result
        return call

    one = MODELS["resnet50"]()
    step, concrete, batch = step_of(one)
    export.meta_graph, rewriting.Rewriting.rewrite = timed("export", plain_export), timed("all", plain_rewrite)
    try:
        for _ in range(5):
            spent.update(export=0.0, all=0.0)
            function = tideline.lms.rewrite_function(step if is_own else concrete, batch_size=one.batch, **SWAPS)
            if is_own:
                function.get_concrete_function(*batch)
            yield spent["all"] - spent["export"], spent["export"], len(concrete.graph.get_operations())
    finally:
        export.meta_graph, rewriting.Rewriting.rewrite = plain_export, plain_rewrite


def all_rewriting():
    for name, is_own in (("in place", True), ("imported", False)):
        seconds, exported, ops = min(rewriting_time(is_own))
        print(f"resnet50, {ops} ops, {name}: {seconds:.2f} s, and {exported:.2f} s of TensorFlow's export")


def inlining():
    body = tf.function(lambda x: tf.add_n([tf.tanh(x + float(k)) for k in range(33)]), autograph=False)

    @tf.function(autograph=False)
    def step(x):
        for _ in range(100):
            x = body(x)
        return x

    definition = step.get_concrete_function(tf.TensorSpec([8, 8])).graph.as_graph_def(add_shapes=True)
    ops = 100 * len(definition.library.function[0].node_def)
    with tempfile.NamedTemporaryFile(suffix=".pb") as file:
        file.write(definition.SerializeToString())
        file.flush()
        best = {}
        for words in ([], ["--inline"]):
            for _ in range(5):
                start = time.perf_counter()
                subprocess.run([os.environ["TIDELINE"], "levels", file.name, "--json", *words], check=True, stdout=subprocess.DEVNULL)
                best[bool(words)] = min(best.get(bool(words), 9.0), time.perf_counter() - start)
    print(f"{ops} ops of bodies inlined, whole process: {best[True]:.2f} s; the graph with its calls {best[False]:.2f} s")


def main():
    one_thread(grappler=True)
    asked = sys.argv[1:]
    for name, test in (("calls", calls), ("rewriting", all_rewriting), ("inlining", inlining)):
        if not asked or name in asked:
            test()


if __name__ == "__main__":
    main()
