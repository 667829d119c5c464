"""One trace rewritten: exported, planned by the program, built; and what is known of it afterwards."""
import atexit
import json
import os
import shutil
import tempfile
import weakref

from ... import _gpu_copies, _lines, _live, _program, _show, _words
from ..._tensorflow import tf
from . import build, export, refusals

_EXCLUDED = "--excl-input-by-scopes="


class Trace:
    """A trace with its swaps. `plan`: the plan's JSON (a dict); `warnings`, `said`: lines of the program; `predicted`: the peaks
    before and after, as the plan has them; `function`: the rewritten ConcreteFunction."""

    def __init__(self, plan, function, frames=()):
        self._frames = frames  # of the ops of the original, which the rewritten ones do not have
        self.plan, self.warnings, self.said = dict(plan), tuple(plan.warnings), tuple(plan.said)
        self.predicted = dict(self._swapping().get("predicted") or {})
        self.function = function

    def __repr__(self):
        return "<tideline trace of {}: {} swaps>".format(self.function.name, len(self._swapping().get("swaps", ())))

    def _swapping(self):
        """With inlined calls a plan is a chain, whose last link has the swaps."""
        return self.plan["plans"][-1] if self.plan.get("kind") == "chain" else self.plan

    def view(self, view="both", **options):
        """The picture of its graph, as tideline.view draws it."""
        with self._file() as path:
            return _show._draw(path, path, ["--view=" + view] + self._body() + _words.keywords(options))

    def open(self):
        """Starts the app on a copy of its graph, as tideline.open does."""
        _program.find(display=True)
        folder = tempfile.mkdtemp(prefix="tideline.")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, "trace.meta")
        _live.write(path, export.meta_graph(self.function), self._source_lines())
        return _program.start(path, *self._body())

    def _file(self):
        return _live.written(export.meta_graph(self.function), "trace.meta", self._source_lines())

    def _source_lines(self):
        inlined = self.plan["plans"][0].get("inlined", ()) if self.plan.get("kind") == "chain" else ()
        return _lines.renamed(self._frames, [(call["op"], call["function"]) for call in inlined])

    def _body(self):
        body = export.body_of_step(self.function.graph.as_graph_def())
        return ["--function=" + body] if body else []


class Rewriting:
    """What is done to every trace of a function or of a model's step. `mode`, `words`: as for `tideline rewrite MODE`; `inline`: calls
    are inlined before."""

    def __init__(self, mode, words, inline=False):
        self.mode, self.inline = mode, inline
        self.words = [str(word) for word in words] + (["--inline"] if inline else [])
        self.optimizer_scopes = ()  # of a model of Keras, as it is when a step is traced
        self._traces = []  # weak: what TensorFlow forgets is not kept here

    def check(self):
        """Errors: tideline.Refused for options that are wrong whatever the graph is."""
        refusals.check_options(self.mode, self.words)

    def is_like(self, other):
        return (self.mode, self.words) == (other.mode, other.words)

    @property
    def traces(self):
        """Those that are alive, in their order."""
        self._traces = [trace for trace in self._traces if trace() is not None]
        return [trace() for trace in self._traces]

    def rewrite(self, concrete, is_own):
        """The ConcreteFunction with swaps. `is_own`: nobody else has `concrete`, which may be taken apart. Errors: tideline.Refused,
        and others of tideline; all else is as before then."""
        refusals.check_trace(concrete)
        meta = export.meta_graph(concrete)
        body = export.body_of_step(meta.graph_def)
        if self.inline and body is not None and export.is_called(meta.graph_def, body):
            body = None
        frames = _lines.frames(concrete.graph)
        is_imported = body is not None or self.inline or not is_own
        plan, written = self._plan(meta, body, is_imported)
        for line in plan.warnings:
            tf.logging.warn("[LMS] " + line)
        if is_imported:
            function = build.imported(concrete, written)
        else:
            function = build.in_place(concrete, plan, meta.graph_def)
        function.graph.tideline_trace = trace = Trace(plan, function, frames)
        self._traces.append(weakref.ref(trace))
        return function

    def _all_words(self):
        """Grappler regroups the arithmetic of optimizers, too: to keep fusions, their ops read no copies."""
        if self.mode != "lms2" or "--keep-fusion" not in self.words or not self.optimizer_scopes:
            return self.words
        given = [word for word in self.words if word.startswith(_EXCLUDED)]
        names = [word[len(_EXCLUDED):] for word in given] + [scope + "?" for scope in self.optimizer_scopes]
        return [word for word in self.words if word not in given] + [_EXCLUDED + ",".join(names)]

    def _plan(self, meta, body, is_written):
        """(plan, the GraphDef that it makes; None unless `is_written`)."""
        with _live.written(meta) as path:
            folder = os.path.dirname(path)
            result, plan_path = os.path.join(folder, "result.meta"), os.path.join(folder, "plan.json")
            words = self._all_words() + ["--plan-json", plan_path] + (["--function", body] if body else [])
            output = _program.run("rewrite", self.mode, path, *words, *(["-o", result] if is_written else []), hide=path)
            with _program.answers(), open(plan_path, encoding="utf-8") as file:
                plan = _live.Plan(json.load(file))
            _gpu_copies.check_plan(plan)
            plan.said = tuple(line for line in output.splitlines() if not line.startswith("wrote "))
            plan.warnings = output.warnings
            if not is_written:
                return plan, None
            with _program.answers(), open(result, "rb") as file:
                return plan, tf.MetaGraphDef.FromString(file.read()).graph_def
