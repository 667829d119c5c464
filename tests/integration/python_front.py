"""What the tests of the Python package share: running a worker in a Python with TensorFlow, the package from its sources.

A test is given the argument `tensorflow1` to use TensorFlow 1.13 on Python 3.7 (TIDELINE_TF1_PYTHON), and `newest` to use the newest
with Keras 3 on Python 3.12 (TIDELINE_TF_NEWEST_PYTHON)."""
import os
import pathlib
import subprocess
import sys

import common

PACKAGE = common.ROOT / "plugins/tensorflow"
HERE = pathlib.Path(__file__).resolve().parent


def python():
    if "tensorflow1" in sys.argv[2:]:
        found = os.environ.get("TIDELINE_TF1_PYTHON", "")
        if not found or not os.path.exists(found):
            common.skip("no Python 3.7 with TensorFlow 1.13 (TIDELINE_TF1_PYTHON)")
        return found
    if "newest" in sys.argv[2:]:
        found = os.environ.get("TIDELINE_TF_NEWEST_PYTHON", "")
        if not found or not os.path.exists(found):
            common.skip("no Python 3.12 with the newest TensorFlow (TIDELINE_TF_NEWEST_PYTHON)")
        return found
    common.need_tensorflow()
    return common.TENSORFLOW


def worker(script, *arguments, code=0, **environment):
    """What the worker prints."""
    done = run([HERE / script, *arguments], **environment)
    assert done.returncode == code, f"{script}: exit {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
    return done.stdout


def run(words, **environment):
    return subprocess.run([python(), "-B", *map(str, words)], capture_output=True, text=True, timeout=3000,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore",
                               "PYTHONPATH": f"{PACKAGE}:{HERE}", "TIDELINE": common.PROGRAM, **environment})
