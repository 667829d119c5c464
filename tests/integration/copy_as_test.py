#!/usr/bin/env python3
"""What the app writes and what its copied command line writes are the same bytes: graph and plan."""
import os
import pathlib
import shutil
import subprocess
import sys

import common

SAMPLE = common.ROOT / "assets/samples/tutorial_mnist.meta"
MEASURED = common.ROOT / "tests/golden/cases/measured"
BATCH = ["graph.batch-size 100"]
LMS2 = ["policy.mode lms2", "policy.set swapout-threshold 50", "policy.set swapin-ahead 3",
        "policy.set swapin-groupby 2"]
LMS1 = ["policy.mode lms1", "policy.set optimizer-scopes adam_optimizer"]
CASES = {
    "off": [],
    "lms2": LMS2,
    "lms2 with much": BATCH + LMS2 + [
        "scope.set loss never", "scope.set dropout never", "tensor.keep conv1/Relu:0",
        "tensor.swap fc1/Relu", "policy.set serialization 60:64,-1", "policy.set inference on",
        "policy.set guard-conditionals on", "policy.set cpu-device /device:CPU:0",
        "policy.set excl-input-by-types Add", "graph.shape Placeholder=100x784"],
    "lms2 with overrides": LMS2 + [
        "tensor.keep conv2/Relu:0", "tensor.swap fc1/Relu", "tensor.ahead conv1/Relu 9", "tensor.ahead fc1/Relu:0 4"],
    "automatic with overrides": BATCH + [
        "policy.set device-memory 62MiB", "profile.set v100", "policy.auto on", "tensor.ahead conv1/Relu 9"],
    "lms2 synchronised": LMS2 + ["policy.set sync-mode 3"],
    "automatic": BATCH + ["policy.set device-memory 134MiB", "policy.auto on"],
    "automatic, one given": BATCH + ["policy.set device-memory 134MiB", "policy.auto on",
                                     "policy.set swapin-groupby 4", "policy.set memory-ratio 0.95"],
    "automatic, with swaps, on a device": BATCH + ["profile.set v100", "policy.set device-memory 62MiB", "policy.auto on"],
    "by hand, on a device": BATCH + LMS2 + ["profile.set v100", "policy.set device-memory 62M"],
    "automatic, faithful": BATCH + ["policy.set device-memory 134MiB", "policy.auto on",
                                    "policy.set model faithful"],
    "automatic, not needed": BATCH + ["policy.set device-memory 64GiB", "policy.auto on"],
    "lms1": LMS1,
    "lms1 with overrides": LMS1 + ["tensor.keep conv2/Relu:0", "tensor.ahead conv1/Relu 3", "policy.set fuse-swapins on"],
    "lms1 with much": LMS1 + [
        "policy.set n-tensors 5", "policy.set lb 3", "policy.set ub 500",
        "policy.set fuse-swapins on", "policy.set ctrld-strategy direct_order",
        "scope.set fc1 never", "policy.set swap-branches on", "policy.set branch-threshold 2"],
}


def check(name, lines, folder, sample=SAMPLE):
    """Runs the script, then the command that it copied."""
    graph = folder / f"it's a $graph{sample.suffix}"
    shutil.copy(sample, graph)
    script = folder / "script"
    wants_plan = name != "off"
    script.write_text("\n".join(
        lines + [f"file.write app{sample.suffix}"] + (["file.write-plan app.json"] if wants_plan else []) +
        ["edit.copy-command-line", "print clipboard"]), encoding="utf-8")
    done = subprocess.run([common.PROGRAM, "script", graph, script], cwd=folder,
                          capture_output=True, text=True)
    assert done.returncode == 0, (name, done.stderr)
    copied = done.stdout.strip() + " --quiet" + (" --plan-json line.json" if wants_plan else "")
    path = f"{folder}/bin:{os.environ['PATH']}"
    (folder / "bin").mkdir()
    (folder / "bin/tideline").symlink_to(common.PROGRAM)
    ran = subprocess.run(["sh", "-c", copied], cwd=folder, env={**os.environ, "PATH": path},
                         capture_output=True, text=True)
    assert ran.returncode == 0, (name, copied, ran.stderr)
    line = folder / f"it's a $graph_lms{sample.suffix}"
    pairs = [(folder / f"app{sample.suffix}", line)]
    if wants_plan:
        pairs.append((folder / "app.json", folder / "line.json"))
    for app, other in pairs:
        assert app.read_bytes() == other.read_bytes(), (name, app.name, copied)


def main():
    for name, lines in CASES.items():
        with common.temporary_folder() as folder:
            check(name, lines, pathlib.Path(folder).resolve())
    # The plan's prediction has the measured sizes.
    with common.temporary_folder() as folder:
        check("measured", [f"measure.open {MEASURED}.trace.pbtxt"] + LMS2, pathlib.Path(folder).resolve(),
              pathlib.Path(f"{MEASURED}.pbtxt"))
    print(len(CASES) + 1, "command lines write what the app writes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
