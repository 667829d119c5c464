#!/usr/bin/env python3
"""Writes the notebooks of assets/tutorials and executes them: from each file of this folder, or those that are named, with cells
that begin with `# %%`, a notebook of the same name. A file of the folder exercises makes two: in NAME.ipynb stand its cells
`# %% gap`, and it is executed up to the first of them; in NAME_solution.ipynb stand its cells `# %% solution`. Needs a Python with
TensorFlow 2.15, nbconvert and ipykernel, and on its path the package tideline, for checkpoints.py with its ops (as pip installs it).

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
    """Pairs: the kind of the cell (markdown, gap, solution, or nothing for other code), and its content."""
    for part in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        kind, _, content = part.partition("\n")
        kind = kind.strip(" []")
        if kind == "markdown":
            content = re.sub(r"^# ?", "", content, flags=re.MULTILINE)
        yield kind, content.strip("\n")


def notebook_of(cells):
    notebook = nbformat.v4.new_notebook()
    for number, (kind, content) in enumerate(cells):
        cell = nbformat.v4.new_markdown_cell(content) if kind == "markdown" else nbformat.v4.new_code_cell(content)
        cell["id"] = "cell-{}".format(number)
        notebook.cells.append(cell)
    return notebook


def execute(notebook, folder):
    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(folder)}})


def write(notebook, path):
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for cell in notebook.cells:
        cell.metadata.clear()  # times of the run
    with open(path, "w", encoding="utf-8") as file:
        nbformat.write(notebook, file)


def make(name, folder, cells):
    notebook = notebook_of(cells)
    execute(notebook, folder)
    write(notebook, folder / (name + ".ipynb"))


def make_exercise(name, folder, cells):
    with_gaps = [cell for cell in cells if cell[0] != "solution"]
    first = [kind for kind, _ in with_gaps].index("gap")
    before = notebook_of(with_gaps[:first])
    execute(before, folder)
    rest = notebook_of(with_gaps)
    rest.cells[:first] = before.cells
    write(rest, folder / (name + ".ipynb"))
    make(name + "_solution", folder, [cell for cell in cells if cell[0] != "gap"])


def main():
    for source in sorted(HERE.rglob("*.py")):
        if source.name == "make.py" or sys.argv[1:] and source.stem not in sys.argv[1:]:
            continue
        folder = FOLDER / source.parent.relative_to(HERE)
        cells = list(cells_of(source.read_text(encoding="utf-8")))
        (make_exercise if folder.name == "exercises" else make)(source.stem, folder, cells)


if __name__ == "__main__":
    main()
