#!/usr/bin/env python3
"""`tideline optimize` and steps that are simulated exactly, beside the optimizer of a real TensorFlow.

That a step simulated exactly needs what TensorFlow's allocator says is in as_run_test.py, which measures steps.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import common

WORKER = pathlib.Path(__file__).resolve().parent / "optimize_worker.py"
FETCH = {"mnist_deep": "adam_optimizer/Adam", "resource_vars": "adam_optimizer/Adam", "mlp": "adam_optimizer/Adam",
         "cond": "momentum_optimizer/Momentum", "resnet50": "momentum_optimizer/Momentum"}


def graph(name):
    return common.graph(f"{name}.meta")


def ask(*words):
    done = common.run_on_tensorflow(WORKER, *words)
    assert done.returncode == 0, (words, done.stderr[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def optimize(name, out, *options):
    done = common.tideline("optimize", graph(name), "-o", out, "--fetch", FETCH[name], "--json", *options)
    return json.loads(done.stdout)


def peak(path, *options):
    done = common.tideline("simulate", path, "--batch-size", 16, "--json", *options)
    return json.loads(done.stdout)["device_peak_bytes"]


def the_graph_is_that_of_the_optimizer(folder):
    for name in ("mnist_deep", "resource_vars", "cond"):
        for gpus, options in ((0, ()), (1, ("--device-profile", "v100"))):
            out = folder / f"{name}_{gpus}.pb"
            said = optimize(name, out, *options)
            wanted, found = ask("direct", graph(name), FETCH[name], gpus), ask("ops", out)
            assert wanted == found, (name, gpus, {key for key in {*wanted, *found} if wanted.get(key) != found.get(key)})
            assert said["gpus"] == gpus and said["ops_after"] == len(found), said
            changes = said["ops"]
            assert sum(changes.values()) - changes["added"] == said["ops_before"], said
            assert said["ops_after"] == said["ops_before"] + changes["added"] - changes["left_out"] - changes["not_needed"], said


def a_gpu_that_is_not_there_changes_the_layout(folder):
    """So the test above can fail: convolutions on a GPU are done by channels first."""
    for gpus, options in ((0, ()), (1, ("--device-profile", "v100"))):
        optimize("mnist_deep", folder / f"{gpus}.pb", *options)
        transposed = any(kind == "Transpose" for kind, _ in ask("ops", folder / f"{gpus}.pb").values())
        assert transposed == bool(gpus), gpus


def a_metagraph_still_trains(folder):
    for name in ("resource_vars", "mlp"):
        out = folder / f"{name}.meta"
        said = optimize(name, out)
        assert said["lost_collections"] == [], said
        wanted, found = ask("train", graph(name), FETCH[name]), ask("train", out, FETCH[name])
        assert wanted.keys() == found.keys(), name
        for variable, value in wanted.items():
            assert abs(found[variable] - value) <= 1e-3 * max(1, abs(value)), (name, variable, value, found[variable])


def what_names_lost_ops_is_said(folder):
    done = common.tideline("optimize", graph("cond"), "-o", folder / "cond.meta", "--fetch", FETCH["cond"])
    assert "lost these: cond_context" in done.stderr, done.stderr


def swaps_stay(folder):
    """Those of a rewritten graph, whether they copy to the host or wait for one another."""
    written = folder / "lms.meta"
    common.tideline("rewrite", "lms2", graph("mnist_deep"), "-o", written, "--plan-json", folder / "plan", *common.lms2(20, 3, 2))
    out = folder / "optimized.pb"
    common.tideline("optimize", written, "-o", out, "--fetch", FETCH["mnist_deep"], "--device-profile", "v100")

    def copies(path, *options):
        done = common.tideline("simulate", path, "--fetch", FETCH["mnist_deep"], "--batch-size", 100, "--json", *options)
        return json.loads(done.stdout)["host_peak_bytes"]
    exactly = copies(graph("mnist_deep"), "--plan", folder / "plan", "--as-run", "exact", "--executor", "gpu")
    assert copies(out) == copies(written) == exactly > 0, (copies(out), copies(written), exactly)


def exact_is_near_modelled(_):
    for name in ("resnet50", "mnist_deep", "cond"):
        for executor in ("cpu", "gpu"):
            options = ("--fetch", FETCH[name], "--executor", executor)
            exact, modelled = (peak(graph(name), *options, "--as-run", how) for how in ("exact", "modelled"))
            assert abs(exact / modelled - 1) < 0.01, (name, executor, exact, modelled)


def exact_is_the_step_of_the_optimized_graph(folder):
    out = folder / "resnet50.pb"
    optimize("resnet50", out)
    options = ("--fetch", FETCH["resnet50"], "--executor", "gpu")
    assert abs(peak(out, *options, "--as-run", "modelled") / peak(graph("resnet50"), *options, "--as-run", "exact") - 1) < 0.01


def plans_are_said_as_modelled_and_exactly(folder):
    """The exact number of a verb that plans is that of the graph that it writes; within a budget, too."""
    written = folder / "lms.meta"
    options = ("--batch-size", 16, "--executor", "gpu", "--as-run", "exact")
    done = common.tideline("rewrite", "lms2", graph("resnet50"), "-o", written, "--plan-json", folder / "plan", *options,
                           "--swapout-threshold", 50, "--swapin-ahead", 5, "--swapin-groupby", 5)
    said = re.search(r"device peak (\S+ \S+) exactly, by TensorFlow 2.*; modelled (\S+ \S+)$", done.stdout, re.M)
    assert said and "wrote" in done.stdout, done.stdout
    sizes = [common.tideline("simulate", path, *options, *more).stdout
             for path, more in ((written, ()), (graph("resnet50"), ("--plan", folder / "plan")))]
    assert all(said[1] in text for text in sizes), (said[1], sizes)
    tight = common.tideline("rewrite", "lms2", graph("mnist_deep"), "--plan-json", folder / "tight", "--as-run", "exact",
                            "--batch-size", 1000, "--device-memory", "270MiB", *common.lms2(20, 3, 2))
    assert re.search(r"runs exactly exceeds 270.00 MiB by \S+ MiB; plan for less", tight.stderr), tight.stderr
    tuned = json.loads(common.tideline("tune", graph("resnet50"), "--device-memory", "1GiB", "--json", *options).stdout)
    assert abs(tuned["exact_device_peak_bytes"] / tuned["device_peak_bytes"] - 1) < 0.02, tuned
    assert tuned["tensorflow"].startswith("2."), tuned["tensorflow"]


def mib(text):
    number, unit = text.split()
    return float(number) * {"MiB": 1, "GiB": 1024}[unit]


def a_script_asks_beside_the_model(folder):
    script = folder / "exact.tls"
    script.write_text(f"graph.batch-size 16\nprofile.set v100\ngraph.as-run exact\nexpect exact-original-device-peak <= 2GiB\n"
                      "policy.mode lms2\npolicy.set swapout-threshold 50\nprint result\n")
    said = common.tideline("script", graph("resnet50"), script).stdout
    size = r"(\S+ [MG]iB)"
    exactly = re.search(rf"^exactly, by TensorFlow 2\S+: peak {size}, without the plan {size}$", said, re.M)
    modelled = re.search(rf"^device, as TensorFlow runs it on a GPU: peak {size} .*, without swaps {size}", said, re.M)
    assert exactly and modelled, said
    for mine, theirs in zip(exactly.groups(), modelled.groups()):
        assert abs(mib(mine) / mib(theirs) - 1) < 0.02, said


def pictures_are_of_the_graph_that_runs(folder):
    for how in ("exact", "modelled"):
        common.tideline("render", graph("mnist_deep"), "-o", folder / f"{how}.svg", "--batch-size", 16, "--as-run", how)
    exact, modelled = ((folder / f"{how}.svg").read_text() for how in ("exact", "modelled"))
    assert exact.startswith("<svg") and exact != modelled


def why_says_what_does_not_run(_):
    listed = [op for op in common.tideline("levels", graph("resnet50")).stdout.split() if op.endswith("add_grad/Shape")]
    done = common.tideline("why", graph("resnet50"), listed[0], "--batch-size", 16, "--as-run", "exact")
    assert "does not run" in done.stdout, done.stdout


def the_older_tensorflow_does_it_too(folder):
    python = os.environ.get("TIDELINE_TF1_PYTHON")
    if not python:
        return
    done = subprocess.run([common.PROGRAM, "optimize", graph("mnist_deep"), "-o", folder / "a.pb"], capture_output=True,
                          text=True, env={**os.environ, "TIDELINE_TF_PYTHON": python})
    assert done.returncode == 0 and "TensorFlow 1.13.1 optimized" in done.stdout, done


def a_refused_graph_is_an_error(folder):
    (folder / "odd.pbtxt").write_text('node { name: "x" op: "Placeholder" }\n')
    done = common.tideline("optimize", folder / "odd.pbtxt", "-o", folder / "a.pb", "--fetch", "x", check=False)
    assert done.returncode == 1 and "TensorFlow cannot optimize it: Failed to import" in done.stderr, done
    assert not (folder / "a.pb").exists()


def an_interrupt_leaves_nothing(folder):
    work = subprocess.Popen([common.PROGRAM, "optimize", graph("resnet50"), "-o", folder / "a.pb"], stderr=subprocess.PIPE)
    time.sleep(1)
    work.send_signal(signal.SIGINT)
    assert work.wait(timeout=60) == 130, work.stderr.read()
    assert not list(folder.iterdir())


def main():
    common.need_tensorflow()
    failed = []
    with common.temporary_folder() as name:
        for test in (the_graph_is_that_of_the_optimizer, a_gpu_that_is_not_there_changes_the_layout, a_metagraph_still_trains,
                     what_names_lost_ops_is_said, swaps_stay, exact_is_near_modelled, exact_is_the_step_of_the_optimized_graph,
                     plans_are_said_as_modelled_and_exactly, a_script_asks_beside_the_model, pictures_are_of_the_graph_that_runs,
                     why_says_what_does_not_run, the_older_tensorflow_does_it_too, a_refused_graph_is_an_error,
                     an_interrupt_leaves_nothing):
            folder = pathlib.Path(name) / test.__name__
            folder.mkdir()
            try:
                test(folder)
            except (AssertionError, SystemExit, IndexError) as problem:
                failed.append(f"{test.__name__}: {problem}"[:3000])
            print(test.__name__, flush=True)
    return "\n".join(["failed:", *failed]) if failed else 0


if __name__ == "__main__":
    sys.exit(main())
