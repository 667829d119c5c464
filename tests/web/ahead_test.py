#!/usr/bin/env python3
"""Rules of single tensors on the page: a distance of its own in the inspector, taken back in the table of swaps; wide tables have
all columns; bookmarks; charts of a plan that is not that of the policy are pale. With a folder as argument it puts a screenshot there."""
import sys

import common
from serve_door import opened, served

ESCAPE = "\ue00c"
GRAPH = common.ROOT / "assets/samples/tutorial_mnist.meta"


def why(page, what, fits):
    return page.until(what, "#inspector .why", lambda text: text and fits(text))


def charts_without_a_plan_are_pale(page):
    outdated = "document.getElementById('levels').dataset.outdated"
    assert not page.js(outdated)
    page.js("document.querySelectorAll('#controls details').forEach((part) => part.open = true)")
    page.one("#control-excl-output-by-scopes").send_keys("nowhere\n")
    page.until("the reason", "#policy-error", lambda text: "nowhere" in text)
    assert page.js(outdated) == "the last plan; there is none for the current policy" and page.js("getComputedStyle(document.querySelector('#levels canvas')).opacity") == "0.45"
    if len(sys.argv) > 2:
        page.driver.save_screenshot(f"{sys.argv[2]}/pale.png")
    page.one("#undo").click()
    common.wait("charts of the plan", lambda: not page.js(outdated))
    page.settled()


def a_place_is_kept_and_found_again(page):
    name = page.until("the selected op", "#inspector h3", bool)
    page.js("document.getElementById('levels').focus()")
    page.press("b")
    page.until("the bookmark", "#status", lambda text: text.startswith("Bookmark 1: Levels") and name in text)
    page.press(ESCAPE)
    common.wait("no selection", lambda: name not in page.text("#inspector"))
    page.press("1")
    page.until("the place", "#inspector h3", lambda text: text == name)
    page.settled()


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver, served(GRAPH) as (address, _):
        page = opened(driver, address)
        page.choose("#control-mode", "lms2")
        page.until("swaps", "#swap-count", lambda text: text.startswith("("))
        page.settled()
        heads = "[...document.querySelectorAll('#table-swaps th')].filter((head) => head.offsetParent).map((head) => head.textContent)"
        assert page.js(heads) == ["tensor", "size", "out", "in", "slack", "rule"], page.js(heads)
        page.one("#table-swaps .link").click()
        usual = why(page, "the inspector", lambda text: "distance" in text)
        field = page.one("#inspector [data-key^='ahead ']")
        assert field.get_attribute("value") == ""
        field.send_keys("13\n")
        found = why(page, "its own distance", lambda text: "its own" in text)
        assert found == usual + "; swap-in by its own: 13 levels ahead", (found, usual)
        page.settled()
        rule = "#table-swaps tr.selected select"
        common.wait("the rule", lambda: page.one(rule).get_attribute("value") == "own")
        assert "13 ahead" in page.text(rule), page.text(rule)
        if len(sys.argv) > 2:
            driver.save_screenshot(f"{sys.argv[2]}/ahead.png")
        page.choose(rule, "none")
        why(page, "the parameters' distance", lambda text: text == usual)
        page.settled()
        page.one("#undo").click()
        why(page, "undo", lambda text: text == found)
        page.settled()
        before = page.text("#swap-count")
        page.choose(rule, "keep")
        page.until("fewer swaps", "#swap-count", lambda text: text != before)
        page.settled()
        a_place_is_kept_and_found_again(page)
        charts_without_a_plan_are_pale(page)
        page.js("(() => { document.getElementById('right').style.flexBasis = '50rem'; })()")
        common.wait("all columns", lambda: page.js(heads) == ["tensor", "size", "out", "in", "levels", "slack", "link", "rule"])
        assert not common.complaints(driver)
    print("a tensor comes back by a distance of its own, and by the parameters' again")


if __name__ == "__main__":
    main()
