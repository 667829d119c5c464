#!/usr/bin/env python3
"""The page of `tideline serve` in a real browser, as a user works with it: by mouse and keys a graph is opened, a slider
moved, a scope excluded, the reason of a tensor read, the tensor kept and that undone, a swap selected, the charts zoomed
and moved, and the graph downloaded. The file has the bytes that `tideline script` writes with the same actions; names
that are markup stay names; a session that is gone comes back with its policy; axe finds nothing serious in any theme."""
import contextlib
import pathlib
import re
import subprocess
import sys

import common
from page import Page

GRAPH = common.DATA / "graphs/resnet50.meta"
POLICY_TOP = "document.getElementById('policy-part').getBoundingClientRect().top"
SCOPE = "stage2"
CONTROL, SHIFT, ESCAPE, HOME, ENTER = "\ue009", "\ue008", "\ue00c", "\ue011", "\ue007"


@contextlib.contextmanager
def served(*arguments):
    """The address that `tideline serve` prints, and its process."""
    server = subprocess.Popen([common.PROGRAM, "serve", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    try:
        found = next(filter(None, (re.search(r"http://\S+#token=\S+", line) for line in server.stdout)), None)
        assert found, f"serve ended with {server.wait(timeout=common.PATIENCE)}"
        yield found[0], server
    finally:
        server.terminate()
        try:
            server.wait(timeout=common.PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            raise


def opened(driver, address):
    driver.get(address)
    page = Page(driver)
    page.settled()
    assert "token" not in driver.current_url, "the token stays in the address bar"
    return page


def a_policy_is_made(page):
    """By a choice, a slider and a tick. Gives the actions that make the same."""
    page.choose("#control-mode", "lms2")
    page.until("swaps", "#swap-count", lambda text: text.startswith("("))
    before, revision = page.text("#result .headline"), page.shown("levels")
    top = page.js(POLICY_TOP)
    threshold = page.drag_slider("swapout-threshold", -16)
    assert threshold.isdigit() and int(threshold) > 1, threshold
    common.wait("another picture", lambda: page.shown("levels") != revision)
    page.settled()
    assert page.text("#result .headline") != before, before
    assert page.js(POLICY_TOP) == top, "the sliders have jumped while one of them was dragged"
    page.tick(f"Never swap {SCOPE}")
    common.wait("the scope's undo", lambda: SCOPE in (page.one("#undo").get_attribute("title") or ""))
    page.settled()
    return ["policy.mode lms2", f"policy.set swapout-threshold {threshold}", f"scope.set {SCOPE} never"]


def a_drag_is_one_step_of_undo(page, threshold):
    page.drag_slider("swapin-ahead", 8)
    page.settled()
    page.press("z", CONTROL)
    common.wait("the value before", lambda: page.one("#control-swapin-ahead + .shown").get_attribute("value") == threshold)
    page.settled()


def a_step_is_as_tensorflow_runs_it(page):
    """By a choice, which shows another one; undo takes it back."""
    page.until("how the step runs", "#result", lambda text: "as TensorFlow runs it on a GPU" in text)
    page.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.choose("#control-as-run", "exact")
    page.until("what TensorFlow says, or that there is none", "#result", lambda text: "exactly: " in text)
    assert "modelled as TensorFlow runs it on a GPU" in page.text("#result"), page.text("#result")
    page.settled()
    page.one("#undo").click()
    page.until("the model alone", "#result", lambda text: text and "exactly: " not in text)
    page.settled()
    page.choose("#control-executor", "cpu")
    page.until("another executor", "#result", lambda text: "as TensorFlow runs it on a CPU" in text)
    page.settled()
    page.choose("#control-as-run", "off")
    page.until("the step of the file", "#result", lambda text: text and "as TensorFlow runs it" not in text)
    page.settled()
    assert not page.js("document.querySelector('#control-executor')"), "an executor of a step as in the file"
    page.one("#undo").click()
    page.until("the step before", "#result", lambda text: "as TensorFlow runs it on a CPU" in text)
    page.settled()
    page.one("#undo").click()
    page.until("the executor before", "#result", lambda text: "as TensorFlow runs it on a GPU" in text)
    page.settled()
    assert page.one("#control-as-run").get_attribute("value") == "modelled"


def a_reason_is_read_and_a_tensor_kept(page):
    swaps = page.text("#swap-count")
    page.one("#table-swaps .link").click()
    name = page.until("the inspector", "#inspector h3", bool)
    why = page.until("a reason", "#inspector .why", lambda text: "threshold" in text)
    assert "distance" in why, why
    page.one("#inspector [data-key^='tensor.keep']").click()
    page.until("fewer swaps", "#swap-count", lambda text: text != swaps)
    assert page.one("#inspector [data-key^='tensor.keep']").get_attribute("aria-pressed") == "true"
    page.settled()
    page.one("#undo").click()
    page.until("the swaps again", "#swap-count", lambda text: text == swaps)
    page.settled()
    return name


def a_row_is_found_by_its_filter(page, name):
    page.one("#filter-swaps").send_keys(name)
    common.wait("the rows that fit", lambda: all(name in row.text or name in (row.get_attribute("title") or "") for row in
                                                 page.driver.find_elements("css selector", "#table-swaps .link")))
    page.one("#filter-swaps").clear()
    page.one("#filter-swaps").send_keys(" \b")


def charts_move(page):
    first = page.shown("levels")
    page.wheel("levels", -400)
    common.wait("a closer picture", lambda: page.shown("levels") != first)
    span = float(page.shown("levels").split()[2])
    common.wait("the same range below", lambda: page.shown("memory").split()[1:] == page.shown("levels").split()[1:])
    at = page.shown("levels")
    page.actions().drag_and_drop_by_offset(page.one("#levels"), 120, 0).perform()
    common.wait("another place", lambda: page.shown("levels") != at)
    assert abs(float(page.shown("levels").split()[2]) - span) < 1e-6 and float(page.shown("levels").split()[1]) < float(at.split()[1])
    page.driver.execute_script("document.activeElement.blur()")
    page.press("d")
    page.press(HOME)
    common.wait("everything", lambda: page.shown("levels").split()[1:] == first.split()[1:])
    for chart in ("levels", "memory"):
        assert page.colours(chart) > 5, chart


def charts_lead_to_their_tables(page):
    page.driver.execute_script("document.getElementById('levels').focus()")
    assert "Enter" in page.one("#levels").get_attribute("aria-label")
    page.press(ENTER)
    common.wait("the ops of a level", lambda: page.js("document.activeElement.closest('#table-level') !== null"))
    page.press(ENTER)
    op = page.js("document.activeElement.textContent")
    page.until("the op", "#inspector h3", lambda text: text == op)


def memory_by_time_leads_to_what_is_late(page):
    page.one("#view-memory").click()
    page.settled()
    by_level = page.shown("memory")
    page.choose("#axis", "time")
    common.wait("another axis", lambda: page.shown("memory").split()[1:] != by_level.split()[1:])
    page.settled()
    box = page.one("#memory").size
    sorting = "[...document.querySelectorAll('#table-swaps th')].find((head) => head.textContent === 'slack').getAttribute('aria-sort')"
    assert page.js(sorting) is None
    # The bar of compute and waiting, right in the heading of the link track.
    page.actions().move_to_element_with_offset(page.one("#memory"), round(box["width"] / 2) - 30, 10 - round(box["height"] / 2)).click().perform()
    common.wait("the latest first", lambda: page.js(sorting) == "ascending")
    page.one("#table-swaps th:nth-child(2) button").click()
    common.wait("the largest first", lambda: page.js(sorting) is None)
    page.choose("#axis", "level")
    page.one("#view-levels").click()
    page.settled()


def commands_and_ops_are_found(page):
    page.press("P", CONTROL, SHIFT)
    page.one("#dialog [role=combobox]").send_keys("op:Conv2D level:0..20")
    page.until("hits", "#hits li span", lambda text: "Conv2D" in text)
    op = page.text("#hits li[aria-selected=true] span")
    page.press(ENTER)
    page.until("the op", "#inspector h3", lambda text: text == op)
    page.press("?")
    page.until("the keys", "#dialog h2", lambda text: text == "Keys")
    faults = common.accessibility_faults(page.driver)
    page.press(ESCAPE)
    assert not faults, faults


def downloaded(page, folder, what):
    """The bytes of a file that the dialog of writing gives."""
    page.driver.execute_script("document.activeElement.blur(); document.getElementById('status').textContent = ''")
    page.press("s", CONTROL)
    page.choose("#write-what", what)
    page.one("#dialog .main").click()
    said = page.until("the download", "#status", lambda text: "downloaded" in text)
    return common.downloaded(folder, said.split(" is downloaded")[0])


def the_file_is_that_of_a_script(page, folder, actions):
    written, wanted = downloaded(page, folder, "graph pb"), folder / "wanted.pb"
    (folder / "actions.txt").write_text("\n".join([*actions, f"file.write {wanted}"]) + "\n", encoding="utf-8")
    subprocess.run([common.PROGRAM, "script", str(GRAPH), str(folder / "actions.txt")], check=True, capture_output=True)
    assert written == wanted.read_bytes(), f"{len(written)} bytes, {wanted.stat().st_size} expected"


# Share of pixels of the chart whose colour is not that of the picture in arguments[0], as the browser draws that.
DIFFERENCE = """
const [svg, done] = arguments, canvas = document.querySelector('#levels canvas'), image = new Image();
image.onload = () => {
  const [a, b] = [canvas, image].map((source) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
    copy.drawImage(source, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data;
  });
  let far = 0;
  for (let i = 0; i < a.length; i += 4) far += [0, 1, 2].some((k) => Math.abs(a[i + k] - b[i + k]) > 48) ? 1 : 0;
  done(far / (a.length / 4));
};
image.onerror = () => done('the picture cannot be drawn');
image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
"""


def the_chart_is_that_of_the_picture(page, folder):
    page.settled()
    svg = downloaded(page, folder, "svg").decode()
    page.driver.set_script_timeout(common.PATIENCE)
    share = page.driver.execute_async_script(DIFFERENCE, svg)
    assert share < 0.002, share  # edges, letters and the lane's many ticks lie a part of a pixel elsewhere


def every_theme_can_be_read(page, folder):
    for theme in ("dark", "light", "color-blind-safe"):
        shown = page.shown("levels")
        page.choose("#theme", theme)
        common.wait("the theme", lambda: page.js("document.documentElement.dataset.theme") == theme)
        common.wait("its picture", lambda: page.shown("levels") != shown or theme == "light")
        page.settled()
        faults = common.accessibility_faults(page.driver)
        assert not faults, (theme, faults)
        page.driver.save_screenshot(str(folder / f"{theme}.png"))
        assert (folder / f"{theme}.png").stat().st_size > 20_000


# Pairs of texts and controls that cover each other, of what is in sight; rows under the heading of a table are left out.
OVERLAPS = """
const isShown = (it) => it.checkVisibility() && !it.closest('.table, .chart, .unseen, option');
const parts = [...document.querySelectorAll('#app *')].filter((it) => isShown(it) && (it.matches('button, input, select, progress') ||
  [...it.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())));
const clipped = (it) => {
  let {left, top, right, bottom} = it.getBoundingClientRect();
  for (let over = it.parentElement; over; over = over.parentElement) {
    if (getComputedStyle(over).overflowY === 'visible') continue;
    const box = over.getBoundingClientRect();
    [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return {left, top, right, bottom};
};
const boxes = parts.map(clipped), found = [];
for (let i = 0; i < parts.length; ++i) {
  for (let k = i + 1; k < parts.length; ++k) {
    if (parts[i].contains(parts[k])) continue;
    const [a, b] = [boxes[i], boxes[k]];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1) found.push([parts[i], parts[k]].map((it) => it.outerHTML.slice(0, 120)).join(' | '));
  }
}
return [parts.length, found];
"""


def nothing_overlaps(page):
    count, found = page.driver.execute_script(OVERLAPS)
    assert count > 60 and not found, (count, found[:5])


def large_text_stands_below_each_other(page):
    nothing_overlaps(page)
    page.driver.execute_script("document.documentElement.style.fontSize = '200%'")
    common.wait("the narrow page", lambda: page.js("document.documentElement.classList.contains('narrow')"))
    assert page.js("document.documentElement.scrollWidth <= innerWidth"), "parts stand beside the window"
    nothing_overlaps(page)
    page.driver.execute_script("document.getElementById('levels').insertAdjacentElement('beforebegin', document.getElementById('keys').cloneNode(true)).style.cssText = 'position: absolute; left: 0; top: 0'")
    assert page.driver.execute_script(OVERLAPS)[1], "what covers something is not found"
    page.driver.execute_script("document.querySelector('#centre > #keys').remove()")
    faults = common.accessibility_faults(page.driver)
    page.driver.execute_script("document.documentElement.style.fontSize = ''")
    common.wait("the wide page", lambda: not page.js("document.documentElement.classList.contains('narrow')"))
    assert not faults, faults


def a_lost_session_comes_back(page):
    swaps, id_of = page.text("#swap-count"), "JSON.parse(sessionStorage.getItem('tideline.session')).id"
    before = page.js(id_of)
    page.js("fetch(new URL(`api/v1/sessions/${arguments[0]}`, location.href), {method: 'DELETE', headers: {Authorization:"
            " `Bearer ${JSON.parse(sessionStorage.getItem('tideline.token'))}`}}).then(() => 1)", before)
    was_on = page.one("#show-candidates").is_selected()
    page.one("#show-candidates").click()
    common.wait("another session", lambda: page.js(id_of) != before)
    page.settled()
    page.until("the same policy", "#swap-count", lambda text: text == swaps)
    common.wait("what was clicked", lambda: page.one("#show-candidates").is_selected() != was_on)


NAMES = ["<img src=x onerror=document.title=1>", "<b>bold", "<script>document.title=1<", "'&quot;&amp;"]


def names_stay_names(driver, folder):
    """A graph whose names are markup and programs."""
    graph = folder / "names.pbtxt"
    nodes = [f'node {{ name: "{name}/x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} }}' for name in NAMES]
    graph.write_text("\n".join(nodes) + "\n", encoding="utf-8")
    with served(graph) as (address, _):
        page = opened(driver, address)
        common.wait("the names", lambda: all(name in page.text("#table-scopes") for name in NAMES))
        page.press("/")
        page.one("#dialog [role=combobox]").send_keys("img")
        page.until("the name", "#hits", lambda text: NAMES[0] in text)
        page.press(ENTER)
        page.until("the op", "#inspector h3", lambda text: text == NAMES[0] + "/x")
        assert page.js("document.querySelectorAll('img, b, iframe, script:not([src])').length") == 0
        assert driver.title.startswith("names.pbtxt"), driver.title


def a_traced_step_is_shown(driver):
    """With the timeline shown, actions go on, and without a traced step there is the chart of the levels again."""
    with served(common.DATA / "logs/tf1_mlp") as (address, _):
        driver.get(address)
        page = Page(driver)
        common.wait("what can be opened", lambda: page.js("document.querySelectorAll('#sources .link').length"))
        next(button for button in driver.find_elements("css selector", "#sources .link") if button.is_displayed()).click()
        page.settled()
        page.one("#view-timeline").click()
        common.wait("the timeline", lambda: page.js("!other.hidden && other.dataset.shown"))
        page.settled()
        assert not page.js("document.querySelector('#all').hidden"), "the timeline has a range of its own"
        page.choose("#control-mode", "lms2")
        page.press("w")
        page.settled()
        assert page.js("banner.hidden"), page.text("#banner")
        page.one("#view-levels").click()
        common.wait("the levels", lambda: page.js("other.hidden && !levels.hidden && levels.dataset.shown"))
        page.settled()
        assert page.js("banner.hidden"), page.text("#banner")
        assert not (said := common.complaints(driver)), said


def what_fits_is_shown(driver):
    """Without a device the tab says what to fill in; with one it has a verdict, the ways, and a curve."""
    with served(GRAPH) as (address, _):
        page = opened(driver, address)
        page.one("#view-fit").click()
        page.until("what to fill in", "#fit", lambda text: "device budget" in text)
        page.choose("#control-profile", "v100")
        page.until("the verdict", "#fit .headline", lambda text: " fits v100: " in text)
        page.settled()
        common.wait("the curve", lambda: page.js("!other.hidden && other.dataset.shown"))
        assert "largest batch size" in page.text("#fit"), page.text("#fit")
        assert page.js("document.querySelectorAll('#fit table').length") >= 2, page.text("#fit")
        page.one("#view-levels").click()
        common.wait("the levels", lambda: page.js("document.querySelector('#fit').hidden && !levels.hidden && levels.dataset.shown"))
        page.settled()
        assert page.js("banner.hidden"), page.text("#banner")
        assert not (said := common.complaints(driver)), said


def without_its_token(driver, address):
    opened(driver, address)
    driver.execute_script("sessionStorage.clear()")
    driver.get(address.split("#")[0])
    common.wait("what is missing", lambda: "token" in Page(driver).text("#banner"))
    driver.get_log("browser")  # the refusal is one of its lines


def main():
    common.enter("latest")
    with common.temporary_folder() as name, common.browser(name) as driver, served(GRAPH) as (address, _):
        folder = pathlib.Path(name)
        page = opened(driver, address)
        ahead = lambda: page.one("#control-swapin-ahead + .shown").get_attribute("value")
        actions = a_policy_is_made(page)
        a_drag_is_one_step_of_undo(page, ahead())
        a_step_is_as_tensorflow_runs_it(page)
        tensor = a_reason_is_read_and_a_tensor_kept(page)
        a_row_is_found_by_its_filter(page, tensor)
        charts_move(page)
        charts_lead_to_their_tables(page)
        memory_by_time_leads_to_what_is_late(page)
        commands_and_ops_are_found(page)
        the_file_is_that_of_a_script(page, folder, actions)
        the_chart_is_that_of_the_picture(page, folder)
        every_theme_can_be_read(page, folder)
        large_text_stands_below_each_other(page)
        assert not (said := common.complaints(driver)), said
        a_lost_session_comes_back(page)
        driver.get_log("browser")  # the session that was gone is one of its lines
        names_stay_names(driver, folder)
        a_traced_step_is_shown(driver)
        what_fits_is_shown(driver)
        without_its_token(driver, address)


if __name__ == "__main__":
    sys.exit(main())
