#!/usr/bin/env python3
"""A log on the page: a run is hidden, curves are smoothed, a chart is read, enlarged, zoomed and downloaded, a third run begins, and the other
sections are shown. The values are those that `tideline log` prints; axe finds nothing serious. With a folder as argument it puts screenshots there."""
import csv
import pathlib
import re
import shutil
import subprocess
import sys

import common
from page import Page
from serve_door import served

LOGS = common.DATA / "logs"
TAG = "summaries/loss"


def values(log, tag):
    """Of the command line: (run, step) to value."""
    text = subprocess.run([common.PROGRAM, "log", "scalars", str(log), "--tag", f"^{tag}$", "--csv"], capture_output=True, text=True, check=True).stdout
    return {(row["run"], int(row["step"])): float(row["value"]) for row in csv.DictReader(text.splitlines())}


def chart(page, tag):
    return page.one(f".logchart[data-tag='{tag}']")


def shown(page, tag):
    return common.wait(f"the chart of {tag}", lambda: chart(page, tag).get_attribute("data-shown"))


def point_at(page, tag, across_share):
    """The lines that are said there."""
    box = chart(page, tag)
    page.actions().move_to_element_with_offset(box, round(box.size["width"] * (across_share - 0.5)), 0).perform()
    page.actions().move_by_offset(1, 0).perform()
    return common.wait("a tip", lambda: (lambda tip: tip if tip else None)(
        page.js("((tip) => tip.hidden ? '' : [...tip.children].map((line) => line.textContent).join('\\n'))(arguments[0].querySelector('.tip'))", box))).split("\n")


def picture_of(page, tag):
    return page.js("arguments[0].querySelector('canvas').toDataURL()", chart(page, tag))


def changes(page, tag, act):
    """Does `act`, and waits until the chart is painted anew."""
    before = picture_of(page, tag)
    act()
    common.wait("another picture", lambda: picture_of(page, tag) != before)


def set_slider(page, css, value):
    page.js("((node, value) => { node.value = value; node.dispatchEvent(new Event('input')); node.dispatchEvent(new Event('change')); })(arguments[0], arguments[1])",
            page.one(css), value)


def charts_are_read(page, log, shot):
    common.wait("runs", lambda: page.js("document.querySelectorAll('#log-runs tbody input').length === 2"))
    shown(page, TAG)
    shot("log_scalars")
    for theme in ("light", "dark", "color-blind-safe"):
        page.choose("#theme", theme)
        common.wait(theme, lambda: page.js("document.documentElement.dataset.theme") == theme)
        assert not (faults := common.accessibility_faults(page.driver)), (theme, faults)
    page.choose("#theme", "light")
    said = point_at(page, TAG, 0.9)
    assert len(said) == 2, said
    assert "smoothed" in said[0], said
    changes(page, TAG, lambda: set_slider(page, "#log-smoothing", 0))
    page.until("no smoothing", "output", lambda text: text == "0.000")
    # Without smoothing the mouse says what was logged.
    printed = values(log, TAG)
    for line in point_at(page, TAG, 0.9):
        run, step, value = re.match(r"(?:\d+ )?(\S+)\s+step (\d+)\s+(\S+)", line).groups()
        exact = printed[(run, int(step))]
        assert abs(float(value) - exact) <= 1e-3 * abs(exact) + 1e-9, (line, exact)
    changes(page, TAG, lambda: page.tick("Show second"))
    assert len(point_at(page, TAG, 0.9)) == 1
    changes(page, TAG, lambda: page.tick("Show second"))
    return printed


