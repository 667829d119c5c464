"""The checks of the exercises: each says what was found, or raises NotYet with a hint. Answers are compared with what the
program says about the same step, so no number stands here."""
import numbers
import os
import textwrap

import tideline

HERE = os.path.dirname(os.path.abspath(__file__))
CHAIN = os.path.join(os.path.dirname(HERE), "lessons", "chain.meta")
_MIB = 2 ** 20


class NotYet(AssertionError):
    """A gap that is empty, or filled with something else. Notebooks show its text alone."""

    def _render_traceback_(self):
        return textwrap.wrap(str(self), 100)


def step(batch_size=4096, **options):
    """One training step of the chain of eight layers, on a V100."""
    return tideline.simulate(CHAIN, batch_size=batch_size, device_profile="v100", **options)


def picture(**options):
    """Its levels and its memory."""
    return tideline.view(CHAIN, batch_size=4096, device_profile="v100", size="1000x750", theme="light", **options)


# Find the peak

def peak(peak_mib, peak_op, step):
    hint = "step.device_mib has the memory while each op runs; .max() is the most, .argmax() its place, step.op the names."
    _number("peak_mib", peak_mib, step.device_mib.max(), hint)
    _filled("peak_op", peak_op, hint)
    if peak_op != step.summary["peak_op"]:
        raise NotYet("Not yet: the peak is not while {} runs. Hint: {}".format(peak_op, hint))
    print("Right: {:.0f} MiB, while {} runs.".format(peak_mib, peak_op))


def layers_alive(count, step):
    hint = ("go through step.summary['alive_at_peak'] and count the entries whose 'tensor' is the MatMul of a layer, as in "
            "layer3/MatMul:0; tanh leaves the layer's value in its buffer.")
    alive = [entry["tensor"] for entry in step.summary["alive_at_peak"]]
    _number("layers_alive", count, sum(name.startswith("layer") and name.endswith("/MatMul:0") for name in alive), hint, 0)
    print("Right: the values of all {} layers are there, since the way back has only begun.".format(count))


def stays(stays_mib, step):
    hint = "step.summary['memory_by_kind'] has the bytes of each kind at the peak, also those of the variables."
    _number("stays_mib", stays_mib, step.summary["memory_by_kind"]["variables"] / _MIB, hint)
    print("Right: {:.0f} MiB of weights stay; swapping is about the other {:.0f} MiB.".format(
        stays_mib, step.device_mib.max() - stays_mib))


def half_batch(guess_mib, run):
    hint = "half the examples have half the values, but the weights stay as they are: take 128 MiB off, halve, and add them again."
    _filled("half_mib", guess_mib, hint)
    found = run(batch_size=2048)
    _number("half_mib", guess_mib, found.device_mib.max(), hint)
    print("Right: the step of 2048 examples needs {:.0f} MiB.".format(found.device_mib.max()))
    return found


# Fit into 60 %

def budget(budget_mib, before):
    hint = "before.device_mib.max() is the peak in MiB; 60 % of it is the budget."
    _number("budget_mib", budget_mib, 0.6 * before.device_mib.max(), hint)
    print("Right: {:.0f} of {:.0f} MiB.".format(budget_mib, before.device_mib.max()))


def by_hand(numbers_given, run, budget_mib):
    """The step with these three parameters."""
    hint = ("a lower threshold lets more tensors leave, a smaller ahead brings them back later, and a groupby above 0 lets readers "
            "that are close together share one copy. Begin with 20, 1, 0, and lower the threshold.")
    _known("budget_mib", budget_mib)
    for name, value in zip(("threshold", "ahead", "groupby"), numbers_given):
        _filled(name, value, hint)
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise NotYet("Not yet: {} has to be a whole number. Hint: {}".format(name, hint))
    threshold, ahead, groupby = numbers_given
    found = run(swapout_threshold=threshold, swapin_ahead=ahead, swapin_groupby=groupby)
    if found.device_mib.max() > budget_mib:
        raise NotYet("Not yet: the peak is {:.0f} MiB, which is more than {:.0f} MiB. Hint: {}".format(
            found.device_mib.max(), budget_mib, hint))
    print("Right: {:.0f} MiB; {}.".format(found.device_mib.max(), _time(found)))
    return found


def searched(found, budget_mib):
    hint = "leave the three parameters out, and give run the budget as text: device_memory='...MiB'."
    _known("budget_mib", budget_mib)
    _filled("found", found, hint)
    if not isinstance(found, tideline.Simulation):
        raise NotYet("Not yet: found has to be what run gives. Hint: " + hint)
    if not found.summary["swaps"] or found.device_mib.max() > budget_mib:
        raise NotYet("Not yet: this step needs {:.0f} MiB, with {} swaps. Hint: {}".format(
            found.device_mib.max(), len(found.summary["swaps"]), hint))
    print("Right: {:.0f} MiB; {}.".format(found.device_mib.max(), _time(found)))


