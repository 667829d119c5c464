#!/usr/bin/env python3
"""A checkpoint on the page: its tensors are sorted and filtered, one is looked at, all are verified, and another checkpoint is compared.
The numbers are those that `tideline checkpoint` prints. With a folder as argument it puts screenshots there."""
import pathlib
import shutil
import subprocess
import sys

import common
from page import Page
from serve_door import served

CHECKPOINTS = common.DATA / "checkpoints"
ROWS = "[...document.querySelectorAll('#checkpoint-tensors tbody:nth-of-type(2) tr')].map((row) => [...row.children].map((cell) => cell.textContent))"


def printed(*arguments):
    return subprocess.run([common.PROGRAM, "checkpoint", *map(str, arguments)], capture_output=True, text=True).stdout


def tensors_are_sorted(page, index):
    common.wait("tensors", lambda: page.js(ROWS))
    page.js("[...document.querySelectorAll('#checkpoint-tensors th button')].find((node) => node.textContent === 'size').click()")
    rows = common.wait("a list", lambda: (lambda rows: rows if rows and all(row[1] for row in rows) else None)(page.js(ROWS)))
    listing = printed("ls", index)
    for name, kind, shape, *_ in rows:
        assert any(name in line and kind in line and shape in line for line in listing.splitlines()), (name, kind, shape, listing)
    return rows


def a_tensor_is_selected(page, index, rows, shot):
    name = next(row[0] for row in rows if row[1] == "float32")
    page.js("[...document.querySelectorAll('#checkpoint-tensors td .link')].find((node) => node.textContent === arguments[0]).click()", name)
    common.wait("its numbers", lambda: page.js("document.querySelectorAll('#checkpoint-tensor dd').length > 3"))
    shot("checkpoint")
    assert not (faults := common.accessibility_faults(page.driver)), faults
    stated = next(line for line in printed("stat", index).splitlines() if line.endswith(f"  {name}")).split()
    shown = dict(page.js("[...document.querySelectorAll('#checkpoint-tensor dt')].map((node) => [node.textContent, node.nextElementSibling.textContent])"))
    assert all(shown[key] in stated for key in ("mean", "min", "max")), (shown, stated)
    assert page.js("document.querySelectorAll('#checkpoint-tensor .bar').length") > 0
    return name, shown


def another_one_is_compared(page, shot):
    page.js("[...document.querySelectorAll('#document button')].find((node) => node.textContent.startsWith('Compare with')).click()")
    common.wait("the list", lambda: page.js("document.querySelectorAll('#dialog li button, #dialog li a').length > 0"))
    page.js("[...document.querySelectorAll('#dialog li button, #dialog li a')].find((node) => node.textContent.endsWith('b/ckpt.index')).click()")
    page.until("what differs", "#checkpoint-compared", lambda text: "differ" in text)
    common.wait("its list", lambda: page.js("document.querySelectorAll('#checkpoint-differences tbody:nth-of-type(2) tr').length > 0"))
    shot("checkpoint_compared")


def main():
    common.enter("latest")
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    with common.temporary_folder() as name, common.browser(name) as driver:
        one, other = pathlib.Path(name) / "a", pathlib.Path(name) / "b"
        shutil.copytree(CHECKPOINTS / "small", one)
        shutil.copytree(CHECKPOINTS / "sliced", other)
        index = one / "ckpt.index"
        with served(index, other / "ckpt.index") as (address, _):
            driver.get(address)
            page = Page(driver)
            shot = lambda kind: folder and driver.save_screenshot(f"{folder}/{kind}.png")
            common.wait("the list", lambda: page.js("[...document.querySelectorAll('#sources a')].some((node) => node.textContent.endsWith('a/ckpt.index'))"))
            page.js("[...document.querySelectorAll('#sources a')].find((node) => node.textContent.endsWith('a/ckpt.index')).click()")
            rows = tensors_are_sorted(page, index)
            tensor, shown = a_tensor_is_selected(page, index, rows, shot)
            page.js("[...document.querySelectorAll('#document button')].find((node) => node.textContent === 'Verify').click()")
            page.until("no damage", "#checkpoint-check", lambda text: "no damage" in text)
            another_one_is_compared(page, shot)
            assert page.js("banner.hidden"), page.text("#banner")
            assert not (said := common.complaints(driver)), said
    print(f"{len(rows)} tensors were listed, {tensor} was looked at: {shown}")


if __name__ == "__main__":
    main()
