#!/usr/bin/env python3
"""The tab's Python, with a stand-in for the program: what passes and what is refused, how runs become sources, and when the
program starts, starts again and ends. Argument: the environment (latest without any)."""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import board
import common

STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in.py"
PACKAGE = common.ROOT / "plugins/tensorboard"
LOGS = common.DATA / "logs"
TAB = "/data/plugin/tideline"
JSON = "application/json"


class App:
    """TensorBoard's application with the tab alone, asked without a network."""

    def __init__(self, folder, logdir="", spec="", program=STAND_IN, write="", served=None, prefix="", **stand_in):
        from tensorboard.backend import application
        from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
        from tensorboard.plugins import base_plugin
        from tensorboard_plugin_tideline.plugin import Tideline
        from werkzeug.test import Client
        self.starts = pathlib.Path(folder) / f"starts{len(list(pathlib.Path(folder).iterdir()))}"
        os.environ.update(STAND_IN=json.dumps(stand_in), STAND_IN_STARTS=str(self.starts))
        multiplexer = plugin_event_multiplexer.EventMultiplexer()
        for name, path in (served or {}).items():
            multiplexer.AddRunsFromDirectory(str(path), name)
        multiplexer.Reload()
        provider = data_provider.MultiplexerDataProvider(multiplexer, "")
        flags = argparse.Namespace(logdir=str(logdir), logdir_spec=spec, tideline_program=str(program), tideline_write_dir=write)
        self.tab = Tideline(base_plugin.TBContext(data_provider=provider, flags=flags, logdir=str(logdir)))
        self.client = Client(application.TensorBoardWSGI([self.tab], prefix, provider))
        self.base = prefix + TAB

    def ask(self, path, method="GET", host="localhost:6006", peer="127.0.0.1", data=None, json=None, **headers):
        if method != "GET":
            headers = {"X_Tideline": "1", "Origin": "http://" + host, **headers}
        headers = {key.replace("_", "-"): value for key, value in headers.items() if value is not None}
        return self.client.open(self.base + path, method=method, data=data, json=json, headers={"Host": host, **headers},
                                environ_overrides={"REMOTE_ADDR": peer})

    def echo(self, *words, **more):
        """What the stand-in got."""
        answer = self.ask(*words, **more)
        assert answer.status_code == 200, (answer.status, answer.data)
        return json.loads(answer.data)

    def pids(self):
        return [int(line) for line in self.starts.read_text().split()] if self.starts.exists() else []


def refused(answer, status, *words):
    said = json.loads(answer.data)
    assert answer.status_code == status and set(said) == {"error"} and set(said["error"]) == {"code", "message"}, \
        (answer.status, answer.data)
    assert all(word in said["error"]["message"] for word in words), said
    return said["error"]["message"]


def only_the_page_sessions_and_downloads_pass(folder):
    app = App(folder)
    for path, to in (("/page/main.js", "/front/main.js"), ("/page/dejavu.woff2", "/front/dejavu.woff2"),
                     ("/api/v1/sessions/0a1b/state?since=3&wait=100", None), ("/api/v1/sessions/0a1b/picture?view=levels", None),
                     ("/api/v1/files/0a1b", None)):
        assert app.echo(path)["path"] == (to or path), path
    assert not app.ask("/index.js").headers["Content-Type"].startswith("text/html")
    for path in ("/page/", "/page/..", "/page/../api/v1/about", "/page/%2e%2e/api/v1/about", "/page/a/b.js", "/page/a%2fb.js",
                 "/page/a%00.js", "/api/v1/about", "/api/v1/sources", "/api/v1/uploads", "/api/v1/sessions",
                 "/api/v1/sessions/../uploads", "/api/v1/sessions/a/../../uploads", "/api/v1/files/a/b", "/api/v1/sessions/a%0d%0a/state",
                 "/api/v2/sessions/a/state"):
        answer = app.ask(path)
        assert answer.status_code == 404, (path, answer.status, answer.data)


