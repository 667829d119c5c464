#!/usr/bin/env python3
"""Keras in graph mode trains in the session that the program has, with swaps, whatever that session has run before: iterators,
tables, generators, models that are compiled anew."""
import sys

import common
import python_front


def main():
    python_front.python()
    with common.temporary_folder() as folder:
        print(python_front.worker("lms_keras_worker.py", common.PROGRAM, common.ROOT, folder))


if __name__ == "__main__":
    sys.exit(main())
