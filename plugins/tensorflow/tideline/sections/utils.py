"""Timers, which programs import from partialflow.utils."""
import time


class Timer(object):
    """A context that measures how long it lasts."""

    def __init__(self):
        self._begin, self._end = 0, 0

    def __enter__(self):
        self._begin, self._end = time.time(), 0
        return self

    def __exit__(self, *problem):
        self._end = time.time()

    @property
    def duration(self):
        """In seconds: of the context, or until now if it has not ended."""
        return (self._end or time.time()) - self._begin


class VerboseTimer(Timer):
    """Also prints when the context begins and how long it took."""

    def __init__(self, name):
        super(VerboseTimer, self).__init__()
        self._name = name

    def __enter__(self):
        print("START: {}...".format(self._name))
        return super(VerboseTimer, self).__enter__()

    def __exit__(self, *problem):
        super(VerboseTimer, self).__exit__(*problem)
        print("DONE: {} took {:.3f} seconds.".format(self._name, self.duration))
