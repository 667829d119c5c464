#!/usr/bin/env python3
"""The tools of the browser tests: the page is driven by mouse and keys, a fault is found by axe and by the console, a
download arrives, and what does not come is missed."""
import pathlib
import sys
from urllib.parse import quote

import common

PAGE = """<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>
<label>Name <input id="name"></label> <button id="twice">Twice</button> <output id="said"></output>
<a id="file" download="it.txt" href="data:text/plain,some%20bytes">a file</a></main>
<script>document.getElementById("twice").onclick = () =>
  document.getElementById("said").textContent = document.getElementById("name").value.repeat(2);</script></html>"""
FAULTY = PAGE.replace("<label>Name ", "").replace("</label>", "").replace("<h1>", "<script>console.error('oh')</script><h1>")


def is_driven(driver, folder):
    driver.get("data:text/html," + quote(PAGE))
    common.find(driver, "#name").send_keys("ab")
    common.find(driver, "#twice").click()
    common.wait("the answer", lambda: common.find(driver, "#said").text == "abab")
    assert common.accessibility_faults(driver) == []
    assert common.complaints(driver) == []
    common.find(driver, "#file").click()
    assert common.downloaded(folder, "it.txt") == b"some bytes"


def faults_are_found(driver):
    driver.get("data:text/html," + quote(FAULTY))
    faults = common.accessibility_faults(driver)
    assert any(fault.startswith("label:") for fault in faults), faults
    said = common.complaints(driver)
    assert len(said) == 1 and "oh" in said[0], said
    try:
        common.wait("nothing", lambda: False, patience=0.1)
    except AssertionError as missed:
        assert "nothing" in str(missed), missed
    else:
        sys.exit("what did not come was not missed")


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver:
        is_driven(driver, pathlib.Path(name))
        faults_are_found(driver)
        print("Chromium", driver.capabilities["browserVersion"])


if __name__ == "__main__":
    sys.exit(main())
