#!/usr/bin/env python3
"""What a screen reader is told of the page: in Chromium's accessibility tree each control, chart and table has a name, the charts
say the result in words, a new result is announced, and the tab key reaches every control that a mouse can use."""
import sys

import common
from serve_door import opened, served

GRAPH = common.ROOT / "assets/samples/tutorial_mnist.meta"
CONTROLS = {"button", "checkbox", "combobox", "textbox", "searchbox", "slider", "spinbutton", "radio", "link", "tab", "menuitem",
            "listbox", "switch"}
REACHABLE = "button, input, select, textarea, a[href], summary, [tabindex='0']"


def tree(driver):
    """(role, name) of every node that is not left out."""
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes if not node.get("ignored")]


def every_control_has_a_name(driver):
    told = tree(driver)
    controls = [(role, name) for role, name in told if role in CONTROLS]
    assert len(controls) > 40, len(controls)
    assert all(name for _, name in controls), [role for role, name in controls if not name]
    names = {name for _, name in controls}
    for expected in ("swapout threshold", "mode", "Undo", "Theme", "Write, download"):
        assert any(expected.lower() in name.lower() for name in names), (expected, sorted(names))


def charts_and_results_are_told(page, driver):
    told = tree(driver)
    peak = page.text("#result .headline")
    for chart in ("Levels with", "Memory of the device"):
        found = [name for _, name in told if name.startswith(chart)]
        assert found and peak in found[0] and "Enter" in found[0], (chart, found, peak)
    assert sum(role in ("table", "grid") for role, _ in told) >= 2, "tables are told"
    assert {"banner", "main", "heading"} <= {role for role, _ in told}, sorted({role for role, _ in told})
    # What changed is said where a reader listens.
    page.one("#control-swapin-ahead").send_keys("\ue014" * 3)
    common.wait("the new result", lambda: page.text("#result .headline") and "Peak of device memory" in page.text("#status"))
    live = page.js("document.getElementById('status').closest('[aria-live], [role=status]') !== null")
    assert live, "results are not announced"


def all_is_reached_by_the_tab_key(page, driver):
    """The first control comes again once all others were focused."""
    wanted = page.js("[...document.querySelectorAll(arguments[0])].filter((it) => it.checkVisibility({contentVisibilityAuto: true}) && !it.disabled && it.tabIndex >= 0).length",
                     REACHABLE)
    seen = set()
    driver.execute_script("document.activeElement.blur(); window.places = new Map();")
    for _ in range(3 * wanted):
        page.press("\ue004")
        place = page.js("(it => { if (!places.has(it)) places.set(it, places.size); return places.get(it); })(document.activeElement)")
        if place in seen and len(seen) >= wanted:
            break
        seen.add(place)
    assert len(seen) >= wanted, (len(seen), wanted, page.js(
        "[...document.querySelectorAll(arguments[0])].filter((it) => it.checkVisibility({contentVisibilityAuto: true}) && !it.disabled"
        " && it.tabIndex >= 0 && !places.has(it)).map((it) => it.outerHTML.slice(0, 150))", REACHABLE))


def main():
    common.enter("latest")
    with common.temporary_folder() as folder, common.browser(folder) as driver, served(GRAPH) as (address, _):
        page = opened(driver, address)
        page.choose("#control-mode", "lms2")
        page.until("swaps", "#swap-count", lambda text: text.startswith("("))
        page.settled()
        every_control_has_a_name(driver)
        charts_and_results_are_told(page, driver)
        all_is_reached_by_the_tab_key(page, driver)


if __name__ == "__main__":
    sys.exit(main())
