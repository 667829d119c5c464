#!/usr/bin/env python3
"""Every oracle of LMS v1 and v2 that has swaps: our written file passes the checker, which knows nothing of us."""
import pathlib
import subprocess
import sys

import common

CHECKER = common.SUPPORT / "check_rewrite.py"
PLANTER = pathlib.Path(__file__).with_name("plant_rewrite_errors.py")


def check_order(plan, oracle, name):
    """What the plan says about the order of LMS v1."""
    assert plan["starting_ops"] == sorted(oracle["starting_ops"]), name
    for key in ("orders", "backward_starting_order"):
        assert plan[key] == oracle[key], (name, key)
    if "order_of" in oracle:
        assert plan["order_of"] == {op: n for op, n in oracle["order_of"].items() if n >= 0}, name


def checked(*words):
    done = subprocess.run([common.TENSORFLOW, "-B", CHECKER, *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check_all(mode, oracles):
    cases = 0
    for path, oracle in oracles:
        if "swaps" not in oracle:
            continue
        with common.temporary_folder() as name:
            graph = common.graph(oracle["graph"])
            out, plan = pathlib.Path(name) / "out.meta", pathlib.Path(name) / "plan.json"
            common.tideline("rewrite", mode, graph, "-o", out, "--plan-json", plan, "--quiet",
                            *common.options_of(oracle))
            code, said = checked(graph, out, path)
            if code != 0:
                sys.exit(f"{path.name}: {said}")
            if mode == "lms1":
                check_order(common.read_json(plan), oracle, path.name)
        cases += 1
    print(cases, "oracles of", mode, "hold", flush=True)
    return cases


def check_the_checker():
    """One error in a written file at a time: it is found, and named."""
    graph, oracle = common.graph("tutorial_mnist.meta"), common.DATA / "lms_v2/tutorial.json"
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        common.tideline("rewrite", "lms2", graph, "-o", folder / "right.meta", "--quiet",
                        *common.options_of(common.read_json(oracle)))
        done = subprocess.run([common.TENSORFLOW, "-B", PLANTER, folder / "right.meta", folder],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        planted = common.read_json(folder / "planted.json")
        for error, words in planted.items():
            code, said = checked(graph, folder / f"{error}.meta", oracle)
            assert code == 1 and words in said, (error, words, code, said)
        code, said = checked(graph, folder / "right.meta", common.DATA / "lms_v2/tutorial_thr20.json")
        assert code == 1 and "swap of" in said, (code, said)
    print("the checker finds", len(planted), "planted errors", flush=True)
    return len(planted)


def main():
    common.need_tensorflow()
    assert check_the_checker() == 15
    assert check_all("lms2", common.oracles("lms_v2", 30)) == 26
    assert check_all("lms1", common.oracles("lms_v1", 19)) == 15


if __name__ == "__main__":
    sys.exit(main())
