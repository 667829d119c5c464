#!/usr/bin/env python3
"""Listed sources are links: each stands once, has the source in its fragment and no token, opens in the same tab and in a new one, and
from the address alone; the page goes back to what was open before, and without the token it says what is missing."""
import pathlib
import shutil
import sys

import common
from page import Page
from serve_door import CONTROL, served

LINKS = "[...document.querySelectorAll('#sources a.link')].map((link) => link.getAttribute('href'))"


def listed(driver, address):
    driver.get(address)
    page = Page(driver)
    common.wait("what can be opened", lambda: page.js(LINKS))
    return page


def titled(page, name):
    common.wait(f"{name} is open", lambda: page.js("document.title").startswith(name))
    page.settled()
    return page


def it_opens_here(page, residual, mnist):
    page.js("document.querySelector(arguments[0]).click()", f"#sources a[href='{residual}']")
    titled(page, "residual.meta")
    assert page.js("location.hash") == residual
    session = "JSON.parse(sessionStorage.getItem('tideline.session')).id"
    before = page.js(session)
    page.driver.refresh()
    titled(page, "residual.meta")
    assert page.js(session) == before, "loading the page again has opened the graph again"
    page.one("#open").click()
    common.wait("the list", lambda: page.js("document.querySelectorAll('#dialog a.link').length"))
    page.js("document.querySelector(arguments[0]).click()", f"#dialog a[href='{mnist}']")
    titled(page, "tutorial_mnist.meta")
    page.driver.back()
    titled(page, "residual.meta")


def it_opens_in_another_tab(page, driver, mnist):
    page.one("#open").click()
    link = common.find(driver, f"#dialog a[href='{mnist}']")
    first = driver.current_window_handle
    page.actions().key_down(CONTROL).click(link).key_up(CONTROL).perform()
    common.wait("another tab", lambda: len(driver.window_handles) == 2)
    assert page.js("document.title").startswith("residual.meta"), "a click with Ctrl opened it here"
    driver.switch_to.window(next(handle for handle in driver.window_handles if handle != first))
    titled(Page(driver), "tutorial_mnist.meta")
    driver.close()
    driver.switch_to.window(first)


def it_opens_by_its_address(driver, address, mnist):
    """In a tab that somebody opens by hand: the one that has the token gives it."""
    base, first = address.split("#")[0], driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(base + mnist)
    titled(Page(driver), "tutorial_mnist.meta")
    assert "token" not in driver.current_url
    # Without another tab nobody has it.
    second = driver.current_window_handle
    driver.switch_to.window(first)
    driver.close()
    driver.switch_to.window(second)
    driver.execute_script("sessionStorage.clear()")
    driver.get("about:blank")
    driver.get(base + mnist)
    common.wait("what is missing", lambda: "token is missing" in Page(driver).text("#banner"))
    driver.get_log("browser")  # the refusal is one of its lines
    # With it the link works again.
    driver.get("about:blank")
    driver.get(address + "&" + mnist[1:])
    titled(Page(driver), "tutorial_mnist.meta")
    assert "token" not in driver.current_url and driver.current_url.endswith(mnist)


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver:
        folder = pathlib.Path(name) / "given"
        (folder / "inner").mkdir(parents=True)
        for sample, place in (("residual.meta", folder), ("tutorial_mnist.meta", folder / "inner")):
            shutil.copy(common.ROOT / "assets/samples" / sample, place / sample)
        (folder / "second.meta").symlink_to("residual.meta")
        shutil.copytree(common.DATA / "logs/tf1_mlp", folder / "log")
        with served(folder, folder / "inner", folder / "residual.meta", folder / "log") as (address, _):
            page = listed(driver, address)
            links = page.js(LINKS)
            assert len(links) == len(set(links)), links
            assert len([link for link in links if ".meta" in link]) == 2, links
            assert not [link for link in links if "token" in link], links
            residual, mnist = (next(link for link in links if link.endswith(name)) for name in ("residual.meta", "tutorial_mnist.meta"))
            faults = common.accessibility_faults(driver)
            assert not faults, faults
            if len(sys.argv) > 2:
                driver.save_screenshot(f"{sys.argv[2]}/links.png")
            it_opens_here(page, residual, mnist)
            it_opens_in_another_tab(page, driver, mnist)
            assert not (said := common.complaints(driver)), said
            it_opens_by_its_address(driver, address, mnist)
    print(f"{len(links)} sources are links, each once, and open here, in another tab and by their address")


if __name__ == "__main__":
    main()
