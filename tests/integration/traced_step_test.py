#!/usr/bin/env python3
"""Steps that TensorFlow traces here and now: the measured curve is the one in the trace, and the model stays
within 5 % of it at its peak."""
import json
import sys

import common


def check(folder, answer):
    done = common.tideline("simulate", folder, "--run-metadata", folder, "--json")
    measured = json.loads(done.stdout)["measured"]
    assert measured["peak_bytes"] == answer["peak"], (measured["peak_bytes"], answer)
    assert measured["executions"] == answer["rows"], (measured["executions"], answer)
    # Scratch memory of convolutions is many times that of the tensors; the model takes it from the trace.
    assert measured["deviation_with_scratch_at_peak"] < 0.05, measured["differences"][:5]
    whole = sum(d["model_bytes"] - d["measured_bytes"] for d in measured["differences"])
    assert whole == measured["model_at_peak_bytes"] - measured["peak_bytes"], measured
    return measured


def the_model_stays_near_a_traced_step(folder, jobs):
    asked = []
    for kind in ("convolutions", "loop", "branches"):
        for optimized in (False, True):
            for threads in (1, 2):
                log = folder / f"{kind}_{optimized}_{threads}"
                asked.append((kind, log, jobs.ask("traced_step", kind, log, optimized, threads)))
    yield
    for kind, log, answer in asked:
        measured = check(log, answer())
        if kind != "convolutions":
            assert measured["deviation_at_peak"] < 0.05, (log.name, measured["differences"][:5])


def a_loop_keeps_as_much_as_its_rounds(folder, jobs):
    """Whether the rounds come from the loop's condition or from the trace, and without a trace of sizes."""
    log = folder / "recurrent"
    asked = jobs.ask("traced_step", "recurrent", log, False, 1)
    yield
    peak = asked()["peak"]
    for options in ((), ("--run-metadata", log)):
        found = json.loads(common.tideline("simulate", log, *options, "--json").stdout)
        assert [loop["rounds"] for loop in found["loops"]] == [40, 40], found["loops"]
        assert found["loops"][0]["source"] == ("traced" if options else "bounds"), found["loops"]
        own = found["device_peak_bytes"] - found["resident_bytes"]
        # The order of ops around the loops differs from that of the run.
        assert abs(own - peak) < 0.1 * peak, (own, peak)


def measured_sizes_make_a_loop_tunable(folder, jobs):
    asked = jobs.ask("traced_step", "loop", folder / "log", False, 1)
    yield
    asked()
    log = folder / "log"
    refused = common.tideline("tune", log, "--device-memory", "1GiB", check=False)
    assert refused.returncode == 1 and "while-loop" in refused.stderr, refused
    for model in ("faithful", "compatible"):
        tuned = common.tideline("tune", log, "--device-memory", "1GiB", "--run-metadata", log, "--json", "--model", model)
        found = json.loads(tuned.stdout)
        assert found["found"] and not found["unknown_sizes"], found
        said = "".join(found["notices"])
        # The compatible model counts one round of a loop; the faithful one has the rounds from the trace.
        assert ("traced step" in said) == (model == "compatible") and "rounds" not in said, found


if __name__ == "__main__":
    common.need_tensorflow()
    sys.exit(common.run_with_tensorflow(the_model_stays_near_a_traced_step,
                                        a_loop_keeps_as_much_as_its_rounds,
                                        measured_sizes_make_a_loop_tunable))
