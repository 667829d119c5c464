"""format: is every C++ file as clang-format 14 writes it?   tidy BUILD_FOLDER: does clang-tidy 14 agree?

Exit code 77 (skipped) where the tool is missing or is another version, which would judge differently.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import sources

VERSION = "14"
SKIPPED = 77


def find_tool(name):
    """The path of version 14 of `name`, or None."""
    for candidate in (f"{name}-{VERSION}", name):
        path = shutil.which(candidate)
        if path:
            text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(rf"version {VERSION}\.", text):
                return path
    return None


def complaints(command):
    """What the tool says when it is not content; nothing when it is."""
    done = subprocess.run(command, cwd=sources.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return [done.stdout.rstrip()] if done.returncode else []


def run_all(commands):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [line for lines in pool.map(complaints, commands) for line in lines]


def check_format(tool):
    paths = sources.files(sources.ROOT, ".h", ".cc")
    # Eight processes: one alone takes a second, one for each file as long again to start.
    batches = [paths[start::8] for start in range(8)]
    said = run_all([tool, "--dry-run", "-Werror", *batch] for batch in batches if batch)
    places = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", "\n".join(said), re.M)))
    return [f"{path} is not as clang-format writes it; mend: {tool} -i {path}" for path in places] or said


def without_precompiled_header(command):
    """GCC's is nothing that clang could read, and every source includes what it needs."""
    return re.sub(r" -(?:Winvalid-pch|fpch-preprocess|include \S*cmake_pch\.hxx)(?= |$)", "", command)


def check_tidy(tool, build):
    """The product's own sources; a test's are mostly macros of Catch2."""
    database = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    paths = {pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in database}
    ours = sorted(path.relative_to(sources.ROOT).as_posix() for path in paths
                  if any(path.is_relative_to(sources.ROOT / room) for room in ("core", "app", "render")))
    for entry in database:
        entry["command"] = without_precompiled_header(entry["command"])
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
        return run_all([tool, "--quiet", "-p", folder, path] for path in ours)


def main(arguments):
    name = f"clang-{arguments[0]}"
    tool = find_tool(name)
    if tool is None:
        print(f"SKIP: {name} {VERSION} is not installed")
        return SKIPPED
    if arguments[0] == "format":
        return sources.report(check_format(tool))
    return sources.report(check_tidy(tool, pathlib.Path(arguments[1]).resolve()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
