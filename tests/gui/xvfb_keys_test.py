"""Every key of the key sheet is pressed in a real window, and does what it says.

Under Xvfb. The sheet is what the window has in its table of actions; an action without an effect here fails, so that
a new key needs a line in `effects`. Skipped (77) without Xvfb or xdotool.
"""

import pathlib
import shutil
import sys
import tempfile
import time

from xvfb_test import LOOK_AGAIN_S, ROOT, SAMPLE, SOON_S, Window, need_display

NAMES = {".": "period", ",": "comma", "?": "question", "+": "plus", "=": "equal", "-": "minus", "Space": "space",
         "PageDown": "Next", "Enter": "Return", "Backspace": "BackSpace", "PageUp": "Prior", "Ctrl": "ctrl", "Shift": "shift", "Alt": "alt"}
OTHER = ROOT / "assets/samples/residual.meta"
LOOPS = ROOT / "tests/data/graphs/while_nested.meta"


def keysyms(chord):
    """["ctrl", "shift", "z"] of "Ctrl+Shift+Z"; the last + of "Ctrl++" is a key."""
    parts = chord[:-1].split("+")[:-1] + ["+"] if chord.endswith("++") else chord.split("+")
    syms = [NAMES.get(part, part.lower() if len(part) == 1 else part) for part in parts]
    # A person holds Shift for these.
    return ["shift", *syms] if syms[-1] in ("question", "plus") else syms


class Keys:
    def __init__(self, window):
        self.window = window
        self.seen = []

    def press(self, action, chord):
        """Returns the state before and after; fails where the key has not asked for the action."""
        before, count = self.look(), self.count()
        self.window.press(*keysyms(chord))
        self.soon(f"{chord} asks for {action}", lambda: self.count() > count)
        asked = self.window.state()["pressed"].rsplit("#", 1)[0]
        assert asked == action.replace(" ", "_"), (chord, action, asked)
        self.window.settled()
        self.seen.append((action, chord))
        return before, self.look()

    def count(self):
        return int(self.window.state().get("pressed", "#0").rsplit("#", 1)[1])

    def look(self):
        return {**self.window.state(), "labels": set(self.window.last()[0])}

    def soon(self, what, condition):
        end = time.monotonic() + SOON_S
        while not condition():
            assert time.monotonic() < end, (what, self.window.last())
            time.sleep(LOOK_AGAIN_S)


def number(text):
    return float(text)


def span(state):
    return number(state["range"].split(":")[1])


def first(state):
    return number(state["range"].split(":")[0])


def opens(label):
    """A dialog that Escape closes again; no other key reaches the window behind it."""
    def check(keys, action, chord):
        _, after = keys.press(action, chord)
        assert label in after["labels"], (action, sorted(after["labels"]))
        held, range_before = keys.count(), after["range"]
        keys.window.press("Home")
        assert keys.count() == held and keys.window.state()["range"] == range_before, action
        keys.window.press("Escape")
        keys.soon(f"{action} closes", lambda: label not in keys.window.last()[0])
    return check


def zooms_in(keys, action, chord):
    keys.press("view.fit", "Home")
    before, after = keys.press(action, chord)
    assert 0 < span(after) and (span(before) == 0 or span(after) < span(before)), (chord, before, after)


def zooms_out(keys, action, chord):
    keys.press("view.fit", "Home")
    for _ in range(3):
        keys.press("view.zoom 1.5", "W")
    before, after = keys.press(action, chord)
    assert span(after) > span(before), (chord, before, after)


def pans(sign):
    def check(keys, action, chord):
        keys.press("view.fit", "Home")
        for _ in range(3):
            keys.press("view.zoom 1.5", "W")
        before, after = keys.press(action, chord)
        assert sign * (first(after) - first(before)) > 0, (chord, before, after)
    return check


def fits(keys, action, chord):
    keys.press("view.zoom 1.5", "W")
    _, after = keys.press(action, chord)
    assert after["range"] == "0:0", (chord, after)


def fits_selection(keys, action, chord):
    """Some swaps reach over nearly all levels; one of them does not."""
    for _ in range(8):
        fits(keys, "view.fit", "Home")
        keys.press("select.next-swap", ".")
        before, after = keys.press(action, chord)
        if span(after) > 0:
            return
    raise AssertionError((before, after))


def arranges(view):
    """Shows that view; the last layout is the usual one again."""
    def check(keys, action, chord):
        keys.press("view.layout compare" if view != "diff" else "view.layout inspect", "F5" if view != "diff" else "F2")
        _, after = keys.press(action, chord)
        assert after["view"] == view, (action, after)
        keys.press("view.layout tune", "F4")
    return check


def selects(keys, action, chord):
    before, after = keys.press(action, chord)
    assert after.get("selected") and after["selected"] != before.get("selected"), (chord, before, after)


def goes_back(keys, action, chord):
    keys.press("select.next-swap", ".")
    here = keys.look()["selected"]
    keys.press("select.next-swap", ".")
    _, after = keys.press(action, chord)
    assert after["selected"] == here, (after, here)


