#!/usr/bin/env python3
"""A lesson in a real browser, by clicks: chosen where nothing is open, with a wrong turn in each of its steps (Next too early, a
wrong guess, a policy that goes the wrong way) and taken back, then played to its end; widgets that steps name are outlined and in
sight, also in a small window; axe finds nothing serious. A lesson of a served folder is played too, and one that names a widget
that the page does not have says so. Arguments: the program, and perhaps a folder for pictures."""
import pathlib
import shutil
import sys

import common
from page import Page
from serve_door import ENTER, opened, served

CONTROL = "\ue009"
LESSONS = common.ROOT / "assets/tutorials/lessons"
PICTURES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
# Whether what is outlined is in sight, and no other part of the page covers it.
IN_SIGHT = """((spots) => spots.length === 1 && (({left, top, bottom, width}) =>
  [top + 4, document.getElementById('lesson').getBoundingClientRect().bottom + 4].some((y) =>
    y < Math.min(bottom, innerHeight) && spots[0].contains(document.elementFromPoint(left + width / 2, y)))
)(spots[0].getBoundingClientRect()))(document.querySelectorAll('.spot'))"""


def click(driver, css, text):
    """The first element of these with this text; whether there is one."""
    found = next((node for node in driver.find_elements("css selector", css) if node.text == text), None)
    if found:
        found.click()
    return found


class Lesson:
    def __init__(self, page):
        self.page = page

    def press(self, text):
        common.wait(f"{text} is clicked", lambda: click(self.page.driver, "#lesson button", text))

    def says(self, *texts):
        for text in texts:
            self.page.until(text, "#lesson", lambda shown, text=text: text in shown)
        self.page.settled()

    def keeps_to(self, *texts):
        """Says this, and is not done."""
        self.says(*texts)
        assert "Done." not in self.page.text("#lesson"), self.page.text("#lesson")

    def outlines(self, css):
        common.wait(f"{css} is outlined, in sight", lambda: self.page.js(f"document.querySelector('.spot')?.matches({css!r})") and self.page.js(IN_SIGHT))

    def picture(self, name):
        if PICTURES:
            self.page.driver.save_screenshot(str(PICTURES / f"{name}.png"))



def set_threshold(page, value):
    field = page.one("#control-swapout-threshold + .shown")
    field.click()
    field.send_keys(CONTROL + "a")
    field.send_keys(str(value) + ENTER)


def started(driver, address, title):
    driver.get(address)
    page = Page(driver)
    common.wait("the lessons", lambda: page.js("document.querySelectorAll('#start-lessons button').length"))
    common.wait(title, lambda: click(driver, "#start-lessons button", title))
    return page, Lesson(page)


def first_swap(page, lesson):
    threshold = ".control:has(#control-swapout-threshold)"
    lesson.says("The first swap: A threshold for distances", "step 1 of 3")
    lesson.outlines(threshold)
    lesson.picture("lesson_step1")
    assert "Hint:" not in page.text("#lesson")
    lesson.press("Next")
    lesson.keeps_to("Not yet: swaps is 0, expected >= 1.", "Hint: Drag the slider", "step 1 of 3")
    assert int(page.drag_slider("swapout-threshold", 60)) > 60  # the wrong way
    page.settled()
    lesson.press("Next")
    lesson.keeps_to("step 1 of 3")
    lesson.press("Reset step")
    common.wait("the threshold as before", lambda: page.one("#control-swapout-threshold + .shown").get_attribute("value") == "60")
    set_threshold(page, 46)
    lesson.says("Done.")
    lesson.press("Next")
    lesson.says("step 2 of 3", "How many tensors have to leave")
    lesson.outlines(threshold)
    page.one("#lesson input").send_keys("2")
    lesson.press("Guess")
    lesson.keeps_to("Your guess: 2", "What it is shows when the step is done.")
    page.choose("#control-mode", "off")
    lesson.press("Next")
    lesson.keeps_to("Not yet: device-peak is 480.00 MiB, expected <= 353.00 MiB.", "step 2 of 3")
    lesson.picture("lesson_wrong")
    lesson.press("Back")
    lesson.says("step 1 of 3")
    lesson.press("Show me")
    lesson.says("Done.")
    lesson.press("Next")
    lesson.says("step 2 of 3")
    page.one("#lesson input").send_keys("2" + ENTER)
    lesson.says("Your guess: 2")
    set_threshold(page, 30)
    lesson.says("Done.", "Your guess: 2", "It is: 4. Four are enough")
    lesson.picture("lesson_answer")
    lesson.press("Next")
    lesson.says("step 3 of 3")
    lesson.outlines("#levels")
    page.press("/")
    page.one("#dialog [role=combobox]").send_keys("layer1/out")
    page.until("the op", "#hits", lambda text: "layer1/out" in text)
    page.press(ENTER)
    page.until("the wrong op", "#inspector h3", lambda text: text == "layer1/out")
    lesson.press("Finish")
    lesson.keeps_to("step 3 of 3", "Hint:")
    page.press("/")
    page.one("#dialog [role=combobox]").send_keys("layer0/out")
    page.until("the op", "#hits", lambda text: "layer0/out" in text)
    page.press(ENTER)
    lesson.says("Done.")
    lesson.picture("lesson_done")
    lesson.press("Finish")
    common.wait("the end", lambda: page.js("document.getElementById('lesson').hidden && !document.querySelector('.spot')"))
    page.settled()
    assert page.text("#swap-count") == "(4)", page.text("#swap-count")


