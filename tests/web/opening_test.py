#!/usr/bin/env python3
"""What is opened on the page beside listed graphs: the functions of a graph, a log and a checkpoint of the browser's machine, and graphs in that log.
Texts of the log are rendered Markdown in which what the log says is never markup; they are written as they are a click away. With a folder as
argument it puts screenshots there."""
import pathlib
import struct
import sys

import common
from page import Page
from serve_door import ESCAPE, served

CARD = "#log-charts [data-tag=report]"
BODY = "while_body_14487"
REPORT = """# Run <b id=bold>7</b>

> - **fast** and ~~slow~~ [a page](https://example.com/run7)

| name | value |
|------|-------|
| rate | `0.1` |

<script>document.title = 'taken'</script> <img src=x onerror="document.title='taken'">

    def step(x):
"""


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def field(number, payload):
    size, length = len(payload), b""
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + payload


def text_event(tag, text):
    """A record of an event file with one text, as writers of TensorFlow 2 make it."""
    tensor = b"\x08\x07\x12\x00" + field(8, text.encode())
    value = field(1, tag.encode()) + field(8, tensor) + field(9, field(1, field(1, b"text")))
    event = b"\x10\x03" + field(5, field(1, value))
    head = struct.pack("<Q", len(event))
    return head + crc32c(head) + event + crc32c(event)


def send(page, path):
    if not page.js("document.getElementById('dialog').open"):
        page.one("#open").click()
    common.wait("the field", lambda: page.js("document.querySelector('#dialog input[type=file]')"))
    page.js("document.querySelector('#dialog input[type=file]')").send_keys(str(path))


def functions_are_listed(page, name, of):
    """Of the graph in the dialog, and the body of one is opened."""
    page.one("#open").click()
    label = f"[aria-label='List the functions of {of}']"
    common.find(page.driver, f"#dialog {label}").click()
    common.wait("functions", lambda: page.js("document.querySelectorAll('#dialog .functions li').length") > 1)
    page.js("[...document.querySelectorAll('#dialog .functions a')].find((link) => link.textContent === arguments[0]).click()", name)
    common.wait("its body", lambda: name in page.js("document.getElementById('crumbs').textContent"))
    page.settled()


def texts_are_rendered(page, shot):
    common.wait("the log", lambda: page.js("document.querySelector('#section-text')"))
    page.one("#section-text").click()
    common.wait("Markdown", lambda: page.js("document.querySelector(arguments[0])", f"{CARD} .markdown"))
    shot("markdown")
    parts = {name: page.js("[...document.querySelectorAll(`${arguments[1]} .markdown ${arguments[0]}`)].map((node) => node.textContent)", name, CARD)
             for name in ("h4", "strong", "s", ".address", "th", "td", "td code", "pre.code", "blockquote .marker")}
    assert parts == {"h4": ["Run <b id=bold>7</b>"], "strong": ["fast"], "s": ["slow"], ".address": ["a page"], "th": ["name", "value"],
                     "td": ["rate", "0.1"], "td code": ["0.1"], "pre.code": ["def step(x):"], "blockquote .marker": ["\u2022"]}, parts
    assert page.one(f"{CARD} .address").get_attribute("title") == "https://example.com/run7"
    assert page.js("document.querySelectorAll('#bold, #log-charts img, #log-charts script, #log-charts a').length") == 0
    assert "onerror" in page.text(f"{CARD} .markdown")
    assert not (faults := common.accessibility_faults(page.driver)), faults
    page.one(f"{CARD} [data-key=text]").click()
    page.until("as written", f"{CARD} pre:not(.code)", lambda text: text.startswith("# Run <b id=bold>7</b>"))
    page.one(f"{CARD} [data-key=text]").click()
    common.wait("Markdown again", lambda: page.js("document.querySelector(arguments[0])", f"{CARD} .markdown"))


def main():
    common.enter("latest")
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    graph = common.DATA / "graphs/tf2_controlflow.pb"
    with common.temporary_folder() as name, common.browser(name) as driver, served(graph) as (address, _):
        shot = lambda kind: folder and driver.save_screenshot(str(folder / f"{kind}.png"))
        driver.get(address)
        page = Page(driver)
        page.settled()
        functions_are_listed(page, BODY, graph)
        shot("function")
        # A log of the browser's machine: its texts, then a graph in it.
        log = pathlib.Path(name) / "events.out.tfevents.1.sent"
        logged = next((common.DATA / "logs/tf1_mlp").glob("*tfevents*")).read_bytes()
        log.write_bytes(logged + text_event("report", REPORT))
        send(page, log)
        texts_are_rendered(page, shot)
        page.one("#section-graphs").click()
        page.until("a graph", "#log-charts", lambda text: "Graphs" in text)
        page.js("document.querySelector('#log-charts li button').click()")
        page.settled()
        assert driver.title.startswith(log.name), driver.title
        # A checkpoint of one file; one of several is refused with the reason.
        send(page, common.DATA / "foreign/checkpoints/npz/stored.npz")
        common.wait("its tensors", lambda: page.js("document.querySelectorAll('#checkpoint-tensors tbody tr').length"))
        assert driver.title.startswith("stored.npz"), driver.title
        send(page, common.DATA / "checkpoints/small/ckpt.index")
        page.until("the reason", "#banner", lambda text: "of several files" in text)
        driver.get_log("browser")  # the refusal is one of its lines
        page.press(ESCAPE)
        # A graph that was sent has its functions in the list, too.
        send(page, graph)
        page.settled()
        functions_are_listed(page, BODY, graph.name)
        assert page.js("banner.hidden"), page.text("#banner")
        assert not (said := common.complaints(driver)), said
    print("functions, a log, its texts and graphs, and a checkpoint were opened")


if __name__ == "__main__":
    main()
