"""Solves the exercises of assets/tutorials/exercises, in a Python with TensorFlow: exercises_worker.py PROGRAM REPOSITORY

Cell by cell: with the gaps before it filled, a check refuses its gap while that is empty or has something wrong, each time with a
hint, and takes the solution. With all gaps empty each check has a hint, too."""
import contextlib
import io
import json
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[2]) / "assets/tutorials/exercises"
sys.path.insert(0, str(FOLDER))
import checks

# Wrong answers, and what the hint has to say: by notebook, a list for each gap.
WRONG = {
    "1_find_the_peak": [
        [("peak_mib = step.device_bytes.max()", "peak_mib is in bytes"),
         ("peak_mib, peak_op = step.device_mib.max(), step.op[0]", "is not while"), ("peak_mib = 'much'", "has to be a number")],
        [("layers_alive = 9", "layers_alive is not 9")],
        [("stays_mib = 352", "stays_mib is not 352"), ("stays_mib = step.summary['memory_by_kind']['variables']", "is in bytes")],
        [("half_mib = peak_mib / 2", "half_mib is not 240")]],
    "2_fit_into_60_percent": [
        [("budget_mib = 60", "budget_mib is not 60")],
        [("threshold, ahead, groupby = 20, 1, 0", "the peak is 320 MiB"), ("ahead = 1.5", "whole number")],
        [("found = run()", "0 swaps"), ("found = before.summary", "what run gives")],
        [("LMS(swapout_threshold=40, swapin_ahead=1, swapin_groupby=0).run(graph)", "needs 416 MiB")]],
    "3_why_is_it_late": [
        [("late = step.summary['swap_ins']", "late is not 11")],
        [("copy_ms = time['to_device_ns'] / step.summary['swap_ins']", "copy_ms is in ns")],
        [("hidden_ms = time['to_device_ns'] / 1e6", "take what the step waits")],
        [("ahead = 6", "with 6 levels 5 copies back are late"), ("ahead = 8", "with 7 none is either"), ("ahead = 0", "whole number")],
        [("cost_mib = 400", "cost_mib is not 400")]],
}


def code(name):
    cells = json.loads((FOLDER / (name + ".ipynb")).read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def ran(cell, names):
    """What the cell prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(cell, names)
    return said.getvalue()


def refused(check, names, *words):
    try:
        ran(check, names)
    except checks.NotYet as problem:
        assert " ".join(problem._render_traceback_()) == str(problem) and str(problem).startswith("Not yet: "), repr(problem)
        assert all(word in str(problem) for word in words), (problem, words)
        return
    raise AssertionError("the check takes it: " + check)


def as_before(names):
    """An edited graph stays edited."""
    if "graph" in names:
        names["graph"] = names["chain"]()


def solve(name):
    """The number of gaps."""
    exercise, solution = code(name), code(name + "_solution")
    assert len(exercise) == len(solution), name
    gaps = [at for at, (left, right) in enumerate(zip(exercise, solution)) if left != right]
    assert len(gaps) == len(WRONG[name]), (name, gaps)
    names = {}
    for at, cell in enumerate(solution):
        if at in gaps:
            check = exercise[at + 1]
            assert exercise[at].count("...  # your answer") >= 1 and check.startswith("checks."), exercise[at]
            ran(exercise[at], names)
            refused(check, names, "Hint: ")
            for wrong, said in WRONG[name][gaps.index(at)]:
                ran(cell, names)
                as_before(names)
                ran(wrong, names)
                refused(check, names, said)
            as_before(names)
        if at - 1 in gaps:
            assert ran(cell, names).startswith("Right: "), cell
        else:
            ran(cell, names)
    return len(gaps)


def leave_all_empty(name):
    names, refusals = {}, 0
    for cell in code(name):
        if cell.startswith("checks.") and cell.split("(")[0] != "checks.picture":
            refused(cell, names, "Hint: ")
            refusals += 1
        else:
            ran(cell, names)
    return refusals


for name in sorted(WRONG):
    assert leave_all_empty(name) == solve(name), name
    print("{}: {} gaps".format(name, len(WRONG[name])), flush=True)
assert len(list(FOLDER.glob("*.ipynb"))) == 2 * len(WRONG)
