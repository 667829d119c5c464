#!/usr/bin/env python3
"""The page without eyes and without a mouse: in Chromium's accessibility tree each control, chart and table has a name, the charts
say the result in words, a new result is announced; the tab key reaches every control that is shown, keys zoom and scroll the rows
of the levels, and the name of an op can be selected and copied."""
import sys

import common
from serve_door import opened, served

GRAPH = common.ROOT / "assets/samples/tutorial_mnist.meta"
CONTROLS = {"button", "checkbox", "combobox", "textbox", "searchbox", "slider", "spinbutton", "radio", "link", "tab", "menuitem",
            "listbox", "switch"}
REACHABLE = "button, input, select, textarea, a[href], summary, [tabindex]"
ESCAPE = "\ue00c"
CONTROL, ALT, TAB, HOME, UP, DOWN, PAGE_UP, PAGE_DOWN, RIGHT = (
    "\ue009", "\ue00a", "\ue004", "\ue011", "\ue013", "\ue015", "\ue00e", "\ue00f", "\ue014")
# Controls that are shown, by what stays when a table is filled anew.
NAME_OF = """
const nameOf = (it) => it.id || it.dataset.key || it.getAttribute('aria-label') || it.textContent.trim();
const shown = () => [...document.querySelectorAll(arguments[0])].filter((it) => it.checkVisibility({contentVisibilityAuto: true}) && !it.disabled);
"""


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
    driver.execute_script("document.getElementById('status').textContent = ''")
    page.one("#control-swapin-ahead").send_keys(RIGHT * 3)
    common.wait("the new result", lambda: (said := page.text("#status")).startswith("Peak of device memory")
                and page.text("#result .headline") in said)
    live = page.js("document.getElementById('status').closest('[aria-live], [role=status]') !== null")
    assert live, "results are not announced"


def all_is_reached_by_the_tab_key(page, driver):
    wanted = set(driver.execute_script(NAME_OF + "return shown().map(nameOf)", REACHABLE))
    assert len(wanted) > 40 and "" not in wanted, sorted(wanted)
    driver.execute_script("document.activeElement.blur()")
    seen = []
    for _ in range(6 * len(wanted)):
        page.press(TAB)
        seen.append(driver.execute_script(NAME_OF + "return nameOf(document.activeElement)", REACHABLE))
        if not wanted - set(seen):
            break
    assert not wanted - set(seen), sorted(wanted - set(seen))


def rows_are_moved_by_keys(page, driver):
    picture = lambda: page.js("document.querySelector('#levels canvas').toDataURL()")  # noqa: E731
    driver.execute_script("document.getElementById('levels').focus()")
    pictures = [picture()]

    def changes(key, *held):
        page.press(key, *held)
        common.wait(f"another picture after {key!r}", lambda: picture() not in pictures[-1:])
        page.settled()
        pictures.append(picture())
    for _ in range(4):
        changes(UP, ALT)
    changes(DOWN, ALT)
    changes(PAGE_DOWN)
    changes(PAGE_UP)
    # Whoever goes beyond the end comes back at once.
    page.press(PAGE_DOWN * 40)
    seen = []
    common.wait("a picture that stays", lambda: seen.append(picture()) or len(seen) > 9 and len(set(seen[-9:])) == 1)
    pictures.append(seen[-1])
    changes(PAGE_UP)
    page.press(HOME)
    common.wait("the rows as before", lambda: picture() == pictures[0])


def the_step_is_played_by_a_key(page, driver):
    picture = lambda: page.js("document.querySelector('#memory canvas').toDataURL()")  # noqa: E731
    driver.execute_script("document.getElementById('levels').focus()")
    before, seen = picture(), set()
    page.press("p")
    common.wait("pictures of a step that is played", lambda: seen.add(picture()) or len(seen - {before}) >= 3)
    page.press("p")
    kept = []
    common.wait("a picture that stays", lambda: kept.append(picture()) or len(kept) > 9 and len(set(kept[-9:])) == 1)
    assert kept[-1] != before
    page.press(ESCAPE)
    common.wait("no cursor", lambda: picture() == before)


def a_name_is_selected_and_copied(page, driver):
    page.one("#table-swaps tbody:nth-of-type(2) button").click()
    name = page.until("the op", "#inspector h3", bool)
    page.actions().move_to_element_with_offset(page.one("#inspector h3"), 0, 0).click().click().click().perform()
    assert page.js("getSelection().toString().trim()") == name
    page.press("c", CONTROL)
    page.one("#filter-swaps").click()
    page.press("v", CONTROL)
    common.wait("the name in a field", lambda: page.one("#filter-swaps").get_attribute("value").strip() == name)


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
        rows_are_moved_by_keys(page, driver)
        the_step_is_played_by_a_key(page, driver)
        a_name_is_selected_and_copied(page, driver)


if __name__ == "__main__":
    sys.exit(main())
