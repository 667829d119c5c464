#!/usr/bin/env python3
"""Writes assets/tutorials/large_model_support.ipynb and executes it: a Python with TensorFlow 2.15, nbconvert and ipykernel,
the package tideline on its path.

    TIDELINE=$PWD/build/dev/app/tideline PYTHONPATH=$PWD/plugins/tensorflow python tests/support/make_notebook.py
"""
import os
import pathlib

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "assets/tutorials"

CELLS = [
    ("markdown", """# Large model support in a notebook

A network for MNIST is built, looked at, edited such that tensors wait on the host while they are idle, and trained. The graph is that of
[lms_session.py](lms_session.py)."""),
    ("code", """import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()  # eager code has no graph that could be edited
tf.logging.set_verbosity(tf.logging.ERROR)
import tideline
from digits import digits
from lms_session import build

tf.set_random_seed(1)
images, labels, keep, loss, step, accuracy = build()"""),
    ("markdown", """## Where the memory goes

Levels from left to right, memory over the step below them. The batch is 100 pictures."""),
    ("code", """tideline.view(batch_size=100, size="1200x700", theme="light")"""),
    ("code", """before = tideline.simulate(batch_size=100)
before.summary["device_peak_bytes"], before.summary["peak_op"]"""),
    ("markdown", """## The edit

Tensors go to the host when a consumer is more than 50 levels away. The lines are those of the original library."""),
    ("code", """from tideline.lms import LMS

lms = LMS(swapout_threshold=50, swapin_ahead=3, swapin_groupby=2)
lms.excl_output_by_scopes = {"loss", "accuracy", "dropout"}
tf.logging.set_verbosity(tf.logging.INFO)
added = lms.run()
tf.logging.set_verbosity(tf.logging.ERROR)
sorted(op.name for op in added)"""),
    ("code", """tideline.view(batch_size=100, size="1200x700", theme="light")"""),
    ("markdown", """## A step in numbers

The timeline as NumPy arrays: what is in use on the device and on the host while each op runs."""),
    ("code", """after = tideline.simulate(batch_size=100)
peak = after.device_bytes.argmax()
print("before", before.device_bytes.max(), "after", after.device_bytes.max(), "bytes on the device")
print("the peak is at", after.op[peak], "in level", after.level[peak], "with", after.host_bytes[peak], "bytes on the host")
after"""),
    ("markdown", "## Training"),
    ("code", """x, y = digits(1000)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(10):
        batch = slice(i * 100, (i + 1) * 100)
        value, _ = session.run([loss, step], {images: x[batch], labels: y[batch], keep: 0.5})
print("the loss is a number:", value > 0)"""),
    ("markdown", "`tideline.open()` shows the graph in the app, where thresholds and scopes can be moved."),
]


def main():
    notebook = nbformat.v4.new_notebook()
    for number, (kind, text) in enumerate(CELLS):
        cell = nbformat.v4.new_markdown_cell(text) if kind == "markdown" else nbformat.v4.new_code_cell(text)
        cell["id"] = "cell-{}".format(number)
        notebook.cells.append(cell)
    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(FOLDER)}})
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for cell in notebook.cells:
        cell.metadata.clear()  # times of the run
    os.chdir(FOLDER)
    with open("large_model_support.ipynb", "w", encoding="utf-8") as file:
        nbformat.write(notebook, file)


if __name__ == "__main__":
    main()
