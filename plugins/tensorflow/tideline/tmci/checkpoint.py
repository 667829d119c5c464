"""Saves and loads Keras models through a backend."""
import dataclasses

from tensorflow import keras

from . import _host, _variables, ops


def save_weights(model, backend, config="", include_optimizer=True, step=None):
    """All variables of the model and, if wanted, of its optimizer, without a copy. An asynchronous backend goes on after
    this has returned, and keeps what the variables held when it was called; `wait` tells how it ended."""
    _check(backend, config)
    names, variables = _split(_variables.named(model, include_optimizer))
    ops.checkpoint(variables, backend, config, names, step)


@dataclasses.dataclass
class Report:
    """What load_weights did, by name."""
    restored: list
    missing: list  # in the model, but not saved
    unexpected: list  # saved, but not in the model
    mismatched: list  # saved with another type or shape


def load_weights(model, backend, config="", include_optimizer=True, step=None, strict=True):
    """Fills all variables, or none when it fails. `strict`: a name that one side lacks, or another type or shape, is a
    ValueError that lists them all; else what fits is loaded. Backends that cannot list what they keep go by position."""
    _check(backend, config)
    wanted = _variables.named(model, include_optimizer)
    stored = _host.listing(backend, config, step)
    report = _compare(wanted, stored, include_optimizer)
    problems = report.missing + report.unexpected + report.mismatched
    if strict and problems:
        raise ValueError(_described(report, wanted, stored))
    fitting = set(report.restored)
    names, variables = _split([(name, variable) for name, variable in wanted if name in fitting])
    if names:
        ops.restore(variables, backend, config, names, step)
    return report


def wait(backend, config=""):
    """Waits for saves in the background. The first that failed since the last call raises its error."""
    _check(backend, config)
    _host.wait(backend, config)


class CheckpointCallback(keras.callbacks.Callback):
    """Saves during training: frequency={"epoch": 2} after the epochs 0, 2, 4..., {"batch": 100} after the batches 0, 100...
    of each epoch; both may be given. The step that goes with it is the optimizer's number of iterations."""

    def __init__(self, backend, config="", frequency=None, include_optimizer=True):
        super().__init__()
        _check(backend, config)
        frequency = {"epoch": 1} if frequency is None else dict(frequency)
        for key, value in frequency.items():
            if key not in ("epoch", "batch") or not isinstance(value, int) or value < 1:
                raise ValueError(f"frequency: {key!r}: {value!r}; expected 'epoch' or 'batch' and a number from 1 on")
        self.backend, self.config = backend, config
        self.frequency, self.include_optimizer = frequency, include_optimizer

    def on_epoch_end(self, epoch, logs=None):
        self._save_if_due("epoch", epoch)

    def on_train_batch_end(self, batch, logs=None):
        self._save_if_due("batch", batch)

    def on_train_end(self, logs=None):
        wait(self.backend, self.config)

    def _save_if_due(self, unit, number):
        if unit in self.frequency and number % self.frequency[unit] == 0:
            save_weights(self.model, self.backend, self.config, self.include_optimizer,
                         step=int(self.model.optimizer.iterations))


def _check(backend, config):
    if not isinstance(backend, str):
        raise TypeError("backend should be a string")
    if not isinstance(config, str):
        raise TypeError("config should be a string")


def _split(pairs):
    return [name for name, _ in pairs], [variable for _, variable in pairs]


def _compare(wanted, stored, include_optimizer):
    if stored is None:
        return Report([name for name, _ in wanted], [], [], [])
    known = {name for name, _ in wanted}
    report = Report([], [], [], [])
    for name, variable in wanted:
        if name not in stored:
            report.missing.append(name)
        elif stored[name].dtype != variable.dtype.base_dtype or stored[name].shape != tuple(variable.shape):
            report.mismatched.append(name)
        else:
            report.restored.append(name)
    report.unexpected = [name for name in stored
                         if name not in known and (include_optimizer or not name.startswith("optimizer/"))]
    return report


def _described(report, wanted, stored):
    variables = dict(wanted)
    lines = [f"not saved: {name}" for name in report.missing]
    lines += [f"not in the model: {name}" for name in report.unexpected]
    lines += [f"{name}: saved as {stored[name].dtype.name} {list(stored[name].shape)}, the variable is "
              f"{variables[name].dtype.base_dtype.name} {list(variables[name].shape)}" for name in report.mismatched]
    return f"the checkpoint does not fit the model ({len(lines)} differences):\n  " + "\n  ".join(lines)
