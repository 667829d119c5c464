"""What the app shows of a live graph: its window, its pictures, its simulated step."""
import atexit
import csv
import io
import json
import os
import shutil
import tempfile

import numpy

from . import _live, _program, _words


def open_app(graph=None):
    """Starts the app on a copy of the graph, and returns its process (subprocess.Popen); the program goes on meanwhile, and
    what is edited in the app stays there: save its plan, and give it to tideline.apply. Errors: ExecutableMissing where
    no executable has a window."""
    _program.find(display=True)
    folder = tempfile.mkdtemp(prefix="tideline.")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "graph.meta")
    with open(path, "wb") as file:
        file.write(_live.export(graph).SerializeToString(deterministic=True))
    return _program.start(path)


class Picture:
    """A picture of a graph. Notebooks show it."""

    def __init__(self, svg):
        self.svg = svg

    def __repr__(self):
        return "<tideline picture, {} bytes of SVG>".format(len(self.svg))

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def view(graph=None, view="both", **options):
    """The picture that `tideline render GRAPH --view VIEW OPTIONS` draws, as SVG: levels, memory or both. Options are those
    of the command, as in swapout_threshold=50, batch_size=10, size="900x600", theme="light"."""
    return _draw(_live.export(graph), ["--view=" + view] + _words.keywords(options))


def _draw(meta_graph, words):
    with _live.written(meta_graph) as path:
        picture = os.path.join(os.path.dirname(path), "picture.svg")
        _program.run("render", path, "--output=" + picture, *words, hide=path)
        with _program.answers(), open(picture, encoding="utf-8") as file:
            return Picture(file.read())


class Simulation:
    """Memory over a step, one entry for each of its ops.

    op (names), level: numpy arrays; level -1: the op has none. device_bytes, host_bytes: what is in use while the op runs.
    summary: all else that `tideline simulate --json` says: device_peak_bytes, peak_op, alive_at_peak, ...
    Notebooks show the memory chart.
    """

    def __init__(self, summary, rows, picture):
        self.summary = summary
        self.op = numpy.array([row["op"] for row in rows], dtype=object)
        self.level, self.device_bytes, self.host_bytes = (
            numpy.array([-1 if row[name] == "" else int(row[name]) for row in rows], dtype=numpy.int64)
            for name in ("level", "device_bytes", "host_bytes"))
        self._picture = picture

    def __repr__(self):
        return "<tideline simulation of {} ops, {} bytes on the device at the peak>".format(
            len(self.op), self.summary.get("device_peak_bytes"))

    def _repr_svg_(self):
        return self._picture().svg


def simulate(graph=None, **options):
    """What `tideline simulate GRAPH OPTIONS` says about a step of the graph, as a Simulation. Options are those of the command:
    batch_size=10, swapout_threshold=50, device_memory="4GiB", branch={"cond": True}. as_run="exact", without a policy: the step of
    the graph that the graph optimizer of this TensorFlow makes, which is loaded for it, in a process of its own, and for the
    picture again."""
    words = _words.keywords(options)
    definition = _live.export(graph)
    with _live.written(definition) as path:
        said = _program.run("simulate", path, "--json", *words, hide=path)
        table = _program.run("simulate", path, "--csv", *words, hide=path)
    drawn = ["--view=memory"] + [word for word in words if word != "--every-tensor"]
    with _program.answers():
        summary = json.loads(said)
        summary.pop("file", None)
        return Simulation(summary, list(csv.DictReader(io.StringIO(table))), lambda: _draw(definition, drawn))
