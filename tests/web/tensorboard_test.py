#!/usr/bin/env python3
"""The tab in a real TensorBoard, in a real browser, with mouse and keys: a run is opened, a policy made, understood, changed,
taken back, looked at closely and downloaded. The file is what a script with the same actions writes. A run reads the same as a
folder and as a blob. Nothing is left of a killed TensorBoard. Arguments: the environment, then ways to start TensorBoard."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import urllib.error

import board
import common
import runs_test

ENVIRONMENT = sys.argv[2] if len(sys.argv) > 2 else "latest"
WAYS = {"fast": (["--logdir", "LOGS"], "/"), "slow": (["--logdir", "LOGS", "--load_fast=false"], "/"),
        "spec": (["--logdir_spec=a:LOGS"], "/"), "prefix": (["--logdir", "LOGS", "--path_prefix=/some/where"], "/some/where/")}
RUN = "tf1_mnist_deep"
FILL, TEXT = 0, 8  # kinds of rows of a picture
TAB = "data/plugin/tideline/"


# What a user does

class Page:
    """The page in its frame; every step waits for what it leads to."""

    def __init__(self, driver, served):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys
        from selenium.webdriver.support.ui import Select
        self.driver, self.served = driver, served
        self.by, self.keys, self.select, self.mouse = By, Keys, Select, lambda: ActionChains(driver)
        board.open_tab(driver, served.url)

    def find(self, css):
        return common.find(self.driver, css)

    def click(self, css):
        """Also when a table is just being filled anew."""
        common.wait(f"{css} is clicked", lambda: self.find(css).click() or True)

    def choose(self, css, value):
        common.wait(f"{value} is chosen", lambda: self.select(self.find(css)).select_by_value(value) or True)

    def all(self, css):
        return self.driver.find_elements(self.by.CSS_SELECTOR, css)

    def text(self, css):
        return self.find(css).text

    def press(self, words, within="body"):
        """Clicks the button that says `words`."""
        def click():
            button, = [node for node in self.all(f"{within} button") if words in node.text and node.is_displayed()]
            button.click()
            return True
        common.wait(f"a button {words}", lambda: [node for node in self.all(f"{within} button") if words in node.text])
        common.wait(f"{words} is clicked", click)

    def session(self):
        return self.driver.execute_script("return JSON.parse(sessionStorage.getItem('tideline.session'))?.id")

    def state(self):
        """The session's state, asked beside the page."""
        return json.loads(self.served.get(f"{TAB}api/v1/sessions/{self.session()}/state"))

    def at_rest(self):
        """Nothing is on its way, and the charts show the newest."""
        def rests():
            state = self.state()
            shown = self.find("#levels").get_attribute("data-shown") or " "
            return state if not state["busy"] and not state["job"] and shown.split()[0] == str(state["revision"]) else None
        return common.wait("the page is at rest", rests)


def open_run(page, run, tag):
    def open_it():
        row = next(node for node in page.all("#start button") if f"{run} · {tag}" in node.text)
        return row.click() or True
    common.wait("the run is listed", lambda: any(f"{run} · {tag}" in node.text for node in page.all("#start button")))
    common.wait("it is opened", open_it)
    common.wait("the chart is there", lambda: page.find("#levels").get_attribute("data-shown"))
    return page.at_rest()


def swaps(state):
    return state["graph"]["swaps"]


def value_of(state):
    return next(control["value"] for control in state["controls"] if control["name"] == "swapout-threshold")


def make_a_policy(page):
    """Mode, a slider drawn by the mouse, a scope without swaps. Returns the actions that say the same."""
    page.choose("#control-mode", "lms2")
    first = common.wait("tensors are swapped", lambda: swaps(page.at_rest()) > 0 and page.at_rest())
    slider = page.find("#control-swapout-threshold")
    page.mouse().click_and_hold(slider).move_by_offset(-10, 0).move_by_offset(-8, 0).move_by_offset(-6, 0).release().perform()

    def tried():
        state, shown = page.at_rest(), page.find(".control:has(#control-swapout-threshold) .shown").get_attribute("value")
        return state if swaps(state) != swaps(first) and value_of(state) == shown else None
    drawn = common.wait("the slider is tried out at once, with the value that it says", tried)
    value = value_of(drawn)
    page.find("#filter-scopes").send_keys("conv1")
    page.click("[aria-label='Never swap conv1']")
    excluded = common.wait("conv1 is excluded", lambda: swaps(page.at_rest()) < swaps(drawn) and page.state())
    common.wait("the table knows", lambda: "conv1/" not in page.text("#table-swaps") and "conv2/" in page.text("#table-swaps"))
    page.find("#filter-scopes").clear()
    return excluded, ["policy.mode lms2", f"policy.set swapout-threshold {value}", "scope.set conv1 never"]


