#!/usr/bin/env python3
"""What differs, on the page: a click opens a scope, another one shows an op in both graphs, and the wheel scrolls the list. With a
folder as argument it puts a screenshot there."""
import sys

import common
from serve_door import opened, served

GRAPH = common.ROOT / "assets/samples/tutorial_mnist.meta"
STEP_PX = 9


def tip_at(page, chart, x, y):
    """What is said under the mouse, without what was said before."""
    box = chart.size
    page.actions().move_to_element_with_offset(chart, round(x - box["width"] / 2), round(y - box["height"] / 2)).perform()
    return page.js("((tip) => tip.hidden ? '' : tip.textContent)(document.querySelector('#other .tip'))")


def row_of(page, name):
    """The middle of the row of a scope or an op, by what the mouse finds."""
    chart = page.one("#other")
    x = 60
    for y in range(round(chart.size["height"] * 0.45), chart.size["height"] - 4, STEP_PX):
        tip_at(page, chart, x, y)
        try:
            common.wait("a tip", lambda: tip_at(page, chart, x + 1, y).split("\n")[0] == name, patience=0.4)
        except AssertionError:
            continue
        return chart, x, y
    raise AssertionError(f"there is no row {name}")


def click(page, name):
    chart, x, y = row_of(page, name)
    box = chart.size
    page.actions().move_to_element_with_offset(chart, round(x - box["width"] / 2), round(y - box["height"] / 2)).click().perform()
    page.settled()


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver, served(GRAPH) as (address, _):
        page = opened(driver, address)
        page.one("#view-diff").click()
        common.wait("the view", lambda: page.js("!other.hidden && other.dataset.shown"))
        empty = page.colours("other")
        page.choose("#control-mode", "lms2")
        page.until("swaps", "#swap-count", lambda text: text.startswith("("))
        common.wait("what differs", lambda: page.colours("other") > empty)
        page.settled()
        click(page, "lms")
        row_of(page, "lms/swapout_reshape_Reshape_0")
        click(page, "lms/swapout_reshape_Reshape_0")
        # Selected in the other views are ops of the open graph alone: this one is not.
        assert page.js("document.querySelector('#inspector h3')?.textContent ?? ''") == ""
        before = page.shown("other")
        page.wheel("other", 300, 0.2)
        common.wait("another picture", lambda: page.shown("other") != before)
        page.settled()
        if len(sys.argv) > 2:
            driver.save_screenshot(f"{sys.argv[2]}/diff.png")
        assert page.js("banner.hidden"), page.text("#banner")
        assert not (said := common.complaints(driver)), said
    print("what differs was opened, shown and scrolled")


if __name__ == "__main__":
    main()
