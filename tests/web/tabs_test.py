#!/usr/bin/env python3
"""Tabs of a real browser that are opened and closed in turn: each shows its graph, the sessions of closed ones end, and the tab
that was left alone meanwhile goes on where it was, with its policy and its view. Arguments: the program, and how many tabs."""
import pathlib
import sys
import time

import common
from page import Page
from serve_door import opened, served

GRAPH = common.DATA / "graphs/mlp.meta"
TABS = int(sys.argv[2]) if len(sys.argv) > 2 else 12
ID = "JSON.parse(sessionStorage.getItem('tideline.session')).id"


def make_work(page):
    """A policy that is written nowhere, and a closer look."""
    page.choose("#control-mode", "lms2")
    page.until("swaps", "#swap-count", lambda text: text.startswith("("))
    page.settled()
    first = page.shown("levels")
    page.wheel("levels", -400)
    common.wait("a closer picture", lambda: page.shown("levels").split()[1:] != first.split()[1:])
    return page.text("#swap-count"), page.shown("levels").split()[1:]


def sessions_of(server):
    """Each has two threads for its jobs, beside the five of the server."""
    return len(list(pathlib.Path(f"/proc/{server.pid}/task").iterdir()))


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver, served(GRAPH) as (address, server):
        page = opened(driver, address)
        work, before, mine = make_work(page), page.js(ID), driver.current_window_handle
        for _ in range(TABS):
            driver.switch_to.new_window("tab")
            opened(driver, address)
            driver.close()
            driver.switch_to.window(mine)
        # What nobody looks at any more is gone: the session of this tab at most, and connections that rest for 5 s.
        common.wait("the sessions of closed tabs end", lambda: sessions_of(server) < 8, patience=60)
        # A tab that is only loaded again keeps its session, with what can be undone.
        undo = page.one("#undo").get_attribute("title")
        driver.refresh()
        page.settled()
        common.wait("what can be undone", lambda: undo and page.one("#undo").get_attribute("title") == undo)
        page.until("the same policy", "#swap-count", lambda text: text == work[0])
        # Others take all places, and stay.
        for _ in range(9):
            driver.switch_to.new_window("tab")
            opened(driver, address)
        driver.switch_to.window(mine)
        shown, gone = page.shown("levels").split()[1:], page.js(ID)
        was_on = page.one("#show-candidates").is_selected()
        page.one("#show-candidates").click()
        common.wait("another session", lambda: page.js(ID) != gone)
        page.settled()
        page.until("the same policy again", "#swap-count", lambda text: text == work[0])
        common.wait("the same view", lambda: page.shown("levels").split()[1:] == shown)
        common.wait("what was clicked", lambda: page.one("#show-candidates").is_selected() != was_on)
        assert not page.js("!document.getElementById('banner').hidden"), page.text("#banner")
        # Away and back: by then the session may be gone, or not.
        driver.get("about:blank")
        driver.back()
        page.settled()
        page.until("the policy after going back", "#swap-count", lambda text: text == work[0])
        said = [line for line in common.complaints(driver) if "404" not in line]  # the one that was gone
        assert not said, said
        assert before, "the page had no session"


if __name__ == "__main__":
    begin = time.monotonic()
    main()
    print(f"{TABS} tabs: {time.monotonic() - begin:.1f} s")
