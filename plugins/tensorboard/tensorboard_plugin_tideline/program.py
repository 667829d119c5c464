"""The program behind the tab: `tideline serve` on a Unix socket, started at the first question, asked by HTTP, started
again once when it died. Nothing of it outlives TensorBoard: it ends when its standard input does, which the kernel closes
even after kill -9, and its socket loses its name as soon as it listens (it is reached through a descriptor)."""
import contextlib
import http.client
import importlib.util
import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from subprocess import PIPE

API = 1
START_SECONDS = 30
ANSWER_SECONDS = 120  # the program itself lets a request wait for 30
INSTALL = ("Install the Python package tideline, which has the program, into TensorBoard's environment, put `tideline` on PATH, or "
           "start TensorBoard with --tideline_program=PATH.")


class Refused(Exception):
    """What the page gets instead of an answer, in the words of the program's own errors."""

    def __init__(self, message, status=503, code="unavailable"):
        super().__init__(message)
        self.status, self.code = status, code


@contextlib.contextmanager
def answers():
    """A context in which answers of the program are read. Errors: Refused for whatever cannot be read, which is not what it
    answers."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, http.client.HTTPException) as problem:
        raise Refused(f"The program does not answer as Tideline does ({problem!r:.200}).", 502) from problem


def candidates(chosen):
    """Where the program may be: only what was chosen; or in the Python package tideline, on PATH."""
    if chosen:
        return [chosen]
    package = importlib.util.find_spec("tideline")
    folders = package and package.submodule_search_locations or ()
    paths = [*(os.path.join(folder, "bin/tideline") for folder in folders), shutil.which("tideline")]
    return [path for path in paths if path and os.path.exists(path)]


def start(path, arguments):
    """(process, its socket as a file without a name). Errors: Refused, and then nothing of it is left."""
    process, place, folder = None, None, tempfile.mkdtemp(prefix="tideline.")  # for this user alone
    name = os.path.join(folder, "socket")
    try:
        process = subprocess.Popen([path, "serve", "--socket", name, *arguments], stdin=PIPE, stdout=PIPE)
        said = first_line(process.stdout, START_SECONDS)
        if json.loads(said).get("api") != API:
            raise Refused(f'{path} is another version of Tideline: expected "api": {API}, it says {said}.')
        place = open(name, "rb", buffering=0, opener=lambda path, _: os.open(path, os.O_PATH))
        return process, place
    except (OSError, ValueError, AttributeError, RecursionError) as problem:
        raise Refused(f"{path}: {getattr(problem, 'strerror', 'it does not start as `tideline serve`')}.") from problem
    finally:
        if process and place is None:
            process.kill()
            process.wait()  # not for its output, which a child of it may have
            process.stdin.close()
            process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def first_line(stream, seconds):
    """What comes up to a newline, at most 1000 bytes, and what came so far when the time is over."""
    said, end = b"", time.monotonic() + seconds
    while len(said) < 1000 and b"\n" not in said:
        if not select.select([stream], [], [], max(0, end - time.monotonic()))[0]:
            break
        piece = os.read(stream.fileno(), 1000 - len(said))
        if not piece:
            break
        said += piece
    return said.decode("utf-8", "replace").strip()


def start_first(paths, arguments):
    """start() of the first that can be. Errors: Refused, with all that was wrong."""
    complaints = [] if paths else ["There is no program `tideline`."]
    for path in paths:
        try:
            return start(path, arguments)
        except Refused as complaint:
            complaints.append(str(complaint))
    raise Refused(" ".join([*complaints, INSTALL]))


class Program:
    """Thread: any. `chosen`: a path, or "" to look for it. `arguments()`: those of `serve`, beside --socket."""

    def __init__(self, chosen, arguments):
        self._chosen, self._arguments = chosen, arguments
        self._lock, self._process, self._place = threading.Lock(), None, None

    def ask(self, method, path, headers, body=None):
        """(connection, answer), an http.client.HTTPResponse whose body is still to be read; closing the connection is up to
        the caller. Errors: Refused."""
        for last in (False, True):
            process, place = self._running()
            connection = http.client.HTTPConnection("localhost")
            try:
                connection.sock = socket.socket(socket.AF_UNIX)
                connection.sock.settimeout(ANSWER_SECONDS)
                connection.sock.connect(f"/proc/self/fd/{place.fileno()}")
                connection.request(method, path, body, headers)
                return connection, connection.getresponse()
            except (OSError, http.client.HTTPException) as problem:
                connection.close()
                try:
                    code = process.wait(timeout=2)
                except subprocess.TimeoutExpired:
                    raise Refused(f"The program does not answer ({problem!r}).") from problem
                if last:
                    raise Refused(f"The program ended twice, exit code {code}: see TensorBoard's messages.") from problem

    def _running(self):
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._process, self._place = start_first(candidates(self._chosen), self._arguments())
            return self._process, self._place
