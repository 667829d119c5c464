#!/usr/bin/env python3
"""The backend `file` loads what TensorFlow writes, and TensorFlow reads what it writes: every element type, 4,000
tensors, variables in slices, checkpoints that share files. And a plugin that was written for TMCI compiles with
TensorFlow's own headers."""
import json
import os
import pathlib
import subprocess
import sys

import common

WORKER = pathlib.Path(__file__).resolve().parent / "checkpoint_worker.py"
SAMPLES = ("every", "many", "sliced", "keras")


def worker(*words):
    done = subprocess.run([common.TENSORFLOW, "-B", WORKER, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def use(plugin, backend, config, *words, code=0):
    done = subprocess.run([os.environ["USE_BACKEND"], plugin, backend, str(config), *words], capture_output=True,
                          text=True, timeout=300, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == code, done
    return done


def carried_through_file(folder):
    plugin = os.environ["FILE_PLUGIN"]
    worker("make", folder)
    prefixes = []
    for name in SAMPLES:
        changed = json.dumps({"path": str(folder / f"{name}_changed"), "incremental": True})
        use(plugin, "file", folder / name, f"carry:{folder / name}_saved", f"carry:{changed}", f"carry:{changed}")
        prefixes += [folder / name, folder / f"{name}_saved", folder / f"{name}_changed"]
        assert common.tideline("checkpoint", "verify", folder / f"{name}_changed")
    read = json.loads(worker("read", *prefixes))
    for i, name in enumerate(SAMPLES):
        written, saved, changed = read[3 * i:3 * i + 3]
        numbers = {tensor: facts for tensor, facts in written.items() if facts[0] != "string"}
        assert len(numbers) > 4 and saved == numbers and changed == numbers, name
        print(name, "is carried through the backend with", len(numbers), "tensors", flush=True)


def written_for_tmci(folder):
    """Compiled with the flags that TensorFlow gives, and with nothing of ours but two headers."""
    flags = subprocess.run([common.TENSORFLOW, "-c", "import tensorflow as tf; print('\\n'.join("
                            "tf.sysconfig.get_compile_flags() + tf.sysconfig.get_link_flags() + ['-Wl,-rpath,' + "
                            "tf.sysconfig.get_lib()]))"], capture_output=True, text=True,
                           env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}).stdout.split("\n")[:-1]
    plugin = folder / "libprinting.so"
    done = subprocess.run(["c++", "-shared", "-fPIC", "-O1", "-w", f"-I{common.ROOT}",
                           f"-I{common.ROOT}/plugins/checkpoint/tmci",
                           common.ROOT / "tests/package/tmci_plugin/printing_backend.cc", "-o", plugin, *flags],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    printed = use(plugin, "printing", "some text", "save:1", "load").stdout
    lines = printed.split("\n")
    assert lines[0] == "[DUMMY] Initialization, config: some text", printed
    assert lines[1] == "[DUMMY] Saving 3 tensors:" and lines[2].endswith(" size=40"), printed
    assert lines[5] == "[DUMMY] Loading 3 tensors:" and lines[6:9] == lines[2:5], printed
    assert use(plugin, "keeping", "", "save:3", "load").stdout == "loaded 3 3 3\n"
    assert use(plugin, "keeping", "fail", "save:3", code=1).stderr == "keeping: Save returned 42\n"
    assert use(plugin, "keeping", "throw", "save:3", code=1).stderr == "keeping: no such server\n"
    refused = use(plugin, "none", "", "save:3", code=1).stderr
    assert refused == "there is no checkpoint backend 'none'; expected printing or keeping\n", refused
    print("a plugin that was written for TMCI works with TensorFlow's tensors", flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        written_for_tmci(folder)
        carried_through_file(folder)


if __name__ == "__main__":
    sys.exit(main())
