"""Work that is not left halfway, whatever interrupts the caller.

Handlers of signals run in the main thread, between any two steps of Python, and may raise there: KeyboardInterrupt for Ctrl+C,
or what a program's own handler raises. So the work is done in a thread of its own. The caller waits for its end also when it is
interrupted, and is interrupted after it.
"""
import _thread


def to_the_end(work):
    """What `work()` returns or raises. An interrupt meanwhile is raised when the work has ended; one that comes before the work
    has begun is raised at once, and the work does not begin. Other threads see neither a name scope nor a default graph of the
    caller's."""
    outcome = []  # (result, error), filled once
    begun, ended = _thread.allocate_lock(), _thread.allocate_lock()
    ended.acquire()

    def run():
        if not begun.acquire(False):  # the caller was interrupted, and has taken it
            return
        try:
            outcome.append((work(), None))
        except BaseException as problem:
            outcome.append((None, problem))
        finally:
            ended.release()

    try:
        _thread.start_new_thread(run, ())
        _wait(outcome, ended)
    except BaseException:
        if not begun.acquire(False):
            _wait(outcome, ended)
        raise
    result, problem = outcome[0]
    if problem is not None:
        raise problem
    return result


def _wait(outcome, ended):
    try:
        while not outcome:
            ended.acquire()
    except BaseException:
        _wait(outcome, ended)
        raise
