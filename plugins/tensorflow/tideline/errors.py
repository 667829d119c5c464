"""What goes wrong, told apart. All are tideline.Error."""


class Error(RuntimeError):
    """Something that Tideline reports. The live graph is then as it was."""

    ag_pass_through = True  # autograph, by which Keras traces, makes StagingErrors of other classes that it does not know


class ExecutableMissing(Error):
    """There is no executable `tideline`, or none that can do what is asked (draw PNG, open a window)."""


class ExecutableTooOld(Error):
    """The executable is older than this package. `found` and `needed` are versions such as "0.1.0"."""

    def __init__(self, message, found, needed):
        super().__init__(message)
        self.found, self.needed = found, needed


class ExecutableFailed(Error):
    """The executable ended with `exit_code`, after it wrote `message`."""

    def __init__(self, message, exit_code):
        super().__init__(message)
        self.message, self.exit_code = message, exit_code


class Refused(ExecutableFailed, ValueError):
    """The executable refused the graph (exit code 1) or the parameters (2), or found none that fit (3): the message says
    why. A ValueError too, which is what the originals raise for the same."""


class GraphChanged(Error):
    """The live graph is not the one that the plan was made for."""


class UnsupportedGraph(Error):
    """A graph that cannot be edited: eager code, the graph of a tf.function, a finalized graph; an edit that no live graph
    allows, such as the removal of an op; or a model of which no training step can be traced."""
