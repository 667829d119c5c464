#!/usr/bin/env python3
"""Inputs that change while they are read, lead elsewhere, or never end.

    inputs_test.py TIDELINE
"""
import os
import pathlib
import random
import shutil
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from wire import field
from common import IS_LONG, ROOT, SAMPLE, entries, fails, model_at, run, succeeds, tideline

RUNS = 300 if IS_LONG else 40  # of each kind of change
FEW_RUNS = 300 if IS_LONG else 10
LARGE = 24 << 20  # bytes: long enough to read that somebody else writes meanwhile

# Two changes within one tick of the file system's clock cannot be told apart (assets/docs/limits.md).
TICK_S = 0.012


def large_graph(path):
    """A graph with a constant of LARGE bytes, in wire bytes."""
    tensor = b"\x08\x01" + field(2, field(2, b"\x08\x80\x80\x80\x03")) + field(4, bytes(LARGE))
    attributes = field(5, field(1, b"dtype") + field(2, b"\x30\x01"))
    attributes += field(5, field(1, b"value") + field(2, field(8, tensor)))
    node = field(1, field(1, b"big") + field(2, b"Const") + attributes)
    path.write_bytes(node + b"".join(field(1, field(1, b"op%d" % i) + field(2, b"NoOp")) for i in range(1000)))


class Writer:
    """Does the same to a file again and again, in the background."""

    def __init__(self, action):
        self.action = action
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.work)

    def work(self):
        while not self.is_over.is_set():
            self.action()

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()


def runs_beside(folder, graph, action, *verb, runs=RUNS, after=lambda: None):
    """Runs the verb again and again beside the action; `after` looks at what a run wrote."""
    codes = {0: 0, 1: 0}
    with Writer(action):
        for _ in range(runs):
            done = tideline(folder, *verb)
            assert done.returncode in codes, done
            assert done.returncode == 0 or (graph.name in done.stderr and "tideline: " in done.stderr), done
            codes[done.returncode] += 1
            after()
    print(f"  {verb[0]}: {codes[0]} read, {codes[1]} refused")
    return codes


def a_file_that_is_cut_while_it_is_read_is_a_message(folder):
    graph = folder / "graph.pb"
    large_graph(graph)
    whole = graph.stat().st_size

    def cut():
        os.truncate(graph, 4096)
        time.sleep(TICK_S)
        os.truncate(graph, whole)

    codes = runs_beside(folder, graph, cut, "inspect", graph)
    assert codes[1] > 0, codes


def a_file_that_is_overwritten_while_it_is_read_is_a_message(folder):
    graph = folder / "graph.pb"
    large_graph(graph)
    good = graph.read_bytes()
    other = good[:100] + bytes(byte ^ 0x55 for byte in good[100:8192]) + good[8192:]

    def overwrite():
        for content in (other, good):
            with open(graph, "r+b") as file:
                file.write(content)
            time.sleep(TICK_S)

    codes = runs_beside(folder, graph, overwrite, "convert", graph, "-o", "out.pb", "--force")
    assert codes[1] > 0, codes
    out = folder / "out.pb"
    assert not out.exists() or out.read_bytes() in (good, other), "what was read is a mixture"
    assert entries(folder) in (["graph.pb"], ["graph.pb", "out.pb"])


def a_file_that_grows_while_it_is_read_is_a_message(folder):
    graph = folder / "graph.pb"
    large_graph(graph)
    whole = graph.stat().st_size

    def grow():
        with open(graph, "ab") as file:
            file.write(b"\x0a\x09\x0a\x01n\x12\x04NoOp" * 1000)
        time.sleep(TICK_S)
        os.truncate(graph, whole)
        time.sleep(TICK_S)

    codes = runs_beside(folder, graph, grow, "inspect", graph, runs=FEW_RUNS)
    assert codes[1] > 0, codes


def a_file_that_is_replaced_while_it_is_read_is_read_whole(folder):
    graph = folder / "graph.pb"
    large_graph(graph)
    contents = [graph.read_bytes(), (ROOT / "tests/data/graphs/tutorial_mnist.pb").read_bytes()]

    def replace():
        for content in contents:
            (folder / "next").write_bytes(content)
            os.replace(folder / "next", graph)
            time.sleep(TICK_S)

    def look():
        if out.exists():
            assert out.read_bytes() in contents, "what was read is a mixture"
            out.unlink()

    out = folder / "out.pb"
    runs_beside(folder, graph, replace, "convert", graph, "-o", "out.pb", runs=FEW_RUNS, after=look)


