#!/usr/bin/env python3
"""A MetaGraph whose savers go through a backend saves and restores by tf.train.Saver: reference and resource variables,
variables in parts, shards on two devices, several savers. And it trains in `run`, with the library of the ops."""
import json
import pathlib
import sys

import common
from tensorflow_ops_test import install, run

WORKER = pathlib.Path(__file__).resolve().parent / "rewrite_checkpoint_worker.py"
STEP = ["--train", "adam_optimizer/Adam", "--loss", "loss/Mean", "--feed", "x=float32:8x32", "--feed", "y=int64:8:10",
        "--seed", "1", "--steps", "2", "--json"]


def trains(folder, site):
    graph, rewritten = common.graph("mlp.meta"), folder / "mlp_file.meta"
    common.tideline("rewrite", "checkpoint", graph, "--backend", "file", "-o", rewritten, "--quiet")
    library = next(site.glob("**/_tmci_ops*.so"))
    done = common.tideline("run", rewritten, *STEP, check=False)
    assert done.returncode == 1 and "--op-library FILE names the library that has it" in done.stderr, done
    done = common.tideline("run", rewritten, *STEP, "--op-library", folder / "nothing.so", check=False)
    assert done.returncode == 1 and "op library: " in done.stderr and "nothing.so" in done.stderr, done
    wanted = json.loads(common.tideline("run", graph, *STEP).stdout)
    got = json.loads(common.tideline("run", rewritten, *STEP, "--op-library", library).stdout)
    assert got["steps"] == wanted["steps"] and len(got["steps"]) == 2, (got, wanted)
    print("run: the losses of the original")


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        site = install(folder)
        work = folder / "work"
        work.mkdir()
        print(run(common.TENSORFLOW, "-B", WORKER, common.PROGRAM, work, env={"PYTHONPATH": str(site)}), end="")
        trains(folder, site)


if __name__ == "__main__":
    sys.exit(main())
