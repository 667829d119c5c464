#!/usr/bin/env python3
"""Levels on the page: a drag with Shift measures them, one with Ctrl limits tables and the card to them, in the chart of levels and in
that of memory by steps, and Escape takes that back. With a folder as argument
it puts screenshots there."""
import re
import sys

import common
from serve_door import CONTROL, ESCAPE, SHIFT, opened, served

GRAPH = common.ROOT / "assets/samples/tutorial_mnist.meta"


def drag(page, chart, key, x, by):
    box = page.one(f"#{chart}").size
    page.actions().move_to_element_with_offset(page.one(f"#{chart}"), round(x - box["width"] / 2), 0).key_down(key).click_and_hold() \
        .move_by_offset(by // 2, 0).move_by_offset(by - by // 2, 0).release().key_up(key).perform()


def numbers(page):
    """What the tables say: swaps, the bytes of all scopes, buffers and ops."""
    def title(tab):
        page.one(f"#tab-{tab}").click()
        return page.until("a title", "#table-title", bool)
    found = {"live": title("live"), "level": title("level")}
    page.one("#tab-swaps").click()
    found |= {"swaps": page.text("#swap-count"), "scopes": page.text("#table-scopes td.number")}
    return found


def escape(page):
    page.driver.execute_script("document.activeElement.blur()")
    page.press(ESCAPE)


def boxes_limit(page):
    """A rectangle over the boxes of Scopes, by both keys."""
    page.one("#view-scopes").click()
    common.wait("boxes", lambda: page.js("!other.hidden && other.dataset.shown"))
    page.settled()
    size = page.one("#other").size
    def draw(key):
        shown = page.one("#other").get_attribute("data-shown")
        page.actions().move_to_element_with_offset(page.one("#other"), -size["width"] // 2 + 20, -size["height"] // 2 + 20).key_down(key).click_and_hold() \
            .move_by_offset(size["width"] // 2, size["height"] // 2).move_by_offset(20, 0).perform()
        assert page.js("!document.querySelector('#other .band').hidden"), "no rectangle"
        page.actions().release().key_up(key).perform()
        common.wait("another picture", lambda: page.one("#other").get_attribute("data-shown") != shown)
        assert page.js("document.querySelector('#other .band').hidden")
    draw(SHIFT)
    assert page.js("document.querySelector('#limit-scopes').hidden"), "measured alone they limit nothing"
    draw(CONTROL)
    page.until("what tables are limited to", "#limit-scopes", lambda text: text.startswith("Only level"))
    page.one("#limit-scopes").click()
    common.wait("no limit", lambda: page.js("document.querySelector('#limit-scopes').hidden"))


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver, served(GRAPH) as (address, _):
        page = opened(driver, address)
        page.choose("#control-mode", "lms2")
        page.until("swaps", "#swap-count", lambda text: text.startswith("("))
        page.settled()
        before, range_before = numbers(page), page.shown("levels").split()[1:]
        drag(page, "levels", SHIFT, 300, 160)
        page.settled()
        assert page.js("document.querySelector('#limit').hidden"), "measured alone they limit nothing"
        assert numbers(page) == before
        escape(page)
        for view, chart in (("levels", "levels"), ("memory", "memory")):
            page.one(f"#view-{view}").click()
            if view == "memory":
                page.choose("#axis", "step")
            page.settled()
            drag(page, chart, CONTROL, 300, 160)
            text = page.until("what tables are limited to", "#limit", lambda text: text.startswith("Only levels"))
            first, last = map(int, re.search(r"levels (\d+) to (\d+)", text).groups())
            assert first < last and page.text("#limit-scopes") == text, text
            page.until("the card", "#result", lambda text: f"levels {first} to {last}: {last - first + 1}" in text)
            page.settled()
            now = numbers(page)
            assert now["swaps"] != before["swaps"] or now["scopes"] != before["scopes"], now
            assert f"(the peak of levels {first} to {last})" in now["live"], now
            assert now["level"].startswith(f"Ops of levels {first} to {last}: "), now
            at = re.search(r"at (level|step) (\d+)", now["live"])
            assert view == "memory" or first <= int(at[2]) <= last, now
            if len(sys.argv) > 2:
                driver.save_screenshot(f"{sys.argv[2]}/stretch_{view}.png")
            if view == "levels":
                assert page.shown("levels").split()[1:] == range_before, "it was moved"
                page.one("#limit").click()
            else:
                escape(page)
            common.wait("no limit", lambda: page.js("document.querySelector('#limit').hidden && document.querySelector('#limit-scopes').hidden"))
            page.settled()
        boxes_limit(page)
        page.one("#view-levels").click()
        page.settled()
        assert numbers(page) == before
        faults = common.accessibility_faults(driver)
        assert not faults, faults
        assert page.js("banner.hidden"), page.text("#banner")
        assert not (said := common.complaints(driver)), said
    print("levels were measured, tables limited to them, and shown whole again")


if __name__ == "__main__":
    main()
