"""The executable `tideline`: which one is used, and running it.

The first of these: what $TIDELINE names, the one in this package, the first on PATH. Pictures as PNG and windows need one
that was built with them, which the one in this package is not: for these, the first that has them.
"""
import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import time

from .errors import Error, ExecutableFailed, ExecutableMissing, ExecutableTooOld, Refused

NEEDED = "0.1.0"
VERSION_SECONDS = 20
OWN = pathlib.Path(__file__).resolve().parent / "bin" / "tideline"
_HOW = ("set TIDELINE to the path of the program `tideline`, or put it on PATH; the desktop app of Tideline brings one "
        "(app/run builds it)")

# The executable names options, of which the keyword arguments of this package are made.
_OPTION = re.compile(r"(?<![\w-])--(?!help\b)([a-z][a-z-]*[a-z])")


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


def run(*arguments, display=False, hide=None, answers=(0,)):
    """What `tideline ARGUMENTS` prints. `hide`: the path of a file that the caller does not know, which is left out of
    messages. `answers`: exit codes with which it has answered if it printed anything. Errors: those of find; Refused, and
    ExecutableFailed for all other exit codes."""
    command = [find(display)] + [str(argument) for argument in arguments]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=_environment())
    except OSError as problem:
        raise _cannot_start(command[0], problem)
    lines = _complaints(done.stderr, hide)
    if done.returncode not in answers or done.returncode != 0 and not done.stdout:
        raise _failure(arguments[0], lines, done.returncode)
    output = Output(done.stdout.decode("utf-8", "replace"))
    output.warnings = tuple(lines)
    return output


def start(*arguments):
    """Starts the app beside this process, as a subprocess.Popen. Errors: those of find."""
    command = [find(display=True)] + [str(argument) for argument in arguments]
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, env=_environment())
    except OSError as problem:
        raise _cannot_start(command[0], problem)


def beside(*arguments, stderr):
    """Starts `tideline ARGUMENTS` beside this process, as a subprocess.Popen with pipes for its input and output. Ctrl+C in this
    process does not end it. Errors: those of find."""
    command = [find()] + [str(argument) for argument in arguments]
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=_environment(),
                                start_new_session=True)
    except OSError as problem:
        raise _cannot_start(command[0], problem)


def refuse(verb, complaints, code):
    """Raises what `run` raises for this exit code and these bytes of the error output; returns if there is no error."""
    if code:
        raise _failure(verb, _complaints(complaints), code)


def _complaints(stderr, hide=None):
    """The lines of the error output without the name of the program, in the words of Python."""
    said = stderr.decode("utf-8", "replace")
    if hide is not None:
        said = said.replace("{}: ".format(hide), "").replace(str(hide), "the graph")
    return [_OPTION.sub(lambda option: option[1].replace("-", "_"), re.sub(r"^tideline: (warning: )?", "", line))
            for line in said.strip().splitlines()]


def _failure(verb, lines, code):
    kind = Refused if code in (1, 2, 3) else ExecutableFailed
    return kind("\n".join(lines) or "tideline {}: exit code {}".format(verb, code), code)


@contextlib.contextmanager
def answers():
    """A context in which answers of the executable are read. Errors: ExecutableFailed for whatever cannot be read, which is
    not what `tideline` answers."""
    try:
        yield
    except Error:
        raise
    except Exception as problem:
        raise ExecutableFailed("{}: it does not answer as `tideline` does: {}: {}".format(
            find(), type(problem).__name__, problem), 0)


def _environment():
    """That of this process; what runs exactly as TensorFlow runs it is asked of the TensorFlow of this Python."""
    return {"TIDELINE_TF_PYTHON": sys.executable, **os.environ} if sys.executable else None


def _cannot_start(path, problem):
    return ExecutableMissing("{}: {}; {}".format(path, problem.strerror or problem, _HOW))


def _candidates():
    chosen = os.environ.get("TIDELINE")
    if chosen:
        path = shutil.which(chosen)
        if not path:
            raise ExecutableMissing("TIDELINE={}: there is no such program; expected the path of `tideline`".format(chosen))
        return ([] if _is_main(path) else [path]) + _others()  # the script would start itself without end
    return _others()


def _others():
    own = [str(OWN)] if OWN.exists() else []
    on_path = shutil.which("tideline")
    return own + ([on_path] if on_path and not _is_main(on_path) else [])


def _is_main(path):
    """Whether it is the script that pip makes of `main`, which would run another of the candidates."""
    try:
        with open(path, "rb") as file:
            start = file.read(2000)
    except OSError:  # a program that may be run but not read
        return False
    return start.startswith(b"#!") and b"tideline._program" in start


def main():
    """The command `tideline` of an installed package: becomes the program, with the arguments of this process."""
    try:
        path = find()
        os.execve(path, ["tideline"] + sys.argv[1:], _environment() or os.environ)
    except (ExecutableMissing, ExecutableTooOld, OSError) as problem:
        sys.exit("tideline: {}".format(problem))


_versions = {}
_display_parts = {}


def _key(path):
    try:
        status = os.stat(path)
    except OSError as problem:
        raise _cannot_start(path, problem)
    return path, status.st_mtime_ns, status.st_size


def _asked(command, **options):
    """(what it prints, at most 4 KiB; its exit code, or None if it had to be ended after VERSION_SECONDS). Errors:
    ExecutableMissing."""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True, **options)
    except OSError as problem:
        raise _cannot_start(command[0], problem)
    said, end, most = b"", time.time() + VERSION_SECONDS, 4096
    try:
        while len(said) < most and time.time() < end:
            has_ended = process.poll() is not None  # what it started may keep its output open
            if select.select([process.stdout], [], [], 0.05)[0]:
                piece = os.read(process.stdout.fileno(), most - len(said))
                if not piece:
                    break
                said += piece
            elif has_ended:
                break
        try:
            return said, process.wait(max(0.1, end - time.time()) if len(said) < most else 0.1)
        except subprocess.TimeoutExpired:
            return said, None
    finally:
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)  # with what it started
            process.wait()
        process.stdout.close()


def _check_version(path):
    key = _key(path)
    if key not in _versions:
        printed, code = _asked([path, "--version"])
        said = re.sub(r"[^\x20-\x7e]", "?", printed.decode("utf-8", "replace").strip())[:200]
        match = re.match(r"tideline ([0-9]{1,6}(?:\.[0-9]{1,6}){1,5})(?![0-9.])", said)
        if code is None:
            raise ExecutableMissing("{}: is not `tideline`: --version does not end within {} s; it said: {}".format(
                path, VERSION_SECONDS, said))
        if code != 0 or not match:
            raise ExecutableMissing("{}: is not `tideline`: --version says: {}".format(path, said))
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
        _, code = _asked([path, "render", "./-", "-o", "./-.png"], cwd=str(pathlib.Path(__file__).parent))
        _display_parts[key] = code == 1
    return _display_parts[key]
