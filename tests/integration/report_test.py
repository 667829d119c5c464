#!/usr/bin/env python3
"""The page of `tideline report` says what the other verbs say, and needs nothing beside it."""
import base64
import html.parser
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import common

SAMPLE = common.ROOT / "assets/samples/tutorial_mnist.meta"
POLICY = ["--batch-size", "1000", "--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "2"]
TWO_DEVICES = common.DATA / "graphs/two_gpu_towers.meta"


class Page(html.parser.HTMLParser):
    """Texts of the elements, rows of the tables, and whether every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.images, self.headings, self.pre, self.text = [], [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.images.append(dict(attrs))
        if tag in ("img", "meta"):
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        tag = self.open[-1] if self.open else ""
        if tag in ("td", "th"):
            self.rows[-1][-1] += data
        elif tag in ("h1", "h2"):
            self.headings.append(data)
        elif tag == "pre":
            self.pre.append(data)
        elif tag == "div":
            self.text.append(data)


def run(program, *words, expect=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == expect, (words, done.returncode, done.stderr)
    return done


def report(program, folder, name, *options, graph=SAMPLE):
    path = folder / name
    run(program, "report", graph, "-o", path, *options)
    text = path.read_text()
    page = Page(text)
    # Nothing is fetched: the only addresses are names of XML.
    for image in page.images:
        kind, data = image["src"].split(",", 1)
        assert kind == "data:image/svg+xml;base64", kind
        picture = base64.b64decode(data, validate=True).decode()
        xml.etree.ElementTree.fromstring(picture)
        text = text.replace(data, "")
        assert not re.search(r"(href|src)\s*=", picture), image["alt"]
    assert "http" not in text and "<script" not in text
    return page


def check_against_verbs(program, folder):
    page = report(program, folder, "page.html", *POLICY)
    simulated = json.loads(run(program, "simulate", SAMPLE, *POLICY, "--json").stdout)
    words = " ".join(page.text)
    peak = simulated["device_peak_bytes"]
    assert f"{peak / 2**20:.2f} MiB" in words, (peak, words)
    swaps = [row for row in page.rows if row[1:3] and row[0] != "tensor" and len(row) == 8]
    assert len(swaps) == simulated["swap_ins"], (len(swaps), simulated["swap_ins"])
    assert page.headings[0] == SAMPLE.name
    for heading in ("Levels", "Memory", "Memory by time", "Scopes", "Swaps"):
        assert heading in page.headings, (heading, page.headings)
    assert any(heading.startswith("At the peak of ") for heading in page.headings)
    # The command, run beside the graph, writes what the verb writes.
    (folder / SAMPLE.name).write_bytes(SAMPLE.read_bytes())
    command = shlex.split(page.pre[0])
    assert command[0] == "tideline", command
    subprocess.run([program, *command[1:]], cwd=folder, check=True, capture_output=True)
    written = folder / command[command.index("--output") + 1]
    run(program, "rewrite", "lms2", SAMPLE, *POLICY, "-o", folder / "wanted.meta")
    assert written.read_bytes() == (folder / "wanted.meta").read_bytes()


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_against_verbs(program, folder)
        first = (folder / "page.html").read_bytes()
        assert "exists" in run(program, "report", SAMPLE, "-o", folder / "page.html", *POLICY, expect=1).stderr
        run(program, "report", SAMPLE, "-o", folder / "page.html", "--force", *POLICY)
        assert (folder / "page.html").read_bytes() == first, "the same state gives other bytes"
        plain = report(program, folder, "plain.html", "--batch-size", "8")
        assert "Swaps" not in plain.headings
        automatic = report(program, folder, "automatic.html", "--batch-size", "1000", "--device-memory", "600MiB",
                           "--device-profile", "v100")
        assert "Search" in automatic.headings, automatic.headings
        assert "fits 600.00 MiB" in " ".join(automatic.text), automatic.text
        for bad in (["--batch-size", "1000", "--device-memory", "1MiB"], ["--swapout-threshold", "x"],
                    ["--excl-scopes", "nowhere"]):
            done = subprocess.run([program, "report", str(SAMPLE), "-o", str(folder / "bad.html"), *bad],
                                  capture_output=True, text=True, check=False)
            assert done.returncode in (1, 2, 3) and done.stderr, (bad, done)
            assert not (folder / "bad.html").exists()
        run(program, "report", folder / "nowhere.pb", "-o", folder / "bad.html", expect=1)
        graph = folder / "own.meta"
        graph.write_bytes(SAMPLE.read_bytes())
        assert ".html" in run(program, "report", graph, "-o", graph, "--force", expect=2).stderr
        assert graph.read_bytes() == SAMPLE.read_bytes()
        two = report(program, folder, "two.html", "--batch-size", "8", graph=TWO_DEVICES)
        for device in ("GPU:0", "GPU:1"):
            assert sum(device in heading for heading in two.headings) >= 3, two.headings
    print("pages say what the verbs say")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