def in_a_small_window(driver, address):
    """Each step of each lesson, as Show me plays it: what its step names is outlined and in sight, or the bar says that it is missing."""
    driver.get(address)
    driver.set_window_size(800, 600)
    page, lesson = Page(driver), Lesson(Page(driver))
    page.one("#start-lessons button")
    titles = [button.text for button in driver.find_elements("css selector", "#start-lessons button")]
    assert len(titles) == 10, titles
    for number, title in enumerate(titles, 1):
        page.one("#tutorial").click()
        common.wait(title, lambda: click(driver, "#dialog .lessons button", title))
        step = 0
        while True:
            step += 1
            lesson.says(title + ": ", f"step {step} of")
            lesson.outlines(".spot")
            lesson.picture(f"small_{number:02}_{step}")
            assert page.js("document.documentElement.scrollWidth <= innerWidth"), (title, step)
            assert "The page has no" not in page.text("#lesson"), page.text("#lesson")
            page.press(ENTER, CONTROL)
            lesson.says("Done." if page.js("!document.querySelector('#lesson [data-key=show]').disabled") else title)
            last = page.text("#lesson [data-key=next]") == "Finish"
            if step == 1 and number in (1, 7):
                assert not (faults := common.accessibility_faults(driver)), faults
            lesson.press("Finish" if last else "Next")
            if last:
                break
        common.wait("the end", lambda: page.js("document.getElementById('lesson').hidden"))
    assert not (said := common.complaints(driver)), said
    driver.get("about:blank")  # asks for no pictures of another size while the server ends
    driver.set_window_size(1400, 900)


def of_a_folder(driver, folder):
    """Of one's own, with a widget that the page does not have."""
    inside = folder / "mine"
    inside.mkdir()
    shutil.copy(LESSONS / "chain.meta", inside)
    (inside / "mine.lesson").write_text("lesson Mine\ngraph chain.meta\nstep <b>One</b>\ncaption Read this.\nspotlight toolbar/speed\n", encoding="utf-8")
    with served(inside) as (address, _):
        page = opened(driver, address)  # its one graph
        page.one("#open").click()
        common.wait("the lesson is opened", lambda: click(driver, "#dialog .link", str(inside / "mine.lesson")))
        Lesson(page).says("Mine: <b>One</b>", 'The page has no "toolbar/speed"')
        driver.refresh()  # goes on where it was
        Lesson(page).says("Mine: <b>One</b>")
        Lesson(page).press("End")
        common.wait("the end", lambda: page.js("document.getElementById('lesson').hidden"))
        page.settled()
        assert not (said := common.complaints(driver)), said


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver:
        folder = pathlib.Path(name)
        empty = folder / "empty"
        empty.mkdir()
        with served(empty) as (address, _):
            page, lesson = started(driver, address, "The first swap")
            first_swap(page, lesson)
            assert not (said := common.complaints(driver)), said
        with served(empty) as (address, _):
            in_a_small_window(driver, address)
        of_a_folder(driver, folder)


if __name__ == "__main__":
    sys.exit(main())
