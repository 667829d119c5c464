#!/usr/bin/env python3
"""The logs of simulated steps: every mode of rewrite writes one, and the app, rewrite and simulate write
the same bytes for the same policy. What they say is what the verbs say."""
import csv
import io
import pathlib
import sys

import common

SAMPLE = common.ROOT / "assets/samples/tutorial_mnist.meta"
CASES = common.ROOT / "tests/golden/cases"
LMS2 = ["--swapout-threshold", 50, "--swapin-ahead", 3, "--swapin-groupby", 2]
STEP = ["--loss", "loss/sparse_softmax_cross_entropy_loss/value", "--train-op", "adam_optimizer/Adam"]
MODES = {
    "lms2": LMS2,
    "lms1": ["--optimizer-scopes", "adam_optimizer", "--n-tensors", 3],
    "sections": ["--levels", "8,16", *STEP],
    "replicate": ["--devices", "/device:GPU:0,/device:GPU:1", "--split",
                  "Placeholder:0,Placeholder_1:0", *STEP],
}


def files(log):
    """The bytes of a log by run."""
    return {path.parent.name: path.read_bytes() for path in sorted(pathlib.Path(log).glob("*/*"))}


def scalars(log):
    """(run, tag) -> values, as read by the verb log."""
    rows = csv.DictReader(io.StringIO(common.tideline("log", "scalars", log, "--csv").stdout))
    found = {}
    for row in rows:
        found.setdefault((row["run"], row["tag"]), []).append(float(row["value"]))
    return found


def near(logged, told):
    """Equal but for the rounding to a 32-bit float."""
    return abs(logged - told) <= abs(told) * 2 ** -23


def check_modes(folder):
    for mode, options in MODES.items():
        log = folder / mode
        done = common.tideline("rewrite", mode, SAMPLE, "--batch-size", 100, "-o", folder / f"{mode}.meta",
                               "--tb", log, *options)
        assert "graph alone" not in done.stderr, (mode, done.stderr)
        listed = common.tideline("log", "ls", log).stdout
        assert "damage" not in listed, listed
        for run in ("original", "rewritten"):
            traced = common.tideline("log", "run-metadata", log, "--run", f"^{run}$").stdout
            assert "simulated step" in traced, (mode, run, traced)
        values = scalars(log)
        for run in ("original", "rewritten"):
            peak, = values[run, "step/device_peak_bytes"]
            assert peak == max(values[run, "memory_by_level/device_bytes"]) > 0, (mode, run)


def check_same_bytes(folder):
    """The app, rewrite (again) and simulate, of one policy."""
    first = files(folder / "lms2")
    again = folder / "again"
    common.tideline("rewrite", "lms2", SAMPLE, "--batch-size", 100, "-o", folder / "again.meta", "--tb", again, *LMS2)
    assert files(again) == first, "rewrite, a second time"
    simulated = folder / "simulated"
    done = common.tideline("simulate", SAMPLE, "--batch-size", 100, *LMS2, "--json", "--tb", simulated)
    assert files(simulated) == first, "simulate"
    script = folder / "script"
    script.write_text("\n".join(["graph.batch-size 100", "policy.mode lms2", "policy.set swapout-threshold 50",
                                 "policy.set swapin-ahead 3", "policy.set swapin-groupby 2",
                                 f"file.write-log {folder}/app"]), encoding="utf-8")
    common.tideline("script", SAMPLE, script)
    assert files(folder / "app") == first, "the app"
    return done.stdout


def check_told(folder, told):
    values = scalars(folder / "lms2")
    for run, report in (("rewritten", told),
                        ("original", common.tideline("simulate", SAMPLE, "--batch-size", 100, "--executor", "gpu", "--json").stdout)):
        report = common.json.loads(report)
        for tag, name in (("device_peak_bytes",) * 2, ("host_peak_bytes",) * 2, ("bytes_out",) * 2,
                          ("bytes_in",) * 2):
            value, = values[run, f"step/{tag}"]
            assert near(value, report[name]), (run, tag, value, report[name])


