#!/usr/bin/env python3
"""rewrite sections --compat gives the sets that the reference computed, for every graph in tests/data/sections, and with
--fetches the runs of a cycle in which something is fetched."""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parents[1] / "data/sections"
FETCHES = json.loads((DATA / "fetches.json").read_text())
GRAPHS = 7


def planned(program, meta, oracle, folder, fetches=()):
    """The plan, or what the program said instead."""
    graph, plan = folder / "graph.meta", folder / "plan.json"
    graph.write_bytes(gzip.decompress(meta.read_bytes()) if meta.suffix == ".gz" else meta.read_bytes())
    words = [program, "rewrite", "sections", graph, "-o", folder / "out.pb", "--force", "--plan-json", plan,
             "--scopes", ",".join(s["scope"] for s in oracle["sections"]), "--loss", oracle["loss"],
             "--compat", "--train-ops", ",".join(s["train_op"] for s in oracle["sections"])]
    words += ["--fetches", ",".join(fetches)] if fetches else []
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=120)
    return json.loads(plan.read_text()) if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


def runs_of(plan, fetches):
    """The runs of a cycle in which ops or tensors are fetched, the forward run first."""
    sections = list(reversed(plan["sections"]))
    runs = [{"train_op": None, "caches": set(plan["forward_cache"]), "fetches": set()}]
    runs += [{"train_op": s["train_op"], "feeds": set(s["tensors_to_feed"]), "caches": set(s["tensors_to_cache"]),
              "fetches": set()} for s in sections]
    at = {s["index"]: number for number, s in enumerate(sections, 1)}
    for entry, name in zip(plan["fetches"], fetches, strict=True):
        run = runs[0 if entry["section"] is None else at[entry["section"]]]
        run["fetches"].add(name)
        if entry["section"] is not None:
            run["feeds"].update(entry["tensors_to_feed"])
        for cached in entry["tensors_to_cache"]:
            runs[at[cached["section"]]]["caches"].add(cached["tensor"])
    return runs


def problems_of_fetches(program, meta, oracle, folder):
    found = []
    for case in FETCHES.get(meta.name.partition(".")[0], ()):
        got = planned(program, meta, oracle, folder, case["fetches"])
        if isinstance(got, str):
            return [got]
        # Where the reference fails, the runs end with the one that failed.
        for ours, theirs in zip(runs_of(got, case["fetches"]), case["runs"]):
            for key in ours:
                wanted = theirs[key] if key == "train_op" else set(theirs[key])
                if ours[key] != wanted:
                    found.append(f"{case['fetches']}: {key} of run {theirs['train_op']}: {ours[key]} instead of {wanted}")
    return found


def problems(program, meta, oracle, folder):
    got = planned(program, meta, oracle, folder)
    if isinstance(got, str):
        return [got]
    found = problems_of_fetches(program, meta, oracle, folder)
    if got["forward_cache"] != sorted(oracle["forward_cache"]):
        found.append("forward_cache differs")
    for ours, theirs in zip(got["sections"], oracle["sections"], strict=True):
        for key in ("index", "train_op"):
            if ours[key] != theirs[key]:
                found.append(f"{key}: {ours[key]} instead of {theirs[key]}")
        for key in ("tensors_to_feed", "tensors_to_cache"):
            if ours[key] != sorted(theirs[key]):
                found.append(f"section {theirs['index']}: {key} differs: {set(ours[key]) ^ set(theirs[key])}")
    return found


def main():
    checked, bad = 0, 0
    with tempfile.TemporaryDirectory() as name:
        for path in sorted(DATA.glob("*.json")):
            oracle = json.loads(path.read_text())
            if "sections" not in oracle:
                continue
            meta = path.with_suffix(".meta")
            if not meta.exists():
                meta = path.with_suffix(".meta.gz")
            checked += 1
            for problem in problems(sys.argv[1], meta, oracle, pathlib.Path(name)):
                print(f"{path.stem}: {problem}")
                bad += 1
    if checked != GRAPHS:
        print(f"{checked} graphs instead of {GRAPHS} in {DATA}")
        bad += 1
    print(f"{checked} graphs, {bad} problems")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
