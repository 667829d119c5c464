"""The notebooks of assets/tutorials as programs: their cells in order, and what they printed when they were made."""
import json
import re

import common

TUTORIALS = common.ROOT / "assets/tutorials"


def names():
    return sorted(path.stem for path in TUTORIALS.glob("*.ipynb"))


def program(name):
    return "\n\n".join("".join(cell["source"]) for cell in _cells(name) if cell["cell_type"] == "code")


def pictures(name):
    return sum("image/svg+xml" in output.get("data", {}) for output in _outputs(name))


def raw_bytes():
    """What the notebooks say of memory in bytes, which nobody reads. (What `tideline checkpoint ls` prints is a table of bytes.)"""
    paths = [path for path in sorted(TUTORIALS.rglob("*.ipynb")) if path.stem != "checkpoints"]
    assert len(paths) == 13, paths
    said = [(path.name, line) for path in paths for output in _outputs(path.relative_to(TUTORIALS).with_suffix(""))
            for text in (output.get("text", []), output.get("data", {}).get("text/plain", [])) for line in text]
    assert any("MiB" in line for _, line in said), said
    return [(name, line) for name, line in said if re.search(r"[0-9]{7}|[0-9]{4} bytes(?! of SVG)", line)]


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
