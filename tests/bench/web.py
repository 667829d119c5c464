#!/usr/bin/env python3
"""Measure the page of `tideline serve` in a headless Chromium: web.py TIDELINE [GRAPH...] > table

Without GRAPH: resnet50, the transformer, and graphs of 100,000 ops that tests/support/make_scale_graph.py writes into
/dev/shm. What is timed is what a user sees: until the picture is painted, which waits for the browser's next frame.
Times are medians of ROUNDS in milliseconds, with the worst in brackets; behind it, until the picture has come. Nothing else may
run meanwhile.
"""
import contextlib
import gzip
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/web"))
import common
from serve_door import opened, served

ROUNDS = 15
IDLE_S = 5
SETTLED_S = 20  # until the browser has collected what the measurements left

# What the measurements share. A chart says in `data-shown` that it has another picture, and paints it in the next frame;
# what is asked for in that frame after it is called when it was painted. Each begins at some time between two frames.
HELPERS = """
const frames = (count) => new Promise((resolve) => {
  const next = () => count-- > 0 ? requestAnimationFrame(next) : resolve();
  next();
});
const moment = () => frames(20).then(() => new Promise((resolve) => setTimeout(resolve, 17 * Math.random())));
const charts = [...document.querySelectorAll('.chart')].filter((chart) => chart.offsetParent);
const levels = document.getElementById('levels');
const change = (nodes, act) => new Promise((resolve) => {
  const left = new Set(nodes), start = performance.now();
  const observer = new MutationObserver((changes) => {
    for (const {target} of changes) left.delete(target);
    if (left.size > 0) return;
    observer.disconnect();
    const there = performance.now() - start;
    requestAnimationFrame(() => resolve([performance.now() - start, there]));
  });
  for (const node of nodes) observer.observe(node, {attributeFilter: ['data-shown']});
  act();
});
const wheel = (deltaX, deltaY) => {
  const {left, top, width, height} = levels.getBoundingClientRect();
  levels.dispatchEvent(new WheelEvent('wheel', {deltaX, deltaY, clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true}));
};
"""

MOVING = """
const times = [];
let before = await new Promise(requestAnimationFrame);
for (let i = 0; i < 180; ++i) {
  wheel(i % 60 < 30 ? 20 : -20, 0);
  const now = await new Promise(requestAnimationFrame);
  times.push(now - before);
  before = now;
}
times.sort((a, b) => a - b);
return [1000 * times.length / times.reduce((a, b) => a + b), times[Math.floor(times.length * 0.95)]];
"""

LAST_MOVE = "await moment(); return change([levels], () => wheel(given[0], 0));"

SLIDER = """
const bar = document.getElementById('control-swapout-threshold');
await moment();
return change(charts, () => {
  bar.value = Number(bar.min) + (bar.max - bar.min) * given[0];
  bar.dispatchEvent(new Event('input'));
  bar.dispatchEvent(new Event('change'));
});
"""


class Measured:
    """A page with a graph open."""

    def __init__(self, driver, address):
        self.driver, self.address = driver, address
        driver.set_script_timeout(common.PATIENCE)
        self.page = opened(driver, address)

    def js(self, body, *arguments):
        answer = self.driver.execute_async_script(
            "const given = [...arguments], done = given.pop();"
            f"(async () => {{ {HELPERS} {body} }})().then(done, (error) => done({{error: String(error)}}))", *arguments)
        assert not isinstance(answer, dict), answer["error"]
        return answer

    def rounds(self, body, *arguments):
        """Until it is painted, and until the picture is there."""
        painted, there = zip(*(self.js(body, *(argument(i) for argument in arguments)) for i in range(ROUNDS)))
        return f"{statistics.median(painted):.0f} ({max(painted):.0f}), {statistics.median(there):.0f}"

    def moving(self):
        frames, slowest = self.js(MOVING)
        return f"{frames:.0f} (p95 {slowest:.0f} ms)"

    def zoom(self, times):
        self.js("for (let i = 0; i < given[0]; ++i) { wheel(0, -100); await frames(1); } await frames(10);", times)
        self.page.settled()

    def ask(self, path, count=1):
        """The last answer, uncompressed, and milliseconds of the median request."""
        url, token = self.address.split("#token=")
        wish = urllib.request.Request(urllib.parse.urljoin(url, path), headers={"Authorization": f"Bearer {token}"})
        times = []
        for _ in range(count):
            start = time.monotonic()
            with urllib.request.urlopen(wish) as answer:
                body = answer.read()
            times.append(1000 * (time.monotonic() - start))
        return body, statistics.median(times)

    def session(self):
        return self.page.js("JSON.parse(sessionStorage.getItem('tideline.session')).id")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def renderers(driver):
    """The browser's processes that run pages."""
    pids = [int(path.name) for path in pathlib.Path("/proc").glob("[0-9]*")]
    profile = driver.capabilities["chrome"]["userDataDir"]
    return [pid for pid in pids if b"--type=renderer" in (words := command(pid)) and profile.encode() in words]


