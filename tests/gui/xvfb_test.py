"""The real program in a real window, driven by mouse and keys as a person would.

Under Xvfb: opens the tutorial's graph, drags the threshold, excludes a scope, undoes, writes; what was
written equals what the command line writes with the parameters that are on the screen then. Skipped (77)
without Xvfb or xdotool.
"""

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets/samples/tutorial_mnist.meta"
PATIENCE_S = 60
# Files tell nobody that they have changed, so they are looked at again and again.
LOOK_AGAIN_S = 0.05
# Dear ImGui 1.86 looks at mouse and keys once a frame: what comes and goes between two of them never was. A
# frame of the software renderer takes up to this long, and nothing outside the program can wait for one.
FRAME_S = 0.2
# With no event and no work the window draws nothing: frames that are due come within this.
QUIET_S = 0.4
# A busy machine draws late: what comes of a click may take so long, and a click may miss what has moved.
SOON_S = 10
ATTEMPTS = 5


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


class Window:
    """The program under an X server of its own."""

    def __init__(self, program, arguments, folder):
        self.trace = folder / "trace.jsonl"
        read, write = os.pipe()
        self.server = subprocess.Popen(
            # -r: keys that are held do not repeat.
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-r"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb does not start"
        self.environment = dict(os.environ, DISPLAY=f":{number}", TIDELINE_UI_TRACE=str(self.trace),
                                XDG_CONFIG_HOME=str(folder / "config"), LIBGL_ALWAYS_SOFTWARE="1")
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.program = subprocess.Popen([program, *arguments], env=self.environment, cwd=folder,
                                        stderr=subprocess.PIPE, text=True)

    def last(self):
        """What is on the screen: {label: rect}, and the state's words."""
        if not self.trace.exists():
            return {}, ""
        lines = [line for line in self.trace.read_text().split("\n")[:-1] if line]
        if not lines:
            return {}, ""
        line = json.loads(lines[-1])
        return {item["label"]: item["rect"] for item in reversed(line["items"])}, line["state"]

    def keys(self):
        """{action: its keys, separated by blanks}: the key sheet."""
        self.until("keys", lambda items, _: True)
        return json.loads(self.trace.read_text().split("\n")[0])["keys"]

    def state(self):
        """{"range": "0:0", "font": "15", ...}."""
        return dict(word.split("=", 1) for word in self.last()[1].split() if "=" in word)

    def until(self, what, condition):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if self.program.poll() is not None:
                raise AssertionError(f"{what}: the program ended: {self.program.stderr.read()}")
            items, state = self.last()
            if items and condition(items, state.split()):
                return items
            time.sleep(LOOK_AGAIN_S)
        items, state = self.last()
        raise AssertionError(f"{what}: not within {PATIENCE_S} s; state {state!r}, {sorted(items)}")

    def idle(self, items, state):
        return "open" in state and "busy" not in state and "stale" not in state

    def xdo(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def press(self, *keys):
        """All at once, each held for a frame: of keys that come and go between two frames none is seen."""
        words = []
        for key in keys:
            words += ["keydown", key, "sleep", FRAME_S]
        for key in reversed(keys):
            words += ["keyup", key, "sleep", FRAME_S]
        self.xdo(*words)

    def middle(self, label):
        rect = self.until(label, lambda items, _: label in items)[label]
        return round((rect[0] + rect[2]) / 2), round((rect[1] + rect[3]) / 2)

    def settled(self):
        """Nothing has been drawn anew for a moment, and nothing is going on beside."""
        self.until("quiet", self.idle)
        size = -1
        while size != self.trace.stat().st_size:
            size = self.trace.stat().st_size
            time.sleep(QUIET_S)
        self.until("quiet", self.idle)

    def click(self, label):
        x, y = self.middle(label)
        self.xdo("mousemove", x, y, "sleep", FRAME_S, "click", 1, "sleep", FRAME_S)
        self.settled()

    def comes(self, label):
        """Whether it is on the screen soon."""
        end = time.monotonic() + SOON_S
        while label not in self.last()[0] and time.monotonic() < end:
            time.sleep(LOOK_AGAIN_S)
        return label in self.last()[0]

    def click_until(self, label, then):
        """Clicks, while nothing needs to be open, until `then` is on the screen."""
        for _ in range(ATTEMPTS):
            if label in self.last()[0] or self.comes(label):
                x, y = self.middle(label)
                self.xdo("mousemove", x, y, "sleep", FRAME_S, "click", 1, "sleep", FRAME_S)
            if self.comes(then):
                return
        raise AssertionError(f"{label}: clicked {ATTEMPTS} times, and there is no {then}: {self.last()}")

    def choose(self, combo, item, then):
        """Takes an item of a list, after which `then` is on the screen."""
        for _ in range(ATTEMPTS):
            self.click(combo)
            if self.comes(item):
                self.click(item)
            if self.comes(then):
                return
        raise AssertionError(f"{item}: chosen {ATTEMPTS} times, and there is no {then}: {self.last()}")

    def type_text(self, label, text, then):
        """Types into a field of text, after which `then` is on the screen."""
        for _ in range(ATTEMPTS):
            self.click(label)
            self.type_over(text)
            if self.comes(then):
                self.settled()
                return
        raise AssertionError(f"{text}: typed {ATTEMPTS} times, and there is no {then}: {self.last()}")

    def drag(self, label, dx):
        x, y = self.middle(label)
        self.xdo("mousemove", x, y, "sleep", FRAME_S, "mousedown", 1, "sleep", FRAME_S)
        for step in range(1, 5):
            self.xdo("mousemove", x + dx * step // 4, y, "sleep", FRAME_S)
        self.xdo("mouseup", 1, "sleep", FRAME_S)
        self.settled()

    def type_number(self, label, value):
        x, y = self.middle(label)
        self.xdo("mousemove", x, y, "sleep", FRAME_S, "keydown", "ctrl", "sleep", FRAME_S, "click", 1,
                 "sleep", FRAME_S, "keyup", "ctrl", "sleep", FRAME_S)
        self.type_over(value)
        self.press("Return")
        self.settled()

    def type_over(self, text):
        """Into the field that has the keys, instead of what is there."""
        self.press("ctrl", "a")
        self.xdo("type", "--delay", "60", str(text))
        self.xdo("sleep", FRAME_S)

    def close(self):
        if self.program.poll() is None:
            self.program.terminate()
            try:
                self.program.wait(10)
            except subprocess.TimeoutExpired:
                self.program.kill()
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(10)


def write(window, path):
    window.click("result/Write graph...")
    window.middle("write/path")
    window.type_over(path)
    window.click("write/Write")
    end = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < end, f"nothing was written: {window.last()}"
        time.sleep(LOOK_AGAIN_S)
    window.settled()


def by_command_line(program, folder, options):
    path = folder / "wanted.meta"
    subprocess.run([program, "rewrite", "lms2", str(SAMPLE), "-o", str(path), *options], check=True,
                   stdout=subprocess.DEVNULL)
    return path


def need_display():
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            skip(f"{tool} is missing")


def main(program):
    need_display()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        window = Window(program, [str(SAMPLE)], folder)
        try:
            drive(program, window, folder)
        finally:
            window.close()
    print("opened, dragged, excluded, undid and wrote")


def unwritten_script(folder):
    """The script that a window keeps: unwritten-PID.sh."""
    return next((folder / "config/tideline").glob("unwritten-[0-9]*.sh"), None)


def unwritten_words(folder):
    """The command line of what is on the screen, from the script that the window keeps."""
    end = time.monotonic() + PATIENCE_S
    while not (script := unwritten_script(folder)):
        assert time.monotonic() < end, "the window keeps no script of what is unwritten"
        time.sleep(LOOK_AGAIN_S)
    # It is written again a second after the last input; when nothing has changed it is not, so there is
    # nothing to wait for but the time.
    time.sleep(2)
    return shlex.split(script.read_text().splitlines()[-1])


def options_of(words, graph=SAMPLE):
    """The parameters in a command line of `tideline rewrite lms2 GRAPH -o OUT ...`."""
    assert words[1:3] == ["rewrite", "lms2"], words
    rest = [word for word in words[3:] if word != str(graph)]
    kept, skipping = [], False
    for word in rest:
        if skipping:
            skipping = False
        elif word in ("-o", "--output"):
            skipping = True
        elif not word.startswith("--output="):
            kept.append(word)
    return kept


def value_of(options, name):
    """What stands behind an option, or behind its =; none when it is not there."""
    for at, word in enumerate(options):
        if word == name:
            return options[at + 1]
        if word.startswith(name + "="):
            return word[len(name) + 1:]
    return None


def drive(program, window, folder):
    window.settled()
    window.choose("policy/mode", "policy/mode/lms2", "policy/swapout threshold")
    threshold = "--swapout-threshold"
    before = options_after_drag(window, folder, 15)
    after = options_after_drag(window, folder, 30)
    assert int(value_of(after, threshold)) > int(value_of(before, threshold)), (before, after)
    scopes = "--excl-output-by-scopes"
    never_swap(window, "conv1")
    assert value_of(options_of(unwritten_words(folder)), scopes) == "conv1"
    never_swap(window, "conv2")
    assert value_of(options_of(unwritten_words(folder)), scopes) == "conv1,conv2"
    window.press("ctrl", "z")
    window.settled()
    options = options_of(unwritten_words(folder))
    assert value_of(options, scopes) == "conv1", options
    written = folder / "written.meta"
    write(window, written)
    escape_goes_back(window)
    wanted = by_command_line(program, folder, options)
    assert written.read_bytes() == wanted.read_bytes(), "not what the command line writes"


def escape_goes_back(window):
    """Each Escape takes what is in front: the dialog first, then the selection."""
    inspected = "inspector/pool1/MaxPool:0/Swap"
    for _ in range(ATTEMPTS):
        window.click("swaps/pool1/MaxPool:0")
        if window.comes(inspected):
            break
    window.press("ctrl", "f")
    window.middle("search/text")
    window.press("Escape")
    items = window.until("no dialog", lambda items, _: "search/text" not in items)
    assert inspected in items, items
    window.press("Escape")
    window.until("nothing selected", lambda items, _: inspected not in items)


def never_swap(window, scope):
    rule = f"scopes/{scope}/rule"
    for _ in range(ATTEMPTS):
        window.click(rule)
        if window.comes(f"{rule}/never swap"):
            window.click(f"{rule}/never swap")
            return
    raise AssertionError(f"{rule}: opened {ATTEMPTS} times without a list: {window.last()}")


def options_after_drag(window, folder, dx):
    window.drag("policy/swapout threshold", dx)
    return options_of(unwritten_words(folder))


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