def goes_forward(keys, action, chord):
    keys.press("select.next-swap", ".")
    keys.press("select.next-swap", ".")
    there = keys.look()["selected"]
    keys.press("select.back", "Alt+Left")
    _, after = keys.press(action, chord)
    assert after["selected"] == there, (after, there)


def comes_back(keys, action, chord, number):
    """What is selected is kept by `chord`, and the key `number` selects it again. Of a pair of keys both are then seen."""
    if (action, chord) in keys.seen:
        return
    if "selected" not in keys.look():
        keys.press("select.next-swap", ".")
    here = keys.look()["selected"]
    keys.press(action, chord)
    keys.press("select.next-swap", ".")
    _, after = keys.press(f"bookmark.go {number}", number)
    assert after["selected"] == here, (after, here)


def keeps_first_place(keys, action, chord):
    comes_back(keys, action, chord, "1")


def keeps_place(keys, action, chord):
    comes_back(keys, action, chord, chord[-1])


def goes_to_place(keys, action, chord):
    comes_back(keys, f"bookmark.keep {chord}", f"Ctrl+{chord}", chord)


def clears(keys, action, chord):
    keys.press("select.next-swap", ".")
    _, after = keys.press(action, chord)
    assert "selected" not in after, after


def toggles(label):
    def check(keys, action, chord):
        before, after = keys.press(action, chord)
        assert (label in before["labels"]) and label not in after["labels"], (action, sorted(after["labels"]))
        _, again = keys.press(action, chord)
        assert label in again["labels"], (action, sorted(again["labels"]))
    return check


def grows(sign):
    def check(keys, action, chord):
        before, after = keys.press(action, chord)
        assert number(after["font"]) == number(before["font"]) + sign, (chord, before["font"], after["font"])
    return check


def undoes(keys, action, chord):
    keys.window.drag("policy/swapout threshold", 15)
    before, after = keys.press(action, chord)
    assert before["labels"], after
    keys.press("edit.redo", "Ctrl+Shift+Z")


def redoes(keys, action, chord):
    keys.window.drag("policy/swapout threshold", -15)
    keys.press("edit.undo", "Ctrl+Z")
    keys.press(action, chord)


def reads_again(keys, action, chord):
    before, after = keys.press(action, chord)
    assert after["labels"] and "policy/mode" in after["labels"], before


def searches(keys, action, chord):
    """Without a budget it says what to give, or finds something: the session has news."""
    before = keys.window.last()[1].split()[0]
    keys.press(action, chord)
    keys.soon(f"{action} does something", lambda: keys.window.last()[1].split()[0] != before)


def copies(keys, action, chord):
    _, after = keys.press(action, chord)
    assert "status/messages" in after["labels"], sorted(after["labels"])


def finds_next(keys, action, chord):
    keys.window.press("ctrl", "f")
    keys.window.middle("search/text")
    keys.window.type_over("Relu")
    keys.window.press("Escape")
    keys.soon("no dialog", lambda: "search/text" not in keys.window.last()[0])
    selects(keys, action, chord)


def shows_another(keys, action, chord):
    before, after = keys.press(action, chord)
    assert before["labels"] != after["labels"] or before["range"] != after["range"], action
    keys.press("document.next", "Ctrl+PageDown")


def closes(keys, action, chord):
    before, after = keys.press(action, chord)
    assert any(label.startswith("documents/") for label in before["labels"]), sorted(before["labels"])
    assert not any(label.startswith("documents/") for label in after["labels"]), sorted(after["labels"])


def in_lesson(done, then):
    """In a lesson after `done`, clicks on its buttons; then its graph is closed again."""
    def check(keys, action, chord):
        keys.window.click("menu/Tutorial")
        keys.window.click("menu/Tutorial/3 The first swap")
        keys.window.middle("lesson/title")
        for button, label in done:
            keys.window.click_until(button, label)
        _, after = keys.press(action, chord)
        assert then(after["labels"]), (action, sorted(after["labels"]))
        keys.window.click("lesson/End")
        keys.press("file.close", "Ctrl+W")
    return check


def plays(keys, action, chord):
    """It moves by itself; paused, nothing is drawn any more."""
    count = keys.count()
    keys.window.press(*keysyms(chord))
    keys.soon(f"{chord} asks for {action}", lambda: keys.count() > count)
    keys.soon("the player moves", lambda: number(keys.window.state().get("player", "0")) > 0.5)
    keys.window.press(*keysyms(chord))
    keys.soon("the player stands still", lambda: "playing" not in keys.window.last()[1].split())
    keys.window.settled()
    assert "player" in keys.look(), keys.look()
    keys.seen.append((action, chord))
    keys.press("select.clear", "Escape")
    assert "player" not in keys.look(), keys.look()