def changes_need_what_a_foreign_page_cannot_send(folder):
    app = App(folder)
    act = "/api/v1/sessions/a/act"
    assert app.echo(act, "POST", json={"do": []})["body"] == json.dumps({"do": []})
    assert app.ask("/api/v1/sessions/a", "DELETE").status_code == 200
    for changed in ({"X_Tideline": None}, {"X_Tideline": "0"}, {"Origin": None}, {"Origin": "null"}, {"Origin": "http://evil.example"},
                    {"Origin": "http://localhost:6007"}, {"Sec_Fetch_Site": "cross-site"}):
        refused(app.ask(act, "POST", json={}, **changed), 403)
        refused(app.ask("/open", "POST", json={}, **changed), 403)
        refused(app.ask("/api/v1/sessions/a", "DELETE", **changed), 403)
    refused(app.ask("/sources", Sec_Fetch_Site="cross-site"), 403)
    refused(app.ask(act, "POST", data="{}", Content_Type="text/plain"), 415)
    refused(app.ask(act, "POST", data=b"x" * (64 * 1024 + 1), Content_Type=JSON), 413)
    refused(app.ask(act, "PUT", json={}), 405)
    refused(app.ask("/open"), 405)
    refused(app.ask("/sources", "POST", json={}), 405)
    refused(app.ask("/open", "POST", data=b"", Content_Type=JSON), 411)
    for broken in (b"{", b"[]", b"3", b"{}", b'{"source": 3}', b'{"source": {}, "trace": 3}', b"[" * 60000):
        refused(app.ask("/open", "POST", data=broken, Content_Type=JSON), 400)


def of_headers_only_what_describes_a_body_passes(folder):
    app = App(folder, answers={"/api/v1/files/a": [200, {"Content-Type": "application/octet-stream", "Content-Encoding": "gzip",
                                                            "Content-Disposition": 'attachment; filename="g.pb"'}, "bytes"]})
    got = app.echo("/api/v1/sessions/a/act", "POST", json={"do": []}, Cookie="a=b", Authorization="Bearer x", Accept_Encoding="gzip",
                     Forwarded="for=1.2.3.4", host="app.example")
    assert set(got["headers"]) <= {"Host", "Accept-Encoding", "Content-Type", "Content-Length"}, got["headers"]
    assert got["headers"]["Host"] == "localhost" and got["headers"]["Accept-Encoding"] == "gzip"
    answer = app.ask("/api/v1/files/a")
    assert answer.data == b"bytes" and answer.headers["Content-Disposition"] == 'attachment; filename="g.pb"'
    assert answer.headers["Content-Encoding"] == "gzip" and answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in answer.headers


def what_the_program_refuses_is_refused_in_its_words(folder):
    said = json.dumps({"error": {"code": "invalid_argument", "message": "policy.set: no"}})
    app = App(folder, answers={"/api/v1/sessions/a/act": [422, {}, said], "/api/v1/about": [429, {}, said]})
    assert refused(app.ask("/api/v1/sessions/a/act", "POST", json={}), 422) == "policy.set: no"
    assert refused(app.ask("/about"), 429) == "policy.set: no"


def the_program_starts_once_and_again_when_it_died(folder):
    app = App(folder, LOGS, die_at="/api/v1/sessions/a/state")
    assert app.pids() == [], "nothing starts before it is needed"
    first = app.echo("/page/main.js")
    assert first["arguments"][3:] == ["--open", str(LOGS)], first["arguments"]
    assert not os.path.exists(first["arguments"][2]) and not os.path.exists(os.path.dirname(first["arguments"][2]))
    assert app.echo("/page/main.js")["pid"] == first["pid"] and app.pids() == [first["pid"]]
    os.kill(first["pid"], signal.SIGKILL)
    second = app.echo("/page/main.js")["pid"]
    assert app.pids() == [first["pid"], second]
    # A question that kills it is asked twice, not for ever; the next question finds it again.
    refused(app.ask("/api/v1/sessions/a/state"), 503, "ended twice", "exit code 3")
    assert len(app.pids()) == 3, app.pids()
    assert app.echo("/page/main.js")["pid"] == app.pids()[3]