def read_why(page, before):
    """Why a tensor stays; then another is kept by hand, and let go again by Ctrl+Z."""
    page.find("#levels").send_keys("/")
    page.find("#dialog input").send_keys("conv1/Relu")
    common.wait("the op is found", lambda: "conv1/Relu" in page.text("#hits li"))
    page.find("#dialog input").send_keys(page.keys.ENTER)
    common.wait("the reason is shown", lambda: "conv1" in page.text("#inspector h3") and "scope" in page.text("#inspector .why"))
    tensor = common.wait("the first swap", lambda: page.text("#table-swaps tbody:nth-of-type(2) button"))
    page.click("#table-swaps tbody:nth-of-type(2) button")
    common.wait("the swap's reason is shown", lambda: tensor.split(":")[0] == page.text("#inspector h3") and page.text("#inspector .why"))
    page.press("Keep on device", "#inspector")
    common.wait("it stays", lambda: swaps(page.at_rest()) < swaps(before))
    common.wait("the table knows", lambda: tensor not in page.text("#table-swaps").splitlines())
    page.find("#levels").send_keys(page.keys.CONTROL + "z")
    common.wait("it goes again", lambda: swaps(page.at_rest()) == swaps(before) and tensor in page.text("#table-swaps"))


def look_closely(page):
    """Wheel, drag, key: the exact picture of what is looked at comes."""
    from selenium.webdriver.common.action_chains import ScrollOrigin

    def shown():
        return [float(number) for number in levels.get_attribute("data-shown").split()[1:]]
    levels = page.find("#levels")
    whole = shown()
    page.mouse().scroll_from_origin(ScrollOrigin.from_element(levels), 0, -600).perform()
    near = common.wait("it is closer", lambda: shown()[1] < whole[1] / 2 and shown())
    page.mouse().drag_and_drop_by_offset(levels, 150, 0).perform()
    common.wait("it is further left", lambda: shown()[0] < near[0] and shown()[1] == near[1])
    levels.send_keys(page.keys.HOME)
    common.wait("all is there", lambda: shown() == whole)


def download(page, folder):
    page.press("Write, download")
    page.choose("#write-what", "graph meta")
    page.press("Download", "#dialog")
    files = common.wait("a file", lambda: [path for path in (folder / "downloads").glob("*") if path.suffix != ".crdownload"])
    assert len(files) == 1, files
    return common.downloaded(folder, files[0].name)


def the_work_outlives_the_program(page, served):
    """The program is killed: the next act starts another, and the page does the same again in it."""
    before, session = page.state(), page.session()
    program, = board.processes_of(common.PROGRAM) & board.children_of(served.process.pid)
    os.kill(program, signal.SIGKILL)
    page.find("#levels").send_keys(".")
    common.wait("there is another session", lambda: page.session() != session)
    after = common.wait("the work is there again", lambda: swaps(page.at_rest()) == swaps(before) and page.state())
    assert after["resume"] == before["resume"] and after["graph"]["summary"] == before["graph"]["summary"]
    again, = board.processes_of(common.PROGRAM) & board.children_of(served.process.pid)
    assert again != program


