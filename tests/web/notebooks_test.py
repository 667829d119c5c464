#!/usr/bin/env python3
"""The notebooks of assets/tutorials, as they were executed, open in a browser without a network: every picture is there, every
solution is said to be right, and the exercises have their gaps. With a folder as argument it puts screenshots there."""
import json
import sys

import common

TUTORIALS = common.ROOT / "assets/tutorials"
SOURCES = common.ROOT / "tests/support/notebooks"  # one for each notebook that is no exercise, and make.py
# What a page of nbconvert would load from elsewhere, for formulas and widgets, of which there are none.
ELSEWHERE = ("require_js_url", "mathjax_url", "jquery_url", "mermaid_js_url", "mermaid_layout_elk_js_url", "jupyter_widgets_base_url",
             "widget_renderer_url")
SEEN = """
return [...document.querySelectorAll('.jp-RenderedSVG img')].map((image) => [image.naturalWidth, image.naturalHeight]);
"""


def outputs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


def opened(driver, path, folder):
    from nbconvert import HTMLExporter
    exporter = HTMLExporter(**{name: "" for name in ELSEWHERE})
    page = folder / (path.stem + ".html")
    page.write_text(exporter.from_filename(str(path))[0], encoding="utf-8")
    driver.get(page.as_uri())
    return driver.execute_script("return document.body.innerText")


def looks_right(driver, path, folder):
    text = opened(driver, path, folder)
    pictures = sum("image/svg+xml" in output.get("data", {}) for output in outputs(path))
    seen = driver.execute_script(SEEN)
    assert len(seen) == pictures, (path.name, len(seen), pictures)
    assert all(width >= 640 and height >= 400 for width, height in seen), (path.name, seen)  # 0: it is no picture
    assert not any(output["output_type"] == "error" for output in outputs(path)), path.name
    return text


def main():
    common.enter("latest")
    import pathlib
    with common.temporary_folder() as temporary:
        folder = pathlib.Path(temporary)
        with common.browser(folder, "--host-resolver-rules=MAP * ~NOTFOUND") as driver:
            gaps = {}
            for path in sorted(TUTORIALS.rglob("*.ipynb")):
                text = looks_right(driver, path, folder)
                gaps[path.stem] = (text.count("your answer"), text.count("Right: "))
                said = common.complaints(driver)
                assert not said, (path.name, said)
                if len(sys.argv) > 2:
                    driver.set_window_size(1300, 3600)
                    driver.save_screenshot(f"{sys.argv[2]}/{path.stem}.png")
            exercises = {name: found for name, found in gaps.items() if name[0].isdigit()}
            assert gaps.keys() - exercises.keys() == {path.stem for path in SOURCES.glob("*.py")} - {"make"}, gaps
            assert exercises == {
                "1_find_the_peak": (5, 0), "1_find_the_peak_solution": (0, 4), "2_fit_into_60_percent": (6, 0),
                "2_fit_into_60_percent_solution": (0, 4), "3_why_is_it_late": (5, 0), "3_why_is_it_late_solution": (0, 5)}, gaps
    print(f"{len(gaps)} notebooks open without a network")


if __name__ == "__main__":
    main()
