#!/usr/bin/env python3
"""Towers over TF_CONFIG: in tf.estimator.train_and_evaluate every task of a cluster trains with towers of its own, and a graph is
replicated over the tasks of a cluster, with the bits of one process.

    replicate_cluster_test.py TIDELINE [tensorflow1]"""
import json
import os
import pathlib
import subprocess
import sys
import time

import clusters
import common
import python_front

STEPS, TOGETHER = 20, 60  # of one task, and of two


class Tasks:
    """Processes of replicate_cluster_worker.py, until the end of the `with`: one without TF_CONFIG, or those of a cluster and its
    evaluator."""

    def __init__(self, folder, steps, kind, swaps, *words, **jobs):
        self.folder, self.words, self.processes = folder, [folder, steps, kind, swaps, *words], {}
        folder.mkdir()
        ports = iter(clusters.free_ports(sum(jobs.values())))
        self.cluster = {job: [f"127.0.0.1:{next(ports)}" for _ in range(count)] for job, count in jobs.items()}

    def __enter__(self):
        tasks = [(job, index) for job, addresses in self.cluster.items() for index in range(len(addresses))]
        for job, index in tasks + [("evaluator", 0)] if tasks else [("alone", 0)]:
            self._start(job, index)
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.communicate()

    def _start(self, job, index):
        environment = {key: value for key, value in os.environ.items() if key != "TF_CONFIG"}
        environment.update(TF_CPP_MIN_LOG_LEVEL="3", PYTHONWARNINGS="ignore", TIDELINE=common.PROGRAM, CUDA_VISIBLE_DEVICES="",
                           PYTHONPATH=f"{python_front.PACKAGE}:{python_front.HERE}")
        if self.cluster:
            environment["TF_CONFIG"] = json.dumps({"cluster": self.cluster, "task": {"type": job, "index": index}})
        with open(self.folder / f"{job}_{index}.log", "wb") as log:
            self.processes[f"{job}_{index}"] = subprocess.Popen(
                [python_front.python(), "-B", python_front.HERE / "replicate_cluster_worker.py", *map(str, self.words)],
                stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment)

    def ended(self):
        """What the tasks and the evaluation say, when all but the parameter servers have ended; and these have not."""
        end = time.monotonic() + clusters.PATIENCE_S
        left = {name for name in self.processes if not name.startswith("ps_")}
        while left:
            for name, process in self.processes.items():
                if process.poll() is not None and (process.returncode or name.startswith("ps_")):
                    raise AssertionError(f"{name}: exit {process.returncode}: {self._said(name)}")
            left = {name for name in left if self.processes[name].poll() is None}
            assert time.monotonic() < end, "\n".join(f"{name} does not end: {self._said(name)}" for name in left)
            time.sleep(0.05)
        return {path.stem: common.read_json(path) for path in self.folder.glob("*.json")}

    def _said(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")[-3000:]


def check_places(name, found, servers):
    """Variables on all parameter servers, towers on the task, each swap on the task of what it swaps, and nothing left open."""
    task, servers = "/job:{}/task:{}".format(*name.split("_")), [f"/job:ps/task:{at}" for at in range(servers)]
    assert set(found["variables"].values()) == {f"{server}/device:CPU:0" for server in servers}, found["variables"]
    for op, device in found["ops"].items():
        assert device.partition("/device:")[0] in (task, *servers), (op, device)
    products = {op: device for op, device in found["ops"].items() if op.rpartition("/")[2].startswith("MatMul")}
    assert len(products) == 18, products  # of each layer one forwards and two backwards, in two towers
    for op, device in products.items():
        kind = "GPU" if found["swaps"] else "CPU"  # for a trial
        assert device == f"{task}/device:{kind}:{int(op.startswith('tower_1/'))}", (op, device)
    for op, (swapped, device) in found["swaps"].items():
        assert device.partition("/device:")[0] == swapped.partition("/device:")[0] != "", (op, swapped, device)


def one_task_trains_to_the_bits_of_one_process(folder):
    """Without swaps, and with those of version 2; the evaluator's numbers are the same bits, too, and so are the losses of the original."""
    for kind, swaps, servers in (("ref", 0, 2), ("resource", 2, 1)):
        with Tasks(folder / f"{kind}_alone", STEPS, kind, 0) as alone:
            expected = alone.ended()
        with Tasks(folder / kind, STEPS, kind, swaps, chief=1, ps=servers) as tasks:
            found = tasks.ended()
        chief = found["chief_0"]
        assert chief["steps"] == list(range(STEPS)) or chief["steps"] == list(range(1, STEPS + 1)), chief["steps"]
        assert chief["losses"] == expected["alone_0"]["losses"] and len(set(chief["losses"])) == STEPS, (chief["losses"], expected)
        assert found["evaluation"] == expected["evaluation"], (found["evaluation"], expected["evaluation"])
        assert bool(chief["swaps"]) == bool(swaps), chief["swaps"]
        check_places("chief_0", chief, servers)
        print(f"{kind} variables on {servers} tasks of the job ps, {len(chief['swaps'])} tensors swapped: {STEPS} losses and the evaluation "
              "are those of one process", flush=True)
        if "tensorflow1" in sys.argv and kind == "resource":  # others it reads while they are written
            with Tasks(folder / "original", STEPS, kind, 0, "original", chief=1, ps=servers) as tasks:
                original = tasks.ended()
            # Not its evaluation: every tower of its moves the averages of the normalisation.
            assert original["chief_0"]["losses"] == chief["losses"], (original["chief_0"]["losses"], chief["losses"])
            print("and the losses those of TensorFlow's own towers on these tasks", flush=True)


def two_tasks_train_one_model(folder):
    """With swaps of version 1."""
    with Tasks(folder / "together", TOGETHER, "ref", 1, chief=1, worker=1, ps=1) as tasks:
        found = tasks.ended()
    steps = 0
    for name in ("chief_0", "worker_0"):
        check_places(name, found[name], 1)
        assert found[name]["swaps"], name
        steps += len(found[name]["steps"])
    # Each stops when the step that it has seen is the last; that may be the one before its own, while the other does one, too.
    last = int(found["evaluation"]["global_step"])
    assert TOGETHER <= last <= steps <= TOGETHER + 4, (last, steps)
    print(f"chief and worker: {len(found['chief_0']['steps'])} and {len(found['worker_0']['steps'])} steps with swaps", flush=True)


def main():
    python_front.python()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        one_task_trains_to_the_bits_of_one_process(folder)
        two_tasks_train_one_model(folder)
        print(python_front.worker("replicate_cluster_graphs.py", name, CUDA_VISIBLE_DEVICES=""))


if __name__ == "__main__":
    sys.exit(main())
