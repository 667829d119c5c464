#!/usr/bin/env python3
"""Ten slides of a lesson come from one script, each of what the script showed.

    slides_test.py TIDELINE
"""
import itertools
import re

from common import ROOT, entries, run, succeeds, tideline

GRAPH = ROOT / "assets/samples/residual.meta"
SLIDES = ROOT / "assets/tutorials/slides.txt"
# What is written on each, and on none of those before it with the same view.
SHOWS = {1: ("No policy yet", ">100<"), 2: ("No policy yet",), 3: ("Alive at the peak", "704.00 MiB"), 4: (">34<", "peak 704.00 MiB"),
         5: ("17 tensors, 512.00 MiB in all",), 6: ("layer0/out:0", ">25<"), 7: ("layer0/out:0", ">106<"),
         8: ("level 33: device 288.00 MiB, host 416.00 MiB, highest so far 288.00 MiB", ">33<"),
         9: ("level 80: device", ">80<"), 10: ("original 704.00 MiB", "peak 288.00 MiB")}


def has_pictures(folder):
    done = tideline(folder, "script", GRAPH, "-", input="file.write-picture probe.svg levels\n")
    (folder / "probe.svg").unlink(missing_ok=True)
    return done.returncode == 0


def ten_slides_differ_and_show_what_the_script_showed(folder):
    if not has_pictures(folder):
        return  # a build without the window
    succeeds(tideline(folder, "script", GRAPH, SLIDES))
    names = [f"slide_{i:02}.png" for i in range(1, 11)]
    assert entries(folder) == names, entries(folder)
    slides = [(folder / name).read_bytes() for name in names]
    for (one, a), (other, b) in itertools.combinations(zip(names, slides), 2):
        assert a != b, (one, other)
    # As text: the same script draws them as SVG.
    (folder / "svg.txt").write_text(SLIDES.read_text().replace(".png", ".svg"))
    succeeds(tideline(folder, "script", GRAPH, "svg.txt"))
    for number, words in SHOWS.items():
        text = (folder / f"slide_{number:02}.svg").read_text()
        for word in words:
            assert word in text, (number, word)
        sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)"', text)}
        assert max(sizes) > 20, (number, sizes)  # of 22, as SVG counts them
    # The selection is framed on the slides that have one, and on no other.
    framed = [number for number in (1, 2, 5, 6, 7)
              if 'stroke="#000000" stroke-width="2"' in (folder / f"slide_{number:02}.svg").read_text()]
    assert framed == [2, 6, 7], framed


run(ten_slides_differ_and_show_what_the_script_showed)
