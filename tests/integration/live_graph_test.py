#!/usr/bin/env python3
"""The Python package edits live graphs: what it makes of them is what the program writes, all of it or nothing, also when the
edit is interrupted."""
import sys

import common
import python_front


def main():
    with common.temporary_folder() as folder:
        print(python_front.worker("live_graph_worker.py", common.PROGRAM, common.ROOT, folder))
        print(python_front.worker("interrupted_edits_worker.py", common.PROGRAM, common.ROOT, folder, 40))


if __name__ == "__main__":
    sys.exit(main())
