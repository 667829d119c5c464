"""Compares simulated steps with measured ones (as_run_steps.py); a script of developers, no test.

    python3 tests/integration/as_run_table.py TIDELINE DATA [--only KINDS] [--explain KIND_BATCH] [--types]
                                              [-- OPTION ...]

TIDELINE is the program, DATA a folder of as_run_steps.py. For each case: the measured peak (allocation records,
variables, constants and what was fed; records hold no constants, because kernels make them before the step),
`tideline simulate` of the graph as written, and of the graph that ran with the shapes that it had. What the first
gets wrong and the second right is Grappler's doing; what both get wrong is the order or the sharing of buffers. Then
the ops that the graph as written has, those that ran (an op of a loop once, a fused one as its parts), those that
the model runs, and how many more that is. "traced" is `simulate` of the graph as written with the trace of the step,
which brings the scratch memory of kernels; its error is that beside the peak of the records with their scratch, what
was fed and what is resident by the model. "written against ran" in the summary is how far the peaks of the two graphs are apart:
the folding alone.
Variables that no op of the step reads are in memory, too, and count for the first. Options after -- are given to
every `simulate`. The summary is the geometric mean of 1 + |error| less 1, and the worst case; steps with loops have
a summary of their own, with the rounds that they ran.

  --only KINDS    names of kinds or of cases (comma list), such as resnet50,lstm_64
  --explain CASE  the tensors alive at the measured and at the simulated peak, largest differences first
  --ran           ... of the graph that ran, not of the graph as written
  --types         ops by type: what the fetch needs in the graph as written, what ran
"""
import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys

MIB = 1 << 20


def rounds_of(loops, step):
    """--rounds for loops whose count the program cannot know: that of the trace; for the loop of a gradient that of
    its forward loop."""
    counts = collections.Counter(op["name"] for op in step["ops"] if op["type"] == "LoopCond")
    words = []
    for loop in loops:
        name = loop["name"].removesuffix("/while_context")
        own = [count for cond, count in counts.items() if cond.rpartition("/")[0] == name] or \
              [count for cond, count in counts.items() if name.endswith(cond.rpartition("/")[0])]
        if own and loop["source"] == "unknown":
            words += ["--rounds", f"{loop['name']}={own[0] - 1}"]
    return words


def taken_by(name, step):
    """What a conditional took in the trace: of a Switch of its own or of its gradient one of two outputs is there.
    None if there is no such Switch."""
    gradient = f"/{name}/Merge_grad/cond_grad"
    found = {output[0] for op in step["ops"] for output in op["outputs"] if op["type"] == "Switch"
             and (op["name"].rpartition("/")[0] == name or op["name"].endswith(gradient))}
    return bool(found.pop()) if len(found) == 1 else None


def branches_of(conditionals, step):
    """--branch for conditionals whose predicate was fed, or whose branch the trace shows."""
    found = []
    for one in conditionals:
        fed = [(name, step["branches"][name]) for name in one["names"] if name in step.get("branches", {})]
        traced = [(name, taken_by(name, step)) for name in one["names"]]
        for name, takes in (fed or [pair for pair in traced if pair[1] is not None])[:1]:
            found.append(f"--branch={name}={str(takes).lower()}")
    return found


