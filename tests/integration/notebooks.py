"""The notebooks of assets/tutorials as programs: their cells in order, and what they printed when they were made."""
import json

import common

TUTORIALS = common.ROOT / "assets/tutorials"


def names():
    return sorted(path.stem for path in TUTORIALS.glob("*.ipynb"))


def program(name):
    return "\n\n".join("".join(cell["source"]) for cell in _cells(name) if cell["cell_type"] == "code")


def pictures(name):
    return sum("image/svg+xml" in output.get("data", {}) for output in _outputs(name))


def check(name, printed):
    """The lines `something: True` of the notebook are printed again."""
    lines = [line for output in _outputs(name) for line in "".join(output.get("text", [])).splitlines()
             if line.endswith(": True")]
    assert lines and not any(output["output_type"] == "error" for output in _outputs(name)), name
    missing = [line for line in lines if line not in printed.splitlines()]
    assert not missing, f"{name}: {missing} are missing in\n{printed[-3000:]}"


def _cells(name):
    return json.loads((TUTORIALS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def _outputs(name):
    return [output for cell in _cells(name) for output in cell.get("outputs", [])]
