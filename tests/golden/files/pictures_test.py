#!/usr/bin/env python3
"""Pictures show what is seen: no two that differ in range, rows, selection, font or theme are the same.

    pictures_test.py TIDELINE
"""
import itertools
import struct

from common import ROOT, SAMPLE, fails, run, succeeds, tideline

TRACED = ROOT / "tests/data/logs/tf1_mlp"
POLICY = ("policy.mode lms2", "policy.set swapout-threshold 50", "policy.set swapin-ahead 3", "policy.set swapin-groupby 0")
# What a script does before each picture. What was done before is undone with "view.fit" and the like.
SEEN = {
    "whole": (),
    "range": ("view.range 20 60",),
    "range2": ("view.range 21 60",),
    "selection": ("select.op fc1/Relu",),
    "selection2": ("select.op conv1/Relu",),
    "font": ("view.font-size 24",),
    "theme": ("view.theme light",),
    "theme2": ("view.theme color-blind-safe",),
}
OF_VIEW = {
    "levels": {"rows": ("view.rows 4",), "rows2": ("view.rows 4 1",), "rows3": ("view.rows 8",),
               "candidates": ("view.toggle candidates",)},
    "memory": {"detail": ("view.detail 0",), "original": ("view.toggle original",), "axis": ("view.axis step",)},
    "timeline": {"stretch": ("timeline.select 0.1 0.2",)},
}


def drawn(folder, graph, lines, name, view):
    script = "\n".join((*lines, f"file.write-picture {name} {view}")) + "\n"
    return tideline(folder, "script", graph, "-", input=script)


def differ(pictures):
    for (one, a), (other, b) in itertools.combinations(pictures.items(), 2):
        assert a != b, (one, other)


def has_pictures(folder):
    done = drawn(folder, SAMPLE, (), "probe.svg", "levels")
    assert done.returncode == 0 or "cannot be drawn" in done.stderr, done
    return done.returncode == 0


def pictures_of_a_script_are_of_what_is_seen(folder):
    if not has_pictures(folder):
        return  # a build without the window
    for view in ("levels", "memory"):
        for ending in ("svg", "png"):
            pictures = {}
            for name, lines in {**SEEN, **OF_VIEW[view]}.items():
                path = f"{view}-{name}.{ending}"
                succeeds(drawn(folder, SAMPLE, (*POLICY, f"view.tab {view}", *lines), path, view))
                pictures[name] = (folder / path).read_bytes()
            assert len(pictures) >= 11
            differ(pictures)
            # What is not seen does not matter, and a picture of the same is the same.
            succeeds(drawn(folder, SAMPLE, (*POLICY, f"view.tab {view}", "view.range 20 60", "view.fit"),
                           f"again.{ending}", view))
            assert (folder / f"again.{ending}").read_bytes() == pictures["whole"]
            (folder / f"again.{ending}").unlink()


def pictures_of_a_timeline_are_of_what_is_seen(folder):
    if not has_pictures(folder):
        return
    pictures = {}
    seen = {name: lines for name, lines in SEEN.items() if not name.startswith("selection")}
    seen["selection"] = ("select.op fc1/Relu",)
    for name, lines in {**seen, **OF_VIEW["timeline"]}.items():
        succeeds(drawn(folder, TRACED, ("document.open graph " + str(TRACED), "wait", "view.tab timeline", *lines),
                       f"{name}.svg", "timeline"))
        pictures[name] = (folder / f"{name}.svg").read_bytes()
    differ(pictures)


def pictures_of_render_are_of_what_is_asked_for(folder):
    looks = {"whole": (), "range": ("--range", "20:60"), "range2": ("--range", "20:61"), "select": ("--select", "fc1/Relu"),
             "select2": ("--select", "conv1/Relu:0"), "font": ("--font-size", "24"), "font2": ("--font-size", "24.5"),
             "theme": ("--theme", "light")}
    for view in ("levels", "memory", "both"):
        pictures = {}
        for name, words in looks.items():
            succeeds(tideline(folder, "render", SAMPLE, "-o", f"{view}-{name}.svg", "--view", view, *words,
                              "--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "0"))
            pictures[name] = (folder / f"{view}-{name}.svg").read_bytes()
        differ(pictures)
    if not has_pictures(folder):
        return
    sizes = set()
    pictures = {}
    for name, words in looks.items():
        succeeds(tideline(folder, "render", SAMPLE, "-o", f"{name}.png", "--size", "800x500", *words))
        pictures[name] = (folder / f"{name}.png").read_bytes()
        sizes.add(struct.unpack(">II", pictures[name][16:24]))
    differ(pictures)
    assert sizes == {(800, 500)}, sizes


def the_picture_of_a_script_is_that_of_render(folder):
    if not has_pictures(folder):
        return
    words = ("--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "0", "--view", "levels")
    succeeds(tideline(folder, "render", SAMPLE, "-o", "render.svg", "--range", "20:60", "--select", "fc1/Relu",
                      "--font-size", "20", "--theme", "light", *words))
    succeeds(drawn(folder, SAMPLE, (*POLICY, "view.range 20 60", "select.op fc1/Relu", "view.font-size 20",
                                    "view.theme light"), "script.svg", "levels"))
    # But for the subtitle, which a script's picture does not have.
    lines = [(folder / name).read_text().splitlines() for name in ("render.svg", "script.svg")]
    assert len(lines[0]) == len(lines[1])
    assert sum(a != b for a, b in zip(*lines)) <= 1


def a_range_beyond_the_graph_and_an_unknown_op_are_named(folder):
    fails(tideline(folder, "render", SAMPLE, "-o", "a.svg", "--range", "90:94"), "--range 90:94",
          "expected levels from 0 to 93")
    fails(tideline(folder, "render", SAMPLE, "-o", "a.svg", "--select", "fc1/Rely"), "--select", "'fc1/Rely'", "fc1/Relu")
    fails(tideline(folder, "render", TRACED, "-o", "a.svg", "--view", "timeline", "--range", "0:99999999",
                   "--run-metadata", TRACED),
          "expected microseconds from 0 to ")
    for lines, said in (("view.range 94 99", "at most 93"), ("view.range 9 3", "not before the first"),
                        ("view.range a 3", "'a'"), ("select.op nowhere", "'nowhere'"), ("view.rows 0.5", "1 to 64")):
        done = tideline(folder, "script", SAMPLE, "-", input=lines + "\nfile.write-picture a.svg levels\n")
        assert done.returncode in (1, 2) and said in done.stderr and "expected" in done.stderr, done
    assert not list(folder.iterdir())


run(pictures_of_a_script_are_of_what_is_seen, pictures_of_a_timeline_are_of_what_is_seen,
    pictures_of_render_are_of_what_is_asked_for, the_picture_of_a_script_is_that_of_render,
    a_range_beyond_the_graph_and_an_unknown_op_are_named)