def without_a_program_the_tab_says_what_to_install(folder):
    path, os.environ["PATH"] = os.environ["PATH"], str(folder)
    try:
        refused(App(folder, program="").ask("/about"), 503, "no program `tideline`", "the Python package tideline", "--tideline_program")
    finally:
        os.environ["PATH"] = path
    refused(App(folder, program=folder / "none").ask("/about"), 503, str(folder / "none"), "No such file", "--tideline_program")
    refused(App(folder, program=STAND_IN.with_name("common.py")).ask("/about"), 503, "Permission denied")
    refused(App(folder, program="/bin/true").ask("/about"), 503, "/bin/true", "does not start")
    for greeting in ('{"tideline":"9.0.0","api":2}', "{}"):
        refused(App(folder, greeting=greeting).ask("/about"), 503, "another version", '"api": 1', greeting)
    refused(App(folder, greeting="[1]").ask("/about"), 503, "does not start")
    # One that says nothing, and whose child keeps its output open.
    from tensorboard_plugin_tideline import program as behind
    silent, patience = folder / "silent", behind.START_SECONDS
    silent.write_text("#!/bin/sh\nexec 2>/dev/null\nsleep 15 &\nexec sleep 1000\n")
    silent.chmod(0o755)
    behind.START_SECONDS, begin = 1, time.monotonic()
    refused(App(folder, program=silent).ask("/about"), 503, str(silent), "does not start")
    assert time.monotonic() - begin < 10
    behind.START_SECONDS = patience
    # One that greets well and answers badly.
    for said in ("no JSON", "[1, 2]", '"text"', "null", "{" * 2000, "[" * 100000):
        refused(App(folder, answers={"/api/v1/about": [200, {}, said]}).ask("/about"), 502, "does not answer as Tideline does")
    for said in ("{}", '{"error": 1}', "x"):
        refused(App(folder, answers={"/api/v1/about": [404, {}, said]}).ask("/about"), 502, "does not answer as Tideline does")
    for said in ('{"graphs": 1}', '{"graphs": [1]}', '{"graphs": {"a": 2}}'):
        refused(App(folder, folder, answers={"/api/v1/sources": [200, {}, said]}).ask("/sources"), 502, "does not answer as")
    # One that does not fit does not hide another; what was chosen hides all.
    shutil.copy(STAND_IN, folder / "tideline")
    os.environ["PATH"] = f"{folder}:{path}"
    assert json.loads(App(folder, program="").ask("/about").data)["plugin"] is True
    os.environ["PATH"] = path


def only_browsers_of_this_machine_may_write(folder):
    app = App(folder, write=str(folder))
    wants = lambda **more: "--write" in app.echo("/page/main.js", **more)["arguments"]  # noqa: E731
    assert all(wants(host=host) for host in ("localhost", "localhost:6006", "127.0.0.1:1", "[::1]:6006"))
    assert wants(peer="::1") and wants(peer="::ffff:127.0.0.1")
    assert not any(wants(host=host) for host in ("evil.example", "localhost.evil.example:6006", "127.0.0.1.evil.example", "10.0.0.1"))
    assert not wants(peer="10.0.0.1")
    assert len(app.pids()) == 2
    assert "--write" not in App(folder).echo("/page/main.js")["arguments"]


def log_folders_are_those_of_tensorboard(folder):
    from tensorboard_plugin_tideline import sources
    home = os.path.realpath(os.path.expanduser("~"))
    for logdir, spec, wanted in (("", "", []), ("/a", "", [("", "/a")]), ("~/a", "", [("", home + "/a")]), ("gs://b/a", "", []),
                                 ("", "x:/a,y:/b", [("x", "/a"), ("y", "/b")]), ("", "/a:b,/c", [("", "/a:b"), ("", "/c")]),
                                 ("", "x:gs://b/a,s3://c,z:/a:b", [("z", "/a:b")]), ("/a:b", "", [("", "/a:b")])):
        found = sources.log_folders(argparse.Namespace(logdir=logdir, logdir_spec=spec))
        assert found == wanted, (logdir, spec, found)


