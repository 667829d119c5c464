#!/usr/bin/env python3
"""The page of Tideline over a line of 60 ms and as a tab of TensorBoard, beside `tideline serve` itself: web_ways.py TIDELINE > table

Times are those of web.py, in the same run; for the line also how many requests a step of the slider waits for. In
TensorBoard also from the click on a run until the charts of its graph are painted, and that for a graph of 100,000 ops, too.
"""
import contextlib
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/web"))
import board
import common
import web
from page import Page
from serve_door import served

ROUND_TRIP_S = 0.06
OPENED = "run opened to both pictures"
GRAPHS = ("resnet50", "transformer")
OPEN = """
const run = [...document.querySelectorAll('#start button')].find((button) => button.textContent.includes('original'));
return change([levels, document.getElementById('memory')], () => run.click());
"""
REQUESTS = web.SLIDER.replace("await moment();", "await moment(); performance.clearResourceTimings();").replace(
    "return change", "await change") + "return [performance.getEntriesByType('resource').filter(({name}) => /act|picture/.test(name)).length, 0];"


def forward(source, target):
    """Passes bytes on, each half a round trip after it came."""
    waiting, more = [], threading.Condition()

    def send():
        while True:
            with more:
                more.wait_for(lambda: waiting)
                due, data = waiting.pop(0)
            time.sleep(max(0, due - time.monotonic()))
            try:
                if not data:
                    return target.shutdown(socket.SHUT_WR)
                target.sendall(data)
            except OSError:
                return None

    threading.Thread(target=send, daemon=True).start()
    data = b"."
    while data:
        try:
            data = source.recv(1 << 16)
        except OSError:
            data = b""
        with more:
            waiting.append((time.monotonic() + ROUND_TRIP_S / 2, data))
            more.notify()


@contextlib.contextmanager
def slow_line(port):
    """A port that leads to `port` over such a line."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def accept():
            with contextlib.suppress(OSError):
                while True:
                    near, _ = listener.accept()
                    far = socket.create_connection(("127.0.0.1", port))
                    for ends in ((near, far), (far, near)):
                        threading.Thread(target=forward, args=ends, daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]


class InTensorBoard(web.Measured):
    def __init__(self, driver, url):
        from selenium.webdriver.common.by import By
        self.driver, self.address, self.page = driver, url, Page(driver)
        driver.set_script_timeout(common.PATIENCE)
        board.open_tab(driver, url)
        common.wait("the run is listed", lambda: driver.find_elements(By.CSS_SELECTOR, "#start button"))
        common.wait("with its graph", lambda: "original" in driver.find_element(By.ID, "start").text)
        self.opened_ms = self.js(OPEN)[0]
        self.page.settled()


def rows(measured):
    measured.page.choose("#control-mode", "lms2")
    measured.page.until("swaps", "#swap-count", lambda text: text.startswith("("))
    measured.page.settled()
    measured.zoom(1)
    yield "moving picture, frames/s", measured.moving()
    yield "exact picture after the last move", measured.rounds(web.LAST_MOVE, lambda i: -30 if i % 2 else 30)
    measured.js("document.getElementById('all').click(); await frames(10);")
    measured.page.settled()
    yield "slider to both pictures", measured.rounds(web.SLIDER, lambda i: 0.3 + 0.02 * i)
    measured.page.settled()
    yield "requests until both pictures", str(measured.js(REQUESTS, 0.7)[0])


@contextlib.contextmanager
def in_tensorboard(graph, folder):
    logs = pathlib.Path(folder) / "logs"
    subprocess.run([common.PROGRAM, "rewrite", "lms2", graph, "--tb", logs, "-o", f"{folder}/out{pathlib.Path(graph).suffix}",
                    "--swapout-threshold", "100", "--swapin-ahead", "3", "--swapin-groupby", "2"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with common.browser(folder) as driver, board.TensorBoard(sys.executable, folder, "--logdir", logs) as tensorboard:
        yield InTensorBoard(driver, tensorboard.url)


def measure(way, graph, folder):
    if way == "TensorBoard":
        with in_tensorboard(graph, folder) as measured:
            return {**dict(rows(measured)), OPENED: f"{measured.opened_ms:.0f}"}
    with contextlib.ExitStack() as stack:
        driver = stack.enter_context(common.browser(folder))
        address, _ = stack.enter_context(served(graph))
        if way == "60 ms line":
            port = stack.enter_context(slow_line(int(re.search(r":(\d+)/", address)[1])))
            address = re.sub(r":\d+/", f":{port}/", address)
        return {**dict(rows(web.Measured(driver, address))), OPENED: ""}


def main():
    common.enter("latest")
    columns = {}
    for name in GRAPHS:
        for way in ("serve", "60 ms line", "TensorBoard"):
            with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
                columns[f"{name}, {way}"] = measure(way, ROOT / f"tests/data/graphs/{name}.meta", folder)
    print("| ms, seen |", " | ".join(columns), "|")
    print("|---|" + "---|" * len(columns))
    for row in next(iter(columns.values())):
        print(f"| {row} |", " | ".join(column[row] for column in columns.values()), "|")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        graph = f"{folder}/100k.pb"
        subprocess.run([sys.executable, ROOT / "tests/support/make_scale_graph.py", graph, "100k"], check=True, stdout=subprocess.DEVNULL)
        times = []
        for _ in range(5):
            with tempfile.TemporaryDirectory(dir="/dev/shm") as place, in_tensorboard(graph, place) as measured:
                times.append(measured.opened_ms)
        print(f"\n100k, TensorBoard, {OPENED}: {statistics.median(times):.0f} ({max(times):.0f})")


if __name__ == "__main__":
    main()
