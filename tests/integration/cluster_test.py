#!/usr/bin/env python3
"""Towers on servers of TensorFlow: five processes train to the bits of one, variables are where TensorFlow's own strategies
put them, servers listen on the loopback alone, and a task that dies, hangs or is not there is named."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import clusters
import common

ADAM, MOMENTUM = "adam_optimizer/Adam", "momentum_optimizer/Momentum"
SWAPS = ("--then", "lms2", "--swapout-threshold", "5", "--swapin-ahead", "1", "--swapin-groupby", "2")
# A classifier with reference variables, one with resources, a transformer, rows that are trained: train op, tensors to split, feeds, loss.
TRAINED = {
    "mlp.meta": (ADAM, "x:0,y:0", ("x=float32:12x32", "y=int64:12:10"), "loss/Mean:0"),
    "resource_vars.meta": (ADAM, "x:0,y:0", ("x=float32:6x32x32x3", "y=int64:6:10"), "loss/Mean:0"),
    "embedding_sparse.meta": (ADAM, "user:0,items:0,y:0", ("user=int64:12:100", "items=int64:12x20:100", "y=float32:12"),
                              "Mean:0"),
    "transformer.meta": ("Adam", "words:0", ("words=int32:6x16:500",), "loss/Mean:0"),  # made by cluster_worker.py
}


def towers_of(graph, out, case, *words):
    train, split, _, loss = case
    return common.tideline("rewrite", "replicate", graph, "-o", out, "--split", split, "--loss", loss,
                           "--train-op", train, "--force", *words)


def feeds(case):
    return [word for feed in case[2] for word in ("--feed", feed)]


def trains_to_the_same_bits(folder, path, trained):
    """Twenty steps of towers on five processes, with and without swaps, beside the towers on one machine."""
    devices = [f"/job:{task}/device:GPU:0" for task in ("chief/task:0", "worker/task:0", "worker/task:1")]
    one, five = folder / "one.meta", folder / "five.meta"
    for name, case in trained.items():
        graph = folder / name if (folder / name).exists() else common.graph(name)
        towers_of(graph, one, case, "--devices", "/device:CPU:0,/device:CPU:1,/device:CPU:2")
        for how, words in (("first", ()), ("ps", ()), ("balanced", SWAPS)):
            done = towers_of(graph, five, case, "--cluster", path, "--devices", ",".join(devices), "--variables", how, *words)
            assert not words or "swap-out operations" in done.stdout and "(0 swap-out" not in done.stdout, done.stdout
            said = json.loads(common.tideline("compare", one, five, "--cluster", path, "--train", case[0], "--loss", "loss:0",
                                              *feeds(case), "--steps", 20, "--json").stdout)
            assert said["identical"] and said["sound"] and said["steps"] == 20, said
            print(f"{name}, variables {how}{', with swaps' if words else ''}: the same bits after 20 steps", flush=True)


def variables_are_where_tensorflow_puts_them(folder):
    """With tf.train.replica_device_setter, in turn and by GreedyLoadBalancingStrategy, on two and three tasks."""
    worker = pathlib.Path(__file__).with_name("cluster_worker.py")
    done = common.run_on_tensorflow(worker, folder)
    assert done.returncode == 0, done.stderr[-3000:]
    cases = json.loads(done.stdout)
    if old := os.environ.get("TIDELINE_TF1_PYTHON"):
        # The strategy is a part of this one.
        (folder / "1").mkdir()
        done = subprocess.run([old, "-B", worker, folder / "1"], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-3000:]
        cases += json.loads(done.stdout.splitlines()[-1])
    for case in cases:
        path = folder / "placed.json"
        clusters.cluster_file(path, worker=2, ps=case["ps"])
        plan = folder / "placed_plan.json"
        common.tideline("rewrite", "replicate", case["graph"], "--plan-json", plan, "--force", "--quiet", "--cluster", path,
                        "--variables", case["how"], "--split", "x:0,y:0", "--loss", "loss:0", "--train-op", case["train"])
        placed = common.read_json(plan)["devices"]
        found = {name: placed.get(name) for name in case["devices"]}
        assert found == case["devices"], (case["how"], case["ps"], found, case["devices"])
        assert len(set(found.values())) == case["ps"], found
        print(f"{len(found)} variables on {case['ps']} tasks, {case['how']}: where TensorFlow puts them", flush=True)


def listen_on_the_loopback(cluster):
    mapped = "0000000000000000FFFF00000100007F"
    for addresses in cluster.values():
        for address in addresses:
            found = clusters.listening(int(address.rsplit(":", 1)[1]))
            assert found and found <= {"0100007F", mapped}, found
    print("all listen on the loopback alone", flush=True)


def run_words(path, graph, case, *words):
    return ["run", str(graph), "--cluster", str(path), "--train", case[0], "--loss", "loss:0", *feeds(case), *map(str, words)]


def begun(path, graph, case, *words):
    """A long run that has come to its fifth step."""
    run = subprocess.Popen([common.PROGRAM, *run_words(path, graph, case, "--steps", 1000000, *words)], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    for line in run.stdout:
        if line.startswith("step 5:"):
            return run
    raise AssertionError(run.communicate())


def ended(run, limit_s):
    started = time.monotonic()
    _, err = run.communicate(timeout=limit_s)
    assert run.returncode == 1, (run.returncode, err)
    print(f"after {time.monotonic() - started:.1f} s: {err.strip()[:90]}...", flush=True)
    return err


def deaths_are_named(folder, path, servers):
    case, graph = TRAINED["mlp.meta"], folder / "five.meta"
    towers_of(common.graph("mlp.meta"), graph, case, "--cluster", path, "--variables", "ps")
    run = begun(path, graph, case)
    servers.kill("/job:worker/task:1")
    assert "/job:worker/task:1 at 127.0.0.1:" in ended(run, 60)
    # Another program brings it back, and the step goes on as if nothing had been.
    with clusters.Servers(path, "--task", "worker:1"):
        common.tideline(*run_words(path, graph, case, "--steps", 3))
        run = begun(path, graph, case, "--step-limit", 3)
        servers.kill("/job:ps/task:1", signal.SIGSTOP)
        said = ended(run, 60)
        assert "/job:ps/task:1 at 127.0.0.1:" in said and "--step-limit is the limit" in said, said
        servers.kill("/job:ps/task:1", signal.SIGCONT)
        common.tideline(*run_words(path, graph, case, "--steps", 3))
        run = begun(path, graph, case)
        servers.kill("/job:chief/task:0")
        assert "/job:chief/task:0 at 127.0.0.1:" in ended(run, 60)
    status = common.tideline("cluster", "status", path, "--json", check=False)
    silent = {f"/job:{task['job']}/task:{task['task']}" for task in json.loads(status.stdout)["tasks"] if not task["answers"]}
    assert status.returncode == 3 and silent == {"/job:worker/task:1", "/job:chief/task:0"}, (status.returncode, silent)


def goes_on_after_a_death(folder, path):
    """A worker, and then the chief, is killed in step 10; the run goes on, with swaps, to the losses of one in one piece."""
    graph, case = folder / "swaps.meta", TRAINED["resource_vars.meta"]
    devices = [f"/job:{task}/device:GPU:0" for task in ("chief/task:0", "worker/task:0", "worker/task:1")]
    towers_of(common.graph("resource_vars.meta"), graph, case, "--cluster", path, "--devices", ",".join(devices), "--variables",
              "balanced", *SWAPS)
    with clusters.Servers(path):
        whole = json.loads(common.tideline(*run_words(path, graph, case, "--steps", 20, "--seed", 1, "--json")).stdout)["steps"]
    for task in ("worker:1", "chief:0"):
        prefix = folder / f"saved_{task.split(':')[0]}"
        words = ("--seed", 1, "--save", prefix, "--save-every", 3, "--resume")
        others = [f"{job}:{i}" for job, count in (("chief", 1), ("worker", 2), ("ps", 2)) for i in range(count)
                  if f"{job}:{i}" != task]
        with clusters.Servers(path, *(word for other in others for word in ("--task", other))):
            with clusters.Servers(path, "--task", task) as servers:
                run = subprocess.Popen([common.PROGRAM, *run_words(path, graph, case, "--steps", 1000000, *words)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for line in run.stdout:
                    if line.startswith("step 10:"):
                        break
                servers.kill(f"/job:{task.replace(':', '/task:')}")
                ended(run, 60)
            common.tideline("checkpoint", "verify", prefix)
            with clusters.Servers(path, "--task", task):
                report = json.loads(common.tideline(*run_words(path, graph, case, "--steps", 20, *words, "--json")).stdout)
        first = report["checkpoint"]["first_step"]
        assert 9 <= first < 20 and [step["bits"] for step in report["steps"]] == [step["bits"] for step in whole[first:]], first
        print(f"{task} was killed in step 10: from step {first} on the losses are those of a run in one piece", flush=True)


def nothing_stays(folder):
    """However the program that has started servers ends."""
    path = folder / "small.json"
    clusters.cluster_file(path, worker=2)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
        with clusters.Servers(path) as servers:
            servers.starter.send_signal(number)
            servers.starter.wait(clusters.PATIENCE_S)
    with clusters.Servers(path) as servers:
        again = common.tideline("cluster", "start", path, check=False)
        assert again.returncode == 1 and f"is served already, by process {servers.starter.pid}" in again.stderr, again
        assert common.tideline("cluster", "stop", path).stdout == "1 process ended\n"
    assert common.tideline("cluster", "stop", path).stdout.startswith("no server of ")
    print("no server outlives its program", flush=True)


def refusals(folder, path):
    far = folder / "far.json"
    far.write_text(json.dumps({"worker": ["10.0.0.7:2222"]}), encoding="utf-8")
    graph, case = folder / "five.meta", TRAINED["mlp.meta"]
    towers_of(common.graph("mlp.meta"), graph, case, "--cluster", path)
    for words, code, reason in (
            (("cluster", "start", far), 1, "expected --bind ADDRESS"),
            (("cluster", "start", path, "--task", "worker:7"), 1, "expected one of chief:0"),
            (("cluster", "start", path, "--bind", "everywhere"), 2, "expected an IPv4 address"),
            (("cluster", "start", path, "--bind", "999.0.0.1"), 2, "expected an IPv4 address"),
            (("cluster", "start", folder / "none.json"), 1, "none.json"),
            (run_words(far, graph, case), 1, "is on no task of the cluster, which has /job:worker/task:0"),
            ((*run_words(path, graph, case), "--target", "grpc://127.0.0.1:1"), 2, "--target"),
            (("run", graph, "--train", ADAM, "--loss", "loss:0", "--step-limit", 3, *feeds(case)), 2, "--step-limit"),
            (("rewrite", "replicate", common.graph("mlp.meta"), "-o", graph, "--force", "--split", "x:0,y:0", "--train-op", ADAM,
              "--cluster", path, "--devices", "/job:worker/task:9/cpu:0"), 1, "which has /job:chief/task:0"),
            (("rewrite", "replicate", common.graph("mlp.meta"), "-o", graph, "--force", "--split", "x:0,y:0", "--train-op", ADAM),
             2, "--devices is missing")):
        done = common.tideline(*words, check=False)
        assert done.returncode == code and reason in done.stderr, (words, done.returncode, done.stderr)
    print("what is not there is refused", flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        variables_are_where_tensorflow_puts_them(folder)
        path = folder / "cluster.json"
        cluster = clusters.cluster_file(path, chief=1, worker=2, ps=2)
        with clusters.Servers(path) as servers:
            listen_on_the_loopback(cluster)
            trains_to_the_same_bits(folder, path, TRAINED)
            refusals(folder, path)
            deaths_are_named(folder, path, servers)
        assert servers.code == 130, servers.said
        for task in ("/job:worker/task:1", "/job:chief/task:0"):
            assert f"{task} at 127.0.0.1:" in servers.said, servers.said
        goes_on_after_a_death(folder, path)
        nothing_stays(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