def a_chart_is_enlarged(page, printed, downloads, shot):
    width = chart(page, TAG).size["width"]
    page.actions().context_click(chart(page, TAG)).perform()
    common.wait("one chart", lambda: len(page.driver.find_elements("css selector", ".logchart")) == 1 and chart(page, TAG).size["width"] > width)
    shown(page, TAG)
    shot("log_enlarged")
    page.js("[...document.querySelectorAll('#log-charts button')].find((node) => node.textContent === 'Download .csv').click()")
    file = common.wait("the file", lambda: next(pathlib.Path(downloads).glob("*.csv"), None))
    common.wait("all of it", lambda: file.stat().st_size > 0)
    rows = {(row["run"], int(row["step"])): float(row["value"]) for row in csv.DictReader(file.read_text().splitlines())}
    assert rows.keys() == printed.keys(), (len(rows), len(printed))
    box = chart(page, TAG)
    changes(page, TAG, lambda: page.actions().move_to_element_with_offset(box, -100, 0).click_and_hold().move_by_offset(150, 0).release().perform())
    visible = common.wait("a part of the axis", lambda: page.js("!document.querySelector('#document button[title^=Drag]').disabled"))
    assert visible
    changes(page, TAG, lambda: page.js("document.querySelector('#document button[title^=Drag]').click()"))
    page.js("[...document.querySelectorAll('#log-charts button')].find((node) => node.textContent === 'All charts').click()")
    common.wait("all charts", lambda: len(page.driver.find_elements("css selector", ".logchart")) > 1)


def what_is_appended_is_seen(page, log):
    """A third run begins, and the page is loaded again."""
    shutil.copytree(LOGS / "tf1_lstm", log / "third")
    common.wait("a third run", lambda: page.js("document.querySelectorAll('#log-runs tbody input').length === 3"))
    shown(page, TAG)
    page.driver.refresh()
    common.wait("the same log", lambda: page.js("document.querySelectorAll('#log-runs tbody input').length === 3"))
    page.until("the same look", "output", lambda text: text == "0.000")


def sections_are_shown(page, shot):
    for name, css in (("histograms", ".logchart[data-shown]"), ("distributions", ".logchart[data-shown]"), ("images", "#log-charts article img"), ("text", "#log-charts article .markdown")):
        section = page.one(f"#section-{name}")
        if section.get_attribute("disabled"):
            continue
        section.click()
        common.wait(name, lambda: page.js("document.querySelector(arguments[0]) && document.querySelector(arguments[1]).getAttribute('aria-pressed') === 'true'", css, f"#section-{name}"))
        if name == "images":
            common.wait("an image", lambda: page.js("[...document.querySelectorAll('#log-charts img')].every((image) => image.complete && image.naturalWidth > 0)"))
        shot(f"log_{name}")
        assert not (faults := common.accessibility_faults(page.driver)), (name, faults)
    page.one("#section-graphs").click()
    page.until("a graph", "#log-charts", lambda text: "Graphs" in text)
    page.js("document.querySelector('#log-charts li button').click()")
    page.settled()
    assert not page.js("document.getElementById('app').classList.contains('is-document')")


def main():
    common.enter("latest")
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    with common.temporary_folder() as name, common.browser(name) as driver:
        log = pathlib.Path(name) / "runs"
        shutil.copytree(LOGS / "tf1_mnist_deep", log / "first")
        shutil.copytree(LOGS / "tf1_mlp", log / "second")
        with served(log) as (address, _):
            driver.get(address)
            page = Page(driver)
            common.wait("the list", lambda: page.js("[...document.querySelectorAll('#sources h3')].some((node) => node.textContent === 'Logs')"))
            page.js("[...document.querySelectorAll('#sources h3')].find((node) => node.textContent === 'Logs').nextElementSibling.querySelector('a').click()")
            shot = lambda kind: folder and driver.save_screenshot(f"{folder}/{kind}.png")
            printed = charts_are_read(page, log, shot)
            a_chart_is_enlarged(page, printed, pathlib.Path(name) / "downloads", shot)
            what_is_appended_is_seen(page, log)
            sections_are_shown(page, shot)
            assert page.js("banner.hidden"), page.text("#banner")
            assert not (said := common.complaints(driver)), said
    print(f"a log of {len(printed)} values was read, enlarged, downloaded and left for a graph")


if __name__ == "__main__":
    main()
