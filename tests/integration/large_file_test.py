#!/usr/bin/env python3
"""Files of 2.5 GiB: read, rewritten and converted within their own size of memory, nothing lost."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import common
import large_file

GIB = 1 << 30
NEEDED = 6 * GIB
SAMPLE = common.ROOT / "assets/samples/tutorial_mnist.meta"
LMS = common.lms2(50, 3, 2)
META = [large_file.META_GRAPH_GRAPH]
SAVED_MODEL = [large_file.SAVED_MODEL_META_GRAPH, *META]
BODY = [*META, large_file.GRAPH_LIBRARY, large_file.LIBRARY_FUNCTION]
LARGE = large_file.CONSTANTS + 1  # ops


def run(size, *words):
    """Runs the program on a file of `size` bytes and holds it to its memory; its standard output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        child = subprocess.Popen([common.PROGRAM, *map(str, words)], stdout=out, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        out.seek(0)
        errors.seek(0)
        peak = usage.ru_maxrss * 1024
        print(f"{words[0]}: exit {child.returncode}, {seconds:.1f} s, CPU {usage.ru_utime + usage.ru_stime:.1f} s, "
              f"peak {peak / GIB:.2f} GiB of {size / GIB:.2f} GiB", flush=True)
        said = errors.read().decode()
        assert child.returncode == 0, (words, child.returncode, said)
        # The file itself and a tenth: what is mapped counts, and nothing else may grow with it.
        assert peak < 1.1 * size, (words, peak, size)
        return out.read().decode()


def inspected(size, path, large=LARGE):
    facts = json.loads(run(size, "inspect", path, "--json"))
    small = json.loads(common.tideline("inspect", SAMPLE, "--json").stdout)
    assert facts["vertices"] == small["vertices"] + large, facts["vertices"]
    for key in ("edges", "levels", "learning_parameter_bytes"):
        assert facts[key] == small[key], (key, facts[key], small[key])
    return facts


def is_large_rewrite(original, path_down, written, small):
    """The large ops as they were, then every op as in the small rewrite."""
    with large_file.Ops(original, path_down) as before, large_file.Ops(written, path_down) as after:
        assert len(after) > len(before)
        digests = after.digests()
        assert digests[:LARGE] == [before.digest(number) for number in range(LARGE)]
        with large_file.Ops(small, META) as expected:
            assert digests[LARGE:] == expected.digests()


def a_meta_graph(folder, small):
    big, out, graph = folder / "big.meta", folder / "out.meta", folder / "graph.pb"
    large_file.write(big, large_file.meta_graph(SAMPLE.read_bytes(), large_file.large_ops(large_file.GRAPH_NODE)))
    size = big.stat().st_size
    assert size > 2.5 * GIB
    inspected(size, big)
    run(size, "rewrite", "lms2", big, "-o", out, *LMS)
    is_large_rewrite(big, META, out, small)
    assert "nothing else changed" in run(2 * size, "diff", big, out)
    out.unlink()
    run(size, "convert", big, "-o", graph, "--quiet")
    with large_file.Ops(big, META) as before, large_file.Ops(graph, []) as after:
        assert before.digests() == after.digests()
    big.unlink()


def a_saved_model(folder, small):
    model, out = folder / "model", folder / "out"
    (model / "variables").mkdir(parents=True)
    (model / "variables/variables.index").write_bytes(b"not looked at")
    inner = large_file.meta_graph(SAMPLE.read_bytes(), large_file.large_ops(large_file.GRAPH_NODE))
    version = large_file.varint(1 << 3) + large_file.varint(1)
    large_file.write(model / "saved_model.pb",
                     [version, *large_file.around(inner, large_file.SAVED_MODEL_META_GRAPH)])
    size = (model / "saved_model.pb").stat().st_size
    inspected(size, model)
    run(size, "rewrite", "lms2", model, "-o", out, *LMS)
    is_large_rewrite(model / "saved_model.pb", SAVED_MODEL, out / "saved_model.pb", small)
    assert (out / "variables/variables.index").read_bytes() == b"not looked at"


def a_function(folder, small):
    big, out = folder / "big.meta", folder / "out.meta"
    large_file.write(big, large_file.meta_graph(SAMPLE.read_bytes(), large_file.large_library()))
    size = big.stat().st_size
    assert [f["ops"] for f in inspected(size, big, 0)["functions"]] == [LARGE]
    body = json.loads(run(size, "inspect", big, "--function", "big_body", "--json"))
    assert body["vertices"] == LARGE, body
    run(size, "rewrite", "lms2", big, "-o", out, *LMS)
    with large_file.Ops(out, META) as after, large_file.Ops(small, META) as expected:
        assert after.digests() == expected.digests()
    with large_file.Ops(big, BODY, large_file.FUNCTION_NODE) as before, large_file.Ops(
            out, BODY, large_file.FUNCTION_NODE) as after:
        assert before.digests() == after.digests() and len(after) == LARGE


def main():
    if shutil.disk_usage(tempfile.gettempdir()).free < NEEDED + GIB:
        common.skip("less than 7 GiB of disk for temporary files")
    failed = []
    for test in (a_meta_graph, a_saved_model, a_function):
        with common.temporary_folder() as name:
            folder = pathlib.Path(name)
            small = folder / "small.meta"
            common.tideline("rewrite", "lms2", SAMPLE, "-o", small, *LMS)
            try:
                test(folder, small)
            except (AssertionError, SystemExit) as problem:
                failed.append(f"{test.__name__}: {str(problem)[:2000]}")
    return "\n".join(failed)


if __name__ == "__main__":
    sys.exit(main())
