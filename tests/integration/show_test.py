#!/usr/bin/env python3
"""`tideline.show` serves a graph to one origin, and its program ends with the page, with Python, and when Python is killed."""
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

import common
import python_front

PATIENCE = 60


def ends(url):
    """Whether nobody listens there any more, soon."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url.partition("#")[0], timeout=PATIENCE).close()
        except (urllib.error.URLError, OSError):
            return True
        time.sleep(0.05)
    return False


def main():
    python = python_front.python()
    with common.temporary_folder() as folder:
        spare = os.path.join(folder, "temporary")
        os.mkdir(spare)
        words = ("show_worker.py", common.PROGRAM, common.ROOT, folder)
        printed = python_front.worker(*words, TMPDIR=spare)
        print(printed)
        assert ends(printed.split()[-1])
        assert not os.listdir(spare), os.listdir(spare)
        environment = {**os.environ, "PYTHONPATH": str(python_front.PACKAGE), "TIDELINE": common.PROGRAM}
        killed = subprocess.Popen([python, "-B", *map(str, (python_front.HERE / words[0], *words[1:], "forever"))], text=True,
                                  env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        url = killed.stdout.readline().strip()
        assert urllib.request.urlopen(url.partition("#")[0], timeout=PATIENCE).status == 200
        killed.kill()
        killed.wait()
        assert ends(url)
        killed.stdin.close()
        killed.stdout.close()


if __name__ == "__main__":
    sys.exit(main())