def with_loop(done):
    """In the loop of a graph that is opened for it and closed again."""
    def check(keys, action, chord):
        with tempfile.TemporaryDirectory() as name:  # the window keeps a session beside it
            enter_loop(keys, shutil.copy(LOOPS, name))
            if done:
                keys.press("scope.enter", "Enter")
            _, after = keys.press(action, chord)
            assert ("centre/graph" in after["labels"]) != done, (action, sorted(after["labels"]))
            keys.window.click("centre/Levels")
            keys.press("file.close", "Ctrl+W")
    return check


def enter_loop(keys, path):
    """Opens the graph and marks the scope in which the loop is."""
    keys.window.press("ctrl", "o")
    keys.soon("the dialog is there", lambda: "open/path" in keys.window.last()[0])
    keys.window.type_over(path)
    keys.window.press("Return")
    keys.soon("the graph with loops is there", lambda: "documents/while_nested.meta" in keys.window.last()[0])
    keys.window.click("centre/Scopes")
    keys.window.settled()
    keys.window.click("boxes/box outer")
    keys.window.settled()


def moves_aside(keys, action, chord):
    """The marked box changes its place, and comes back with the second press."""
    keys.window.click("centre/Scopes")
    keys.window.settled()
    keys.window.click("boxes/box conv1")
    keys.window.settled()
    before = keys.window.middle("boxes/box conv1")
    keys.press(action, chord)
    assert keys.window.middle("boxes/box conv1") != before
    keys.press(action, chord)
    assert keys.window.middle("boxes/box conv1") == before
    keys.press("select.clear", "Escape")
    keys.window.click("centre/Levels")


SHOWN = ("lesson/Show me", "lesson/done")
EFFECTS = {
    "lesson.show": in_lesson([], lambda labels: "lesson/done" in labels),
    "lesson.next": in_lesson([SHOWN], lambda labels: "lesson/guess" in labels),
    "lesson.back": in_lesson([SHOWN, ("lesson/Next", "lesson/guess")], lambda labels: "lesson/guess" not in labels),
    "player.play": plays,
    "scope.enter": with_loop(False), "scope.leave": with_loop(True), "scope.aside toggle": moves_aside,
    "file.open-dialog": opens("open/path"), "file.write-dialog": opens("write/path"), "search.open": opens("search/text"),
    "help.palette": opens("palette/command"), "help.keys": opens("keys/sheet"), "file.reload": reads_again,
    "view.zoom 1.5": zooms_in, "view.zoom 0.6667": zooms_out, "view.pan -10%": pans(-1), "view.pan 10%": pans(1),
    "view.fit": fits, "view.fit-selection": fits_selection, "select.next-swap": selects,
    "select.previous-swap": selects, "select.back": goes_back, "select.forward": goes_forward, "select.clear": clears,
    "view.toggle left": toggles("policy/mode"), "view.toggle right": toggles("swaps/filter"),
    "view.toggle bottom": toggles("memory/canvas"), "view.font-size +1": grows(1), "view.font-size -1": grows(-1),
    "policy.tune": searches, "edit.undo": undoes, "edit.redo": redoes, "edit.copy-command-line": copies, "search.next": finds_next,
    "view.layout inspect": arranges("scopes"), "view.layout tune": arranges("levels"),
    "view.layout compare": arranges("diff"), "view.layout teach": arranges("levels"),
    "bookmark.keep next": keeps_first_place, **{f"bookmark.keep {number}": keeps_place for number in range(1, 10)},
    **{f"bookmark.go {number}": goes_to_place for number in range(1, 10)},
    "document.next": shows_another, "document.previous": shows_another, "file.close": closes,
}
# It keeps the first place of nine only as long as none is kept.
FIRST = ["bookmark.keep next"]
# These come last, in this order: they change what is open.
LAST = ["lesson.show", "lesson.next", "lesson.back", "document.next", "document.previous", "file.close", "file.quit"]


def press_all(window):
    keys = Keys(window)
    sheet = window.keys()
    missing = set(sheet) - set(EFFECTS) - {"file.quit"}
    assert not missing, f"no effect is known of {missing}"
    for action in [*FIRST, *(set(sheet) - {*FIRST, *LAST}), *LAST[:-1]]:
        for chord in sheet.get(action, "").split():
            if action == "file.close":
                show_two(window)
            EFFECTS[action](keys, action, chord)
        if action == "document.previous":
            window.settled()
    return keys, sheet


def show_two(window):
    if not any(label.startswith("documents/") for label in window.last()[0]):
        raise AssertionError("a single document is open")


def main(program):
    need_display()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        window = Window(program, [str(SAMPLE), str(OTHER)], folder)
        try:
            window.settled()
            window.choose("policy/mode", "policy/mode/lms2", "policy/swapout threshold")
            window.settled()
            keys, sheet = press_all(window)
            window.press("ctrl", "q")
            window.program.wait(SOON_S)
        finally:
            window.close()
    print(f"pressed {len(keys.seen) + 1} times, {sum(len(chords.split()) for chords in sheet.values())} keys")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
