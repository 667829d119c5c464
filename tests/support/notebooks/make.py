#!/usr/bin/env python3
"""Writes the notebooks of assets/tutorials and executes them: from each file of this folder, or those that are named, with cells
that begin with `# %%`, a notebook of the same name. Needs a Python with TensorFlow 2.15, nbconvert and ipykernel, and on its
path the package tideline, for checkpoints.py with its ops (as pip installs it).

    TIDELINE=$PWD/build/dev/app/tideline PYTHONPATH=$PWD/plugins/tensorflow python tests/support/notebooks/make.py [NAME...]
"""
import pathlib
import re
import sys

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parents[2] / "assets/tutorials"


def cells_of(text):
    """Pairs: whether it is a text, and its content."""
    for part in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        kind, _, content = part.partition("\n")
        is_text = "[markdown]" in kind
        if is_text:
            content = re.sub(r"^# ?", "", content, flags=re.MULTILINE)
        yield is_text, content.strip("\n")


def make(name):
    notebook = nbformat.v4.new_notebook()
    for number, (is_text, content) in enumerate(cells_of((HERE / (name + ".py")).read_text(encoding="utf-8"))):
        cell = nbformat.v4.new_markdown_cell(content) if is_text else nbformat.v4.new_code_cell(content)
        cell["id"] = "cell-{}".format(number)
        notebook.cells.append(cell)
    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(FOLDER)}})
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for cell in notebook.cells:
        cell.metadata.clear()  # times of the run
    with open(FOLDER / (name + ".ipynb"), "w", encoding="utf-8") as file:
        nbformat.write(notebook, file)


def main():
    for name in sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.py") if path.name != "make.py"):
        make(name)


if __name__ == "__main__":
    main()
