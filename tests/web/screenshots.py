#!/usr/bin/env python3
"""Writes pictures of both doors of the page, to be looked at: screenshots.py TIDELINE FOLDER

`tideline serve` and the tab in TensorBoard, in three themes, at 1x and 2x: without a graph, with the tutorial's, resnet50 and a
graph of 100,000 ops, with a graph that is cut off, and with a program that does not start. Names say what is shown: serve_resnet50_light_2x.png.
"""
import contextlib
import pathlib
import subprocess
import sys
import tempfile

import board
import common
from page import Page
from serve_door import served

THEMES = ("dark", "light", "color-blind-safe")
TUTORIAL, RESNET = common.ROOT / "assets/samples/tutorial_mnist.meta", common.DATA / "graphs/resnet50.meta"


def shoot(driver, name):
    common.wait("two frames", lambda: driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));"))
    driver.save_screenshot(str(pathlib.Path(sys.argv[2]) / f"{name}.png"))
    print(name, flush=True)


def in_themes(driver, name):
    page = Page(driver)
    for theme in THEMES:
        page.choose("#theme", theme)
        if not driver.execute_script("return document.getElementById('app').classList.contains('is-empty')"):
            common.wait("the theme", lambda: page.js("document.documentElement.dataset.theme") == theme)
            page.settled()
        shoot(driver, name.format(theme))


def with_a_policy(driver):
    page = Page(driver)
    page.settled()
    page.choose("#control-mode", "lms2")
    page.until("swaps", "#swap-count", lambda text: text.startswith("("))
    page.settled()
    page.one("#table-swaps tbody:nth-of-type(2) button").click()
    common.wait("the reason", lambda: page.text("#inspector .why"))


def serve_shots(driver, folder, graphs, scale):
    for name, graph in graphs.items():
        with served(graph) as (address, _):
            driver.get(address)
            with_a_policy(driver)
            in_themes(driver, f"serve_{name}_{{}}_{scale}x")
            driver.execute_script("sessionStorage.clear()")
    empty = pathlib.Path(folder) / "empty"
    empty.mkdir(exist_ok=True)
    with served(empty) as (address, _):
        driver.get(address)
        common.find(driver, "#start")
        in_themes(driver, f"serve_empty_{{}}_{scale}x")
        driver.execute_script("sessionStorage.clear()")
    broken = pathlib.Path(folder) / "broken.pb"
    broken.write_bytes(RESNET.read_bytes()[:20000])
    with served(broken) as (address, _):
        driver.get(address)
        common.find(driver, "#banner:not([hidden])")
        in_themes(driver, f"serve_error_{{}}_{scale}x")
        driver.execute_script("sessionStorage.clear()")


def logs_of(folder, graphs):
    for name, graph in graphs.items():
        logs = pathlib.Path(folder) / "logs" / name
        subprocess.run([common.PROGRAM, "rewrite", "lms2", graph, "--tb", logs, "-o", f"{folder}/{name}.out.pb", "--force", "--swapout-threshold", "100",
                        "--swapin-ahead", "3", "--swapin-groupby", "2"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return pathlib.Path(folder) / "logs"


def tab_shots(driver, folder, graphs, scale):
    from selenium.webdriver.common.by import By
    with board.TensorBoard(sys.executable, folder, "--logdir", logs_of(folder, graphs)) as tensorboard:
        for name in ("empty", *graphs):
            driver.get("about:blank")
            board.open_tab(driver, tensorboard.url)
            common.wait("the runs", lambda: driver.find_elements(By.CSS_SELECTOR, "#start button, .headline"))
            if name != "empty":
                common.wait(f"{name} is opened", lambda: next(
                    button for button in driver.find_elements(By.CSS_SELECTOR, "#start button")
                    if f"{name}/original" in button.text).click() or True)
                with_a_policy(driver)
            for theme in THEMES:
                Page(driver).choose("#theme", theme)
                if name != "empty":
                    Page(driver).settled()
                shoot(driver, f"tensorboard_{name}_{theme}_{scale}x")
            driver.execute_script("sessionStorage.clear()")
            driver.switch_to.default_content()
    with board.TensorBoard(sys.executable, folder, "--logdir", logs_of(folder, {}), program="/bin/true") as tensorboard:
        board.open_tab(driver, tensorboard.url)
        common.wait("what is wrong", lambda: "/bin/true" in driver.find_element(By.TAG_NAME, "body").text)
        shoot(driver, f"tensorboard_error_{scale}x")
        driver.switch_to.default_content()


def main():
    common.enter("latest")
    pathlib.Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    for scale in (1, 2):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, contextlib.ExitStack() as stack:
            large = f"{folder}/100k.pb"
            subprocess.run([sys.executable, common.ROOT / "tests/support/make_scale_graph.py", large, "100k"], check=True, stdout=subprocess.DEVNULL)
            graphs = {"tutorial": TUTORIAL, "resnet50": RESNET, "100k": large}
            driver = stack.enter_context(common.browser(folder, f"--force-device-scale-factor={scale}"))
            driver.set_script_timeout(common.PATIENCE)
            serve_shots(driver, folder, graphs, scale)
            tab_shots(driver, folder, graphs, scale)


if __name__ == "__main__":
    sys.exit(main())
