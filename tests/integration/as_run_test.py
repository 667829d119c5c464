#!/usr/bin/env python3
"""Steps as TensorFlow runs them (--as-run modelled), beside steps that TensorFlow runs here and now.

TensorFlow 2.15 trains small graphs with Grappler on one thread, in the order of a GPU's executor and in that of a
CPU's (as_run_steps.py). Its allocation records, the variables, what was fed and the constants are the measured peak:
records hold no constants, because kernels make them before the step; the program counts them as resident.
Roots start in an order that differs from process to process on a CPU; the kinds here are such that this moves their
peak by two per cent at most.
"""
import json
import pathlib
import sys

import common

# kind of as_run_models.py -> batch; behind each, what it has that the others have not.
KINDS = {
    "small_resnet": 8,      # batch norm, whose updates the step waits for, and weight decay
    "encoder": 16,          # attention, whose gradients ask for shapes
    "auto_encoder": 32,     # random numbers; in the orders of CPU and GPU it needs different memory
    "branches": 32,         # a conditional of TensorFlow 1, the larger branch runs
    "smaller_branch": 32,   # the same graph, the other branch runs
    "dense_net": 8,         # tensors with many readers
    "half_precision": 128,  # constants as large as the weights, made by folding
    "u_net": 2,             # skips over the whole depth
    "embedding_sgd": 256,   # sparse gradients
    "dynamic_lstm": 64,     # a loop and its gradient's, which runs ahead of itself; stacks and TensorArrays
    "two_gru": 32,          # the same with two cells
}
# How far the numbers of ops may differ, if more than 5 %: TensorFlow runs constants, copies and switches that it makes
# for the branch of a conditional that is not taken.
OPS_OFF = {"branches": 0.10, "smaller_branch": 0.10}
ORDERS = {"gpu": ("--inline",), "cpu": ()}  # --executor -> option of as_run_steps.py
NEAR = {"gpu": 0.02, "cpu": 0.06}
FAR = 0.10


def measured_steps(folder):
    """{(executor, kind): (graph, what was measured)}"""
    found = {}
    for executor, options in ORDERS.items():
        out = pathlib.Path(folder) / executor
        done = common.run_on_tensorflow(pathlib.Path(__file__).resolve().parent / "as_run_steps.py", out, *options,
                                        *(f"{kind}:{batch}" for kind, batch in KINDS.items()))
        if done.returncode != 0:
            sys.exit(f"as_run_steps.py: exit {done.returncode}: {done.stdout[-1000:]} {done.stderr[-3000:]}")
        for kind, batch in KINDS.items():
            step = out / f"{kind}_{batch}"
            found[executor, kind] = step / "graph.meta", common.read_json(step / "step.json")
    return found


def whole_peak(step):
    """Variables that no op of the step reads are in memory, too."""
    return step["peak_bytes"] - step["variables_bytes"] + step["all_variables_bytes"] + step["constants_bytes"]


def simulated(graph, step, *options, chooses=True):
    """With the branches that the feeds made TensorFlow take, unless `chooses` is false or both count."""
    branches = [f"--branch={name}={str(takes).lower()}" for name, takes in step["branches"].items()
                if chooses and "off" not in options]
    done = common.tideline("simulate", graph, "--fetch", step["fetch"], "--batch-size", step["batch"], "--json", *options,
                           *branches)
    return json.loads(done.stdout)


def error(found, step):
    return found["device_peak_bytes"] / whole_peak(step) - 1


def as_run(steps, executor, kind, order):
    """The error of the model with one executor on a step measured in an order."""
    graph, step = steps[order, kind]
    return error(simulated(graph, step, "--as-run", "modelled", "--executor", executor), step)


def the_peak_is_that_of_tensorflow(steps):
    for (order, kind), (graph, step) in steps.items():
        found = simulated(graph, step, "--as-run", "modelled", "--executor", order)
        assert abs(error(found, step)) < NEAR[order], (order, kind, found["device_peak_bytes"], whole_peak(step))


def the_exact_peak_is_that_of_tensorflow(steps):
    """Of the graph that the optimizer gives for a CPU; for a GPU it is another, which nothing here runs."""
    for (order, kind), (graph, step) in steps.items():
        if order == "cpu":
            found = simulated(graph, step, "--as-run", "exact", "--executor", order)
            assert (found["as_run"], found["executor"]) == ("exact", order)
            assert abs(error(found, step)) < NEAR[order], (order, kind, found["device_peak_bytes"], whole_peak(step))


def ops_that_ran(step):
    """An op of a loop counts once."""
    names = {op["name"] for op in step["ops"]}
    return step["run_as_parts"] if len(names) == len(step["ops"]) else len(names)


def as_many_ops_run(steps):
    for (order, kind), (graph, step) in steps.items():
        ops = simulated(graph, step, "--as-run", "modelled", "--executor", order)["steps"]
        off = ops / ops_that_ran(step) - 1
        assert abs(off) < OPS_OFF.get(kind, 0.05), (order, kind, ops, ops_that_ran(step))


def the_graph_as_written_is_another_step(steps):
    """So the test can fail: without folding and branches the peak is far off, and more ops run."""
    for order in ORDERS:
        for kind in ("encoder", "branches"):
            graph, step = steps[order, kind]
            found = simulated(graph, step, "--as-run", "off")
            assert abs(error(found, step)) > FAR, (order, kind, found["device_peak_bytes"], whole_peak(step))
            assert found["steps"] > 1.5 * step["run_as_parts"], (order, kind, found["steps"], step["run_as_parts"])


def a_given_branch_is_another_step(steps):
    """So the test can fail: the larger branch is far off where the other one ran, and the same where it ran."""
    for order in ORDERS:
        for kind, is_near in (("branches", True), ("smaller_branch", False)):
            graph, step = steps[order, kind]
            found = simulated(graph, step, "--executor", order, chooses=False)
            assert [one["source"] for one in found["conditionals"]] == ["larger"], found["conditionals"]
            assert (abs(error(found, step)) < NEAR[order]) == is_near, (order, kind, error(found, step))


def each_executor_has_its_own_order(steps):
    """So the test can fail: the same step in the other's order is far off."""
    assert abs(as_run(steps, "gpu", "auto_encoder", "cpu")) > FAR
    assert abs(as_run(steps, "cpu", "auto_encoder", "gpu")) > FAR


def main():
    common.need_tensorflow()
    failed = []
    with common.temporary_folder() as folder:
        steps = measured_steps(folder)
        for test in (the_peak_is_that_of_tensorflow, the_exact_peak_is_that_of_tensorflow, as_many_ops_run, the_graph_as_written_is_another_step,
                     a_given_branch_is_another_step, each_executor_has_its_own_order):
            try:
                test(steps)
            except AssertionError as problem:
                failed.append(f"{test.__name__}: {problem}")
            print(test.__name__, flush=True)
    return "\n".join(["failed:", *failed]) if failed else 0


if __name__ == "__main__":
    sys.exit(main())
