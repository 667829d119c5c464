"""Values of Python as options of the executable."""
import numbers

_GIB = 2 ** 30


def option(name, text):
    return ["--{}={}".format(name.replace("_", "-"), text)]


def switch(name, is_on):
    return ["--" + name.replace("_", "-")] if is_on else []


def integer(name, value):
    """Nothing for None, and for -1, which means "to be found"."""
    if value is None:
        return []
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError("{}: expected an int, not {!r}".format(name, value))
    return [] if value == -1 else option(name, int(value))


def text(name, value):
    if value is None:
        return []
    if not isinstance(value, str):
        raise TypeError("{}: expected a str, not {!r}".format(name, value))
    return option(name, value)


def names(name, values):
    """A set or list of names, in an order that does not depend on the process."""
    if values is None:
        return []
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise TypeError("{}: expected a set of str, not {!r}".format(name, values))
    for value in values:
        if "," in value or value != value.strip():
            raise ValueError("{}: {!r}: names with commas, or with blanks at their ends, cannot be given".format(name, value))
    return option(name, ",".join(sorted(values))) if values else []


def aheads(name, values):
    """A dict of tensors and how far ahead of its first reader each is copied back."""
    if not values:
        return []
    if not isinstance(values, dict):
        raise TypeError("{}: expected a dict such as {{'conv1/Relu:0': 7}}, not {!r}".format(name, values))
    names(name, list(values))
    for ahead in values.values():
        if isinstance(ahead, bool) or not isinstance(ahead, numbers.Integral):
            raise TypeError("{}: expected an int for each tensor, not {!r}".format(name, ahead))
    return option(name, ",".join("{}={}".format(tensor, int(values[tensor])) for tensor in sorted(values)))


def overrides(lms):
    """The decisions of `lms` about single tensors."""
    words = names("keep_tensors", lms.keep_tensors) + names("swap_tensors", lms.swap_tensors)
    return words + aheads("ahead_tensors", lms.ahead_tensors)


def levels(name, values):
    """Levels as int, slices of them as str."""
    for value in values or []:
        if isinstance(value, bool) or not isinstance(value, (str, numbers.Integral)):
            raise TypeError("{}: expected levels (int) and slices such as '60:64' (str), not {!r}".format(name, value))
    return option(name, ",".join(str(value).strip() for value in values)) if values else []


def gib(name, value):
    """A number of GiB; nothing for 0 and None."""
    if value is None:
        return []
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError("{}: expected a number of GiB, not {!r}".format(name, value))
    return option(name, int(round(value * _GIB))) if value else []


def keywords(options):
    """Options that are written as in Python, batch_size=10: True is a switch, False and None leave an option out, lists and
    sets are lists of names, and of a dict each entry is an option, as in branch={"cond": True}, rounds={"while": 20}; but
    ahead_tensors={"conv1/Relu:0": 7} is one."""
    words = []
    for name, value in options.items():
        if value is True or value is False or value is None:
            words += switch(name, value)
        elif name == "ahead_tensors" and isinstance(value, dict):
            words += aheads(name, value)
        elif isinstance(value, dict):
            for key, of_key in value.items():
                words += option(name, "{}={}".format(key, str(of_key).lower() if isinstance(of_key, bool) else of_key))
        elif isinstance(value, (set, frozenset)):
            words += names(name, value)
        elif isinstance(value, (list, tuple)):
            words += option(name, ",".join(str(item) for item in value)) if value else []
        else:
            words += option(name, value)
    return words