def variables_that_are_overwritten_while_they_are_copied_are_a_message(folder):
    data = model_at(folder / "model") / "variables/variables.data-00001-of-00002"
    data.write_bytes(bytes(LARGE))
    places = (0, LARGE // 2, LARGE - 4096)
    seen = set()

    def overwrite():
        for byte in b"\x55", b"\x00":
            for place in places:
                with open(data, "r+b") as file:
                    file.seek(place)
                    file.write(byte * 4096)
                time.sleep(TICK_S)

    def look():
        if copy.exists():
            content = (copy / "variables" / data.name).read_bytes()
            assert len(content) == LARGE
            seen.add(tuple(content[place] != 0 for place in places))
            shutil.rmtree(copy)
        assert entries(folder) == ["model"], entries(folder)

    copy = folder / "copy"
    codes = runs_beside(folder, data, overwrite, "convert", "model", "-o", "copy", runs=FEW_RUNS, after=look)
    assert codes[1] > 0, codes
    # The others never were in the file.
    assert not seen & {(False, True, False), (True, False, True)}, "what was copied is a mixture"


def a_log_that_changes_while_it_is_read_ends_well(folder):
    source = next((ROOT / "tests/data/logs/tf1_mlp").glob("events.*"))
    log = folder / source.name
    whole = source.read_bytes()
    chance = random.Random(1)
    log.write_bytes(whole)

    def change():
        at = chance.randrange(len(whole))
        with open(log, "r+b") as file:
            file.truncate(at)
            time.sleep(TICK_S)
            file.seek(at)
            file.write(whole[at:])

    codes = runs_beside(folder, log, change, "inspect", log, "--json", runs=FEW_RUNS)
    assert codes[0] > 0, codes  # a log that ends in the middle is one that is being written


def a_link_out_of_a_model_is_not_copied(folder):
    (folder / "secret").write_text("of somebody else")
    for target in (folder / "secret", "../../secret", "/etc/passwd"):
        model = model_at(folder / "model")
        (model / "assets").mkdir(exist_ok=True)
        (model / "assets/vocab.txt").symlink_to(target)
        fails(tideline(folder, "convert", "model", "-o", "copy"), "model/assets/vocab.txt: is a link")
        assert entries(folder) == ["model", "secret"]
        shutil.rmtree(model)


def a_link_within_a_model_is_copied_as_a_file(folder):
    model = model_at(folder / "model")
    (model / "assets").mkdir(exist_ok=True)
    (model / "assets/words.txt").write_text("words")
    (model / "assets/vocab.txt").symlink_to("words.txt")
    succeeds(tideline(folder, "convert", "model", "-o", "copy"))
    copied = folder / "copy/assets/vocab.txt"
    assert copied.read_text() == "words" and not copied.is_symlink()


def a_pipe_in_a_model_or_a_log_is_not_waited_for(folder):
    model = model_at(folder / "model")
    (model / "assets").mkdir(exist_ok=True)
    os.mkfifo(model / "assets/pipe")
    fails(tideline(folder, "convert", "model", "-o", "copy"), "model/assets/pipe: expected a file")
    (model / "assets/pipe").unlink()
    (model / "saved_model.pb").unlink()
    os.mkfifo(model / "saved_model.pb")
    fails(tideline(folder, "inspect", "model"), "model/saved_model.pb: is a pipe; expected a file")
    assert entries(folder) == ["model"]


def the_app_does_not_wait_for_a_pipe(folder):
    os.mkfifo(folder / "pipe")
    done = tideline(folder, "script", SAMPLE, "-", input=f"file.open {folder / 'pipe'}\n")
    assert done.returncode == 1 and "pipe: is a pipe; expected a file" in done.stderr, done


def a_device_without_end_is_refused(folder):
    fails(tideline(folder, "inspect", "/dev/zero"), "/dev/zero: is a device; expected a file")


def a_pipe_on_the_command_line_is_read(folder):
    done = tideline(folder, "inspect", "/dev/stdin", "--json", stdin=open(SAMPLE, "rb"))
    succeeds(done)
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=lambda: (folder / "pipe").write_bytes(SAMPLE.read_bytes()))
    writer.start()
    succeeds(tideline(folder, "inspect", "pipe"))
    writer.join()


def a_log_does_not_lead_out_of_itself(folder):
    log = folder / "log"
    shutil.copytree(ROOT / "tests/data/logs/tf1_mlp", log)
    (log / "everything").symlink_to("/")
    done = succeeds(tideline(folder, "inspect", "log"))
    assert "link out of the log" in done.stderr + done.stdout, done


run(a_file_that_is_cut_while_it_is_read_is_a_message, a_file_that_is_overwritten_while_it_is_read_is_a_message,
    a_file_that_grows_while_it_is_read_is_a_message, a_file_that_is_replaced_while_it_is_read_is_read_whole,
    variables_that_are_overwritten_while_they_are_copied_are_a_message, a_log_that_changes_while_it_is_read_ends_well,
    a_link_out_of_a_model_is_not_copied, a_link_within_a_model_is_copied_as_a_file,
    a_pipe_in_a_model_or_a_log_is_not_waited_for, the_app_does_not_wait_for_a_pipe,
    a_device_without_end_is_refused, a_pipe_on_the_command_line_is_read, a_log_does_not_lead_out_of_itself)
