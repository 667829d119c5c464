#!/usr/bin/env python3
"""TensorFlow 1.13 runs graphs without Python: the bits of Python's losses, comparisons, towers on servers of a cluster; what needs Python
is refused."""
import json
import os
import pathlib
import subprocess
import sys

import cluster_test
import clusters
import common

OLD = os.environ.get("TIDELINE_TF1_PYTHON", "")
ADAM = "Adam"
TRAINED = {
    "classifier.meta": (ADAM, "x:0,y:0", ("x=float32:12x32", "y=int64:12:10"), "loss/Mean:0"),
    "transformer.meta": (ADAM, "words:0", ("words=int32:6x16:500",), "loss/Mean:0"),
}
SEED, STEPS = 5, 20


def on_old(script, *words, **more):
    done = subprocess.run([OLD, "-B", pathlib.Path(__file__).with_name(script), *words], capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def run_words(graph, case, *words):
    return ["run", graph, "--train", case[0], "--loss", case[3], *cluster_test.feeds(case), *words]


def same_bits_as_python(folder):
    jobs, ours = [], []
    for name, case in TRAINED.items():
        done = json.loads(common.tideline(*run_words(folder / name, case, "--seed", SEED, "--steps", STEPS, "--json", "--save-feeds",
                                                     folder / f"feeds_{name}")).stdout)
        assert done["tensorflow"].startswith("1.13."), done["tensorflow"]
        ours.append([step["bits"] for step in done["steps"]])
        jobs.append({"graph": str(folder / name), "train": case[0], "loss": case[3].partition(":")[0], "feeds": done["saved_feeds"],
                     "steps": STEPS, "seed": SEED})
    python = json.loads(on_old("train_feeds.py", input=json.dumps(jobs)))
    assert ours == python and all(len(set(bits)) > 1 for bits in ours), (ours, python)
    print(f"{len(ours)} graphs: losses of {STEPS} steps are Python's, bit for bit", flush=True)


def rewrites_are_identical(folder):
    for name, case in TRAINED.items():
        out = folder / f"swaps_{name}"
        common.tideline("rewrite", "lms2", folder / name, "-o", out, "--quiet", *common.lms2(5, 2, 2))
        done = common.tideline("compare", folder / name, out, *run_words(folder / name, case)[2:], "--steps", 3)
        assert done.stdout.startswith("identical"), done.stdout
        print(f"{name} with swaps: {done.stdout.strip()}", flush=True)


def python_is_refused(folder):
    words = ("run", folder / "python.meta", "--train", "GradientDescent", "--loss", "loss", "--feed", "x=float32:4", "--allow-io")
    done = common.tideline(*words, check=False)
    assert done.returncode == 1 and "PyFunc" in done.stderr and "signal" not in done.stderr, (done.returncode, done.stderr)
    print(done.stderr.strip().splitlines()[-1][:200], flush=True)


def main():
    if not OLD or not os.path.exists(OLD):
        common.skip("no Python with TensorFlow 1.13 (TIDELINE_TF1_PYTHON)")
    os.environ.pop("TFDIR", None)
    os.environ["TIDELINE_TF_PYTHON"] = OLD
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        on_old("run_old_worker.py", folder)
        same_bits_as_python(folder)
        rewrites_are_identical(folder)
        python_is_refused(folder)
        path = folder / "cluster.json"
        cluster = clusters.cluster_file(path, chief=1, worker=2, ps=2)
        with clusters.Servers(path):
            cluster_test.listen_on_the_loopback(cluster)
            cluster_test.trains_to_the_same_bits(folder, path, TRAINED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