def command(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def memory_mib(pid):
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def connections(address):
    port = f":{urllib.parse.urlparse(address).port:04X} "
    lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(port in line.split(":", 1)[1][:20] and line.split()[3] == "01" for line in lines)


def measure(graph):
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name, common.browser(name) as driver, served(graph) as (address, server):
        driver.get(address.split("#")[0])  # the browser's first page of all takes longer
        common.find(driver, "#banner")
        driver.get("about:blank")
        measured = Measured(driver, address)
        yield "page and graph opened to picture", f"{measured.page.js('performance.now()'):.0f}"
        one = memory_mib(server.pid)
        measured.page.choose("#control-mode", "lms2")
        measured.page.until("swaps", "#swap-count", lambda text: text.startswith("("))
        measured.page.settled()
        measured.zoom(1)
        yield "moving picture, frames/s", measured.moving()
        yield "exact picture after the last move", measured.rounds(LAST_MOVE, lambda i: -30 if i % 2 else 30)
        measured.zoom(17)
        yield "moving picture at a fiftieth, frames/s", measured.moving()
        yield "exact picture after the last move at a fiftieth", measured.rounds(LAST_MOVE, lambda i: -30 if i % 2 else 30)
        measured.js("document.getElementById('all').click(); await frames(10);")
        measured.page.settled()
        yield "slider to both pictures", measured.rounds(SLIDER, lambda i: 0.3 + 0.02 * i)
        measured.page.settled()
        session = f"api/v1/sessions/{measured.session()}"
        picture, took = measured.ask(f"{session}/picture?view=levels&w=1000&h=500&font=15", 50)
        yield "picture request", f"{took:.1f}"
        yield "levels picture, kB (gzip)", f"{len(picture) / 1000:.0f} ({len(gzip.compress(picture)) / 1000:.0f})"
        yield "hit request", f"{measured.ask(f'{session}/hit?view=levels&w=1000&h=500&font=15&x=400&y=200', 50)[1]:.1f}"
        time.sleep(SETTLED_S)
        pids = [[server.pid], renderers(driver)]
        before = [sum(map(cpu_seconds, some)) for some in pids]
        time.sleep(IDLE_S)
        idle = [f"{100 * (sum(map(cpu_seconds, some)) - used) / IDLE_S:.1f} %" for some, used in zip(pids, before)]
        yield "idle: CPU of the server, of the page, connections", f"{idle[0]}, {idle[1]}, {connections(address)}"
        yield "memory of the server with this session, MiB (at its beginning)", f"{memory_mib(server.pid):.0f} ({one:.0f})"


@contextlib.contextmanager
def graphs():
    if len(sys.argv) > 2:
        yield sys.argv[2:]
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        made = []
        for size in ("100k", "100k_deep"):
            made.append(f"{name}/{size}.pb")
            subprocess.run([sys.executable, ROOT / "tests/support/make_scale_graph.py", made[-1], size], check=True, stdout=subprocess.DEVNULL)
        yield [str(ROOT / "tests/data/graphs" / graph) for graph in ("resnet50.meta", "transformer.meta")] + made


def main():
    common.enter("latest")
    with graphs() as paths:
        columns = {pathlib.Path(path).stem: dict(measure(path)) for path in paths}
    print("| ms, seen |", " | ".join(columns), "|")
    print("|---|" + "---|" * len(columns))
    for row in next(iter(columns.values())):
        print(f"| {row} |", " | ".join(column[row] for column in columns.values()), "|")


if __name__ == "__main__":
    main()
