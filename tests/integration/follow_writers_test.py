#!/usr/bin/env python3
"""Two processes that log to one run in turns are followed: what is there is printed by step, and so is each turn."""
import pathlib
import struct
import subprocess
import sys

import common

sys.path.insert(0, str(common.SUPPORT))
from wire import framed, varint  # noqa: E402


def records(first, last):
    """Scalars `loss` whose value, and time, is the step."""
    data = b""
    for step in range(first, last):
        value = b"\x0a\x04loss\x15" + struct.pack("<f", step)
        event = b"\x09" + struct.pack("<d", 1000.0 + step) + b"\x10" + varint(step)
        data += framed(event + b"\x2a" + varint(len(value) + 2) + b"\x0a" + varint(len(value)) + value)
    return data


def main():
    with common.temporary_folder() as name:
        one, other = (pathlib.Path(name) / f"events.out.tfevents.{n}" for n in (1, 2))
        one.write_bytes(records(0, 3) + records(6, 9))
        other.write_bytes(records(3, 6) + records(9, 12))
        follow = subprocess.Popen([common.PROGRAM, "log", "scalars", name, "--csv", "--follow"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            assert follow.stdout.readline() == "run,tag,step,wall_time,value\n"

            def read(first, last):
                for step in range(first, last):
                    line = follow.stdout.readline()
                    assert line == f".,loss,{step},{1000 + step},{step}\n", (step, line)

            read(0, 12)
            for turn in range(3):
                for path in (one, other):
                    begin = 12 + 10 * turn + (5 if path is other else 0)
                    with path.open("ab") as out:
                        out.write(records(begin, begin + 5))
                    read(begin, begin + 5)
        finally:
            follow.kill()
            follow.wait()
    print("42 points of two writers, in order")


if __name__ == "__main__":
    sys.exit(main())
