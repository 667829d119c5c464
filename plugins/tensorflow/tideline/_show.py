"""What the app shows of a live graph: its window, its pictures, its simulated step."""
import atexit
import contextlib
import csv
import hashlib
import io
import json
import os
import re
import shutil
import tempfile

import numpy

from . import _lines, _live, _program, _words
from ._tensorflow import editable

_MIB = 2 ** 20
_OWN_ID = re.compile(r'(id="|url\(#)([a-z][0-9]+)(?=["\)])')
_TITLE = "live graph"  # of pictures of graphs that have no file


def open_app(graph=None):
    """Starts the app on a copy of the graph, and returns its process (subprocess.Popen); the program goes on meanwhile, and
    what is edited in the app stays there: save its plan, and give it to tideline.apply. Errors: ExecutableMissing where
    no executable has a window."""
    _program.find(display=True)
    folder = tempfile.mkdtemp(prefix="tideline.")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "graph.meta")
    _live.write(path, _live.export(graph), _lines.frames(editable(graph)))
    return _program.start(path)


class Picture:
    """A picture of a graph. Notebooks show it."""

    def __init__(self, svg):
        self.svg = svg

    def __repr__(self):
        return "<tideline picture, {} bytes of SVG>".format(len(self.svg))

    def _repr_svg_(self):
        """A page may have several pictures, whose ids must not be the same: what one clips would clip the others."""
        mark = hashlib.sha256(self.svg.encode()).hexdigest()[:12]
        return _OWN_ID.sub(lambda found: "{}t{}_{}".format(found[1], mark, found[2]), self.svg)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def view(graph=None, view="both", **options):
    """The picture that `tideline render GRAPH --view VIEW OPTIONS` draws, as SVG: levels, memory or both. A graph that was edited
    is drawn with its swaps. `graph`: a tf.Graph, or the path of a file; None for the default graph. Options are those of the
    command, as in swapout_threshold=50, batch_size=10, size="900x600", theme="light"."""
    with _files(graph)() as (path, hide):
        return _draw(path, hide, ["--view=" + view] + _words.keywords(options))


def _files(graph):
    """Makes contexts: (the path of a file with the graph as it is now; the same if the caller does not know it, else None)."""
    if isinstance(graph, (str, bytes, os.PathLike)):
        return lambda: contextlib.nullcontext((os.fsdecode(graph), None))
    definition = _live.export(graph)
    frames = _lines.frames(editable(graph))

    @contextlib.contextmanager
    def written():
        with _live.written(definition, _TITLE, frames) as path:
            yield path, path

    return written


def _draw(path, hide, words):
    with tempfile.TemporaryDirectory(prefix="tideline.") as folder:
        picture = os.path.join(folder, "picture.svg")
        _program.run("render", path, "--output=" + picture, *words, hide=hide)
        with _program.answers(), open(picture, encoding="utf-8") as file:
            return Picture(file.read())


class Simulation:
    """Memory over a step, one entry for each of its ops.

    op (names), level: numpy arrays; level -1: the op has none. device_bytes, host_bytes: what is in use while the op runs;
    device_mib, host_mib: the same in MiB. summary: all else that `tideline simulate --json` says: device_peak_bytes, peak_op,
    alive_at_peak (with the line of the program that made each tensor), ... Notebooks show the memory chart.
    """

    def __init__(self, summary, rows, picture):
        self.summary = summary
        self.op = numpy.array([row["op"] for row in rows], dtype=object)
        self.level, self.device_bytes, self.host_bytes = (
            numpy.array([-1 if row[name] == "" else int(row[name]) for row in rows], dtype=numpy.int64)
            for name in ("level", "device_bytes", "host_bytes"))
        self.device_mib, self.host_mib = self.device_bytes / _MIB, self.host_bytes / _MIB
        self._picture = picture

    def __repr__(self):
        return "<tideline simulation of {} ops, {:.2f} MiB on the device at the peak>".format(
            len(self.op), self.summary["device_peak_bytes"] / _MIB)

    def _repr_svg_(self):
        return self._picture()._repr_svg_()


def simulate(graph=None, **options):
    """What `tideline simulate GRAPH OPTIONS` says about a step of the graph, as a Simulation. `graph` is what `view` takes. Options
    are those of the command: batch_size=10, swapout_threshold=50, device_memory="4GiB", branch={"cond": True}. as_run="exact",
    without a policy: the step of the graph that the graph optimizer of this TensorFlow makes, which is loaded for it, in a process
    of its own, and for the picture again."""
    words = _words.keywords(options)
    files = _files(graph)
    with files() as (path, hide):
        said = _program.run("simulate", path, "--json", *words, hide=hide)
        table = _program.run("simulate", path, "--csv", *words, hide=hide)
    drawn = ["--view=memory", "--size=1000x450", "--theme=light"] + [word for word in words if word != "--every-tensor"]

    def picture():
        with files() as (path, hide):
            return _draw(path, hide, drawn)

    with _program.answers():
        summary = json.loads(said)
        summary.pop("file", None)
        return Simulation(summary, list(csv.DictReader(io.StringIO(table))), picture)
