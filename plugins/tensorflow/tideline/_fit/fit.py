"""tideline.fit: whether a training step fits a device, the largest batch that does, and the ways to make it fit."""
import json
import os

from .. import _program, _words
from . import card, text
from .step import step_of

_ANSWERS = (0, 3)  # exit codes: it fits or some way does; nothing fits
_NAME = "graph.meta"


class Fit:
    """What `tideline fit` says about a step. Members of its JSON are attributes: fits, largest_batch, device_peak_bytes,
    budget_bytes, kinds, layers, alive_at_peak, ways, ... `summary`: all of them, as a dict. Notebooks show a card.

    The commands of `ways` read a file `graph.meta`, which `write` makes; those of a path, that path.
    """

    def __init__(self, summary, step):
        self.summary, self._step = summary, step

    def __getattr__(self, name):
        try:
            return self.__dict__["summary"][name]
        except KeyError:
            raise AttributeError("'Fit' has no attribute {!r}; tideline.Fit.summary has all that was said".format(name)) from None

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self.summary))

    def __repr__(self):
        return "<tideline fit: {}>".format(text.verdict(self.summary))

    def __str__(self):
        return text.explained(self.summary)

    def _repr_svg_(self):
        return card.drawn(self.summary)

    def write(self, path=_NAME):
        """Writes the graph of the step for the commands of `ways`."""
        with self._step.file() as source, open(source, "rb") as file, open(path, "wb") as copy:
            copy.write(file.read())


def fit(model=None, *specs, device="v100", batch_size=None, loss=None, optimizer=None, **options):
    """Whether a training step of `model` fits `device`, as a Fit. Nothing is trained, nothing is run, no device is needed.

    model: a Keras model of eager TensorFlow 2 (Keras 2, and Keras 3 with the backend TensorFlow), with `specs` of inputs and
    labels where these should not be those of the model, a batch of data, or a data set; compiled, or with `loss` and
    `optimizer`. A Keras model of graph mode. A function, also a tf.function, with what it is called with, TensorSpecs or data.
    An Estimator, with its input_fn. A tf.Graph; None for the default graph. A path, as the command takes it.
    device: the name of a profile ("v100", "a100", "t4") or its memory ("16GiB", bytes). batch_size: the value of open first
    dimensions; where it is not given, that of the data. Options are those of the command, as in deadline="5s",
    host_memory="64GiB", memory_ratio=0.9, curve=True.

    That nothing fits is an answer. Errors: tideline.UnsupportedGraph where no step can be traced; those of the executable.
    The model stays as it is: weights, optimizer and random numbers; if it has no weights yet, it is built as in its first call.
    """
    step = step_of(model, specs, loss, optimizer)
    batch_size = step.batch_size if batch_size is None else batch_size
    words = _words.keywords(dict(device=device, batch_size=batch_size, **options))
    with step.file() as path:
        hide = None if step.path else path
        said = _program.run("fit", path, "--json", *words, hide=hide, answers=_ANSWERS)
    with _program.answers():
        summary = json.loads(said if hide is None else _without_folder(said, path))
        summary.pop("file", None)
        text.verdict(summary)  # whatever is missing is told here
        return Fit(summary, step)


def _without_folder(said, path):
    """Texts about a file that the caller does not know: commands name it as `write` does, and write beside it."""
    return said.replace(path + ": ", "").replace(path, _NAME).replace(os.path.dirname(path) + os.sep, "")


def assert_fits(model=None, *specs, device="v100", batch_size=None, **options):
    """For tests: what tideline.fit gives, if the step fits as it is. Errors: AssertionError with the numbers, the largest batch
    and the first way to make it fit; those of tideline.fit."""
    found = fit(model, *specs, device=device, batch_size=batch_size, **options)
    if not found.fits:
        raise AssertionError(text.explained(found.summary))
    return found
