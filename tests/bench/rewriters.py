#!/usr/bin/env python3
"""Time of `rewrite sections` and `rewrite replicate` as whole processes, best of five.

    rewriters.py TIDELINE [--peer "COMMAND"]

COMMAND is called with a load's name (scopes, sections, replicate), the graph and the output, in turns with ours.
Inputs and outputs lie in memory (/dev/shm).
"""
import argparse
import gzip
import json
import pathlib
import resource
import shlex
import subprocess
import tempfile
import time

ROUNDS = 5
DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def loads(folder):
    """(name, graph, words)"""
    resnet = folder / "plain_resnet_adam.meta"
    resnet.write_bytes(gzip.decompress((DATA / "sections/plain_resnet_adam.meta.gz").read_bytes()))
    about = json.loads((DATA / "sections/plain_resnet_adam.json").read_text())
    step = ("--train-op", about["train_op"], "--loss", about["loss"])
    scopes = ",".join(f"graph_section_{i}" for i in range(4))
    large = folder / "resnet50.meta"
    large.write_bytes((DATA / "graphs/resnet50.meta").read_bytes())
    yield "scopes", resnet, ("sections", *step, "--scopes", scopes)
    yield "sections", resnet, ("sections", *step, "--sections", "4", "--batch-size", "16")
    yield "replicate", large, ("replicate", "--devices", ",".join(f"/gpu:{i}" for i in range(4)), "--split", "images,labels",
                               "--train-op", "momentum_optimizer/Momentum", "--loss", "loss/Mean")


def measured(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tideline")
    parser.add_argument("--peer", default="")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        for load, graph, words in loads(folder):
            ours, peer = [], []
            for _ in range(ROUNDS):
                ours.append(measured([arguments.tideline, "rewrite", words[0], graph, *words[1:], "-o", folder / "out.meta",
                                      "--plan-json", folder / "plan.json", "--force", "--quiet"]))
                if arguments.peer:
                    peer.append(measured([*shlex.split(arguments.peer), load, graph, folder / "peer.pb"]))
            line = f"{load}: {1000 * min(w for w, _ in ours):.0f} ms, CPU {1000 * min(c for _, c in ours):.0f} ms"
            if peer:
                line += f"; peer {1000 * min(w for w, _ in peer):.0f} ms, CPU {1000 * min(c for _, c in peer):.0f} ms"
            print(line, flush=True)


if __name__ == "__main__":
    main()
