#!/usr/bin/env python3
"""How long it takes somebody who has TensorBoard from the files of the two wheels, which plugins/wheels/build has made, to the first
picture of a run in the tab: installed by pip, TensorBoard started, the run opened in a browser."""
import os
import pathlib
import subprocess
import sys
import time

import board
import common
import tensorboard_test
import wheel_test

WHEELS = pathlib.Path(os.environ.get("TIDELINE_WHEELS_BUILD") or common.ROOT / "build/wheels") / "out"
# On a machine that does nothing else; a busy one is given more.
MOST_SECONDS = 60 if os.getloadavg()[0] <= (os.cpu_count() or 1) else 240


def processor_seconds():
    """Of this process and those that it waited for; TensorBoard's own are among them when it has ended."""
    return sum(os.times()[:4])


def main():
    common.enter("latest")
    wheels = [*WHEELS.glob("tideline-*.whl"), *WHEELS.glob("tensorboard_plugin_tideline-*.whl")]
    assert len(wheels) == 2, f"{WHEELS}: expected the wheels of the program and of the tab, which tests/package/wheels_test.py makes there"
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        python = wheel_test.beside_tensorboard(folder / "environment")
        with common.browser(folder) as driver:
            began, used = time.monotonic(), processor_seconds()
            subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check", *wheels],
                           check=True)
            installed = time.monotonic() - began
            with board.TensorBoard(python, folder, "--logdir", common.DATA / "logs", plugin=False, program="") as served:
                page = tensorboard_test.Page(driver, served)
                tensorboard_test.open_run(page, tensorboard_test.RUN, "__run_meta_graph__")
                seconds = time.monotonic() - began
        print(f"pip took {installed:.1f} s; {seconds:.1f} s to the first picture in TensorBoard, {processor_seconds() - used:.1f} s of "
              "processors without the browser", flush=True)
        assert seconds <= MOST_SECONDS, f"{seconds:.0f} s to the first picture; expected {MOST_SECONDS} s at most"


if __name__ == "__main__":
    sys.exit(main())
