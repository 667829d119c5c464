#!/usr/bin/env python3
"""Every oracle of LMS v2 that has swaps: our written file passes the shared checker."""
import pathlib
import subprocess
import sys

import common


def main():
    common.need_shared()
    common.need_tensorflow()
    checker = common.SHARED / "tools/check_rewrite.py"
    cases = 0
    with common.temporary_folder() as name:
        for path in sorted((common.SHARED / "oracles/lms_v2").glob("*.json")):
            oracle = common.read_json(path)
            if "swaps" not in oracle:
                continue
            graph = common.SHARED / "graphs" / oracle["graph"]
            out = pathlib.Path(name) / "out.meta"
            common.tideline("rewrite", "lms2", graph, "-o", out, "--force", "--quiet",
                            *common.options_of(oracle))
            done = subprocess.run([common.TENSORFLOW, checker, graph, out, path],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{path.name}: {done.stdout}{done.stderr}")
            cases += 1
    print(cases, "oracles hold")
    assert cases >= 26, cases


if __name__ == "__main__":
    sys.exit(main())