def simulate(program, graph, step, options):
    words = [program, "simulate", str(graph), "--fetch", step["fetch"], "--batch-size", str(step["batch"]), "--json",
             *options]

    def ask(*more):
        done = subprocess.run([*words, *more], capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else {"problem": done.stderr.strip()[-200:]}

    found = ask()
    given = rounds_of(found.get("loops", []), step) + branches_of(found.get("conditionals", []), step)
    return ask(*given) if given else found


def cases(data, only):
    wanted = only.split(",") if only else []
    for path in sorted(data.glob("*/step.json")):
        name = path.parent.name
        if not wanted or name in wanted or name.rpartition("_")[0] in wanted:
            yield name, path.parent, json.loads(path.read_text(encoding="utf-8"))


def has_loop(step):
    return any(op["type"] == "LoopCond" for op in step["ops"])


def error_of(simulated, measured):
    return simulated / measured - 1


def ops_that_ran(step):
    """An op of a loop counts once."""
    names = {op["name"] for op in step["ops"]}
    return step["run_as_parts"] if len(names) == len(step["ops"]) else len(names)


def summary(title, errors):
    """Geometric mean and worst of {case: error}."""
    if errors:
        mean = math.exp(sum(math.log1p(abs(error)) for error in errors.values()) / len(errors)) - 1
        worst = max(errors, key=lambda name: abs(errors[name]))
        print(f"{title}: {len(errors)} steps, mean {mean:.1%}, worst {errors[worst]:+.1%} ({worst})")


def table(program, data, only, options):
    errors = collections.defaultdict(dict)
    heads = (("measured", 10), ("written", 10), ("error", 9), ("ran", 10), ("error", 9), ("traced", 10), ("error", 9),
             ("ops", 7), ("ran", 7), ("model", 7), ("error", 9))
    print(f"{'step':24}" + "".join(f"{head:>{width}}" for head, width in heads))
    for name, folder, step in cases(data, only):
        of_step = step["peak_bytes"] + step["constants_bytes"]
        of_graph = of_step - step["variables_bytes"] + step["all_variables_bytes"]
        line = f"{name:24}{of_graph / MIB:10.1f}"
        model = None
        traced = ["--run-metadata", str(folder / "metadata.pb")]
        peaks = {}
        for title, graph, measured, more in (("written", "graph.meta", of_graph, []),
                                             ("ran", "ran_shapes.pb", of_step, []),
                                             ("traced", "graph.meta", of_graph, traced)):
            found = simulate(program, folder / graph, step, [*options, *more])
            if "problem" in found:
                line += f"{found['problem'][:17]:>19}"
                continue
            if title == "traced":
                measured = (found["measured"]["peak_bytes"] + found["measured"]["resident_bytes"] + step["fed_bytes"])
            error = error_of(found["device_peak_bytes"], measured)
            errors[title, has_loop(step)][name] = error
            peaks[title] = found["device_peak_bytes"] - measured
            line += f"{found['device_peak_bytes'] / MIB:10.1f}{error:9.1%}"
            model = found.get("steps") if title == "written" else model
        if {"written", "ran"} <= peaks.keys():
            errors["written against ran", has_loop(step)][name] = (peaks["written"] - peaks["ran"]) / of_graph
        asked = sum(step.get("asked_types", {}).values())
        line += f"{asked:7}{ops_that_ran(step):7}{model or '':>7}"
        if model:
            errors["ops", has_loop(step)][name] = error_of(model, ops_that_ran(step))
            line += f"{errors['ops', has_loop(step)][name]:9.1%}"
        print(f"{line}{'  loop' if has_loop(step) else ''}", flush=True)
    for (title, loop), found in sorted(errors.items()):
        summary(f"{title}{', with loops' if loop else ''}", found)


def unlike(measured, simulated):
    """(names that differ, pairs left out): a fused op puts out what the graph as written takes from another op, so
    that a measured tensor and a simulated one of (nearly, for rounds of loops) one size in one scope are the same."""
    differ = {key for key in {*measured, *simulated} if measured.get(key, 0) != simulated.get(key, 0)}
    waiting, renamed = collections.defaultdict(list), 0
    for key in sorted(differ - set(simulated)):
        waiting[key.rpartition("/")[0]].append(key)
    for key in sorted(differ - set(measured)):
        near = [other for other in waiting[key.rpartition("/")[0]]
                if abs(measured[other] - simulated[key]) <= simulated[key] / 16]
        if near:
            other = min(near, key=lambda other: abs(measured[other] - simulated[key]))
            waiting[key.rpartition("/")[0]].remove(other)
            differ -= {key, other}
            renamed += 1
    return differ, renamed


def explain(program, data, case, ran, options):
    for name, folder, step in cases(data, case):
        found = simulate(program, folder / ("ran_shapes.pb" if ran else "graph.meta"), step, options)
        if "problem" in found:
            sys.exit(found["problem"])
        measured = {**step["alive_at_peak"], **{f"{variable}:0": size for variable, size in step["variables"].items()}}
        measured.update(step["feeds"])
        simulated = {row["tensor"]: row["bytes"] for row in found["alive_at_peak"]}
        why = {row["tensor"]: row.get("why") for row in found["alive_at_peak"]}
        print(f"{name}: measured {sum(measured.values()) / MIB:.2f} MiB at {step['peak_op']}, simulated "
              f"{found['device_peak_bytes'] / MIB:.2f} MiB at {found['peak_op']} ({len(simulated)} tensors listed)")
        both, renamed = unlike(measured, simulated)
        print(f"{'measured':>10}{'simulated':>11}  tensor (MiB); {renamed} pairs of equal size and scope are left out")
        ordered = sorted(both, key=lambda key: -abs(measured.get(key, 0) - simulated.get(key, 0)))
        for key in ordered[:40]:
            here, there = measured.get(key, 0), simulated.get(key, 0)
            if abs(here - there) >= MIB // 1024:
                print(f"{here / MIB:10.3f}{there / MIB:11.3f}  {key}  {why.get(key) or ''}")


def types(data, only):
    for name, _, step in cases(data, only):
        asked, ran = step["asked_types"], step["ran_types"]
        print(f"{name}: {sum(asked.values())} ops as written, {sum(ran.values())} ran")
        for kind in sorted({*asked, *ran}, key=lambda kind: -abs(asked.get(kind, 0) - ran.get(kind, 0))):
            if asked.get(kind, 0) != ran.get(kind, 0):
                print(f"  {kind:40}{asked.get(kind, 0):6} -> {ran.get(kind, 0)}")


def main(words):
    words, options = (words[:words.index("--")], words[words.index("--") + 1:]) if "--" in words else (words, [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tideline")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--explain", default="")
    parser.add_argument("--ran", action="store_true")
    parser.add_argument("--types", action="store_true")
    asked = parser.parse_args(words)
    if asked.explain:
        explain(asked.tideline, asked.data, asked.explain, asked.ran, options)
    elif asked.types:
        types(asked.data, asked.only)
    else:
        table(asked.tideline, asked.data, asked.only, options)


if __name__ == "__main__":
    main(sys.argv[1:])
