"""What `tideline fit` says, as text for people. `summary` is the JSON of the command."""

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def size(count):
    """12.49 MiB"""
    number, unit = float(count), 0
    while abs(number) >= 1024 and unit + 1 < len(_UNITS):
        number, unit = number / 1024, unit + 1
    return "{:.{}f} {}".format(number, 2 if unit else 0, _UNITS[unit])


def time(nanoseconds):
    """1.40 ms"""
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if nanoseconds >= factor:
            return "{:.3g} {}".format(nanoseconds / factor, unit)
    return "{:.0f} ns".format(nanoseconds)


def verdict(summary):
    """One line: whether it fits, the numbers, the largest batch."""
    line = "a batch of {} {} {}: {} of {}".format(
        summary["batch_size"], "fits" if summary["fits"] else "does not fit", device(summary),
        size(summary["device_peak_bytes"]), size(summary["budget_bytes"]))
    return "{}; {}".format(line, largest(summary))


def device(summary):
    """The name that it was given, or its memory."""
    name = summary["device"]
    return "a device of " + size(summary["device_memory_bytes"]) if name[:1].isdigit() else name


def largest(summary):
    if summary["largest_batch"] is None:
        return summary["largest_batch_reason"] or "the largest batch is not known"
    if summary["largest_batch"] == 0:
        return "not even a batch of 1 fits"
    return "the largest batch that fits is {}".format(summary["largest_batch"])


def first_way(summary):
    """The first way that makes it fit; if there is nothing to be written for it, also the first that has a command. Nothing if
    there is none. Ways on one device come first: whoever asks may have no more."""
    fitting = [way for way in summary["ways"] if way["fits"]]
    ways = [way for way in fitting if way["devices"] == 1] or fitting
    shown = ways[:1] + [way for way in ways[1:] if way["command"] and not ways[0]["command"]][:1]
    return "; or ".join("{} ({}, {})".format(way["title"], size(way["device_peak_bytes"]), way["cost"]) +
                        ("\n    " + way["command"] if way["command"] else "") for way in shown)


def explained(summary):
    """Verdict and, if it does not fit, the first way that makes it fit."""
    if summary["fits"]:
        return verdict(summary)
    way = first_way(summary)
    return verdict(summary) + "\n" + ("to make it fit: " + way if way else "no way was found to make it fit")
