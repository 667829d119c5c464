#!/usr/bin/env python3
"""Both doors in Firefox: a graph is opened, a slider moved by keys, a chart zoomed by the wheel, and the step undone."""
import pathlib
import re
import subprocess
import sys

import board
import common
import firefox

RIGHT, CONTROL = "\ue014", "\ue009"  # names of keys in WebDriver


def shown(fox):
    """Revision, first and span of the levels that are drawn."""
    return [float(word) for word in (fox.evaluate("document.getElementById('levels').dataset.shown") or "0 0 0").split()]


def number(fox):
    return float(fox.evaluate("document.querySelector('#control-swapout-threshold').value"))


def swaps(fox):
    found = re.search(r"\((\d+)\)", fox.evaluate("document.getElementById('swap-count').textContent"))
    return int(found[1]) if found else 0


def is_worked_with(fox):
    common.wait("the levels are drawn", lambda: shown(fox)[2] > 0)
    fox.evaluate("(() => { const it = document.getElementById('control-mode'); it.value = 'lms2';"
                 "it.dispatchEvent(new Event('change')); })()")
    common.wait("there are swaps", lambda: swaps(fox) > 0)
    before, many = number(fox), swaps(fox)
    fox.click("#control-swapout-threshold")
    common.wait("the slider is where it was clicked", lambda: number(fox) != before)
    clicked = number(fox)
    fox.keys(RIGHT)
    common.wait("it moves by the key", lambda: number(fox) == clicked + 1)
    common.wait("other tensors are swapped", lambda: swaps(fox) != many)
    whole = shown(fox)
    fox.wheel("#levels", -400)
    common.wait("it is closer", lambda: 0 < shown(fox)[2] < whole[2])
    for _ in range(2):
        fox.click("#undo")
    common.wait("undo takes the slider back", lambda: number(fox) == before and swaps(fox) == many)


def main():
    common.enter("latest", browser=False)
    if not firefox.FIREFOX:
        common.skip("no Firefox (Debian: firefox-esr)")
    with common.temporary_folder() as name, firefox.Firefox(pathlib.Path(name)) as fox:
        fox.size(1400, 900)
        tab = fox.tab
        served = subprocess.Popen([common.PROGRAM, "serve", common.ROOT / "assets/samples/tutorial_mnist.meta"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            fox.open(re.search(r"http://\S+", served.stdout.readline())[0])
            is_worked_with(fox)
        finally:
            served.terminate()
            served.wait()
        print("tideline serve", flush=True)
        with board.TensorBoard(sys.executable, name, "--logdir", common.DATA / "logs") as tensorboard:
            fox.tab = tab
            fox.open(tensorboard.url + "#tideline")
            fox.enter_frame("name=tideline")
            run = "[...document.querySelectorAll('#start button')].find((it) => it.textContent.includes('tf1_mnist_deep'))"
            common.wait("the run is listed", lambda: fox.evaluate(f"Boolean({run})"))
            fox.evaluate(f"{run}.click()")
            is_worked_with(fox)
        print("TensorBoard, Firefox", fox.version)


if __name__ == "__main__":
    sys.exit(main())
