#!/usr/bin/env python3
"""tideline.fit, assert_fits and explain_oom: what they say is what the program says of the same graph, models stay as they are,
and an error of training stays the error it is.

    fit_front_test.py TIDELINE [tensorflow1|keras3]"""
import os
import sys

import common
import python_front


def main():
    environment = {}
    if "keras3" in sys.argv[2:]:
        folder = os.environ.get("TIDELINE_KERAS3", "")
        if not folder or not os.path.exists(folder):
            common.skip("no folder with Keras 3 (TIDELINE_KERAS3)")
        environment["PYTHONPATH"] = f"{python_front.PACKAGE}:{python_front.HERE}:{folder}"
    workers = ["fit_front_worker.py", "explain_oom_worker.py"]
    if "tensorflow1" not in sys.argv[2:]:
        workers += ["fit_keras_worker.py", "fit_functions_worker.py"]
    if environment:  # the others know no Keras
        workers = ["fit_keras_worker.py", "explain_oom_worker.py"]
    for worker in workers:
        with common.temporary_folder() as folder:
            print(python_front.worker(worker, common.PROGRAM, common.ROOT, folder, **environment))


if __name__ == "__main__":
    sys.exit(main())
