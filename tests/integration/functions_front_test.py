#!/usr/bin/env python3
"""Functions of TensorFlow 2 and Keras's fit through rewritten steps: the same bits as without, all or nothing, and what is refused.

    functions_front_test.py TIDELINE [grappler]"""
import sys

import common
import python_front


def main():
    python_front.python()
    with common.temporary_folder() as folder:
        print(python_front.worker("functions_worker.py", common.PROGRAM, common.ROOT, folder, *sys.argv[2:]))


if __name__ == "__main__":
    sys.exit(main())
