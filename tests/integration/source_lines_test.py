#!/usr/bin/env python3
"""Tensors of Python programs are shown with the lines that made them, of a live graph, a rewritten function and a SavedModel."""
import sys

import common
import python_front


def main():
    with common.temporary_folder() as folder:
        print(python_front.worker("source_lines_worker.py", folder))


if __name__ == "__main__":
    sys.exit(main())
