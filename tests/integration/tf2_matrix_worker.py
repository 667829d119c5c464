"""The models of tf2_models.py, each plain and through rewritten steps, by three policies and automatic mode:

    tf2_matrix_worker.py grappler|plain [NAME...] [inline]

One line for each: same or different bits of losses, metrics and all variables over five steps, how many swaps there are, and
how many tensors stay because nothing wakes them. Exits with 1 if any is different."""
import sys

import tensorflow as tf

import tideline
import tideline.lms
from tf2_common import one_thread, state
from tf2_models import MODELS

POLICIES = {
    "near": dict(swapout_threshold=3, swapin_ahead=2, swapin_groupby=1),
    "middle": dict(swapout_threshold=10, swapin_ahead=1, swapin_groupby=0),
    "far": dict(swapout_threshold=20, swapin_ahead=5, swapin_groupby=3),
    "automatic": None,
}


def options_of(policy, batch, peak):
    """Automatic mode is to lower the peak that was predicted before by 3 %."""
    chosen = POLICIES[policy]
    return dict(chosen, batch_size=batch) if chosen else dict(device_memory=peak, memory_ratio=0.97, batch_size=batch)


def plans_of(traces):
    """With inlined calls each is a chain, whose last link has the swaps."""
    return [trace.plan["plans"][-1] if trace.plan["kind"] == "chain" else trace.plan for trace in traces]


def of_model(name, more):
    """Lines, and whether all bits are the same."""
    plain = MODELS[name]()
    history = plain.fit()
    values = state(plain.model)
    peak, good = None, True
    for policy in POLICIES:
        one = MODELS[name]()
        options = dict(options_of(policy, one.batch, peak), **more)
        try:
            tideline.lms.apply(one.model, **options)
            got = one.fit()
        except tideline.Refused as problem:
            # What automatic mode does not find is no error of the rewriting.
            print(name, policy, "| refused:", str(problem).splitlines()[0][:150], flush=True)
            good = good and policy == "automatic"
            continue
        traces = tideline.lms.traces(one.model)
        peak = traces[0].predicted["device_peak_bytes_before"]
        same = got == history and state(one.model) == values
        good = good and same
        plans = plans_of(traces)
        left_out = sum("no op can wake it" in kept["why"] for plan in plans for kept in plan["not_swapped"])
        swaps = [swap for plan in plans for swap in plan["swaps"]]
        print(name, policy, "|", "same" if same else "DIFFERENT", "| swaps", len(swaps),
              "swap-ins", sum(len(swap["swap_ins"]) for swap in swaps), "left out", left_out, flush=True)
    return good


def main():
    words = sys.argv[2:]
    one_thread(grappler=sys.argv[1] == "grappler")
    names = [word for word in words if word != "inline"] or list(MODELS)
    more = {"inline": True} if "inline" in words else {}
    print("TensorFlow", tf.__version__, "Keras", getattr(tf.keras, "__version__", "2"), flush=True)
    sys.exit(not all([of_model(name, more) for name in names]))


if __name__ == "__main__":
    main()
