#!/usr/bin/env python3
"""The exercises of assets/tutorials teach: each gap, left empty or filled with something wrong, fails its check with a hint, and each
solution passes."""
import sys

import common
import python_front


def main():
    printed = python_front.worker("exercises_worker.py", common.PROGRAM, common.ROOT)
    assert printed.count(" gaps") == 3, printed
    print(printed)


if __name__ == "__main__":
    sys.exit(main())
