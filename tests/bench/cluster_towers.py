#!/usr/bin/env python3
"""Three towers on one, two and three servers of TensorFlow on the loopback: seconds of a step and bytes, measured beside the simulation.

    cluster_towers.py TIDELINE       prints the rows of tests/bench/RESULTS.md

The simulation has the times of ops of a traced step, and a network such as the loopback (600 MB/s, 100 us)."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import cluster_test  # noqa: E402
import clusters  # noqa: E402
import common  # noqa: E402

REPEATS, STEPS = 5, 20
LOOPBACK = {"schema": "tideline.profile/1", "name": "loopback", "network": {"bytes_per_s": 6e8, "latency_ns": 100000, "shared": True}}
GRAPHS = {
    "mlp.meta": (("x=float32:96x32", "y=int64:96:10"), "x:0,y:0", "loss/Mean:0"),
    "resource_vars.meta": (("x=float32:48x32x32x3", "y=int64:48:10"), "x:0,y:0", "loss/Mean:0"),
    "tutorial_mnist.meta": (("Placeholder=float32:96x784", "Placeholder_1=int64:96:10", "dropout/Placeholder=float32::1"),
                            "Placeholder:0,Placeholder_1:0", "loss/sparse_softmax_cross_entropy_loss/value:0"),
}
ADAM = "adam_optimizer/Adam"
TOWERS = {1: ["chief/task:0/device:CPU:0", "chief/task:0/device:CPU:1", "chief/task:0/device:CPU:2"],
          2: ["chief/task:0/device:CPU:0", "chief/task:0/device:CPU:1", "worker/task:0/device:CPU:0"],
          3: ["chief/task:0/device:CPU:0", "worker/task:0/device:CPU:0", "worker/task:1/device:CPU:0"]}


def shapes(feeds):
    return [word for feed in feeds if "::" not in feed for word in ("--shape", f"{feed.split('=')[0]}={feed.split('=')[1].split(':')[1]}")]


def measured(folder, name, processes):
    feeds, split, loss = GRAPHS[name]
    path, graph, profile = folder / "cluster.json", folder / "towers.meta", folder / "profile.json"
    profile.write_text(json.dumps(LOOPBACK), encoding="utf-8")
    clusters.cluster_file(path, chief=1, **({"worker": processes - 1} if processes > 1 else {}))
    devices = ",".join(f"/job:{device}" for device in TOWERS[processes])
    common.tideline("rewrite", "replicate", common.graph(name), "-o", graph, "--force", "--cluster", path, "--devices", devices,
                    "--split", split, "--loss", loss, "--train-op", ADAM, "--quiet")
    words = ["run", graph, "--cluster", path, "--train", ADAM, "--loss", "loss:0", "--seed", 1,
             *(word for feed in feeds for word in ("--feed", feed))]
    with clusters.Servers(path):
        runs = [json.loads(common.tideline(*words, "--steps", STEPS, "--json").stdout) for _ in range(REPEATS)]
        trace = folder / f"trace_{name}_{processes}"
        common.tideline(*words, "--steps", 5, "--trace", trace)
    said = json.loads(common.tideline("simulate", graph, "--cluster", path, "--run-metadata", trace, "--device-profile", profile,
                                      "--fetch", f"{ADAM},loss", *shapes(feeds), "--json").stdout)
    best = min(run["seconds"] / STEPS for run in runs)
    return best, said


def main():
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        for graph in GRAPHS:
            for processes in TOWERS:
                best, said = measured(folder, graph, processes)
                time = said["time"]
                print(f"| {graph.split('.')[0]} | {processes} | {said['bytes_between_tasks']:,} | {best * 1e3:.1f} | "
                      f"{time['step_ns'] / 1e6:.1f} | {time['without_network_ns'] / 1e6:.1f} | {time['network_alone_ns'] / 1e6:.1f} | "
                      f"{time['limit']} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