def edited(graph, budget_mib):
    hint = "LMS(swapout_threshold=threshold, swapin_ahead=ahead, swapin_groupby=groupby).run(graph) edits the graph."
    _known("budget_mib", budget_mib)
    copies = [op.name for op in graph.get_operations() if op.name.startswith("lms/swap")]
    if not copies:
        raise NotYet("Not yet: the graph has no copies. Hint: " + hint)
    after = tideline.simulate(graph, batch_size=4096, device_profile="v100")
    if after.device_mib.max() > budget_mib:
        raise NotYet("Not yet: the edited graph needs {:.0f} MiB; make it anew, and edit it with the numbers that fit. "
                     "Hint: {}".format(after.device_mib.max(), hint))
    print("Right: {} copies were added, and the step needs {:.0f} MiB.".format(len(copies), after.device_mib.max()))


# Why is it late

def late(count, step):
    hint = "step.summary['time']['late_swap_ins'] has an entry for each copy back that some op waits for; len counts them."
    _number("late", count, len(step.summary["time"]["late_swap_ins"]), hint, 0)
    print("Right: {} of {} copies back come late.".format(count, step.summary["swap_ins"]))


def copy_time(copy_ms, step):
    hint = "step.summary['time']['to_device_ns'] is the time of all copies back, step.summary['swap_ins'] their number; 1 ms is 1e6 ns."
    _number("copy_ms", copy_ms, step.summary["time"]["to_device_ns"] / step.summary["swap_ins"] / 1e6, hint, 0.01, "ms")
    print("Right: a copy of 32 MiB takes {:.1f} ms.".format(copy_ms))


def hidden(hidden_ms, step):
    hint = "take what the step waits, step.summary['time']['added_ns'], off the time of all copies back."
    time = step.summary["time"]
    _number("hidden_ms", hidden_ms, (time["to_device_ns"] - time["added_ns"]) / 1e6, hint, 0.01, "ms")
    print("Right: of {:.1f} ms only {:.2f} ms run beside ops.".format(time["to_device_ns"] / 1e6, hidden_ms))


def ahead(levels, run):
    hint = "try 1, 2, 3, ... in a loop, and stop at the first whose list of late swap-ins is empty."
    _filled("ahead", levels, hint)
    if isinstance(levels, bool) or not isinstance(levels, numbers.Integral) or levels < 1:
        raise NotYet("Not yet: ahead has to be a whole number of levels, 1 or more. Hint: " + hint)
    found = run(swapin_ahead=levels)
    count = len(found.summary["time"]["late_swap_ins"])
    if count:
        raise NotYet("Not yet: with {} levels {} copies back are late. Hint: {}".format(levels, count, hint))
    if levels > 1 and not run(swapin_ahead=levels - 1).summary["time"]["late_swap_ins"]:
        raise NotYet("Not yet: with {} levels none is late, but with {} none is either. Hint: {}".format(levels, levels - 1, hint))
    print("Right: {} levels; {}.".format(levels, _time(found)))
    return picture(swapout_threshold=20, swapin_groupby=0, swapin_ahead=levels)


def too_early(cost_mib, levels, run):
    hint = "run(swapin_ahead=12).device_mib.max() is that peak; take the peak of your own number of levels off."
    _known("ahead", levels)
    early, in_time = run(swapin_ahead=12), run(swapin_ahead=levels)
    _number("cost_mib", cost_mib, early.device_mib.max() - in_time.device_mib.max(), hint)
    print("Right: {:.0f} MiB more, and no millisecond less.".format(cost_mib))


def _time(step):
    return "{:.0f} ms, {:.2f} times what it takes without swaps".format(
        step.summary["time"]["step_ns"] / 1e6, step.summary["time"]["factor"])


def _known(name, answer):
    if answer is ...:
        raise NotYet("Not yet: this needs {}, a gap further up. Hint: fill that first.".format(name))


def _filled(name, answer, hint):
    if answer is ...:
        raise NotYet("Not yet: {} is still a gap. Hint: {}".format(name, hint))


def _number(name, answer, expected, hint, tolerance=0.5, unit="MiB"):
    """A number as near as `tolerance` to the expected one."""
    _filled(name, answer, hint)
    if isinstance(answer, bool) or not isinstance(answer, numbers.Real):
        raise NotYet("Not yet: {} has to be a number. Hint: {}".format(name, hint))
    if abs(answer - expected) <= tolerance:
        return
    for factor, said in ((_MIB, "is in bytes; 1 MiB is 2**20 bytes"), (1e6, "is in ns; 1 ms is 1e6 ns")):
        if unit == ("MiB" if factor == _MIB else "ms") and abs(answer / factor - expected) <= tolerance:
            raise NotYet("Not yet: {} {}.".format(name, said))
    raise NotYet("Not yet: {} is not {:g}. Hint: {}".format(name, answer, hint))
