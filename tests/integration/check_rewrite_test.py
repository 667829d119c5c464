#!/usr/bin/env python3
"""Every oracle of LMS v1 and v2 that has swaps: our written file passes the shared checker."""
import pathlib
import subprocess
import sys

import common


def check_order(plan, oracle, name):
    """What the plan says about the order of LMS v1."""
    assert plan["starting_ops"] == sorted(oracle["starting_ops"]), name
    for key in ("orders", "backward_starting_order"):
        assert plan[key] == oracle[key], (name, key)
    if "order_of" in oracle:
        assert plan["order_of"] == {op: n for op, n in oracle["order_of"].items() if n >= 0}, name


def check_all(mode, folder):
    checker = common.SHARED / "tools/check_rewrite.py"
    cases = 0
    for path in sorted((common.SHARED / "oracles" / folder).glob("*.json")):
        oracle = common.read_json(path)
        if "swaps" not in oracle:
            continue
        with common.temporary_folder() as name:
            graph = common.SHARED / "graphs" / oracle["graph"]
            out, plan = pathlib.Path(name) / "out.meta", pathlib.Path(name) / "plan.json"
            common.tideline("rewrite", mode, graph, "-o", out, "--plan-json", plan, "--quiet",
                            *common.options_of(oracle))
            done = subprocess.run([common.TENSORFLOW, checker, graph, out, path],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{path.name}: {done.stdout}{done.stderr}")
            if mode == "lms1":
                check_order(common.read_json(plan), oracle, path.name)
        cases += 1
    print(cases, "oracles of", mode, "hold")
    return cases


def main():
    common.need_shared()
    common.need_tensorflow()
    assert check_all("lms2", "lms_v2") >= 26
    assert check_all("lms1", "lms_v1") >= 15


if __name__ == "__main__":
    sys.exit(main())
