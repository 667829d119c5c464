"""Guards the walls between the rooms by looking at #include lines.

Which room may know which: the picture in assets/docs/architecture.md. A header of another room, or of a
library kept behind a wall, is a problem wherever the tables below do not allow it.
"""

import pathlib
import re
import sys

import sources

# A room knows itself and what stands here. The five in the middle of the core stand in a row: each
# knows all before it.
CORE = {
    "core/base": (),
    "core/graph": ("core/base",),
    "core/analysis": ("core/base", "core/graph"),
    "core/memory": ("core/base", "core/graph", "core/analysis"),
    "core/rewrite": ("core/base", "core/graph", "core/analysis", "core/memory"),
    "core/io": ("core/base", "core/graph"),
    "core/events": ("core/base", "core/graph", "core/io"),
    "core/devices": ("core/base",),
    "core/checkpoint": ("core/base", "core/graph", "core/io", "core/devices"),
    "core/runtime": ("core/base", "core/graph", "core/io", "core/checkpoint"),
}
# Drawing gets values, never files: it does not see the rooms that read them.
VALUES = ("core/base", "core/graph", "core/analysis", "core/memory", "core/rewrite", "core/events")
SESSION = ("app/engine", "app/session", "app/actions")
ROOMS = {
    **CORE,
    "render/view": VALUES,
    # What a front shows and what it is asked for: no word of a window, so that others can draw it.
    "render/model": (*VALUES, "render/view"),
    "render/gl": ("core/base",),
    "render/ui": (*VALUES, "render/view", "render/model", "render/gl"),
    # Opens, plans, simulates, writes: what the command line and the window do alike, without a viewer.
    "app/engine": (*CORE, "render/view", "render/model"),
    # Documents, jobs, viewer; and on top the table of actions, with what scripts and fronts make of it.
    "app/session": (*CORE, "render/view", "render/model", "app/engine"),
    "app/actions": (*CORE, "render/view", "render/model", "app/engine", "app/session"),
    # Fronts on one session: none knows another, but the command line starts the server.
    "app/gui": (*CORE, "render/view", "render/model", "render/gl", "render/ui", *SESSION),
    "app/web": (*CORE, "render/view", "render/model", *SESSION),
    "app/cli": (*CORE, "render/view", "render/model", *SESSION, "app/web"),
    "app": ("core/runtime", "app/gui", "app/cli"),  # main, which puts them together
}

# (header, where it may be included, why). Tests may include everything.
LIBRARIES = (
    (r"google/protobuf/.*|.*\.pb\.h", r"core/(io|events)/[^/]+\.cc|core/io/same_message\.h",
     "protobuf stays inside core/io and core/events, out of headers that get installed"),
    (r"nlohmann/.*", r"core/rewrite/([a-z0-9]+/)?[a-z_]+_json(_reader)?\.(cc|h)|core/rewrite/plan_report\.h|core/checkpoint/(extras|file_config|safetensors[a-z_]*)\.cc|plugins/tensorflow/ops/host\.cc|app/.*",
     "JSON is how plans and answers are written, and the header of safetensors"),
    (r"boost/.*", r"app/web/(connection|listener)\.cc", "they are the server; the headers are slow to compile"),
    (r"zlib\.h", r"app/web/connection\.cc|core/checkpoint/inflated_file\.cc",
     "one place packs answers, and one reads what is packed"),
    (r"minizip/.*", r"app/web/made_files\.cc", "one place makes archives"),
    (r"snappy.*", r"core/checkpoint/table_block\.cc", "one place unpacks blocks of tables"),
    (r"CLI/.*", r"app/cli/command_line\.cc", "one file parses arguments: the header is slow to compile"),
    (r"dlfcn\.h", r"core/(checkpoint|devices|runtime)/.*|app/gui/lost_display\.cc|plugins/tensorflow/ops/host\.cc",
     "only these rooms load libraries; the window asks the X library that is there already, the ops where they lie"),
    (r"nettle/.*", r"core/(io/digest|base/base64)\.cc", "one place computes digests, and one base64"),
    (r"re2/.*", r"core/base/name_pattern\.cc", "one place matches regular expressions"),
    (r"xxhash\.h", r"core/(graph/name_index|analysis/as_run/folding)\.cc", "names are hashed in one place, ops that compute the same in another"),
    (r"(backends/)?imgui.*", r"(render/ui|render/gl|app/gui)/.*", "panels and the window only"),
    (r"(GL|EGL|GLFW)/.*", r"(render/gl|app/gui)/.*", "drawing and the window only"),
    (r"png\.h", r"render/gl/.*", "one place makes pictures"),
    (r"cmark-gfm.*", r"render/model/parse_markdown\.cc", "one place reads Markdown"),
    (r"cuda.*", r"plugins/cuda/.*", "CUDA stays in its plugin"),
)

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')

# The library of checkpoints goes into plugins, and these headers are all that is compiled for it.
IN_PLUGINS = r"core/(base|checkpoint|devices)/.*|core/graph/(dtype|element_type|shape)\.h|core/io/(foreign_files|npy|wire)\.h"

# The command line stands on the engine; only where it plays a script it has a viewer.
VIEWERS = ("app/session", "app/actions")
PLAYS_SCRIPTS = ("app/cli/script.cc", "app/cli/lesson.cc", "app/cli/front.h", "app/cli/report.cc", "app/cli/open_viewer.cc",
                 "app/cli/open_viewer.h")

# Pixels come from OpenGL where a picture is made without a window, and nowhere else among the panels.
FRAMES = r"render/ui/offscreen_frame\.(h|cc)"


def room_of(path):
    """core/graph, render/view, app/cli, plugins or tests; None for a header of somebody else."""
    parts = path.split("/")
    if parts[0] in ("core", "render", "app"):
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]
    return parts[0] if parts[0] in ("plugins", "tests") else None


def wall(path, header):
    """Why `path` may not include `header`; None when it may."""
    here, there = room_of(path), room_of(header)
    if here == "tests":
        return None
    if here in CORE or here in ROOMS:
        if there is not None and there != here and there not in ROOMS[here]:
            return f"{here} does not know {there}"
        if here == "core/checkpoint" and there is not None and not re.fullmatch(IN_PLUGINS, header):
            return "core/checkpoint goes into plugins; expected types, shapes, wire format and npy alone"
        if here == "app/cli" and there in VIEWERS and path not in PLAYS_SCRIPTS:
            return f"the command line knows no viewer; expected {there} for scripts, lessons and reports alone"
        if here == "render/ui" and there == "render/gl" and not re.fullmatch(FRAMES, path):
            return "panels know no OpenGL; expected it in offscreen_frame alone"
    elif here != "plugins":
        return f"no room of this name is known: {here} (see tests/lint/layers.py)"
    for name, allowed, why in LIBRARIES:
        if re.fullmatch(name, header) and not re.fullmatch(allowed, path):
            return why
    return None


def problems(root):
    found = []
    for path in sources.files(root, ".h", ".cc", ".c", ".cu"):
        text = (root / path).read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            reason = wall(path, match[1]) if match else None
            if reason:
                found.append(f"{path}:{number}: includes {match[1]}: {reason}")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
