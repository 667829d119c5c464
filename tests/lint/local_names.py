"""Finds local names that two files of one room share.

`./app/run` compiles the files of a room as one (core/compile_together.cmake), and nothing else does: a struct, a constant
or a function of an unnamed namespace that another file of the room has as well is an error only there.
"""

import collections
import pathlib
import re
import sys

import sources

ROOTS = ("core", "render", "app")
# Rooms that are compiled together, as core/compile_together.cmake has them.
SAME = {"app/engine": "app/session", "app/actions": "app/session", "core/rewrite/plan": "core/rewrite"}

TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? ?\{")
CONSTANT = re.compile(r"^(?:inline |static )?const(?:expr)? [^;=({]*?\b(\w+)(?:\[\w*\])?(?: =| ?\{|;)")
FUNCTION = re.compile(r"^(?=\S)(?:static |constexpr |inline )*[\w:<>,&*\[\] ]+?[ &*](\w+)\(((?:[^()]|\([^()]*\))*)\)(?: const)? \{",
                      re.M)
NAMED = re.compile(r"^namespace ([\w:]+) \{$", re.M)
NESTED = re.compile(r"^namespace \w+ \{$.*?^\}  // namespace \w+$", re.M | re.S)
OPENING, CLOSING = re.compile(r"^namespace \{$", re.M), re.compile(r"^\}  // namespace$", re.M)


def local_parts(text):
    """The namespaces around unnamed ones, and what stands in these."""
    for begin in OPENING.finditer(text):
        end = CLOSING.search(text, begin.end())
        around = NAMED.findall(text, 0, begin.start())
        yield around[-1] if around else "", NESTED.sub("", text[begin.end():end.start() if end else len(text)])


def kinds_of(parameters):
    """The types of parameters, without their names and defaults."""
    words = [re.sub(r"\s*=.*", "", word).strip() for word in re.split(r",(?![^<(]*[>)])", parameters)]
    return ", ".join(re.sub(r"\s+\w+$", "", word) if " " in word else word for word in words)


def local_names(text):
    for around, part in local_parts(text):
        for line in part.splitlines():
            for rule in (TYPE, CONSTANT):
                if match := rule.match(line):
                    yield f"{around}::{match[1]}"
        for match in FUNCTION.finditer(part):
            if "template" not in part[max(0, match.start() - 60):match.start()].rsplit("\n\n", 1)[-1]:
                yield f"{around}::{match[1]}({kinds_of(' '.join(match[2].split()))})"


def problems(root):
    alone = re.findall(r"[\w/]+\.cc", (root / "core/compile_together.cmake").read_text(encoding="utf-8")) \
        if (root / "core/compile_together.cmake").exists() else []
    rooms = collections.defaultdict(lambda: collections.defaultdict(set))
    for top in ROOTS:
        for path in sorted((root / top).rglob("*.cc")):
            name = path.relative_to(root).as_posix()
            room = str(pathlib.PurePosixPath(name).parent)
            if name in alone:
                continue
            for local in local_names(path.read_text(encoding="utf-8")):
                rooms[SAME.get(room, room)][local].add(name)
    return [f"{sorted(files)[0]}: {local} is also in {', '.join(sorted(files)[1:])}, which ./app/run compiles together with it"
            for names in rooms.values() for local, files in sorted(names.items()) if len(files) > 1]


if __name__ == "__main__":
    sys.exit(sources.report(problems(sources.ROOT)))
