"""The page of `tideline serve` in a notebook.

The program runs beside this process and ends with it, however that ends: it reads the other end of a pipe. A page is shown in a
frame only on pages of one origin, that of the notebook, which cannot be asked for: the browser knows it, and this process at most the
address that Jupyter gave itself.
"""
import atexit
import html
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time
import urllib.parse

from . import _program, _words
from .errors import ExecutableFailed

_DEFAULT = "http://localhost:8888"
_SECONDS = 60  # until the program has to listen
_ADDRESS = re.compile(r"http://\S+/#token=[0-9a-f]{64}")

_pages = set()


class Page:
    """A page of `tideline serve`. Notebooks show it in a frame.

    url: its address, with the key to it, for a tab of its own; None when it is closed. origin: whose pages may frame it.
    """

    def __init__(self, process, url, origin, height, folder):
        self.url, self.origin = url, origin
        self._process, self._height, self._folder = process, height, folder
        _pages.add(self)  # a frame outlives the name in the notebook

    def close(self):
        """Ends the program; the frame is empty then."""
        _pages.discard(self)
        self.url = None
        _end(self._process)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return "<tideline page, {}>".format("closed" if self.url is None else self.url.partition("#")[0])

    def _repr_html_(self):
        if self.url is None:
            return "<p>This page is closed.</p>"
        url, origin = html.escape(self.url), html.escape(self.origin)
        return ('<iframe src="{0}" title="Tideline" width="100%" height="{1}" style="border: 1px solid #888"></iframe>'
                '<p><a href="{0}" target="_blank" rel="noopener">In a tab of its own</a>. If the frame stays empty: only pages of '
                '{2} may show it. Give <code>show(origin=...)</code> what the address of this notebook begins with.</p>').format(
                    url, self._height, origin)


def show(graph=None, height=700, origin=None, **options):
    """Starts `tideline serve` on a graph and returns its Page, which a notebook shows in a frame: the levels, memory and swaps, and
    the what-if of the app. `graph`: a tf.Graph, of which the page gets a copy, or the path of a file or log; None for the default
    graph. What is edited on the page stays there: save its plan, and give it to tideline.apply. `height`: of the frame, in pixels.

    `origin`: what the address of the notebook begins with, as http://localhost:8888; without it the address that Jupyter has written
    down for the server which started this kernel, or else that one. Other options are those of the command, as write="results".
    The page ends with `close()`, or with this process. Errors: tideline.Refused, also for what is no origin."""
    origin = _origin() if origin is None else origin
    words = _words.text("frame_origin", origin) + _words.keywords(options)
    folder = None
    if isinstance(graph, (str, bytes, os.PathLike)):
        path = os.fsdecode(graph)
    else:
        from . import _lines, _live  # need TensorFlow
        from ._tensorflow import editable
        folder = tempfile.mkdtemp(prefix="tideline.")
        path = os.path.join(folder, "graph.meta")
    try:
        if folder is not None:
            _live.write(path, _live.export(graph), _lines.frames(editable(graph)))
        process, url = _served(path, words)
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Page(process, url, origin, int(height), folder)


def _served(path, words):
    """(process, address) once it listens."""
    with tempfile.TemporaryFile() as complaints:
        process = _program.beside("serve", path, "--until-input-ends", *words, stderr=complaints)
        try:
            said = _first_line(process)
            found = _ADDRESS.fullmatch(said.strip())
            if found:
                return process, found.group()
            _end(process)
            complaints.seek(0)
            _program.refuse("serve", complaints.read().replace(b"--frame-origin", b"origin"), process.returncode)
            raise ExecutableFailed("tideline serve: it does not say its address: {!r}".format(said[:200]), process.returncode)
        except BaseException:
            _end(process)
            raise


def _first_line(process):
    """What there is of it when the program ends, or after _SECONDS."""
    said, until = b"", time.time() + _SECONDS
    while b"\n" not in said and time.time() < until:
        if select.select([process.stdout], [], [], 0.1)[0]:
            piece = os.read(process.stdout.fileno(), 4096)
            if not piece:
                break
            said += piece
    return said.decode("utf-8", "replace").partition("\n")[0]


def _end(process):
    if process.poll() is None:
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    process.stdin.close()
    process.stdout.close()


def _origin():
    """That of the server which started this kernel, where it has written its address down; else Jupyter's usual one."""
    number = os.environ.get("JPY_PARENT_PID", "")
    for name in ("jpserver-{}.json", "nbserver-{}.json"):
        try:
            said = json.loads((_runtime_folder() / name.format(number)).read_text(encoding="utf-8"))["url"]
            address = urllib.parse.urlsplit(said)
        except (ImportError, OSError, ValueError, KeyError, TypeError):
            continue
        return "{}://{}".format(address.scheme, address.netloc)
    return _DEFAULT


def _runtime_folder():
    if "JUPYTER_RUNTIME_DIR" in os.environ:
        return pathlib.Path(os.environ["JUPYTER_RUNTIME_DIR"])
    from jupyter_core.paths import jupyter_runtime_dir  # comes with every kernel
    return pathlib.Path(jupyter_runtime_dir())


@atexit.register
def _close_all():
    for page in list(_pages):
        page.close()
