#!/usr/bin/env python3
"""Links an executable or a plugin of a build folder once more, so that it runs on Linux systems with glibc 2.28 or later.

    plugins/wheels/link.py BUILD TARGET OUTPUT [LIBRARY...] [OBJECT...]

LIBRARY, as libEGL: a shared library that stays one. It is looked for in ../lib, beside the folder of the program, first.
OBJECT, a file *.o or *.so.N: is linked to, too.

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
DROPPED = re.compile(r"-static-lib\w+|-Wl,--exclude-libs,.*|-Wl,-rpath,.*|-L.*|-l:.*|-[Og]\w*|-D.*|-W(?!l,).*|-std=.*|-f.*|--param=.*")
OF_C = ("-lc", "-lm", "-ldl", "-lpthread", "-lrt")


def replaced(word, shared, compiler):
    """The word of a command as the other linker gets it, or None: archives take the place of libraries that do not stay shared."""
    if re.match("-l[^:]", word) and word not in OF_C:
        return file_of(compiler, f"lib{word[2:]}.a")
    if re.fullmatch(r".*\.so(\.[\d.]+)?", word):
        beside = os.path.join(os.path.dirname(word), os.path.basename(word).partition(".")[0] + ".a")
        if os.path.basename(word).partition(".")[0] not in shared:
            return beside if os.path.exists(beside) else None
    return None if DROPPED.fullmatch(word) else word


def file_of(compiler, name):
    """Where the compiler has a library; without it the program ends."""
    path = subprocess.run([compiler, f"-print-file-name={name}"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    if not os.path.isabs(path):
        sys.exit(f"{compiler} has no {name}")
    return path


def words_of_linking(build, target):
    """What follows the name of the compiler in the command that links `target`, without -o and its output."""
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True, stdout=subprocess.PIPE, text=True).stdout
    words = shlex.split(re.sub(r"^: && | && :$", "", commands.splitlines()[-1]))
    at = words.index("-o")
    linked = words[at + 1]
    assert linked.endswith((target, target + ".so")), linked
    compiler = next(number for number, word in enumerate(words) if re.search(r"(\+\+|cc|clang)(-[\d.]+)?$", word))
    return words[compiler], words[compiler + 1:at] + words[at + 2:], linked


def archives_of(compiler):
    """The C++ library and what it stands on, which a compiler adds without being asked."""
    return [file_of(compiler, name) for name in ("libstdc++.a", "libgcc.a", "libgcc_eh.a")]


def only_exports_of(library, script):
    """Writes a script for the linker: what this library defines for others stays visible, nothing else (not templates that it has, too)."""
    names = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=posix", library], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.splitlines()
    names = sorted(name.partition("@")[0] for name, kind, *_ in map(str.split, names) if kind in "TDBR")
    script.write_text("{ global: " + "".join(f"{name}; " for name in names) + "local: *; };\n", encoding="utf-8")
    return f"-Wl,--version-script={script}"


def exporting(words, output):
    """The words without those by which a program exports functions to libraries that it loads, which this linker does not know; instead a
    library of which nothing is needed, but which refers to these functions, so that the linker exports them. And its files."""
    option = "-Wl,--export-dynamic-symbol="
    names = sorted({word[len(option):] for word in words if word.startswith(option)})
    kept = [word for word in words if not word.startswith(option)]
    if not names or "-shared" in kept:
        return kept, []
    source, library = pathlib.Path(f"{output}.refers.c"), pathlib.Path(f"{output}.refers.so")
    source.write_text("".join(f'extern char exported_{i}[] __asm__("{name}");\nvoid *tideline_refers_{i} = exported_{i};\n'
                              for i, name in enumerate(names)), encoding="utf-8")
    subprocess.run([*ZIG, "-shared", "-fPIC", "-Wl,--allow-shlib-undefined", "-o", library, source], check=True)
    return [*kept, "-Wl,--as-needed", str(library)], [source, library]


def main():
    build, target, output, *more = sys.argv[1:]
    objects = [os.path.abspath(word) for word in more if "." in word]
    shared = [word for word in more if "." not in word]
    compiler, words, linked = words_of_linking(build, target)
    kept = [other for other in (replaced(word, shared, compiler) for word in words) if other is not None]
    kept += [*objects, *(["-Wl,-rpath,$ORIGIN/../lib"] if shared else [])]
    output = os.path.abspath(output)
    kept, written = exporting(kept, output)
    older, script = f"{output}.older_glibc.o", pathlib.Path(f"{output}.exports")
    if "-shared" in kept:
        kept += [only_exports_of(pathlib.Path(build, linked), script), "-Wl,-z,defs"]
    # Hidden: what a plugin has of it must not take the place of the C library's.
    subprocess.run([*ZIG, "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-c", HERE / "older_glibc.c", "-o", older],
                   check=True)
    subprocess.run([*ZIG, "-O2", "-s", "-o", output, older, *kept, *archives_of(compiler), "-lm", "-lpthread", "-ldl"],
                   check=True, cwd=build)
    os.remove(older)
    for path in (script, *written):
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main()
