#!/usr/bin/env python3
"""A task of a cluster is killed 50 times at a random moment of a run that saves: the run ends in bounded time and names the task or its
server, no process stays behind, the checkpoint is whole, and the run goes on to the losses of one in one piece.

    cluster_kills_test.py TIDELINE [KILLS]"""
import json
import pathlib
import random
import subprocess
import sys
import time

import cluster_test
import clusters
import common

LIMIT_S = 30  # from a death to the end of the run; five servers are asked one after the other
CASE = cluster_test.TRAINED["mlp.meta"]


def workers():
    """Every worker process of the program."""
    found = set()
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if words[1:2] == [b"--tensorflow-worker"] and clusters.is_alive(int(entry.name)):
            found.add(int(entry.name))
    return found


def main():
    common.need_tensorflow()
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    moments = random.Random(46)
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        path, graph, prefix = folder / "cluster.json", folder / "graph.meta", folder / "saved"
        clusters.cluster_file(path, chief=1, worker=2, ps=2)
        cluster_test.towers_of(common.graph("mlp.meta"), graph, CASE, "--cluster", path, "--variables", "balanced")
        words = cluster_test.run_words(path, graph, CASE, "--seed", 1, "--save", prefix, "--save-every", 2, "--resume", "--json")
        tasks = ["chief:0", "worker:0", "worker:1", "ps:0", "ps:1"]
        servers = {task: clusters.Servers(path, "--task", task) for task in tasks}
        before = workers()
        try:
            for each in servers.values():
                each.__enter__()
            longest = 0
            for number in range(kills):
                there = workers()
                run = subprocess.Popen([common.PROGRAM, *words, "--steps", "1000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       text=True)
                time.sleep(moments.random() * 3)
                task = moments.choice(tasks)
                full = f"/job:{task.replace(':', '/task:')}"
                servers[task].kill(full)
                started = time.monotonic()
                _, said = run.communicate(timeout=LIMIT_S)
                took = time.monotonic() - started
                longest = max(longest, took)
                assert run.returncode == 1 and f"{full} at 127.0.0.1:" in said, (number, task, run.returncode, said)
                clusters.wait_for("the run's workers end", lambda there=there: workers() <= there)
                servers[task].__exit__()
                servers[task] = clusters.Servers(path, "--task", task)
                servers[task].__enter__()
                if pathlib.Path(f"{prefix}.index").exists():
                    common.tideline("checkpoint", "verify", prefix)
                print(f"kill {number + 1}, {task}: the run ended after {took:.1f} s", flush=True)
            done = json.loads(common.tideline(*words, "--steps", 1, check=False).stdout or "{}")
            first = done["checkpoint"]["first_step"]
            rest = json.loads(common.tideline(*words, "--steps", first + 3).stdout)["steps"]
            whole = json.loads(common.tideline(*cluster_test.run_words(path, graph, CASE, "--seed", 1, "--json", "--steps", first + 3)).stdout)
            assert first > 20 and len(rest) == 3, first
            assert [step["bits"] for step in rest] == [step["bits"] for step in whole["steps"][first:]], first
        finally:
            for each in servers.values():
                each.__exit__()
        clusters.wait_for("all workers end", lambda: workers() <= before)
        print(f"{kills} kills; the run went on from step {first}; at most {longest:.1f} s from a death to the end of a run", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
