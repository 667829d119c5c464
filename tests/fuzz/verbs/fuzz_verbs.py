#!/usr/bin/env python3
"""Runs every verb of the program on inputs, options and outputs that chance made of valid ones, and judges each run.

    fuzz_verbs.py TIDELINE [--runs N] [--seed S] [--first I] [--jobs J] [--keep FOLDER]
    fuzz_verbs.py TIDELINE --seed S --again I       one run of those, with all that it said

Run I of seed S is the same everywhere. What fails is kept in FOLDER/S-I: the inputs as they lay there, the command
line, and what was said. $TFDIR is the folder of a TensorFlow for `run` and `compare`, or of the library of
tests/support/fake_tensorflow.cc. mutations.py says how inputs are changed, command_lines.py what is asked for, judge.py what
must hold."""
import argparse
import collections
import multiprocessing
import os
import pathlib
import random
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import judge
from command_lines import VERBS, Writer
from inputs import Inputs

PATIENCE_S = 240  # on a machine that is busy with other things; the program's own time is limited to:
CPU_S = 30
SANITIZED_CPU_S = 180
MEMORY = 3 << 30
MOST_FINDINGS = 20
# One run in so many is made twice, and its output read again.
TWICE = 15


class Bench:
    """A folder in which one run after the other is made."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.program = arguments.program
        # Sanitizers reserve more address space than there is memory.
        self.sanitized = b"__asan_init" in pathlib.Path(self.program).read_bytes()
        self.writer = Writer(self.program, Inputs(self.program))
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="tideline-verbs."))
        self.folder, self.home = self.place / "work", self.place / "home"
        self.environment = {
            "PATH": os.environ.get("PATH", ""), "HOME": str(self.home), "TMPDIR": str(self.home), "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": str(self.home), "XDG_STATE_HOME": str(self.home), "XDG_CACHE_HOME": str(self.home),
            "MESA_SHADER_CACHE_DISABLE": "1",
            "TIDELINE_TF_PYTHON": "/nowhere", "TFDIR": os.path.abspath(os.environ.get("TFDIR", "/nowhere")), "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0",
            "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1"}

    def close(self):
        shutil.rmtree(self.place, ignore_errors=True)

    def lay_out(self, line):
        for folder in (self.folder, self.home):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for name, source in line.inputs.items():
            for path, content in source.files:
                place = self.folder / name / path if path else self.folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
        # What may be replaced, and what may not.
        for name in ("old.pb", "old.meta", "old.svg", "old.json", "notes/mine.txt", "oldmodel/saved_model.pb", "oldlog/x"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text("old")

    def contents(self):
        found, above = {}, len(str(self.folder)) + 1
        for folder, folders, files in os.walk(self.folder):
            found.update((f"{folder}/{name}"[above:], None) for name in folders)
            for name in files:
                with open(f"{folder}/{name}", "rb") as file:
                    found[f"{folder}/{name}"[above:]] = file.read()
        return found

    def call(self, words, stdin):
        """Exit code (None: it took too long), standard output, standard error."""
        with subprocess.Popen([self.program, *words], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment) as process:
            seconds = SANITIZED_CPU_S if self.sanitized else CPU_S
            try:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
                if not self.sanitized:
                    resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
            except ProcessLookupError:
                pass
            try:
                stdout, stderr = process.communicate(stdin, timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                stdout, stderr = process.communicate()
                return None, stdout, stderr
        return process.returncode, stdout, stderr

    def run(self, number):
        """Verb, exit code, seconds, and what does not hold."""
        chance = random.Random(f"{self.arguments.seed}:{number}")
        line = self.writer.write(chance)
        self.lay_out(line)
        before = self.contents()
        begin = time.monotonic()
        said = self.call(line.words, line.stdin)
        seconds = time.monotonic() - begin
        after = self.contents()
        found = judge.faults(line, *said, before, after)
        found += [f"left in the folder of temporary files: {path.name}" for path in self.home.iterdir()]
        if not found and chance.randrange(TWICE) == 0:
            found = self.again(line, said, after)
        if found:
            self.keep(number, line, said, found)
        return line.words[0], said[0], seconds, found

    def again(self, line, said, after):
        """The same once more must be the same; and what was written can be read."""
        self.lay_out(line)
        repeated = self.call(line.words, line.stdin)
        found = []
        # Times are in what a run prints and in its log.
        if line.words[0] not in ("run", "compare"):
            if (repeated[0], repeated[1], repeated[2]) != said:
                found.append("the second time something else was said")
            if self.contents() != after:
                found.append("the second time something else was written")
        if said[0] == 0 and line.words[0] in ("convert", "rewrite") and (out := judge.output_of(line)):
            source = line.words[2 if line.words[0] == "rewrite" else 1]
            # A copy is made of what could be read in parts only, too. Of a graph without ops a few unknown bytes may be left.
            is_empty = len(after.get(out) or b"") < 16
            if source in line.inputs and not is_empty and self.call(["inspect", source], b"")[0] == 0:
                code, _, stderr = self.call(["inspect", "./" + out], b"")
                if code != 0:
                    found.append(f"what was written cannot be read: {stderr.decode('utf-8', 'replace')[:300]}")
        return found

    def keep(self, number, line, said, found):
        if not self.arguments.keep:
            return
        kept = pathlib.Path(self.arguments.keep) / f"{self.arguments.seed}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        self.lay_out(line)
        shutil.copytree(self.folder, kept / "work", symlinks=True)
        command = " ".join(["tideline", *(shlex.quote(word) for word in line.words)])
        (kept / "command.txt").write_bytes(os.fsencode(command) + b"\n")
        (kept / "said.txt").write_bytes(f"exit {said[0]}\n".encode() + "\n".join(found).encode("utf-8", "backslashreplace")
                                        + b"\n--- standard error\n" + said[2] + b"\n--- standard output\n" + said[1])


BENCH = None


def begin_worker(arguments):
    global BENCH
    BENCH = Bench(arguments)
    multiprocessing.util.Finalize(BENCH, BENCH.close, exitpriority=10)


def run_number(number):
    return number, *BENCH.run(number)


def show_again(arguments):
    bench = Bench(arguments)
    try:
        line = bench.writer.write(random.Random(f"{arguments.seed}:{arguments.again}"))
        print("tideline", *(shlex.quote(word)[:300] for word in line.words))
        bench.lay_out(line)
        before = bench.contents()
        code, stdout, stderr = bench.call(line.words, line.stdin)
        print(f"exit {code}\n--- standard error\n{os.fsdecode(stderr)!s:.3000}\n--- standard output\n{os.fsdecode(stdout)!s:.3000}")
        print("---", *judge.faults(line, code, stdout, stderr, before, bench.contents()), sep="\n")
    finally:
        bench.close()


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default="")
    parser.add_argument("--again", type=int)
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.again is not None:
        show_again(arguments)
        return 0
    codes, slowest, findings = collections.Counter(), (0.0, None), 0
    Inputs(arguments.program)  # what is wrong with them is said once, not by every worker
    numbers = range(arguments.first, arguments.first + arguments.runs)
    with multiprocessing.Pool(arguments.jobs, begin_worker, (arguments,)) as pool:
        for number, verb, code, seconds, found in pool.imap_unordered(run_number, numbers, chunksize=8):
            codes[verb, code] += 1
            slowest = max(slowest, (seconds, number))
            for sentence in found:
                print(f"seed {arguments.seed}, run {number} ({verb}): {sentence}", flush=True)
            findings += bool(found)
            if findings >= MOST_FINDINGS:
                break
        pool.close()
        pool.join() if findings < MOST_FINDINGS else pool.terminate()
    verbs = sorted({verb.split()[0] for verb in VERBS})
    for verb in verbs:
        print(f"{verb:10}", *(f"exit {code}: {count}" for (of, code), count in sorted(codes.items(), key=str) if of == verb))
    print(f"{sum(codes.values())} runs, {findings} with findings; the slowest, {slowest[1]}, took {slowest[0]:.1f} s")
    # Of a test that only ever hears "no such option" nobody would notice that it tests nothing.
    unheard = [verb for verb in verbs if not codes[verb, 0] and verb != "probe"] if arguments.runs >= 2000 else []
    if unheard:
        print("never successful:", *unheard)
    return 1 if findings or unheard else 0


if __name__ == "__main__":
    sys.exit(main())
