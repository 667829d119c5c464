#!/usr/bin/env python3
"""Names that are made to control the terminal: what is printed shows them and obeys none.

    names_test.py TIDELINE

What may not be printed is decided by Python's table of Unicode, not by ours.
"""
import json
import os
import subprocess
import unicodedata

from common import PATIENCE_S, PROGRAM, run

# C1's CSI, an override of the direction, a line separator, a space without width, an isolate.
OP = "\u009b2K\u202egnihton\u2028\u200b\u2066"
SHOWN = r"\u009b2K\u202egnihton\u2028\u200b\u2066"
# Names of ops may have no C0 and no DEL; other texts may have all.
ANY = "\x1b[2K\x1b[1A\r\n\x07\x7f\t" + OP
CLAIM = "nothing else changed: 7 ops compute the same from the same values"
FORGED = f"\n{CLAIM}\n\x1b[8m"
LMS = ("--swapout-threshold", "1", "--swapin-ahead", "1", "--swapin-groupby", "1", "--batch-size", "2")


def quoted(text):
    """As text format of protobuf writes it."""
    return '"' + "".join(chr(byte) if byte < 0x80 and chr(byte).isalnum() else f"\\{byte:03o}" for byte in text.encode()) + '"'


def node(name, kind, *inputs, device="", more=""):
    shape = "_output_shapes" if kind != "NoOp" else "_none"
    return (f"node {{ name: {quoted(name)} op: {quoted(kind)} device: {quoted(device)} "
            + " ".join(f"input: {quoted(name)}" for name in inputs)
            + ' attr { key: "T" value { type: DT_FLOAT } } attr { key: "dtype" value { type: DT_FLOAT } }'
            + f' attr {{ key: "{shape}" value {{ list {{ shape {{ dim {{ size: 4 }} dim {{ size: 16 }} }} }} }} }}'
            + more + " }\n")


def graph(relu="Relu", device="", function=ANY):
    """A chain whose first tensor is read again at the end, in a loop's frame and with a function."""
    frame = f' attr {{ key: "frame_name" value {{ s: {quoted(ANY)} }} }}'
    odd = f" attr {{ key: {quoted(ANY)} value {{ s: {quoted(ANY)} }} }}"
    ops = [f"{OP}{at}" for at in range(6)]
    text = node(ops[0], "Placeholder")
    for before, op in zip(ops, ops[1:]):
        text += node(op, relu if op == ops[3] else "Relu", before, device=device if op == ops[4] else "", more=odd)
    text += node(OP + "/sum", "AddV2", ops[1], ops[5])
    text += node(OP + "/enter", "Enter", ops[0], more=frame) + node(OP + "/odd", ANY, ops[0])
    return text + f"library {{ function {{ signature {{ name: {quoted(function)} }} }} }}\nversions {{ producer: 1482 }}\n"


def tideline(folder, *words):
    return subprocess.run([os.fsencode(PROGRAM), *map(os.fsencode, words)], cwd=folder, capture_output=True,
                          timeout=PATIENCE_S, stdin=subprocess.DEVNULL, env={**os.environ, "TFDIR": "/nowhere"})


