#!/usr/bin/env python3
"""Tensors in the memory of a CUDA device are saved and loaded, through every checkpoint plugin.

    device_tensors_test.py TIDELINE real|simulated

`simulated`: with the driver of tests/support/fake_cuda, which also fails where it is told to. `real`: skipped without a
device."""
import os
import pathlib
import subprocess
import sys

import common

BUILD = pathlib.Path(common.PROGRAM).parent.parent
TOOL = BUILD / "tests/integration/device_tensors"
FAKE = BUILD / "tests/fake_cuda"
IS_REAL = sys.argv[2] == "real"
SKIPPED = 77


def backends(folder):
    path = folder / "m"
    yield "memory", "kept"
    yield "file", str(path)
    yield "file", common.json.dumps({"path": str(path), "async": True})
    yield "file", common.json.dumps({"path": str(path), "incremental": True})
    yield "safetensors", str(folder / "m.safetensors")


def saved_and_loaded(name, config, mib, **variables):
    plugin = next(BUILD.glob(f"plugins/checkpoint/{name}/tideline_checkpoint_{name}.so"))
    environment = {**os.environ, "TIDELINE_PLUGINS": str(BUILD / "plugins/cuda"), **variables}
    if not IS_REAL:
        environment |= {"LD_LIBRARY_PATH": str(FAKE), "FAKE_CUDA_MEMORY": "1"}
    return subprocess.run([TOOL, plugin, name, config, str(mib)], env=environment, capture_output=True, text=True, timeout=600)


def main():
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        ledger = folder / "ledger"
        for backend, config in backends(folder):
            done = saved_and_loaded(backend, config, 2048 if IS_REAL else 20, FAKE_CUDA_LEDGER=str(ledger))
            if IS_REAL and done.returncode != 0 and ("libcuda" in done.stderr or done.returncode == SKIPPED):
                print("SKIP: there is no CUDA device")
                return SKIPPED
            assert done.returncode == 0, (backend, config, done)
            print(backend, config if "{" in config else "", done.stdout.splitlines()[-1], flush=True)
            if not IS_REAL:
                assert ledger.read_text().split() == ["0", "0"], (backend, "something was not given back", ledger.read_text())
        if IS_REAL:
            return 0
        for call in ("cuStreamCreate", "cuEventCreate", "cuMemHostAlloc", "cuMemcpyDtoHAsync", "cuEventRecord",
                     "cuEventSynchronize"):
            path = folder / "none"
            done = saved_and_loaded("file", str(path), 1, FAKE_CUDA_FAIL=call, FAKE_CUDA_LEDGER=str(ledger))
            assert done.returncode == 1 and f"{call}: out of memory" in done.stderr, (call, done)
            assert not list(folder.glob("none*")), call
    return 0


if __name__ == "__main__":
    sys.exit(main())
