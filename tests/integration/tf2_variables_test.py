#!/usr/bin/env python3
"""Steps of eleven models of Keras as TensorFlow 2 exports them: `inspect` says bytes and count of trainable and of captured variables
exactly as TensorFlow's own objects do, of a GraphDef and of a SavedModel's function. Beside it, to be read: the peak of a traced call,
and the peak that `simulate` says of it, with the trace and without.

    tf2_variables_test.py TIDELINE [newest] [NAME...]"""
import json
import os
import pathlib
import sys

import common
import python_front

KEYS = ("trainable_variables", "trainable_bytes", "captured_variables", "captured_bytes")


def said(*words):
    found = json.loads(common.tideline("inspect", *words, "--json").stdout)
    assert found["captured_unknown_size"] == 0, (words, found)
    return {**{key: found[key] for key in KEYS if key != "trainable_bytes"}, "trainable_bytes": found["learning_parameter_bytes"]}


def step_in(model):
    """The name of the function that is the step (a lambda): the largest that is not a body of another."""
    functions = [function for function in json.loads(common.tideline("inspect", model, "--json").stdout)["functions"]
                 if function["name"].startswith("__inference_<lambda>")]
    return max(functions, key=lambda function: function["ops"])["name"]


def print_peaks(name, about, folder):
    """As written, and with the trace of a step, beside the measured one."""
    graph = folder / f"{name}.pb"
    feeds = [word for each in about["inputs"] for word in ("--feed", f"{each}={folder / name}_{each}.npy")]
    common.tideline("run", graph, "--train", "step", "--loss", about["loss"], "--steps", 1, *feeds, "--trace", folder / f"{name}_log")
    peaks = [json.loads(common.tideline("simulate", graph, "--json", *words).stdout)
             for words in ((), ("--run-metadata", folder / f"{name}_log"))]
    print(f"{name:<14} simulated {peaks[0]['device_peak_bytes'] / 2**20:9.3f} MiB, with its trace "
          f"{peaks[1]['device_peak_bytes'] / 2**20:9.3f}, traced {peaks[1]['measured']['peak_with_resident_bytes'] / 2**20:9.3f}", flush=True)


def main():
    os.environ["TIDELINE_TF_PYTHON"] = python_front.python()  # for `tideline run`
    names = [word for word in sys.argv[2:] if word != "newest"]
    with common.temporary_folder() as folder:
        folder = pathlib.Path(folder)
        python_front.worker("tf2_export_worker.py", folder, *names)
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        for name, of_tensorflow in expected.items():
            wanted = {key: of_tensorflow[key] for key in KEYS}
            for words in ([folder / f"{name}.pb"], [folder / name, "--function", step_in(folder / name)]):
                assert said(*words) == wanted, (words, said(*words), wanted)
            print_peaks(name, of_tensorflow, folder)
    assert names or len(expected) == 11


if __name__ == "__main__":
    sys.exit(main())
