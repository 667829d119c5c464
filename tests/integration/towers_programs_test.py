#!/usr/bin/env python3
"""Model functions of programs that were written for the original train, evaluate, predict and are exported like on one device.

    towers_programs_test.py TIDELINE [tensorflow1]"""
import sys

import python_front

if __name__ == "__main__":
    sys.exit(print(python_front.worker("towers_programs_worker.py")))
