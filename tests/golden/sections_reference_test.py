#!/usr/bin/env python3
"""rewrite sections --compat gives the sets that the reference computed, for every graph in tests/data/sections."""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parents[1] / "data/sections"
GRAPHS = 7


def problems(program, meta, oracle, folder):
    graph, plan = folder / "graph.meta", folder / "plan.json"
    graph.write_bytes(gzip.decompress(meta.read_bytes()) if meta.suffix == ".gz" else meta.read_bytes())
    words = [program, "rewrite", "sections", graph, "-o", folder / "out.pb", "--force", "--plan-json", plan,
             "--scopes", ",".join(s["scope"] for s in oracle["sections"]), "--loss", oracle["loss"],
             "--compat", "--train-ops", ",".join(s["train_op"] for s in oracle["sections"])]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=120)
    if done.returncode:
        return [f"exit {done.returncode}: {done.stderr}"]
    got = json.loads(plan.read_text())
    found = []
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
