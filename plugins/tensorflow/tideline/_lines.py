"""Lines of the user's code: of each op the innermost frame outside of TensorFlow, Keras and this package, as a GraphDebugInfo that
lies beside a graph for the program. Nothing of it is written into graphs.

TensorFlow 1.13 has no such message, so it is encoded here: `files`, and of each op a trace of one frame.
"""
import os
import sys
import sysconfig

_LIBRARIES = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "keras", "tf_keras", "wrapt", "absl", "six")


def frames(graph):
    """[(name, frame)] of the ops of a tf.Graph, and of the functions that it calls, whose ops are called OP@FUNCTION. A frame is
    (file, line, function) of the user's code, None if there is none. TensorFlow's tracebacks are no longer valid when their op is
    gone, so nothing of them is kept. Cost: some 20 microseconds an op."""
    is_library = {}
    found = [(op.name, _innermost(_traceback(op), is_library)) for op in graph.get_operations()]
    for name in list(getattr(graph, "_functions", None) or ()):
        body = getattr(_function(graph, name), "graph", None)
        if hasattr(body, "get_operations"):
            name = name.decode() if isinstance(name, bytes) else name
            found += [("{}@{}".format(op.name, name), _innermost(_traceback(op), is_library)) for op in body.get_operations()]
    return found


def renamed(found, calls):
    """The same, with the ops of calls that were inlined under their names there: CALL/OP. `calls`: [(call, function)], outer calls
    before those in their bodies."""
    by_function = {}
    for name, frame in found:
        op, at, function = name.partition("@")
        if at:
            by_function.setdefault(function, []).append((op, frame))
    return found + [("{}/{}".format(call, op), frame) for call, function in calls for op, frame in by_function.get(function, ())]


def write_beside(path, found):
    """The file that the program looks for beside the graph `path`; none if there is nothing to say."""
    content = encoded(found)
    if content:
        with open(path + ".debug_info.pb", "wb") as file:
            file.write(content)


def encoded(found):
    """The bytes of the GraphDebugInfo; empty if no op has a line."""
    files, numbers, names = {}, {}, []
    for name, frame in found:
        if frame is not None:
            file, line, function = frame
            key = (files.setdefault(file, len(files)), line, function)
            names.append((name, numbers.setdefault(key, len(numbers))))
    if not names:
        return b""
    parts = [_bytes(1, file.encode("utf-8", "replace")) for file in files]
    for (file, line, function), number in numbers.items():
        # A trace of the same number has this frame alone.
        frame = _number(1, file) + _number(2, line) + _bytes(4, function.encode("utf-8", "replace"))
        parts.append(_bytes(4, _fixed(1, number) + _bytes(2, frame)))
        parts.append(_bytes(6, _fixed(1, number) + _bytes(2, _bytes(2, number.to_bytes(8, "little")))))
    parts += [_bytes(5, _bytes(1, name.encode()) + _fixed(2, number)) for name, number in names]
    return b"".join(parts)


def _function(graph, name):
    try:
        return graph._get_function(name)
    except (AttributeError, TypeError):
        return None


def _traceback(op):
    raw = getattr(op, "_traceback", None)  # of TensorFlow 1.13, whose property reads every file
    return raw if isinstance(raw, list) else getattr(op, "traceback", None)


def _innermost(traceback, is_library):
    """(file, line, function) of the user's frame, None if there is none. `is_library` keeps what is known of files."""
    if hasattr(traceback, "get_user_frames"):  # leaves out most of TensorFlow's own, which takes a fifth of the time
        traceback = traceback.get_user_frames()
    for frame in reversed(traceback or ()):
        file = frame[0]
        known = is_library.get(file)
        if known is None:
            known = is_library[file] = _is_library(file)
        if not known and isinstance(frame[1], int) and frame[1] > 0:
            return file, frame[1], str(frame[2])
    return None


def _is_library(file):
    return file.startswith(_folders()) or file.startswith(("<frozen ", "<__array_function__"))


def _folders():
    if not _known_folders:
        for name in _LIBRARIES + (__name__.partition(".")[0],):
            module = sys.modules.get(name)
            if getattr(module, "__file__", None):
                folder = os.path.dirname(module.__file__)
                # six and the like are one file among those of others.
                _known_folders.append(folder + os.sep if os.path.basename(folder) == name else module.__file__)
        stdlib = sysconfig.get_paths()["stdlib"]
        _known_folders.extend(os.path.join(stdlib, name) for name in os.listdir(stdlib)
                              if name.endswith(".py") or name in ("concurrent", "asyncio", "importlib", "multiprocessing"))
    return tuple(_known_folders)


_known_folders = []


def _varint(value):
    encoded_bytes = bytearray()
    while value > 127:
        encoded_bytes.append(value & 127 | 128)
        value >>= 7
    encoded_bytes.append(value)
    return bytes(encoded_bytes)


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _fixed(field, value):
    return _varint(field << 3 | 1) + value.to_bytes(8, "little")


def _bytes(field, content):
    return _varint(field << 3 | 2) + _varint(len(content)) + content
