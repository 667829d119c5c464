#!/usr/bin/env python3
"""The timeline on the page: the wheel zooms it at the mouse, drags and keys move it, a click selects the op, a double click zooms to it,
and a drag with Shift or Ctrl chooses a stretch whose statistics are those that `tideline script` prints. With a folder as
argument it puts screenshots there."""
import contextlib
import pathlib
import re
import subprocess
import sys

import common
from page import Page
from serve_door import CONTROL, ESCAPE, HOME, SHIFT, served

LOG = common.DATA / "logs/tf1_mlp"


def opened(driver, address):
    driver.get(address)
    page = Page(driver)
    common.wait("what can be opened", lambda: page.js("document.querySelectorAll('#sources a.link').length"))
    driver.execute_script("document.querySelector('#sources a.link').click()")
    page.settled()
    page.one("#view-timeline").click()
    common.wait("the timeline", lambda: page.js("!other.hidden && other.dataset.shown"))
    page.settled()
    return page


def shown(page):
    """First and span of the picture, in microseconds."""
    return [float(part) for part in page.shown("other").split()[1:]]


def place(page, x, y):
    """A chain with the mouse at this place of the chart."""
    box = page.one("#other").size
    return page.actions().move_to_element_with_offset(page.one("#other"), round(x - box["width"] / 2), round(y - box["height"] / 2))


def tip_at(page, x, y):
    place(page, x, y).perform()
    place(page, x + 1, y).perform()
    try:
        return common.wait("a tip", lambda: page.js("((tip) => tip.hidden ? '' : tip.textContent)(document.querySelector('#other .tip'))"), patience=0.5)
    except AssertionError:
        return ""


def an_op(page):
    """A click selects the op there, if the graph has it: a trace has others, too. Gives the place, and what is said there."""
    box = page.one("#other").size
    selected = "document.querySelector('#inspector h3')?.textContent ?? ''"
    for y in range(34, round(box["height"]) - 10, 20):
        for x in range(round(box["width"] * 0.2), round(box["width"]) - 20, 40):
            tip = tip_at(page, x, y)
            if "from" not in tip:
                continue
            place(page, x, y).click().perform()
            with contextlib.suppress(AssertionError):
                common.wait("the op", lambda: page.js(selected) == tip.split("\n")[0], patience=1)
                return x, y, tip
    raise AssertionError("there is no op in the timeline")


def it_moves(page):
    whole = shown(page)
    page.wheel("other", -400, 0.6)
    common.wait("a closer picture", lambda: shown(page)[1] < whole[1])
    page.settled()
    close = shown(page)
    assert close[0] > 0 and close[0] + close[1] < whole[1], close
    place(page, 600, 60).click_and_hold().move_by_offset(90, 0).release().perform()
    common.wait("an earlier time", lambda: shown(page)[0] < close[0] and abs(shown(page)[1] - close[1]) < 1e-6)
    page.settled()
    at = shown(page)
    page.press("d")
    common.wait("a later time", lambda: shown(page)[0] > at[0])
    page.press("w")
    common.wait("a closer picture", lambda: shown(page)[1] < close[1])
    page.driver.execute_script("document.activeElement.blur()")
    page.press(HOME)
    common.wait("the whole step", lambda: shown(page) == whole)
    page.one("#all").click()
    page.settled()
    return whole


def ops_are_found(page, whole):
    x, y, tip = an_op(page)
    tip_at(page, x + 2, y)
    common.wait("an outline", lambda: not page.js("document.querySelector('#other .outline').hidden"))
    page.settled()
    place(page, x, y).double_click().perform()
    common.wait("the op alone", lambda: shown(page)[1] < whole[1] / 2)
    page.settled()
    page.driver.execute_script("document.activeElement.blur()")
    page.press(HOME)
    common.wait("the whole step", lambda: shown(page) == whole)
    page.press("f")
    common.wait("the op that is selected", lambda: shown(page)[1] < whole[1] / 2)
    page.press(HOME)
    common.wait("the whole step", lambda: shown(page) == whole)


def numbers_of(graph_source, from_us, to_us, folder):
    """Name to total of the statistics that a script prints."""
    actions = folder / "actions.txt"
    actions.write_text(f"measure.open {LOG} {graph_source}\ntimeline.select {from_us / 1000} {to_us / 1000}\nprint timeline\n", encoding="utf-8")
    done = subprocess.run([common.PROGRAM, "script", str(LOG), str(actions)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(re.findall(r"^(?:lane|type) (.*?): (?:total ([^,]*),|nothing)", done.stdout, re.M)), done.stdout


def a_stretch_is_chosen(page, key):
    page.until("statistics", "#table-title", lambda text: text.startswith("Whole step"))
    chain = place(page, 400, 60).key_down(key).click_and_hold().move_by_offset(60, 0).move_by_offset(60, 0).release().key_up(key)
    before = shown(page)
    chain.perform()
    page.until("the stretch", "#table-title", lambda text: text.startswith("Stretch"))
    page.settled()
    assert shown(page) == before, "it was moved"


def statistics_are_those_of_a_script(page, folder):
    """The stretch of the page's own session, asked for by its token, and the rows of the table."""
    state = page.driver.execute_async_script("""
      const done = arguments[0], {id} = JSON.parse(sessionStorage.getItem('tideline.session'));
      fetch(new URL(`api/v1/sessions/${id}/state`, location.href), {headers: {Authorization: `Bearer ${JSON.parse(sessionStorage.getItem('tideline.token'))}`}})
        .then((answer) => answer.json()).then(done);""")
    stretch, traced = state["view"]["stretch"], state["graph"]["traced"]
    step = traced["steps"][traced["shown"]]
    wanted, said = numbers_of(f"{step['run']} {step['tag']}", stretch["from_us"], stretch["to_us"], folder)
    rows = page.js("[...document.querySelectorAll('#table-statistics tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
    rows = [row for row in rows if len(row) == 7]
    assert len(rows) > 3, rows
    compared = 0
    for name, total, *_ in rows:
        if wanted.get(name):
            assert wanted[name] == total, (name, total, wanted[name], said)
            compared += 1
    assert compared >= 2, (rows, said)


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver, served(LOG) as (address, _):
        folder = pathlib.Path(name)
        page = opened(driver, address)
        whole = it_moves(page)
        ops_are_found(page, whole)
        for key in (SHIFT, CONTROL):
            a_stretch_is_chosen(page, key)
            statistics_are_those_of_a_script(page, folder)
            if len(sys.argv) > 2:
                driver.save_screenshot(f"{sys.argv[2]}/timeline_{'shift' if key == SHIFT else 'control'}.png")
            page.driver.execute_script("document.activeElement.blur()")
            page.press(ESCAPE)
            page.until("the whole step", "#table-title", lambda text: text.startswith("Whole step"))
        faults = common.accessibility_faults(driver)
        assert not faults, faults
        page.one("#view-levels").click()
        common.wait("the levels", lambda: page.js("other.hidden && !levels.hidden && levels.dataset.shown"))
        assert page.js("banner.hidden"), page.text("#banner")
        assert not (said := common.complaints(driver)), said
    print("the timeline was moved, its ops were found, and stretches have the statistics of a script")


if __name__ == "__main__":
    main()
