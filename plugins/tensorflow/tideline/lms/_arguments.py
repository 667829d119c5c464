"""Arguments that are wrong whatever the graph is, said where the object is made. All errors are ValueErrors, as the original's."""
import numbers as kinds


def check(integers, numbers, levels, not_zero):
    """Each a dictionary of arguments by their names. None stands for a value that is found, or for nothing."""
    for name, value in integers.items():
        if value is not None and not isinstance(value, kinds.Integral):
            raise ValueError("{}: expected an int, not {!r}".format(name, value))
    for name, value in numbers.items():
        if value is not None and not isinstance(value, kinds.Real):
            raise ValueError("{}: expected a number, not {!r}".format(name, value))
    for name, values in levels.items():
        if isinstance(values, (str, dict)) or not all(isinstance(value, (str, kinds.Integral)) for value in values or []):
            raise ValueError("{}: expected a list of levels (int) and slices such as '60:64' (str), not {!r}".format(name, values))
    for name, value in not_zero.items():
        if value == 0:
            raise ValueError("{}: expected 1 or more, or -1 for a value that is found, not 0".format(name))
