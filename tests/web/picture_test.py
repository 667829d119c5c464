#!/usr/bin/env python3
"""The charts of the page show what `tideline render` draws: for two graphs, both views and three themes the canvas at 1x is
compared, pixel by pixel, with the SVG of the same size and policy, which the same browser turns into pixels. As controls, a
picture that is moved by two pixels and one of another policy are found to differ."""
import base64
import pathlib
import subprocess
import sys

import common
from serve_door import opened, served

# A pixel counts when a channel differs by more than STEP. `render` lays a chart out for letters of 15 pixels and enlarges it,
# the page lays it out for letters of 20: rows and thin lines lie up to a pixel elsewhere, and their edges are shaded otherwise.
STEP = 48
MOST = {"levels": 0.030, "memory": 0.006}  # share of pixels; measured: at most 0.025 and 0.003
FAR = {"levels": 0.040, "memory": 0.012}  # a picture that is not the same differs by more
THRESHOLD, OTHER = 5, 60
# The picture of `render` has a title and a border around the chart: 12 pixels beside it and 42 above at this size.
SIZE, SCALE, CHART, LEFT, TOP = "738x450", 4 / 3, (960, 546), 12, 42
FONT_PX = 20

DIFFERENCE = """
const [chart, svg, left, top, step, done] = arguments, image = new Image();
image.onload = () => {
  const shown = document.querySelector(`#${chart} canvas`), {width, height} = shown;
  const drawn = new OffscreenCanvas(width, height).getContext('2d');
  drawn.drawImage(image, -left, -top);
  const a = shown.getContext('2d').getImageData(0, 0, width, height).data, b = drawn.getImageData(0, 0, width, height).data;
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    count += Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > step;
  }
  done([count / (width * height), width, height]);
};
image.onerror = () => done(null);
image.src = svg;
"""


def rendered(folder, graph, view, theme, threshold):
    """The address of the SVG that `tideline render` writes."""
    path = pathlib.Path(folder) / "picture.svg"
    subprocess.run([common.PROGRAM, "render", graph, "-o", path, "--force", "--view", view, "--theme", theme, "--size", SIZE,
                    "--scale", str(SCALE), "--policy", "lms2", "--swapout-threshold", str(threshold), "--swapin-ahead", "1",
                    "--swapin-groupby", "0"], check=True, stdout=subprocess.DEVNULL)
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


def difference(driver, view, svg, left=LEFT, top=TOP):
    """A share; 1 as long as the chart has not its size."""
    found = driver.execute_async_script(DIFFERENCE, view, svg, left, top, STEP)
    assert found, "the picture cannot be drawn"
    return found[0] if tuple(found[1:]) == CHART else 1


def has_policy(page):
    page.choose("#control-mode", "lms2")
    page.until("swaps", "#swap-count", lambda text: text.startswith("("))
    for name, value in (("swapout-threshold", THRESHOLD), ("swapin-ahead", 1), ("swapin-groupby", 0)):
        page.js("((field, text) => { field.value = text; field.dispatchEvent(new Event('change')); })(...arguments)",
                page.one(f"#control-{name} + .shown"), str(value))
        common.wait(name, lambda: page.one(f"#control-{name} + .shown").get_attribute("value") in (str(value), "none"))
    page.settled()


def has_size(driver, page):
    """Charts and letters of the size that `render` draws, and all details as there."""
    driver.execute_script(
        "document.documentElement.style.fontSize = `${arguments[2]}px`;"
        "for (const chart of document.querySelectorAll('.chart')) {"
        "  chart.style.cssText = `flex: none; width: ${arguments[0]}px; height: ${arguments[1]}px; min-height: 0; border: 0`;"
        "}"
        "const detail = document.getElementById('detail');"
        "detail.value = 100;"
        "detail.dispatchEvent(new Event('input'));", *CHART, FONT_PX)
    page.settled()


def charts_are_as_rendered(folder, graph):
    with common.browser(f"{folder}/{graph.stem}", width=1600, height=1400) as driver, served(graph) as (address, _):
        driver.set_script_timeout(common.PATIENCE)
        page = opened(driver, address)
        has_policy(page)
        has_size(driver, page)
        for theme in ("dark", "light", "color-blind-safe"):
            page.choose("#theme", theme)
            for view in ("levels", "memory"):
                page.one(f"#view-{view}").click()
                svg = rendered(folder, graph, view, theme, THRESHOLD)
                common.wait(f"{graph.stem}, {view}, {theme}: as rendered", lambda: difference(driver, view, svg) <= MOST[view])
                same = difference(driver, view, svg)
                moved = difference(driver, view, svg, LEFT + 2)
                other = difference(driver, view, rendered(folder, graph, view, theme, OTHER))
                print(f"{graph.stem}, {view}, {theme}: {same:.4f}; moved {moved:.4f}; other {other:.4f}", flush=True)
                assert moved > FAR[view], "a picture that is moved is taken for the same"
                # The tutorial's memory is what it is without those swaps.
                is_alike = view == "memory" and graph.stem == "tutorial_mnist"
                assert is_alike or other > FAR[view], "a picture of another policy is taken for the same"


def main():
    common.enter("latest")
    with common.temporary_folder() as folder:
        for graph in (common.DATA / "graphs/resnet50.meta", common.ROOT / "assets/samples/tutorial_mnist.meta"):
            charts_are_as_rendered(folder, graph)


if __name__ == "__main__":
    sys.exit(main())
