"""Starts TensorFlow once and forks a process of it for every script that is to be run: for common.run_on_tensorflow.

Reads lines of JSON, {"script", "words", "out", "err"}: paths of a script and of files for what it prints, and its
command line; answers each with a line, the script's exit code. Importing TensorFlow takes some four seconds, a fork
nothing; a process that has only imported it has no threads of TensorFlow that a fork would lack."""
import json
import os
import runpy
import sys
import traceback

import tensorflow.compat.v1 as _  # noqa: F401


def run(script, words, out, err):
    """In the forked process."""
    for path, descriptor in ((out, 1), (err, 2)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, descriptor)
        os.close(file)
    sys.stdin.close()
    sys.argv = [script, *words]
    sys.path[0] = os.path.dirname(script)
    code = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:  # as Python ends
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main():
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            run(**job)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
