#!/usr/bin/env python3
"""Real graphs: each row of `sweep` says what `simulate` says of its settings, as JSON, CSV and table.

    sweep.py TIDELINE [GRAPH...]

Rows are taken evenly from sweeps with and without a budget, over batch sizes, device memories, a traced step and LMS v1.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLAIN = ("--vary", "swapout-threshold=3:30:9", "--vary", "swapin-ahead=1,5")
V100 = ("--device-profile", "v100")
# The rest of each command line, and whether the rows have a budget.
SWEEPS = {
    "assets/samples/tutorial_mnist.meta": [
        (("--batch-size", "50", "--swapin-groupby", "2", *PLAIN), False),
        (("--device-memory", "56MiB", "--vary", "batch-size=10:90:40", *PLAIN), True),
        (("--model", "compatible", "--batch-size", "50", "--swapin-groupby", "2", *PLAIN), False),
        (("--model", "compatible", "--device-memory", "104.5MiB", "--vary", "batch-size=10:90:40", *PLAIN), True),
        (("--policy", "lms1", "--optimizer-scopes", "adam_optimizer", "--batch-size", "50", "--vary", "lb=1:13:4"), False)],
    "assets/samples/residual.meta": [
        (("--batch-size", "4096", "--swapin-groupby", "0", "--swapin-ahead", "3", "--vary", "device-memory=150MiB:450MiB:100MiB",
          "--vary", "swapout-threshold=5:25:10", *V100), True),
        (("--batch-size", "4096", "--as-run", "off", "--vary", "sync-mode=0:3", *PLAIN), False)],
    "tests/data/graphs/resnet50.meta": [
        (("--batch-size", "64", "--device-memory", "1536MiB", "--vary", "swapout-threshold=5:60:5", "--vary", "swapin-ahead=1:8"),
         True)],
    "tests/golden/cases/measured.pbtxt": [
        (("--run-metadata", "tests/golden/cases/measured.trace.pbtxt", "--vary", "swapout-threshold=1:3", *V100), False)],
}
SAME = ("device_peak_bytes", "host_peak_bytes", "swapped_out_tensors", "swap_ins", "bytes_out", "bytes_in")
MOST_COMPARED = 9  # rows of a sweep


def run(program, *arguments, codes=(0,)):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=ROOT)
    if done.returncode not in codes:
        sys.exit(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def without_varied(options):
    kept, at = [], 0
    while at < len(options):
        if options[at] == "--vary":
            at += 2
        else:
            kept.append(options[at])
            at += 1
    return kept


def compare_row(program, graph, options, swept, row, expect):
    settings = []
    for varied in swept["varied"]:
        settings += [f"--{varied['name']}", str(row[varied["name"].replace("-", "_")])]
    for key, value in swept["starting_values"].items():
        settings += [f"--{key.replace('_', '-')}", str(value)]
    said = json.loads(run(program, "simulate", graph, *without_varied(options), *settings, "--json"))
    for key in SAME:
        expect(row[key] == said[key], settings, f"{key} is {row[key]}, simulate says {said[key]}")
    expect(row["device_peak_before_bytes"] == said["before"]["device_peak_bytes"], settings, "another peak without swaps")
    expect(said["model"] == swept["model"], settings, "another model")
    if swept["model"] == "compatible":
        expect(said.get("time") is None and "step_ns" not in row, settings, "the compatible model has times")
        return
    time = said["time"]
    expect(row["step_ns"] == time["step_ns"], settings, f"step {row['step_ns']}, simulate says {time['step_ns']}")
    expect(row["before_ns"] == time["before_ns"], settings, "another time without swaps")
    expect(row["added_ns"] == time["step_ns"] - time["before_ns"], settings, "another added time")
    expect(abs(1 + row["added_percent"] / 100 - time["factor"]) < 1e-12 * time["factor"], settings, "another factor")
    expect(row["late_swap_ins"] == len(time["late_swap_ins"]), settings, "other late swap-ins")
    expect(row["budget_bytes"] == time["budget_bytes"], settings, "another budget")
    expect(row["stuck"] == (time["stuck"] is not None), settings, "simulate gets stuck elsewhere")
    expect(row["stuck_bytes"] == (time["stuck"]["bytes"] if row["stuck"] else None), settings, "it gets stuck elsewhere")


def check_table(program, graph, options, swept, expect):
    """CSV and table have the rows of the JSON."""
    rows = list(csv.DictReader(io.StringIO(run(program, "sweep", graph, *options, "--csv", codes=(0, 3)))))
    expect(len(rows) == len(swept["plans"]), "CSV", "another number of rows")
    for index, (row, plan) in enumerate(zip(rows, swept["plans"])):
        for key in SAME:
            expect(int(row[key]) == plan[key], f"CSV {index}", f"another {key}")
        expect(row["added_ms"] == "" if "added_ns" not in plan else float(row["added_ms"]) == plan["added_ns"] / 1e6, f"CSV {index}", "another added time")
        expect(row["fits"] == {None: "", True: "true", False: "false"}[plan["fits"]], f"CSV {index}", "fits elsewhere")
        expect((row["best"] == "true") == (index == swept["best"]), f"CSV {index}", "another best row")
    lines = run(program, "sweep", graph, *options, codes=(0, 3)).splitlines()
    marked = [line for line in lines if line.startswith("*")]
    expect(swept["best"] is None or lines[-1] == swept["best_text"], "table", "another sentence")
    expect(len(marked) == (swept["best"] is not None), "table", "the best row is not marked")


def check_best(swept, has_budget, expect):
    plans = swept["plans"]
    expect(all((plan["fits"] is not None) == has_budget for plan in plans), "budget", "some rows have one")
    if not has_budget:
        expect(plans[swept["best"]]["device_peak_bytes"] == min(plan["device_peak_bytes"] for plan in plans), "best", "not the lowest")
        return
    for plan in plans:
        fits = not plan.get("stuck") and plan["device_peak_bytes"] <= plan["budget_bytes"]
        expect(plan["fits"] == fits, "budget", "fits does not follow from the peak")
    cost = lambda plan: plan["step_ns"] / plan.get("batch_size", 1) if "step_ns" in plan else plan["device_peak_bytes"]
    fitting = [cost(plan) for plan in plans if plan["fits"]]
    if not fitting:
        expect(swept["best"] is None, "best", "does not fit")
    else:
        expect(cost(plans[swept["best"]]) == min(fitting) and plans[swept["best"]]["fits"], "best", "not the fastest")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    problems, compared = [], 0
    for graph in sys.argv[2:] or SWEEPS:
        for options, has_budget in SWEEPS[graph]:
            def expect(holds, about, text):
                if not holds:
                    problems.append(f"{graph} {' '.join(options)}: {about}: {text}")

            swept = json.loads(run(program, "sweep", graph, *options, "--json", codes=(0, 3)))
            plans = swept["plans"]
            for row in plans[::max(1, len(plans) // MOST_COMPARED)]:
                compare_row(program, graph, options, swept, row, expect)
                compared += 1
            check_table(program, graph, options, swept, expect)
            check_best(swept, has_budget, expect)
    print(f"{compared} rows compared, {len(problems)} problems")
    print("\n".join(problems[:20]))
    if problems or compared < 9:
        sys.exit(1)


if __name__ == "__main__":
    main()
