#!/usr/bin/env python3
"""Programs that use large model support from Python: the tutorials, with every loss the same bit for bit as without it; what the
app copies as a Python call; the names of the originals; tuning, errors and pictures."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import common
import python_front
from copy_as_test import CASES

TUTORIALS = common.ROOT / "assets/tutorials"
IS_1 = "tensorflow1" in sys.argv[2:]
FACTS = ["The graph has 377 vertices and 483 edges.", "12.49 MiB of learning parameters", "has 94 levels",
         "Added 13 operations to the model (6 swap-out operations (0.00 GiB) and 7 swap-in operations (0.00 GiB))"]


def tutorial(folder, name, *words):
    """(losses, operations added, what it logged)."""
    done = python_front.run([TUTORIALS / f"{name}.py", "--exact", *words], PWD=str(folder), HOME=str(folder))
    assert done.returncode == 0, f"{name} {words}: {done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    lines = done.stdout.splitlines()
    losses = [line for line in lines if ": loss " in line]
    count = next(int(word) for line in lines if "ops added" in line for word in line.split("ops")[0].split() if word.isdigit())
    assert losses and (folder / f"{name}.svg").read_text().startswith("<svg"), (name, lines)
    (folder / f"{name}.svg").unlink()
    return losses, count, done.stderr


def tutorials_train_the_same(folder):
    for name, *words in (("lms_session", "--steps=4"), ("lms_estimator", "--steps=4"), ("lms_keras",)):
        expected, none, _ = tutorial(folder, name, *words, "--without")
        assert none == 0
        for more in ([], ["--version=1"] if name == "lms_estimator" else None):
            if more is None:
                continue
            found, added, log = tutorial(folder, name, *words, *more)
            assert found == expected and added > 4, (name, more, added, expected, found)
            print(f"{name} {' '.join(more)}: {len(found)} losses are the same with {added} ops added")
            if name == "lms_session":
                assert added == 13 and "Added 13 operations" in log, log
                # TensorFlow 2.15 builds the same network of other ops.
                missing = [fact for fact in FACTS if fact not in log] if IS_1 else []
                assert not missing, (missing, log)


def tuning_turns_itself_off(folder):
    _, added, log = tutorial(folder, "lms_session", "--steps=1", "--auto", "--batch=100")
    assert added == 0 and "[LMS] LMS is not necessary. Turned LMS off." in log, log
    assert (folder / "lms_autotune.svg").read_text().startswith("<svg")


def copied_calls_add_what_copied_commands_add(folder):
    """The app's scripts copy both; the worker runs the calls, and compares with the graphs that the commands wrote."""
    jobs = []
    (folder / "tideline").symlink_to(common.PROGRAM)
    automatic = ["graph.batch-size 100", "policy.set device-memory 70MiB", "policy.auto on"]
    for number, (name, lines) in enumerate({**CASES, "automatic, with swaps": automatic}.items()):
        if name == "off":
            continue
        shutil.copy(common.ROOT / "assets/samples/tutorial_mnist.meta", folder / f"g{number}.meta")
        script = folder / "script"
        texts = []
        for command in ("edit.copy-python", "edit.copy-command-line"):
            script.write_text("\n".join([*lines, command, "print clipboard"]), encoding="utf-8")
            done = subprocess.run([common.PROGRAM, "script", f"g{number}.meta", "script"], cwd=folder, capture_output=True,
                                  text=True, check=True)
            texts.append(done.stdout)
        subprocess.run(["sh", "-c", texts[1].strip() + " --quiet"], cwd=folder, check=True,
                       env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        jobs.append([name, texts[0], f"g{number}.meta", f"g{number}_lms.meta"])
    assert len(jobs) == 15, [job[0] for job in jobs]
    (folder / "jobs.json").write_text(json.dumps(jobs))


def originals_keep_their_names(folder):
    """In both orders; without an original, the name is ours in both as well."""
    original = folder / "original/lms"
    original.mkdir(parents=True)
    (original / "__init__.py").write_text("here = 'the original'\n")
    for order in ("import tideline.compat, lms", "import lms, tideline.compat"):
        done = python_front.run(["-c", order + "\nprint(lms.here)"], PYTHONPATH=f"{python_front.PACKAGE}:{original.parent}")
        assert done.stdout == "the original\n", done
    done = python_front.run(["-c", "import tideline.compat, tideline.lms.v1, lms, tensorflow_large_model_support as two\n"
                             "import tideline.lms\nassert lms is tideline.lms.v1 and two is tideline.lms\n"
                             "assert lms.__spec__.name == 'tideline.lms.v1' and not hasattr(lms, '__path__')\n"
                             "from lms import LMS, LMSHook, LMSSessionRunHook, LMSKerasCallback\n"
                             "import tensorflow_large_model_support._run as run, tideline.lms._run\n"
                             "assert run is tideline.lms._run\n"
                             "try:\n  import lms.lms\nexcept ImportError: print('done')"])
    assert done.stdout == "done\n", done
    done = python_front.run(["-c", "import lms"])
    assert done.returncode == 1 and "No module named 'lms'" in done.stderr, done


PROGRAM = """
import sys
from tensorflow_large_model_support import LMS, LMSSessionRunHook, LMSKerasCallback
from tensorflow_large_model_support.lms import LMS as the_same
from lms import LMS as version1
import tensorflow
assert the_same is LMS and not tensorflow.executing_eagerly()  # as after importing the original
for first in (LMS({"adam"}, lb=3), LMS(optimizer_scopes={"adam"}), LMS(["adam"], n_tensors=2)):
    assert type(first) is version1 and "adam" in first.optimizer_scopes
assert type(LMS(50, 2, 3)) is LMS and issubclass(LMS, object)
assert LMSSessionRunHook({"adam"}, lb=3).lms_obj.lb == 3 and LMSKerasCallback(n_tensors=2).lms_obj.n_tensors == 2
print(sys.argv[1:], __name__)
"""


def programs_of_both_versions_run_as_they_are(folder):
    (folder / "program.py").write_text(PROGRAM)
    done = python_front.run(["-m", "tideline.compat", "program.py", "--steps", 3])
    assert done.stdout == "['--steps', '3'] __main__\n", done


def main():
    python_front.python()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        os.chdir(folder)
        for test in (tutorials_train_the_same, tuning_turns_itself_off, originals_keep_their_names,
                     programs_of_both_versions_run_as_they_are,
                     copied_calls_add_what_copied_commands_add):
            test(folder)
            print(test.__name__, flush=True)
        print(python_front.worker("lms_front_worker.py", common.PROGRAM, common.ROOT, folder))


if __name__ == "__main__":
    sys.exit(main())