def hidden(printed):
    """What is there of characters that are no glyphs."""
    return [f"U+{ord(c):04X}" for c in printed.decode("utf-8")
            if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co") and c not in "\n\t"]


def says(folder, code, *words):
    done = tideline(folder, *words)
    assert done.returncode == code, (words, done)
    for stream in (done.stdout, done.stderr):
        assert not hidden(stream), (words, hidden(stream), done)
    return done


def write(folder, name="g.pbtxt", **changes):
    (folder / name).write_text(graph(**changes), encoding="utf-8")
    return name


def no_verb_prints_a_control_character(folder):
    path = write(folder)
    write(folder, "other.pbtxt", relu="Tanh", device=FORGED, function=FORGED)
    for words in (("inspect", path), ("inspect", path, "--structure"), ("inspect", path, "--tensors"),
                  ("inspect", path, "--tensors", "--csv"), ("levels", path), ("levels", path, "--complete"),
                  ("levels", path, "--csv"), ("simulate", path), ("simulate", path, *LMS), ("simulate", path, "--csv"),
                  ("why", path, OP + "1"), ("why", path, OP + "1", *LMS), ("why", path, OP + "5:0", *LMS),
                  ("rewrite", "lms2", path, "-o", "lms2.pbtxt", "--debug", "2", *LMS),
                  ("rewrite", "lms1", path, "-o", "lms1.pbtxt", "--optimizer-scopes", OP, "--debug", "2"),
                  ("rewrite", "lms2", path, "--plan-json", "plan.json", *LMS),
                  ("rewrite", "apply", path, "--plan", "plan.json", "-o", "applied.pbtxt"),
                  ("diff", path, "lms2.pbtxt"), ("diff", path, "lms2.pbtxt", "--plan", "plan.json"),
                  ("convert", path, "-o", "g.pb"), ("convert", path, "-o", FORGED + ".pb"),
                  ("render", path, "-o", "levels.svg")):
        done = says(folder, 0, *words)
        assert done.stdout or words[0] == "rewrite", words
    swaps = says(folder, 0, "rewrite", "lms2", path, "-o", "swaps.pb", "--debug", "1", *LMS)
    assert f"  swap {SHOWN}1:0 " in swaps.stdout.decode(), swaps
    train = ("--train", OP + "/sum", "--loss", OP + "5:0")
    for code, *words in ((3, "tune", path, "--device-memory", "600B"), (1, "run", path, *train),
                         (1, "compare", path, "lms2.pbtxt", *train)):
        assert says(folder, code, *words).stderr, words


def errors_print_no_control_character(folder):
    path = write(folder)
    (folder / "script.tls").write_text(f'select.op "{OP}"\n', encoding="utf-8")
    (folder / "bad.pbtxt").write_text(node(ANY, "NoOp") + node("b", "Relu", ANY), encoding="utf-8")
    (folder / "input.pbtxt").write_text(node(OP, "Relu", OP + "missing"), encoding="utf-8")
    (folder / ANY).write_bytes(b"\xff\x1b[2K" * 9)
    for code, *words in ((1, "inspect", "bad.pbtxt"), (1, "inspect", "input.pbtxt"), (1, "inspect", ANY),
                         (1, "inspect", "missing" + ANY), (1, "inspect", path, "--function", "missing" + ANY),
                         (1, "why", path, "missing" + ANY), (1, "inspect", path, "--shape", f"{ANY}=1x2"),
                         (2, "inspect", path, "--" + ANY), (2, "no verb" + ANY), (2, "inspect", path, "--shape", ANY),
                         (1, "convert", path, "-o", ANY), (1, "script", path, "script.tls"),
                         (1, "simulate", path, "--rounds", f"missing{ANY}=3"), (2, "levels", path, "--batch-size", ANY),
                         (1, "simulate", path, "--fetch", ANY), (1, "tune", path, "--device-profile", ANY,
                                                                   "--device-memory", "1GiB")):
        assert says(folder, code, *words).stderr, words


def a_script_prints_no_control_character(folder):
    path = write(folder)
    (folder / "script.tls").write_text(
        "policy.mode lms2\npolicy.set swapout-threshold 1\npolicy.set swapin-ahead 1\n"
        f'select.op "{OP}1"\nprint result\nprint swaps\nprint inspector\nprint state\n', encoding="utf-8")
    done = says(folder, 0, "script", path, "script.tls")
    assert f"\n{SHOWN}1:0 " in done.stdout.decode(), done


def a_name_cannot_forge_the_verdict_of_diff(folder):
    path = write(folder)
    other = write(folder, "other.pbtxt", relu="Tanh", device=FORGED, function=FORGED)
    done = says(folder, 3, "diff", path, other)
    lines = done.stdout.decode().splitlines()
    assert not any(line.startswith("nothing else changed") for line in lines), lines
    assert any("Tanh" in line and SHOWN in line for line in lines), lines


def json_is_safe_and_exact(folder):
    path = write(folder)
    done = says(folder, 0, "levels", path, "--json")
    assert OP + "0" in json.loads(done.stdout)["level_of"], done
    done = says(folder, 0, "inspect", path, "--json")
    assert json.loads(done.stdout)["functions"][0]["name"] == ANY, done
    for words in (("inspect", path, "--tensors", "--json"), ("inspect", path, "--structure", "--json"),
                  ("simulate", path, "--json", *LMS)):
        json.loads(says(folder, 0, *words).stdout)


run(no_verb_prints_a_control_character, errors_print_no_control_character, a_script_prints_no_control_character,
    a_name_cannot_forge_the_verdict_of_diff, json_is_safe_and_exact)
