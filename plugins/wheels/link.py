#!/usr/bin/env python3
"""Links an executable of a build folder once more, so that it starts on Linux systems with glibc 2.28 or later.

    plugins/wheels/link.py BUILD TARGET OUTPUT

The objects stay what this system's compiler made. What decides which glibc a program needs is the linker, which takes the newest version
of every function that it finds: here that of ziglang, a package of PyPI, which has the lists of all versions. The few functions that
glibc 2.28 does not have are in older_glibc.c. Archives take the place of shared libraries, the C++ library too. Run by the Python that
has ziglang.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

import ziglang

HERE = pathlib.Path(__file__).resolve().parent
TARGET = "x86_64-linux-gnu.2.28"
ZIG = [os.path.join(os.path.dirname(ziglang.__file__), "zig"), "cc", "-target", TARGET]
# As the compiler has them. Flags of a build for debugging or with GCC's own words mean nothing when linking by another.
DROPPED = re.compile(r"-static-lib\w+|-[Og]\w*|-D.*|-W(?!l,).*|-std=.*|-f.*|--param=.*|.*\.so(\.[\d.]+)?")


def words_of_linking(build, target):
    """What follows the name of the compiler in the command that links `target`, without -o and its output."""
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True, stdout=subprocess.PIPE, text=True).stdout
    words = shlex.split(re.sub(r"^: && | && :$", "", commands.splitlines()[-1]))
    at = words.index("-o")
    assert words[at + 1].endswith(target), words[at + 1]
    compiler = next(number for number, word in enumerate(words) if re.search(r"(\+\+|cc|clang)(-[\d.]+)?$", word))
    return words[compiler], words[compiler + 1:at] + words[at + 2:]


def archives_of(compiler):
    """The C++ library and what it stands on, which a compiler adds without being asked."""
    found = [subprocess.run([compiler, f"-print-file-name={name}"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
             for name in ("libstdc++.a", "libgcc.a", "libgcc_eh.a")]
    missing = [name for name in found if not os.path.isabs(name)]
    if missing:
        sys.exit(f"{compiler} has no {', '.join(missing)}")
    return found


def main():
    build, target, output = sys.argv[1:]
    compiler, words = words_of_linking(build, target)
    kept = [word for word in words if not DROPPED.fullmatch(word)]
    older = f"{os.path.abspath(output)}.older_glibc.o"
    subprocess.run([*ZIG, "-O2", "-g0", "-Wall", "-Wextra", "-c", HERE / "older_glibc.c", "-o", older], check=True)
    subprocess.run([*ZIG, "-O2", "-s", "-o", os.path.abspath(output), older, *kept, *archives_of(compiler), "-lm", "-lpthread", "-ldl"],
                   check=True, cwd=build)
    os.remove(older)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main()
