"""Shows graphs as pages, in a Python with TensorFlow 2.15 or 1.13: show_worker.py PROGRAM REPOSITORY FOLDER

With `forever` behind them it starts a page, prints its address, and waits to be killed."""
import contextlib
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.request

import tideline

ROOT, FOLDER = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
CHAIN = ROOT / "assets/tutorials/lessons/chain.meta"
assert "tensorflow" not in sys.modules


@contextlib.contextmanager
def refused(error, *words):
    try:
        yield
    except error as problem:
        assert type(problem) is error and all(word in str(problem) for word in words), repr(problem)
        return
    raise AssertionError("expected {} with {}".format(error.__name__, words))


def asked(page, path):
    """Fields and text of the answer."""
    base, _, token = page.url.partition("#token=")
    request = urllib.request.Request(base + path, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.headers, answer.read().decode()


def ancestors(page):
    return re.search(r"frame-ancestors (.*)$", asked(page, "")[0]["Content-Security-Policy"]).group(1)


def is_over(url):
    try:
        urllib.request.urlopen(url.partition("#")[0], timeout=60)
    except urllib.error.URLError:
        return True
    return False


def files_are_shown():
    with tideline.show(CHAIN, origin="https://hub.example.org", height=500) as page:
        assert "tensorflow" not in sys.modules  # a file needs none
        frame, url = page._repr_html_(), page.url
        assert 'src="{}"'.format(url) in frame and 'height="500"' in frame and "https://hub.example.org" in frame, frame
        assert url.partition("#")[0] in repr(page) and "token" not in repr(page), page
        assert ancestors(page) == "https://hub.example.org"
        assert [graph["path"] for graph in json.loads(asked(page, "api/v1/sources")[1])["graphs"]] == [str(CHAIN.resolve())]
    assert page.url is None and "closed" in page._repr_html_() + repr(page) and is_over(url)


def live_graphs_are_shown():
    import tensorflow.compat.v1 as tf
    graph = tf.Graph()
    with graph.as_default():
        tf.train.import_meta_graph(str(ROOT / "assets/samples/tutorial_mnist.meta"))
    before = set(os.listdir(os.environ["TMPDIR"]))
    page = tideline.show(graph, write=str(FOLDER))
    assert json.loads(asked(page, "api/v1/about")[1])["may_write"] and "graph.meta" in asked(page, "api/v1/sources")[1]
    page.close()
    assert set(os.listdir(os.environ["TMPDIR"])) == before, "a copy is left behind"


def the_origin_is_that_of_the_notebook():
    os.environ["JUPYTER_RUNTIME_DIR"] = str(FOLDER)
    for said, expected in ((None, "http://localhost:8888"), ('{"url": "http://localhost:8890/base/"}', "http://localhost:8890"),
                           ("no json", "http://localhost:8888"), ('{"port": 1}', "http://localhost:8888")):
        os.environ["JPY_PARENT_PID"] = "17"
        if said is not None:
            (FOLDER / "jpserver-17.json").write_text(said)
        with tideline.show(CHAIN) as page:
            assert page.origin == ancestors(page) == expected, (said, page.origin)
    (FOLDER / "jpserver-17.json").unlink()


def what_cannot_be_shown_is_said():
    for origin in ("", "*", "http://localhost:8888/", "localhost:8888", "http://a http://b"):
        with refused(tideline.Refused, "origin: ", "expected one origin" if origin else "ORIGIN"):
            tideline.show(CHAIN, origin=origin)
    with refused(tideline.Refused, "missing.meta"):
        tideline.show(FOLDER / "missing.meta")
    with refused(TypeError, "origin"):
        tideline.show(CHAIN, origin=8888)


if "forever" in sys.argv:
    print(tideline.show(CHAIN).url, flush=True)
    sys.stdin.read()
for test in (files_are_shown, the_origin_is_that_of_the_notebook, what_cannot_be_shown_is_said, live_graphs_are_shown):
    test()
    print(test.__name__, flush=True)
last = tideline.show(CHAIN).url  # ends with this process
print(last, flush=True)