def runs_become_sources(folder):
    rows = {"graphs": [{"path": str(LOGS), "run": "tf1_mlp", "tag": "__run_meta_graph__", "function": "", "kind": "meta_graph_def"}],
            "traces": [{"path": str(LOGS), "run": "tf1_mlp", "tag": "step000", "step": 0}]}
    rows["graphs"].append({"path": str(LOGS / "beside.pb"), "run": "", "tag": "", "function": "", "kind": "file"})
    app = App(folder, spec=f"x:{LOGS}", served={"x": LOGS}, answers={
        "/api/v1/sources": [200, {}, json.dumps(rows)]})
    found = json.loads(app.ask("/sources").data)
    graphs = {(row["path"], row["run"], row["tag"]) for row in found["graphs"]}
    assert graphs == {(str(LOGS), "tf1_mlp", "__run_meta_graph__"), ("tensorboard:graphs", "x/tf1_lstm", "__run_graph__"),
                      ("tensorboard:graphs", "x/tf1_mnist_deep", "__run_graph__")}, graphs
    assert len(found["traces"]) == 1 + 6, found["traces"]
    sent = json.loads(app.ask("/open", "POST", json={
        "source": found["graphs"][0], "trace": found["traces"][0], "resume": [["policy.set", "swapin-ahead", "5"]], "more": 1}).data)
    assert sent["path"] == "/api/v1/sessions" and json.loads(sent["body"]) == {
        "source": {"path": str(LOGS), "run": "tf1_mlp", "tag": "__run_meta_graph__"},
        "trace": {"path": str(LOGS), "run": "tf1_mlp", "tag": "step000"}, "resume": [["policy.set", "swapin-ahead", "5"]]}, sent
    lstm = {"path": "tensorboard:graphs", "run": "x/tf1_lstm", "tag": "__run_graph__", "function": ""}
    sent = json.loads(json.loads(app.ask("/open", "POST", json={"source": lstm}).data)["body"])
    assert set(sent) == {"source", "resume", "trace"} and set(sent["source"]) == {"upload", "document"} and sent["resume"] == [], sent
    # As in a log, the run's last traced step comes along, unless another is wished for.
    steps = {row["tag"]: row for row in found["traces"] if row["run"] == "x/tf1_lstm"}
    uploads = [json.loads(json.loads(app.ask("/open", "POST", json={"source": lstm, "trace": steps[tag]}).data)["body"])["trace"]
               for tag in ("step000", "step024")]
    assert uploads[0] != sent["trace"] == uploads[1], (uploads, sent)
    for changed in ({"run": "x/none"}, {"run": "../etc"}, {"path": "/etc"}, {"tag": "none"}, {"path": str(LOGS)}):
        refused(app.ask("/open", "POST", json={"source": {**lstm, **changed}}), 404, "lists none such")


def a_folder_that_the_program_may_not_read_comes_through_tensorboard(folder):
    no = json.dumps({"error": {"code": "not_found", "message": "no"}})
    app = App(folder, LOGS, served={"": LOGS}, answers={"/api/v1/sources": [404, {}, no]})
    assert [row["path"] for row in json.loads(app.ask("/sources").data)["graphs"]] == 3 * ["tensorboard:graphs"]
    assert "--open" not in App(folder, folder / "none").echo("/page/main.js")["arguments"], "the program would not start"


def what_tensorboard_is_just_reading_is_no_error(folder):
    """Its slow reader knows a tag before it knows its values, and stumbles over that itself."""
    app = App(folder, served={"": LOGS})
    listing = app.tab._sources._provider.list_blob_sequences

    def stumble(ctx, *, plugin_name, **more):
        if plugin_name == "graphs":
            raise KeyError("Key '__run_graph__' was not found in Reservoir")
        return listing(ctx, plugin_name=plugin_name, **more)
    app.tab._sources._provider.list_blob_sequences = stumble
    assert json.loads(app.ask("/sources").data)["graphs"] == []
    app.tab._sources._provider.list_blob_sequences = listing
    assert len(json.loads(app.ask("/sources").data)["graphs"]) == 3


def answers_pass_as_they_come(folder):
    app = App(folder, held="/api/v1/files/a")
    answer = app.client.open(app.base + "/api/v1/files/a", buffered=False)
    parts = iter(answer.response)
    assert next(parts) == b"first "
    app.echo("/page/release.js")
    assert b"".join(parts) == b"second"