def scripted(folder, actions):
    """What `tideline script` writes with the same actions."""
    out, script = folder / "scripted.meta", folder / "script.tls"
    script.write_text("\n".join([*actions, f"file.write {out}"]) + "\n", encoding="utf-8")
    done = subprocess.run([common.PROGRAM, "script", common.DATA / "logs", script, "--run", RUN, "--tag", "__run_meta_graph__"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return out.read_bytes()


def a_user_works(served, folder):
    with common.browser(folder) as driver:
        page = Page(driver, served)
        open_run(page, RUN, "__run_meta_graph__")
        excluded, actions = make_a_policy(page)
        read_why(page, excluded)
        look_closely(page)
        assert common.accessibility_faults(driver) == []
        assert download(page, folder) == scripted(folder, actions)
        mine = [line for line in common.complaints(driver) if "plugin/tideline/" in line or "Security Policy" in line]
        assert mine == [], mine
        the_work_outlives_the_program(page, served)


# A run as a folder and as a blob

def looks(served, row):
    """Levels, memory and summary of a run with a policy, as the program draws them."""
    session = runs_test.post(served, TAB + "open", {"source": row})["id"]
    common.wait("the run is open", lambda: json.loads(served.get(f"{TAB}api/v1/sessions/{session}/state?wait=1000"))["graph"])
    answer = runs_test.post(served, f"{TAB}api/v1/sessions/{session}/act", {
        "do": [["policy.mode", "lms2"], ["policy.set", "swapout-threshold", "20"]], "wait_ms": 20000,
        "pictures": [{"view": view, "w": 1000, "h": 500, "font": 15} for view in ("levels", "memory")]})
    assert not answer["busy"] and answer["graph"]["swaps"] > 0
    # The legend, in the last lines, names the curve of the traced step by where it came from.
    texts = [[text for text in picture["texts"] if not text.startswith("measured (")] for picture in answer["pictures"]]
    lists = [[row for row in picture["list"] if row[0] != TEXT and not (row[0] == FILL and row[3] > 470)]
             for picture in answer["pictures"]]
    assert answer["graph"]["measured"] and any("peak" in text for text in texts[1])
    return [texts, lists, answer["graph"]["summary"], answer["result"]]


def folder_and_blob_look_the_same(folder):
    process, address = runs_test.data_server(folder, folder / "logs")
    seen = []
    for flags in (["--logdir", folder / "logs"], [f"--grpc_data_provider={address}"]):
        with board.TensorBoard(sys.executable, folder, *flags) as served:
            def listed():
                rows = json.loads(served.get(TAB + "sources"))["graphs"]
                return [row for row in rows if row["run"] == RUN and row["tag"] == "__run_graph__"]
            row, = common.wait("the run is listed", listed)
            assert row["path"].startswith("tensorboard:") == (len(seen) == 1), row
            seen.append(looks(served, row))
    process.stdin.close()
    process.wait()
    assert seen[0] == seen[1]


def killed_tensorboard_leaves_nothing(folder):
    with board.TensorBoard(sys.executable, folder, "--logdir", folder / "logs") as served:
        row = json.loads(served.get(TAB + "sources"))["graphs"][0]
        runs_test.post(served, TAB + "open", {"source": row})
        started = board.processes_of(common.PROGRAM) & board.children_of(served.process.pid)
        assert len(started) == 1, started
        served.kill()
        common.wait("the program ends", lambda: not any(map(board.is_running, started)))
        assert not [path for path in served.tmp.iterdir() if path.name.startswith("tideline")]


def files_are_written_only_where_the_flag_says(folder):
    out = folder / "written"
    out.mkdir()
    for flags, may_write in ([], False), ([f"--tideline_write_dir={out}"], True):
        with board.TensorBoard(sys.executable, folder, "--logdir", folder / "logs", *flags) as served:
            assert json.loads(served.get(TAB + "about"))["may_write"] == may_write
            assert not json.loads(served.get(TAB + "about", Host="board.example"))["may_write"]
            row = json.loads(served.get(TAB + "sources"))["graphs"][0]
            session = runs_test.post(served, TAB + "open", {"source": row})["id"]
            common.wait("the run is open", lambda: json.loads(served.get(f"{TAB}api/v1/sessions/{session}/state?wait=1000"))["graph"])
            for name in ("it.csv", "../it.csv", str(folder / "it.csv")):
                wish = {"do": [["policy.mode", "lms2"], ["file.write-csv", name]], "wait_ms": 20000}
                try:
                    runs_test.post(served, f"{TAB}api/v1/sessions/{session}/act", wish)
                    done = True
                except urllib.error.HTTPError as refusal:
                    done = refusal.code != 422
                assert done == (may_write and name == "it.csv"), (flags, name)
            assert bool(list(out.iterdir())) == may_write and not list(folder.glob("*.csv"))


def main():
    common.enter(ENVIRONMENT)
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "logs").symlink_to(common.DATA / "logs")
        for way in sys.argv[3:] or ["fast"]:
            flags, path = WAYS[way]
            own = folder / way
            own.mkdir()
            with board.TensorBoard(sys.executable, own, *[flag.replace("LOGS", str(common.DATA / "logs")) for flag in flags]) as served:
                assert served.url.endswith(path), served.url
                common.wait("the tab is active", lambda: json.loads(served.get("data/plugins_listing"))["tideline"]["enabled"])
                a_user_works(served, own)
            print(way, flush=True)
        folder_and_blob_look_the_same(folder)
        killed_tensorboard_leaves_nothing(folder)
        files_are_written_only_where_the_flag_says(folder)


if __name__ == "__main__":
    sys.exit(main())