def check_cycle(folder):
    """Of the runs that a plan makes of a step the log shows the largest; the app writes the same bytes."""
    plan, log = folder / "sections.json", folder / "cycle"
    done = common.tideline("rewrite", "sections", SAMPLE, "--batch-size", 100, "-o", folder / "cycle.meta", "--plan-json", plan,
                           "--tb", log, *MODES["sections"])
    runs = {"run forward": common.read_json(plan)["predicted"]["forward"]}
    runs |= {f"run section {phase['section']}": phase["predicted"] for phase in common.read_json(plan)["phases"]}
    name = max(runs, key=lambda run: runs[run]["device_peak_bytes"])
    assert f"rewritten shows the {name}, which has the largest peak" in done.stderr, (name, done.stderr)
    peak, = scalars(log)["rewritten", "step/device_peak_bytes"]
    assert near(peak, runs[name]["device_peak_bytes"]), (peak, runs)
    whole, = scalars(log)["original", "step/device_peak_bytes"]
    assert near(whole, common.read_json(plan)["predicted"]["plain"]["device_peak_bytes"]) and peak < whole
    applied = common.tideline("rewrite", "apply", SAMPLE, "--plan", plan, "-o", folder / "applied.meta", "--tb", folder / "applied")
    assert "rewritten shows the run" in applied.stderr, applied.stderr
    script = folder / "script"
    script.write_text("\n".join(["graph.batch-size 100", "policy.mode sections", "policy.set levels 8,16",
                                 f"policy.set loss {STEP[1]}", f"policy.set train-op {STEP[3]}",
                                 f"file.write-log {folder}/app_cycle"]), encoding="utf-8")
    common.tideline("script", SAMPLE, script)
    assert files(folder / "app_cycle") == files(log), "the app"


def check_tune(folder):
    budget = 134 * 2 ** 20
    common.tideline("tune", SAMPLE, "--batch-size", 100, "--device-memory", "134MiB", "--tb", folder / "tuned")
    peak, = scalars(folder / "tuned")["rewritten", "step/device_peak_bytes"]
    assert 0 < peak <= budget, peak
    refused = common.tideline("tune", SAMPLE, "--batch-size", 100, "--device-memory", "1MiB", "--tb",
                              folder / "none", check=False)
    assert refused.returncode == 3 and not (folder / "none").exists(), refused


def check_measured(folder):
    """rewrite takes measured sizes as simulate does, and its log has them."""
    graph, trace = CASES / "measured.pbtxt", CASES / "measured.trace.pbtxt"
    words = ["--run-metadata", trace, *LMS2]
    common.tideline("rewrite", "lms2", graph, "-o", folder / "measured.pb", "--plan-json", folder / "measured.json",
                    "--tb", folder / "measured", *words)
    told = common.json.loads(common.tideline("simulate", graph, "--json", *words).stdout)
    peak, = scalars(folder / "measured")["rewritten", "step/device_peak_bytes"]
    assert near(peak, told["device_peak_bytes"]), (peak, told["device_peak_bytes"])
    plan = common.read_json(folder / "measured.json")
    assert plan["predicted"]["device_peak_bytes"] == told["device_peak_bytes"], plan["predicted"]
    # Without the measured sizes it is another number: the batch is not known.
    bare = common.json.loads(common.tideline("simulate", graph, "--json", *LMS2).stdout)
    assert bare["device_peak_bytes"] != told["device_peak_bytes"]


def check_simulated_step_is_not_measured(folder):
    """A log of a simulated step has times and no memory, and nobody says that there was none in use."""
    log = folder / "no_memory"
    common.tideline("rewrite", "lms2", SAMPLE, "-o", folder / "no_memory.meta", "--tb", log, "--batch-size", 100, *LMS2)
    words = ["simulate", SAMPLE, "--batch-size", 100, "--run-metadata", log / "original"]
    assert "without memory" in common.tideline(*words).stdout and " 0 B in the run" not in common.tideline(*words).stdout
    measured = common.json.loads(common.tideline(*words, "--json").stdout)["measured"]
    assert measured["executions"] > 0 and measured["peak_bytes"] is None and measured["deviation_at_peak"] is None, measured


def main():
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        check_modes(folder)
        check_told(folder, check_same_bytes(folder))
        check_cycle(folder)
        check_tune(folder)
        check_measured(folder)
        check_simulated_step_is_not_measured(folder)
    print(f"{len(MODES)} modes, simulate, tune and the app log what they say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
