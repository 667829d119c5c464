#!/usr/bin/env python3
"""The largest batch that `fit` finds, beside TensorFlow: it stays within the budget, and a much larger one does not.

    fit_real_test.py TIDELINE [--all]

Each graph gets a budget of two and a half times what its step needs at a small batch. TensorFlow 2.15 then trains with
the largest batch that `tideline fit` names and with a quarter more, in the order of a GPU's executor
(as_run_steps.py). By its allocation records, variables, constants and what is fed, the first has to stay within the
budget and the second must not: then the batch is at least 0.8 of the largest that really fits. --all: twelve graphs,
and a table.
"""
import json
import pathlib
import sys

import as_run_test
import common

# kind of as_run_models.py and as_run_files.py -> the small batch.
QUICK = {"small_resnet": 8, "encoder": 16, "u_net": 2, "mnist_deep": 32}
ALL = {**QUICK, "dense_net": 8, "auto_encoder": 32, "branches": 32, "half_precision": 128, "resource_vars": 32,
       "bn_is_training": 32, "embedding_sgd": 256, "tutorial_mnist": 32}
ROOM = 2.5


def measured(folder, cases):
    """{(kind, batch): (graph, what was measured)}"""
    done = common.run_on_tensorflow(pathlib.Path(__file__).resolve().parent / "as_run_steps.py", folder, "--inline",
                                    *(f"{kind}:{batch}" for kind, batch in cases))
    if done.returncode != 0:
        sys.exit(f"as_run_steps.py: exit {done.returncode}: {done.stdout[-1000:]} {done.stderr[-3000:]}")
    steps = {}
    for kind, batch in cases:
        step = folder / f"{kind}_{batch}"
        steps[kind, batch] = step / "graph.meta", common.read_json(step / "step.json")
    return steps


def fit(graph, step, budget, batch):
    branches = [f"--branch={name}={str(takes).lower()}" for name, takes in step["branches"].items()]
    done = common.tideline("fit", graph, "--device", str(budget), "--batch-size", str(batch), "--fetch", step["fetch"],
                           "--executor", "gpu", "--json", "--deadline", "0s", *branches)
    return json.loads(done.stdout)


def main():
    common.need_tensorflow()
    kinds = ALL if "--all" in sys.argv else QUICK
    failed, within, tight = [], 0, 0
    with common.temporary_folder() as folder:
        folder = pathlib.Path(folder)
        small = measured(folder / "small", list(kinds.items()))
        found, cases = {}, []
        for kind, batch in kinds.items():
            graph, step = small[kind, batch]
            budget = int(ROOM * as_run_test.whole_peak(step))
            answer = fit(graph, step, budget, batch)
            largest = answer["largest_batch"]
            assert answer["fits"] and largest > batch, (kind, answer["largest_batch_reason"])
            found[kind] = budget, largest
            cases += [(kind, largest), (kind, -(-5 * largest // 4))]
        large = measured(folder / "large", cases)
        for kind, (budget, largest) in found.items():
            peak, beyond = (as_run_test.whole_peak(large[kind, batch][1]) for name, batch in cases if name == kind)
            within += peak <= budget
            tight += beyond > budget
            print(f"{kind}: budget {budget / 2**20:.1f} MiB, batch {largest} needs {peak / 2**20:.1f}, a quarter more "
                  f"{beyond / 2**20:.1f}", flush=True)
            if peak > budget:
                failed.append(f"{kind}: batch {largest} needs {peak / budget - 1:.2%} more than the budget")
            if beyond <= budget:
                failed.append(f"{kind}: a quarter more than batch {largest} fits, too")
    print(f"{within} of {len(kinds)} within the budget, {tight} of {len(kinds)} at least 0.8 of what fits")
    return "\n".join(["failed:", *failed]) if failed else 0


if __name__ == "__main__":
    sys.exit(main())
