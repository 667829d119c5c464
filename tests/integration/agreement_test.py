#!/usr/bin/env python3
"""The verbs tell one story: what `why` says is what `rewrite` does, and `simulate` and `tune` predict it."""
import collections
import json
import pathlib
import sys

import common

LMS2 = ["--swapout-threshold", "12", "--swapin-ahead", "3", "--swapin-groupby", "2"]
LARGEST_FILE = 3_000_000
TENSORS_ASKED = 6


def lms1_options(graph):
    """Options of LMS v1 for a graph, or nothing when it has no scope that looks like an optimizer's."""
    ops = [line.split(",")[0] for line in common.tideline("levels", graph, "--csv").stdout.splitlines()]
    scopes = [scope for scope in ("adam_optimizer", "momentum_optimizer", "gradients")
              if any(op.startswith(scope) for op in ops)]
    return ["--optimizer-scopes", ",".join(scopes)] if scopes else None


def check_policy(folder, graph, mode, words):
    out, plan_file = folder / ("out" + graph.suffix), folder / "plan.json"
    # What is written without swaps, by itself, would be taken for a CPU's.
    sizes = ["--batch-size", "4"]
    executor = ["--executor", "gpu"]
    common.tideline("rewrite", mode, graph, "-o", out, "--plan-json", plan_file, "--force", "--quiet",
                    *sizes, *executor, *words)
    plan = common.read_json(plan_file)
    simulated = json.loads(common.tideline("simulate", graph, "--json", "--every-tensor", *sizes, *executor, *words).stdout)
    assert simulated["policy"] == mode, simulated["policy"]
    for key in ("device_peak_bytes", "host_peak_bytes"):
        assert simulated[key] == plan["predicted"][key], (graph, mode, key)
    afresh = json.loads(common.tideline("simulate", out, "--json", *sizes, *executor).stdout)
    assert afresh["device_peak_bytes"] == plan["predicted"]["device_peak_bytes"], (graph, mode)
    said = {entry["tensor"]: (True, entry["why"]) for entry in plan["swaps"]}
    said.update({entry["tensor"]: (False, entry["why"]) for entry in plan["not_swapped"]})
    for is_swapped, key in ((True, "swaps"), (False, "not_swapped")):
        for entry in simulated[key]:
            assert said[entry["tensor"]] == (is_swapped, entry["why"]), (graph, mode, entry)
    assert len(said) == len(simulated["swaps"]) + len(simulated["not_swapped"])
    reasons = collections.Counter(entry["why"] for entry in simulated["not_swapped"])
    kept = simulated["kept"]
    assert kept["tensors"] == sum(reasons.values()), (graph, mode, kept["tensors"])
    assert kept["further_reasons"] == len(reasons) - len(kept["reasons"]), (graph, mode)
    for entry in kept["reasons"]:
        assert reasons[entry["why"]] == entry["tensors"], (graph, mode, entry)
    for asked in [entry["tensor"] for key in ("swaps", "not_swapped")
                  for entry in plan[key][:TENSORS_ASKED]]:
        answer = common.tideline("why", graph, asked, "--policy", mode, *sizes, *words).stdout
        is_swapped, why = said[asked]
        wanted = f"{asked} (" if answer.startswith(f"{asked} (") else asked
        assert answer.startswith(wanted) and (") is swapped: " if is_swapped else " is not swapped: ") in answer
        assert why in answer.splitlines()[0], (graph, mode, asked, answer)
    return len(plan["swaps"])


def check_search(graph, model):
    words = ["--batch-size", "4", "--model", model]
    roomy = common.tideline("tune", graph, "--json", "--device-memory", "1024GiB", *words, check=False)
    if roomy.returncode != 0:
        return False  # a loop
    tight = json.loads(roomy.stdout)["smallest_feasible_bytes"]
    less = common.tideline("tune", graph, "--json", "--device-memory", tight - 1, *words, check=False)
    assert less.returncode == 3, (graph, model, less.returncode)
    tuned = json.loads(common.tideline("tune", graph, "--json", "--device-memory", tight, *words).stdout)
    assert tuned["found"]
    policy = ["--device-memory", str(tight)]
    if tuned["necessary"]:
        # Within the same memory, for which a step of the faithful model waits.
        policy += [f"--keep-tensors={','.join(tuned['keep_tensors'])}"] if tuned["keep_tensors"] else []
        policy += [f"--{key.replace('_', '-')}" for key in ("guard_conditionals", "ignore_folded") if tuned[key]]
        for key in ("swapout_threshold", "swapin_ahead", "swapin_groupby", "sync_mode"):
            # What was not looked for has no effect, or is taken as the search played it.
            value = tuned[key] if tuned[key] >= 0 else {"swapin_groupby": 0}.get(key, 1)
            policy.append(f"--{key.replace('_', '-')}={value}")
    simulated = json.loads(common.tideline("simulate", graph, "--json", *words, *policy).stdout)
    assert simulated["device_peak_bytes"] == tuned["device_peak_bytes"], (graph, model)
    return tuned["necessary"]


def main():
    checked = swaps = searches = too_large = 0
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        for graph in common.graphs():
            if graph.stat().st_size > LARGEST_FILE:
                too_large += 1
                continue
            swaps += check_policy(folder, graph, "lms2", LMS2)
            lms1 = lms1_options(graph)
            if lms1:
                swaps += check_policy(folder, graph, "lms1", lms1)
            for model in ("compatible", "faithful"):
                searches += check_search(graph, model)
            checked += 1
    print(checked, "graphs,", swaps, "swaps,", searches, "searches with swaps")
    assert (checked, too_large) == (25, 2), (checked, too_large)
    assert swaps > 20 and searches > 0, (swaps, searches)


if __name__ == "__main__":
    sys.exit(main())
