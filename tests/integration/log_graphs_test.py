#!/usr/bin/env python3
"""Graphs of event logs: what is written is what TensorFlow itself reads out of the log, and imports."""
import sys

import common

LOGS = common.DATA / "logs"


def graphs_of_logs(folder, jobs):
    asked = []
    for run in ("tf1_lstm", "tf1_mlp", "tf1_mnist_deep"):
        (log,) = (LOGS / run).glob("events*")
        # The folder of one run, a run chosen among all, and the file itself.
        sources = [(LOGS / run, []), (LOGS, ["--run", f"^{run}$"]), (log, [])]
        for number, (source, words) in enumerate(sources):
            for suffix in (".pb", ".pbtxt", ".meta"):
                out = folder / f"{run}_{number}{suffix}"
                common.tideline("convert", source, *words, "-o", out, "--quiet")
                asked.append((out, jobs.ask("same_as_log", log, out)))
    yield
    for out, answer in asked:
        assert answer()["same"] and answer()["logged"] == 2, (out, answer())
        assert answer()["ops"] > 200, (out, answer())


def a_graph_of_traced_functions_is_imported(folder, jobs):
    asked = []
    for suffix in (".pb", ".pbtxt", ".meta"):
        out = folder / f"trace{suffix}"
        common.tideline("convert", LOGS / "tf2_keras", "--run", "trace", "--tag", "step_trace", "-o", out, "--quiet")
        asked.append((out, jobs.ask("imported", out)))
    yield
    for out, ops in asked:
        assert ops() > 0, out
        assert ops() == asked[0][1](), out


def several_runs_have_to_be_chosen_from(folder, jobs):
    unclear = common.tideline("convert", LOGS, "-o", folder / "out.pb", check=False)
    assert unclear.returncode == 1 and "--run" in unclear.stderr, unclear
    for run in ("tf1_lstm", "tf1_mlp", "tf1_mnist_deep"):
        assert run in unclear.stderr, (run, unclear.stderr)
    assert not list(folder.iterdir())
    yield


if __name__ == "__main__":
    common.need_tensorflow()
    sys.exit(common.run_with_tensorflow(graphs_of_logs, a_graph_of_traced_functions_is_imported,
                                        several_runs_have_to_be_chosen_from))
