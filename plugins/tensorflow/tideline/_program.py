"""The executable `tideline`: which one is used, and running it.

The first of these: what $TIDELINE names, the one in this package, the first on PATH. Pictures as PNG and windows need one
that was built with them, which the one in this package is not: for these, the first that has them.
"""
import os
import pathlib
import re
import shutil
import subprocess

from .errors import ExecutableFailed, ExecutableMissing, ExecutableTooOld, Refused

NEEDED = "0.1.0"
OWN = pathlib.Path(__file__).resolve().parent / "bin" / "tideline"
_HOW = ("set TIDELINE to the path of the program `tideline`, or put it on PATH; the desktop app of Tideline brings one "
        "(app/run builds it)")


class Output(str):
    """What the executable printed; `warnings` is what it wrote to its error output, in lines without its name."""
    warnings = ()


def find(display=False):
    """The path of the executable. `display`: of one that draws PNG and opens windows. Errors: ExecutableMissing, and
    ExecutableTooOld."""
    headless = []
    for path in _candidates():
        _check_version(path)
        if not display or _has_display_parts(path):
            return path
        headless.append(path)
    if headless:
        raise ExecutableMissing("PNG pictures and windows need a program `tideline` that was built with its desktop app; "
                                "without it {} built: {}; {}".format(
                                    "was" if len(headless) == 1 else "were", ", ".join(headless), _HOW))
    raise ExecutableMissing("there is no program `tideline`, which does the work: " + _HOW)


def has_display():
    """Whether find(display=True) finds one."""
    try:
        return bool(find(display=True))
    except ExecutableMissing:
        return False


def run(*arguments, display=False, hide=None):
    """What `tideline ARGUMENTS` prints. `hide`: the path of a file that the caller does not know, which is left out of
    messages. Errors: those of find; Refused, and ExecutableFailed for all other exit codes."""
    command = [find(display)] + [str(argument) for argument in arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    said = done.stderr.decode("utf-8", "replace")
    if hide is not None:
        said = said.replace("{}: ".format(hide), "").replace(str(hide), "the graph")
    lines = [re.sub(r"^tideline: (warning: )?", "", line) for line in said.strip().splitlines()]
    if done.returncode != 0:
        kind = Refused if done.returncode in (1, 2, 3) else ExecutableFailed
        raise kind("\n".join(lines) or "tideline {}: exit code {}".format(arguments[0], done.returncode), done.returncode)
    output = Output(done.stdout.decode("utf-8", "replace"))
    output.warnings = tuple(lines)
    return output


def start(*arguments):
    """Starts the app beside this process, as a subprocess.Popen. Errors: those of find."""
    return subprocess.Popen([find(display=True)] + [str(argument) for argument in arguments], stdin=subprocess.DEVNULL)


def _candidates():
    chosen = os.environ.get("TIDELINE")
    if chosen:
        if not shutil.which(chosen):
            raise ExecutableMissing("TIDELINE={}: there is no such program; expected the path of `tideline`".format(chosen))
        return [shutil.which(chosen)] + [path for path in _others()]
    return _others()


def _others():
    own = [str(OWN)] if OWN.exists() else []
    on_path = shutil.which("tideline")
    return own + ([on_path] if on_path else [])


_versions = {}
_display_parts = {}


def _key(path):
    status = os.stat(path)
    return path, status.st_mtime_ns, status.st_size


def _check_version(path):
    key = _key(path)
    if key not in _versions:
        try:
            done = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL)
        except OSError as problem:
            raise ExecutableMissing("{}: {}; {}".format(path, problem.strerror, _HOW))
        said = done.stdout.decode("utf-8", "replace").strip()
        match = re.match(r"tideline (\d+(?:\.\d+)+)\b", said)
        if done.returncode != 0 or not match:
            raise ExecutableMissing("{}: is not `tideline`: --version says: {}".format(path, said[:200]))
        _versions[key] = match.group(1)
    found = _versions[key]
    if _numbers(found) < _numbers(NEEDED):
        raise ExecutableTooOld("{}: is version {}; this package needs {} or later".format(path, found, NEEDED), found,
                               NEEDED)


def _numbers(version):
    return [int(number) for number in version.split(".")]


def _has_display_parts(path):
    """Without them, a PNG is refused as wrong usage (2), before the graph is looked for (1)."""
    key = _key(path)
    if key not in _display_parts:
        done = subprocess.run([path, "render", "./-", "-o", "./-.png"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=str(pathlib.Path(__file__).parent))
        _display_parts[key] = done.returncode == 1
    return _display_parts[key]
