#!/usr/bin/env python3
"""What `simulate --cluster` says of a step, beside traced steps of TensorFlow's servers: ops are on the devices that its placer chooses, and
every device gets, to the byte, the tensors that it is said to get. With the trace, the peaks of devices are near its allocation records."""
import json
import pathlib
import subprocess
import sys

import cluster_test
import clusters
import common

MNIST = ("tutorial_mnist.meta", ("adam_optimizer/Adam", "Placeholder:0,Placeholder_1:0",
                                 ("Placeholder=float32:12x784", "Placeholder_1=int64:12:10", "dropout/Placeholder=float32::1"),
                                 "loss/sparse_softmax_cross_entropy_loss/value:0"))
LSTM = ("lstm.meta", ("adam_optimizer/Adam", "tokens:0,label:0,seqlen:0",
                      ("tokens=int32:6x10:100", "label=int32:6:2", "seqlen=int32:6:10"), "loss/Mean:0"))
SPREADS = ("first", "ps", "balanced")


def graphs(folder):
    cases = [*cluster_test.TRAINED.items(), MNIST, LSTM]
    for name, case in cases:
        made = folder / name
        yield name, made if made.exists() else common.graph(name), case


def shapes(case):
    """What is fed, as options of `simulate`."""
    words = []
    for feed in case[2]:
        name, what = feed.split("=")
        if what.split(":")[1]:
            words += ["--shape", f"{name}={what.split(':')[1]}"]
    return words


def simulated(graph, path, case):
    return json.loads(common.tideline("simulate", graph, "--cluster", path, "--as-run", "off", "--fetch", f"{case[0]},loss", *shapes(case),
                                      "--json").stdout)


# Peaks of smaller devices are made of blocks of 256 bytes and of what is still being sent at the moment.
SMALL = 128 << 10
# A loop of TensorFlow 1 keeps the model's order; reads of a table that rows are gathered from, too, are copies (transformer's).
UNLIKE = {"lstm.meta": ("chief", "worker"), "transformer.meta": ("chief", "ps")}


def peaks(name, how, towers, path, case, trace):
    """With the sizes, order and times of the trace: within 6 % of what its records say was allocated."""
    said = json.loads(common.tideline("simulate", towers, "--cluster", path, "--run-metadata", trace, "--fetch", f"{case[0]},loss",
                                      *shapes(case), "--json").stdout)
    assert said["as_run"] == "exact" and said["time"]["measured_ops"] > 50, (said["as_run"], said["time"])
    worst, compared = 0, 0
    for device in said["devices"]:
        measured = device["measured_peak_of_own_bytes"]
        job = device["device"].split("/")[1].removeprefix("job:")
        if not measured or measured < SMALL or job in UNLIKE.get(name, ()):
            continue
        compared += 1
        worst = max(worst, abs(device["peak_of_own_bytes"] / measured - 1))
        assert worst <= 0.06, (name, how, device)
        assert device["device_peak_bytes"] >= device["peak_of_own_bytes"] >= device["resident_bytes"], device
    assert all(device["measured_peak_of_own_bytes"] for device in said["devices"] if not device["device"].startswith("/job:ps/")), said["devices"]
    print(f"{name}, variables {how}: peaks of {compared} devices at most {worst:.1%} from the records", flush=True)
    return compared


def by_pair(said):
    """As the worker writes it: the sender's op, and the bytes of its outputs that are sent; None for those that no shape says."""
    pairs = {}
    for pair in said["sent"]:
        found = pairs.setdefault(f"{pair['from']} -> {pair['to']}", {})
        for sent in pair["tensors"]:
            found.setdefault(sent["tensor"].rsplit(":", 1)[0], []).append(None if sent["is_guessed"] else sent["bytes"])
    return pairs


def shown(size):
    """Bytes in the words of a trace."""
    return f"{size}B" if size < 0.1 * 2 ** 20 else f"{size / 2 ** 20:.1f}MB"


def merged(first, second):
    """TensorFlow collects what each task has received when a step ends; once in some hundred steps that of one task comes too late
    for the trace. Two steps of a graph send the same."""
    for pair, found in second["sent"].items():
        for op, sizes in found.items():
            first["sent"].setdefault(pair, {}).setdefault(op, sizes)
    return first


def compare(name, how, said, trace):
    """Pairs of devices and tensors are the same, sizes as far as the trace says them, and exactly what their op has made."""
    ours, theirs, exact, guessed = {}, {}, 0, 0
    for pair, found in by_pair(said).items():
        for op, sizes in found.items():
            known = [size for size in sizes if size is not None]
            assert not any(known) or set(known) <= set(trace["made"].get(op, known)), (name, how, pair, op, sizes, trace["made"][op])
            if sizes != [0]:
                ours[pair, op] = [None] * len(sizes) if None in sizes else sorted(shown(size) for size in sizes if size)
            exact, guessed = exact + sum(known), guessed + len(sizes) - len(known)
    for pair, found in trace["sent"].items():
        for op, sizes in found.items():
            kept = sorted(size for size in sizes if size != "0B")
            if None in ours.get((pair, op), []):
                ours.pop((pair, op))  # it may be empty, so that only its name can be compared
            elif kept:
                theirs[pair, op] = kept
    different = [(key, ours.get(key), theirs.get(key)) for key in sorted(ours.keys() | theirs.keys())
                 if ours.get(key) != theirs.get(key)]
    assert not different, (name, how, len(different), different[:6])
    assert exact <= said["bytes_between_tasks"] and exact > 0, (name, how, exact, said["bytes_between_tasks"])
    print(f"{name}, variables {how}: {len(ours)} tensors between tasks as in the trace, {exact} bytes; {guessed} of unknown size", flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as temporary:
        folder = pathlib.Path(temporary)
        worker = pathlib.Path(__file__).with_name("cluster_worker.py")
        assert common.run_on_tensorflow(worker, folder).returncode == 0
        path = folder / "cluster.json"
        clusters.cluster_file(path, chief=1, worker=2, ps=2)
        steps, compared = [], 0
        with clusters.Servers(path):
            for name, graph, case in graphs(folder):
                for how in SPREADS:
                    towers, trace = folder / f"{how}_{graph.stem}.meta", folder / f"{how}_{graph.stem}"
                    cluster_test.towers_of(graph, towers, case, "--cluster", path, "--variables", how)
                    for folder_of_trace in (trace, f"{trace}_again"):
                        common.tideline(*cluster_test.run_words(path, towers, case, "--steps", 2, "--seed", 1, "--trace", folder_of_trace))
                    compared += peaks(name, how, towers, path, case, trace)
                    steps.append((name, how, simulated(towers, path, case), str(trace)))
        assert compared >= 30, compared
        script = pathlib.Path(__file__).with_name("cluster_traffic_worker.py")
        logs = [step[3] + end for step in steps for end in ("", "_again")]
        done = subprocess.run([common.TENSORFLOW, "-B", script, *logs], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-3000:]
        traces = json.loads(done.stdout)
        for name, how, said, trace in steps:
            compare(name, how, said, merged(traces[trace], traces[f"{trace}_again"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