def the_real_program_waits_refuses_and_makes_room_through_the_tab_too(folder):
    app = App(folder, logdir=LOGS, program=common.PROGRAM)
    row = next(row for row in app.echo("/sources")["graphs"] if row["run"] == "tf1_mlp")

    def opened():
        answer = app.ask("/open", "POST", json={"source": row})
        assert answer.status_code == 201, answer.data
        return "/api/v1/sessions/" + json.loads(answer.data)["id"]
    # Straight after opening the file is still being read.
    for door in ("picture?view=levels&w=800&h=300", "picture?view=memory&w=800&h=300&format=svg", "rows?table=search&filter=a",
                 "hit?view=levels&w=800&h=300&x=9&y=9"):
        answer = app.ask(f"{opened()}/{door}")
        assert answer.status_code == 200, (door, answer.data)
    assert app.ask(f"{opened()}/files", "POST", json={"kind": "csv"}).status_code == 201
    session = opened()
    acted = app.echo(session + "/act", "POST", json={"do": [["policy.mode", "lms2"]], "wait_ms": 20000})
    assert acted["graph"] and acted["resume"] == [["policy.mode", "lms2"]], acted["resume"]
    for words in ([" file.quit now"], ["file.quit", "now"], [f" file.open {LOGS}"], [" checkpoint.backends"], ["\tfile.browse /"]):
        answer = app.ask(session + "/act", "POST", json={"do": [words]})
        assert answer.status_code == 422 and json.loads(answer.data)["state"]["graph"], (words, answer.data)
        refused(app.ask("/open", "POST", json={"source": row, "resume": [words]}), 422)
    assert app.echo(session + "/state")["graph"] == acted["graph"]
    # Tabs that nobody closed, and one that says that it goes.
    for _ in range(20):
        last = opened()
    assert app.ask(last + "/leave", "POST", json={}).status_code == 204
    refused(app.ask(session + "/state"), 404)


def a_prefix_and_a_large_answer_pass(folder):
    app = App(folder, prefix="/some/where", answers={"/front/main.js": [200, {}, 3_000_000]})
    assert len(app.ask("/page/main.js").data) == 3_000_000
    plugins = json.loads(app.client.get("/some/where/data/plugins_listing").data)["tideline"]
    assert plugins["loading_mechanism"]["module_path"] == "/some/where/data/plugin/tideline/index.js", plugins


def nothing_is_left_when_tensorboard_is_killed(folder):
    """The process that started the program dies without a word; so does the program, and no file stays."""
    (folder / "tmp").mkdir()
    code = ("import sys, time; sys.path.insert(0, sys.argv[1]); from tensorboard_plugin_tideline.program import Program\n"
            "connection, answer = Program(sys.argv[2], list).ask('GET', '/front/main.js', {}); print(answer.status, flush=True)\n"
            "time.sleep(600)")
    starts = folder / "killed"
    parent = subprocess.Popen([sys.executable, "-c", code, str(PACKAGE), str(STAND_IN)], stdout=subprocess.PIPE,
                              env={**os.environ, "TMPDIR": str(folder / "tmp"), "STAND_IN": "{}", "STAND_IN_STARTS": str(starts)})
    assert parent.stdout.readline() == b"200\n"
    pid = int(starts.read_text())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    common.wait("the program ends", lambda: not board.is_running(pid))
    assert list((folder / "tmp").iterdir()) == []


def the_package_stays_small(_):
    lines = [line for path in (PACKAGE / "tensorboard_plugin_tideline").glob("*.py") for line in path.read_text().splitlines()]
    assert 100 < len([line for line in lines if line.strip()]) <= 340, len(lines)
    assert len((PACKAGE / "tensorboard_plugin_tideline/index.js").read_text().splitlines()) <= 12


def main():
    common.enter("latest" if "tensorboard215" not in sys.argv else "tensorboard215", browser=False)
    sys.path.insert(0, str(PACKAGE))
    sys.dont_write_bytecode = True
    for test in (only_the_page_sessions_and_downloads_pass, changes_need_what_a_foreign_page_cannot_send,
                 of_headers_only_what_describes_a_body_passes, what_the_program_refuses_is_refused_in_its_words,
                 the_program_starts_once_and_again_when_it_died, without_a_program_the_tab_says_what_to_install,
                 only_browsers_of_this_machine_may_write, log_folders_are_those_of_tensorboard, runs_become_sources,
                 a_folder_that_the_program_may_not_read_comes_through_tensorboard, what_tensorboard_is_just_reading_is_no_error,
                 answers_pass_as_they_come, the_real_program_waits_refuses_and_makes_room_through_the_tab_too,
                 a_prefix_and_a_large_answer_pass, nothing_is_left_when_tensorboard_is_killed,
                 the_package_stays_small):
        with common.temporary_folder() as name:
            started = time.monotonic()
            test(pathlib.Path(name))
            print(f"{test.__name__.replace('_', ' ')}: {time.monotonic() - started:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
