#!/usr/bin/env python3
"""Networks that are built in sections in Python train like one run for each step; with compat=True they are fed, keep
and fetch what the original does.

    python_sections_test.py TIDELINE [tensorflow1]"""
import sys

import common
import python_front


def main():
    print(python_front.worker("sections_worker.py"))
    print(python_front.worker("sections_compat_worker.py", common.DATA))
    print(python_front.worker("sections_worker.py", "resnet"))


if __name__ == "__main__":
    sys.exit(main())
