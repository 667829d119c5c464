"""tideline.explain_oom: what a training that ran out of memory would have needed, in the text of its error."""
import contextlib


class explain_oom:
    """A context around training:

        with tideline.explain_oom():
            model.fit(x, y, batch_size=256)

    A tf.errors.ResourceExhaustedError that leaves it has more text at its end: what is alive at the peak of the step, by the
    simulation of tideline.fit, the largest batch, and the first way to make the step fit, with its command. It stays the same
    error, and what it said comes first. If no explanation can be made, a line says why. Without an error it does nothing.

    `model`, `specs` and options are those of tideline.fit; without them they are found in the traceback: the model that was
    fitted, the tf.function that was called or the graph that a session ran, with the sizes of what these were given. `device`:
    without it, the memory of the device that the error names, else that of a v100; the text says which. `fit`: the tideline.Fit
    of the explanation, once there is one.
    """

    def __init__(self, model=None, *specs, device=None, **options):
        self.fit = None
        self._given = model, specs, device, options

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None or not any(base.__name__ == "ResourceExhaustedError" for base in kind.__mro__):
            return False
        try:
            from . import crash
            self.fit, said = crash.explained(error, traceback, *self._given)
        except BaseException as problem:  # whatever it is, the error on its way says more
            said = "no explanation could be made: {}: {}".format(type(problem).__name__, problem)
        with contextlib.suppress(Exception):
            _add(error, "tideline: " + said)
        return False


def _add(error, said):
    if isinstance(getattr(error, "_message", None), str):
        error._message = "{}\n\n{}".format(error._message, said)  # what TensorFlow's errors print
    else:
        error.args = ("{}\n\n{}".format(error, said),)
