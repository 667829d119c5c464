#!/usr/bin/env python3
"""`tideline.show` in a notebook: its frame, on a page of the origin that was allowed, has the page of `tideline serve`, which works
there without storage of its own; on a page of another port or name, and in a frame within a frame of one, it stays empty. Without
--frame-origin every frame does. With a folder as argument it puts a screenshot there."""
import sys

import common
from page import Page
from rebinding_test import foreign_server

GRAPH = common.ROOT / "assets/tutorials/lessons/chain.meta"
NOTEBOOK = "<!doctype html><html lang='en'><title>Notebook</title><h1>Notebook</h1>"


def is_refused(driver, address):
    """Whether the frame of that page shows nothing of the program, by its own word."""
    from selenium.webdriver.common.by import By
    driver.get(address)
    frames = driver.find_elements(By.TAG_NAME, "iframe")
    said = common.wait("a refusal or a page", lambda: [line for line in common.complaints(driver) if "frame-ancestors" in line]
                       or (frames and shows_the_page(driver, frames[0]) and ["shown"]))
    return said != ["shown"]


def shows_the_page(driver, frame):
    from selenium.webdriver.common.by import By
    driver.switch_to.frame(frame)
    found = bool(driver.find_elements(By.ID, "levels"))
    driver.switch_to.default_content()
    return found


def works(driver, address):
    """A user works in the frame."""
    driver.get(address)
    driver.switch_to.frame(common.find(driver, "iframe"))
    page = Page(driver)
    page.settled()
    assert page.colours("levels") > 5, "nothing is drawn"
    page.choose("#control-mode", "lms2")
    page.until("swaps", "#swap-count", lambda text: text.startswith("("))
    page.settled()
    driver.switch_to.default_content()


def main():
    common.enter("latest")
    sys.path.insert(0, str(common.ROOT / "plugins/tensorflow"))
    import os
    os.environ["TIDELINE"] = common.PROGRAM
    import tideline
    pages = {}
    with common.temporary_folder() as folder, common.browser(folder) as driver, foreign_server(pages=pages) as port, \
            foreign_server(pages=pages) as other:
        pages["/around.html"] = NOTEBOOK + f"<iframe src='http://localhost:{port}/'></iframe>"
        with tideline.show(GRAPH, origin=f"http://localhost:{port}", height=760) as page:
            pages["/"] = NOTEBOOK + page._repr_html_()
            assert not is_refused(driver, f"http://localhost:{port}/")
            works(driver, f"http://localhost:{port}/")
            if len(sys.argv) > 2:
                driver.save_screenshot(f"{sys.argv[2]}/frame.png")
            common.complaints(driver)
            assert is_refused(driver, f"http://localhost:{other}/"), "another port"
            assert is_refused(driver, f"http://127.0.0.1:{port}/"), "another name"
            assert is_refused(driver, f"http://localhost:{other}/around.html"), "around the one that may"
            url = page.url
        from serve_door import served
        with served(GRAPH) as (address, _):
            pages["/"] = pages["/"].replace(url, address)
            assert is_refused(driver, f"http://localhost:{port}/"), "without the option"
    print("one origin may")


if __name__ == "__main__":
    main()
